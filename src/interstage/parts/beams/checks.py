"""Checks of beams: that there is what they are clamped in, and that the flight is one of rigid bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...record.posed import flown_pose
from ...record.record import Record
from ...tree.errors import Problem, unknown
from ...tree.names import GROUND, Names
from . import segments
from .apart import STRETCHED, Pose, misplaced
from .bound import Ends, fastest
from .decay import damping
from .declared import Beam
from .ends import giving
from .least import least
from .sections import along

if TYPE_CHECKING:
    from ...scenario import Scenario

STABLE = {"rk4": (2.8, 2.6, 2.7), "staggered": (2.0, 1.6, 1.9)}
"""Step times angular frequency, without damping and with any ratio of it, and times decay, up to which a
method is stable: 2.828, 2.615 and 2.785 of Runge and Kutta's. Staggered steps of a beam were seen to grow
from 1.8 on with ratios of 0.1 to 0.45, and from 1.95 on over twice the ratio and the frequency, by which they
go instead of by decays (`Damping.most`)."""
FASTER = 1.01
"""How much faster a body must make a beam to be named."""
TURNED = 0.5 * np.pi
"""Turn between neighbours [rad] that one strain for an element says little of; from pi on it counts the other
way round."""


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """All that is wrong with beams whose declarations are valid one by one."""
    for beam in scenario.forces:
        if not isinstance(beam, Beam):
            continue
        place = f"forces.{beam.name}"
        if beam.child is None:
            yield from unknown(f"{place}.parent", beam.parent, (*names.bodies, GROUND), "body")
        if scenario.coordinates != "rigid":
            text = f'moves by itself, which coordinates = "{scenario.coordinates}" has no room for'
            yield Problem(place, f'{text}; take coordinates = "rigid", or leave the beam out')


def remarks(scenario: Scenario, pose: Any) -> Iterator[str]:
    """Ends that are not as far apart as the beam is long, damping that is less than its ratio, and steps that
    are too long."""
    for beam in (one for one in scenario.forces if isinstance(one, Beam)):
        yield from misplaced(scenario, beam, pose)
        yield from _damped_less(scenario, beam)
    yield from _too_long(scenario, pose)


def _damped_less(scenario: Scenario, beam: Beam) -> Iterator[str]:
    """Damping by mass, where a body at the end moves and is not damped."""
    body = next((one for one in scenario.bodies if one.name == beam.child), None)
    if body is None or not beam.mass_damping:
        return
    own = float(np.sum(segments.of(beam, 0).mass))
    yield (
        f"{beam.name}: mass_damping damps the {own:.4g} kg of the beam and not {body.name} at its end"
        f" ({float(body.mass):.4g} kg): modes have less than the ratio mass_damping/(2 w), by the part of"
        " their kinetic energy that is that body's; modal_damping gives ratios of the modes with it."
    )


def _too_long(scenario: Scenario, pose: Pose) -> Iterator[str]:
    """Fixed steps that are too long for what the segments of a beam and the bodies at its ends do among
    themselves: it may grow without bound, and a beam that turns by any amount goes on with what comes out."""
    solver = scenario.solver
    method = solver.formulation.kind if solver.own_steps else solver.method
    if method not in STABLE or solver.step is None:
        return
    beams = [one for one in scenario.forces if isinstance(one, Beam)]
    if not beams:
        return
    weights = least(scenario)
    ends = giving(scenario, pose, weights)
    for beam in beams:
        most = longest(scenario, beam, ends[beam.name], method)
        unknown = [name for name in (beam.parent, beam.child) if name in weights and weights[name] is None]
        if unknown:
            yield _unknown(beam, unknown, most)
        elif float(solver.step) > most:
            yield (
                f"{beam.name}: steps of {float(solver.step):.3g} s may be too long for its {beam.elements}"
                f" segments{_with(beam, ends[beam.name])}, whose fastest motion {method} follows with"
                f" {_shown(most)} s or less; shorten solver.step to that, or take fewer elements."
            )


def longest(scenario: Scenario, beam: Beam, ends: Ends, method: str) -> float:
    """The longest step [s] by which what a beam does among its segments and ends does not grow."""
    swinging, damped, decaying = STABLE[method]
    rate = fastest(beam, ends)
    lost = damping(scenario, beam, rate, ends)
    if lost is None:
        return swinging / rate
    decay = lost.decay if method == "rk4" else lost.most
    return min(damped / rate, decaying / decay if decay > 0 else np.inf)


def _shown(most: float) -> str:
    """A limit [s] to two digits, rounded down, so that it is allowed as it stands."""
    unit = 10.0 ** (np.floor(np.log10(most)) - 1)
    return f"{np.floor(most / unit) * unit:.2g}"


def _unknown(beam: Beam, bodies: list[str], most: float) -> str:
    """What is reported of a beam at whose ends there are bodies of which nothing is known to stay."""
    one = len(bodies) == 1
    return (
        f"{beam.name}: how long steps may be is not known, beyond that they must be {_shown(most)} s or less"
        f" were {' and '.join(bodies)} held: {'it has' if one else 'they have'} no mass, or no inertia about"
        f" some axis, without elements that drain or may be dropped; give {'it' if one else 'them'} some, in"
        " bodies.<name> or as an item, or try shorter steps and look whether it matters."
    )


def _with(beam: Beam, ends: Ends) -> str:
    """The bodies at its ends that make its motion faster."""
    alone = fastest(beam)
    each = (beam.parent, (ends[0], None)), (beam.child, (None, ends[1]))
    names = [name for name, one in each if name is not None and fastest(beam, one) > FASTER * alone]
    return f" and {' and '.join(names)} at its {'end' if len(names) == 1 else 'ends'}" if names else ""


def notes(record: Record) -> Iterator[str]:
    """Beams that begin stretched, as a wrong place of an end makes them, and those of too few elements for
    how they bent."""
    for beam in (one for one in record.scenario.forces if isinstance(one, Beam)):
        path = f"forces.{beam.name}"
        force = record.series.get(f"{path}.axial_force")
        strain = 0.0 if force is None else force[0] / np.min(along(beam, [0.0, 1.0], 0).forces[0])
        if strain > STRETCHED and not any(misplaced(record.scenario, beam, partial(flown_pose, record))):
            yield (
                f"{beam.name}: begins stretched or pushed together by {100 * strain:.2g} %; look at its"
                " length, parent_at, child_at and where its bodies start."
            )
        turns = [record.series.get(f"{path}.segment_{k + 1}.rotation") for k in range(beam.elements)]
        angles = [0.0] if any(one is None for one in turns) else [_turn(a, b) for a, b in pairwise(turns)]
        if angles and (most := max(angles)) > TURNED:
            k = angles.index(most)
            yield (
                f"{beam.name}: segments {k + 1} and {k + 2} turned against each other by"
                f" {np.degrees(most):.0f} deg, too far for one element, where more than 180 deg are taken for"
                " a turn the other way; take more elements."
            )


def _turn(*vectors: Any) -> float:
    """The largest angle [rad] between two rotations, which rotation vectors give, row by row."""
    half = [np.asarray(one) / 2 for one in vectors]
    size = [np.linalg.norm(one, axis=1) for one in half]
    cosine = np.cos(size[0]) * np.cos(size[1])
    cosine += np.sinc(size[0] / np.pi) * np.sinc(size[1] / np.pi) * np.sum(half[0] * half[1], 1)
    return float(2 * np.max(np.arccos(np.minimum(np.abs(cosine), 1.0))))
