"""Settings of the methods that compute probabilities of rare violations."""

from __future__ import annotations

from typing import Literal

from pydantic import StrictInt, model_validator

from ....tree.declaration import Declaration
from ....tree.errors import Refused

LEAST_LEVEL, LEAST_CASES, MOST_RUNS = 100, 100, 100
PART = 10
"""Ratio of the cases of a level to the cases that are continued at the next level."""


class Rare(Declaration):
    """Settings of `interstage campaign STUDY --rare REQUIREMENT`: the numbers of flights of two methods."""

    level: StrictInt = 500
    """Number of flights of each level of subset simulation, in each run, and of the search for failures."""
    runs: StrictInt = 4
    """Number of independent runs of subset simulation."""
    cases: StrictInt = 2000
    """Number of flights of importance sampling, after its search."""
    search: Literal["design_points", "cross_entropy", "both"] = "both"
    """Search of importance sampling for the regions of failures: "design_points" (by gradients),
    "cross_entropy" (by levels of cases), or "both"."""
    most: StrictInt = 200_000
    """Largest number of flights of one method."""

    @model_validator(mode="after")
    def _check(self) -> Rare:
        problems = []
        if self.level < LEAST_LEVEL or self.level % PART:
            text = f"{self.level} is not a multiple of {PART} of at least {LEAST_LEVEL}"
            problems.append(("level", f"{text}. Give the flights of one level, for example 500"))
        if not 1 <= self.runs <= MOST_RUNS:
            problems.append(("runs", f"{self.runs} is out of range. Allowed: 1 to {MOST_RUNS}"))
        if self.cases < LEAST_CASES:
            text = f"{self.cases} is below {LEAST_CASES}"
            problems.append(("cases", f"{text}. Give the flights of importance sampling, for example 2000"))
        if self.most < max(self.level * self.runs, self.cases) and not problems:
            text = (
                f"{self.most} flights are fewer than the {self.level * self.runs} of the first level of all"
            )
            problems.append(
                (
                    "most",
                    (
                        f"{text} runs, or fewer than the {self.cases} flights of the key 'cases'. Give a "
                        "larger number"
                    ),
                )
            )
        if problems:
            raise Refused(*problems)
        return self
