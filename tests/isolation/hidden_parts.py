"""Hides packages of parts that are installed next to this Python: what tests find must not depend on them.
Those in other folders of the path, where tests put their own, stay."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

GROUP = "interstage.parts"
INSTALLED = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}


def hide() -> None:
    """Hide them from `importlib.metadata` in this process."""
    finder: Any = metadata.MetadataPathFinder
    every = finder.find_distributions

    def others(context: Any = metadata.DistributionFinder.Context()) -> Iterator[Any]:  # noqa: B008
        return (one for one in every(context) if not _installed_parts(one))

    finder.find_distributions = staticmethod(others)


def _installed_parts(one: Any) -> bool:
    beside = Path(one.locate_file(""))
    return beside in INSTALLED and GROUP in (one.read_text("entry_points.txt") or "")
