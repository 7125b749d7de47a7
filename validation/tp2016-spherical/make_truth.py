"""Reference solution of TP-2016 test case 2 (spherical joint): writes truth.csv.

    python make_truth.py [--check]      `--check` prints how accurate it is

SOURCE.md describes the case, kane_two_boxes.py holds the equations.
"""

from pathlib import Path

from kane_two_boxes import Spherical
from two_box_table import make

BOX_1 = ("220.2916667", "3524.666667", "3330.291667")  # slug ft^2, Table 4 as printed
BOX_2 = ("881.166667", "2695.33333", "1917.83333")

if __name__ == "__main__":
    make(Path(__file__).parent, Spherical(), BOX_1, BOX_2)
