"""Implement `interstage linearize`: compute linear equations of motion about operating points of a flight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...engine.contract import Sampled
from ...linear import kinks
from ...linear.coordinates import Axes
from ...linear.matrices import Group, Matrices, State
from ...linear.moments import Moment, moments
from ...linear.points import Course, Point, course_of
from ...linear.ports import inputs_of, outputs_of
from ...linear.rotor import Rotor, rotor_of
from ...linear.singular import poses
from ...linear.system import System
from ...runs.run import resolve_scenario
from ...tree.errors import BadInput, Problem
from ...tree.sentences import list_text
from .driven import driving
from .floquet import Periodic, periodic
from .loci import loci
from .multi_blade import invariant
from .options import LinearOptions
from .result import Linear, Series

CORRECTED = 1e-6
"""Position error of joints [m] that is corrected without a note."""
MOST_LISTED = 4
"""Largest number of names in a note."""


def linearize(
    scenario: Any,
    at: Any = "start",
    inputs: str | Sequence[str] = (),
    outputs: str | Sequence[str] | None = None,
    *,
    along: str | None = None,
    axes: Axes | None = None,
    coordinates: str | Sequence[str] = (),
    leg: str | None = None,
    vary: Any = None,
    find: str | Sequence[str] = (),
    so_that: str | Sequence[str] | None = None,
    free: str | Sequence[str] = (),
    blades: Any = (),
    shaft: str | None = None,
    period: Any = None,
    slow: Any = None,
) -> Linear | Series | Periodic:
    """Linearize the equations of motion about operating points of a flight, with exact derivatives.

    Return a `Linear` for one operating point, a `Series` for several points, or a `Periodic` for a period.

    - at: "start", "end", the name of a phase or event, "before EVENT", a time [s], an extreme such as
      "max bodies.stage.dynamic_pressure", a list of these, or "trim". "trim" is the start of the
      flight with the inputs of a trim.
    - along: evenly spaced times "FROM:TO:COUNT" in place of `at`.
    - inputs: paths of scenario inputs, control commands ("controls.hold.x"), or loads on bodies
      ("bodies.stage.force.x", "bodies.stage.torque"). Loads act at the centre of mass along structural axes.
    - outputs: names of quantities. Default: all states.
    - axes: axes of the velocities of free bodies: "body", "motion" (axes of the undisturbed motion) or
      "inertial". Default: "body" if joints connect all bodies, otherwise "motion".
    - coordinates: names of independent coordinates of closed kinematic loops.
    - leg: name of the mission leg. Default: the only leg with rigid bodies, or the only leg with these times.
    - vary: varied input of a root locus, "PATH=LEVELS" as in `interstage sweep`.
    - find, so_that, free: inputs, conditions and free states of a trim; see `trim.trim`.
    - blades: names of the joints or bodies of the rotor blades in the order of the blades, or several such
      lists, for multi-blade coordinates.
    - shaft: name of the joint that turns the rotor.
    - period: "turn" (one revolution of the shaft) or a time [s], for Floquet multipliers.
    - slow: doubling time [s] above which a growing mode counts as slow, not as unstable. Default: 55 s.

    Raises BadInput with all problems.
    """
    how: dict[str, Any] = {"along": along, "axes": axes, "coordinates": coordinates, "leg": leg, "vary": vary}
    how |= {"find": find, "so_that": so_that, "free": free}
    how |= {"blades": blades, "shaft": shaft, "period": period, "slow": slow}
    return linear_equations(scenario, LinearOptions(at, inputs, outputs, **how))


def linear_equations(scenario: Any, asked: LinearOptions) -> Linear | Series | Periodic:
    """Return the linear equations for the options `asked`; see `linearize`. Raises BadInput."""
    if asked.slow is not None:
        slow = asked.slow_time()
        return _with_slow(linear_equations(scenario, replace(asked, slow=None)), slow)
    asked.check_rotor()
    if asked.vary is not None:
        if asked.along is not None or not asked.one_time:
            text = "'vary' needs one operating point. Remove 'along', or keep one time in 'at'"
            raise BadInput(Problem("vary", text))
        alone = replace(asked, vary=None)
        return loci(scenario, asked.vary, lambda changed: linear_equations(changed, alone))
    if asked.needs_trim:
        trimmed = scenario.trim(asked.find, asked.so_that, free=asked.free, leg=asked.leg)
        at_start = replace(asked, at="start", find=(), so_that=None, free=())
        linear = linear_equations(trimmed.scenario, at_start)
        assert not isinstance(linear, Series)  # one operating point
        return replace(linear, moment="at trim", notes=(*trimmed.notes, *linear.notes), trimmed=trimmed)
    asked.check_trim()
    asked.check_axes()
    return _about_times(resolve_scenario(scenario), asked)


def _about_times(scenario: Any, asked: LinearOptions) -> Linear | Series | Periodic:
    """Linear equations about times of a flight."""
    course = course_of(scenario, asked.leg, asked.at, asked.along)
    system, rotor, wanted = _system(scenario, course, asked)
    states_seen = asked.outputs is None

    def about(some: Sequence[Point]) -> list[Linear]:
        return _linear(system, some, states_seen, alike=True)

    if asked.period is not None:
        return periodic(system, course, asked.at, asked.period, about)
    points = course.points(wanted) if asked.along is None else course.between(asked.along)
    if rotor is not None:
        linear = invariant(system, points, rotor, about, states_seen)
    else:
        linear = _linear(system, points, states_seen)
    return linear[0] if asked.along is None and asked.one_time else Series(linear)


def _system(scenario: Any, course: Course, asked: LinearOptions) -> tuple[System, Rotor | None, list[Moment]]:
    """The system with inputs and outputs, its rotor, and the times. Raises BadInput with all problems."""
    names = asked.coordinate_names
    problems: list[Problem] = []
    wanted: list[Moment] = []
    layout = System(course, [], [], asked.axes, names).layout
    found: list[Any] = [[], []]
    rotors: list[Rotor | None] = []
    outputs = () if asked.outputs is None else asked.outputs
    reads = (
        lambda: rotors.append(rotor_of(course.own, layout, asked.blades, asked.shaft)),
        lambda: wanted.extend(moments(asked.at) if asked.along is None else []),
        lambda: found[0].extend(inputs_of(scenario, layout, asked.inputs)),
        lambda: found[1].extend(outputs_of(course.own, outputs)),
    )
    for read in reads:
        try:
            read()
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    (rotor,) = rotors
    return System(course, found[0], found[1], asked.axes, names, asked.shaft or ""), rotor, wanted


def _with_slow(found: Linear | Series | Periodic, slow: float) -> Any:
    """The same equations with another doubling time [s] of slow growth."""
    if isinstance(found, Periodic):
        return replace(found, series=_with_slow(found.series, slow))
    if isinstance(found, Series):
        return Series([replace(one, slow=slow) for one in found])
    return replace(found, slow=slow)


def _linear(system: System, points: Sequence[Point], states_seen: bool, alike: bool = False) -> list[Linear]:
    """Linear equations of each point. alike: whether points with the same active joints share their
    states."""
    found: dict[int, Linear] = {}
    for some, group in _groups(system, points, alike):
        pose_notes = poses(group)
        made = group.matrices
        states, idle = group.states, _idle(group, made)
        for k, one in zip(some, made, strict=True):
            _refuse_no_numbers(system, points[k], states, one)
        kept = [k for k in range(len(states)) if k not in idle]
        bends, commands, edges = _bends(group), kinks.commands(group), kinks.edges(group)
        for k, one, pose, bent, command, edge in zip(
            some, made, pose_notes, bends, commands, edges, strict=True
        ):
            named = {states[n].name: side for n, side in bent.items()}
            notes = pose, _kink_note(named, "A"), _kink_note(command, "B"), _edge(edge)
            notes = (*filter(None, notes), *_notes(system, points[k], states, idle, one))
            found[k] = _result_of(system, points[k], group, states, kept, one, notes, states_seen)
    return [found[k] for k in range(len(points))]


def _groups(system: System, points: Sequence[Point], alike: bool) -> Iterator[tuple[list[int], Group]]:
    """Groups of points with the same active joints and states, with the indices of their points."""
    holding: dict[bytes, list[int]] = {}
    for k, point in enumerate(points):
        holding.setdefault(np.asarray(point.discrete.mode).tobytes(), []).append(k)
    for some in holding.values():
        group = Group(system, [points[k] for k in some])
        if alike or len(group.alike) == 1:
            yield some, group
            continue
        for own in group.alike:
            numbers = [some[n] for n in own]
            yield numbers, Group(system, [points[k] for k in numbers])


def _kink_note(sides: dict[str, str], matrix: str) -> str:
    """Note on kinks along states or commands."""
    if not sides:
        return ""
    valid = "is valid for values"
    each = [name + (f" ({matrix} {valid} {side})" if side else "") for name, side in sides.items()]
    names = list_text(each, MOST_LISTED)
    return (
        "The equations have a kink at the operating point: the derivatives for an increase and a decrease"
        f" of these variables differ: {names}."
    )


def _edge(parts: list[str]) -> str:
    if not parts:
        return ""
    way = "switch" if len(parts) > 1 else "switches"
    names = list_text(parts, MOST_LISTED)
    return f"The operating point is near a discontinuity, where {names} {way} and the rates change."


def _bends(group: Group) -> list[dict[int, str]]:
    """States with kinks for each point, as in `kinks.kinks`; a rotated rotor has the kinks of the original
    point."""
    plain = [k for k, point in enumerate(group.points) if not point.turn]
    if len(plain) == len(group.points):
        return kinks.kinks(group)
    if not plain:
        return [{}] * len(group.points)
    of_plain = dict(zip(plain, kinks.kinks(Group(group.system, [group.points[k] for k in plain]))))
    return [of_plain.get(k, {}) for k in range(len(group.points))]


def _refuse_no_numbers(system: System, point: Point, states: list[State], one: Matrices) -> None:
    """Refuse rates or outputs that are not finite, or have no derivatives. Raises BadInput with their
    names."""
    rates = np.concatenate([one.start[:, None], one.rates[:, None], one.a, one.b], 1)
    outputs = np.concatenate([one.outputs[:, None], one.c, one.d], 1)
    names = [state.name for state in states], [output.name for output in system.outputs]
    for some, values, place in zip(names, (rates, outputs), ("at", "outputs"), strict=True):
        wrong = [name for name, row in zip(some, values, strict=True) if not np.all(np.isfinite(row))]
        if wrong:
            text = (
                f"the linear equations do not exist {point.what}: {list_text(wrong, MOST_LISTED)}, or the"
                " derivatives of these, are not finite"
            )
            raise BadInput(Problem(place, f"{text}. Choose another time"))


def _result_of(
    system: System,
    point: Point,
    group: Group,
    states: list[State],
    kept: list[int],
    one: Matrices,
    notes: tuple[str, ...],
    states_seen: bool,
) -> Linear:
    mine = tuple(states[k] for k in kept)
    outputs, units = [o.name for o in system.outputs], [o.unit for o in system.outputs]
    c, d, y0 = one.c[:, kept], one.d, one.outputs
    if states_seen:
        outputs, units = [state.name for state in mine], [state.unit for state in mine]
        c, d, y0 = np.eye(len(mine)), np.zeros((len(mine), len(system.inputs))), one.start[kept]
    found = Linear(
        scenario=system.course.mission,
        moment=point.what,
        time=point.time,
        states=mine,
        inputs=tuple(one.name for one in system.inputs),
        input_units=tuple(one.unit for one in system.inputs),
        outputs=tuple(outputs),
        output_units=tuple(units),
        A=one.a[np.ix_(kept, kept)],
        B=one.b[kept],
        C=c,
        D=d,
        x0=one.start[kept],
        rates=one.rates[kept],
        y0=y0,
        dependent=tuple(group.dependent),
        notes=notes,
        driving=driving(system, system.course.mission, system.reference, point.time, point.discrete.mode),
        rounding=one.rounding[kept],
    )
    return replace(found, notes=(*notes, *_chosen(found)))


def _chosen(one: Linear) -> list[str]:
    """Note on the choice of independent coordinates: if the motion accelerates, eigenvalues depend on it."""
    if not one.dependent or not one.standing.startswith("accelerates"):
        return []
    names, follow = list_text(one.dependent, MOST_LISTED), "follow" if one.dependent[1:] else "follows"
    text = f"In closed loops of joints, {names} {follow} from the independent coordinates"
    text = f"{text}. Because the motion accelerates, the modes depend on the choice of these coordinates"
    return [f"{text}. The option --coordinate selects other independent coordinates."]


def _idle(group: Group, made: Sequence[Matrices]) -> set[int]:
    """States of models on which nothing depends at any of the points, such as integrals."""
    first = len(group.chosen_states.positions) + len(group.chosen_states.rates)
    some = range(first, first + len(group.chosen_states.behind))
    return {k for k in some if not any(np.any(one.a[:, k]) or np.any(one.c[:, k]) for one in made)}


def _notes(
    system: System, point: Point, states: list[State], idle: set[int], one: Matrices
) -> tuple[str, ...]:
    found = []
    held = held_by_samples(system, point)
    if held:
        names = list_text(held, MOST_LISTED)
        found.append(f"In the linear equations, the commands of these sampled models are constant: {names}.")
    if idle:
        names = list_text([states[k].name for k in sorted(idle)], MOST_LISTED)
        found.append(f"The equations omit these states, which affect no other state or output: {names}.")
    if one.corrected > CORRECTED:
        found.append(f"Joint gaps of up to {one.corrected:.2g} m were closed before the linearization.")
    without = [
        name.name for k, name in enumerate(system.inputs) if not (np.any(one.b[:, k]) or np.any(one.d[:, k]))
    ]
    if without:
        found.append(
            f"These inputs have no effect at the operating point: {list_text(without, MOST_LISTED)}."
        )
    start = dict(zip((state.name for state in states), one.start, strict=True))
    outputs = zip((output.name for output in system.outputs), one.outputs, strict=True)
    apart = [
        name
        for name, value in outputs
        if name.startswith("joints.") and abs(value - start.get(name, value)) > CORRECTED
    ]
    if apart:
        text = "is relative to the initial pose, but the state with this name is relative to aligned frames"
        found += [f"The output {name} {text} of the joint." for name in apart]
    return tuple(found)


def held_by_samples(system: System, point: Point) -> list[str]:
    """Return the paths of the sampled models (discrete-time models) that are active at an operating point."""
    layout, found = system.course.program.layout, []
    for c in system.course.program.table.conditions:
        part = layout.parts.get(c.part)
        if c.kind != "due" or not isinstance(part, Sampled):
            continue
        if np.isfinite(part.next_sample_time(c.item, point.discrete)):
            found.append(part.sampler_path(c.item))
    return list(dict.fromkeys(found))
