"""Declarations of a sweep: varied inputs with their levels, the design of the cases, and the responses."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import model_validator

from ...tree.addresses import several
from ...tree.declaration import ByName, Declaration
from ...tree.errors import BadInput, Problem, Refused
from ...tree.similar_names import near
from ...tree.toml_file import Lines
from ..amounts import check_alike, value_text
from ..asked import Asked, parse_asked
from ..conditions import each_read
from ..study_file import INPUTS, Right, StudyFile, read_as, study_in

Design = Literal["grid", "corners", "one_at_a_time"]
DESIGNS: tuple[Design, ...] = get_args(Design)
WAYS = ("values", "low", "high", "count", "delta")
LEAST_LEVELS, MOST_LEVELS = 2, 10_000
WRITING = 'Write "a, b, c", "low:high", "low:high:count" or "+-delta"'


class Variation(Declaration):
    """Levels of one varied input, or of several inputs that vary together.

    Set `values`, or `low` and `high`, or `delta`. Values are texts with a unit, numbers in SI, or per cent of
    the value in the scenario, for example "90 %"."""

    name: str
    """Name of the varied input in tables and files."""
    path: str | tuple[str, ...]
    """Path of the input, for example "devices.spring.stiffness", or list of paths of inputs that vary
    together. The sign * matches any part of a name, as in "devices.*.stiffness". With the sign # in place of
    a number, as in "devices.spring_#.stiffness", each member varies on its own. An element of a vector is
    "bodies.payload.mass_centre.x" or "bodies.payload.mass_centre[0]"."""
    values: tuple[Any, ...] | None = None
    """List of the levels of the input."""
    low: Any = None
    """Lowest level of the input."""
    high: Any = None
    """Highest level of the input."""
    count: int | None = None
    """Number of equally spaced levels between the lowest and the highest level. Default: the lowest and the
    highest level, and the value in the scenario if this value is between the two levels."""
    delta: Any = None
    """Difference of the lowest and the highest level from the value in the scenario. The levels are the value
    minus delta and the value plus delta."""

    @property
    def place(self) -> str:
        """Return the path of the declaration in messages."""
        return self.name if self.name == self.path else f"variations.{self.name}"

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the paths of all inputs that vary together, as the user wrote them."""
        return (self.path,) if isinstance(self.path, str) else self.path

    @model_validator(mode="after")
    def _check(self) -> Variation:
        if not self.name.strip() or not self.paths or not all(path.strip() for path in self.paths):
            text = 'the path of the input is empty. Give a path, for example "bodies.payload.mass"'
            raise Refused(("path", text))
        given = [way for way in ("values", "low", "delta") if getattr(self, way) is not None]
        if (self.low is None) != (self.high is None):
            missing = "low" if self.low is None else "high"
            raise Refused((missing, f"'{missing}' is missing. Set both 'low' and 'high'"))
        if len(given) != 1:
            fault = f"{' and '.join(given)} are set together" if given else "the varied input has no levels"
            raise Refused(("", f"{fault}. Set either 'values', or 'low' and 'high', or 'delta'"))
        if self.values is not None and not self.values:
            raise Refused(("values", "'values' is an empty list. Give at least one level"))
        if self.count is not None and self.values is not None:
            raise Refused(("count", "'count' has no effect together with 'values'. Remove 'count'"))
        if self.count is not None and not LEAST_LEVELS <= self.count <= MOST_LEVELS:
            text = f"count = {self.count} is out of range. Allowed: {LEAST_LEVELS} to {MOST_LEVELS} levels"
            raise Refused(("count", text))
        levels = [(way, getattr(self, way)) for way in ("low", "high", "delta")]
        check_alike([*levels, *(("values", value) for value in self.values or ())])
        return self


class Response(Asked):
    """Response that is recorded in each case: a quantity at an event, or an extreme of the quantity."""

    name: str
    """Name of the response in tables and files."""

    @property
    def place(self) -> str:
        """Return the path of the declaration in messages."""
        return self.name if self.name.startswith(self.quantity) else f"responses.{self.name}"


class Study(StudyFile):
    """Study file of a sweep: the varied inputs of a scenario, and the responses."""

    design: Design = "grid"
    """Design of the cases. "grid" has all combinations of the levels. "corners" has the nominal case and all
    combinations of the lowest and highest levels. "one_at_a_time" has the nominal case and the cases in which
    only one input differs from the nominal case. The nominal case is the scenario without changes."""
    variations: Annotated[tuple[Variation, ...], ByName()]
    """Varied inputs with the levels of each input."""
    responses: Annotated[tuple[Response, ...], ByName()] = ()
    """Responses that are recorded in addition to the requirements of the scenario. Default: separation speeds
    and tip-off rates of released bodies, and loads of the released joints."""

    @classmethod
    def missing(cls, given: Collection[str]) -> dict[str, str]:
        """Return an error message for each required key that is missing, by key.

        given: keys in the study file.
        """
        text = f"the varied inputs are missing. Add at least one variation, {INPUTS.format('variations')}"
        return super().missing(given) | ({} if "variations" in given else {"variations": text})


def read_study(path: Path, scenario_of: Callable[[Path], Any] | None = None) -> tuple[Study, Lines] | None:
    """Return the sweep study in a file and the line number of each key. Return None if the file is a
    scenario.

    scenario_of: function that reads a scenario from its path. Raises BadInput.
    """
    found = study_in(path, "sweep")
    return None if found is None else read_as(Study, *found, path, scenario_of, _scenario_problems)


def _scenario_problems(scenario: Any, right: Right) -> Iterator[Problem]:
    from .run import beside_scenario

    yield from beside_scenario(scenario, right.get("variations", ()), right.get("responses", ()))


def variations_of(vary: Any) -> tuple[Variation, ...]:
    """Return the varied inputs as `Variation` objects.

    vary: mapping of paths to levels, texts "PATH=LEVELS", or `Variation` objects. Raises BadInput.
    """
    if isinstance(vary, (str, Variation)):
        vary = [vary]
    given: Iterable[Any] = vary.items() if isinstance(vary, Mapping) else vary
    found = each_read(given, _variation)
    if not found:
        raise BadInput(
            Problem("vary", "the varied inputs are missing. Give at least one input with its levels")
        )
    return tuple(found)


def _variation(item: Any) -> Variation:
    if isinstance(item, Variation):
        return item
    if isinstance(item, str):
        path, sign, levels = item.partition("=")
        if not sign or not path.strip() or not levels.strip():
            fix = 'Write PATH=LEVELS, for example bodies.payload.mass="900 kg:1100 kg:5"'
            raise BadInput(f"'{item}' is not an input with levels. {fix}")
        item = path.strip(), levels
    path, levels = item
    paths = several(path) if isinstance(path, str) else tuple(path)
    fields = dict(levels) if isinstance(levels, Mapping) else _levels(", ".join(paths), levels)
    unknown = [key for key in fields if key not in (*WAYS, "name")]
    if unknown:
        raise BadInput(
            Problem(", ".join(paths), f"unknown key '{unknown[0]}'; {near(unknown[0], WAYS, 'allowed')}")
        )
    name = fields.pop("name", ", ".join(paths))
    try:
        return Variation(name=name, path=paths[0] if len(paths) == 1 else paths, **fields)
    except BadInput as error:
        raise BadInput(Problem(name, _with_place(p)) for p in error.problems) from None


def _with_place(problem: Problem) -> str:
    own = problem.place in ("", "path") or problem.message.startswith(f"{problem.place} ")
    return problem.message if own else f"{problem.place}: {problem.message}"


def _levels(place: str, levels: Any) -> dict[str, Any]:
    """Keys of a variation from levels of the command line or Python."""
    if isinstance(levels, np.ndarray):
        return {"values": tuple(levels)}
    if isinstance(levels, Sequence) and not isinstance(levels, str):
        return {"values": tuple(levels)}
    if not isinstance(levels, str):
        return {"values": (levels,)}
    text = levels.strip()
    sides = re.match(r"(?:\+/?-|±)", text)
    pieces = text[sides.end() :].split(":") if sides else text.split(":")
    if sides or len(pieces) > 1:
        most = 2 if sides else 3
        if len(pieces) > most or not all(piece.strip() for piece in pieces):
            raise BadInput(Problem(place, f"{value_text(text)} is not a range of levels. {WRITING}"))
        keys = ("delta", "count") if sides else ("low", "high", "count")
        found = {key: _token(piece) for key, piece in zip(keys, pieces)}
        if "count" in found and not (isinstance(found["count"], float) and found["count"].is_integer()):
            text = f"'{pieces[-1].strip()}' is not a number of levels. {WRITING}"
            raise BadInput(Problem(place, text))
        return {**found, "count": int(found["count"])} if "count" in found else found
    values = [_token(piece) for piece in re.split(r",(?![^\[]*\])", text)]
    if any(value == "" for value in values):
        raise BadInput(Problem(place, f"{value_text(text)} has an empty level. {WRITING}"))
    return {"values": tuple(values)}


def _token(text: str) -> Any:
    """A level of the command line: a number, a list, or a text."""
    import json

    text = text.strip()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        try:
            return float(text)
        except ValueError:
            return text
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def responses_of(texts: Any) -> tuple[Response, ...]:
    """Return `Response` objects from texts "QUANTITY@WHEN" or from `Response` objects. Raises BadInput."""
    if isinstance(texts, (str, Response)):
        texts = [texts]
    return tuple(each_read(texts, lambda item: item if isinstance(item, Response) else _response(item)))


def _response(text: str) -> Response:
    fields, when = parse_asked(text)
    return Response(name=f"{fields['quantity']} {when}", **fields)
