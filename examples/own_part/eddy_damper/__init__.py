"""Eddy-current dampers: a part of Interstage in a package of its own."""
