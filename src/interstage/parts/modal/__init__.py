"""Model of flexible bodies with modes from a table, for example from a finite-element model."""
