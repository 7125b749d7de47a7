"""What a flight was: the record, its file, and what is worked out from it alone."""
