"""Commands for studies."""

# Each import adds a command; their order is the order of the help.
from . import compare, sweep, campaign, solve, linearize, optimize, trim, symbols, export  # noqa: F401, I001
