"""The notebooks of the documentation: cells run in their order, printed outputs agree, and names resolve."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest
from test_pages import unresolved, vocabulary

from interstage.record.results import Flight
from page_runs import check_output

__all__ = ["vocabulary"]  # a fixture

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOKS = {file.stem: file for file in sorted(DOCS.rglob("*.ipynb"))}
LARGEST = 20_000
"""Bytes of a notebook. The build makes figures and playbacks, so the file contains text only."""


def cells_of(name: str, kind: str) -> list[dict[str, Any]]:
    book = json.loads(NOTEBOOKS[name].read_text(encoding="utf-8"))
    return [cell for cell in book["cells"] if cell["cell_type"] == kind]


def run_cells(cells: list[dict[str, Any]]) -> None:
    """Run cells in one namespace. Raises AssertionError if a cell prints other numbers or words."""
    names: dict[str, Any] = {"__name__": "__notebook__"}
    for cell in cells:
        output = io.StringIO()
        with redirect_stdout(output):
            exec(compile("".join(cell["source"]), "cell", "exec"), names)
        check_output("".join("".join(one["text"]) for one in cell["outputs"]), output.getvalue())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Flight, "show", lambda flight: None)  # a browser otherwise
    monkeypatch.setitem(mpl.rcParams, "backend", "agg")


LONG = {"tip_off_dispersion"}
"""Notebooks that need seconds of processor time."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name in LONG else name for name in NOTEBOOKS]
)
def test_the_cells_of_a_notebook_run(name, folder):
    run_cells(cells_of(name, "code"))


def test_a_cell_that_prints_another_number_is_found():
    cell = {"source": ["print(2.345)"]}
    run_cells([cell | {"outputs": [{"text": ["2.345\n"]}]}])
    with pytest.raises(AssertionError, match="not in the output"):
        run_cells([cell | {"outputs": [{"text": ["2.445\n"]}]}])


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_contains_text_only(name):
    assert NOTEBOOKS[name].stat().st_size < LARGEST
    for cell in cells_of(name, "code"):
        assert all(one["output_type"] == "stream" for one in cell["outputs"])
        assert cell["execution_count"] is None


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_names_in_back_quotes_of_a_notebook_exist(name, vocabulary, tmp_path):
    page = tmp_path / "page.md"
    code = "\n".join("".join(cell["source"]) for cell in cells_of(name, "code"))
    words = "\n\n".join("".join(cell["source"]) for cell in cells_of(name, "markdown"))
    page.write_text(f"{words}\n\n```python\n{code}\n```\n", encoding="utf-8")
    assert unresolved(page, vocabulary) == []


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_links_of_a_notebook_lead_to_files(name):
    words = "".join("".join(cell["source"]) for cell in cells_of(name, "markdown"))
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", words)
    assert links
    assert [link for link in links if not (NOTEBOOKS[name].parent / link).is_file()] == []
