"""Read by each process that a test starts, as conftest.py puts this folder on its path."""

from hidden_parts import hide

hide()
