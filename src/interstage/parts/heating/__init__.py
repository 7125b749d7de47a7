"""Heating of a nose by the atmosphere."""
