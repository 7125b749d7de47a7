"""Flexible beams: geometrically exact two-node elements between segments that have the mass."""
