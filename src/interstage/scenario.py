"""The scenario: one tree that says everything about a flight."""

from __future__ import annotations

import logging
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError, model_validator

from .environment.atmosphere import Atmosphere, NoAtmosphere
from .environment.gravity import Gravity, NoGravity
from .environment.wind import NoWind, Wind
from .environment.world import World
from .model.body import Body
from .model.joint import Joint
from .model.leg import Leg
from .model.pair import Pair
from .model.pattern import Repeatable, for_member, kinds_in, possible_names, whole_place, written_out
from .model.sequence import Event, Phase
from .model.settings import Output, Requirement, Solver
from .model.site import Site
from .model.source import Source
from .model.trim import Trim
from .tree import packages
from .tree.declaration import (
    XYZ,
    ByName,
    Declaration,
    declarations_in,
    differs_by_member,
    element,
    get,
    label,
    replaced,
    with_element,
)
from .tree.errors import BadInput, Problem, near
from .tree.names import PATTERN

if TYPE_CHECKING:
    from .flight.batch import Batch
    from .flight.derivatives import Derivatives
    from .flight.prepared import Prepared
    from .record.results import Flight
    from .studies.comparison import Comparison
    from .studies.linear import Linear, Periodic, Series
    from .studies.optimization import OptimizationStudy, Optimum, Solved
    from .studies.sweep import Sweep
    from .studies.symbols import Symbols
    from .studies.trim import Trimmed

    AnyForce = AnyAerodynamics = AnyEngine = AnyControl = AnyActuator = AnySensor = Any
    AnyGuidance = AnyHeating = AnyInterface = AnyDevice = AnyContact = AnyClearance = Any
else:
    AnyForce, AnyAerodynamics, AnyEngine, AnyControl, AnyActuator, AnySensor = map(
        packages.union, ("forces", "aerodynamics", "engines", "controls", "actuators", "sensors")
    )
    AnyGuidance, AnyHeating, AnyInterface, AnyDevice, AnyContact, AnyClearance = map(
        packages.union, ("guidance", "heating", "interfaces", "devices", "contacts", "clearance")
    )


for _package, _why in packages.catalogue().left_out.items():
    logging.getLogger("interstage").warning("The parts of %s are left out: %s.", _package, _why)


class Scenario(Declaration):
    """Bodies, what joins and moves them, the world they are in, and what happens when."""

    title: str = ""
    """What the flight is, in one line."""
    units: Literal["SI", "US"] = "SI"
    """Units of tables, plots and reports: SI, or slug, ft and lbf. Bare numbers in a scenario are always
    SI."""
    needs: tuple[Annotated[str, AfterValidator(packages.installed)], ...] = ()
    """Packages whose parts it has, as pip names them, like "interstage-magnetic-latch": those that are not
    installed are told with the scenario. Saved scenarios name theirs by themselves."""
    gravity: Gravity = NoGravity()
    """The gravity field."""
    planet: World | None = None
    """What the bodies fly over: the Earth, a planet of one's own, or flat ground; none means empty space."""
    atmosphere: Atmosphere = NoAtmosphere()
    """The air over the planet."""
    wind: Wind = NoWind()
    """The wind in that air."""
    sites: Annotated[tuple[Site, ...], ByName()] = ()
    """Places on the ground to which distances are to be known."""
    bodies: Annotated[tuple[Body, ...], ByName()] = ()
    """The rigid bodies."""
    joints: Annotated[tuple[Joint, ...], ByName()] = ()
    """What holds bodies together."""
    forces: Annotated[tuple[AnyForce, ...], ByName()] = ()
    """Forces, torques and springs."""
    aerodynamics: Annotated[tuple[AnyAerodynamics, ...], ByName()] = ()
    """Forces and moments of the air."""
    engines: Annotated[tuple[AnyEngine, ...], ByName()] = ()
    """Rocket engines and motors."""
    guidance: Annotated[tuple[AnyGuidance, ...], ByName()] = ()
    """Laws that say which attitude a body should have."""
    controls: Annotated[tuple[AnyControl, ...], ByName()] = ()
    """Control laws."""
    actuators: Annotated[tuple[AnyActuator, ...], ByName()] = ()
    """What follows their commands: gimbals, fins, throttles."""
    sensors: Annotated[tuple[AnySensor, ...], ByName()] = ()
    """Stations at which accelerations and rates are to be known."""
    pairs: Annotated[tuple[Pair, ...], ByName()] = ()
    """Points of two bodies whose distance, motion and turn against each other are to be known."""
    interfaces: Annotated[tuple[AnyInterface, ...], ByName()] = ()
    """Loads of joints as axial force, shear, bending and torsion at a station, with allowables."""
    devices: Annotated[tuple[AnyDevice, ...], ByName()] = ()
    """Separation devices."""
    contacts: Annotated[tuple[AnyContact, ...], ByName()] = ()
    """Contact forces between bodies."""
    phases: Annotated[tuple[Phase, ...], ByName()] = ()
    """The stretches of the flight, in order."""
    events: Annotated[tuple[Event, ...], ByName()] = ()
    """What happens in parallel with the phases."""
    legs: Annotated[tuple[Leg, ...], ByName()] = ()
    """The legs of a mission, each with bodies, phases and events of its own; none means one flight of all
    bodies."""
    coordinates: Literal["rigid", "point", "held"] = "rigid"
    """How the bodies of one flight move: rigid, each with its attitude; as one point, with an attitude from
    guidance; or held on the planet. Legs have their own."""
    attitude: str | None = None
    """Name of the guidance that gives the attitude of a point."""
    balance: Trim | None = Field(None, alias="trim")
    """What balances the moments about the mass centre of a point; none means that nothing does. In Python
    `balance`, since `trim` finds an operating point."""
    ends_at: tuple[str, ...] = ()
    """Phase starts, events, or what devices do ("bolt released"), with the first of which the flight is over,
    though its phases are not."""
    heating: Annotated[tuple[AnyHeating, ...], ByName()] = ()
    """Noses that the air heats."""
    clearance: Annotated[tuple[AnyClearance, ...], ByName()] = ()
    """Bodies whose distance is to be known, and whether they meet again."""
    solver: Solver = Solver()
    """How the equations are solved."""
    output: Output = Output()
    """When the flight is sampled."""
    requirements: Annotated[tuple[Requirement, ...], ByName()] = ()
    """Limits that the flight must keep."""
    sources: Annotated[tuple[Source, ...], ByName("path")] = ()
    """Where numbers come from, by their paths in quotes."""

    def __init__(self, /, **data: Any) -> None:
        super().__init__(**written_out(data, repeatable()))

    # As in `Declaration`: tables are validated in one pass, which calls no __init__.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @model_validator(mode="after")
    def _naming_packages(self) -> Scenario:
        named = {packages.normal(name) for name in self.needs}
        more = {package.distribution: None for package in packages.used(self)}
        self._settle(needs=(*self.needs, *(name for name in more if packages.normal(name) not in named)))
        return self

    def check(self) -> None:
        """Raise `BadInput` with everything that is wrong with the scenario as a whole; nothing is imported or
        flown."""
        from .checks.check import problems

        found = problems(self)
        if found:
            raise BadInput(found)

    def run(self, progress: Any = None) -> Flight:
        """Check the scenario, fly it, and return the flight.

        progress: what is called with the flight time and the expected end or None; True tells it on the
        standard error, False nothing, and none does so where somebody sits at a terminal and else tells the
        logger "interstage"."""
        from .flight.simulate import fly
        from .record.results import Flight

        self.check()
        return Flight(fly(self, progress))

    def prepare(self) -> Prepared:
        """Check it, and make it ready to be flown again and again with other numbers: ``again =
        scenario.prepare()``, then ``again.run({"bodies.payload.mass": "900 kg"})``; see `flight.prepared`."""
        from .flight.prepared import Prepared

        self.check()
        return Prepared(self)

    def run_batch(
        self,
        dispersed: Mapping[str, Any],
        threads: int = 2,
        samples: bool = True,
        progress: Any = None,
        together: bool | None = None,
    ) -> Batch:
        """Fly one case for each row of the dispersed inputs, path -> values (cases, ...) in SI; see
        `flight.batch.fly_batch`. progress: as in `run`, of cases. together: as lanes of one program, which is
        compiled for them, or one by one; none chooses by the number of steps."""
        from .flight.batch import fly_batch

        self.check()
        return fly_batch(self, dict(dispersed), threads, samples, progress=progress, together=together)

    def derivatives(
        self,
        of: Sequence[str],
        wrt: Sequence[str],
        at: str = "end",
        side: Literal["before", "after"] = "before",
    ) -> Derivatives:
        """Exact derivatives of quantities at an event with respect to inputs, through all events before it.

        side: just before or after the event. See `flight.derivatives.derivatives`."""
        from .flight.derivatives import derivatives

        self.check()
        return derivatives(self, of, wrt, at, side)

    def compare(self, formulations: str | Sequence[str] = "all", **how: Any) -> Comparison:
        """Fly it by several formulations, and compare them with a reference; see `comparison.compare`."""
        from .studies.comparison import compare

        self.check()
        return compare(self, formulations, **how)

    def sweep(
        self,
        vary: Any,
        design: Literal["grid", "corners", "one_at_a_time"] | None = None,
        responses: Any = (),
        **how: Any,
    ) -> Sweep:
        """Fly it with some inputs varied, all cases in one batch: ``scenario.sweep({"bodies.payload.mass":
        "900 kg:1100 kg:5"})``; see `sweep.sweep`."""
        from .studies.sweep import sweep

        self.check()
        return sweep(self, vary, design, responses, **how)

    def solve(self, find: str | Sequence[str], so_that: str | Sequence[str], **how: Any) -> Solved:
        """The inputs so that quantities have given values: ``scenario.solve("devices.spring.stiffness",
        "pairs.stage.satellite.separation_speed@end = 0.8 m/s")``; see `optimization.find`."""
        from .studies.optimization import find as found

        self.check()
        return found(self, find, so_that, **how)

    def optimize(self, study: OptimizationStudy | Mapping[str, Any], **how: Any) -> Optimum:
        """The best of its flights, as a study asks, an `OptimizationStudy` or its tables:
        ``scenario.optimize({"variables": ..., "constraints": ..., "objective": ...})``; see
        `optimization.optimize`."""
        from .studies.optimization import optimize

        self.check()
        return optimize(self, study, **how)

    def trim(self, find: Any = (), so_that: Any = "steady", **how: Any) -> Trimmed:
        """The numbers with which nothing accelerates at its start, or something else holds:
        ``scenario.trim(["bodies.plane.initial.incidence.alpha", "engines.main.thrust"]).scenario``; see
        `trim.trim`."""
        from .studies.trim import trim

        self.check()
        return trim(self, find, so_that, **how)

    def linearize(
        self, at: Any = "start", inputs: Any = (), outputs: Any = None, **how: Any
    ) -> Linear | Series | Periodic:
        """Linear equations of its motion about a moment, or several: ``scenario.linearize("before apart",
        inputs="bodies.stage.torque").modes``; see `linear.linearize`."""
        from .studies.linear import linearize

        self.check()
        return linearize(self, at, inputs, outputs, **how)

    def symbols(self) -> Symbols:
        """Its reduced equations of motion as SymPy's, seen to be what the engine has:
        ``scenario.symbols().M22``; see `symbols.symbols`."""
        from .studies.symbols import symbols

        self.check()
        return symbols(self)

    def to_toml(self) -> str:
        """The scenario as canonical TOML in SI; reading it back gives a scenario that is equal to the last
        bit."""
        from .tree.toml_file import dumps

        return dumps(self)


@cache
def repeatable() -> dict[str, dict[str, type[Repeatable]]]:
    """What may stand for several alike, by group and kind."""
    found = {group: kinds_in(declarations_in(Scenario.model_fields[group].annotation)) for group in GROUPS}
    return {group: kinds for group, kinds in found.items() if kinds}


def load(path: str | os.PathLike[str], set: Mapping[str, Any] | None = None) -> Scenario:
    """Read a scenario file, with inputs changed by path: ``load("a.toml", set={"bodies.payload.mass": "900
    kg"})``. Texts are read as the command's --set reads them.

    Files that it names, and flights that bodies start from, are looked for in the file's folder. Raises
    `BadInput` with every problem found, each with its place and line."""
    from .tree.toml_file import read_text

    path = Path(path)
    return loads(read_text(path), set, source=str(path), folder=path.parent)


def loads(
    text: str, set: Mapping[str, Any] | None = None, source: str | None = None, folder: Path | None = None
) -> Scenario:
    """Read a scenario from TOML text; see `load`."""
    from .tree.toml_file import lines_of, parse, with_lines

    data = parse(text, source)
    lines = lines_of(text, data)
    values = {path: plain(value) for path, value in (set or {}).items()}
    elements = {path: values.pop(path) for path in list(values) if _is_element(path)}
    filled = {p: all_.pop(p) for all_ in (values, elements) for p in list(all_) if _is_of_file(data, p)}
    later = {path: values.pop(path) for path in list(values) if not _is_there(data, path)}
    unset = [problem for path, value in values.items() for problem in _put(data, path, value)]
    _find_files(data, folder)
    late = {path: elements.pop(path) for path in list(elements) if not _is_there(data, path)}
    unset += _put_elements(data, elements)
    data = written_out(data, repeatable())
    # Members of patterns are there only now.
    unset += [problem for path, value in later.items() for problem in _put(data, path, value)]
    unset += _put_elements(data, late)
    unset += _put_beside(data, filled)
    scenario, found = _validated(data)
    if filled and scenario is not None and not (unset or found):
        scenario, found = _with_all(scenario, filled)
    if scenario is None or unset or found:
        raise BadInput(with_lines(unset + _of_wholes(found, data), lines), source)
    return scenario


def _is_there(data: dict[str, Any], path: str) -> bool:
    """Whether what a path changes stands in the tables, or is no entry of a group that may have patterns."""
    group, _, rest = path.partition(".")
    if group not in repeatable() or not isinstance(data.get(group), dict | list):
        return True
    named = {label(entry, i) for i, entry in enumerate(ByName().listed(data[group]))}
    return rest.partition(".")[0] in named


def _is_of_file(data: Any, path: str) -> bool:
    """Whether a path leads to what a file gives, or what is about it: into a table that names one, and has
    not what comes next."""
    node, steps = data, element(path)[0].split(".")
    for step in steps:
        if isinstance(node, list):
            node = {label(item, i): item for i, item in enumerate(node)}
        if not isinstance(node, dict):
            return False
        if step not in node:
            return isinstance(node.get("file"), str) or _all_texts(node.get("file"))
        node = node[step]
    return False


def _as_read(data: dict[str, Any]) -> Scenario | None:
    """The scenario in raw tables, unchecked; none where it cannot be read, which is told by others."""
    with suppress(ValidationError, RecursionError):
        return Scenario.model_validate(data)
    return None


def _put_beside(data: dict[str, Any], values: dict[str, Any]) -> list[Problem]:
    """Put those values into raw tables that are about a file that these name, such as which of its modes to
    take; what it gives itself stays among `values`, for when it is read."""
    scenario = _as_read(data) if values else None
    found: list[Problem] = []
    for path in list(values):
        try:
            given = scenario is None or get(scenario, element(path)[0]) is not None
        except BadInput as error:
            found += error.problems
            continue
        if not given:
            found += _put(data, path, values.pop(path))
    return found


def _with_all(scenario: Scenario, values: dict[str, Any]) -> tuple[Scenario | None, list[Problem]]:
    """A scenario with values by paths, or none, and its problems."""
    from .checks.check import problems
    from .tree.declaration import set as changed

    found: list[Problem] = []
    for path, value in values.items():
        try:
            scenario = changed(scenario, path, value)
        except BadInput as error:
            found += error.problems
    return (None, found) if found else (scenario, problems(scenario))


def _is_element(path: str) -> bool:
    """Whether a path may mean one element of an array."""
    stem, index = element(path)
    return bool(index) or stem.rpartition(".")[2] in XYZ


def _put_elements(data: dict[str, Any], values: dict[str, Any]) -> list[Problem]:
    """Put values in the place of elements of arrays, as these are read from raw tables."""
    scenario = _as_read(data) if values else None
    found: list[Problem] = []
    for path, value in values.items():
        try:
            changed = None if scenario is None else with_element(scenario, path, value)
        except BadInput as error:
            found += error.problems
            continue
        if changed is not None:
            scenario = replaced(scenario, *changed)
            found += _put(data, changed[0], changed[1].tolist())
        elif not element(path)[1]:
            found += _put(data, path, value)
    return found


def _tables(group: Any) -> list[Any]:
    listed = ByName().listed(group)
    return listed if isinstance(listed, list) else []


def _of_wholes(found: list[Problem], data: dict[str, Any]) -> list[Problem]:
    """Problems of the members of patterns as those of the patterns, each once, where all members have it."""
    patterns: dict[tuple[str, str], str] = {}
    for group in repeatable():
        entries = [entry for entry in _tables(data.get(group)) if isinstance(entry, dict)]
        others = {str(entry.get("name")) for entry in entries if "pattern" not in entry}
        for entry in entries:
            if isinstance(entry.get("pattern"), str) and entry["name"] not in others:
                patterns[group, entry["name"]] = entry["pattern"]
    if not patterns:
        return found
    return list(dict.fromkeys(replace(p, place=whole_place(p.place, patterns)) for p in found))


def _validated(data: dict[str, Any]) -> tuple[Scenario | None, list[Problem]]:
    """The scenario in `data`, or none, and all its problems: with faulty declarations left out, the rest is
    checked too."""
    from .checks.check import problems
    from .tree.validation_errors import problems_of

    try:
        scenario = Scenario.model_validate(data)
        return scenario, problems(scenario)
    except ValidationError as error:
        found = problems_of(error, Scenario, data)
        rest, faulty = _mended(data, [e["loc"] for e in error.errors(include_url=False)])
    except RecursionError:
        return None, [Problem("", "the scenario is nested too deeply")]
    # First with stand-ins for faulty values, then without the declarations that are still at fault.
    for _ in range(2):
        try:
            return None, found + problems(Scenario.model_validate(rest), faulty)
        except ValidationError as error:
            rest = _without(rest, [e["loc"] for e in error.errors(include_url=False)])
    return None, found


STAND_INS = {
    "mass": 1.0,
    "inertia": [1.0, 1.0, 1.0],
    "kind": "spherical",
    "until": {"elapsed": 1.0},
    "when": {"elapsed": 1.0},
}
"""What takes the place of a faulty value, so that the rest of its declaration can still be checked."""


def _mended(data: dict[str, Any], locations: list[Any]) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """(`data` with faulty values left out or stood in for, the names of the declarations concerned by
    group)."""
    rest, faulty = dict(data), {}
    for group in {loc[0] for loc in locations}:
        faults = [loc for loc in locations if loc[0] == group and len(loc) > 1 and isinstance(loc[1], int)]
        raw = rest.pop(group, None)
        entries = ByName().listed(raw)
        faulty[group] = []
        if not faults or not isinstance(entries, list):
            continue
        rest[group] = entries = [dict(e) if isinstance(e, dict) else e for e in entries]
        for _, index, *inside in faults:
            faulty[group] += _called(raw, entries[index], index)
            key = next((step for step in inside if not str(step).startswith("(")), None)
            if isinstance(entries[index], dict):
                entries[index].pop(key, None)
                entries[index] |= {key: STAND_INS[key]} if key in STAND_INS else {}
    return rest, faulty


def _called(raw: Any, entry: Any, index: int) -> list[str]:
    """The names that a faulty entry of a group may be referred to by: that of its table, and its own; an
    empty one where none is known."""
    own = entry.get("name") if isinstance(entry, dict) else None
    names = [list(raw)[index]] if isinstance(raw, dict) else []
    names += [own] if isinstance(own, str) and re.fullmatch(PATTERN, own) else []
    names += [member for name in names for member in possible_names(name, entry)]
    return names or [label(entry, index), ""]


def _without(data: dict[str, Any], locations: list[Any]) -> dict[str, Any]:
    """`data` without the entries of groups, and the other top-level values, that hold faults."""
    rest = dict(data)
    for group in {loc[0] for loc in locations}:
        faults = {loc[1] for loc in locations if loc[0] == group and len(loc) > 1}
        entries = rest.pop(group, None)
        if faults and isinstance(entries, list):
            rest[group] = [entry for i, entry in enumerate(entries) if i not in faults]
    return rest


def setting(text: str) -> tuple[str, str]:
    """``"bodies.payload.mass=900 kg"`` -> (path, value as a text, for `load`). Raises `BadInput`."""
    path, sign, value = text.partition("=")
    if not sign or not path.strip() or not value.strip():
        raise BadInput(f"'{text}' sets nothing; write PATH=VALUE, like bodies.payload.mass=\"900 kg\"")
    return path.strip(), value.strip()


def plain(value: Any) -> Any:
    """A value that is set: of texts that are numbers, lists, texts in quotes, true or false in TOML these, of
    others the text; what is no text stays."""
    if not isinstance(value, str):
        return value
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError, ValueError, KeyError):
        return value


def _put(data: dict[str, Any], path: str, value: Any) -> list[Problem]:
    """Put a value into raw tables; tables on the way are made, entries of groups are not. A pattern that was
    written out stands for its members."""
    members = _members(data, path)
    if members:
        return _put_into_all(data, path, members, value)
    node: Any = data
    *way, last = path.split(".")
    for depth, step in enumerate(way):
        if isinstance(node, list):
            named = {label(item, i): item for i, item in enumerate(node)}
        elif isinstance(node, dict):
            named = node if _is_group(way[:depth]) else {**node, step: node.setdefault(step, {})}
        else:
            return [
                Problem(path, f"'{'.'.join(way[:depth])}' is a value, not a table; nothing in it can be set")
            ]
        if step not in named:
            hint = near(step, [*named, *_patterns(node)])
            return [Problem(path, f"there is no '{step}' in {'.'.join(way[:depth])}; {hint}")]
        node = named[step]
    if not isinstance(node, dict):
        return [Problem(path, f"'{'.'.join(way)}' is not a table; nothing in it can be set")]
    node[last] = value
    return []


def _is_group(way: Sequence[str]) -> bool:
    """Whether a path leads to named declarations, of the scenario or of a leg."""
    inside = way[2:] if way[:1] == ["legs"] and len(way) == 3 else way
    return len(inside) == 1 and inside[0] in GROUPS


def _members(data: dict[str, Any], path: str) -> list[dict[str, Any]]:
    """The tables that a path leads into by the name of the pattern that they were written out from."""
    group, _, rest = path.partition(".")
    name, _, inner = rest.partition(".")
    if not inner or group not in repeatable():
        return []
    entries = [entry for entry in _tables(data.get(group)) if isinstance(entry, dict)]
    if any(entry.get("name") == name for entry in entries):
        return []
    return [entry for entry in entries if entry.get("pattern") == name]


def _put_into_all(
    data: dict[str, Any], path: str, members: list[dict[str, Any]], value: Any
) -> list[Problem]:
    group, name, inner = path.split(".", 2)
    first = inner.partition(".")[0]
    if first in ("count", "circle"):
        said = f"'{name}' is written out here as {len(members)} members; change {first} in the scenario file"
        return [Problem(path, said)]
    kind = repeatable()[group].get(str(members[0].get("kind")))
    if kind is not None and first in (*kind.points, *kind.directions):
        return [Problem(path, differs_by_member(members))]
    names = [str(member["name"]) for member in members]
    each = [_put(data, f"{group}.{own}.{inner}", for_member(value, own)) for own in names]
    return [problem for found in each for problem in found]


def _patterns(group: Any) -> list[str]:
    """Names of the patterns whose members stand in a group of raw tables."""
    entries = group.values() if isinstance(group, dict) else group
    found = [entry.get("pattern") for entry in entries if isinstance(entry, dict)]
    return list(dict.fromkeys(name for name in found if isinstance(name, str)))


GROUPS = (
    *("bodies", "joints", "forces", "aerodynamics", "engines", "guidance", "controls", "actuators"),
    *("devices", "sites", "sensors", "pairs", "interfaces", "phases", "events", "requirements"),
    *("clearance", "contacts", "heating", "legs"),
)
"""The groups of named declarations in a scenario."""


def _find_files(node: Any, folder: Path | None, within: str = "") -> None:
    """Let the files that a scenario's tables name, and the flights that bodies start from, be found from the
    working folder."""
    if folder is None:
        return
    if isinstance(node, list):
        for item in node:
            _find_files(item, folder, within)
    elif isinstance(node, dict):
        for key, value in node.items():
            if isinstance(value, str) and _names_file(key, value, within):
                node[key] = os.path.join(folder, value)
            elif key == "file" and _all_texts(value) and _names_file(key, "", within):
                node[key] = [os.path.join(folder, one) for one in value]
            else:
                _find_files(value, folder, key)


def _all_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def _names_file(key: str, text: str, within: str) -> bool:
    """Whether a text under a key of a table is the path of a file."""
    if key == "coefficients":
        return within == "gravity" and text.endswith(".gfc")
    # In a table of joints that are replaced, the keys are names of joints.
    return (key == "file" and within != "replace") or (key == "flight" and within == "initial")
