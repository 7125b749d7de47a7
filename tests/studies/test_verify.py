"""The framework behind `interstage verify`: what it must catch, tried on cases made up here."""

import math
import re
from fnmatch import fnmatch
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from interstage.studies import verify
from interstage.studies.verify import choose, find_cases
from interstage.tree.errors import BadInput

COMPARE = """
from interstage.studies.verify import Row
from ..shared import truth

def compare(fly, folder):
    record = fly(folder / "scenario.toml")
    error = float(abs(record.series["bodies.a.position"] - truth(folder)).max())
    return [Row("position [m]", error, 1e-6, "the bound of this test")]
"""
SHARED = """
import numpy as np

def truth(folder):
    return np.loadtxt(folder / "truth.csv", ndmin=2)
"""


def fake_fly(path, **changes) -> Any:
    """A record of a body that stays at (1, 2, 3) m."""
    return SimpleNamespace(time=np.zeros(1), series={"bodies.a.position": np.array([[1.0, 2.0, 3.0]])})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with two cases: one whose truth is right, one whose truth is 1 mm off."""
    (tmp_path / "shared.py").write_text(SHARED)
    for name, truth in (("ball-right", "1 2 3"), ("ball-wrong", "1 2 3.001")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "truth.csv").write_text(truth)
        (tmp_path / name / "case.py").write_text(COMPARE)
    (tmp_path / "not-a-case").mkdir()
    return tmp_path


def run(root: Path, *names: str, verbose: bool = False) -> tuple[int, list[str]]:
    lines: list[str] = []
    code = verify.main(names, root=root, fly=fake_fly, echo=lines.append, verbose=verbose)
    return code, lines


def write_case(root: Path, body: str) -> None:
    (root / "broken").mkdir()
    (root / "broken" / "case.py").write_text(body)


def test_a_wrong_truth_fails(root):
    code, lines = run(root)
    assert code == 1
    assert [line.split()[-1] for line in lines[1:3]] == ["pass", "FAIL"]
    assert "1 FAILED: ball-wrong" in lines[-1]


def test_a_right_truth_passes(root):
    code, lines = run(root, "ball-right")
    assert code == 0
    assert "all passed" in lines[-1]


def test_verbose_prints_every_comparison_with_its_note(root):
    assert "the bound of this test" in "\n".join(run(root, "ball-right", verbose=True)[1])


def test_patterns_choose_cases_once_and_in_order(root):
    assert verify.choose(["ball-wrong", "ball-*"], verify.find_cases(root)) == ["ball-wrong", "ball-right"]


def test_an_unknown_case_names_the_near_ones(root):
    with pytest.raises(BadInput, match="ball-right"):
        run(root, "ball-rihgt")


def test_cases_are_listed_with_what_they_are(root):
    text = "# ball-right\n\nA ball that stays where\nit is: nothing else.\n\n**Origin of the truth.** None.\n"
    (root / "ball-right" / "SOURCE.md").write_text(text)
    about = "ball-right  A ball that stays where it is: nothing else"
    assert verify.list_cases((), root) == [about, "ball-wrong"]
    with pytest.raises(BadInput, match="ball-right"):
        verify.list_cases(("ball-rihgt",), root)


def test_a_variant_is_compared_once_more_with_its_inputs(root):
    write_case(
        root,
        """
from interstage.studies.verify import Row

VARIANTS = {"other way": {"solver.formulation": "other", "solver.eta": 2.0}}

def compare(fly, folder):
    flown = fly(folder / "scenario.toml", **{"solver.eta": 1.0})
    return [Row(str(flown["solver.eta"]), float("solver.formulation" in flown), 0.5)]
""",
    )
    result = verify.run_case(root / "broken", lambda path, **changes: changes)  # pyright: ignore
    assert [(row.quantity, row.error) for row in result.rows] == [("1.0", 0.0), ("other way: 1.0", 1.0)]
    assert not result.passed


def test_rows_of_formulations_that_converge_come_once(root):
    write_case(
        root,
        """
from interstage.studies.verify import Row

VARIANTS = {"other way": {"solver.formulation": "other"}}

def compare(fly, folder):
    return [Row("compared", 0.0, 1.0)]

def converge(fly, folder):
    return [Row(str(fly(folder / "scenario.toml")), 2.0, 1.0)]
""",
    )
    result = verify.run_case(root / "broken", lambda path, **changes: changes)  # pyright: ignore
    assert [row.quantity for row in result.rows] == ["compared", "other way: compared", "{}"]
    assert not result.passed


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (
            "def compare(fly, folder):\n    raise ValueError('no sample at 3 s\\nmore')",
            "ValueError: no sample at 3 s",
        ),
        ("def compare(fly, folder):\n    return []", "has no comparison"),
        ("import a_module_that_is_not_there", "ModuleNotFoundError"),
        ("def compare(fly, folder)\n", "SyntaxError"),
        ("x = 1", "AttributeError"),
    ],
)
def test_a_case_that_breaks_is_a_failed_line(root, body, says):
    write_case(root, body)
    code, lines = run(root, "broken")
    assert code == 1
    assert "FAIL" in lines[1]
    assert says in lines[1]
    assert len(lines) == 3


@pytest.mark.parametrize(("error", "bound"), [(math.nan, 1.0), (math.inf, 1.0), (1e-30, 0.0), (2.0, 1.0)])
def test_rows_that_must_not_pass(error, bound):
    row = verify.Row("x", error, bound)
    assert not row.passed
    assert row.used > 1


def test_exact_agreement_passes_a_bound_of_zero():
    assert verify.Row("x", 0.0, 0.0).passed


def test_two_roots_do_not_share_modules(root, tmp_path_factory):
    run(root, "ball-right")
    other = tmp_path_factory.mktemp("other")
    (other / "shared.py").write_text(SHARED.replace("ndmin=2)", "ndmin=2) + 1"))
    (other / "ball-right").mkdir()
    (other / "ball-right" / "truth.csv").write_text("1 2 3")
    (other / "ball-right" / "case.py").write_text(COMPARE)
    assert run(other, "ball-right")[0] == 1


def test_a_case_whose_program_is_not_there_is_skipped_by_name(root):
    write_case(
        root, 'NEEDS = {"nowhere_at_all": "pip install nowhere"}\ndef compare(fly, folder):\n    1 / 0\n'
    )
    code, lines = run(root, "broken")
    assert code == 1
    assert lines[1] == "broken  skip  needs the package nowhere_at_all: pip install nowhere"
    assert lines[-1].startswith("1 case, no case was compared with a reference, 1 SKIPPED: broken")
    code, lines = run(root, "broken", "ball-right")
    assert code == 0
    assert lines[-1].startswith("2 cases, all passed, 1 SKIPPED: broken")


def test_every_case_is_on_the_page_of_all():
    """docs/cases/README.md names each, and what it links to is there."""
    page = Path(__file__).resolve().parents[2] / "docs" / "cases" / "README.md"
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`([a-z0-9][a-z0-9*-]+)`", text)
    assert not [name for name in find_cases() if not any(fnmatch(name, one) for one in named)]
    assert not [one for one in named if not choose([one], find_cases())]
    links = {link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)}
    assert not [link for link in links if not (page.parent / link).exists()]


EXTRAS = {"unopy": r'^transcription = "collocation"', "coal": r"^\s*(\[+)?clearances?\b"}
"""Packages of extras, and what scenarios and studies have that needs them."""


@pytest.mark.parametrize("package", EXTRAS)
def test_cases_name_the_extras_that_they_need(package):
    """So that they are skipped, with the line for pip, where these are not installed."""
    needing = {
        file.parent.name
        for folder in find_cases().values()
        for file in folder.glob("*.toml")
        if re.search(EXTRAS[package], file.read_text(encoding="utf-8"), re.M)
    }
    assert needing
    for name in needing:
        needs = getattr(verify._module(find_cases()[name]), "NEEDS", {})
        assert needs[package].startswith('pip install "interstage['), name
