"""Write pictures and videos of a playback with a browser without a window."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..tree.errors import BadInput
from ..tree.saving import write_file

SIZE = (1280, 720)
"""Width and height of a picture [px]."""
RATE = 30
"""Frames per second of a video."""
MOST_FRAMES = 18_000
"""Largest number of frames: 10 minutes of video."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""Programs that are used if the environment variable CHROMIUM is not set."""
ARGUMENTS = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
"""Options of the browser, which draws without a graphics card."""
LOADED = 60.0
"""Time [s] that the browser has for the first picture."""
FILL = """() => {
    const picture = document.querySelector(".picture");
    const whole = { position: "fixed", inset: 0, height: "100vh", zIndex: 9, borderRadius: 0 };
    Object.assign(picture.style, whole);
    const time = document.createElement("div");
    time.className = "factor";
    time.style.bottom = "auto";
    time.style.top = "6px";
    picture.append(time);
    globalThis.filmed = () => {
        time.textContent = `t = ${playback.clock.time.toFixed(3)} s`;
        playback.stage.resize();
    };
    filmed();
}"""
NEXT = """(seconds) => {
    const { clock } = playback;
    clock.playing = true;
    clock.advance(seconds);
    clock.playing = false;
    filmed();
    return clock.time >= clock.end;
}"""


def write_picture(page: str, path: Path, time: float | None = None) -> None:
    """Write a picture of a playback to a PNG file.

    - page: text of the HTML page. time: time of the picture [s]. Default: the start.

    Raises BadInput without playwright and Chromium, and for a page without samples or WebGL.
    """
    _check_installed(video=False)
    with _browser_tab(page) as tab:
        if time is not None:
            tab.evaluate("(t) => { playback.clock.seek(t); filmed(); }", time)
        write_file(path, tab.screenshot(type="png"))


def write_video(page: str, path: Path) -> int:
    """Write a video of a playback to an MP4 file, with the slow motion at releases. Return the number of
    frames.

    page: text of the HTML page. Raises BadInput without playwright, Chromium and ffmpeg, for a page without
    samples or WebGL, and if ffmpeg fails.
    """
    _check_installed(video=True)
    with tempfile.TemporaryDirectory() as folder, _browser_tab(page) as tab:
        film = Path(folder) / "film.mp4"
        images = ["-f", "image2pipe", "-c:v", "mjpeg", "-framerate", f"{RATE}", "-i", "-"]
        options = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
        command = ["ffmpeg", "-y", "-loglevel", "error", *images, *options, str(film)]
        count, last = 0, False
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as running:
            assert running.stdin is not None
            try:
                while count < MOST_FRAMES:
                    running.stdin.write(tab.screenshot(type="jpeg", quality=92))
                    count += 1
                    if last:
                        break
                    last = tab.evaluate(NEXT, 1 / RATE)
            except BrokenPipeError:
                pass  # the message of ffmpeg follows
            _, fault = running.communicate()
        if running.returncode:
            reason = fault.decode(errors="replace").strip()[-300:]
            raise BadInput(f"ffmpeg cannot write the video '{path}': {reason}. Install ffmpeg with libx264.")
        write_file(path, film.read_bytes())
    return count


def _check_installed(video: bool) -> None:
    """Raise BadInput with all programs and packages that are missing."""
    missing = []
    if find_spec("playwright") is None:
        missing.append("the Python package playwright (pip install playwright)")
    elif _browser() is None and not _own_browser():
        path = "the path in the environment variable CHROMIUM"
        missing.append(f"Chromium (playwright install chromium, or {path})")
    if video and shutil.which("ffmpeg") is None:
        missing.append("the program ffmpeg (from ffmpeg.org or the packages of the system)")
    if missing:
        kind = "video" if video else "picture"
        text = f"A {kind} of a playback needs {' and '.join(missing)}"
        raise BadInput(f"{text}. Install it, or save the page only.")


def _browser() -> str | None:
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def _own_browser() -> bool:
    """Whether playwright has its own Chromium."""
    with import_module("playwright.sync_api").sync_playwright() as running:
        return Path(running.chromium.executable_path).exists()


@contextmanager
def _browser_tab(page: str) -> Iterator[Any]:
    """A tab of a browser that shows only the picture of a playback."""
    library = import_module("playwright.sync_api")
    with tempfile.TemporaryDirectory() as folder, library.sync_playwright() as running:
        file = Path(folder) / "flight.html"
        file.write_text(page, encoding="utf-8")
        # The sandbox of Chromium does not run as root, for example in a container.
        root = ("--no-sandbox",) if getattr(os, "geteuid", lambda: 1)() == 0 else ()
        try:
            browser = running.chromium.launch(executable_path=_browser(), args=[*ARGUMENTS, *root])
        except library.Error as error:
            reason = str(error).splitlines()[0]
            raise BadInput(f"Chromium does not start: {reason}. Set CHROMIUM to another browser.") from None
        with browser:
            tab = browser.new_page(viewport=dict(zip(("width", "height"), SIZE)))
            tab.goto(file.as_uri())
            for _ in range(int(LOADED / 0.05)):
                if tab.evaluate("Boolean(globalThis.playback?.ready && globalThis.playback.stage)"):
                    break
                tab.wait_for_timeout(50)
            else:
                text = "The playback has no picture: the flight has no samples, or the browser has no WebGL."
                raise BadInput(f"{text} Open the page in a browser to see the reason.")
            tab.evaluate(FILL)
            yield tab
