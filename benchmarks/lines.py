"""Lines of the benchmark: what was measured, the bound that it must keep, and how both are printed."""

from __future__ import annotations

from dataclasses import dataclass


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
