"""What can be wrong with a scenario as a whole, found before it is flown."""
