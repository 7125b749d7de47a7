"""Tables that the scripts beside this one write into their pages."""

from __future__ import annotations

from pathlib import Path


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
