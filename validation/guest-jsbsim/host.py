"""A host that is there: JSBSim integrates two vehicles, each in an executive of its own, and takes the loads
of their joint as external reactions."""

import os
from pathlib import Path

import numpy as np

from ..comparison import turned

FOOT, POUND = 0.3048, 4.4482216152605
SLUG = POUND / FOOT  # kg
WEIGHT_OF_SLUG = 32.174049
"""Pounds that JSBSim takes a slug to weigh. Its own factor for moments in kg m^2 is off by 9e-5, and that for
masses in kg by 1e-8, so that weights and moments are given in its units."""
RADIUS, GM = 6378137.0, 3.986004418e14
"""Of a round planet that does not turn [m, m^3/s^2]."""
PLANET = f"""<?xml version="1.0"?>
<planet name="round">
  <semimajor_axis unit="FT">{RADIUS / FOOT!r}</semimajor_axis>
  <semiminor_axis unit="FT">{RADIUS / FOOT!r}</semiminor_axis>
  <rotation_rate unit="RAD/SEC">0</rotation_rate>
  <GM unit="FT3/SEC2">{GM / FOOT**3!r}</GM>
  <J2>0</J2>
</planet>
"""
REACTION = """<{what} name="{name}" frame="BODY">{where}
      <direction><x>1</x><y>0</y><z>0</z></direction></{what}>"""
WHERE = '<location unit="M"><x>{0!r}</x><y>{1!r}</y><z>{2!r}</z></location>'
AIRCRAFT = """<?xml version="1.0"?>
<fdm_config name="{name}" version="2.0" release="BETA">
  <fileheader><description>A body in vacuum</description></fileheader>
  <metrics>
    <wingarea unit="FT2">1</wingarea><wingspan unit="FT">1</wingspan><chord unit="FT">1</chord>
    <location name="AERORP" unit="M"><x>0</x><y>0</y><z>0</z></location>
  </metrics>
  <mass_balance>
    <ixx unit="SLUG*FT2">{inertia[0]!r}</ixx><iyy unit="SLUG*FT2">{inertia[1]!r}</iyy>
    <izz unit="SLUG*FT2">{inertia[2]!r}</izz>
    <emptywt unit="LBS">{weight!r}</emptywt>
    <location name="CG" unit="M"><x>0</x><y>0</y><z>0</z></location>
  </mass_balance>
  <ground_reactions/><propulsion/><flight_control name="none"/>
  <aerodynamics>
    <axis name="DRAG"><function name="aero/drag"><value>0</value></function></axis>
    <axis name="ROLL"><function name="aero/roll"><value>0</value></function></axis>
  </aerodynamics>
  <external_reactions>{reactions}</external_reactions>
</fdm_config>
"""
LOADS = [
    *(f"external_reactions/joint/{axis}" for axis in "xyz"),
    *(f"external_reactions/joint/{axis}" for axis in "lmn"),
]


class Vehicle:
    """A vehicle of JSBSim's with no air: gravity, a thrust, and what the joint does to it. SI outside."""

    def __init__(
        self, folder: Path, name: str, mass: float, inertia, thrust: float = 0.0, at=(0.0, 0.0, 0.0)
    ):
        os.environ["JSBSIM_DEBUG"] = "0"  # no banner
        import jsbsim

        home = folder / "aircraft" / name
        home.mkdir(parents=True)
        places = {"thrust": WHERE.format(-at[0], at[1], -at[2]), "joint": WHERE.format(0.0, 0.0, 0.0)}
        reactions = [REACTION.format(what="force", name=key, where=where) for key, where in places.items()]
        reactions.append(REACTION.format(what="moment", name="joint", where=""))
        moments = [float(moment / (SLUG * FOOT**2)) for moment in inertia]
        weight = mass / SLUG * WEIGHT_OF_SLUG
        text = AIRCRAFT.format(name=name, weight=weight, inertia=moments, reactions="\n".join(reactions))
        (home / f"{name}.xml").write_text(text)
        (folder / "round.xml").write_text(PLANET)
        self.model = model = jsbsim.FGFDMExec(str(folder))
        model.set_debug_level(0)
        model.load_planet(str(folder / "round.xml"), False)
        model.load_model(name)
        model["simulation/gravity-model"] = 0  # the inverse square
        model["external_reactions/thrust/magnitude"] = thrust / POUND
        model["external_reactions/joint/magnitude"] = model["external_reactions/joint/magnitude-lbsft"] = 1.0
        self.apply(np.zeros(3), np.zeros(3))

    def begin(self, step: float, position, matrix, velocity, rate) -> None:
        """Start at an inertial position and velocity, axes of the body (columns of matrix), body rates."""
        model = self.model
        model.set_dt(step)
        longitude = np.arctan2(position[1], position[0])
        latitude = np.arctan2(position[2], np.hypot(position[0], position[1]))
        s, c, sl, cl = np.sin(latitude), np.cos(latitude), np.sin(longitude), np.cos(longitude)
        level = np.array([[-s * cl, -s * sl, c], [-sl, cl, 0], [-c * cl, -c * sl, -s]])  # north, east, down
        turn = matrix.T @ level.T
        angles = (
            np.arctan2(turn[1, 2], turn[2, 2]),
            -np.arcsin(turn[0, 2]),
            np.arctan2(turn[0, 1], turn[0, 0]),
        )
        values = {
            "lat-gc-rad": latitude,
            "long-gc-rad": longitude,
            "h-sl-ft": (np.linalg.norm(position) - RADIUS) / FOOT,
        }
        values |= dict(zip(("phi-rad", "theta-rad", "psi-true-rad"), angles))
        values |= dict(zip(("vn-fps", "ve-fps", "vd-fps"), level @ velocity / FOOT))
        values |= dict(zip(("p-rad_sec", "q-rad_sec", "r-rad_sec"), rate))
        for name, value in values.items():
            model[f"ic/{name}"] = value
        model.run_ic()
        self.added = self.next

    def state(self):
        """Inertial position [m], matrix body to inertial, velocity [m/s], body rates [rad/s]."""
        model = self.model
        position, velocity = (
            np.array([model[f"{what}/eci-{axis}-{unit}"] for axis in "xyz"]) * FOOT
            for what, unit in (("position", "ft"), ("velocities", "fps"))
        )
        rate = np.array([model[f"velocities/{axis}i-rad_sec"] for axis in "pqr"])
        return position, np.asarray(model.get_propagate().get_Tec2b()).T, velocity, rate

    def others(self):
        """Force [N] and torque about the centre of mass [N m] of all but the joint, body axes."""
        model = self.model
        force = [model[f"forces/fb{a}-total-lbs"] + model[f"forces/fb{a}-weight-lbs"] for a in "xyz"]
        torque = [model[f"moments/{a}-total-lbsft"] for a in "lmn"]
        return np.array(force) * POUND - self.added[0], np.array(torque) * POUND * FOOT - self.added[1]

    def apply(self, force, torque) -> None:
        """Loads of the joint in the next step [N, N m], body axes."""
        self.next = force, torque
        for name, value in zip(LOADS, (*(force / POUND), *(torque / (POUND * FOOT)))):
            self.model[name] = value

    def step(self) -> None:
        """One step; loads are those of the state before it."""
        self.model.run()
        self.added = self.next


def quaternion(matrix):
    """Scalar first, of a matrix body to inertial whose turn is less than half of one."""
    scalar = 0.5 * np.sqrt(1 + np.trace(matrix))
    m = matrix
    return np.array(
        [scalar, *(np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]) / (4 * scalar))]
    )


def axes_of(turn):
    """Matrix body to inertial of a unit quaternion, scalar first."""
    return turned(np.repeat(turn[None], 3, 0), np.eye(3)).T


class Pair:
    """Two vehicles and the joint between them, step by step."""

    def __init__(self, vehicles, joints, step: float, start) -> None:
        self.vehicles, self.joints, self.time, self.dt = vehicles, joints, 0.0, step
        for _ in (0, 1):  # the first step, too, has the loads of the state before it
            for k, vehicle in enumerate(vehicles):
                position, turn, velocity, rate = (part[:, k] for part in start)
                vehicle.begin(step, position, axes_of(turn), velocity, rate)
            self.loads = self._held()

    def _held(self):
        """Loads of the joint, handed to the vehicles for their next step."""
        states = [vehicle.state() for vehicle in self.vehicles]
        position, matrix, velocity, rate = (np.stack(parts, -1) for parts in zip(*states))
        others = [vehicle.others() for vehicle in self.vehicles]
        force = np.stack([matrix[:, :, k] @ others[k][0] for k in (0, 1)], 1)
        torque = np.stack([others[k][1] for k in (0, 1)], 1)
        turn = np.stack([quaternion(matrix[:, :, k]) for k in (0, 1)], 1)
        loads = self.joints.loads(position, turn, velocity, rate, force, torque)
        for k, vehicle in enumerate(self.vehicles):
            vehicle.apply(matrix[:, :, k].T @ loads.force[:, k], loads.torque[:, k])
        self.state = position, turn, velocity, rate
        return loads

    def step(self) -> None:
        """One step of both, then the joint."""
        for vehicle in self.vehicles:
            vehicle.step()
        self.time += self.dt
        self.joints.settle(self.time)
        self.loads = self._held()
