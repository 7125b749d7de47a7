"""python -m benchmarks [single] [batch] [gpu] [start]"""

from .run import main

main()
