"""The U.S. Standard Atmosphere 1976 against the printed tables of the report, without a flight."""

import csv

from interstage.environment import atmosphere
from interstage.programs.program import configure
from interstage.studies.verify import Row

QUANTITIES = {
    "temperature_K": ("temperature", lambda air: air.temperature),
    "pressure_mb": ("pressure", lambda air: air.pressure / 100),
    "density_kg_m3": ("density", lambda air: air.density),
    "molar_mass_g_mol": ("molar mass", lambda air: atmosphere.molar_mass(air) * 1e3),
    "speed_of_sound_m_s": ("speed of sound", lambda air: air.speed_of_sound),
    "viscosity_Pa_s": ("viscosity", lambda air: air.viscosity),
}
HIGH = 86
"""From here on [km] pressures are the sums of integrated gases."""
SCATTER = 1e-4
"""How far, of each, printed pressures above 86 km are from an exact integration of the report's equations."""


def printed(folder, name="truth.csv"):
    """Rows of a table as texts, by the names of its columns."""
    with (folder / name).open(newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def last_digit(text: str) -> float:
    """What a step of one in the last digit of a printed number is: 1.234e5 gives 100."""
    mantissa, _, power = text.partition("e")
    return 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))


def compare(fly, folder):
    """Every printed number, in steps of its last digit; pressures from 86 km on relative to themselves."""
    configure()
    ready = atmosphere.prepare(atmosphere.USStandard1976())
    for row in printed(folder):
        air = atmosphere.air(ready, 1e3 * float(row["altitude_km"]))
        for column, (name, value) in QUANTITIES.items():
            text = row[column]
            if not text:
                continue
            error = abs(float(value(air)) - float(text))
            what = f"{row['altitude_km']} km: {name}"
            if column == "pressure_mb" and float(row["altitude_km"]) >= HIGH:
                yield Row(f"{what} [of it]", error / float(text), SCATTER, "printed with 5 digits")
            else:
                yield Row(f"{what} [last printed digit]", error / last_digit(text), 1, f"printed {text}")
