"""Figures as lines of SVG, and tables, of what a record holds."""
