"""Ideal velocity and velocity losses of bodies with engines."""
