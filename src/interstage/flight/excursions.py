"""Tables that a flight has left: which variable, of what, from when to when, and how far.

A table that refuses gives no number beyond its ends, and the flight ends there; one that holds its end value,
or goes on, is looked at again in every state that the flight has passed through."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..maths.arrays import jax
from ..tree.units import display
from .observation import Track, in_chunks
from .program import Program

AHEAD = 1e-6
"""How far ahead [s] of the last state a table is looked for that the flight would have left."""


def _beyond_ends(scenario: Any) -> set[str]:
    """What loads do beyond the ends of the tables that they are looked up in, of any; bounds of a function
    model hold."""
    found: set[str] = set()
    for declared in scenario.aerodynamics:
        tables = list(declared.coefficients.given().values())
        if declared.functions is not None:
            named = declared.functions.tables
            tables += [one.table for one in named]
            bounds = (*declared.functions.inputs, *(limit for one in named for limit in one.limits))
            found |= {"hold" for bound in bounds if (bound.min, bound.max) != (None, None)}
        found |= {axis.outside for table in tables for axis in getattr(table, "axes", ())}
    return found


def recorded(program: Program, scenario: Any, reference: Any, track: Track) -> list[str]:
    """One sentence for each variable that was beyond a table while the flight went on."""
    if not _beyond_ends(scenario) - {"refuse"} or not len(track.t):
        return []
    states = track.t_end, track.x_end, track.discrete
    found = in_chunks(lambda *lanes: program.left(scenario, reference, *lanes), states, program.layout.count)
    said = []
    for (load, table, variable), distance in _flat(found).items():
        away = np.flatnonzero(distance != 0)
        if len(away):
            begin, end = track.t[away[0]], track.t_end[away[-1]]
            worst = float(distance[away[np.argmax(np.abs(distance[away]))]])
            how_far = f"{_variable(variable)} was up to {_amount(scenario, load, table, variable, worst)} it"
            when = f"between {begin:.6g} s and {end:.6g} s"
            what = _called(scenario, load, table)
            said.append(f"{what} was looked up outside its table {when}: {how_far}.")
    return said


def blamed(program: Program, scenario: Any, reference: Any, cursor: Any, track: Track) -> str:
    """How the flight ended where it would have left a table that has no value beyond its ends, in one
    sentence; nothing if that is not why it ended."""
    if "refuse" not in _beyond_ends(scenario):
        return ""
    t, x, discrete = cursor.t, cursor.x, cursor.discrete
    if not np.all(np.isfinite(x)) and len(track.t):
        t, x, discrete = track.t_end[-1], track.x_end[-1], jax.tree.map(lambda a: a[-1], track.discrete)
    found = jax.device_get(program.leaving(scenario, reference, t, x, discrete, AHEAD))
    said = []
    for (load, table, variable), distance in _flat(found).items():
        if float(distance) != 0 and _refuses(scenario, load, table, variable):
            side = "above" if float(distance) > 0 else "below"
            end = _end(scenario, load, table, variable, float(distance))
            said.append(
                f"{_called(scenario, load, table)} left its table, {_variable(variable)} goes {side} {end}"
            )
    if not said:
        return ""
    remedy = 'Give a wider table, or say outside = "hold" for it.'
    return f"Ended early at {float(t):.9g} s: {'; '.join(said)}. {remedy}"


def _flat(found: dict[str, dict[tuple[str, str], Any]]) -> dict[tuple[str, str, str], Any]:
    return {(load, *key): distance for load, by_key in found.items() for key, distance in by_key.items()}


def _declared(scenario: Any, load: str) -> Any:
    return next(a for a in scenario.aerodynamics if a.name == load)


def _called(scenario: Any, load: str, table: str) -> str:
    return f"aerodynamics.{load} on {_declared(scenario, load).body}" + (f": {table}" if table else "")


def _variable(name: str) -> str:
    return name.replace("_", " ")


def _axis(scenario: Any, load: str, table: str, variable: str) -> Any:
    """The axis of a coefficient's table; none where a function model holds it."""
    coefficient = _declared(scenario, load).coefficients.given().get(table)
    axes = getattr(coefficient, "axes", ())
    return next((axis for axis in axes if axis.variable == variable), None)


def _end(scenario: Any, load: str, table: str, variable: str, distance: float) -> str:
    """The end of a table's axis that was passed, with its unit, where it is a coefficient's own."""
    axis = _axis(scenario, load, table, variable)
    if axis is None:
        return "it"
    factor, unit = display(axis.unit or "1")
    end = float(axis.points[-1 if distance > 0 else 0]) * factor
    return f"{end:.6g}" + ("" if unit in ("", "1") else f" {unit}")


def _refuses(scenario: Any, load: str, table: str, variable: str) -> bool:
    axis = _axis(scenario, load, table, variable)
    if axis is not None:
        return axis.outside == "refuse"
    functions = _declared(scenario, load).functions
    named = [t for t in (functions.tables if functions else ()) if t.name == table]
    return any(axis.outside == "refuse" for t in named for axis in t.table.axes)


def _amount(scenario: Any, load: str, table: str, variable: str, distance: float) -> str:
    """How far beyond, with a unit: "2.31 deg above"."""
    axis = _axis(scenario, load, table, variable)
    factor, unit = 1.0, _own_unit(scenario, load, variable)
    if axis is not None:
        factor, unit = display(axis.unit or "1")
    shown = "" if unit in ("", "1", "nd") else f" {unit}"
    return f"{abs(distance) * factor:.3g}{shown} {'above' if distance > 0 else 'below'}"


def _own_unit(scenario: Any, load: str, variable: str) -> str:
    functions = _declared(scenario, load).functions
    inputs = functions.inputs if functions else ()
    return next((part.unit for part in inputs if part.name == variable), "")
