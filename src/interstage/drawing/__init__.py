"""Figures as SVG, and tables, of the contents of a record."""
