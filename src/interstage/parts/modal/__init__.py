"""Bodies that bend by modes from a table, as finite elements give them."""
