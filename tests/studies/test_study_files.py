"""Study files with mistakes: all are told at once, with the keys that were meant."""

from __future__ import annotations

import pytest

import interstage as ist
from interstage.cli.command_files import scenario_of
from interstage.reading import loads
from interstage.studies.check_study import check_study
from interstage.studies.optimization.declared import read_study as read_optimization
from interstage.studies.sweep.declared import read_study as read_sweep
from interstage.tree.errors import BadInput

SCENARIO = """
bodies.a = { mass = 1, inertia = [1, 1, 1], initial = {} }
phases.free = { until = { time = 1 } }
"""
SWEEP = """scenario = "a.toml"
design = "gird"
[varations.mass]
path = "bodies.a.mas"
values = [1, 2]
[varations.other]
path = "bodies.a.mass"
low = 1
[responses.r]
quantity = "bodies.a.sped"
at = "end"
"""
SWEEP_SAID = [
    "line 2: design: 'gird' is not allowed; did you mean 'grid'?",
    "line 3: varations: unknown key; did you mean 'variations'?",
    "line 3: varations.mass: bodies.a.mas: unknown path; did you mean 'mass'?",
    "line 6: varations.other.high: 'high' is missing. Set both 'low' and 'high'",
    "line 9: responses.r: there is no quantity 'bodies.a.sped'; did you mean 'bodies.a.speed'",
]
OPTIMUM = """scenario = "a.toml"
objectve = { maximise = "bodies.a.speed", at = "end" }
[varables.mass]
path = "bodies.a.mas"
[constrants.r]
quantity = "bodies.a.speed"
[constrants.s]
quantity = "bodies.a.sped"
max = 3
at = "end"
"""
OPTIMUM_SAID = [
    "line 2: objectve: unknown key; did you mean 'objective'?",
    "line 2: objectve.maximise: unknown key; did you mean 'maximize'",
    "line 3: varables: unknown key; did you mean 'variables'?",
    "line 3: varables.mass: bodies.a.mas: unknown path; did you mean 'mass'?",
    "line 5: constrants: unknown key; did you mean 'constraints'",
    "line 5: constrants.r.at: exactly one of 'at' and 'take' must be set",
    "line 7: constrants.s: there is no quantity 'bodies.a.sped'; did you mean 'bodies.a.speed'",
]
NO_SCENARIO = 'senario = "a.toml"\n[variatons.m]\npath = "bodies.a.mass"\nvalues = [1, 2]\n'
NEEDED = "the {} are missing. Add at least one {}, for example {}.mass = {{ path"


@pytest.fixture
def said(tmp_path):
    """What is said of a study, without the name of its file; beside it there is a scenario."""
    (tmp_path / "a.toml").write_text(SCENARIO)
    study = tmp_path / "study.toml"

    def told(read, text):
        study.write_text(text)
        with pytest.raises(BadInput) as found:
            read(study, ist.load)
        return [str(problem) for problem in found.value.problems]

    return told


@pytest.mark.parametrize(
    ("read", "text", "wanted"),
    [
        (read_sweep, SWEEP, SWEEP_SAID),
        (read_optimization, OPTIMUM, OPTIMUM_SAID),
        (
            read_sweep,
            'scenario = "a.toml"\n',
            ["variations: " + NEEDED.format("varied inputs", "variation", "variations")],
        ),
        (
            read_sweep,
            'scenario = "a.toml"\ndesign = "grd"\n',
            [
                "variations: " + NEEDED.format("varied inputs", "variation", "variations"),
                "line 2: design: 'grd' is not allowed",
            ],
        ),
        (
            read_optimization,
            'scenario = "a.toml"\nsolver = 3\n',
            [
                "variables: " + NEEDED.format("free inputs", "variable", "variables"),
                "line 2: solver: the value must be a table",
            ],
        ),
        (
            read_sweep,
            NO_SCENARIO,
            [
                "line 1: senario: unknown key; did you mean 'scenario'?",
                "line 2: variatons: unknown key; did you mean 'variations'?",
            ],
        ),
        (
            read_sweep,
            NO_SCENARIO.partition("\n")[2],
            ["scenario: the path of the scenario file is missing", "line 1"],
        ),
    ],
)
def test_all_is_told_at_once(said, read, text, wanted):
    told = said(read, text)
    assert len(told) == len(wanted), told
    assert all(any(line.startswith(one) for line in told) for one in wanted), told


def test_a_faulty_scenario_is_told_with_the_faults_of_its_study(said, tmp_path):
    (tmp_path / "a.toml").write_text(SCENARIO.replace("mass = 1", "mass = -1"))
    told = said(read_sweep, SWEEP)
    assert (
        f"line 1: scenario: {tmp_path / 'a.toml'}: line 2: bodies.a.mass: -1 kg must not be negative" in told
    )
    assert any("varations.other.high" in line for line in told)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            SWEEP,
            "the file is a study, not a scenario. Run interstage sweep {study}."
            " The scenario of the study is {scenario}",
        ),
        (
            OPTIMUM,
            "the file is a study, not a scenario. Run interstage optimize {study}."
            " The scenario of the study is {scenario}",
        ),
        (NO_SCENARIO, "the file is a study, not a scenario. Run interstage sweep {study}"),
    ],
)
def test_a_study_in_the_place_of_a_scenario(tmp_path, text, words):
    study = tmp_path / "study.toml"
    study.write_text(text)
    with pytest.raises(BadInput) as found:
        scenario_of(study, None)
    wanted = words.format(study=study, scenario=tmp_path / "a.toml")
    assert [p.message for p in found.value.problems] == [wanted]


def test_a_study_for_another_command(said):
    assert said(read_optimization, NO_SCENARIO) == [
        "the key variatons belongs to a study for interstage sweep. Run interstage sweep"
    ]


TURNING = """
gravity = "none"
bodies.a = { mass = "1 kg", inertia = "[1, 1, 1] kg m^2", initial = {} }
phases.fly = { until = { time = "0.1 s" } }
"""
SPINS = """
scenario = "a.toml"
variations.spin = { path = "bodies.a.initial.angular_velocity.x", low = 0.1, high = 0.3 }
variations.mass = { path = "bodies.a.mass", low = 5, high = 10 }
"""
SPIN_LIMIT = """
scenario = "a.toml"
objective = { minimize = "bodies.a.angular_velocity.x", at = "end" }
variables.spin = { path = "bodies.a.initial.angular_velocity.x", low = 5, high = 85 }
constraints.rate = { quantity = "bodies.a.angular_velocity.x", at = "end", max = 0.2 }
"""


@pytest.mark.parametrize(
    ("study", "listed"),
    [
        (SPINS, ["radians: variations.spin = [0.1, 0.3] (5.73, 17.19 deg/s). "]),
        (
            SPIN_LIMIT,
            [
                "may be in degrees: variables.spin = [5, 85] (286.5, 4870 deg/s). ",
                "radians: constraints.rate.max = 0.2 (11.46 deg/s). ",
            ],
        ),
    ],
)
def test_check_lists_angles_of_studies_without_a_unit(tmp_path, study, listed):
    """Bounds, levels and limits, and none of a study that states SI or gives units."""
    (tmp_path / "a.toml").write_text(TURNING)
    path = tmp_path / "study.toml"

    def warnings(text: str) -> list[str]:
        path.write_text(text)
        found = check_study(path, lambda file: scenario_of(file, None))
        assert found is not None
        assert found.scenario_file == tmp_path / "a.toml"
        return found.warnings

    assert len(found := warnings(study)) == len(listed)
    assert all(part in text for part, text in zip(listed, found, strict=True))
    assert warnings("# Numbers without a unit are in SI, angles in radians.\n" + study) == []
    for bare in ("0.1", "0.3", "0.2", "5", "85"):
        study = study.replace(f"= {bare},", f'= "{bare} deg/s",').replace(
            f"= {bare} }}", f'= "{bare} deg/s" }}'
        )
    united = study.replace('low = "5 deg/s", high = 10', "low = 5, high = 10")
    assert warnings(united) == []


def test_check_refuses_a_study_that_its_scenario_does_not_admit(tmp_path):
    (tmp_path / "a.toml").write_text(TURNING)
    path = tmp_path / "study.toml"
    path.write_text(SPINS.replace("bodies.a.mass", "bodies.b.mass"))
    with pytest.raises(BadInput, match=r"variations\.mass"):
        check_study(path, lambda file: scenario_of(file, None))
    assert check_study(tmp_path / "a.toml", lambda file: scenario_of(file, None)) is None


def test_check_accepts_an_optimization_with_controls_only(tmp_path):
    (tmp_path / "a.toml").write_text(SCENARIO)
    path = tmp_path / "study.toml"
    path.write_text(
        """scenario = "a.toml"
transcription = "collocation"
objective = { maximize = "bodies.a.speed", at = "end" }
controls.pitch = { table = "guidance.g.pitch", low = "0 deg", high = "1 deg" }
"""
    )
    assert check_study(path, lambda file: scenario_of(file, None)) is not None


@pytest.mark.parametrize(
    ("tables", "use"),
    [
        (
            '[dispersions.mass]\npath = "bodies.satellite.mass"\nsigma = "1 %"',
            ", or read the study with "
            "interstage.studies.campaign.open_campaign(Path('{study}'), interstage.load)",
        ),
        (
            '[variations.mass]\npath = "bodies.satellite.mass"\nlow = "90 kg"\nhigh = "110 kg"',
            ", or run the study with the command: interstage sweep {study}",
        ),
        (
            '[variables.mass]\npath = "bodies.satellite.mass"\nlow = "90 kg"\nhigh = "110 kg"',
            ", or run the study with the command: interstage optimize {study}",
        ),
        ("", ""),
    ],
)
def test_a_study_that_is_loaded_as_a_scenario_names_the_function_to_use(tmp_path, tables, use):
    study = tmp_path / "study.toml"
    study.write_text(f'scenario = "first.toml"\n{tables}\n')
    with pytest.raises(BadInput) as refused:
        ist.load(study)
    text = "the file is a study, not a scenario. Load its scenario with "
    text += f"interstage.load('{tmp_path}/first.toml')"
    assert str(refused.value) == f"{study}: {text}{use.format(study=study)}"
    scenario = 'bodies.one = { mass = 1, inertia = "[1, 1, 1] kg m^2", initial = {} }'
    with pytest.raises(BadInput, match="scenario: unknown key; allowed: title"):
        loads(f'scenario = "first.toml"\n{scenario}')
