"""The first cases of each module of the standing fuzz; `make fuzz` runs all of them."""

from __future__ import annotations

import os

import pytest

from fuzz import runner

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs fork and pidfd_open (Linux)")


@pytest.mark.parametrize("name", [*runner.modules()])
def test_no_traceback_no_hang_no_crash(name, tmp_path):
    runner.preload()
    module = runner.modules([name])[name]
    count, limit = (getattr(module, key, getattr(runner, key)) for key in ("QUICK", "LIMIT"))
    faults = [
        f"{label}: {fault}"
        for label, command in runner.drawn(name, module, tmp_path / name, count, seed=8)
        if (fault := runner.run(command, limit).fault)
    ]
    assert faults == []


def test_the_files_that_are_damaged_are_good_before(tmp_path):
    from fuzz import readers

    runner.preload()
    for label, command in runner.drawn("readers", readers, tmp_path, len(readers.KINDS), seed=8):
        outcome = runner.run(command)
        assert outcome.code == 0, f"{label}: {outcome.errors}"


CODES = {
    "os.kill(os.getpid(), 11)": "ended by SIGSEGV",
    "time.sleep(60)": "no end within 0 s",
    "raise ZeroDivisionError('a')": "Traceback (most recent call last): ZeroDivisionError: a",
    "sys.exit(2)": "exit code 2 without a message",
    "sys.exit(9)": "exit code 9",
    "bytearray(2**40)": "Traceback (most recent call last): MemoryError",
    "warnings.warn('a', stacklevel=1)": "UserWarning: <string>:1: UserWarning: a",
    "sys.exit(4)": "",
}


@pytest.mark.parametrize("code", CODES)
def test_each_kind_of_fault_is_found(code, monkeypatch):
    import interstage.cli.main

    def main():
        exec(f"import os, sys, time, warnings; {code}")

    monkeypatch.setattr(interstage.cli.main, "main", main)
    assert runner.run([], limit=0.4 if "sleep" in code else 20.0).fault.startswith(CODES[code])
