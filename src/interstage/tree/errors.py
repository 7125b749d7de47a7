"""What goes wrong, said in one clear sentence: place, value, what is allowed, remedy."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

MOST_DIGITS = 1000
"""Digits of a whole number at most: Python refuses more than 4300."""
MOST_OF_PLACE, MOST_OF_MESSAGE = 300, 3000
"""Characters that are shown of the place and of the message of a problem."""
LISTED_PROBLEMS = 50
"""How many problems the text of a `BadInput` lists before it only counts the rest."""


class InterstageError(Exception):
    """Base of every error that this package raises on purpose."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an input: where, and what is allowed instead.

    `place` is an input path (``joints.aft.child_at``), or empty for the input as a whole; `line` is the line
    of the scenario file, where it is known. `setting`: the path of the value that was set beside the file
    which it comes from, or several."""

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
    """A text, shortened in its middle if it is too long to read, such as a value of thousands of digits."""
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-most // 2 :]}"


@dataclass(frozen=True)
class BrokenName(Problem):
    """A name that leads nowhere, or to what cannot be meant: the declaration that says it cannot be used, and
    what depends on it is not judged. `among`: the groups that the name was looked for in."""

    among: tuple[str, ...] = ()


class BadInput(InterstageError):
    """The input cannot be used. `problems` holds everything found wrong, `source` the file it came from."""

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
    """Why a file cannot be written, in the words of the system: those of libraries tell of themselves."""
    told = re.search(r"error message = '([^']*)'", str(error))
    if told:
        return told[1]
    return os.strerror(error.errno) if error.errno else str(error)


def print_error(text: str) -> None:
    """Print a line on the standard error. A full disk or a closed terminal there must not cost the work."""
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def whole_number(text: str) -> int | None:
    """The number that digits stand for; none for other texts, and for more digits than Python reads."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def check_case(number: int, count: int) -> None:
    """Refuse a number that is not one of so many cases, counted from 0. Raises BadInput."""
    if number not in range(count):
        allowed = f"0 to {count - 1}" if count else "none, there are no cases"
        raise BadInput(Problem("", f"there is no case {number}; allowed: {allowed}"))


class FlightEnded(InterstageError):
    """The flight ended before its last phase did; the text states when, where and why."""


class Written(str):
    """A sentence of a `Refused` with places for values of the declaration as its input has them, in the units
    that were written, by their keys: "{lower} is not below upper, {upper}"."""


class Refused(ValueError):
    """Raised inside a validator: one or more problems at places relative to the declaration being
    validated."""

    def __init__(self, *problems: Problem | tuple[str, str]):
        self.problems = tuple(p if isinstance(p, Problem) else Problem(*p) for p in problems)
        super().__init__("; ".join(map(str, self.problems)))


class NotInstalled(Refused):
    """Raised where a scenario needs a package that is not there: of kinds that are not known nothing can be
    said then."""


MOST_SLIPS = 3
"""Letters that a misspelt name may have wrong at most."""
A_SLIP = 3.3
"""Letters of a name for each that may be wrong, and a little more: of five letters one, of six two."""
SHARED = 0.6
"""Part of their letters that names with a word in common have in common, where one is meant for the other."""
MOST_MEANT = 3
FEW_LETTERS = 3
"""Letters from which on the beginning of a name stands for it, and a word of it says something."""


def like(name: str, known: Iterable[str]) -> list[str]:
    """The known names that a misspelt one may be meant for, the nearest first: those with few letters wrong,
    in the singular, or written out."""
    far = {one: apart for one in dict.fromkeys(known) if (apart := _apart(name, one)) is not None}
    near = min(far.values(), default=0.0)
    return sorted((one for one in far if far[one] <= near + 1), key=far.__getitem__)[:MOST_MEANT]


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known names that are as like a misspelt one as any."""
    close = like(name, known)
    return [one for one in close if _apart(name, one) == _apart(name, close[0])]


def _apart(name: str, known: str) -> float | None:
    """How far a name is from a known one, in letters; none for one that is not meant."""
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
    """Letters by which a word differs from another: left out, added, exchanged for another one or with the
    next one; more than `most` where they are more (optimal string alignment)."""
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
    """The end of a sentence about an unknown name: the near ones first, else all of a short list."""
    names = list(dict.fromkeys(known))
    close = like(str(name), names)
    return _meant(close) if close else _all_of(names, what)


def _meant(names: Iterable[str]) -> str:
    return f"did you mean {' or '.join(map(repr, names))}?"


def _all_of(names: Sequence[str], what: str) -> str:
    """All of a short list, the first of a long one."""
    if not names:
        return f"there are no {what}" if what != "known" else "none is known here"
    return f"{what}: {', '.join(names[:12])}{', ...' if len(names) > 12 else ''}"


def like_files(name: str, files: Iterable[str]) -> list[str]:
    """The files that a misspelt name may be meant for. What names end in is alike by itself."""
    stems: dict[str, list[str]] = {}
    for file in files:
        stems.setdefault(os.path.splitext(file)[0], []).append(file)
    return [file for stem in like(os.path.splitext(name)[0], stems) for file in stems[stem]]


def no_file(path: str | os.PathLike[str], remedy: str = "give its path from the scenario's folder") -> str:
    """What to say of a file that is not there: the folder in which it was looked for, and the files there
    that it may be meant for. remedy: for a folder that is not there."""
    folder, name = os.path.split(os.path.abspath(path))
    ending = os.path.splitext(name)[1]
    try:
        found = sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
    except OSError:
        return f"there is no such file, nor a folder {folder}; {remedy}"
    alike = [one for one in found if os.path.splitext(one)[1].lower() == ending.lower()]
    close = like_files(name, alike)
    hint = _meant(close) if close else _all_of(alike, f"{ending} files there".strip())
    return f"there is no such file in {folder}; {hint}"


def counted(number: int, things: str) -> str:
    """A number of things in words: 2 bodies, 1 body."""
    return f"{number} {one_of(things) if number == 1 else things}"


def one_of(things: str) -> str:
    """The singular of a plural; what has none stays, such as dynamics."""
    if things.endswith("ics"):
        return things
    if things == "axes":
        return "axis"
    return f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")


def listed(names: Sequence[str], most: int) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


MOMENTS = ("phases", "events", "devices")
"""Groups of declarations that make the moments which others wait for."""
_GROUP_OF = {
    "body": ("bodies",),
    "phase or event": MOMENTS,
    "phase, event or device's event": MOMENTS,
    "gas chamber": ("devices",),
    "bushing or beam": ("forces",),
    "command": ("controls",),
    "guidance": ("guidance",),
    "mass element": ("bodies",),
}


def groups_of(what: str) -> tuple[str, ...]:
    """The groups of declarations whose names may be meant by one of so many words, in the singular."""
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
    """The problem of a name at `place` that is none of those known; none where it is one. what: what it
    should be the name of, in the singular; remedy: what to say before the near names; also: what may be
    written there besides, such as names of patterns."""
    known = list(known)
    if name not in known:
        hint = near(name, [*known, *also], f"{_MANY.get(what, what + 's')} here")
        said = f"there is no {what} '{name}'; {remedy}{hint}"
        yield BrokenName(place, said, among=groups_of(what))
