# Everything a fresh clone needs: Python 3.11+ and make. `make demo` and `make test` install first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8600
DEMO_FLAGS ?=
TEST_FLAGS ?=
STAMP := $(VENV)/.installed

.PHONY: help install demo test check bench lock clean
.DEFAULT_GOAL := help

help: ## Say what each target does
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

install: $(STAMP) ## Create .venv with the pinned packages and the pitclerk program

# The pins come first and without looking further, then the project itself, built with the pinned setuptools: an
# install today and one in a year are the same.
$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "pitclerk needs Python 3.11 or newer (make PYTHON=...)" or 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: install ## Serve a simulated floor of all eight games on PORT (8600), data in PITCLERK_HOME
	@exec $(BIN)/pitclerk demo --port $(PORT) $(DEMO_FLAGS)

test: install ## Run every test
	$(BIN)/python -m pytest $(TEST_FLAGS)

check: install ## Lint, format, types and the one direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: install ## Measure, each figure beside a baseline of the same run
	$(BIN)/python -m tests.bench

# Run after changing a dependency in pyproject.toml. The pins are what pip resolves in an empty environment.
lock: ## Resolve the dependencies anew and pin them in requirements.lock
	@set -e; fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; \
	$(PYTHON) -m venv "$$fresh/venv"; \
	"$$fresh/venv/bin/python" -m pip install --quiet --disable-pip-version-check '.[dev]' 'setuptools==80.9.0'; \
	{ echo '# Pinned by `make lock` from pyproject.toml: do not edit by hand.'; \
	  "$$fresh/venv/bin/python" -m pip freeze --all --exclude pip --exclude pitclerk; } > requirements.lock; \
	echo "requirements.lock: $$(grep -c == requirements.lock) pins"

clean: ## Remove what install and the tools made
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
