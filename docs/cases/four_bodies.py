"""Writes the table and the picture of four_bodies.md: python four_bodies.py"""

from __future__ import annotations

from machines import page

if __name__ == "__main__":
    page(__file__, "four-bodies", view=(24, 35), height=5.0, top=0.93)
