"""Tables on terminals of several widths: complete numbers, and the first column in each block."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from rich.console import Console

from interstage.drawing.table import Table
from interstage.report.console import show_tables

WIDTHS = (60, 80, 100, 200)
NAMES = ["tip_off [deg/s]", "stage / satellite speed [m/s]", "clearance_of_the_nozzle [mm]"]


def interval(values: np.ndarray) -> str:
    low, high = np.sort(values[:2])
    return f"{low:.5g} to {high:+.5g}"


def wide_table() -> Table:
    """A table with the columns of a comparison: ten numbers, of which three are intervals."""
    draw = np.random.default_rng(5)
    rows = []
    for name in NAMES:
        values = draw.normal(size=12) * 10.0 ** draw.integers(-7, 7)
        numbers = [f"{value:.5g}" for value in values[:6]]
        rows.append([name, *numbers, *(interval(values[k : k + 2]) for k in (0, 4, 8)), "BROKEN: tip_off"])
    columns = ["response", *(f"mean of {letter} over all cases" for letter in "ABCDEF")]
    columns += [f"interval {k}" for k in (1, 2, 3)]
    return Table("Responses", [*columns, ""], rows, [False, *[True] * 9, False])


def shown(table: Table, width: int) -> list[str]:
    console = Console(record=True, width=width, file=io.StringIO())
    show_tables(console, [table])
    return console.export_text().splitlines()


@pytest.mark.parametrize("width", WIDTHS)
def test_each_number_is_complete_in_one_line(width):
    table = wide_table()
    lines = shown(table, width)
    assert max(map(len, lines)) <= width
    for row in table.rows:
        for cell in row[1:-1]:
            assert any(re.search(rf"(?<!\S){re.escape(cell)}(?!\S)", line) for line in lines), (cell, width)
    letters = "".join("".join(lines).split())
    for text in (*table.columns, *(row[-1] for row in table.rows)):
        for word in text.split():
            assert word in letters, (word, width)


@pytest.mark.parametrize("width", WIDTHS)
def test_each_block_has_the_first_column(width):
    lines = shown(wide_table(), width)
    titles = [line for line in lines if line.startswith("Responses")]
    assert titles == ["Responses", *["Responses (continued)"] * (len(titles) - 1)]
    assert len(titles) == {60: 5, 80: 3, 100: 3, 200: 1}[width]
    assert sum(line.startswith("response ") for line in lines) == len(titles)
    assert sum(line.startswith("tip_off") for line in lines) == len(titles)


def test_a_table_that_fits_is_one_block():
    table = Table(
        "Cases", ["case", "speed [m/s]", ""], [["7", "-0.012345", "completed"]], [True, True, False]
    )
    assert [line.rstrip() for line in shown(table, 40)] == [
        "Cases",
        "case  speed [m/s]",
        "   7    -0.012345  completed",
        "",
    ]


def test_numbers_in_texts_are_not_broken():
    text = "the speed is -0.00012345 (at 123456.789) of 1.2345e-05."
    table = Table("Cases", ["case", "where"], [["7", text]], [True, False])
    for width in (18, 24, 40):
        words = " ".join(shown(table, width)).split()
        assert {"-0.00012345", "123456.789)", "1.2345e-05."} <= {word.lstrip("(") for word in words}
