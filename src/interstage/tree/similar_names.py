"""Similar names for messages about misspelt names and missing files."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Sequence

from .sentences import one_of

MOST_SLIPS = 3
"""Maximum number of wrong letters in a misspelt name."""
A_SLIP = 3.3
"""Number of letters that a name must have for each allowed wrong letter.

For example, one wrong letter is allowed in a name of five letters, and two in a name of six.
"""
SHARED = 0.6
"""Minimum similarity of two names with a common word. Above this similarity, the names count as similar."""
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
    """Return the end of a message about an unknown name. The message suggests similar names.

    If there are no similar names, the message lists the known names, at most 12. `what`: plural noun for
    these names.
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
