"""Exact derivatives of a flight with respect to the numbers of its scenario."""
