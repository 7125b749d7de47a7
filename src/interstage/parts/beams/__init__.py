"""Flexible beams: geometrically exact two-node elements between rigid segments with mass."""
