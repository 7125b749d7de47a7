"""What people look at after a flight: figures as plain data, their drawing, and the page that has them."""
