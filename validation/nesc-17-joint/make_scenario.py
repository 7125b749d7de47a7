"""Writes scenario.toml and rigid.toml from their templates, with the numbers of ../nesc-17/make_scenario.py.

python make_scenario.py
"""

import importlib.util
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = importlib.util.spec_from_file_location("nesc_17", HERE.parent / "nesc-17" / "make_scenario.py")
assert SOURCE is not None
assert SOURCE.loader is not None
NUMBERS = importlib.util.module_from_spec(SOURCE)
SOURCE.loader.exec_module(NUMBERS)
FILES = {"scenario.toml": "template.toml", "rigid.toml": "rigid_template.toml"}


def texts():
    """The text of each file by name."""
    return {name: NUMBERS.scenario(HERE / template) for name, template in FILES.items()}


if __name__ == "__main__":
    for name, text in texts().items():
        (HERE / name).write_text(text)
