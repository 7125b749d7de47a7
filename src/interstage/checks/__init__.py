"""Checks of a complete scenario before its flight."""
