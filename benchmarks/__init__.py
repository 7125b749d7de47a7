"""Speed compared with peers: one case with Interstage, MuJoCo and a Numba loop in one process."""
