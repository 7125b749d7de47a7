"""Create tables of linear equations and their modes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from ...drawing.table import Table, number
from ...linear.modes import UNSTABLE, Mode, doubling
from ...tree.sentences import count_text, list_text
from ...tree.units import display

if TYPE_CHECKING:
    from ...linear.matrices import State
    from .floquet import Periodic, PeriodicMode
    from .result import Linear, Series

DIGITS = 5
FEW_STATES, FEW_MODES = 40, 20
"""Largest number of states for which each state has a row, and number of slowest modes in a shortened
table.
"""
IN_A_ROW = 6
"""Default number of modes that a table of several operating points lists for each point."""
AXES = ("x", "y", "z")
AXIS, NUMBER = re.compile(r"\.[xyz]$"), re.compile(r"\d+")
LEAST_SHARE = 0.05
"""Smallest participation that is printed."""
ROUNDING = 1e-14
"""A magnitude counts as rounding if it is below this fraction of the largest value with the same unit."""
MOST_LISTED = 3
"""Largest number of names in a list."""
WHAT = "participation"
GROWTHS = (UNSTABLE, "slow", "")
"""Kinds of growth, the worst first; see `Mode.growth`."""


def state_table(one: Linear, units: str = "SI", whole: bool = False) -> Table:
    """Return a table of the states with their values and rates at the operating point.

    If there are many states, states share a row if their names differ only by numbers and axes. units: "SI"
    or "US". whole: whether each state has a row.
    """
    values, rates = (_without_rounding(one, part) for part in (one.x0, one.rates))
    short = not whole and len(one.states) > FEW_STATES
    each = runs(one.states) if short else {state.name: [k] for k, state in enumerate(one.states)}
    rows = []
    for name, own in each.items():
        unit = one.states[own[0]].unit
        factor, unit = display(unit, units) if unit else (1.0, "")
        rows.append([name, *(_range(part[own] * factor) for part in (values, rates)), unit])
    way, _, fastest = one.standing.partition(": ")
    title = f"States {one.moment} ({one.time:.9g} s); the mechanism {way}"
    name, _, rate = fastest.rpartition(" by ")
    note = f"The state with the largest rate is {name}: {rate}." if name else ""
    if len(rows) < len(one.states):
        note += (
            f" The table shows {count_text(len(one.states), 'states')} in {count_text(len(rows), 'rows')}."
            " The option --all prints one row for each state."
        )
    columns = ["state", "value", "change per second", "unit"]
    return Table(title, columns, rows, [False, True, True, False], note=note.strip(), key="states")


def runs(states: Sequence[State]) -> dict[str, list[int]]:
    """Return the indices of the states in each row of a shortened table, by row name. States share a row if
    their names differ only by numbers and axes.
    """
    found: dict[tuple[str, str], list[int]] = {}
    for k, state in enumerate(states):
        kind = AXIS.sub("", NUMBER.sub("#", state.name))
        found.setdefault((kind, state.unit), []).append(k)
    named: dict[str, list[int]] = {}
    for (kind, _), own in found.items():
        if len(own) <= len(AXES):
            named |= {states[k].name: [k] for k in own}
            continue
        names = [states[k].name for k in own]
        ends = [(min(one), max(one)) for one in zip(*([int(n) for n in NUMBER.findall(a)] for a in names))]
        axes = sorted({name[-1] for name in names if AXIS.search(name)})
        text = kind + ("." if axes else "") + "".join(axes)
        for low, high in ends:
            text = text.replace("#", str(low) if low == high else f"{low}..{high}", 1)
        named[text] = own
    return named


def _range(values: np.ndarray) -> str:
    """The least and the largest number; one number if both print the same."""
    ends = [number(float(end), DIGITS) for end in (np.min(values), np.max(values))]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def _without_rounding(one: Linear, values: np.ndarray) -> np.ndarray:
    """Values of states, with zero for rounding relative to other values of the same unit."""
    units = [state.unit for state in one.states]
    largest = {unit: max(abs(v) for v, own in zip(values, units) if own == unit) for unit in set(units)}
    return np.array([0.0 if abs(v) < ROUNDING * largest[own] else v for v, own in zip(values, units)])


def mode_table(one: Linear, whole: bool = False) -> Table:
    """Return a table of the modes, the slowest first. All modes with a zero eigenvalue share a row.

    whole: whether all modes are listed. Default: if there are many modes, only the slowest, the growing, the
    least damped and the fastest mode.
    """
    rows, grown = [], []
    zero = [mode for mode in one.modes if mode.zero]
    if zero:
        rows.append([str(len(zero)), _zero(zero), "", "", "", _moving(one, zero)])
        grown.append("")
    own = [mode for mode in one.modes if not mode.zero]
    least = min(own, key=lambda mode: mode.damping, default=None)
    which = "the slowest modes, all growing modes, the least damped and the fastest mode"
    shown, more = _few(own, which, whole, least)
    for mode in shown:
        grown.append(_growth(mode, one.slow))
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
    columns = ["modes", "eigenvalue [1/s]", "frequency [Hz]", "damping ratio", "time constant [s]", WHAT]
    right = [False, True, True, True, True, False]
    table = Table("Modes", columns, rows, right, note=more, key="modes")
    return _with_growth(table, grown, one.slow)


def _growth(mode: Mode | PeriodicMode, slow: float) -> str:
    """Kind of growth of a mode, and its doubling time; empty if it does not grow."""
    found = mode.growth(slow)
    return f"{number(doubling(mode.time_constant), 3)} s, {found}" if found else ""


def _with_growth(table: Table, grown: list[str], slow: float) -> Table:
    """The table with a column of growth, one text for each row, before the participation; unstable modes in
    red."""
    if not any(grown):
        return table
    table.bad = {k for k, text in enumerate(grown) if UNSTABLE in text}
    place = len(table.columns) - (table.columns[-1] == WHAT)
    table.columns.insert(place, "doubling time" if place < len(table.columns) else "growth")
    table.right.insert(place, False)
    for row, text in zip(table.rows, grown, strict=True):
        row.insert(place, text)
    table.note = f"{table.note} {_legend(grown, slow)}".strip()
    return table


def _legend(grown: list[str], slow: float) -> str:
    """Explanation of the growth column."""
    found = "Unstable modes (red) grow with time." if any(UNSTABLE in text for text in grown) else ""
    if any("slow" in text for text in grown):
        found += f" Slow modes grow, but the doubling time is above {slow:.6g} s (option --slow)."
    return found.strip()


def _few(own: list[Any], which: str, whole: bool, also: Any = None) -> tuple[list[Any], str]:
    """Some of many modes in their order, with the last, the growing and the mode `also`, and a note."""
    if whole or len(own) <= FEW_MODES + 2:
        return own, ""
    last = own[-1], also
    shown = [
        mode for k, mode in enumerate(own) if k < FEW_MODES or mode.grows or any(mode is one for one in last)
    ]
    if len(shown) == len(own):
        return own, ""
    text = f"The table shows {len(shown)} of {count_text(len(own), 'modes')}: {which}."
    return shown, f"{text} The option --all prints all modes."


def _damping(mode: Mode, digits: int = 4) -> str:
    if not mode.oscillates:
        return ""
    return number(mode.damping, digits) if math.isfinite(mode.time_constant) else "0"


def _zero(modes: list[Mode]) -> str:
    """Eigenvalue of modes that are zero within rounding, with the bound of rounding: slower modes of a stiff
    system are among them."""
    return _within("0", [mode.least for mode in modes])


def _within(value: str, sizes: Iterable[float]) -> str:
    """A value with its largest error, if known."""
    size = max(sizes)
    return f"{value} within {size:.1e}" if 0 < size < math.inf else value


def _eigenvalue(mode: Mode) -> str:
    real = 0.0 if abs(mode.eigenvalue.real) <= mode.least else mode.eigenvalue.real
    if not mode.oscillates:
        return number(real, DIGITS)
    return f"{number(real, DIGITS)} +- {number(mode.eigenvalue.imag, DIGITS)}i"


def _moving(one: Linear, some: list[Mode]) -> str:
    """Participation in some modes, the largest first."""
    whole: dict[str, float] = {}
    for mode in some:
        for thing, share in one.taking_part(mode).items():
            whole[thing] = whole.get(thing, 0.0) + share / len(some)
    ordered = sorted(whole.items(), key=lambda item: -item[1])
    shown = [(thing, share) for thing, share in ordered[:MOST_LISTED] if share >= LEAST_SHARE]
    return ", ".join(f"{thing} {100 * share:.0f} %" if share < 0.995 else thing for thing, share in shown)


def series_table(series: Series, whole: bool = False) -> Table:
    """Return a table with a row for each operating point. A row lists the modes, the slowest first.

    The columns are the number of states, the frequency and damping of oscillating modes, real eigenvalues,
    zero eigenvalues, and the number of unstable modes. whole: whether all modes are listed.
    """
    rows, grown = [], []
    for one in series:
        zero = [mode for mode in one.modes if mode.zero]
        own = [mode for mode in one.modes if not mode.zero]
        both = [mode for mode in own if mode.oscillates], [mode for mode in own if not mode.oscillates]
        swings, others = (_row(some, one.slow, whole) for some in both)
        which = [f"{one.level:.6g}"] if one.varied else [number(one.time, 6), one.moment]
        hidden = f"{len(zero)} x {_zero(zero)}" if zero else ""
        rows.append([*which, str(len(one.states)), swings, others, hidden])
        grown.append(_growth_counts(own, one.slow))
    first = [series[0].varied] if series[0].varied else ["time [s]", "event"]
    columns = [*first, "states", "frequency [Hz] (damping ratio)", "real eigenvalues [1/s]"]
    columns.append("zero eigenvalues [1/s]")
    note, moving = "", [k for k, one in enumerate(series) if one.standing.startswith("accelerates")]
    if moving:
        where = (
            "all operating points"
            if len(moving) == len(rows)
            else list_text([rows[k][0] for k in moving], MOST_LISTED)
        )
        unit = "" if series[0].varied or len(moving) == len(rows) else " s"
        note = f"The motion accelerates at {where}{unit}, so the modes are valid only for a short time."
    right = [True, *[False] * (len(first) - 1), True, False, False, False]
    return _with_growth(Table("Modes", columns, rows, right, note=note, key="modes"), grown, series[0].slow)


def _row(own: list[Mode], slow: float, whole: bool) -> str:
    """Modes in one row; of many modes the growing ones or the least damped one, and the slowest. Modes that
    print the same, such as bending in two planes, are counted."""
    texts = [
        f"{number(one.frequency, 4)} ({_damping(one, 3)})" if one.oscillates else _eigenvalue(one)
        for one in own
    ]
    if whole or len(own) <= IN_A_ROW + 1:
        return ", ".join(_alike(texts))
    least = min(range(len(own)), key=lambda k: own[k].damping)
    telling = [k for k, one in enumerate(own) if one.growth(slow) == UNSTABLE or k == least]
    # Modes that hardly move within that time matter least.
    rest = [k for k in range(len(own)) if k not in telling]
    rest.sort(key=lambda k: abs(own[k].eigenvalue) * slow < 1.0)
    shown = sorted([*telling, *rest[: max(0, IN_A_ROW - len(telling))]])
    return ", ".join([*_alike(texts[k] for k in shown), f"{len(own) - len(shown)} more"])


def _alike(texts: Iterable[str]) -> list[str]:
    """Texts with equal neighbours joined and counted."""
    each = [(text, len([*same])) for text, same in groupby(texts)]
    return [f"{count} x {text}" if count > 1 else text for text, count in each]


def _growth_counts(own: list[Mode], slow: float) -> str:
    """Number of growing modes of each kind."""
    found = [mode.growth(slow) for mode in own]
    return ", ".join(f"{found.count(kind)} {kind}" for kind in GROWTHS if kind and kind in found)


def periodic_table(one: Periodic, whole: bool = False) -> Table:
    """Return a table of the modes over a period, the least damped first.

    All modes with multiplier 1 share a row. All modes with multiplier zero within rounding share another row.
    whole: whether all modes are listed.
    """
    rows, grown, slow = [], [], one.series[0].slow
    stay, gone = ([mode for mode in one.modes if getattr(mode, how)] for how in ("stays", "gone"))
    if stay:
        rows.append(_unknown(one, stay, "1", ""))
        grown.append("")
    own = [mode for mode in one.modes if not (mode.stays or mode.gone)]
    shown, more = _few(own, "the least damped modes and the most damped mode", whole)
    for mode in shown:
        grown.append(_growth(mode, slow))
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
        rows.append(_unknown(one, gone, "0", "0"))
        grown.append("")
    columns = [
        "modes",
        "multiplier",
        "magnitude",
        "frequency [Hz]",
        "damping ratio",
        "time constant [s]",
        WHAT,
    ]
    right = [False, True, True, True, True, True, False]
    note = (
        f"{more} The sign of a frequency, and multiples of {1 / one.period:.6g} Hz in it, are undetermined."
    )
    note += " A multiplier printed as 0 is smaller than its rounding error." if gone else ""
    title = f"Floquet modes of the motion with the period {one.period:.6g} s"
    return _with_growth(Table(title, columns, rows, right, note=note.strip(), key="modes"), grown, slow)


def _unknown(one: Periodic, some: list[PeriodicMode], size: str, time_constant: str) -> list[str]:
    """Row of modes whose multipliers are 1 or 0 within their errors."""
    value = _within(size, [mode.within for mode in some])
    moving = _moving(one.series[0], [mode.mode for mode in some])
    return [str(len(some)), value, size, "", "", time_constant, moving]


def _multiplier(mode: PeriodicMode) -> str:
    value = mode.multiplier
    if value.imag <= 0:
        return number(value.real, DIGITS)
    return f"{number(value.real, DIGITS)} +- {number(value.imag, DIGITS)}i"
