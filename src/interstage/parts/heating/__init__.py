"""Heating of a nose by the air."""
