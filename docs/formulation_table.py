"""The table of docs/formulations.md, from the catalogue: python docs/formulation_table.py writes it anew."""

from __future__ import annotations

from pathlib import Path

from interstage.formulations.catalogue import ENTRIES, Entry

PAGE = Path(__file__).parent / "formulations.md"
BEGIN, END = "<!-- the table, from the catalogue -->\n", "<!-- the table ends -->\n"
ADMITS = ("loops", "redundancy", "nonholonomic", "driven", "topology", "changing_mass", "yielding")


def table() -> str:
    """One line for each formulation."""
    heads = ["formulation", "closed loops", "redundant constraints", "velocity rows", "driven axes"]
    heads += ["release, attach, replace", "masses and states", "flexible bodies", "agreement"]
    lines = [heads, ["---"] * len(heads)]
    for kind, entry in ENTRIES.items():
        admits = ["yes" if getattr(entry, what) else "no" for what in ADMITS]
        lines.append([f"`{kind}`", *admits, agreement(entry)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def agreement(entry: Entry) -> str:
    """Of which kind the agreement with the other formulations is."""
    if entry.agreement == "algebraic":
        return "algebraic"
    order = f", order {entry.order}" if entry.order else ""
    note = f" ({entry.note})" if entry.note else ""
    return f"convergent in {entry.parameter}{order}{note}"


def inserted(page: str) -> str:
    """The page with the table in its place."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(inserted(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
