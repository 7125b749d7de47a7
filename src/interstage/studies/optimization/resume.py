"""Progress file of an optimization. The file has the best point so far and the history, so that the
optimization can continue after an interrupt.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ...tree.errors import BadInput
from ...tree.guarded_reader import PROGRESS, Unreadable, read_text
from .declared import OptimizationStudy
from .result import Iterate

FORMAT = 1
WITHOUT = "Run the command without --resume"


def progress_file(study: Path) -> Path:
    """Return the path of the progress file of a study."""
    return study.with_suffix(".progress.json")


def fingerprint(scenario: Any, study: OptimizationStudy) -> str:
    """Return a hash of the scenario and the study that identifies an optimization. The hash does not depend
    on the solver.
    """
    asked = (study.variables, study.constraints, study.objective, study.nodes)
    return hashlib.sha256(f"{scenario.to_toml()}{asked!r}".encode()).hexdigest()


class Progress:
    """Writes the best point so far to the progress file after each iteration.

    If the file cannot be written, the optimization continues, and `problem` contains the reason.
    """

    def __init__(self, path: Path, about: str, names: Sequence[str]) -> None:
        self.path, self.about, self.names, self.problem = path, about, names, ""

    def save(self, best: np.ndarray, history: Sequence[Iterate]) -> None:
        """Write the best values of the variables and the history to the file.

        best (variables,): values of the variables. A new file replaces the old file only when it is complete.
        The file is therefore always complete.
        """
        data = {
            "format": FORMAT,
            "about": self.about,
            "best": dict(zip(self.names, map(float, best))),
            "history": [asdict(one) for one in history],
        }
        aside = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        try:
            aside.write_text(json.dumps(data, indent=1), encoding="utf-8")
            aside.replace(self.path)
            self.problem = ""
        except OSError as error:
            why = error.strerror or error
            self.problem = f"the file '{self.path}' cannot be written: {why}. Make its folder writable."
            with suppress(OSError):
                aside.unlink(missing_ok=True)

    def finish(self) -> None:
        """Remove the progress file after a successful optimization."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return a warning if the last progress could not be saved. If the progress was saved, the result is
        empty."""
        if not self.problem:
            return ()
        text = "The progress of the optimization was not saved, so that --resume cannot continue"
        return (f"{text}: {self.problem}",)


def read(path: Path, about: str, names: Sequence[str]) -> tuple[np.ndarray, list[Iterate]]:
    """Return the best values of the variables (variables,) and the history from a progress file.

    - about: hash of the optimization from `fingerprint`.
    - names: names of the variables.

    Raises BadInput if the file is missing, damaged, or from another optimization.
    """
    if not path.exists():
        raise BadInput(f"there is no progress file '{path}'. {WITHOUT}")
    try:
        data = json.loads(read_text(path, PROGRESS))
        best = np.array([float(data["best"][name]) for name in names])
        history = [Iterate(**one) for one in data["history"]]
        known, its = data["format"], data["about"]
    except Unreadable as error:
        raise BadInput(f"the progress file '{path}' {error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadInput(f"the file '{path}' is damaged or is not a progress file. {WITHOUT}") from None
    if known != FORMAT or its != about:
        text = "belongs to another study, or the study or its scenario was changed"
        raise BadInput(f"the progress file '{path}' {text}. {WITHOUT}")
    return best, history
