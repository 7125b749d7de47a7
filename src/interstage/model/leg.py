"""Legs of a mission: who flies in each, how, and after which moment it begins."""

from __future__ import annotations

from typing import Annotated, Literal

from ..tree.declaration import ByName, Declaration
from ..tree.names import Name
from .sequence import Event, Phase
from .settings import Output, Solver
from .trim import Trim


class After(Declaration):
    """The moment after which a leg begins."""

    leg: str
    """The leg that it goes on from, and takes its bodies from."""
    event: str | None = None
    """Phase start or event of that leg, or what a device does in it, at which that leg is over and this one
    begins. Default: the end of that leg."""


class Leg(Declaration):
    """A stretch of a mission with bodies, phases, events, steps and samples of its own. Time goes on from leg
    to leg, and so does what parts keep: propellants, burns, laws, joints release.

    A leg is over with its last phase, or at the event at which those after it begin."""

    name: Name
    """Name of the leg; its end is the moment "<name> end"."""
    after: After | None = None
    """What it begins after; the one leg without begins the mission."""
    bodies: tuple[str, ...] = ()
    """The bodies that fly in it, of those of the leg before. Default: all that no leg beside it names."""
    joints: tuple[str, ...] = ()
    """The joints between them that are in it, held or not. Default: all."""
    without: tuple[str, ...] = ()
    """What is left out though its bodies are there, by group and name: "controls.hold", "joints.dock"."""
    coordinates: Literal["rigid", "point", "minimal", "held"] = "rigid"
    """How its bodies move: rigid, each with its attitude; minimal, likewise, in the coordinates that joints
    leave; as one point, with an attitude from guidance; or held on the planet."""
    attitude: str | None = None
    """Name of the guidance that gives the attitude of a point."""
    trim: Trim | None = None
    """What balances the moments about the centre of mass of a point. If not set, nothing does."""
    phases: Annotated[tuple[Phase, ...], ByName()] = ()
    """The stretches of the leg, in order. Their names are for the whole mission."""
    events: Annotated[tuple[Event, ...], ByName()] = ()
    """What happens in parallel with its phases. Their names are for the whole mission."""
    solver: Solver | None = None
    """How its equations are solved. Default: as the scenario says."""
    output: Output | None = None
    """When it is sampled. Default: as the scenario says."""
