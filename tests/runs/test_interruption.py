"""Ctrl-C ends a command with one line, whatever is being imported."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FIRST = Path(__file__).parents[2] / "examples" / "first.toml"
PRESSED = """
import os, runpy, signal, sys
signal.signal(signal.SIGINT, signal.{handler})

class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Pressed())
sys.argv = ["interstage", "run", {file!r}]
runpy.run_module("interstage", run_name="__main__")
"""


def run(module: str, handler: str = "default_int_handler") -> subprocess.CompletedProcess:
    """The command, with Ctrl-C as a module is imported."""
    code = PRESSED.format(module=module, handler=handler, file=str(FIRST))
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    "module",
    [
        "interstage.cli.main",
        "typer",
        "interstage.cli.studies",
        "interstage.reading",
        "numpy",
        pytest.param("interstage.runs.run", marks=pytest.mark.long),
    ],
)
def test_ctrl_c_while_modules_are_imported(module):
    done = run(module)
    assert done.stderr.strip() in ("Interrupted.", "Interrupted. Nothing was flown."), done.stderr
    # Python ends by the signal itself where a library ran texts as programs while it came.
    assert done.returncode in (4, -2)
    assert done.stdout == ""


def test_ctrl_c_is_ignored_where_it_is_to_be():
    """As in the background of a shell."""
    done = run("typer", "SIG_IGN")
    assert (done.returncode, "Interrupted" in done.stderr) == (0, False)
    assert "Completed at 6 s." in done.stdout


def test_an_error_that_a_library_made_of_ctrl_c(monkeypatch, capsys):
    from interstage.cli import main
    from interstage.tree import interruption

    def interrupted():
        interruption._State.came = True
        raise SyntaxError("not supported")

    monkeypatch.setattr(interruption._State, "came", False)
    monkeypatch.setattr(main, "application_for", lambda _: interrupted)
    monkeypatch.setattr(main.gc, "set_threshold", lambda _: None)
    monkeypatch.setattr(main.gc, "freeze", lambda: None)
    with pytest.raises(SystemExit, match="4"):
        main.main()
    assert capsys.readouterr().err == "Interrupted.\n"


STATES = """
import signal as signals
signals.signal(signals.SIGINT, signals.default_int_handler)  # ignored in background jobs
import os, signal, sys, time, weakref
from interstage.tree import interruption
interruption.listen()
interruption.end_imports()

def press(name="SIGINT"):
    os.kill(os.getpid(), getattr(signal, name))

try:
    {body}
    time.sleep(5)
except KeyboardInterrupt:
    print("stopped", end="")
"""
LOST = """
    class Thing: pass
    thing = Thing()
    reference = weakref.ref(thing, lambda _: press())
    del thing"""
KEPT = """
    interruption.save_what_is_flown()
    interruption.keep()
    press(); press()
    print("saved, ", end="")
    interruption.release()"""
TWICE = f"""
    interruption.SAME_PRESS = 0.0
    {KEPT.strip()}"""
TERMINATED_TWICE = f"""
    interruption.SAME_PRESS = 0.0
    {KEPT.strip()}""".replace("press()", "press('SIGTERM')")
IMPORTING = f"""
    from importlib.machinery import ModuleSpec
    sys.modules["jax"] = type(sys)("jax")
    sys.modules["jax"].__spec__ = ModuleSpec("jax", None)
    sys.modules["jax"].__spec__._initializing = True
    {KEPT.strip()}"""
NOT_KEPT = """
    interruption.keep()
    press()
    print("not reached")"""
PRESSES = {
    **{name: (f"press({name!r})", "stopped") for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU")},
    "lost in a callback": (LOST.strip(), "stopped"),
    "while a flight is kept": (KEPT.strip(), "saved, stopped"),
    "while JAX is imported and a flight is kept": (IMPORTING.strip(), "saved, stopped"),
    "twice while a flight is kept": (TWICE.strip(), "stopped"),
    "SIGTERM twice while a flight is kept": (TERMINATED_TWICE.strip(), "saved, stopped"),
    "where nothing is saved": (NOT_KEPT.strip(), "stopped"),
}


@pytest.mark.parametrize("case", PRESSES)
def test_a_stop_is_never_lost(case):
    body, printed = PRESSES[case]
    code = STATES.format(body=body)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.returncode) == (printed, 0), done.stderr
    assert done.stderr in ("", "Interrupted; what was flown is being saved. Ctrl-C again ends at once.\n")


STOPPED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs
from interstage.{module} import {owner} as owner
former, number = owner.{method}, signal.{signal}

def stopped(*given, **named):
    found = former(*given, **named)
    os.kill(os.getpid(), number)
    return found

owner.{method} = stopped
sys.argv = ["interstage", "run", {file!r}, "-o", {output!r}]
from interstage.cli.entry import main
main()
"""


@pytest.mark.parametrize(
    ("place", "name"),
    [
        pytest.param(
            ("runs.run", "short", "join_tracks"), "SIGTERM", marks=pytest.mark.long
        ),  # after the steps
        (("runs.run", "plausibility", "notes"), "SIGINT"),  # while the record is made
        pytest.param(
            ("record", "netcdf_file", "_image"), "SIGTERM", marks=pytest.mark.long
        ),  # while the file is made
    ],
)
def test_a_stop_keeps_what_was_flown(place, name, tmp_path):
    output = tmp_path / "flight.nc"
    module, owner, method = place
    code = STOPPED.format(
        module=module, owner=owner, method=method, signal=name, file=str(FIRST), output=str(output)
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 4, done.stderr
    assert f"Wrote {output}." in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["flight.nc"]
    assert "Traceback" not in done.stderr


WHILE_JAX_IS_IMPORTED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs

class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == "jax._src":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Pressed())
sys.argv = ["interstage", "run", {file!r}, "-o", {output!r}]
from interstage.cli.entry import main
main()
"""


def test_a_stop_while_jax_is_imported_keeps_what_numpy_flew(tmp_path):
    """A long flight begins by NumPy; then JAX is imported for the compiled program."""
    from interstage.record.results import open_flight

    scenario, output = tmp_path / "long.toml", tmp_path / "flight.nc"
    scenario.write_text(LONG)
    code = WHILE_JAX_IS_IMPORTED.format(file=str(scenario), output=str(output))
    environment = os.environ | {"INTERSTAGE_CACHE_DIR": str(tmp_path / "store")}  # no flight is known there
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment,
    )
    assert done.returncode == 4, done.stderr
    assert f"Wrote {output}." in done.stdout
    assert open_flight(output).time[-1] > 0


@pytest.mark.long
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_stops_at_random_times(name, tmp_path):
    """Each ends the command within 5 s: the end of a chunk, the record and the file take longest. The first
    0.3 s belong to the start of Python, which handles signals by itself."""
    rng = random.Random(16)
    scenario = tmp_path / "long.toml"
    scenario.write_text(LONG)
    whole = time.monotonic()
    command = [sys.executable, "-m", "interstage", "run", str(scenario), "-o", str(tmp_path / "a.nc")]
    subprocess.run(command, capture_output=True, check=True)
    whole = time.monotonic() - whole
    for _ in range(50):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(rng.uniform(0.3, whole))
        if process.poll() is None:
            process.send_signal(getattr(signal, name))
            output, errors = process.communicate(timeout=5)
            # One that comes after all is saved and printed finds the command done.
            assert process.returncode == 4 or "Wrote" in output, errors
            assert "Traceback" not in errors
        process.communicate()
    assert {path.name for path in tmp_path.iterdir()} <= {"long.toml", "a.nc"}


LONG = """
gravity = "none"
bodies.a = { mass = 30, inertia = [3, 4, 5], initial = { angular_velocity = [1.0, 0.4, 0.3] } }
phases.go = { until = { time = "600 s" } }
"""
