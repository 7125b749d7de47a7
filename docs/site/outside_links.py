"""Links of pages to folders of the repository: an extension of Sphinx.

A link to a file of the repository that is not a page becomes a copy of that file. A folder has no page, so
its link becomes plain text. A missing target stays an error."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

LINK = re.compile(r"\[([^\[\]]*)\]\(((?!https?:|#)[^()#\s]+)\)")


def without_folders(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace links to folders by their text."""
    folder = (Path(app.srcdir) / page).parent
    source[0] = LINK.sub(lambda link: link[1] if (folder / link[2]).is_dir() else link[0], source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the replacement."""
    app.connect("source-read", without_folders)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
