"""Reports of a flight: figures as plain data, their drawing, and the HTML page."""
