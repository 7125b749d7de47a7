"""Names of symbols: a letter and names of items, for example `r_hinge_panel`. SymPy can parse these names.
Different items have different symbols. If two short names are equal, both names become longer.
"""

from __future__ import annotations

from collections.abc import Iterable

Stem = tuple[str, ...]
"""Parts of a symbol: a letter, then the paths of its items, and other words. The items are a body, a joint,
or the joint and the body of an arm.
"""


class Naming:
    """Names of the symbols of a scenario. Names are short until all symbols are known and `settle` is
    called.
    """

    def __init__(self, scenario: object):
        self.words: dict[str, str] = {}
        """By their paths, the names of bodies and joints without letters that no symbol can have."""
        for group in ("bodies", "joints"):
            names = [one.name for one in getattr(scenario, group)]
            self.words |= {f"{group}.{name}": word for name, word in _words(names).items()}
        self._asked: dict[Stem, None] = {}
        self._texts: dict[Stem, str] = {}

    def __call__(self, *stem: str) -> str:
        """Return the name of a symbol from its letter and items."""
        self._asked[stem] = None
        return self._texts.get(stem, self._plain(stem))

    def settle(self) -> None:
        """Assign longer, different names to symbols with the same short name."""
        alike: dict[str, list[Stem]] = {}
        for stem in self._asked:
            alike.setdefault(self._plain(stem), []).append(stem)
        used = {text for text, stems in alike.items() if len(stems) == 1}
        for stem in (stem for stems in alike.values() if len(stems) > 1 for stem in stems):
            self._texts[stem] = _free_name(self._clear(stem), used)
            used.add(self._texts[stem])

    def _plain(self, stem: Stem) -> str:
        return "_".join(self.words.get(one, one) for one in stem)

    def _clear(self, stem: Stem) -> str:
        """A text that distinguishes names, and bodies from joints."""
        letter, first, *rest = stem
        if rest and rest[0] in self.words:
            return f"{letter}_{self.words[first]}__{self.words[rest[0]]}"
        kind = {"bodies": "body", "joints": "joint"}[first.partition(".")[0]]
        return "_".join([letter, kind, self.words[first], *rest])


def _words(names: Iterable[str]) -> dict[str, str]:
    """Symbol names of items of one kind; valid names stay unchanged."""
    found = {name: name for name in names if "-" not in name}
    for name in names:
        if name not in found:
            found[name] = _free_name(name.replace("-", "_"), {*found.values()})
    return found


def _free_name(text: str, used: set[str]) -> str:
    """A text, or the text with the first free number appended."""
    tried, number = text, 1
    while tried in used:
        number += 1
        tried = f"{text}_{number}"
    return tried
