"""Convert a record to groups and variables, and back from a NetCDF file.

The scenario is stored as text, so this module does not import the scenario classes.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from . import legs
from .integrity import Damaged
from .netcdf_file import Groups, Variable
from .record import Closest, EventRecord, Peaks, QuantityMeta, Recontact, Record, Sought, events_at_samples

MOST_VALUES = 8 * 10**9
"""Maximum size of the values to read [bytes].

The limit is needed because a small compressed file can declare an arbitrarily large array.
"""
TOO_MANY = f"has more than {MOST_VALUES / 1e9:.0f} GB of values, above the limit"
AXES = ("x", "y", "z")
QUATERNION = ("0", "1", "2", "3")
SHARED = {AXES: "axis", QUATERNION: "quaternion"}
"""Name of the dimension for each set of component names that many quantities share."""
FORMAT = "interstage-flight-4"
OF_LEGS = "interstage-flight-5"
"""Format name of a saved mission with legs."""
LEGS = "legs"
META_ATTRIBUTES = {
    "units": "unit",
    "long_name": "long_name",
    "frame": "frame",
    "reference": "reference",
    "comment": "note",
    "undetermined": "undetermined",
}
PEAKS = "peaks"
"""Name of the group with the extremes between samples, and of its time dimension."""
RESTART = "restart"
"""Name of the group with the data from which a flight can be continued."""
COURSE, INSTANT = "course", "instant"
"""Names of the group of quantities that have their own sample times, and of its time dimension."""
SIDES = ("before", "after")
AFTER_EVENT = "after_event"
"""Name of the variable in the root group that marks samples at events.

The values of these samples are just after the event. The group events/before has the values just before each
event.
"""


def layout(record: Record) -> Groups:
    """Return the groups and variables that store a record.

    The groups of a flight are bodies/<name>, joints/<name>, system, events, phases, restart and others. The
    groups of a mission are events, legs/<leg>/... for each leg, and bodies/<name>, which joins all legs of a
    body.
    """
    if record.legs:
        return _of_legs(record)
    groups: Groups = {"": {"time": Variable(("time",), record.time, {"units": "s", "long_name": "time"})}}
    groups[""][AFTER_EVENT] = Variable(
        ("time",),
        np.array(events_at_samples(record), dtype=object),
        {"long_name": "events at the time of the sample, whose values are just after the events"},
    )
    for path, meta in record.meta.items():
        if path in record.series and path != "time":
            _place(groups, "", path, "time", record.series[path], meta)
    for stem, (times, values) in record.courses.items():
        home = f"{stem.replace('.', '/')}/{COURSE}"
        groups[home] = {INSTANT: Variable((INSTANT,), times, {"units": "s", "long_name": "time"})}
        for name, rows in values.items():
            _place(groups, "", f"{stem}.{COURSE}.{name}", INSTANT, rows, record.meta[f"{stem}.{name}"])
    groups["events"] = _events(record)
    for side, rows in zip(SIDES, (record.before, record.after)):
        for path, meta in record.meta.items():
            if path in rows and path != "time":
                _place(groups, f"events/{side}/", path, "event", rows[path], meta)
    if len(record.peaks[0]):
        groups[PEAKS] = _peaks(record)
    groups["phases"] = _phases(record)
    groups[RESTART] = _pack(record.restart)
    return _without_conflicts(groups)


def _peaks(record: Record) -> dict[str, Variable]:
    """Extremes between samples as one table of all quantities; separate variables would take as long to
    write as the complete flight."""
    times, rows = record.peaks
    found = {path: rows[path] for path in record.meta if path in rows and path != "time"}
    columns = [
        (path, part, record.meta[path].unit, values.dtype.str)
        for path, values in found.items()
        for part in (record.meta[path].components if values.ndim > 1 else ("",))
    ]
    table = [values.astype(float).reshape(len(times), -1) for values in found.values()]
    labels = zip(("quantity", "component", "units", "type"), zip(*columns, strict=True), strict=True)
    return {
        PEAKS: Variable((PEAKS,), times, {"units": "s", "long_name": "time"}),
        "value": Variable((PEAKS, "column"), np.concatenate(table, 1)),
        **{name: _texts("column", list(texts)) for name, texts in labels},
    }


def _read_peaks(group: Any) -> Peaks:
    value = group["value"][()]
    quantities, types = np.array(_texts_of(group["quantity"])), _texts_of(group["type"])
    plain = np.array(_texts_of(group["component"])) == ""
    rows = {}
    for path in dict.fromkeys(quantities.tolist()):
        (places,) = np.nonzero(quantities == path)
        part = value[:, places[0]] if plain[places[0]] else value[:, places]
        rows[path] = part.astype(types[places[0]])
    return group[PEAKS][()], rows


def _pack(arrays: dict[str, np.ndarray]) -> dict[str, Variable]:
    """Join many small arrays to one array of each type, with their names, types and shapes."""
    names = list(arrays)
    types = [arrays[name].dtype.name for name in names]
    shapes = [" ".join(map(str, arrays[name].shape)) for name in names]
    found = {
        "array": _texts("array", names),
        "type": _texts("array", types),
        "shape": _texts("array", shapes),
    }
    for one in dict.fromkeys(types):
        own = [arrays[name].ravel() for name, of in zip(names, types, strict=True) if of == one]
        found[f"all_{one}"] = Variable((f"number_{one}",), np.concatenate(own))
    return found


def _unpack(group: Any) -> dict[str, np.ndarray]:
    """Restore the arrays that `_pack` has joined."""
    found, taken = {}, dict.fromkeys(group, 0)
    whole = {name: _read_values(group[name]) for name in group if name.startswith("all_")}
    for name, of, text in zip(*(_texts_of(group[key]) for key in ("array", "type", "shape")), strict=True):
        shape, key = tuple(map(int, text.split())), f"all_{of}"
        begin = taken[key]
        taken[key] += int(np.prod(shape))
        found[name] = whole[key][begin : taken[key]].reshape(shape)
    return found


def _without_conflicts(groups: Groups) -> Groups:
    """Move variables out of groups that have the name of a variable, as for `controls.keep.limited`.

    The contents of such a group are stored next to the variable, as "keep.limited"."""
    for name in list(groups):
        parent, _, leaf = name.rpartition("/")
        if leaf in groups.get(parent, {}):
            for own, variable in groups.pop(name).items():
                groups[parent][own if variable.dims == (own,) else f"{leaf}.{own}"] = variable
    return groups


def _events(record: Record) -> dict[str, Variable]:
    return {
        "event": _texts("event", [e.name for e in record.events]),
        "time": Variable(("event",), np.array([e.time for e in record.events], float), {"units": "s"}),
        "kind": _texts("event", [e.kind for e in record.events]),
        "phase": _texts("event", [e.phase for e in record.events]),
    }


def _phases(record: Record) -> dict[str, Variable]:
    return {
        "phase": _texts("phase", [name for name, _, _ in record.phases]),
        "start": Variable(("phase",), np.array([s for _, s, _ in record.phases], float), {"units": "s"}),
        "end": Variable(("phase",), np.array([e for _, _, e in record.phases], float), {"units": "s"}),
    }


def _of_legs(record: Record) -> Groups:
    groups: Groups = {"": {}, "events": _events(record), "phases": _phases(record)}
    groups["events"]["leg"] = _texts("event", [e.leg for e in record.events])
    for body in dict.fromkeys(path.split(".")[1] for path in record.meta if path.startswith("bodies.")):
        stem = f"bodies.{body}."
        whole = legs.of(record, next(path for path in record.meta if path.startswith(stem)))
        home = f"bodies/{body}"
        groups[home] = {"time": Variable(("time",), whole.time, {"units": "s", "long_name": "time"})}
        for path, meta in whole.meta.items():
            if path.startswith(stem) and path in whole.series:
                _place(groups, "", path, "time", whole.series[path], meta)
    for leg, one in record.legs.items():
        for name, variables in layout(one).items():
            groups[f"{LEGS}/{leg}/{name}".rstrip("/")] = variables
    return groups


def _texts(dim: str, texts: list[str]) -> Variable:
    return Variable((dim,), np.array(texts, dtype=object))


def _place(groups: Groups, prefix: str, path: str, row: str, values: np.ndarray, meta: QuantityMeta) -> None:
    *parents, name = path.split(".")
    group = groups.setdefault(prefix + "/".join(parents), {})
    dims: tuple[str, ...] = (row,)
    if values.ndim > 1:
        dim = SHARED.get(meta.components) or f"{name}_component"
        dims = (row, dim)
        home = groups[""] if dim in SHARED.values() else group
        home.setdefault(dim, _texts(dim, [str(c) for c in meta.components]))
    attrs = {key: getattr(meta, of) for key, of in META_ATTRIBUTES.items() if getattr(meta, of)}
    group[name] = Variable(dims, values, attrs)


def attributes(record: Record, scenario_text: str, versions: dict[str, str]) -> dict[str, Any]:
    """Return the attributes of the root group: scenario text, versions of packages, outcome and others."""
    of_legs = {}
    if record.legs:
        each = {leg: _how(one) | _data_without_series(one) for leg, one in record.legs.items()}
        of_legs = {
            "legs": json.dumps(each, default=_plain),
            "after_leg": json.dumps(record.after_leg),
            "unflown": json.dumps(record.unflown),
        }
    return {
        "title": str(tomllib.loads(scenario_text).get("title", "")),
        "format": OF_LEGS if record.legs else FORMAT,
        **_how(record),
        "versions": json.dumps(versions),
        **_data_without_series(record),
        **of_legs,
        "scenario": scenario_text,
    }


def _how(record: Record) -> dict[str, Any]:
    """Outcome of one flight."""
    return {
        "outcome": record.outcome,
        "completed": np.int8(record.completed),
        "warnings": json.dumps(list(record.warnings)),
        "corrections": json.dumps(list(record.corrections), default=_plain),
        **({"switches": json.dumps(record.switches)} if record.switches else {}),
        "statistics": json.dumps(record.statistics, default=_plain),
    }


def _data_without_series(record: Record) -> dict[str, Any]:
    """Data of one flight that are not series."""
    return {
        "clearance": json.dumps(
            [[asdict(item) for item in of] for of in (record.closest, record.recontacts)]
        ),
        "unjudged": json.dumps(record.unjudged),
        "earlier": json.dumps(record.earlier),
        "sought": json.dumps([[*one, times.tolist()] for one, times in record.sought.items()]),
        "left": json.dumps([[*one, value] for one, value in record.left.items() if np.isfinite(value)]),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    return str(value)


def refuse_other_formats(attrs: dict[str, Any]) -> None:
    """Raise Damaged if the root group's attributes declare an unknown file format."""
    found = str(attrs.get("format", ""))
    if found in (FORMAT, OF_LEGS):
        return
    if found.startswith(FORMAT[:-1]):
        raise Damaged(
            f"was saved by another version of interstage in the format {found[:60]}. This version"
            f" reads the format {FORMAT}"
        )
    raise Damaged(f"is not a saved flight of interstage, because it has no attribute format = '{FORMAT}'")


def read_record(file: Any, attrs: dict[str, Any]) -> Record:
    """Return the record in an open file. The record has no scenario.

    file: open HDF5 file. attrs: attributes of its root group.
    """
    if attrs["format"] == OF_LEGS:
        return _read_mission(file, attrs)
    return _read_record(file, attrs)


def _read_record(file: Any, attrs: dict[str, Any]) -> Record:
    series: dict[str, np.ndarray] = {}
    sides: dict[str, dict[str, np.ndarray]] = {side: {} for side in SIDES}
    meta: dict[str, QuantityMeta] = {}
    courses: dict[str, tuple[np.ndarray, dict[str, np.ndarray]]] = {}
    for name, item in _variables(file):
        parts, target = name.split("/"), series
        if parts[0] in ("phases", PEAKS, RESTART) or name == AFTER_EVENT or item.is_scale:
            continue
        if parts[0] == "events":
            if parts[1] not in sides:
                continue
            target, parts = sides[parts[1]], parts[2:]
        if parts[-2:-1] == [COURSE] and INSTANT in item.parent:
            _, values = courses.setdefault(".".join(parts[:-2]), (item.parent[INSTANT][()], {}))
            values[parts[-1]] = _read_values(item)
            continue
        path = ".".join(parts)
        target[path] = _read_values(item)
        meta[path] = _read_meta(item)
    clearance = json.loads(attrs.get("clearance", "[[], []]"))
    return Record(
        scenario=None,  # type: ignore[arg-type]  # set by results.open_flight
        time=file["time"][()],
        series=series,
        events=_read_events(file["events"]),
        before=sides["before"],
        after=sides["after"],
        meta=meta,
        **_reports_of(attrs),
        phases=_read_phases(file["phases"]),
        restart=_unpack(file[RESTART]),
        closest=[Closest(**_tuples(item)) for item in clearance[0]],
        recontacts=[Recontact(**_tuples(item)) for item in clearance[1]],
        courses=courses,
        peaks=_read_peaks(file[PEAKS]) if PEAKS in file else (np.zeros(0), {}),
        sought={
            Sought(*one): np.array(times, float) for *one, times in json.loads(attrs.get("sought", "[]"))
        },
        left={Sought(*one): float(value) for *one, value in json.loads(attrs.get("left", "[]"))},
        unjudged={path: tuple(why) for path, why in json.loads(attrs.get("unjudged", "{}")).items()},
        earlier=tuple(json.loads(attrs.get("earlier", "[]"))),
    )


def _read_mission(file: Any, attrs: dict[str, Any]) -> Record:
    of_legs = json.loads(attrs["legs"])
    found = {leg: _read_record(file[f"{LEGS}/{leg}"], said) for leg, said in of_legs.items()}
    record = legs.join_legs(None, found, json.loads(attrs["after_leg"]), json.loads(attrs["unflown"]))
    return replace(record, **_reports_of(attrs))


def _reports_of(attrs: dict[str, Any]) -> dict[str, Any]:
    """Texts of a flight: warnings, corrections and similar reports."""
    return {
        "statistics": json.loads(attrs["statistics"]),
        "corrections": json.loads(attrs["corrections"]),
        "switches": json.loads(attrs.get("switches", "[]")),
        "warnings": json.loads(attrs["warnings"]),
        "outcome": attrs["outcome"],
        "completed": bool(attrs["completed"]),
    }


def _tuples(item: dict[str, Any]) -> dict[str, Any]:
    """Convert lists from files to tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in item.items()}


def _read_events(group: Any) -> list[EventRecord]:
    names, kinds, phases = (_texts_of(group[key]) for key in ("event", "kind", "phase"))
    return [EventRecord(*row) for row in zip(names, group["time"][()].tolist(), kinds, phases)]


def _read_phases(group: Any) -> list[tuple[str, float, float]]:
    return list(zip(_texts_of(group["phase"]), group["start"][()].tolist(), group["end"][()].tolist()))


def _variables(group: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (path, dataset) of all members below a group, in the order of writing."""
    for name, item in group.items():
        if hasattr(item, "shape"):
            yield above + name, item
        else:
            yield from _variables(item, f"{above}{name}/")


def _texts_of(dataset: Any) -> list[str]:
    return dataset.asstr()[()].tolist()


def _read_values(item: Any) -> np.ndarray:
    if item.nbytes > MOST_VALUES:
        raise Damaged(TOO_MANY)
    values = item[()]
    return values.astype(bool) if item.attrs.get("dtype") == "bool" else values


def _read_meta(item: Any) -> QuantityMeta:
    components: tuple[str, ...] = ()
    if item.ndim > 1:
        components = tuple(_texts_of(item.dims[1][0]))
    texts = {of: str(item.attrs.get(key, "")) for key, of in META_ATTRIBUTES.items()}
    return QuantityMeta(components=components, **texts)
