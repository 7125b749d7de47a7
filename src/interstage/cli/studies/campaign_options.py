"""Options of the command `interstage campaign` for processes, clusters and schedulers."""

from __future__ import annotations

from typing import Annotated

import typer

ChunkTimeout = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help='End a chunk that takes longer than TIME, for example "10 min", and fly its cases again in '
        'smaller ranges. A case that does not end alone has no number. "inf": no limit. Default: 20 times '
        "the time of the slowest chunk, at least 10 minutes.",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Fly the cases by the workers of the dask.distributed scheduler at ADDRESS, for example "
        'tcp://10.0.0.1:8786. "local": in processes of this machine.',
    ),
]
JobScript = Annotated[
    str | None,
    typer.Option(
        "--script",
        metavar="NAME",
        help="Print the campaign as jobs of a scheduler, without a flight: slurm, pbs or k8s.",
    ),
]
Parts = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="With --script, divide the campaign into N tasks. Default: 40, at most the number of chunks.",
    ),
]
ArrayLimit = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="With --script, allow up to N tasks in one job array. Default: 1000 for slurm, 10000 for pbs "
        "and k8s.",
    ),
]
