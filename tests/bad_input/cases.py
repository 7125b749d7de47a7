"""Malformed scenarios: each breaks `good.toml` in one place, and says what the message must contain.

`CASES` are edits of the text, `FILES` are whole files as bytes, or as functions that make something at a
path."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .steering_cases import air_and_control

GOOD = (Path(__file__).parent / "good.toml").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Case:
    """One malformed scenario: `old` becomes `new` in the good text, or, without `old`, `new` is put behind
    it.

    `place` is the input path that the message must name, `words` are what else it must say.
    """

    name: str
    old: str
    new: str
    place: str
    words: tuple[str, ...]

    def text(self) -> str:
        """The malformed text."""
        if not self.old:
            return GOOD + "\n" + self.new
        assert GOOD.count(self.old) == 1, f"{self.name}: {self.old!r} stands {GOOD.count(self.old)} times"
        return GOOD.replace(self.old, self.new)


def case(name: str, old: str, new: str, place: str, *words: str) -> Case:
    """Shorthand."""
    return Case(name, old, new, place, words)


BODY = "[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\ninitial = {}\n"
PHASE = "[phases.coast]\nuntil = { time = 1 }\n"

PAYLOAD_START = 'initial = { through = "clamp", rotation = "[0, 0, 5] deg" }'
STAGE_START = 'position = "[0, 0, 10] m"'
ANGLES = 'euler = "3-2-1", angles = "[10, 20, 30] deg"'
ARM_INERTIA = "inertia = [[4, 0.5, 0], [0.5, 4, 0], [0, 0, 4]]"
LOAD = 'force = { time = [0, 1, 2], value = "[[0, 0, 1], [0, 0, 2], [0, 0, 3]] lbf" }'
HARMONIC = 'driven = { tx = { kind = "harmonic", amplitude = "1 in", frequency = "2 rev/s" } }'
DISTANCE = '{ quantity = "pairs.stage.payload.distance", reaches = "20 ft", direction = "rising" }'
HIGH = 'when = { quantity = "bodies.payload.position.z", reaches = 100 }'

SITES = [
    case("site-half", "", "[sites.pad]\nlatitude = 0.1\n", "sites.pad", "has latitude", "'north' and 'east'"),
    case("site-nowhere", "", "[sites.pad]\n", "sites.pad", "no location", "'latitude' and 'longitude'"),
    case(
        "site-on-flat-ground",
        "",
        "[sites.pad]\nlatitude = 0.1\nlongitude = 1.0\n",
        "sites.pad",
        "flat",
        "north and east",
    ),
]

UNITS = [
    case("wrong-dimension", '"1000 kg"', '"1000 m"', "bodies.payload.mass", "1000 m", "kg", "622 slug"),
    case("bare-lb", '"1000 kg"', '"1000 lb"', "bodies.payload.mass", "lbf for a force"),
    case(
        "lb-inside-a-product",
        '"[0, 0, 1] ft lbf"',
        '"[0, 0, 1] ft lb"',
        "forces.twist.torque",
        "lbf for a force",
    ),
    case("ton", '"1000 kg"', '"1 ton"', "bodies.payload.mass", "1000 kg", "short_ton"),
    case("force-for-mass", '"1000 kg"', '"1000 lbf"', "bodies.payload.mass", "lbf is a force", "lbm"),
    case("g-for-gravity", "] g_0", "] g", "gravity.acceleration", "gram", "g_0"),
    case("hertz-for-rate", '"2 rev/s"', '"2 Hz"', "joints.drive.driven.tx.frequency", "cycles", "rev/s"),
    case("unknown-unit", '"1000 kg"', '"1000 kgs"', "bodies.payload.mass", "unknown unit 'kgs'", "'kg'"),
    case("unreadable-unit", '"1000 kg"', '"1000 kg+"', "bodies.payload.mass", "cannot read", "slug ft^2"),
    case("huge-exponent", '"3 m"', '"3 m^999999999"', "joints.strut.length", "cannot read"),
    case("number-in-quotes", "mass = 20", 'mass = "20"', "bodies.arm.mass", "without quotes", "20 kg"),
    case("no-number", "mass = 20", 'mass = "heavy"', "bodies.arm.mass", "number", "12 kg"),
    case("decimal-comma", '"1 in"', '"1,5 in"', "joints.drive.driven.tx.amplitude", "point"),
]

NUMBERS = [
    case("nan", "mass = 20", "mass = nan", "bodies.arm.mass", "finite"),
    case("infinity", STAGE_START, "position = [0, inf, 0]", "bodies.stage.initial.position", "finite"),
    case("overflow", "mass = 20", 'mass = "1e999 kg"', "bodies.arm.mass", "finite"),
    case("huge-integer", "mass = 20", "mass = 1" + 400 * "0", "bodies.arm.mass", "not a number"),
    case("boolean-for-number", "mass = 20", "mass = true", "bodies.arm.mass", "true is not a number"),
    case("date-for-number", "mass = 20", "mass = 2026-01-01", "bodies.arm.mass", "not a number"),
    case("table-for-number", "mass = 20", "mass = { value = 20 }", "bodies.arm.mass", "not a number"),
    case(
        "wrong-shape",
        STAGE_START,
        'position = "[0, 10] m"',
        "bodies.stage.initial.position",
        "3 numbers",
        "2",
    ),
    case(
        "number-for-vector",
        STAGE_START,
        'position = "10 m"',
        "bodies.stage.initial.position",
        "3 numbers",
        "one",
    ),
    case("ragged-list", STAGE_START, "position = [0, [0], 1]", "bodies.stage.initial.position", "regular"),
    case(
        "text-in-list",
        STAGE_START,
        'position = [0, "0", 1]',
        "bodies.stage.initial.position",
        "without quotes",
    ),
    case("zero-mass", "mass = 20", "mass = 0", "bodies.arm.mass", "not above zero"),
    case("negative-mass", "mass = 20", 'mass = "-20 kg"', "bodies.arm.mass", "-20 kg", "negative"),
    case(
        "negative-stiffness", '"3 lbf/ft"', '"-3 lbf/ft"', "forces.tether.stiffness", "must not be negative"
    ),
    case("zero-rod", '"3 m"', '"0 m"', "joints.strut.length", "more than zero"),
]

BODIES = [
    case(
        "unphysical-inertia",
        "[800, 800, 600]",
        "[800, 200, 100]",
        "bodies.payload.inertia",
        "100, 200, 800",
        "sum of the other two",
        "allow_unphysical_inertia",
    ),
    case(
        "negative-inertia",
        "[800, 800, 600]",
        "[800, -800, 600]",
        "bodies.payload.inertia",
        "negative",
        "-800",
    ),
    case(
        "unphysical-about-mass-centre",
        "[800, 800, 600]",
        "[800, 800, 600]\ninertia_about = [0, 0, 2]",
        "bodies.payload.inertia",
        "centre of mass",
        "inertia_about",
    ),
    case(
        "products-without-sign",
        'products = "tensor"',
        "",
        "bodies.arm.inertia",
        "sign",
        "tensor",
        "integrals",
    ),
    case(
        "asymmetric-inertia",
        ARM_INERTIA,
        ARM_INERTIA.replace("0.5, 4", "0.6, 4"),
        "bodies.arm.inertia",
        "symmetric",
    ),
    case("inertia-of-two", "[800, 800, 600]", "[800, 800]", "bodies.payload.inertia", "3", "2 numbers"),
    case("inertia-of-one", "[800, 800, 600]", "800", "bodies.payload.inertia", "3 numbers"),
    case("no-mass", "mass = 20\n", "", "bodies.arm.mass", "required", "kg"),
    case("body-named-ground", "", BODY.replace(".a]", ".ground]"), "bodies.ground", "inertial frame"),
    case("name-with-a-dot", "", BODY.replace(".a]", '."arm.left"]'), "bodies.arm.left.name", "letters"),
    case("name-with-a-space", "[events.high]", '[events."too high"]', "events.too high.name", "letters"),
    case(
        "no-start",
        PAYLOAD_START,
        '[forces.more]\nkind="torque"\nbody="lost"\ntorque=[0,0,0]\n'
        "[bodies.lost]\nmass = 1\ninertia = [1, 1, 1]",
        "bodies.lost.initial",
        "no initial state",
        "altitude",
    ),
    case(
        "cyclic-placement",
        STAGE_START + ", attitude = { " + ANGLES + " }",
        'through = "clamp"',
        "bodies.stage.initial.through",
        "depends on another of these poses",
        "stage, payload",
    ),
    case(
        "through-unknown-joint",
        'through = "clamp"',
        'through = "clmp"',
        "bodies.payload.initial.through",
        "no joint 'clmp'",
        "'clamp'",
    ),
    case(
        "through-another-joint",
        'through = "clamp"',
        'through = "hinge"',
        "bodies.payload.initial.through",
        "not this body",
        "'stage' and 'arm'",
    ),
    case(
        "flight-not-there",
        PAYLOAD_START,
        'initial = { flight = "gone.nc", time = "3 s" }',
        "bodies.payload.initial.flight",
        "no file",
        "gone.nc",
    ),
    case(
        "flight-without-moment",
        PAYLOAD_START,
        'initial = { flight = "gone.nc" }',
        "bodies.payload.initial",
        "neither 'time' nor 'event'",
    ),
    case("start-is-no-table", PAYLOAD_START, 'initial = "clamp"', "bodies.payload.initial", "table"),
    case(
        "unknown-axes",
        STAGE_START,
        STAGE_START + ', angular_velocity_axes = "earth"',
        "bodies.stage.initial.angular_velocity_axes",
        "body, inertial",
    ),
]

ATTITUDES = [
    case(
        "quaternion-not-unit",
        "quaternion = [1, 0, 0, 0]",
        "quaternion = [1, 0.01, 0, 0]",
        "joints.hinge.parent_frame.quaternion",
        "length",
        "scalar part comes first",
    ),
    case(
        "quaternion-zero",
        "quaternion = [1, 0, 0, 0]",
        "quaternion = [0, 0, 0, 0]",
        "joints.hinge.parent_frame.quaternion",
        "has the length 0",
    ),
    case(
        "matrix-not-orthogonal",
        "[0, 1, 0], [0, 0, 1]]",
        "[0, 1, 0.01], [0, 0, 1]]",
        "joints.hinge.child_frame.matrix",
        "orthogonal",
        "0.01",
    ),
    case(
        "matrix-left-handed",
        "[0, 1, 0], [0, 0, 1]]",
        "[0, 1, 0], [0, 0, -1]]",
        "joints.hinge.child_frame.matrix",
        "left-handed",
    ),
    case(
        "euler-repeats-an-axis",
        'euler = "3-2-1"',
        'euler = "3-3-1"',
        "bodies.stage.initial.attitude.euler",
        "3-3-1",
        "3-2-1",
    ),
    case("euler-without-angles", ANGLES, 'euler = "3-2-1"', "bodies.stage.initial.attitude.euler", "angles"),
    case(
        "two-orientations",
        ANGLES,
        ANGLES + ", quaternion = [1, 0, 0, 0]",
        "bodies.stage.initial.attitude",
        "quaternion and euler",
        "exactly one",
    ),
    case("no-orientation", "{ quaternion = [1, 0, 0, 0] }", "{}", "joints.hinge.parent_frame", "exactly one"),
]

JOINTS = [
    case(
        "unknown-parent",
        'parent = "ground"\nchild = "arm"',
        'parent = "grond"\nchild = "arm"',
        "joints.strut.parent",
        "no body 'grond'",
        "'ground'",
    ),
    case(
        "unknown-child",
        'parent = "ground"\nchild = "arm"',
        'parent = "ground"\nchild = "arn"',
        "joints.strut.child",
        "no body 'arn'",
        "'arm'",
    ),
    case(
        "joint-to-itself",
        'parent = "ground"\nchild = "arm"',
        'parent = "arm"\nchild = "arm"',
        "joints.strut.child",
        "two different bodies",
    ),
    case(
        "ground-as-child",
        'parent = "ground"\nchild = "arm"',
        'parent = "arm"\nchild = "ground"',
        "joints.strut.child",
        "Make 'ground' the parent",
    ),
    case(
        "unknown-kind-of-joint",
        'kind = "revolute"',
        'kind = "revolut"',
        "joints.hinge.kind",
        "'revolute'",
        "spherical",
    ),
    case(
        "option-of-another-kind",
        'kind = "revolute"',
        'kind = "spherical"',
        "joints.hinge.axis",
        "does not apply",
        "Remove this key",
    ),
    case("axis-letter", 'axis = "x"', 'axis = "roll"', "joints.hinge.axis", "x, y, z"),
    case(
        "nothing-locked",
        'locked = ["tx", "rx"]\nrotation_pair = "ay.bz"\n' + HARMONIC,
        "locked = []",
        "joints.drive.locked",
        "the list is empty",
    ),
    case(
        "locked-twice",
        'locked = ["tx", "rx"]',
        'locked = ["tx", "tx", "rx"]',
        "joints.drive.locked",
        "listed twice",
    ),
    case(
        "locked-unknown-axis", 'locked = ["tx", "rx"]', 'locked = ["tx", "rw"]', "joints.drive.locked.1", "rx"
    ),
    case(
        "locked-is-a-text", 'locked = ["tx", "rx"]', 'locked = "tx"', "joints.drive.locked", "list", "['tx']"
    ),
    case("driven-axis-is-free", HARMONIC, HARMONIC.replace("tx", "ty"), "joints.drive.driven.ty", "locked"),
    case("driven-in-wrong-unit", '"1 in"', '"1 deg"', "joints.drive.driven.tx.amplitude", "1 deg", "m"),
    case("rotation-pair-locks-another", '"ay.bz"', '"ax.by"', "joints.drive.rotation_pair", "ay.bz or az.by"),
    case(
        "flag-as-text",
        'child = "arm"\nlength = "3 m"\nactive = false',
        'child = "arm"\nlength = "3 m"\nactive = "no"',
        "joints.strut.active",
        "true or false",
    ),
]

LOADS = [
    case("unknown-kind-of-force", 'kind = "torque"', 'kind = "torq"', "forces.twist", "'torque'"),
    case("no-kind", 'kind = "torque"\n', "", "forces.twist", "kind is required", "spring"),
    case(
        "force-on-unknown-body", 'body = "arm"', 'body = "leg"', "forces.twist.body", "no body 'leg'", "arm"
    ),
    case(
        "force-in-unknown-phase", 'phases = ["joined"]', 'phases = ["join"]', "forces.push.phases", "'joined'"
    ),
    case(
        "table-goes-back",
        "time = [0, 1, 2]",
        "time = [0, 2, 1]",
        "forces.push.force.time",
        "increase",
        "1 s follows 2 s",
    ),
    case(
        "table-doubles-a-time",
        "time = [0, 1, 2]",
        "time = [0, 1, 1]",
        "forces.push.force.time",
        "1 s follows 1 s",
    ),
    case(
        "table-of-two-lengths",
        "time = [0, 1, 2]",
        "time = [0, 1, 2, 3]",
        "forces.push.force.value",
        "3 rows",
        "has 4 values",
    ),
    case(
        "table-of-one-point",
        LOAD,
        "force = { time = [0], value = [[0, 0, 1]] }",
        "forces.push.force.time",
        "at least 2",
    ),
    case(
        "sequence-and-stiffness-differ",
        'sequence = "1-2-3"',
        'sequence = "1-2"',
        "forces.bushing.stiffness",
        "3 values",
        "2 rotations",
    ),
    case("spring-sequence", 'sequence = "1-2-3"', 'sequence = "x-y-z"', "forces.bushing.sequence", "1-2-3"),
    case(
        "class-without-colon",
        "mypackage.aero:Drag",
        "mypackage.aero.Drag",
        "forces.drag.class",
        "package.module:Class",
    ),
    case(
        "class-as-file", "mypackage.aero:Drag", "../aero.py:Drag", "forces.drag.class", "package.module:Class"
    ),
    case("parameter-not-finite", "area = 2.5", "area = nan", "forces.drag.parameters.area", "not finite"),
    case("parameter-ragged", "[[0, 1], [2, 3]]", "[[0, 1], [2]]", "forces.drag.parameters.table", "regular"),
]

BLADE = """[forces.lift]
kind = "blade_element"
body = "arm"
root = [0, 0, 0]
tip = [2, 0, 0]
leading = [0, 1, 0]
chord = 0.2
"""


def blade(name: str, key: str, value: str, place: str, *words: str) -> Case:
    """A blade in the air with one key changed, or added."""
    kept = [line for line in BLADE.splitlines() if not line.startswith(f"{key} =")]
    text = "\n".join([*kept, f"{key} = {value}", ""])
    return case(name, "", text, f"forces.lift.{place}", *words)


BLADES = [
    blade("blade-without-a-length", "tip", "[0, 0, 0]", "tip", "is the same point as root"),
    blade("blade-forward-along-its-span", "leading", "[1, 0, 0]", "leading", "across the span"),
    blade("blade-up-in-its-plane", "up", "[1, 1, 0]", "up", "lies in the plane"),
    blade("blade-of-three-chords", "chord", "[0.1, 0.2, 0.3]", "chord", "has 3 values", "tip"),
    blade("blade-without-stations", "stations", "0", "stations", "0 is out of range", "1 to 64"),
    blade("cyclic-over-nothing", "cyclic", "[0, 0.1]", "cyclic", "needs the body", "swashplate"),
    blade("azimuth-over-itself", "swashplate", '"arm"', "swashplate", "'arm' is the blade itself"),
    blade("azimuth-over-nobody", "swashplate", '"leg"', "swashplate", "no body 'leg'", "arm"),
    blade(
        "frame-of-nobody", "swashplate_frame", f"{{ {ANGLES} }}", "swashplate_frame", "without 'swashplate'"
    ),
]

DEVICES = [
    case("stroke-too-long", '"10 cm"', '"20 cm"', "devices.spring.stroke", "0.2 m", "preload/stiffness"),
    case(
        "preload-and-free-length",
        '"100 kN"',
        '"100 kN"\nfree_length = "1 m"',
        "devices.spring.preload",
        "exactly one",
    ),
    case("zero-axis", "axis = [0, 0, 1]", "axis = [0, 0, 0]", "devices.spring.axis", "vector is zero"),
    case("device-after-unknown", 'after = "apart"', 'after = "aprt"', "devices.spring.after", "'apart'"),
    case(
        "charge-on-unknown-joint",
        'joints = ["hinge"]',
        'joints = ["hing"]',
        "devices.cutter.joints",
        "'hinge'",
    ),
    case("charge-on-nothing", 'joints = ["hinge"]', "joints = []", "devices.cutter.joints", "at least one"),
    case(
        "kickoff-against-ground",
        '[devices.spring]\nkind = "kickoff_spring"\nparent = "stage"',
        '[devices.spring]\nkind = "kickoff_spring"\nparent = "ground"',
        "devices.spring.parent",
        "must be a body here",
    ),
]

SEQUENCE = [
    case(
        "release-unknown-joint",
        'release = ["clamp"]',
        'release = ["clam"]',
        "phases.apart.release",
        "'clamp'",
    ),
    case(
        "release-twice", 'fire = ["cutter"]', 'release = ["clamp"]', "phases.catch.release", "is not active"
    ),
    case(
        "release-waiting-joint",
        'release = ["clamp"]',
        'release = ["clamp", "strut"]',
        "phases.apart.release",
        "'strut' is not active",
    ),
    case(
        "attach-active-joint",
        'release = ["clamp"]',
        'release = ["clamp"]\nattach = ["hinge"]',
        "phases.apart.attach",
        "'hinge' is already active",
    ),
    case(
        "attach-while-cut",
        'attach = ["strut"]',
        'attach = ["strut", "hinge"]',
        "phases.catch",
        "'hinge' has more than one action",
    ),
    case(
        "replace-by-the-same",
        'fire = ["cutter"]',
        'replace = { hinge = { kind = "revolute", axis = "x" } }',
        "phases.catch.replace.hinge",
        "already has the kind revolute",
    ),
    case(
        "replace-by-nothing",
        'fire = ["cutter"]',
        'replace = { hinge = "free" }',
        "phases.catch.replace.hinge.kind",
        "release",
    ),
    case(
        "replace-by-unknown-kind",
        'fire = ["cutter"]',
        'replace = { hinge = "weld" }',
        "phases.catch.replace.hinge.kind",
        "fixed",
    ),
    case(
        "replace-released-joint",
        'fire = ["cutter"]',
        'replace = { clamp = "spherical" }',
        "phases.catch.replace.clamp",
        "is not active",
    ),
    case(
        "replace-unknown-joint",
        'fire = ["cutter"]',
        'replace = { hing = "spherical" }',
        "phases.catch.replace.hing",
        "'hinge'",
    ),
    case(
        "two-actions-on-one-joint",
        'release = ["clamp"]',
        'release = ["clamp"]\nreplace = { clamp = "spherical" }',
        "phases.apart",
        "'clamp' has more than one action",
    ),
    case("fire-unknown-device", 'fire = ["cutter"]', 'fire = ["cuter"]', "phases.catch.fire", "'cutter'"),
    case(
        "fire-a-spring",
        'fire = ["cutter"]',
        'fire = ["spring"]',
        "phases.catch.fire",
        "is already fired",
        'after = "apart"',
    ),
    case(
        "fire-twice",
        'release = ["clamp"]',
        'release = ["clamp"]\nfire = ["cutter"]',
        "phases.catch.fire",
        "already fired",
    ),
    case(
        "time-before-phase",
        'until = { elapsed = "1 min" }',
        'until = { time = "5 s" }',
        "phases.catch.until.time",
        "cannot occur",
        "5 s",
        "10 s",
        "elapsed",
    ),
    case(
        "time-before-phase-inside-any",
        '{ elapsed = "30 s" }',
        '{ time = "5 s" }',
        "phases.apart.until.any.0.time",
        "cannot occur",
    ),
    case(
        "time-zero",
        'until = { time = "10 s" }',
        "until = { time = 0 }",
        "phases.joined.until.time",
        "cannot occur",
    ),
    case(
        "elapsed-zero",
        'until = { elapsed = "1 min" }',
        "until = { elapsed = 0 }",
        "phases.catch.until.elapsed",
        "more than zero",
    ),
    case(
        "time-beyond-limit",
        '"1 min"',
        '"2 day"',
        "phases.catch.until.elapsed",
        "time limit",
        "solver.time_limit",
    ),
    case("negative-distance", '"20 ft"', '"-20 ft"', "phases.apart.until.any.1.reaches", "never negative"),
    case("direction-misspelt", '"rising"', '"raising"', "phases.apart.until.any.1.direction", "'rising'"),
    case(
        "unknown-quantity",
        "stage.payload.distance",
        "stage.payload.distanc",
        "phases.apart.until.any.1.quantity",
        "distance",
    ),
    case("vector-quantity", HIGH, HIGH.replace(".z", ""), "events.high.when.quantity", "component"),
    case(
        "quantity-in-wrong-unit",
        '"20 ft"',
        '"20 ft/s"',
        "phases.apart.until.any.1.reaches",
        ", which is in m. Allowed: m",
    ),
    case(
        "quantity-without-value",
        DISTANCE,
        DISTANCE.replace('reaches = "20 ft", ', ""),
        "phases.apart.until.any.1.reaches",
        "required",
    ),
    case(
        "fire-without-a-side",
        DISTANCE,
        DISTANCE.replace('direction = "rising"', 'already = "fire"'),
        "phases.apart.until.any.1.already",
        "requires the key 'direction'",
        'direction = "rising"',
        "pairs.stage.payload.distance",
    ),
    case("value-without-unit", '"20 ft"', '"20"', "phases.apart.until.any.1.reaches", "without quotes"),
    case(
        "two-triggers-in-one",
        'until = { time = "10 s" }',
        'until = { time = "10 s", elapsed = "1 s" }',
        "phases.joined.until",
        "exactly one",
    ),
    case("no-trigger", 'until = { time = "10 s" }', "until = {}", "phases.joined.until", "exactly one"),
    case(
        "empty-any",
        'until = { time = "10 s" }',
        "until = { any = [] }",
        "phases.joined.until.any",
        "at least one",
    ),
    case(
        "direction-of-a-time",
        '{ time = "10 s" }',
        '{ time = "10 s", direction = "rising" }',
        "phases.joined.until.direction",
        "Remove this key",
    ),
    case("phase-without-end", 'until = { time = "10 s" }', "", "phases.joined.until", "required"),
    case("trigger-is-a-text", 'until = { time = "10 s" }', 'until = "10 s"', "phases.joined.until", "table"),
    case("event-after-unknown", 'after = "joined"', 'after = "join"', "events.high.after", "'joined'"),
    case("event-before-unknown", 'after = "joined"', 'before = "apar"', "events.high.before", "'apar'"),
    case("event-before-itself", 'after = "joined"', 'before = "high"', "events.high.before", "cannot occur"),
    case(
        "event-before-what-it-waits-for",
        'after = "joined"',
        'after = "joined"\nbefore = "joined"',
        "events.high.before",
        "cannot occur",
        "active only after 'joined'",
    ),
    case(
        "event-repeats-a-time",
        'when = { quantity = "bodies.payload.position.z", reaches = 100 }\nafter = "joined"',
        'when = { any = [{ time = "1 s" }] }\nrepeats = true',
        "events.high.when.any.0.time",
        "occurs only once",
    ),
    case(
        "event-after-itself",
        'after = "joined"',
        'after = "high"',
        "events.high.after",
        "high waits for itself",
    ),
    case(
        "event-named-as-a-phase",
        "[events.high]",
        "[events.catch]",
        "events.catch",
        "a phase has the same name",
    ),
    case("phase-named-end", 'name = "catch"', 'name = "end"', "phases.end", "Choose another name"),
    case("duplicate-phase", 'name = "catch"', 'name = "joined"', "phases.joined", "2 times"),
    case("phase-without-name", 'name = "catch"\n', "", "phases.2.name", "required"),
]

SETTINGS = [
    case("unknown-key", "mass = 20", "mas = 20", "bodies.arm.mas", "unknown key", "did you mean 'mass'"),
    case("unknown-table", "", "[solvr]\nstep = 1", "solvr", "did you mean 'solver'"),
    case(
        "unknown-formulation",
        'method = "rk4"',
        'formulation = "kane"',
        "solver.formulation",
        "lagrange_multiplier",
    ),
    case("unknown-method", 'method = "rk4"', 'method = "rk5"', "solver.method", "rk4"),
    case("rk4-without-step", 'step = "1 ms"\n', "", "solver.step", "required"),
    case("step-zero", 'step = "1 ms"', "step = 0", "solver.step", "more than zero"),
    *(
        case(
            f"minimal-{field}",
            'method = "rk4"',
            f'formulation = {{ kind = "null_space", coordinates = "minimal", {field} = "{value}" }}',
            f"solver.formulation.{field}",
            value,
            f'minimal coordinates use "{only}"',
            'coordinates = "absolute"',
        )
        for field, value, only in (("road", "numerical", "closed_form"), ("form", "implicit_1", "reduced"))
    ),
    *(
        case(
            f"feedback-into-{kind}",
            'method = "rk4"',
            f'formulation = "{kind}"\nstabilization = "baumgarte"',
            "solver.stabilization",
            kind,
            "Remove stabilization",
        )
        for kind in ("staggered", "simultaneous", "penalty")
    ),
    case("tolerance-out-of-range", 'method = "rk4"', "tolerance = 0.5", "solver.tolerance", "1e-14 to 0.01"),
    case("interval-zero", 'interval = "0.1 s"', "interval = 0", "output.interval", "more than zero"),
    case("times-go-back", 'interval = "0.1 s"', "times = [0, 2, 1]", "output.times", "increase"),
    case(
        "interval-and-times",
        'interval = "0.1 s"',
        'interval = "0.1 s"\ntimes = [0, 1]',
        "output.times",
        "both set",
    ),
    case("requirement-without-limit", 'max = "0.5 deg/s"\n', "", "requirements.gentle", "no limit"),
    case(
        "requirement-turned-round",
        'max = "0.5 deg/s"',
        'max = "0.5 deg/s"\nmin = "1 deg/s"',
        "requirements.gentle.min",
        "above max",
    ),
    case(
        "requirement-in-wrong-unit",
        '"0.5 deg/s"',
        '"0.5 deg"',
        "requirements.gentle.max",
        "0.5 deg cannot be compared with ",
    ),
    case("requirement-at-unknown", 'at = "apart"', 'at = "aprt"', "requirements.gentle.at", "'apart'"),
    case(
        "requirement-at-and-during",
        'at = "apart"',
        'at = "apart"\nduring = "joined"',
        "requirements.gentle.during",
        "both set",
    ),
    case("unknown-gravity", 'kind = "uniform"', 'kind = "unifrom"', "gravity", "'uniform'"),
    case("display-units", 'title = "Everything"', 'title = "Everything"\nunits = "UK"', "units", "SI, US"),
    case("title-is-a-number", 'title = "Everything"', "title = 3", "title", "text in quotes"),
]
ENGINES = [
    case(
        "engine-of-unknown-body",
        'body = "stage"\nat = [0.0',
        'body = "stag"\nat = [0.0',
        "engines.main.body",
        "no body 'stag'",
        "'stage'",
    ),
    case(
        "unknown-tank",
        '"stage.tank" = 1.0',
        '"stage.tnk" = 1.0',
        "engines.main.feeds.stage.tnk",
        "'stage.tnk'",
        "'stage.tank'",
    ),
    case(
        "tank-without-its-body",
        '"stage.tank" = 1.0',
        '"tank" = 1.0',
        "engines.main.feeds.tank",
        "body.item",
    ),
    case("draws-from-an-item", '"stage.grain"', '"stage.ballast"', "engines.booster.grain", "no propellant"),
    case(
        "draws-from-what-stays",
        'propellant = "2500 kg"',
        'propellant = "2500 kg"\ndrains = false',
        "engines.main.feeds.stage.tank",
        "has drains = false",
    ),
    case("unknown-signal", "isp = 300.0", 'isp = 300.0\nthrottle = "lever"', "engines.main", "'lever'"),
    case(
        "shares-do-not-sum",
        '"stage.tank" = 1.0',
        '"stage.tank" = 0.9',
        "engines.main.feeds",
        "0.9",
        "the sum 1",
    ),
    case(
        "overfull-tank",
        "radius = 0.6",
        "radius = 0.6\nheight = 1.0",
        "bodies.stage.elements.tank.propellant",
        "more than",
        "1289.3",
    ),
    case(
        "residual-above-propellant",
        "propellant = 30.0",
        "propellant = 30.0\nresidual = 31.0",
        "bodies.stage.elements.grain.residual",
        "31 kg",
        "30 kg",
    ),
    case(
        "ignite-unknown",
        'ignite = ["main"]',
        'ignite = ["mian"]',
        "phases.apart.ignite",
        "'mian'",
        "did you mean 'main'",
    ),
    case(
        "shut-down-a-motor",
        'shut_down = ["main"]',
        'shut_down = ["booster"]',
        "phases.catch.shut_down",
        "cannot be cut off",
        "cut = true",
    ),
    case(
        "ignite-a-motor-twice",
        'ignite = ["main"]',
        'ignite = ["booster"]',
        "phases.apart.ignite",
        "already ignited",
    ),
    case(
        "drop-unknown",
        'drop = ["stage.ballast"]',
        'drop = ["stage.balast"]',
        "phases.apart.drop",
        "'stage.balast'",
        "'stage.ballast'",
    ),
    case(
        "drop-the-tank-first",
        'ignite = ["booster"]',
        'ignite = ["booster"]\ndrop = ["stage.tank"]',
        "phases.apart.ignite",
        "jettisoned",
    ),
    case(
        "empirical-rate-on-a-joint",
        'mass = "622 slug"',
        'mass = "622 slug"\ninertia_rate = 1.0',
        "bodies.stage.inertia_rate",
        "joints.clamp",
        "Remove inertia_rate",
    ),
    case(
        "rate-without-tanks",
        "mass = 20",
        "mass = 20\ninertia_rate = 1.0",
        "bodies.arm.inertia_rate",
        "the mass of this body is constant",
    ),
    case(
        "formulation-without-tanks",
        'step = "1 ms"',
        'step = "1 ms"\nformulation = "composite"',
        "solver.formulation",
        "engines.main",
        "lagrange_multiplier",
    ),
]

CASES = [
    *(
        *SITES,
        *UNITS,
        *NUMBERS,
        *BODIES,
        *ATTITUDES,
        *JOINTS,
        *LOADS,
        *BLADES,
        *DEVICES,
        *ENGINES,
        *SEQUENCE,
        *SETTINGS,
    ),
    *air_and_control(case),
]


@dataclass(frozen=True)
class File:
    """A file that is no scenario: its bytes, or a function that makes something at its path; what the message
    says."""

    name: str
    content: bytes | Callable[[Path], object]
    words: tuple[str, ...]

    def put(self, folder: Path) -> Path:
        """Make it in a folder; its path."""
        path = folder / "scenario.toml"
        if callable(self.content):
            self.content(path)
        else:
            path.write_bytes(self.content)
        return path


def huge(path: Path) -> None:
    """100 MB of nothing, without writing them."""
    with path.open("wb") as file:
        file.truncate(100_000_000)


def loop(path: Path) -> None:
    """A link to itself."""
    path.symlink_to(path)


def near_miss(path: Path) -> None:
    """A file of another name beside the missing one."""
    (path.parent / "scenario_2.toml").write_text(GOOD, encoding="utf-8")


FILES = [
    File("empty", b"", ("empty", "body", "phase")),
    File("blank", b" \n\t\n", ("empty",)),
    File("only-a-comment", b"# nothing\n", ("no body", "no phase")),
    File("no-phase", BODY.encode(), ("phases: the flight has no phase",)),
    File("no-body", PHASE.encode(), ("bodies: the scenario has no body",)),
    File("prose", b"Dear reader,\nthis is no scenario.\n", ("not valid TOML", "line 1")),
    File("json", b'{"bodies": []}', ("not valid TOML",)),
    File("unclosed-text", b'title = "no end\n', ("not valid TOML", "line 1")),
    File("doubled-key", b"title = 'a'\ntitle = 'b'\n", ("not valid TOML", "line 2", "set twice")),
    File("doubled-table", (BODY + BODY).encode(), ("not valid TOML", "bodies", "twice")),
    File("doubled-inline-key", b"a = {b = 1}\na.b = 2\n", ("inside the braces",)),
    File("control-character", b"title = '\x07'\n", ("not valid TOML",)),
    File("binary", bytes(range(256)) * 4, ("binary",)),
    File("a-saved-flight", b"\x89HDF\r\n\x1a\n" + bytes(100), ("saved flight", "open_flight")),
    File("latin-1", b"title = '\xe9tage'\n", ("UTF-8",)),
    File("utf-16", GOOD.encode("utf-16"), ("UTF-8",)),
    File("100-MB", huge, ("100 MB", "10 MB")),
    File("deep-list", b"x = " + b"[" * 90 + b"]" * 90, ("levels", "64")),
    File("very-deep-list", b"x = " + b"[" * 100_000 + b"]" * 100_000, ("nested too deeply",)),
    File("deep-tables", b"[" + b".".join([b"a"] * 90) + b"]\nb = 1\n", ("levels", "64")),
    File("deep-inline-tables", b"x = " + b"{a=" * 5000 + b"1" + b"}" * 5000, ("nested too deeply",)),
    File("number-of-many-digits", b"title = " + b"9" * 10_000, ("not valid TOML",)),
    File("folder", Path.mkdir, ("folder",)),
    File("missing", near_miss, ("no such file", "scenario_2.toml")),
    File("pipe", os.mkfifo, ("regular file",)),
    File("link-to-itself", loop, ("cannot be read",)),
    File("group-is-a-number", b"bodies = 3", ("bodies", "table of named tables")),
    File("entries-are-numbers", b"bodies = [1, 2]", ("bodies.0", "must be a table; got 1", "bodies.1")),
    File("entry-by-name-is-a-number", b"[bodies]\nodd = 3", ("bodies.odd", "must be a table; got 3")),
    File(
        "entry-without-name",
        (BODY.replace("[bodies.a]", "[[bodies]]") + PHASE).encode(),
        ("bodies.0.name", "required"),
    ),
    File(
        "gravity-is-a-text",
        (b"gravity = 'down'\n" + (BODY + PHASE).encode()),
        ("gravity", "kind 'down' is not allowed", "uniform"),
    ),
]
