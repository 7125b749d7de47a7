"""Campaigns as jobs of a scheduler. A stand-in for the scheduler runs each job at once, in this folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import interstage as ist
from campaign_results import run_command
from interstage.studies.campaign.job_script import job_name, layout_of
from interstage.tree.errors import BadInput

ROOT = Path(__file__).parents[2]
STUDY = """\
scenario = "short.toml"
cases = 24
chunk = 8
seed = 3
dispersions.mass = { path = "bodies.satellite.mass", sigma = "2 %" }
"""
SBATCH = """\
#!/bin/bash
# Logs its arguments, runs the script for each index of --array, and prints a number as SLURM does.
echo "$@" >>"$LOG"
id=$(wc -l <"$LOG")
indices=-
for word in "$@"; do
    case $word in
    --array=*) indices=$(seq "${word#--array=1-}") ;;
    --export=ALL,*) names=${word#--export=ALL,} ;;
    esac
done
for index in $indices; do
    [ "$index" = - ] || export SLURM_ARRAY_TASK_ID=$index
    env ${names//,/ } bash "$word" >"$LOG-$id-$index.txt" 2>&1 || exit 1
done
echo "$id;here"
"""
QSUB = """\
#!/bin/bash
# The same as PBS does it: -J for an array, -v for variables.
echo "$@" >>"$LOG"
id=$(wc -l <"$LOG")
indices=-
while [ $# -gt 1 ]; do
    [ "$1" != -J ] || indices=$(seq "${2#1-}")
    [ "$1" != -v ] || names=$2
    shift
done
for index in $indices; do
    [ "$index" = - ] || export PBS_ARRAY_INDEX=$index
    env ${names//,/ } bash "$1" || exit 1
done >&2
echo "$id[].server"
"""
NOTED = '#!/bin/bash\necho "$@" >>"$RUN"\n'
"""Command that only logs its arguments, in place of Interstage."""


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """Current folder with a space in its name, with a scenario and a study."""
    folder = tmp_path / "my study"
    folder.mkdir()
    text = (ROOT / "examples" / "first.toml").read_text(encoding="utf-8")
    text = text.replace('elapsed = "5 s"', 'elapsed = "0.5 s"').replace('time = "1 s"', 'time = "0.1 s"')
    (folder / "short.toml").write_text(text, encoding="utf-8")
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def printed(home, capsys):
    """Prints the jobs of the study with options."""

    def call(*words: object) -> str:
        code = run_command("study.toml", "--script", *words)
        shown = capsys.readouterr()
        assert code == 0, shown.err
        return shown.out

    return call


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def submit(home: Path, text: str, **more: Any) -> list[str]:
    """Submit a script to the stand-ins from another folder. Returns the arguments of each job."""
    (home / "jobs.sh").write_text(text, encoding="utf-8")
    subprocess.run(["bash", "-n", home / "jobs.sh"], check=True)
    executable(home / "bin" / "sbatch", SBATCH)
    executable(home / "bin" / "qsub", QSUB)
    path = os.pathsep.join([str(home / "bin"), os.environ["PATH"]])
    own = {"PATH": path, "LOG": str(home / "log"), "PYTHONPATH": os.pathsep.join(sys.path)}
    script = os.path.relpath(home / "jobs.sh", home.parent)
    done = subprocess.run(
        ["bash", script], env={**os.environ, **own, **more}, cwd=home.parent, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "Submitted: first chunk 1" in done.stdout
    return (home / "log").read_text(encoding="utf-8").splitlines()


@pytest.mark.long
def test_an_array_of_slurm_has_the_bits_of_a_plain_run(home, printed):
    jobs = submit(home, printed("slurm", "--parts", 2))
    assert len(jobs) == 3
    assert "24 cases: all completed." in (home / "log-3--.txt").read_text(encoding="utf-8")
    found = ist.CampaignResult.load("study.cases")
    plain = ist.load("short.toml").campaign(study_of_file(), progress=False)
    for name, values in plain.columns.items():
        assert values.tolist() == found.columns[name].tolist(), name


def study_of_file() -> Any:
    from interstage.studies.campaign import open_campaign

    return open_campaign(Path("study.toml"), ist.load).campaign


@pytest.mark.parametrize("scheduler", ["slurm", "pbs"])
def test_the_jobs_of_a_script_fly_each_part_once(home, printed, monkeypatch, scheduler):
    monkeypatch.setattr(sys, "executable", str(executable(home / "bin" / "noted", NOTED)))
    words = ["--parts", 3, "--array-limit", 2, "--jobs", 4, "--set", "bodies.stage.mass=900 kg"]
    text = printed(scheduler, *words, "-o", "the cases", "--report", "page.html")
    jobs = submit(home, text, RUN=str(home / "run"))
    first, *parts, show = (home / "run").read_text(encoding="utf-8").splitlines()
    options = "-o the cases --jobs 4 --set bodies.stage.mass=900 kg"
    assert first == f"-P -m interstage campaign study.toml {options} --part 1/3"
    assert [one.rpartition(" ")[2] for one in parts] == ["1/3", "2/3", "3/3"]
    assert show == "-P -m interstage campaign show the cases --report page.html"
    if scheduler == "slurm":
        assert "--array=1-1 --dependency=afterok:1" in jobs[1]
        assert "CAMPAIGN_OFFSET=1" in jobs[2]
        assert "--array=1-2 --dependency=afterok:1" in jobs[2]
        assert "--dependency=afterany:2:3" in jobs[3]
    else:
        assert "-l select=1:ncpus=4" in jobs[0]
        assert "-J" not in jobs[1]  # PBS rejects an array of one job
        assert "-J 1-2 -W depend=afterok:1[].server" in jobs[2]
        assert "-W depend=afterany:2[].server:3[].server" in jobs[3]


def test_jobs_of_kubernetes_are_yaml_and_wait_for_each_other(home, printed, monkeypatch):
    yaml = pytest.importorskip("yaml")
    text = printed("k8s", "--parts", 3, "--array-limit", 2, "--jobs", 2)
    first, one, two, show = yaml.safe_load_all(text)
    assert [job["metadata"]["name"] for job in (first, one, two, show)] == [
        "study-first",
        "study-parts-1",
        "study-parts-2",
        "study-show",
    ]
    assert two["spec"]["completionMode"] == "Indexed"
    assert (one["spec"]["completions"], two["spec"]["completions"]) == (1, 2)
    run_bodies(home, [first, one, two, show])


def test_bodies_of_kubernetes_fly_each_part_once(home, printed):
    """The same without a reader of YAML: a command is a line of JSON."""
    text = printed("k8s", "--parts", 3, "--array-limit", 2)
    lines = [line.partition("command: ")[2] for line in text.splitlines() if " command: " in line]
    counts = [1, 1, 2, 1]
    jobs = [
        {"spec": {"completions": n, "template": {"spec": {"containers": [{"command": json.loads(line)}]}}}}
        for n, line in zip(counts, lines, strict=True)
    ]
    run_bodies(home, jobs)


def run_bodies(home: Path, jobs: list[Any]) -> None:
    """Run the commands of the pods. The stand-in for Interstage writes the file of the first chunk."""
    text = f"{NOTED}mkdir -p study.cases && touch study.cases/cases-000000000-000000007-0.parquet\n"
    executable(home / "bin" / "interstage", text)
    path = os.pathsep.join([str(home / "bin"), os.environ["PATH"]])
    own = {**os.environ, "PATH": path, "RUN": str(home / "run")}
    for job in jobs:
        command = job["spec"]["template"]["spec"]["containers"][0]["command"]
        for index in range(job["spec"].get("completions", 1)):
            subprocess.run(command, env={**own, "JOB_COMPLETION_INDEX": str(index)}, check=True, timeout=20)
    lines = (home / "run").read_text(encoding="utf-8").splitlines()
    parts = [line.partition("--part ")[2] for line in lines]
    assert parts == ["1/3", "1/3", "2/3", "3/3", ""]
    assert lines[-1] == "campaign show study.cases"


def test_parts_are_divided_evenly_into_arrays():
    assert layout_of(1000, 128, "slurm", None, None).parts == 8
    assert layout_of(10**6, 128, "slurm", None, None).parts == 40
    many = layout_of(10**6, 128, "slurm", 2500, None)
    assert many.arrays == ((0, 833), (833, 833), (1666, 834))
    assert sum(n for _, n in many.arrays) == 2500
    assert layout_of(10**6, 128, "pbs", 2500, None).arrays == ((0, 2500),)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--script", "slrum"), "--script: 'slrum' .* did you mean 'slurm'"),
        (("--script", "slurm", "--parts", 4), "--parts: 4 parts are more than the 3 chunks of 8 cases"),
        (("--script", "pbs", "--parts", 0), "--parts: the value 0 is below 1"),
        (("--script", "pbs", "--array-limit", 0), "--array-limit: the value 0 is below 1"),
        (("--script", "slurm", "--part", "1/2"), "--part has no effect with --script"),
        (("--parts", 2), "--parts needs --script"),
    ],
)
def test_bad_options_of_scripts(home, capsys, words, message):
    assert run_command("study.toml", *words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message.partition(" .* ")[0] in shown.err
    assert message.rpartition(" .* ")[2] in shown.err


def test_names_of_jobs():
    names = [job_name(Path(name)) for name in ("A Study_2.toml", "2nd.toml", "_.toml", f"{'x' * 80}.toml")]
    assert names == ["a-study-2", "campaign-2nd", "campaign", "x" * 40]


def test_an_unknown_scheduler_is_rejected():
    with pytest.raises(BadInput, match="did you mean 'pbs'"):
        layout_of(10, 5, "pbss", None, None)
