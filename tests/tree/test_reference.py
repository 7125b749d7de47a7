"""The published reference of scenario files: up to date, complete, and with links that lead somewhere."""

from __future__ import annotations

import re
import runpy
from collections import Counter
from pathlib import Path

import pytest

from interstage.cli.schema import schema

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(DOCS / "reference_pages.py"))


@pytest.fixture(scope="module")
def page():
    return (DOCS / "reference.md").read_text(encoding="utf-8")


def test_the_published_page_is_that_of_the_declarations(script, page):
    assert script["page"]() == page, f"run {DOCS / 'reference_pages.py'}"


def test_every_key_of_every_table_is_on_it_once(script, page):
    body = schema()
    tables = [d for name, d in body["$defs"].items() if name not in script["ELSEWHERE"]]
    expected = Counter(key for table in (body, *tables) for key in table["properties"])
    assert Counter(re.findall(r"^\| `(\w+)` \|", page, re.M)) == expected


def test_every_link_leads_to_one_heading(script, page):
    anchors = Counter(script["slug"](heading) for heading in re.findall(r"^#+ (.*)", page, re.M))
    assert max(anchors.values()) == 1
    for file, anchor in re.findall(r"\]\(([\w.]*)(?:#([\w-]+))?\)", page):
        if file:
            assert (DOCS / file).exists()
            anchors_there = map(script["slug"], re.findall(r"^#+ (.*)", (DOCS / file).read_text(), re.M))
            assert not anchor or anchor in anchors_there
        else:
            assert anchor in anchors


def test_what_a_row_says(page):
    stage = page.partition("\n## bodies\n")[2]
    assert "| `mass` | kg | required, or by `file` | Dry mass, without mass items." in stage
    assert "| `inertia` | kg m^2, 3 or kg m^2, 3 x 3 | required, or by `file` |" in stage
    engine = page.partition("\n### engine: Engine\n")[2]
    assert "| `thrust` | N; [ThrustTable](#thrusttable) | required | Thrust in vacuum" in engine
    assert '| `kind` | `"engine"` | required |' in engine


def test_each_group_has_text_under_its_heading(page):
    groups = page.split("\n## ")[1:]
    assert not [group.splitlines()[0] for group in groups if len(group.strip().splitlines()) < 2]
