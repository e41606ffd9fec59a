# On a machine with Python, make and git, every target sets up what it needs by itself, in .venv.
# Options for the command behind a target go into ARGS: make terminal ARGS="blackstone --players 4"
PY := .venv/bin/python
PIP := $(PY) -m pip -qq --disable-pip-version-check --no-input install
LOCKED := $(PIP) --require-hashes --only-binary :all: --no-compile -r
PYTEST := $(PY) -m pytest -n 3 --dist worksteal
# A command to play, and afterwards (after Ctrl-C, too) the line that makes `hexdeck` a command in this shell. What went
# wrong a person has read in a sentence: make adds its own only for scripts.
RUN := trap : INT; .venv/bin/hexdeck
THEN = ; status=$$?; [ $$status = 2 ] || command -v hexdeck >/dev/null || echo "To type hexdeck commands in this shell: source .venv/bin/activate"; [ -t 2 ] || exit $$status
UV_COMPILE := .venv/bin/uv pip compile pyproject.toml --upgrade --universal --python-version 3.11 \
	--generate-hashes --no-header --quiet

export PYTHONDONTWRITEBYTECODE = # without kept bytecode every process starts seconds later

.PHONY: help play terminal test test-changed test-all check fix docs bench mutants browser gallery strips golden lock wheel dist pictures
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

help: ## show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

.DEFAULT:
	$(error There is no target $@; make help lists those that there are)

play: .venv/play ## play in the browser, with bots and others: make play ARGS=--lan
	@$(RUN) serve $(ARGS)$(THEN)

terminal: .venv/play ## play at the terminal: make terminal ARGS="blackstone --players 4"
	@$(RUN) play $(ARGS)$(THEN)

test: .venv/test browser ## run the tests: about four minutes, six the first time
	@$(PY) -m tests.compiled
	@$(PYTEST) $(ARGS)

test-changed: .venv/test browser ## run the tests that the last edits can have broken: about a minute
	@$(PY) tools/changed_tests.py $(ARGS)

test-all: .venv/test .venv/docs .venv/torchrl browser ## run all tests, with all combinations of settings: about forty minutes
	@$(PY) -m tests.compiled
	@$(PYTEST) --everything $(ARGS)

check: .venv/test ## format, lint, types, layers, catalogues and documentation
	@$(PY) -m ruff format --check --quiet --output-format concise . || { echo "make fix repairs these." >&2; exit 1; }
	@$(PY) -m ruff check --quiet --output-format concise .
	@$(PY) -m mypy --no-error-summary
	@told=$$(.venv/bin/lint-imports --no-logo) || { echo "$$told" >&2; exit 1; }
	@$(PY) tools/catalogues.py --check
	@$(PY) tools/sprite.py --check
	@$(PY) tools/layers.py --check
	@$(PY) -m pytest -q tests/docs

fix: .venv/test ## repair format, lint and catalogues where a machine can
	@$(PY) -m ruff check --fix --quiet --output-format concise . || true
	@$(PY) -m ruff format --quiet .
	@$(PY) tools/catalogues.py
	@$(PY) tools/sprite.py
	@$(PY) tools/layers.py
	@$(PY) tools/docs_pages.py

docs: .venv/test .venv/docs ## build the documentation site into docs/_build: open docs/_build/index.html
	@$(PY) -m sphinx -W --keep-going -n -q -b html docs docs/_build $(ARGS)
	@$(PY) tools/samples.py docs/_build/samples

bench: .venv/bench ## measure the speed, beside peers'
	@$(PY) tools/speed.py --peer $(ARGS)

mutants: .venv/test ## break each rule on purpose; the tests must notice
	@$(PY) tools/mutants.py $(ARGS)

browser: .venv/test
	@$(PY) tools/browser.py

gallery: .venv/test browser ## pictures of every game in the browser, into build/gallery
	@HEXDECK_BACKEND=interpreted $(PY) tools/gallery.py build/gallery $(ARGS)

strips: .venv/test browser ## key moments of every game, as strips of pictures, into build/strips
	@HEXDECK_BACKEND=interpreted $(PY) tools/strips.py build/strips $(ARGS)

pictures: .venv/test browser ## the pictures of the README and of docs/, made from the program
	@$(PY) tools/pictures.py $(ARGS)

golden: .venv/test ## rewrite the golden playthroughs and screens; look at the difference
	@$(PY) tools/playthroughs.py
	@$(PY) -m tests.steps
	@UPDATE_GOLDEN=1 $(PYTEST) -q --everything tests/terminal tests/conformance/test_open_spiel.py -k "looks_as_it_did or golden_ones"

wheel: .venv/play ## build the wheel for this platform, machine code included, into dist/
	@rm -rf build/libraries
	@$(PY) -m hexdeck.engine.backends.build --package build/libraries
	@HEXDECK_LIBRARIES=build/libraries $(PY) -m hatchling build -t wheel

dist: wheel ## the wheel and the source archive, checked, in dist/
	@$(PY) -m hatchling build -t sdist
	@$(PY) -m twine check --strict dist/*

# The locks hold for every Python that Numba has wheels for: 3.11 to 3.15.
lock: .venv/play ## update every locked version to the newest
	@$(PIP) uv
	@$(UV_COMPILE) --group docs -o requirements-docs.lock
	@$(UV_COMPILE) --group dev -c requirements-docs.lock --extra build --extra web --extra push --extra terminal --extra postgres --extra lab --extra envs --extra print --extra mcp --extra onnx --extra ray -o requirements.lock
	@$(UV_COMPILE) --group build -c requirements.lock --extra build --extra web --extra terminal --extra print -o requirements-play.lock
	@$(UV_COMPILE) --group build -c requirements.lock --extra build --extra bench -o requirements-bench.lock
	@$(UV_COMPILE) --group build -c requirements.lock --extra build --extra web --extra push --extra postgres --extra print -o requirements-serve.lock

# Stamps: an empty file in .venv for each set of packages that is installed, no older than its lock.
.venv/bin/python:
	@tools/make_venv.sh

.venv/play: requirements-play.lock pyproject.toml | .venv/bin/python
	@echo "Installing what Hexdeck needs (once; about 60 MB) ..."
	@$(LOCKED) requirements-play.lock
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/test: requirements.lock .venv/play
	@echo "Installing what its tests need (once; about 230 MB) ..."
	@$(LOCKED) requirements.lock
	@touch $@

.venv/docs: requirements-docs.lock .venv/play
	@echo "Installing what builds the documentation (once; about 20 MB) ..."
	@$(LOCKED) requirements-docs.lock
	@touch $@

# A folder of its own, which one test looks into. Where pip finds no wheel of torch for the CPU alone, that test is skipped.
.venv/torchrl: | .venv/test
	@echo "Installing TorchRL, whose wrapper the environments are tested with (once; about 200 MB) ..."
	@$(PIP) --only-binary :all: --no-compile --target $@ "torch==2.13.0+cpu" torchrl 2>/dev/null || echo "It can't be installed here; going on without it."
	@mkdir -p $@

# OpenSpiel has wheels for Python 3.11 to 3.14 on Linux and macOS; without it, only the peers' lines are missing. RLCard,
# which PettingZoo's card games are made of, is given as source only.
.venv/bench: requirements-bench.lock .venv/play
	@echo "Installing OpenSpiel and PettingZoo's card games, to measure beside (once) ..."
	@$(LOCKED) requirements-bench.lock --no-binary rlcard || echo "It can't be installed here; going on without it."
	@touch $@
