"""Summarize a flight in a few short tables: events, peak loads, separations, checks, requirements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..drawing.curves import thousands
from ..drawing.table import Table, number, numbers, peak, peak_is_shared, seek_peaks, time_text
from ..maths.connected import Connected
from ..model.effect import effects
from ..model.sequence import Actions
from ..record.absent import left_out
from ..record.conservation import drifts
from ..record.envelope import LOADS, bearing, envelope
from ..record.peaks import error_of
from ..record.record import MAY_BE_INFINITE, EventRecord, Record, Sought, names_with, timeline
from ..record.requirements import Margin, evaluate
from ..record.rounding import noise, without_rounding
from ..record.sources import doubts
from ..tree.names import GROUND
from ..tree.units import display, in_units
from . import mission, of_parts
from .order import TABLES, in_order

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

SHOWN = 1e-3
"""Minimum relative amount by which the peak of a vector between samples must exceed the table before a note
reports it.
"""
OF_EACH_BODY = ("course", "extremes")
"""Keys of tables that exist for each body. The terminal shows only the table of the first body."""
VIOLATION_NOTE = (
    "The constraint violation is the largest numerical error of the active joints: a position error [m] or a"
    " direction-cosine error [-]."
)
DRIFT_NOTE = (
    "The drift is the largest numerical change of a quantity that should be constant. The energy drift"
    " restarts at zero after each event. The relative drift is the drift divided by the magnitude of the"
    " terms"
    " of the quantity."
)
KINDS = {
    "phase": "phase begins",
    "end": "flight ends",
    "limit": "time limit",
    "device": "device event",
    "event": "event occurs",
}
"""Texts that describe events without actions, by kind of event. Packages of models add texts for their own
kinds.
"""


def tables(record: Record, units: str | None = None, margins: list[Margin] | None = None) -> list[Table]:
    """Return all tables of a flight that have rows, in the order of `order.TABLES`.

    - units: unit system, "SI" or "US". Default: the unit system of the scenario.
    - margins: results of the requirements. Default: evaluated from the record.
    """
    units = units or record.scenario.units
    margins = evaluate(record) if margins is None else margins
    if record.legs:
        return _of_legs(record, units, margins)
    found = [events_table(record), *mission.tables(record, units)]
    found += [requirements_table(margins, units), *_of_flight(record, units)]
    return in_order([table for table in found if table.rows], TABLES)


def _of_flight(record: Record, units: str) -> list[Table]:
    """Return the tables of a flight, or of one leg of a mission."""
    made, faults = of_parts.make_of_parts(of_parts.TABLES, record, units)
    return [
        *made,
        loads_table(record, units),
        separations_table(record, units),
        checks_table(record, units),
        Table("Omitted", ["reason"], [[text] for text in faults], [False], key="left out"),
    ]


def _of_legs(record: Record, units: str, margins: list[Margin]) -> list[Table]:
    """Return the tables of a mission, followed by the tables of each leg in order."""
    found = [legs_table(record), events_table(record), *mission.tables(record, units)]
    found.append(requirements_table(margins, units))
    for leg, one in record.legs.items():
        own = in_order(_of_flight(one, units), TABLES)
        found += [replace(table, title=f"Leg {leg}: {table.title}") for table in own]
    return [table for table in found if table.rows]


def legs_table(record: Record) -> Table:
    """Return a table with start, end, bodies and number of integration steps of each leg of a mission."""
    rows, bad = [], set()
    for leg, one in record.legs.items():
        bodies = ", ".join(body.name for body in one.scenario.bodies)
        steps = str(one.statistics.get("steps accepted", ""))
        begun, ended = (time_text(float(one.time[k])) if len(one.time) else "" for k in (0, -1))
        how = "" if one.completed else "ended early"
        rows.append([leg, record.after_leg[leg], begun, ended, steps, bodies, how])
    for leg in record.unflown:
        rows.append([leg, record.after_leg[leg], "", "", "", "", "not flown"])
    bad = {row for row, cells in enumerate(rows) if cells[-1]}
    columns = ["leg", "after leg", "start [s]", "end [s]", "steps", "bodies", "status"]
    return Table("Legs", columns, rows, [False, False, True, True, True, False, False], bad=bad, key="legs")


def events_table(record: Record) -> Table:
    """Return a table of all events with their times. If the flight ended early, this end is the last row."""
    rows = [[time_text(e.time), e.name, action_text(record, e), e.phase] for e in record.events]
    ends: list[float] = []
    if not record.completed and not record.legs and record.phases:
        phase, _, end = record.phases[-1]
        rows.append([time_text(end), "", "flight ends early", phase])
        ends.append(end)
    columns, right = ["time [s]", "event", "action", "phase"], [True, False, False, False]
    if record.legs:
        rows = [[*row, event.leg] for row, event in zip(rows, record.events, strict=True)]
        columns, right = [*columns, "leg"], [*right, False]
    times = [event.time for event in record.events]
    return Table("Events", columns, rows, right, key="events", times=[*times, *ends])


def action_text(record: Record, event: EventRecord) -> str:
    """Return a text that describes the actions at an event. For an event without actions, the text describes
    the kind of event.
    """
    legs = (record.scenario, *record.scenario.legs)
    for actions in (actions for leg in legs for actions in (*leg.phases, *leg.events)):
        if actions.name == event.name:
            done = [
                f"{verb.replace('_', ' ')} {name}"
                for verb in Actions.model_fields
                for name in getattr(actions, verb, ())
                if isinstance(name, str)
            ]
            done += [f"make {new.joint} {new.kind}" for new in actions.replace]
            return ", ".join(done) or _kind(record, event.kind)
    return _kind(record, event.kind)


def _kind(record: Record, kind: str) -> str:
    """Return the text for a kind of event."""
    if record.legs and kind == "end":
        return "leg ends"
    known = [KINDS, *of_parts.events(record.scenario)]
    return next((texts[kind] for texts in known if kind in texts), kind)


def loads_table(record: Record, units: str) -> Table:
    """Return a table of the largest force and torque of each joint, with their times."""
    force_factor, force_unit = display("N", units)
    torque_factor, torque_unit = display("N m", units)
    joints = [
        joint
        for joint in names_with(record, "joints", "force")
        if np.any(timeline(record, f"joints.{joint}.active")[1])
    ]
    exact = seek_peaks(record, [f"joints.{joint}.{load}.magnitude" for joint in joints for load in LOADS])
    least = noise(record, [f"joints.{joint}.{load}" for joint in joints for load in LOADS])

    def cells(path: str, factor: float) -> list[str]:
        value, time = peak(record, path)
        mark = " *" if peak_is_shared(record, path, value, time) else ""
        return [number(without_rounding(value, least[path]) * factor) + mark, time_text(time)]

    factors = dict(zip(LOADS, (force_factor, torque_factor), strict=True))
    rows = [
        [joint, *(cell for load in LOADS for cell in cells(f"joints.{joint}.{load}", factors[load]))]
        for joint in joints
    ]
    columns = ["joint", f"force [{force_unit}]", "time [s]", f"torque [{torque_unit}]", "time [s]"]
    note = "The table shows the largest force and torque on the child body of the joint, at the joint point."
    note += "" if exact else " Only values at samples and events were compared."
    note += _doubt(record, [f"joints.{joint}.{load}" for joint in joints for load in LOADS] if exact else [])
    if any(cell.endswith(" *") for row in rows for cell in row[1:]):
        note += " * This joint load is statically indeterminate. The warnings state the assumed distribution."
    right = [False, True, True, True, True]
    return Table("Peak joint loads", columns, rows, right, note, key="joint loads", of_samples=not exact)


def _doubt(record: Record, paths: list[str]) -> str:
    """Return a sentence on the largest relative error of vector peaks that were not searched, or ""."""
    sizes = [(peak(record, path)[0], Sought(f"{path}.magnitude", 1.0)) for path in paths]
    parts = [error_of(record, one, size) / size for size, one in sizes if size > 0]
    worst = max(parts, default=0.0)
    return f" Between samples, the loads can be about {100 * worst:.2g} % larger." if worst > SHOWN else ""


def envelope_table(record: Record, units: str) -> Table:
    """Return a table of the smallest and largest value of each load component in each phase. Components that
    are always zero are omitted.
    """
    rows, whole = [], envelope(record)
    rounding = noise(record, {found.path for found in whole})
    for found in bearing(whole):
        factor, unit = display(found.unit, units)
        name = f"{found.path}.{found.component}" if found.component else found.path
        sides = (found.least, found.least_time), (found.largest, found.largest_time)
        cells = []
        for value, time in sides:
            value = without_rounding(value, rounding[found.path])
            cells += [number(value * factor), time_text(time)]
        rows.append([name, "" if unit == "1" else unit, found.phase or "all", *cells])
    columns = ["load", "unit", "phase", "smallest", "time [s]", "largest", "time [s]"]
    right = [False, False, False, True, True, True, True]
    note, left_out = "The smallest and largest values are from samples and events.", len(whole) - len(rows)
    if record.at_steps is not None:
        note = "The smallest and largest values are from samples, events and ends of integration steps."
    if left_out:
        components = "component that is" if left_out == 1 else "components that are"
        note += f" The table omits {left_out} load {components} always zero."
    return Table("Envelope of the loads", columns, rows, right, note, key="envelope")


@dataclass(frozen=True)
class SeparatedPair:
    """Pair of bodies after its release, when all separation devices between the bodies are spent.

    - parent, child: names of the bodies.
    - released: time of the release [s]; None if this flight starts during the push.
    - spent: time at which the last device stops pushing [s]; None if a device still pushes at the
      end.
    - speed: relative inertial speed of the centres of mass [m/s], at the time `spent` or at the end
      of the flight.
    - rates: relative angular rates (3,) [rad/s] at this time, in axes of the child. Rounding errors
      are set to zero.
    """

    parent: str
    child: str
    released: float | None
    spent: float | None
    speed: float
    rates: np.ndarray


def separated_pairs(record: Record) -> Iterator[SeparatedPair]:
    """Yield each released pair of bodies of a flight, or of one leg of a mission."""
    for parent, child, released, free in separations(record):
        pair = pair_path(record, parent, child)
        if pair is None:
            continue
        side, row = (record.series, -1) if free is None else (record.after, free)
        # Not the length of relative_velocity, which is relative to the rotating axes of the first body.
        speed = float(side[f"{pair}.relative_speed"][row])
        least = noise(record, [f"{pair}.relative_speed", f"{pair}.relative_rate"])
        rates = side[f"{pair}.relative_rate"][row]
        yield SeparatedPair(
            parent,
            child,
            None if released is None else record.events[released].time,
            None if free is None else record.events[free].time,
            without_rounding(speed, least[f"{pair}.relative_speed"]),
            np.where(np.abs(rates) > least[f"{pair}.relative_rate"], rates, 0.0),
        )


def separations_table(record: Record, units: str) -> Table:
    """Return a table of the separation speed and the relative angular rates of each released pair.

    The values are taken when all separation devices between the two bodies are spent.
    """
    speed_factor, speed_unit = display("m/s", units)
    rate_factor, rate_unit = display("rad/s", units)
    rows = [
        [
            f"{pair.parent} / {pair.child}",
            "before start" if pair.released is None else time_text(pair.released),
            "not yet" if pair.spent is None else time_text(pair.spent),
            number(pair.speed * speed_factor),
            "  ".join(numbers(pair.rates * rate_factor, 4)),
            recontact_text(record, {pair.parent, pair.child}),
        ]
        for pair in separated_pairs(record)
    ]
    columns = [
        "pair",
        "released [s]",
        "devices spent [s]",
        f"speed [{speed_unit}]",
        f"angular rates x, y, z [{rate_unit}]",
    ]
    note = (
        "The devices are spent when all separation devices between the two bodies have stopped pushing. Speed"
        " and angular rates are values at this time. The speed is the relative inertial speed of the centres"
        " of mass (separation speed). The angular rates are the components of the relative angular velocity,"
        " in axes of the second body. Recontact is checked only for pairs with a declared clearance."
    )
    right = [False, True, True, True, False, False]
    return Table("Separation", [*columns, "recontact"], rows, right, note, key="separations")


def recontact_text(record: Record, pair: set[str]) -> str:
    """Return the time of the first recontact of two bodies after their separation, "no", or "not checked".

    pair: names of the two bodies.
    """
    watched = {c.name for c in record.closest if {name.partition(".")[0] for name in c.between} == pair}
    met = [one.time for one in record.recontacts if one.name in watched]
    return f"at {time_text(min(met))} s" if met else "no" if watched else "not checked"


def separations(record: Record) -> Iterator[tuple[str, str, int | None, int | None]]:
    """Yield (parent, child, release row, end row) for each released pair of bodies.

    The release row is the index of the release in the table of events; None if the flight starts during the
    push. The end row is the index of the event that ends the push; None if a device between the two stacks
    still pushes.
    """
    held = _connections(record)
    for (parent, child), sides in held.items():
        before, after = (np.any(side, axis=0) for side in sides)
        released = np.flatnonzero(before & ~after)
        if parent == GROUND:
            continue
        if len(released):
            row = int(released[-1])
            yield parent, child, row, _end_of_push(record, _between(record, held, parent, child, row), row)
        elif len(before) and not before[0]:
            states = _between(record, held, parent, child, 0)
            if any(record.series[path][0] > 0 for path in states if path in record.series):
                yield parent, child, None, _end_of_push(record, states, 0)


Held = dict[tuple[str, str], tuple[list[np.ndarray], list[np.ndarray]]]


def _connections(record: Record) -> Held:
    """Return the pairs (parent, child) that are connected by joints, or by models that act in some phases.

    The value of a pair is two lists of arrays (event,): states of the connections just before and just after
    each event."""
    found: Held = {}

    def add(item: Any, before: np.ndarray, after: np.ndarray) -> None:
        own = (item.parent, item.child)
        sides = found.setdefault(own[::-1] if own[::-1] in found else own, ([], []))
        sides[0].append(before)
        sides[1].append(after)

    known = {*names_with(record, "joints", "active")}  # bodies of a point-mass flight have none
    for joint in record.scenario.joints:
        if joint.name in known:
            path = f"joints.{joint.name}.active"
            add(joint, record.before[path] > 0, record.after[path] > 0)
    phases = [event.phase for event in record.events]
    for effect in effects(record.scenario):
        if effect.holds and (own := getattr(effect, "phases", None)) is not None:
            after = np.array([phase in own for phase in phases], bool)
            add(effect, np.concatenate([after[:1], after[:-1]]), after)
    return found


def _between(record: Record, held: Held, parent: str, child: str, row: int) -> list[str]:
    """Return the paths of the states of the devices between the two stacks of a pair just after an event.

    row: row of the event. If other connections still connect the two bodies, only devices between the two
    bodies count."""
    stacks = Connected()
    for pair, (_, after) in held.items():
        if np.any(after, axis=0)[row] and GROUND not in pair:
            stacks.join(*pair)
    for effect in effects(record.scenario):
        always = effect.holds and getattr(effect, "phases", None) is None
        if always and effect.ends and GROUND not in effect.ends:
            stacks.join(*effect.ends)
    heads = {stacks.head(parent), stacks.head(child)}
    known = stacks.head if len(heads) == 2 else str
    wanted = heads if len(heads) == 2 else {parent, child}
    return [
        f"devices.{device.name}.state"
        for device in record.scenario.devices
        if {known(getattr(device, end, "")) for end in ("parent", "child")} == wanted
    ]


def _end_of_push(record: Record, states: list[str], release: int) -> int | None:
    """Return the row of the event at which the last device of a pair stops pushing, at or after its release.

    - states: paths of the device states.
    - release: row of the release event.

    Return None if a device still pushes."""
    end = release
    for path in states:
        if path not in record.after:
            continue
        pushing = record.after[path][release:] > 0
        if pushing[-1]:
            return None
        end = max(end, release + int(np.flatnonzero(pushing)[-1]) + 1 if pushing.any() else end)
    return end


def pair_path(record: Record, one: str, other: str) -> str | None:
    """Return the path of the quantities of a pair of bodies; None if the record has no quantities of the
    pair.

    The order of the two names in the path is the order in the record.

    one, other: names of the two bodies.
    """
    for pair in (f"pairs.{one}.{other}", f"pairs.{other}.{one}"):
        if f"{pair}.distance" in record.series:
            return pair
    return None


def checks_table(record: Record, units: str) -> Table:
    """Return a table of constraint violations, and of drifts of conserved quantities."""
    rows, bad = [], set()
    lost = not_finite(record)
    if lost:
        when, path = min((when, path) for path, when in lost.items())
        rows.append(
            [
                "quantities with invalid values (infinite or NaN)",
                str(len(lost)),
                "",
                f"first: {path} at {time_text(when)} s",
            ]
        )
        bad.add(0)
    worst, where, when = worst_violation(record)
    if where:
        place = f"joint {where} at {time_text(when)} s"
        rows.append(["constraint violation", number(worst, 3), "m or -", place])
    for drift in drifts(record):
        factor, unit = display(drift.unit, units)
        relative = f"relative drift {number(drift.relative, 3)} {drift.measured}".strip()
        rows.append([f"drift of {drift.what}", number(drift.worst * factor, 3), unit, relative])
    columns, right = ["check", "largest value", "unit", "details"], [False, True, False, False]
    notes = [VIOLATION_NOTE] if where else []
    notes += [DRIFT_NOTE] if any(row[0].startswith("drift") for row in rows) else []
    return Table("Checks", columns, rows, right, " ".join(notes), bad, key="checks")


def not_finite(record: Record) -> dict[str, float]:
    """Return the time [s] of the first value that is not finite, by path of the quantity. All other
    quantities are omitted.
    """
    found = {}
    for path, values in record.series.items():
        fine = ~np.isnan(values) if record.meta[path].note == MAY_BE_INFINITE else np.isfinite(values)
        bad = ~fine.all(axis=tuple(range(1, fine.ndim)))
        if bad.any():
            found[path] = float(record.time[np.argmax(bad)])
    return found


def worst_violation(record: Record) -> tuple[float, str, float]:
    """Return (largest constraint violation [m, or error of a direction cosine], name of the joint, time [s]).

    If no joint has a violation, return (NaN, "", NaN).
    """
    found = [
        (*peak(record, f"joints.{name}.violation", None), name)
        for name in names_with(record, "joints", "violation")
        if np.any(timeline(record, f"joints.{name}.active")[1])
    ]
    found = [(value, name, when) for value, when, name in found if not np.isnan(value)]
    return max(found, default=(np.nan, "", np.nan))


def requirements_table(margins: list[Margin], units: str) -> Table:
    """Return a table with the value, limit and margin of each requirement of the scenario."""
    rows, bad = [], set()
    for row, margin in enumerate(margins):
        factor, unit = thousands(*display(margin.unit, units), np.array([margin.limit]))
        value = number(without_rounding(margin.value, margin.rounding) * factor)
        value += "" if unit == "1" or margin.note else f" {unit}"
        limit = f"{'>=' if margin.side == 'min' else '<='} {margin.limit * factor:.6g}"
        kept = "pass so far" if margin.partly else "pass"
        verdict = "not checked" if not margin.has_verdict else kept if margin.passed else "BROKEN"
        where = in_units(margin.note, units) or margin.where
        where += f"; {margin.meaning}" if margin.meaning else ""
        if margin.doubtful:
            more = "larger" if margin.side == "max" else "smaller"
            size = number(margin.error * factor, 2) + ("" if unit == "1" else f" {unit}")
            where += f"; between samples, the value can be about {size} {more}"
        rows.append(
            [
                margin.name,
                value,
                limit,
                number(margin.margin * factor),
                verdict,
                time_text(margin.time),
                where,
            ]
        )
        if margin.has_verdict and not margin.passed:
            bad.add(row)
    columns = ["requirement", "value", "limit", "margin", "result", "time [s]", "condition"]
    right = [False, True, True, True, False, True, False]
    note = (
        "The margin is the distance from the value to the limit, negative if the requirement is violated."
        " Limit and margin have the unit of the value."
    )
    return Table("Requirements", columns, rows, right, note, bad=bad, key="requirements")


def show(
    console: Console,
    found: list[Table],
    record: Record,
    units: str | None = None,
    report: Path | None = None,
) -> None:
    """Print tables on a terminal, followed by the warnings and the outcome.

    - console: console of the terminal.
    - units: unit system, "SI" or "US". Default: the unit system of the scenario.
    - report: path of the report page. Without a report, the text recommends the option --report.
    """
    left_out = [table.title for table in found if table.page_only and table.key in OF_EACH_BODY]
    found = [table for table in found if not table.page_only]
    units = units or record.scenario.units
    from rich.text import Text

    from .console import show_tables

    show_tables(console, found)
    interval = record.scenario.output.interval
    of_samples = [table.title for table in found if table.of_samples]
    if interval is not None and of_samples:
        listed = ", ".join(of_samples)
        text = f"These tables use only values at events and at samples every {float(interval):g} s: {listed}."
        console.print(Text(text), style="dim")
    if left_out:
        place = str(report) if report is not None else "the report page (--report flight.html)"
        text = f"Further tables are only in {place}: {', '.join(left_out)}."
        console.print(Text(text), style="dim")
    for text in remarks(record, units):
        console.print(Text(text), style="yellow")
    console.print(Text(in_units(record.outcome, units)), style=None if record.completed else "bold red")


def remarks(record: Record, units: str | None = None) -> list[str]:
    """Return one line for each correction of the initial state, each change of coordinates, and each warning.

    units: unit system of values in the lines, "SI" or "US". Default: the unit system of the scenario.
    """
    corrections = [f"Correction of the initial state: {correction_text(c)}" for c in record.corrections]
    switches = [f"Switch of coordinates: {text}" for text in record.switches]
    texts = [*corrections, *switches, *(f"Warning: {text}" for text in record.warnings)]
    shown = [in_units(text, units or record.scenario.units) for text in texts]
    return [*shown, *left_out(record.scenario), *doubts(record.scenario)]


def correction_text(correction: Any) -> str:
    """Return the text of a correction of the initial state, as one line."""
    if isinstance(correction, dict):
        return ", ".join(f"{key} {value}" for key, value in correction.items())
    return str(correction)
