"""Classes that a scenario names are programs: which of them run, and when the user is asked before."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import interstage as ist
import stub_flight
from interstage.cli.main import app
from interstage.model import user_class, user_module
from interstage.model.user_class import TRUST_VARIABLE, Call, Named
from interstage.parts.guidance.declared import CALLS
from interstage.parts.guidance.users import method
from interstage.parts.users.declared import CALL
from interstage.parts.users.flown import user_law
from interstage.reading import loads
from interstage.record import results
from interstage.studies.fmu.session import Session
from interstage.tree import addresses
from interstage.tree.errors import BadInput

RAN: list[str] = []
"""What a class was made with that must never run."""
TABLE = [1.0]


class Push:
    """What a force may be: it notes that it was made."""

    def __init__(self, command):
        RAN.append(command)

    def __call__(self, t, bodies):
        return {}


class Silent:
    """It has no method to call."""

    def __init__(self, command):
        RAN.append(command)


class Short(Silent):
    """Its method takes one argument where two are given."""

    def __call__(self, t):
        return {}


class Static(Push):
    """A static method is called without the object."""

    @staticmethod
    def __call__(t, bodies):
        return {}


Borrowed = subprocess.Popen


def push(command):
    """A function is not a class."""
    RAN.append(command)


def _force(path: str) -> ist.UserForce:
    return ist.UserForce.model_validate({"name": "x", "class": path, "parameters": {"command": "touch it"}})


REFUSED = {
    "os:system": "standard library",
    "subprocess:Popen": "standard library",
    "shutil:rmtree": "standard library",
    "runpy:run_path": "standard library",
    "urllib.request:urlopen": "standard library",
    "pickle:Unpickler": "standard library",
    "importlib:import_module": "standard library",
    "ctypes:CDLL": "standard library",
    "builtins:eval": "standard library",
    "os.path:join": "standard library",
    "test.autotest:Suite": "standard library",  # comes with Python, which does not list it
    "__phello__:main": "standard library",
    "numpy:load": "installed package numpy",
    "numpy.testing:suppress_warnings": "installed package numpy",
    "scipy.optimize:OptimizeResult": "installed package scipy",
    "jax:Array": "installed package jax",
    "pytest:Item": "installed package pytest",
    "interstage:Scenario": "belongs to Interstage itself",
    "interstage.programs.store:read": "belongs to Interstage itself",
    f"{__name__}:Borrowed": "is not defined in test_trust but in subprocess",
    f"{__name__}:BadInput": "is not defined in test_trust but in interstage.tree.errors",
    f"{__name__}:push": "the name refers to a function",
    f"{__name__}:TABLE": "the name refers to a list",
    f"{__name__}:os": "the name refers to a module",
    f"{__name__}:Silent": r"has no method `__call__`. Write def __call__\(self, t, bodies\)",
    f"{__name__}:Short": "cannot be called with t, bodies",
    f"{__name__}:Absent": "cannot import",
}


@pytest.mark.parametrize(("path", "why"), REFUSED.items(), ids=list(REFUSED))
def test_only_a_class_of_the_users_own_is_called(path, why):
    RAN.clear()
    with pytest.raises(BadInput, match=rf"forces\.x\.class: .*{why}"):
        user_law(_force(path))
    assert RAN == []


def test_a_class_with_the_method_is_taken():
    for name in ("Push", "Static"):
        assert callable(user_law(_force(f"{__name__}:{name}")))


def test_a_method_that_a_class_inherits_from_its_type_does_not_count():
    """Each class can be called by itself, which makes an object; its objects need a method of their own."""
    law = SimpleNamespace(class_path=f"{__name__}:Silent", name="x", parameters={})
    with pytest.raises(BadInput, match="has no method `start`"):
        method(law, "start")
    assert str(CALLS["rates"]) == "(self, t, seen, state), which returns its rates"


@pytest.mark.parametrize("path", ["os:system", "numpy:load", "interstage:Scenario"])
def test_a_check_refuses_modules_that_hold_no_classes_of_the_user(path):
    text = 'gravity = "none"\nbodies.a = { mass = 1, inertia = [1, 1, 1], initial = {} }\n'
    text += f'forces.x = {{ kind = "user", class = "{path}" }}\nphases.p = {{ until = {{ time = 1 }} }}\n'
    with pytest.raises(BadInput, match=r"line 3: forces\.x\.class: .* belongs to"):
        loads(text)
    # That of another person is judged when it is confirmed.
    assert user_class.unconfirmed_classes(loads(text, trust=False)) == [path]


def test_nothing_is_imported_to_judge_a_module(tmp_path, monkeypatch):
    """A package in a folder of installed ones counts if its distribution depends on Interstage or has an
    entry point for it; a plain file of a folder on the path counts."""
    installed = tmp_path / "site-packages"
    cases = {
        "declared": ("Requires-Dist: interstage>=0.1\n", "", None),
        "announced": ("", "[interstage.parts]\nx = announced\n", None),
        "other": ("Requires-Dist: numpy\n", "", "installed package other"),
    }
    for name, (requires, points, _) in cases.items():
        package, info = installed / name, installed / f"{name}-1.0.dist-info"
        package.mkdir(parents=True)
        info.mkdir()
        (package / "__init__.py").write_text("raise SystemExit('it was imported')")
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{requires}")
        (info / "entry_points.txt").write_text(points)
        (info / "RECORD").write_text(f"{name}/__init__.py,,\n{name}/laws.py,,\n")
    (tmp_path / "loose.py").write_text("raise SystemExit('it was imported')")
    monkeypatch.syspath_prepend(str(installed))
    monkeypatch.syspath_prepend(str(tmp_path))
    user_module.fault_of_module.cache_clear()
    for name, (*_, why) in cases.items():
        for module in (name, f"{name}.laws"):
            found = user_module.fault_of_module(module)
            assert (found is None) if why is None else why in found, module
    assert user_module.fault_of_module("loose") is None
    assert not {*cases, "loose"} & sys.modules.keys()
    user_module.fault_of_module.cache_clear()


def test_each_installed_distribution_is_refused_but_those_for_interstage():
    """The top-level modules of all that is installed where the tests run; folders that several distributions
    share (namespace packages) run nothing by themselves."""
    wrong = []
    for top, owners in metadata.packages_distributions().items():
        ours = {"interstage"} & {name.lower() for name in owners}
        declared = any(user_module._declares_itself(metadata.distribution(name)) for name in owners)
        spec = find_spec(top) if top.isidentifier() else None
        runs = spec is not None and spec.origin is not None
        if runs and not (ours or declared) and user_module.fault_of_module(top) is None:
            wrong.append(top)
    assert wrong == []


# --- saved flights ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def saved(tmp_path_factory) -> Path:
    """A saved flight whose scenario names a class."""
    scenario = stub_flight.flown_scenario()
    scenario = scenario.model_copy(update={"forces": (_force(f"{__name__}:Push"),)})
    path = tmp_path_factory.mktemp("trust") / "flight.nc"
    results.Flight(stub_flight.separation_record(scenario), versions={"interstage": "0"}).save(path)
    return path


def test_a_saved_flight_is_read_without_its_classes(saved):
    """Results need no trust. The scenario can be read and changed; it runs only if the user trusts it."""
    RAN.clear()
    flight = ist.open_flight(saved)
    assert len(flight.time) > 1
    flight.read_to_show()
    for scenario in (flight.scenario, addresses.set(flight.scenario, "forces.x.parameters.command", "other")):
        assert user_class.unconfirmed_classes(scenario) == [f"{__name__}:Push"]
        with pytest.raises(BadInput, match=r"forces\.x\.class: .*--trust.*trust=True"):
            user_law(scenario.forces[0])
        assert (
            user_class.fingerprint(scenario.forces[0].class_path, scenario.forces[0].parameters, CALL) is None
        )
    assert RAN == []
    trusted = ist.open_flight(saved, trust=True).scenario
    assert user_class.unconfirmed_classes(trusted) == []
    assert trusted == flight.scenario
    assert callable(user_law(trusted.forces[0]))


def test_the_environment_names_classes_that_may_run(saved, monkeypatch):
    scenario = ist.open_flight(saved).scenario
    monkeypatch.setenv(TRUST_VARIABLE, f"other:Law, {__name__}:Push")
    assert user_class.unconfirmed_classes(scenario) == []
    assert callable(user_law(scenario.forces[0]))


@pytest.mark.parametrize("command", [["run"], ["check"], ["linearize"], ["trim"], ["symbols"]])
def test_commands_refuse_the_classes_of_a_saved_flight(saved, command):
    """Nobody sits at the terminal of a test, so nobody is asked."""
    RAN.clear()
    found = CliRunner().invoke(app, [*command, str(saved)])
    assert isinstance(found.exception, BadInput)
    assert f"uses user-defined Python classes, which run as programs: {__name__}:Push" in str(found.exception)
    assert RAN == []


def test_a_report_of_a_saved_flight_needs_no_trust(saved, tmp_path):
    RAN.clear()
    found = CliRunner().invoke(app, ["report", str(saved), "-o", str(tmp_path / "flight.html")])
    assert found.exception is None
    assert RAN == []


def test_check_of_a_trusted_flight(saved):
    found = CliRunner().invoke(app, ["check", str(saved), "--trust"])
    assert "no problems" in found.stdout, found.exception


@pytest.mark.parametrize(("answer", "runs"), [("y\n", True), ("yes\n", True), ("\n", False), ("", False)])
def test_a_question_at_the_terminal(saved, monkeypatch, capsys, answer, runs):
    from interstage.cli.command_files import scenario_of

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True, readline=lambda: answer))
    if runs:
        assert user_class.unconfirmed_classes(scenario_of(saved, None)) == []
    else:
        with pytest.raises(BadInput, match="not run"):
            scenario_of(saved, None)
    assert f"{__name__}:Push" in capsys.readouterr().err


def test_named_places():
    """A message names place and class."""
    error = Named("a:B", "forces.x.class", Call(("t",), "it")).fault("fails")
    assert str(error) == "forces.x.class: a:B fails"
    assert os.environ.get(TRUST_VARIABLE) is None


def test_an_fmu_runs_no_classes_without_a_confirmation():
    """The scenario in an FMU is read as one of another person; the host gets the sentence."""
    text = f"""
[bodies.a]
mass = 1
inertia = [1, 1, 1]
initial = {{}}
[forces.x]
kind = "user"
class = "{__name__}:Push"
parameters = {{ command = "x" }}
[phases.p]
until = {{ time = 1 }}
"""
    RAN.clear()
    session = Session(loads(text, trust=False), [], [], ["bodies.a.position.x"])
    session.begin([])
    with pytest.raises(BadInput, match=f"{__name__}:Push would run as a program.*{TRUST_VARIABLE}"):
        session.advance(0.5, [])
    assert RAN == []


def test_a_user_guidance_of_a_saved_flight_is_not_run_to_check_it():
    """A check of guidance for loops runs the laws; it is left out for laws that may not run."""
    text = f"""
[bodies.a]
mass = 1
inertia = [1, 1, 1]
initial = {{}}
[guidance.g]
kind = "user"
class = "{__name__}:Silent"
body = "a"
measures = ["bodies.a.speed"]
parameters = {{ command = "x" }}
[phases.p]
until = {{ time = 1 }}
"""
    RAN.clear()
    assert user_class.unconfirmed_classes(loads(text, trust=False)) == [f"{__name__}:Silent"]
    with pytest.raises(BadInput, match="has no method `__call__`"):
        loads(text)
    assert RAN == []
