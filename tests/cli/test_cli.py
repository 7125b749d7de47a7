"""The command: exit codes, what is printed where, and that nothing is lost or flown in vain."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.main import get_command
from typer.testing import CliRunner

import interstage
import stub_flight
from interstage.cli import main as cli
from interstage.record.results import Flight, open_flight
from interstage.runs import run as simulate

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "examples" / "payload_separation.toml"


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs the command in this process; returns (exit code, standard output, standard error)."""

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["interstage", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return call


@pytest.fixture
def flown(monkeypatch) -> list:
    """Puts a flight made by hand in the place of the engine's; holds the scenarios that were flown."""
    scenarios = []

    def fly(scenario, progress=None, resume=None, early=False):
        scenarios.append(scenario)
        return stub_flight.separation_record(scenario)

    monkeypatch.setattr(simulate, "fly", fly)
    return scenarios


def in_new_process(*words: str, code: str | None = None) -> subprocess.CompletedProcess:
    start = ["-c", code] if code else ["-m", "interstage"]
    return subprocess.run([sys.executable, *start, *words], capture_output=True, text=True, timeout=300)


def test_check_warns_of_what_needs_no_flight(command):
    code, out, err = command(
        "check", DEMO, "--set", "devices.spring.stroke=3", "--set", "devices.spring.preload=1e6"
    )
    assert (code, err) == (0, "")
    assert out.count("warning: ") == out.count("spring has a stroke of 3 m. ") == 1


def test_run_prints_what_happened(command, flown):
    code, out, err = command("run", DEMO)
    assert (code, err) == (0, "")
    for title in ("Events", "Peak joint loads", "Separation", "Checks", "Requirements"):
        assert title in out
    assert "release clamp" in out
    assert "0.96609" in out  # the stub's separation speed [m/s]
    assert "was not saved" in out


def test_display_units(command, flown):
    assert "lbf" in command("run", DEMO, "--units", "us")[1]
    code, _, err = command("run", DEMO, "--units", "cgs")
    assert (code, "SI or US" in err) == (2, True)


def test_broken_requirement_is_code_3(command, flown):
    code, out, _ = command("run", DEMO, "--set", "requirements.clear.min=2 m/s")
    assert code == 3
    assert "BROKEN" in out


def test_early_end_is_code_4_and_saved(command, monkeypatch, tmp_path):
    def fly(scenario, progress=None, resume=None, early=False):
        record = stub_flight.separation_record(scenario)
        record.completed, record.outcome = False, "Interrupted at 20 s. The results up to this time are kept."
        return record

    monkeypatch.setattr(simulate, "fly", fly)
    code, out, _ = command("run", DEMO, "-o", tmp_path / "part.nc")
    assert code == 4
    assert "Interrupted at 20 s" in out
    assert not open_flight(tmp_path / "part.nc").completed


def test_interrupt_before_the_first_step_is_no_traceback(command, monkeypatch):
    def fly(scenario, progress=None, resume=None, early=False):
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "fly", fly)
    code, _, err = command("run", DEMO)
    assert (code, err) == (4, "Interrupted. Nothing was flown.\n")


def test_interrupts_elsewhere_say_so(command, monkeypatch):
    """While a scenario is read, and wherever no command has words of its own."""

    def load(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("interstage.reading.load", load)
    assert command("check", DEMO)[::2] == (4, "Interrupted. Nothing was checked.\n")
    assert command("run", DEMO)[::2] == (4, "Interrupted.\n")


def test_set_reaches_the_scenario(command, flown):
    command("run", DEMO, "--set", "bodies.payload.mass=900 kg", "--set", "phases.joined.until.time=5")
    (scenario,) = flown
    assert scenario.bodies[1].mass == 900
    assert scenario.phases[0].until.time == 5


def test_saved_flight_is_flown_again(command, flown, tmp_path):
    file = tmp_path / "flight.nc"
    assert command("run", DEMO, "-o", file)[0] == 0
    assert command("run", file)[0] == 0
    assert flown[0] == flown[1]
    command("run", file, "--set", "bodies.payload.mass=900")
    assert flown[2].bodies[1].mass == 900


def test_going_on_from_an_event(command, flown, tmp_path, monkeypatch):
    file = tmp_path / "flight.nc"
    command("run", DEMO, "-o", file)
    given = []

    def fly(scenario, progress=None, resume=None, early=False):
        given.append(resume)
        return stub_flight.separation_record(scenario)

    monkeypatch.setattr(simulate, "fly", fly)
    assert command("run", file, "--from", "apart")[0] == 0
    restart, event = given[0]
    assert (event, restart["time"][event]) == (1, stub_flight.RELEASE)
    code, _, err = command("run", file, "--from", "landing")
    assert (code, "no event 'landing'" in err) == (2, True)
    code, _, err = command("run", DEMO, "--from", "apart")
    assert (code, "Only a saved flight" in err) == (2, True)


def test_report_is_one_page_that_needs_nothing_else(command, flown, tmp_path):
    page = tmp_path / "flight.html"
    assert command("run", DEMO, "-o", tmp_path / "flight.nc", "--report", page)[0] == 0
    text = page.read_text()
    figures = text[text.index("<h2>Figures") :]
    assert figures.count("<figure>") == figures.count('<svg role="img"') == 6
    # The program of the viewer has words of addresses; the policy of the page forbids to fetch anything.
    assert "default-src 'none'; script-src 'unsafe-inline'" in text
    for part in re.split("<script.*?</script>", text, flags=re.DOTALL):
        assert "src=" not in part
        assert "url(" not in part
        assert "<link" not in part
    for part in (
        "Upper stage and payload",
        "release clamp",
        "Requirements",
        "kickoff_spring",
        interstage.__version__,
    ):
        assert part in text
    assert command("report", tmp_path / "flight.nc")[0] == 0
    assert page.read_text() == text


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("no/such/flight.nc", "there is no folder"),
        (".", "is a folder"),
        ("scenario.toml", "is also the input file"),
    ],
)
def test_targets_are_refused_before_the_flight(command, flown, tmp_path, monkeypatch, target, says):
    monkeypatch.chdir(tmp_path)
    Path("scenario.toml").write_bytes(DEMO.read_bytes())
    for option in ("-o", "--report"):
        code, out, err = command("run", "scenario.toml", option, target)
        assert (code, out) == (2, "")
        assert says in err
    assert flown == []


def test_bad_input_is_a_list_and_code_2(command, tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text(
        DEMO.read_text().replace("6000 kg", "6000 N").replace('child = "payload"', 'child = "paylod"')
    )
    for word in ("run", "check"):
        code, out, err = command(word, file)
        assert (code, out) == (2, "")
        assert "bodies.stage.mass" in err
        assert "joints.clamp.child" in err
        assert "Traceback" not in err


@pytest.mark.parametrize("content", [b"", b"\x89HDF\r\n\x1a\n and then nothing", b"\x00\xff\xfe", b"a = [1,"])
def test_files_that_are_no_scenarios(command, tmp_path, content):
    file = tmp_path / "file.toml"
    file.write_bytes(content)
    code, _, err = command("run", file)
    assert code == 2
    assert "Traceback" not in err
    assert str(file) in err


def test_missing_files(command, tmp_path):
    for words in (("run", tmp_path / "a.toml"), ("run", tmp_path / "a.nc"), ("report", tmp_path / "a.nc")):
        code, _, err = command(*words)
        assert code == 2
        assert "a." in err


def test_check_says_what_it_found(command):
    code, out, _ = command("check", DEMO)
    assert code == 0
    assert "no problems (2 bodies, 1 joint," in out
    assert "note" not in out


def test_check_notes_settings_without_effect(command):
    """Those that are written only, and they are no problems."""
    given = ("method=rk4", "step=1 ms", "max_step=1 s", "eta=7", "position_scale=2 m")
    code, out, _ = command("check", DEMO, *(word for text in given for word in ("--set", f"solver.{text}")))
    assert code == 0
    said = [line.split()[1] for line in out.splitlines() if "has no effect" in line]
    assert said == ["solver.max_step", "solver.position_scale", "solver.eta"]


def test_schema_is_json(command):
    code, out, _ = command("schema")
    assert code == 0
    assert "bodies" in json.loads(out)["properties"]


def test_examples_are_listed_printed_and_written_once(command, tmp_path):
    names = command("new")[1].split()
    assert "payload_separation" in names
    assert command("new", "payload_separation")[1] == DEMO.read_text()
    assert command("new", "payload_separation", "-o", tmp_path / "mine.toml")[0] == 0
    code, _, err = command("new", "payload_separation", "-o", tmp_path / "mine.toml")
    assert (code, "exists already. Choose another file name" in err) == (2, True)
    assert "did you mean 'payload_separation'" in command("new", "payload_seperation")[2]


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.toml")), ids=lambda path: path.stem)
def test_examples_are_sound(command, example):
    assert command("check", example)[0] == 0


def test_readme_shows_the_first_example():
    assert (ROOT / "examples" / "first.toml").read_text() in (ROOT / "README.md").read_text()


def test_start_is_light():
    code = "import sys, interstage.cli.main; print(*sys.modules)"
    loaded = in_new_process(code=code).stdout.split()
    assert "typer" in loaded
    assert not {"jax", "numpy", "pint", "xarray", "pandas", "matplotlib", "h5py", "pydantic"} & set(loaded)


def test_the_end_is_light():
    """Python does not look through what a command made as it ends."""
    code = """
import atexit, gc, sys
atexit.register(lambda: print("left alone:", gc.get_freeze_count(), "looked at:", len(gc.get_objects())))
sys.argv[1:] = ["--version"]
from interstage.cli.main import main
main()
"""
    done = in_new_process(code=code)
    alone, looked_at = map(int, re.findall(r"\d+", done.stdout.splitlines()[-1]))
    assert (done.returncode, looked_at < 0.01 * alone) == (0, True)


def test_what_computes_nothing_imports_nothing_heavy():
    """`--help`, `new`, `schema`, and `check` of every example, one after another in one process."""
    examples = sorted(str(path) for path in (ROOT / "examples").glob("*.toml"))
    commands = [["--help"], ["new"], ["schema"], *(["check", name] for name in examples)]
    code = f"""
import sys
from interstage.cli.main import app
heavy = "jax jaxlib scipy xarray pandas matplotlib h5py pint coal trimesh".split()
for words in {commands!r}:
    app(words, standalone_mode=False)
    print("loaded by", *words, ":", *(set(heavy) & set(sys.modules)), file=sys.stderr)
"""
    done = in_new_process(code=code)
    said = [line for line in done.stderr.splitlines() if line.startswith("loaded by")]
    assert said == [" ".join(["loaded by", *words, ":"]) for words in commands]
    assert done.stdout.count("no problems") == len(examples) >= 5


def test_demo_flies_and_keeps_its_physics(tmp_path):
    """Separation speed from spring energy and momentum; the tide changes it by about 1e-6 of itself."""
    done = in_new_process("run", str(DEMO), "-o", str(tmp_path / "flight.nc"))
    assert done.returncode == 0
    # Nothing but progress, whose lines depend on the store and on the load of the machine.
    assert all(
        re.match(r"compiling|flight time [\d.e+-]+ of 20 s", line) for line in done.stderr.splitlines()
    )
    flight = open_flight(tmp_path / "flight.nc")
    released = flight.value("joints.clamp.force.magnitude", "apart", "before")
    assert released == pytest.approx(3000, rel=1e-5)  # the spring's 3 kN and the tide's 1e-3 N
    speed = flight.value("pairs.stage.payload.separation_speed", "spring spent")
    reduced = 6000 * 1000 / 7000
    assert speed == pytest.approx(0.15 * np.sqrt(20e3 / reduced), rel=1e-4)  # 2 mm off the axis takes 1e-5
    assert flight.record.phases[-1][2] == pytest.approx(20, abs=1e-9)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("run", DEMO, "-o", "y.csv"),
            "'y.csv': the ending of the file is '.csv'. Allowed: .nc, for example y.nc",
        ),
        (("run", DEMO, "-o", "y"), "'y': the file has no ending. Allowed: .nc, for example y.nc"),
        (
            ("run", DEMO, "--report", "y.pdf"),
            "'y.pdf': the ending of the file is '.pdf'. Allowed: .html, .htm, for example y.html",
        ),
        (("compare", DEMO, "-o", "y.xlsx"), "Allowed: .csv, for example y.csv"),
    ],
)
def test_a_file_is_what_its_name_says(command, flown, words, said):
    code, out, err = command(*words)
    assert (code, out, flown) == (2, "", [])
    assert said in err


def test_the_report_of_a_scenario_is_refused_with_what_to_run(command):
    code, _, err = command("report", DEMO)
    assert code == 2
    assert "is a scenario, not a saved flight. Run the scenario with: interstage run" in err


@pytest.mark.parametrize("name", ["check", "run"])
def test_a_problem_of_a_start_has_its_file_and_line(command, tmp_path, name):
    """A spring whose ends are at the separation plane, and no axis."""
    text = (ROOT / "examples" / "first.toml").read_text(encoding="utf-8")
    ends = 'parent_at = "[0, 0, 1.2] m", child_at = "[0, 0, -0.4] m", stiffness'
    file = tmp_path / "first.toml"
    file.write_text(text.replace("stiffness", ends, 1), encoding="utf-8")
    line = next(k for k, row in enumerate(text.splitlines(), 1) if row.startswith("devices.spring"))
    code, _, err = command(name, file)
    assert code == 2
    assert err.startswith(f"{file}: line {line}: devices.spring.axis: the two points")


def test_a_flight_is_saved_under_no_other_ending(tmp_path):
    record = stub_flight.separation_record(interstage.load(DEMO))
    with pytest.raises(interstage.BadInput, match=r"'y\.nc'"):
        Flight(record).save(tmp_path / "y.csv")
    assert not (tmp_path / "y.csv").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", DEMO, "-o", "a.nc", "-o", "b.nc"], "--output: the option is set 2 times (a.nc, b.nc)"),
        (["run", DEMO, "-o", "a.nc", "--output=b.nc"], "--output: the option is set 2 times (a.nc, b.nc)"),
        (["check", DEMO, "--units", "SI", "--units", "US"], "--units: the option is set 2 times (SI, US)"),
        (
            ["check", DEMO, "--set", "title=a", "--set", "title=b"],
            "--set title: the input is set twice, to a and b",
        ),
        (
            ["check", DEMO, "--set", "title", "--set", "-o=b"],
            "--set: 'title' does not have the form PATH=VALUE",
        ),
        (["report", "."], "'.' is a folder"),
        (["optimize", "."], ".: the path is a folder. Name a scenario file"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(command, words, said):
    code, out, err = command(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_a_command_prepared_alone_has_the_same_help():
    """Typer collapses an application with one command unless it has a callback; names are as Typer's."""
    runner = CliRunner()
    every: Any = get_command(cli.app)
    for name in every.commands:
        alone = cli.application_for([name, "--help"])
        assert len(alone.registered_commands) == 1
        whole, own = (runner.invoke(one, [name, "--help"]) for one in (cli.app, alone))
        assert (own.exit_code, own.output) == (0, whole.output)


@pytest.mark.parametrize("words", [[], ["--version"], ["nothing"]])
def test_other_words_prepare_all_commands(words):
    assert cli.application_for(words).registered_commands == cli.app.registered_commands
