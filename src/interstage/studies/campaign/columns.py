"""Result columns of a campaign. A column has one value for each case, or one for each time of an envelope."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..asked import unit_of
from ..sweep.declared import Response
from ..sweep.run import limits_of
from .envelopes_declared import offsets_of
from .plan import Plan

Columns = dict[str, np.ndarray]
"""Values (cases,) by column name; (cases, times) for envelopes. Columns of text have the type object."""
COMPLETED, EARLY, NOT_STARTED, NO_NUMBER = "completed", "ended early", "could not start", "no number"
OUTCOMES = (COMPLETED, EARLY, NOT_STARTED, NO_NUMBER)
MET, BROKEN, NO_VERDICT = 1, 0, -1
INPUT, RESPONSE, LIMIT, VERDICT, ENVELOPE = "input.", "response.", "limit.", "verdict.", "envelope."
"""Prefixes of column names.

- INPUT: random inputs.
- RESPONSE: responses.
- LIMIT: for each limit, the value that is nearest to the limit or furthest beyond it.
- VERDICT: verdict on each requirement: 1 met, 0 violated, -1 unknown.
- ENVELOPE: values of an envelope at its times.
"""
TEXTS = ("outcome", "reason")


class Input(NamedTuple):
    """A random input of a campaign.

    - name: name of the column without its prefix.
    - dispersion: name of the dispersion.
    - path: path of the input.
    - unit: SI unit.
    - nominal: scenario value [SI]; NaN if only formulas use the input.
    - chance: probability that one draw changes the input.
    """

    name: str
    dispersion: str
    path: str
    unit: str
    nominal: float
    chance: float

    @property
    def label(self) -> str:
        """Return the name in tables and figures: the path, or the own name if only formulas use the input."""
        return self.path or self.name


class Output(NamedTuple):
    """A response, or one limit of a requirement, in SI.

    The fields `requirement`, `side` and `limit` are set only for a limit.
    """

    name: str
    quantity: str
    where: str
    unit: str
    requirement: str = ""
    side: str = ""
    limit: float = float("nan")


class EnvelopeColumn(NamedTuple):
    """An envelope of a campaign, in SI.

    - since: event at which its time begins; "" for the start of the flight.
    - leg: leg of the mission; "" without legs.
    - duration: time from the event to the last value [s].
    - times: number of times.
    """

    name: str
    quantity: str
    since: str
    leg: str
    unit: str
    duration: float
    times: int

    @property
    def offsets(self) -> np.ndarray:
        """Return the times after the event (times,) [s]."""
        return offsets_of(self.duration, self.times)


class Names(NamedTuple):
    """The inputs, responses, limits and envelopes of a campaign, in the order of their columns."""

    inputs: tuple[Input, ...]
    responses: tuple[Output, ...]
    limits: tuple[Output, ...]
    envelopes: tuple[EnvelopeColumn, ...] = ()

    @property
    def requirements(self) -> tuple[str, ...]:
        """Return the names of the requirements."""
        return tuple(dict.fromkeys(limit.requirement for limit in self.limits))

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of all columns."""
        return (
            *("case", "weight"),
            *(INPUT + one.name for one in self.inputs),
            *(RESPONSE + one.name for one in self.responses),
            *(LIMIT + one.name for one in self.limits),
            *(VERDICT + name for name in self.requirements),
            *(ENVELOPE + one.name for one in self.envelopes),
            *TEXTS,
        )

    def empty(self, name: str) -> np.ndarray:
        """Return a column without cases. name: name of the column."""
        times = {ENVELOPE + one.name: one.times for one in self.envelopes}
        return np.zeros((0, times[name])) if name in times else np.zeros(0, _type_of(name))


def names_of(plan: Plan, responses: Sequence[Response], envelopes: Sequence[EnvelopeColumn] = ()) -> Names:
    """Return the column names of a campaign."""
    scenario = plan.scenario
    found = [Output(one.name, one.quantity, one.where, unit_of(scenario, one.quantity)) for one in responses]
    return Names(tuple(_inputs(plan)), tuple(found), tuple(_limits(scenario)), tuple(envelopes))


def _inputs(plan: Plan) -> Iterator[Input]:
    from .confirmation import chance_of_change

    for one in plan.dispersions:
        for k, member in enumerate(one.members):
            target = member.target
            nominal = np.ones(()) if member.factor or target is None else np.asarray(target.nominal, float)
            chance = 1.0 if target is None else chance_of_change(one, k, target)
            for suffix, value in elements(member.name, nominal):
                known = float("nan") if target is None else float(value)
                yield Input(suffix, one.name, member.path, member.unit, known, chance)


def elements(name: str, values: np.ndarray, axes: int = 0) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the name and the values of each component of an array.

    axes: number of last axes that each yielded array keeps.
    """
    for index in np.ndindex(values.shape[: values.ndim - axes]):
        yield (f"{name}{[*index]}" if index else name), values[index]


def _limits(scenario: Any) -> Iterator[Output]:
    names = [r.name for r in scenario.requirements for side in (r.min, r.max) if side is not None]
    for name, one in zip(names, limits_of(scenario.requirements, scenario), strict=True):
        yield Output(one.name, one.quantity, one.where, one.unit, name, one.side, one.limit)


def content_hash(columns: Mapping[str, np.ndarray], key: str) -> str:
    """Return the checksum (SHA-256) of the columns of a campaign. key: see `Manifest.key`."""
    whole = hashlib.sha256(key.encode())
    for name, values in columns.items():
        text = values.dtype == object
        data = "\0".join(values).encode() if text else np.ascontiguousarray(values).tobytes()
        whole.update(f"\0{name}\0{len(values)}\0{len(data)}\0".encode() + data)
    return whole.hexdigest()


def join_parts(parts: Sequence[Columns], names: Names) -> Columns:
    """Join the columns of several ranges of cases into one table, ordered by case. If a case occurs twice,
    only one of its rows is used.

    names: names of the columns, used if there are no ranges.
    """
    if not parts:
        return {name: names.empty(name) for name in names.columns}
    whole = {name: np.concatenate([part[name] for part in parts]) for name in names.columns}
    first = np.unique(whole["case"], return_index=True)[1]
    return {name: values[first] for name, values in whole.items()}


class CaseTable:
    """Table of the results of a campaign, filled range by range. It holds each value once.

    - names: names of the columns.
    - cases: number of cases of the campaign.
    """

    def __init__(self, names: Names, cases: int):
        self._has_result = np.zeros(cases, bool)
        empty = {name: names.empty(name) for name in names.columns}
        self._columns = {name: np.empty((cases, *one.shape[1:]), one.dtype) for name, one in empty.items()}

    def add(self, columns: Columns) -> None:
        """Add the columns of some cases. Cases that are not part of the campaign, or that the table already
        has, are omitted.
        """
        case = columns["case"]
        new = case < len(self._has_result)
        new[new] = ~self._has_result[case[new]]
        rows = case[new]
        for name, values in self._columns.items():
            values[rows] = columns[name][new]
        self._has_result[rows] = True

    @property
    def columns(self) -> Columns:
        """Return the columns of all cases with results, ordered by case."""
        if self._has_result.all():
            return dict(self._columns)
        return {name: values[self._has_result] for name, values in self._columns.items()}


def _type_of(name: str) -> Any:
    if name in TEXTS:
        return object
    return np.int64 if name == "case" else np.int8 if name.startswith(VERDICT) else float
