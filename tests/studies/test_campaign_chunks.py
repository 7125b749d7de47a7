"""Default number of cases in a chunk: it follows cases, processes and steps, and a folder keeps it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from array_flights import SETTINGS, array_plan, differences, fly_arrays
from interstage.studies.campaign import run
from interstage.studies.campaign.chunk_file import chunk_files
from interstage.studies.campaign.chunk_size import (
    FILES,
    LARGEST,
    LEAST,
    MOST,
    OF_BODY,
    PARTS,
    WIDEST,
    chunk_for,
    chunk_of_parts,
    largest_chunk,
    width_of,
)
from interstage.studies.campaign.folder import Part

SHORT = 23.0
"""Steps of a flight of about a second."""


def plan_of(**study: Any) -> Any:
    """The plan of a campaign that declares no chunk."""
    return array_plan(**{"chunk": None, **study})


def steps(cases: int, each: float = SHORT) -> dict[str, float]:
    return {"": each * cases}


@pytest.mark.parametrize(
    ("cases", "processes", "chunk"),
    [
        (24, 1, 128),
        (1000, 1, 128),
        (2048, 1, 256),
        (2048, 2, 256),  # two groups for the threads of the first process
        (10_000, 1, 1024),
        (10_000, 2, 512),
        (20_480, 2, 1024),
        (20_480, 64, 256),
        (10**6, 64, 1024),
    ],
)
def test_each_process_has_some_chunks(cases, processes, chunk):
    plan = plan_of(cases=cases)
    assert chunk_for(plan, steps(cases), cases, processes) == chunk
    assert chunk <= max(cases / (FILES * processes), 2 * WIDEST)


def test_programs_do_not_depend_on_processes():
    """The last digits of a case depend on the number of cases that a program runs together."""
    for cases in (1000, 2047, 2048, 10**5):
        plan = plan_of(cases=cases)
        width = width_of(largest_chunk(plan, steps(cases), cases))
        for processes in (1, 2, 7, 64):
            assert width_of(chunk_for(plan, steps(cases), cases, processes)) == width
        assert chunk_of_parts(plan, steps(cases)) <= largest_chunk(plan, steps(cases), cases)


def test_long_flights_have_small_chunks():
    """A chunk of long flights must end soon, and its steps must fit in the memory."""
    cases, bodies = 10**5, 2
    plan = plan_of(cases=cases)
    found = [largest_chunk(plan, steps(cases, each), cases) for each in (300, 400, 1000, 10**6)]
    assert found == [1024, 512, 256, 128]
    for each, chunk in zip((300, 400, 1000), found, strict=False):
        assert LARGEST / 2 < chunk * each * OF_BODY * bodies <= LARGEST or chunk == MOST
    assert largest_chunk(plan, {}, cases) == LEAST  # no case could be flown, so that nothing is known


def test_a_declared_number_is_used():
    plan = plan_of(cases=10**5, chunk=7)
    assert [largest_chunk(plan, steps(9), 9), chunk_for(plan, steps(9), 9, 4), chunk_of_parts(plan)] == [
        7
    ] * 3


def test_all_parts_have_the_same_chunks():
    for cases, chunk in ((1000, 128), (10**5, 256), (10**6, 1024)):
        plan = plan_of(cases=cases)
        assert chunk_of_parts(plan) == chunk_of_parts(plan, steps(cases)) == chunk
        assert chunk == LEAST or cases / chunk >= FILES * PARTS


def lengths(folder: Path) -> list[int]:
    return [one.last - one.first for one in chunk_files(folder)]


def begin(folder: Path, monkeypatch: Any, **how: Any) -> Any:
    """A campaign of 4096 short cases in one process, which needs chunks of 512 cases."""
    monkeypatch.setattr(run, "cores", lambda: 1)
    monkeypatch.setitem(SETTINGS.steps, "", SHORT * 4096)  # pyright: ignore[reportArgumentType]
    return fly_arrays(plan_of(cases=4096, **how), folder)


def test_a_campaign_keeps_its_chunks(tmp_path, monkeypatch):
    """Also with another number of cores, more cases, or without a chunk that was declared."""
    whole = begin(tmp_path / "a", monkeypatch)
    assert lengths(tmp_path / "a") == [512] * 8
    assert whole.manifest.campaign.chunk == 512
    for file in chunk_files(tmp_path / "a")[2:4]:
        file.path.unlink()
    monkeypatch.setattr(run, "cores", lambda: 16)
    again = fly_arrays(plan_of(cases=4096), tmp_path / "a", part=Part(1, 1))
    assert lengths(tmp_path / "a") == [512] * 8
    assert differences(whole, again) == []
    more = fly_arrays(plan_of(cases=20_000), tmp_path / "a")
    assert {*lengths(tmp_path / "a")[:-1]} == {512}
    assert more.manifest.campaign.chunk == 512
    begin(tmp_path / "b", monkeypatch, chunk=1000)
    small = fly_arrays(plan_of(cases=8000), tmp_path / "b")
    assert {*lengths(tmp_path / "b")[-3:]} == {1000}
    declared = fly_arrays(plan_of(cases=8192, chunk=64), tmp_path / "b")
    assert (small.manifest.campaign.chunk, declared.manifest.campaign.chunk) == (1000, 64)
    assert lengths(tmp_path / "b")[-3:] == [64] * 3


def test_parts_fly_each_case_once(tmp_path, monkeypatch):
    """Machines with different numbers of cores have the same chunks."""
    whole = begin(tmp_path / "whole", monkeypatch)
    for number in range(1, 4):
        monkeypatch.setattr(run, "cores", lambda number=number: 4 * number)
        parts = fly_arrays(plan_of(cases=4096), tmp_path / "parts", part=Part(number, 3))
    assert lengths(tmp_path / "parts") == [128] * 32
    assert differences(whole, parts) == []
