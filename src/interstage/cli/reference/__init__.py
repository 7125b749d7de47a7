"""Descriptions of keys, kinds and quantities, for docs/reference.md and `interstage explain`."""
