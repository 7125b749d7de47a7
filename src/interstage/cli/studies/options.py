"""Options that several commands for studies share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Varies = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH=LEVELS",
        help='Vary the input PATH over LEVELS: "900 kg:1100 kg:5" (low:high:count), '
        '"1 kg, 2 kg" (list) or "+-5 %" (of the value in the scenario). Repeatable.',
    ),
]
Find = Annotated[
    list[str] | None,
    typer.Option(
        "--find",
        metavar="PATH[=LOW:HIGH]",
        help=(
            "Find the value of the input or joint coordinate PATH. Optional bounds: LOW and HIGH. Repeatable."
        ),
    ),
]
SoThat = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TARGET",
        help='Add a condition of the trim: "QUANTITY = VALUE", "rate of VELOCITY = VALUE", or '
        '"steady" (zero accelerations). Default: "steady". Repeatable.',
    ),
]
Found = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help=("Write the scenario with the values of the solution to this .toml file."),
    ),
]
Free = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Do not require zero acceleration for the velocity NAME. With --period: do not require that "
        "the state NAME returns to its start value. Repeatable.",
    ),
]
