"""Distances of bodies by their shapes."""
