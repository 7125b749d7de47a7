"""Reference solution of TP-2016 test case 3 (revolute joint): writes truth.csv.

    python make_truth.py [--check]      `--check` prints how accurate it is

SOURCE.md describes the case; the equations are in ../tp2016-spherical/kane_two_boxes.py.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-spherical"))

from kane_two_boxes import Revolute  # noqa: E402  # pyright: ignore[reportMissingImports]
from two_box_table import make  # noqa: E402  # pyright: ignore[reportMissingImports]

BOX_1 = ("220.2916667", "3524.666667", "3330.291667")  # slug ft^2, Table 5 as printed
BOX_2 = ("881.166667", "2695.33333", "1917.83333")

if __name__ == "__main__":
    make(HERE, Revolute(), BOX_1, BOX_2)
