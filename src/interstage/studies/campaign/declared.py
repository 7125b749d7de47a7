"""Declaration of a campaign: its dispersions, their correlations, and the design of the cases."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import StrictInt, field_validator, model_validator

from ...statistics.looks import MOST_LOOKS
from ...tree.declaration import ByName, Declaration
from ...tree.errors import Refused
from ..study_file import INPUTS, StudyFile
from ..sweep.declared import Response
from .dispersion import KINDS, Dispersion, Kind, Number
from .envelopes_declared import Envelope, Histories, count_problems
from .goals import CONFIDENCE, Confidence, Failures, Goal, confidence_problems, fraction_of
from .rare.declared import Rare

Design = Literal["random", "latin_hypercube", "sobol"]
DESIGNS: tuple[Design, ...] = get_args(Design)
MOST_CASES = 2**32
"""Largest number of cases, equal to the number of points of the Sobol sequence."""


class Correlation(Declaration):
    """Correlation between dispersions: the correlation of their standard normal scores (Gaussian copula),
    which for normal distributions is the correlation of the values."""

    name: str
    """Name of the group."""
    of: tuple[str, ...] = ()
    """Names of the dispersions, in the order of the matrix. Default: the header of the file."""
    matrix: tuple[tuple[Number, ...], ...] | None = None
    """Correlation matrix."""
    value: Number | None = None
    """Correlation of all pairs, in place of a matrix."""
    file: str | None = None
    """CSV file with the matrix below a header of names, relative to the folder of the study."""

    @property
    def place(self) -> str:
        """Return the path of the correlation in messages."""
        return f"correlations.{self.name}"

    @model_validator(mode="after")
    def _check(self) -> Correlation:
        given = [key for key in ("matrix", "value", "file") if getattr(self, key) is not None]
        if len(given) != 1:
            fault = f"{' and '.join(given)} are set together" if given else "the group has no correlations"
            raise Refused(("", f"{fault}. Set exactly one of 'matrix', 'value' and 'file'"))
        if self.file is None and len(self.of) < 2:
            raise Refused(("of", "the group has fewer than two dispersions. List at least two dispersions"))
        if len({*self.of}) < len(self.of):
            raise Refused(("of", "a dispersion is listed twice. Keep the name once"))
        return self


class Loops(Declaration):
    """Numbers of nested loops: vehicles, days of launch for each vehicle, and flights on each day. The
    product of these numbers is the number of cases."""

    known: StrictInt | None = None
    """Number of vehicles."""
    day: StrictInt | None = None
    """Number of days for each vehicle."""
    flight: StrictInt | None = None
    """Number of flights on each day."""

    @model_validator(mode="after")
    def _check(self) -> Loops:
        found = {kind: getattr(self, kind) for kind in KINDS if getattr(self, kind) is not None}
        if len(found) < 2:
            raise Refused(
                ("", "the table has fewer than two loops. Set two of known, day and flight, or remove loops")
            )
        for kind, count in found.items():
            if count < 1:
                raise Refused((kind, f"{count} is below 1. Give a number of draws of at least 1"))
        return self


class Campaign(StudyFile):
    """Study file with the dispersed inputs of a scenario, and the design of the cases."""

    cases: StrictInt | None = None
    """Number of cases. Default: the product of the loops."""
    seed: StrictInt = 0
    """Seed of the random numbers."""
    design: Design = "random"
    """Design of the cases: "random", "latin_hypercube", or "sobol" (scrambled)."""
    block: StrictInt | None = None
    """Number of cases of one Latin hypercube. Default: all cases."""
    loops: Loops | None = None
    """Nested loops over vehicles, days and flights. Default: each case is another vehicle on another day."""
    dispersions: Annotated[tuple[Dispersion, ...], ByName()]
    """Dispersed inputs and their distributions."""
    correlations: Annotated[tuple[Correlation, ...], ByName()] = ()
    """Correlated groups of dispersions."""
    responses: Annotated[tuple[Response, ...], ByName()] = ()
    """Responses in addition to the scenario's requirements. Default: separation speeds, tip-off rates and
    joint loads of released bodies."""
    envelopes: Annotated[tuple[Envelope, ...], ByName()] = ()
    """Quantities over time, whose values in all cases are recorded."""
    histories: Histories | None = None
    """Cases whose flights are saved after the campaign is complete. Default: no case."""
    proportion: Number | str | None = None
    """Proportion of cases that must meet each requirement: 0.9973, "99.73 %", or "3 sigma" with sides.
    Default: nothing is to be shown."""
    sides: StrictInt | None = None
    """Meaning of "3 sigma": 1 for 0.99865 (one side), 2 for 0.9973 (both sides)."""
    confidence: Confidence = CONFIDENCE
    """Confidence of proofs, percentiles and intervals: 0.9 or "90 %"."""
    requirements: Annotated[tuple[Goal, ...], ByName()] = ()
    """Other proportions and confidences for some requirements of the scenario."""
    looks: StrictInt | None = None
    """Number of looks at which a requirement may be shown. The looks share the risk. Default: one, at the
    end."""
    failures: Failures = "count"
    """Effect of cases without a verdict (ended early, could not start, no number): "count" as failures of
    each requirement, or "leave_out"."""
    chunk: StrictInt | None = None
    """Number of cases in one file of results. Large chunks are faster if a case takes less than 10 ms.
    Default: 128 to 1024, chosen from the numbers of cases, processes and integration steps."""
    rare: Rare = Rare()
    """Numbers of flights for the probability of rare violations, by the option --rare."""

    @field_validator("design", mode="before")
    @classmethod
    def _known_design(cls, value: Any) -> Any:
        if value == "importance":
            text = (
                f'"importance" is not a design. Use one of {", ".join(DESIGNS)}, and set importance'
                " of a dispersion"
            )
            raise Refused(("", text))
        return value

    @model_validator(mode="after")
    def _check(self) -> Campaign:
        problems = [*self._count_problems(), *self._loop_problems(), *self._goal_problems()]
        problems += count_problems(self.envelopes)
        if self.block is not None and self.design != "latin_hypercube":
            problems.append(
                ("block", "'block' has an effect with design = \"latin_hypercube\" only. Remove 'block'")
            )
        elif self.block is not None and self.block < 1:
            problems.append(
                ("block", f"block = {self.block} is below 1. Give the number of cases of one Latin hypercube")
            )
        if not self.dispersions:
            problems.append(("dispersions", "the study has no dispersion. Add an input and its distribution"))
        if problems:
            raise Refused(*problems)
        return self

    def _count_problems(self) -> Iterator[tuple[str, str]]:
        if self.cases is None and self.loops is None:
            yield "cases", "the number of cases is missing. Set, for example, cases = 1000"
        elif self.cases is not None and not 1 <= self.cases <= MOST_CASES:
            yield "cases", f"cases = {self.cases} is out of range. Allowed: 1 to {MOST_CASES}"
        if not 0 <= self.seed < 2**64:
            yield "seed", f"seed = {self.seed} is out of range. Give a whole number from 0 to 2^64 - 1"

    def _goal_problems(self) -> Iterator[tuple[str, str]]:
        if self.chunk is not None and self.chunk < 1:
            yield (
                "chunk",
                (f"chunk = {self.chunk} is below 1. Give the number of cases in one file, for example 128"),
            )
        if self.looks is not None and not 1 <= self.looks <= MOST_LOOKS:
            yield "looks", f"looks = {self.looks} is out of range. Allowed: 1 to {MOST_LOOKS}"
        yield from confidence_problems(self.confidence)
        try:
            if self.proportion is not None:
                fraction_of(self.proportion, self.sides)
            elif self.sides is not None:
                yield (
                    "sides",
                    ("'sides' has no effect without 'proportion'. Set 'proportion', or remove 'sides'"),
                )
        except Refused as error:
            yield from ((problem.place, problem.message) for problem in error.problems)

    def _loop_problems(self) -> Iterator[tuple[str, str]]:
        if self.loops is None:
            return
        if self.cases is not None and self.cases != self.count:
            text = f"cases = {self.cases} differs from the product of the loops, {self.count}. Remove cases"
            yield "cases", text
        for kind in KINDS:
            names = [one.name for one in self.dispersions if one.kind == kind and one.way != "formula"]
            if names and getattr(self.loops, kind) is None:
                yield "loops", f'{kind} is missing, but dispersion {names[0]} has kind = "{kind}". Set {kind}'

    @property
    def count(self) -> int:
        """Return the number of cases. With nested loops, it is the product of the numbers of the loops."""
        if self.loops is None:
            return self.cases or 0
        return self.per_loop("known") * (self.loops.known or 1)

    def goal(self, requirement: str) -> tuple[float | None, float]:
        """Return the required proportion of cases that meet a requirement, and the confidence level. The
        proportion is None if it is not declared.

        requirement: name of the requirement in the scenario.
        """
        own = next((one for one in self.requirements if one.name == requirement), None)
        confidence = self.confidence if own is None or own.confidence is None else own.confidence
        given = self if own is None or own.proportion is None else own
        return None if given.proportion is None else fraction_of(given.proportion, given.sides), confidence

    def per_loop(self, kind: Kind) -> int:
        """Return the number of consecutive cases that share a draw. kind: vehicle, day or flight."""
        inner = KINDS[KINDS.index(kind) + 1 :] if self.loops is not None else ()
        return int(np.prod([getattr(self.loops, one) or 1 for one in inner], dtype=object))

    def draws_of(self, kind: Kind) -> int:
        """Return the number of draws in the complete campaign. kind: vehicle, day or flight."""
        return self.count // self.per_loop(kind)

    @classmethod
    def missing(cls, given: Collection[str]) -> dict[str, str]:
        """Return an error message for each required key that is missing, by key.

        given: keys in the study file.
        """
        example = INPUTS.format("dispersions").replace('low = "900 kg", high = "1100 kg"', 'sigma = "2 %"')
        text = f"the dispersed inputs are missing. Add at least one dispersion, {example}"
        return super().missing(given) | ({} if "dispersions" in given else {"dispersions": text})
