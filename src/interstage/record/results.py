"""Flights: a record with names, axes and units around it, on screen, in a file, and to start again from."""

from __future__ import annotations

import platform
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..tree import packages
from ..tree.errors import BadInput, Problem, near
from . import envelope, netcdf
from .record import SAME_TIME, Record, pick, resolve
from .requirements import EXTREMES, Wanted, value_of

if TYPE_CHECKING:
    import pandas
    import xarray

    from ..scenario import Scenario

Side = Literal["before", "after"]
STATE = ("position", "velocity", "attitude", "angular_velocity")
"""What a body needs to fly on: its mass centre [m] and velocity [m/s], inertial; quaternion, body to inertial
and scalar first; angular velocity [rad/s], body axes."""


class Flight:
    """One flight: its samples and events, with what was flown and how the solver did.

    `data` is an xarray DataTree with groups bodies/<name>, joints/<name>, devices/<name>, forces/<name>,
    pairs/<A>/<B>, system, events and phases; every variable says its units, long_name, frame and reference.
    """

    def __init__(
        self, record: Record, scenario_text: str | None = None, versions: dict[str, str] | None = None
    ):
        self.record = record
        self._scenario_text = scenario_text
        self.versions = versions or current_versions(record.scenario)
        """Versions that the flight was flown with."""

    def __repr__(self) -> str:
        record = self.record
        span = f"{record.time[0]:g} to {record.time[-1]:g} s" if len(record.time) else "no samples"
        return f"<Flight {span}, {len(record.time)} samples, {len(record.events)} events. {record.outcome}>"

    @property
    def time(self) -> np.ndarray:
        """Times of the samples (T,) [s]."""
        return self.record.time

    @property
    def outcome(self) -> str:
        """How the flight ended, in one sentence."""
        return self.record.outcome

    @property
    def completed(self) -> bool:
        """Whether the flight reached the end of its scenario."""
        return self.record.completed

    @property
    def scenario(self) -> Scenario:
        """The scenario that was flown; that of a saved flight is read when it is first asked for. Raises
        BadInput where it has parts of packages that are not there."""
        from .absent import left_out

        if self.record.scenario is None or left_out(self.record.scenario):
            from ..scenario import loads

            self.record.scenario = loads(self.scenario_text)
        return self.record.scenario

    def read_to_show(self) -> None:
        """Read the scenario of a saved flight for those who show its record: entries of packages that are not
        there are no hindrance; see `absent.readable`. Raises BadInput for what else is wrong with it."""
        if self.record.scenario is None:
            from .absent import readable

            self.record.scenario = readable(self.scenario_text)

    @property
    def scenario_text(self) -> str:
        """The scenario as a TOML text, from which the flight can be flown again."""
        if self._scenario_text is None:
            self._scenario_text = self.record.scenario.to_toml()
        return self._scenario_text

    @cached_property
    def data(self) -> xarray.DataTree:
        """All samples and events, dimensions (time, axis) or (event, axis)."""
        import xarray

        tree = {}
        for name, variables in netcdf.layout(self.record).items():
            columns = {key: (v.dims, _for_xarray(v.values), v.attrs) for key, v in variables.items()}
            names = [key for key, v in variables.items() if v.dims == (key,)]
            data = {key: column for key, column in columns.items() if key not in names}
            tree["/" + name] = xarray.Dataset(data, coords={key: columns[key] for key in names})
        tree["/"].attrs = netcdf.attributes(self.record, self.scenario_text, self.versions)
        return xarray.DataTree.from_dict(tree)

    @cached_property
    def events(self) -> pandas.DataFrame:
        """The events in the order in which they happened: name, time [s], kind, phase."""
        import pandas

        rows = [(e.name, e.time, e.kind, e.phase) for e in self.record.events]
        return pandas.DataFrame(rows, columns=["name", "time", "kind", "phase"])

    def envelope(self, by_phase: bool = True) -> pandas.DataFrame:
        """Smallest and largest value of each component of the loads of joints and interfaces, with its time
        [s] and phase: over the flight (an empty `phase`), then by phase; see `record.envelope.Extremes`."""
        return envelope.table(envelope.envelope(self.record, by_phase))

    def __getitem__(self, path: str) -> np.ndarray:
        """Samples of a quantity by name: ``flight["pairs.stage.payload.closing_speed"]``. Raises BadInput."""
        return self._pick(path, self.record.series)

    def at(self, event: str, side: Side = "after") -> dict[str, np.ndarray]:
        """All quantities just before or just after an event, by name. Raises BadInput for an unknown event.

        An event that happened several times: "name" is the first, "name#2" the second.
        """
        row = self.event_row(event)
        return {path: values[row] for path, values in self._side(side).items()}

    def value(self, path: str, event: str, side: Side = "after") -> Any:
        """One quantity, components and ".magnitude" included, just before or just after an event; or at the
        "start", or its "min", "max" or "largest" size over the flight, component by component, as
        `Batch.value`. Raises BadInput for names that are not there."""
        if event not in ("start", *EXTREMES):
            if path == "time":
                return self.record.events[self.event_row(event)].time
            return self._pick(path, self._side(side))[self.event_row(event)]
        stem, component = resolve(self.record, path)
        names = self.record.meta[stem].components if component is None else ()
        wanted: dict[str, Any] = {"at": "start"} if event == "start" else {"take": event}
        found = [
            value_of(self.record, Wanted(one, **wanted)) for one in [f"{path}.{n}" for n in names] or [path]
        ]
        return np.array(found) if names else found[0]

    def state_at(self, when: float | str, side: Side = "after") -> dict[str, dict[str, np.ndarray]]:
        """State of every body at a sample's time [s] or at an event: body -> the quantities of STATE.

        Between samples nothing is made up: a time that was not sampled is refused, with those around it.
        """
        values = self._values_at(when, side)
        bodies = [
            path.split(".")[1] for path in values if path.startswith("bodies.") and path.endswith(".attitude")
        ]
        return {body: {name: values[f"bodies.{body}.{name}"] for name in STATE} for body in bodies}

    def elements_at(self, when: float | str, body: str, side: Side = "after") -> dict[str, float]:
        """What a body still has of its elements of mass, as `state_at`: element -> propellant left [kg], nan
        for one without any, none for those that it has dropped."""
        values, stem = self._values_at(when, side), f"bodies.{body}.elements."
        carried = [path for path in values if path.startswith(stem) and path.endswith(".attached")]
        names = [path[len(stem) :].partition(".")[0] for path in carried if values[path] > 0]
        return {name: float(values.get(f"{stem}{name}.left", np.nan)) for name in names}

    def time_of(self, when: float | str) -> float:
        """Time [s] of a sample, or of an event; see `state_at`."""
        if isinstance(when, str):
            return self.record.events[self.event_row(when)].time
        return float(self.record.time[self._sample_row(float(when))])

    def _values_at(self, when: float | str, side: Side) -> dict[str, np.ndarray]:
        if isinstance(when, str):
            return self.at(when, side)
        row = self._sample_row(float(when))
        return {path: series[row] for path, series in self.record.series.items()}

    def save(self, path: str | Path) -> Path:
        """Write the flight to a NetCDF file (.nc), which carries its scenario and can be flown again. Raises
        BadInput for another ending."""
        path = Path(path)
        if path.suffix.lower() != ".nc":
            saved = path.with_suffix(".nc").name
            raise BadInput(
                f"'{path}': a flight is a NetCDF file, whose name ends in .nc; save it as '{saved}'"
            )
        attrs = netcdf.attributes(self.record, self.scenario_text, self.versions)
        netcdf.write(path, netcdf.layout(self.record), attrs)
        return path

    def _side(self, side: Side) -> dict[str, np.ndarray]:
        if side not in netcdf.SIDES:
            raise BadInput(Problem("side", f"'{side}' is not a side of an event; {near(side, netcdf.SIDES)}"))
        return self.record.before if side == "before" else self.record.after

    def _pick(self, path: str, values: dict[str, np.ndarray]) -> np.ndarray:
        if path == "time":
            return self.record.time
        stem, component = resolve(self.record, path)
        return pick(values[stem], component)

    def event_row(self, event: str) -> int:
        """Number of an event in the record; "name#2" is the second one of that name. Raises BadInput."""
        name, _, count = event.partition("#")
        rows = [row for row, happened in enumerate(self.record.events) if happened.name == name]
        wanted = int(count) - 1 if count.isdecimal() else 0
        if not rows:
            names = dict.fromkeys(happened.name for happened in self.record.events)
            raise BadInput(f"no event '{event}' in this flight; {near(event, names, 'events')}")
        if not 0 <= wanted < len(rows):
            raise BadInput(f"event '{name}' happened {len(rows)} times in this flight; there is no '{event}'")
        return rows[wanted]

    def _sample_row(self, time: float) -> int:
        times = self.record.time
        row = int(np.argmin(np.abs(times - time))) if len(times) else 0
        if len(times) and abs(times[row] - time) <= SAME_TIME * max(1.0, abs(time)):
            return row
        around = [f"{t:.9g} s" for t in (times[times < time][-1:], times[times > time][:1]) for t in t]
        raise BadInput(
            f"no sample at {time:.9g} s in this flight; around it: {' and '.join(around) or 'none'}."
            " Take one of them or an event, or fly again with a sample there ([output] times)"
        )


def _for_xarray(values: np.ndarray) -> np.ndarray:
    return values.astype(str) if values.dtype == object else values


def current_versions(scenario: Scenario) -> dict[str, str]:
    """Versions of what decides the numbers of a flight, the packages whose parts it has included."""
    found = {name: metadata.version(name) for name in ("interstage", "jax", "numpy")}
    found |= {package.distribution: package.version for package in packages.used(scenario)}
    return {**found, "python": platform.python_version()}


def open_flight(path: str | Path) -> Flight:
    """A flight from its NetCDF file. Raises BadInput for a file that is missing, damaged or no flight."""
    import json

    record, attrs = netcdf.read(Path(path))
    return Flight(record, attrs["scenario"], json.loads(attrs["versions"]))
