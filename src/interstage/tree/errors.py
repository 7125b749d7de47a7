"""Errors whose messages give path, value, fault and fix, and hints for misspelt names."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
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

    The messages of libraries contain internal details instead.
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
        allowed = f"0 to {count - 1}" if count else "no case number, because the results have no cases"
        raise BadInput(Problem("", f"there is no case {number}; allowed: {allowed}"))


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
    """Error that validators raise. Its problems have paths relative to the validated declaration."""

    def __init__(self, *problems: Problem | tuple[str, str]):
        self.problems = tuple(p if isinstance(p, Problem) else Problem(*p) for p in problems)
        super().__init__("; ".join(map(str, self.problems)))


class NotInstalled(Refused):
    """Error for a scenario that needs a package that is not installed. The kinds of this package cannot
    be checked.
    """


MOST_SLIPS = 3
"""Maximum number of wrong letters in a misspelt name."""
A_SLIP = 3.3
"""Number of letters that a name must have for each allowed wrong letter.

One wrong letter is allowed in a name of five letters, two in a name of six.
"""
SHARED = 0.6
"""Minimum similarity of two names with a common word. Above it, the names count as similar."""
MOST_MEANT = 3
FEW_LETTERS = 3
"""Minimum number of letters of an abbreviation that is recognized as the beginning or a word of a longer
name.
"""


def like(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that a misspelt name may mean, nearest first.

    Three kinds of names are found: names with few wrong letters, singular and plural forms, and long forms of
    an abbreviation.
    """
    far = {one: apart for one in dict.fromkeys(known) if (apart := _letter_distance(name, one)) is not None}
    near = min(far.values(), default=0.0)
    return sorted((one for one in far if far[one] <= near + 1), key=far.__getitem__)[:MOST_MEANT]


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that are most similar to a misspelt name. If several are equally similar, all
    are returned.
    """
    close = like(name, known)
    return [one for one in close if _letter_distance(name, one) == _letter_distance(name, close[0])]


def _letter_distance(name: str, known: str) -> float | None:
    """Return the distance of a name from a known name in letters, or None if they are not similar."""
    one, other = name.casefold(), known.casefold()
    if one == other or one == one_of(other) or other == one_of(one):
        return 0.5 * (name != known)
    most = min(MOST_SLIPS, int((max(len(one), len(other)) + 1) / A_SLIP))
    found = slips(one, other, most)
    if found <= most:
        return found
    words, others = (re.split(r"[^a-z0-9]+", text) for text in (one, other))
    if len(one) >= FEW_LETTERS and (other.startswith(one) or {*words} <= {*others} or {*others} <= {*words}):
        return MOST_SLIPS - 0.1 * len({*words} & {*others})
    shared = any(len(word) > FEW_LETTERS for word in {*words} & {*others})
    alike = shared and difflib.SequenceMatcher(None, one, other).ratio() >= SHARED
    return MOST_SLIPS + 1 if alike else None


def slips(one: str, other: str, most: int) -> int:
    """Return the edit distance of two words (optimal string alignment). Above `most`, the result is any
    number above `most`.

    An edit omits, inserts or replaces a letter, or exchanges two neighbouring letters.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        before, above, row = row, before, [i]
        for j, its in enumerate(other, start=1):
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != its))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == its:
                least = min(least, above[j - 2] + 1)
            row.append(least)
        if min(row) > most:
            return most + 1
    return row[-1]


def near(name: str, known: Iterable[str], what: str = "known") -> str:
    """Return the end of a message about an unknown name. It suggests similar names.

    If there are no similar names, it lists the known names, at most 12. `what`: plural noun for these names.
    """
    names = list(dict.fromkeys(known))
    close = like(str(name), names)
    return _meant(close) if close else _all_of(names, what)


def _meant(names: Iterable[str]) -> str:
    return f"did you mean {' or '.join(map(repr, names))}?"


def _all_of(names: Sequence[str], what: str) -> str:
    """Return all names of a short list, or the first names of a long list."""
    if not names:
        return f"there are no {what}" if what != "known" else "no name is defined here"
    return f"{what}: {', '.join(names[:12])}{', ...' if len(names) > 12 else ''}"


def like_files(name: str, files: Iterable[str]) -> list[str]:
    """Return the file names that a misspelt file name may mean. File extensions are not compared."""
    stems: dict[str, list[str]] = {}
    for file in files:
        stems.setdefault(os.path.splitext(file)[0], []).append(file)
    return [file for stem in like(os.path.splitext(name)[0], stems) for file in stems[stem]]


def no_file(
    path: str | os.PathLike[str], remedy: str = "give the path from the folder of the scenario"
) -> str:
    """Return the message for a missing file, with the searched folder and similar files in this folder.

    `remedy`: fix that is given if the folder does not exist.
    """
    folder, name = os.path.split(os.path.abspath(path))
    ending = os.path.splitext(name)[1]
    try:
        found = sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
    except OSError:
        return f"the file does not exist, and neither does the folder {folder}; {remedy}"
    alike = [one for one in found if os.path.splitext(one)[1].lower() == ending.lower()]
    close = like_files(name, alike)
    hint = _meant(close) if close else _all_of(alike, f"{ending} files there".strip())
    return f"there is no such file in {folder}; {hint}"


def count_text(number: int, things: str) -> str:
    """Return a number with its noun in the right form: "2 bodies", "1 body". `things`: the plural noun."""
    return f"{number} {one_of(things) if number == 1 else things}"


def one_of(things: str) -> str:
    """Return the singular of a plural noun. Nouns that end in -ics, such as dynamics, are unchanged."""
    if things.endswith("ics"):
        return things
    if things == "axes":
        return "axis"
    return f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")


def list_text(names: Sequence[str], most: int) -> str:
    """Return a text with the first `most` names and the number of the remaining names."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


MOMENTS = ("phases", "events", "devices")
"""Groups whose declarations have events to which other declarations can refer."""
_GROUP_OF = {
    "body": ("bodies",),
    "phase or event": MOMENTS,
    "phase, event or device's event": MOMENTS,
    "gas chamber": ("devices",),
    "bushing or beam": ("forces",),
    "command": ("controls",),
    "guidance": ("guidance",),
    "mass item": ("bodies",),
}


def groups_of(what: str) -> tuple[str, ...]:
    """Return the groups of declarations for a singular noun: ("bodies",) for "body"."""
    return _GROUP_OF.get(what, (what + "s",))


_MANY = {
    "body": "bodies",
    "guidance": "guidance laws",
    "phase or event": "phases and events",
    "phase, event or device's event": "phases, events and devices' events",
    "bushing or beam": "bushings and beams",
}


def unknown(
    place: str, name: str, known: Iterable[str], what: str, remedy: str = "", also: Iterable[str] = ()
) -> Iterator[BrokenName]:
    """Yield a problem if the name at the path `place` is not known.

    - known: allowed names.
    - what: kind of the name, as a singular noun.
    - remedy: text before the suggested names.
    - also: further names that may be suggested, such as names of patterns.
    """
    known = list(known)
    if name not in known:
        hint = near(name, [*known, *also], f"{_MANY.get(what, what + 's')} here")
        said = f"there is no {what} '{name}'; {remedy}{hint}"
        yield BrokenName(place, said, among=groups_of(what))
