"""Linear equations in tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...drawing.table import Table, number
from ...tree.errors import listed
from ...tree.units import display
from .modes import Mode

if TYPE_CHECKING:
    from .floquet import Periodic, PeriodicMode
    from .result import Linear, Series

DIGITS = 5
TOLD = 0.05
"""Share from which what takes part in a mode is named."""
ROUNDING = 1e-14
"""Part of the largest number of a unit below which one is its rounding."""
MOST = 3
"""Things that are named for a mode."""


def state_table(one: Linear, units: str = "SI") -> Table:
    """The states with their values and rates at the operating point."""
    rows = []
    values, rates = (_without_rounding(one, part) for part in (one.x0, one.rates))
    for state, value, rate in zip(one.states, values, rates, strict=True):
        factor, unit = display(state.unit, units) if state.unit else (1.0, "")
        shown = [number(part * factor, DIGITS) for part in (value, rate)]
        rows.append([state.name, *shown, unit])
    way, colon, by = one.standing.partition(": ")
    title = f"States {one.moment} ({one.time:.9g} s): {way}"
    note = f"It {way}, most of all {by}." if colon else ""
    columns = ["state", "value", "rate, per s", "unit"]
    return Table(title, columns, rows, [False, True, True, False], note=note, key="states")


def _without_rounding(one: Linear, values: np.ndarray) -> np.ndarray:
    """Numbers of states, those zero that are rounding beside others of the same unit."""
    units = [state.unit for state in one.states]
    largest = {unit: max(abs(v) for v, own in zip(values, units) if own == unit) for unit in set(units)}
    return np.array([0.0 if abs(v) < ROUNDING * largest[own] else v for v, own in zip(values, units)])


def mode_table(one: Linear) -> Table:
    """The modes, the slowest first; those that are zero within rounding in one row."""
    rows, bad = [], set()
    zero = [mode for mode in one.modes if mode.zero]
    if zero:
        rows.append([str(len(zero)), "0", "", "", "", _moving(one, zero)])
    for mode in (mode for mode in one.modes if not mode.zero):
        if mode.grows:
            bad.add(len(rows))
        swings = mode.oscillates
        rows.append(
            [
                "pair" if swings else "1",
                _eigenvalue(mode),
                number(mode.frequency, DIGITS) if swings else "",
                _damping(mode),
                number(mode.time_constant, DIGITS) if math.isfinite(mode.time_constant) else "",
                _moving(one, [mode]),
            ]
        )
    columns = ["", "eigenvalue [1/s]", "[Hz]", "damping", "time constant [s]", "what moves"]
    right = [False, True, True, True, True, False]
    note = "Modes that grow are red; their time constant is negative." if bad else ""
    return Table("Modes", columns, rows, right, note=note, bad=bad, key="modes")


def _damping(mode: Mode, digits: int = 4) -> str:
    if not mode.oscillates:
        return ""
    return number(mode.damping, digits) if math.isfinite(mode.time_constant) else "0"


def _eigenvalue(mode: Mode) -> str:
    real = 0.0 if abs(mode.eigenvalue.real) <= mode.least else mode.eigenvalue.real
    if not mode.oscillates:
        return number(real, DIGITS)
    return f"{number(real, DIGITS)} +- {number(mode.eigenvalue.imag, DIGITS)}i"


def _moving(one: Linear, some: list[Mode]) -> str:
    """What takes part in some modes, the most first."""
    whole: dict[str, float] = {}
    for mode in some:
        for thing, share in one.taking_part(mode).items():
            whole[thing] = whole.get(thing, 0.0) + share / len(some)
    ordered = sorted(whole.items(), key=lambda item: -item[1])
    told = [(thing, share) for thing, share in ordered[:MOST] if share >= TOLD]
    return ", ".join(f"{thing} {100 * share:.0f} %" if share < 0.995 else thing for thing, share in told)


def series_table(series: Series) -> Table:
    """The modes of each moment that are not zero, the slowest first: frequency and damping of those that
    swing, eigenvalues of the others."""
    rows, bad = [], set()
    for one in series:
        own = [mode for mode in one.modes if not mode.zero]
        if any(mode.grows for mode in own):
            bad.add(len(rows))
        swings = ", ".join(f"{number(m.frequency, 4)} ({_damping(m, 3)})" for m in own if m.oscillates)
        others = ", ".join(_eigenvalue(m) for m in own if not m.oscillates)
        which = [f"{one.level:.6g}"] if one.varied else [number(one.time, 6), one.moment]
        rows.append([*which, str(len(one.states)), swings, others])
    first = [series[0].varied] if series[0].varied else ["t [s]", "moment"]
    columns = [*first, "states", "Hz (damping)", "others [1/s]"]
    note = "Red are those with a mode that grows." if bad else ""
    moving = [k for k, one in enumerate(series) if one.standing.startswith("accelerates")]
    if series[0].varied and moving:
        where = "all of them" if len(moving) == len(rows) else listed([rows[k][0] for k in moving], MOST)
        way = "" if series[0].trimmed else " --at trim finds where it does not."
        note = f"It accelerates at {where}: modes are of these moments.{way} {note}".strip()
    right = [True, *[False] * (len(first) - 1), True, False, False]
    return Table("Modes", columns, rows, right, note=note, bad=bad, key="modes")


def periodic_table(one: Periodic) -> Table:
    """The modes over a period, the least damped first; those that stay as they are in one row, and in another
    those of which nothing is left that could be told from rounding."""
    rows, bad = [], set()
    stay, gone = ([mode.mode for mode in one.modes if getattr(mode, how)] for how in ("stays", "gone"))
    if stay:
        rows.append([str(len(stay)), "1", "1", "", "", "", _moving(one.series[0], stay)])
    for mode in (mode for mode in one.modes if not (mode.stays or mode.gone)):
        if mode.grows:
            bad.add(len(rows))
        pair, swings = mode.multiplier.imag > 0, mode.exponent.imag != 0
        rows.append(
            [
                "pair" if pair else "1",
                _multiplier(mode),
                number(abs(mode.multiplier), DIGITS),
                number(mode.frequency, DIGITS) if swings else "",
                number(mode.damping, 4) if swings and math.isfinite(mode.time_constant) else "",
                number(mode.time_constant, DIGITS) if math.isfinite(mode.time_constant) else "",
                _moving(one.series[0], [mode.mode]),
            ]
        )
    if gone:
        rows.append([str(len(gone)), "0", "0", "", "", "0", _moving(one.series[0], gone)])
    columns = ["", "multiplier", "size", "[Hz]", "damping", "time constant [s]", "what moves"]
    right = [False, True, True, True, True, True, False]
    note = f"To a frequency any whole number of {1 / one.period:.6g} Hz, or to minus it, may be added."
    note += " Modes that grow are red; their time constant is negative." if bad else ""
    note += " Zero: what is left of it is rounding." if gone else ""
    title = f"Modes over a period of {one.period:.9g} s"
    return Table(title, columns, rows, right, note=note, bad=bad, key="modes")


def _multiplier(mode: PeriodicMode) -> str:
    value = mode.multiplier
    if value.imag <= 0:
        return number(value.real, DIGITS)
    return f"{number(value.real, DIGITS)} +- {number(value.imag, DIGITS)}i"
