"""Compiled programs of a scenario, which integrate its motion and evaluate quantities of a flight.

All scenarios of the same structure share the same programs.
"""

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
    """Set JAX to float64, and make the process keep the memory of released NumPy arrays."""
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
"""Number of elements of an array that is created and released once.

After this, the memory allocator of Linux keeps released memory in the process.
"""


QUICK = {
    "xla_backend_optimization_level": 0,
    "xla_cpu_use_fusion_emitters": False,
    "xla_llvm_enable_alias_scope_metadata": False,
    "xla_llvm_enable_noalias_metadata": False,
}
"""Compiler options (CPU) for programs that run rarely: no optimization, so the compilation is short."""
FLIGHT = {"xla_backend_optimization_level": 2}
"""Compiler options (CPU) for flights with many steps.

The highest optimization level takes longer to compile, and the program is not faster.
"""
FEW_STEPS, FEW_BODIES = 50_000, 12
"""Maximum number of steps, including rejected steps, and of bodies for which the options `QUICK` are used.

With these options, each expression takes 0.6 ms less to compile and 9 ns more in each step. Both programs
take the same time after about 60,000 steps, if the bodies are few enough for the compiler to treat their
arrays as single numbers.
"""
LANES = {
    "xla_cpu_prefer_vector_width": 512,
    "xla_cpu_use_fusion_emitters": False,
    **compiled.ONE_THREAD,
}
"""Compiler options (CPU) for many cases: wide vector instructions, and no threads within a group of cases.

Each group of cases already has its own thread.
"""
KERNEL_OF_LANES = 5000
"""Maximum number of equations for which many cases are computed by one kernel; see
docs/decisions/0002-one-kernel.md.
"""


def fast_program(function, options, library: bool = False, most: float = math.inf, **known: Any):
    """Return a function that is compiled for speed, on a CPU as one kernel.

    - options: compiler options for a CPU.
    - library: if true, the function calls a library; then several kernels are used.
    - most: maximum number of equations for one kernel. With more equations, several kernels are used.
    - known: name and description of the program, see `programs.compiled.Program`.
    """
    return compiled.Program(function, Way(tuple(options.items()), not library, most), **known)


class OfScenario:
    """Compiled program that takes a scenario as its first argument.

    - whole: program that takes the numeric inputs of a scenario.
    - given: function that returns the numeric inputs of a scenario.
    """

    def __init__(self, whole: compiled.Program, given: Callable[[Any], compiled.Given]):
        self._whole, self._given = whole, given

    def __call__(self, scenario: Any, *args: Any) -> Any:
        return self.of(self._given(scenario), *args)

    def of(self, given: compiled.Given, *args: Any) -> Any:
        """Call the program with numeric inputs of a scenario that are already prepared.

        given: prepared inputs. args: other arguments of the program.
        """
        return self._whole(*args, given=given)

    @property
    def about(self) -> str | None:
        """Return the description of the program, or None if it is incomplete; see
        `programs.compiled.Program`.
        """
        return self._whole.about

    def is_stored(self, scenario: Any, *args: Any) -> bool:
        """Return whether the program for these arguments is already compiled; see
        `programs.compiled.Program.is_stored`.
        """
        return self._whole.is_stored(*args, given=self._given(scenario))

    def trace(self, scenario: Any, *args: Any) -> Any:
        """Return the JAX equations of the program for these arguments, without a compilation."""
        return self._whole.trace(*args, given=self._given(scenario))


class Program(AtOnce):
    """Compiled programs for one scenario structure and one shape of the case axes.

    capacity: maximum number of steps that one call records. Other arguments: see `AtOnce`.
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
        """Programs that `lane_records` has compiled for this structure, by the requested quantities."""
        self.pushforwards: dict[tuple[tuple[int, ...], bool], Any] = {}
        """Programs that `pushforward` has compiled for this structure."""
        self.collocated: dict[str | None, Any] = {}
        """Programs that `studies.optimization.collocation` has compiled for this structure."""
        self.by_numpy = 0
        """States of cases that `lane_records` has computed without compiling."""

    def stacks(self, scenario) -> Stacks:
        """Return the numeric inputs of a scenario stacked by kind, as arrays on the device.

        The results for the last few scenarios are cached.
        """
        return self._stacks.of(scenario, lambda: jax.device_put(self.given_here(scenario)[1]))

    def arguments(self, scenario) -> compiled.Given:
        """Return the numeric inputs of a scenario and its stacked values, as arrays on the device.

        The results for the last few scenarios are cached."""
        return self._given.of(scenario, lambda: compiled.Given(self.form(scenario), self.stacks(scenario)))

    def given_apart(self, scenario) -> Callable[[int], compiled.Given]:
        """Return a function that returns the `arguments` of a case from the index of the case.

        scenario: scenario of all cases; the last axis of each array is the case.
        """
        here = jax.tree.map(np.asarray, self.form(scenario))
        found = stacks(self.layout, here, 1)
        whole = compiled.Given(here, found)

        def leaves(lane: int) -> list[Any]:
            return [leaf[..., min(lane, leaf.shape[-1] - 1)] for leaf in whole.leaves]

        first = compiled.Given(*jax.tree.unflatten(whole.tree, leaves(0)))
        return lambda lane: first.with_leaves(leaves(lane))

    @cached_property
    def about(self) -> str | None:
        """Return a text that identifies the programs of this scenario structure.

        Return None if the values of a model cannot be described."""
        try:
            described = forms.description(self.scenario)
        except forms.Untold:
            return None
        return f"{described} {self.lanes} {self.recorded} {self.capacity} {self._flying}"

    def program(self, function, made, name: str = ""):
        """Return a compiled callable. The arguments of the callable are the scenario and the further
        arguments of `function`.

        - function: function (reduced scenario, stacked inputs, ...) to compile.
        - made: function that prepares the compilation, for example `fast_program`.
        - name: name of the program within a structure. A program without a name is not stored.
        """
        whole = made(function, name=name, about=self.about) if name else made(function)
        return OfScenario(whole, self.arguments)

    @cached_property
    def flying(self) -> Program:
        """Return the programs that integrate a flight without recording its quantities.

        Scenarios that differ only in recorded quantities share these programs.
        """
        if self._flying:
            return self
        return program_for(self.scenario, self.lanes, self.recorded, self.capacity, flying=True)

    @cached_property
    def advance(self) -> Any:
        """Return the compiled program (scenario, reference, t0, cursor) -> (cursor, rows, number of rows).

        One call continues the integration from the cursor for up to `capacity` recorded steps. The rows have
        the start and the end of each step. For one flight, the rows contain integrated states; `ordinary`
        converts them to states of the mechanism.
        """
        return self._advance(FLIGHT) if self._flying else self.flying.advance

    @cached_property
    def advance_briefly(self) -> Any:
        """Return the program `advance` compiled with the options `QUICK`.

        Compilation with these options takes at most half of the time, but the program runs three times
        slower.
        """
        return self._advance(QUICK) if self._flying else self.flying.advance_briefly

    def advance_for(self, steps: float) -> Any:
        """Return the program `advance` whose compilation and run take the least time in total.

        steps: expected number of integration steps of the flight.
        """
        few = steps <= FEW_STEPS and self.layout.count <= FEW_BODIES and not self.lanes
        return self.advance_briefly if few else self.advance

    @cached_property
    def states(self) -> Any:
        """Return the program (scenario, reference, t0, cursor) -> (cursor, final state, times, states, number
        of states).

        The program is like `advance` for one flight, but it returns states of the mechanism, and only at the
        starts of steps.
        """
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
        """Return the NumPy function (scenario, reference, t0, cursor) -> (cursor, row), which attempts one
        step.
        """

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
        return self.program(program, made, "cases" if self.lanes else "advance")

    def ordinary(self, scenario: Any, reference: Any, rows: Any, cursor: Any) -> tuple[Any, Any]:
        """Convert rows and cursor of a flight from `advance` to states of the mechanism, with NumPy."""
        program = self.flying
        return program.ordinary_of(program.given_here(scenario), reference, rows, cursor)


def _both_ends(rows: Any, together: Callable[..., Any]) -> Any:
    """Time, state and switches where rows begin, and behind these where they end."""
    starts, ends = (rows.t, rows.x, rows.discrete), (rows.t_end, rows.x_end, rows.discrete)
    return jax.tree.map(lambda *parts: together(parts), starts, ends)


def lift(scenario):
    """Return a scenario with an additional last axis of size one on every array, as a batch of one case."""
    configure()
    return jax.tree.map(lambda leaf: jnp.asarray(leaf)[..., None], scenario)


_programs: dict[Any, Program] = {}
_lock = threading.Lock()
MOST_PROGRAMS = 48
"""Maximum number of scenario structures whose programs a process keeps. The oldest programs are released
first.
"""


def program_for(
    scenario: Any,
    lanes: tuple[int, ...] = (),
    recorded: str = "steps",
    capacity: int = 512,
    flying: bool = False,
) -> Program:
    """Return the `Program` for the structure of a scenario. Each process creates it only once.

    Arguments: see `Program`.
    """
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

    This is useful after dozens of flights with different structures. Each program holds machine code and
    memory mappings, and the number of memory mappings of a process is limited.
    """
    _programs.clear()
    jax.clear_caches()
    gc.collect()
