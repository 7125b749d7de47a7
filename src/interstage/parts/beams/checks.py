"""Check beams: the clamped bodies exist, and the scenario uses rigid-body coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...record.posed import flown_pose
from ...record.record import Record
from ...tree.errors import Problem
from ...tree.name_check import unknown
from ...tree.names import GROUND, Names
from . import segments
from .apart import STRETCHED, Pose, misplacement
from .bound import Ends, fastest
from .decay import damping
from .declared import Beam
from .ends import giving
from .least import least
from .sections import along

if TYPE_CHECKING:
    from ...scenario import Scenario

STABLE = {"rk4": (2.8, 2.6, 2.7), "staggered": (2.0, 1.6, 1.9)}
"""The stability limits of each integration method:

- step multiplied by angular frequency, without damping
- step multiplied by angular frequency, for any damping ratio
- step multiplied by decay rate

For Runge-Kutta, the exact limits are 2.828, 2.615 and 2.785.

For staggered steps, the second and third limit are from tests. With damping ratios of 0.1 to 0.45, beams
became unstable if the second product was 1.8 or more. The third limit applies to the step multiplied by
`Damping.most`, which is twice the product of damping ratio and angular frequency. Steps became unstable if
this product was 1.95 or more.
"""
FASTER = 1.01
"""If a body at an end increases the highest frequency of a beam by this factor, the warning contains the name
of the body.
"""
TURNED = 0.5 * np.pi
"""The relative rotation of neighbouring segments [rad] above which one constant strain per element is
inaccurate. Above pi, the computed rotation has the opposite sense.
"""


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of beams: an unknown body at the clamp, and `coordinates` other than "rigid"."""
    for beam in scenario.forces:
        if not isinstance(beam, Beam):
            continue
        place = f"forces.{beam.name}"
        if beam.child is None:
            yield from unknown(f"{place}.parent", beam.parent, (*names.bodies, GROUND), "body")
        if scenario.coordinates != "rigid":
            text = f'a beam has its own states, which coordinates = "{scenario.coordinates}" does not support'
            yield Problem(place, f'{text}. Set coordinates = "rigid", or remove the beam')


def remarks(scenario: Scenario, pose: Any) -> Iterator[str]:
    """Yield warnings about beams:

    - The initial distance of the ends differs from the length.
    - The damping of a mode is below the declared ratio.
    - The fixed step is too long.

    pose: function that returns the initial pose of a body by name, or None if the pose is unknown.
    """
    for beam in (one for one in scenario.forces if isinstance(one, Beam)):
        yield from misplacement(scenario, beam, pose)
        yield from _low_damping(scenario, beam)
    yield from _too_long(scenario, pose)


def _low_damping(scenario: Scenario, beam: Beam) -> Iterator[str]:
    """Yield warnings about mass-proportional damping with an undamped moving body at the end."""
    body = next((one for one in scenario.bodies if one.name == beam.child), None)
    if body is None or not beam.mass_damping:
        return
    own = float(np.sum(segments.of(beam, 0).mass))
    yield (
        f"{beam.name}: 'mass_damping' acts on the {own:.4g} kg of the beam, not on the"
        f" {float(body.mass):.4g} kg"
        f" of {body.name} at its end. Modes that move {body.name} are therefore damped less than expected."
        " Use"
        " 'modal_damping' to set the damping ratios of these modes."
    )


def _too_long(scenario: Scenario, pose: Pose) -> Iterator[str]:
    """Yield warnings about fixed steps that are too long for the fastest motion of segments and end bodies.
    Such a motion can grow without bound, and the flight continues with wrong values."""
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
                f"{beam.name}: solver.step = {float(solver.step):.3g} s may be too long for the"
                f" {beam.elements}"
                f" segments of the beam{_with(beam, ends[beam.name])}. The method {method} is stable with"
                f" steps up to {_two_digits(most)} s. Reduce solver.step to this value, or use fewer"
                " elements."
            )


def longest(scenario: Scenario, beam: Beam, ends: Ends, method: str) -> float:
    """Return the longest stable step [s] for the motion of the segments and ends of a beam.

    - ends: mobilities of the two clamps; see `bound.Ends`.
    - method: integration method, a key of `STABLE`.
    """
    swinging, damped, decaying = STABLE[method]
    rate = fastest(beam, ends)
    lost = damping(scenario, beam, rate, ends)
    if lost is None:
        return swinging / rate
    decay = lost.decay if method == "rk4" else lost.most
    return min(damped / rate, decaying / decay if decay > 0 else np.inf)


def _two_digits(most: float) -> str:
    """Return the text of a limit [s] with two digits, rounded down, so that the printed value is allowed."""
    unit = 10.0 ** (np.floor(np.log10(most)) - 1)
    return f"{np.floor(most / unit) * unit:.2g}"


def _unknown(beam: Beam, bodies: list[str], most: float) -> str:
    """Return the message for a beam with end bodies of unknown minimum mass."""
    names = " and ".join(bodies)
    return (
        f"{beam.name}: the longest stable step is unknown. The permanent mass or an inertia of {names} is"
        " zero. The permanent mass does not include mass items that drain or can be jettisoned. With"
        f" {names} fixed, the longest stable step is {_two_digits(most)} s. Set mass and inertia of {names},"
        " or compare with a run with shorter steps."
    )


def _with(beam: Beam, ends: Ends) -> str:
    """Return the text with the names of end bodies that increase the highest frequency."""
    alone = fastest(beam)
    each = (beam.parent, (ends[0], None)), (beam.child, (None, ends[1]))
    names = [name for name, one in each if name is not None and fastest(beam, one) > FASTER * alone]
    return f" and {' and '.join(names)} at its {'end' if len(names) == 1 else 'ends'}" if names else ""


def notes(record: Record) -> Iterator[str]:
    """Yield warnings of a finished flight: beams with a large initial strain, for example from a wrong end
    position, and beams with too few elements for their bending.
    """
    for beam in (one for one in record.scenario.forces if isinstance(one, Beam)):
        path = f"forces.{beam.name}"
        force = record.series.get(f"{path}.axial_force")
        strain = 0.0 if force is None else force[0] / np.min(along(beam, [0.0, 1.0], 0).forces[0])
        if strain > STRETCHED and not any(misplacement(record.scenario, beam, partial(flown_pose, record))):
            yield (
                f"{beam.name}: the initial axial strain is {100 * strain:.2g} %, but metals yield at 1 %."
                " Check"
                " length, 'parent_at', 'child_at' and the initial positions of the bodies at its ends."
            )
        turns = [record.series.get(f"{path}.segment_{k + 1}.rotation") for k in range(beam.elements)]
        angles = [0.0] if any(one is None for one in turns) else [_turn(a, b) for a, b in pairwise(turns)]
        if angles and (most := max(angles)) > TURNED:
            k = angles.index(most)
            yield (
                f"{beam.name}: the relative rotation of segments {k + 1} and {k + 2} reached"
                f" {np.degrees(most):.0f} deg. The strains are inaccurate if this rotation"
                f" exceeds {np.degrees(TURNED):.0f} deg. Use more elements."
            )


def _turn(*vectors: Any) -> float:
    """Return the largest angle [rad] between two rotations that are given by rotation vectors, by row."""
    half = [np.asarray(one) / 2 for one in vectors]
    size = [np.linalg.norm(one, axis=1) for one in half]
    cosine = np.cos(size[0]) * np.cos(size[1])
    cosine += np.sinc(size[0] / np.pi) * np.sinc(size[1] / np.pi) * np.sum(half[0] * half[1], 1)
    return float(2 * np.max(np.arccos(np.minimum(np.abs(cosine), 1.0))))
