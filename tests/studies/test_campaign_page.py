"""The page of a campaign: its sentences, tables and figures compared with the statistics of its columns."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy import stats

from campaign_results import GAIN, STUDY, invented_result, run_command, save_result
from drawn_texts import overlapping
from interstage.drawing import pictures
from interstage.drawing.figure import Between, Figure, Histogram, Limit, Line, Panel, Points
from interstage.drawing.layout import draw, laid_out
from interstage.studies.campaign import CampaignResult
from interstage.studies.campaign.figures import OF_WEIGHTS, figures_and_notes
from interstage.studies.campaign.page import html, summary_lines
from interstage.studies.campaign.printed import drivers_tables

PROVEN = {**STUDY, "proportion": 0.9}
DEGREE = np.radians(1.0)


@pytest.fixture(scope="module")
def result() -> CampaignResult:
    return invented_result(PROVEN)


def with_cases(cases: int) -> CampaignResult:
    return invented_result({**STUDY, "cases": cases})


def figure_of(result: CampaignResult, start: str, units: str = "SI") -> Figure:
    found = [one for one in figures_and_notes(result, units)[0] if one.caption.startswith(start)]
    assert len(found) == 1, start
    return found[0]


def panel_of(figure: Figure, start: str) -> Panel:
    (found,) = [panel for panel in figure.panels if panel.title.startswith(start)]
    return found


def marks_of(panel: Panel, kind: type) -> list:
    return [mark for mark in panel.marks if isinstance(mark, kind)]


def check_page(text: str) -> None:
    """Check that all elements are closed, and that drawings are well-formed and have a description."""
    open_tags: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag, attrs):
            if tag not in ("meta", "path"):
                open_tags.append(tag)

        def handle_startendtag(self, tag, attrs):
            pass

        def handle_endtag(self, tag):
            assert open_tags.pop() == tag

    Tags().feed(text)
    assert open_tags == []
    assert "nan" not in re.sub(r"<pre>.*?</pre>", "", text, flags=re.DOTALL).lower()
    for drawing in re.findall(r"<svg role.*?</svg>\n?(?=</figure>)", text, re.DOTALL):
        assert len(ElementTree.fromstring(drawing).attrib["aria-label"]) > 40


# --- texts and tables


def test_the_page_begins_with_the_result_of_each_requirement(result):
    text = html(result, "SI")
    check_page(text)
    one = result.requirement("tip_off")
    first, proof, drivers = summary_lines(result)
    assert first.text == "200 cases: all completed."
    assert proof.text == f"tip_off: {' '.join(one.sentences)}"
    assert proof.bad == (not one.shown)
    assert "effect on tip_off: no rank correlation differs from zero" in drivers.text
    assert text.index(one.sentences[0]) < text.index("<table>")
    low, high = stats.binomtest(one.failed, 200).proportion_ci(0.9, "exact")
    assert f">{low:.3g} to {high:.3g}</td>" in text
    assert "Clopper-Pearson intervals" in text
    assert "Cases without a result" not in text
    assert text.count("<h2>Most important inputs (drivers) of ") == 4


def test_the_strongest_drivers_are_named(result):
    only = result.manifest.names._replace(limits=())
    found = CampaignResult(replace(result.manifest, names=only, _kept={}), result.columns, plan=result.plan)
    *_, none, drivers = summary_lines(found)
    assert "no requirements" in none.text
    assert re.match(
        r"Most important inputs \(drivers\) of speed, with rank correlations: "
        r"bodies\.satellite\.mass \(-1.00\)",
        drivers.text,
    )


def test_rare_failures_with_a_large_effect_are_the_first_drivers():
    missing = {"path": "devices.spring.strength", "choose": [0, 1], "probabilities": [0.96, 0.04], "value": 0}
    offset = {**STUDY["dispersions"]["offset"], "lot": "springs", "lot_share": 0.5}
    study = {
        **STUDY,
        "dispersions": {"mass": STUDY["dispersions"]["mass"], "offset": offset, "missing": missing},
    }
    result = invented_result(study)
    draws = {name: result.columns[f"input.{name}"] for name in ("offset_1", "offset_2", "missing")}
    spread = draws["offset_1"] + draws["offset_2"]
    found = invented_result(study, speed=1.0 + spread - (draws["missing"] == 0))
    drivers = found.drivers("speed")
    assert drivers.inputs[0] == "missing"
    assert abs(drivers.rank.value[0]) < abs(drivers.rank.value).max()
    (table,) = [
        one for one in drivers_tables(found) if one.title == "Most important inputs (drivers) of speed"
    ]
    assert table.rows[-1][0] == "all 2 inputs of lot springs"
    members = [k for k, name in enumerate(drivers.inputs) if name.startswith("offset")]
    assert drivers.regression is not None
    assert table.rows[-1][-1] == f"{100 * drivers.regression.shares[members].sum():.1f} %"
    assert "weaker" not in table.note
    only = replace(found.manifest, names=found.manifest.names._replace(limits=()), _kept={})
    *_, line = summary_lines(CampaignResult(only, found.columns, plan=found.plan))
    assert re.match(
        r"Most important inputs \(drivers\) of speed.*: "
        r"devices\.spring\.strength \([+-]0.\d\d, share of the variance (99|99\.\d|100) %\)",
        line.text,
    )


def test_cases_without_a_number_are_listed_with_their_inputs():
    tip_off = np.full(200, 0.01)
    tip_off[[7, 9]] = np.nan
    text = html(invented_result(PROVEN, tip_off=tip_off), "SI")
    check_page(text)
    table = text.split("Cases without a result")[1].split("</table>")[0]
    assert re.findall(r"<td class=right>(\d)</td><td>no number", table) == ["7", "9"]
    assert "&#x27;apart&#x27; did not occur" in table
    assert "mass [kg]" in table


def test_units_in_feet(result):
    text = html(result, "US")
    assert "speed [ft/s]" in text
    figure = figure_of(result, "speed: distribution", "US")
    edges = marks_of(panel_of(figure, "histogram"), Histogram)[0].edges
    assert edges[[0, -1]] * 0.3048 == pytest.approx([result["speed"].min(), result["speed"].max()])


@pytest.mark.parametrize("cases", range(1, 9))
def test_small_campaigns_have_a_readable_page(cases):
    result = with_cases(cases)
    check_page(html(result, "SI"))
    drawn, notes = figures_and_notes(result, "SI")
    titles = " ".join(panel.title for figure in drawn for panel in figure.panels)
    assert ("percentile with confidence interval" in titles) == (cases >= 4)
    assert any(one.key == "failures" for one in drawn) == (cases >= 4)
    assert ("normal probability plot" in titles) == (cases >= 8)
    assert ("histogram" in titles) == (cases >= 2)
    few = [2] * (cases == 1) + [4] * (1 < cases < 4) + [8] * (1 < cases < 8)
    assert len(notes) == len(few)
    assert all(f"at least {least} cases." in note for least, note in zip(few, notes, strict=True))


def test_a_campaign_without_cases_has_a_page(result):
    none = CampaignResult(result.manifest, {name: values[:0] for name, values in result.columns.items()})
    text = html(none, "SI")
    check_page(text)
    assert "0 of 200 cases" in text
    assert "tip_off: No case has a verdict yet." in text


def test_constant_infinite_and_missing_values():
    speed, rate_x, rate_y, tip_off = np.full(200, 1.5), np.full(200, np.nan), np.zeros(200), np.zeros(200)
    rate_y[:60] = np.inf
    rate_y[60:] = np.linspace(-1.0, 1.0, 140)
    tip_off[:] = np.linspace(0.0, 0.01, 200)
    tip_off[0] = np.inf
    tip_off[-1] = -np.inf
    tip_off[50] = np.nan
    result = invented_result(PROVEN, speed=speed, rate_x=rate_x, rate_y=rate_y, tip_off=tip_off)
    check_page(html(result, "SI"))
    drawn, notes = figures_and_notes(result, "SI")
    assert [note.partition(" has no figure")[0] for note in notes] == ["speed [m/s]", "rate_x"]
    assert "all cases have the same value: 1.5." in notes[0]
    assert "0 of 200 cases" in notes[1]
    figure = figure_of(result, "rate_y: distribution")
    assert "60 cases have no finite value" in panel_of(figure, "histogram").title
    curve = marks_of(panel_of(figure, "cumulative distribution"), Line)[0]
    assert curve.y[-1] == pytest.approx(140 / 200)
    assert panel_of(figure, "90 % percentile").note.startswith("The percentile is infinite")
    # The case without a number counts as +inf, beyond the limit.
    curve = marks_of(panel_of(figure_of(result, "tip_off: distribution"), "cumulative distribution"), Line)[0]
    assert curve.y[[0, -1]].tolist() == [1 / 200, 198 / 200]
    assert "tip-off" not in [one.key for one in drawn]


def test_names_cannot_break_the_page(result):
    name, driver = 'שם "a" </script><b>', "مثال_7"
    names = result.manifest.names
    responses = tuple(one._replace(name=name) if one.name == "speed" else one for one in names.responses)
    inputs = tuple(one._replace(name=driver, path="") if one.name == "mass" else one for one in names.inputs)
    manifest = replace(result.manifest, names=names._replace(responses=responses, inputs=inputs), _kept={})
    columns = {**result.columns}
    columns[f"response.{name}"] = columns.pop("response.speed")
    columns[f"input.{driver}"] = columns.pop("input.mass")
    odd = CampaignResult(manifest, columns, plan=result.plan)
    text = html(odd, "SI")
    check_page(text)
    assert "</script>" not in text
    assert "<b>" not in text
    assert "<bdi>שם</bdi> &quot;a&quot;" in text
    assert "\u2068مثال\u2069_7 [kg]" in text  # an axis of a figure
    assert re.search(r'aria-label="[^"]*שם &quot;a&quot; &lt;/script&gt;', text)


# --- figures


def test_the_distribution_function_has_its_band_and_the_limit(result):
    panel = panel_of(figure_of(result, "tip_off: distribution"), "cumulative distribution")
    (curve,), (band,) = marks_of(panel, Line), marks_of(panel, Between)
    values = np.sort(np.degrees(result["tip_off"]))
    for at in (values[3], 0.5 * (values[50] + values[51]), values[-1]):
        reached = curve.y[np.searchsorted(curve.x, at, side="right") - 1]
        assert reached == pytest.approx(np.mean(values <= at))
    half = np.sqrt(np.log(2 / 0.1) / 400)  # Dvoretzky, Kiefer, Wolfowitz and Massart
    middle = np.searchsorted(band.x, values[100], side="right") - 1
    assert [band.low[middle], band.high[middle]] == pytest.approx([101 / 200 - half, 101 / 200 + half])
    limits = {mark.axis: mark.at for mark in marks_of(panel, Limit)}
    assert limits == pytest.approx({"x": 1.0, "y": 0.9})


def test_a_histogram_counts_each_case_once(result):
    for name in ("tip_off", "speed"):
        (bars,) = marks_of(panel_of(figure_of(result, f"{name}: distribution"), "histogram"), Histogram)
        assert bars.heights.sum() == 200
        assert 5 < len(bars.heights) <= 50


def test_outliers_and_equal_values_leave_a_histogram_of_few_bars():
    speed = np.full(200, 1.0)
    speed[0] = 1e9
    figure = figure_of(invented_result(speed=speed), "speed: distribution")
    (bars,) = marks_of(panel_of(figure, "histogram"), Histogram)
    assert len(bars.heights) <= 50
    assert bars.heights[[0, -1]].tolist() == [199, 1]


def test_convergence_ends_at_the_result(result):
    panel = figure_of(result, "Probability of failure").panels[0]
    (curve,), (band,) = marks_of(panel, Line), marks_of(panel, Between)
    one = result.requirement("tip_off")
    assert curve.x[-1] == 200
    assert curve.y[-1] == one.failed / 200
    assert [band.low[-1], band.high[-1]] == pytest.approx([*one.interval])
    assert [mark.at for mark in marks_of(panel, Limit)] == pytest.approx([0.1])
    panel = panel_of(figure_of(result, "tip_off: distribution"), "90 % percentile")
    (curve,) = marks_of(panel, Line)
    expected = np.quantile(np.degrees(result["tip_off"]), 0.9, method="median_unbiased")
    assert curve.y[-1] == pytest.approx(expected)


def test_a_lower_limit_has_the_percentile_of_the_other_end(result):
    names = result.manifest.names
    limits = tuple(one._replace(side="min") for one in names.limits)
    manifest = replace(result.manifest, names=names._replace(limits=limits), _kept={})
    columns = {**result.columns, "limit.tip_off": result.columns["limit.tip_off"].copy()}
    columns["limit.tip_off"][4] = np.nan
    found = CampaignResult(manifest, columns, plan=result.plan)
    figure = figure_of(found, "tip_off: distribution")
    panel = panel_of(figure, "cumulative distribution")
    assert {mark.axis: mark.at for mark in marks_of(panel, Limit)}["y"] == pytest.approx(0.1)
    assert marks_of(panel, Line)[0].y[0] == 1 / 200  # the case without a number is below all others
    assert panel_of(figure, "10 % percentile")


def test_a_normal_plot_has_the_scores_of_a_normal_distribution(result):
    panel = panel_of(figure_of(result, "rate_x: distribution"), "normal probability plot")
    (points,), (line,) = marks_of(panel, Points), marks_of(panel, Line)
    values = np.sort(np.degrees(result["rate_x"]))
    scores = stats.norm.ppf((np.arange(1, 201) - 0.375) / 200.25)
    assert np.isin(points.x, values).all()
    assert points.y == pytest.approx(scores[np.searchsorted(values, points.x)])
    assert points.y[[0, -1]] == pytest.approx(scores[[0, -1]])
    slope = np.diff(line.x)[0] / np.diff(line.y)[0]
    assert slope == pytest.approx(values.std(ddof=1))


def test_a_scatter_shows_the_two_strongest_drivers_and_marks_failures(result):
    first, second = figure_of(result, "speed: values over").panels
    drivers = result.drivers("speed").inputs
    paths = {one.name: one.path for one in result.manifest.names.inputs}
    assert paths["offset_2"] == "devices.spring.parent_at[1]"
    assert [panel.x.label.split(" [")[0] for panel in (first, second)] == [
        paths[name] for name in drivers[:2]
    ]
    dots, crosses = marks_of(figure_of(result, "tip_off: values over").panels[0], Points)
    assert len(crosses.x) == result.requirement("tip_off").failed > 0
    assert len(dots.x) + len(crosses.x) == 200
    assert min(crosses.y) > 1.0 >= max(dots.y)


def test_large_campaigns_keep_all_failures_in_a_scatter():
    result = with_cases(5000)
    figure = figure_of(result, "tip_off: values over")
    dots, crosses = marks_of(figure.panels[0], Points)
    failed = result.requirement("tip_off").failed
    assert 0 < len(crosses.x) <= failed
    assert len(dots.x) + len(crosses.x) <= 1000 + 1
    assert "of 5000 cases" in figure.caption
    assert len(html(result, "SI")) < 1_000_000


def test_a_polar_plot_needs_exactly_two_components(result):
    figure = figure_of(result, "rate_x and rate_y: polar plot")
    plot, directions = figure.panels
    (points,) = marks_of(plot, Points)
    assert points.x == pytest.approx(np.degrees(GAIN * result["offset_2"]))
    radii = [float(np.hypot(ring.x, ring.y).max()) for ring in marks_of(plot, Line)]
    size = np.degrees(result["tip_off"])
    assert radii == pytest.approx(np.quantile(size, [0.5, 0.9, 0.9973], method="median_unbiased"))
    assert marks_of(directions, Histogram)[0].heights.sum() == 200
    placed = laid_out(figure)[1][0]
    assert placed.width / np.diff(placed.x) == pytest.approx(plot.height / np.diff(placed.y))
    assert -placed.x[0] == placed.x[1] >= max(radii)
    third = {
        **STUDY["responses"],
        "rate_z": {"quantity": "pairs.stage.satellite.relative_rate.z", "at": "end"},
    }
    three = invented_result({**STUDY, "responses": third}, rate_z=np.linspace(0, 1, 200))
    assert "tip-off" not in [one.key for one in figures_and_notes(three, "SI")[0]]


def test_weighted_campaigns_have_weighted_estimates_only():
    importance = {"path": "bodies.satellite.mass", "sigma": "2 %", "importance": {"shift": 1.5}}
    result = invented_result({**PROVEN, "dispersions": {**STUDY["dispersions"], "mass": importance}})
    drawn, notes = figures_and_notes(result, "SI")
    assert notes == [OF_WEIGHTS]
    assert [len(one.panels) for one in drawn] == [1] * len(drawn) == [1] * 4
    (bars,) = marks_of(panel_of(figure_of(result, "speed"), "histogram"), Histogram)
    inside = (result["speed"] >= bars.edges[0]) & (result["speed"] < bars.edges[3])
    assert bars.heights[:3].sum() == pytest.approx(100 * result.weights[inside].sum() / result.weights.sum())
    text = html(result, "SI")
    check_page(text)
    assert "Clopper" not in text
    assert "of weighted cases" in text
    assert "(drivers) of" not in text


def test_no_text_covers_another():
    for result in (with_cases(5), invented_result(PROVEN)):
        for figure in figures_and_notes(result, "US")[0]:
            boxes = [(text.text, text.box) for text in draw(figure).texts]
            for k, (one, a) in enumerate(boxes):
                for other, b in boxes[k + 1 :]:
                    apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
                    assert apart, f"{figure.caption}: {one} and {other}"
    for start in ("Probability of failure", "tip_off: distribution", "rate_x and rate_y"):
        figure = figure_of(result, start)
        assert overlapping(pictures.picture(figure)) == []


# --- the command


def test_show_writes_the_page_of_saved_results(result, tmp_path, capsys):
    folder, file = save_result(result, tmp_path / "saved"), tmp_path / "page.html"
    assert result.is_undecided
    assert run_command("show", folder, "--report", file) == 5
    assert f"Wrote {file}." in capsys.readouterr().out
    assert file.read_text(encoding="utf-8") == html(CampaignResult.load(folder), "SI")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["show", "FOLDER", "--report", "page.txt"],
            "the ending of the file is '.txt'. Allowed: .html, .htm",
        ),
        (["show", "FOLDER", "--case", "0"], "--case: this option has no effect with the word show"),
        (
            ["compare", "FOLDER", "FOLDER", "--worst", "2"],
            "--worst: this option has no effect with the word compare",
        ),
        (["show", "FOLDER", "FOLDER"], "only one folder can be shown. Write interstage campaign show FOLDER"),
        (["show"], "the folder of the saved results is missing"),
        (
            ["study.toml", "--case", "3", "--report", "page.html"],
            "--report: the report shows the whole campaign",
        ),
        (["compare", "FOLDER"], "a comparison needs two folders of saved results, not 1"),
        (["show", "FOLDER", "--report", "missing/page.html"], "there is no folder"),
    ],
)
def test_bad_arguments_are_refused(result, tmp_path, monkeypatch, capsys, words, message):
    save_result(result, tmp_path / "FOLDER")
    monkeypatch.chdir(tmp_path)
    assert run_command(*words) == 2
    assert message in " ".join(capsys.readouterr().err.split())
