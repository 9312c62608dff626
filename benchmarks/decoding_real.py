"""How much CPU real tools take to decode, beside the pydantic models of their schemas.

    python benchmarks/decoding_real.py [--tools 100] [--rounds 5]

The tools and calls are those of BFCL (`BRIMGEN_CORPORA`): functions that others describe, and
argument sets for them, right and wrong. Our package is made by the real generator; the peer's
dataclasses by datamodel-code-generator from the schemas that we publish, strict and with what they
say of other keys. Only calls on whose verdict both agree are timed.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from decoding import OURS, PYDANTIC, measure, refused
from figures import show, verdict
from pydantic import TypeAdapter

from brimgen import api
from brimgen.diagnostics import Diagnostics
from brimgen.settings.load import Flags, load_settings

GOALS = {"valid, median": 0.6, "valid, worst": 1.2, "refused, median": 0.8}


def _lines(name: str) -> Iterator[dict[str, Any]]:
    path = Path(os.environ["BRIMGEN_CORPORA"]) / f"bfcl/{name}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def calls(most: int) -> dict[str, tuple[dict[str, Any], list[Any]]]:
    """The schema and the calls of so many functions, by the id of the function."""
    given: dict[str, list[Any]] = {}
    for each in _lines("instances"):
        given.setdefault(each["id"], []).append(each["data"])
    schemas = {each["id"]: each["schema"] for each in _lines("items")}
    chosen = [each for each in schemas if len(given.get(each, ())) > 1][:most]
    return {each: (schemas[each], given[each]) for each in chosen}


def make(folder: Path, most: int) -> dict[str, list[Any]]:
    """Generate both packages below a folder; return the calls by the name of the tool."""
    specs = folder / "specs"
    specs.mkdir()
    found: dict[str, list[Any]] = {}
    for number, (schema, given) in enumerate(calls(most).values()):
        name = f"tool_{number}"
        (specs / f"{name}.yaml").write_text(
            f"type: python_function\nname: {name}\ndescription: A real tool.\n"
            f"arguments: {json.dumps(schema)}\n"
        )
        found[name] = given
    (folder / "brimgen.yaml").write_text("package: made\n")
    flags = Flags(specs=specs, out=folder / "out", config=folder / "brimgen.yaml")
    told = api.build(load_settings(flags, Diagnostics())).diagnostics
    for name in {each.span.file for each in told if each.rule.severity.name == "ERROR"}:
        (folder / name).unlink()
        del found[Path(name).stem]
    schemas = folder / "schemas"
    schemas.mkdir()
    _run(folder, "brimgen", "generate")
    for name in found:
        path = folder / f"out/python/made/schemas/tools/{name}.input.json"
        (schemas / f"{name}.json").write_text(path.read_text())
    _run(
        folder,
        *("datamodel_code_generator", "--input", str(schemas), "--output", "peer"),
        *("--input-file-type", "jsonschema", "--formatters", "builtin"),
        *("--output-model-type", "pydantic_v2.dataclass", "--use-annotated"),
        *("--strict-types", "str", "int", "float", "bool"),
    )
    sys.path[:0] = [str(folder), str(folder / "out/python")]
    return found


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def _each(run: Callable[[Any], object], given: list[Any]) -> Callable[[], None]:
    def once() -> None:
        for call in given:
            try:
                run(call)
            except Exception:
                continue

    return once


def ratios(found: dict[str, list[Any]], rounds: int) -> dict[str, list[float]]:
    """Ours as a multiple of pydantic for every tool, of valid and of refused calls."""
    tools = importlib.import_module("made").TOOLS
    taken: dict[str, list[float]] = {"valid": [], "refused": []}
    for name, given in found.items():
        module = importlib.import_module(f"peer.{name}")
        model = next(
            each
            for each in reversed([*vars(module).values()])
            if isinstance(each, type) and each.__module__ == module.__name__
        )
        runs = {
            OURS: tools[name].input_type.from_dict,
            PYDANTIC: TypeAdapter(model).validate_python,
        }
        for kind, wrong in ("valid", False), ("refused", True):
            same = [
                call
                for call in given
                if all(bool(refused(run, call)) is wrong for run in runs.values())
            ]
            if same:
                works = {each: _each(run, same) for each, run in runs.items()}
                times = measure(works, rounds)
                taken[kind].append(times[OURS] / times[PYDANTIC])
    return taken


def main() -> None:
    """Show the median and the worst."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tools", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        taken = ratios(make(Path(folder), options.tools), options.rounds)
    rows: list[list[str]] = []
    for kind, figures in taken.items():
        for what, figure in (
            ("median", statistics.median(figures)),
            ("worst", max(figures)),
        ):
            said = verdict(figure, GOALS.get(f"{kind}, {what}"))
            row = f"{kind}, {what} of {len(figures)} tools"
            rows.append([row, said, f"{figure:.2f}"])
    show("decoding_real", ["CPU of a call, of `pydantic`", "promise", OURS], rows)


if __name__ == "__main__":
    main()
