"""Draw figures (as SVG) and format tables of the data in a record."""
