"""Declaration of one dispersion: an input and its probability distribution."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import BeforeValidator, StrictInt, field_validator, model_validator

from ...tree.declaration import Declaration
from ...tree.errors import Refused
from ...tree.formula import FormulaError, parse
from ...tree.sentences import count_text
from ...tree.similar_names import near
from ..amounts import value_text

Kind = Literal["known", "day", "flight"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Kinds of dispersions in the order of the nested loops, the outer loop first."""
SUM_ERROR = 1e-9
"""Allowed error of a sum of probabilities. Users often round probabilities to about ten digits."""
SPREADS = ("sigma", "three_sigma", "bounds", "delta")
"""Keys that set the width of a distribution. Exactly one of these keys must be set."""
FAMILIES: dict[str, tuple[str, ...]] = {
    "normal": ("mean", "sigma", "three_sigma", "bounds", "delta", "coverage"),
    "lognormal": ("mean", "sigma", "three_sigma", "bounds", "coverage"),
    "uniform": ("mean", "sigma", "bounds", "delta", "coverage"),
    "triangular": ("mode", "bounds", "delta"),
    "beta": ("mean", "sigma", "bounds", "delta", "parameters"),
    "weibull": ("parameters",),
    "rayleigh": ("parameters",),
}
"""Names of the distributions. The values are the keys that each distribution uses."""
PARAMETERS = {
    "beta": ("alpha", "beta"),
    "weibull": ("shape", "scale", "location"),
    "rayleigh": ("scale", "location"),
}
"""For each distribution with a table `parameters`, the names in this table."""
SHAPES = {"beta": ("alpha", "beta"), "weibull": ("shape",)}
"""For each distribution, the dimensionless names in the table `parameters`."""
MOST_SHIFT, MOST_WIDEN = 10, 3
"""Largest shift and largest widening factor of importance sampling. All scores therefore stay within 35,
where probabilities are above 1e-267.
"""
COVERAGES = (1e-6, 1 - 1e-12)
"""Smallest and largest coverage of bounds. The corresponding standard normal scores are 1.3e-6 and 7.1."""
LIMITS = ("min", "max", "truncate")
OF_DISTRIBUTIONS = (*dict.fromkeys(key for keys in FAMILIES.values() for key in keys), *LIMITS)
WAYS = {
    "distribution": (*OF_DISTRIBUTIONS, "shared", "lot", "lot_sigma", "lot_share", "importance"),
    "values": ("probabilities", "shared", "lot", "lot_share", "importance"),
    "choose": ("value", "probabilities", "importance"),
    "file": ("columns", "rows"),
    "formula": (),
}
"""Types of a dispersion, by the key that selects the type. The values are the other keys that each type
uses.
"""


def _pure_number(value: Any) -> Any:
    """Reject other values than numbers, also texts, which pydantic would convert. Raises Refused."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Refused(
            ("", f"{value_text(value)} is not a number. Give a number without unit, for example 0.5")
        )
    return value


Number = Annotated[float, BeforeValidator(_pure_number)]
"""A plain number without a unit and without quotes."""


class Importance(Declaration):
    """Importance sampling of one dispersion: a distribution of the draws in which important cases are more
    frequent. The weights of the cases correct the statistics."""

    shift: Number = 0.0
    """Shift of the draws in standard deviations, -10 to 10. For distributions other than the normal
    distribution, the value is the shift of the standard normal score."""
    widen: Number = 1.0
    """Factor of the standard deviation of the draws, 1 to 3."""
    probabilities: tuple[Number, ...] | None = None
    """Probabilities with which discrete values are drawn."""

    @model_validator(mode="after")
    def _check(self) -> Importance:
        if not abs(self.shift) <= MOST_SHIFT:
            text = f"shift = {self.shift:g} is out of range. Give -{MOST_SHIFT} to {MOST_SHIFT}"
            raise Refused(("shift", text))
        if not 1 <= self.widen <= MOST_WIDEN:
            text = f"widen = {self.widen:g} is out of range. Give 1 to {MOST_WIDEN}"
            raise Refused(("widen", f"{text}, because narrower draws have unbounded weights"))
        normal = self.shift != 0 or self.widen != 1
        if normal and self.probabilities is not None:
            raise Refused(
                (
                    "probabilities",
                    (
                        "'probabilities' is set together with 'shift' or 'widen'. Remove 'probabilities', "
                        "or remove 'shift' and 'widen'"
                    ),
                )
            )
        if not normal and self.probabilities is None:
            raise Refused(
                (
                    "",
                    (
                        "'importance' is empty and has no effect. Set 'shift', 'widen' or 'probabilities', "
                        "or remove 'importance'"
                    ),
                )
            )
        if self.probabilities is not None:
            check_drawn(self.probabilities)
        return self


class Dispersion(Declaration):
    """One dispersed input, or several inputs with the same dispersion.

    The dispersed input is a distribution, discrete `values`, a choice of failed members (`choose`), rows of a
    `file`, or a `formula` of other dispersions. Values have units as in a scenario, or are in per cent of the
    scenario's value, "2 %"."""

    name: str
    """Name in tables, formulas and files. The random numbers depend on it."""
    path: str | tuple[str, ...] = ()
    """Path of the input: "devices.spring.stiffness"; "devices.*.stiffness" with * for any part of a name, or
    the name of a pattern; "bodies.payload.mass_centre.x" or "[0]" for an element. Several inputs are drawn
    independently. Default: none, for a value that formulas use."""
    kind: Kind = "flight"
    """When the value is fixed. "known": the input is measured for each vehicle; "day": on the day of launch;
    "flight": in flight."""
    distribution: str | None = None
    """Name of the distribution: normal, lognormal, uniform, triangular, beta, weibull, rayleigh, or a
    continuous distribution of scipy.stats. Default: "normal" if a spread is set."""
    mean: Any = None
    """Mean. Default: the scenario's value, or the middle of the bounds."""
    mode: Any = None
    """Most likely value of a triangular distribution. Default: the scenario's value."""
    sigma: Any = None
    """Standard deviation."""
    three_sigma: Any = None
    """Three standard deviations."""
    bounds: tuple[Any, Any] | None = None
    """Lower and upper bound."""
    delta: Any = None
    """Distance of both bounds from the mean or mode."""
    coverage: Number | None = None
    """Probability between the bounds, 0 to 1, exclusive. Required for normal and lognormal. Default for
    uniform: 1."""
    parameters: dict[str, Any] | None = None
    """Parameters of other distributions, by name. The parameters of scipy.stats distributions are the shapes,
    `loc` and `scale`."""
    min: Any = None
    """Smallest value. The distribution is truncated at this value."""
    max: Any = None
    """Largest value. The distribution is truncated at this value."""
    truncate: Number | None = None
    """Number of standard deviations on both sides of the mean at which the distribution is truncated."""
    values: tuple[Any, ...] | None = None
    """Discrete values."""
    probabilities: tuple[Number, ...] | None = None
    """Probability of each of `values`, or of each number in `choose`. Default: equal."""
    choose: StrictInt | tuple[StrictInt, ...] | None = None
    """Exact number of inputs that get `value`; or several such numbers, with `probabilities`. The others keep
    the scenario's value. All inputs are equally likely to be chosen."""
    value: Any = None
    """Value of the chosen inputs, for example 0 for a spring that is missing."""
    file: str | None = None
    """CSV file whose rows are drawn, relative to the folder of the study. Each row is one set of inputs."""
    columns: dict[str, str] | None = None
    """Path of the input that each column sets. Default: the names of the columns are paths."""
    rows: Literal["random", "in_order"] = "random"
    """Draw rows with replacement, or use row i for case i."""
    formula: str | None = None
    """Formula of other dispersions, by name and in SI: "0.5 * stiffness * stroke^2". `nominal` is the
    scenario's value."""
    shared: bool = False
    """Whether all inputs of the path share one draw."""
    lot: str | None = None
    """Name of a lot. The members of a lot have a common part, which is drawn once for each case, and a part
    of their own."""
    lot_sigma: Any = None
    """Standard deviation of the common part; `sigma` is the standard deviation of each member's own part."""
    lot_share: Number | None = None
    """Fraction of the variance in the common part, which is the correlation between two members. The declared
    spread is the spread of both parts together."""
    importance: Importance | None = None
    """Importance sampling of this dispersion. Default: none."""

    @property
    def place(self) -> str:
        """Return the path of the dispersion in messages."""
        return f"dispersions.{self.name}"

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the paths of all inputs, as declared."""
        return (self.path,) if isinstance(self.path, str) else self.path

    @property
    def way(self) -> str:
        """Return the type of the dispersion: "distribution", "values", "choose", "file" or "formula"."""
        return next(way for way in ("values", "choose", "file", "formula", "distribution") if self._uses(way))

    @property
    def family(self) -> str:
        """Return the name of the distribution. Default: "normal"."""
        return self.distribution or "normal"

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the possible numbers of failed members, from `choose`."""
        return (self.choose,) if isinstance(self.choose, int) else self.choose or ()

    def _uses(self, way: str) -> bool:
        spread = way == "distribution" and any(getattr(self, key) is not None for key in OF_DISTRIBUTIONS)
        return spread or getattr(self, way) is not None

    @model_validator(mode="after")
    def _check(self) -> Dispersion:
        problems = [*self._path_problems(), *self._way_problems()]
        if not problems:
            checks = {
                "distribution": self._distribution_problems,
                "values": self._values_problems,
                "choose": self._choose_problems,
                "formula": self._formula_problems,
                "file": lambda: iter(()),
            }
            problems = [*checks[self.way](), *self._lot_problems(), *self._importance_problems()]
        if problems:
            raise Refused(*problems)
        return self

    def _path_problems(self) -> Iterator[tuple[str, str]]:
        if not self.name.strip():
            yield "name", "the name of the dispersion is empty. Give a name"
        if not all(path.strip() for path in self.paths):
            yield "path", 'the path of the input is empty. Give a path, for example "bodies.payload.mass"'
        if self.shared and not self.paths:
            yield "shared", "'shared' has no effect without 'path'. Remove 'shared', or set 'path'"

    def _way_problems(self) -> Iterator[tuple[str, str]]:
        ways = [way for way in WAYS if self._uses(way)]
        if len(ways) != 1:
            fault = f"{' and '.join(ways)} are set together" if ways else "the dispersion has no distribution"
            yield (
                "",
                (
                    f"{fault}. Set a spread such as 'sigma', or one of the keys 'values', 'choose', "
                    "'file' and 'formula'"
                ),
            )
            return
        (way,) = ways
        known = {*WAYS[way], *(("path",) if way != "file" else ())}
        for key in dict.fromkeys(key for keys in WAYS.values() for key in keys):
            default = type(self).model_fields[key].default
            if getattr(self, key) != default and key not in known:
                yield key, f"{key} has no effect with {way}. Remove {key}"
        if self.paths and way == "file":
            yield (
                "path",
                (
                    "'path' has no effect with 'file', because the columns of the file have the paths of "
                    "inputs. Remove 'path', or set 'columns'"
                ),
            )
        if not self.paths and way == "choose":
            yield (
                "path",
                (
                    "'path' is required with 'choose'. Give inputs, for example path = "
                    '"devices.spring.strength"'
                ),
            )

    def _distribution_problems(self) -> Iterator[tuple[str, str]]:
        family = self.family
        if family not in FAMILIES:
            yield from self._scipy_problems()
            return
        used = FAMILIES[family]
        for key in OF_DISTRIBUTIONS:
            if getattr(self, key) is not None and key not in (*used, *LIMITS, "distribution"):
                yield (
                    key,
                    f"{key} has no effect with a {family} distribution. Allowed keys: {', '.join(used)}",
                )
        yield from self._parameter_problems(PARAMETERS.get(family, ()), family)
        yield from self._spread_problems(family, used)
        if self.coverage is not None and not COVERAGES[0] <= self.coverage <= COVERAGES[1]:
            text = (
                f"coverage = {self.coverage:g} is out of range. Give a probability between 0 and 1, such "
                "as 0.9973"
            )
            yield "coverage", text
        if self.truncate is not None and not 0 < self.truncate < np.inf:
            text = (
                f"truncate = {self.truncate:g} is not positive. Give a number of standard deviations, such "
                "as 3"
            )
            yield "truncate", text

    def _spread_problems(self, family: str, used: Collection[str]) -> Iterator[tuple[str, str]]:
        given = [key for key in SPREADS if getattr(self, key) is not None and key in used]
        if family == "beta":
            yield from self._beta_problems(given)
            return
        allowed = [key for key in SPREADS if key in used]
        if allowed and len(given) != 1:
            fault = f"{' and '.join(given)} are set together" if given else "the dispersion has no spread"
            yield "", f"{fault}. Set exactly one of {', '.join(allowed)}"
        bounded = "bounds" in given or "delta" in given
        if self.coverage is not None and "coverage" in used and not bounded:
            yield "coverage", "'coverage' has no effect without 'bounds' or 'delta'. Remove 'coverage'"
        if family in ("normal", "lognormal") and bounded and self.coverage is None:
            which = "bounds" if "bounds" in given else "delta"
            text = (
                f"'{which}' needs the key 'coverage'. Set, for example, coverage = 0.9973 if '{which}' is "
                "three sigma"
            )
            yield which, text
        if self.mean is not None and "bounds" in given:
            yield (
                "mean",
                ("'mean' has no effect with 'bounds'. Remove 'mean', or use 'delta' instead of 'bounds'"),
            )

    def _beta_problems(self, given: list[str]) -> Iterator[tuple[str, str]]:
        if ("bounds" in given) == ("delta" in given):
            yield "", "a beta distribution needs either 'bounds' or 'delta'. Set one of these keys"
        if (self.parameters is not None) == (self.sigma is not None):
            yield (
                "",
                (
                    "a beta distribution needs either 'parameters' or 'sigma'. Set parameters alpha and beta,"
                    " or 'mean' and 'sigma'"
                ),
            )

    def _parameter_problems(self, known: tuple[str, ...], family: str) -> Iterator[tuple[str, str]]:
        given = self.parameters or {}
        if self.parameters is None and (not known or family == "beta"):
            return
        for key in given:
            if key not in known:
                yield f"parameters.{key}", f"unknown parameter; {near(key, known, 'allowed')}"
        missing = [key for key in known if key not in given and key not in ("loc", "location", "scale")]
        missing += ["scale"] if "scale" in known and "scale" not in given and family in FAMILIES else []
        if missing and {*given} <= {*known}:
            yield "parameters", f"a {family} distribution needs {' and '.join(missing)}. Set these parameters"
        for key in SHAPES.get(family, ()):
            if key in given and not _is_positive(given[key]):
                text = (
                    f"{value_text(given[key])} is not a positive number. Give a number above 0, for example 2"
                )
                yield f"parameters.{key}", text

    def _scipy_problems(self) -> Iterator[tuple[str, str]]:
        from .scipy_names import continuous, shapes_of

        known = continuous()
        if self.family not in known:
            gauss = self.family.lower().startswith("gaus")
            hint = 'write "normal"' if gauss else near(self.family, [*FAMILIES, *known], "known")
            yield "distribution", f"there is no distribution '{self.family}'; {hint}"
            return
        for key in OF_DISTRIBUTIONS:
            if getattr(self, key) is not None and key not in ("distribution", "parameters", *LIMITS):
                text = (
                    f"{key} has no effect with a distribution of scipy.stats. Use parameters, with"
                    " loc and scale"
                )
                yield key, text
        yield from self._parameter_problems((*shapes_of(self.family), "loc", "scale"), self.family)

    def _values_problems(self) -> Iterator[tuple[str, str]]:
        if len(self.values or ()) < 2:
            yield (
                "values",
                (
                    "the list has fewer than two values. Give at least two values, or set the value in"
                    " the scenario"
                ),
            )
        yield from probability_problems(self.probabilities, len(self.values or ()), "probabilities")

    def _choose_problems(self) -> Iterator[tuple[str, str]]:
        counts = self.counts
        if not counts or min(counts) < 0 or max(counts) < 1:
            yield (
                "choose",
                (
                    f"{value_text(self.choose)} does not choose any input. Give a number of inputs, for"
                    " example 1"
                ),
            )
        if len({*counts}) < len(counts):
            yield "choose", "a number is listed twice. List each number once, with its probability"
        if self.value is None:
            yield (
                "value",
                (
                    "'value' is required with 'choose'. Give the value of the chosen inputs, for "
                    "example value = 0"
                ),
            )
        yield from probability_problems(self.probabilities, len(counts), "probabilities")

    def _formula_problems(self) -> Iterator[tuple[str, str]]:
        try:
            parse(self.formula or "")
        except FormulaError as error:
            yield "formula", str(error)

    def _lot_problems(self) -> Iterator[tuple[str, str]]:
        if self.lot is None:
            for key in ("lot_sigma", "lot_share"):
                if getattr(self, key) is not None:
                    yield (
                        key,
                        (f"{key} has no effect without the key 'lot'. Set, for example, lot = \"springs\""),
                    )
            return
        if self.shared:
            yield (
                "shared",
                (
                    "'shared' and 'lot' are both set, but shared inputs have equal values. "
                    "Remove 'shared' or 'lot'"
                ),
            )
        if (self.lot_sigma is None) == (self.lot_share is None):
            yield (
                "lot",
                (
                    "a lot needs either 'lot_share' or 'lot_sigma', its common part. Set 'lot_share', or"
                    " 'lot_sigma' and 'sigma'"
                ),
            )
        if self.lot_sigma is not None and self.sigma is None:
            yield (
                "lot_sigma",
                "'lot_sigma' needs 'sigma', the standard deviation within the lot. Set "
                "'sigma', or use 'lot_share'",
            )
        if self.lot_share is not None and not 0 < self.lot_share < 1:
            text = (
                f"lot_share = {self.lot_share:g} is out of range. Give a fraction between 0 and 1. For 1, "
                "set shared = true"
            )
            yield "lot_share", text

    def _importance_problems(self) -> Iterator[tuple[str, str]]:
        one = self.importance
        if one is None:
            return
        discrete = self.way in ("values", "choose")
        if discrete != (one.probabilities is not None):
            text = (
                "discrete values. Set importance.probabilities, one probability for each value"
                if discrete
                else "a continuous distribution. Set importance.shift or importance.widen"
            )
            yield "importance", f"'importance' has no effect: this input has {text}"
            return
        if one.probabilities is None:
            return
        count = len(self.values or self.counts)
        if len(one.probabilities) != count:
            text = (
                f"the list has {count_text(len(one.probabilities), 'numbers')} for {count} values."
                " Give one number for each value"
            )
            yield "importance.probabilities", text
        if self.lot is not None:
            yield (
                "importance",
                "discrete values cannot have both 'importance' and 'lot'. Remove 'importance' or 'lot'",
            )

    @field_validator("parameters", "columns", mode="before")
    @classmethod
    def _table(cls, value: Any) -> Any:
        if value is not None and not isinstance(value, dict):
            raise Refused(("", f"{value_text(value)} is not a table. Write {{ name = value }}"))
        return value


def _is_positive(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and np.isfinite(value) and value > 0


def probability_problems(given: Any, count: int, key: str) -> Iterator[tuple[str, str]]:
    """Yield pairs (key, message) for problems of declared probabilities.

    - given: the probabilities. None: equal probabilities, without problems.
    - count: number of discrete values.
    - key: key of the probabilities in messages.
    """
    if given is None:
        return
    if len(given) != count:
        yield (
            key,
            (
                f"the list has {count_text(len(given), 'probabilities')} for {count} values. Give one "
                "probability for each value"
            ),
        )
    elif not all(np.isfinite(p) and p >= 0 for p in given):
        worst = next(p for p in given if not (np.isfinite(p) and p >= 0))
        yield key, f"{worst:g} is not a probability. Give numbers from 0 to 1"
    elif abs(sum(given) - 1) > SUM_ERROR:
        yield key, f"the sum of the probabilities is {sum(given):.10g}, not 1. Correct the probabilities"


def check_drawn(given: tuple[float, ...]) -> None:
    """Check the probabilities of importance sampling, which must all be above zero. Raises Refused."""
    for problem in probability_problems(given, len(given), "probabilities"):
        raise Refused(problem)
    if min(given) == 0:
        raise Refused(
            (
                "probabilities",
                "a probability is 0, so that its value is never drawn. Give probabilities above 0",
            )
        )
