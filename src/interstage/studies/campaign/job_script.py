"""Create job scripts that run a campaign on a cluster: a shell script for SLURM or PBS, or YAML for
Kubernetes.

The first job runs the first chunk. The compiled programs are therefore stored before the other tasks start.
Job arrays run the parts of the campaign. The last job prints the results.

Sources: manuals of sbatch (SLURM 24), of qsub (OpenPBS 23), and Job of the Kubernetes API batch/v1.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ...tree.errors import BadInput, Problem
from ...tree.sentences import count_text
from ...tree.similar_names import near
from .chunk_size import PARTS
from .object_store import address_of

ARRAY_LIMITS = {"slurm": 1000, "pbs": 10000, "k8s": 10000}
"""Usual largest number of tasks in a job array, by scheduler: MaxArraySize of SLURM, max_array_size of
PBS.
"""
LONGEST_NAME = 40


class Layout(NamedTuple):
    """Division of a campaign into tasks.

    - cases: number of cases.
    - chunks: number of chunks.
    - parts: number of tasks.
    - arrays: for each job array, the number of tasks in earlier arrays, and the number of its tasks.
    """

    cases: int
    chunks: int
    parts: int
    arrays: tuple[tuple[int, int], ...]


class Words(NamedTuple):
    """Commands and settings of the jobs.

    - name: name of the jobs.
    - campaign: words of the command that runs the campaign, without --part.
    - show: words of the command that prints the results.
    - folder: working folder of the jobs.
    - results: folder of the results.
    - cores: number of processor cores for each task.
    - gpu: whether each task uses a GPU.
    """

    name: str
    campaign: Sequence[str]
    show: Sequence[str]
    folder: Path
    results: Path
    cores: int
    gpu: bool = False


def layout_of(cases: int, chunk: int, scheduler: str, parts: int | None, limit: int | None) -> Layout:
    """Divide a campaign into tasks. Raises BadInput.

    - cases, chunk: number of cases, and number of cases in a chunk.
    - scheduler: one of `ARRAY_LIMITS`.
    - parts: number of tasks. Default: 40, but not more than the number of chunks.
    - limit: largest number of tasks in an array. Default: the usual limit of the scheduler.
    """
    if scheduler not in ARRAY_LIMITS:
        hint = near(scheduler, ARRAY_LIMITS, "allowed")
        raise BadInput(Problem("--script", f"'{scheduler}' is not a known scheduler; {hint}"))
    for option, value in (("--parts", parts), ("--array-limit", limit)):
        if value is not None and value < 1:
            raise BadInput(Problem(option, f"the value {value} is below 1. Give 1 or more"))
    chunks = -(-cases // chunk)
    parts = min(PARTS, chunks) if parts is None else parts
    if parts > chunks:
        text = f"{parts} parts are more than the {count_text(chunks, 'chunks')} of {chunk} cases"
        raise BadInput(
            Problem("--parts", f"{text}. Give at most {chunks}, or set a smaller chunk in the study")
        )
    number = -(-parts // (limit or ARRAY_LIMITS[scheduler]))
    ends = [parts * k // number for k in range(number + 1)]
    return Layout(cases, chunks, parts, tuple((a, b - a) for a, b in pairwise(ends)))


def job_script(scheduler: str, words: Words, layout: Layout) -> str:
    """Return the text of the job script for a scheduler. scheduler: one of `ARRAY_LIMITS`."""
    return WRITERS[scheduler](words, layout)


def job_name(study: Path) -> str:
    """Return a name for the jobs, derived from the file name of the study.

    The name has only lower-case letters, digits and hyphens, as Kubernetes requires.
    """
    name = re.sub(r"[^a-z0-9]+", "-", study.stem.lower()).strip("-")[:LONGEST_NAME].strip("-")
    return name if name[:1].isalpha() else f"campaign-{name}".strip("-")


# --- SLURM and PBS

SHELL = """\
#!/bin/bash
# {cases} in {chunks}, flown in {parts} tasks. Save this text as jobs.sh, and submit: bash jobs.sh
# 1. The first job flies the first chunk, so that compiled programs are in the store for all tasks.
# 2. The {arrays} the parts. 3. The last job prints the results.

# All nodes need this folder, this Python and the program store at the same paths.
# After a failure, submit again: only missing chunks are flown.

set -euo pipefail

# Options of your site for each job, for example: options=({example})
options=()
folder={folder}
campaign=({campaign})
show=({show})

cd -- "$folder"
case ${{CAMPAIGN_STEP:-submit}} in
first) exec "${{campaign[@]}}" --part 1/{count} ;;
part) exec "${{campaign[@]}}" --part "$((CAMPAIGN_OFFSET + ${{{index}:-1}}))/{tasks}" ;;
show) exec "${{show[@]}}" ;;
esac

"""
SLURM_JOB = """\
# Usage: job STEP OFFSET OPTIONS...

job() {{
    local step=$1 offset=$2
    shift 2
    local id
    id=$(sbatch --parsable --job-name={name} --cpus-per-task={cores}{gpu} --kill-on-invalid-dep=yes \\
        --export="ALL,CAMPAIGN_STEP=$step,CAMPAIGN_OFFSET=$offset" \\
        ${{options[@]+"${{options[@]}}"}} "$@" "$script")
    echo "${{id%%;*}}"
}}
"""
PBS_JOB = """\
# Usage: job STEP OFFSET OPTIONS...

job() {{
    local step=$1 offset=$2
    shift 2
    qsub -N {name} -l select=1:ncpus={cores}{gpu} -v "CAMPAIGN_STEP=$step,CAMPAIGN_OFFSET=$offset" \\
        ${{options[@]+"${{options[@]}}"}} "$@" "$script"
}}
"""
START = """\
script=$(cd -- "$OLDPWD" && realpath -- "$0")
"""


def _shell(index: str, example: str, words: Words, layout: Layout) -> str:
    return SHELL.format(
        cases=count_text(layout.cases, "cases"),
        chunks=count_text(layout.chunks, "chunks"),
        parts=layout.parts,
        arrays=_arrays_fly(layout),
        example=example,
        folder=shlex.quote(str(words.folder)),
        campaign=shlex.join(words.campaign),
        show=shlex.join(words.show),
        count=layout.chunks,
        index=index,
        tasks=layout.parts,
    )


def _arrays_fly(layout: Layout) -> str:
    number = len(layout.arrays)
    return "job array flies" if number == 1 else f"{number} job arrays fly"


def _slurm(words: Words, layout: Layout) -> str:
    lines = [
        _shell("SLURM_ARRAY_TASK_ID", "--account=NAME --time=04:00:00", words, layout),
        START,
        SLURM_JOB.format(name=words.name, cores=words.cores, gpu=" --gpus=1" if words.gpu else ""),
        "first=$(job first 0)\n",
        'arrays=""\n',
    ]
    for before, tasks in layout.arrays:
        lines.append(f'arrays+=":$(job part {before} --array=1-{tasks} --dependency="afterok:$first")"\n')
    lines.append('show=$(job show 0 --dependency="afterany$arrays")\n')
    return "".join([*lines, ENDING])


def _pbs(words: Words, layout: Layout) -> str:
    lines = [
        _shell("PBS_ARRAY_INDEX", "-A NAME -l walltime=04:00:00", words, layout),
        START,
        PBS_JOB.format(name=words.name, cores=words.cores, gpu=":ngpus=1" if words.gpu else ""),
        "first=$(job first 0)\n",
        'arrays=""\n',
    ]
    for before, tasks in layout.arrays:
        array = f"-J 1-{tasks} " if tasks > 1 else ""  # PBS rejects an array of one task
        lines.append(f'arrays+=":$(job part {before} {array}-W "depend=afterok:$first")"\n')
    lines.append('show=$(job show 0 -W "depend=afterany$arrays")\n')
    return "".join([*lines, ENDING])


ENDING = 'echo "Submitted: first chunk $first, parts ${arrays#:}, results $show"\n'

# --- Kubernetes

STUDY_FOLDER = "/study"
K8S_HEAD = """\
# {cases} in {chunks}, flown in {parts} tasks. Save this text, for example as jobs.yaml, and submit:
#     kubectl apply -f jobs.yaml
# 1. The first job flies the first chunk, so that compiled programs are in the store for all tasks.
# 2. The indexed {arrays} the parts, when the first chunk exists.
# 3. The last job waits until all cases are flown, and prints the results: kubectl logs job/{name}-show

# Replace IMAGE by an image with interstage[campaigns], and CLAIM by a volume claim (ReadWriteMany).
# The volume has the files of the study. All pods must run as the same user.
# After a failure, delete the jobs and apply them again: only missing chunks are flown.
"""
K8S_JOB = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
{array}  backoffLimit: {retries}
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: campaign
          image: IMAGE
          workingDir: {folder}
          command: {command}
          env:
            - name: INTERSTAGE_CACHE_DIR
              value: {store}
          resources:
            requests:
              cpu: "{cores}"
{gpu}          volumeMounts:
            - name: study
              mountPath: {folder}
      volumes:
        - name: study
          persistentVolumeClaim:
            claimName: CLAIM
"""
K8S_GPU = """\
            limits:
              nvidia.com/gpu: 1
"""
ARRAY = """\
  completionMode: Indexed
  completions: {tasks}
  parallelism: {tasks}
"""
RETRIES = 3
"""Number of pods that may fail for each task before Kubernetes stops the job."""


def _k8s(words: Words, layout: Layout) -> str:
    campaign, show = shlex.join(words.campaign), shlex.join(words.show)
    results = shlex.quote(str(words.results))
    jobs = [_k8s_job(f"{words.name}-first", f"exec {campaign} --part 1/{layout.chunks}", words)]
    first_exists = f"until ls {results}/cases-000000000-*.parquet >/dev/null 2>&1; do sleep 5; done"
    if address_of(words.results):  # exit code 2: there is no campaign yet
        first_exists = f"until {show} >/dev/null 2>&1 || [ $? != 2 ]; do sleep 20; done"
    for k, (before, tasks) in enumerate(layout.arrays, start=1):
        part = f'"$(({before} + JOB_COMPLETION_INDEX + 1))/{layout.parts}"'
        name = f"{words.name}-parts" if len(layout.arrays) == 1 else f"{words.name}-parts-{k}"
        command = f"{first_exists}; exec {campaign} --part {part}"
        jobs.append(_k8s_job(name, command, words, tasks))
    # Exit code 4: cases are missing.
    wait = f"while code=0; {show} >/tmp/results || code=$?; [ $code = 4 ]; do sleep 60; done"
    jobs.append(_k8s_job(f"{words.name}-show", f"{wait}; cat /tmp/results; exit $code", words))
    head = K8S_HEAD.format(
        cases=count_text(layout.cases, "cases"),
        chunks=count_text(layout.chunks, "chunks"),
        parts=layout.parts,
        arrays=_arrays_fly(layout).removeprefix("job "),
        name=words.name,
    )
    return head + "---\n".join(jobs)


def _k8s_job(name: str, command: str, words: Words, tasks: int = 0) -> str:
    return K8S_JOB.format(
        name=name,
        array=ARRAY.format(tasks=tasks) if tasks else "",
        retries=RETRIES * max(tasks, 1),
        folder=STUDY_FOLDER,
        command=json.dumps(["sh", "-c", command]),
        store=f"{STUDY_FOLDER}/.interstage-programs",
        cores=words.cores,
        gpu=K8S_GPU if words.gpu else "",
    )


WRITERS: dict[str, Callable[[Words, Layout], str]] = {"slurm": _slurm, "pbs": _pbs, "k8s": _k8s}
