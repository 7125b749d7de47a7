"""Declarations of the legs of a mission: their bodies, their dynamics, and the events at which they
begin.
"""

from __future__ import annotations

from typing import Annotated, Literal

from ..tree.declaration import ByName, Declaration
from ..tree.names import Name
from .sequence import Event, Phase
from .settings import Output, Solver
from .trim import Trim


class After(Declaration):
    """The event after which a leg begins."""

    leg: str
    """The preceding leg, from which this leg takes its bodies."""
    event: str | None = None
    """Event that ends the preceding leg and begins this leg: a phase start, an event, or the event of a
    device in the preceding leg. Default: the end of the preceding leg."""


class Leg(Declaration):
    """A section of a mission with its own bodies, phases, events, steps and samples. The time and the states
    of propellants, burns, control laws and released joints continue from leg to leg. A leg ends with its last
    phase, or at the event at which the following legs begin.
    """

    name: Name
    """Name of the leg. The end of the leg is the event "<name> end"."""
    after: After | None = None
    """The preceding leg, and the event of that leg at which this leg begins. Exactly one leg omits `after`:
    the first leg of the mission."""
    bodies: tuple[str, ...] = ()
    """Bodies of the preceding leg that fly in this leg. Default: all bodies of the preceding leg except the
    bodies that concurrent legs name."""
    joints: tuple[str, ...] = ()
    """Joints between these bodies that exist in this leg, active or inactive. Default: all."""
    without: tuple[str, ...] = ()
    """Entries that are not in this leg, although their bodies fly in this leg. Each entry has its group and
    name, for example "controls.hold" or "joints.dock"."""
    coordinates: Literal["rigid", "point", "minimal", "held"] = "rigid"
    """Dynamics of the bodies. "rigid": each body with its attitude. "minimal": rigid bodies in the free
    coordinates of the joints. "point": one point mass with an attitude from guidance. "held": all bodies are
    fixed to the planet."""
    attitude: str | None = None
    """Name of the guidance law that gives the attitude of a point mass."""
    trim: Trim | None = None
    """Signals that balance the moments about the centre of mass of a point mass. Default: the moments are not
    balanced."""
    phases: Annotated[tuple[Phase, ...], ByName()] = ()
    """Phases of the leg, in order. The names of phases are unique in the mission."""
    events: Annotated[tuple[Event, ...], ByName()] = ()
    """Events in parallel with the phases. The names of events are unique in the mission."""
    solver: Solver | None = None
    """Solver settings of the leg. Default: the settings of the scenario."""
    output: Output | None = None
    """Sample times of the leg. Default: the settings of the scenario."""
