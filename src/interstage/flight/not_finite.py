"""Flights that end without finite accelerations: whose loads or rates are why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..engine.answers import named
from ..engine.body_loads import loads_of
from ..engine.contract import Part
from ..engine.layout import Layout
from ..engine.mechanism import Mechanism
from ..maths.arrays import jax, jnp
from ..tree.names import GROUND
from .observation import Track, in_chunks
from .program import Program

FAR = 1e6
"""By which factor a state may grow in the step that is looked at."""
NAMED = 4
"""How many things of a part are named."""


def blamed(program: Program, scenario: Any, reference: Any, cursor: Any, track: Track) -> str:
    """Which parts give loads, or rates of their own, that are no finite numbers where a flight ended for
    such, or a step further; nothing where none does."""
    t, x, discrete = cursor.t, cursor.x, cursor.discrete
    if not np.all(np.isfinite(x)) and len(track.t):
        t, x = track.t_end[-1], track.x_end[-1]
    look = program.of_samples(at_instant)

    def found_at(t: Any, x: Any) -> Any:
        states = jax.tree.map(lambda leaf: np.asarray(leaf)[None], (t, x, discrete))
        lanes = in_chunks(lambda *one: look(scenario, reference, *one), states, program.layout)
        return jax.tree.map(lambda leaf: np.asarray(leaf)[0], lanes)

    found = found_at(t, x)
    said = "".join(_said(program.layout, found))
    further = x + float(cursor.step) * found["slope"]
    # Beyond that it is no step, and what overflows there is not why.
    if said or not np.max(np.abs(further)) <= FAR * (1 + np.max(np.abs(x))):
        return said
    return "".join(_said(program.layout, found_at(t + float(cursor.step), further)))


def at_instant(mechanism: Mechanism, t: Any, x: Any, discrete: Any) -> dict[str, Any]:
    """Of each part by name the loads (6, body, *lanes) and the rates of its own (`states`, *lanes), those
    that it has; and the rate of the state."""
    here, layout = mechanism.here(t, x, discrete), mechanism.layout
    shares = {name: part.wrench(here) for name, part in layout.parts.items()}
    loads = {n: loads_of(layout.parts[n], s, layout.count, here) for n, s in shares.items() if s is not None}
    rates = {n: part.rates(here, here.acceleration) for n, part in layout.parts.items() if part.states}
    whole = (6, here.motion.position.shape[1], *x.shape[1:])
    return {
        "loads": {name: jnp.broadcast_to(load, whole) for name, load in loads.items()},
        "rates": {name: jnp.broadcast_to(r, (len(r), *x.shape[1:])) for name, r in rates.items()},
        "acceleration": here.acceleration,
        "slope": here.slope,
    }


def _said(layout: Layout, found: Any) -> Iterator[str]:
    """One sentence for each part; of rates only where the accelerations are finite that they follow from."""
    names = (*layout.bodies, *((GROUND,) if layout.ground else ()), *(key[1] for key in layout.stations))
    for name, load in found["loads"].items():
        on = [f"'{names[k]}'" for k in np.flatnonzero(~np.isfinite(load).all(0))]
        if on:
            yield f" The loads of {_in_words(layout.parts[name])} on {listed(on)} are not finite."
    if np.all(np.isfinite(found["acceleration"])):
        for name, rates in found["rates"].items():
            if not np.all(np.isfinite(rates)):
                yield f" The rates of {_in_words(layout.parts[name])} are not finite."


def _in_words(part: Part) -> str:
    items = [one.name for one in part.items] if part.group else []
    return f"{listed(items)} ({named(part)})" if items else named(part)


def listed(names: list[str]) -> str:
    """The first few of some names."""
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
