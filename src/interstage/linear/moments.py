"""Requested times of a flight: times in seconds, and events with their sides."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..tree import units
from ..tree.errors import BadInput, Problem, whole_number
from ..tree.sentences import sentence
from ..tree.unit_names import UnitError

MOST_TIMES = 100_000
"""Largest number of times of `along`. Linearization at this number of times takes half an hour."""
SHOWN = 20
"""Largest number of digits of a count in messages."""
SIDES = ("before", "after")
EXTREMES = ("max", "min")
WRITING = (
    'Write "start", "end", an event, "before EVENT", "after EVENT", "max QUANTITY", "min QUANTITY" or a time'
    ' such as "12 s"'
)


@dataclass(frozen=True)
class Moment:
    """A requested time of a flight: a time [s], just before or after an event, or an extreme of a quantity.

    extreme: "max" or "min", and the path of the quantity; None for other times."""

    text: str
    time: float | None = None
    event: str = ""
    side: str = "after"
    extreme: tuple[str, str] | None = None


def moments(at: Any) -> list[Moment]:
    """Return the requested times from one time [s] or text, or from a list of times and texts. Raises
    BadInput.
    """
    if isinstance(at, str) or np.ndim(at) == 0:
        return [_moment(at)]
    found = [_moment(one) for one in at]
    if not found:
        raise BadInput(Problem("at", f"the list of times is empty. {WRITING}"))
    return found


def _moment(one: Any) -> Moment:
    if not isinstance(one, str):
        time = float(one)
        if not math.isfinite(time):
            raise BadInput(Problem("at", f"{time} is not a finite time in seconds. {WRITING}"))
        return Moment(f"{time:.9g} s", time)
    words = one.split()
    if words and (words[0][0].isdigit() or words[0][0] in "+-."):
        try:
            time = units.parse_value(one, "s")
        except UnitError as error:
            raise BadInput(Problem("at", f"{sentence(error)} {WRITING}")) from None
        return Moment(f"{time:.9g} s", time)
    # Names have no dots. "max spent" is an event of the device max.
    if len(words) == 2 and words[0] in EXTREMES and "." in words[1]:
        return Moment(" ".join(words), extreme=(words[0], words[1]))
    side = words[0] if len(words) > 1 and words[0] in SIDES else ""
    name = " ".join(words[1:] if side else words)
    if not name:
        raise BadInput(Problem("at", f"'{one}' is not a time or an event. {WRITING}"))
    return Moment(one.strip(), None, name, side or "after")


def span(along: str) -> tuple[Moment, Moment, int]:
    """Return the first time, the last time and the number of times from a text "FROM:TO:COUNT". Raises
    BadInput.
    """
    ends = [part.strip() for part in along.split(":")]
    count = whole_number(ends[2]) if len(ends) == 3 and all(ends) else None
    if count is None or count < 2:
        text = "Write FROM:TO:COUNT, for example start:apart:21, with a count of at least 2"
        raise BadInput(Problem("along", f"'{along}' cannot be read. {text}"))
    if count > MOST_TIMES:
        text = f"the count {ends[2][:SHOWN]} is out of range. Allowed: 2 to {MOST_TIMES}"
        raise BadInput(Problem("along", text))
    first, last = map(_moment, ends[:2])
    return first, last, count
