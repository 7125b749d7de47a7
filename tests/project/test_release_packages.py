"""Preparation of releases, and recipes of packages."""

from __future__ import annotations

import re
import runpy
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
CHANGELOG = """\
# Changelog

Words.

## 0.1.0 (not released)

### Added

- One.

### Fixed

- Two.

## 0.0.1 (2025-01-01)

- Old.
"""
FRAGMENTS = {
    "b.fixed.md": "A fault is\nrepaired.\n",
    "a.breaking.md": "A key has another name.\n",
    "c.fixed.md": "Another fault is repaired.\n",
}


@pytest.fixture(scope="module")
def release() -> dict[str, Any]:
    return runpy.run_path(str(PACKAGING / "release.py"))


@pytest.fixture
def checkout(tmp_path) -> Path:
    (tmp_path / "changes").mkdir()
    shutil.copy(ROOT / "changes" / "README.md", tmp_path / "changes")
    for name, text in FRAGMENTS.items():
        (tmp_path / "changes" / name).write_text(text)
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    (tmp_path / "packaging").mkdir()
    for name in ("pyproject.toml", "CITATION.cff", "packaging/recipe.yaml"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_a_release_collects_the_fragments(release, checkout):
    release["write_notes"](checkout, "0.2.0", "2026-12-01")
    text = (checkout / "CHANGELOG.md").read_text()
    new = """\
Words.

## 0.2.0 (2026-12-01)

### Breaking

- A key has another name.

### Fixed

- A fault is repaired.
- Another fault is repaired.

## 0.1.0 (not released)
"""
    assert new in text
    assert text.replace(new, "Words.\n\n## 0.1.0 (not released)\n") == CHANGELOG
    assert [path.name for path in (checkout / "changes").iterdir()] == ["README.md"]
    assert tomllib.loads((checkout / "pyproject.toml").read_text())["project"]["version"] == "0.2.0"
    assert '  version: "0.2.0"\n' in (checkout / "packaging" / "recipe.yaml").read_text()
    assert "\nversion: 0.2.0\n" in (checkout / "CITATION.cff").read_text()


def test_an_unreleased_section_gets_the_date_and_the_entries(release, checkout):
    release["write_notes"](checkout, "0.1.0", "2026-12-01")
    text = (checkout / "CHANGELOG.md").read_text()
    assert "## 0.1.0 (2026-12-01)\n\n### Added\n\n- One.\n" in text
    assert "- Two.\n- A fault is repaired.\n- Another fault is repaired.\n" in text
    assert "### Breaking\n\n- A key has another name.\n" in text
    assert text.endswith("\n## 0.0.1 (2025-01-01)\n\n- Old.\n")
    assert "not released" not in text


@pytest.mark.parametrize(
    ("version", "file", "text"),
    [
        ("two", None, "'two' is not a version. Give three numbers, for example 0.2.0"),
        ("0.0.1", None, "CHANGELOG.md has a section of 0.0.1 already. Give another version"),
        ("0.2.0", "d.faster.md", "d.faster.md: the kind 'faster' is not one of breaking, added"),
        ("0.2.0", "d.md", "d.md: the kind '' is not one of breaking, added, changed, fixed, removed"),
        ("0.2.0", "d.added.md", "d.added.md: the file is empty. Write one entry"),
    ],
)
def test_a_release_that_is_not_possible_changes_nothing(release, checkout, version, file, text):
    if file is not None:
        (checkout / "changes" / file).write_text("" if file == "d.added.md" else "Words.")
    before = {path: path.read_text() for path in checkout.rglob("*.*") if path.is_file()}
    with pytest.raises(Exception, match=re.escape(text)) as caught:
        release["write_notes"](checkout, version, "2026-12-01")
    assert caught.type.__name__ == "Refused"
    assert {path: path.read_text() for path in checkout.rglob("*.*") if path.is_file()} == before


def test_the_fragments_of_this_checkout_can_be_released(release):
    found = release["fragments"](ROOT / "changes")
    assert sum(map(len, found.values())) == len([*(ROOT / "changes").glob("*.md")]) - 1


def test_the_recipe_of_conda_has_the_requirements_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    recipe = (PACKAGING / "recipe.yaml").read_text()
    own = re.findall(r"^    - ([\w-]+) (>=[\d.]+)$", recipe.partition("  run:\n")[2], re.M)
    wanted = [re.fullmatch(r"([\w-]+)(>=[\d.]+)", one) for one in project["dependencies"]]
    python = ("python", project["requires-python"])
    assert own == [python, *(one.groups() for one in wanted if one)]
    assert f'version: "{project["version"]}"' in recipe
    assert f"interstage = {project['scripts']['interstage']}\n" in recipe


def test_the_container_installs_extras_that_exist():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (extras,) = re.findall(r"/source\[([\w,]+)\]", (PACKAGING / "Containerfile").read_text())
    assert {*extras.split(",")} <= project["optional-dependencies"].keys()
