"""Flies the example part: python eddy_damper_flights.py SCENARIO FLIGHT. Prints what it finds as JSON."""

from __future__ import annotations

import json
import sys

import numpy as np

import interstage as ist
from interstage.programs import form
from interstage.record.conservation import drifts
from interstage.report.figures import figures
from interstage.report.summary import tables
from interstage.tree import addresses as tree

scenario = ist.load(sys.argv[1])
scenario.check()
imported = [name for name in ("jax", "eddy_damper.shown") if name in sys.modules]

# The brake alone, on a panel that moves at 6 m/s.
alone = ist.load(sys.argv[1], {"phases.out.until": {"elapsed": 0.05}})
alone = tree.set(alone, "devices", tuple(d for d in alone.devices if d.kind == "eddy_damper"))
alone = tree.set(alone, "bodies.panel.initial", {"through": "rail", "relative_velocity": [6.0, 0, 0]})
alone = tree.set(alone, "solver.tolerance", 1e-12)
flight = alone.run()
record = flight.record
row = [event.name for event in record.events].index("brake left")
flight.save(sys.argv[2])

start = "bodies.panel.initial.relative_velocity"
speeds = np.array([[5.0, 0, 0], [6.0, 0, 0], [7.0, 0, 0]])
batch = alone.run_batch({start: speeds}, progress=False)
left = batch.value("devices.brake.rate", at="brake left", side="before")
slope = alone.derivatives(["devices.brake.rate"], [start, "devices.brake.peak"], at="brake left")
by = slope.by["devices.brake.rate"]
print(
    json.dumps(
        {
            "alone": {
                "rate": float(record.before["devices.brake.rate"][row]),
                "heat": float(record.before["devices.brake.heat"][row]),
                "after": float(record.after["devices.brake.force"][row]),
                "time": record.events[row].time,
                "events": [event.name for event in record.events],
            },
            "drifts": [drift.what for drift in drifts(record)],
            "batch": left.tolist(),
            "derivatives": [float(by[start][0]), float(by["devices.brake.peak"])],
            "tables": [table.title for table in tables(record)],
            "figures": [figure.caption for figure in figures(record)],
            "saved": list(ist.open_flight(sys.argv[2]).scenario.needs),
            "notes": record.warnings,
            "kept": bool(form.description(scenario)),
            "imported by check": imported,
        }
    )
)
