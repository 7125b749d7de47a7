"""The directive `flight`: a figure and the playback of a flight, made by the build. An extension of Sphinx.

    ```{flight} first.toml
    :set: devices.spring.strength=0.8
    :figure: Separation
    :caption: One weak spring.
    ```

The file is a TOML block of the page with `<!-- file: first.toml -->`, or an example of the repository. All
flights are computed before pages are read, in one process of their own, and kept in build/docs/flights."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from page_blocks import files_of, written_toml

DIRECTIVE = re.compile(r"^`{3,}\{flight\}[ \t]*(\S+)[ \t]*\n((?::[\w-]+:.*\n)*)", re.M)
STORE = Path("build", "docs", "flights")
"""Folder of the results, from the root of the repository."""
SCRIPT = Path(__file__).with_name("make_flights.py")
PLAYBACK = "playback"
"""Folder of the playbacks in the HTML."""


def flight_name(page: str, file: str, changes: str) -> str:
    """Return the name under which the results of a flight are kept."""
    parts = [page.rpartition("/")[2], Path(file).stem]
    if changes:
        parts.append(hashlib.sha256(changes.encode()).hexdigest()[:6])
    return "-".join(parts)


def wanted_flights(root: Path, pages: list[str]) -> list[dict[str, Any]]:
    """Return the flights that pages show, each with its input files."""
    found = {}
    for page in pages:
        text = (root / f"{page}.md").read_text(encoding="utf-8")
        for file, options in DIRECTIVE.findall(text):
            given = dict(re.findall(r"^:([\w-]+): *(.*?) *$", options, re.M))
            name = flight_name(page, file, given.get("set", ""))
            found[name] = {"name": name, "page": page, "file": file, "set": given.get("set", "")}
    return list(found.values())


def make_flights(app: Sphinx) -> None:
    """Compute the flights whose input has changed."""
    root = Path(app.srcdir)
    pages = [file.relative_to(root).with_suffix("").as_posix() for file in sorted(root.glob("docs/**/*.md"))]
    store = root / STORE
    store.mkdir(parents=True, exist_ok=True)
    jobs, wanted = [], wanted_flights(root, pages)
    for folder in store.iterdir():
        if folder.name not in {job["name"] for job in wanted}:
            shutil.rmtree(folder)
    for job in wanted:
        folder = store / job["name"]
        folder.mkdir(exist_ok=True)
        (folder / "examples").unlink(missing_ok=True)
        (folder / "examples").symlink_to(root / "examples")
        for number, block in enumerate(files_of(root / f"{job['page']}.md")):
            written_toml(block, folder, number)
        jobs.append(job | {"folder": str(folder)})
    if not jobs:
        return
    done = subprocess.run([sys.executable, SCRIPT], input=json.dumps(jobs), text=True, capture_output=True)
    if done.returncode:
        logging.getLogger(__name__).warning("flights of pages failed: %s", done.stderr or done.stdout)


class FlightDirective(SphinxDirective):
    """Figure and link to the playback of a flight."""

    required_arguments = 1
    option_spec: ClassVar = dict.fromkeys(("set", "figure", "caption"), directives.unchanged)

    def run(self) -> list[nodes.Node]:
        """Return the figure, and a paragraph with the link."""
        name = flight_name(self.env.docname, self.arguments[0], self.options.get("set", ""))
        folder = STORE / name
        listed = Path(self.env.srcdir) / folder / "figures.json"
        if not listed.exists():
            raise self.error(f"the flight {name} was not computed; see the warnings above")
        pictures = json.loads(listed.read_text(encoding="utf-8"))
        asked = self.options.get("figure", "")
        found = [file for file, caption in pictures if asked.lower() in caption.lower()]
        if not found:
            captions = "; ".join(caption for _, caption in pictures)
            raise self.error(f"no figure of {name} has {asked!r} in its caption: {captions}")
        uri = f"/{folder.as_posix()}/{found[0]}"
        caption = self.options.get("caption", "")
        figure = nodes.figure("", nodes.image(uri=uri, alt=caption or asked or name))
        if caption:
            text, _ = self.parse_inline(caption)
            figure += nodes.caption("", "", *text)
        up = "../" * self.env.docname.count("/")
        address = f"{up}{PLAYBACK}/{name}.html"
        link = f'<p><a class="sd-btn sd-btn-primary" href="{address}">Playback of this flight</a></p>'
        return [figure, nodes.raw("", link, format="html")]


def copy_playbacks(app: Sphinx, error: Exception | None) -> None:
    """Copy the playbacks into the HTML."""
    if error is None and app.builder.format == "html":
        shutil.rmtree(Path(app.outdir) / PLAYBACK, ignore_errors=True)
        for page in sorted((Path(app.srcdir) / STORE).glob("*/*.playback.html")):
            target = Path(app.outdir) / PLAYBACK / f"{page.parent.name}.html"
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(page.read_bytes())


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("flight", FlightDirective)
    app.connect("builder-inited", make_flights)
    app.connect("build-finished", copy_playbacks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
