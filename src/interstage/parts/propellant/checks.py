"""Checks of engines, tanks and variable masses: unknown names, actions without effect, bodies without mass,
and models that cannot be combined with a variable mass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...tree.addresses import patterns_of
from ...tree.errors import BrokenName, Problem
from ...tree.name_check import unknown
from ...tree.names import Names
from ...tree.similar_names import near
from ..control.declared import signals
from .elements import Container
from .engines import Motor
from .engines import names as named

if TYPE_CHECKING:
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the faults of engines, of mass items, and of the actions on engines and mass items.

    `names`: all names in the scenario. `faulty`: names of faulty declarations by group. A reference to a
    faulty declaration is not reported as unknown.
    """
    left_out = faulty or {}
    bodies = {body.name: body for body in scenario.bodies if body.name not in left_out.get("bodies", ())}
    known = {f"{body.name}.{e.name}": e for body in bodies.values() for e in body.elements}
    hidden = (*left_out.get("bodies", ()),)
    for engine in scenario.engines:
        place = f"engines.{engine.name}"
        yield from unknown(f"{place}.body", engine.body, (*bodies, *hidden), "body")
        for field, tank in _tanks_of(engine):
            if tank.partition(".")[0] not in hidden:
                yield from _tank(f"{place}.{field}", tank, known)
        if not {"controls", "actuators"} & left_out.keys():
            yield from _signals(scenario, engine)
    engines = (*(engine.name for engine in scenario.engines), *left_out.get("engines", ()))
    patterns = patterns_of(scenario.engines)
    for place, item in _items(scenario):
        for action in ("ignite", "shut_down"):
            for name in getattr(item, action):
                yield from unknown(f"{place}.{action}", name, engines, "engine", also=patterns)
        for name in item.drop:
            if name.partition(".")[0] not in hidden:
                yield from _element(f"{place}.drop", name, known)
    gone = left_out.keys()
    if not {"phases", "engines"} & gone:
        yield from _orders(scenario)
    if not {"bodies", "phases", "events"} & gone:
        yield from _empty_bodies(scenario, known)
    if not {"bodies", "joints", "forces", "devices", "contacts"} & gone:
        yield from _empirical(scenario)


def signal_names(scenario: Scenario) -> tuple[str, ...]:
    """Return the names of the signals that engines and aerodynamic models can use: commands and actuator
    positions.
    """
    commands = [name for law in scenario.controls for name in signals(law)]
    return (*commands, *(f"actuators.{actuator.name}" for actuator in scenario.actuators))


def _items(scenario: Scenario) -> Iterator[tuple[str, Any]]:
    """Phases and events with their paths."""
    yield from ((f"phases.{phase.name}", phase) for phase in scenario.phases)
    yield from ((f"events.{event.name}", event) for event in scenario.events)


def _tanks_of(engine: Any) -> Iterator[tuple[str, str]]:
    """(field, tank) for all feeds of an engine."""
    for field in ("grain", "oxidizer", "fuel"):
        if getattr(engine, field, None) is not None:
            yield field, getattr(engine, field)
    yield from ((f"feeds.{feed.tank}", feed.tank) for feed in getattr(engine, "feeds", ()))


def _element(place: str, name: str, known: Mapping[str, Any]) -> Iterator[Problem]:
    yield from unknown(place, name, known, "mass item", "write body.item; ")


def _tank(place: str, name: str, known: Mapping[str, Any]) -> Iterator[Problem]:
    if name not in known:
        yield from _element(place, name, known)
    elif not isinstance(known[name], Container):
        yield BrokenName(place, f"'{name}' is a mass item and holds no propellant. Name a tank or a grain")
    elif not known[name].drains:
        yield BrokenName(place, f"tank '{name}' has drains = false. Remove drains, or name another tank")


def _signals(scenario: Scenario, engine: Any) -> Iterator[Problem]:
    provided = signal_names(scenario)
    for signal in named(engine).signals:
        if signal not in provided:
            yield BrokenName(
                f"engines.{engine.name}",
                f"the signal '{signal}' does not exist; {near(signal, provided, 'signals here')}",
                among=("controls", "actuators"),
            )


# --- actions ------------------------------------------------------------------------------------------------


def _orders(scenario: Scenario) -> Iterator[Problem]:
    """Impossible actions on engines and mass items. Only the order of phases is checked, because the times of
    events are known only in the flight."""
    engines = {engine.name: engine for engine in scenario.engines}
    dropped: list[str] = []
    lit = [engine.name for engine in scenario.engines if engine.ignited]
    for place, item in _items(scenario):
        for name in sorted({*item.ignite} & {*item.shut_down}):
            yield Problem(
                place, f"engine '{name}' is ignited and shut down at the same time. Keep one of these actions"
            )
        for name in item.shut_down:
            engine = engines.get(name)
            if isinstance(engine, Motor) and not engine.cut:
                yield Problem(
                    f"{place}.shut_down",
                    f"the motor '{name}' cannot be cut off. Set engines.{name}.cut = true, or remove the"
                    " motor from 'shut_down'",
                )
    for phase in scenario.phases:
        place = f"phases.{phase.name}"
        for name in phase.drop:
            if name in dropped:
                yield Problem(
                    f"{place}.drop", f"'{name}' was already jettisoned. Remove the name from 'drop'"
                )
            dropped.append(name)
        for name in phase.ignite:
            if name in engines:
                yield from _ignition(f"{place}.ignite", engines[name], dropped, lit)
            lit.append(name)


def _ignition(place: str, engine: Any, dropped: list[str], lit: list[str]) -> Iterator[Problem]:
    gone = [tank for tank in named(engine).tanks if tank in dropped]
    if gone:
        yield Problem(
            place,
            f"'{engine.name}' draws from '{gone[0]}', but '{gone[0]}' was jettisoned. Ignite the engine"
            " earlier",
        )
    if isinstance(engine, Motor) and engine.name in lit:
        yield Problem(place, f"the motor '{engine.name}' was already ignited. Remove the motor from 'ignite'")


# --- masses -------------------------------------------------------------------------------------------------


def _empty_bodies(scenario: Scenario, known: Mapping[str, Any]) -> Iterator[Problem]:
    """Bodies without mass after all jettisons."""
    drops = [(f"{place}.drop", name) for place, item in _items(scenario) for name in item.drop]
    for body in scenario.bodies:
        gone = {name.partition(".")[2] for _, name in drops if name.partition(".")[0] == body.name}
        kept = [e for e in body.elements if e.name not in gone]
        if gone and not _some(body.mass) and not any(_some(e.constant_mass) for e in kept):
            where = next(place for place, name in drops if name.partition(".")[0] == body.name)
            yield Problem(
                where,
                f"this jettison leaves body '{body.name}' without constant mass. Set "
                f"bodies.{body.name}.mass, or declare the mass item as a body and release its joint",
            )


def _some(mass: Any) -> bool:
    """Whether a mass is above zero in all cases. An unknown mass counts as above zero."""
    return not isinstance(mass, np.ndarray | np.floating | float) or bool(np.all(mass > 0))


def _empirical(scenario: Scenario) -> Iterator[Problem]:
    """Faults of bodies with `inertia_rate`: attachments, slosh, constant mass."""
    touching = [(f"joints.{j.name}", (j.parent, j.child)) for j in scenario.joints]
    for group in ("forces", "devices", "contacts"):
        touching += [(f"{group}.{one.name}", one.ends) for one in getattr(scenario, group)]
    for body in scenario.bodies:
        if body.inertia_rate is None:
            continue
        place = f"bodies.{body.name}.inertia_rate"
        for element in body.elements:
            if getattr(element, "slosh", None) is not None:
                where = f"bodies.{body.name}.elements.{element.name}.slosh"
                text = (
                    f"'slosh' cannot be combined with the 'inertia_rate' of '{body.name}', which applies to "
                    "a single rigid"
                )
                yield Problem(where, f"{text} body. Remove 'slosh' or 'inertia_rate'")
        if not any(isinstance(e, Container) and e.drains for e in body.elements):
            yield Problem(
                place, "'inertia_rate' is set, but the mass of this body is constant. Remove 'inertia_rate'"
            )
        where = next((place for place, ends in touching if body.name in ends), None)
        if where is not None:
            yield Problem(
                place,
                f"'inertia_rate' applies to a single free body only, but {where} acts on this body. Remove "
                "inertia_rate. The flight then uses the momentum of the gas up to the nozzles",
            )


# --- warnings -----------------------------------------------------------------------------------------------


def remarks(scenario: Scenario, pose: Any) -> Iterator[str]:
    """Yield warnings about engines that are never ignited, and about motors that share a grain."""
    yield from _shared_grains(scenario)
    lit = {name for actions in (*scenario.phases, *scenario.events) for name in actions.ignite}
    for engine in scenario.engines:
        for note in getattr(getattr(engine, "header", None), "notes", ()):
            yield f"{engine.name}: motor {engine.header.designation}: {note}."
        if not engine.ignited and engine.name not in lit:
            yield (
                f'{engine.name} is never ignited. Set ignited = true, or ignite = ["{engine.name}"] in a'
                " phase or event."
            )


def _shared_grains(scenario: Scenario) -> Iterator[str]:
    """Warnings about grains that several motors burn."""
    motors: dict[str, list[str]] = {}
    for engine in scenario.engines:
        if isinstance(engine, Motor) and engine.grain is not None:
            motors.setdefault(engine.grain, []).append(engine.name)
    for grain, names in motors.items():
        if len(names) > 1:
            yield (
                f"{' and '.join(names)} burn the same grain, {grain}, each at the full rate. The grain is"
                " empty before the thrust traces end. Give each motor its own grain, or declare one motor."
            )
