"""The viewer in a browser: Chromium by playwright, where both are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interstage as ist
from interstage.playback.page import html
from interstage.record.results import Flight
from interstage.report.page import html as report_page
from stub_flight import APART, END, PUSHED, RELEASE, flown_scenario, separation_record

WEB = Path(__file__).parents[2] / "web"
ARGUMENTS = ("--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
GO_TO = "(t) => { playback.clock.seek(t); playback.stage.drawNow(); }"
WITHOUT_WEBGL = """
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith("webgl") ? null : get.call(this, kind, ...rest);
    };
"""
NASTY = "</script><script>globalThis.hacked=1</script>"

pytestmark = pytest.mark.long


def test_the_bundle_is_built_from_its_sources(tmp_path):
    """The packages come from the public registry, at the versions of the lock file."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path / "web"
    shutil.copytree(WEB, folder, ignore=shutil.ignore_patterns("node_modules"))
    target = tmp_path / "src" / "interstage" / "playback"
    target.mkdir(parents=True)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    if subprocess.run(command, cwd=folder, capture_output=True).returncode:
        pytest.skip("the packages cannot be fetched")
    subprocess.run(["node", "build.mjs"], cwd=folder, check=True, capture_output=True)
    for name in ("viewer.js", "viewer.css", "licences.txt"):
        committed = WEB.parent / "src" / "interstage" / "playback" / name
        assert (target / name).read_bytes() == committed.read_bytes(), name


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        found = os.environ.get("CHROMIUM") or shutil.which("chromium")
        try:
            one = running.chromium.launch(executable_path=found, args=ARGUMENTS)
        except playwright.Error as error:
            pytest.skip(f"there is no browser: {error}")
        yield one
        one.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    record = separation_record(flown_scenario())
    record.scenario = record.scenario.model_copy(update={"title": NASTY})
    path = tmp_path_factory.mktemp("playback") / "flight.html"
    path.write_text(html(Flight(record, scenario_text="")), encoding="utf-8")
    return path


@pytest.fixture
def page(browser, file) -> Iterator[Any]:
    with opened(browser, file) as one:
        yield one


@contextmanager
def opened(browser: Any, file: Path) -> Iterator[Any]:
    """The page, with a check that nothing is reported on the console and nothing is fetched."""
    with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
        one = context.new_page()
        faults: list[str] = []
        one.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        one.on("pageerror", lambda error: faults.append(str(error)))
        one.on("request", lambda request: request.url.startswith("file:") or faults.append(request.url))
        one.goto(file.as_uri())
        wait_for(one, "globalThis.playback?.curves")
        yield one
        assert [text for text in faults if not text.startswith(("blob:", "data:"))] == []


def wait_for(page: Any, expression: str) -> None:
    """Wait until an expression is true; the policy of the page forbids the evaluation of playwright."""
    for _ in range(200):
        if page.evaluate(f"Boolean({expression})"):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"not true within 10 s: {expression}")


def test_the_viewer_has_the_poses_of_the_record(page):
    record = separation_record(flown_scenario())
    rows = np.arange(0, len(record.time), 7)
    script = """([times, name]) => times.map((t) => {
        const pose = playback.flight.pose(name, t);
        const origin = playback.flight.origin(t).p;
        return [...pose.p.map((x, k) => x + origin[k]), ...pose.q];
    })"""
    for name in ("stage", "payload"):
        found = np.array(page.evaluate(script, [record.time[rows].tolist(), name]))
        # Single precision of a distance of some metres, and the tolerance of the thinning of a body of 0.1 m.
        assert (
            np.abs(found[:, :3] - record.series[f"bodies.{name}.position"][rows]).max() < 1e-5 + 1e-6 * APART
        )
        assert np.abs(found[:, 3:] - record.series[f"bodies.{name}.attitude"][rows]).max() < 5e-4


def test_the_picture_has_what_the_poses_state(page):
    """A body in the picture is where the camera frame sees it."""
    page.evaluate("playback.setFrame('body:stage')")
    page.evaluate(GO_TO, END)
    place = page.evaluate("playback.bodies.all.get('payload').outer.position.toArray()")
    record = separation_record(flown_scenario())
    wanted = record.series["bodies.payload.position"][-1] - record.series["bodies.stage.position"][-1]
    assert place == pytest.approx(wanted, abs=1e-4)


def test_the_station_of_an_interface_rests_in_its_camera_frame(browser, tmp_path):
    record = separation_record(flown_scenario())
    plane = ist.Interface(
        name="plane", joints=("clamp",), at_body="parent", at=[0.1, 0.2, 0.3], axes="parent"
    )
    record.scenario = record.scenario.model_copy(update={"interfaces": (plane,)})
    path = tmp_path / "flight.html"
    path.write_text(html(Flight(record, scenario_text="")), encoding="utf-8")
    script = "(name) => playback.bodies.all.get(name).outer.position.toArray()"
    with opened(browser, path) as one:
        one.get_by_label("Camera frame", exact=True).select_option("interface:plane")
        for t, row in ((0, 0), (END, -1)):
            one.evaluate(GO_TO, t)
            stage, payload = (record.series[f"bodies.{name}.position"][row] for name in ("stage", "payload"))
            assert one.evaluate(script, "stage") == pytest.approx([-0.1, -0.2, -0.3], abs=1e-4)
            assert one.evaluate(script, "payload") == pytest.approx(
                payload - stage - [0.1, 0.2, 0.3], abs=1e-4
            )


def test_the_keyboard_moves_the_time(page):
    def now() -> float:
        return page.evaluate("playback.clock.time")

    page.keyboard.press("End")
    assert now() == END
    page.keyboard.press("Home")
    assert now() == 0
    page.keyboard.press("Shift+ArrowRight")
    assert now() == RELEASE
    page.keyboard.press("Shift+ArrowRight")
    assert now() == pytest.approx(PUSHED)
    page.keyboard.press("ArrowLeft")
    assert RELEASE < now() < PUSHED
    speed = page.evaluate("playback.clock.speed")
    page.keyboard.press("+")
    assert page.evaluate("playback.clock.speed") == 2 * speed
    page.keyboard.press(" ")
    assert page.evaluate("playback.clock.playing")
    wait_for(page, f"playback.clock.time > {RELEASE}")
    page.keyboard.press(" ")
    assert not page.evaluate("playback.clock.playing")


def test_the_speed_falls_around_a_release(page):
    rate = "(t) => { playback.clock.time = t; return playback.clock.rate; }"
    rates = [page.evaluate(rate, t) for t in (0, RELEASE, END)]
    assert rates[1] < rates[0] == rates[2]
    page.get_by_label("slow motion at release").uncheck()
    assert page.evaluate(f"(playback.clock.time = {RELEASE}, playback.clock.rate)") == rates[0]


def test_the_picture_follows_the_window(page):
    page.set_viewport_size({"width": 420, "height": 800})
    sizes = "[canvas.clientWidth, Math.round(canvas.width / renderer.getPixelRatio())]"
    script = f"(() => {{ const {{ canvas, renderer }} = playback.stage; return {sizes}; }})()"
    wait_for(page, f"{script}.every((width) => width < 420)")
    shown, drawn = page.evaluate(script)
    assert abs(shown - drawn) <= 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 420


@pytest.mark.parametrize("width", [420, 1200])
def test_marks_of_events_do_not_overlap(browser, tmp_path, width):
    record = separation_record(flown_scenario())
    (first, *_), times = record.events, [0.0, 0.1, 0.3, *np.linspace(9.9, 10.1, 9), *np.linspace(11, 20, 40)]
    record.events = [replace(first, name=f"event {k}", time=float(time)) for k, time in enumerate(times)]
    rows = np.zeros(len(times), int)
    record.before = {path: values[rows] for path, values in record.before.items()}
    record.after = {path: values[rows] for path, values in record.after.items()}
    path = tmp_path / "flight.html"
    path.write_text(html(Flight(record, scenario_text="")), encoding="utf-8")
    with browser.new_context(viewport={"width": width, "height": 800}) as context:
        one = context.new_page()
        one.goto(path.as_uri())
        wait_for(one, "globalThis.playback?.curves")
        one.wait_for_timeout(100)
        script = "[...document.querySelectorAll('.marks button')].map((mark) => mark.getBoundingClientRect())"
        boxes = one.evaluate(f"{script}.map(({{ left, right, top }}) => [left, right, top])")
        titles = one.evaluate("[...document.querySelectorAll('.marks button')].map((mark) => mark.title)")
    assert sum(len(title.splitlines()) for title in titles) == len(times)
    for k, (left, right, top) in enumerate(boxes):
        for other_left, other_right, other_top in boxes[:k]:
            assert top != other_top or left >= other_right or right <= other_left, (titles[k], boxes[k])


def test_a_link_restores_the_view(page, browser, file):
    page.evaluate("playback.clock.seek(12.5); playback.setFrame('joint:clamp')")
    page.evaluate("playback.keep = false; playback.link()")
    address = page.evaluate("location.href")
    with browser.new_context() as context:
        other = context.new_page()
        other.goto(address)
        wait_for(other, "globalThis.playback?.curves")
        assert other.evaluate("[playback.clock.time, playback.frame]") == [12.5, "joint:clamp"]
        there = other.evaluate("playback.stage.camera.position.toArray()")
        assert there == pytest.approx(page.evaluate("playback.stage.camera.position.toArray()"), rel=1e-6)


def test_a_threshold_colours_the_bodies(page):
    page.evaluate("document.querySelectorAll('aside details').forEach((one) => { one.open = true; })")
    page.get_by_label("Quantity of the threshold").select_option(label="pairs.stage.payload.distance")
    page.get_by_label("Side of the threshold").select_option("above")
    page.get_by_label("Value of the threshold").fill(str(APART + 0.5))
    page.get_by_role("button", name="Add", exact=True).click()
    colour = "playback.bodies.all.get('payload').surface.color.getHexString()"
    page.keyboard.press("Escape")
    page.evaluate(GO_TO, 0)
    safe = page.evaluate(colour)
    page.evaluate(GO_TO, END)
    assert page.evaluate(colour) != safe


def test_a_lost_picture_leaves_the_still(page):
    page.evaluate("playback.stage.renderer.forceContextLoss()")
    page.get_by_text("WebGL context lost").wait_for(state="visible")
    assert page.locator("#summary svg").is_visible()


def test_names_run_nothing(page):
    assert page.evaluate("globalThis.hacked") is None
    assert page.locator("h1").inner_text() == NASTY


@pytest.mark.parametrize("options", [{"java_script_enabled": False}, {}])
def test_the_page_is_of_use_without_a_picture(browser, file, options):
    """Without JavaScript, and with JavaScript but without WebGL."""
    with browser.new_context(**options) as context:
        one = context.new_page()
        faults: list[str] = []
        one.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        one.add_init_script(WITHOUT_WEBGL)
        one.goto(file.as_uri())
        assert one.locator("#summary svg").is_visible()
        assert one.get_by_text("spring spent").first.is_visible()
        assert faults == []


@pytest.fixture
def report(browser, tmp_path) -> Iterator[Any]:
    path = tmp_path / "report.html"
    path.write_text(report_page(Flight(separation_record(flown_scenario()), scenario_text="")))
    with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
        one = context.new_page()
        faults: list[str] = []
        one.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        one.on("pageerror", lambda error: faults.append(str(error)))
        one.goto(path.as_uri())
        wait_for(one, "globalThis.playback?.curves")
        yield one
        assert faults == []


def test_report_has_one_cursor(report):
    """The time of an event, clicked in the table, is the time of the playback and of every figure."""
    report.locator("button.seek").nth(1).click()
    assert report.evaluate("playback.clock.time") == RELEASE
    assert report.evaluate("document.querySelectorAll('tr.now').length") == 1
    assert "apart" in report.evaluate("document.querySelector('tr.now').innerText")
    places = report.evaluate(
        """[...document.querySelectorAll('svg rect[data-time]')].map((panel) => {
            const [from, to] = panel.dataset.time.split(' ').map(Number);
            const at = Number(panel.nextElementSibling.getAttribute('d').match(/^M(-?\\d+)/)[1]);
            const [x, width] = ['x', 'width'].map((name) => Number(panel.getAttribute(name)));
            return [from + ((at - x) / width) * (to - from), (to - from) / width];
        })"""
    )
    assert len(places) >= 3
    for time, unit in places:
        assert time == pytest.approx(RELEASE, abs=unit)  # places are whole units of the drawing


def test_printed_report_shows_the_still_picture_and_the_closed_tables(report):
    still = report.locator("#summary svg")
    assert not still.is_visible()
    report.emulate_media(media="print")
    assert still.is_visible()
    assert report.evaluate(
        "[...document.querySelectorAll('details td')].every((cell) => cell.checkVisibility())"
    )
    report.emulate_media(media="screen")


def test_long_title_of_a_report_wraps_on_a_narrow_screen(browser, tmp_path):
    record = separation_record(flown_scenario())
    record.scenario = record.scenario.model_copy(update={"title": NASTY})
    path = tmp_path / "report.html"
    path.write_text(report_page(Flight(record, scenario_text="")), encoding="utf-8")
    with opened(browser, path) as one:
        one.set_viewport_size({"width": 360, "height": 740})
        wait_for(one, "document.documentElement.scrollWidth <= 360")
        assert one.evaluate("globalThis.hacked") is None


def test_late_and_short_flight_has_a_cursor_and_the_times_of_its_events(browser, tmp_path):
    """A flight of 1e-4 s after 1e6 s: 15 digits of a time distinguish 1e-9 s."""

    def late(t: Any) -> Any:
        return 1e6 + t * (1e-4 / END)

    record = separation_record(flown_scenario())
    record.time = late(record.time)
    record.events = [replace(event, time=late(event.time)) for event in record.events]
    path = tmp_path / "report.html"
    path.write_text(report_page(Flight(record, scenario_text="")), encoding="utf-8")
    with opened(browser, path) as one:
        one.locator("button.seek").nth(1).click()
        assert one.evaluate("playback.clock.time") == pytest.approx(late(RELEASE), rel=1e-15)
        assert "apart" in one.evaluate("document.querySelector('tr.now').innerText")


def test_click_in_a_figure_of_the_report_moves_the_playback(report):
    panel = report.locator("svg rect[data-time]").first
    panel.scroll_into_view_if_needed()
    box = panel.bounding_box()
    report.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + 0.5 * box["height"])
    assert report.evaluate("playback.clock.time") == pytest.approx(0.75 * END, abs=2 * END / box["width"])


def test_keys_of_the_viewer_leave_the_rest_of_a_report_alone(report):
    report.keyboard.press("End")
    assert report.evaluate("playback.clock.time") == 0
    report.locator("button.play").focus()
    report.keyboard.press("End")
    assert report.evaluate("playback.clock.time") == END
