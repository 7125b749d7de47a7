"""The core knows no physical effect by name: which ones a scenario has, the catalogue of parts tells it.

Names are looked for in code, not in prose: docstrings, comments and messages may say what they are about."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import interstage
from interstage.engine.contract import CAPABILITIES, Part
from interstage.maths import jax_import
from interstage.parts import OWN
from interstage.parts.catalogue import every_part
from interstage.scenario import Scenario
from interstage.tree import packages

HOUSE = Path(interstage.__file__).parent
ROOT = Path(__file__).parents[2]
CORE = (
    *("stepper", "formulations", "record", "drawing", "playback", "engine", "quantities", "checks", "report"),
    *("starts", "programs", "observation", "diagnosis", "runs", "sensitivities", "linear", "studies"),
)
"""Rooms that name no effect."""
PLAIN = {
    **dict.fromkeys(("force", "torque"), "loads, of joints too"),
    **dict.fromkeys(("attitude", "rate", "point", "table"), "plain words of mechanics and tables"),
    **dict.fromkeys(("angles", "direction", "incidence", "tangent"), "plain words of mechanics"),
    "air": "what the environment is made of, through which bodies fly",
    "given": "numbers that a program is handed",
    "item": "a thing of a list",
    "stop": "ends threads and progress",
    "Container": "a type of the standard library",
}
"""Kinds, or names of packages, that say no effect by themselves, and what else they mean."""
OF_OPTIMA = "those of an optimal control problem, as its field calls them"
ALLOWED = {
    ("report/order.py", "*"): "the one list of the keys of tables and figures, in which order they stand",
    ("engine/contract/found.py", "parts.catalogue"): "the list of all parts, which names them",
    ("engine/layout.py", "contacts"): "points of rolling joints, in the table of rows",
    ("engine/numbers.py", "contacts"): "points of rolling joints, in the table of rows",
    ("checks/point.py", "guidance"): "a point has its attitude from there, by the name that a scenario gives",
    ("checks/pairs.py", "sensors"): "a pair may have its points at sensors",
    ("quantities/catalogue.py", "sensors"): "a pair may have its points at sensors",
    ("quantities/points.py", "sensors"): "a pair may have its points at sensors",
    ("runs/batch.py", "clearance"): "`Batch.clearance`, which users call",
    ("runs/mission_batch.py", "clearance"): "`Batch.clearance`, which users call",
    ("record/netcdf.py", "clearance"): "an attribute of saved files, older ones included",
    ("programs/workers.py", "pid"): "the number of a process in Python's library, not the controller",
    ("playback/stations.py", "interfaces"): "the list of stations in a scenario, which are cameras",
    ("playback/shapes.py", "cylinder"): "a kind of shape of a body, as a tank has",
    ("playback/shapes.py", "sphere"): "a kind of shape of a body, as a tank has",
    ("studies/optimization/checks.py", "controls"): OF_OPTIMA,
    ("studies/optimization/collocation/arcs.py", "controls"): OF_OPTIMA,
    ("studies/optimization/collocation/control.py", "controls"): OF_OPTIMA,
    ("studies/optimization/collocation/refinement.py", "controls"): OF_OPTIMA,
    ("studies/optimization/collocation/run.py", "controls"): OF_OPTIMA,
    ("studies/optimization/collocation/transcribed.py", "controls"): OF_OPTIMA,
    ("studies/optimization/declared.py", "controls"): OF_OPTIMA,
    ("studies/optimization/collocation/pattern.py", "controls"): OF_OPTIMA,
    ("studies/optimization/collocation/programs.py", "controls"): OF_OPTIMA,
    ("studies/optimization/run.py", "controls"): OF_OPTIMA,
}
"""(file, name): why it stands there. "*" is for all names."""


@pytest.fixture(scope="module")
def names() -> set[str]:
    """How effects are named: their packages, kinds, classes, and the groups that hold nothing else."""
    found = set(OWN)
    for group, classes in packages.gather([]).kinds.items():
        found |= {cls.__name__ for cls in classes} | {base for cls in classes for base in families(cls)}
        found |= {cls.model_fields["kind"].default for cls in classes if "kind" in cls.model_fields}
        if group in Scenario.model_fields and group not in ("forces", "devices"):
            found.add(group)
    return found - PLAIN.keys()


def families(cls: type) -> Iterator[str]:
    """Names of the classes of parts that a declaration is derived from."""
    return (base.__name__ for base in cls.__mro__ if base.__module__.startswith("interstage.parts."))


def said(source: str) -> Iterator[tuple[int, str]]:
    """(line, name) of all that code goes by: what it imports, classes, attributes, keywords, and texts that
    are a name or a path. What is imported from a part is said as "parts.springs". Variables are not looked
    at, as a spring may stand for a stiffness of any joint."""
    tree = ast.parse(source)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.ImportFrom() | ast.Import():
                for name in node.names:
                    whole = f".{getattr(node, 'module', None) or ''}.{name.name}"
                    yield from ((line, name.name),) if name.name[:1].isupper() else ()
                    yield from _of_parts(line, whole)
            case ast.Name() if node.id[:1].isupper():
                yield line, node.id
            case ast.Attribute():
                yield line, node.attr
            case ast.keyword():
                yield line, node.arg or ""
            case ast.Constant(value=str() as text) if id(node) not in prose:
                if re.fullmatch(r"[\w.*]+", text):
                    yield from ((line, word) for word in text.split("."))
                    yield from _of_parts(line, f".{text}")


def _of_parts(line: int, path: str) -> Iterator[tuple[int, str]]:
    for part in re.findall(r"\.parts\.(\w+)", path):
        yield line, f"parts.{part}"


def naming(source: str, names: set[str], file: str = "") -> list[str]:
    """Where code names an effect; what is allowed left out."""
    return [
        f"{file}:{line} names {name}"
        for line, name in sorted(set(said(source)))
        if (name in names or name.startswith("parts.")) and not {(file, name), (file, "*")} & ALLOWED.keys()
    ]


def sources() -> Iterator[tuple[str, str]]:
    for room in CORE:
        for file in sorted((HOUSE / room).rglob("*.py")):
            yield file.relative_to(HOUSE).as_posix(), file.read_text(encoding="utf-8")


def test_the_core_names_no_effect(names):
    assert len(names) > 60
    assert [found for file, source in sources() for found in naming(source, names, file)] == []


def test_every_exception_is_still_needed(names):
    texts = dict(sources())
    for file, name in ALLOWED:
        assert any(name in ("*", found.split()[-1]) for found in naming(texts[file], names)), (file, name)


@pytest.mark.parametrize(
    "source",
    [
        "from ..parts.pushers import law",
        "from ..parts.drag.declared import Parachute",
        "from interstage.parts.users import flown",
        "import_module('interstage.parts.springs.law')",
        "isinstance(device, DragDevice)",
        'device.kind == "kickoff_spring"',
        'path = "contacts.nose.force"',
        "scenario.engines",
        "Numbers(slosh=1, streams=2, propellant=3)",
    ],
)
def test_a_name_is_found_wherever_it_stands_in_code(source, names):
    assert naming(source, names)


def test_prose_may_name_what_it_is_about(names):
    text = '"""Springs, pushers and a Parachute."""\n# of a kickoff_spring\nsaid = "the springs pull"\n'
    assert naming(text, names) == []


def test_what_stands_in_a_scenario_is_declared_by_the_package_that_flies_it():
    for package in packages.gather([]).packages:
        declared: Any = package.module("declared")
        for classes in declared.KINDS.values():
            assert all(cls.__module__.startswith(f"{package.name}.") for cls in classes)


# --- the page that tells where things are


@pytest.fixture(scope="module")
def page() -> str:
    return (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_the_page_has_the_rooms_in_their_order(page):
    layers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = layers["contracts"][0]["layers"]
    told = [room.removesuffix(".py") for room in re.findall(r"^\| `([\w.]+)/?` \|", page, re.M)]
    told = told[: told.index("cli") + 1]
    height = {room: -k for k, line in enumerate(layers) for room in line.split() if room not in "|:"}
    assert {*told} == {*height}
    assert [height[room] for room in told] == sorted(height[room] for room in told)


def test_files_that_the_page_names_are_there(page):
    found = re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", page)
    assert len(found) > 40
    assert [path for path in found if not (HOUSE / path).exists() and not (ROOT / path).exists()] == []


# --- contract of the parts


def test_the_page_of_own_parts_lists_the_names_of_each_capability():
    page = (ROOT / "docs" / "part_interface.md").read_text(encoding="utf-8")
    table = dict(re.findall(r"^\| `([A-Z]\w+)` \| .* \| (.*) \|$", page, re.M))
    found = {kind: set(re.findall(r"`(\w+)`", row)) for kind, row in table.items()}
    assert found == {kind.__name__: public_names(kind) - PROVIDED for kind in CAPABILITIES}


PROVIDED = {"layout", "which", "items"}
"""What a part is given, and does not define."""
MOST_NAMES = 16
"""Names that a device without events or states may define. Further ones belong in a capability."""
DEFINED_TWICE = {
    "labels": "Persistent declares it without states, HasState by the number of its states",
}
"""Names in more than one class of the contract: reason."""


def public_names(kind: type[Part]) -> set[str]:
    """Names that a class of the contract defines for its subclasses."""
    return {
        name for name in (*vars(kind), *vars(kind).get("__annotations__", ())) if not name.startswith("_")
    }


def test_a_part_has_few_names():
    assert len(public_names(Part) - PROVIDED) <= MOST_NAMES


def test_each_name_of_the_contract_belongs_to_one_class():
    where = [(name, kind) for kind in CAPABILITIES for name in public_names(kind)]
    counts = Counter(name for name, _ in where)
    assert {name for name, count in counts.items() if count > 1} == DEFINED_TWICE.keys()


# --- what is imported


def test_the_catalogue_has_every_part():
    modules = [module for package in packages.gather([]).packages if (module := package.module("flown"))]
    classes = [cls for module in modules for cls in vars(module).values() if isinstance(cls, type)]
    found = {cls for cls in classes if issubclass(cls, Part) and cls.__module__.endswith(".flown")}
    assert found - {Part} == {*every_part()}


def test_only_parts_that_a_scenario_has_something_of_are_imported():
    code = "import sys, interstage as ist; from interstage.tree import packages\n"
    code += "ist.load(sys.argv[1]); print(*sys.modules); [*packages.of_ours('after')]; print(*sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", code, ROOT / "examples" / "first.toml"], capture_output=True, text=True
    )
    loaded, ended = (
        {name.split(".")[-2] for name in line.split() if name.endswith(".flown")}
        for line in told.stdout.splitlines()
    )
    # The only device is a spring that pushes; nothing declares what is told of performance.
    assert loaded == {"pushers", "performance"}
    assert ended <= {*loaded, "modal"}  # once it has flown, too; modes tell their limits by what flies


def test_jax_is_shown_distributions_of_its_own_alone():
    """All whose names begin like its own, as their metadata have it, and in its own thread only."""
    with ThreadPoolExecutor(1) as another:
        every = {one.metadata["Name"] for one in metadata.distributions()}
        with jax_import.only_named("jax"):
            shown = {one.metadata["Name"] for one in metadata.distributions()}
            elsewhere = another.submit(lambda: len([*metadata.distributions()])).result()
        assert shown == {name for name in every if name.startswith("jax")} >= {"jax", "jaxlib"}
        assert elsewhere == len([*metadata.distributions()]) > len(shown)
