"""Sizes and times of what people look at: the playback, its first picture in a browser, and the reports."""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import interstage as ist
from interstage.playback.page import html
from interstage.report.page import html as report_of

from .lines import Line
from .start_up import EXAMPLES
from .timing import in_turn

Clock = Callable[[], float]
SCENARIO = Path(__file__).with_name("five_bodies.toml")
NAME = "playback of 600 s with 5 bodies"
REPORTS = ("first", "payload_separation", "clampband_payload", "inline_staging", "ascent", "mission")
MEGABYTE = 1e6
BROWSER = ("--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
FIRST_PICTURE = """() => new Promise((done) => {
    const look = () => {
        if (globalThis.playback?.curves) requestAnimationFrame(() => done(performance.now()));
        else setTimeout(look, 2);
    };
    look();
})"""
"""Returns the time [ms] from the start of the page to the first picture of its viewer."""


def sight(repeats: int, clock: Clock) -> Iterator[Line]:
    """The playback of a flight of 600 s with 5 bodies, and the reports of the examples."""
    flight = ist.load(SCENARIO).run(progress=False)
    page = html(flight)
    yield _size(NAME, page, 2.0)
    yield _time(f"{NAME}, written", lambda: html(flight), repeats, clock)
    yield _first_picture(f"{NAME}, first picture", page, repeats)
    for example in REPORTS:
        flown = ist.load(EXAMPLES / f"{example}.toml").run(progress=False)
        yield _size(f"report of {example}", report_of(flown), 1.0)
        write: Callable[[], Any] = lambda flown=flown: report_of(flown)  # noqa: E731
        yield _time(f"report of {example}, written", write, repeats, clock, 0.5)


def _size(name: str, page: str, bound: float) -> Line:
    size = len(page.encode()) / MEGABYTE
    return Line(name, f"{size:.2f} MB", "", size, at_most=bound)


def _time(
    name: str, write: Callable[[], Any], repeats: int, clock: Clock, bound: float | None = None
) -> Line:
    seconds = statistics.median(in_turn({"ours": write}, repeats, clock)["ours"])
    return Line(name, f"{seconds:.2f} s", "", None if bound is None else seconds, at_most=bound)


def _first_picture(name: str, page: str, repeats: int) -> Line:
    """The time until the viewer of a page has its first picture, in Chromium without a graphics card."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        return Line(name, "not measured", "the package playwright is missing")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        file = Path(folder) / "page.html"
        file.write_text(page, encoding="utf-8")
        found = os.environ.get("CHROMIUM") or shutil.which("chromium")
        try:
            browser = running.chromium.launch(executable_path=found, args=BROWSER)
        except Error:
            return Line(name, "not measured", "there is no Chromium")
        seconds = []
        for _ in range(repeats):
            one = browser.new_page(viewport={"width": 1200, "height": 900})
            one.goto(file.as_uri(), wait_until="commit")
            seconds.append(one.evaluate(FIRST_PICTURE) / 1e3)
            one.close()
            time.sleep(0.1)
        browser.close()
    median = statistics.median(seconds)
    return Line(name, f"{median:.2f} s", "", median, at_most=1.0, accuracy="Chromium, WebGL by software")
