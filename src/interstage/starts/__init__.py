"""Compute the initial state of a run: placed bodies, orbits, saved flights, and consistency with the
joints.
"""
