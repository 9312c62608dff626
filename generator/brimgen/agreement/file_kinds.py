"""The kinds of generated files, and how each is judged: the table of docs/verify.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

COMPARED = "compared with the build only"
_MOST_NAMED = 3


class FileKind(NamedTuple):
    """Files whose paths match ``pattern``, where ``PACKAGE`` is the folder of the package.

    ``judged`` says what they are held to besides a fresh build, or is `COMPARED`.
    """

    name: str
    pattern: str
    judged: str


FILE_KINDS = (
    FileKind(
        "`json_schema/`",
        r"json_schema/.*\.json",
        "each keyword is that of the spec; calls by the `jsonschema` library",
    ),
    FileKind(
        "`tools/*.py`, `entities.py`, `schemas.py`, `_leaves.py`, `__init__.py`",
        r"PACKAGE/(tools/\w+|entities|schemas|_leaves|__init__)\.py",
        "calls: decoded, encoded and bound as the schema and the spec say",
    ),
    FileKind(
        "`sql/*.py`",
        r"PACKAGE/sql/(?!_)\w+\.py",
        "texts, parameters, the column of each field; calls are bound",
    ),
    FileKind(
        "`sql/*.json`, `sql/*.sql`",
        r"sql/[^/]+\.(json|sql)",
        "text, kind, hints, parameters and columns of the spec",
    ),
    FileKind(
        "`http/*.py` of tools",
        r"PACKAGE/http/(?!_|\w+_transport)\w+\.py",
        "calls: each part of a request carries what the spec puts there; hosts, time, secrets",
    ),
    FileKind(
        "descriptors of OpenAI, Anthropic, Gemini, MCP",
        r"(PACKAGE/descriptors/)?(openai|anthropic|gemini|mcp)/"
        r"(?!(.*/)?(prompts|resources|resource_templates)\.json).*\.json",
        "calls; each keyword is in the schema, in words or in the ledger; hints, texts, order",
    ),
    FileKind(
        "`mcp/prompts.json`, `resources.json`, `resource_templates.json`",
        r"(PACKAGE/descriptors/)?mcp/(prompts|resources|resource_templates)\.json",
        "arguments, bounds and defaults in words, paths, texts",
    ),
    FileKind(
        "`losses.json`", r"losses\.json", "a row for each keyword that is left out"
    ),
    FileKind(
        "`prompts.py`", r"PACKAGE/prompts\.py", "calls are rendered as Jinja does it"
    ),
    FileKind("`resources.py`", r"PACKAGE/resources\.py", "paths and texts of the spec"),
    FileKind(
        "`service.py`, `handlers.py`, `mcp_server.py`",
        r"PACKAGE/(service|handlers|mcp_server)\.py",
        "every tool runs as the spec says: statement, connection, rows, request, handler",
    ),
    FileKind(
        "`bundles.json`, `flexigpt/`",
        r"((PACKAGE/)?bundles|flexigpt/.*)\.json",
        "ids, times, texts, both schemas, the statement",
    ),
    FileKind(
        "`openapi/openapi.json`", r"openapi/.*", "the schemas of arguments and results"
    ),
    FileKind(
        "`typescript/tools.ts`",
        r"typescript/tools\.ts",
        "types, defaults, both schemas, hints and texts",
    ),
    FileKind(
        "`docs/tools/*.md`, `catalogue/index.html`",
        r"(docs/tools/.*\.md|catalogue/index\.html)",
        "tables: type, default, bounds, values; texts; every tool is listed",
    ),
    FileKind(
        "`commands/`", r"commands/.*", "parameters: type, values, required; texts"
    ),
    FileKind(
        "copies of the runtime: `_runtime/`, `_service/`, `sql/_*.py`, …",
        r"PACKAGE/(_\w+/.*|_gemini\.py|(sql|http)/(__init__|_\w+|\w+_transport)\.py)",
        COMPARED,
    ),
    FileKind(
        "models of other libraries: `models/`",
        r"PACKAGE/models/.*",
        f"{COMPARED}; modules compile",
    ),
    FileKind(
        "modules and files without tools: `dispatch.py`, `retries.py`, `py.typed`, …",
        r"PACKAGE/(dispatch|retries|toolspec|store|bundles|gemini|__main__)\.py"
        r"|PACKAGE/(\w+/)*(__init__\.py|py\.typed)",
        COMPARED,
    ),
    FileKind("files of your own templates", r".*", f"{COMPARED}; modules compile"),
)
"""The first kind that fits is that of a file."""


def kind_of(path: str, package: str) -> FileKind:
    """The kind of a generated file."""
    folder = re.escape(f"python/{package}")
    for kind in FILE_KINDS:
        if re.fullmatch(kind.pattern.replace("PACKAGE", folder), path):
            return kind
    raise AssertionError("the last kind fits every file")


def only_compared(paths: Iterable[str], package: str) -> dict[str, int]:
    """How many files of each kind are compared and not judged, by a text that names the first."""
    files: dict[FileKind, list[str]] = {}
    for path in sorted(paths):
        kind = kind_of(path, package)
        if kind.judged.startswith(COMPARED):
            files.setdefault(kind, []).append(path.removeprefix(f"python/{package}/"))
    return {_described(kind, listed): len(listed) for kind, listed in files.items()}


def _described(kind: FileKind, paths: Sequence[str]) -> str:
    """Return what a kind is, and the first of its files and folders."""
    text = kind.name.partition(":")[0]
    entries = [*dict.fromkeys(re.sub("/.*", "/", path) for path in paths)]
    more = ["…"] if len(entries) > _MOST_NAMED else []
    return f"{text}: {', '.join([*entries[:_MOST_NAMED], *more])}"
