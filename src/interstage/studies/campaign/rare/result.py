"""The probability of a rare violation by two methods, its sentences, and its file."""

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
    """The probability that a requirement is violated.

    - events: of subset simulation, and of importance sampling.
    - allowed: probability that the study allows, 1 - proportion; None without a proportion.
    - nearest: the most likely failure that was flown; None without a failure.
    - flown: number of new flights; the others were kept from an earlier run."""

    requirement: str
    events: tuple[RareEvent, RareEvent]
    allowed: float | None
    nearest: LikelyFailure | None
    flown: int = 0

    @property
    def agree(self) -> bool:
        """Whether the intervals of both methods overlap."""
        return compare_methods(*self.events) is None

    @property
    def upper(self) -> float:
        """The larger of the upper ends of both intervals."""
        return max(float(event.interval.upper) for event in self.events)

    @property
    def good(self) -> bool:
        """Whether the methods agree, and the upper end is at most the allowed probability if it is set."""
        return self.agree and (self.allowed is None or self.upper <= self.allowed)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The result in words: each method, their comparison, and the allowed probability."""
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
    """Name of the folder and, with an ending, of the file of a requirement."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", requirement)
    if plain != requirement:
        plain = f"{plain[:40]}-{hashlib.sha256(requirement.encode()).hexdigest()[:8]}"
    return f"rare-{plain}"


def write_result(folder: Path, found: RareResult, stamp: Stamp) -> Path:
    """Write the result under a temporary name and rename the file. Raises BadInput."""
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
    """The results in the folder of a campaign, of this campaign and this version, by requirement."""
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
