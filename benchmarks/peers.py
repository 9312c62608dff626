"""The work of the peers: the schemas of tools in, what another generator reads out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_SCALARS = {
    "integer": "int64",
    "number": "double",
    "boolean": "bool",
    "string": "string",
}


def write_protos(schemas: Path, folder: Path) -> None:
    """Write a ``.proto`` for every schema in ``schemas``: one message with the same fields."""
    folder.mkdir()
    for path in sorted(schemas.glob("*.json")):
        schema = json.loads(path.read_text())
        lines = [
            f"  {_kind(each)} {name} = {number};"
            for number, (name, each) in enumerate(schema["properties"].items(), 1)
        ]
        text = "\n".join(
            [
                'syntax = "proto3";',
                f"package {path.stem};",
                f"message {path.stem}_input {{",
                *lines,
                "}",
            ]
        )
        (folder / f"{path.stem}.proto").write_text(f"{text}\n")


def _kind(schema: dict[str, Any]) -> str:
    if schema.get("type") == "array":
        return f"repeated {_kind(schema['items'])}"
    return _SCALARS[schema["type"]]
