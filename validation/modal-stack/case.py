"""Two stages that bend by modes: frequencies of the stack against exact ones of Euler's equation, its bending
and what it does once release against modal superposition, what a release keeps, and a beam in elements."""

import numpy as np
from scipy.linalg import expm, null_space

from interstage import Flight
from interstage.reading import loads
from interstage.studies.verify import Row, linear_about

from .. import rigid_flange
from ..comparison import worst
from ..euler_beam import Beam, compliance, joined, modes

LOWER, UPPER = Beam(10.0, 2e7, 100.0), Beam(5.0, 4e6, 60.0)
COUNT = 6
SHEAR, TURNING = 1e9, 1e8
"""Of the interface [N/m, N m/rad]."""
LET_GO, PUSH = 0.2, 200.0
WRITTEN = 2e-6
"""Digits of a punch file: seven of shapes, and of squares of frequencies."""
BENT = 1e-6
"""Part of the deflections that is of second order: slopes of 1e-3, squared."""
RIGID = 1e16
"""Stiffness of springs that leave nothing of themselves in double precision [N/m, N m/rad]."""
FEW = 3, 6, 12
"""Modes of each stage."""
STIFF = 1e11, 1e12
"""Of bushings in place of the joint [N/m], and a tenth [N m/rad]: all stiffer than the modes are."""
NEXT = 1e-2
"""How far the order may be from 1 there: by the next term, of order 2, a hundredth of the first."""
STRIP = Beam(4.0, 1e4, 5.0, 2.0, 0.05)
SOFT = 10
"""Modes that the beam in elements is compared with."""
COUNTS = 16, 32
"""Elements."""
ORDER = 0.1
"""How far the observed order may be from 2: the fourth mode has five of 16 elements to a half wave, and the
next term of its error, of order 4, is a twentieth of the first."""


def compare(fly, folder):
    """Frequencies, the flight, the release, then the beam in elements."""
    yield from _frequencies(folder)
    record = fly(folder / "scenario.toml")
    yield from _flight(record)
    yield from _release(Flight(record))
    yield from _elements(fly, folder)
    yield from _rigid(fly)


# --- the stack ----------------------------------------------------------------------------------------------


def _frequencies(folder):
    """With the modes that are left out as a compliance of the interface, and without: modes are then a Ritz
    base, whose frequencies are above the exact ones."""
    path = folder / "scenario.toml"
    exact = joined(LOWER, UPPER, SHEAR, TURNING, 1000.0)[:4]
    least = modes(LOWER, COUNT + 1).omega[-1]
    found = {}
    for name, matrix in (("with", _springs(True)), ("without", _springs(False))):
        whole = np.diag([SHEAR, SHEAR, SHEAR, TURNING, TURNING, TURNING])
        whole[np.ix_([1, 5], [1, 5])] = matrix
        linear = linear_about(path, outputs=(), **{"forces.flange.matrix": whole})
        found[name] = np.sort([w for w in _in_plane(linear) if w > 1.0])[:4] / exact - 1
    gains = found["without"]
    yield Row(
        "frequencies without compliance above exact ones: by how much less", worst(np.minimum(gains, 0)), 1e-9
    )
    # What modes beyond the last add beside their static answer is (w/w_next)^2 of that.
    bound = (exact / least) ** 2 * gains + WRITTEN
    note = f"{worst(found['with']):.1e}; without compliance {worst(gains):.1e}"
    yield Row("frequencies of the stack, over what may be left", worst(found["with"] / bound), 1.0, note)


def _in_plane(linear):
    """Angular frequencies of what moves modes of the stages."""
    own = [n for n, state in enumerate(linear.states) if state.name.startswith("modal.")]
    sizes = [np.abs(np.asarray(mode.shape)) for mode in linear.modes]
    both = zip(linear.modes, sizes, strict=True)
    return np.array([mode.eigenvalue.imag for mode, size in both if np.max(size[own]) > 1e-6 * np.max(size)])


def _springs(whole):
    """Stiffness of the flange across and about, in series with the compliance of the modes that are left out
    if `whole`."""
    total = np.diag([1 / SHEAR, 1 / TURNING])
    for beam, x, sign in ((LOWER, LOWER.length, 1.0), (UPPER, 0.0, -1.0)):
        found = modes(beam, COUNT)
        shapes = np.array([found.shape(x), found.slope(x)])
        left = compliance(beam) * np.array([[1, sign], [sign, 1]])
        total = total + (left - (shapes / (found.mass * found.omega**2)) @ shapes.T) * whole
    return np.linalg.inv(total)


class _Linear:
    """The stack in its plane: of each stage displacement and turn of its mean axes and its modes. mass,
    stiffness of the modes, and what parts the flange (displacement or turn, coordinate)."""

    def __init__(self):
        self.size = 2 + COUNT
        self.modes = [modes(beam, COUNT) for beam in (LOWER, UPPER)]
        self.mass, self.omega = np.zeros((2, 2 * self.size))
        self.parted = np.zeros((2, 2 * self.size))
        for n, (beam, x, sign) in enumerate(((LOWER, LOWER.length, -1.0), (UPPER, 0.0, 1.0))):
            own = self.of(n)
            self.mass[own] = [beam.mass * beam.length, beam.mass * beam.length**3 / 12, *self.modes[n].mass]
            self.omega[own] = [0, 0, *self.modes[n].omega]
            self.parted[:, own] = sign * self.point(n, x)[:, own]

    def of(self, n):
        """The coordinates of a stage."""
        return slice(n * self.size, (n + 1) * self.size)

    def point(self, n, x):
        """Displacement and turn of a point of a stage (2, coordinate)."""
        found, beam = self.modes[n], (LOWER, UPPER)[n]
        rows = np.zeros((2, 2 * self.size))
        rows[0, self.of(n)] = [1, x - beam.length / 2, *found.shape(x)]
        rows[1, self.of(n)] = [0, 1, *found.slope(x)]
        return rows

    def rigidly(self, times, push):
        """Coordinates and rates at times from rest, under a constant load, while nothing parts the flange."""
        base = null_space(self.parted)
        mass, stiffness = (base.T @ (part[:, None] * base) for part in (self.mass, self.mass * self.omega**2))
        count = len(mass)
        rates = np.zeros((2 * count + 1, 2 * count + 1))
        rates[:count, count : 2 * count] = np.eye(count)
        rates[count : 2 * count, :count] = -np.linalg.solve(mass, stiffness)
        rates[count : 2 * count, -1] = np.linalg.solve(mass, base.T @ push)
        first = np.append(np.zeros(2 * count), 1.0)
        found = np.array([(expm(rates * t) @ first)[:-1].reshape(2, count) for t in times])
        return (found @ base.T).reshape(len(times), -1)

    def course(self, times, joined, push, start):
        """Coordinates and rates at times from a state, under a constant load on the coordinates."""
        count = 2 * self.size
        stiffness = np.diag(self.mass * self.omega**2)
        if joined:
            stiffness = stiffness + self.parted.T @ _springs(True) @ self.parted
        rates = np.zeros((2 * count + 1, 2 * count + 1))
        rates[:count, count : 2 * count] = np.eye(count)
        rates[count : 2 * count, :count] = -stiffness / self.mass[:, None]
        rates[count : 2 * count, -1] = push / self.mass
        first = np.concatenate([start, [1.0]])
        return np.array([(expm(rates * t) @ first)[:-1] for t in times])


def _flight(record):
    """Deflections at both ends of both stages, and the gyro at the nose: by the exponential of the linear
    equations up to the release, and after it by each mode alone."""
    linear, times = _Linear(), record.time
    push = PUSH * linear.point(0, 0.0)[0]
    before = times <= LET_GO - 1e-9
    count = 2 * linear.size
    held = linear.course(np.append(times[before], LET_GO), True, push, np.zeros(2 * count))
    free = linear.course(times[~before] - LET_GO, False, 0 * push, held[-1])
    truth = np.concatenate([held[:-1], free])
    for what, n, name, x in (
        ("tail", 0, "lower_bends.point_tail", 0.0),
        ("nose", 1, "upper_bends.point_nose", UPPER.length),
    ):
        rows = linear.point(n, x)
        rows[:, n * linear.size : n * linear.size + 2] = 0.0
        for field, row, axis in (("deflection", 0, 1), ("rotation", 1, 2)):
            wanted = truth[:, :count] @ rows[row]
            found = record.series[f"forces.{name}.{field}"][:, axis]
            for part, which in (("joined", before), ("apart", ~before)):
                error = worst((found - wanted)[which]) / worst(wanted)
                yield Row(f"{what}: {field} {part}, over the largest", error, BENT + WRITTEN)
    rate = truth[:, count:] @ linear.point(1, UPPER.length)[1]
    found = record.series["sensors.gyro.angular_velocity"][:, 2]
    yield Row("gyro at the nose, over the largest rate", worst(found - rate) / worst(rate), BENT + WRITTEN)


def _release(flight):
    """What is kept as the flange releases: all but its own energy."""

    def lost(path):
        before, after = (np.asarray(flight.value(path, "apart", side=side)) for side in ("before", "after"))
        return before - after, before

    bending = sum(lost(f"forces.{name}.strain_energy")[1] for name in ("lower_bends", "upper_bends"))
    gone, whole = lost("system.energy")
    held = lost("forces.flange.energy")[1]
    yield Row("energy that is gone less that of the flange, over all", abs(gone - held) / whole, 1e-12)
    for name in ("lower_bends", "upper_bends"):
        change, _ = lost(f"forces.{name}.strain_energy")
        yield Row(
            f"strain energy of {name} before less after, over that of both", abs(change) / bending, 1e-15
        )
    for what in ("momentum", "angular_momentum"):
        change, size = (np.array([lost(f"system.{what}.{axis}")[k] for axis in "xyz"]) for k in (0, 1))
        yield Row(f"{what} before less after, relative", worst(change) / worst(size), 1e-15)


# --- a rigid joint ------------------------------------------------------------------------------------------


def _rigid(fly):
    """The stack held by a fixed joint: its frequencies, the bushing as it grows stiff, and the flight."""
    exact = joined(LOWER, UPPER, RIGID, RIGID, 1000.0)[:4]
    found = np.array([_frequencies_of(count) for count in FEW]) / exact - 1
    yield Row(
        "fixed joint: frequencies above exact ones, by how much less", worst(np.minimum(found, 0)), 1e-9
    )
    orders = np.log2(found[:-1, 0] / found[1:, 0]) / np.log2(np.divide(FEW[1:], FEW[:-1]))
    error = ", ".join(f"{100 * one:.1f}" for one in found[:, 0])
    yield Row("first frequency: order in the number of modes, less 1", worst(orders - 1), ORDER, f"{error} %")
    with_vectors = _frequencies_of(FEW[0], True) / exact - 1
    # What residual vectors leave of modes beyond the last is (w/w_next)^2 of their answer, and squared as
    # frequencies are stationary.
    least = min(modes(beam, FEW[0] + 1).omega[-1] for beam in (LOWER, UPPER))
    bound = (exact / least) ** 4 * found[0]
    yield Row(
        "with residual vectors, over what may be left",
        worst(with_vectors / bound),
        1.0,
        f"{with_vectors[0]:.0e}",
    )
    limit = _frequencies_of(FEW[0])
    away = [worst(_frequencies_of(FEW[0], springs=stiffness) / limit - 1) for stiffness in STIFF]
    order = np.log10(away[0] / away[1]) / np.log10(STIFF[1] / STIFF[0])
    yield Row(
        "bushing to joint: order in 1/stiffness, less 1",
        abs(order - 1),
        NEXT,
        f"{away[1]:.0e} at the stiffest",
    )
    yield from _let_go(fly)


def _rigid_stack(count, residual=False, push=0.0, springs=None):
    ends = (LOWER, LOWER.length), (UPPER, 0.0)
    shapes = [rigid_flange.shaped(beam, count, end, residual) for beam, end in ends]
    text = rigid_flange.text((LOWER, UPPER), shapes, push, LET_GO)
    return loads(
        text if springs is None else rigid_flange.sprung(text, (LOWER, UPPER), springs, springs / 10)
    )


def _frequencies_of(count, residual=False, springs=None):
    """The first four, with so many modes of each stage."""
    linear = linear_about(_rigid_stack(count, residual, springs=springs), outputs=())
    return np.sort([w for w in _in_plane(linear) if w > 1.0])[:4]


def _let_go(fly):
    """Pushed while held, and release: deflections against modal superposition; nothing is lost."""
    linear = _Linear()
    record = fly(_rigid_stack(COUNT, push=PUSH))
    times, push = record.time, PUSH * linear.point(0, 0.0)[0]
    before, count = times <= LET_GO - 1e-9, 2 * linear.size
    held = linear.rigidly(np.append(times[before], LET_GO), push)
    truth = np.concatenate([held[:-1], linear.course(times[~before] - LET_GO, False, 0 * push, held[-1])])
    for name, n, x in (("lower_bends.point_start", 0, 0.0), ("upper_bends.point_end", 1, UPPER.length)):
        rows = linear.point(n, x)[0]
        rows[n * linear.size : n * linear.size + 2] = 0.0
        wanted, found = truth[:, :count] @ rows, record.series[f"forces.{name}.deflection"][:, 1]
        for part, which in (("joined", before), ("apart", ~before)):
            error = worst((found - wanted)[which]) / worst(wanted)
            yield Row(f"fixed joint, {name} {part}, over the largest", error, BENT)
    flight = Flight(record)
    for what in ("energy", "momentum.y", "angular_momentum.z"):
        sides = [
            float(np.asarray(flight.value(f"system.{what}", "apart", side=side)))
            for side in ("before", "after")
        ]
        yield Row(f"fixed joint: {what} that goes with it, relative", abs(sides[0] / sides[1] - 1), 1e-12)
    gap = np.nanmax(np.abs(record.series["joints.flange.gap"]))
    yield Row("fixed joint: gap [m]", gap, 1e-13, "rounding of 10 m")


# --- a beam in elements -------------------------------------------------------------------------------------

MODAL = """
title = "The same beam by its modes"
gravity = "none"
[bodies.beam]
mass = {mass}
inertia = [1.0, {inertia}, {inertia}]
mass_centre = [{centre}, 0, 0]
initial = {{ }}
[forces.bends]
kind = "modal_body"
body = "beam"
frequency = {frequency}
mass = {masses}
[forces.bends.points]
hub = {{ at = [0, 0, 0], shape = {hub[0]}, turn = {hub[1]} }}
end = {{ at = [4, 0, 0], shape = {end[0]}, turn = {end[1]} }}
[forces.push]
kind = "force"
body = "beam"
[forces.push.force]
time = [0, 0.05, 0.1]
value = [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
interpolation = "linear"
outside = "zero"
[[phases]]
name = "pushed"
until = {{ time = 0.15 }}
[output]
interval = 0.002
[solver]
tolerance = 1e-10
"""


def _elements(fly, folder):
    """Where the end of the beam is, from the hub and along its axes. Elements converge to it by order 2;
    extrapolated, there is left what the modes that are left out yield."""
    found = modes(STRIP, SOFT)
    flight = fly(loads(_modal(found)))
    hub, end = (flight.series[f"forces.bends.point_{name}.deflection"][:, 1] for name in ("hub", "end"))
    bent = end - hub - STRIP.length * flight.series["forces.bends.point_hub.rotation"][:, 2]
    changes = ({"forces.beam.elements": count} for count in COUNTS)
    coarse, fine = (fly(folder / "elements.toml", **one).series["forces.beam.end"][:, 1] for one in changes)
    order = np.log2(worst(coarse - bent) / worst(fine - bent))
    yield Row("beam in elements: observed order less 2", abs(order - 2), ORDER)
    more = modes(STRIP, 4 * SOFT)
    shown = more.shape(STRIP.length) - more.shape(0.0) - STRIP.length * more.slope(0.0)
    left = np.sum(np.abs(shown * more.shape(0.0) / (more.mass * more.omega**2))[SOFT:])
    error = worst((4 * fine - coarse) / 3 - bent)
    yield Row("end of a beam in elements, extrapolated [m]", error, 2 * left, f"of {worst(bent):.1e} m")


def _modal(found):
    beam = found.beam
    whole = beam.hub_mass + beam.mass * beam.length
    centre = 0.5 * beam.mass * beam.length**2 / whole
    about = beam.hub_inertia + beam.mass * beam.length**3 / 3 - whole * centre**2
    points = {
        name: (
            [[0.0, float(w), 0.0] for w in found.shape(x)],
            [[0.0, 0.0, float(slope)] for slope in found.slope(x)],
        )
        for name, x in (("hub", 0.0), ("end", beam.length))
    }
    numbers = {"frequency": found.omega.tolist(), "masses": found.mass.tolist()}
    return MODAL.format(mass=whole, inertia=about, centre=centre, **numbers, **points)
