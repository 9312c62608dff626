"""Read the contracts of all tools from a generated tree."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from brimgen.frozen import dataclass, field
from brimgen.model.json import is_list, is_object
from brimgen.model.schema_files import SchemaFiles

INPUTS = ".input.json"
OUTPUTS = ".output.json"
_SCHEMAS = PurePosixPath("json_schema/tools")
_DESCRIPTORS = "mcp/tools.json"
_DESCRIPTOR = "mcp/tools/*.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """The published contract of a tool: its schemas (None for no result) and their descriptions.

    ``words`` has the title, description and hints that a model reads; it is empty where the
    target that publishes them is off.
    """

    name: str
    input: Any
    output: Any = None
    words: Mapping[str, Any] = field(default_factory=dict[str, Any])


def contracts(files: Iterable[tuple[str, bytes]]) -> Mapping[str, Contract]:
    """The contracts of a tree of (path below the output folder, content), by the tool's name.

    They are read from what the targets ``json_schema`` and ``mcp`` make. A file that is no JSON,
    or of another shape, is passed over: trees of other versions are compared as far as they go.
    """
    inputs: dict[str, Any] = {}
    outputs: dict[str, Any] = {}
    words: dict[str, Mapping[str, Any]] = {}
    contents = dict(files)
    schemas = SchemaFiles(contents)
    for path, content in contents.items():
        place = PurePosixPath(path)
        if place.parent == _SCHEMAS and place.name.endswith(INPUTS):
            inputs[place.name.removesuffix(INPUTS)] = _schema(schemas, path)
        elif place.parent == _SCHEMAS and place.name.endswith(OUTPUTS):
            outputs[place.name.removesuffix(OUTPUTS)] = _schema(schemas, path)
        elif place.match(_DESCRIPTORS):
            listed = _json(content)
            words.update(_words(listed.get("tools") if is_object(listed) else None))
        elif place.match(_DESCRIPTOR):
            words.update(_words([_json(content)]))
    return {
        name: Contract(
            name=name,
            input=schema,
            output=outputs.get(name),
            words=words.get(name, {}),
        )
        for name, schema in sorted(inputs.items())
        if isinstance(schema, dict | bool)
    }


def _words(tools: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for tool in tools if is_list(tools) else ():
        if is_object(tool) and isinstance(tool.get("name"), str):
            words = {key: tool[key] for key in ("title", "description") if key in tool}
            hints = tool.get("annotations")
            yield tool["name"], words | (hints if is_object(hints) else {})


def _schema(schemas: SchemaFiles, path: str) -> Any:
    try:
        return schemas.read(path)
    except ValueError:
        return None


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None
