"""python -m benchmarks [single] [batch] [gpu] [formulations] [rocket] [chains] [boosters] [start-up]"""

from .run import main

main()
