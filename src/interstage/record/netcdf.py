"""The layout of a flight's groups and variables, and its NetCDF file.

The file is NetCDF-4, which is HDF5 with dimension scales, and is written with h5py: xarray's writer takes ten
times as long, most of it in its import. xarray, ncdump and any other NetCDF reader open it. The file carries
its scenario as text, so nothing here needs a scenario's classes.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..tree.errors import BadInput
from . import legs
from .record import Closest, EventRecord, QuantityMeta, Recontact, Record, Sought, events_at_samples

AXES = ("x", "y", "z")
QUATERNION = ("0", "1", "2", "3")
SHARED = {AXES: "axis", QUATERNION: "quaternion"}
"""Components that most quantities have, and the dimension they share."""
FORMAT = "interstage-flight-2"
OF_LEGS = "interstage-flight-3"
"""Format of a mission with legs; that of one flight stays what it was."""
LEGS = "legs"
COMPRESS_ABOVE = 1 << 16
"""Size [bytes] above which a variable is compressed; small ones are written as they are, which is faster."""
META_ATTRIBUTES = {
    "units": "unit",
    "long_name": "long_name",
    "frame": "frame",
    "reference": "reference",
    "comment": "note",
}
PEAKS = "peaks"
"""Group of the extremes between samples, and its axis."""
COURSE, INSTANT = "course", "instant"
"""Group of the values of quantities that have times of their own, and its axis."""
SIDES = ("before", "after")
AFTER_EVENT = "after_event"
"""Variable of the root that marks samples on events: their values are those just after; those before are in
events/before."""


@dataclass
class Variable:
    """One variable of a group: names of its dimensions, values, attributes."""

    dims: tuple[str, ...]
    values: np.ndarray
    attrs: dict[str, Any] = field(default_factory=dict)


Groups = dict[str, dict[str, Variable]]
"""Group path ("" is the root) -> variable name -> variable. One named like its dimension is a coordinate."""


def layout(record: Record) -> Groups:
    """All of a record as groups: bodies/<name>, joints/<name>, ..., system, events, phases, restart; of a
    mission bodies/<name>, each through its legs and with times of its own, the events, and legs/<leg>/...,
    each as a record of one flight."""
    if record.legs:
        return _of_legs(record)
    groups: Groups = {"": {"time": Variable(("time",), record.time, {"units": "s", "long_name": "time"})}}
    groups[""][AFTER_EVENT] = Variable(
        ("time",),
        np.array(events_at_samples(record), dtype=object),
        {"long_name": "events at the time of the sample, whose values are those just after them"},
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
        at = Variable((PEAKS,), record.peaks[0], {"units": "s", "long_name": "time"})
        groups[PEAKS] = {PEAKS: at}
        for path, meta in record.meta.items():
            if path in record.peaks[1] and path != "time":
                _place(groups, f"{PEAKS}/", path, PEAKS, record.peaks[1][path], meta)
    groups["phases"] = _phases(record)
    groups["restart"] = {
        name: Variable(tuple(f"{name}_{axis}" for axis in range(values.ndim)), values)
        for name, values in record.restart.items()
    }
    return _apart(groups)


def _apart(groups: Groups) -> Groups:
    """No group may have the name of a variable beside it, as that of `controls.keep.limited` would: what
    is in such a group stands beside the variable, "keep.limited"."""
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
    """The attributes of the root group: what was flown, with what, and how it went."""
    of_legs = {}
    if record.legs:
        each = {leg: _how(one) | _beside(one) for leg, one in record.legs.items()}
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
        **_beside(record),
        **of_legs,
        "scenario": scenario_text,
    }


def _how(record: Record) -> dict[str, Any]:
    """How one flight went."""
    return {
        "outcome": record.outcome,
        "completed": np.int8(record.completed),
        "warnings": json.dumps(list(record.warnings)),
        "corrections": json.dumps(list(record.corrections), default=_plain),
        **({"switches": json.dumps(record.switches)} if record.switches else {}),
        "statistics": json.dumps(record.statistics, default=_plain),
    }


def _beside(record: Record) -> dict[str, Any]:
    """What is known of one flight that is no series."""
    return {
        "clearance": json.dumps(
            [[asdict(item) for item in of] for of in (record.closest, record.recontacts)]
        ),
        "unjudged": json.dumps(record.unjudged),
        "earlier": json.dumps(record.earlier),
        "sought": json.dumps([[*one, times.tolist()] for one, times in record.sought.items()]),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    return str(value)


def write(path: Path, groups: Groups, attrs: dict[str, Any]) -> None:
    """Write the file under another name first, so that a broken-off save leaves no half file behind.

    Raises BadInput where the place cannot be written to.
    """
    import h5py

    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        # Attributes above 64 kB, such as a scenario with long tables, need the newer attribute storage.
        with h5py.File(draft, "w", libver=("v108", "latest"), track_order=True) as file:
            for key, value in attrs.items():
                file.attrs[key] = value
            _write_groups(file, groups)
        os.replace(draft, path)
    except OSError as error:
        raise BadInput(
            f"cannot write '{path}': {error.strerror or error}. Choose another file with -o"
        ) from None
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


def _write_groups(file: Any, groups: Groups) -> None:
    from h5py import h5ds  # pyright: ignore[reportAttributeAccessIssue]

    scales: dict[str, dict[str, Any]] = {}
    for name, variables in groups.items():
        group = _group(file, name)
        # Coordinates first: a variable attaches the scales of its dimensions.
        for key in sorted(variables, key=lambda key: (key,) != variables[key].dims):
            variable = variables[key]
            dataset = _write_variable(group, key, variable)
            if variable.dims == (key,):
                dataset.make_scale(key)
                scales.setdefault(key, {})[name] = dataset
                continue
            for axis, dim in enumerate(variable.dims):
                homes = scales.setdefault(dim, {})
                home = _nearest(homes, name)
                if home is None:
                    home = homes[name] = _bare_dimension(group, dim, dataset.shape[axis])
                h5ds.attach_scale(dataset.id, home.id, axis)


def _group(file: Any, name: str) -> Any:
    """The group at a path; it and those above it keep the order in which their members are made."""
    for part in name.split("/") if name else ():
        file = file[part] if part in file else file.create_group(part, track_order=True)
    return file


def _nearest(homes: dict[str, Any], group: str) -> Any:
    """A dimension belongs to the variable's own group or the nearest one above, as NetCDF has it; none where
    it is in neither."""
    while group and group not in homes:
        group = group.rpartition("/")[0]
    return homes.get(group)


def _bare_dimension(group: Any, name: str, size: int) -> Any:
    """A dimension without a coordinate, in the words by which NetCDF knows that it is none."""
    scale = group.create_dataset(name, shape=(size,), dtype=">f4")
    scale.make_scale(f"This is a netCDF dimension but not a netCDF variable. {size:9d}")
    return scale


def _write_variable(group: Any, name: str, variable: Variable) -> Any:
    import h5py

    values, options = variable.values, {}
    attrs = dict(variable.attrs)
    if values.dtype == object:
        options["dtype"] = h5py.string_dtype()
    elif values.dtype == bool:  # NetCDF has no truth values; this is how xarray marks them
        values, attrs["dtype"] = values.astype(np.int8), "bool"
    elif values.nbytes > COMPRESS_ABOVE:
        options.update(compression="gzip", compression_opts=1, shuffle=True)
    dataset = group.create_dataset(name, data=values, track_order=True, **options)
    for key, value in attrs.items():
        if type(value) is str:
            _write_text(dataset, key, value)
        else:
            dataset.attrs[key] = value
    return dataset


def _write_text(dataset: Any, key: str, text: str) -> None:
    """A new attribute, as `dataset.attrs` writes it in three times the time; a flight has a thousand."""
    from h5py import h5a  # pyright: ignore[reportAttributeAccessIssue]

    kind, memory, one = _text_type()
    h5a.create(dataset.id, key.encode(), kind, one).write(np.array(text, dtype=object), mtype=memory)


@cache
def _text_type() -> tuple[Any, Any, Any]:
    """HDF5's types of texts, in a file and in memory, and the shape of a single one."""
    from h5py import h5s, h5t, string_dtype

    kind = string_dtype()
    return h5t.py_create(kind, logical=True), h5t.py_create(kind), h5s.create(h5s.SCALAR)


def read(path: Path) -> tuple[Record, dict[str, Any]]:
    """The record and the root attributes of a saved flight; the record's scenario is left to the caller.

    Raises BadInput for a file that is missing or is not a flight.
    """
    import h5py

    if not path.is_file():
        raise BadInput(f"there is no file '{path}'")
    try:
        with h5py.File(path, "r") as file:
            attrs = {key: file.attrs[key] for key in file.attrs}
            found = str(attrs.get("format", ""))
            if found == OF_LEGS:
                return _read_mission(file, attrs), attrs
            if found != FORMAT and found.startswith(FORMAT[:-1]):
                raise BadInput(
                    f"'{path}' was saved by another version of interstage ({found}, this one reads {FORMAT});"
                    " fly its scenario again with -o"
                )
            if found != FORMAT:
                raise BadInput(
                    f"'{path}' is not a saved flight of interstage (attribute format = '{FORMAT}')"
                )
            return _read_record(file, attrs), attrs
    except OSError:
        raise BadInput(_no_flight(path)) from None


def _no_flight(path: Path) -> str:
    """What to say of a file that is not read as a flight."""
    if path.suffix.lower() == ".toml":
        saved = path.with_suffix(".nc")
        return (
            f"'{path}' is a scenario, not a saved flight; fly it with: interstage run {path} -o {saved}"
            f" --report {path.with_suffix('.html')}"
        )
    return f"'{path}' is not a NetCDF-4 file, or is damaged. Fly the scenario again with -o"


def _read_record(file: Any, attrs: dict[str, Any]) -> Record:
    series: dict[str, np.ndarray] = {}
    sides: dict[str, dict[str, np.ndarray]] = {side: {} for side in SIDES}
    meta: dict[str, QuantityMeta] = {}
    restart: dict[str, np.ndarray] = {}
    peaks: dict[str, np.ndarray] = {}
    courses: dict[str, tuple[np.ndarray, dict[str, np.ndarray]]] = {}
    for name, item in _variables(file):
        parts, target = name.split("/"), series
        if parts[0] == "phases" or name == AFTER_EVENT or item.is_scale:
            continue
        if parts[0] == "events":
            if parts[1] not in sides:
                continue
            target, parts = sides[parts[1]], parts[2:]
        if parts[0] == PEAKS:
            peaks[".".join(parts[1:])] = _read_values(item)
            continue
        if parts[0] == "restart":
            restart[parts[1]] = _read_values(item)
            continue
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
        **_said(attrs),
        phases=_read_phases(file["phases"]),
        restart=restart,
        closest=[Closest(**_tuples(item)) for item in clearance[0]],
        recontacts=[Recontact(**_tuples(item)) for item in clearance[1]],
        courses=courses,
        peaks=(file[PEAKS][PEAKS][()], peaks) if PEAKS in file else (np.zeros(0), {}),
        sought={
            Sought(*one): np.array(times, float) for *one, times in json.loads(attrs.get("sought", "[]"))
        },
        unjudged={path: tuple(why) for path, why in json.loads(attrs.get("unjudged", "{}")).items()},
        earlier=tuple(json.loads(attrs.get("earlier", "[]"))),
    )


def _read_mission(file: Any, attrs: dict[str, Any]) -> Record:
    of_legs = json.loads(attrs["legs"])
    found = {leg: _read_record(file[f"{LEGS}/{leg}"], said) for leg, said in of_legs.items()}
    record = legs.joined(None, found, json.loads(attrs["after_leg"]), json.loads(attrs["unflown"]))
    return replace(record, **_said(attrs))


def _said(attrs: dict[str, Any]) -> dict[str, Any]:
    """What is said of a flight beside its numbers."""
    return {
        "statistics": json.loads(attrs["statistics"]),
        "corrections": json.loads(attrs["corrections"]),
        "switches": json.loads(attrs.get("switches", "[]")),
        "warnings": json.loads(attrs["warnings"]),
        "outcome": attrs["outcome"],
        "completed": bool(attrs["completed"]),
    }


def _tuples(item: dict[str, Any]) -> dict[str, Any]:
    """Lists, as files have them, as tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in item.items()}


def _read_events(group: Any) -> list[EventRecord]:
    names, kinds, phases = (_texts_of(group[key]) for key in ("event", "kind", "phase"))
    return [EventRecord(*row) for row in zip(names, group["time"][()].tolist(), kinds, phases)]


def _read_phases(group: Any) -> list[tuple[str, float, float]]:
    return list(zip(_texts_of(group["phase"]), group["start"][()].tolist(), group["end"][()].tolist()))


def _variables(group: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    """(path, dataset) of everything below a group, in the order in which it was written."""
    for name, item in group.items():
        if hasattr(item, "shape"):
            yield above + name, item
        else:
            yield from _variables(item, f"{above}{name}/")


def _texts_of(dataset: Any) -> list[str]:
    return dataset.asstr()[()].tolist()


def _read_values(item: Any) -> np.ndarray:
    values = item[()]
    return values.astype(bool) if item.attrs.get("dtype") == "bool" else values


def _read_meta(item: Any) -> QuantityMeta:
    components: tuple[str, ...] = ()
    if item.ndim > 1:
        components = tuple(_texts_of(item.dims[1][0]))
    texts = {of: str(item.attrs.get(key, "")) for key, of in META_ATTRIBUTES.items()}
    return QuantityMeta(components=components, **texts)
