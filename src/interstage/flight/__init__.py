"""Flying: compiled programs, starts, samples, batches, derivatives."""
