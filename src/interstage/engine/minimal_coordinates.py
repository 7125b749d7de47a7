"""Flight in joint coordinates (minimal coordinates): the stepper integrates q2 and eps. All other modules use
states of the mechanism.

`MinimalFlow` converts states in joint coordinates to states of the mechanism for loads, events and records,
and back after jumps. Branches of the tree do not absorb the rows of closed loops, of rods and of nonholonomic
joints. These rows are constrained as in other flights.
"""

from __future__ import annotations

from ..formulations.joint_motion import Tree, cut_rows
from ..formulations.null_space import Split, reduce_equations
from ..formulations.spanning import Forest, forest
from ..maths.arrays import jnp
from ..maths.vectors import product, rotate
from ..model.attachments import column
from .contract import Impulsive
from .event_table import EventTable
from .flow import Flow
from .here import Here
from .joint_coordinates import JointCoordinates
from .layout import Layout
from .mechanism import Discrete, Mechanism
from .point_coordinates import PointFlow


def flow_of(mechanism: Mechanism, table: EventTable, start_time=0.0) -> Flow:
    """Return the flow of a scenario in the coordinates of its formulation. start_time: start of the flight
    [s].
    """
    layout = mechanism.layout
    kind = PointFlow if layout.point else MinimalFlow if is_minimal(layout) else Flow
    return kind(mechanism, table, start_time)


def has_own_state(layout: Layout) -> bool:
    """Return whether the stepped state differs from the state of the mechanism."""
    return layout.point or is_minimal(layout)


def is_minimal(layout: Layout) -> bool:
    """Return whether the stepper integrates joint coordinates. The coordinates must be selected, and a joint
    must carry a body.
    """
    choice = layout.scenario.solver.formulation
    asked = choice.kind == "composite" or getattr(choice, "coordinates", "absolute") == "minimal"
    return asked and any(branch is not None for branch in carrying(layout).branches)


def carrying(layout: Layout) -> Forest:
    """Return the forest of joints that carry bodies in joint coordinates. For the formulation "composite",
    only fixed joints carry bodies.
    """
    table, fixed_only = layout.table, layout.scenario.solver.formulation.kind == "composite"
    return forest(table.parent, table.child, layout.modes, layout.reachable, layout.count, fixed_only)


class MinimalFlow(Flow):
    """Hybrid system of one scenario whose stepped states are in joint coordinates; see
    `stepper.problem.Hybrid`.
    """

    def __init__(self, mechanism: Mechanism, table: EventTable, start_time=0.0):
        super().__init__(mechanism, table, start_time)
        self.coordinates = JointCoordinates(mechanism, carrying(mechanism.layout))
        self.project = self._project

    def own(self, t, x, discrete: Discrete):
        """Convert the state x of the mechanism to joint coordinates at time t [s]."""
        return self.coordinates.own(t, x, discrete)

    def ordinary(self, t, x, discrete: Discrete):
        """Convert the state x in joint coordinates to the state of the mechanism at time t [s]."""
        return self.coordinates.ordinary(t, x, discrete)

    def rate(self, here: Here, x):
        """Return the time derivative of a state x in joint coordinates.

        q2'' follows from the reduced equations with the velocity term H2dot q2' (AIAA 2011-6277, eq 15).
        """
        mechanism, coordinates = here.mechanism, self.coordinates
        t, discrete, origin = here.t, here.discrete, mechanism.split(x)[4]
        motion, pairs, frame_a = here.motion, here.pairs, here.frame_a
        joints = mechanism.joints(motion, pairs, frame_a, here.frame_b, discrete)
        driving, spins = coordinates.driving(t), pairs.spin_a

        def parent_axis(j: int, axis: int):
            frame, spin = column(frame_a, j, 2), column(spins, j, 1)
            if driving is None:
                return frame[:, axis], spin
            turned = product(frame, column(driving.turn, j, 2))
            return turned[:, axis], spin + rotate(frame, column(driving.turn_rate, j, 1))

        tree = Tree(coordinates.forest, joints, parent_axis)
        columns = tree.columns()
        prescribed = coordinates.joint_drives(t, motion, frame_a)
        rate = tree.rate(columns, coordinates.free_rates(x, discrete), prescribed)
        split = Split(tree, mechanism.numbers.inertias, here.constraints, rate)
        second = reduce_equations(split, here.wrench).second
        return coordinates.slope(x, second, discrete, mechanism.fall(t, origin))

    def _project(self, t, x, discrete: Discrete):
        """The state with unit quaternions. With projection, positions and velocities are also projected on
        the cut rows."""
        coordinates, mechanism = self.coordinates, self.mechanism
        x = coordinates.normalize(x, discrete)
        x = mechanism.rebase(x, mechanism.scenario.gravity, coordinates.roots(discrete))
        if not mechanism.projecting or not self._cut_rows().size:
            return x
        ordinary = mechanism.project(t, coordinates.ordinary(t, x, discrete), discrete)
        return coordinates.keep_locked(x, coordinates.own(t, ordinary, discrete), discrete)

    def _cut_rows(self):
        layout = self.mechanism.layout
        return cut_rows(self.coordinates.forest, layout.table, layout.reachable)

    def fire(self, t, x, discrete: Discrete, hit, measured):
        """Return the state in joint coordinates and the switches after events; see `Flow.fire`.

        A body with an unchanged joint keeps its joint coordinates. A plastic impact changes only their rates.
        """
        coordinates = self.coordinates
        ordinary = coordinates.ordinary(t, x, discrete)
        ordinary, after = super().fire(t, ordinary, discrete, hit, measured)
        found = coordinates.own(t, ordinary, after)
        caught = jnp.zeros(t.shape, bool)
        if after.impulse is not None:
            caught = jnp.any(after.impulse != 0, 0)
            for part in self.mechanism.layout.having(Impulsive):
                caught = caught | part.impulse_applied(discrete, after)
        return coordinates.carried_over(x, found, discrete, after, caught), after
