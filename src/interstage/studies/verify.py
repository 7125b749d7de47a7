"""Implement `interstage verify`: run the validation cases and compare each with its reference.

A case is a folder with a ``scenario.toml``, a reference (table or closed form), a SOURCE.md and a
``case.py``. The function ``compare(fly, folder)`` in ``case.py`` runs scenarios and returns `Row` objects. A
row is a quantity with its error and the bound of the error. The reference shares no code with the engine.
Cases use the engine only through the argument `fly`, `start_as_declared` and `linear_about`.

A case may define `VARIANTS`, a mapping from a name to changed inputs by path, like ``{"null space":
{"solver.formulation": "null_space"}}``. The comparison is then repeated for each variant, with the same
bounds.

A case may also define ``converge(fly, folder)``. The rows of the convergence study check the order of
convergence of formulations that approach the reference as the step decreases.

A case that needs other software defines `NEEDS`, a mapping from a Python module to installation instructions.
If a module is missing, the case is skipped and reported as skipped.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import re
import sys
import textwrap
import time
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..tree.errors import BadInput, InterstageError
from ..tree.similar_names import near
from .verify_results import read_results, save_result

if TYPE_CHECKING:
    from ..record.record import Record
    from ..scenario import Scenario

PACKAGE = "interstage_validation"
"""Package name under which the folder of validation cases is imported. The cases can therefore share
modules."""


@dataclass(frozen=True)
class Row:
    """One comparison of a validation case: the quantity with its unit, the error, and the largest allowed
    error.
    """

    quantity: str
    error: float
    bound: float
    note: str = ""

    @property
    def passed(self) -> bool:
        """Return whether the error is finite and not above the bound."""
        return math.isfinite(self.error) and self.error <= self.bound

    @property
    def used(self) -> float:
        """Return the error divided by the bound. Return infinity if the error is not a finite number."""
        if not math.isfinite(self.error):
            return math.inf
        return self.error / self.bound if self.bound > 0 else (0.0 if self.error <= self.bound else math.inf)


@dataclass(frozen=True)
class Result:
    """Result of one validation case.

    - rows: comparisons of the case.
    - problem: error that prevented the comparison, otherwise empty.
    - seconds: wall time [s].
    - skipped: missing software, otherwise empty.
    """

    name: str
    rows: tuple[Row, ...] = ()
    problem: str = ""
    seconds: float = 0.0
    skipped: str = ""

    @property
    def passed(self) -> bool:
        """Return whether the case has at least one comparison and all comparisons passed."""
        return not self.problem and bool(self.rows) and all(row.passed for row in self.rows)

    @property
    def worst(self) -> Row | None:
        """Return the comparison with the largest error relative to its bound. Return None without
        comparisons.
        """
        return max(self.rows, key=lambda row: row.used, default=None)


def validation_folder() -> Path:
    """Return the folder of the validation cases, in the installed package or in the checkout. Raises
    InterstageError."""
    package = Path(__file__).resolve().parents[1]
    places = (package / "_validation", package.parents[1] / "validation")
    for folder in places:
        if folder.is_dir():
            return folder
    text = f"the folder of the validation cases is missing: neither {places[0]} nor {places[1]} exists"
    raise InterstageError(f"{text}. Install interstage again")


def find_cases(root: Path | None = None) -> dict[str, Path]:
    """Return the folder of each validation case by case name, in alphabetical order.

    root: folder of all cases. Default: see `validation_folder`.
    """
    root = validation_folder() if root is None else root
    return {folder.name: folder for folder in sorted(root.iterdir()) if (folder / "case.py").is_file()}


def choose(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return the names of the validation cases that match given names or patterns such as ``adams-*``.

    If `names` is empty, all cases are returned. Raises BadInput for a name without a case.
    """
    known, chosen = list(known), []
    for name in names or ("*",):
        found = [k for k in known if fnmatchcase(k, name)]
        if not found and name != "*":
            raise BadInput(f"there is no validation case '{name}'; {near(name, known, 'cases')}")
        chosen += [k for k in found if k not in chosen]
    return chosen


def fly(scenario: Scenario | Path | str, **changes: Any) -> Record:
    """Run a scenario or a scenario file and return its record.

    changes: new values of inputs by path, as in ``fly(path, **{"solver.eta": 5})``.
    """
    from ..runs.run import fly as simulate

    return simulate(_with_changes(scenario, changes))


def _with_changes(scenario: Scenario | Path | str, changes: dict[str, Any]) -> Scenario:
    from ..reading import load
    from ..tree import addresses as tree

    if isinstance(scenario, (str, Path)):
        return load(scenario, set=changes)
    changed = scenario
    for path, value in changes.items():
        changed = tree.set(changed, path, value)
    return changed


def start_as_declared(scenario: Scenario) -> dict[str, Any]:
    """Return the initial quantities of a scenario by path, before the correction of constraint errors.

    "gap" and "gap_rate" are the position and velocity errors of each constraint. A flight corrects these
    errors or is rejected. Some references need the quantities before the correction.
    """
    import jax
    import numpy as np

    from ..programs.program import program_for

    program = program_for(scenario)
    start = jax.device_get(program.begin(scenario, 0.0))

    def one(array):
        return np.asarray(array)[..., None]

    state, switches = one(start.x), jax.tree.map(one, start.discrete)
    values, _ = program.observe(scenario, start.reference, np.zeros(1), state, switches, np.zeros(1))
    found = {path: np.asarray(value)[..., 0] for path, value in values.items()}
    rows = {name: np.asarray(getattr(start, name)) for name in ("gap", "gap_rate", "held")}
    return found | rows


def linear_about(
    scenario: Scenario | Path,
    at: Any = "start",
    inputs: Any = (),
    outputs: Any = None,
    axes: Any = "body",
    find: Any = (),
    rotor: Any = None,
    **changes: Any,
) -> Any:
    """Return the linear equations about an operating point of a scenario or scenario file.

    - find: inputs of a trim. If inputs are given, the operating point is this trim.
    - changes: new values of inputs by path.
    - rotor: mapping with `blades`, `shaft` and `period`.
    - other arguments: see `linearize.linearize`.
    """
    from .linearize import linearize

    how = {"axes": axes, "find": find} | (rotor or {})
    return linearize(_with_changes(scenario, changes), at, inputs, outputs, **how)


def run_case(folder: Path, fly: Callable[..., Record] = fly) -> Result:
    """Run one validation case and return its result. If the case raises an exception, the result contains
    the problem as one sentence.

    folder: folder of the case. fly: function that runs a scenario.
    """
    start = time.perf_counter()
    rows, problem, lacking = (), "", ""
    try:
        case = _module(folder)
        lacking = _lacking(case)
        rows = () if lacking else tuple(_rows_of(case, fly, folder))
        problem = "" if rows or lacking else "the case has no comparison"
    except Exception as error:  # noqa: BLE001  (a case may fail in any way; the table reports it and continues)
        problem = _sentence(error)
    return Result(folder.name, rows, problem, time.perf_counter() - start, lacking)


def _lacking(case: types.ModuleType) -> str:
    """The missing modules of a case, and how to install them."""
    needs = getattr(case, "NEEDS", {}).items()
    missing = [(name, how) for name, how in needs if importlib.util.find_spec(name) is None]
    return "; ".join(f"needs the package {name}: {how}" for name, how in missing)


def _rows_of(case: types.ModuleType, fly: Callable[..., Record], folder: Path) -> Iterator[Row]:
    """The rows of a case, of its variants with the variant's name in front, and of formulations that only
    converge."""
    yield from case.compare(fly, folder)
    for name, changes in getattr(case, "VARIANTS", {}).items():
        for row in case.compare(partial(_flown_with, fly, changes), folder):
            yield replace(row, quantity=f"{name}: {row.quantity}")
    if hasattr(case, "converge"):
        yield from case.converge(fly, folder)


def _flown_with(fly: Callable[..., Record], inputs: dict[str, Any], scenario: Any, **changes: Any) -> Record:
    return fly(scenario, **inputs | changes)


def list_cases(names: Iterable[str] = (), root: Path | None = None) -> list[str]:
    """Return lines of text with the name of each chosen case and the first sentence of its SOURCE.md.

    names, root: see `choose` and `find_cases`. Raises BadInput for a name without a case.
    """
    known = find_cases(root)
    chosen = choose(names, known)
    width = max(map(len, chosen), default=0) + 2
    lines = []
    for name in chosen:
        indent: Any = {"initial_indent": name.ljust(width), "subsequent_indent": " " * width}
        lines += textwrap.wrap(_about(known[name] / "SOURCE.md"), 110, **indent) or [name]
    return lines


def _about(source: Path) -> str:
    """The first sentence after the heading of a file; empty if there is none."""
    text = source.read_text(encoding="utf-8") if source.is_file() else ""
    first = " ".join(text.partition("\n\n")[2].partition("\n\n")[0].split())
    return re.split(r"(?<=[a-z0-9)]\.)\s(?=[A-Z`])", first)[0].rstrip(".")


def main(
    names: Iterable[str] = (),
    *,
    verbose: bool = False,
    output: Path | None = None,
    root: Path | None = None,
    fly: Callable[..., Record] = fly,
    echo: Callable[[str], Any] = print,
) -> int:
    """Run validation cases, print one row for each case, and return the exit code.

    - names: names or patterns. Default: all cases.
    - verbose: whether all comparisons of a case are printed.
    - output: JSON file to which the result of each case is added. See `verify_results`.
    - echo: function that prints one line.

    The exit code is 0 if all compared cases pass. The exit code is 1 if a case fails or no case was compared.
    Raises BadInput for a name without a case, and for an output file that is not a file of results.
    """
    cases = find_cases(root)
    chosen = choose(names, cases)
    if output is not None:
        read_results(output)  # rejects another file before the first flight
    width = max((len(name) for name in chosen), default=4)
    echo(_line("case", "comparison nearest to its tolerance", "error", "bound", "result", width))
    results = []
    for name in chosen:
        result = run_case(cases[name], fly)
        results.append(result)
        if output is not None:
            save_result(output, result)
        for line in _lines(result, width, verbose):
            echo(line)
    skipped = [result.name for result in results if result.skipped]
    failed = [result.name for result in results if not (result.passed or result.skipped)]
    taken = sum(result.seconds for result in results)
    compared = len(results) - len(skipped)
    verdict = (
        f"{len(failed)} FAILED: {', '.join(failed)}"
        if failed
        else "all passed"
        if compared
        else "no case was compared with a reference"
    )
    verdict += f", {len(skipped)} SKIPPED: {', '.join(skipped)}" if skipped else ""
    echo(f"{len(results)} case{'s' * (len(results) != 1)}, {verdict} ({taken:.0f} s)")
    return 1 if failed or not compared else 0


def _lines(result: Result, width: int, verbose: bool) -> list[str]:
    """Lines of one case: its worst comparison and all failed ones; all comparisons if `verbose`."""
    verdict = "pass" if result.passed else "FAIL"
    if result.skipped:
        return [f"{result.name:<{width}}  skip  {result.skipped}"]
    if result.worst is None:
        return [f"{result.name:<{width}}  FAIL  {result.problem}"]
    worst = result.worst
    lines = [_line(result.name, worst.quantity, f"{worst.error:.1e}", f"{worst.bound:.1e}", verdict, width)]
    for row in result.rows:
        if verbose or (row is not worst and not row.passed):
            verdict = "pass" if row.passed else "FAIL"
            numbers = f"{row.error:.1e}", f"{row.bound:.1e}"
            lines.append(_line("", row.quantity, *numbers, verdict, width, row.note))
    return lines


def _line(case: str, quantity: str, error: str, bound: str, verdict: str, width: int, note: str = "") -> str:
    return f"{case:<{width}}  {quantity:<56}  {error:>8}  {bound:>8}  {verdict:<4}  {note}".rstrip()


def _sentence(error: BaseException) -> str:
    """The first line of an error, with its class for errors of other libraries."""
    text = str(error).strip().splitlines()
    first = text[0] if text else ""
    if isinstance(error, InterstageError) and first:
        return first
    return f"{type(error).__name__}: {first}".rstrip(": ")


def _module(folder: Path) -> types.ModuleType:
    """The case.py of a folder, imported as part of a package whose root is the folder of all cases."""
    root = str(folder.parent)
    package = sys.modules.get(PACKAGE)
    if package is None or list(package.__path__) != [root]:
        for name in [name for name in sys.modules if name == PACKAGE or name.startswith(PACKAGE + ".")]:
            del sys.modules[name]
        package = types.ModuleType(PACKAGE)
        package.__path__ = [root]
        sys.modules[PACKAGE] = package
        importlib.invalidate_caches()
    return importlib.import_module(f"{PACKAGE}.{folder.name}.case")
