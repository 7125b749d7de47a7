"""Options that several commands for studies have."""

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
        help="Find the value of this input or joint coordinate, between LOW and HIGH if given. Repeatable.",
    ),
]
SoThat = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TARGET",
        help='Require a condition of the trim: "QUANTITY = VALUE", "rate of VELOCITY = VALUE", or '
        "steady (zero accelerations). Default: steady. Repeatable.",
    ),
]
Found = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="Write the scenario with the found values to this .toml file."
    ),
]
Free = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Allow a rate other than zero for the velocity NAME. With --period: allow the state "
        "NAME to differ after the period. Repeatable.",
    ),
]
