"""Compiled programs are kept between runs, and nothing that happens to what is kept changes an answer."""

from __future__ import annotations

import errno
import os
import pickle
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import serialize_executable
from typer.testing import CliRunner

from interstage import load
from interstage.cli.main import app
from interstage.model import user_class
from interstage.model.values import Parameters
from interstage.parts.users.declared import CALL
from interstage.programs import code_only, compiled, entries, store
from interstage.programs import key as program_key
from interstage.programs.program import Program, configure, forget, program_for
from interstage.reading import loads
from interstage.runs.run import flown, resolve_scenario, start
from interstage.tree.errors import BadInput

MATRIX = np.array([[2.0, 0.5], [0.5, 1.0]])


@pytest.fixture
def waits():
    """How often each program was compiled."""
    found: Counter[str] = Counter()
    with compiled.listening(lambda wait: found.update([wait.name] if not wait.over else [])):
        yield found


def factor(matrix, scale):
    """Something with a library in it, and more than one result."""
    return {"lower": jnp.linalg.cholesky(matrix) * scale, "twice": matrix + matrix}


def tiny(function=factor, about: str | None = "a structure", kernel=False):
    return compiled.Program(function, compiled.Way((), kernel), "tiny", about)


def right(found) -> bool:
    return bool(
        np.allclose(found["lower"], 3.0 * np.linalg.cholesky(MATRIX), rtol=4 * np.finfo(float).eps, atol=0)
        and np.array_equal(found["twice"], 2 * MATRIX)
    )


def entry(folder: Path) -> Path:
    (path,) = folder.glob("*.program")
    return path


def test_a_program_is_compiled_once_and_read_by_others(empty_store, waits):
    first = tiny()(MATRIX, 3.0)
    second = tiny()(MATRIX, 3.0)
    assert waits == {"tiny": 1}
    assert right(first)
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert empty_store.stat().st_mode & 0o777 == 0o700
    # Another structure, way, name or shape is another program.
    tiny(about="another")(MATRIX, 3.0)
    tiny(kernel=True)(MATRIX, 3.0)
    tiny()(np.eye(3), 3.0)
    assert waits == {"tiny": 4}


def test_sources_are_read_again_only_where_they_have_changed(tmp_path, empty_store, monkeypatch):
    """Also where a change leaves the size and the time of writing as they were; and what has just changed is
    not taken for settled."""
    home = tmp_path / "package"
    file = home / "inner" / "law.py"
    file.parent.mkdir(parents=True)
    file.write_text("k = 1")
    written = file.stat().st_mtime_ns
    program_key.sources(home)
    assert not (empty_store / store.SEEN).exists()

    monkeypatch.setattr(program_key, "SETTLED", -np.inf)
    first = program_key.sources(home)
    with monkeypatch.context() as blind:
        blind.setattr(Path, "read_bytes", None)
        assert program_key.sources(home) == first
    time.sleep(0.02)  # the clock of a file system goes in steps of up to 10 ms here
    file.write_text("k = 2")
    os.utime(file, ns=(written, written))
    assert program_key.sources(home) != first
    file.write_text("k = 1")
    assert program_key.sources(home) == first
    (empty_store / store.SEEN).write_text('{"no": ["notes"]}')
    assert program_key.sources(home) == first


# --- what is kept without the compiler's text


def loops(matrix, scale):
    """Results of several kinds: of a loop, of a branch, one given twice, an argument, a constant, an
    integer, one without numbers."""
    table = jnp.asarray(np.arange(300.0))

    def step(k, held):
        total, spread = held
        return total + matrix @ spread, jnp.sin(spread) * scale + table[k]

    total, spread = jax.lax.fori_loop(0, 7, step, (matrix, 2 * matrix))
    either = jax.lax.cond(scale > 2, lambda a: a + 1, lambda a: a - 1, spread)
    return total, either, either, matrix, table, jnp.argmax(spread), spread[:0]


def alone(matrix, scale):
    return jnp.sum(matrix) * scale


@pytest.mark.parametrize("function", [factor, loops, alone])
@pytest.mark.parametrize("kernel", [False, True])
def test_what_is_kept_without_its_text_gives_the_same_bits(empty_store, waits, function, kernel):
    one, other = (tiny(function, kernel=kernel and function is not factor) for _ in range(2))
    first, second = one(MATRIX, 3.0), other(MATRIX, 3.0)
    assert waits == {"tiny": 1}
    again = one(MATRIX + 0.5, 1.5), other(MATRIX + 0.5, 1.5)
    for ours, theirs in ((first, second), again):
        for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
            assert np.asarray(a).tobytes() == np.asarray(b).tobytes()
    payload = pickle.loads(store.read(entry(empty_store).stem) or b"")[0]
    compiled_here = next(iter(one._made.values())).compiled
    assert len(payload) == len(entries._code(compiled_here))
    assert len(payload) < len(serialize_executable.serialize(compiled_here)[0])


def exchanged(whole):
    """Results in each other's places, as where a number of the format meant something else."""
    return lambda module, buffers, number, index: whole(module, buffers, number, index and (1 - index[0],))


def unknown(executable):
    raise code_only.Unknown


def without_half(executable):
    return executable[: len(executable) // 2]


@pytest.mark.parametrize(
    ("name", "other"),
    [("without_text", unknown), ("without_text", without_half), ("_buffer_of", None), ("TRIED", ("0.1.",))],
)
def test_a_program_keeps_its_text_where_that_cannot_go(empty_store, waits, monkeypatch, name, other):
    """The format unknown, the shorter program not read back, its results not the same: it is kept whole."""
    monkeypatch.setattr(code_only, name, other or exchanged(code_only._buffer_of))

    def sums(matrix, scale):
        return jnp.sum(matrix) * scale, jnp.sum(matrix) - scale

    first = tiny(sums)(MATRIX, 3.0)
    again = tiny(sums)(MATRIX, 3.0)
    assert waits == {"tiny": 1}
    assert [float(a) for a in again] == [float(a) for a in first] == [12.0, 1.0]
    payload = pickle.loads(store.read(entry(empty_store).stem) or b"")[0]
    assert b"jit_flat" in payload
    assert b"parameter" in payload
    monkeypatch.undo()
    assert len(code_only_of(sums)) < len(payload)


def code_only_of(function) -> bytes:
    program = tiny(function, about=None)
    program(MATRIX, 3.0)
    return entries._code(next(iter(program._made.values())).compiled)


def test_what_takes_long_is_not_called_again(empty_store, monkeypatch):
    calls = []
    monkeypatch.setattr(entries, "_code", lambda compiled: calls.append(compiled) or b"")
    monkeypatch.setattr(entries, "LONG", 0.0)
    tiny()(MATRIX, 3.0)
    assert not calls
    assert entry(empty_store)


def test_whatever_is_cut_off_is_unknown(monkeypatch):
    program = tiny(alone, about=None)
    program(MATRIX, 3.0)
    seen: list[bytes] = []
    with monkeypatch.context() as patch:
        patch.setattr(code_only, "without_text", lambda executable: seen.append(executable) or executable)
        entries._code(program._made.popitem()[1].compiled)
    (whole,) = seen
    # The compile options are the last field: what lacks them alone is complete otherwise.
    options = code_only._message([code_only._fields(whole[1 + whole[0] :])[-1]])
    for length in (*range(0, len(whole), len(whole) // 97), len(whole) - len(options)):
        with pytest.raises(code_only.Unknown):
            code_only.without_text(whole[:length])
    assert len(code_only.without_text(whole)) < len(whole)


# --- what goes wrong


def test_what_cannot_be_told_is_not_kept(empty_store, waits):
    for _ in range(2):
        assert right(tiny(about=None)(MATRIX, 3.0))
    assert waits == {"tiny": 2}
    assert not store.entries()


@pytest.mark.parametrize("where", [0, 30, 100, 130, -1])
def test_a_damaged_entry_is_compiled_anew(empty_store, waits, where):
    tiny()(MATRIX, 3.0)
    whole = bytearray(entry(empty_store).read_bytes())
    whole[where] ^= 1
    entry(empty_store).write_bytes(whole)
    assert right(tiny()(MATRIX, 3.0))
    assert right(tiny()(MATRIX, 3.0))
    assert waits == {"tiny": 2}


def test_a_half_written_or_foreign_entry_is_compiled_anew(empty_store, waits):
    tiny()(MATRIX, 3.0)
    path, whole = entry(empty_store), entry(empty_store).read_bytes()
    tiny(lambda a, b: factor(a, -b), "another")(MATRIX, 3.0)
    (other,) = {*empty_store.glob("*.program")} - {path}
    for wrong in (whole[: len(whole) // 2], whole[:10], b"", other.read_bytes()):
        path.write_bytes(wrong)
        assert right(tiny()(MATRIX, 3.0))
    assert waits == {"tiny": 6}


def test_what_loads_but_does_not_run_is_compiled_anew(empty_store, waits, monkeypatch):
    """As jaxlib has it with a program that came out of JAX's own cache when it was written."""
    tiny()(MATRIX, 3.0)

    def fails(*leaves):
        raise jax.errors.JaxRuntimeError("NOT_FOUND: Function multiply_copy_fusion.1 not found")

    monkeypatch.setattr(serialize_executable, "deserialize_and_load", lambda *_: fails)
    assert right(tiny()(MATRIX, 3.0))
    monkeypatch.undo()
    assert waits == {"tiny": 2}


def test_what_others_may_write_is_not_read(empty_store, waits, monkeypatch):
    tiny()(MATRIX, 3.0)
    entry(empty_store).chmod(0o666)
    assert right(tiny()(MATRIX, 3.0))
    empty_store.chmod(0o777)
    assert right(tiny()(MATRIX, 3.0))
    assert empty_store.stat().st_mode & 0o777 == 0o700
    assert waits == {"tiny": 3}
    monkeypatch.setattr(store, "_user", lambda: os.geteuid() + 1)
    assert right(tiny()(MATRIX, 3.0))
    assert waits == {"tiny": 4}


@pytest.mark.parametrize("reason", [errno.ENOSPC, errno.EROFS, errno.EACCES])
@pytest.mark.parametrize("moment", ["open", "write_bytes", "replace", "mkdir"])
def test_a_full_or_read_only_disk_costs_no_answer(empty_store, monkeypatch, reason, moment):
    def fails(*args, **options):
        raise OSError(reason, os.strerror(reason))

    owner = {"write_bytes": Path, "mkdir": Path}.get(moment, os)
    monkeypatch.setattr(owner, moment, fails)
    assert right(tiny()(MATRIX, 3.0))
    monkeypatch.undo()
    assert not [*empty_store.glob("*.program")]
    assert not [*empty_store.glob("*.part")]


def test_the_store_keeps_to_its_size(empty_store, monkeypatch):
    monkeypatch.setenv(store.SIZE_VARIABLE, "3 kB")
    for number in range(4):
        assert store.write(f"{number}", bytes(700))
        os.utime(empty_store / f"{number}.program", (number, number))
    assert store.read("1") == bytes(700)  # used just now
    assert store.write("4", bytes(700))
    assert {e.path.stem for e in store.entries()} == {"1", "3", "4"}
    assert sum(e.size for e in store.entries()) <= store.limit() == 3000
    assert not store.write("larger than the store", bytes(4000))
    monkeypatch.setenv(store.SIZE_VARIABLE, "0")
    assert not store.write("5", b"")
    monkeypatch.setenv(store.SIZE_VARIABLE, "much")
    assert store.limit() == store.USUAL_SIZE


@pytest.mark.parametrize(
    ("text", "size"),
    [("500 MB", 5 * 10**8), ("2GiB", 2 << 30), ("0", 0), ("1.5 kb", 1500), ("-1", None), ("some", None)],
)
def test_sizes(text, size):
    assert store.size_of(text) == size


ALONE = """
import sys
import numpy as np
from interstage.programs import compiled
from interstage.programs.program import configure
sys.path[:0] = sys.argv[1], sys.argv[1] + "/programs"
from test_store import MATRIX, right, tiny
configure()
waits = []
with compiled.listening(waits.append):
    for turn in range(int(sys.argv[2])):
        assert right(tiny(about=f"turn {turn}")(MATRIX, 3.0))
print(len(waits))
"""


def test_other_processes(empty_store):
    """Two that write at once, then one that reads all of it without a compiler: linear algebra in what it
    reads would end it, were it not prepared."""
    alone = {k: v for k, v in os.environ.items() if k != "JAX_COMPILATION_CACHE_DIR"}
    command = [sys.executable, "-c", ALONE, str(Path(__file__).parents[1]), "3"]
    both = [subprocess.Popen(command, env=alone, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert all(int(each.communicate()[0]) > 0 for each in both)
    assert [each.returncode for each in both] == [0, 0]
    third = subprocess.run(command, env=alone, capture_output=True, text=True, check=False)
    assert (third.returncode, third.stdout.strip()) == (0, "0"), third.stderr
    assert len(store.entries()) == 3


def doubled(matrix, scale):
    """Something that calls no library."""
    return {"lower": matrix * scale}


@pytest.mark.parametrize(("function", "times"), [(factor, 2), (doubled, 0)])
def test_linear_algebra_is_made_ready_for_what_calls_it(empty_store, monkeypatch, waits, function, times):
    """Only then: it takes a fifth of a second. It is read back as it is written, to compare, and later."""
    ready: list[bool] = []
    monkeypatch.setattr(entries, "_with_linear_algebra", lambda: ready.append(True))
    for _ in range(2):
        tiny(function)(MATRIX, 3.0)
    assert waits["tiny"] == 1
    assert len(ready) == times


def test_what_is_kept_says_not_where_it_came_from(empty_store):
    """They would be a quarter of it."""
    tiny()(MATRIX, 3.0)
    assert b"jit(cholesky)" not in entry(empty_store).read_bytes()


# --- flights


TOML = """
title = "Two bodies pushed apart"
[bodies.stage]
mass = 100
inertia = [10, 10, 10]
[bodies.payload]
mass = 50
inertia = [5, 5, 5]
initial = { position = [0, 0, 1] }
[joints.clamp]
kind = "fixed"
parent = "stage"
child = "payload"
parent_at = [0, 0, 0.5]
child_at = [0, 0, -0.5]
[forces.spring]
kind = "spring"
parent = "stage"
child = "payload"
parent_at = [0, 0, 0.4]
child_at = [0, 0, -0.4]
stiffness = 400
free_length = 0.5
[phases.held]
until = { elapsed = 1 }
[phases.free]
release = ["clamp"]
until = { elapsed = 1 }
[requirements.calm]
quantity = "bodies.payload.speed"
max = 50
"""
EDITS = {
    "a number": ("mass = 50", "mass = 60"),
    "a unit": ("mass = 100", 'mass = "220 lbm"'),
    "the unit of a value": ("max = 50", 'max = "50 km/s"'),
    "the title": ("Two bodies", "Both bodies"),
    "a limit": ("max = 50", "max = 60\nmin = -1"),
    "another requirement": ("max = 50", 'max = 50\n[requirements.more]\nquantity = "time"\nmax = 9'),
    "the output interval": ("[requirements", "[output]\ninterval = 0.01\n[requirements"),
    "the samples": ("[requirements", "[output]\ntimes = [0.5, 1.5]\n[requirements"),
    "a source": (
        "[requirements",
        '[sources]\n"bodies.stage.mass" = { source = "a guess", confidence = "judgement" }\n[requirements',
    ),
    "the units of tables": ("title", 'units = "US"\ntitle'),
    "a pair to look at": (
        "[requirements",
        '[pairs.gap]\nparent = "stage"\nchild = "payload"\n[requirements',
    ),
    "a sensor": ("[requirements", '[sensors.tip]\nbody = "stage"\nat = [0, 0, 1]\n[requirements'),
    "a clearance": ("[requirements", '[clearance.all]\nbetween = ["stage", "payload"]\n[requirements'),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_first_edit_compiles_no_new_flight(edit):
    text = TOML
    if edit == "a clearance":
        shape = 'shapes = [{ name = "hull", kind = "sphere", radius = 0.1 }]\n'
        text = text.replace("inertia = [10, 10, 10]\n", "inertia = [10, 10, 10]\n" + shape)
        text = text.replace("inertia = [5, 5, 5]\n", "inertia = [5, 5, 5]\n" + shape)
    base, edited = loads(text), loads(text.replace(*EDITS[edit], 1))
    assert base != edited
    program, other = program_for(base), program_for(edited)
    assert program.flying is other.flying
    assert program.flying.about
    if edit not in ("a pair to look at", "a sensor"):
        assert program is other  # what is recorded of them is of one program, too


def test_another_structure_is_another_flight():
    base, more = (
        loads(TOML),
        loads(TOML.replace("elapsed = 1", 'quantity = "bodies.stage.speed", reaches = 1', 1)),
    )
    assert program_for(base).flying.about != program_for(more).flying.about


@pytest.mark.long
def test_a_flight_of_several_chunks_is_compiled_once(empty_store, waits, monkeypatch):
    """And a second program of the structure, as in another process, compiles none."""
    monkeypatch.setattr("interstage.runs.short.ATTEMPTS", 0)
    heard: Counter[str] = Counter()

    def hear(event: str, duration_secs: float, **_: Any) -> None:
        heard.update([event])

    jax.monitoring.register_event_duration_secs_listener(hear)
    scenario, tracks = loads(TOML), []
    for _ in range(2):
        program = program_for(scenario, capacity=4)
        first = start(program, scenario)
        before = heard["/jax/core/compile/backend_compile_duration"]
        tracks.append(flown(program, scenario, first).track)
        assert len(tracks[-1].t) > 2 * program.capacity
        compilations = heard["/jax/core/compile/backend_compile_duration"] - before

        forget()
    assert waits["advance"] == 1
    assert compilations <= 1  # without its flight: the cursor at most
    assert all(np.array_equal(a, b) for a, b in zip(*map(jax.tree.leaves, tracks), strict=True))


def test_of_too_many_structures_the_one_asked_for_longest_ago_goes(monkeypatch):
    forget()
    monkeypatch.setattr("interstage.programs.program.MOST_PROGRAMS", 2)
    scenario = loads(TOML)
    one, other = program_for(scenario, capacity=5), program_for(scenario, capacity=6)
    assert program_for(scenario, capacity=5) is one
    program_for(scenario, capacity=7)
    assert program_for(scenario, capacity=5) is one
    assert program_for(scenario, capacity=6) is not other
    forget()


@pytest.mark.parametrize(
    ("size", "text"), [(999, "999 bytes"), (999.4e6, "999 MB"), (999.7e6, "1 GB"), (2.345e9, "2.35 GB")]
)
def test_sizes_in_words(size, text):
    assert store.told_size(size) == text


def test_the_command_shows_prunes_and_clears(empty_store, monkeypatch):
    def told(*words: str) -> str:
        found = CliRunner().invoke(app, ["cache", *words])
        assert found.exit_code == 0, found.output
        return found.output

    assert told().splitlines() == [
        f"Folder: {empty_store}",
        "Content: 0 programs, 0 bytes; size limit: 1 GB (INTERSTAGE_CACHE_SIZE)",
    ]
    for number in range(3):
        store.write(f"{number}", bytes(900))
        os.utime(empty_store / f"{number}.program", (number, number))
    for name in ("abandoned.part", ".0.program.1-0.part"):  # of an older version, and of `replacing`
        (empty_store / name).touch()
        os.utime(empty_store / name, (0, 0))
    assert "Content: 3 programs, 2.87 kB" in told()
    assert (
        told("prune", "--size", "2 kB")
        == "Removed 1 program, 955 bytes. The cache still contains 2 programs, 1.91 kB.\n"
    )
    assert {path.name for path in empty_store.iterdir()} == {"1.program", "2.program"}
    store.took("advance", 100, 3.0)
    assert told("clear") == "Removed 2 programs, 1.91 kB. The cache still contains 0 programs, 0 bytes.\n"
    assert not [*empty_store.iterdir()]
    for words, problem in (
        (["shw"], "did you mean 'show'"),
        (["prune", "--size", "some"], "not a size"),
        (["--size", "1 MB"], "the action prune"),
    ):
        with pytest.raises(BadInput, match=problem):
            CliRunner().invoke(app, ["cache", *words], catch_exceptions=False)


@pytest.mark.parametrize("file", ["examples/ascent.toml", "validation/nesc-17-joint/scenario.toml"])
def test_no_number_of_the_structure_enters_an_answer(file):
    # What is kept by structure serves scenarios with other numbers: none of its own may be in it.
    configure()
    scenario = resolve_scenario(load(Path(__file__).resolve().parents[2] / file))
    nowhere = jax.tree.map(lambda leaf: np.full(np.shape(leaf), np.nan), scenario)
    own, other = (Program(structure) for structure in (scenario, nowhere))
    first = start(own, scenario)
    state = first.reference, first.time, first.x, first.discrete
    instants = jax.tree.map(lambda a: np.asarray(a)[..., None], state[1:])
    for name, args in {
        "begin": (0.0,),
        "cursor": state,
        "observe": (first.reference, *instants, np.full(1, 1e-3)),
    }.items():
        found, wanted = (getattr(program, name)(scenario, *args) for program in (other, own))
        jax.tree.map(np.testing.assert_array_equal, found, wanted)


LAW = """
from pathlib import Path
import jax.numpy as jnp
import numpy as np
from . import numbers

def read(name):
    return np.loadtxt(Path(__file__).with_name(name))

TABLE = jnp.asarray(read("own.csv"))

class Law:
    table = read("inside.csv")

    def __call__(self, *_):
        return TABLE * self.table * numbers.TABLE
"""


@pytest.mark.parametrize("edited", ["own", "inside", "beside"])
def test_tables_that_a_module_of_the_user_reads_are_part_of_a_program(tmp_path, monkeypatch, edited):
    name = f"with_{edited}_table"
    home = tmp_path / name
    home.mkdir()
    (home / "__init__.py").touch()
    (home / "law.py").write_text(LAW)
    reading = "import numpy as np\nTABLE = np.loadtxt(__file__[:-10] + 'beside.csv')\n"
    (home / "numbers.py").write_text(reading)
    for table in ("own", "inside", "beside"):
        (home / f"{table}.csv").write_text("2.0")
    monkeypatch.syspath_prepend(tmp_path)

    def told() -> str | None:
        for module in [each for each in sys.modules if each.startswith(name)]:
            del sys.modules[module]
        return user_class.fingerprint(f"{name}.law:Law", Parameters(), CALL)

    before = told()
    assert before is not None
    assert told() == before
    (home / f"{edited}.csv").write_text("3.0")
    assert told() != before


def test_a_gravity_field_that_was_edited_makes_another_program(tmp_path):
    configure()
    field, head = tmp_path / "own.gfc", "earth_gravity_constant 3.986e14\nradius 6378137\nend_of_head\n"
    pull = f'[gravity]\nkind = "spherical_harmonics"\ncoefficients = "{field}"\ndegree = 2\n[planet]\n'
    text = TOML.replace("[bodies.stage]", f'{pull}kind = "earth"\n[bodies.stage]', 1)
    text = text.replace(
        "inertia = [10, 10, 10]", "inertia = [10, 10, 10]\ninitial = { position = [7e6, 0, 0] }"
    )

    def program(flattening: str) -> Program:
        field.write_text(f"{head}gfc 2 0 {flattening} 0.0\n")
        return program_for(loads(text))

    first = program("-4.8e-4")
    assert program("-4.8e-4") is first
    assert program("-4.801e-4") is not first


def test_options_of_the_compiler_are_those_it_knows_and_the_user_has_not_set(monkeypatch):
    monkeypatch.setenv("XLA_FLAGS", "--xla_backend_optimization_level=1 --xla_dump_to=x")
    asked = {
        "xla_backend_optimization_level": 2,
        "xla_of_another_release": 1,
        "xla_cpu_prefer_vector_width": 512,
    }
    assert compiled.known_options(asked) == {"xla_cpu_prefer_vector_width": 512}


def test_notes_that_are_nested_too_deep_are_no_notes(empty_store):
    """JSON's reader gives up by RecursionError."""
    store.see("state", "checksum")
    assert store.noted_checksum("state") == "checksum"
    for name in (store.SEEN, store.TIMES):
        (empty_store / name).write_text("[" * 100_000)
        (empty_store / name).chmod(0o600)
    assert store.noted_checksum("state") is None
    assert store.estimate("advance", 1000) is None
