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
def pages():
    files = [DOCS / "reference.md", *(DOCS / "reference").glob("*.md")]
    return {file.relative_to(DOCS).as_posix(): file.read_text(encoding="utf-8") for file in files}


def test_the_published_pages_are_those_of_the_declarations(script, pages):
    expected = script["pages"]()
    assert pages.keys() == expected.keys()
    for name, text in expected.items():
        assert pages[name] == text, f"{name}: run {DOCS / 'reference_pages.py'}"


def test_every_key_of_every_table_is_on_one_page(script, pages):
    body = schema()
    tables = [d for name, d in body["$defs"].items() if name not in script["ELSEWHERE"]]
    expected = Counter(key for table in (body, *tables) for key in table["properties"])
    found = Counter(key for page in pages.values() for key in re.findall(r"^\| `(\w+)` \|", page, re.M))
    assert found == expected


def test_every_group_has_a_page_with_an_example(script, pages):
    body = schema()
    groups = {group for group, entry in body["properties"].items() if any(script["references"](entry))}
    assert {f"reference/{group}.md" for group in groups} == pages.keys() - {"reference.md"}
    assert {file.stem for file in (DOCS / "keys").iterdir()} == groups
    for group in groups:
        block = re.search(r"```toml\n(.*?)```", pages[f"reference/{group}.md"], re.S)
        assert block is not None
        assert re.search(rf"^(\[+{group}\b|{group}\b)", block[1], re.M), f"no {group} in the example"


def anchors_of(script, text: str) -> Counter[str]:
    """The anchors of a page: those of its headings, and those of HTML."""
    headings = re.findall(r"^#+ (.*)", re.sub(r"```.*?```", "", text, flags=re.S), re.M)
    return Counter([*map(script["slug"], headings), *re.findall(r'<a id="([^"]+)">', text)])


def test_every_link_leads_to_one_heading(script, pages):
    for name, page in pages.items():
        anchors = anchors_of(script, page)
        assert max(anchors.values()) == 1
        for file, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", page):
            target = (DOCS / name).parent / file if file else DOCS / name
            assert target.exists(), (name, file)
            assert not anchor or anchors_of(script, target.read_text(encoding="utf-8"))[anchor] == 1, (
                name,
                file,
                anchor,
            )


@pytest.mark.parametrize(
    "anchor", ["joints", "solver", "sources", "motor-motor", "kickoff_spring-kickoffspring", "drivenaxes"]
)
def test_anchors_of_the_former_single_page_remain(script, pages, anchor):
    assert anchors_of(script, pages["reference.md"])[anchor] == 1


def test_the_keys_of_the_solver_are_on_its_own_page(pages):
    assert "| `tolerance` |" in pages["reference/solver.md"]
    assert "| `tolerance` |" not in pages["reference/legs.md"]


def test_what_a_row_says(pages):
    stage = pages["reference/bodies.md"]
    assert "| `mass` | kg | required, or by `file` | Dry mass, without mass items." in stage
    assert "| `inertia` | kg m^2, 3 or kg m^2, 3 x 3 | required, or by `file` |" in stage
    engine = pages["reference/engines.md"].partition("\n## engine: Engine\n")[2]
    assert "| `thrust` | N; [ThrustTable](#thrusttable) | required | Thrust in vacuum" in engine
    assert '| `kind` | `"engine"` | required |' in engine


def test_an_example_without_an_introduction_is_rejected(script, tmp_path):
    file = tmp_path / "joints.toml"
    file.write_text("[joints.band]\n")
    with pytest.raises(ValueError, match="does not begin with comments"):
        script["example"](file)
