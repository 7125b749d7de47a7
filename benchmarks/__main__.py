"""python -m benchmarks [single] [batch] [gpu] [formulations] [rocket] [point] [chains] [boosters] ..."""

from .run import main

main()
