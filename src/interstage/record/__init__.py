"""What a flight was: the record, its file, and what is computed from it alone."""
