"""Flexible bodies with modes from a table, for example from finite elements."""
