"""Lines of the benchmark: what was measured, the bound that it must keep, and how both are printed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Line:
    """One target: what was measured, `ratio` of ours to the peer's, and the bound it must keep."""

    name: str
    ours: str
    peer: str
    ratio: float | None = None
    at_most: float | None = None
    at_least: float | None = None
    accuracy: str = ""

    def verdict(self) -> str:
        """met, short, or nothing where there is no target."""
        if self.ratio is None or (self.at_most is None and self.at_least is None):
            return ""
        low = self.at_least is None or self.ratio >= self.at_least
        return "met" if low and (self.at_most is None or self.ratio <= self.at_most) else "SHORT"

    def as_dict(self) -> dict[str, Any]:
        """All fields and the verdict, for JSON."""
        return asdict(self) | {"verdict": self.verdict()}

    def cells(self) -> tuple[str, ...]:
        """What is printed of it."""
        ratio = "" if self.ratio is None else f"{self.ratio:.3g}"
        bound = f"<= {self.at_most:g}" if self.at_most is not None else ""
        bound = f">= {self.at_least:g}" if self.at_least is not None else bound
        return self.name, self.ours, self.peer, ratio, bound, self.verdict(), self.accuracy


HEADER = ("what", "ours", "peer's", "ratio", "target", "", "accuracy")
WIDTHS = (42, 18, 26, 7, 8, 6, 0)


def row(cells: tuple[str, ...]) -> str:
    """One aligned line."""
    return " ".join(f"{cell:<{width}}" for cell, width in zip(cells, WIDTHS)).rstrip()


def summary(lines: dict[str, list[Line]]) -> str:
    """The number of targets that each part met, and the targets that it missed by name."""
    shown = []
    for part, found in lines.items():
        verdicts = Counter(line.verdict() for line in found)
        missed = [line.name.strip() for line in found if line.verdict() == "SHORT"]
        text = f"{part}: {verdicts['met']} met, {verdicts['SHORT']} SHORT"
        shown.append(text + (f" ({'; '.join(missed)})" if missed else ""))
    return "\n".join(shown)


def read_lines(text: str) -> Iterable[Line]:
    """The lines of a text that has one JSON object of `Line.as_dict` in each row."""
    for row_text in text.splitlines():
        fields = json.loads(row_text)
        fields.pop("verdict")
        yield Line(**fields)
