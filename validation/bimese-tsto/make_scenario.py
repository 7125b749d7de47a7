"""Writes scenario.toml: the template with the aerodynamics of both vehicles, alone over all Mach numbers that
were read (../lgbb_data), and near each other as in ../bimese-separation.

python make_scenario.py
"""

import importlib.util
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import lgbb  # noqa: E402  # pyright: ignore[reportMissingImports]

MACHS = [0.2, 0.4, 0.6, 0.8, 0.9, 1.2, 1.6, 2.0, 2.5, 3.0, 4.0, 4.5]
"""Those at which the figures were read."""


def separation() -> Any:
    """make_scenario.py of ../bimese-separation, as a module."""
    file = HERE.parent / "bimese-separation" / "make_scenario.py"
    spec = importlib.util.spec_from_file_location("bimese_separation_scenario", file)
    module = importlib.util.module_from_spec(spec)  # pyright: ignore[reportArgumentType]
    spec.loader.exec_module(module)  # pyright: ignore[reportOptionalMemberAccess]
    return module


def air():
    """The aerodynamics of both: those of the separation, over all Mach numbers, with what they do to each
    other in the phases of the staging alone."""
    staging = separation()
    staging.MACHS = MACHS
    text = staging.air().replace("points = " + lgbb.numbers(MACHS) + ', outside = "extrapolate"', _mach())
    for name in ("orbiter", "booster"):
        text = text.replace(f"[aerodynamics.{name}]", f"[aerodynamics.{name}_alone]")
        text = text.replace(f"[aerodynamics.{name}.", f"[aerodynamics.{name}_alone.")
        head = f'[aerodynamics.{name}_near]\nbody = "{name}"\n'
        text = text.replace(head, head + 'phases = ["joined", "hinged", "apart"]\n')
    return text


def _mach():
    return "points = " + lgbb.numbers(MACHS) + ', outside = "hold"'


def scenario(template=HERE / "template.toml"):
    """The text of scenario.toml."""
    return template.read_text().replace("@AIR@\n", air())


if __name__ == "__main__":
    (HERE / "scenario.toml").write_text(scenario())
