"""Figures as data, their layout, and what is written of them: places, numbers and texts, compared with the
record, against closed forms and against the type that matplotlib draws with."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import stub_flight
from drawn_texts import overlapping
from interstage.cli import main as cli
from interstage.drawing import contours, pictures, svg, ticks
from interstage.drawing.curves import CLOSE_POINTS
from interstage.drawing.figure import (
    DASHES,
    Axis,
    Band,
    Bar,
    Between,
    Field,
    Figure,
    Histogram,
    Limit,
    Line,
    Panel,
    Points,
)
from interstage.drawing.layout import WIDTH, draw, laid_out
from interstage.drawing.shapes import OTHER, WIDTHS, Clip, text_width
from interstage.drawing.thinning import FLAT, thin
from interstage.model.settings import Output
from interstage.report.figures import figures
from interstage.tree.errors import BadInput

T = np.linspace(0.0, 20.0, 4001)
CURVE = np.exp(-0.2 * T) * np.sin(3 * T) * 1234.5


@pytest.fixture(scope="module")
def record():
    return stub_flight.separation_record()


def everything() -> Figure:
    """A figure with every kind of mark and axis."""
    x, y = np.linspace(-1, 1, 9), np.linspace(0, 2e-6, 6)
    bumps = np.add.outer(x**2, (y * 1e6 - 1) ** 2)
    bumps[0, 0] = np.nan
    events = [(0.5, 1), (9.999, 2), (10.0, 3), (10.2, 4), (20.0, 5)]
    first = Panel(
        [Band(-500.0, 0.0), Line(T, CURVE, "force"), Line(T, -CURVE, "other", dash=DASHES[3]), Limit(800.0)],
        "a curve with its mirror image and a limit",
        Axis("time [s]", 0.0, 20.0),
        Axis("a force with a long name that has to be broken [N]", room=0.1),
        events,
    )
    near = np.linspace(1012.345678, 1012.345688, 50)
    second = Panel(
        [Line(near, 1e-9 * np.arange(50.0), dots=True), Points([near[7]], [7e-9], "cross")],
        "close",
        Axis("time [s]", near[0], near[-1]),
        Axis("gap [m]", room=0.1),
    )
    third = Panel([Line(T, np.abs(CURVE) * 1e-15)], "", Axis("time [s]", 0, 20), Axis("drift", log=True))
    fourth = Panel(
        [Between(x, x - 1, x + 1), Points(x, x, "ring"), Limit(0.5, "x"), Band(0.2, 0.4, "x")],
        "",
        Axis("x [mm]"),
        Axis("y", room=0.1),
    )
    bars = Panel(
        [Bar(0, 1.0, 3.0, text="3"), Bar(0, 1.0, 0.5, text="0.5"), Bar(1, 1.0, 1.2, text="1.2")],
        "bars",
        Axis("value [s]", room=0.15),
        Axis(names=["a variation with a long name", "b"]),
        height=56.0,
    )
    field = Panel([Field(x, y, bumps, "answer [m/s]", lines=[0.5])], "", Axis("x"), Axis("y [m]"), height=300)
    empty = Panel([], "nothing", Axis("time [s]", 0.0, 1.0), Axis("force [N]"))
    return Figure(
        "Everything <at once>",
        [[first, second], [third, fourth], [bars], [field], [empty]],
        legend=[Line(T, T, f"variant {k}") for k in range(12)],
    )


def test_a_report_is_made_without_matplotlib():
    code = (
        "import sys, stub_flight; from interstage.record.results import Flight;"
        "from interstage.report import page;"
        "print(len(page.html(Flight(stub_flight.separation_record()))), 'matplotlib' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd="tests", timeout=120
    )
    assert found.stdout.split()[1:] == ["False"], found.stderr


def test_extremes_of_a_curve_land_on_their_pixel():
    panel = Panel([Line(T, CURVE)], "", Axis("t [s]", 0.0, 20.0), Axis("y", -1000.0, 1500.0), height=200.0)
    figure = Figure("curve", [[panel]])
    _, (placed,) = laid_out(figure)
    root = ElementTree.fromstring(svg.document(figure))
    (inner,) = root.findall("{*}svg")
    (path,) = inner.findall("{*}path")
    points = points_of(path.attrib["d"])
    for pick in (np.argmax, np.argmin):
        row, drawn = pick(CURVE), points[(np.argmin if pick is np.argmax else np.argmax)(points[:, 1])]
        expected = (
            10 * (placed.left + placed.width * T[row] / 20),
            10 * (placed.top + 200 * (1500 - CURVE[row]) / 2500),
        )
        # Half a tenth of a px is rounding, FLAT what thinning leaves; across, a px has one highest point.
        assert drawn[1] == pytest.approx(expected[1], abs=0.5 + 10 * FLAT)
        assert drawn[0] == pytest.approx(expected[0], abs=10)
    assert len(points) < 2 * WIDTH


def points_of(path: str) -> np.ndarray:
    """Corners of a path "Mx yl dx dy dx dy ...", all in whole numbers."""
    assert path.count("M") == 1
    numbers = np.array([int(text) for text in re.findall(r"-?\d+", path)]).reshape(-1, 2)
    return np.cumsum(numbers, axis=0)


def test_thinned_curves_look_as_all_their_points_do():
    generator = np.random.default_rng(5)
    x = np.sort(generator.uniform(0, 300, 20_000))
    y = 40 * np.sin(x / 20) + generator.normal(size=x.size)
    y[12_345] = 500.0
    rows = thin(x, y)
    assert len(rows) < 4 * 301
    assert {0, 12_345, len(x) - 1} <= {*rows.tolist()}
    column = np.floor(x).astype(int)
    for k in range(300):
        mine, kept = y[column == k], y[rows][column[rows] == k]
        assert kept.max() == pytest.approx(mine.max(), abs=FLAT)
        assert kept.min() == pytest.approx(mine.min(), abs=FLAT)
    # Few points of a smooth curve: none left out is further from the line than it may be.
    x, y = np.linspace(0, 300, 400), 60 * np.cos(np.linspace(0, 6, 400))
    rows = thin(x, y)
    assert len(rows) < 150
    assert np.abs(np.interp(x, x[rows], y[rows]) - y).max() <= FLAT
    straight = thin(x, 2 * x + 1)
    assert straight.tolist() == [0, 399]
    assert thin(x, np.full_like(x, 3.0)).tolist() == [0, len(x) - 1]


def test_a_curve_is_interrupted_where_it_is_not_known():
    y = np.where((T > 5) & (T < 6), np.nan, T)
    y[-1:] = np.nan
    y = np.append(y, [1.0])
    figure = Figure("gap", [[Panel([Line(np.append(T, 20.01), y)])]])
    root = ElementTree.fromstring(svg.document(figure))
    dots, stroke = root.findall("{*}svg/{*}path")
    assert stroke.attrib["d"].count("M") == 2
    assert dots.attrib["d"].count("M") == 1  # a point by itself is a dot


@pytest.mark.parametrize(
    ("low", "high", "texts", "label"),
    [
        (0.0, 20.0, ["0", "5", "10", "15", "20"], "force [N]"),
        (-0.1, 0.0, ["−0.10", "−0.08", "−0.06", "−0.04", "−0.02", "0.00"], "force [N]"),
        (0.0, 4.1e6, ["0", "1", "2", "3", "4"], "force [10⁶ N]"),
        (-2.1e-8, 2e-8, ["−20", "−10", "0", "10", "20"], "force [10⁻⁹ N]"),
        (1012.345678, 1012.345688, ["6", "8", "10", "12", "14", "16"], None),
        (99.99, 100.03, ["99.99", "100.00", "100.01", "100.02", "100.03"], "force [N]"),
    ],
)
def test_numbers_of_axes_are_round_and_short(low, high, texts, label):
    found = ticks.linear(low, high, "force [N]", 6, lambda at, texts: True)
    if label is None:
        what = re.fullmatch(r"force − ([\d.]+) \[10⁻⁶ N\]", found.label)
        assert what is not None
        for at, text in zip(found.at, found.texts, strict=True):
            assert at == float(Decimal(what[1]) + Decimal(text) * Decimal("1e-6"))
        assert max(map(len, found.texts)) <= 3
        return
    assert (found.texts, found.label) == (texts, label)
    scale = float(
        f"1e{found.label.count('10') and {'⁶': 6, '⁻': -9}[found.label[found.label.index('10') + 2]]}"
    )
    values = [float(text.replace("−", "-")) * scale for text in found.texts]
    assert values == pytest.approx(found.at, rel=1e-15, abs=1e-15 * (high - low))


def test_drawn_axes_have_numbers_that_are_true_and_short():
    generator = np.random.default_rng(11)
    for _ in range(2000):
        middle = generator.normal() * 10.0 ** generator.uniform(-12, 12)
        half = abs(middle) * 10.0 ** generator.uniform(-9, 3)
        low, high = middle - half, middle + half
        found = ticks.linear(low, high, "x", 7, lambda at, texts: True)
        assert 2 <= len(found.at) <= 8
        assert max(map(len, found.texts)) <= ticks.LONGEST
        assert all(low - 1e-6 * half <= at <= high + 1e-6 * half for at in found.at)
        assert len({*found.texts}) == len(found.texts)


def test_logarithmic_axes_have_powers_of_ten():
    whole = ticks.logarithmic(1e-17, 1e-5, "", 5, lambda at, texts: True)
    assert whole.texts == ["10⁻¹⁵", "10⁻¹²", "10⁻⁹", "10⁻⁶"]
    assert whole.at == pytest.approx([1e-15, 1e-12, 1e-9, 1e-6], rel=1e-15)
    within = ticks.logarithmic(0.15, 0.6, "", 7, lambda at, texts: True)
    assert within.texts == ["0.2", "0.5"]
    many = ticks.logarithmic(0.01, 1000, "", 7, lambda at, texts: True)
    assert many.texts == ["0.01", "0.1", "1", "10", "100", "1000"]


def test_widths_of_letters_are_no_less_than_in_a_wide_type():
    from matplotlib.font_manager import FontProperties, findfont, get_font

    letters = [chr(k) for k in range(32, 127)] + [letter for letter in WIDTHS if letter > "~"]
    for weight in ("normal", "bold"):
        font = get_font(findfont(FontProperties(family="DejaVu Sans", weight=weight)))
        font.set_size(100, 72)
        for letter in letters:
            wide = font.load_char(ord(letter)).linearHoriAdvance / 65536
            assert wide <= text_width(letter, 100, weight == "bold"), letter
    assert text_width("n", 1.0) == OTHER


def test_no_text_covers_another_or_leaves_the_page(record):
    for figure in (everything(), *figures(record), *figures(record, "US")):
        drawing = draw(figure)
        boxes = [(text.text, text.box) for text in drawing.texts]
        for k, (one, a) in enumerate(boxes):
            assert -0.1 <= a[0] < a[2] <= drawing.width + 0.1, one
            assert -0.1 <= a[1] < a[3] <= drawing.height + 0.1, one
            for other, b in boxes[k + 1 :]:
                apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
                assert apart, f"{figure.caption}: {one} and {other}"
        assert overlapping(pictures.picture(figure)) == []


def test_that_check_finds_what_overlaps():
    figure = everything()
    found = pictures.picture(figure)
    found.axes[0].text(100, 30, "a long text across the picture " * 4)
    assert overlapping(found)


def test_panels_of_a_column_are_in_line_and_none_covers_another():
    _, placed = laid_out(everything())
    assert placed[0].left == placed[2].left
    assert placed[1].left == placed[3].left
    assert [panel.width for panel in placed[1:4]] == pytest.approx([placed[0].width] * 3, rel=1e-12)
    for above, below in zip(placed[:3:2], placed[2:5:2]):
        assert above.bottom < below.top


def test_the_same_drawing_goes_into_every_kind_of_file(record, tmp_path):
    for suffix, begins in ((".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<svg")):
        path = tmp_path / f"picture{suffix}"
        assert everything().save(path) == path
        assert path.read_bytes().startswith(begins)
        once = path.read_bytes()
        everything().save(path)
        assert path.read_bytes() == once
    root = ElementTree.fromstring((tmp_path / "picture.svg").read_text())
    assert root.attrib["aria-label"] == "Everything <at once>"
    written = [text.text for text in root.iter() if text.tag.endswith("text")]
    assert written == [text.text for text in draw(everything()).texts]


def test_pictures_that_cannot_be_drawn_are_refused(tmp_path, monkeypatch):
    with pytest.raises(BadInput, match=r"Allowed endings: \.png, \.svg, \.pdf"):
        everything().save(tmp_path / "picture.jpg")
    with pytest.raises(BadInput, match="Choose another file"):
        everything().save(tmp_path / "nowhere" / "picture.svg")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BadInput, match=r"pip install 'interstage\[pictures\]'"):
        everything().save(tmp_path / "picture.png")
    everything().save(tmp_path / "picture.svg")


def test_the_picture_of_a_comparison_is_refused_before_the_flights(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("interstage.studies.comparison.compare", None)
    for name, said in (("a.png", "interstage[pictures]"), ("a.jpg", "Allowed: .png, .svg, .pdf")):
        monkeypatch.setattr(
            sys, "argv", ["interstage", "compare", "examples/first.toml", "--plot", str(tmp_path / name)]
        )
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code == 2
        assert said in capsys.readouterr().err


def test_areas_of_contours_are_those_of_the_function():
    """A cone over a square: the part above a level is a disk, whose area is known."""
    x = y = np.linspace(-1, 1, 81)
    cone = 1 - np.hypot(*np.meshgrid(x, y, indexing="ij"))
    found = contours.cells(x, y, cone)
    level = 0.3
    area = sum(area_of(polygon) for polygon in contours.fill_polygons(found, level, np.inf))
    pieces = np.array(contours.lines(found, level))
    length = np.linalg.norm(pieces[:, 1] - pieces[:, 0], axis=1).sum()
    # Chords of cells of 1/40 on a circle of radius 0.7: their sagitta is 1/40^2/(8*0.7).
    slack = (1 / 40) ** 2 / (8 * 0.7) * 2 * np.pi * 0.7
    assert area == pytest.approx(np.pi * 0.7**2, abs=2 * slack)
    assert length == pytest.approx(2 * np.pi * 0.7, abs=2 * slack / 0.7)
    # What is left out below a level is covered by the next.
    inner = sum(area_of(polygon) for polygon in contours.fill_polygons(found, -np.inf, level))
    assert np.pi * 0.7**2 + inner > 4.0 - 2 * slack
    assert sum(area_of(p) for p in contours.fill_polygons(found, -9.0, np.inf)) == pytest.approx(
        4.0, rel=1e-12
    )
    cone[40, 40] = np.nan
    missing = sum(area_of(p) for p in contours.fill_polygons(contours.cells(x, y, cone), -9.0, np.inf))
    assert missing == pytest.approx(4.0 - 4 / 40**2, rel=1e-12)


def area_of(polygon: np.ndarray) -> float:
    x, y = polygon.T
    return 0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def test_levels_are_round_and_enclose_the_values():
    found = contours.levels(np.array([0.013, 0.987, np.nan]), 12)
    assert found[0] <= 0.013
    assert found[-1] >= 0.987
    assert np.diff(found) == pytest.approx(0.1, rel=1e-12)
    assert len(contours.levels(np.ones((2, 2)), 12)) > 2


def test_limits_outside_an_axis_that_is_given_do_not_widen_it():
    panel = Panel([Line(T, CURVE), Limit(1e6)], "", Axis(), Axis("y", -5.0, 5.0))
    _, (placed,) = laid_out(Figure("", [[panel]]))
    assert placed.y == (-5.0, 5.0)
    _, (wider,) = laid_out(Figure("", [[replace(panel, y=Axis("y"))]]))
    assert wider.y[1] == 1e6


def test_bodies_of_a_point_have_no_distance_to_show():
    """They stand as they stood: the rate of their distance is rounding, or nothing while tanks drain."""
    rigid = stub_flight.separation_record()
    point = replace(rigid, scenario=rigid.scenario.model_copy(update={"coordinates": "point"}))
    keys = [{figure.key for figure in figures(one)} for one in (rigid, point)]
    assert keys[0] - keys[1] == {"pairs"}


def test_a_histogram_has_bars_between_its_edges_from_zero():
    edges, heights = np.array([1.0, 2.0, 4.0]), np.array([3.0, 0.0])
    drawing, (placed,) = laid_out(Figure("bars", [[Panel([Histogram(edges, heights)], y=Axis(low=0.0))]]))
    (clip,) = [shape for shape in drawing.shapes if isinstance(shape, Clip)]
    bars: Any = clip.shapes[0]
    (bar,) = bars.polygons
    assert placed.x == (1.0, 4.0)
    assert placed.y == (0.0, 3.0)
    gap = 0.5  # px, so that adjacent bars are distinct
    ends = placed.left + np.array([0.0, placed.width / 3])
    assert sorted({*bar[:, 0].tolist()}) == pytest.approx([ends[0] + gap, ends[1] - gap])
    assert sorted({*bar[:, 1].tolist()}) == pytest.approx([placed.top, placed.bottom])


@pytest.mark.parametrize("height", [100.0, 4000.0])
def test_equal_scales_extend_one_axis_at_both_ends(height):
    panel = Panel([Line(np.array([-1.0, 1.0]), np.array([-3.0, 3.0]))], height=height, equal_scales=True)
    _, (placed,) = laid_out(Figure("square", [[panel]]))
    assert placed.width / (placed.x[1] - placed.x[0]) == pytest.approx(height / (placed.y[1] - placed.y[0]))
    assert placed.x[1] == pytest.approx(-placed.x[0])
    assert placed.y[1] == pytest.approx(-placed.y[0])
    kept = placed.y[1] == pytest.approx(3.0), placed.x[1] == pytest.approx(1.0)
    assert kept == ((True, False) if height < 4000 else (False, True))
    assert max(abs(at) for at in placed.y_ticks.at) <= placed.y[1]


def test_a_description_and_right_to_left_texts_are_written_safely():
    name = "\u05e9\u05dd \u05d0\u05d7\u05e8_7"
    figure = Figure("caption", [[Panel([Line(T, CURVE)], name)]], description='says "3 < 4"')
    text = svg.inline(figure)
    root = ElementTree.fromstring(text)
    assert root.attrib["aria-label"] == 'caption. says "3 < 4"'
    assert "\u2068\u05e9\u05dd \u05d0\u05d7\u05e8\u2069_7" in text


def test_bands_of_many_points_are_thinned():
    x = np.linspace(0.0, 1.0, 100_000)
    noise = np.sin(1e3 * x)
    wide = Panel([Between(x, noise - 2.0, noise + 2.0)])
    assert len(svg.inline(Figure("band", [[wide]]))) < 60_000


def test_a_close_view_between_few_samples_has_the_curve_of_the_closed_form():
    scenario = stub_flight.flown_scenario().model_copy(update={"output": Output(interval=5.0)})
    (figure,) = (one for one in figures(scenario.run().record) if one.key == "pairs")
    line: Any
    (line,) = figure.rows[0][1].marks
    after = np.asarray(line.x) - stub_flight.RELEASE
    pushed = stub_flight.PUSHED - stub_flight.RELEASE
    push = stub_flight.STROKE * (1 - np.cos(stub_flight.RATE * np.clip(after, 0, pushed)))
    distance = stub_flight.APART + push + stub_flight.SPEED * np.maximum(after - pushed, 0)
    assert len(after) >= CLOSE_POINTS
    assert np.max(np.diff(line.x)) < pushed / 10
    # The default tolerance of the solver is 1e-9, relative to a distance of 6 m and its rates.
    np.testing.assert_allclose(line.y, distance, rtol=1e-8)
