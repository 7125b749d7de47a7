"""Distances between bodies, from their shapes."""
