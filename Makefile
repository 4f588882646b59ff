# Two commands do everything on a machine with Python 3.11 or later:
#
#   make compare   a first comparison: installs into .venv, runs a solver of each kind, says who won,
#                  draws a picture
#   make test      the tests
#
# For those who work on Concord: make test-unit (what may differ between versions of Python), make
# test-once (what is long and the same on every
# Python: the documents' examples, studies, whole public sets, Dask clusters), make test-skipped (the
# tests that the last run skipped, after what they need was installed), make check (lint, types, import
# contract), make site (the documentation as web pages, into build/site), make reference, make report
# (tables, plots, report and gallery again from the committed runs), and make sets (the generated puzzle
# sets again, bit for bit: some minutes).
# PYTHON=... chooses the interpreter (the oldest supported one that is found), VENV=... the folder.

PYTHON ?= $(shell sh .ci/pythons | head -n 1)
VENV ?= .venv
BIN = $(VENV)/bin
PYTEST ?= -n 3 --dist worksteal

.PHONY: compare test test-unit test-once test-skipped check lint types contract site reference report sets clean

compare: $(VENV)/installed
	$(BIN)/concord compare --plot

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(PYTEST) -m "not once"

test-unit: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(PYTEST) -m "not (once or solvers or system)"

test-once: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(PYTEST) -m once

test-skipped: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(PYTEST) --skipped-before

check: lint types contract

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python .ci/plain_words.py

types: $(VENV)/installed-dev
	$(BIN)/mypy

contract: $(VENV)/installed-dev
	$(BIN)/lint-imports

# The documentation site; tests/docs/test_site.py builds it too, and looks at its pages.
site: $(VENV)/installed-dev
	$(BIN)/python -m sphinx -W --keep-going -q -j auto -c docs/site . build/site
	@echo "The documentation is in build/site/index.html"

# The committed reference run of the quickstart, made again.
reference: $(VENV)/installed-dev
	$(BIN)/python -m results.studies.reference quickstart --repeat 5

# What the committed runs show, made again: tables, plots, the report, the gallery.
report: $(VENV)/installed-dev
	$(BIN)/python -m results.studies.report

# The generated sets that ship, made again.
sets: $(VENV)/installed-dev
	$(BIN)/python -m results.studies.puzzles.set_making

$(VENV)/installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "Concord needs Python 3.11 or later: none found on PATH" >&2; exit 1; }
	@echo "Installing into $(VENV); this takes a minute or two."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[report]'
	@$(MAKE) --no-print-directory compiled pycosat
	@touch $@

# Python compiles what a test imports; compiling all of every package takes twenty seconds more.
$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev,all]'
	@touch $@

# numba has wheels for most machines; it is not built where there is none.
.PHONY: compiled
compiled:
	@if $(BIN)/python -m pip install --quiet --only-binary numba,llvmlite --editable '.[compiled]' >$(VENV)/compiled.log 2>&1; \
	then echo "compiled: installed"; \
	else echo "compiled: not installed (numba has no wheel here; see $(VENV)/compiled.log); it is left out"; fi

# pycosat has no wheels: it is built where there is a C compiler, and done without elsewhere.
.PHONY: pycosat
pycosat:
	@if command -v cc >/dev/null 2>&1 && $(BIN)/python -m pip install --quiet pycosat >$(VENV)/pycosat.log 2>&1; \
	then echo "pycosat: built"; \
	else echo "pycosat: not built (it needs a C compiler; see $(VENV)/pycosat.log); sat:...,pycosat is left out"; fi

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
