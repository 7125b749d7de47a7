"""A scenario as an FMU that FMPy flies step by step, beside Interstage's own flight; see SOURCE.md."""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from interstage.reading import load
from interstage.studies.fmu.export import export
from interstage.studies.verify import Row

from ..comparison import at, worst

NEEDS = {"fmpy": "pip install fmpy"}
STEP, END, CHANGE = 0.25, 2.0, 0.5  # s
FORCES = (30e3, 0.0, 0.0), (12e3, 1e3, 0.0)
"""Thrust until the change, and from then on [N]."""
INPUTS = [f"forces.thrust.force[{k}]" for k in range(3)]
QUANTITIES = (
    *("bodies.stage.position", "bodies.payload.position", "bodies.stage.velocity"),
    *("bodies.payload.velocity", "bodies.payload.angular_velocity", "joints.hinge.force"),
)
BOUND = 1e-10
"""Of the size of each quantity: a hundred times the tolerance of steps, which end elsewhere in the two."""


def names():
    """The outputs one by one."""
    return [f"{path}.{axis}" for path in QUANTITIES for axis in "xyz"]


def flown(file):
    """Times and outputs at the ends of the host's steps, by name, and what its checker says of the FMU."""
    import fmpy
    from fmpy.validation import validate_fmu

    dtype = [("time", float), *((name, float) for name in INPUTS)]
    table = [(0.0, *FORCES[0]), (CHANGE, *FORCES[0]), (CHANGE, *FORCES[1]), (END, *FORCES[1])]
    os.environ["INTERSTAGE_COMMAND"] = str(Path(sys.executable).with_name("interstage"))
    result = fmpy.simulate_fmu(
        str(file),
        stop_time=END,
        output_interval=STEP,
        input=np.array(table, dtype=dtype),
        output=names(),
        record_events=False,
    )
    return result, validate_fmu(str(file))


def compare(fly, folder):
    """Every output at every step, the release within one, and the checker's verdict."""
    own = fly(folder / "scenario.toml")
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, "pair.fmu")
        export(load(folder / "exported.toml"), file, INPUTS, [], names())
        result, complaints = flown(file)
    times = result["time"]
    yield Row("steps that were flown, less those asked for", abs(len(times) - 1 - END / STEP), 0)
    for path in QUANTITIES:
        # Loads jump at the change: of the two values there the FMU has that before, the record that after.
        chosen = (times != CHANGE) | (path != "joints.hinge.force")
        found = np.stack([result[f"{path}.{axis}"] for axis in "xyz"], 1)[chosen]
        expected = at(own, path, times[chosen])
        yield Row(f"{path} [of its size]", worst(found - expected) / worst(expected), BOUND)
    let_go = next(event.time for event in own.events if event.name == "let_go")
    between = abs((let_go / STEP) % 1 - 0.5)
    yield Row("release, from the middle of a step [steps]", between, 0.4)
    yield Row("complaints of FMPy's checker", len(complaints), 0)
