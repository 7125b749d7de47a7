"""Read the values of a dispersion for one input. The results are in SI units, or are factors of an array in
the scenario.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...programs.targets import Target
from ...tree.errors import BadInput, Problem
from ...tree.unit_names import UnitError
from ...tree.units import PURE_UNITS, SI, parse_quantity
from ..amounts import RATIO, refuse_parts, value_text, written

AROUND = ("sigma", "three_sigma", "delta", "lot_sigma")
"""Keys with values that are spreads or differences, not values of the input."""
SIZES = (1e-100, 1e100)
"""Smallest and largest magnitude of values other than zero. Within these limits, powers up to the third are
finite.
"""


@dataclass(frozen=True)
class Amounts:
    """Reader of the values of a dispersion for one input.

    - place: path of the dispersion in messages.
    - target: the input.
    - factor: whether the values are factors of the array in the scenario. The factor 1 leaves the array
      unchanged.
    - latent: whether the input is not in the scenario, so that only formulas use its value.
    """

    place: str
    target: Target
    factor: bool
    latent: bool = False

    @property
    def name(self) -> str:
        """Return the path of the input for messages."""
        return self.target.name.removesuffix(".magnitude")

    @property
    def nominal(self) -> float | None:
        """Return the scenario value of the input [SI], or 1 if the values are factors. Return None if only
        formulas use the input.
        """
        return None if self.latent else 1.0 if self.factor else float(self.target.nominal)

    def problem(self, key: str, text: str) -> BadInput:
        """Return an error with a text about a key of the dispersion."""
        return BadInput(Problem(f"{self.place}.{key}" if key else self.place, text))

    def read(self, key: str, raw: Any) -> float:
        """Return a value in SI, or as a factor of the array. key: key of the value. raw: value as the user
        wrote it.

        Raises BadInput for an invalid value.
        """
        if isinstance(raw, str) and (match := RATIO.fullmatch(raw)):
            return self._part(key, float(match[1]) / 100)
        if self.factor:
            shape = " by ".join(map(str, np.shape(self.target.nominal)))
            text = f"{self.name} has {shape} numbers. Give values in %, which scale all numbers together"
            first = [0] * np.ndim(self.target.nominal)
            raise self.problem(key, f"{text}, or give the path of one number, {self.name}{first}")
        unit = self.target.marker.unit
        number = isinstance(raw, (int, float)) and not isinstance(raw, bool)
        if number and raw != 0 and unit not in PURE_UNITS:
            fix = (
                f'Write {key.rpartition(".")[2]} = "{raw:g} {unit}", or a percentage of the value in'
                " the scenario"
            )
            raise self.problem(key, f"{raw:g} has no unit, but {self.name} is in {unit}. {fix}")
        try:
            return self._usual(key, raw, float(self.target.read(raw, signed=True)))
        except UnitError as error:
            raise self.problem(key, str(error)) from None

    def _usual(self, key: str, raw: Any, value: float) -> float:
        """The value, which must have a size with which distributions can be computed."""
        if value != 0 and not SIZES[0] <= abs(value) <= SIZES[1]:
            text = (
                f"{written(raw)} is out of range. Give zero, or an absolute value from {SIZES[0]:g}"
                f" to {SIZES[1]:g} in SI"
            )
            raise self.problem(key, text)
        return value

    def _part(self, key: str, part: float) -> float:
        """A value in per cent of the scenario's value."""
        if self.latent:
            text = f"{round(100 * part, 10):g} % has no reference value, because the dispersion has no path"
            raise self.problem(key, f"{text}. Give a value with a unit")
        refuse_parts(self.target, f"{self.place}.{key}", key.split(".")[0] in AROUND)
        nominal = self.nominal
        assert nominal is not None
        return self._usual(key, f"{100 * part:g} %", part * (abs(nominal) if key in AROUND else nominal))

    def positive(self, key: str, raw: Any) -> float:
        """Return the value of a key that must be positive, as `read` does. Raises BadInput."""
        found = self.read(key, raw)
        if not found > 0:
            raise self.problem(key, f"{written(raw)} is not positive. Give a value above zero")
        return found

    def level(self, key: str, raw: Any) -> np.ndarray:
        """Return one of the discrete values of an input in SI, as an array with the shape of the input.

        The value can be infinite if the input can be infinite. Raises BadInput for an invalid value.
        """
        if isinstance(raw, str) and (match := RATIO.fullmatch(raw)):
            refuse_parts(self.target, f"{self.place}.{key}", False)
            return np.asarray(float(match[1]) / 100 * self.target.nominal)
        unit = self.target.marker.unit
        bare = isinstance(raw, (int, float)) and not isinstance(raw, bool)
        if bare and np.isfinite(raw) and raw != 0 and unit not in PURE_UNITS:
            raise self.problem(
                key, f'{raw:g} has no unit, but {self.name} is in {unit}. Write "{raw:g} {unit}"'
            )
        try:
            return np.asarray(self.target.read(raw, single=True))
        except UnitError as error:
            raise self.problem(key, str(error)) from None


def latent_target(name: str, values: list[Any], place: str) -> Target:
    """Return a target for a random input that is not in the scenario. Only formulas use an input that is not
    in the scenario.

    - values: declared values. The first text with a unit sets the unit.
    - place: path of the dispersion in messages.

    Raises BadInput for an invalid unit.
    """
    unit = "1"
    texts = [value for value in values if isinstance(value, str) and not RATIO.fullmatch(value)]
    if texts:
        try:
            unit = parse_quantity(texts[0])[1]
        except UnitError as error:
            raise BadInput(Problem(place, f"{value_text(texts[0])}: {error}")) from None
    return Target(name, (), np.array(np.nan), replace(SI(unit), endless=False))
