"""A host that is there: Basilisk integrates two spacecraft, and a module of its own puts the loads of the
joint into an effector on each."""

import numpy as np

from ..comparison import turned

GM = 3.986004418e14  # m^3/s^2


def column(vector):
    """As Basilisk takes vectors."""
    return [[float(each)] for each in vector]


class Pair:
    """Two spacecraft about a point mass, and the joint between them."""

    def __init__(self, joints, mass, inertia, thrust, arm, start, step: float):
        """thrust [N] acts on the first at `arm` [m] from its centre of mass, body axes. start: positions,
        quaternions, velocities and rates."""
        from Basilisk.utilities import SimulationBaseClass, macros

        self.joints, self.mass, self.step, self.macros = joints, mass, step, macros
        self.thrust, self.moment = thrust, np.cross(arm, thrust)
        self.simulation = SimulationBaseClass.SimBaseClass()
        process = self.simulation.CreateNewProcess("dynamics")
        process.addTask(self.simulation.CreateNewTask("step", macros.sec2nano(step)))
        built = [self._craft(k, mass[k], inertia[:, :, k], [part[:, k] for part in start]) for k in (0, 1)]
        self.crafts, self.effectors = zip(*built)
        self.module = self._module()
        self.simulation.AddModelToTask("step", self.module, 3)  # the highest number comes first
        self.simulation.InitializeSimulation()

    def _craft(self, k, mass, inertia, start):
        from Basilisk.simulation import extForceTorque, gravityEffector, spacecraft

        craft, effector = spacecraft.Spacecraft(), extForceTorque.ExtForceTorque()
        craft.ModelTag, effector.ModelTag = f"craft{k}", f"joint{k}"
        craft.hub.mHub, craft.hub.r_BcB_B = mass, column(np.zeros(3))
        craft.hub.IHubPntBc_B = inertia.tolist()
        position, turn, velocity, rate = start
        craft.hub.r_CN_NInit, craft.hub.v_CN_NInit = column(position), column(velocity)
        craft.hub.sigma_BNInit, craft.hub.omega_BN_BInit = column(turn[1:] / (1 + turn[0])), column(rate)
        planet = gravityEffector.GravBodyData()
        planet.planetName, planet.mu, planet.isCentralBody = "planet", GM, True
        craft.gravField.gravBodies = spacecraft.GravBodyVector([planet])
        craft.addDynamicEffector(effector)
        for model, order in ((craft, 1), (effector, 2)):
            self.simulation.AddModelToTask("step", model, order)
        return craft, effector

    def _module(self):
        from Basilisk.architecture import sysModel

        pair = self

        class Held(sysModel.SysModel):
            """Before each step of the spacecraft, which start from where they were one step ago."""

            def UpdateState(self, now):
                pair.joints.settle(max(now * pair.macros.NANO2SEC - pair.step, 0.0))
                loads = pair.held()
                for k, effector in enumerate(pair.effectors):
                    effector.extForce_N = column(loads.force[:, k])
                    effector.extForce_B = column(pair.thrust if k == 0 else np.zeros(3))
                    effector.extTorquePntB_B = column(loads.torque[:, k] + (pair.moment if k == 0 else 0.0))

        module = Held()
        module.ModelTag = "joint"
        return module

    def state(self):
        """Positions, quaternions, velocities and rates of the centres of mass as they are now."""
        messages = [craft.scStateOutMsg.read() for craft in self.crafts]
        position, sigma, velocity, rate = (
            np.array([getattr(message, name) for message in messages]).T
            for name in ("r_CN_N", "sigma_BN", "v_CN_N", "omega_BN_B")
        )
        square = np.sum(sigma**2, 0)  # modified Rodrigues parameters
        return position, np.concatenate([(1 - square)[None], 2 * sigma]) / (1 + square), velocity, rate

    def held(self):
        """Loads of the joint in the state as it is now."""
        position, turn, velocity, rate = self.state()
        force = -GM * self.mass * position / np.sum(position**2, 0) ** 1.5
        force[:, 0] += turned(turn.T[:1], self.thrust[None])[0]
        torque = np.stack([self.moment, np.zeros(3)], 1)
        return self.joints.loads(position, turn, velocity, rate, force, torque)

    def run(self, time: float) -> None:
        """Fly on to a time [s]."""
        self.simulation.ConfigureStopTime(self.macros.sec2nano(time))
        self.simulation.ExecuteSimulation()
