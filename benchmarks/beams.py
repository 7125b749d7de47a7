"""Beams compared with Exudyn's at equal accuracy, by time per simulated second, and how our time grows with
elements."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from . import beam_case as case
from .lines import Line
from .timing import in_turn, median_ratio

Clock = Callable[[], float]

STAGES = 4
SIZES = (10, 20, 40, 80)
EXPONENT = 1.15
BESIDE = 1.0


class Code(NamedTuple):
    """A code: its elements, and how far its ends are from its truth [m]."""

    fly: Callable[[], Any]
    error: float
    label: str


def ours(name: str, elements: int, mass_matrix: str) -> Code:
    """Interstage."""
    from . import beam_ours

    tube = case.TUBES[name]
    flight = beam_ours.Flight(tube, elements, case.SAMPLES, mass_matrix)
    return Code(flight.fly, case.error(flight.ends(), case.TRUTHS[name]), f"{elements} {mass_matrix}")


def exudyn(name: str, kind: str, elements: int, steps: int) -> Code:
    """Exudyn's geometrically exact beams or cables."""
    from . import beam_exudyn

    model = beam_exudyn.Model(case.TUBES[name], kind, elements, steps)
    truth = case.TRUTHS[name if kind == "exact" else f"{name}, no shear"]
    return Code(model.fly, case.error(model.fly(), truth), f"{elements} {kind}, {steps} steps")


def compare(name: str, own: Code, peers: list[Code], repeats: int, clock: Clock) -> Iterator[Line]:
    """A beam of ours compared with peers that are not much less accurate."""
    runs = {"ours": own.fly} | {peer.label: peer.fly for peer in peers}
    times = in_turn(runs, repeats, clock)
    duration = case.TUBES[name].duration

    def shown(label: str) -> str:
        return f"{statistics.median(times[label]) / duration:.3f} s/s"

    for peer in peers:
        yield Line(
            f"{name} beam, {own.label}",
            shown("ours"),
            f"Exudyn {shown(peer.label)}",
            median_ratio(times["ours"], times[peer.label]),
            at_most=BESIDE,
            accuracy=f"ours {own.error:.0e} m; {peer.label} {peer.error:.0e} m",
        )


def growth(repeats: int, clock: Clock) -> Iterator[Line]:
    """Our time per right-hand side for more and more elements."""
    from . import beam_ours

    for way in ("lumped", "consistent"):
        flights = {n: beam_ours.Flight(case.SOFT, n, case.SAMPLES, way) for n in SIZES}
        times = in_turn({str(n): flight.fly for n, flight in flights.items()}, repeats, clock)
        each = [statistics.median(times[str(n)]) / (STAGES * flights[n].steps) for n in SIZES]
        exponent = float(np.polyfit(np.log(SIZES), np.log(each), 1)[0])
        shown = ", ".join(f"{1e6 * one:.1f}" for one in each)
        yield Line(
            f"{way}, right-hand side, growth",
            f"{shown} us",
            f"{SIZES[0]} to {SIZES[-1]} elements",
            exponent,
            at_most=EXPONENT,
        )


def beams(repeats: int, clock: Clock) -> Iterator[Line]:
    """All lines of beams."""
    soft = [exudyn("soft", "cable", 40, 200), exudyn("soft", "exact", 40, 500)]
    yield from compare("soft", ours("soft", 40, "lumped"), soft, repeats, clock)
    boom = [exudyn("boom", "cable", 40, 200), exudyn("boom", "cable", 10, 200)]
    yield from compare("boom", ours("boom", 10, "consistent"), boom, repeats, clock)
    yield from compare("boom", ours("boom", 40, "lumped"), boom[:1], repeats, clock)
    yield from growth(repeats, clock)
