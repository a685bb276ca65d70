# Use the first Python that runs: `python3.11` on the path may be a stub without an interpreter.
PYTHON ?= $(shell python3.11 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo python3.11 || echo python3)

BIN := .venv/bin
VENV := .venv/.stamp
DATASETTE := .venv-datasette/.stamp
PEERS := .venv-peers/.stamp
BROWSER := .venv-browser/.stamp
BARE := .venv-bare/.stamp
HF := .venv-hf/.stamp
SERVERS := .venv-servers/.stamp
SITE := .venv-docs/.stamp
BUILD := .venv-wheels/.stamp

# Documents with generated parts.
COGGED := docs/data.md \
	$(addprefix docs/explanation/,architecture.md auditing.md generating.md) \
	$(addprefix docs/reference/,chat.md cli.md exporting.md importing.md logs.md metrics.md notation.md \
		perturbations.md scoring.md)

# Without its advertisement. Nothing is fetched while the site is built.
MKDOCS := NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs

# Quieter than -q, which still prints every warning about the user's pip configuration.
PIP_INSTALL := -m pip install -qq --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo test test-long test-wheels check fix docs docs-site gallery notebooks wheels bench fuzz clean \
	check-format check-lint check-types check-imports check-spelling check-docs check-site \
	check-length

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

demo: $(VENV) ## see horsesense at work
	@PATH="$(CURDIR)/$(BIN):$$PATH" HORSESENSE_CACHE="$(CURDIR)/.cache/horsesense" demo/run

test: $(VENV) $(DATASETTE) $(PEERS) $(BROWSER) $(BARE) $(HF) $(SERVERS) ## run the tests, with coverage
	@# exec replaces the shell, so that stopping make stops the tests.
	exec env HORSESENSE_DATASETTE="$(CURDIR)/.venv-datasette/bin/datasette" \
		HORSESENSE_PEERS="$$(ls "$(CURDIR)/.venv-peers/bin/python" 2>/dev/null)" \
		HORSESENSE_BROWSER="$$(ls "$(CURDIR)/.venv-browser/bin/python" 2>/dev/null)" \
		HORSESENSE_BARE="$(CURDIR)/.venv-bare/bin/python" \
		HORSESENSE_SERVERS="$$(ls "$(CURDIR)/.venv-servers/bin/python" 2>/dev/null)" \
		HORSESENSE_HF="$$(ls "$(CURDIR)/.venv-hf/bin/python" 2>/dev/null)" \
		HORSESENSE_CACHE="$(CURDIR)/.cache/horsesense" \
		$(BIN)/python tests/run.py
	@echo "the pure packages, in which tests must cover every branch:"
	$(BIN)/coverage report --fail-under=100

test-long: $(VENV) ## run the tests with many random draws or model queries
	HORSESENSE_CACHE="$(CURDIR)/.cache/horsesense" $(BIN)/python -m pytest -m long tests

check: ## run all checks except the tests
check: check-format check-lint check-types check-imports check-spelling check-docs check-site \
	check-length

check-format: $(VENV)
	$(BIN)/ruff format --check

check-lint: $(VENV)
	$(BIN)/ruff check

check-types: $(VENV)
	$(BIN)/mypy

check-imports: $(VENV)
	$(BIN)/lint-imports --no-logo

check-spelling: $(VENV)
	$(BIN)/codespell

check-docs: $(VENV)
	$(BIN)/python docs/sessions.py --check
	$(BIN)/cog --check $(COGGED)

# Takes seconds. A broken link or anchor is an error.
check-site: $(SITE)
	$(MKDOCS) build --strict --site-dir .cache/site

check-length:
	@find . -name '*.py' -not -path './.*' -exec awk \
		'FNR == 601 { print FILENAME ": more than 600 lines"; long = 1 } END { exit long }' {} +

fix: $(VENV) ## format the code and fix what can be fixed automatically
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

docs: $(VENV) ## update the generated parts of the documentation
	$(BIN)/cog -r $(COGGED)
	$(BIN)/python docs/sessions.py --write
	$(BIN)/python examples/notebooks.py

docs-site: $(SITE) ## build the documentation site in site/
	$(MKDOCS) build --strict
	@echo "open site/index.html; to search it, too: python3 -m http.server -d site"

gallery: $(VENV) $(BROWSER) ## renew the pictures of report pages in docs/images/gallery/
	HORSESENSE_CACHE="$(CURDIR)/.cache/horsesense" PATH="$(CURDIR)/$(BIN):$$PATH" \
		$(BIN)/python docs/gallery.py --browser .venv-browser/bin/python

notebooks: $(VENV) ## execute the notebooks in examples/, and write their outputs
	HORSESENSE_CACHE="$(CURDIR)/.cache/horsesense" $(BIN)/python examples/notebooks.py --execute

wheels: $(BUILD) ## build the source distribution and the wheel in dist/
	rm -rf dist
	.venv-wheels/bin/python -m build

test-wheels: wheels $(VENV) ## install the wheel with each extra on every Python; ONLY=3.12 on that
	HORSESENSE_WHEEL="$$(ls "$(CURDIR)"/dist/*.whl)" \
		$(BIN)/python -m pytest -v -rs tests/installs/test_wheels.py $(if $(ONLY),-k "$(ONLY)-")

bench: $(VENV) $(PEERS) $(BROWSER) $(SERVERS) ## measure the speed; DATA=folder with published files
	$(BIN)/python bench/schemas.py
	$(BIN)/python bench/generation.py
	$(BIN)/python -m bench.resamples
	$(BIN)/python -m bench.interval_coverage
	HORSESENSE_CACHE="$(CURDIR)/.cache/horsesense" $(BIN)/python bench/protocol.py \
		--browser .venv-browser/bin/python
	@if [ -n "$(DATA)" ]; then $(BIN)/python bench/imports.py "$(DATA)" \
		&& $(BIN)/python bench/perturbations.py "$(DATA)" \
		&& $(BIN)/python bench/proposals.py "$(DATA)" \
		&& HORSESENSE_CACHE="$(CURDIR)/.cache/horsesense" $(BIN)/python bench/own_data.py "$(DATA)" \
		&& HORSESENSE_CACHE="$(CURDIR)/.cache/horsesense" \
			$(BIN)/python -m bench.scoring "$(DATA)" --peers .venv-peers/bin/python \
		&& HORSESENSE_CACHE="$(CURDIR)/.cache/horsesense" $(BIN)/python -m bench.serving "$(DATA)" \
		&& HORSESENSE_CACHE="$(CURDIR)/.cache/horsesense" \
			HORSESENSE_SERVERS="$(CURDIR)/.venv-servers/bin/python" \
			$(BIN)/python -m bench.llama_cpp "$(DATA)"; fi

fuzz: $(VENV) ## feed corrupted files to the program; KIND=… SEED=… SECONDS=…
	$(BIN)/python -m fuzz $(KIND) --seed $(or $(SEED),0) --seconds $(or $(SECONDS),60)

clean: ## remove everything that make created
	rm -rf .venv .venv-bare .venv-browser .venv-datasette .venv-docs .venv-hf .venv-peers \
		.venv-servers .venv-wheels .cache .coverage .coverage.* .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache build dist site
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

# A stamp is written last and deleted with its environment, so an interrupted set-up starts over.
$(VENV): requirements.lock pyproject.toml
	@$(python_is_recent)
	@echo "setting up .venv (once, about two minutes) …"
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@$(BIN)/python $(PIP_INSTALL) torch==2.13.0
	@$(BIN)/python $(PIP_INSTALL) -r requirements.lock
	@$(BIN)/python $(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

$(DATASETTE): tests/datasette.lock
	@$(python_is_recent)
	@echo "setting up .venv-datasette (once, about ten seconds) …"
	@rm -rf .venv-datasette
	@$(PYTHON) -m venv .venv-datasette
	@.venv-datasette/bin/python $(PIP_INSTALL) -r tests/datasette.lock
	@touch $@

# Programs to compare with. They need disk space and a network; otherwise their tests are skipped.
$(PEERS): tests/peers.lock
	@$(python_is_recent)
	@echo "setting up .venv-peers (once, about two minutes) …"
	@rm -rf .venv-peers
	@$(PYTHON) -m venv .venv-peers
	@.venv-peers/bin/python $(PIP_INSTALL) torch==2.13.0 \
		&& .venv-peers/bin/python $(PIP_INSTALL) -r tests/peers.lock \
		|| { rm -f .venv-peers/bin/python; \
			echo "lm-evaluation-harness and minicons could not be installed;" \
				"their tests are skipped" >&2; }
	@touch $@

# Opens the page in a browser; without it, these tests are skipped.
$(BROWSER): tests/browser.lock
	@$(python_is_recent)
	@echo "setting up .venv-browser (once, about ten seconds) …"
	@rm -rf .venv-browser
	@$(PYTHON) -m venv .venv-browser
	@.venv-browser/bin/python $(PIP_INSTALL) -r tests/browser.lock \
		|| { rm -f .venv-browser/bin/python; \
			echo "playwright could not be installed; tests of the page in a browser are skipped" >&2; }
	@touch $@

# A server that is not ours; without it, tests of models behind it are skipped.
$(SERVERS): tests/servers.lock
	@$(python_is_recent)
	@echo "setting up .venv-servers (once, about ten seconds) …"
	@rm -rf .venv-servers
	@$(PYTHON) -m venv .venv-servers
	@.venv-servers/bin/python $(PIP_INSTALL) -r tests/servers.lock \
		|| { rm -f .venv-servers/bin/python; \
			echo "llama.cpp's server could not be installed; its tests are skipped" >&2; }
	@touch $@

# What builds the documentation site.
$(SITE): docs/site.lock
	@$(python_is_recent)
	@echo "setting up .venv-docs (once, about twenty seconds) …"
	@rm -rf .venv-docs
	@$(PYTHON) -m venv .venv-docs
	@.venv-docs/bin/python $(PIP_INSTALL) -r docs/site.lock
	@touch $@

# What builds the wheel, with the version of hatchling that the tests use.
$(BUILD): requirements.lock
	@$(python_is_recent)
	@rm -rf .venv-wheels
	@$(PYTHON) -m venv .venv-wheels
	@.venv-wheels/bin/python $(PIP_INSTALL) -c requirements.lock build
	@touch $@

# The program installed without extras. It is editable, so that the tests use the current source.
$(BARE): requirements.lock pyproject.toml
	@$(python_is_recent)
	@echo "setting up .venv-bare (once, about ten seconds) …"
	@rm -rf .venv-bare
	@$(PYTHON) -m venv .venv-bare
	@.venv-bare/bin/python $(PIP_INSTALL) -c requirements.lock -e .
	@touch $@

# The same with language models only. It needs disk space; otherwise its tests are skipped.
$(HF): requirements.lock pyproject.toml
	@$(python_is_recent)
	@echo "setting up .venv-hf (once, about a minute) …"
	@rm -rf .venv-hf
	@$(PYTHON) -m venv .venv-hf
	@.venv-hf/bin/python $(PIP_INSTALL) torch==2.13.0 \
		&& .venv-hf/bin/python $(PIP_INSTALL) -c requirements.lock -e '.[hf]' \
		|| { rm -f .venv-hf/bin/python; \
			echo "an install with language models only failed; its tests are skipped" >&2; }
	@touch $@

define python_is_recent
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	echo "horsesense needs Python 3.11 or newer; '$(PYTHON)' is" \
		"$$($(PYTHON) --version 2>/dev/null || echo 'not there');" \
		"try make PYTHON=/path/to/python3.11" >&2; exit 1; }
endef
