"""Flexible bodies by modes from a table, as finite elements give them."""
