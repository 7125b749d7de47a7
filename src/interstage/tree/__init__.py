"""Scenarios as trees of declarations: units, names, errors, reading and writing of files."""
