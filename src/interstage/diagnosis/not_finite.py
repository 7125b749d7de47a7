"""Report why accelerations of a flight are not finite: models whose loads or state rates are not finite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..engine.answers import part_text
from ..engine.body_loads import loads_of
from ..engine.contract import HasState, Part, Watches
from ..engine.layout import Layout
from ..engine.mechanism import Mechanism
from ..engine.minimal_coordinates import flow_of
from ..maths.arrays import jax, jnp
from ..observation.observation import Track, in_chunks
from ..programs.program import Program
from ..tree import packages
from ..tree.names import GROUND

FAR = 1e6
"""Maximum factor between the magnitudes of a state before and after the examined step."""
NAMED = 4
"""Maximum number of items of a model that a message names."""


def fault_report(program: Program, scenario: Any, reference: Any, cursor: Any, track: Track) -> str:
    """Return sentences that name the models whose loads or state rates are not finite.

    The models are evaluated in the last state of the flight. If all results are finite, the models are
    evaluated again one step later. The result is "" if no fault is found.
    """
    t, x, discrete = cursor.t, cursor.x, cursor.discrete
    if not np.all(np.isfinite(x)) and len(track.t):
        t, x = track.t_end[-1], track.x_end[-1]
    look = program.of_samples(at_instant)

    def found_at(t: Any, x: Any) -> Any:
        states = jax.tree.map(lambda leaf: np.asarray(leaf)[None], (t, x, discrete))
        lanes = in_chunks(lambda *one: look(scenario, reference, *one), states, program.layout)
        return jax.tree.map(lambda leaf: np.asarray(leaf)[0], lanes)

    found = found_at(t, x)
    said = "".join(_sentences(program.layout, found))
    further = x + float(cursor.step) * found["slope"]
    # Beyond that it is not a step, and an overflow there is not the reason.
    if said or not np.max(np.abs(further)) <= FAR * (1 + np.max(np.abs(x))):
        return said
    return "".join(_sentences(program.layout, found_at(t + float(cursor.step), further)))


def at_instant(mechanism: Mechanism, t: Any, x: Any, discrete: Any) -> dict[str, Any]:
    """Return the loads (6, body, *cases) and the state rates (`states`, *cases) of each model, by name.

    The result also contains the rate of the complete state.
    """
    here, layout = mechanism.here(t, x, discrete), mechanism.layout
    shares = {name: part.wrench(here) for name, part in layout.parts.items()}
    loads = {n: loads_of(layout.parts[n], s, layout.count, here) for n, s in shares.items() if s is not None}
    having = [part for part in layout.having(HasState) if part.states]
    rates = {part.name: part.rates(here, here.acceleration) for part in having}
    whole = (6, here.motion.position.shape[1], *x.shape[1:])
    return {
        "loads": {name: jnp.broadcast_to(load, whole) for name, load in loads.items()},
        "rates": {name: jnp.broadcast_to(r, (len(r), *x.shape[1:])) for name, r in rates.items()},
        "acceleration": here.acceleration,
        "slope": here.slope,
    }


def warnings_of_events(program: Program, scenario: Any, reference: Any, track: Track) -> list[str]:
    """Return one warning for each model of another package with an event whose watched value is NaN.

    A warning states the time [s] of the first NaN. An event whose value is not finite does not occur.
    """
    table = program.table
    foreign = {n for n, part in program.layout.parts.items() if packages.home(type(part)) is not None}
    rows = [i for i, c in enumerate(table.conditions) if c.kind == "value" and c.part in foreign]
    many = {p.name: p for p in program.layout.having(Watches) if p.name in foreign and p.watches}
    if not (rows or many) or not len(track.t):
        return []

    def event_values(mechanism: Mechanism, t: Any, x: Any, discrete: Any) -> dict[str, Any]:
        here, flow = mechanism.here(t, x, discrete), flow_of(mechanism, table)
        shape = lambda value: jnp.broadcast_to(value, t.shape)  # noqa: E731
        found = {i: shape(flow.value_of(table.conditions[i], here)) for i in rows}
        single = {name: [found[i] for i in rows if table.conditions[i].part == name] for name in foreign}
        several = {name: [*many[name].watched_values(here)] if name in many else [] for name in foreign}
        return {name: jnp.stack(both) for name in foreign if (both := single[name] + several[name])}

    look = program.of_samples(event_values)
    states = track.t_end, track.x_end, track.discrete
    found = in_chunks(lambda *one: look(scenario, reference, *one), states, program.layout)
    texts = []
    for name, values in found.items():
        lost = np.flatnonzero(np.isnan(values).any(tuple(range(1, values.ndim))))
        if len(lost):
            text = f"the value of an event is not a number after {float(track.t_end[lost[0]]):g} s"
            texts.append(
                f"{part_text(program.layout.parts[name])}: {text}, so the event cannot occur."
                " Return a finite number for the event"
            )
    return [f"{text[0].upper()}{text[1:]}." for text in texts]


def _sentences(layout: Layout, found: Any) -> Iterator[str]:
    """One sentence for each model; of rates only where the accelerations are finite that they follow from."""
    names = (*layout.bodies, *((GROUND,) if layout.ground else ()), *(key[1] for key in layout.columns.nodes))
    for name, load in found["loads"].items():
        on = [f"'{names[k]}'" for k in np.flatnonzero(~np.isfinite(load).all(0))]
        if on:
            yield f" The loads of {_in_words(layout.parts[name])} on {first_names(on)} are not finite."
    if np.all(np.isfinite(found["acceleration"])):
        for name, rates in found["rates"].items():
            if not np.all(np.isfinite(rates)):
                yield f" The rates of {_in_words(layout.parts[name])} are not finite."


def _in_words(part: Part) -> str:
    items = [one.name for one in part.items] if part.group else []
    return f"{first_names(items)} ({part_text(part)})" if items else part_text(part)


def first_names(names: list[str]) -> str:
    """Return at most `NAMED` names as one text. If there are more names, the text ends with "..."."""
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
