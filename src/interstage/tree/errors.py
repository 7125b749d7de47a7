"""Errors whose messages give path, value, fault and fix."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass

MOST_DIGITS = 1000
"""Maximum number of digits of a whole number in a text. The limit is below Python's own limit of 4300
digits.
"""
MOST_OF_PLACE, MOST_OF_MESSAGE = 300, 3000
"""Maximum numbers of characters of the path and of the message of a problem in an error text."""
LISTED_PROBLEMS = 50
"""Maximum number of problems that the text of a `BadInput` lists. Further problems are only counted."""


class InterstageError(Exception):
    """Base class of all errors that this package raises on purpose."""


@dataclass(frozen=True)
class Problem:
    """One fault of an input, with its path and a message that contains the fix.

    - `place`: input path such as ``joints.aft.child_at``, or empty for the complete input.
    - `line`: line of the scenario file, if known.
    - `setting`: path or paths of a value that was set in addition to the file, if this value causes the
      problem.
    """

    place: str
    message: str
    line: int | None = None
    setting: str = ""

    def __str__(self) -> str:
        line = f"line {self.line}: " if self.line else ""
        if self.setting:
            line = f"--set {_short(self.setting, MOST_OF_PLACE)}: "
        place = f"{self.place}: " if self.place and self.place != self.setting else ""
        return f"{line}{_short(place, MOST_OF_PLACE)}{_short(self.message, MOST_OF_MESSAGE)}"


def _short(text: str, most: int) -> str:
    """Return a text that is shortened in its middle if it is longer than `most`, such as a value of thousands
    of digits."""
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-most // 2 :]}"


@dataclass(frozen=True)
class BrokenName(Problem):
    """Problem with a name that is unknown or not allowed.

    The declaration with this name, and all declarations that depend on it, are not checked further. `among`:
    groups of declarations that were searched for the name.
    """

    among: tuple[str, ...] = ()


class BadInput(InterstageError):
    """Error for input that cannot be used. `problems`: all problems. `source`: name of the file."""

    def __init__(self, problems: Iterable[Problem] | Problem | str, source: str | None = None):
        if isinstance(problems, str):
            problems = Problem("", problems)
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.source = source
        super().__init__(self.problems, source)

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems[:LISTED_PROBLEMS]]
        if len(self.problems) > LISTED_PROBLEMS:
            lines.append(f"... and {len(self.problems) - LISTED_PROBLEMS} more")
        head = f"{self.source}: " if self.source else ""
        return "\n".join(head + line for line in lines)


def why(error: OSError) -> str:
    """Return the system's reason why a file cannot be written.

    Messages of libraries would contain internal details.
    """
    reason = re.search(r"error message = '([^']*)'", str(error))
    if reason:
        return reason[1]
    return os.strerror(error.errno) if error.errno else str(error)


def print_error(text: str) -> None:
    """Print a line on the standard error stream. If this fails, for example because the disk is full, the
    program continues.
    """
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def whole_number(text: str) -> int | None:
    """Return the integer that a text of digits represents.

    Returns None for other texts, and for texts with more than `MOST_DIGITS` digits.
    """
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def check_case(number: int, count: int) -> None:
    """Check that a number is the index of a case, from 0 to `count` - 1. Raises BadInput for another
    number.
    """
    if number not in range(count):
        if not count:
            text = f"there is no case {number}, because the results have no cases. Remove the case number"
            raise BadInput(Problem("", text))
        raise BadInput(Problem("", f"there is no case {number}; allowed: 0 to {count - 1}"))


class FlightEnded(InterstageError):
    """Error for a flight that ended before the end of its last phase. The message contains time, location and
    reason.
    """


class Written(str):
    """Message of a `Refused` with placeholders for values of the declaration.

    A placeholder is a key in braces: "{lower} is not below upper, {upper}". The printed message contains the
    values as in the input, with the units of the input.
    """


class Refused(ValueError):
    """Error that validators raise. The paths of the problems are relative to the validated declaration."""

    def __init__(self, *problems: Problem | tuple[str, str]):
        self.problems = tuple(p if isinstance(p, Problem) else Problem(*p) for p in problems)
        super().__init__("; ".join(map(str, self.problems)))


class NotInstalled(Refused):
    """Error for a scenario that needs a package that is not installed. The kinds of this package cannot
    be checked.
    """
