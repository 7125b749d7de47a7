"""The published results of the validation cases: complete, current and within the bounds."""

from __future__ import annotations

import json
import re
import runpy
import tomllib
from pathlib import Path

import pytest

from interstage.studies.verify import find_cases

DOCS = Path(__file__).parents[2] / "docs"
CASES = DOCS / "cases"
WITHOUT_RESULT = 0
"""Number of cases without a result in the file, which only falls."""


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(DOCS / "validation_pages.py"))


@pytest.fixture(scope="module")
def results():
    return json.loads((CASES / "results.json").read_text(encoding="utf-8"))["cases"]


@pytest.fixture(scope="module")
def groups():
    return tomllib.loads((CASES / "references.toml").read_text(encoding="utf-8"))


def test_the_pages_are_those_of_the_file_of_results(script, results, groups):
    for name, text in script["pages"](results, groups).items():
        assert (CASES / name).read_text(encoding="utf-8") == text, "run python docs/validation_pages.py"


def test_the_pages_list_exactly_the_cases_that_exist(results, groups):
    cases = sorted(find_cases())
    assert {*results} <= {*cases}
    assert len(cases) - len(results) <= WITHOUT_RESULT
    assert sorted(name for group in groups.values() for name in group) == cases
    summary = (CASES / "results.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| \[([\w-]+)\]\(", summary, re.M)) == cases
    comparisons = (CASES / "comparisons.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^## ([\w-]+)$", comparisons, re.M)) == cases


def test_each_case_states_what_is_compared_with_what(groups):
    for group in groups.values():
        for about in group.values():
            assert about.keys() == {"flight", "reference"}
            assert all(about.values())


def test_the_published_errors_are_within_their_bounds(results):
    for name, case in results.items():
        assert case["status"] == "passed", name
        assert all(row["error"] <= row["bound"] for row in case["comparisons"]), name


def test_the_summary_has_the_comparison_with_the_smallest_margin(script):
    rows = [
        {"quantity": "a | b", "error": 1e-9, "bound": 1e-3},
        {"quantity": "c", "error": 5e-7, "bound": 1e-6},
        {"quantity": "d", "error": 0.0, "bound": 0.0},
    ]
    case = {"version": "1.0", "date": "2026-01-02", "status": "passed", "comparisons": rows}
    groups = {"All": {"first": {"flight": "A fall", "reference": "closed form"}}}
    pages = script["pages"]({"first": case}, groups)
    line = "| A fall | closed form | [3](comparisons.md#first) | c | 5.0e-07 | 1.0e-06 |"
    assert line in pages["results.md"]
    assert "version 1.0, on 2026-01-02: 1 cases, 3 comparisons" in pages["results.md"]
    assert r"| a \| b | 1.0e-09 | 1.0e-03 |" in pages["comparisons.md"]


def test_an_error_that_is_no_number_is_shown_first(script):
    rows = [{"quantity": "a", "error": 2.0, "bound": 1.0}, {"quantity": "b", "error": None, "bound": 1.0}]
    assert script["worst"](rows)["quantity"] == "b"
    assert script["number"](None) == "no number"
