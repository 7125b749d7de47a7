"""Goals of a campaign for a requirement: the required proportion of cases that meet it, and the confidence
level.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, StrictInt, model_validator
from scipy.special import ndtr

from ...tree.declaration import Declaration
from ...tree.errors import Refused
from ..amounts import value_text
from .dispersion import Number

SIGMA = re.compile(r"\s*(\d+(?:\.\d+)?)\s*[- ]?\s*sigma\s*")
PER_CENT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*%\s*")
DIGITS = 5
"""Decimal places of a proportion that is declared in sigmas. The rounded values, such as 0.99865 and 0.9973,
are the commonly printed values.
"""
CONFIDENCE = 0.9


def _confidence(value: Any) -> Any:
    """A confidence from a number, or from a text such as "90 %". Raises Refused."""
    if isinstance(value, str) and (found := PER_CENT.fullmatch(value)):
        return round(float(found[1]) / 100, 12)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Refused(("", f'{value_text(value)} is not a confidence. Write 0.9 or "90 %"'))
    return value


Confidence = Annotated[float, BeforeValidator(_confidence)]
"""Type of a confidence level: a number between 0 and 1, or a text in per cent."""


def fraction_of(proportion: Any, sides: int | None) -> float:
    """Return a proportion of cases as a fraction, from 0.9973, "99.73 %" or "3 sigma".

    sides: 1 or 2, number of sides of the normal distribution for a proportion in sigmas. Raises Refused.
    """
    if isinstance(proportion, str):
        if found := SIGMA.fullmatch(proportion):
            return _of_sigmas(float(found[1]), sides)
        found = PER_CENT.fullmatch(proportion)
        fraction = round(float(found[1]) / 100, 12) if found else None
    else:
        fraction = float(proportion) if isinstance(proportion, (int, float)) else None
    if fraction is None:
        text = f'{proportion!r} is not a proportion. Write 0.9973, "99.73 %" or "3 sigma"'
        raise Refused(("proportion", text))
    if not 0 < fraction < 1:
        text = f"{proportion} is out of range. Give a proportion between 0 and 1, such as 0.9973"
        raise Refused(("proportion", text))
    if sides is not None:
        raise Refused(
            ("sides", ("'sides' has an effect with a proportion such as \"3 sigma\" only. Remove 'sides'"))
        )
    return fraction


def _of_sigmas(sigmas: float, sides: int | None) -> float:
    one, two = (round(float(value), DIGITS) for value in (ndtr(sigmas), 1 - 2 * ndtr(-sigmas)))
    if sides is None:
        text = f'"{sigmas:g} sigma" means {one} for a limit on one side, but {two} between two limits'
        raise Refused(("sides", f"'sides' is missing: {text}. Set sides = 1 or sides = 2"))
    if sides not in (1, 2):
        raise Refused(("sides", f"{sides} is not allowed. Set sides = 1 or sides = 2"))
    found = one if sides == 1 else two
    if not 0 < found < 1:
        raise Refused(("proportion", f"{sigmas:g} sigma is out of range. Give 0.5 to 4 sigma"))
    return found


class Goal(Declaration):
    """Goal of a requirement of the scenario."""

    name: str
    """Name of the requirement in the scenario."""
    proportion: Number | str | None = None
    """Proportion of cases that must meet the requirement: 0.9973, "99.73 %" or "3 sigma" with sides. Default:
    that of the study."""
    sides: StrictInt | None = None
    """Meaning of "3 sigma": 1 for 0.99865 (one side), 2 for 0.9973 (both sides)."""
    confidence: Confidence | None = None
    """Confidence of the proof: 0.9 or "90 %". Default: that of the study."""

    @property
    def place(self) -> str:
        """Return the path of the goal in messages."""
        return f"requirements.{self.name}"

    @model_validator(mode="after")
    def _check(self) -> Goal:
        if self.proportion is None and self.sides is not None:
            raise Refused(
                ("sides", "'sides' has no effect without 'proportion'. Set 'proportion', or remove 'sides'")
            )
        if self.proportion is not None:
            fraction_of(self.proportion, self.sides)
        if problems := [*confidence_problems(self.confidence)]:
            raise Refused(*problems)
        return self


def confidence_problems(value: float | None) -> Iterator[tuple[str, str]]:
    """Yield a pair (key, message) if a confidence level is not between 0 and 1."""
    if value is not None and not 0 < value < 1:
        text = f"{value:g} is out of range. Give a confidence between 0 and 1"
        yield "confidence", f'{text}, such as 0.9 or "90 %"'


Failures = Literal["count", "leave_out"]
