"""Campaigns on GPUs. No GPU is needed: processes that use the processor stand in for those of the GPUs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from array_flights import STUDY, ArrayFlights, array_plan, fly_arrays
from campaign_results import first_scenario
from interstage.runs.lot import LotSettings
from interstage.studies.campaign import CampaignResult, devices, run
from interstage.studies.campaign.job_script import Words, job_script, layout_of
from interstage.studies.campaign.manifest import read_manifest
from interstage.tree.errors import BadInput

SMALL: dict[str, Any] = {**STUDY, "cases": 12}
RESPONSE = "response.stage / satellite speed, devices spent"


class FlightsOfPlaces(ArrayFlights):
    """Cases whose response is the name of the GPU of the process."""

    def fly(self, first: int, last: int, threads: int = 2, before: tuple[int, int] | None = None):
        found = super().fly(first, last, threads, before)
        return found | {RESPONSE: np.full(last - first, float(os.environ["CUDA_VISIBLE_DEVICES"]))}


def stand_in(monkeypatch, names: list[str]) -> None:
    """Let processes that use the processor stand in for the processes of GPUs with these names."""
    monkeypatch.setattr(devices, "gpus", lambda: names)
    found = devices.environments
    monkeypatch.setattr(
        run, "environments", lambda *about: [{**one, devices.PLATFORMS: "cpu"} for one in found(*about)]
    )


def fly(folder: Path | None, device: str | None = "gpu", **others: Any) -> CampaignResult:
    study = others.pop("study", SMALL)
    return first_scenario().campaign(study, folder, device=device, progress=False, **others)


def message(folder: Path | None, device: str = "gpu", **others: Any) -> str:
    with pytest.raises(BadInput) as caught:
        fly(folder, device, **others)
    return str(caught.value)


@pytest.mark.parametrize(
    ("visible", "count", "names"),
    [("", 0, []), ("", 2, ["0", "1"]), ("3, 5,7", 3, ["3", "5", "7"]), ("3,5,7", 2, ["3", "5"])],
)
def test_gpus_have_the_names_that_the_environment_gives(monkeypatch, visible, count, names):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    monkeypatch.setattr(devices, "COUNT", f"print({count})")
    assert devices.gpus.__wrapped__() == names


def test_a_search_for_gpus_that_fails_finds_none(monkeypatch):
    monkeypatch.setattr(devices, "COUNT", "raise SystemExit(1)")
    assert devices.gpus.__wrapped__() == []
    monkeypatch.setattr(devices, "COUNT", "import time; time.sleep(60)")
    monkeypatch.setattr(devices, "PATIENCE", 0.2)
    assert devices.gpus.__wrapped__() == []


def test_each_process_has_its_own_gpu(monkeypatch, tmp_path):
    stand_in(monkeypatch, ["4", "6"])
    whole = fly_arrays(array_plan(cases=40), tmp_path / "a", flights=FlightsOfPlaces, device="gpu")
    seen = whole.columns[RESPONSE].reshape(-1, 4)
    assert {*seen[:, 0]} <= {4.0, 6.0}
    assert (seen == seen[:, :1]).all()
    assert 4.0 in seen or 6.0 in seen
    assert devices.environments("gpu", 1) == [
        {"JAX_PLATFORMS": "", "CUDA_VISIBLE_DEVICES": "4", "HIP_VISIBLE_DEVICES": "4"}
    ]


def test_cases_are_those_of_the_processor(monkeypatch, tmp_path):
    stand_in(monkeypatch, ["0"])
    study = {**SMALL, "chunk": 6}
    here, there = fly(tmp_path / "here", "cpu", study=study), fly(tmp_path / "there", study=study)
    manifest = read_manifest(tmp_path / "there")
    assert manifest is not None
    assert manifest.settings.device == "gpu"
    assert manifest.settings.width == 6
    for name, values in here.columns.items():
        if values.dtype.kind == "f":
            # Cases one by one and in a group of six differ by rounding.
            assert np.allclose(values, there.columns[name], rtol=1e-9, atol=0, equal_nan=True), name
    fly(tmp_path / "there", None, study={**study, "cases": 24})  # goes on with the device of the folder
    found = read_manifest(tmp_path / "there")
    assert found is not None
    assert found.settings == manifest.settings
    text = "--device: the results in {} were computed with --device {}, and their last digits differ. "
    text += "Use --device {}, or another folder (-o)"
    assert text.format(tmp_path / "there", "gpu", "gpu") in message(tmp_path / "there", "cpu", study=study)
    assert text.format(tmp_path / "here", "cpu", "cpu") in message(tmp_path / "here", study=study)


def test_what_cannot_use_a_gpu_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(devices, "gpus", list)
    assert message(tmp_path / "a").endswith(
        "--device: JAX finds no GPU on this machine. Install JAX for the GPU, for example pip install "
        "'jax[cuda12]', or use --device cpu"
    )
    assert read_manifest(tmp_path / "a") is None
    assert "--device: 'gup' is not a known device; did you mean 'gpu'?" in message(tmp_path / "a", "gup")
    text = "folder: the folder of the results is missing. The options jobs, part, chunk_timeout, dask and "
    assert f"{text}device need this folder. Set the argument 'folder'" in message(None)
    monkeypatch.setattr(run, "require_dask", lambda: None)
    text = "--device: the processes of a Dask worker use no GPU. Remove --dask, and distribute the cases with"
    assert f"{text} --part" in message(tmp_path / "b", dask="local")


def test_the_identity_of_campaigns_on_a_processor_has_no_device(monkeypatch, tmp_path):
    stand_in(monkeypatch, ["0"])
    fly(tmp_path / "here", "cpu")
    manifest = read_manifest(tmp_path / "here")
    assert manifest is not None
    assert "device" not in manifest.identity
    assert manifest.identity["settings"] == [manifest.settings.width, manifest.settings.steps, False]
    assert run.settings_for_gpu(LotSettings(64, {"": 90.0}, False), 8192).steps == {"": run.TOGETHER}


@pytest.mark.parametrize(
    ("scheduler", "text"),
    [
        ("slurm", "--gpus=1 "),
        ("pbs", ":ngpus=1 "),
        ("k8s", "            limits:\n              nvidia.com/gpu: 1\n"),
    ],
)
def test_job_scripts_request_a_gpu_for_each_task(scheduler, text):
    words = Words("drops", ["campaign"], ["show"], Path("/study"), Path("out"), 1)
    layout = layout_of(80, 8, scheduler, None, None)
    assert text not in job_script(scheduler, words, layout)
    assert text in job_script(scheduler, words._replace(gpu=True), layout)
