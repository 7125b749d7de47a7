"""A skate on an inclined plane and Chaplygin's sleigh on a level one, in closed form; see SOURCE.md.

Skate: from rest, turning at a constant rate w, its edge under the centre of mass. With f = g sin(slope) down
the plane along x, v' = f cos(w t) gives v = (f/w) sin(w t), so that it goes along a cycloid across the slope;
the edge's force across it is m (v w + f sin(w t)).

Sleigh: its centre of mass a distance a ahead of the edge. v' = a w^2 along the edge and (I + m a^2) w' = -m a
v w have the solution v = V tanh(k t + d), w = W sech(k t + d) with V^2 m = W^2 (I + m a^2) twice the energy
and k = a W^2/V; the heading follows by Gudermann's function, the path by quadrature."""

from itertools import pairwise

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, length, turned, worst

G = 9.81  # m/s^2
BOUND = 1e-10


def level(x, y):
    """Vectors (rows, 3) in the plane."""
    return np.stack([x, y, np.zeros_like(x)], axis=1)


def skate(times):
    """The skate: 2 kg, 30 deg slope, 1.5 rad/s."""
    mass, slope, w = 2.0, np.radians(30.0), 1.5
    f, turn = G * np.sin(slope), w * times
    s, c = np.sin(turn), np.cos(turn)
    speed, side = f / w * s, 2 * mass * f * s
    return {
        "position": level(f / (2 * w * w) * s * s, f / (2 * w) * (times - np.sin(2 * turn) / (2 * w))),
        "velocity": level(speed * c, speed * s),
        "heading": level(c, s),
        "edge": level(-side * s, side * c),
        "plane": np.tile([0, 0, mass * G * np.cos(slope)], (len(times), 1)),
        "torque": np.zeros((len(times), 3)),
    }


def sleigh(times):
    """The sleigh: 2 kg, 0.3 kg m^2, edge at the origin of its drawing, centre of mass 0.25 m ahead."""
    mass, inertia, arm = 2.0, 0.3, 0.25
    about_edge = inertia + mass * arm**2
    v0, w0 = -0.4, 3.0  # it starts backwards and turns round
    whole = mass * v0**2 + about_edge * w0**2
    fast, spinning = np.sqrt(whole / mass), np.sqrt(whole / about_edge)
    k, begin = arm * spinning**2 / fast, np.arctanh(v0 / fast)

    def rates(t):
        return fast * np.tanh(k * t + begin), spinning / np.cosh(k * t + begin)

    def heading(t):
        return 2 * spinning / k * (np.arctan(np.tanh((k * t + begin) / 2)) - np.arctan(np.tanh(begin / 2)))

    nodes, weights = np.polynomial.legendre.leggauss(20)
    path = [np.zeros(2)]
    for start, end in pairwise(times):
        t = start + (end - start) * (nodes + 1) / 2
        along = rates(t)[0] * np.stack([np.cos(heading(t)), np.sin(heading(t))])
        path.append(path[-1] + (end - start) / 2 * along @ weights)
    v, w = rates(times)
    c, s = np.cos(heading(times)), np.sin(heading(times))
    x, y = np.array(path).T
    side = mass * v * w * inertia / about_edge
    return {
        "position": level(x + arm * c, y + arm * s),
        "velocity": level(v * c - arm * w * s, v * s + arm * w * c),
        "heading": level(c, s),
        "edge": level(-side * s, side * c),
        "plane": np.tile([0, 0, mass * G], (len(times), 1)),
        "torque": np.tile([0, -arm * mass * G, 0], (len(times), 1)),
    }


def rows(record, truth, times, what):
    """One flight against its closed form, each quantity over its peak (or the weight, or its moment)."""
    attitude = at(record, "bodies.skate.attitude", times)
    found = {
        "position": at(record, "bodies.skate.position", times),
        "velocity": at(record, "bodies.skate.velocity", times),
        "heading": turned(attitude, np.tile([1.0, 0, 0], (len(times), 1))),
        "edge": at(record, "joints.edge.force", times),
        "plane": at(record, "joints.plane.force", times),
        # What holds up the weight of the centre of mass ahead of the joint point, body axes.
        "torque": at(record, "joints.plane.torque_child", times),
    }
    scales = {name: length(truth[name]).max() for name in found} | {"torque": 2.0 * G}
    slip = worst(record.series["joints.edge.violation_rate"])
    return [
        *(
            Row(f"{what}: {name} [of its peak]", worst(found[name] - truth[name]) / scales[name], BOUND)
            for name in found
        ),
        Row(f"{what}: slip across the edge [m/s]", slip, 1e-14, "rounding of a few sums of 10 m/s"),
    ]


def compare(fly, folder):
    """Both flights."""
    times = np.linspace(0, 5, 51)
    return [
        *rows(fly(folder / "scenario.toml"), skate(times), times, "skate"),
        *rows(fly(folder / "sleigh.toml"), sleigh(times), times, "sleigh"),
    ]
