"""Options of the command `interstage campaign` for processes, clusters and schedulers."""

from __future__ import annotations

from typing import Annotated

import typer

ChunkTimeout = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="Set the time limit of a chunk (a group of cases that one process simulates), for example "
        '"10 min" or "inf" (no limit). If a chunk exceeds the limit, the command repeats its cases in '
        "smaller groups. A single case that exceeds the limit has no result. Default: 20 times the "
        "duration of the slowest finished chunk, at least 10 minutes.",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Simulate the cases on the workers of the dask.distributed scheduler at ADDRESS, for example "
        'tcp://10.0.0.1:8786. With "local", the workers run on this machine.',
    ),
]
Device = Annotated[
    str | None,
    typer.Option(
        metavar="DEVICE",
        help="Simulate the cases on the processor (cpu) or on the GPUs of this machine (gpu). Each GPU has "
        "one process. Default: the device of the saved results, otherwise cpu.",
    ),
]
JobScript = Annotated[
    str | None,
    typer.Option(
        "--script",
        metavar="NAME",
        help="Print a job script for this cluster scheduler (slurm, pbs or k8s). No case is simulated.",
    ),
]
Parts = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Set the number of tasks of the job script (--script). Default: 40, but at most one task for "
        "each chunk of cases.",
    ),
]
ArrayLimit = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Set the largest number of tasks in one job array of the job script (--script). Default: 1000 "
        "for slurm, 10000 for pbs and k8s.",
    ),
]
