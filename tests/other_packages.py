"""Packages of parts that are installed for a test: sources and the metadata that pip would write, in a folder
that is put on the path."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint, distributions
from pathlib import Path

from interstage.tree.packages import GROUP

JOINED = """
[bodies.stage]
mass = 10
inertia = [1, 1, 1]
initial = { position = [0, 0, 0] }
[bodies.payload]
mass = 1
inertia = [1, 1, 1]
[joints.clamp]
kind = "fixed"
parent = "stage"
child = "payload"
"""
"""Two bodies on a joint that something may release."""
DECLARED = '''"""A magnet that releases when it is fired."""
from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from interstage.model.effect import Device
from interstage.tree.names import Name
from interstage.tree.units import si


class {cls}(Device):
    """A magnet between two bodies."""

    words: ClassVar[tuple[str, ...]] = ("switched_off",)
    joint_field: ClassVar[str] = "joints"
    fireable: ClassVar[bool] = True
    idle: ClassVar[bool] = True

    kind: Literal["{kind}"] = "{kind}"
    """A magnet."""
    name: Name
    """Name of the magnet."""
    joints: tuple[str, ...]
    """The joints that it releases."""
    hold: Annotated[Any, si("N", positive=True)]
    """Force that it holds with [N]."""
    after: str | None = None
    """Moment at which it is switched off."""

    @property
    def released_joints(self) -> tuple[str, ...]:
        return self.joints


KINDS = {{"devices": ({cls},)}}
'''


def declared(kind: str = "magnet", cls: str = "Magnet") -> str:
    """The text of a module `declared` with one kind."""
    return DECLARED.format(kind=kind, cls=cls)


def install(
    place: Path, package: str, files: dict[str, str], distribution: str = "", value: str = ""
) -> None:
    """Write a package with its modules, and the metadata of a distribution that has it as an entry point."""
    home = place / package
    home.mkdir(parents=True)
    for name, text in ({"__init__": ""} | files).items():
        (home / f"{name}.py").write_text(text)
    announce(place, package, distribution or f"interstage-{package}", value or package)


def announce(place: Path, package: str, distribution: str, value: str) -> None:
    """Write the metadata of a distribution, version 1.2, with an entry point."""
    info = place / f"{distribution.replace('-', '_')}-1.2.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{package} = {value}\n")


def points(place: Path) -> list[EntryPoint]:
    """The entry points of the distributions in a folder."""
    return [p for d in distributions(path=[str(place)]) for p in d.entry_points if p.group == GROUP]


def python(place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own, with the packages of a folder."""
    import interstage

    paths = [str(place), str(Path(interstage.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
