"""Puts the validation cases, the examples and two pages of the documentation into the wheel.

`interstage explain` reads the pages.
An editable install leaves them where they are: a copy beside the installed package would grow stale there.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = {"validation": "interstage/_validation", "examples": "interstage/_examples"}
PAGES = ("quantities.md", "conventions.md")
"""Pages of docs/ with the tables that `interstage explain` prints."""


class RootFolders(BuildHookInterface):
    """Adds each file under FOLDERS to a standard wheel; byte code stays out."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        for folder, target in FOLDERS.items():
            top = Path(self.root, folder)
            for path in sorted(top.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    build_data["force_include"][str(path)] = f"{target}/{path.relative_to(top).as_posix()}"
        for page in PAGES:
            build_data["force_include"][str(Path(self.root, "docs", page))] = f"interstage/_docs/{page}"
