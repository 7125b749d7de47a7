"""Compiled programs of a scenario: advance, and what flies it. One set serves every scenario of the same
structure."""

from __future__ import annotations

import gc
import math
import os
import sys
import threading
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np

from ..engine import flow as flows
from ..engine.contradiction import with_watch
from ..engine.minimal_coordinates import flow_of, has_own_state
from ..engine.stacks import Stacks, stacks
from ..formulations.catalogue import uses_library
from ..maths import trees
from ..maths.arrays import entry_at, jax, jnp, lax
from ..maths.jax_import import when_used
from ..stepper import flight as stepping
from ..tree.declaration import register_all
from . import compiled
from . import form as forms
from .at_once import AtOnce, OfTheLast
from .compiled import Way


def configure() -> None:
    """Set JAX to float64, whoever imports it, and keep the memory that NumPy's arrays give back."""
    if "jax" in sys.modules:
        jax.tree  # noqa: B018 - applies the settings of `when_used`
    else:
        os.environ["JAX_ENABLE_X64"] = "1"
    np.empty(KEPT)


def _configure_jax() -> None:
    """Float64, and declarations as trees of arrays."""
    jax.config.update("jax_enable_x64", True)
    register_all()


when_used(_configure_jax)


KEPT = 3_500_000
"""Numbers of an array that is made and dropped, 28 MB of which none is touched. The allocator of Linux gives
blocks back to the system at once that are as large as the largest that was dropped so far, and begins with
128 KiB. Without this, the pages of arrays of a hundred cases take half as long again as their numbers."""


QUICK = {
    "xla_backend_optimization_level": 0,
    "xla_cpu_use_fusion_emitters": False,
    "xla_llvm_enable_alias_scope_metadata": False,
    "xla_llvm_enable_noalias_metadata": False,
}
"""Compiler options (CPU) for programs that run so seldom that time spent on making them fast is lost.
Optimization is off; the emitter takes a third less time over many small expressions. The notes for an
optimizer on which arrays lie apart, which take a sixth of the time, are left out."""
FLIGHT = {"xla_backend_optimization_level": 2}
"""Compiler options (CPU) for many steps: the compiler's highest level, its default, takes a third to a half
longer, mostly for unrolling loops, and gains nothing that could be measured."""
FEW_STEPS, FEW_BODIES = 50_000, 12
"""Steps, refused ones counted, and bodies up to which a flight is flown by a program that was compiled
QUICKly. An expression then takes 0.6 ms less to compile, and 9 ns longer in each step: 60,000 steps make up
for it, of bodies so few that their arrays count as single numbers."""
LANES = {
    "xla_cpu_prefer_vector_width": 512,
    "xla_cpu_use_fusion_emitters": False,
    **compiled.ONE_THREAD,
}
"""Compiler options (CPU) for many cases. Wide vectors double the speed where the processor has them. The
emitter takes a third less time to compile. Threads are off within a chunk, since chunks have one each."""
KERNEL_OF_LANES = 5000
"""Equations up to which many cases are flown by one kernel; of more it compiles for minutes, and gains little
over 64 cases: see docs/decisions/0002-one-kernel.md."""


def fast_program(function, options, library: bool = False, most: float = math.inf, **known: Any):
    """The function compiled for speed; as one kernel on the CPU, unless something in it needs a library, as
    is known (`library`) or found out, or it has more than `most` equations. known: see
    `programs.compiled.Program`."""
    return compiled.Program(function, Way(tuple(options.items()), not library, most), **known)


class OfScenario:
    """A compiled program that is called with a scenario first. given: what of a scenario enters it."""

    def __init__(self, whole: compiled.Program, given: Callable[[Any], compiled.Given]):
        self._whole, self._given = whole, given

    def __call__(self, scenario: Any, *args: Any) -> Any:
        return self.of(self._given(scenario), *args)

    def of(self, given: compiled.Given, *args: Any) -> Any:
        """As a call, with what of the scenario enters it."""
        return self._whole(*args, given=given)

    @property
    def about(self) -> str | None:
        """Its description, which distinguishes it from others, or None; see `programs.compiled.Program`."""
        return self._whole.about

    def is_stored(self, scenario: Any, *args: Any) -> bool:
        """Whether a call with these arguments compiles nothing; see `programs.compiled.Program.is_stored`."""
        return self._whole.is_stored(*args, given=self._given(scenario))

    def trace(self, scenario: Any, *args: Any) -> Any:
        """Its equations, not compiled; see `programs.compiled.Program.trace`."""
        return self._whole.trace(*args, given=self._given(scenario))


class Program(AtOnce):
    """The compiled programs for one structure of scenario and one shape of cases; see `AtOnce`.

    capacity: recorded attempts that one call of them has room for.
    """

    def __init__(
        self,
        scenario: Any,
        lanes: tuple[int, ...] = (),
        recorded: str = "steps",
        capacity: int = 512,
        flying: bool = False,
    ):
        configure()
        super().__init__(scenario, lanes, recorded, flying)
        self.capacity = capacity
        self._stacks, self._given = OfTheLast(), OfTheLast()
        self.observers: dict[tuple[str, ...], Any] = {}
        """What `lane_records` has compiled for this structure, by the quantities asked for."""
        self.pushforwards: dict[tuple[tuple[int, ...], bool], Any] = {}
        """What `pushforward` has compiled for this structure."""
        self.collocated: dict[str | None, Any] = {}
        """What `studies.optimization.collocation` has compiled for this structure."""
        self.by_numpy = 0
        """States of cases that `lane_records` has computed without compiling."""

    def stacks(self, scenario) -> Stacks:
        """The numbers of a scenario, stacked here and not in the programs; those of the last few are kept."""
        return self._stacks.of(scenario, lambda: jax.device_put(self.given_here(scenario)[1]))

    def arguments(self, scenario) -> compiled.Given:
        """What of a scenario enters these programs, and its numbers stacked, on the device; of the last few
        scenarios they are kept."""
        return self._given.of(scenario, lambda: compiled.Given(self.form(scenario), self.stacks(scenario)))

    def given_apart(self, scenario) -> Callable[[int], compiled.Given]:
        """As `arguments`, of each case of a scenario whose leaves end in a case axis."""
        here = jax.tree.map(np.asarray, self.form(scenario))
        found = stacks(self.layout, here, 1)
        whole = compiled.Given(here, found)

        def leaves(lane: int) -> list[Any]:
            return [leaf[..., min(lane, leaf.shape[-1] - 1)] for leaf in whole.leaves]

        first = compiled.Given(*jax.tree.unflatten(whole.tree, leaves(0)))
        return lambda lane: first.with_leaves(leaves(lane))

    @cached_property
    def about(self) -> str | None:
        """Description that distinguishes programs of this structure from others; None if not all of that is
        known."""
        try:
            described = forms.description(self.scenario)
        except forms.Untold:
            return None
        return f"{described} {self.lanes} {self.recorded} {self.capacity} {self._flying}"

    def program(self, function, made, name: str = ""):
        """A program of (scenario, ...) from a function of (scenario, stacks of its numbers, ...).

        `name`: distinguishes it from the other programs of a structure; without one it is not kept."""
        whole = made(function, name=name, about=self.about) if name else made(function)
        return OfScenario(whole, self.arguments)

    @cached_property
    def flying(self) -> Program:
        """The programs that fly these scenarios, which they share with others that differ in the record of a
        flight only."""
        if self._flying:
            return self
        return program_for(self.scenario, self.lanes, self.recorded, self.capacity, flying=True)

    @cached_property
    def advance(self) -> Any:
        """(scenario, reference, t0, cursor) -> (cursor, rows, count of rows): up to `capacity` recorded
        attempts. Without cases the rows have own states of the flow, see `ordinary`."""
        return self._advance(FLIGHT) if self._flying else self.flying.advance

    @cached_property
    def advance_briefly(self) -> Any:
        """As `advance`, compiled in half of the time or less, and three times as slow."""
        return self._advance(QUICK) if self._flying else self.flying.advance_briefly

    def advance_for(self, steps: float) -> Any:
        """`advance` for a flight of so many steps, as far as is known."""
        few = steps <= FEW_STEPS and self.layout.count <= FEW_BODIES and not self.lanes
        return self.advance_briefly if few else self.advance

    @cached_property
    def states(self) -> Any:
        """(scenario, reference, t0, cursor) -> (cursor, the same with the mechanism's state, times, the
        mechanism's states, their count). As `advance`, of one flight of which nothing else is wanted."""
        if not self._flying:
            return self.flying.states

        def program(scenario, found, reference, t0, cursor):
            flow, (cursor, rows, count) = self._chunk(scenario, found, reference, t0, cursor)
            if not has_own_state(self.layout):
                return cursor, cursor.x, rows.t, rows.x, count

            def one(k, states):
                row = jax.tree.map(lambda leaf: entry_at(leaf, k), (rows.t, rows.x, rows.discrete))
                end = cursor.t, cursor.x, cursor.discrete
                now = flow.ordinary(*jax.tree.map(partial(jnp.where, k < count), row, end))
                return lax.dynamic_update_index_in_dim(states, now, k, 0)

            room = jnp.zeros((self.capacity + 1, flow.mechanism.size))
            states = lax.fori_loop(0, count + 1, one, room)
            return cursor, entry_at(states, count), rows.t, states[:-1], count

        library = uses_library(self.layout.scenario.solver.formulation)
        return self.program(program, partial(fast_program, options=FLIGHT, library=library), "states")

    def _chunk(self, scenario: Any, found: Stacks, reference: Any, t0: Any, cursor: Any) -> tuple[Any, Any]:
        """The flow of a flight, and where it comes to in as many rows as there is room for."""
        flow = self._flow(scenario, found, reference, t0)
        # Fixed steps are on one grid from flight time zero, also where a flight is gone on with.
        settings = flows.settings(scenario, self.table, self.recorded)
        return flow, stepping.fly_chunk(flow, settings, cursor, self.capacity)

    def _flow(self, scenario: Any, found: Stacks, reference: Any, t0: Any) -> Any:
        """The equations of motion as a hybrid system."""
        mechanism = self.mechanism(scenario, len(self.lanes), reference, found)
        return with_watch(flow_of(mechanism, self.table, t0))

    @cached_property
    def attempt(self) -> Any:
        """(scenario, reference, t0, cursor) -> (cursor, row): one attempt by NumPy."""

        def program(scenario, found, reference, t0, cursor):
            flow = self._flow(scenario, found, reference, t0)
            settings = flows.settings(scenario, self.table, self.recorded)
            return stepping.attempt(flow, settings, cursor, 0.0)[:2]

        return self.at_once(program)

    def _advance(self, options: dict[str, Any]) -> Any:
        """`advance`; options: of the compiler (CPU) for one flight."""

        def program(scenario, found, reference, t0, cursor):
            flow, (cursor, rows, count) = self._chunk(scenario, found, reference, t0, cursor)
            if self.lanes and has_own_state(self.layout):
                # Starts and ends in one call, so that it is compiled once.
                x, x_end = jnp.split(jax.vmap(flow.ordinary)(*_both_ends(rows, jnp.concatenate)), 2)
                rows = rows._replace(x=x, x_end=x_end)
            return cursor, rows, count

        library = uses_library(self.layout.scenario.solver.formulation)
        made = partial(fast_program, options=options, library=library)
        if self.lanes:
            made = partial(fast_program, options=LANES, library=library, most=KERNEL_OF_LANES)
        return self.program(program, made, "advance")

    def ordinary(self, scenario: Any, reference: Any, rows: Any, cursor: Any) -> tuple[Any, Any]:
        """Rows of one flight that `advance` has flown, or of its track, and the cursor, with states as the
        mechanism has them. NumPy computes them: a program would compute all the rows that it has room for."""
        program = self.flying
        return program.ordinary_of(program.given_here(scenario), reference, rows, cursor)


def _both_ends(rows: Any, together: Callable[..., Any]) -> Any:
    """Time, state and switches where rows begin, and behind these where they end."""
    starts, ends = (rows.t, rows.x, rows.discrete), (rows.t_end, rows.x_end, rows.discrete)
    return jax.tree.map(lambda *parts: together(parts), starts, ends)


def lift(scenario):
    """A scenario with a case axis of size one on every leaf."""
    configure()
    return jax.tree.map(lambda leaf: jnp.asarray(leaf)[..., None], scenario)


_programs: dict[Any, Program] = {}
_lock = threading.Lock()
MOST_PROGRAMS = 48
"""Structures whose programs are held at once: a mission of many legs has two for each. The one that was asked
for longest ago goes first; see `forget`, too."""


def program_for(
    scenario: Any,
    lanes: tuple[int, ...] = (),
    recorded: str = "steps",
    capacity: int = 512,
    flying: bool = False,
) -> Program:
    """The program for scenarios of this structure, made once in a process; see `Program`."""
    configure()
    form = forms.observed_form(scenario, recorded)
    form = forms.flown(form) if flying else form
    shapes = tuple(np.shape(leaf) for leaf in trees.leaves(form))
    key = (trees.structure(form), forms.elsewhere(form), shapes, lanes, recorded, capacity, flying)
    with _lock:
        program = _programs.pop(key, None) or Program(scenario, lanes, recorded, capacity, flying)
        _programs[key] = program
        if len(_programs) > MOST_PROGRAMS:
            del _programs[next(iter(_programs))]
    return program


def forget() -> None:
    """Release all compiled programs of this process.

    Each holds machine code and mappings of memory, of which a process has only so many (65530 on Linux unless
    set otherwise); one that flies dozens of structures releases them in between.
    """
    _programs.clear()
    jax.clear_caches()
    gc.collect()
