"""python -m benchmarks [single] [batch] [gpu] [start] [chains] [formulations] [rocket]"""

from .run import main

main()
