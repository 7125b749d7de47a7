"""`interstage new --from vehicle`: each combination of answers gives a scenario that flies as sized."""

from __future__ import annotations

import io
import sys
from itertools import chain, combinations, product
from pathlib import Path

import pytest

import interstage
from interstage.cli import main as cli
from interstage.cli.vehicle import CHECKS, JOINED, PUSHED, SPEED, Vehicle, scenario_text
from interstage.reading import loads
from interstage.record.requirements import evaluate
from interstage.record.sources import numbers_given

MASSES = (5000.0, 1000.0)


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs the command in this process; returns (exit code, standard output, standard error)."""

    def call(*words: object, answers: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["interstage", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return call


@pytest.mark.parametrize(("joined", "pushed"), list(product(JOINED, PUSHED)))
def test_every_combination_of_devices_flies_and_meets_its_requirements(joined, pushed):
    pytest.importorskip("coal")
    flight = loads(scenario_text(Vehicle(MASSES, 2.0, joined, pushed, CHECKS))).run()
    assert flight.completed
    assert [margin for margin in evaluate(flight.record) if not margin.passed] == []
    speed = flight.value("pairs.stage.payload.separation_speed", "end")
    # Devices are sized by energy, with four digits. Motors are sized by the impulse on the lower body.
    # They burn 0.5 s, of which they push the joined bodies until the release, after 7 ms at most.
    assert speed == pytest.approx(SPEED, rel=7e-3 / 0.5 if pushed == "motors" else 2e-3)


@pytest.mark.parametrize(("joined", "pushed"), list(zip(JOINED, PUSHED, strict=True)))
def test_three_bodies_separate_one_after_another(joined, pushed):
    checks = ("speed", "tip_off", "loads")
    flight = loads(scenario_text(Vehicle((9000.0, 3000.0, 500.0), 2.0, joined, pushed, checks))).run()
    assert flight.completed
    assert [margin for margin in evaluate(flight.record) if not margin.passed] == []
    for pair, time in (("stage_1.stage_2", "apart_2"), ("stage_2.payload", "end")):
        assert flight.value(f"pairs.{pair}.separation_speed", time) > 0.5 * SPEED


SUBSETS = list(chain.from_iterable(combinations(CHECKS, n) for n in range(len(CHECKS) + 1)))


@pytest.mark.parametrize("checks", SUBSETS, ids="+".join)
def test_every_set_of_requirements_is_sound(checks):
    scenario = loads(scenario_text(Vehicle(MASSES, 2.0, "bolts", "springs", checks)))
    assert [one.name for one in scenario.requirements] == list(checks)


@pytest.mark.parametrize("masses", [(1.0, 1.0), (3e5, 2.0), tuple(range(10, 1, -1))])
@pytest.mark.parametrize("diameter", [0.1, 10.0])
def test_unusual_sizes_are_sound(masses, diameter):
    for joined, pushed in zip(JOINED, PUSHED, strict=True):
        scenario = loads(scenario_text(Vehicle(masses, diameter, joined, pushed, CHECKS)))
        assert len(scenario.bodies) == len(masses)


def test_stand_ins_are_marked_and_answers_are_not():
    scenario = loads(scenario_text(Vehicle(MASSES, 2.0, "clamp_band", "motors", CHECKS)))
    without = [number.path for number in numbers_given(scenario) if not number.source]
    assert without == ["bodies.stage.mass", "bodies.payload.mass"]
    confidences = {number.source.confidence for number in numbers_given(scenario) if number.source}
    assert confidences == {"judgement"}


def test_piped_answers_and_defaults(command):
    code, out, err = command("new", "--from", "vehicle", answers="2000 lbm, 500 kg, 100 kg\n\nbolts\n")
    assert code == 0
    scenario = loads(out)
    # 1 lbm = 0.45359237 kg; the text has four digits.
    assert scenario.bodies[0].mass == pytest.approx(2000 * 0.45359237, rel=5e-4)
    assert [body.name for body in scenario.bodies] == ["stage_1", "stage_2", "payload"]
    assert scenario.devices[0].kind == "explosive_bolt"
    assert [one.name for one in scenario.requirements] == ["speed_1", "tip_off_1", "speed_2", "tip_off_2"]
    assert err.count(": ") >= 5


def test_options_answer_in_advance(command, tmp_path):
    file = tmp_path / "mine.toml"
    options = [
        "--masses",
        "3 t, 1 t",
        "--diameter",
        "4",
        "--joined",
        "frangible joint",
        "--pushed",
        "pneumatic",
    ]
    code, out, err = command("new", "--from", "vehicle", *options, "--checks", "none", "-o", file)
    assert (code, err) == (0, "")
    assert f"Wrote {file}" in out
    scenario = interstage.load(file)
    assert [device.kind for device in scenario.devices] == ["frangible_joint"] + 4 * ["pneumatic_pusher"]
    assert scenario.requirements == ()
    assert command("new", "--from", "vehicle", *options, "-o", file)[0] == 2


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (
            ["--from", "vehicle", "--masses", "3 t"],
            "masses: the number of masses is 1. Give 2 to 9, for example 5000 kg, 1000 kg",
        ),
        (["--from", "vehicle", "--masses", "3 t, 1 kgg"], "masses: unknown unit 'kgg'; did you mean 'kg'?"),
        (["--from", "vehicle", "--diameter", "0"], "diameter: '0' is not above zero"),
        (["--from", "vehicle", "--diameter", "nan"], "diameter: 'nan' is not above zero"),
        (["--from", "vehicle", "--joined", "bolt"], "joined: 'bolt' is not an answer; did you mean 'bolts'?"),
        (["--from", "vehicle", "--checks", "speed,sped"], "checks: 'sped' is not an answer"),
        (["--from", "vehicel"], "did you mean 'vehicle'?"),
        (["first", "--from", "vehicle"], "'first' and --from vehicle are both set"),
        (["--masses", "3 t, 1 t"], "--masses needs a template. Add --from vehicle"),
        (["vehicle"], "Run interstage new --from vehicle"),
    ],
)
def test_answers_that_are_not_allowed(command, words, text):
    code, out, err = command("new", *words)
    assert (code, out) == (2, "")
    assert text in err


def test_examples_are_listed_with_their_titles(command):
    code, out, _ = command("new")
    lines = out.splitlines()
    files = (Path(__file__).parents[2] / "examples").glob("*.toml")
    assert code == 0
    assert [line.split()[0] for line in lines] == [*sorted(path.stem for path in files), "vehicle"]
    assert next(line for line in lines if line.startswith("first ")).endswith("My first separation")


def test_the_clearance_counts_from_the_separation():
    """The bodies touch while they are joined: this contact is neither the closest approach nor a warning."""
    vehicle = Vehicle((4200.0, 310.0), 1.6, "clamp_band", "springs", ("clearance",))
    record = loads(scenario_text(vehicle)).run().record
    (closest,) = record.closest
    released = next(event.time for event in record.events if event.name == "release released")
    assert closest.start > released
    assert closest.distance > 0
    assert not any("touch" in text for text in record.warnings)
