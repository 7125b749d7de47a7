"""The order of printed texts, pages and files of studies, and options that Python and commands share."""

from __future__ import annotations

import inspect
from dataclasses import fields
from pathlib import Path

import pytest

from interstage.cli.studies.linearize import linearize as linearize_command
from interstage.drawing.table import Table
from interstage.studies.linearize import linearize
from interstage.studies.linearize.options import LinearOptions
from interstage.studies.presentation.files import check_curves, save, save_curves
from interstage.studies.presentation.page import page_title, save_plain_page
from interstage.studies.presentation.terminal import Printout, print_file_names
from interstage.tree.errors import BadInput

TABLE = Table("Found", ["name", "value"], [["mass", "2"]], [False, True], note="In kilograms.")
LONG = "a word " * 40
"""Longer than a line of 160 characters."""


def test_texts_are_printed_in_their_order(capsys):
    Printout([TABLE], ["first note"], ["a line"], "the verdict").show()
    print_file_names([Path("a.csv"), None, Path("b.html")], "unsaved")
    lines = [line.strip() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert lines[0] == "Found"
    assert lines[-5:] == ["In kilograms.", "first note", "a line", "the verdict", "Wrote a.csv and b.html."]


@pytest.mark.parametrize("good", [True, False])
def test_only_a_bad_verdict_is_red(good, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    Printout([], verdict="the verdict", good=good).show()
    assert ("\x1b[1;31m" in capsys.readouterr().out) is not good


@pytest.mark.parametrize("narrow", [True, False])
def test_notes_break_between_words_if_asked(narrow, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    Printout([], [LONG], [LONG], narrow=narrow).show()
    lines = capsys.readouterr().out.splitlines()
    assert (max(map(len, lines)) <= 80) is narrow
    assert len(lines) == (2 if not narrow else 2 * -(-len(LONG) // 80))


@pytest.mark.parametrize(("unsaved", "printed"), [("Not saved.", "Not saved.\n"), ("", "")])
def test_without_files_only_a_given_sentence_is_printed(unsaved, printed, capsys):
    print_file_names([None], unsaved)
    assert capsys.readouterr().out == printed


def test_nothing_is_saved_without_a_file():
    save(None, lambda path: pytest.fail("wrote a file"), "the table")


@pytest.mark.parametrize(
    ("name", "kind"), [("a.csv", "csv"), ("a.HTML", "page"), ("a.htm", "page"), ("a.svg", "picture")]
)
def test_the_ending_selects_the_kind_of_file(name, kind):
    found = []
    kinds = (lambda path, one=one: found.append((one, path)) for one in ("csv", "page", "picture"))
    save_curves(Path(name), *kinds)
    assert found == [(kind, Path(name))]
    check_curves(Path(name))


def test_an_unknown_ending_of_curves_is_rejected():
    with pytest.raises(BadInput, match="xyz"):
        check_curves(Path("a.xyz"))


def test_a_plain_page_escapes_its_title(tmp_path):
    save_plain_page(tmp_path / "a.html", page_title("Modes", "a < b"), [TABLE])
    text = (tmp_path / "a.html").read_text()
    assert "<h1>Modes: a &lt; b</h1>" in text
    assert text.index("<h1>") < text.index("In kilograms.")


def test_python_and_the_command_have_the_same_options_of_linearize():
    """With equal defaults in Python; the command adds its files and printed texts."""
    of_python = {name: one.default for name, one in inspect.signature(linearize).parameters.items()}
    of_python.pop("scenario")
    assert {one.name: one.default for one in fields(LinearOptions)} == of_python
    assert of_python.keys() < inspect.signature(linearize_command).parameters.keys()
