"""Probability of a rare violation from two methods: sentences about the result, and its file."""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ....statistics.intervals import Interval
from ....statistics.rare import RareEvent, compare_methods
from ..chunk_file import Stamp
from ..json_file import read_json, write_json
from .limit import LikelyFailure

FORMAT = 1
FILES = "rare-*.json"


@dataclass(frozen=True)
class RareResult:
    """The probability that a requirement is violated, from two methods.

    - events: results of subset simulation and of importance sampling.
    - allowed: probability that the study allows, 1 - proportion; None without a proportion.
    - nearest: most likely failure among all flights; None without a failure.
    - flown: number of new flights. The results of all other flights were read from files.
    """

    requirement: str
    events: tuple[RareEvent, RareEvent]
    allowed: float | None
    nearest: LikelyFailure | None
    flown: int = 0

    @property
    def agree(self) -> bool:
        """Return whether the confidence intervals of both methods overlap."""
        return compare_methods(*self.events) is None

    @property
    def upper(self) -> float:
        """Return the larger upper end of both confidence intervals."""
        return max(float(event.interval.upper) for event in self.events)

    @property
    def good(self) -> bool:
        """Return whether both methods agree and `upper` is not above the allowed probability. Without an
        allowed probability, only the agreement counts.
        """
        return self.agree and (self.allowed is None or self.upper <= self.allowed)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return sentences about the result of each method, their comparison, and the allowed probability."""
        found = [event.sentence for event in self.events]
        finding = compare_methods(*self.events)
        if finding is not None:
            found.append(finding.sentence)
        else:
            found.append(
                "The intervals of both methods overlap. However, both methods can miss the same failures."
            )
        if self.allowed is not None:
            side = "at most" if self.upper <= self.allowed else "above"
            both = f"{self.upper:.3g}, is {side} the allowed probability, {self.allowed:.3g}"
            found.append(f"The larger upper end of the intervals, {both}.")
        return tuple(found)


def folder_name(requirement: str) -> str:
    """Return a valid folder name for the results of a requirement. With a suffix, the name is also the name
    of the result file.
    """
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", requirement)
    if plain != requirement:
        plain = f"{plain[:40]}-{hashlib.sha256(requirement.encode()).hexdigest()[:8]}"
    return f"rare-{plain}"


def write_result(folder: Path, found: RareResult, stamp: Stamp) -> Path:
    """Write a result to a file in the folder of a campaign and return the path of the file.

    The file has a temporary name until it is complete. Raises BadInput.
    """
    path = folder / f"{folder_name(found.requirement)}.json"
    return write_json(path, FORMAT, stamp, _without_infinite(asdict(found)))


def _without_infinite(value: Any) -> Any:
    """Numbers of JSON: texts in place of NaN and infinite numbers."""
    if isinstance(value, dict):
        return {key: _without_infinite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_infinite(one) for one in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def read_results(folder: Path, stamp: Stamp) -> list[RareResult]:
    """Return the results in the folder of a campaign, one for each requirement. Results of other campaigns
    or versions are omitted.
    """
    found = (read_json(path, FORMAT, stamp, _result) for path in sorted(folder.glob(FILES)))
    return [one for one in found if one is not None]


def _result(content: Any) -> RareResult:
    first, second = map(_event, content["events"])
    nearest = content["nearest"]
    if nearest is not None:
        nearest = LikelyFailure(nearest["distance"], nearest["inputs"], float(nearest["margin"]))
    return RareResult(content["requirement"], (first, second), content["allowed"], nearest, content["flown"])


def _event(data: dict[str, Any]) -> RareEvent:
    interval = Interval(*map(float, data["interval"]))
    numbers = {name: float(data[name]) for name in ("probability", "confidence", "variation", "effective")}
    return RareEvent(
        method=data["method"],
        interval=interval,
        evaluations=int(data["evaluations"]),
        notes=tuple(data["notes"]),
        **numbers,
    )
