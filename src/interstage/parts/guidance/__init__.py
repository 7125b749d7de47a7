"""Guidance: laws that say which attitude a body should have."""
