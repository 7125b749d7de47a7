"""Results of a flight: a record with access by name, tables, plots, files and restart data."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import astuple, fields
from datetime import datetime
from functools import cached_property, partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..missions.mission import Mission
from ..missions.names import LANDING, WHOLE
from ..tree import packages
from ..tree.errors import BadInput, Problem
from ..tree.similar_names import near
from . import envelope, flight_file, legs, netcdf, netcdf_file
from .impacts import Impact, impacts
from .record import SAME_TIME, Record, pick, resolve
from .requirements import EXTREMES, Wanted, value_of

if TYPE_CHECKING:
    import pandas
    import xarray

    from ..drawing.figure import Figure
    from ..runs.flown_again import FlownAgain
    from ..scenario import Scenario

Side = Literal["before", "after"]
STATE = ("position", "velocity", "attitude", "angular_velocity")
"""Names of the quantities that define the state of a body.

- position: centre of mass [m], inertial axes.
- velocity: centre of mass [m/s], inertial axes.
- attitude: quaternion from body to inertial axes, scalar first.
- angular_velocity: [rad/s], body axes."""


class Flight:
    """Results of one flight: samples and events, the scenario, and statistics of the solver.

    `flight["bodies.stage.speed"]` returns the samples of a quantity. `flight.value(path, event)` returns a
    single value. `data` contains all quantities as an xarray DataTree.
    """

    def __init__(
        self,
        record: Record,
        scenario_text: str | None = None,
        versions: dict[str, str] | None = None,
        trust: bool = True,
    ):
        self.record = record
        self._trust = trust
        self._scenario_text = scenario_text
        self._leg = ""
        self._again: dict[str, FlownAgain] = {}
        self.versions = versions or current_versions(record.scenario)
        """Versions of the packages that computed the flight, by name of the package."""

    def __repr__(self) -> str:
        record = self.record
        span = f"{record.time[0]:g} to {record.time[-1]:g} s" if len(record.time) else "no samples"
        return f"<Flight {span}, {len(record.time)} samples, {len(record.events)} events. {record.outcome}>"

    @property
    def time(self) -> np.ndarray:
        """Return the sample times [s] of the flight (T,).

        For a mission, the array has the sample times of all legs. The sample times of one quantity are
        `times(path)`."""
        return self.record.time

    def times(self, path: str) -> np.ndarray:
        """Return the sample times [s] of one quantity (T,), one for each value of `flight[path]`.

        For a mission, the times are from all legs that have the quantity. Raises BadInput for an unknown
        quantity.

        Example: ``pyplot.plot(flight.times(path), flight[path])``
        """
        if own := self._of_a_leg(path):
            return own[0].times(own[1])
        return self.record.time if path == "time" else legs.of(self.record, path).time

    @property
    def outcome(self) -> str:
        """Return the outcome of the flight as one sentence, for example "Completed at 6 s."."""
        return self.record.outcome

    @property
    def completed(self) -> bool:
        """Return whether the flight reached the end of its scenario."""
        return self.record.completed

    @property
    def scenario(self) -> Scenario:
        """Return the scenario of the flight. A flight from a file reads the scenario on first access.

        User-defined classes of the scenario are loaded only if the flight was opened with trust=True. Raises
        BadInput if the scenario uses a package that is not installed."""
        from .absent import left_out

        if self.record.scenario is None or left_out(self.record.scenario):
            from ..reading import loads

            self.record.scenario = loads(self.scenario_text, trust=self._trust)
        return self.record.scenario

    def read_to_show(self) -> None:
        """Read the scenario of a flight from a file, for display only.

        Placeholders replace entries of packages that are not installed, see `absent.readable`. Raises
        BadInput for other faults of the scenario.
        """
        if self.record.scenario is None:
            from .absent import readable

            self.record.scenario = readable(self.scenario_text)
        self._with_scenarios()

    @property
    def scenario_text(self) -> str:
        """Return the scenario as TOML text. Simulating this scenario again gives the same flight."""
        if self._scenario_text is None:
            self._scenario_text = self.record.scenario.to_toml()
        return self._scenario_text

    @cached_property
    def data(self) -> xarray.DataTree:
        """Return all samples and events as an xarray DataTree, in SI units.

        Groups: bodies/<name>, joints/<name>, devices/<name>, forces/<name>, pairs/<A>/<B>, system, events,
        phases. Dimensions of a variable: (time, axis) for samples, (event, axis) for values at events.
        Attributes of a variable: units, long_name, frame and reference."""
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
        """Return the events in order of time as a table.

        Columns: name, time [s], kind and phase; for a mission also leg."""
        import pandas

        columns = ["name", "time", "kind", "phase", *(["leg"] if self.record.legs else [])]
        rows = [tuple(getattr(event, column) for column in columns) for event in self.record.events]
        return pandas.DataFrame(rows, columns=columns)

    @cached_property
    def impacts(self) -> pandas.DataFrame:
        """Return the impacts of bodies on the ground in order of time as a table, in SI units.

        The columns are the fields of `record.impacts.Impact`, for example body, time, latitude, speed and
        energy."""
        import pandas

        columns = [field.name for field in fields(Impact)]
        return pandas.DataFrame([astuple(one) for one in impacts(self.record)], columns=columns)

    def envelope(self, by_phase: bool = True) -> pandas.DataFrame:
        """Return the smallest and largest value of each load component of joints and interfaces as a table.

        by_phase: also add rows for each phase. Default: True. Rows of the complete flight come first and have
        an empty `phase`. The columns are the fields of `record.envelope.Extremes`, for example path, least,
        least_time and largest."""
        records = self._with_scenarios().values() or [self.record]
        return envelope.table([found for one in records for found in envelope.envelope(one, by_phase)])

    def __getitem__(self, path: str) -> np.ndarray:
        """Return the samples of a quantity in SI units: (T,) for a scalar, (T, components) for a vector.

        Example: ``flight["pairs.stage.payload.closing_speed"]``. A component is selected by its name:
        "bodies.stage.position.x". For a mission, the samples are from all legs that have the quantity, at the
        times `times(path)`. The path "legs.coast.system.energy" selects the quantity "system.energy" of the
        leg "coast". Raises BadInput for an unknown quantity."""
        if own := self._of_a_leg(path):
            return own[0][own[1]]
        if path.endswith(f".{LANDING}"):
            self._with_scenarios()
        record = self.record if path == "time" else legs.of(self.record, path)
        return Flight(record, versions=self.versions)._pick(path, record.series)

    def at(self, event: float | str, side: Side = "after") -> dict[str, np.ndarray]:
        """Return the values of all quantities at an event or at a sample time, by path, in SI units.

        - event: name of an event, or a sample time [s]. The second event with the same name is "name#2".
        - side: "before" or "after": just before or just after the event. Default: "after".

        Raises BadInput for an unknown event, and for a time without a sample.
        """
        if not isinstance(event, str):
            return self._at_sample(_seconds(event))
        row = self.event_row(event)
        if self.record.legs:
            leg, row = self._row_in_leg(row)
            return {path: values[row] for path, values in leg._side(side).items()}
        return {path: values[row] for path, values in self._side(side).items()}

    def value(self, path: str, event: float | str, side: Side = "after") -> Any:
        """Return one value of a quantity in SI units: a float, or an array (components,) for a vector.

        - path: path of a quantity or of its component; ".magnitude" at the end selects the magnitude of a
          vector.
        - event: a time [s], the name of an event, "start", "end", "min", "max" or "largest". Between
          samples, the value at a time is computed from the integration step that contains the time, with
          the order of the integration method. "min", "max" and "largest" (largest magnitude) give the
          extreme over the flight for each component, including values between samples.
        - side: "before" or "after": just before or just after the event. Default: "after".

        A flight from a file has no integration steps. For a time between samples, the flight is therefore
        simulated again from the last event before this time. A scenario with user-defined classes then needs
        trust=True in `open_flight`. Raises BadInput for an unknown quantity or event, and for a time at which
        the quantity has no value.
        """
        self._let_fly_again()
        if own := self._of_a_leg(path):
            return own[0].value(own[1], event, side)
        if not isinstance(event, str):
            record = self.record if path == "time" else legs.of(self.record, path)
            return Flight(record, versions=self.versions)._at_time(path, _seconds(event), self.record)
        if path.endswith(f".{LANDING}"):
            self._with_scenarios()
            found = legs.of(self.record, path, event)
            return float(found.series[resolve(found, path)[0]][0])
        if event == "end" and self.record.legs and path != "time":
            return self._at_its_end(path, side)
        if event not in ("start", *EXTREMES):
            if path == "time":
                return self.record.events[self.event_row(event)].time
            return self._at_an_event(path, event, side)
        record = legs.of(self.record, path)
        stem, component = resolve(record, path)
        names = record.meta[stem].components if component is None else ()
        wanted: dict[str, Any] = {"at": "start"} if event == "start" else {"take": event}
        found = [value_of(record, Wanted(one, **wanted)) for one in [f"{path}.{n}" for n in names] or [path]]
        return np.array(found) if names else found[0]

    def state_at(self, when: float | str, side: Side = "after") -> dict[str, dict[str, np.ndarray]]:
        """Return the state of every body at an event or at a sample time: {body: {quantity: value}}.

        - when: name of an event, or a sample time [s].
        - side: "before" or "after" the event. Default: "after".

        The quantities are position [m], velocity [m/s], attitude (quaternion) and angular_velocity [rad/s];
        see `STATE`. States between samples are not interpolated: a time without a sample raises BadInput.
        """
        values = self.at(when, side)
        bodies = [
            path.split(".")[1] for path in values if path.startswith("bodies.") and path.endswith(".attitude")
        ]
        return {body: {name: values[f"bodies.{body}.{name}"] for name in STATE} for body in bodies}

    def elements_at(self, when: float | str, body: str, side: Side = "after") -> dict[str, float]:
        """Return the remaining propellant [kg] of each mass item of a body at an event or a sample time, by
        name.

        The value is NaN for a mass item without propellant. Jettisoned items are omitted. `when` and `side`:
        see `state_at`.
        """
        values, stem = self.at(when, side), f"bodies.{body}.elements."
        carried = [path for path in values if path.startswith(stem) and path.endswith(".attached")]
        names = [path[len(stem) :].partition(".")[0] for path in carried if values[path] > 0]
        return {name: float(values.get(f"{stem}{name}.left", np.nan)) for name in names}

    def quantities_at(self, when: float | str, stem: str, side: Side = "after") -> dict[str, Any]:
        """Return the values of all quantities whose paths begin with `stem`, at an event or a sample time.

        The key of each value is its path without `stem`. `when` and `side`: see `state_at`.
        """
        values = self.at(when, side)
        return {path[len(stem) :]: value for path, value in values.items() if path.startswith(stem)}

    def time_of(self, when: float | str) -> float:
        """Return the time [s] of an event or of a sample. when: name of an event, or a sample time [s].

        Raises BadInput for an unknown event, and for a time without a sample."""
        if isinstance(when, str):
            return self.record.events[self.event_row(when)].time
        return float(self.record.time[self._sample_row(_seconds(when))])

    def _at_sample(self, time: float) -> dict[str, np.ndarray]:
        """Return all quantities by path at the time of a sample [s]."""
        if self.record.legs:
            return self._sampled_in_legs(time)
        row = self._sample_row(time)
        return {path: series[row] for path, series in self.record.series.items()}

    def save(self, path: str | Path) -> Path:
        """Write the flight with its scenario to a NetCDF file (.nc), and return the path of the file.

        Raises BadInput for another suffix, for a leg of a mission, and if the file cannot be written."""
        path = Path(path)
        if self._leg:
            raise BadInput(
                f"'{path}': '{self._leg}' is a leg of a mission and cannot be saved alone. Save the mission"
            )
        if path.suffix.lower() != ".nc":
            saved = path.with_suffix(".nc").name
            raise BadInput(f"'{path}': flights are saved as NetCDF files (.nc). Write '{saved}'")
        attrs = netcdf.attributes(self.record, self.scenario_text, self.versions)
        netcdf_file.write(path, netcdf.layout(self.record), attrs)
        return path

    def plot(
        self,
        *quantities: str | Sequence[str],
        span: tuple[float, float] | None = None,
        units: str | None = None,
    ) -> Figure:
        """Return a figure of quantities over time, with one panel for each argument. The events are marked.

        - quantities: paths of quantities, of components or of magnitudes. The quantities of a list share
          one panel.
        - span: start and end of the time axis [s]. Default: the whole flight.
        - units: unit system, "SI" or "US". Default: the unit system of the scenario.

        A notebook displays the figure. ``flight.plot("pairs.stage.satellite.distance", span=(0.9,
        1.5)).save("distance.svg")`` writes a file; .png and .pdf need matplotlib. Raises BadInput for an
        unknown quantity, if quantities of one panel have different units, and if no values are in the span.
        """
        from ..drawing.quantities import quantities_figure

        self.read_to_show()
        self._let_fly_again()

        def find(path: str) -> tuple[Record, str]:
            if own := self._of_a_leg(path):
                return own[0].record, own[1]
            return legs.of(self.record, path), path

        return quantities_figure(find, quantities, units or self.record.scenario.units, span)

    def export(
        self,
        path: str | Path,
        quantities: Sequence[str] = (),
        bodies: Sequence[str] = (),
        epoch: str | datetime | None = None,
        origin: str | None = None,
    ) -> list[Path]:
        """Write samples to a file of another format, and return the paths of the written files.

        - path: the suffix selects the format: .csv, .parquet, .mat, .kml, .czml, .oem, .aem, .e, .a or .glb.
        - quantities: quantities of a table. Default: all.
        - bodies: bodies whose trajectories are written. Default: all.
        - epoch: UTC date of time zero, for example "2026-11-29T12:00:00Z".
        - origin: origin of an animation (.glb): "start", or the name of a body that the origin follows.
          Default: "start" if all bodies stay within 10 km of the start, otherwise the first body.

        Example: ``flight.export("flight.kml", bodies=["booster"])``. See `record.export` for units, frames
        and errors.
        """
        from .export import export

        return export(self, path, quantities, bodies, epoch, origin)

    def playback(
        self,
        path: str | Path,
        units: str | None = None,
        others: Sequence[Flight] = (),
        align: str | None = None,
    ) -> Path:
        """Write the playback, an HTML page with an animation and curves, and return its path.

        - units: "SI" or "US". Default: those of the scenario.
        - others: other flights for the same page, with a table of the largest differences.
        - align: event at which the times of the flights are aligned; "time" for equal times. Default: the
          first release.

        Raises BadInput if the file cannot be written, or if a flight does not have the event."""
        from ..playback import page, several

        return page.write(self, path, units, several.others_of(self, others, align))

    def show(self, *others: Flight, align: str | None = None, units: str | None = None) -> Path | None:
        """Show the playback: in a notebook below the cell, otherwise in the browser.

        others, align, units: as in `playback`. Outside of a notebook, the playback is written to a temporary
        file, and its path is returned; without a browser, nothing is opened. In a notebook, None is
        returned."""
        from ..playback import several

        return several.show(self, units, several.others_of(self, others, align))

    def save_numbers(self, path: str | Path) -> None:
        """Write only the samples and events to a compressed NumPy file (.npz), by path of the quantity.

        The command line uses this method if `save` fails.
        """
        record = self.record
        arrays = {"time": record.time, **record.series}
        for side, rows in (("before", record.before), ("after", record.after)):
            arrays |= {f"{side}.{name}": values for name, values in rows.items()}
        arrays["events.name"] = np.array([event.name for event in record.events])
        arrays["events.time"] = np.array([event.time for event in record.events])
        np.savez_compressed(path, allow_pickle=False, **arrays)

    def _side(self, side: Side) -> dict[str, np.ndarray]:
        if side not in netcdf.SIDES:
            raise BadInput(Problem("side", f"'{side}' is not a side of an event; {near(side, netcdf.SIDES)}"))
        return self.record.before if side == "before" else self.record.after

    def _pick(self, path: str, values: dict[str, np.ndarray]) -> np.ndarray:
        if path == "time":
            return self.record.time
        stem, component = resolve(self.record, path)
        return pick(values[stem], component)

    def _at_time(self, path: str, time: float, whole: Record) -> Any:
        """Return a quantity at a time [s]: the value of a sample, or a value computed from an integration
        step.

        whole: record of the mission with its legs."""
        try:
            return self._pick(path, self.record.series)[self._sample_row(time)]
        except BadInput:
            flown = [one for one in whole.legs.values() or (whole,) if _spans(one, time)]
            if path == "time" and flown:
                return time
            stem, component = (path, None) if path == "time" else resolve(self.record, path)
            for one in reversed(flown):
                if one.between is not None and stem in one.series:
                    found = one.between(np.array([time]), (stem,))
                    if stem in found:
                        return pick(found[stem], component)[0]
            raise

    def _let_fly_again(self) -> None:
        """Enable values between samples of a flight from a file: the flight is repeated from its states at
        events."""
        if self._scenario_text is None and self.record.scenario is None:
            return
        for name, one in (self.record.legs or {WHOLE: self.record}).items():
            if one.between is None and one.restart:
                one.between = partial(self._quantities_between, name)

    def _quantities_between(
        self, leg: str, times: np.ndarray, paths: tuple[str, ...]
    ) -> dict[str, np.ndarray]:
        """Return quantities of a leg at times (n,) [s] between samples; parts of the leg are flown again for
        this."""
        from ..runs.flown_again import FlownAgain

        if leg not in self._again:
            one = self.record.legs[leg] if leg else self.record
            self._again[leg] = FlownAgain(one, lambda: self.scenario, leg)
        return self._again[leg].quantities(times, paths)

    # --- of a mission

    @property
    def legs(self) -> dict[str, Flight]:
        """Return the flown legs of a mission, each as a flight, by name of the leg.

        The result is empty for a flight without legs.
        """
        found = {name: Flight(leg, versions=self.versions) for name, leg in self._with_scenarios().items()}
        for name, leg in found.items():
            leg._leg = name
        return found

    def through(self, path: str) -> Flight:
        """Return a flight with the samples of one item or quantity through all legs of a mission.

        path: path of an item such as "bodies.booster", or of a quantity. Raises BadInput if concurrent legs
        contain this item.
        """
        if own := self._of_a_leg(path):
            return own[0]
        stem = next((known for known in self.record.meta if known.startswith(f"{path}.")), path)
        found = Flight(legs.of(self.record, stem), self._scenario_text, self.versions)
        found._leg = path if self.record.legs else ""
        return found

    def _with_scenarios(self) -> dict[str, Record]:
        """Return the records of the legs by name, after their scenarios are set."""
        if any(leg.scenario is None for leg in self.record.legs.values()):
            scenario = self.record.scenario or self.scenario
            for name, leg in self.record.legs.items():
                leg.scenario = Mission.of(scenario).leg(name).scenario
        return self.record.legs

    def _of_a_leg(self, path: str) -> tuple[Flight, str] | None:
        """Return (leg, path in this leg) for a path such as "legs.coast.system.energy"; None for other
        paths."""
        if not self.record.legs or not path.startswith(legs.OWN):
            return None
        name, _, rest = path.removeprefix(legs.OWN).partition(".")
        if name not in self.record.legs:
            raise BadInput(Problem(path, f"there is no leg '{name}'; {near(name, self.record.legs, 'legs')}"))
        return Flight(self.record.legs[name], versions=self.versions), rest

    def _row_in_leg(self, row: int) -> tuple[Flight, int]:
        """Return the leg of an event of a mission, and the row of the event in this leg."""
        event = self.record.events[row]
        same = [k for k, one in enumerate(self.record.events) if one.leg == event.leg]
        return Flight(self.record.legs[event.leg], versions=self.versions), same.index(row)

    def _at_an_event(self, path: str, event: str, side: Side) -> np.ndarray:
        row = self.event_row(event)
        if not self.record.legs:
            return self._pick(path, self._side(side))[row]
        if event == "end":  # the last leg that has it
            known = {name for name, leg in self.record.legs.items() if legs.has(leg, path)}
            events = enumerate(self.record.events)
            row = max((k for k, one in events if one.kind == "end" and one.leg in known), default=row)
        leg, own = self._row_in_leg(row)
        if not legs.has(leg.record, path):
            self._with_scenarios()
            beside = legs.across_legs(self.record, path, event)
            if beside is not None:
                return self._concurrent_value(beside, self.record.events[row], path, side)
            legs.of(self.record, path)  # raises an error for an unknown path
            found = self.record.events[row]
            text = f"event '{found.name}' occurs in leg '{found.leg}', which does not have this quantity"
            raise BadInput(Problem(path, f"{text}. Use an event of a leg that has the quantity"))
        return leg._pick(path, leg._side(side))[own]

    def _concurrent_value(self, beside: Record, event: Any, path: str, side: Side) -> np.ndarray:
        """Return a quantity of two bodies in concurrent legs at an event of one of these legs."""
        same = (
            k
            for k, e in enumerate(beside.events)
            if (e.name, e.leg, e.time) == (event.name, event.leg, event.time)
        )
        row = next(same, None)
        if row is None:
            text = (
                f"event '{event.name}' occurs at {event.time:.9g} s, but the two bodies do not fly in"
                " concurrent legs at this time"
            )
            raise BadInput(Problem(path, text))
        found = Flight(beside, versions=self.versions)
        return found._pick(path, found._side(side))[row]

    def across(self, a: str, b: str) -> Flight:
        """Return a flight with all quantities of two bodies in concurrent legs, for example
        "pairs.a.b.distance".

        a, b: names of the bodies. The samples and events begin at the start of the concurrent legs, and end
        when the first of these legs ends. Raises BadInput if the two bodies never fly in concurrent legs.
        """
        if not self.record.legs:
            raise BadInput(
                Problem(
                    f"pairs.{a}.{b}",
                    "the flight has no legs. Read the quantities of the pair, for example"
                    f" pairs.{a}.{b}.distance",
                )
            )
        found = Flight(legs.both(self.record, a, b), self._scenario_text, self.versions)
        found._leg = f"pairs.{a}.{b}"
        return found

    def _at_its_end(self, path: str, side: Side) -> Any:
        """Return a quantity at the end of the last leg that has the quantity."""
        record = legs.of(self.record, path)
        rows = [row for row, happened in enumerate(record.events) if happened.kind == "end"]
        if not rows or not record.completed:
            raise BadInput(
                Problem(
                    path,
                    (
                        "the quantity has no value at the end, because the last leg with this quantity"
                        " ended early"
                    ),
                )
            )
        return Flight(record, versions=self.versions)._pick(
            path, record.after if side == "after" else record.before
        )[rows[-1]]

    def _sampled_in_legs(self, time: float) -> dict[str, np.ndarray]:
        """Return all quantities by path at the time of a sample [s], from all legs with a sample at this
        time.

        If two legs have a quantity, the later leg has priority."""
        found: dict[str, np.ndarray] = {}
        refused: list[BadInput] = []
        for leg in self.record.legs.values():
            try:
                row = Flight(leg, versions=self.versions)._sample_row(time)
            except BadInput as error:
                refused.append(error)
            else:
                found |= {path: series[row] for path, series in leg.series.items()}
        if not found:
            raise refused[-1]
        return found

    def event_row(self, event: str) -> int:
        """Return the index of an event in the record.

        event: name of the event; the second event with the same name is "name#2". Raises BadInput for an
        unknown event.
        """
        name, _, count = event.partition("#")
        rows = [row for row, happened in enumerate(self.record.events) if happened.name == name]
        if name == "end" and not rows:  # in a mission, the ends of legs have the names of the legs
            rows = [row for row, happened in enumerate(self.record.events) if happened.kind == "end"][-1:]
        wanted = int(count) - 1 if count.isdecimal() else 0
        if not rows:
            names = dict.fromkeys(happened.name for happened in self.record.events)
            raise BadInput(f"there is no event '{event}' in this flight; {near(event, names, 'events')}")
        if not 0 <= wanted < len(rows):
            raise BadInput(f"event '{name}' occurred {len(rows)} times in this flight. There is no '{event}'")
        return rows[wanted]

    def _sample_row(self, time: float) -> int:
        times = self.record.time
        row = int(np.argmin(np.abs(times - time))) if len(times) else 0
        if len(times) and abs(times[row] - time) <= SAME_TIME * max(1.0, abs(time)):
            return row
        if len(times) and not times[0] <= time <= times[-1]:
            span = f"{times[0]:.9g} s to {times[-1]:.9g} s"
            raise BadInput(f"{time:.9g} s is outside this flight. Use a time from {span}")
        around = [f"{t:.9g} s" for t in (times[times < time][-1:], times[times > time][:1]) for t in t]
        near_times = (
            f"the nearest samples are at {' and '.join(around)}" if around else "the flight has no samples"
        )
        raise BadInput(
            f"this flight has no sample at {time:.9g} s; {near_times}. Use the time of a sample or an event,"
            " or add this time to output.times and run the scenario again"
        )


def _spans(record: Record, time: float) -> bool:
    """Return whether a time [s] is between the first and the last sample of a record."""
    return bool(len(record.time)) and bool(record.time[0] <= time <= record.time[-1])


def _seconds(when: Any) -> float:
    """Return a time [s]. Raises BadInput for values that are neither a time nor a text."""
    try:
        return float(when)
    except (TypeError, ValueError):
        text = f"{when!r} is neither an event nor a time. Give the name of an event, or a time in seconds"
        raise BadInput(Problem("at", text)) from None


def _for_xarray(values: np.ndarray) -> np.ndarray:
    return values.astype(str) if values.dtype == object else values


def current_versions(scenario: Scenario) -> dict[str, str]:
    """Return the installed versions of the packages that affect the results of a flight, by name.

    The result includes packages that define models of the scenario.
    """
    found = {name: metadata.version(name) for name in ("interstage", "jax", "numpy")}
    found |= {package.distribution: package.version for package in packages.packages_of(scenario)}
    return {**found, "python": platform.python_version()}


def open_flight(path: str | Path, trust: bool = False) -> Flight:
    """Open a saved flight from a NetCDF file, and return it.

    - path: path of the file (.nc).
    - trust: if true, user-defined classes of the scenario may be loaded when they are needed. Reading
      results never loads classes. Default: False.

    Raises BadInput if the file is missing or damaged, or if it is not a saved flight.
    """
    record, attrs = flight_file.read(Path(path))
    return Flight(record, attrs["scenario"], attrs["versions"], trust)
