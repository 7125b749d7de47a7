"""Standing fuzz: odd and damaged input for the command line, with fixed seeds.

`make fuzz` runs all of it in minutes; tests/project/test_fuzz.py runs the first cases of each module.
One module: `make fuzz ONLY=netcdf`. More cases, another seed: `make fuzz ARGS="--cases 5000 --seed 7"`.

How to add a module
-------------------
Each module of this package that defines `cases` is found by itself, in alphabetical order (`meshes.py`,
`netcdf.py`, ...):

    def cases(rng: numpy.random.Generator, folder: pathlib.Path) -> Iterator[tuple[str, Command]]:

- It yields pairs (name, command), endlessly if it likes: the runner takes as many as it needs. The most
  important kinds come first, because the normal tests take only the first `QUICK` cases.
- `name` is unique within the module and describes the fault: "attribute bodies: 3 bytes changed".
- `command` is a list of arguments of `interstage`, such as `["check", str(path)]`, or a path: a `.toml` is
  checked (`interstage check`), a `.nc` is reported (`interstage report`).
- `folder` is an empty folder of this module, for its files. The files of one case must not change until the
  next case is asked for; then they may be overwritten.
- `rng` is the only source of randomness.
- Optional: `CASES = 300`, the number of cases of `make fuzz`; `QUICK = 12`, the number of cases of the normal
  tests; `LIMIT = 20.0`, the time limit of one case [s].

What counts as a fault: a traceback, an end by a signal, an exit code that is not documented (0 to 4), exit
code 2 without a message, a warning of Python on the standard error, or a case that takes longer than the
limit. Each case runs in a process of its own, with a limit on memory.
"""
