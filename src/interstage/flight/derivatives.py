"""Exact derivatives of what a flight does with respect to the numbers of its scenario, through its events."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..engine.flow import settings
from ..engine.minimal_coordinates import flow_of
from ..engine.quantity import scalar
from ..maths.arrays import jax, jnp, jvp
from ..mission import refuse_legs
from ..quantities.catalogue import catalogue as all_quantities
from ..quantities.catalogue import lookup
from ..stepper.replay import Plan, replay
from ..tree.declaration import get, replaced
from ..tree.errors import BadInput, Problem, near
from .program import QUICK, Program, fast_program, program_for
from .replay_plan import plan_of, with_impulses
from .simulate import flown, resolved
from .simulate import start as first
from .start import begin
from .targets import Target, clashes, targets_of


@dataclass(frozen=True)
class Derivatives:
    """values: output -> its value. by: output -> input -> derivative, of the input's shape, in SI."""

    values: dict[str, float]
    by: dict[str, dict[str, np.ndarray]]


MOVED = 1e-3
"""What an input is moved by to see whether times of jumps move with it, in its unit."""
MOST_NAMED = 8
"""Numbers that a message names."""
FEW_INPUTS = 8
"""Numbers of inputs for each output up to which forward passes are quicker, compilation included."""


def derivatives(
    scenario: Any,
    of: Sequence[str],
    wrt: Sequence[str],
    at: str = "end",
    side: Literal["before", "after"] = "before",
    mode: Literal["forward", "reverse"] | None = None,
) -> Derivatives:
    """Derivatives of the quantities `of`, at an event, with respect to the inputs `wrt`.

    of: scalar quantities such as "bodies.payload.velocity.x"; "time" is the time of the event. wrt: input
    paths such as "devices.spring.stiffness"; by one that means several numbers, "devices.*.stiffness", the
    derivative is that of moving all alike, the sum of theirs. at: name of a phase or event, or "end"; side:
    just before or after it. mode: forward takes one pass for each number of the inputs, reverse one for each
    output, each as long as several of the other's and slow to compile; none takes forward up to `FEW_INPUTS`
    numbers for each output. Raises BadInput for unknown names, for none, for times at which a table
    jumps, and where the event does not come.

    The flight is flown once to find its steps and events and is then replayed over them. Of events at one
    instant that act on one another, like catches of one body, the derivatives are those with the first of the
    scenario first; with another order they may be others. An event at which what is watched has just come to
    rest, as a speed when the thrust has faded away, moves with that rest, and by nothing else.
    """
    refuse_legs(scenario, "derivatives")
    of, wrt = ([names] if isinstance(names, str) else names for names in (of, wrt))
    for place, names in (("of", of), ("wrt", wrt)):
        if not names:
            raise BadInput(Problem(place, "is empty; name at least one output in of and one input in wrt"))
    scenario = resolved(scenario)
    inputs = _inputs(scenario, wrt)
    program = program_for(scenario)
    function, leaves, about = _replayed(program, scenario, of, inputs, at, side)
    if mode is None:
        few = sum(int(np.size(leaf)) for leaf in leaves.values()) <= FEW_INPUTS * len(of)
        mode = "forward" if few else "reverse"
    values, by = (_forward if mode == "forward" else _reverse)(function, leaves, of, about)
    return Derivatives({name: float(values[i]) for i, name in enumerate(of)}, by)


def _forward(function, leaves, of, about):
    """One pass for each number of the inputs."""

    def pushed(x, along):
        return jvp(function, (x,), (along,))

    push = fast_program(pushed, QUICK, name="derivatives forward", about=about)
    by = {name: {path: np.zeros(np.shape(leaf)) for path, leaf in leaves.items()} for name in of}
    values: Any = None
    for path, leaf in leaves.items():
        for place in np.ndindex(np.shape(leaf)):
            along = {p: np.zeros(np.shape(v)) for p, v in leaves.items()}
            along[path][place] = 1.0
            values, change = jax.device_get(push(leaves, along))
            for name, slope in zip(of, change, strict=True):
                by[name][path][place] = slope
    return values, by


def _reverse(function, leaves, of, about):
    """One pass for each output."""

    def pulled(x, weights):
        values, pull = jax.vjp(function, x)
        return values, pull(weights)[0]

    pull = fast_program(pulled, QUICK, name="derivatives reverse", about=about)
    values: Any = None
    by = {}
    for row, name in zip(np.eye(len(of)), of, strict=True):
        values, slopes = jax.device_get(pull(leaves, row))
        by[name] = {path: np.asarray(slope) for path, slope in slopes.items()}
    return values, by


def _replayed(program: Program, scenario: Any, of, inputs: dict[str, list[Target]], at, side):
    """The outputs as a function of the chosen leaves, path -> array, the leaves as they are, and what tells
    this function from others; see `_about`."""
    chosen = [_output(scenario, name) for name in of]
    leaves = {path: jnp.asarray(targets[0].nominal) for path, targets in inputs.items()}
    started = first(program, scenario)
    cursor, track, _ = flown(program, scenario, started)
    asked = _conditions(program, cursor, at)
    row = int(np.flatnonzero(track.hit[:, asked].any(axis=1))[-1])
    mechanism = program.mechanism(scenario, 0, started.reference)
    steps, last = plan_of(flow_of(mechanism, program.table, 0.0), track, row, asked, side)
    _sees_no_jump(program, scenario, inputs, started)
    stepping = settings(scenario, program.table)

    def function(values):
        changed = scenario
        for path, value in values.items():
            for own, number in _moved(inputs[path], value):
                changed = replaced(changed, own.path, _put(get(changed, own.path), own.index, number))
        start = begin(program.mechanism(changed, 0), program.table, (), 0.0)
        mechanism = program.mechanism(changed, 0, start.reference)
        flow, t = flow_of(mechanism, program.table, 0.0), jnp.zeros(())
        whole = replay(flow, stepping, t, flow.own(t, start.x, start.discrete), start.discrete, steps)
        end = jax.tree.map(lambda a: a[-1], whole)
        x, discrete = (
            (end.x_before, end.discrete_before) if side == "before" else (end.x_after, end.discrete_after)
        )
        fired = jax.tree.map(lambda leaf: leaf[last], whole.discrete_after)
        discrete = with_impulses(discrete, fired) if last.stop else discrete
        x = flow.ordinary(end.t, x, discrete)
        moment = mechanism.here(end.t, x, discrete)
        return jnp.stack([scalar(quantity, component, moment) for quantity, component in chosen])

    return function, leaves, _about(program, scenario, steps, (tuple(of), tuple(inputs), at, side))


def _sees_no_jump(program: Program, scenario: Any, inputs: dict[str, list[Target]], started: Any) -> None:
    """Raise BadInput for an input that moves a time at which the flow jumps: no replay sees it."""

    def jumps(changed: Any) -> np.ndarray:
        mechanism = program.mechanism(changed, 0, started.reference)
        found = flow_of(mechanism, program.table, 0.0).jumps(np.zeros(()), started.discrete)
        return np.concatenate([np.ravel(points) for points in found]) if found else np.zeros(0)

    times = jumps(scenario)
    for path, targets in inputs.items() if times.size else ():
        changed = scenario
        for own in targets:
            value = _put(get(changed, own.path), own.index, own.nominal + MOVED)
            changed = replaced(changed, own.path, np.asarray(value))
        later = jumps(changed)
        moved = np.isfinite(times) & np.isfinite(later) & (later != times)
        if moved.any():
            text = f"moves the time {times[moved][0]:g} s, at which a table begins or ends with a jump"
            text += ": of that no derivative is known. Let the table rise or fall in a short time"
            raise BadInput(Problem(path, text))


def _about(program: Program, scenario: Any, steps: Plan, asked: Any) -> str | None:
    """All that tells the program of derivatives from others, also the numbers of the scenario and the steps
    of its flight, which stand in it; None where not all can be told."""
    if program.about is None:
        return None
    whole = hashlib.sha256()
    for leaf in map(np.asarray, jax.tree.leaves((scenario, steps))):
        whole.update(f"{leaf.shape} {leaf.dtype} ".encode() + leaf.tobytes())
    return f"{program.about} {asked} {whole.hexdigest()}"


def _output(scenario, name):
    try:
        quantity, component = lookup(all_quantities(scenario), name)
    except KeyError as error:
        raise BadInput(Problem("of", error.args[0])) from None
    if component is None and quantity.meta.components:
        raise BadInput(
            Problem("of", f"'{name}' is a vector; name a component: {', '.join(quantity.meta.components)}")
        )
    return quantity, component


def _inputs(scenario: Any, wrt: Sequence[str]) -> dict[str, list[Target]]:
    """The numbers, or arrays of numbers, that each path means, all of one kind. Raises BadInput."""
    found = {path: targets_of(scenario, path, path) for path in wrt}
    for path, targets in found.items():
        kinds = {(target.marker.unit, target.nominal.shape) for target in targets}
        if len(kinds) > 1:
            names = ", ".join(target.name for target in targets[:MOST_NAMED])
            more = f" and {len(targets) - MOST_NAMED} more" if len(targets) > MOST_NAMED else ""
            text = f"means numbers of several units or shapes: {names}{more}; name them one by one"
            raise BadInput(Problem(path, text))
    named = [(path, target) for path, targets in found.items() for target in targets]
    for path, other, _ in clashes(scenario, named):
        raise BadInput(Problem("wrt", f"'{path}' and '{other}' mean the same number; ask for one of them"))
    return found


def _moved(targets: list[Target], value: Any) -> list[tuple[Target, Any]]:
    """What each target becomes where the first becomes a value, and the others move alike."""
    first, *others = targets
    return [(first, value), *((one, one.nominal + (value - first.nominal)) for one in others)]


def _put(whole: Any, index: tuple[int, ...], value: Any) -> Any:
    """An array with an element in place of its own; the value itself for one that is put in as a whole."""
    if not index:
        return value
    chosen = np.zeros(np.shape(whole), bool)
    chosen[index] = True
    return jnp.where(chosen, value, whole)


def _conditions(program, cursor, at: str) -> list[int]:
    """The conditions of an event that fired."""
    names = [h.name for h in program.table.happenings]
    if at not in names:
        raise BadInput(Problem("at", f"there is no event '{at}'; {near(at, names)}"))
    number = names.index(at)
    if not np.isfinite(cursor.discrete.event_time[number]):
        raise BadInput(Problem("at", f"the event '{at}' does not come in this flight"))
    return [i for i, c in enumerate(program.table.conditions) if c.event == number]
