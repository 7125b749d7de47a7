"""Compiled programs are kept between runs of the tests, in a folder of this repository that git ignores."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

# Packages of parts that are installed are hidden, here and in processes that tests start.
ISOLATION = str(Path(__file__).parent / "isolation")
sys.path.insert(0, ISOLATION)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [ISOLATION, os.environ.get("PYTHONPATH")]))
importlib.import_module("hidden_parts").hide()

# Before JAX is imported anywhere, and in the environment, so that commands started by tests share the cache.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(Path(__file__).parents[1] / ".cache" / "jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")
# Interstage's own store is under .cache too. A run in several processes keeps nothing there: test files share
# no program, and writing one takes a tenth of the time of its compilation.
os.environ.setdefault("INTERSTAGE_CACHE_DIR", str(Path(__file__).parents[1] / ".cache" / "programs"))
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("INTERSTAGE_CACHE_SIZE", "0")
# Most of the time of these tests goes into compiling programs that then run for milliseconds. Flights as
# users compile them are the matter of `make verify`.
QUICK = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
if version("jaxlib").startswith("0.10."):  # Others may not know it, and end the process then.
    # The emitter that takes less time, and one module of LLVM for a program in place of many.
    QUICK += " --xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1"
    # No notes for an optimizer that is not asked.
    QUICK += " --xla_llvm_enable_alias_scope_metadata=false --xla_llvm_enable_noalias_metadata=false"
os.environ.setdefault("XLA_FLAGS", QUICK)
os.environ.setdefault("JAX_TRACEBACK_IN_LOCATIONS_LIMIT", "0")
# Reference values and bounds are for the CPU; a GPU that happens to be there must not change the answers.
os.environ.setdefault("JAX_PLATFORMS", "cpu")


LONGEST = ("pages", "campaign_envelopes", "campaign_run", "optimization", "missions", "linear")
LONGEST += ("operating_points", "invariance", "minimal", "derivatives", "beside", "sweep", "campaign_draws")
LONGEST += ("throttle", "campaign_derivatives", "missions_in_batches", "bushings", "store", "replay")
LONGEST += ("events", "cli", "release_logic", "contacts", "symbols", "crossings", "stepper", "new_vehicle")
LONGEST += ("periodic_points", "pushers", "short", "collocation", "campaign_faults", "pushed_jumps")
LONGEST += ("nodes", "packages", "saved_starts", "steering", "explain", "redundancy", "coefficient_table")
LONGEST += ("stationary", "bad_input", "peaks", "validation", "losses", "rotors", "beam_masses", "pushed")
LONGEST += ("missions_gone_on", "modal_joints", "release", "ground_impact", "dual", "stages", "fuzz")
LONGEST += ("changing_mass", "campaign_rare", "upfg", "scenario", "missions_compared", "formula")
LONGEST += ("own_steps", "rounded_crossings", "flight", "others", "comparison", "eddy_damper")
LONGEST += ("interruption", "elastic_joints", "figures", "damaged_flights", "singular_angles", "scene")
LONGEST += ("tree_elimination", "batch_values", "staggered", "campaign_page", "modal", "interfaces")
LONGEST += ("layers", "campaign_verdicts", "burns", "tip_off_campaign", "modal_drain", "refused")
LONGEST += ("propulsion", "curved_beams", "loads", "kinks", "mode_figures", "plausibility", "beam_steps")
LONGEST += ("slosh_flight", "switching")
"""Files whose tests take 3.5 s of processor time or more where nothing is compiled yet, as measured."""


def pytest_collection_modifyitems(items):
    """The longest files first: files are shared among processes, and the last one should not be left
    alone. The Makefile tells xdist to keep this order."""
    order = {f"test_{name}.py": place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))


# Garbage is collected after each file: while programs are traced, looking for it takes a tenth of the time.
gc.disable()


def pytest_collection_finish():
    """What is there by now stays to the end: looking through it after each file would take a second."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def few_programs_at_a_time():
    """The programs of one test file are release before the next: see `interstage.programs.program.forget`."""
    yield
    if "interstage.programs.program" in sys.modules:
        sys.modules["interstage.programs.program"].forget()
    else:
        gc.collect()


@pytest.fixture(scope="module")
def long_flights():
    """All flights of a file use the compiled program from their start, as they are known to be long."""
    from engine_door import compiled_flights

    with compiled_flights():
        yield


@pytest.fixture(scope="session")
def demo():
    """The scenario of `make demo`."""
    import interstage

    return interstage.load(Path(__file__).parents[1] / "examples" / "payload_separation.toml")


@pytest.fixture
def empty_store(tmp_path, monkeypatch):
    """The folder of an empty store, and JAX without a cache of its own: what comes out of that cannot be
    kept."""
    import jax
    from jax.experimental.compilation_cache import compilation_cache

    from interstage.programs import store
    from interstage.programs.program import configure

    configure()
    monkeypatch.setenv(store.FOLDER_VARIABLE, str(tmp_path / "store"))
    monkeypatch.delenv(store.SIZE_VARIABLE, raising=False)
    settings: Any = jax.config
    before = settings.jax_enable_compilation_cache
    jax.config.update("jax_enable_compilation_cache", False)
    compilation_cache.reset_cache()
    yield tmp_path / "store"
    jax.config.update("jax_enable_compilation_cache", before)
    compilation_cache.reset_cache()
