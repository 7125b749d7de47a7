"""What the scripts of the pages share: the tables that they write, and the style of pictures of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

STYLE: Any = {
    "font.size": 8.5,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.7,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-4, 5),
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.3,
}
"""Of pictures by matplotlib, like those of the reports."""


def written(script: str, name: str, lines: list[list[str]]) -> None:
    """Put a table, its heads first, into its place on the page beside the script: between the comments "NAME,
    by SCRIPT" and "end of NAME"."""
    page = Path(script).with_suffix(".md")
    begin, end = f"<!-- {name}, by {Path(script).name} -->\n", f"<!-- end of {name} -->\n"
    head, *rest = lines
    text = [head, ["---", *["---:"] * (len(head) - 1)], *rest]
    before, _, after = page.read_text(encoding="utf-8").partition(begin)
    table = "".join(f"| {' | '.join(line)} |\n" for line in text)
    page.write_text(before + begin + table + end + after.partition(end)[2], encoding="utf-8")
