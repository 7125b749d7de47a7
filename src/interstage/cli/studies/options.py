"""Options that several commands for studies share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Varies = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH=LEVELS",
        help="Vary the input PATH over several values (LEVELS). LEVELS is a list such as "
        '"1 kg, 2 kg", a range with a count such as "900 kg:1100 kg:5", or a change of the scenario '
        'value such as "+-5 %". Repeatable.',
    ),
]
Find = Annotated[
    list[str] | None,
    typer.Option(
        "--find",
        metavar="PATH[=LOW:HIGH]",
        help=(
            "Find the value of this unknown: the path of an input or of a joint coordinate. LOW and HIGH are "
            "optional bounds. Repeatable."
        ),
    ),
]
SoThat = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TARGET",
        help='Add a condition of the trim: "QUANTITY = VALUE", "rate of VELOCITY = VALUE" (an acceleration), '
        'or "steady" (all accelerations are zero). Default: "steady". Repeatable.',
    ),
]
Found = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Save the scenario with the solved values of the unknowns to this file (.toml). If omitted, the "
        "values are only printed.",
    ),
]
Free = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Allow a nonzero acceleration for the velocity NAME. With --period: allow the state NAME to "
        "differ between the start and the end of the period. Repeatable.",
    ),
]
