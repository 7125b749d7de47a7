"""The command `interstage new`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from ..tree.errors import BadInput
from ..tree.saving import write_file
from ..tree.similar_names import near
from . import complete
from .bundled import folder
from .command_files import check_target
from .shared import app

VEHICLE = "vehicle"
"""Template that is written from answers."""
URDF = ".urdf"
"""Suffix of files with mechanisms."""


def _answer(metavar: str, text: str) -> typer.models.OptionInfo:
    return typer.Option(metavar=metavar, help=f"With --from {VEHICLE}: {text}")


@app.command()
def new(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            autocompletion=complete.examples,
            help="Name of the example to print. Without a name, the command lists all examples.",
        ),
    ] = None,
    template: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar=f"{VEHICLE}|FILE.urdf",
            help="vehicle: ask five questions about a stack of bodies and write its scenario. The options "
            "below answer questions in advance. FILE.urdf: write the scenario of a mechanism in URDF.",
        ),
    ] = None,
    masses: Annotated[
        str | None, _answer("LIST", 'masses from bottom to top, for example "5000 kg, 1000 kg".')
    ] = None,
    diameter: Annotated[str | None, _answer("LENGTH", 'diameter of the bodies, for example "2 m".')] = None,
    joined: Annotated[str | None, _answer("DEVICE", "clamp_band, bolts or frangible_joint.")] = None,
    pushed: Annotated[str | None, _answer("DEVICE", "springs, pneumatic or motors.")] = None,
    checks: Annotated[
        str | None, _answer("LIST", '"none", or some of speed, tip_off, loads, clearance.')
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write the example to this new scenario file (.toml)."
        ),
    ] = None,
) -> None:
    """List examples, print an example scenario, or write a scenario from answers or from a URDF file.

    Questions are printed on the standard error stream. An empty answer selects the default in brackets.
    """
    answers = {
        "masses": masses,
        "diameter": diameter,
        "joined": joined,
        "pushed": pushed,
        "checks": checks,
    }
    known = {path.stem: path for path in sorted(folder("examples").glob("*.toml"))}
    _check(kind, template, answers, known)
    if kind is None and template is None:
        print("\n".join(_listing(known)))
        return
    if output is not None:
        if output.exists():
            raise BadInput(f"the file '{output}' exists already. Choose another file name.")
        check_target(output, None, (".toml",))
    text = (
        known[kind].read_text(encoding="utf-8") if kind is not None else _template(template, answers, output)
    )
    if output is None:
        print(text, end="")
        return
    write_file(output, text)
    print(f"Wrote {output}. Fly it with: interstage run {output}")


def _check(
    kind: str | None, template: str | None, answers: Mapping[str, str | None], known: Mapping[str, Path]
) -> None:
    """Raise BadInput for names without an example, and for options that exclude each other."""
    if kind == VEHICLE and template is None:
        raise BadInput(f"'{VEHICLE}' is written from answers. Run interstage new --from {VEHICLE}")
    if kind is not None and kind not in known:
        raise BadInput(f"there is no example '{kind}'; {near(kind, known, 'examples')}")
    if kind is not None and template is not None:
        raise BadInput(f"'{kind}' and --from {template} are both set. Keep one")
    if template is not None and template.lower().endswith(URDF):
        for key, value in answers.items():
            if value is not None:
                raise BadInput(f"--{key} has no effect with --from {template}. Remove --{key}")
        return
    if template not in (None, VEHICLE):
        raise BadInput(
            f"--from {template}: there is no such template; {near(template, [VEHICLE], 'templates')}."
            " A file needs the suffix .urdf"
        )
    if template is None:
        for key, value in answers.items():
            if value is not None:
                raise BadInput(f"--{key} needs a template. Add --from {VEHICLE}")


def _listing(known: Mapping[str, Path]) -> Iterator[str]:
    """Yield a line for each example with its title."""
    from ..tree.toml_file import parse, read_text

    width = max(map(len, (*known, VEHICLE))) + 2
    for name, path in known.items():
        yield f"{name:<{width}}{parse(read_text(path)).get('title', '')}"
    yield f"{VEHICLE:<{width}}A stack of bodies from five questions: interstage new --from {VEHICLE}"


def _template(template: str | None, answers: Mapping[str, str | None], output: Path | None) -> str:
    """Return the text of a scenario from answers, or from a URDF file."""
    if template is None or not template.lower().endswith(URDF):
        return _vehicle(answers)
    from ..exchange.urdf import read
    from ..reading import loads
    from .urdf_text import UrdfScenario

    folder = Path() if output is None else output.parent
    made = UrdfScenario(read(template), Path(template), folder)
    text = made.text
    loads(text, source=template, folder=folder)
    for one in made.omitted:
        print(f"Not used: {one}.", file=sys.stderr)
    return text


def _vehicle(answers: Mapping[str, str | None]) -> str:
    from .vehicle import ask, scenario_text

    return scenario_text(ask(answers))
