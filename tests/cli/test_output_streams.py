"""Standard output and error streams that are full or closed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full (Linux)")


def command(words: str, redirected: str, folder: Path, unbuffered: str = "") -> subprocess.CompletedProcess:
    """`interstage` by a shell, with redirected streams."""
    line = f"{sys.executable} -m interstage {words} {redirected}"
    env = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False
    )


@needs_full
@pytest.mark.parametrize(
    ("words", "unbuffered"),
    [
        (f"check {EXAMPLES / 'first.toml'}", ""),
        pytest.param(f"check {EXAMPLES / 'first.toml'}", "1", marks=pytest.mark.long),
        pytest.param("new first", "", marks=pytest.mark.long),
        ("new first", "1"),
    ],
)
def test_a_full_output_is_one_message(words, unbuffered, tmp_path):
    done = command(words, "> /dev/full", tmp_path, unbuffered)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "standard output: No space left on device." in done.stderr
    assert len(done.stderr.splitlines()) == 1


@needs_full
def test_files_are_written_although_the_output_is_full(tmp_path):
    words = f"run {EXAMPLES / 'first.toml'} -o a.nc --report a.html"
    done = command(words, "> /dev/full", tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert {path.name for path in tmp_path.iterdir()} == {"a.nc", "a.html"}


@needs_full
@pytest.mark.long
def test_files_are_written_although_the_messages_have_no_place(tmp_path):
    words = f"run {EXAMPLES / 'first.toml'} -o a.nc --report a.html"
    done = command(words, "2> /dev/full", tmp_path)
    assert (done.returncode, "Wrote a.nc and a.html." in done.stdout) == (0, True)


def test_closed_streams_cost_nothing(tmp_path):
    done = command(f"run {EXAMPLES / 'first.toml'} -o a.nc", ">&- 2>&-", tmp_path)
    assert done.returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.nc"]
