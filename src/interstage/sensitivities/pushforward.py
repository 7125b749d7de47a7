"""Compute the states of a flight, and their derivatives along directions (the pushforward of the flight).

Short replays are computed with dual numbers of NumPy arrays, see `short`. For longer replays, a program is
compiled, which serves all values of a scenario structure. The scenario values, the start and the steps of the
flight are its arguments, with their derivatives. The program does not depend on the requested quantities: it
returns the states at the times of the plan, and `directions` computes the quantities from these states.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from ..engine import flow as flows
from ..engine.minimal_coordinates import flow_of, has_own_state
from ..formulations.catalogue import uses_library
from ..maths.arrays import jax, lax, tracing
from ..maths.dual import NoDerivative, along
from ..programs.program import FEW_STEPS, FLIGHT, QUICK, Program, fast_program
from ..runs import short
from ..stepper.replay import Apart, Place, Plan, replay
from .directions import Changing, changing
from .replay_plan import join_switches

WIDTHS = 1, 8, 32
"""Possible numbers of directions in one call of the program.

The smallest sufficient number is used, and additional directions have zero derivatives. More directions need
several calls.
"""


def push_forward(
    program: Program,
    scenario: Any,
    numbers: dict[int, np.ndarray],
    start: Changing,
    plan: Plan,
    times: int,
) -> Changing:
    """Replay a flight, and return the end points of its segments with their derivatives.

    - numbers: derivatives of the numeric program inputs, by index of the input.
    - start: ((t, x, discrete), reference) with derivatives.
    - plan: steps and segments of the replay.
    - times: expected number of evaluations; see `pushed.Pushed`.

    The result is a pair of `stepper.replay.Place` and `stepper.replay.Apart`, with derivatives. `Apart`
    describes whether events move relative to jumps.
    """
    flying = program.flying
    if not needs_program(program, plan, times):
        with suppress(NoDerivative):
            return _by_numpy(flying, scenario, numbers, start, plan)
    given = flying.arguments(scenario)
    count = next(iter(start.changes)).shape[-1]
    # Of each step a slope along every direction.
    steps = int(np.max(plan.last)) * (1 + count) * times
    made = _program(flying, tuple(sorted(numbers)), steps > FEW_STEPS)
    found = [
        _call(made, given, numbers, start, plan, slice(first, first + WIDTHS[-1]))
        for first in range(0, count, WIDTHS[-1])
    ]
    value, _ = found[0]
    parts = zip(*(changes for _, changes in found), strict=True)
    return Changing(value, [None if p[0] is None else np.concatenate(p, -1) for p in parts])


def needs_program(program: Program, plan: Plan, times: int) -> bool:
    """Return whether a replay is too long for NumPy and needs a compiled program.

    plan: steps of the replay. times: expected number of evaluations.
    """
    return not short.may_replay(program.flying, int(np.max(plan.last)) * times)


def _by_numpy(
    program: Program, scenario: Any, numbers: dict[int, np.ndarray], start: Changing, plan: Plan
) -> Changing:
    """`push_forward`, by dual numbers. Raises `NoDerivative` where they have no rule."""
    given, tree = jax.tree.flatten(program.given_here(scenario))
    begun, shape = jax.tree.flatten(start.value)
    touched = sorted(numbers)
    moving = [k for k, change in enumerate(start.changes) if change is not None and np.any(change)]
    count = next(change.shape[-1] for change in start.changes if change is not None)

    def flown(*moved: Any) -> Any:
        own, stacks = jax.tree.unflatten(tree, _with(given, touched, moved[: len(touched)]))
        whole = jax.tree.unflatten(shape, _with(begun, moving, moved[len(touched) :]))
        return _flown(program, own, stacks, whole, plan)

    values = [*(given[k] for k in touched), *(begun[k] for k in moving)]
    changes = [*(numbers[k] for k in touched), *(start.changes[k] for k in moving)]
    with np.errstate(all="ignore"):
        return changing(*along(flown, values, changes, count))


def _call(made, given, numbers, start, plan, some: slice):
    own = {k: change[..., some] for k, change in numbers.items()}
    rest = [None if c is None else c[..., some] for c in start.changes]
    count = next(c.shape[-1] for c in rest if c is not None)
    width = next(w for w in WIDTHS if w >= count)

    def wide(change):
        return np.concatenate([change, np.zeros((*change.shape[:-1], width - count))], -1)

    changes = [wide(own[k]) for k in sorted(own)], [wide(c) for c in rest if c is not None]
    value, found = jax.device_get(made(start.value, changes, plan, given=given))
    kinds = [np.asarray(leaf).dtype.kind == "f" for leaf in jax.tree.leaves(value)]
    changes = iter(found)
    return value, [next(changes)[..., :count] if real else None for real in kinds]


def _program(program: Program, touched: tuple[int, ...], often: bool) -> Any:
    """The compiled pushforward of a structure along changes of some leaves of its arguments."""
    if (touched, often) not in program.pushforwards:
        library = uses_library(program.layout.scenario.solver.formulation)
        about = None if program.about is None else f"{program.about} {touched}"
        known = {"library": library, "name": "derivatives", "about": about}
        made = fast_program(_pushforward(program, touched), FLIGHT if often else QUICK, **known)
        program.pushforwards[touched, often] = made
    return program.pushforwards[touched, often]


def _pushforward(program: Program, touched: tuple[int, ...]) -> Any:
    def function(form, found, start, changes, plan):
        given, tree = jax.tree.flatten((form, found))
        begun, shape = jax.tree.flatten(start)
        floats = [k for k, leaf in enumerate(begun) if np.issubdtype(leaf.dtype, np.floating)]
        form_of: list[Any] = []

        def flown(numbers, state):
            own, stacks = jax.tree.unflatten(tree, _with(given, touched, numbers))
            whole = jax.tree.unflatten(shape, _with(begun, floats, state))
            leaves, form_of[:] = _taken_apart(_flown(program, own, stacks, whole, plan))
            return _split(leaves, form_of[1])

        now = [given[k] for k in touched], [begun[k] for k in floats]

        def along(*slopes):
            return jax.jvp(flown, now, slopes, has_aux=True)

        values, slopes, others = jax.vmap(along, in_axes=-1, out_axes=(None, -1, None))(*changes)
        place, real = form_of
        floating, fixed = iter(values), iter(others)
        whole = [next(floating if one else fixed) for one in real]
        return jax.tree.unflatten(place, whole), slopes

    return function


def _taken_apart(tree: Any) -> tuple[list[Any], list[Any]]:
    """Leaves of a tree, its form, and which of them are floats."""
    leaves, form = jax.tree.flatten(tree)
    return leaves, [form, [bool(np.issubdtype(leaf.dtype, np.floating)) for leaf in leaves]]


def _split(leaves: list[Any], which: list[bool]) -> tuple[list[Any], list[Any]]:
    pairs = list(zip(leaves, which, strict=True))
    return [leaf for leaf, one in pairs if one], [leaf for leaf, one in pairs if not one]


def _with(leaves: list[Any], places: Any, others: Any) -> list[Any]:
    found = list(leaves)
    for k, other in zip(places, others, strict=True):
        found[k] = other
    return found


def _flown(program: Program, form: Any, found: Any, start: Any, plan: Plan) -> tuple[Place, Apart]:
    (t, x, discrete), reference = start
    flow = flow_of(program.mechanism(form, 0, reference, found), program.table, t)
    settings = flows.settings(form, program.table)
    begun = Place(t, flow.own(t, x, discrete), discrete)
    places, apart = replay(flow, settings, begun, plan, join_switches)
    if not has_own_state(program.layout):
        return places, apart
    ordinary = jax.vmap(flow.ordinary) if tracing() else _each(flow.ordinary)
    return places._replace(x=ordinary(*places)), apart


def _each(function: Any) -> Any:
    """A function of arrays, of each along their first axis."""
    return lambda *arrays: lax.map(lambda some: function(*some), arrays)
