"""Results of campaigns without a flight: true draws of a scenario, and responses by formulas of the draws."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interstage as ist
from interstage.cli import main as cli
from interstage.runs.lot import LotSettings
from interstage.studies.campaign import CampaignResult, chunk_file, run
from interstage.studies.campaign.columns import (
    COMPLETED,
    INPUT,
    LIMIT,
    MET,
    NO_NUMBER,
    NO_VERDICT,
    RESPONSE,
    VERDICT,
    names_of,
)
from interstage.studies.campaign.manifest import manifest_of, write_manifest

ROOT = Path(__file__).parents[1]
DISPERSIONS: dict[str, Any] = {
    "mass": {"path": "bodies.satellite.mass", "sigma": "2 %"},
    "offset": {"path": ["devices.spring.parent_at.x", "devices.spring.parent_at.y"], "sigma": "4 mm"},
}
PAIR = "pairs.stage.satellite"
RESPONSES: dict[str, Any] = {
    "speed": {"quantity": f"{PAIR}.separation_speed", "at": "end"},
    "rate_x": {"quantity": f"{PAIR}.relative_rate.x", "at": "end"},
    "rate_y": {"quantity": f"{PAIR}.relative_rate.y", "at": "end"},
}
STUDY: dict[str, Any] = {"cases": 200, "seed": 3, "dispersions": DISPERSIONS, "responses": RESPONSES}
GAIN = 1.8
"""Rate [rad/s] for each metre of offset."""


def first_scenario(changes: Mapping[str, Any] | None = None) -> ist.Scenario:
    return ist.load(ROOT / "examples" / "first.toml", changes or {})


def invented_result(
    study: Mapping[str, Any] = STUDY,
    scenario: ist.Scenario | None = None,
    gain: float = GAIN,
    faster: float = 0.0,
    **columns: Any,
) -> CampaignResult:
    """A complete campaign. The speed falls with the mass, and the rates are proportional to the offsets.

    columns: other values of responses, by name, or of the limit, `tip_off`; NaN leaves a case without
    number and verdict."""
    plan = run.make_plan(scenario or first_scenario(), run.study_of(study), None)
    draws = plan.draw()
    names = names_of(plan, run.responses_of(plan))
    found: dict[str, Any] = {
        "case": np.arange(len(draws), dtype=np.int64),
        "weight": np.asarray(draws.weights, float),
    }
    found |= {INPUT + name: values for name, values in draws.inputs.items()}
    rates = gain * draws.inputs["offset_2"], -gain * draws.inputs["offset_1"]
    values = {"speed": faster + np.sqrt(100 / draws.inputs["mass"]), "rate_x": rates[0], "rate_y": rates[1]}
    values = {**values, "tip_off": np.hypot(*rates), **columns}
    found |= {RESPONSE + one.name: np.asarray(values[one.name], float) for one in names.responses}
    (limit,) = names.limits
    tip_off = found[LIMIT + limit.name] = np.asarray(values["tip_off"], float)
    met = np.where(tip_off <= limit.limit, MET, 0)
    found[VERDICT + limit.requirement] = np.where(np.isnan(tip_off), NO_VERDICT, met).astype(np.int8)
    without = np.isnan([found[name] for name in found if name.startswith((RESPONSE, LIMIT))]).any(axis=0)
    found["outcome"] = np.where(without, NO_NUMBER, COMPLETED).astype(object)
    found["reason"] = np.where(without, "'apart' did not occur", "").astype(object)
    manifest = manifest_of(plan, names, LotSettings(64, {}, False), None)
    return CampaignResult(manifest, {name: found[name] for name in names.columns}, plan=plan)


def save_result(result: CampaignResult, folder: Path) -> Path:
    """Write a campaign to a folder, as a campaign that was flown."""
    folder.mkdir()
    write_manifest(folder, result.manifest)
    chunk_file.write(folder, result.columns, result.manifest.stamp)
    return folder


def run_command(*words: object) -> int:
    """Run `interstage campaign` in this process; return the exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["interstage", "campaign", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
    return int(ended.value.code or 0)
