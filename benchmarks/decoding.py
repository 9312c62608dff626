"""How much CPU a generated decoder takes, beside pydantic, msgspec, cattrs and validators.

    python benchmarks/decoding.py [--rounds 15]

The package is made by the real generator from the specs of `decoding_shapes`; what the peers are
made to do is told in `decoding_peers` and `decoding_validators`. Each figure is the CPU time of
many calls, the median of several rounds in which all contestants take turns, as a multiple of
pydantic's. "refused" is a call with one mistake until the error is there, "told" includes reading
every violation, "text" is the same call as JSON text (`from_call`, `validate_json`; peers that read
none are given what `json.loads` returns).
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

from decoding_peers import (
    Run,
    cattrs_run,
    msgspec_run,
    msgspec_text_run,
    pydantic_run,
    pydantic_text_run,
)
from decoding_shapes import ENTITIES, SHAPES, Shape
from decoding_validators import fastjsonschema_run, jsonschema_run, rust_run
from figures import show, verdict

OURS, PYDANTIC = "brimgen", "pydantic"
MAKERS = (PYDANTIC, OURS, "msgspec", "cattrs")
PACKAGE = "made"
GOALS = {
    "flat": (0.5, 0.9),
    "dates": (0.75, 1.2),
    "nested": (0.6, 1.0),
    "nested_open": (0.6, 1.0),
    "many": (0.7, 0.7),
}
"""What we promise of valid and of refused calls."""

_KEPT = 1000
"""Objects that are made to know the size of one."""
_SLICE = 0.01
"""Seconds that one contestant runs before the next one has its turn."""


def make_package(folder: Path, more: Mapping[str, str] | None = None) -> Path:
    """Generate the package of all shapes, and of ``more`` specs, below a folder; return what is to
    be on the path.
    """
    shapes = {shape.name: shape.spec for shape in SHAPES}
    return generated(folder, {"entities": ENTITIES, **shapes, **(more or {})})


def generated(folder: Path, specs: Mapping[str, str], settings: str = "") -> Path:
    """Generate the package of ``specs`` by their names; return what is to be on the path."""
    (folder / "specs").mkdir()
    for name, text in specs.items():
        (folder / f"specs/{name}.yaml").write_text(text)
    (folder / "brimgen.yaml").write_text(
        f"package: {PACKAGE}\ntargets: [default, service]\n{settings}"
    )
    made = subprocess.run(
        [sys.executable, "-m", "brimgen", "generate"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    return folder / "out/python"


def refused(run: Run, call: Any) -> Exception | None:
    """The exception that a run ends with."""
    try:
        run(call)
    except Exception as error:
        return error
    return None


def contestants(shape: Shape, tool: Any) -> dict[str, Run]:
    """Everybody who takes calls of a shape, by name."""
    schema = tool.input_schema
    return {
        PYDANTIC: pydantic_run(shape.name),
        OURS: tool.input_type.from_dict,
        "msgspec": msgspec_run(shape.name),
        "cattrs": cattrs_run(shape.name),
        "fastjsonschema": fastjsonschema_run(schema),
        "jsonschema-rs": rust_run(schema),
        "jsonschema": jsonschema_run(schema),
    }


def text_contestants(shape: Shape, runs: dict[str, Run], tool: Any) -> dict[str, Run]:
    """Everybody who takes calls of a shape as JSON text, by name."""
    own = {
        PYDANTIC: pydantic_text_run(shape.name),
        OURS: tool.input_type.from_call,
        "msgspec": msgspec_text_run(shape.name),
    }
    return {name: own.get(name) or _loaded(run) for name, run in runs.items()}


def _loaded(run: Run) -> Run:
    return lambda text: run(json.loads(text))


def _each(run: Run, calls: Sequence[Any]) -> Callable[[], None]:
    def once() -> None:
        for call in calls:
            try:
                run(call)
            except Exception:
                continue

    # The interpreter adapts a code object to what it calls: to each contestant its own.
    return FunctionType(once.__code__.replace(), globals(), closure=once.__closure__)


def _told(run: Run, calls: Sequence[Any], read: Callable[[Any], object]) -> Any:
    def once() -> None:
        for call in calls:
            try:
                run(call)
            except ValueError as error:
                read(error)

    return once


def _messages(error: Any) -> list[str]:
    return [violation.message for violation in error.violations]


def _seconds(work: Callable[[], None], times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def measure(works: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    """The median CPU time of each work, all of them taking turns."""
    times: dict[str, int] = {}
    for name, work in works.items():
        work()
        times[name] = max(1, round(_SLICE / max(_seconds(work, 3), 1e-7)))
    taken: dict[str, list[float]] = {name: [] for name in works}
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, work in works.items():
                taken[name].append(_seconds(work, times[name]))
    finally:
        gc.enable()
    return {name: statistics.median(each) for name, each in taken.items()}


def contest(shape: Shape, tool: Any, rounds: int) -> dict[str, dict[str, float]]:
    """The times of a shape, a row each: calls as dicts and as text, and violations told."""
    runs = contestants(shape, tool)
    told = {OURS: _messages, PYDANTIC: lambda error: error.errors()}
    found = _contest(shape, runs, shape.valid, shape.invalid, rounds)
    works = {
        name: _told(runs[name], shape.invalid, read) for name, read in told.items()
    }
    texts = text_contestants(shape, runs, tool)
    invalid = [json.dumps(each) for each in shape.invalid]
    as_text = _contest(shape, texts, json.dumps(shape.valid), invalid, rounds)
    found["refused, and told"] = measure(works, rounds)
    return found | {f"{kind}, text": times for kind, times in as_text.items()}


def _contest(
    shape: Shape, runs: dict[str, Run], valid: Any, invalid: Sequence[Any], rounds: int
) -> dict[str, dict[str, float]]:
    wrong = [name for name, run in runs.items() if refused(run, valid)]
    assert not wrong, f"{shape.name}: a right call is refused by {wrong}"
    missed = [each for each in invalid if not refused(runs[OURS], each)]
    assert not missed, f"{shape.name}: accepted {missed}"
    strict = {
        name: run
        for name, run in runs.items()
        if all(refused(run, each) for each in invalid)
    }
    return {
        "valid": measure(
            {name: _each(run, [valid]) for name, run in runs.items()}, rounds
        ),
        "refused": measure(
            {name: _each(run, invalid) for name, run in strict.items()}, rounds
        ),
    }


def kept_bytes(run: Run, call: Any) -> float:
    """The memory of what a call is decoded to, the values of the call itself aside."""
    run(call)
    gc.collect()
    tracemalloc.start()
    kept = [run(call) for _ in range(_KEPT)]
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (size - sys.getsizeof(kept)) / _KEPT


def memory(shape: Shape, tool: Any) -> dict[str, float]:
    """What each contestant that makes objects keeps of a right call."""
    runs = contestants(shape, tool)
    return {name: kept_bytes(runs[name], shape.valid) for name in MAKERS}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one row a shape and kind of call, a column a contestant."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--shapes", nargs="+", default=[each.name for each in SHAPES])
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, str(make_package(Path(folder))))
        tools = importlib.import_module(PACKAGE).TOOLS
        shapes = [each for each in SHAPES if each.name in options.shapes]
        found = [
            (shape, contest(shape, tools[shape.name], options.rounds))
            for shape in shapes
        ]
        sizes = [(shape, memory(shape, tools[shape.name])) for shape in shapes]
    report(found)
    report_memory(sizes)


def report(found: Sequence[tuple[Shape, dict[str, dict[str, float]]]]) -> None:
    """Each contestant as a multiple of pydantic; a dash where it does not refuse."""
    names = [name for name in found[0][1]["valid"] if name != PYDANTIC]
    rows: list[list[str]] = []
    for shape, kinds in found:
        promised = dict(zip(("valid", "refused"), GOALS[shape.name], strict=True))
        for kind, times in kinds.items():
            ratios = {name: time / times[PYDANTIC] for name, time in times.items()}
            cells = [f"{ratios[name]:.2f}" if name in ratios else "-" for name in names]
            said = verdict(ratios[OURS], promised.get(kind))
            rows.append([f"{shape.title}: {kind}", said, *cells])
    head = [f"CPU of a call, of `{PYDANTIC}`", "promise", *names]
    show("decoding", head, rows)


def report_memory(found: Sequence[tuple[Shape, dict[str, float]]]) -> None:
    """Each contestant that makes objects, as a multiple of pydantic."""
    names = [name for name in MAKERS if name != PYDANTIC]
    rows = [
        [shape.title, *(f"{sizes[name] / sizes[PYDANTIC]:.2f}" for name in names)]
        for shape, sizes in found
    ]
    show("decoded_memory", [f"memory of objects, of `{PYDANTIC}`", *names], rows)


if __name__ == "__main__":
    main()
