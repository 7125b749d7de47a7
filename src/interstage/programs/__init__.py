"""Compiled programs that simulate a scenario, and the store that keeps them on disk."""
