"""Create reports of a flight: figures, tables, and the HTML page."""
