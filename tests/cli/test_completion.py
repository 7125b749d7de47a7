"""Shell completion: commands, options and values, in the protocols of bash, zsh and fish."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from interstage.cli import complete
from interstage.cli import main as cli
from interstage.studies.verify import find_cases

ROOT = Path(__file__).parents[2]
START = "import sys; sys.argv[0] = 'interstage'; from interstage.cli.entry import main; main()"


def completed(line: str, shell: str = "bash") -> list[str]:
    """Return the words that a new process offers for a command line, as it does for a shell."""
    words = line.split(" ")
    variables = {
        "COMP_WORDS": "\n".join(words),
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TYPER_COMPLETE_WORD_TO_COMPLETE": words[-1],
        "_INTERSTAGE_COMPLETE": f"complete_{shell}",
    }
    done = subprocess.run(
        [sys.executable, "-c", START],
        env=os.environ | variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("interstage re", ["report"]),
        ("interstage run --rep", ["--report"]),
        ("interstage new pay", ["payload_separation"]),
        ("interstage run --units U", ["US"]),
        ("interstage explain joints.un", ["joints.universal"]),
        ("interstage explain devices.kickoff_spring.stro", ["devices.kickoff_spring.stroke"]),
        ("interstage run examples/first.toml --set bodies.stage.m", ["bodies.stage.mass="]),
        ("interstage run -o a.nc -o b.nc --rep", ["--report"]),
        ("interstage --install", ["--install-completion"]),
    ],
)
def test_words_for_bash(line, words):
    assert completed(line) == words


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_words_for_other_shells(shell):
    (text,) = completed("interstage re", shell)
    assert "report" in text
    assert "Write the report of a saved flight" in text


def test_bash_itself_completes(tmp_path):
    """The script of --show-completion, in a bash that calls the program."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    program = tmp_path / "interstage"
    program.write_text(f"#!{sys.executable}\n{START}\n", encoding="utf-8")
    program.chmod(0o755)
    script = f"""
PATH={tmp_path}:$PATH
source <(interstage --show-completion bash)
COMP_WORDS=(interstage sch); COMP_CWORD=1
_interstage_completion interstage
echo "${{COMPREPLY[@]}}"
"""
    done = subprocess.run([bash, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("schema\n", "")


def test_a_run_does_not_prepare_the_options_of_completion():
    assert cli.application_for([])._add_completion
    assert not cli.application_for(["run", "first.toml"])._add_completion


def test_values():
    assert complete.cases("") == list(find_cases())
    assert complete.cache_actions("c") == ["clear"]
    assert "mission" in complete.examples("")
    assert "devices" in complete.topics("dev")
    assert complete.topics("nothing.") == []


def test_completion_of_a_faulty_file_has_no_words(tmp_path):
    class Context:
        params = {"file": tmp_path / "a.toml"}  # noqa: RUF012
        args = ()

    assert complete.paths(Context(), "") == []  # type: ignore[arg-type]
    (tmp_path / "a.toml").write_text("a = [1,", encoding="utf-8")
    assert complete.paths(Context(), "") == []  # type: ignore[arg-type]
    (tmp_path / "a.toml").write_text("[[bodies]]\nname = 'x'\nmass = 1", encoding="utf-8")
    assert complete.paths(Context(), "bodies.x.m") == ["bodies.x.mass="]  # type: ignore[arg-type]
