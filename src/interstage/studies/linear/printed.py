"""Linear equations in tables."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...drawing.table import Table, number
from ...tree.errors import counted, listed
from ...tree.units import display
from .modes import Mode

if TYPE_CHECKING:
    from .floquet import Periodic, PeriodicMode
    from .matrices import State
    from .result import Linear, Series

DIGITS = 5
FEW_STATES, FEW_MODES = 40, 20
"""Up to how many states each is in a row of its own, and how many modes there are before the last one."""
IN_A_ROW = 6
"""Modes of a moment in a row of a series."""
AXES = ("x", "y", "z")
AXIS, NUMBER = re.compile(r"\.[xyz]$"), re.compile(r"\d+")
TOLD = 0.05
"""Share from which what takes part in a mode is named."""
ROUNDING = 1e-14
"""Part of the largest number of a unit below which one is its rounding."""
MOST = 3
"""Things that are named for a mode."""


def state_table(one: Linear, units: str = "SI", whole: bool = False) -> Table:
    """The states with their values and rates at the operating point. Of many, unless the `whole` is wanted,
    those with names that differ by numbers and axes only are in one row."""
    values, rates = (_without_rounding(one, part) for part in (one.x0, one.rates))
    short = not whole and len(one.states) > FEW_STATES
    each = runs(one.states) if short else {state.name: [k] for k, state in enumerate(one.states)}
    rows = []
    for name, own in each.items():
        unit = one.states[own[0]].unit
        factor, unit = display(unit, units) if unit else (1.0, "")
        rows.append([name, *(_range(part[own] * factor) for part in (values, rates)), unit])
    way, colon, by = one.standing.partition(": ")
    title = f"States {one.moment} ({one.time:.9g} s): {way}"
    note = f"It {way}, most of all {by}." if colon else ""
    if len(rows) < len(one.states):
        note += f" {counted(len(one.states), 'states')} in {counted(len(rows), 'rows')}; --all lists them."
    columns = ["state", "value", "rate, per s", "unit"]
    return Table(title, columns, rows, [False, True, True, False], note=note.strip(), key="states")


def runs(states: Sequence[State]) -> dict[str, list[int]]:
    """The numbers of states by rows: those in one whose names differ by numbers and axes only."""
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
    """The least and the largest number, or one where they are shown alike."""
    ends = [number(float(end), DIGITS) for end in (np.min(values), np.max(values))]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def _without_rounding(one: Linear, values: np.ndarray) -> np.ndarray:
    """Numbers of states, those zero that are rounding beside others of the same unit."""
    units = [state.unit for state in one.states]
    largest = {unit: max(abs(v) for v, own in zip(values, units) if own == unit) for unit in set(units)}
    return np.array([0.0 if abs(v) < ROUNDING * largest[own] else v for v, own in zip(values, units)])


def mode_table(one: Linear, whole: bool = False) -> Table:
    """The modes, the slowest first; those that are zero within rounding in one row. Of many, unless the
    `whole` is wanted, the slowest, those that grow, and the fastest."""
    rows, bad = [], set()
    zero = [mode for mode in one.modes if mode.zero]
    if zero:
        rows.append([str(len(zero)), "0", "", "", "", _moving(one, zero)])
    own = [mode for mode in one.modes if not mode.zero]
    shown, more = _few(own, "the slowest, what grows, and the fastest", whole)
    for mode in shown:
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
    return Table("Modes", columns, rows, right, note=f"{more} {note}".strip(), bad=bad, key="modes")


def _few(own: list[Any], which: str, whole: bool) -> tuple[list[Any], str]:
    """Some of many modes in their order, the last one and those that grow among them, and what to say of the
    others."""
    if whole or len(own) <= FEW_MODES + 2:
        return own, ""
    shown = [mode for k, mode in enumerate(own) if k < FEW_MODES or k == len(own) - 1 or mode.grows]
    if len(shown) == len(own):
        return own, ""
    return shown, f"{len(shown)} of {counted(len(own), 'modes')}: {which}; --all shows the others."


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


def series_table(series: Series, whole: bool = False) -> Table:
    """The modes of each moment that are not zero, the slowest first: frequency and damping of those that
    swing, eigenvalues of the others; a few of these unless the `whole` is wanted."""
    rows, bad = [], set()
    for one in series:
        own = [mode for mode in one.modes if not mode.zero]
        if any(mode.grows for mode in own):
            bad.add(len(rows))
        swings = [f"{number(m.frequency, 4)} ({_damping(m, 3)})" for m in own if m.oscillates]
        others = [_eigenvalue(m) for m in own if not m.oscillates]
        swings, others = (", ".join(texts if whole else _first(texts)) for texts in (swings, others))
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


def _first(texts: list[str]) -> list[str]:
    """Some of many, and how many more there are."""
    return texts if len(texts) <= IN_A_ROW + 1 else [*texts[:IN_A_ROW], f"{len(texts) - IN_A_ROW} more"]


def periodic_table(one: Periodic, whole: bool = False) -> Table:
    """The modes over a period, the least damped first; those that stay as they are in one row, and in another
    those of which nothing is left that could be told from rounding; a few of many unless the `whole` is
    wanted."""
    rows, bad = [], set()
    stay, gone = ([mode.mode for mode in one.modes if getattr(mode, how)] for how in ("stays", "gone"))
    if stay:
        rows.append([str(len(stay)), "1", "1", "", "", "", _moving(one.series[0], stay)])
    own = [mode for mode in one.modes if not (mode.stays or mode.gone)]
    shown, more = _few(own, "the least damped, and the last", whole)
    for mode in shown:
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
    note = f"{more} To a frequency any whole number of {1 / one.period:.6g} Hz, or to minus it, may be added."
    note += " Modes that grow are red; their time constant is negative." if bad else ""
    note += " Zero: what is left of it is rounding." if gone else ""
    title = f"Modes over a period of {one.period:.9g} s"
    return Table(title, columns, rows, right, note=note.strip(), bad=bad, key="modes")


def _multiplier(mode: PeriodicMode) -> str:
    value = mode.multiplier
    if value.imag <= 0:
        return number(value.real, DIGITS)
    return f"{number(value.real, DIGITS)} +- {number(value.imag, DIGITS)}i"
