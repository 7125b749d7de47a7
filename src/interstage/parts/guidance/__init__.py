"""Guidance: laws that state which attitude a body should have."""
