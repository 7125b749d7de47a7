# Everything runs in .venv, made here from Python 3.11 or later with the versions in constraints.txt.
# Another interpreter: make PYTHON=python3.12 ...

PYTHON ?= python3
BIN := .venv/bin
# Tests run in this many processes, a file in each, the longest first (see tests/conftest.py).
TEST_PROCESSES ?= 2
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
EDITABLE := $(PIP_INSTALL) --no-build-isolation --editable
SOURCES := pyproject.toml constraints.txt

.PHONY: demo test test-long check bench golden verify fuzz docs release clean
.DEFAULT_GOAL := demo

demo: .venv/.have-run
	@mkdir -p flights
	$(BIN)/interstage run examples/payload_separation.toml \
		-o flights/payload_separation.nc --report flights/payload_separation.html

PYTEST := $(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder

test: .venv/.have-test
	$(PYTEST) $(PYTEST_ARGS)

# Slow variants, which `make test` leaves out
test-long: .venv/.have-test
	$(PYTEST) -m long $(PYTEST_ARGS)

check: .venv/.have-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tests/words.py

# make bench ONLY=start-up, or several parts in quotes; make bench ARGS='--minutes 60'
bench: .venv/.have-bench
	$(BIN)/python -m benchmarks $(ARGS) $(ONLY)

# Every series and event of the examples and some cases beside those of another checkout: make golden BEFORE=path
golden: .venv/.have-run
	@test -n "$(BEFORE)" || { echo "name the checkout to compare with: make golden BEFORE=path" >&2; exit 2; }
	$(BIN)/python tests/golden.py $(ARGS) $(BEFORE) $(ONLY)

verify: .venv/.have-verify
	$(BIN)/interstage verify

# Odd and damaged input, in minutes: make fuzz ONLY=netcdf, make fuzz ARGS="--cases 5000 --seed 7"; see tests/fuzz
fuzz: .venv/.have-test
	PYTHONPATH=tests $(BIN)/python -m fuzz $(ARGS) $(ONLY)

# The documentation in build/docs/html: open build/docs/html/index.html. Warnings and broken links are errors.
# All pages are built, so that all links are checked; flights of pages are kept in build/docs/flights.
docs: .venv/.have-docs
	$(BIN)/python -m sphinx --builder html --conf-dir docs --doctree-dir build/docs/trees \
		--fresh-env --write-all --fail-on-warning --quiet --jobs auto $(ARGS) . build/docs/html

# make release VERSION=0.2.0 writes the changelog and the version; both forms build and check the packages
release: .venv/.have-build
	$(BIN)/python packaging/release.py $(VERSION)

clean:
	rm -rf .cache build dist flights

# The environment. Each stamp stands for one set of extras.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; ok = sys.version_info[:2] >= (3, 11); \
	sys.exit(None if ok else "Interstage needs Python 3.11 or later, this is " + sys.version.split()[0] + \
	"; name another one: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv

.venv/.have-build: .venv/bin/python $(SOURCES)
	$(PIP_INSTALL) hatchling editables
	@touch $@

.venv/.have-run: .venv/.have-build
	$(EDITABLE) '.[clearance,pictures]'
	@touch $@

.venv/.have-verify: .venv/.have-build
	$(EDITABLE) '.[clearance,pictures,optimize]'
	@touch $@ .venv/.have-run

.venv/.have-test: .venv/.have-build
	$(EDITABLE) '.[test]'
	@touch $@ .venv/.have-verify .venv/.have-run

.venv/.have-dev: .venv/.have-build
	$(EDITABLE) '.[dev]'
	@touch $@ .venv/.have-test .venv/.have-verify .venv/.have-run

.venv/.have-bench: .venv/.have-build
	$(EDITABLE) '.[bench,optima,clearance,pictures]'
	@touch $@ .venv/.have-run

.venv/.have-docs: .venv/.have-build
	$(EDITABLE) '.[docs,clearance,pictures]'
	@touch $@ .venv/.have-run
