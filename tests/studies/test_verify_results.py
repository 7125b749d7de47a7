"""The file of `interstage verify --output`: complete, kept for cases that are not run again, and checked."""

import json
import math
from typing import Any

import pytest

from interstage.cli import main as cli
from interstage.studies import verify
from interstage.studies.verify_results import read_results, save_result
from interstage.tree.errors import BadInput

FAILED = verify.Result("a", (verify.Row("x [m]", 0.12345, 0.1, "why"), verify.Row("y", math.nan, 1.0)))
PASSED = verify.Result("a", (verify.Row("x [m]", 0.05, 0.1),))
SKIPPED = verify.Result("a", skipped="needs the package p: pip install p")


def test_errors_bounds_and_the_version_are_in_the_file(tmp_path):
    path = tmp_path / "results.json"
    save_result(path, FAILED)
    case = read_results(path)["a"]
    assert case["status"] == "failed"
    assert case["version"]
    assert case["comparisons"] == [
        {"quantity": "x [m]", "error": 0.123, "bound": 0.1, "note": "why"},
        {"quantity": "y", "error": None, "bound": 1.0},
    ]


def test_only_cases_that_run_again_are_replaced(tmp_path):
    path = tmp_path / "results.json"
    save_result(path, FAILED)
    save_result(path, verify.Result("b", problem="no sample at 3 s"))
    save_result(path, PASSED)
    assert [case["status"] for case in read_results(path).values()] == ["passed", "failed"]
    assert read_results(path)["b"]["note"] == "no sample at 3 s"
    save_result(path, SKIPPED)
    assert read_results(path)["a"]["status"] == "passed"


def test_a_case_that_was_always_skipped_states_the_missing_package(tmp_path):
    path = tmp_path / "results.json"
    save_result(path, SKIPPED)
    assert read_results(path)["a"]["note"] == "needs the package p: pip install p"
    assert read_results(path)["a"]["comparisons"] == []


@pytest.mark.parametrize("content", ["{}", "[1]", "no JSON", '{"format": "other", "cases": {}}'])
def test_another_file_is_rejected_before_the_first_flight(tmp_path, content):
    path = tmp_path / "results.json"
    path.write_text(content)
    never: Any = lambda *a, **k: 1 / 0  # noqa: E731
    with pytest.raises(BadInput, match="not a file with results"):
        verify.main(["us76"], output=path, fly=never)
    assert path.read_text() == content


def test_the_command_writes_the_file(tmp_path, monkeypatch):
    path = tmp_path / "results.json"
    monkeypatch.setattr("sys.argv", ["interstage", "verify", "us76", "-o", str(path)])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 0
    comparisons = json.loads(path.read_text())["cases"]["us76"]["comparisons"]
    assert all(row["error"] <= row["bound"] for row in comparisons)
