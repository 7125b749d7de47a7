"""Write KML 2.3 for globes such as Google Earth: trajectories with altitude, and events as points.

Altitudes are above the ellipsoid. If a program reads these altitudes as heights above the geoid, the error is
up to 110 m.

Source: OGC 12-007r2, "OGC KML 2.3".
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from xml.sax.saxutils import escape

import numpy as np

from .trajectory import COLOURS, Mark, Trajectory, date_text, number_text


def kml(title: str, bodies: Sequence[Trajectory], marks: Sequence[Mark], epoch: datetime | None) -> str:
    """Return a KML document as text.

    - title: name of the document.
    - bodies: trajectories of the bodies.
    - marks: events on the trajectories.
    - epoch: UTC date of time zero. If the time is given, the trajectories have times.
    """
    styles = "".join(_style(k, *colour) for k, colour in enumerate(COLOURS))
    tracks = "\n".join(_placemark(body, k % len(COLOURS), epoch) for k, body in enumerate(bodies))
    points = "\n".join(_point(mark, epoch) for mark in marks)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">\n'
        f"<Document><name>{escape(title)}</name>{styles}\n{tracks}\n"
        f"<Folder><name>Events</name>\n{points}\n</Folder>\n</Document>\n</kml>\n"
    )


def _style(number: int, red: int, green: int, blue: int) -> str:
    line = f"<color>ff{blue:02x}{green:02x}{red:02x}</color><width>2</width>"
    return f'<Style id="line{number}"><LineStyle>{line}</LineStyle></Style>'


def _coordinates(latitude: float, longitude: float, altitude: float, gap: str) -> str:
    return gap.join(
        (number_text(np.degrees(longitude)), number_text(np.degrees(latitude)), number_text(altitude))
    )


def _places(body: Trajectory, gap: str) -> list[str]:
    rows = zip(body.latitude, body.longitude, body.altitude, body.distinct, strict=True)
    return [_coordinates(north, east, up, gap) for north, east, up, distinct in rows if distinct]


def _placemark(body: Trajectory, style: int, epoch: datetime | None) -> str:
    mode = "<altitudeMode>absolute</altitudeMode>"
    if epoch is None:
        lines = "\n".join(_places(body, ","))
        shape = f"<LineString>{mode}<coordinates>\n{lines}\n</coordinates></LineString>"
    else:
        whens = "\n".join(f"<when>{date_text(epoch, time)}Z</when>" for time in body.time[body.distinct])
        places = "\n".join(f"<gx:coord>{place}</gx:coord>" for place in _places(body, " "))
        shape = f"<gx:Track>{mode}\n{whens}\n{places}\n</gx:Track>"
    return f"<Placemark><name>{escape(body.name)}</name><styleUrl>#line{style}</styleUrl>{shape}</Placemark>"


def _point(mark: Mark, epoch: datetime | None) -> str:
    place = _coordinates(mark.latitude, mark.longitude, mark.altitude, ",")
    when = "" if epoch is None else f"<TimeStamp><when>{date_text(epoch, mark.time)}Z</when></TimeStamp>"
    text = f"{mark.name}, {mark.body}, t = {mark.time:.6g} s"
    return (
        f"<Placemark><name>{escape(mark.name)}</name><description>{escape(text)}</description>{when}"
        f"<Point><altitudeMode>absolute</altitudeMode><coordinates>{place}</coordinates></Point></Placemark>"
    )
