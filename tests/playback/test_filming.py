"""Pictures and videos of a playback, and their errors where programs are missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from interstage.cli.main import app
from interstage.playback import filming
from interstage.playback.page import html
from interstage.record.results import Flight
from interstage.tree.errors import BadInput
from stub_flight import END, flown_scenario, separation_record

INSTALL = "Install it, or save the page only."


@pytest.fixture(scope="module")
def page() -> str:
    return html(Flight(separation_record(flown_scenario()), scenario_text=""))


def test_a_video_names_everything_that_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(filming, "find_spec", lambda name: None)
    monkeypatch.setattr(filming.shutil, "which", lambda name: None)
    library = "the Python package playwright (pip install playwright)"
    programs = "the program ffmpeg (from ffmpeg.org or the packages of the system)"
    with pytest.raises(BadInput) as found:
        filming.write_video("", tmp_path / "flight.mp4")
    assert str(found.value) == f"A video of a playback needs {library} and {programs}. {INSTALL}"
    with pytest.raises(BadInput) as found:
        filming.write_picture("", tmp_path / "flight.png")
    assert str(found.value) == f"A picture of a playback needs {library}. {INSTALL}"
    assert not list(tmp_path.iterdir())


def test_a_missing_browser_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(filming, "find_spec", lambda name: name)
    monkeypatch.setattr(filming, "_own_browser", lambda: False)
    monkeypatch.setattr(filming.shutil, "which", lambda name: None)
    monkeypatch.delenv("CHROMIUM", raising=False)
    browser = "Chromium (playwright install chromium, or the path in the environment variable CHROMIUM)"
    with pytest.raises(BadInput) as found:
        filming.write_picture("", tmp_path / "flight.png")
    assert str(found.value) == f"A picture of a playback needs {browser}. {INSTALL}"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--at", "1"], "--at: this option is the time of a picture. Set --picture, or remove --at"),
        (["--video", "x.avi"], "'x.avi': the ending of the file is '.avi'. Allowed: .mp4, for example x.mp4"),
    ],
)
def test_options_are_checked_before_the_page_is_written(tmp_path, monkeypatch, options, text):
    monkeypatch.chdir(tmp_path)
    Flight(separation_record(flown_scenario()), scenario_text="").save("flight.nc")
    with pytest.raises(BadInput) as found:
        app(["show", "flight.nc", *options], standalone_mode=False)
    assert str(found.value) == text
    assert [path.name for path in tmp_path.iterdir()] == ["flight.nc"]


@pytest.mark.long
def test_a_picture_has_its_size(page, tmp_path):
    pytest.importorskip("playwright.sync_api")
    if not (os.environ.get("CHROMIUM") or shutil.which("chromium")):
        pytest.skip("Chromium is not installed")
    path = tmp_path / "flight.png"
    filming.write_picture(page, path, END)
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(data[k : k + 4], "big") for k in (16, 20)] == [*filming.SIZE]
    first = tmp_path / "first.png"
    filming.write_picture(page, first)
    assert first.read_bytes() != data


@pytest.mark.long
def test_a_video_has_its_frames(page, tmp_path, monkeypatch):
    pytest.importorskip("playwright.sync_api")
    if not shutil.which("ffprobe") or not (os.environ.get("CHROMIUM") or shutil.which("chromium")):
        pytest.skip("ffmpeg or Chromium is not installed")
    monkeypatch.setattr(filming, "MOST_FRAMES", 12)
    path = tmp_path / "flight.mp4"
    assert filming.write_video(page, path) == 12
    assert frames_of(path) == (12, *filming.SIZE)


def frames_of(path: Path) -> tuple[int, ...]:
    """Number of frames, width and height of a video."""
    entries = ["-show_entries", "stream=nb_read_frames,width,height", "-of", "csv=p=0"]
    command = ["ffprobe", "-v", "error", "-count_frames", *entries, str(path)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    width, height, count = found.split(",")
    return int(count), int(width), int(height)
