"""Reference solution of TP-2016 test case 6 (universal joint): writes truth.csv.

    python make_truth.py [--check]      `--check` prints how accurate it is

SOURCE.md describes the case; the equations are in ../tp2016-spherical/kane_two_boxes.py.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-spherical"))

from kane_two_boxes import Universal  # noqa: E402  # pyright: ignore[reportMissingImports]
from two_box_table import make  # noqa: E402  # pyright: ignore[reportMissingImports]

BOX_1 = ("220.2916667", "3524.6666667", "3330.2916667")  # slug ft^2, Table 8 as printed
BOX_2 = ("881.1666667", "2695.333333", "1917.833333")

if __name__ == "__main__":
    make(HERE, Universal(), BOX_1, BOX_2)
