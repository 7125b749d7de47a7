"""Manifest of a campaign: its scenario and study, the software versions and the batch settings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ...record.results import current_versions
from ...runs.lot import LotSettings
from ...tree import guarded_reader
from ...tree.errors import BadInput, Problem
from ...tree.saving import write_file
from ...tree.toml_file import plain
from .chunk_file import FORMAT, NO_SPACE, Stamp
from .columns import EnvelopeColumn, Input, Names, Output
from .declared import Campaign
from .devices import CPU
from .first_flight import FirstFlight
from .plan import Plan

NAME = "manifest.json"
OF_STATISTICS = (
    *("proportion", "sides", "confidence", "requirements", "failures", "chunk", "looks", "rare"),
    "histories",
)
"""Keys of a study that do not affect the results of a case."""
OTHER_FOLDER = "Use another folder (-o), or the study of this folder"


@dataclass(frozen=True)
class Manifest:
    """Description of the results in a folder.

    - scenario: text of the scenario in SI.
    - study: keys of the study with values as written; `cases` is the current number of cases.
    - files: checksum of each file that the study refers to, by name.
    - versions: software versions by package name.
    - settings: see `LotSettings`.
    - names: names of the result columns.
    - files_in: folder of the study.
    - notes: warnings about the study.
    - earlier: earlier numbers of cases. The campaign was complete with each of these numbers of cases before
      the campaign was enlarged.
    - format: version of the format.
    """

    scenario: str
    study: dict[str, Any]
    files: dict[str, str]
    versions: dict[str, str]
    settings: LotSettings
    names: Names
    files_in: str = ""
    notes: tuple[str, ...] = ()
    earlier: tuple[int, ...] = ()
    format: int = FORMAT
    _kept: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def cases(self) -> int:
        """Return the number of cases of the complete campaign."""
        return self.campaign.count

    @property
    def campaign(self) -> Campaign:
        """Return the study of the campaign."""
        if "campaign" not in self._kept:
            self._kept["campaign"] = Campaign(**self.study)
        return self._kept["campaign"]

    @property
    def identity(self) -> dict[str, Any]:
        """Return the data that determine the results of a case. The number of cases is not included."""
        found: dict[str, Any] = {
            "study": _identity_of(self.campaign, self.study),
            "files": self.files,
            "scenario": self.scenario,
            "settings": [self.settings.width, self.settings.steps, self.settings.compiled],
        }
        if self.settings.device != CPU:  # the last digits of results differ
            found["device"] = self.settings.device
        if self.names.envelopes:  # their durations can follow from a flight
            found["envelopes"] = [list(one) for one in self.names.envelopes]
        return found

    @property
    def first(self) -> FirstFlight:
        """Return the settings and envelopes that follow from the first flight of the campaign."""
        return FirstFlight(self.settings, self.names.envelopes)

    @property
    def stamp(self) -> Stamp:
        """Return the identity that all result files of the campaign must have."""
        text = json.dumps(self.identity, sort_keys=True)
        return Stamp(hashlib.sha256(text.encode()).hexdigest(), self.versions["interstage"])

    def with_chunk(self, chunk: int | None) -> Manifest:
        """Return the manifest with a number of cases in a chunk. For None, return it unchanged."""
        return self if chunk is None else replace(self, study=self.study | {"chunk": chunk}, _kept={})

    def text(self) -> str:
        """Return the manifest as JSON text."""
        found = {key: value for key, value in asdict(self).items() if key != "_kept"}
        found["settings"] = self.settings._asdict()
        found["names"] = {
            group: [one._asdict() for one in entries]
            for group, entries in self.names._asdict().items()
            if entries or group != "envelopes"
        }
        hashes = {"scenario": self.scenario, "study": json.dumps(self.study, sort_keys=True)}
        found["sha256"] = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in hashes.items()}
        return json.dumps(found, indent=1) + "\n"


def manifest_of(
    plan: Plan, names: Names, settings: LotSettings, folder: Path | None, chunk: int | None = None
) -> Manifest:
    """Return the manifest of a new campaign.

    - folder: folder of the files that the study refers to.
    - chunk: number of cases in a chunk, if it is chosen already.
    """
    folder = folder or Path()
    study = json.loads(json.dumps(plain(plan.campaign), default=str))
    study.setdefault("scenario", "")
    return Manifest(
        plan.scenario.to_toml(),
        study,
        {name: _checksum(folder / name) for name in _named_files(plan.campaign)},
        current_versions(plan.scenario),
        settings,
        names,
        str(folder.resolve()),
        plan.warnings,
    ).with_chunk(chunk)


def _named_files(campaign: Campaign) -> list[str]:
    entries = [*campaign.dispersions, *campaign.correlations]
    return sorted({one.file for one in entries if one.file is not None})


def _checksum(path: Path) -> str:
    return hashlib.sha256(guarded_reader.read_bytes(path, guarded_reader.TABLE)).hexdigest()


def _identity_of(campaign: Campaign, study: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: value for key, value in study.items() if key not in (*OF_STATISTICS, "cases", "scenario")}
    if campaign.design == "latin_hypercube":
        found["block"] = campaign.block or campaign.count
    if campaign.loops is not None:  # the outermost loop may grow
        loops = {key: value for key, value in study["loops"].items() if value is not None}
        outermost = next(key for key in ("known", "day", "flight") if key in loops)
        found["loops"] = {key: value for key, value in loops.items() if key != outermost}
    return found


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest in a folder, or None if the file is missing. Raises BadInput for a damaged
    manifest.
    """
    path = folder / NAME
    try:
        found = json.loads(guarded_reader.read_text(path, guarded_reader.PROGRESS))
    except guarded_reader.Missing:
        return None
    except (guarded_reader.Unreadable, ValueError) as error:
        raise BadInput(
            f"the file cannot be read ({error}). Remove the file, and run the campaign again", str(path)
        ) from None
    try:
        if found["format"] != FORMAT:
            text = (
                f"the file has the format {found['format']}, but this version of interstage reads"
                f" the format {FORMAT}"
            )
            raise BadInput(f"{text}. Use another folder", str(path))
        found.pop("sha256")
        names = found.pop("names")
        kinds: dict[str, Any] = {"inputs": Input, "responses": Output, "limits": Output}
        groups = {group: tuple(kind(**one) for one in names[group]) for group, kind in kinds.items()}
        groups["envelopes"] = tuple(EnvelopeColumn(**one) for one in names.get("envelopes", ()))
        settings = LotSettings(**found.pop("settings"))
        lists: dict[str, Any] = {key: tuple(found.pop(key)) for key in ("notes", "earlier")}
        return Manifest(**found, **lists, settings=settings, names=Names(**groups))
    except (KeyError, TypeError, AttributeError) as error:
        raise BadInput(
            f"the file is not the manifest of a campaign ({error!r}). Use another folder", str(path)
        ) from None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest to a folder. If this fails, an old manifest remains unchanged. Raises BadInput."""
    write_file(folder / NAME, manifest.text(), NO_SPACE)


def continue_manifest(old: Manifest, new: Manifest, complete: bool) -> Manifest:
    """Return the manifest for a folder in which a campaign is continued or enlarged.

    - old: manifest in the folder.
    - new: manifest of the study.
    - complete: whether all cases of the old manifest have results.

    Raises BadInput if the scenario or the study has changed, or if the number of cases is smaller.
    """
    new = replace(new, settings=old.settings, _kept={})
    if new.campaign.chunk is None:
        new = new.with_chunk(old.campaign.chunk)
    problems = [*_differences(old, new)]
    if problems:
        raise BadInput(problems[:1], str(NAME))
    if new.cases < old.cases:
        text = (
            f"{new.cases} is less than the {old.cases} cases in the folder. Set cases to at least {old.cases}"
        )
        raise BadInput(Problem("cases", f"{text}, or use another folder"))
    enlarged = new.cases > old.cases and complete
    return replace(new, earlier=(*old.earlier, old.cases) if enlarged else old.earlier)


def _differences(old: Manifest, new: Manifest) -> Iterator[Problem]:
    """Differences of two campaigns that the same folder cannot hold."""
    import tomllib

    looks = [one.campaign.looks for one in (old, new)]
    if looks[0] != looks[1]:
        text = f"the study has {looks[1] or 'no'} looks, but the folder has {looks[0] or 'none'}"
        yield Problem("looks", f"{text}. Looks cannot change after the first case. {OTHER_FOLDER}")
    pairs: list[tuple[str, Any, Any]] = [("", old.identity["study"], new.identity["study"])]
    pairs += [("", {f"file {name}": one for name, one in old.files.items()}, _files(new))]
    for prefix, before, now in pairs:
        for path, was, value in differences(before, now, prefix):
            if path == "block" and "block" not in new.study:
                text = (
                    f"the study has a Latin hypercube of {value} cases, but the folder has one of {was} cases"
                )
                yield Problem("block", f"{text}. Set block = {was} to add cases, or use another folder")
            else:
                yield Problem(
                    path,
                    (
                        f"the value is {shown_text(value)} in this study, but {shown_text(was)} in the"
                        f" folder. {OTHER_FOLDER}"
                    ),
                )
    if old.scenario != new.scenario:
        found = [*differences(tomllib.loads(old.scenario), tomllib.loads(new.scenario))]
        path, was, value = found[0] if found else ("", "another text", "this text")
        text = f"the value is {shown_text(value)} in this scenario, but {shown_text(was)} in the folder"
        yield Problem(f"scenario: {path}", f"{text}. {OTHER_FOLDER.replace('study', 'scenario')}")


def _files(manifest: Manifest) -> dict[str, str]:
    return {f"file {name}": one for name, one in manifest.files.items()}


def shown_text(value: Any) -> str:
    """Return a value of a study as text for messages. Long text is shortened."""
    if value is None:
        return "not set"
    text = json.dumps(value) if not isinstance(value, str) else value
    return text if len(text) <= 60 else f"{text[:57]}..."


def differences(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the differences between two nested structures of tables and lists, as (path, old value, new
    value).

    A missing value is None. path: prefix of the paths.
    """
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in {**old, **new}:
            yield from differences(old.get(key), new.get(key), f"{path}.{key}".lstrip("."))
    elif _is_list(old) and _is_list(new):
        for k, (one, other) in enumerate(zip_longest(old, new)):
            name = next((e["name"] for e in (one, other) if isinstance(e, Mapping) and "name" in e), None)
            yield from differences(one, other, f"{path}[{k}]" if name is None else f"{path}.{name}")
    elif old != new:
        yield path, old, new


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
