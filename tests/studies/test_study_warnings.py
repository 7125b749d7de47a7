"""Studies and exports print each warning of their scenario once, and pages of studies list it."""

from __future__ import annotations

import contextlib
import sys

import pytest

from interstage.cli import main as cli

SCENARIO = """
gravity = "none"
[bodies.stage]
mass = 2.0
inertia = [1.0, 1.0, 1.0]
initial = { velocity = [1, 0, 0], attitude = { euler = "3-2-1", angles = [0, 90, 0] } }
[engines.motor]
kind = "engine"
body = "stage"
at = [0, 0, 0]
thrust = 1.0
massless = true
[phases.coast]
until = { time = "3 s" }
"""
SWEEP = """
scenario = "a.toml"
variations.mass = { path = "bodies.stage.mass", values = ["2 kg", "3 kg", "4 kg"] }
"""
OPTIMUM = """
scenario = "a.toml"
objective = { minimize = "system.energy", at = "end" }
variables.mass = { path = "bodies.stage.mass", low = "2 kg", high = "4 kg" }
"""
WARNINGS = (
    "Warning: Angles without a unit are read as radians, but",
    "Warning: motor is never ignited. Set ignited = true,",
)


@pytest.mark.parametrize(
    ("study", "words"),
    [
        (SWEEP, ["sweep", "study.toml", "--report", "page.html"]),
        pytest.param(OPTIMUM, ["optimize", "study.toml", "--report", "page.html"], marks=pytest.mark.long),
        (
            "",
            ["solve", "a.toml", "--find", "bodies.stage.mass", "--so-that", "system.energy@end = 1.5 J"],
        ),
        ("", ["linearize", "a.toml"]),
        ("", ["trim", "a.toml", "--find", "engines.motor.thrust"]),
        ("", ["symbols", "a.toml"]),
        ("", ["export", "a.toml", "--fmu", "a.fmu", "--output-of", "system.energy"]),
    ],
)
def test_a_study_prints_the_warnings_of_its_scenario_once(study, words, tmp_path, monkeypatch, capsys):
    (tmp_path / "a.toml").write_text(SCENARIO)
    (tmp_path / "study.toml").write_text(study)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["interstage", *words])
    with contextlib.suppress(SystemExit):
        cli.main()
    out, err = capsys.readouterr()
    found = [line for line in err.splitlines() if line.startswith("Warning: ")]
    assert len(found) == len(WARNINGS)
    assert all(line.startswith(begin) for line, begin in zip(found, WARNINGS, strict=True))
    assert "Warning" not in out
    if "page.html" in words:
        page = (tmp_path / "page.html").read_text()
        assert [page.count(begin) for begin in WARNINGS] == [1, 1]
