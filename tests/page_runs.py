"""Run the blocks of a page of the documentation, as a reader does who types them.

A TOML block is checked by `interstage check`. A block of commands runs if its output follows as a block of
text. Otherwise its options are parsed by the commands. Python blocks of a page run in their order.
"""

from __future__ import annotations

import io
import math
import os
import re
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command

from interstage.cli import main as cli
from page_blocks import Block, blocks_of, commands_of, files_of, written_toml

ROOT = Path(__file__).parents[1]
COMMANDS: dict[str, Any] = vars(get_command(cli.app))["commands"]
"""The commands of interstage by name."""
USAGE_ERROR: Any = typer.BadParameter.__mro__[1]
"""Base class of errors in the options of a command."""
DIGITS = 3
"""Significant digits in which numbers of an output must agree with the page."""
FEW_WORDS = 3
"""Words of a line with a message that are compared at least."""
ZERO = 1e-8
"""Numbers below this size in both outputs are rounding, and agree."""


def parse_options(command: str, complete: bool = True) -> None:
    """Raise AssertionError if the command line interface rejects a command, which is not run.

    complete: False if the command may lack its arguments, as in a sentence."""
    words = shlex.split(command)
    if words[0].startswith("-"):
        assert words[0] in ("--version", "--help", "--install-completion", "--show-completion"), command
        return
    assert words[0] in COMMANDS, f"there is no command: interstage {command}"
    one = COMMANDS[words[0]]
    try:
        one.make_context(words[0], words[1:])
    except typer.Exit:  # --help
        pass
    except USAGE_ERROR as error:
        if complete or type(error).__name__ != "MissingParameter":
            raise AssertionError(f"interstage {command}: {error}") from None


def run_command(command: str) -> tuple[int, str]:
    """Run a command of interstage in this process; return its exit code, and its output with errors."""
    output, before, code = io.StringIO(), sys.argv, 0
    sys.argv = ["interstage", *shlex.split(command)]
    try:
        with redirect_stdout(output), redirect_stderr(output):
            cli.main()
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.argv = before
    return code, output.getvalue()


def check_output(shown: str, real: str, words: int | None = None) -> None:
    """Compare the shown output, or a part of it, with the real one: words exactly, numbers to three digits.

    words: number of words of each line that are compared, at least up to the place of a message. Default:
    all.

    The shown lines must occur in the real output in their order. A line of dots stands for any lines."""
    left = [line.split() for line in real.splitlines()]
    for line in (line.split() for line in shown.splitlines()):
        if not line or line == ["..."]:
            continue
        line = line[: max(_place(line), words)] if words is not None else line
        while left and not _same_line(line, left[0] if words is None else left[0][: len(line)]):
            left.pop(0)
        assert left, f"not in the output, or not there in this order: {' '.join(line)}\n--- output\n{real}"
        left.pop(0)


def _place(words: list[str]) -> int:
    """Return the number of words up to the place of a message, for example `bodies.stage.mass:`."""
    return next((k + 1 for k, word in enumerate(words) if re.fullmatch(r"[\w\[\]]+(\.[\w\[\]]+)+:", word)), 0)


def _same_line(shown: list[str], real: list[str]) -> bool:
    return len(shown) == len(real) and all(map(_same_word, shown, real))


def _same_word(shown: str, real: str) -> bool:
    return shown == real or _same_number(_number(shown), _number(real))


def _same_number(shown: float | None, real: float | None) -> bool:
    if shown is None or real is None:
        return False
    largest = max(abs(shown), abs(real))
    if largest < ZERO or shown == real:
        return True
    return abs(shown - real) <= 10.0 ** (math.floor(math.log10(largest)) - DIGITS + 1)


def _number(word: str) -> float | None:
    try:
        return float(word.strip("[](),.;:%"))
    except ValueError:
        return None


class PageRun:
    """A run of the blocks of one page in a folder. long: also run blocks with the note `long`."""

    def __init__(self, folder: Path, long: bool = False) -> None:
        self.folder, self.long = folder, long
        self.names: dict[str, Any] = {"__name__": "__page__"}
        for name in ("examples", "validation"):
            (folder / name).symlink_to(ROOT / name)

    def run(self, page: Path) -> None:
        """Run all blocks of a page. Modules of the page can be imported, as with `PYTHONPATH=.`.

        Raises AssertionError with the line of the first block that fails."""
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(self.folder)
            patch.setenv("PYTHONPATH", os.pathsep.join([str(self.folder), os.environ.get("PYTHONPATH", "")]))
            try:
                self._run_blocks(page)
            finally:
                self._forget_modules()

    def _forget_modules(self) -> None:
        """Remove modules of the page from the modules of this process: other tests have modules of the same
        names."""
        for name, module in [*sys.modules.items()]:
            places = [getattr(module, "__file__", None) or "", *getattr(module, "__path__", ())]
            if any(place.startswith(str(self.folder)) for place in places):
                del sys.modules[name]

    def _run_blocks(self, page: Path) -> None:
        blocks = blocks_of(page.read_text(encoding="utf-8"))
        for number, block in enumerate(files_of(page)):
            if block not in blocks:
                written_toml(block, self.folder, number)
        for number, block in enumerate(blocks):
            try:
                self._run(block, number)
            except Exception as error:
                raise AssertionError(f"{page.name}, line {block.line}: {error}") from error

    def _run(self, block: Block, number: int) -> None:
        if block.language in ("text", "csv"):
            if "file" in block.notes:
                (self.folder / block.notes["file"]).write_text(block.text, encoding="utf-8")
        elif block.language == "toml":
            self._check_toml(block, number)
        elif block.language == "sh":
            self._run_commands(block)
        elif block.language == "python":
            if block.text.startswith(">>>"):  # by doctest, in a test of its own
                return
            if "long" not in block.notes or self.long:
                compare(block, self._run_python(block))
        else:
            assert block.language == "matlab", f"a block of the language {block.language!r} does not run"

    def _check_toml(self, block: Block, number: int) -> None:
        path = written_toml(block, self.folder, number)
        if "rejected" not in block.notes:
            code, text = run_command(f"check {shlex.quote(str(path))}")
            assert code == 0, text

    def _run_commands(self, block: Block) -> None:
        commands = list(commands_of(block.text))
        for command in commands:
            parse_options(command)
        if (block.shown is not None or "run" in block.notes) and ("long" not in block.notes or self.long):
            compare(block, "".join(run_command(one)[1] for one in commands))

    def _run_python(self, block: Block) -> str:
        if "file" in block.notes:
            module = self.folder / block.notes["file"]
            module.parent.mkdir(exist_ok=True)
            module.write_text(block.text, encoding="utf-8")
            return ""
        output = io.StringIO()
        with redirect_stdout(output):
            exec(compile(block.text, f"block at line {block.line}", "exec"), self.names)
        return output.getvalue()


def compare(block: Block, real: str) -> None:
    """Compare the output of a block with the page, if the page shows it."""
    if block.shown is not None:
        check_output(block.shown, real, FEW_WORDS if "message" in block.notes else None)
