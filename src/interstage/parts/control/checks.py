"""Check control laws and actuators: measured quantities, commands, and the use of their outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...model.trim import AXES
from ...model.values import Value, not_comparable
from ...tree.declaration import texts_of, with_values
from ...tree.errors import BadInput, Problem
from ...tree.name_check import unknown
from ...tree.names import Names
from ...tree.unit_names import comparable
from .declared import PID, AttitudeHold, ThrottleLimit, angular_velocity_names, attitude_names, needs, signals
from .gain_schedule import TIME, Scheduled, unlike

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of control laws and actuators, except algebraic loops; see `loops`.

    - names: all names in the scenario, by group.
    - faulty: names of invalid declarations, by group. References to these names are accepted.
    """
    left_out = faulty or {}
    for law in scenario.controls:
        place = f"controls.{law.name}"
        if law.body is not None:
            yield from unknown(f"{place}.body", law.body, names.bodies, "body")
        for phase in law.phases or ():
            yield from unknown(f"{place}.phases", phase, names.phases, "phase")
        level = isinstance(law, AttitudeHold) and law.axes == "local_level"
        if level and scenario.planet is None and "planet" not in left_out:
            text = '"local_level" needs a planet. Add planet = { kind = "earth" }, or set axes = "inertial"'
            yield Problem(f"{place}.axes", text)
        if getattr(law, "follows", None) is not None and "guidance" not in left_out:
            yield from _following(scenario, law, place)
        if isinstance(law, ThrottleLimit):
            yield from _throttling(scenario, law, place, left_out)
    commands = [name for law in scenario.controls for name in signals(law)]
    for actuator in scenario.actuators:
        place = f"actuators.{actuator.name}"
        for command in actuator.command if "controls" not in left_out else ():
            yield from unknown(f"{place}.command", command, commands, "command")
        if actuator.fails_after is not None:
            known = names.moments
            yield from unknown(f"{place}.fails_after", actuator.fails_after, known, "phase or event")
    yield from _followers(scenario)
    if scenario.balance is not None and not left_out.keys() & {"controls", "actuators"}:
        yield from _trimming(scenario, left_out)


def _trimming(scenario: Scenario, left_out: Mapping[str, list[str]]) -> Iterator[Problem]:
    """Problems of a trim: bodies with rotational dynamics, unknown signals, and signals without effect."""
    from ..air.declared import needs as variables_of

    if scenario.coordinates != "point":
        yield Problem(
            "trim", "'trim' applies to point-mass flight only. Remove trim, or set coordinates = \"point\""
        )
    gimbals = {
        name for one in scenario.engines if one.gimbal for name in (one.gimbal.pitch, one.gimbal.yaw) if name
    }
    throttles = {getattr(getattr(one, "throttle", None), "signal", None) for one in scenario.engines}
    moving = gimbals | {name for one in scenario.aerodynamics for name in variables_of(one)}
    failing = {f"actuators.{one.name}" for one in scenario.actuators if one.fails_after is not None}
    commands = [name for law in scenario.controls for name in signals(law)]
    known = [*commands, *(f"actuators.{one.name}" for one in scenario.actuators)]
    for axis in AXES:
        for name in getattr(scenario.balance, axis):
            place = f"trim.{axis}"
            if name not in known:
                yield from unknown(place, name, known, "signal")
            elif name in throttles:
                yield Problem(
                    place,
                    f"{name} is a throttle, but a trim needs signals that deflect engines or surfaces. Remove"
                    " this signal",
                )
            elif name not in moving and not left_out.keys() & {"engines", "aerodynamics"}:
                text = f"no gimbal and no aerodynamic coefficient uses {name}"
                yield Problem(place, f"{text}. Name a signal that a gimbal or a coefficient uses")
            elif name in failing:
                yield Problem(
                    place,
                    f"{name} can fail, but a trim does not model failures. Remove 'fails_after', or name"
                    " another signal",
                )


def _following(scenario: Scenario, law: Any, place: str) -> Iterator[Problem]:
    """Problems of an attitude hold that follows an unknown guidance law, or a guidance law of another
    body."""
    guides = {guide.name: guide for guide in scenario.guidance}
    yield from unknown(f"{place}.follows", law.follows, guides, "guidance")
    guide = guides.get(law.follows)
    if guide is not None and guide.body != law.body:
        text = f"'{guide.name}' gives the attitude of '{guide.body}', but this law controls '{law.body}'"
        yield Problem(
            f"{place}.follows", f"{text}. Name a guidance law of '{law.body}', or set body = '{guide.body}'"
        )
    for field in ("axes", "sequence"):
        if getattr(law, field) != type(law).model_fields[field].default:
            yield Problem(
                f"{place}.{field}",
                f"'{field}' applies to the key 'angles' only. With the key 'follows', the guidance law "
                "defines the axes. Remove this key",
            )


def _throttling(
    scenario: Scenario, law: Any, place: str, left_out: Mapping[str, list[str]]
) -> Iterator[Problem]:
    """Problems of throttle limits that no engine follows, and of limits of dynamic pressure without an
    atmosphere."""
    command = signals(law)[0]
    followed = (getattr(getattr(engine, "throttle", None), "signal", None) for engine in scenario.engines)
    if "engines" not in left_out and command not in followed:
        text = (
            f'no engine has throttle = "{command}", so the law has no effect. Set this throttle for an engine'
        )
        yield Problem(place, text)
    if law.dynamic_pressure is None or left_out.keys() & {"planet", "atmosphere"}:
        return
    if scenario.planet is None or scenario.atmosphere.kind == "none":
        what = "a planet" if scenario.planet is None else "an atmosphere"
        remedy = 'planet = "earth"' if scenario.planet is None else 'atmosphere = "us76"'
        yield Problem(
            f"{place}.dynamic_pressure",
            f"'dynamic_pressure' needs {what}. Add {remedy}, or remove 'dynamic_pressure'",
        )


def _followers(scenario: Scenario) -> Iterator[Problem]:
    """Problems of actuators whose unit does not fit their use by an engine."""
    units = {f"actuators.{actuator.name}": actuator for actuator in scenario.actuators}
    for engine in scenario.engines:
        gimbal = engine.gimbal
        used = [] if gimbal is None else [("gimbal", gimbal.pitch, "rad"), ("gimbal", gimbal.yaw, "rad")]
        used += [("throttle", getattr(getattr(engine, "throttle", None), "signal", None), "1")]
        for field, signal, wanted in used:
            actuator = units.get(signal) if signal is not None else None
            if actuator is not None and not comparable(actuator.unit or "1", wanted):
                yield Problem(
                    f"engines.{engine.name}.{field}",
                    f"'{field}' needs a signal with the unit {wanted}, but {signal} has the unit "
                    f'{actuator.unit or "1"}. Set unit = "{wanted}" for this actuator, or name another '
                    "signal",
                )


# --- quantities of laws -------------------------------------------------------------------------------------


def quantity_problems(scenario: Scenario, faulty: Mapping[str, list[str]] | None = None) -> Iterator[Problem]:
    """Yield the problems of unknown quantities that control laws read, and of targets with unsuitable units.

    faulty: names of invalid declarations, by group. Quantities of invalid declarations are not checked.
    """
    left_out = faulty or {}
    unsure = {name for group in left_out.values() for name in group}
    wanted = [
        (law, place, path)
        for law in scenario.controls
        for place, path in _reads(law)
        if not unsure.intersection(path.split("."))
    ]
    units = {TIME: "s"}
    for law, place, path in wanted:
        from ...quantities.catalogue import unit_of  # imports the engine: only when needed

        try:
            unit = unit_of(scenario, path)
        except KeyError as error:
            yield Problem(f"controls.{law.name}.{place}", str(error.args[0]))
            continue
        units[path] = unit
        target = law.target if isinstance(law, PID) and place == "measured" else None
        if isinstance(target, Value) and target.unit and not comparable(target.unit, unit):
            yield Problem(f"controls.{law.name}.target", not_comparable(target, path, unit))
    for law in scenario.controls:
        for field in type(law).model_fields:
            gain = getattr(law, field)
            unit = units.get(gain.over) if isinstance(gain, Scheduled) else None
            if unit is not None and (text := unlike(gain, "points", [unit], gain.over)):
                yield Problem(f"controls.{law.name}.{field}.points", text)


def _reads(law: Any) -> Iterator[tuple[str, str]]:
    """(field, quantity) of all declared inputs of a law."""
    fields = ("measured", "rate") if isinstance(law, PID) else ()
    named = {getattr(law, field): field for field in fields}
    gains = {over: name for name in type(law).model_fields if (over := _over(getattr(law, name)))}
    implied = () if law.body is None else (*angular_velocity_names(law.body), *attitude_names(law.body))
    for path in needs(law):
        field = named.get(path) or (f"{gains[path]}.over" if path in gains else None)
        if field is not None or path not in implied:
            yield field or "measures", path


def _over(gain: Any) -> str | None:
    return getattr(gain, "over", None)


# --- algebraic loops ----------------------------------------------------------------------------------------


def loops(scenario: Scenario, as_declared: Callable[[], Here]) -> Iterator[Problem]:
    """Yield the problems of continuous laws that are algebraic loops. The inputs of such a law depend on the
    forces that the law controls.

    as_declared: function that returns the state at the declared start. Each law reads its quantities once in
    this state. The scenario must otherwise be valid.
    """
    continuous = [law for law in scenario.controls if law.period is None]
    if not any(_looks(law) for law in continuous):
        return
    found: list[Problem] = []
    with np.errstate(all="ignore"):  # commands are not known yet, so dependent values have no meaning
        _read(scenario, as_declared(), found)
    yield from found


def _looks(law: Any) -> bool:
    return isinstance(law, ThrottleLimit) or bool(getattr(law, "follows", None)) or any(_reads(law))


def _read(scenario: Scenario, start: Here, found: list[Problem]) -> None:
    """Read the inputs of all continuous laws, and record the inputs that are not available."""
    from ...quantities.catalogue import catalogue
    from .actuator import states
    from .flown import Signals, guidance_attitude, read_by
    from .throttle import bounds

    t, control = start.t, start.equations.parts["control"]
    late = [a for a in scenario.actuators if states(a)]
    known = Signals(dict.fromkeys(control.commands, t) | {f"actuators.{a.name}": t for a in late})
    known.trimmed = () if scenario.balance is None else scenario.balance.signals
    for name in known.trimmed:
        known.pop(name, None)
    moment = _without_loads(start)
    moment.known["control"] = known
    for law in scenario.controls:
        try:
            if law.period is None:
                read_by(catalogue(scenario), law, moment)
                if getattr(law, "follows", None) is not None:
                    guidance_attitude(law, moment)
                if isinstance(law, ThrottleLimit):
                    bounds(law, moment)
        except BadInput as error:
            found.extend(error.problems)
        known.update(dict.fromkeys((name for name in signals(law) if name not in known.trimmed), t))


def _without_loads(start: Here) -> Here:
    """State at one time without values that depend on the sum of all loads."""
    from ...engine.here import CIRCLE, Here, Unmeasured

    class Asked(Here):
        @property
        def wrench(self) -> Any:
            raise Unmeasured(CIRCLE)

    return Asked(start.equations, start.t, start.x, start.discrete)


# --- unusual settings ---------------------------------------------------------------------------------------


def remarks(scenario: Scenario, pose: Any) -> Iterator[str]:
    """Yield warnings about control laws and actuators whose outputs are not used. `pose` is not used."""
    from ..air.declared import needs as variables_of

    looked_up = {name for one in scenario.aerodynamics for name in variables_of(one)}
    for group, outputs in (("controls", signals), ("actuators", lambda one: (f"actuators.{one.name}",))):
        for item in getattr(scenario, group):
            rest = tuple(one for one in getattr(scenario, group) if one is not item)
            others = looked_up | {*texts_of(with_values(scenario, **{group: rest}))}
            if not any(text.startswith(outputs(item)) for text in others):
                yield (
                    f"{group}.{item.name} has no effect: no actuator, engine, coefficient, quantity or other"
                    f" law uses {group}.{item.name}. Use its output, or remove {group}.{item.name}."
                )
