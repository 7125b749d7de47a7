"""Write the playback page: one HTML file that needs no network, server or other files."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..drawing.table import number, time_text
from ..tree.saving import write_file
from .curves import MOST_BYTES_OF_REPORT
from .differences_table import other_flights
from .others import OtherFlights, add_others
from .scene import FULL, Detail, Scene, scene_of
from .still import still

if TYPE_CHECKING:
    from ..record.record import Record
    from ..record.results import Flight

BUNDLE, STYLE, LICENCES = "viewer.js", "viewer.css", "licences.txt"
"""Names of the viewer files. The viewer files are built in the folder `web` with `npm run build`."""
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
"""Content security policy of the page. The browser loads nothing from a network."""
WITH_OTHERS = Detail(bytes_of_curves=200_000)
"""Amount of data of the first flight of a page with several flights."""


def write(
    flight: Flight, path: str | Path, units: str | None = None, others: OtherFlights | None = None
) -> Path:
    """Write the playback of a flight, with other flights if there are any.

    Raises BadInput if the file cannot be written, or if the flights have no common event `others.event`."""
    write_file(Path(path), html(flight, units, others))
    return Path(path)


def html(flight: Flight, units: str | None = None, others: OtherFlights | None = None) -> str:
    """Return the playback as the text of an HTML page. The parameters are those of `write`."""
    flight.read_to_show()
    scene = scene_of(flight.record, units, FULL if others is None else WITH_OTHERS)
    if others is not None:
        add_others(scene, flight.record, others, units or flight.record.scenario.units)
    title = escape(str(scene.data["title"]))
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>{title}</title>'
        f"<style>{viewer_file(STYLE)}</style>"
    )
    bad = "" if scene.data["completed"] else ' class="bad"'
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="en"><head>{head}</head><body>',
            f"<header><h1>{title}</h1><p{bad}>{escape(scene.data['outcome'])}</p></header>",
            '<main id="viewer"></main>',
            other_flights(scene.data),
            f'<section id="summary" data-title="Still picture and tables">{summary(scene)}</section>',
            *_scripts(scene),
            "</body></html>\n",
        ]
    )


def panel(record: Record, units: str | None = None) -> str:
    """Return the playback as an HTML fragment for another page; "" for a flight without samples.

    The other page needs the content security policy `POLICY`. The viewer marks its current time in table rows
    (`tr`) with the attribute `data-time` [s], and on the time axes of figures from `drawing.svg`.
    """
    scene = scene_of(record, units, Detail(MOST_BYTES_OF_REPORT))
    if scene.data["span"] is None:
        return ""
    picture = still(scene)
    figure = f"<figure>{picture}</figure>" if picture else ""
    return "\n".join(
        [
            '<div id="viewer"></div>',
            f'<section id="summary" data-title="Still picture">{figure}</section>',
            f'<script type="text/plain" id="viewer-style">{viewer_file(STYLE)}</script>',
            *_scripts(scene),
        ]
    )


def _scripts(scene: Scene) -> list[str]:
    return [
        f'<script type="application/json" id="scene">{_json_text(scene.data)}</script>',
        f"<!--\n{viewer_file(LICENCES)}-->",
        f"<script>{viewer_file(BUNDLE)}</script>",
    ]


def summary(scene: Scene) -> str:
    """Return the still picture and the tables of a scene as HTML. The picture and the tables need no
    JavaScript."""
    data = scene.data
    if data["span"] is None:
        return "<p>This flight has no samples. The playback is empty.</p>"
    picture = still(scene)
    factor, unit = data["length"]
    bodies = [
        [
            body["name"],
            number(body["mass"]),
            number(body["extent"] * factor),
            "placeholder shape computed from mass and inertia"
            if body["stand_in"]
            else f"{len(body['shapes'])} shapes",
        ]
        for body in data["bodies"]
    ]
    events = [
        [str(one["number"]), one["name"], time_text(one["time"]), one["kind"]] for one in data["events"]
    ]
    return "".join(
        [
            f"<figure>{picture}</figure>" if picture else "",
            _table("Events", ["#", "event", "time [s]", "kind"], events),
            _table("Bodies", ["body", "initial mass [kg]", f"largest extent [{unit}]", "drawn as"], bodies),
            *(f"<p>Omitted: {escape(text)}</p>" for text in data["left_out"]),
        ]
    )


def _table(title: str, columns: list[str], rows: list[list[str]]) -> str:
    def row(cells: list[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"

    inner = row(columns, "th") + "".join(row(cells, "td") for cells in rows)
    return f'<h2>{escape(title)}</h2><div class="scroll"><table>{inner}</table></div>' if rows else ""


def _json_text(data: dict[str, Any]) -> str:
    """Return data as JSON that is safe inside a script element. NaN and infinite numbers become null."""
    text = json.dumps(_finite(data), ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _finite(value: Any) -> Any:
    match value:
        case float():
            return value if value - value == 0 else None
        case dict():
            return {key: _finite(one) for key, one in value.items()}
        case list() | tuple():
            return [_finite(one) for one in value]
    return value


@cache
def viewer_file(name: str) -> str:
    """Return the text of a viewer file. name: name of the file."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
