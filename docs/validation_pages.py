"""Write docs/cases/results.md and docs/cases/comparisons.md, the results of all validation cases:

    interstage verify --output docs/cases/results.json
    python docs/validation_pages.py

The first command can also run single cases. It keeps the results of the other cases in the file. The
descriptions of the cases are in docs/cases/references.toml."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "cases"
RESULTS = FOLDER / "results.json"
REFERENCES = FOLDER / "references.toml"
INTRO = """\
# Validation results

This page lists all cases of `interstage verify` with their errors. Each case compares a flight of Interstage
with a reference: a closed form, published results, an independent program or, where stated, another flight of
Interstage.

- **Comparisons**: number of compared quantities of the case, with all its variants of the formulation. All
  comparisons are on a [page of their own](comparisons.md).
- **Quantity**: the comparison whose error is the largest fraction of its bound. The brackets have the unit or
  the reference size.
- **Error** and **bound**: largest error of this quantity, and largest error that the case accepts. The
  link of each case leads to the reasons for its bounds and to the limits of the comparison.

`interstage verify CASE -v` repeats a case. {run}
"""
ALL = """\
# All comparisons of the validation cases

Each table has the largest error and the bound of each compared quantity of a case. The
[summary](results.md) states what is compared with what. {run}
"""


MISSING = {"status": "no result in the file", "comparisons": []}
"""Result of a case that was not run."""


def pages(results: dict[str, Any], groups: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return the text of both pages by file name.

    results: results by case name. groups: flight and reference of each case, by group and case name."""
    run = runs(results)
    summary, comparisons = [INTRO.format(run=run)], [ALL.format(run=run)]
    for group, cases in groups.items():
        summary += [f"## {group}\n", *table(cases, results)]
        for name in cases:
            comparisons += [f"## {name}\n", *rows(cases[name], results.get(name, MISSING))]
    return {"results.md": "\n".join(summary), "comparisons.md": "\n".join(comparisons)}


def runs(results: dict[str, Any]) -> str:
    """Return a sentence with the versions and dates of the results."""
    versions = sorted({one["version"] for one in results.values()})
    dates = sorted({one["date"] for one in results.values()})
    when = f"on {dates[0]}" if len(dates) == 1 else f"from {dates[0]} to {dates[-1]}"
    total = sum(len(one["comparisons"]) for one in results.values())
    return f"Results of version {', '.join(versions)}, {when}: {len(results)} cases, {total} comparisons."


def table(cases: dict[str, Any], results: dict[str, Any]) -> Iterator[str]:
    """Yield the table of a group, a row for each case."""
    yield "| case | flight | reference | comparisons | quantity | error | bound |"
    yield "|---|---|---|---|---|---|---|"
    for name, about in cases.items():
        result = results.get(name, MISSING)
        found = result["comparisons"]
        last = worst(found)
        if last:
            shown = f"{plain(last['quantity'])} | {number(last['error'])} | {number(last['bound'])}"
        else:
            shown = f"{state(result)} | | "
        link = f"[{name}](../../validation/{name}/SOURCE.md)"
        count = f"[{len(found)}](comparisons.md#{name})"
        yield f"| {link} | {about['flight']} | {about['reference']} | {count} | {shown} |"
    yield ""


def rows(about: dict[str, str], result: dict[str, Any]) -> Iterator[str]:
    """Yield the section of a case with all its comparisons."""
    yield f"{about['flight']}. Reference: {about['reference']}.\n"
    if not result["comparisons"]:
        yield f"{state(result)}.\n"
        return
    yield "| quantity | error | bound |\n|---|---|---|"
    for one in result["comparisons"]:
        yield f"| {plain(one['quantity'])} | {number(one['error'])} | {number(one['bound'])} |"
    yield ""


def state(result: dict[str, Any]) -> str:
    """Return a text for a case without comparisons."""
    return ": ".join(filter(None, (result["status"], plain(result.get("note", "")))))


def worst(comparisons: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the comparison whose error is the largest fraction of its bound; None without comparisons."""
    return max(comparisons, key=used, default=None)


def used(comparison: dict[str, Any]) -> float:
    """Return the error as a fraction of the bound; infinity if the error is not a number or has no bound."""
    error, bound = comparison["error"], comparison["bound"]
    if error is None or bound is None:
        return math.inf
    return error / bound if bound else (0.0 if error == 0 else math.inf)


def number(value: float | None) -> str:
    """Return a number with two digits."""
    if value is None:
        return "no number"
    return "0" if value == 0 else f"{value:.1e}"


def plain(text: str) -> str:
    """Return a text with characters of Markdown escaped."""
    return re.sub(r"([*|<>_])", r"\\\1", text)


def write() -> None:
    """Write both pages from the files of results and references."""
    results = json.loads(RESULTS.read_text(encoding="utf-8"))["cases"]
    groups = tomllib.loads(REFERENCES.read_text(encoding="utf-8"))
    for name, text in pages(results, groups).items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
