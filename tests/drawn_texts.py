"""Texts of a picture as matplotlib draws them, with the true widths of its type."""

from __future__ import annotations

from typing import Any

import pytest


def overlapping(figure: Any) -> list[tuple[str, str]]:
    """Texts of a figure, as far as they are drawn, that cover each other or leave it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    drawn: list[Any] = []
    draw_text = Text.draw

    def watched(text, renderer, *rest, **how):
        if text.get_text().strip() and text.get_visible():
            drawn.append(text)
        return draw_text(text, renderer, *rest, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Text, "draw", watched)
        FigureCanvasAgg(figure).draw()
    whole = figure.bbox
    boxes = [(text.get_text(), text.get_window_extent()) for text in drawn]
    outside = [(text, "edge") for text, box in boxes if not whole.x0 <= box.x0 < box.x1 <= whole.x1]
    crossing = [
        (one, other)
        for i, (one, a) in enumerate(boxes)
        for other, b in boxes[i + 1 :]
        if a.x0 < b.x1 and b.x0 < a.x1 and a.y0 < b.y1 and b.y0 < a.y1
    ]
    return outside + crossing
