"""Multi-blade (Coleman) coordinates: collective motions of equal blades in the non-rotating frame.

For n blades with azimuths psi_k, the coordinate of blade k is

    q_k = c + sum over m of (a_m cos m psi_k + b_m sin m psi_k) + (-1)^k d,   m = 1 to (n - 1)/2,

where the differential coordinate d exists if n is even. With the states x = P(psi) z, the equations are z' =
P^-1 (A P - P') z + P^-1 B u. The equations are constant if all blades are equal and nothing else depends on
the azimuth.

Sources: R. P. Coleman and A. M. Feingold, NACA Report 1351 (1958), for n = 3 and more; K. H. Hohenemser and
S.-K. Yin, J. Am. Helicopter Soc. 17(3), 1972, for any n.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...linear.matrices import Group, State
from ...linear.points import Point
from ...linear.rotor import STANDING, Rotor, sense
from ...linear.shaft import Turning, turning
from ...linear.system import System
from ...tree.errors import BadInput, Problem
from .result import Linear

INVARIANT = 1e-6
"""Difference of A between azimuths, relative to its largest entry, that counts as zero. This limit covers the
numerical error of a flight.
"""
ROUNDED = 1e-12
"""Magnitude relative to the largest entry of A below which an entry counts as rounding."""
LOOKS = 4
"""Number of additional azimuths at which A is compared. A is always compared at the original azimuth and
after a rotation by one blade spacing.
"""
GOLDEN = (math.sqrt(5) - 1) / 2
"""Fraction of a revolution between the additional azimuths (golden ratio). Therefore, no harmonic has the
same phase at two of these azimuths.
"""


class Family(NamedTuple):
    """Group of states: the same state of each blade. `states` (blade,) are the indices of the states. `rates`
    are the indices of their time derivatives, or None if the derivatives are not states.
    """

    states: tuple[int, ...]
    rates: tuple[int, ...] | None


def labels(count: int) -> list[str]:
    """Return the names of the multi-blade coordinates of `count` blades."""
    found = ["collective"]
    for m in range(1, (count - 1) // 2 + 1):
        found += [one if m == 1 else f"{one}_{m}" for one in ("cosine", "sine")]
    return found + ["differential"] * (count % 2 == 0)


def transformation(count: int, azimuths: np.ndarray) -> list[np.ndarray]:
    """Return the matrix from multi-blade to blade coordinates, and its first and second derivatives with
    respect to the azimuth.

    count: number of blades. azimuths (blade,): azimuth of each blade [rad]. Each matrix has the shape (blade,
    coordinate).
    """
    alternating = (-1.0) ** np.arange(count)
    found = []
    for order in range(3):
        columns = [np.full(count, float(order == 0))]
        for m in range(1, (count - 1) // 2 + 1):
            turned = m * azimuths + order * np.pi / 2
            columns += [m**order * np.cos(turned), m**order * np.sin(turned)]
        if count % 2 == 0:
            columns.append(alternating * float(order == 0))
        found.append(np.stack(columns, 1))
    return found


class Change(NamedTuple):
    """Transformation x = whole z of the states at an azimuth. `whole` and its time derivative `rate` have
    the shape (state, state).
    """

    whole: np.ndarray
    rate: np.ndarray


def change(size: int, families: Sequence[Family], azimuths: np.ndarray, speed: float) -> Change:
    """Return the transformation of the states to multi-blade coordinates.

    - size: number of states.
    - families: states of the blades.
    - azimuths (blade,): azimuth of each blade [rad].
    - speed: rotation rate of the rotor [rad/s].
    """
    plain, first, second = transformation(len(azimuths), azimuths)
    whole, rate = np.eye(size), np.zeros((size, size))
    for states, rates in families:
        places = sorted(states)
        whole[np.ix_(states, places)] = plain
        rate[np.ix_(states, places)] = speed * first
        if rates is not None:
            whole[np.ix_(rates, places)] = speed * first
            rate[np.ix_(rates, places)] = speed**2 * second
            whole[np.ix_(rates, sorted(rates))] = plain
            rate[np.ix_(rates, sorted(rates))] = speed * first
    return Change(whole, rate)


def invariant(
    system: System,
    points: Sequence[Point],
    rotor: Rotor,
    about: Callable[[Sequence[Point]], list[Linear]],
    states_seen: bool,
) -> list[Linear]:
    """Return linear equations of a rotor in multi-blade coordinates. A is compared at several azimuths.

    - points: operating points.
    - rotor: the blades and the shaft.
    - about: function that returns the linear equations in blade coordinates about operating points.
    - states_seen: whether the states are the outputs.

    Raises BadInput if the equations differ between azimuths.
    """
    turns = [0.0, 2 * np.pi / rotor.count]
    turns += [2 * np.pi * ((k * GOLDEN) % 1) for k in range(1, LOOKS + 1)]
    every = about([replace(point, turn=turn) for point in points for turn in turns])
    found = []
    for p, point in enumerate(points):
        own = every[p * len(turns) : (p + 1) * len(turns)]
        found.append(_invariant(Group(system, [point]), rotor, own, turns, states_seen))
    return found


def _invariant(
    group: Group, rotor: Rotor, own: Sequence[Linear], turns: Sequence[float], states_seen: bool
) -> Linear:
    """Multi-blade equations of one operating point from its equations at several azimuths."""
    turned = turning(group.tree, group.shaft, own[0])
    sign, families = sense(group, rotor), _families(own[0], rotor)
    own = [_unwound(one, families) for one in own]
    linear = own[0]
    _check_standing(linear, families)
    _check_alike(linear, own[1], families, sign)
    places = sign * 2 * np.pi * np.arange(rotor.count) / rotor.count
    ports = [_of_ports(names, rotor) for names in (linear.inputs, linear.outputs)]
    changed = [
        _transform(one, families, ports, places + turned.azimuth + turn, turned)
        for one, turn in zip(own, turns, strict=True)
    ]
    spreads = {name: _spread(changed, name) for name in ("A", "B", "C", "D")}
    _check_invariant(changed, spreads["A"])
    first, states = _without_azimuth(changed[0], group), _states(linear, rotor, families)
    outputs, units = _port_names(linear.outputs, ports[1], rotor), linear.output_units
    if states_seen:
        outputs, units = (tuple(getattr(state, part) for state in states) for part in ("name", "unit"))
        first, spreads = replace(first, C=np.eye(len(states)), y0=first.x0), spreads | {"C": 0.0, "D": 0.0}
    return replace(
        first,
        states=states,
        inputs=_port_names(linear.inputs, ports[0], rotor),
        outputs=outputs,
        output_units=units,
        notes=(*linear.notes, *_notes(len(own), spreads)),
        spread=spreads["A"],
    )


def _spread(changed: Sequence[Linear], name: str) -> float:
    """Difference of a matrix between azimuths, relative to its largest entry."""
    each = np.stack([getattr(one, name) for one in changed])
    largest = float(np.max(np.abs(each), initial=0.0)) or 1.0
    return float(np.max(np.abs(each - each[0]), initial=0.0)) / largest


def _notes(azimuths: int, spreads: dict[str, float]) -> list[str]:
    """Notes on the coordinates."""
    found = [
        f"The matrix A in multi-blade coordinates was computed at {azimuths} azimuths. The largest"
        f" difference between azimuths is {spreads['A']:.1g} of the largest entry of A."
    ]
    which = {"inputs": max(spreads["B"], spreads["D"]), "outputs": max(spreads["C"], spreads["D"])}
    turn = [name for name, spread in which.items() if spread > INVARIANT]
    if turn:
        which_ones = " and ".join(turn)
        text = f"The matrices of the {which_ones} depend on the azimuth and are valid only at this azimuth"
        found.append(f"{text}. For constant matrices, name the {which_ones} of all blades.")
    return found


# --- states and ports of the blades


def _families(linear: Linear, rotor: Rotor) -> list[Family]:
    """The states of the blades. Raises BadInput if blades have different states."""
    found: list[Family] = []
    for own in rotor.sets:
        each = [[k for k, one in enumerate(linear.states) if _is_of(one, name)] for name in own]
        kinds = [[_without(linear.states[k].name, name) for k in places] for name, places in zip(own, each)]
        other = next((k for k, one in enumerate(kinds) if one != kinds[0]), None)
        if other is not None:
            text = (
                f"blade '{own[other]}' has the motions {_motions(kinds[other])}, but blade '{own[0]}' has"
                f" {_motions(kinds[0])}. Give all blades and hinges the same properties"
            )
            raise BadInput(Problem("blades", text))
        families = [tuple(places) for places in zip(*each, strict=True)]
        pairs = {states: _rates(linear, states, families) for states in families}
        integrated = {rates for rates in pairs.values() if rates is not None}
        found += [Family(states, rates) for states, rates in pairs.items() if states not in integrated]
    if not found:
        names = ", ".join(rotor.sets[0])
        text = f"the blades {names} have no states {linear.moment}. Set 'blades' to the hinges of the blades"
        raise BadInput(Problem("blades", text))
    return found


def _is_of(state: State, name: str) -> bool:
    return name in state.thing.replace(".", " ").split()


def _without(path: str, name: str) -> str:
    return ".".join(word for word in path.split(".") if word != name)


def _motions(kinds: Sequence[str]) -> str:
    return ", ".join(kind.partition(".")[2] for kind in kinds if "rate" not in kind) or "nothing"


def _rates(
    linear: Linear, states: tuple[int, ...], families: Sequence[tuple[int, ...]]
) -> tuple[int, ...] | None:
    """Indices of the states that are exactly the rates of these coordinates; None if there are none."""
    if any(linear.states[k].kind != "coordinate" for k in states):
        return None
    unit = np.eye(len(linear.states))
    for rates in families:
        if all(np.array_equal(linear.A[k], unit[r]) for k, r in zip(states, rates, strict=True)):
            return rates
    return None


def _states(linear: Linear, rotor: Rotor, families: Sequence[Family]) -> tuple[State, ...]:
    """The states, with blade states replaced and named after the first blade."""
    found = list(linear.states)
    for states, rates in families:
        for own in (states, rates or ()):
            first = linear.states[own[0]] if own else None
            for place, label in zip(sorted(own), labels(rotor.count), strict=bool(own)):
                assert first is not None
                stem = label.partition("_")[0]
                group = "cyclic" if stem in ("cosine", "sine") else stem
                more = f" {label.partition('_')[2]}" if "_" in label else ""
                found[place] = first._replace(
                    name=f"{first.name}.{label}", thing=f"{first.thing} {group}{more}"
                )
    return tuple(found)


def _of_ports(names: Sequence[str], rotor: Rotor) -> list[tuple[int, ...]]:
    """Inputs or outputs of all blades: the indices (blade,) of each family."""
    found = []
    for k, name in enumerate(names):
        words = name.split(".")
        place = next((n for n, word in enumerate(words) if word in rotor.names[0]), None)
        if place is None:
            continue
        which = rotor.names[0].index(words[place])
        others = [".".join([*words[:place], own[which], *words[place + 1 :]]) for own in rotor.names]
        if all(other in names for other in others):
            found.append((k, *(names.index(other) for other in others[1:])))
    return found


def _port_names(names: Sequence[str], ports: Sequence[tuple[int, ...]], rotor: Rotor) -> tuple[str, ...]:
    found = list(names)
    for own in ports:
        for place, label in zip(sorted(own), labels(rotor.count), strict=True):
            found[place] = f"{names[own[0]]}.{label}"
    return tuple(found)


# --- the equations in the new coordinates


def _transform(
    linear: Linear,
    families: Sequence[Family],
    ports: Sequence[Sequence[tuple[int, ...]]],
    azimuths: np.ndarray,
    turned: Turning,
) -> Linear:
    """The equations with x = P z at azimuths (blade,); inputs and outputs of all blades likewise."""
    whole, rate = change(len(linear.states), families, azimuths, turned.rate)
    back = np.linalg.inv(whole)
    put, seen = (
        change(len(names), [Family(own, None) for own in sets], azimuths, turned.rate).whole
        for names, sets in zip((linear.inputs, linear.outputs), ports, strict=True)
    )
    out = np.linalg.inv(seen)
    start = back @ linear.x0
    return replace(
        linear,
        A=back @ (linear.A @ whole - rate),
        B=back @ linear.B @ put,
        C=out @ linear.C @ whole,
        D=out @ linear.D @ put,
        x0=start,
        rates=back @ (linear.rates - rate @ start),
        rounding=np.abs(back) @ linear.rounding,
        y0=out @ linear.y0,
    )


def _without_azimuth(linear: Linear, group: Group) -> Linear:
    """The equations without the column of the azimuth if it is rounding: it would turn the two zero
    eigenvalues of the rotor into a pair."""
    coordinate = group.shaft.coordinate
    if coordinate is None:
        return linear
    a, column = linear.A.copy(), linear.names.index(group.coordinates[coordinate].name)
    if np.max(np.abs(a[:, column])) <= ROUNDED * np.max(np.abs(a)):
        a[:, column] = 0.0
    return replace(linear, A=a)


def _unwound(linear: Linear, families: Sequence[Family]) -> Linear:
    """The equations with angles of all blades within half a revolution of the first."""
    start = linear.x0.copy()
    for states, _ in families:
        if linear.states[states[0]].unit == "rad":
            own = list(states)
            start[own] -= 2 * np.pi * np.round((start[own] - start[own[0]]) / (2 * np.pi))
    return replace(linear, x0=start)


# --- checks


def _check_standing(linear: Linear, families: Sequence[Family]) -> None:
    """Refuse blades with different positions or motions, as the rotor is then not symmetric. Raises
    BadInput."""
    for own in (one for family in families for one in family if one):
        for values, what in ((linear.x0, "is"), (linear.rates, "changes by")):
            some = values[list(own)]
            k = int(np.argmax(np.abs(some - some[0])))
            if abs(some[k] - some[0]) > STANDING * max(1.0, np.max(np.abs(values))):
                first, other = (linear.states[own[n]] for n in (0, k))
                text = (
                    f"the blades move differently {linear.moment}: {other.name} {what} {some[k]:.6g},"
                    f" but {first.name} {what} {some[0]:.6g}. Choose another time, or set 'period' instead "
                    "of 'blades'"
                )
                raise BadInput(Problem("blades", text))


def _check_alike(linear: Linear, further: Linear, families: Sequence[Family], sign: int) -> None:
    """Refuse blades whose equations differ from those of the next blade at the same azimuth. Raises BadInput.

    further: equations with each blade at its neighbour's place."""
    order = np.arange(len(linear.states))
    for own in (one for family in families for one in family if one):
        order[list(own)] = np.roll(own, -sign)
    off = np.abs(further.A - linear.A[np.ix_(order, order)])
    largest = np.max(np.abs(linear.A))
    row, column = np.unravel_index(int(np.argmax(off)), off.shape)
    if off[row, column] > INVARIANT * largest:
        names, share = linear.names, off[row, column] / largest
        blades = [k for k in (row, column) if order[k] != k]
        text = f"the equations of {names[row]} change if each blade takes the place of the next blade"
        if blades:
            this, there = names[blades[0]], names[order[blades[0]]]
            text = f"the equations of {this} differ from the equations of {there} at the same azimuth"
        text += f", by {share:.2g} of the largest entry. Give all blades and attachments the same properties"
        raise BadInput(Problem("blades", text))


def _check_invariant(changed: Sequence[Linear], spread: float) -> None:
    """Refuse equations that depend on the azimuth. Raises BadInput."""
    if spread <= INVARIANT:
        return
    first = changed[0]
    off = np.max([np.abs(one.A - first.A) for one in changed[1:]], 0)
    row = int(np.unravel_index(int(np.argmax(off)), off.shape)[0])
    text = (
        f"the equations in multi-blade coordinates depend on the azimuth, by {spread:.2g} of the"
        f" largest entry, most for the state {first.names[row]}. An effect outside the rotor"
        " depends on the azimuth, such as weight"
    )
    raise BadInput(Problem("blades", f"{text}. Set 'period', and remove 'blades'"))
