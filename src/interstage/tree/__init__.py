"""Scenarios as a tree of declarations: units, names, errors, and how they are read and written."""
