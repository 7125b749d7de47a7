"""The one door through which tests look into the engine: what they ask of it, in the terms of mechanics.

A scenario's equations (`mechanism_of`) at an instant (`instant`) of a state (`packed`) have loads, rows and
accelerations; a flight starts (`start_of`) and goes on (`flow_of`). How the engine keeps any of this is known
here only. What is given as NumPy's arrays is computed by NumPy at once; inside `quickly` it is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jax
import numpy as np

from interstage.engine import (
    body_loads,
    flow,
    joint_entries,
    lines_of_action,
    minimal_coordinates,
    redundancy,
    state,
)
from interstage.engine.event_table import Condition
from interstage.engine.flexible import coupling as coupling
from interstage.engine.flexible.modal_stiffness import nearest
from interstage.engine.here import Here
from interstage.engine.joints_at_once import JointsAtOnce
from interstage.engine.layout import Layout
from interstage.engine.mechanism import Mechanism, Reference
from interstage.engine.numbers import inverse_3x3 as inverse
from interstage.engine.numbers import numbers
from interstage.engine.own_steps import own_steps, simultaneous
from interstage.engine.quantity import scalar
from interstage.formulations.catalogue import equations
from interstage.formulations.contract import Inertias, Joints
from interstage.maths.arrays import is_jax, jnp
from interstage.model.constraint_rows import RowTable
from interstage.parts.propellant import slosh, slosh_law
from interstage.parts.pushers.flown import Settled
from interstage.programs import program
from interstage.programs.compiled import FOR_ALL
from interstage.quantities import catalogue
from interstage.runs import run as simulate
from interstage.runs import short
from interstage.starts import consistency, placement, start
from interstage.starts.events import event_names, event_table

program.configure()

lift = program.lift
"""A scenario with a lane axis of size one on its numbers."""
on_body = body_loads.on_body
condition = Condition
meeting = lines_of_action.meeting
mark = redundancy.mark
FALLEN = state.FALLEN
TURN = joint_entries.TURN
nearest_shapes = nearest
"""Position of the point of some modes nearest to a place, and the shapes there."""
inverse_3x3 = inverse
"""Of tensors (3, 3, ...); the pseudo-inverse of those of thin rods."""


@contextmanager
def compiled_flights() -> Iterator[None]:
    """Flights use the compiled program from their start: for long ones, and many of one structure."""
    before, short.ATTEMPTS = short.ATTEMPTS, 0
    try:
        yield
    finally:
        short.ATTEMPTS = before


def quickly(function: Any) -> Any:
    """Compiled for quick compilation, not for speed."""
    return jax.jit(function, compiler_options={**FOR_ALL, "xla_backend_optimization_level": 0})


def by_numpy(function: Any) -> Any:
    """Computed by NumPy at once, without warnings where values are not finite."""
    return np.errstate(all="ignore")(function)


# --- structure ----------------------------------------------------------------------------------------------


def events_of_flight(scenario: Any) -> set[str]:
    """Names of the events that the flight of a scenario without legs knows."""
    return {event.name for event in event_table(Layout(scenario)).events}


def events_of_mission(mission: Any) -> tuple[str, ...]:
    """Names of the events that a mission knows."""
    return tuple(event_names(mission))


def layout_of(scenario: Any) -> Layout:
    """The structure of a scenario; read here only what it says of bodies, joints and their modes."""
    return Layout(scenario)


def row_table(scenario: Any) -> RowTable:
    """Which row holds what of which joint."""
    return Layout(scenario).table


def part_of(scenario: Any, name: str) -> Any:
    """A part of a scenario, by its name."""
    return Layout(scenario).parts[name]


# --- equations ----------------------------------------------------------------------------------------------


def mechanism_of(
    scenario: Any,
    lanes: tuple[int, ...] = (),
    *,
    leaves: Any = None,
    begun: Any = None,
    rods: Any = (),
    springs: Any = (),
    pushers: Any = ((), ()),
) -> Mechanism:
    """The equations of a scenario.

    leaves: the scenario with other numbers, lanes on all of them. begun: the start of the flight, see
    `start_of`, which settles lengths; else they are given: rods, springs [m], pushers ([m], [N]), each a
    number or one for each lane, and poses of joints count from zero."""
    layout, axes = Layout(scenario), len(lanes)
    if leaves is None:
        leaves = lift(scenario) if lanes else scenario
    leaves = jax.tree.map(lambda leaf: leaf if is_jax(leaf) else np.asarray(leaf), leaves)
    settled = _settled(layout, lanes, rods, springs, *pushers) if begun is None else begun.reference
    return Mechanism(layout, leaves, numbers(layout, leaves, axes), settled)


def _settled(layout: Layout, lanes: tuple[int, ...], *lengths: Any) -> Reference:
    def column(values: Any) -> Any:
        found = values if is_jax(values) else np.asarray(values, float)
        return found if np.ndim(found) > 1 else found.reshape(-1, *(1,) * len(lanes))

    joints, eye = len(layout.joints), np.eye(3).reshape(3, 3, 1, *(1,) * len(lanes))
    turn: Any = np.broadcast_to(eye, (3, 3, joints, *lanes))
    rods, springs, push, force = map(column, lengths)
    own = {"springs": springs, "pushers": Settled(push, force, None)}
    return Reference(rods, np.zeros((3, joints, *lanes)), turn, own=own)  # type: ignore[arg-type]


def switches(
    mechanism: Mechanism, lanes: tuple[int, ...] = (), *, modes: Any = None, phase: Any = None
) -> Any:
    """What events switch, as it stands at the start of a flight.

    modes (joint, *lanes): in which mode each joint is instead, 0 where it is released. phase (*lanes): number
    of the phase instead."""
    table = event_table(mechanism.layout)
    found = start.first_switches(mechanism, table, lanes, np.zeros(lanes))
    if modes is not None:
        found = found._replace(mode=modes, active=flow.active_rows(mechanism.layout, modes))
    return found if phase is None else found._replace(phase=phase)


def instant(mechanism: Mechanism, t: Any, x: Any, switched: Any = None) -> Here:
    """The instant t [s] of a state x (n, *lanes): its motion, rows, loads, accelerations.

    switched: what events have switched; none means what stands at the start of a flight."""
    lanes = np.shape(x)[1:]
    if switched is None:
        switched = switches(mechanism, lanes)
    return mechanism.here(jnp.broadcast_to(jnp.asarray(t, float), lanes), x, switched)


def inertias(mechanism: Mechanism | Here) -> Inertias:
    """Masses and inertias of the bodies as formulations take them."""
    return mechanism.numbers.inertias


def mass_properties(mechanism: Mechanism | Here) -> tuple[Any, Any, Any]:
    """Masses (body, *lanes) [kg], inertia tensors about the mass centres (3, 3, body, *lanes) [kg m^2], and
    centres of mass (3, body, *lanes) [m]."""
    return mechanism.numbers.mass, mechanism.numbers.inertia, mechanism.numbers.centre


def central_inertia(mechanism: Mechanism | Here) -> Any:
    """Inertia tensors about the centres of mass (3, 3, body, *lanes) [kg m^2]."""
    return mechanism.numbers.inertia


def carried(mechanism: Mechanism) -> Any:
    """What hangs on each row (row, *lanes) [kg or kg m^2] where joints are springs."""
    return mechanism.numbers.carried


def share(here: Here, part: str) -> Any:
    """Forces and torques of one part on all bodies (6, body, *lanes)."""
    return here.mechanism.parts[part].wrench(here)


def force_alone(here: Here, part: str) -> Any:
    """Forces of one part on all bodies (3, body, *lanes), found without its torques."""
    return here.mechanism.parts[part].force(here)


def joints(here: Here) -> Joints:
    """The joints at an instant as formulations take them."""
    return here.mechanism.joints(here.motion, here.pairs, here.frame_a, here.frame_b, here.discrete)


def solved(here: Here, choice: Any, force: Any = None) -> tuple[Any, Any]:
    """Accelerations (6, body, *lanes) and multipliers (row, *lanes) at an instant by any algebraic
    formulation, under its own loads or a given `force`."""
    given = here.wrench if force is None else force
    solve = equations(choice.kind)
    return solve(choice, inertias(here), given, here.constraints, joints(here))


def shared(here: Here, multipliers: Any) -> Any:
    """Multipliers with the loads that rigid bodies do not determine shared by stiffness."""
    return here.mechanism.share_loads(here, multipliers)


def derivative(mechanism: Mechanism, t: Any, x: Any, switched: Any = None) -> Any:
    """dx/dt."""
    return instant(mechanism, t, x, switched).slope


def projected(mechanism: Mechanism, t: Any, x: Any, switched: Any = None) -> Any:
    """The state put on its constraints by one correction of positions and one of velocities."""
    lanes = np.shape(x)[1:]
    return mechanism.project(t, x, switches(mechanism, lanes) if switched is None else switched)


def kept_by_formulation(mechanism: Mechanism) -> int:
    """How many numbers a formulation that steps by itself keeps at the end of the state."""
    return mechanism.tail


# --- states -------------------------------------------------------------------------------------------------


def packed(
    r: Any, v: Any, q: Any, w: Any, origin: Any = None, origin_velocity: Any = None, left: Any = ()
) -> np.ndarray:
    """The engine's flat state: positions and velocities relative to the local origin, quaternions, body rates
    (component, body, *lanes), the local origin (3, *lanes), and propellant left (tank, *lanes) [kg]."""
    lanes = np.shape(r)[2:]
    parts = [np.reshape(p, (-1, *lanes)) for p in (r, v, q, w)]
    parts += [np.zeros((3, *lanes)) if part is None else part for part in (origin, origin_velocity)]
    return np.concatenate([*parts, np.reshape(left, (-1, *lanes)) if len(left) else np.zeros((0, *lanes))])


def unpacked(scenario: Any, x: Any) -> tuple[np.ndarray, ...]:
    """The parts of a flat state, as in `packed`."""
    return parts_of_state(Layout(scenario), x)


def parts_of_state(layout: Any, x: Any) -> tuple[np.ndarray, ...]:
    """The parts of a flat state, as in `packed`, of bodies without other states."""
    return tuple(np.asarray(part) for part in state.StateForm(layout, 0).split(x))


def rebased(scenario: Any, x: Any, gravity: Any = None, roots: Any = None) -> Any:
    """The state with its local origin moved to a body where that is called for."""
    return state.StateForm(Layout(scenario), 0).rebase(x, gravity, roots)


# --- slosh --------------------------------------------------------------------------------------------------


def with_slosh(mechanism: Mechanism, bodies: Any, left: Any) -> Any:
    """A state of the bodies with propellant left in the tanks [kg] and slosh masses as they start."""
    return jnp.concatenate([bodies, left, slosh.first(mechanism, left, np.shape(bodies)[1:])])


def slosh_coordinates(here: Here) -> tuple[Any, Any]:
    """Coordinates of the slosh masses and their rates, (3, slosh mass, *lanes)."""
    q, rate = slosh.coordinates(here.mechanism, here.x)
    return q, rate


def slosh_laws(here: Here, left: Any) -> list[Any]:
    """What each slosh mass is, with so much left in each tank [kg]; every tank has one."""
    ready = [each for elements in here.numbers.own["streams"].elements for each in elements.slosh]
    return [slosh_law.law(each, np.asarray(liquid)) for each, liquid in zip(ready, left, strict=True)]


def kicked(here: Here, change: Any) -> Any:
    """The state after a jump of the bodies' velocities (6, body, *lanes), body axes for the turns."""
    mechanism, (r, v, q, w, origin, speed) = here.mechanism, here.mechanism.split(here.x)
    behind = mechanism.trailing_state(mechanism.states_after_impulse(here.x, here.discrete, change))
    return mechanism.pack(r, v + change[:3], q, w + change[3:], origin, speed, behind)


# --- flights ------------------------------------------------------------------------------------------------


def start_of(scenario: Any, t0: float = 0.0, lanes: tuple[int, ...] = ()) -> Any:
    """The start of a flight: time, state, switches, and what making it consistent took."""
    return jax.device_get(program.program_for(scenario, lanes).begin(scenario, t0))


def instant_as_declared(scenario: Any) -> Here:
    """The instant of the start as it is declared."""
    return start.instant_as_declared(scenario)


def examined(scenario: Any) -> tuple[Any, Any]:
    """The start of a flight, and its corrections and warnings; refused where it is too far off."""
    found = start_of(scenario)
    return found, consistency.examine(Layout(scenario), found)


def admitted(scenario: Any) -> Any:
    """The start of a flight as `interstage run` finds it; refused where it is too far off."""
    return simulate.start(program.program_for(scenario), scenario)


def as_placed(mechanism: Mechanism, lanes: tuple[int, ...] = (), t: Any = 0.0) -> Any:
    """The state in which the bodies are placed, not made consistent with the joints."""
    return placement.placed_state(mechanism, lanes, t)


def flow_of(mechanism: Mechanism) -> flow.Flow:
    """The flow between events, in the coordinates that the formulation asks for."""
    return minimal_coordinates.flow_of(mechanism, event_table(mechanism.layout))


def side_by_side(coordinates: Any) -> Any:
    """The coordinates of joints of a flow in minimal coordinates, as linear analysis works them out."""
    return JointsAtOnce(coordinates.mechanism, coordinates.forest)


def own_step(mechanism: Mechanism, t: Any, t_end: Any, x: Any, switched: Any = None) -> Any:
    """The state after one step of a formulation that steps by itself."""
    kind = mechanism.layout.scenario.solver.formulation.kind
    switched = switches(mechanism, np.shape(x)[1:]) if switched is None else switched
    return own_steps(kind).advance(mechanism, t, t_end, x, x, switched).x


def iterations(scenario: Any, x: Any) -> Any:
    """Iterations that a flight by a simultaneous formulation has taken up to a state."""
    return simultaneous.iterations(Layout(scenario), x)


def quantities(here: Here, *paths: str) -> dict[str, Any]:
    """Quantities at an instant by path, (..., *lanes); all of a scenario where none is named."""
    known = catalogue.catalogue(here.mechanism.layout.scenario)
    return {path: known[path].compute(here) for path in paths or known}


def component(here: Here, path: str) -> Any:
    """A quantity of one number, or one component of a vector ("bodies.a.velocity.x"), (*lanes)."""
    return scalar(*catalogue.lookup(catalogue.catalogue(here.mechanism.layout.scenario), path), here)


def yields_of(scenario: Any) -> dict[str, int]:
    """Which turn each kind of condition takes among those of one instant."""
    layout = Layout(scenario)
    table = event_table(layout)
    turns = flow.settings(scenario, table).yields
    return {condition.kind: turn for condition, turn in zip(table.conditions, turns, strict=True)}


def events_of(scenario: Any) -> list[tuple[str, str]]:
    """Names and kinds of the events that may happen."""
    return [(event.name, event.kind) for event in event_table(Layout(scenario)).events]


def attempts_of(batch: Any) -> np.ndarray:
    """Steps that each case of a batch tried, those that were refused counted, (lanes,)."""
    cursors = [(chunk.cursor, chunk.count) for chunk in batch._chunks]
    return np.concatenate([(cursor.accepted + cursor.rejected)[:count] for cursor, count in cursors])


def refused_starts(scenario: Any, found: Any, lanes: int) -> dict[int, Any]:
    """Cases of a start that are refused, and why."""
    return consistency.refused_lanes(Layout(scenario), found, lanes)
