"""The part that docs/own_parts.md leads through, as if it had been written from there and installed.

Its events are computed by NumPy, without a flight."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

import interstage as ist
from engine_door import instant, mechanism_of, packed, share
from other_packages import JOINED, install, python

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "own_parts.md"

FLIGHT = (
    JOINED
    + """[joints.other]
kind = "fixed"
parent = "stage"
child = "payload"
active = false
[devices.hook]
kind = "magnet"
joints = ["clamp"]
delay = "0.2 s"
interlock = "coil_2"
[devices.coil]
kind = "magnet"
count = 2
joints = ["other"]
delay = "0.5 s"
[phases.joined]
until = { time = 1 }
[phases.apart]
until = { time = 3 }
fire = ["hook", "coil"]
"""
)

IN_PYTHON = """
import json, sys
import numpy as np
from engine_door import flow_of, lift, mechanism_of, packed, switches
from interstage.reading import loads
from interstage.tree import addresses as tree
from interstage.tree.errors import BadInput

text = open(sys.argv[1]).read()
one = loads(text)
one.check()

def said(text):
    try:
        loads(text)
    except BadInput as error:
        return str(error)

# Two lanes, of which the second has a magnet that never releases.
lanes = (2,)
leaves = lift(one)
leaves = tree.set(leaves, "devices.coil_2.delay", np.array([0.5, np.inf]))
mechanism = mechanism_of(one, lanes, leaves=leaves)
flow, discrete = flow_of(mechanism), switches(mechanism, lanes)
names = [h.name for h in flow.table.events]
x = np.zeros((13 * 2 + 6, *lanes))
x[12:14] = 1.0
course = []
for t in (0.0, 1.0, 1.2, 1.5, 1.5):
    here = flow.here(np.full(lanes, t), x, discrete)
    hit = flow.armed_conditions(discrete) & (flow.watched_values(here) >= 0)
    x, discrete = flow.fire(here.t, x, discrete, hit, np.zeros((0, *lanes)))
    course.append(discrete.own["magnets"].T.tolist())
print(json.dumps({
    "devices": [d.name for d in one.devices],
    "course": course,
    "soonest": flow.next_time(discrete).tolist(),
    "modes": discrete.mode.T.tolist(),
    "fired": [[n for n, f in zip(names, of) if f] for of in discrete.fired.T.tolist()],
    "lost": said(text.replace('"coil_2"', '"coil_3"')),
    "circle": said(text.replace("count = 2", 'count = 2\\ncircle = { axis = "x" }')),
    "many": said(text.replace('["clamp"]', '["clamp", "clamp", "clamp", "clamp", "clamp"]')),
}))
"""


def page_modules() -> dict[str, str]:
    """The modules that the page has, by name."""
    blocks = re.findall(r'```python\n("""magnet/(\w+)\.py""".*?)```', PAGE.read_text(), re.DOTALL)
    return {name: text for text, name in blocks}


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> dict:
    """What the part of the page does."""
    place, modules = tmp_path_factory.mktemp("packages"), page_modules()
    assert modules.keys() == {"declared", "checks", "flown"}
    install(place, "magnet", modules)
    (place / "flight.toml").write_text(FLIGHT)
    (place / "engine_door.py").symlink_to(Path(__file__).parents[1] / "engine_door.py")
    done = python(place, "-c", IN_PYTHON, str(place / "flight.toml"))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_an_interlock_and_an_endless_delay_hold_lane_by_lane(found):
    """Of hook, coil_1 and coil_2, fired at 1 s with delays of 0.2, 0.5 and 0.5 s or none."""
    on, never = [1.0, 1.0, 1.0], [1.0, 0.0, 1.0]
    first, second = zip(*found["course"], strict=True)
    assert first == (on, on, on, [1.0, 0.0, 0.0], [0.0, 0.0, 0.0])
    assert second == (on, on, on, never, never)
    assert found["devices"] == ["hook", "coil_1", "coil_2"]


def test_a_quantity_of_all_items_is_refused_before_the_flight(tmp_path):
    modules = page_modules()
    modules["flown"] = modules["flown"].replace('own["magnets"][k]', 'own["magnets"]')
    install(tmp_path, "magnet", modules)
    (tmp_path / "flight.toml").write_text(FLIGHT)
    done = python(tmp_path, "-m", "interstage", "run", str(tmp_path / "flight.toml"))
    assert done.returncode == 2
    said = (
        "error: the quantity 'devices.hook.state' of magnet (interstage-magnet 1.2) is declared as a scalar"
    )
    assert done.stderr.startswith(f"{said}, but its function returns an array of shape (3,)")


def test_joints_are_let_go_with_their_magnets(found):
    assert found["modes"] == [[0, 0], [1, 0]]
    assert found["fired"][0] == [
        "joined", "apart", "hook switched_off", "coil_1 switched_off", "coil_2 switched_off",
    ]  # fmt: skip
    assert found["fired"][1] == ["joined", "apart", "coil_1 switched_off"]


def test_its_checks_and_what_it_cannot_have_are_told(found):
    assert found["lost"].endswith("devices.hook.interlock: there is no magnet 'coil_3'; did you mean 'coil_1'"
                                  " or 'coil_2'?")  # fmt: skip
    assert "devices.coil.circle: 'circle' does not apply" in found["circle"]
    assert "devices.hook.joints: " in found["many"]


def test_the_force_by_itself_is_that_of_light_on_a_mirror(tmp_path, monkeypatch):
    """Twice pressure times area times the cosine squared, along the normal and away from the sun, whichever
    side is lit: a mirror turned by 60 and by 240 degrees about y."""
    scenario, module = (
        re.search(rf"```{way}\n({first}.*?)```", (DOCS / "user_classes.md").read_text(), re.DOTALL)
        for way, first in (("toml", r"\[bodies\.sail"), ("python", '"""sunlight'))
    )
    assert scenario is not None
    assert module is not None
    (tmp_path / "sunlight.py").write_text(module[1])
    monkeypatch.syspath_prepend(tmp_path)
    sail = {"mass": 10, "inertia": [1, 1, 1], "initial": {}}
    tables = tomllib.loads(scenario[1]) | {"bodies": {"sail": sail}, "phases": {"c": {"until": {"time": 1}}}}
    turned = np.deg2rad([60.0, 240.0])
    q = np.stack([np.cos(turned / 2), 0 * turned, np.sin(turned / 2), 0 * turned])
    x = np.stack([np.asarray(packed(z := np.zeros((3, 1)), z, q[:, k, None], z)) for k in (0, 1)], -1)
    for lanes, state in (((2,), x), ((), x[:, 0])):
        load = share(instant(mechanism_of(ist.Scenario.model_validate(tables), lanes), 0.0, state), "users")
        normal = np.stack([np.sin(turned), 0 * turned, np.cos(turned)])
        push = np.sign(np.sin(turned)) * 2 * 4.54e-6 * 40 * np.sin(turned) ** 2 * normal
        np.testing.assert_allclose(load[:3, 0], push[:, 0] if not lanes else push, rtol=1e-14, atol=1e-19)
        assert not load[3:].any()
