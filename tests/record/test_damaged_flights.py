"""Damaged saved flights end in one sentence, whatever is damaged; whole ones open, also without checksums."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from typer.testing import CliRunner

import interstage as ist
from fuzz import netcdf
from interstage.cli.main import app
from interstage.record import flight_file, integrity
from interstage.tree.errors import BadInput

SEED = 8


@pytest.fixture
def here(monkeypatch):
    """No other process: only for files with which HDF5 comes to an end."""
    monkeypatch.setattr(flight_file, "_fault_elsewhere", lambda image, longest: "")


def _refused(path: Path) -> str:
    """The sentence by which a file is refused; empty if it opens."""
    try:
        ist.open_flight(path)
    except BadInput as error:
        return error.problems[0].message
    return ""


@pytest.mark.parametrize("count", [45, pytest.param(150, marks=pytest.mark.long)])
def test_damaged_bytes_are_found(tmp_path, here, count):
    """Files, none of which HDF5 reads before its seal is compared. A file that is only longer has whole
    values: these agree with their checksums."""
    said = {
        name: _refused(path) for name, path in netcdf.damaged(np.random.default_rng(SEED), tmp_path, count)
    }
    opened = [name for name, text in said.items() if not text]
    assert all(name.startswith("_longer") for name in opened), opened
    assert all("Run the scenario again" in text for text in said.values() if text)
    assert sum("the values of" in text for text in said.values()) > count // 3


@pytest.mark.parametrize("name", ["bodies/stage/position", "events/before/system/energy", "time"])
def test_a_flipped_bit_is_reported_with_its_variable(tmp_path, name):
    """Each bit of the last number of a variable."""
    content = netcdf.whole()
    with h5py.File(h5py.h5f.open_file_image(integrity.check_seal(content).image)) as file:
        one: Any = file[name]
        last = one.id.get_offset() + one.id.get_storage_size() - 8
        assert one.id.get_storage_size() == one.nbytes
    for bit in range(64):
        data = bytearray(content)
        data[last + bit // 8] ^= 1 << bit % 8
        path = tmp_path / "bit.nc"
        path.write_bytes(data)
        assert f"the values of {name.replace('/', '.')} were changed after the file was saved" in _refused(
            path
        )


@pytest.mark.long
def test_a_flipped_bit_of_a_text_is_reported_with_its_variable(tmp_path):
    """Texts stand in a heap that all share: another process looks for the variable."""
    content = bytearray(netcdf.whole())
    first = content.rindex(b"joined")  # name of a phase; its attribute is compressed or stands before
    content[first] ^= 1
    path = tmp_path / "text.nc"
    path.write_bytes(content)
    said = _refused(path)
    assert "the values of" in said or "texts or the structure of the file" in said


@pytest.mark.parametrize("count", [11, pytest.param(44, marks=pytest.mark.long)])
def test_members_that_another_program_changed(tmp_path, here, count):
    """Files that HDF5 reads. With checksums each is refused; without them, as in older versions, what does
    not fit together is refused, and what fits is shown without a traceback."""
    for name, path in netcdf.changed(np.random.default_rng(SEED), tmp_path, count):
        said = _refused(path)
        assert said or int(name.rpartition("-")[2]) % 2, name


def test_reports_of_changed_members(tmp_path, here):
    opened = [
        path for _, path in netcdf.changed(np.random.default_rng(SEED), tmp_path, 11) if not _refused(path)
    ]
    assert opened
    for path in opened:
        found = CliRunner().invoke(app, ["report", str(path), "-o", str(tmp_path / "page.html")])
        assert found.exception is None or isinstance(found.exception, BadInput), path


def test_an_older_file_opens_with_a_note(tmp_path, caplog):
    path = tmp_path / "old.nc"
    path.write_bytes(integrity.check_seal(netcdf.whole()).image)
    with h5py.File(path, "r+") as file:
        del file.attrs[integrity.ATTRIBUTE]
    with caplog.at_level("WARNING", "interstage"):
        assert len(ist.open_flight(path).time)
    assert "has no checksum of the file" in caplog.text
    assert "Damaged values in the file cannot be detected" in caplog.text


def test_a_copy_by_another_program_opens_and_its_values_are_compared(tmp_path, caplog, here):
    """HDF5 drops the seal when it writes into a file; the checksums of the values stay."""
    path, again = tmp_path / "flight.nc", tmp_path / "again.nc"
    path.write_bytes(netcdf.whole())
    again.write_bytes(netcdf.whole())
    with h5py.File(again, "r+") as file:
        file.attrs["history"] = "touched"
        del file.attrs["history"]
    with caplog.at_level("WARNING", "interstage"):
        record = ist.open_flight(again).record
    assert "The values agree with the checksums of the variables" in caplog.text
    np.testing.assert_array_equal(record.time, ist.open_flight(path).record.time)
    with h5py.File(again, "r+") as file:
        energy: Any = file["system/energy"]
        energy[3] += 1e-9
    assert "the values of system.energy were changed" in _refused(again)


def test_a_process_that_does_not_end_is_ended(tmp_path, monkeypatch):
    """As HDF5 does with some damaged files."""
    path = tmp_path / "slow.nc"
    path.write_bytes(integrity.check_seal(netcdf.whole()).image)
    monkeypatch.setattr(flight_file, "COMMAND", "import time; time.sleep(60)")
    monkeypatch.setattr(flight_file, "LONGEST", 0.2)
    assert "the HDF5 library cannot read the file within" in _refused(path)
    monkeypatch.setattr(flight_file, "COMMAND", "import os; os.abort()")
    monkeypatch.setattr(flight_file, "LONGEST", 60.0)
    assert "reading the file crashes the process" in _refused(path)


def test_other_files_are_told_apart(tmp_path):
    path = tmp_path / "x.nc"
    for content, said in ((b"", "is not a NetCDF-4 file"), (b"CDF\x01", "is not a NetCDF-4 file")):
        path.write_bytes(content)
        assert said in _refused(path)
    path.write_bytes(netcdf.whole()[:100_000])
    assert "the file has" in _refused(path)


@pytest.mark.long
def test_damaged_files_without_a_seal(tmp_path):
    """HDF5 meets the damage, in a process of its own."""
    for name, path in netcdf.damaged(np.random.default_rng(SEED), tmp_path, 60, seal=False):
        said = _refused(path)
        assert said or name.startswith(("_longer", "_noise", "_zeros", "_flipped", "_swapped")), name


def test_the_other_process_imports_no_compiler():
    """It starts quickly: neither JAX nor xarray is imported there."""
    code = f"import {flight_file.__name__}, sys; print('jax' in sys.modules or 'xarray' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    "text", ["[" * 5000, *(pytest.param(text, marks=pytest.mark.long) for text in ("[1, 2", "", "null"))]
)
def test_odd_versions_are_refused(text, tmp_path):
    """The attribute is text, but no JSON, or JSON nested without an end."""
    path = tmp_path / "odd.nc"
    path.write_bytes(integrity.check_seal(netcdf.whole()).image)
    with h5py.File(path, "r+") as file:
        file.attrs["versions"] = text
        del file.attrs[integrity.ATTRIBUTE]
    assert "is damaged" in _refused(path)
