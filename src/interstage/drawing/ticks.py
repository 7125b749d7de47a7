"""Select the tick values of an axis, and format them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

STEPS = (1, 2, 5)
"""Steps between the numbers of an axis, for multiplication by a power of ten."""
PLAIN = (1e-3, 1e5)
"""Range of values whose numbers are shown without a power of ten."""
LONGEST = 8
"""Maximum length of a number, in characters.

If numbers are longer than this, they are shown relative to a round value near the start of the axis.
"""
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Fits = Callable[[list[float], list[str]], bool]


@dataclass(frozen=True)
class Ticks:
    """Ticks of an axis.

    - at, texts: positions and texts of the major ticks.
    - minor: positions of the minor ticks.
    - label: label of the axis.
    """

    at: list[float]
    texts: list[str]
    minor: list[float]
    label: str


def linear(low: float, high: float, label: str, most: int, fits: Fits, steps: Sequence[float] = ()) -> Ticks:
    """Return the ticks of a linear axis, with the roundest possible values.

    - low, high: ends of the axis.
    - label: label of the axis.
    - most: maximum number of ticks.
    - fits: function that returns whether the texts fit without overlap.
    - steps: allowed distances between ticks. Default: round steps.
    """
    size = max(abs(low), abs(high))
    power = 0 if PLAIN[0] <= size < PLAIN[1] else 3 * math.floor(math.log10(size) / 3)
    given = [Decimal(step) for step in steps if step * most >= high - low]
    for step in given or _steps(high - low, most):
        rows = _multiples(low, high, step)
        at, texts, label_of = _written(rows, step, Decimal(0), power)
        if max(map(len, texts), default=0) > LONGEST:
            at, texts, label_of = _from_near(low, high, step, rows)
        if fits(at, texts):
            return Ticks(at, texts, [], label_of(label))
        if len(at) <= 1:
            break
    return Ticks([], [], [], label)


def _steps(span: float, most: int) -> Iterator[Decimal]:
    """Yield round steps that divide a span into at most `most` parts, the smallest first."""
    power = math.floor(math.log10(span / most)) - 1
    for exponent in range(power, power + 5):
        for mantissa in STEPS:
            step = Decimal(mantissa).scaleb(exponent)
            if float(step) * most >= span * (1 - 1e-9):
                yield step


def _multiples(low: float, high: float, step: Decimal) -> list[Decimal]:
    slack = 1e-9 * (high - low) / float(step)
    first, last = math.ceil(low / float(step) - slack), math.floor(high / float(step) + slack)
    return [step * k for k in range(first, last + 1)]


Written = tuple[list[float], list[str], Callable[[str], str]]


def _written(rows: list[Decimal], step: Decimal, base: Decimal, power: int) -> Written:
    """Return positions, texts after subtraction of a base and division by a power of ten, and the label."""
    scaled = step.scaleb(-power).normalize()
    digits = max(0, -int(scaled.as_tuple().exponent))
    texts = [f"{(row - base).scaleb(-power):.{digits}f}".replace("-", "−") for row in rows]
    texts = [text.replace("−0", "0") if not float(row - base) else text for text, row in zip(texts, rows)]
    return [float(row) for row in rows], texts, lambda label: _label(label, base, power)


def _from_near(low: float, high: float, step: Decimal, rows: list[Decimal]) -> Written:
    """Numbers relative to a rounder number near the start of an axis."""
    coarse = Decimal(1).scaleb(math.ceil(math.log10(high - low)))
    base = coarse * math.floor(low / float(coarse))
    size = max(abs(high - float(base)), abs(low - float(base)))
    power = 0 if PLAIN[0] <= size < PLAIN[1] else 3 * math.floor(math.log10(size) / 3)
    return _written(rows, step, base, power)


def _label(label: str, base: Decimal, power: int) -> str:
    """Return a label with the base and the power of ten of its numbers."""
    what, _, unit = label.rpartition(" [") if label.endswith("]") else (label, "", "")
    if base:
        sign, size = ("−", base) if base > 0 else ("+", -base)
        what = f"{what} {sign} {size.normalize():f}"
    if power:
        unit = f"{ten(power)} {unit}" if unit else f"{ten(power)}]"
    return f"{what} [{unit}" if unit else what


def logarithmic(low: float, high: float, label: str, most: int, fits: Fits) -> Ticks:
    """Return the ticks of a logarithmic axis, at as many powers of ten as fit. Arguments: see `linear`.

    If the axis has fewer than two powers of ten, the ticks are at 1, 2 and 5 times each power.
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    powers = [k for k in range(first, last + 1) if low * (1 - 1e-9) <= 10.0**k <= high * (1 + 1e-9)]
    minor = [m * 10.0**k for k in range(first, last + 1) for m in range(2, 10)] if len(powers) <= most else []
    minor = [value for value in minor if low <= value <= high]
    if len(powers) < 2:
        pairs = [(m, k) for k in range(first, last + 1) for m in (1, 2, 5)]
        pairs = [(m, k) for m, k in pairs if low <= m * 10.0**k <= high]
        at, texts = [m * 10.0**k for m, k in pairs], [_power(m, k) for m, k in pairs]
        if fits(at, texts):
            return Ticks(at, texts, minor, label)
    for every in range(max(1, -(-len(powers) // most)), len(powers) + 1):
        kept = [k for k in powers if k % every == 0]
        at, texts = [10.0**k for k in kept], [_power(1, k) for k in kept]
        if fits(at, texts):
            return Ticks(at, texts, minor if every == 1 else [10.0**k for k in powers], label)
    return Ticks([], [], minor, label)


def _power(mantissa: int, power: int) -> str:
    """Return mantissa 10^power, in plain notation if this is short."""
    if -2 <= power <= 3:
        return f"{Decimal(mantissa).scaleb(power):f}"
    return ten(power) if mantissa == 1 else f"{mantissa}·{ten(power)}"


def ten(power: int) -> str:
    """Return a power of ten as text, for example 10⁻³."""
    return "10" + str(power).translate(SUPERSCRIPTS)
