"""Linear equations of motion about an operating point."""
