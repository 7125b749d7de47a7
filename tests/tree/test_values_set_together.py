"""Several values that are set at once give the scenario that is set value by value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interstage import Scenario, load
from interstage.runs.cases import together
from interstage.tree import addresses
from interstage.tree.errors import BadInput

FILE = Path(__file__).parents[2] / "examples" / "tip_off_campaign" / "separation.toml"


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return load(FILE)


def test_the_scenario_is_that_of_single_values(scenario):
    """Numbers of a body and a phase, of one spring, of all springs of a pattern, and arrays."""
    rng = np.random.default_rng(1)
    values: dict[str, Any] = {
        "devices.push.stiffness": 5100.0,
        "devices.push_2.preload": 1990.0,
        "bodies.satellite.mass": rng.uniform(480.0, 520.0),
        "bodies.satellite.inertia": np.diag(rng.uniform(180.0, 200.0, 3)),
        "bodies.stage.mass_centre": rng.normal(0.0, 1e-3, 3),
        "phases.joined.until.time": 0.06,
    }
    values = {path: np.asarray(value) for path, value in values.items()}
    one_by_one = scenario
    for path, value in values.items():
        one_by_one = addresses.set(one_by_one, path, value)
    assert together(scenario, values).to_toml() == one_by_one.to_toml() != scenario.to_toml()
    assert addresses.set_all(scenario, values).to_toml() == one_by_one.to_toml()


def test_the_message_is_that_of_the_first_value(scenario):
    wrong = {"devices.push_2.preload": np.array(-1.0), "bodies.satellite.mass": np.array(-1.0)}
    with pytest.raises(BadInput, match=r"^devices\.push_2\.preload: -1 N must be more than zero"):
        together(scenario, wrong)
    with pytest.raises(BadInput, match=r"^bodies\.satellite\.mass: -1 kg must not be negative"):
        together(scenario, dict(reversed(wrong.items())))
    with pytest.raises(BadInput, match=r"unknown: unknown path"):
        addresses.set_all(scenario, {"unknown.mass": 1.0})


def test_the_whole_scenario_is_validated_once(scenario, monkeypatch):
    built: list[type] = []
    build = Scenario.__init__
    monkeypatch.setattr(
        Scenario, "__init__", lambda self, **data: built.append(Scenario) or build(self, **data)
    )
    values = {f"devices.push_{k}.preload": np.array(2000.0 + k) for k in range(1, 5)}
    together(scenario, values)
    assert len(built) == 1
