"""Makes the truth tables of the nesc-* cases from the check data of NASA/TM-2015-218675.

    python nesc_extract.py FOLDER      the folder that holds Atmos_01_sim_04.csv and the rest

Every tenth row (1 s) of the columns compared, digit for digit; times rounded to 1 ms, since one simulator
adds up a step that is no binary fraction.
"""

import csv
import sys
from pathlib import Path

SIMULATORS = {
    "01": ("04", "05", "06"),
    "02": ("01", "04"),
    "06": ("04", "05", "06"),
    "07": ("04", "05", "06"),
    "08": ("04", "05", "06"),
    "09": ("04", "05"),
    "10": ("04", "05"),
}
COLUMNS = {
    "altitude_ft": "altitudeMsl_ft",
    "longitude_deg": "longitude_deg",
    "latitude_deg": "latitude_deg",
    "velocity_ft_s.x": "feVelocity_ft_s_X",
    "velocity_ft_s.y": "feVelocity_ft_s_Y",
    "velocity_ft_s.z": "feVelocity_ft_s_Z",
    "yaw_deg": "eulerAngle_deg_Yaw",
    "pitch_deg": "eulerAngle_deg_Pitch",
    "roll_deg": "eulerAngle_deg_Roll",
    "rate_deg_s.x": "bodyAngularRateWrtEi_deg_s_Roll",
    "rate_deg_s.y": "bodyAngularRateWrtEi_deg_s_Pitch",
    "rate_deg_s.z": "bodyAngularRateWrtEi_deg_s_Yaw",
}
STRIDE = 10


def extract(source: Path) -> str:
    """The text of one table."""
    with source.open(newline="") as file:
        rows = list(csv.DictReader(file))[::STRIDE]
    lines = [",".join(["time", *COLUMNS])]
    for row in rows:
        lines.append(
            ",".join([f"{float(row['time']):.3f}", *(row[name].strip() for name in COLUMNS.values())])
        )
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    """Writes truth_NN.csv, one for each simulator, into each case's folder."""
    for case, simulators in SIMULATORS.items():
        for simulator in simulators:
            target = Path(__file__).parent / f"nesc-{case}" / f"truth_{simulator}.csv"
            target.write_text(extract(folder / f"Atmos_{case}_sim_{simulator}.csv"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
