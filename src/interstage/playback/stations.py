"""Return the station and the axes of each interface, as a camera frame of the playback."""

from __future__ import annotations

from typing import Any

from ..record.record import Record
from .courses import records_of
from .items import vector
from .shapes import quaternion


def stations(record: Record) -> list[dict[str, Any]]:
    """Return the stations of the interfaces in all legs.

    The loads of an interface are reported at its station, in its axes. Each station has these keys:

    - name: name of the interface.
    - on, at: body of the station, and its position in structural coordinates [m].
    - axes_of, turn: body of the axes, and the quaternion from the axes to its structural axes.
    """
    found: dict[str, dict[str, Any]] = {}
    for scenario in (one.scenario for one in (record, *records_of(record))):
        for interface in getattr(scenario, "interfaces", ()):
            found[interface.name] = _station(interface, _first_attachment(scenario, interface))
    return [*found.values()]


def _first_attachment(scenario: Any, interface: Any) -> Any:
    group, names = ("joints", interface.joints) if interface.joints else ("forces", interface.forces)
    return next(one for one in getattr(scenario, group) if one.name == names[0])


def _station(interface: Any, first: Any) -> dict[str, Any]:
    end = interface.at_body or interface.on
    side = "parent" if interface.axes.startswith("parent") else "child"
    of_joint = interface.axes.endswith("_joint")
    return {
        "name": interface.name,
        "on": getattr(first, end),
        "at": vector(getattr(first, f"{end}_at") if interface.at is None else interface.at),
        "axes_of": getattr(first, side),
        "turn": quaternion(getattr(first, f"{side}_frame") if of_joint else interface.frame),
    }
