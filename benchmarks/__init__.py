"""Speed beside peers: one case flown by Interstage, MuJoCo and a hand-written Numba loop in one process."""
