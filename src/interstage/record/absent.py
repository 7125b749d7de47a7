"""Placeholders for missing packages, so that a saved flight can be displayed without these packages."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import ValidationError

from ..model.effect import ALL, Device, effects
from ..model.user_class import mark_untrusted
from ..tree import packages
from ..tree.declaration import ByName
from ..tree.errors import BadInput, NotInstalled
from ..tree.sentences import sentence

if TYPE_CHECKING:
    from ..scenario import Scenario


class Absent(Device):
    """Placeholder for a scenario entry whose type is defined in a package that is not installed.

    The loads of the entry are unknown, so conservation is not checked. The entry cannot be simulated.
    """

    outside: ClassVar[frozenset[str]] = ALL
    flies: ClassVar[bool] = False

    group: str
    """Group of the entry."""
    kind: str
    """Kind of the entry."""
    name: str
    """Name of the entry."""
    parent: str | None = None
    """The first body that the entry connects, if any."""
    child: str | None = None
    """The second body that the entry connects, if any."""
    why: str
    """Names of the missing packages, with the fix."""


def readable(text: str) -> Scenario:
    """Return the scenario of a saved flight for display only. text: TOML text of the scenario.

    Placeholders replace entries of packages that are not installed. Raises BadInput for other faults of the
    text.
    """
    from ..reading import loads
    from ..scenario import Scenario

    try:
        return loads(text, trust=False)
    except BadInput as error:
        try:
            data = tomllib.loads(text)
        except ValueError:
            raise error from None
        why = _without_needs(data)
        groups = packages.open_groups()
        absent = [one for group in groups for one in _without_kinds(data, group, why)]
        if not absent:
            raise
        try:
            with mark_untrusted():
                scenario = Scenario.model_validate(data)
        except ValidationError:
            raise error from None
    more = {group: tuple(one for one in absent if one.group == group) for group in groups}
    return scenario.model_copy(update={group: (*getattr(scenario, group), *more[group]) for group in groups})


def _without_needs(data: dict[str, Any]) -> str:
    """Remove missing packages from `needs`; return the reasons why they are missing."""
    kept, why = [], []
    for name in data.get("needs", ()):
        try:
            kept.append(packages.check_installed(name))
        except NotInstalled as error:
            why.append(str(error))
    data["needs"] = kept
    return "; ".join(why) or packages.of_unknown_kinds(kept)


def _without_kinds(data: dict[str, Any], group: str, why: str) -> list[Absent]:
    """Remove entries of unknown kinds from a group; return their placeholders."""
    known = {cls.model_fields["kind"].default for cls in packages.kinds(group)}
    entries = ByName().as_list(data.get(group, []))
    others = [one for one in entries if one.get("kind", next(iter(known))) not in known]
    data[group] = [one for one in entries if one not in others]
    kept = [{key: value for key, value in one.items() if key in Absent.model_fields} for one in others]
    return [Absent(**one, group=group, why=why) for one in kept]


def left_out(scenario: Scenario) -> list[str]:
    """Return one sentence for each missing package. The sentence states which results are omitted, and
    why."""
    found: dict[str, list[str]] = {}
    for one in effects(scenario):
        if isinstance(one, Absent):
            found.setdefault(one.why, []).append(f"{one.group}.{one.name} ({one.kind})")
    return [
        f"The report omits the checks of momentum and energy, and all tables and figures of"
        f" {', '.join(names)}. Reason: {sentence(why)}"
        for why, names in found.items()
    ]
