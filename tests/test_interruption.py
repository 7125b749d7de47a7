"""Ctrl-C ends a command with one line, whatever is being imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FIRST = Path(__file__).parents[1] / "examples" / "first.toml"
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
        "interstage.flight.simulate",
    ],
)
def test_ctrl_c_while_modules_are_imported(module):
    done = run(module)
    assert done.stderr.strip() in ("Interrupted.", "Interrupted before anything was flown."), done.stderr
    # Python ends by the signal itself where a library ran texts as programs while it came.
    assert done.returncode in (4, -2)
    assert done.stdout == ""


def test_ctrl_c_is_ignored_where_it_is_to_be():
    """As in the background of a shell."""
    done = run("typer", "SIG_IGN")
    assert (done.returncode, "Interrupted" in done.stderr) == (0, False)
    assert "Completed at 6 s." in done.stdout


def test_an_error_that_a_library_made_of_ctrl_c(monkeypatch, capsys):
    from interstage.cli import entry, main

    def interrupted():
        entry.Interruption.came = True
        raise SyntaxError("not supported")

    monkeypatch.setattr(entry.Interruption, "came", False)
    monkeypatch.setattr(main, "app", interrupted)
    monkeypatch.setattr(main.gc, "set_threshold", lambda _: None)
    monkeypatch.setattr(main.gc, "freeze", lambda: None)
    with pytest.raises(SystemExit, match="4"):
        main.main()
    assert capsys.readouterr().err == "Interrupted.\n"
