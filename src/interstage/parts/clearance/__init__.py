"""Distances between bodies, computed from their shapes."""
