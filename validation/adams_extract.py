"""Makes the truth.csv of every adams-* case from Project Chrono's files.

    python adams_extract.py FOLDER      the folder that holds NAME_ADAMS_Pos.txt and the rest

Every tenth row (0.1 s) is kept, digit for digit, every fifth where a load peak would be missed; the columns
of six files are put side by side.
"""

import sys
from pathlib import Path

NAMES = {
    "adams-revolute": "Revolute",
    "adams-spherical": "Spherical",
    "adams-universal": "Universal",
    "adams-prismatic": "Prismatic",
    "adams-cylindrical": "Cylindrical",
    "adams-distance": "Distance",
    "adams-rotational-spring": "RotSpring",
    "adams-translational-spring": "TranSpring",
}
FILES = {
    "Pos": ("position", "xyz"),
    "Vel": ("velocity", "xyz"),
    "Quat": ("attitude", "wxyz"),
    "Avel": ("angular_velocity", "xyz"),
    "Rforce": ("force_on_ground", "xyz"),
    "Rtorque": ("torque_on_ground", "xyz"),
}
HEADER_LINES = 3
STRIDE = {"Distance_Case02": 5}  # 10 for the others


def merged(source: Path, name: str) -> list[str]:
    """Lines of truth.csv for one ADAMS model."""
    columns, names = [], ["time"]
    for kind, (quantity, components) in FILES.items():
        text = (source / f"{name}_ADAMS_{kind}.txt").read_text().splitlines()[HEADER_LINES:]
        rows = [line.split() for line in text[:: STRIDE.get(name, 10)]]
        columns.append([row[1:] for row in rows])
        names += [f"{quantity}.{c}" for c in components]
        times = [row[0] for row in rows]
    lines = [[time, *(x for column in columns for x in column[k])] for k, time in enumerate(times)]
    return [",".join(names), *(",".join(line) for line in lines)]


def main(source: Path) -> None:
    """Writes truth.csv into each adams-* folder beside this file."""
    for folder in sorted(Path(__file__).parent.glob("adams-*")):
        kind, _, number = folder.name.rpartition("-")
        lines = merged(source, f"{NAMES[kind]}_Case0{number}")
        (folder / "truth.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
