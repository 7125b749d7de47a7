"""Writes the table and the picture of connected_joints.md: python connected_joints.py"""

from __future__ import annotations

from machines import page

if __name__ == "__main__":
    page(__file__, "connected-joints", view=(18, 115), height=2.9, top=0.9, zoom=1.15)
