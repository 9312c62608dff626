"""What a call costs: in process beside a function that pydantic validates, and from JSON text.

    python benchmarks/calls.py [--rounds 15]

Both sides take the shapes of `decoding_shapes`. In process, ours is ``Service.call``: it decodes,
binds, calls the function, encodes its result, holds that against the output schema, and would log.
The peer is a function under `pydantic.validate_call`, which validates the result, too; its
arguments are given as keywords. From text, ours is ``from_call`` and the peer ``validate_json``.
Each figure is the CPU time of many calls, the median of several rounds in which all take turns, as
a multiple of pydantic's.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from decoding import make_package, measure
from decoding_peers import pydantic_text_run
from decoding_shapes import SHAPES
from figures import show, verdict
from pydantic import ConfigDict, validate_call

Works: TypeAlias = Mapping[str, Callable[[], object]]

OURS, PYDANTIC = "brimgen", "pydantic"
GOALS = {"in process": 2.5, "text": 2.0, "bytes": 2.2}
"""The multiples of pydantic's time that we aim at."""
_EXTRA = """\
type: python_function
name: sums
description: Calculates.
arguments:
  inline:
    operation: { type: string, enum: [add, sub, mul] }
    a: int
    b: { type: int, minimum: 0 }
returns: int
"""


@validate_call(
    validate_return=True, config=ConfigDict(strict=True, str_strip_whitespace=False)
)
def _sums(operation: Literal["add", "sub", "mul"], a: int, b: int) -> int:
    return a + b if operation == "add" else a - b


def in_process(package: str) -> dict[str, Works]:
    """The same function behind a service, and behind pydantic."""
    service = importlib.import_module(f"{package}.service").Service
    made = service(handlers={"sums": _calculated}, partial=True)
    arguments = {"operation": "add", "a": 3, "b": 4}
    assert made.call("sums", arguments) == 7 == _sums(**arguments)
    return {
        "a call of a function": {
            PYDANTIC: lambda: _sums(**arguments),
            OURS: lambda: made.call("sums", arguments),
        }
    }


def _calculated(call: Any) -> int:
    total: int = call.a + call.b if call.operation == "add" else call.a - call.b
    return total


def from_text(package: str, kind: type) -> dict[str, Works]:
    """Calls of each shape as JSON text, ``str`` or ``bytes``."""
    found: dict[str, Works] = {}
    for shape in SHAPES:
        text: Any = json.dumps(shape.valid)
        text = text if kind is str else text.encode()
        read = importlib.import_module(package).TOOLS[shape.name].input_type.from_call
        validate = pydantic_text_run(shape.name)
        found[shape.title] = {
            PYDANTIC: _once(validate, text),
            OURS: _once(read, text),
        }
    return found


def _once(run: Callable[[Any], object], text: Any) -> Callable[[], object]:
    return lambda: run(text)


def main() -> None:
    """Measure everything, and show a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = make_package(Path(folder), more={"sums": _EXTRA})
        sys.path.insert(0, str(path))
        kinds = {
            "in process": in_process("made"),
            "text": from_text("made", str),
            "bytes": from_text("made", bytes),
        }
        for name, works in kinds.items():
            for title, each in works.items():
                times = measure(dict(each), rounds)
                ratio = times[OURS] / times[PYDANTIC]
                said = verdict(ratio, GOALS[name])
                rows.append([f"{name}: {title}", said, f"{ratio:.2f}"])
    show("calls", ["CPU, of `pydantic`", "promise", "brimgen"], rows)


if __name__ == "__main__":
    main()
