"""Results of a campaign in an object store.

The file system of pyarrow for local files has the same interface as the one for S3. S3 itself is tested with
moto's server on this machine, if it is installed."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pyarrow as pa
import pytest

import interstage as ist
from array_flights import STUDY, ArrayFlights
from campaign_results import first_scenario, run_command
from interstage.studies.campaign import CampaignResult, object_store
from interstage.studies.campaign.object_store import (
    StoredResults,
    address_of,
    local_results,
    shown_folder,
    with_time_limit,
)
from interstage.tree.errors import BadInput

PORT = 5599
SMALL: dict[str, Any] = {**STUDY, "cases": 12}


@pytest.fixture(autouse=True)
def arrays(monkeypatch, tmp_path):
    """Flights that are arrays, and local copies in a folder of the test."""
    monkeypatch.setattr("interstage.studies.campaign.run.CaseFlights", ArrayFlights)
    monkeypatch.setenv("INTERSTAGE_CACHE_DIR", str(tmp_path / "cache"))


def fly(address: str, **others: Any) -> CampaignResult:
    return first_scenario().campaign(others.pop("study", SMALL), address, progress=False, **others)


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("s3://bucket/a/b", "s3://bucket/a/b"),
        (Path("s3://bucket/a/b/"), "s3://bucket/a/b"),
        (Path("file:///tmp/x"), "file:///tmp/x"),
        ("gs://bucket/a?anonymous=true", "gs://bucket/a?anonymous=true"),
        ("results", None),
        ("s3", None),
        ("/s3/files", None),
        ("C:/results", None),
        ("a folder", None),
    ],
)
def test_addresses(written, address):
    assert address_of(written) == address
    assert shown_folder(written) == (address or str(written))


def test_results_are_uploaded_and_read_back(tmp_path):
    address = f"file://{tmp_path}/store/first"
    whole = fly(address)
    names = sorted(path.name for path in (tmp_path / "store" / "first").iterdir())
    assert [name.partition("-")[0] for name in names] == ["cases"] * 3 + ["manifest.json"]
    other = CampaignResult.load(address)
    assert other.complete
    np.testing.assert_array_equal(other["mass"], whole["mass"])


def test_another_machine_continues_the_campaign(tmp_path, monkeypatch):
    """Each machine has its own local copy; the chunks of both are in the store."""
    address = f"file://{tmp_path}/store/first"
    whole = first_scenario().campaign(SMALL, tmp_path / "plain", progress=False)
    for number in (1, 2, 3):
        monkeypatch.setenv("INTERSTAGE_CACHE_DIR", str(tmp_path / f"machine{number}"))
        found = fly(address, part=f"{number}/3")
        assert len(found) == 4 * number
    for name, values in whole.columns.items():
        assert values.tolist() == CampaignResult.load(address).columns[name].tolist(), name


def test_deleted_objects_are_not_uploaded_again(tmp_path):
    store = tmp_path / "store" / "first"
    fly(f"file://{store}")
    for path in store.iterdir():
        path.unlink()
    other = {**SMALL, "seed": 8}
    assert fly(f"file://{store}", study=other).complete
    assert len([*store.glob("cases-*")]) == 3


def test_chunks_are_uploaded_while_the_campaign_runs(tmp_path):
    store, seen = tmp_path / "store" / "first", []

    def progress(done: int, _: int) -> None:
        seen.append((done, len([*store.glob("cases-*")])))

    first_scenario().campaign(SMALL, f"file://{store}", progress=progress)
    assert seen[-1] == (12, 3)
    assert (4, 1) in seen


def test_a_failed_upload_loses_nothing(tmp_path, monkeypatch):
    """The store refuses all writing at first: one warning, and an error with the local folder. The second run
    uploads everything without another flight."""
    address, warnings = f"file://{tmp_path}/store/first", []
    failing = True
    place = StoredResults._place

    def broken(self: StoredResults, name: str) -> str:
        return f"/proc/{name}" if failing else place(self, name)

    monkeypatch.setattr(StoredResults, "_place", broken)
    with pytest.raises(BadInput) as refused:
        fly(address, notice=warnings.append)
    message = str(refused.value)
    assert "cannot be written" in message
    assert "Run the same command again" in message
    (warning,) = warnings
    assert warning.startswith(f"'{address}' cannot be written: ")
    local = Path(message.partition("All results are in '")[2].partition("'")[0])
    assert len([*local.glob("cases-*")]) == 3
    failing = False
    monkeypatch.setattr(ArrayFlights, "fly", None)
    assert fly(address).complete
    assert len([*(tmp_path / "store" / "first").glob("cases-*")]) == 3


@pytest.fixture
def calls(monkeypatch) -> dict[str, list[str]]:
    """Names of the files that were looked at, and of copied files; the key "fail" has names whose copies
    fail."""
    found: dict[str, list[str]] = {"seen": [], "copied": [], "fail": []}
    state, place = object_store._state, StoredResults._place

    def look(path: Path) -> Any:
        found["seen"].append(path.name)
        return state(path)

    def target(self: StoredResults, name: str) -> str:
        found["copied"].append(name)
        return f"/proc/{name}" if any(part in name for part in found["fail"]) else place(self, name)

    monkeypatch.setattr(object_store, "_state", look)
    monkeypatch.setattr(StoredResults, "_place", target)
    return found


def chunk_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("cases-*"))


def test_after_each_chunk_only_its_file_is_looked_at(tmp_path, calls):
    """20 chunks: each file is looked at after its chunk, at the end, and at most twice more."""
    store, seen = tmp_path / "store", []

    def progress(done: int, _: int) -> None:
        seen.append([name for name in calls["seen"] if name.startswith("cases")])
        calls["seen"].clear()

    study = {**SMALL, "cases": 80}
    first_scenario().campaign(study, f"file://{store}", progress=progress)
    names = chunk_names(store)
    assert len(names) == 20
    assert seen == [[], *([name] for name in names)]
    assert sorted(name for name in calls["copied"] if name.startswith("cases")) == names


def test_a_chunk_whose_upload_failed_is_uploaded_after_the_next_one(tmp_path, calls):
    store, done = tmp_path / "store", []
    calls["fail"] = ["cases-000000004"]

    def progress(count: int, _: int) -> None:
        done.append((count, chunk_names(store)))
        if count == 8:
            calls["fail"].clear()

    warnings: list[str] = []
    first_scenario().campaign(SMALL, f"file://{store}", progress=progress, notice=warnings.append)
    assert [(count, len(names)) for count, names in done] == [(0, 0), (4, 1), (8, 1), (12, 3)]
    assert len(warnings) == 1


@pytest.mark.parametrize("line", ["", '\n{"cases-1', "\n[1]", '\n"text"'])
def test_objects_stay_deleted_after_a_kill(tmp_path, calls, monkeypatch, line):
    """The process ends after two uploads, without its last look at all files. Its list of objects can have an
    incomplete line."""
    store = tmp_path / "store"

    def progress(count: int, _: int) -> None:
        if count == 8:
            monkeypatch.setattr(StoredResults, "upload", lambda self, names=None: None)
            raise SystemExit

    with pytest.raises(SystemExit):
        first_scenario().campaign(SMALL, f"file://{store}", progress=progress)
    monkeypatch.undo()
    monkeypatch.setattr("interstage.studies.campaign.run.CaseFlights", ArrayFlights)
    monkeypatch.setenv("INTERSTAGE_CACHE_DIR", str(tmp_path / "cache"))
    (added,) = tmp_path.rglob(object_store.ADDED)
    with added.open("a") as file:
        file.write(line)
    deleted, kept = chunk_names(store)
    (store / deleted).unlink()
    with object_store.local_results(f"file://{store}") as local:
        assert chunk_names(local.folder) == [kept]
    assert chunk_names(store) == [kept]
    assert not added.exists()
    assert fly(f"file://{store}").complete
    assert chunk_names(store) == [deleted, kept, *chunk_names(store)[2:]]
    assert len(chunk_names(store)) == 3


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("file:///?x=1", "names no folder"),
        ("gs://bad host/x", "cannot be read"),
        ("abfs://x", "cannot be read"),
        (
            "s4://bucket/a",
            "'s4://bucket/a': the scheme 's4' is unknown. "
            "Allowed: s3://, gs://, gcs://, abfs://, abfss://, file://, or a folder",
        ),
    ],
)
def test_bad_addresses_have_one_message(address, text):
    with pytest.raises(BadInput) as refused:
        fly(address)
    assert text in str(refused.value)


def test_files_in_subfolders_are_uploaded(tmp_path):
    """Saved flights are in a subfolder of the campaign, which a file system does not create by itself."""
    address = f"file://{tmp_path}/store/first"
    with local_results(address) as results:
        (results.folder / "flights").mkdir()
        (results.folder / "flights" / "case-0.nc").write_text("flight")
    assert (tmp_path / "store" / "first" / "flights" / "case-0.nc").read_text() == "flight"


def test_errors_of_azure_are_one_message(tmp_path, monkeypatch):
    """Without a login, the file system of Azure raises an error of Arrow that is no OSError."""
    files = SimpleNamespace(get_file_info=Mock(side_effect=pa.ArrowException("no login\nlog")))
    monkeypatch.setattr(object_store, "_file_system", lambda address: (files, "c/campaign"))
    with pytest.raises(BadInput, match=r"'abfs://c@a/campaign' cannot be read: no login\. Check the address"):
        fly("abfs://c@a/campaign")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("gs://bucket/a", "gs://bucket/a?retry_limit_seconds=60"),
        ("gs://bucket/a?anonymous=true", "gs://bucket/a?anonymous=true&retry_limit_seconds=60"),
        ("gs://bucket/a?retry_limit_seconds=9", "gs://bucket/a?retry_limit_seconds=9"),
        ("s3://bucket/a", "s3://bucket/a"),
    ],
)
def test_google_gives_up_after_a_minute(address, expected):
    assert with_time_limit(address) == expected


def test_the_command_shows_the_address(tmp_path, capsys, monkeypatch):
    address = f"file://{tmp_path}/store/first"
    fly(address)
    assert run_command("show", address) in (0, 3, 5)
    printed = capsys.readouterr().out
    assert f"interstage campaign show {address}" in printed
    assert run_command("show", f"file://{tmp_path}/store/other") == 2
    assert "other" in capsys.readouterr().err


@pytest.fixture
def s3(tmp_path, monkeypatch):
    """Address of a bucket of moto's server."""
    pytest.importorskip("moto")
    command = [sys.executable, "-m", "moto.server", "-p", str(PORT)]
    server, host = subprocess.Popen(command, stderr=subprocess.DEVNULL), f"localhost:{PORT}"
    bucket = urllib.request.Request(f"http://{host}/bucket", method="PUT")
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(bucket, timeout=1)
                break
            except OSError:
                time.sleep(0.1)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        yield f"s3://bucket/first?endpoint_override={host}&scheme=http&region=us-east-1"
    finally:
        server.kill()


def test_s3(s3, tmp_path, monkeypatch):
    whole = fly(s3)
    monkeypatch.setenv("INTERSTAGE_CACHE_DIR", str(tmp_path / "other"))
    found = CampaignResult.load(s3)
    assert found.complete
    for name, values in whole.columns.items():
        assert values.tolist() == found.columns[name].tolist(), name
    with pytest.raises(BadInput, match="cannot be"):
        fly(s3.replace("bucket", "missing"))
    assert ist.CampaignResult is CampaignResult
