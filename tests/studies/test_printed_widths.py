"""All tables of campaigns and comparisons on terminals of several widths."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from campaign_results import DISPERSIONS, STUDY, invented_result
from interstage.drawing.table import Table
from interstage.report.console import show_tables
from interstage.studies.campaign.comparison_page import tables as comparison_tables
from interstage.studies.campaign.printed import tables

HEAT = {"heat_of_the_upper_stage": {"mean": "300 K", "sigma": "8 K"}}


@pytest.fixture(scope="module")
def printed() -> list[Table]:
    before = invented_result({**STUDY, "proportion": 0.9973})
    after = invented_result({**STUDY, "dispersions": {**DISPERSIONS, **HEAT}}, gain=1.6, faster=-1.23456)
    return [*tables(before, "US"), *comparison_tables(before.compare(after), "US")]


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_numbers_and_the_first_column_are_complete(printed, width):
    assert len(printed) > 15
    for table in printed:
        console = Console(record=True, width=width, file=io.StringIO())
        show_tables(console, [table])
        lines = console.export_text().splitlines()
        assert max(map(len, lines)) <= width
        for row in table.rows:
            for cell, right in zip(row, table.right, strict=True):
                if right and cell:
                    alone = re.compile(rf"(?<!\S){re.escape(cell)}(?!\S)")
                    assert any(alone.search(line) for line in lines), (table.title, cell)
        heads = sum(line.split()[:1] == [table.columns[0].split()[0]] for line in lines if line.strip())
        blocks = sum("(continued)" in line for line in lines) + 1
        assert heads >= blocks, table.title
        for row in table.rows:
            word = row[0].split()[0]
            assert sum(word.startswith(line.split()[0]) for line in lines if line.strip()) >= blocks
