"""Compare the types of the TypeScript file with the schemas of the specs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from brimgen.agreement.report import Fault
from brimgen.agreement.stated_limits import holds_words
from brimgen.agreement.typescript_types import Shape, declared_types, type_faults
from brimgen.model.catalog import Catalog, PythonBody, SqlBody, Tool
from brimgen.model.http import HttpBody

TYPESCRIPT = "typescript/tools.ts"
TYPES = "TypeScript"
_ENTRY = re.compile(
    r'^  "?([\w-]+)"?: \{ input: (\w+); output: (\w+) \};$', re.MULTILINE
)


def typescript_faults(catalog: Catalog, files: Mapping[str, str]) -> Iterator[Fault]:
    """Yield where the types differ from the specs."""
    text = files.get(TYPESCRIPT)
    if text is None:
        return
    types = declared_types(text)
    entries = {match[1]: (match[2], match[3]) for match in _ENTRY.finditer(text)}
    for tool in catalog.tools:
        if tool.name in entries:
            for says in _tool_faults(tool, entries[tool.name], types):
                yield Fault(tool, TYPES, TYPESCRIPT, says)
            if not holds_words(_comments(text), tool.description):
                says = "says another description than the spec"
                yield Fault(tool, TYPES, TYPESCRIPT, says)
        elif (
            isinstance(tool.body, PythonBody | SqlBody | HttpBody)
            and tool.enabled
            and tool.is_for("typescript")
        ):
            yield Fault(tool, TYPES, TYPESCRIPT, "has no types of the tool")


def _tool_faults(
    tool: Tool, names: tuple[str, str], types: Mapping[str, Shape]
) -> Iterator[str]:
    arguments, result = (types.get(name) for name in names)
    if arguments is not None:
        for place, says in type_faults(arguments, tool.input_schema, types):
            yield f"`{place}` {says}" if place else f"the input {says}"
    if result is not None and tool.returns is not None:
        for place, says in type_faults(result, tool.returns.schema, types):
            yield f"the result: `{place}` {says}" if place else f"the result {says}"


def _comments(text: str) -> str:
    """The text of all comments, without their stars."""
    comments = re.findall(r"/\*\*(.*?)\*/", text, re.DOTALL)
    return " ".join(
        re.sub(r"^\s*\* ?", "", comment, flags=re.MULTILINE) for comment in comments
    )
