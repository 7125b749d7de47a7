"""The first cases of each module of the standing fuzz; `make fuzz` runs all of them.

The runner forks, so it runs in a process of its own: in this one JAX may have been started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fuzz import runner

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs fork and pidfd_open (Linux)")
HERE = Path(__file__).parents[1]


def python(*arguments: str) -> str:
    """What another Python with the folder of the tests prints."""
    path = os.pathsep.join([str(HERE), *filter(None, map(os.path.abspath, sys.path))])
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_no_traceback_no_hang_no_crash():
    names = [*runner.modules()]
    printed = python("-m", "fuzz", "--quick").splitlines()
    assert [line.partition(":")[0] for line in printed] == names
    assert all(", 0 faults; " in line for line in printed)


@pytest.mark.long
@pytest.mark.parametrize("name", [*runner.modules()])
def test_so_do_more_cases(name):
    assert ", 0 faults; " in python("-m", "fuzz", "--cases", "12", name)


@pytest.mark.long
def test_the_files_that_are_damaged_are_good_before():
    from fuzz import readers

    count = len(readers.KINDS)
    assert f"{count} cases ({count} with exit code 0)" in python(
        "-m", "fuzz", "--cases", str(count), "readers"
    )


@pytest.mark.long
def test_the_first_starts_and_meshes_are_good():
    """Cases that are all refused for another reason would show nothing."""
    printed = python("-m", "fuzz", "--cases", "2", "starts", "meshes")
    assert "meshes: 2 cases (2 with exit code 0)" in printed
    assert "starts: 2 cases (1 with exit code 0" in printed


def test_kinds_of_damage_take_turns(tmp_path):
    """Any number of cases has all kinds, each its share."""
    from fuzz import netcdf

    names = [name for name, _ in runner.drawn("netcdf", netcdf, tmp_path, 33, seed=8)]
    assert len([name for name in names if name.endswith("-unsealed")]) == 11
    changes = [name for name in names if name.rpartition("-")[0] in {c.__name__ for c in netcdf.CHANGES}]
    assert len(changes) == 11 == len(netcdf.CHANGES)


CODES: dict[str, Any] = {
    "os.kill(os.getpid(), 11)": "ended by SIGSEGV",
    "time.sleep(60)": "no end within 0 s",
    "raise ZeroDivisionError('a')": "Traceback (most recent call last): ZeroDivisionError: a",
    "sys.exit(2)": "exit code 2 without a message",
    "sys.exit(9)": "exit code 9",
    "bytearray(2**44)": "Traceback (most recent call last): MemoryError",
    "warnings.warn('a', stacklevel=1)": "UserWarning: <string>:1: UserWarning: a",
    "sys.exit(4)": "",
}
EACH = """
import json, os, sys, time, warnings
import interstage.cli.main as command
from fuzz import runner
found = []
for code in json.loads(sys.argv[1]):
    command.main = lambda code=code: exec(code)
    found.append(runner.run([], limit=0.4 if "sleep" in code else 20.0).fault)
print(json.dumps(found))
"""


def test_each_kind_of_fault_is_found():
    assert json.loads(python("-c", EACH, json.dumps([*CODES]))) == [*CODES.values()]
