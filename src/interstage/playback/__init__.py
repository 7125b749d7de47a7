"""Create the playback of a flight from its record: one HTML page with an interactive viewer."""
