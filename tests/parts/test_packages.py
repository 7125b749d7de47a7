"""Packages of parts of others: found by entry points, refused with a reason, named by scenarios."""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module
from importlib.metadata import distributions
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from interstage.diagnosis import plausibility
from interstage.model.user_class import of_package
from interstage.observation import after
from interstage.reading import loads
from interstage.scenario import Scenario
from interstage.tree import packages
from interstage.tree.declaration import reachable
from interstage.tree.errors import BadInput
from other_packages import JOINED, announce, declared, install, points, python

FLIGHT = (
    JOINED
    + """[devices.hook]
kind = "magnet"
joints = ["clamp"]
hold = "2 kN"
[phases.joined]
until = { time = 1 }
[phases.apart]
until = { time = 2 }
fire = ["hook"]
"""
)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder on the path, in which packages can be installed."""
    monkeypatch.syspath_prepend(tmp_path)
    before = {*sys.modules}
    yield tmp_path
    for name in {*sys.modules} - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def left_out(place: Path) -> dict[str, str]:
    """Why packages in a folder are left out, by their names."""
    return {package.name: why for package, why in packages.gather(points(place)).left_out.items()}


def test_packages_of_others_come_after_ours(place):
    install(place, "zebra_magnet", {"declared": declared("zebra", "Zebra")}, "my.Zebra")
    install(place, "a_magnet", {"declared": declared()})
    found = packages.gather(points(place))
    assert found.left_out == {}
    assert [str(p) for p in found.others] == [
        "a_magnet (interstage-a_magnet 1.2)",
        "zebra_magnet (my.Zebra 1.2)",
    ]
    ours = packages.catalogue().kinds["devices"]
    assert [cls.__name__ for cls in found.kinds["devices"]] == [
        *(c.__name__ for c in ours),
        "Magnet",
        "Zebra",
    ]
    assert {g: k for g, k in found.kinds.items() if g != "devices"} == {
        g: k for g, k in packages.catalogue().kinds.items() if g != "devices"
    }


NOT_OURS = "from interstage.tree.declaration import Declaration\nclass Odd(Declaration): ...\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import nowhere", "the package cannot be imported: No module named 'nowhere'"),
        ("1 / 0", "the package cannot be imported: ZeroDivisionError: division by zero"),
        ("import sys; sys.exit(3)", "the package cannot be imported: SystemExit: 3"),
        ("def", "the package cannot be imported: SyntaxError: invalid syntax"),
        ("", "faulty.declared has no table of kinds. Add"),
        ("KINDS = 3", "faulty.declared has no table of kinds"),
        ('KINDS = {"gadgets": ()}', "the package declares kinds of 'gadgets'; allowed groups: forces"),
        ('KINDS = {"engines": ()}', "the package declares kinds of 'engines'; allowed groups: forces"),
        (NOT_OURS + 'KINDS = {"devices": (Odd,)}', "'Odd' is not a declaration of devices"),
        ('KINDS = {"devices": "magnet"}', "'magnet' is not a declaration of devices"),
        (
            'from interstage.model.effect import Device\nclass Odd(Device): ...\nKINDS = {"devices": (Odd,)}',
            "'Odd' has no fields kind and name",
        ),
        (
            declared().replace('si("N"', 'si("Wat"'),
            "the field Magnet.hold is marked si('Wat', ()): unknown unit 'Wat'; ",
        ),
        (
            declared().replace('Any, si("N", positive=True)]', 'Any, si("kip")] | None'),
            "the field Magnet.hold is marked si('kip', ()): the unit is not an SI unit",
        ),
        (
            declared().replace('si("N",', 'si("N", 3,'),
            "the field Magnet.hold is marked si('N', 3): write the shape as a tuple, like (3,)",
        ),
        (declared("piston"), "its kind of devices 'piston' also belongs to Interstage itself"),
        (declared(cls="Piston"), "its class of devices 'Piston' also belongs to Interstage itself"),
    ],
)  # fmt: skip
def test_a_package_that_cannot_be_used_is_left_out(place, text, why):
    install(place, "faulty", {"declared": text})
    install(place, "sound", {"declared": declared("sound", "Sound")})
    found = packages.gather(points(place))
    assert [package.name for package in found.others] == ["sound"]
    (said,) = found.left_out.values()
    assert said.startswith(why)


def test_packages_of_one_kind_are_both_left_out(place):
    for name in ("one", "two"):
        install(place, name, {"declared": declared(cls=name.title())})
    said = left_out(place)
    assert said.keys() == {"one", "two"}
    remedy = "Rename or remove one of these models"
    assert said["one"] == f"its kind of devices 'magnet' also belongs to two (interstage-two 1.2). {remedy}"
    assert "also belongs to one (interstage-one 1.2)" in said["two"]


def test_an_entry_point_names_a_package(place):
    install(place, "magnet", {"declared": declared()}, value="magnet.declared:Magnet")
    install(place, "empty", {})
    announce(place, "gone", "interstage-gone", "gone")
    announce(place, "again", "interstage-zz", "empty")
    found = packages.gather(points(place)).left_out
    assert sum("another entry point already names the package 'empty'" in why for why in found.values()) == 1
    said = {package.name: why for package, why in reversed([*found.items()])}
    assert said["magnet.declared"].startswith("the entry point of the package names 'magnet.declared:Magnet'")
    assert said["gone"] == "the package cannot be imported: No module named 'gone'"
    assert "the package has no module 'empty.declared'" in said["empty"]


def test_an_unknown_kind_says_which_there_are():
    with pytest.raises(BadInput) as error:
        loads(FLIGHT)
    (problem,) = error.value.problems
    assert problem.place == "devices.hook"
    kinds = ", ".join(cls.model_fields["kind"].default for cls in packages.kinds("devices"))
    hint = "If the kind belongs to another package, install a version of that package with an entry point"
    hint = f'{hint} "interstage.parts", and list the package in needs'
    hint = f"{hint}; no installed package has this entry point (see interstage --version)"
    assert problem.message == f"kind 'magnet' is not allowed; allowed: {kinds}. {hint}"
    with pytest.raises(BadInput, match="did you mean 'piston'"):
        loads(FLIGHT.replace("magnet", "pistom"))


def test_a_package_that_is_needed_and_missing_is_named_with_its_remedy():
    """What is of the package, as far as is known, is not judged, all else is."""
    text = 'needs = ["interstage-magnetic-latch", "numpy"]\n' + FLIGHT.replace("mass = 10", "mass = -1")
    with pytest.raises(BadInput) as error:
        loads(text)
    said = {problem.place: problem.message for problem in error.value.problems}
    assert said.keys() == {"needs.0", "bodies.stage.mass"}
    assert "'interstage-magnetic-latch', which is not installed" in said["needs.0"]
    assert said["needs.0"].endswith(": pip install interstage-magnetic-latch")
    with pytest.raises(BadInput, match="'no name' is not a package name of pip"):
        Scenario(needs=("no name",))


def test_a_package_without_an_entry_point_is_told_from_one_that_is_not_installed(place, monkeypatch):
    install(place, "faulty", {"declared": "import nowhere"})
    found = packages.gather(points(place))
    monkeypatch.setattr(packages, "catalogue", lambda: found)
    announce(place, "silent", "interstage-silent", "silent")
    (place / "interstage_silent-1.2.dist-info" / "entry_points.txt").unlink()
    with pytest.raises(BadInput) as error:
        loads('needs = ["interstage-silent"]\n' + FLIGHT)
    (problem,) = error.value.problems
    assert problem.place == "devices.hook"
    assert (
        "; no installed package has this entry point; package interstage-silent is installed"
        " without this entry point; models of faulty (" in problem.message
    )
    assert "are not loaded: the package cannot be imported: No module named 'nowhere' (see" in problem.message
    assert [*packages.likely_unannounced()] == ["interstage-silent"]


def test_a_package_that_is_left_out_is_named_with_the_reason(place, monkeypatch):
    install(place, "faulty", {"declared": "import nowhere"}, "Interstage_Faulty")
    found = packages.gather(points(place))
    monkeypatch.setattr(packages, "catalogue", lambda: found)
    with pytest.raises(
        packages.NotInstalled, match=r"models of faulty .* are not loaded: the package cannot be"
    ):
        packages.check_installed("interstage-faulty")


def test_only_names_like_those_of_packages_of_parts_are_told_to_install(place, monkeypatch):
    """Whatever else stands there may be the name of anything on an index."""
    install(place, "magnetic", {"declared": declared()}, "My-Latches")
    found = packages.gather(points(place))
    monkeypatch.setattr(packages, "catalogue", lambda: found)

    def told(name: str) -> str:
        with pytest.raises(packages.NotInstalled) as error:
            packages.check_installed(name)
        return str(error.value)

    assert told("interstage-lost").endswith(": pip install interstage-lost")
    assert told("interstage-eddy-damper").endswith(": pip install examples/own_part")
    assert "Did you mean 'My-Latches'" in told("magnetic")
    assert "usually begin with interstage-" in told("stage")
    assert "pip install stage" not in told("stage")


def test_what_is_imported_of_a_package_later_is_told_too(place, monkeypatch):
    install(place, "magnet", {"declared": declared(), "checks": "import nowhere"})
    found = packages.gather(points(place))
    monkeypatch.setattr(packages, "catalogue", lambda: found)
    magnet = found.kinds["devices"][-1](name="hook", joints=("clamp",), hold=1.0)
    assert packages.packages_of((magnet,)) == found.others
    assert [*packages.modules("shown", (magnet,))] == [*packages.modules("shown", ())]
    assert len([*packages.modules("checks", ())]) > 5
    with pytest.raises(BadInput, match=r"magnet.checks cannot be imported: No module named 'nowhere'"):
        list(packages.modules("checks", (magnet,)))


CHECKS = """
from interstage.tree.errors import Problem

def problems(scenario, names, faulty=None):
    for device in scenario.devices:
        yield Problem("here", "comes first")
        yield {}[device.name]

def quantity_problems(scenario, faulty):
    yield "a text"
"""


def test_a_fault_in_the_checks_of_a_package_is_told_with_its_place(tmp_path):
    """Beside all else that is wrong, and never as a traceback."""
    install(tmp_path, "magnetic", {"declared": declared(), "checks": CHECKS}, "interstage-magnetic-latch")
    file = tmp_path / "flight.toml"
    file.write_text(f'{FLIGHT}[requirements.late]\nquantity = "system.mass"\nmin = 1\nat = "nowhere"\n')
    done = python(tmp_path, "-m", "interstage", "check", str(file))
    assert done.returncode == 2
    told = "the models of magnetic (interstage-magnetic-latch 1.2) raised an error: KeyError: 'hook'"
    assert f"devices.hook: {told} (magnetic.checks.problems, line 7). Correct or update" in done.stderr
    assert "requirements.late.at: there is no phase or event 'nowhere'" in done.stderr
    file.write_text(FLIGHT)
    done = python(tmp_path, "-m", "interstage", "check", str(file))
    assert (
        "TypeError: quantity_problems must yield instances of interstage.tree.errors.Problem, got 'a text'"
        in done.stderr
    )
    assert "Traceback" not in done.stderr


@pytest.mark.long
def test_a_fault_elsewhere_in_a_package_is_told_by_the_command(tmp_path):
    faulty = declared().replace("return self.joints", "return self.jointz")
    install(tmp_path, "magnetic", {"declared": faulty})
    file = tmp_path / "flight.toml"
    file.write_text(FLIGHT)
    done = python(tmp_path, "-m", "interstage", "check", str(file))
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: the models of magnetic (interstage-magnetic 1.2) raised an error:")
    assert "has no attribute 'jointz'" in line
    assert "magnetic.declared.released_joints, line" in line


def test_a_fault_in_what_a_package_notices_or_adds_costs_no_flight(place, monkeypatch):
    faulty = {"checks": "def notes(record):\n    yield 1 / 0\n", "after": "def add(flown):\n    1 / 0\n"}
    install(place, "magnet", {"declared": declared(), **faulty})
    found = packages.gather(points(place))
    monkeypatch.setattr(packages, "catalogue", lambda: found)
    monkeypatch.setattr(packages, "of_ours", lambda name: ())
    magnet = found.kinds["devices"][-1](name="hook", joints=("clamp",), hold=1.0)
    (told,) = plausibility._of_parts((magnet,), "notes", None)
    assert "ZeroDivisionError: division by zero (magnet.checks.notes, line 2)" in told
    flown: Any = SimpleNamespace(scenario=(magnet,), record=SimpleNamespace(warnings=[]))
    after.add(flown)
    (told,) = flown.record.warnings
    assert "ZeroDivisionError: division by zero (magnet.after.add, line 2)" in told


FLOWN = """
from functools import cached_property

class Magnets:
    kinds = {"magnet", "coil"}

    @cached_property
    def count(self):
        return 2
"""


@pytest.mark.parametrize(
    "edited", ["declared.py", "inside/law.py", pytest.param("flown.py", marks=pytest.mark.long)]
)
def test_sources_of_a_package_are_part_of_a_program(place, edited):
    install(place, "magnet", {"declared": declared()})
    (place / "magnet" / "inside").mkdir()
    (place / "magnet" / "inside" / "law.py").write_text("A = 1\n")
    (place / "magnet" / "flown.py").write_text(FLOWN)

    def told() -> str | None:
        of_package.cache_clear()
        for module in [each for each in sys.modules if each.startswith("magnet")]:
            del sys.modules[module]
        (package,) = packages.gather(points(place)).others
        assert package.module("flown") is not None
        return of_package(package.name, time.time())

    before = told()
    assert before is not None
    assert told() == before
    path = place / "magnet" / edited
    path.write_text(path.read_text() + "# another\n")
    assert told() not in (before, None)
    # A file that is newer than the import may not be what runs.
    late = time.time() + 100
    os.utime(path, (late, late))
    assert told() is None


def test_every_part_of_ours_has_kinds_that_no_other_has():
    classes = [cls for group in packages.catalogue().kinds.values() for cls in group]
    assert len({*classes}) == len(classes)
    for package in packages.catalogue().packages:
        assert package.module("declared") is not None
    names = [cls.__name__ for cls in reachable(Scenario)]
    assert len({*names}) == len(names)


IN_PYTHON = """
import json, sys
from interstage.diagnosis.plausibility import unfired_devices
from interstage.cli.schema import schema
from interstage.programs.form import description
from interstage.reading import loads
from interstage.tree.errors import BadInput

def said(text):
    try:
        loads(text)
    except BadInput as error:
        return str(error)

text = open(sys.argv[1]).read()
one = loads(text)
idle = text.replace('fire = ["hook"]', "")
late = '[events.late]\\nwhen = { elapsed = 1 }\\nafter = "hook switched_off"\\n'
print(json.dumps({
    "needs": one.needs,
    "equal": one == loads(one.to_toml()),
    "lost": said(text.replace('["clamp"]', '["clasp"]')),
    "faulty": said(text.replace("2 kN", "2 km") + late),
    "idle": [*unfired_devices(loads(idle))],
    "late": loads(text + late).events[0].after,
    "never": said(idle + late),
    "schema": schema()["$defs"]["Magnet"]["properties"]["hold"],
    "told": description(one) == description(loads(text.replace("2 kN", "3 kN"))),
    "jax": "jax" in sys.modules,
}))
"""


def test_a_kind_of_another_package_is_checked_like_ours(tmp_path):
    install(tmp_path, "magnetic", {"declared": declared()}, "interstage-magnetic-latch")
    install(tmp_path, "faulty", {"declared": "import nowhere"})
    file = tmp_path / "flight.toml"
    file.write_text(FLIGHT)
    done = python(tmp_path, "-c", IN_PYTHON, str(file))
    assert done.returncode == 0, done.stderr
    warning = (
        "The models of faulty (interstage-faulty 1.2) are not available: the package cannot be imported:"
    )
    assert done.stderr == f"{warning} No module named 'nowhere'.\n"
    found = json.loads(done.stdout)
    assert found["needs"] == ["interstage-magnetic-latch"]
    assert found["equal"]
    assert found["lost"].endswith("devices.hook.joints: there is no joint 'clasp'; did you mean 'clamp'?")
    # What it would do is not known while it has a fault: what waits for it is not judged.
    assert [line.split(": ")[1] for line in found["faulty"].splitlines()] == ["devices.hook.hold"]
    assert found["idle"][0].startswith("Device hook is never fired, so its joints are never released")
    assert found["late"] == "hook switched_off"
    assert "'hook switched_off' never occurs" in found["never"]
    assert found["told"]
    assert found["schema"]["unit"] == "N"
    assert found["schema"]["description"] == "Force that it holds with [N]."
    assert not found["jax"]


UNFLOWN = """
import sys
from interstage.engine.layout import Layout
from interstage.starts.events import event_table
from interstage.reading import loads
from interstage.tree.errors import BadInput

text = open(sys.argv[1]).read()
for kind in sys.argv[2:]:
    try:
        event_table(Layout(loads(text.replace("magnet", kind))))
    except BadInput as error:
        print(error)
"""
SILENT = """
from interstage.engine.contract import Part
from .declared import Silent
class Silents(Part):
    name, group, kinds = "silents", "devices", (Silent,)
PARTS = (Silents,)
"""
MISSPELT = SILENT.replace("PARTS", "    def wrnech(self, here): return None\nPARTS").replace(
    "Silent", "Misspelt"
)
# A method of its own that is called, however like one of the contract, and actions that nothing applies.
HELPED = """
from interstage.engine.contract import HasEvents
from .declared import Helped
class Helpeds(HasEvents):
    name, group, kinds = "helpeds", "devices", (Helped,)
    def rate(self): return self.layout
    def events_of(self, table, names, address, declared):
        self.rate()
        table.add_of_device(declared.signals[0], [])
    def actions(self, name, declared, number): return (0,) if "switched" in name else None
PARTS = (Helpeds,)
"""
# Methods of a capability that the part does not derive from: `labels` of HasEvents, too, and `rates`.
LACKING = """
from interstage.engine.contract import HasEvents
from .declared import Lacking
class Lackings(HasEvents):
    name, group, kinds = "lackings", "devices", (Lacking,)
    labels = property(lambda self: ("heat",))
    def rates(self, here, acceleration): return here.t[None]
PARTS = (Lackings,)
"""


def test_a_package_that_cannot_be_flown_is_named_with_its_remedy(tmp_path):
    """Events are known by their numbers: one that a device names and its part does not add would have those
    of all devices behind it mistaken."""
    whys = {
        "silent": (SILENT, "devices.hook: the kind 'silent' declares the events 'hook switched_off', but"),
        "misspelt": (
            MISSPELT,
            "misspelt.flown.Misspelts has a method `wrnech`, which is never called. Did you mean `wrench`?",
        ),
        "helped": (
            HELPED,
            "the model 'helpeds' of helped (interstage-helped 1.2) has actions at the event 'hook switched",
        ),
        "lacking": (
            LACKING,
            "lacking.flown.Lackings has a method `rates` of the class HasState",
        ),
        "empty": ("", "empty.flown has no valid PARTS"),
        "lost": ("import nowhere", "lost.flown cannot be imported: No module named 'nowhere'"),
        "alone": (
            SILENT.replace('"devices"', '""').replace("Silent", "Alone"),
            "alone.flown.Alones has no valid class attribute `group`. Add",
        ),
        "nameless": (
            SILENT.replace('name, group, kinds = "silents", ', "group, kinds = ").replace(
                "Silent", "Nameless"
            ),
            "nameless.flown.Namelesss has no class attribute `name`. Add",
        ),
        "single": (
            SILENT.replace("(Silent,)", "Silent").replace("Silent", "Single"),
            "single.flown.Singles has no valid class attribute `kinds`. Add",
        ),
    }
    for kind, (text, _) in whys.items():
        install(tmp_path, kind, {"declared": declared(kind, kind.title()), "flown": text})
    file = tmp_path / "flight.toml"
    file.write_text(FLIGHT)
    done = python(tmp_path, "-c", UNFLOWN, str(file), *whys)
    assert done.returncode == 0, done.stderr
    for line, (_, why) in zip(done.stdout.splitlines(), whys.values(), strict=True):
        assert why in line


def test_the_version_says_which_parts_there_are(tmp_path):
    install(tmp_path, "magnetic", {"declared": declared()}, "interstage-magnetic-latch")
    install(tmp_path, "faulty", {"declared": "import nowhere"})
    done = python(tmp_path, "-m", "interstage", "--version")
    first, *rest = done.stdout.splitlines()
    assert first.startswith("interstage ")
    assert rest == [
        "The package magnetic (interstage-magnetic-latch 1.2) adds models.",
        "The models of the package faulty (interstage-faulty 1.2) cannot be used: the package cannot be"
        " imported: No module named 'nowhere'",
    ]
    assert done.stderr == ""


def test_a_force_that_no_part_flies_is_refused(tmp_path):
    """It would be read, checked, and do nothing."""
    text = declared("drift", "Drift").replace("Device", "Effect").replace('{"devices"', '{"forces"')
    text = text.replace("    fireable: ClassVar[bool] = True\n    idle: ClassVar[bool] = True\n", "")
    text = text.replace('    words: ClassVar[tuple[str, ...]] = ("switched_off",)\n', "")
    install(tmp_path, "drift", {"declared": text})
    flight = FLIGHT.replace("[devices.hook]", "[forces.hook]").replace('"magnet"', '"drift"')
    file = tmp_path / "flight.toml"
    file.write_text(flight.replace('fire = ["hook"]\n', ""))
    done = python(tmp_path, "-m", "interstage", "run", str(file))
    assert done.returncode == 2
    assert (
        "forces.hook: the declaration has no effect, because no model in the module 'flown' of drift"
        in done.stderr
    )


def test_installed_parts_are_hidden_from_the_tests(place, monkeypatch):
    """Those in the folder of this Python, as `pip install examples/own_part` does it; those of tests stay."""
    hidden_parts = import_module("hidden_parts")  # as conftest.py puts its folder on the path
    install(place, "magnet", {"declared": declared()})
    (found,) = distributions(path=[str(place)])
    assert not hidden_parts._installed_parts(found)
    monkeypatch.setattr(hidden_parts, "INSTALLED", {place})
    assert hidden_parts._installed_parts(found)
    assert list(distributions(path=[str(place)])) == []
