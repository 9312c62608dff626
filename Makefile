# One command each. Start here: make generate, make test.
PYTHON ?= python3
BIN := .venv/bin
.DEFAULT_GOAL := generate
.PHONY: generate check demo dev test test-all lint types bench fuzz wheel docs site clean ci

generate: .venv/run.stamp  ## specs/ -> out/
	$(BIN)/brimgen generate

check: .venv/run.stamp  ## is out/ what specs/ say? (exit 3 if not; writes nothing)
	$(BIN)/brimgen check

demo: .venv/demo.stamp  ## the shop as an MCP server over stdio, on a made SQLite database
	@$(BIN)/python docs/demo/serve.py

dev: .venv/dev.stamp  ## what `make test` uses, in .venv: pytest and the linters

test: .venv/dev.stamp  ## every promise at small size, in minutes
	$(BIN)/pytest -n 2 --dist worksteal

test-all: .venv/dev.stamp  ## what `make test` leaves out: servers, type checkers, clients, whole corpora
	$(BIN)/pytest -n 2 --dist worksteal -m 'whole and not fuzz'

lint: .venv/dev.stamp  ## ruff and black, on our code and on the generated code
	$(BIN)/ruff check generator runtime tests benchmarks && $(BIN)/ruff check --isolated out/python && $(BIN)/black --quiet --check --diff generator runtime tests benchmarks

types: .venv/dev.stamp  ## mypy --strict and strict pyright on the package and on what it generates
	$(BIN)/mypy && $(BIN)/mypy --strict --config-file= out/python && $(BIN)/pyright

bench: .venv/bench.stamp  ## all figures in one run: docs/internal/performance.md, docs/compare.md
	$(BIN)/python benchmarks/bench.py

fuzz: .venv/dev.stamp  ## the long runs: properties with thousands of examples, faults, every engine
	$(BIN)/pytest -n 2 --dist worksteal -m 'fuzz or property' --hypothesis-profile=fuzz -o faulthandler_timeout=0

wheel: .venv/dev.stamp  ## dist/*.whl and dist/*.tar.gz, of brimgen and of its runtime
	$(BIN)/python -m build --no-isolation --outdir dist runtime && $(BIN)/python -m build --no-isolation --outdir dist

docs: .venv/run.stamp  ## docs/schemas/ and the tables of docs/spec-language.md, made from the code
	$(BIN)/brimgen explain --schema specs > docs/schemas/spec.schema.json && $(BIN)/brimgen explain --schema diagnostics > docs/schemas/diagnostics.schema.json && $(BIN)/brimgen explain --schema view > docs/schemas/view.schema.json && $(BIN)/python docs/demo/keys.py

site: .venv/site.stamp  ## build/site/html: these pages, searchable, and the catalogue of the shop
	$(BIN)/python docs/demo/site.py

clean:  ## everything that can be made again
	rm -rf .venv .debian dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis

ci:  ## what a submission must pass
	bash .ci/run

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/build.stamp: .venv/bin/python requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock hatchling && touch $@

.venv/run.stamp: .venv/build.stamp pyproject.toml runtime/pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -c requirements.lock -e runtime -e . && touch $@

.venv/demo.stamp: .venv/run.stamp
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock mcp >&2 && touch $@

.venv/site.stamp: .venv/run.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -c requirements.lock -e runtime -e '.[site]' && touch $@

.venv/dev.stamp: .venv/run.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -c requirements.lock -e runtime -e '.[dev]' && touch $@

.venv/bench.stamp: .venv/dev.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -c requirements.lock -e runtime -e '.[bench]' && touch $@
