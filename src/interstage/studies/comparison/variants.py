"""Variants of a comparison: one scenario with several solver settings. Each variant is written as a short
text.

An example is ``null_space:road=numerical,form=implicit_1``. The text before the colon is the formulation. The
text after the colon lists options of the formulation or of the solver (`stabilization`, `eta`, `method`,
`step`, `tolerance`, ...).

In a mission, the formulation and the stabilization apply to legs with rigid bodies and joints. All other legs
use only the settings in `ALWAYS` from a variant. Legs in minimal coordinates keep their formulation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, get_args

from ...checks.check import problems
from ...formulations.catalogue import ENTRIES
from ...missions.mission import Mission
from ...model.leg import Leg
from ...model.settings import TOLERANCES, Solver
from ...reading import plain, setting
from ...scenario import Scenario
from ...tree.addresses import replace_leaf
from ...tree.declaration import declarations_in
from ...tree.errors import BadInput, Problem
from ...tree.similar_names import near

ALL = "all"
"""Name that selects all formulations."""
DEFAULT = "lagrange_multiplier"
TIGHT = 1e-12
"""Largest integration tolerance of the reference. The reference uses a smaller tolerance if the tolerance of
the scenario is small.
"""
STEPPING_THEMSELVES = ("staggered", "simultaneous")
INAPPLICABLE = {
    **dict.fromkeys(STEPPING_THEMSELVES, ("stabilization", "method")),
    **dict.fromkeys(("penalty", "regularized"), ("stabilization",)),
}
"""Solver settings that some formulations do not use. Such formulations have their own integration steps, or
compliant joints.
"""
ALWAYS = ("method", "step", "tolerance", "max_step", "position_scale", "velocity_scale", "rate_scale")
"""Solver settings that apply with and without joints."""
STEP_REMEDY = 'Set --step, for example --step "1 ms", or set solver.step in the scenario'


@dataclass(frozen=True)
class Variant:
    """Solver settings with a name for tables. `legs` are the solver settings of the legs of a mission, by
    leg name.
    """

    name: str
    solver: Solver
    legs: Mapping[str, Solver] = field(default_factory=dict)

    def of(self, scenario: Scenario) -> Scenario:
        """Return the scenario with the solver settings of this variant."""
        found = replace_leaf(scenario, "solver", self.solver)
        for leg, solver in self.legs.items():
            found = replace_leaf(found, f"legs.{leg}.solver", solver)
        return found

    def flies_as(self, other: Variant) -> bool:
        """Return whether this variant and another variant have the same solver settings."""
        return self.solver == other.solver and self.legs == other.legs


@dataclass(frozen=True)
class Unfit:
    """A variant that cannot be run, with the reason."""

    name: str
    reason: str


def variants(
    scenario: Scenario,
    formulations: Sequence[str] = (ALL,),
    stabilizations: Sequence[str] = (),
    methods: Sequence[str] = (),
    steps: Sequence[Any] = (),
) -> tuple[list[Variant], list[Unfit]]:
    """Return all valid combinations of solver settings for a scenario, and the combinations that cannot be
    run.

    The arguments are those of `compare`. The name of a variant contains the settings that differ between
    variants. Raises BadInput for unknown names and options.
    """
    given = {
        "stabilization": _among("stabilization", stabilizations),
        "method": _among("method", methods),
        "step": [plain(step) for step in steps],
    }
    choices = {key: values for key, values in given.items() if values}
    varied = [key for key, values in choices.items() if len(values) > 1]
    found: list[Variant] = []
    unfit: dict[str, Unfit] = {}
    for text in _spelled_out(formulations):
        ways = [dict(zip(choices, values)) for values in product(*choices.values())]
        every = [_make(scenario, text, way, varied) for way in ways]
        _refuse_unused(text, every)
        for made in every:
            if isinstance(made, Unfit):
                unfit.setdefault(made.name, made)
            elif not any(map(made.flies_as, found)):
                found.append(made)
    return found, list(unfit.values())


def reference_variant(scenario: Scenario, name: str | None = None, steps: Sequence[Any] = ()) -> Variant:
    """Return the variant of the reference. Default: the default formulation with a tolerance of at most
    1e-12.

    - name: formulation with options. steps: the first step is used.

    Raises BadInput if the scenario cannot be run with the reference.
    """
    way: dict[str, Any] = {"step": plain(steps[0])} if steps else {}
    if name is None:
        way = {"stabilization": "projection", "method": "dop853", "tolerance": _tight}
    made = _make(scenario, name or DEFAULT, way, ())
    _refuse_unused(name or DEFAULT, [made])
    if isinstance(made, Unfit):
        raise BadInput(f"the reference formulation '{made.name}' cannot be flown: {made.reason}")
    return made if name else replace(made, name="reference")


def _tight(own: Solver) -> float:
    """Tolerance of the reference, from the tolerance of a solver."""
    return min(TIGHT, max(float(own.tolerance) / 100, TOLERANCES[0]))


def split(texts: Iterable[str]) -> list[str]:
    """Return the texts of single variants from texts in which commas separate the variants.

    After a comma, an item such as "form=implicit_1" is an option of the previous variant.
    """
    found: list[str] = []
    for text in texts:
        first = len(found)
        for piece in (piece.strip() for piece in text.split(",")):
            if len(found) > first and "=" in piece and ":" not in piece.partition("=")[0]:
                found[-1] += f",{piece}"
            elif piece:
                found.append(piece)
    return found


def _spelled_out(formulations: Sequence[str]) -> list[str]:
    names = [name for text in split(formulations) for name in (ENTRIES if text == ALL else (text,))]
    if not names:
        names = ", ".join(ENTRIES)
        raise BadInput(
            f"the list of formulations is empty. Give at least one formulation ({names}), or {ALL}"
        )
    return list(dict.fromkeys(names))


def _among(field: str, names: Sequence[str]) -> list[str]:
    """Names that a field of the solver allows. Raises BadInput."""
    known = get_args(Solver.model_fields[field].annotation)
    for name in (names := split(names)):
        if name not in known:
            raise BadInput(f"there is no {field} '{name}'; {near(name, known, 'allowed')}")
    return names


def _make(scenario: Scenario, text: str, way: Mapping[str, Any], varied: Iterable[str]) -> Variant | Unfit:
    """One variant, or the reason why there is none. way: settings of the solver, values or functions of the
    scenario's solver; varied: settings in its name."""
    kind, _ = _read(text)
    settings = _settings(scenario.solver, text, way)
    name = ", ".join([text, *(_value_text(settings[key]) for key in varied if key in settings)])
    mission = Mission.of(scenario)
    rigid = [leg for leg in scenario.legs if leg.coordinates == "rigid" and mission.leg(leg.name).joints]
    if scenario.legs and not rigid and kind != scenario.solver.formulation.kind:
        text = "no leg of the mission has rigid bodies with joints, so that formulations do not differ"
        return Unfit(name, f"{text}. Compare methods or steps")
    try:
        whole = _solver(scenario.solver, text, way)
        legs = {leg.name: _of_leg(scenario, leg, leg in rigid, text, way) for leg in scenario.legs}
    except _NoStep as error:
        return Unfit(name, str(error))
    except BadInput as error:
        raise BadInput(Problem(f"{text}: {p.place}", p.message) for p in error.problems) from None
    made = Variant(name, whole, legs)
    found = problems(made.of(scenario))
    return Unfit(name, "; ".join(map(str, found))) if found else made


class _NoStep(Exception):
    """The solver needs a step."""


def _settings(own: Solver, text: str, way: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a solver that a variant changes. own: the scenario's solver."""
    kind, options = _read(text)
    settings = {key: value for key, value in way.items() if key not in INAPPLICABLE.get(kind, ())}
    settings = {key: value(own) if callable(value) else value for key, value in settings.items()}
    settings |= {key: value for key, value in options.items() if _is_solvers(key, kind)}
    if not _needs_step(own, kind, settings) and "step" not in options:
        settings.pop("step", None)
    return settings


def _needs_step(own: Solver, kind: str, settings: Mapping[str, Any]) -> bool:
    return kind in STEPPING_THEMSELVES or settings.get("method", own.method) == "rk4"


def _solver(own: Solver, text: str, way: Mapping[str, Any]) -> Solver:
    """The solver of a variant. own: the scenario's solver. Raises _NoStep, and BadInput."""
    kind, options = _read(text)
    settings = _settings(own, text, way)
    if _needs_step(own, kind, settings) and settings.get("step", own.step) is None:
        raise _NoStep(f"the solver needs a fixed integration step. {STEP_REMEDY}")
    values = {key: getattr(own, key) for key in Solver.model_fields} | settings
    if "stabilization" in INAPPLICABLE.get(kind, ()) and values["stabilization"] == "baumgarte":
        values["stabilization"] = Solver.model_fields["stabilization"].default
    values["formulation"] = _as_declared(own, kind) | {
        key: value for key, value in options.items() if not _is_solvers(key, kind)
    }
    return Solver(**values)


def _of_leg(scenario: Scenario, leg: Leg, jointed: bool, text: str, way: Mapping[str, Any]) -> Solver:
    """The solver of a leg. jointed: whether it is rigid, and has joints. Raises _NoStep, and BadInput."""
    own = leg.solver or scenario.solver
    if jointed:
        return _solver(own, text, way)
    settings = {key: value for key, value in _settings(own, text, way).items() if key in ALWAYS}
    kind = own.formulation.kind
    if not _needs_step(own, kind, settings):
        settings.pop("step", None)
    elif settings.get("step", own.step) is None:
        raise _NoStep(f"the solver of leg '{leg.name}' needs a fixed integration step. {STEP_REMEDY}")
    return Solver(**{key: getattr(own, key) for key in Solver.model_fields} | settings)


def _read(text: str) -> tuple[str, dict[str, Any]]:
    """Kind of formulation and options of a variant's text. Raises BadInput."""
    kind, _, options = text.partition(":")
    if kind not in ENTRIES:
        raise BadInput(f"there is no formulation '{kind}'; {near(kind, ENTRIES, 'formulations')}")
    pieces = [piece.strip() for piece in options.split(",") if piece.strip()]
    for piece in pieces:
        if "=" not in piece:
            raise BadInput(
                f"formulation '{text}': '{piece}' is not an option. Write options as {kind}:OPTION=VALUE"
            )
    found = {key: plain(value) for key, value in map(setting, pieces)}
    for key in ("formulation", "kind"):
        if key in found:
            fix = f"Write the formulation before the colon, {found[key]}:OPTION=VALUE"
            raise BadInput(f"formulation '{text}': {key} is not an option. {fix}")
    return kind, found


def _is_solvers(key: str, kind: str) -> bool:
    """Whether an option belongs to the solver; an option of the formulation with the same name has
    priority."""
    choices = declarations_in(Solver.model_fields["formulation"].annotation).values()
    (mine,) = (choice for choice in choices if choice.model_fields["kind"].default == kind)
    return key in Solver.model_fields and key not in mine.model_fields


def _refuse_unused(text: str, every: Iterable[Variant | Unfit]) -> None:
    """Refuse options of a text that change none of its variants. Raises BadInput."""
    options = _read(text)[1]
    unused = [_unused_options(made.solver) for made in every if isinstance(made, Variant)]
    for key in options:
        if unused and all(key in vain for vain in unused):
            fault = f"the option {key} has no effect here. The option is {unused[0][key]}"
            raise BadInput(f"formulation '{text}': {fault}. Remove the option {key}")


def _unused_options(solver: Solver) -> dict[str, str]:
    """Options without effect in combination with the others, and the purpose of each."""
    kind = solver.formulation.kind
    found = dict.fromkeys(INAPPLICABLE.get(kind, ()), f"not for {kind}")
    for path, purpose in solver.unused_settings().items():
        key = path.removeprefix("formulation.")
        if key != path or _is_solvers(key, kind):
            found[key] = purpose
    return found


def _as_declared(solver: Solver, kind: str) -> dict[str, Any]:
    """The scenario's formulation if it is of this kind, else the kind alone."""
    mine = solver.formulation
    if mine.kind != kind:
        return {"kind": kind}
    return {key: getattr(mine, key) for key in type(mine).model_fields}


def _value_text(value: Any) -> str:
    return value if isinstance(value, str) else f"{float(value):g} s"
