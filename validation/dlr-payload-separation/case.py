"""A payload pushed off its stage by a spring: energy and momentum, then the tide of the orbit; see
SOURCE.md.
"""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import length, read_table, worst

GM, RADIUS = 398600.4415e9, 1.1378e7  # m^3/s^2, m
STAGE, PAYLOAD = 6000.0, 1000.0  # kg
REDUCED = STAGE * PAYLOAD / (STAGE + PAYLOAD)
MOMENTS = {"stage": np.array([23000.0, 23000, 18000]), "payload": np.array([800.0, 800, 600])}  # kg m^2
STIFFNESS, PRELOAD, STROKE = 20e3, 3e3, 0.15  # N/m, N, m
ENERGY = PRELOAD * STROKE - STIFFNESS * STROKE**2 / 2  # J
SPEED = np.sqrt(2 * ENERGY / REDUCED)  # m/s
FREQUENCY = np.sqrt(STIFFNESS / REDUCED)  # rad/s
PUSH = np.arccos(1 - STIFFNESS * STROKE / PRELOAD) / FREQUENCY  # s
RELEASE, APART = 10.0, 5.8  # s, m
OFF_AXIS = {"devices.spring.parent_at": [0.002, 0, 3.35], "devices.spring.child_at": [0.002, 0, -2.3]}  # m


def travel(times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Extension [m] and relative speed [m/s] on the axis: a quarter oscillation, then uniform motion."""
    since = np.clip(times - RELEASE, 0, None)
    push, after = np.minimum(since, PUSH), np.maximum(since - PUSH, 0)
    reach = PRELOAD / STIFFNESS
    speed = reach * FREQUENCY * np.sin(FREQUENCY * push)
    return reach * (1 - np.cos(FREQUENCY * push)) + speed * after, speed


def relative_velocity(record) -> np.ndarray:
    """Of the payload's centre of mass to the stage's [m/s], inertial axes."""
    return record.series["bodies.payload.velocity"] - record.series["bodies.stage.velocity"]


def tidal_speed(times: np.ndarray, gradient) -> np.ndarray:
    """What the gradient of gravity along the flight axis, a function of time, adds to the relative speed by
    the given times [m/s].

    The tide is the gradient times the distance; while the two are joined the clamp takes it up. Over the
    stroke it does work beside the spring; after it, its impulse adds up.
    """

    def tide(times):
        return gradient(times) * (APART + travel(times)[0])

    stroke = np.linspace(RELEASE, RELEASE + PUSH, 2001)
    gained = _simpson(tide(stroke) * travel(stroke)[1], stroke)[-1] / SPEED
    free = np.linspace(RELEASE + PUSH, times[-1], 20001)
    return gained + np.interp(times, free[::2], _simpson(tide(free), free))


def sphere(times: np.ndarray) -> np.ndarray:
    """Gradient of a sphere's field along the flight axis [1/s^2]: GM/R^3 (3 sin^2 - 1) of the angle of the
    orbit flown since the start."""
    n2 = GM / RADIUS**3
    return n2 * (3 * np.sin(np.sqrt(n2) * times) ** 2 - 1)


def _simpson(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Integral from the first time to every second one."""
    pieces = (times[2] - times[0]) / 6 * (values[:-2:2] + 4 * values[1::2] + values[2::2])
    return np.concatenate([[0.0], np.cumsum(pieces)])


def without_gravity(record) -> list[Row]:
    """Speed, way and momentum of the push on the axis, and the clamp's load before it."""
    times, velocity = record.time, relative_velocity(record)
    way, speed = travel(times)
    before = times < RELEASE - 1e-6
    momentum = record.series["system.momentum"] - (STAGE + PAYLOAD) * np.array([0, 5918.8, 0])
    clamp = record.series["joints.clamp.force"][before] - np.array([0, 0, -PRELOAD])
    exchanged = 2 * REDUCED * SPEED
    return [
        Row(
            "relative velocity against the energy [of it]", worst(velocity[-1] - [0, SPEED, 0]) / SPEED, 1e-9
        ),
        Row("relative velocity throughout [of its end]", worst(velocity[:, 1] - speed) / SPEED, 1e-9),
        Row("distance of the centres of mass [m]", worst(_distance(record) - APART - way), 1e-9),
        Row("momentum [of the sum of |m v| exchanged]", worst(momentum) / exchanged, 1e-9),
        Row("clamp against the preload [of it]", worst(clamp) / PRELOAD, 1e-9),
    ]


def off_axis(record) -> list[Row]:
    """A line of action 2 mm beside the centres of mass: energy in all motions, momentum, angular momentum."""
    velocity = relative_velocity(record)[-1]
    spins = {name: record.series[f"bodies.{name}.angular_velocity"][-1] for name in MOMENTS}
    turning = sum(float(MOMENTS[name] @ spins[name] ** 2) / 2 for name in MOMENTS)
    energy = REDUCED * float(velocity @ velocity) / 2 + turning
    angular = sum(length((MOMENTS[name] * spins[name])[None])[0] for name in MOMENTS)
    twist = worst(record.series["system.angular_momentum"])
    return [
        Row("off axis: energy given [of the spring's]", abs(energy / ENERGY - 1), 1e-9),
        Row("off axis: angular momentum [of the sum of |J w|]", twist / angular, 1e-9),
        Row("off axis: it does turn them [1 if not]", float(turning < 1e-9 * ENERGY), 0.0),
    ]


def in_orbit(record, name: str, gradient) -> list[Row]:
    """The same push in orbit, the tidal impulse taken off."""
    after = record.time >= RELEASE + PUSH + 0.01
    times = record.time[after]
    tide = tidal_speed(times, gradient)
    speed = relative_velocity(record)[after, 1] - tide
    return [
        Row(f"{name}, less the tide: relative velocity [of it]", worst(speed - SPEED) / SPEED, 1e-9),
        Row(f"{name}: the tide matters [1 if not]", float(worst(tide) < 1e-6 * SPEED), 0.0),
    ]


def with_harmonics(record, folder) -> list[Row]:
    """In the field EGM96, whose gradient is a polynomial of the fourth degree through a table of 20 s."""
    table = read_table(folder / "gradient_egm96.csv")
    fit = np.polynomial.Polynomial.fit(table["time"], table["gradient"], 4)
    apart = worst(tidal_speed(record.time[-1:], fit) - tidal_speed(record.time[-1:], sphere))
    return [
        Row("gradient of EGM96: fit [of it]", worst(fit(table["time"]) / table["gradient"] - 1), 1e-9),
        *in_orbit(record, "EGM96", fit),
        Row("EGM96: harmonics matter [1 if not]", float(apart < 1e-8 * SPEED), 0.0),
    ]


def _distance(record) -> np.ndarray:
    return record.series["pairs.stage.payload.distance"]


def compare(fly, folder):
    """Without gravity on and off the axis, then in orbit about a sphere, and in EGM96."""
    return [
        *without_gravity(fly(folder / "free.toml")),
        *off_axis(fly(folder / "free.toml", **OFF_AXIS)),
        *in_orbit(fly(folder / "scenario.toml"), "in orbit", sphere),
        *with_harmonics(fly(folder / "egm96.toml"), folder),
    ]
