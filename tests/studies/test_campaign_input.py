"""Study files of campaigns: wrong input is reported with its place, its value and a fix, all at once."""

# ruff: noqa: E501
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import interstage as ist
from interstage.studies.campaign import Campaign, Correlation, Dispersion, open_campaign, prepare
from interstage.studies.campaign.dispersion import FAMILIES
from interstage.studies.check_study import check_study

FOUR = """
bodies.stage = { mass = "900 kg", inertia = "[400, 400, 150] kg m^2", initial = {} }
bodies.satellite = { mass = "100 kg", inertia = "[12, 12, 8] kg m^2" }
joints.band = { kind = "fixed", parent = "stage", child = "satellite", parent_at = "[0, 0, 1.2] m", child_at = "[0, 0, -0.4] m" }
devices.push = { kind = "kickoff_spring", parent = "stage", child = "satellite", parent_at = "[0, 0, 1.2] m", child_at = "[0, 0, -0.4] m", stiffness = "4 kN/m", preload = "400 N", stroke = "9 cm", axis = [0, 0, 1], count = 4, circle = { axis = "z", radius = "0.3 m" } }
devices.bolt = { kind = "explosive_bolt", joints = ["band"] }
phases.joined = { until = { time = "0.1 s" } }
phases.apart = { fire = ["bolt"], until = { elapsed = "0.5 s" } }
"""
HEAD = 'scenario = "four.toml"\ncases = 1000\n'
FILES = {
    "gaps.csv": "bodies.satellite.mass [kg], bodies.stage.mass [kg]\n100, 900\n101,\nnan, x\n",
    "unknown.csv": "bodies.satellite.mass [kg], speed [m/s]\n100, 1\n101, 2\n",
    "pattern.csv": "devices.push.preload [N]\n400\n401\n",
    "bare.csv": "bodies.satellite.mass\n100\n101\n",
    "wrong.csv": "bodies.satellite.mass [m]\n100\n101\n",
    "short.csv": "bodies.satellite.mass [kg]\n100\n101\n",
    "ragged.csv": "bodies.satellite.mass [kg], bodies.stage.mass [kg]\n100, 900\n101\n",
    "matrix.csv": "a, b\n1, 0.5\n0.4, 1\n",
}
MASS = 'dispersions.a = { path = "bodies.satellite.mass", %s }\n'
TWO = 'dispersions.a = { mean = "1 m", sigma = "1 m" }\ndispersions.b = { mean = "1 m", sigma = "1 m" }\n'
A = "line 3: dispersions.a"
BAD: dict[str, str | tuple[str, ...]] = {
    # declaration, and the beginning of the message: place, value and fault
    MASS % "sigma = 2.5": f"{A}.sigma: 2.5 has no unit",
    MASS % 'sigma = "-2 kg"': f"{A}.sigma: -2 kg is not positive",
    MASS % 'sigma = "0 %"': f"{A}.sigma: 0 % is not positive",
    MASS % 'sigma = "2 m"': f"{A}.sigma: '2 m' is in m",
    MASS % 'three_sigma = "nan kg"': f"{A}.three_sigma: nan is not a finite number",
    MASS % 'bounds = ["90 kg", "110 kg"]': f"{A}.bounds: 'bounds' needs the key 'coverage'",
    MASS % 'delta = "5 kg", coverage = 1.0': f"{A}.coverage: coverage = 1 is out of range",
    MASS
    % 'sigma = "5 kg", coverage = 0.9': f"{A}.coverage: 'coverage' has no effect without 'bounds' or 'delta'",
    MASS % 'distribution = "uniform", bounds = ["110 kg", "90 kg"]': f"{A}.bounds: 110 kg is not below 90 kg",
    MASS % 'sigma = "1 kg", three_sigma = "3 kg"': f"{A}: sigma and three_sigma are set together",
    MASS % 'distribution = "uniform"': f"{A}: the dispersion has no spread",
    MASS % 'distribution = "gauss", sigma = "1 kg"': f"{A}.distribution: there is no distribution 'gauss'",
    MASS
    % 'distribution = "unifrom", sigma = "1 kg"': f"{A}.distribution: there is no distribution 'unifrom'",
    MASS % 'distribution = "gamma", parameters = { a = 2, b = 3 }': f"{A}.parameters.b: unknown parameter",
    MASS
    % (
        'distribution = "gamma", parameters = { scale = "1 kg" }'
    ): f"{A}.parameters: a gamma distribution needs a",
    MASS % 'distribution = "gamma", parameters = { a = 2 }': f"{A}.parameters: 'scale' is missing",
    MASS
    % (
        'distribution = "gamma", parameters = { a = -2, scale = "1 kg" }'
    ): f"{A}.parameters: a = -2 is not allowed for the",
    MASS % 'distribution = "rayleigh", sigma = "1 kg"': (
        f"{A}.sigma: sigma has no effect with a rayleigh distribution",
        f"{A}.parameters: a rayleigh distribution needs scale",
    ),
    MASS % 'distribution = "lognormal", mean = "-3 kg", sigma = "1 kg"': f"{A}.mean: -3 is not positive",
    MASS
    % (
        'distribution = "beta", bounds = ["90 kg", "110 kg"], sigma = "11 kg"'
    ): f"{A}.sigma: 11 (SI) is too large for the bounds",
    MASS
    % (
        'distribution = "triangular", bounds = ["101 kg", "110 kg"]'
    ): f"{A}.mode: 100 is not between the bounds, 101 and",
    MASS % 'sigma = "1 kg", min = "110 kg"': f"{A}.min: the limits keep only the fraction 7.62e-24 of",
    MASS % 'sigma = "1 kg", min = "101 kg", max = "99 kg"': f"{A}.min: the lower limit 101 is not below the",
    MASS
    % (
        'distribution = "cauchy", parameters = { scale = "1 kg" }, truncate = 3'
    ): f"{A}.truncate: a cauchy distribution has no standard deviation",
    (
        'dispersions.a = { path = "bodies.satelite.mass", sigma = "1 kg" }'
    ): f"{A}.path: bodies.satelite.mass: bodies.satelite: there is no 'satelite' here",
    (
        'dispersions.a = { path = "bodies.satellite.name", sigma = "1 kg" }'
    ): f"{A}.path: bodies.satellite.name: the input is a text ('satellite'), not",
    (
        'dispersions.a = { path = "bodies.satellite.inertia", sigma = "1 kg m^2" }'
    ): f"{A}.sigma: bodies.satellite.inertia has 3 by 3 numbers",
    (
        'dispersions.a = { path = "bodies.satellite.mass_centre.x", sigma = "1 %" }'
    ): f"{A}.sigma: bodies.satellite.mass_centre[0] is 0 in the scenario",
    'dispersions.a = { path = "bodies.satellite.mass" }': f"{A}: the dispersion has no distribution",
    MASS % 'sigma = "1 kg", values = ["1 kg", "2 kg"]': f"{A}: distribution and values are set together",
    MASS
    % (
        'values = ["90 kg", "110 kg"], probabilities = [0.5, 0.6]'
    ): f"{A}.probabilities: the sum of the probabilities is 1.1, not",
    MASS
    % (
        'values = ["90 kg", "110 kg"], probabilities = [1.5, -0.5]'
    ): f"{A}.probabilities: -0.5 is not a probability",
    MASS
    % (
        'values = ["90 kg", "110 kg"], probabilities = [1.0]'
    ): f"{A}.probabilities: the list has 1 probability for 2 values",
    MASS % 'values = [90, "110 kg"]': f"{A}.values: 90 has no unit",
    MASS % 'values = ["-90 kg", "110 kg"]': f"{A}.values: -90 kg must not be negative",
    (
        'dispersions.a = { path = "devices.push.strength", choose = 5, value = 0 }'
    ): f"{A}.choose: choose = 5 exceeds the 4 inputs of 'path'",
    (
        'dispersions.a = { path = "devices.push.strength", choose = 1, value = 1 }'
    ): f"{A}.value: 'value' equals the value in the scenario",
    MASS % 'sigma = "1 kg", lot = "x", lot_share = 0.5': f"{A}.lot: lot 'x' has one member only",
    (
        'dispersions.a = { path = "devices.push.preload", sigma = "1 N", lot = "x" }'
    ): f"{A}.lot: a lot needs either 'lot_share' or 'lot_sigma', its",
    (
        'dispersions.a = { path = "devices.push.preload", sigma = "1 N", lot = "x", lot_share = 1.0 }'
    ): f"{A}.lot_share: lot_share = 1 is out of range",
    MASS % 'formula = "2 * b + nominal"': f"{A}.formula: there is no dispersion 'b'",
    MASS % 'formula = "2 * ("': f"{A}.formula: a number, a name or '(' is missing",
    (
        'dispersions.a = { formula = "b + 1" }\ndispersions.b = { formula = "a" }'
    ): f"{A}.formula: the formulas of a, b depend on each",
    (
        'dispersions.a = { formula = "sqrt(b)" }\ndispersions.b = { mean = -1.0, sigma = 0.1 }'
    ): f"{A}.formula: the formula has no finite value in case",
    'dispersions.a = { file = "gaps.csv" }': (
        f"{A}.file: FOLDER/gaps.csv: 3 cells have no number: line 3, column bodies.stage.mass (empty)"
    ),
    'dispersions.a = { file = "unknown.csv" }': f"{A}.file: FOLDER/unknown.csv: column speed: unknown path",
    (
        'dispersions.a = { file = "unknown.csv", columns = { mass = "bodies.satellite.mass" } }'
    ): f"{A}.columns: FOLDER/unknown.csv has no column 'mass'",
    (
        'dispersions.a = { file = "pattern.csv" }'
    ): f"{A}.file: FOLDER/pattern.csv: column devices.push.preload sets several numbers",
    'dispersions.a = { file = "bare.csv" }': (
        f"{A}.file: FOLDER/bare.csv: column bodies.satellite.mass has no unit"
    ),
    (
        'dispersions.a = { file = "wrong.csv" }'
    ): f"{A}.file: FOLDER/wrong.csv: column bodies.satellite.mass is in m",
    'dispersions.a = { file = "ragged.csv" }': f"{A}.file: FOLDER/ragged.csv, line 3: the line has 1 cell",
    'dispersions.a = { file = "none.csv" }': f"{A}.file: FOLDER/none.csv: there is no such file in FOLDER",
    (
        'dispersions.a = { file = "short.csv", rows = "in_order" }'
    ): f"{A}.rows: the file has 2 rows for 1000 draws",
    MASS % 'sigma = "1 kg"'
    + (
        'dispersions.b = { path = "bodies.*.mass", sigma = "1 %" }'
    ): "line 4: dispersions.b: bodies.satellite.mass is dispersed also by 'a'",
    TWO
    + (
        'correlations.g = { of = ["a", "b"], matrix = [[1, 0.5], [0.4, 1]] }'
    ): "line 5: correlations.g.matrix: the matrix is not symmetric: 0.5 for a",
    TWO
    + (
        'correlations.g = { of = ["a", "b"], matrix = [[1, 1], [1, 1]] }'
    ): "line 5: correlations.g.matrix: the matrix is not positive definite: its smallest",
    TWO
    + (
        'correlations.g = { of = ["a", "b"], matrix = [[1, 0.5]] }'
    ): "line 5: correlations.g.matrix: the matrix has 1 row of 2 numbers",
    TWO
    + (
        'correlations.g = { of = ["a", "b"], matrix = [[2, 0.5], [0.5, 1]] }'
    ): "line 5: correlations.g.matrix: a number is not between -1 and 1",
    TWO
    + (
        'correlations.g = { of = ["a", "c"], value = 0.5 }'
    ): "line 5: correlations.g.of: there is no dispersion 'c'",
    TWO
    + (
        'correlations.g = { file = "matrix.csv" }'
    ): "line 5: correlations.g.file: the matrix is not symmetric: 0.5 for a",
    TWO + 'design = "importance"': 'line 5: design: "importance" is not a design',
    TWO + "block = 10": "line 5: block: 'block' has an effect with design = \"latin_hypercube\"",
    TWO + "loops = { known = 10, day = 100 }": "line 5: loops: flight is missing",
    TWO + "loops = { day = 10, flight = 10 }": "line 2: cases: cases = 1000 differs from the product of",
    MASS
    % 'sigma = "1 kg", importance = { widen = 0.5 }': f"{A}.importance.widen: widen = 0.5 is out of range",
    MASS
    % (
        'sigma = "1 kg", importance = { probabilities = [0.5, 0.5] }'
    ): f"{A}.importance: 'importance' has no effect: this input has",
    MASS % 'sigma = "1 kg", sgima = "1 kg"': f"{A}.sgima: unknown key",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    found = tmp_path_factory.mktemp("studies")
    (found / "four.toml").write_text(FOUR)
    for name, text in FILES.items():
        (found / name).write_text(text)
    return found


@pytest.fixture(scope="module")
def scenario(folder) -> Any:
    return ist.load(folder / "four.toml")


def problems(folder: Path, scenario: Any, body: str) -> list[str]:
    """The problems of a study, without folders and the name of its file."""
    file = folder / "campaign.toml"
    file.write_text(HEAD + body)
    with pytest.raises(ist.BadInput) as caught:
        open_campaign(file, lambda path: scenario)
    return [
        line.removeprefix(f"{file}: ").replace(str(folder), "FOLDER")
        for line in str(caught.value).split("\n")
    ]


@pytest.mark.parametrize("body", BAD, ids=range(len(BAD)))
def test_wrong_input_has_one_message_with_place_value_and_fix(folder, scenario, body):
    found, wanted = problems(folder, scenario, body), BAD[body]
    for line, begin in zip(found, (wanted,) if isinstance(wanted, str) else wanted, strict=True):
        assert line.startswith(begin)


def test_all_problems_are_reported_at_once(folder, scenario):
    """Also those of the scenario and of groups, next to faults of single declarations."""
    body = """
dispersions.a = { path = "bodies.satellite.mass", sigma = 2.5 }
dispersions.b = { path = "bodies.stage.mass", sigma = "1 kg", coverage = 0.9 }
dispersions.c = { path = "bodies.nothing.mass", sigma = "1 kg" }
dispersions.d = { path = "devices.push.preload", formula = "a + zz" }
dispersions.e = { path = "devices.push_1.preload", sigma = "1 %", lot = "x", lot_share = 0.1 }
correlations.g = { of = ["a", "b", "q"], value = -0.9 }
"""
    found = problems(folder, scenario, body)
    places = ["a.sigma", "b.coverage", "c.path", "d.formula", "e", "e.lot", "g.of", "g.value"]
    assert [line.split(": ")[1].partition(".")[2] for line in found] == places
    assert [int(line.split()[1].rstrip(":")) for line in found] == [4, 5, 6, 7, 8, 8, 9, 9]


def test_misspelt_keys_hide_no_names(folder, scenario):
    body = MASS % 'sigma = "1 kg"' + 'dispersions.b = { mean = "1 m", sigma = "1 m", kind = "dya" }\n'
    body = (
        body.replace("dispersions", "dispersion") + 'correlations.g = { of = ["a", "b", "c"], value = 0.5 }'
    )
    assert problems(folder, scenario, body) == [
        "line 3: dispersion: unknown key; did you mean 'dispersions'?",
        "line 4: dispersion.b.kind: 'dya' is not allowed; did you mean 'day'? Allowed: known, day, flight",
        "line 5: correlations.g.of: there is no dispersion 'c'; dispersions: a, b",
    ]


def test_a_missing_key_is_named(folder, scenario):
    (found,) = problems(folder, scenario, "seed = 1")
    assert found.startswith("dispersions: the dispersed inputs are missing")
    assert found.endswith('dispersions.mass = { path = "bodies.payload.mass", sigma = "2 %" }')


def warnings(scenario: Any, cases: int = 1000, **keys: Any) -> list[str]:
    return [*prepare(Campaign(scenario="-", cases=cases, **keys), scenario).warnings]


def test_values_that_the_scenario_rejects_are_warned_of(scenario):
    mass = {"m": {"path": "bodies.satellite.mass", "sigma": "30 %"}}
    (found,) = warnings(scenario, dispersions=mass)
    text = (
        "dispersions.m: bodies.satellite.mass is negative with probability 0.00043, in about 0.43"
        " of 1000 cases."
    )
    assert found.startswith(text)
    limited = {"m": mass["m"] | {"min": "10 kg"}}
    assert warnings(scenario, dispersions=limited) == []
    # The declaration of the bolt rejects an efficiency above 1, which its field does not.
    bolt = {"e": {"path": "devices.bolt.efficiency", "distribution": "uniform", "mean": 0.9, "delta": 0.2}}
    first, second = warnings(scenario, dispersions=bolt)
    text = (
        "dispersions.e: devices.bolt.efficiency is above 1.1 with probability 0.001. The scenario"
        " rejects that"
    )
    assert first.startswith(text)
    assert second.startswith("dispersions: the scenario rejects case")


def test_unbalanced_designs_and_heavy_weights_are_warned_of(scenario):
    one = {"a": {"mean": 1.0, "sigma": 1.0}}
    (found,) = warnings(scenario, dispersions=one, design="sobol")
    assert "1000 is not a power of two. Use 512 or 1024 cases." in found
    (found,) = warnings(scenario, dispersions=one, design="latin_hypercube", block=300)
    assert found.startswith("block: 1000 cases are not a multiple of 300")
    assert found.endswith("Use 1200 cases.")
    heavy = {"a": one["a"] | {"importance": {"shift": 2.5}}}
    (found,) = warnings(scenario, dispersions=heavy)
    assert found.startswith("importance: the mean square of the weights is 5.2e+02.")
    assert "1.9 cases without weights" in found


def test_check_reports_a_campaign(folder, scenario):
    file = folder / "good.toml"
    file.write_text(HEAD + MASS % 'sigma = "30 %"' + "\n")
    found = check_study(file, lambda path: scenario)
    assert found is not None
    assert (found.contents, len(found.warnings)) == ("campaign, 1000 cases, 1 dispersed input", 1)
    file.write_text(HEAD + "dispersions.a = {}\nvariations.b = {}\n")
    with pytest.raises(
        ist.BadInput,
        match=r"keys of different studies: variations \(a sweep\) and dispersions \(a campaign\)\. Write",
    ):
        check_study(file, lambda path: scenario)


# --- the page


PAGE = (Path(__file__).parents[2] / "docs" / "campaigns.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
SCENARIO, STUDY, *FRAGMENTS = BLOCKS


@pytest.fixture(scope="module")
def page_folder(tmp_path_factory) -> Path:
    found = tmp_path_factory.mktemp("page")
    (found / "separation.toml").write_text(SCENARIO)
    (found / "campaign.toml").write_text(STUDY)
    (found / "springs.csv").write_text(
        "force [N], rate [kN/m], temperature [K]\n400, 4, 290\n401, 4.02, 300\n"
    )
    return found


@pytest.mark.parametrize("number", range(len(FRAGMENTS)))
def test_fragments_of_the_page_are_campaigns_without_warnings(page_folder, number):
    file = page_folder / f"{number}.toml"
    fragment = FRAGMENTS[number]
    if "dispersions" not in fragment:  # it extends the study of the page
        head, *tables = re.split(r"(?m)^(?=\[)", STUDY, maxsplit=1)
        own, *more = re.split(r"(?m)^(?=\[)", fragment, maxsplit=1)
        fragment = head + own + "".join(tables) + "\n" + "".join(more)
    elif "scenario = " not in fragment:
        fragment = f'scenario = "separation.toml"\ncases = 1000\n{fragment}'
    file.write_text(fragment)
    assert open_campaign(file, ist.load).plan.warnings == ()


def test_the_code_of_the_page_runs(page_folder, monkeypatch, capsys):
    monkeypatch.chdir(page_folder)
    code = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
    names: dict[str, Any] = {}
    exec(code, names)
    assert capsys.readouterr().out == "()\n"
    assert names["draws"].values["bodies.satellite.mass_centre"].shape == (3, 1000)


def test_the_page_lists_every_distribution_and_key():
    for word in (*FAMILIES, *Dispersion.model_fields, *Campaign.model_fields, *Correlation.model_fields):
        assert re.search(rf"\b{word}\b", PAGE), word
