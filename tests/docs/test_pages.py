"""The documentation: blocks of code run, outputs agree, options of commands exist, and names resolve."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import interstage
from page_blocks import FENCE, blocks_of, commands_of, files_of, indented_commands, written_toml
from page_runs import COMMANDS, PageRun, check_output, parse_options, run_command

ROOT = Path(__file__).parents[2]
PAGES = {
    page.relative_to(ROOT).as_posix(): page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
NOT_CONVERTED = ("docs/own_parts.md",)
"""Pages of which a block does not run yet. A page is removed as soon as its blocks run; none may be added."""
MOST = 1
"""Number of pages in that list, which only falls."""
ARCHIVE = ("docs/history.md", "docs/decisions/", "docs/language.md")
"""Pages about the past, or about words, whose names need not exist today."""
CONVERTED = [name for name, page in PAGES.items() if blocks_of(page.read_text(encoding="utf-8"))]
WIDTH = "110"
"""Width of the terminal whose output the pages show, in characters."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder in which the commands of a page run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", WIDTH)
    return tmp_path


@pytest.mark.parametrize("name", CONVERTED)
def test_the_blocks_of_a_page_run(name, folder):
    PageRun(folder).run(PAGES[name])


LONG = [name for name in CONVERTED if "<!-- long -->" in PAGES[name].read_text(encoding="utf-8")]


@pytest.mark.long
@pytest.mark.parametrize("name", LONG)
def test_the_long_blocks_of_a_page_run(name, folder):
    PageRun(folder, long=True).run(PAGES[name])


def test_a_page_with_a_block_that_fails_is_found(folder):
    page = folder / "page.md"
    page.write_text('Words.\n\n```toml\ntitle = "no body"\n```\n')
    with pytest.raises(AssertionError, match=r"page\.md, line 4"):
        PageRun(folder).run(page)


VARIED = [name for name, page in PAGES.items() if "| `--set" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", VARIED)
def test_variations_are_values_that_the_scenario_accepts(name, folder):
    files = [written_toml(block, folder, k) for k, block in enumerate(files_of(PAGES[name]))]
    for change in re.findall(r"\| `(--set [^`]+)` \|", PAGES[name].read_text(encoding="utf-8")):
        outputs = [run_command(f"check {file.name} {change}") for file in files]
        assert any(code == 0 for code, _ in outputs), (change, outputs)


@pytest.mark.parametrize("name", PAGES)
def test_options_of_commands_exist(name):
    if name.startswith(ARCHIVE):
        return
    text = PAGES[name].read_text(encoding="utf-8")
    for command in indented_commands(text):
        parse_options(command)
    for block in blocks_of(text):
        if block.language in ("sh", ""):
            for command in commands_of(block.text, strict=False):
                parse_options(command)
    for command in re.findall(r"`interstage ([a-z][^`\n>|]*)[^`\n]*`", FENCE.sub("", text)):
        if "..." not in command and "COMMAND" not in command:
            parse_options(command, complete=False)


SHOWN = """\
name   speed [m/s]
stage      0.66667
...
band     (12.00 N)
"""


def test_an_output_agrees_to_three_digits():
    real = SHOWN.replace("...", "other 1 2 3").replace("0.66667", "0.66701")
    check_output(SHOWN, "warning: first\n" + real)


@pytest.mark.parametrize(
    "change", [("0.66667", "0.669"), ("stage", "stages"), ("12.00", "12.20"), ("speed", "rate"), ("m/s", "m")]
)
def test_an_output_with_another_number_or_word_is_rejected(change):
    with pytest.raises(AssertionError, match="not in the output"):
        check_output(SHOWN, SHOWN.replace(*change))


def test_lines_in_another_order_are_rejected():
    with pytest.raises(AssertionError, match="not in the output"):
        check_output(SHOWN, "\n".join(reversed(SHOWN.splitlines())))


def test_an_unknown_option_is_rejected():
    with pytest.raises(AssertionError, match="No such option"):
        parse_options("run first.toml --reprot first.html")
    with pytest.raises(AssertionError, match="no command"):
        parse_options("fly first.toml")


def test_the_page_of_commands_is_that_of_their_declarations():
    script = runpy.run_path(str(ROOT / "docs" / "command_pages.py"))
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert script["page"]() == page, "run python docs/command_pages.py"


def test_the_python_api_page_names_all_public_methods_of_a_scenario():
    listed = re.search(r"Scenario\n   :members: (.*)", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"))
    own = {name for name, one in vars(interstage.Scenario).items() if callable(one) and name[0] != "_"}
    assert listed is not None
    assert {*listed[1].split(", ")} == own


# --- names in back-quotes

WORD = re.compile(r"[A-Za-z_]\w+")
FILE = re.compile(
    r"[\w.-]+(?:/[\w.*-]+)*\.(?:toml|md|py|csv|json|sh)|(?:validation|tests|src|docs|examples)/[\w./*-]+"
)


OTHERS = ("pip ", "sbatch", "pkg ", "INTERSTAGE_")
"""Beginnings of commands of other programs, and of settings of the environment with values of the user."""
EXAMPLES = {
    "docs/beams.md": {"forces.boom.segment_3.position"},
    "docs/campaigns.md": {"parquetread", "cases-FIRST-LAST-CHECKSUM.parquet"},
    "docs/linear.md": {
        "--blades lag_1,lag_2,lag_3",
        "--coordinate joints.rocker.rotation.y",
        ".cosine_2",
        "beams.boom.segment_3.position.x",
        "mode 2 of core_bends",
    },
    "docs/modes.md": {
        "forces.core_bends.mode_1.frequency",
        "forces.core_bends.point_imu.deflection",
        "modal.core_bends.mode_1.coordinate",
    },
    "docs/own_parts.md": {"hook_1", "hook_4"},
    "docs/part_interface.md": {
        "wrnech",
        "hook switched_off",
        'here.get("magnets")',
        'here["magnets"]',
    },
    "docs/quantities.md": {
        "reaction_parent_force",
        "reaction_parent_torque",
        'xarray.open_datatree("first.nc")',
    },
    "docs/separation/springs.md": {'joints = ["foot_#"]', 'grain = "stage.grain_#"'},
    "docs/sources.md": {'"engines.separation_*.thrust"'},
}
"""Texts with names of an example that is not on the page, or of another program. None may be added."""
SYMBOLIC = "docs/symbols.md"
"""The page whose names are symbols of printed equations."""


@pytest.fixture(scope="module")
def vocabulary() -> set[str]:
    """All words of the source code, examples, cases and benchmarks, and the names of tests and cases."""
    found: set[str] = set()
    for folder in ("src", "examples", "validation", "benchmarks", "docs"):
        for ending in ("*.py", "*.toml"):
            for path in (ROOT / folder).rglob(ending):
                found.update(WORD.findall(path.read_text(encoding="utf-8")))
    for path in (ROOT / "tests").rglob("*.py"):
        found.update(re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8")))
    for path in (ROOT / "validation").iterdir():
        found.update(WORD.findall(path.name))
    for path in (ROOT / "Makefile", ROOT / "pyproject.toml", ROOT / "constraints.txt"):
        found.update(WORD.findall(path.read_text(encoding="utf-8")))
    return found


def unresolved(page: Path, vocabulary: set[str]) -> list[str]:
    """Return the texts in back-quotes that name a file, an option or a word that does not exist."""
    text = page.read_text(encoding="utf-8")
    own = set(WORD.findall("".join(fence[4] for fence in FENCE.finditer(text))))
    options = {"--help", "--version"} | {
        option for command in COMMANDS.values() for one in command.params for option in one.opts
    }
    files = {block.notes["file"] for block in files_of(page)}
    found = []
    for code in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", FENCE.sub("", text)):
        if code.startswith(OTHERS) or "COMMAND" in code or ("/" in code and (ROOT / code).exists()):
            continue
        if FILE.fullmatch(code):
            near = (page.parent / code).exists() or any(ROOT.glob(code))
            missing = not (near or code in files or {*WORD.findall(code)} <= own | vocabulary)
        else:
            missing = any(option not in options for option in re.findall(r"(?:^|\s)(--[a-z-]+)", code))
            words = " ".join(one for one in code.split() if not ("/" in one and (ROOT / one).exists()))
            missing |= not {*WORD.findall(words)} <= own | vocabulary
        found += [code] * missing
    return found


@pytest.mark.parametrize("name", PAGES)
def test_names_in_back_quotes_exist(name, vocabulary):
    if not name.startswith((*ARCHIVE, SYMBOLIC)):
        assert {*unresolved(PAGES[name], vocabulary)} == EXAMPLES.get(name, set())


def test_pages_that_the_source_code_names_exist():
    found: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        found.update(re.findall(r"docs/[\w/-]+\.md", path.read_text(encoding="utf-8")))
    assert len(found) > 10
    assert [page for page in sorted(found) if not (ROOT / page).is_file()] == []


def test_a_name_that_does_not_exist_is_found(tmp_path, vocabulary):
    page = tmp_path / "page.md"
    page.write_text(
        "Set `stiffness` and `stifness`, read `docs/separation.md` and `docs/sepration.md`, use `--sett`, "
        "`interstage campaign examples/tip_off_campaign/campaign.toml`, "
        "`interstage campaign examples/tip_off_campagin/campaign.toml`."
    )
    assert unresolved(page, vocabulary) == [
        "stifness",
        "docs/sepration.md",
        "--sett",
        "interstage campaign examples/tip_off_campagin/campaign.toml",
    ]


def test_blocks_have_the_roles_of_their_comments():
    page = """
<!-- file: a.toml -->
<!-- extends: b.toml -->
```toml
x = 1
```

```sh
interstage run a.toml \\
    --set x=2   # again
```

```text
done
```

Words.

```text
alone
```

```{flight} a.toml
```
"""
    toml, command, output, alone = blocks_of(page)
    assert toml.notes == {"file": "a.toml", "extends": "b.toml"}
    assert command.shown == output.text == "done\n"
    assert alone.shown is None
    assert list(commands_of(command.text)) == ["run a.toml  --set x=2"]
