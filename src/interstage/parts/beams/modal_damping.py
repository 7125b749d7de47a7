"""Prepare the modal damping of all beams of a scenario at the start of a flight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...maths.arrays import jax, jnp
from ...maths.dual import plain
from ...maths.rotations import matrix_of
from ...maths.vectors import add_axes, rotate_back
from ...model.attachments import pick
from ...tree.errors import BadInput, Problem
from ...tree.names import GROUND
from . import own_modes
from .declared import Beam
from .own_modes import Damped, Masses, Modes, Paired
from .segments import Made, lanes_of

if TYPE_CHECKING:
    from ...engine.mechanism import Mechanism
    from .flown import Beams


class Numbers(NamedTuple):
    """Data of one beam for its modal damping.

    - made: properties of the elements and segments of this beam.
    - arm: vectors from the centres of mass of the bodies to the clamps [m] (3, clamp), structural axes.
    - axes: quaternions from clamp to structural axes (4, clamp).
    - mass: masses of the bodies at the clamps [kg] (clamp,).
    - inertia: inertias of these bodies about their centres of mass [kg m^2] (3, 3, clamp).
    - ratio: damping ratios (mode,).
    """

    made: Made
    arm: Any
    axes: Any
    mass: Any
    inertia: Any
    ratio: Any


def modal_damping(part: Beams, mechanism: Mechanism, lanes: tuple[int, ...]) -> Damped:
    """Return the modal damping of all elements of all beams. For beams without modal damping, the entries are
    zero.

    `lanes`: shape of the case axes. Raises BadInput if two modes of equal frequency have different damping
    ratios.
    """
    known: dict[Any, Modes] = {}
    rows = []
    for k, (beam, span) in enumerate(zip(part.items, part.spans, strict=True)):
        none = jnp.zeros((6, span, part.most_modes - beam.modes, *lanes))
        if not beam.modes:
            rows.append(Damped(none, none))
            continue
        every = _numbers(part, mechanism, k, len(lanes))
        each = [_of_beam(beam, one, known) for one in lanes_of(every, lanes)]
        one = [jnp.stack(same, -1) if lanes else same[0] for same in zip(*each, strict=True)]
        rows.append(Damped(*(jnp.concatenate([own, none], 2) for own in one)))
    return Damped(*(jnp.concatenate(same, 1) for same in zip(*rows, strict=True)))


def _numbers(part: Beams, mechanism: Mechanism, k: int, lanes: int) -> Numbers:
    """Return the data of beam k, of all cases."""
    own, numbers, beams = mechanism.numbers.own[part.name], mechanism.numbers, len(part.items)
    elements, bodies = (np.cumsum((0, *one)) for one in (part.spans, part.counts))
    of_segments = ("mass", "inertia", "dragged", "centre", "shared")
    made = {}
    for name, value in own.made._asdict().items():
        first, behind = (bodies if name in of_segments else elements)[k : k + 2]
        axis = 0 if value is None else value.ndim - lanes - 1
        made[name] = None if value is None else pick(value, np.arange(first, behind), axis)
    ends, both = np.array([k, beams + k]), np.array([one[k] for one in part.bodies])
    both = np.minimum(both, numbers.mass.shape[0] - 1)  # the ground has no values
    ratio = add_axes(jnp.asarray(part.of(mechanism.scenario)[k].modal_damping), 1 + lanes)
    ratio = jnp.broadcast_to(ratio, (part.items[k].modes, *ratio.shape[1:]))
    masses = pick(numbers.mass, both, 0), pick(numbers.inertia, both, 2)
    return Numbers(Made(**made), pick(own.arm, ends, 1), pick(own.axes, ends, 1), *masses, ratio)


def _of_beam(beam: Beam, numbers: Numbers, known: dict[Any, Modes]) -> Damped:
    """Return the damping of a beam in one case. known: modes of previous cases by their values, because cases
    that differ only in derivatives have equal values."""
    ground = beam.parent == GROUND, beam.child == GROUND
    held = (
        beam.modal_ends != "free" or ground[0],
        beam.modal_ends == "both held" or ground[1],
    )
    clamps = [None if held[end] or (end and beam.child is None) else _weight(numbers, end) for end in (0, 1)]
    straight = own_modes.straight(numbers.made, (clamps[0], clamps[1]))
    free = np.ones(numbers.made.mass.shape[0] + 1 + (beam.child is not None), bool)
    free[0] = not held[0]
    if beam.child is not None:
        free[-1] = not held[1]
    values = jax.tree.map(plain, straight)
    key = (beam.name, *(np.asarray(one).tobytes() for one in jax.tree.leaves(values)))
    if key not in known:
        known[key] = own_modes.modes_of(values, free)
    try:
        return own_modes.modal_damper(straight, known[key], numbers.ratio)
    except Paired as pair:
        one, other = pair.args
        wrong = _mode_problem(one, other, beam.modes)
        raise BadInput(Problem(f"forces.{beam.name}.modal_damping", wrong)) from None


def _mode_problem(one: int, other: int, modes: int) -> str:
    """Return the problem of two modes of equal frequency, given by their numbers."""
    text = "The two modes have the same frequency, and their shapes are not unique"
    if other > modes:
        few = f", or {one - 1} modes" if one > 1 else ""
        return f"'modal_damping' damps mode {one}, but not mode {other}. {text}. Damp {other} modes{few}"
    return (
        f"'modal_damping' damps mode {one} and mode {other} differently. {text}. Give both modes "
        "the same ratio"
    )


def _weight(numbers: Numbers, end: int) -> Masses:
    """Return the mass properties of the body at an end, in axes of the beam from the clamp."""
    axes = matrix_of(numbers.axes[:, end])
    centre = rotate_back(axes, -numbers.arm[:, end])
    once = rotate_back(axes[..., None], numbers.inertia[:, :, end])
    inertia = jnp.swapaxes(rotate_back(axes[..., None], jnp.swapaxes(once, 0, 1)), 0, 1)
    return Masses(numbers.mass[end][None], centre[:, None], inertia[:, :, None], np.zeros(1))
