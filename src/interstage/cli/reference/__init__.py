"""Descriptions of keys, kinds and quantities, for the pages in docs/reference and `interstage explain`."""
