"""`interstage explain`: every key, kind and quantity is found, and messages name the topic that helps."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import interstage
from interstage.cli import main as cli
from interstage.cli.reference.find import Topics
from interstage.cli.reference.pages import quantities
from interstage.cli.reference.text import GUIDES, Describer, spelt
from interstage.cli.schema import schema
from interstage.cli.see_also import topic_of_path
from interstage.quantities.catalogue import Catalogue

ROOT = Path(__file__).parents[2]
FIRST = ROOT / "examples" / "first.toml"


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs the command in this process; returns (exit code, standard output, standard error)."""

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["interstage", *map(str, words)])
        monkeypatch.setenv("COLUMNS", "100")
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return call


@pytest.fixture(scope="module")
def topics():
    return Topics(schema())


def test_a_key_has_meaning_unit_default_example_and_page(command):
    code, out, err = command("explain", "devices.kickoff_spring.stroke")
    assert (code, err) == (0, "")
    key = out.partition("\n\n")[0].splitlines()
    assert key[0] == "devices.kickoff_spring.stroke"
    assert key[1].startswith("  Travel over which the device applies its force.")
    assert [line.split(maxsplit=1) for line in key if re.match(r"  (Value|Default|Page)", line)] == [
        ["Value", "number in m, above 0"],
        ["Default", "required"],
        ["Page", "docs/reference/devices.md#kickoff_spring-kickoffspring"],
    ]
    assert re.search(r'Example  stroke = "\d+ c?m"', out)


@pytest.mark.parametrize(
    ("topic", "lines"),
    [
        ("joints.universal", ['  kind = "universal"', "docs/conventions.md#joint-kinds-constrained-axes"]),
        ("kickoff_spring", ["devices.kickoff_spring\n", '  kind = "kickoff_spring"']),
        ("KickoffSpring", ["devices.kickoff_spring\n"]),
        ("joints", ["fixed, revolute, universal", "parent_at"]),
        ("solver.method", ['"dop853" "dopri5" "rk4"', 'Default  "dop853"']),
        ("bodies.stage.mass", ["bodies.mass\n", "number in kg, 0 or more"]),
        ("requirements.clear.min", ["number with unit"]),
        ("bodies.dynamic_pressure", ["bodies.<body>.dynamic_pressure (quantity)", "Unit     Pa"]),
        ("pairs.A.B.tip_off_rate", ["pairs.<A>.<B>.tip_off_rate (quantity)", "Unit     rad/s"]),
        ("tip_off_rate", ["pairs.<A>.<B>.tip_off_rate (quantity)"]),
        ("devices.latch", ["Guide    docs/separation.md"]),
        ("axis", ["interstage explain with a path", "forces.hinge_stop.axis: "]),
    ],
)
def test_topics(command, topic, lines):
    code, out, err = command("explain", topic)
    assert (code, err) == (0, "")
    for line in lines:
        assert line in out


def test_a_kind_of_joint_lists_its_own_options_only(command):
    out = command("explain", "joints.universal")[1]
    assert re.search(r"^  axes +Universal joint", out, re.M)
    assert not re.search(r"^  radius ", out, re.M)


@pytest.mark.parametrize(
    ("topic", "hint"),
    [
        ("stroek", "'stroek'; did you mean 'stroke'?"),
        ("devices.kickoff_spring.stroek", "in devices.kickoff_spring; did you mean 'stroke'?"),
        ("bodies.stage.mas", "in bodies; did you mean 'mass'?"),
    ],
)
def test_misspelt_topics_get_the_nearest_ones(command, topic, hint):
    code, out, err = command("explain", topic)
    assert (code, out) == (2, "")
    assert hint in err


@pytest.mark.parametrize(
    ("topic", "pages"),
    [
        ("envelopes", "docs/campaigns.md"),
        ("dispersions.mass.sigma", "docs/campaigns.md"),
        ("variations", "docs/sweeps.md"),
        ("responses", "docs/campaigns.md, docs/sweeps.md"),
    ],
)
def test_keys_of_studies_name_their_page(command, topic, pages):
    code, _, err = command("explain", topic)
    text = f"error: '{topic}' is a key of study files, not of scenarios. See {pages}"
    assert (code, " ".join(err.split())) == (2, text)
    assert all((ROOT / page).is_file() for page in pages.split(", "))


def test_every_key_and_table_is_found_by_its_path(topics):
    describer = Describer(topics)
    for node in topics.keys:
        found = [(one.owner, one.key) for one in topics.find(node.path) if not one.table and not one.word]
        same_key = [key for owner, key in found if key == node.key]
        assert (node.owner, node.key) in found or same_key or topics.find(node.path), node
    for node in topics.tables[::10]:
        assert any(line.startswith("  Page ") for line in describer.lines(node)), node


def test_the_pages_of_groups_exist():
    for page in GUIDES.values():
        assert (ROOT / "docs" / page).is_file()
    assert set(GUIDES) <= set(interstage.Scenario.model_fields)


def test_quantities_of_a_flight_are_found():
    """Those of a flight with a spring and a joint, by their paths in the results."""
    texts = quantities()
    paths = [path for path in Catalogue(interstage.load(FIRST)) if path != "time"]
    assert len(paths) > 50
    missing = [path for path in paths if not any(one.matches(path) for one in texts)]
    assert missing == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("m", "number in m"),
        ("1", "number"),
        ("1, 3", "3 values"),
        ("kg m^2, 3 x 3", "3 x 3 values in kg m^2"),
        ("s, n", "list of values in s"),
        ('`"x"` `"y"`', '"x" "y"'),
    ],
)
def test_values_in_words(value, text):
    assert spelt(value) == text


def test_a_message_ends_with_the_topic_that_helps(command, tmp_path):
    file = tmp_path / "first.toml"
    file.write_text(FIRST.read_text(encoding="utf-8").replace('"10 cm"', '"10 kg"'), encoding="utf-8")
    code, _, err = command("check", file)
    assert (code, err.splitlines()[-1]) == (2, "See: interstage explain devices.kickoff_spring.stroke")
    assert command("explain", err.split()[-1])[0] == 0


def test_a_message_that_has_the_fix_has_no_topic(command):
    code, _, err = command("check", FIRST, "--set", "devices.spring.stroek=1 m")
    assert (code, "did you mean" in err, "See:" in err) == (2, True, False)


@pytest.mark.parametrize(
    ("place", "topic"),
    [
        ("devices.spring.stroke", "devices.kickoff_spring.stroke"),
        ("devices.spring", "devices.kickoff_spring"),
        ("bodies.stage.mass", "bodies.mass"),
        ("bodies.stage.mass_centre[0]", "bodies.mass_centre"),
        ("phases.free.until.time", "phases.until"),
        ("solver.step", "solver.step"),
        ("title", None),
        ("", None),
        ("devices.unknown.stroke", None),
    ],
)
def test_topics_of_paths(place, topic):
    data = {
        "devices": {"spring": {"kind": "kickoff_spring"}},
        "bodies": [{"name": "stage"}],
        "phases": {"free": {}},
    }
    assert topic_of_path(place, data) == topic
