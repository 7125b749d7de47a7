"""Show the playback in the output of a notebook cell (Jupyter)."""

from __future__ import annotations

import importlib
import sys
from html import escape

HEIGHT = 900
"""Height of the playback in a notebook [px]. The height contains the picture, its controls and one row of
curves."""


def in_notebook() -> bool:
    """Return whether this process runs the cells of a notebook. IPython in a terminal is not a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


def frame(page: str, title: str) -> str:
    """Return a page as an HTML element for a notebook. Scripts of the page cannot access the notebook.

    page: text of the page, see `page.html`. title: name of the element for screen readers.
    """
    look = f"width: 100%; height: {HEIGHT}px; border: 0"
    content = escape(page, quote=True)
    return (
        f'<iframe title="{escape(title)}" sandbox="allow-scripts" style="{look}" srcdoc="{content}"></iframe>'
    )


def display(page: str, title: str) -> None:
    """Show a page in the output of the current notebook cell. Arguments: see `frame`."""
    data = {"text/html": frame(page, title), "text/plain": f"<{title}>"}
    importlib.import_module("IPython.display").display(data, raw=True)
