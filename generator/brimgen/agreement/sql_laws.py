"""Compare the texts of statements, their parameters and their rows with the specs."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from brimgen.agreement.hint_laws import HINTS, statement_hints, wanted_hints
from brimgen.agreement.report import Fault
from brimgen.emit.names import attribute_name, module_name
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.fields import Caller, Context
from brimgen.model.json import is_list, is_object
from brimgen.model.types import Field, ScalarType

SQL_TEXTS = "SQL texts"
ROWS = "SQL rows"
_TOKEN = re.compile(r"'(?:[^']|'')*'|\w+|[^\w\s]")
_PARAMETER = re.compile(
    r"(?<![:\w]):[A-Za-z_]\w*|%\([^)]*\)s|%s\b|\$\d+|\{\w+:[^}]*\}|\?"
)


def sql_faults(catalog: Catalog, files: Mapping[str, str]) -> Iterator[Fault]:
    """Yield where the files of statements differ from the spec, or from each other."""
    if not any(path.startswith("sql/") for path in files):
        return  # the files of an installed package, or a project without the target
    for tool in catalog.tools:
        path = f"python/{catalog.project.package}/sql/{module_name(tool.name)}.py"
        if not (isinstance(tool.body, SqlBody) and tool.enabled and tool.is_for("sql")):
            continue
        listed = f"sql/{tool.name}.json"
        row = _statement(files.get(listed))
        if row is None:
            yield Fault(tool, SQL_TEXTS, listed, "is missing, or is no JSON object")
            continue
        for says in _row_faults(tool, row):
            yield Fault(tool, SQL_TEXTS, listed, says)
        for hint, wanted in wanted_hints(tool).items():
            found = row.get("annotations", {}).get(hint)
            # What is not said follows: from that it only reads, or is a statement.
            if found is not wanted and not (found is None and hint in _FOLLOWING):
                says = f"{hint} is {found}, and should be {wanted}"
                yield Fault(tool, HINTS, listed, says)
        yield from _text_faults(tool, tool.body, listed, row, files)
        try:
            tree = ast.parse(files.get(path, ""))
        except (SyntaxError, ValueError):
            continue  # reported as a module that does not compile
        for says in (
            *_module_faults(tool.body, row, files, tree),
            *_parameter_faults(row, tree),
        ):
            yield Fault(tool, SQL_TEXTS, path, says)
        for says in _decoding_faults(tree, _properties(tool)):
            yield Fault(tool, ROWS, path, says)


_FOLLOWING = ("destructiveHint", "idempotentHint", "openWorldHint")


def _statement(text: str | None) -> dict[str, Any] | None:
    try:
        value = None if text is None else json.loads(text)
    except ValueError:
        return None
    return value if is_object(value) else None


def _row_faults(tool: Tool, row: Mapping[str, Any]) -> Iterator[str]:
    """The parameters and the columns of a statement are those of the spec."""
    connection = tool.body.connection if isinstance(tool.body, SqlBody) else None
    for key, expected in (("name", tool.name), ("connection", connection)):
        if row.get(key) != expected:
            yield f"has the {key} {row.get(key)}; the spec has {expected}"
    fields = {field.name: field for field in tool.fields}
    for name, param in row.get("params", {}).items():
        if name not in fields:
            yield f"has the parameter `{name}`, which the spec has not"
            continue
        found = {"nullable": False, **param}
        for key, wanted in _wanted_parameter(fields[name]).items():
            if found.get(key) != wanted:
                yield f"has {key} {found.get(key)} of `{name}`; the spec has {wanted}"
    columns, properties = row.get("columns"), _properties(tool)
    if is_list(columns) and properties and [*columns] != [*properties]:
        expected = ", ".join(properties)
        yield f"has the columns {', '.join(map(str, columns))}; the spec has {expected}"


def _properties(tool: Tool) -> Mapping[str, Any]:
    """The schemas of the fields of a row."""
    schema: Any = tool.returns.schema if tool.returns else {}
    schema = schema.get("items", schema)
    properties = schema.get("properties") if is_object(schema) else None
    return properties if is_object(properties) else {}


_READ = {
    "integer": "integer",
    "uint64": "integer",
    "boolean": "boolean",
    "double": "number",
    "text": "string",
    "day": "string",
    "timestamp": "string",
    "clock": "string",
    "span": "string",
    "blob": "string",
}
"""The JSON types of the values that each reader function of the package returns."""


_NAMED_BY_SQL = frozenset(
    (
        "int",
        "uint64",
        "float",
        "decimal",
        "bool",
        "string",
        "date",
        "datetime",
        "time",
        "duration",
        "bytes",
        "primitive",
    )
)
"""The scalars that ``sql/<tool>.json`` calls by their own name. Others are held as one of these
or as JSON, which is a choice of the codecs and not of the spec."""


def _wanted_parameter(field: Field) -> dict[str, Any]:
    origin = field.origin
    parameter: dict[str, Any] = {
        "nullable": None in field.absent_values,
        "origin": (
            f"context:{'.'.join(origin.path)}"
            if isinstance(origin, Context)
            else "caller" if isinstance(origin, Caller) else "host"
        ),
    }
    if isinstance(field.type, ScalarType) and field.type.scalar in _NAMED_BY_SQL:
        parameter["type"] = str(field.type.scalar)
    if field.default is not None and not field.required:
        parameter["default"] = field.default.value
    return parameter


def _text_faults(
    tool: Tool,
    body: SqlBody,
    listed: str,
    row: Mapping[str, Any],
    files: Mapping[str, str],
) -> Iterator[Fault]:
    """The .sql files say what the spec says."""
    is_plain = not (body.choices or body.variants or body.written)
    reads = statement_hints(body).get("readOnlyHint")
    if reads is not None and (row.get("kind") == "read") is not reads:
        says = f"are of the kind {row.get('kind')}"
        yield Fault(tool, SQL_TEXTS, listed, says)
    lists = any(
        "[]" in str(param.get("type")) for param in row.get("params", {}).values()
    )
    for target in row.get("targets", {}).values():
        path = f"sql/{target.get('file')}"
        text = files.get(path)
        if text is None:
            yield Fault(tool, SQL_TEXTS, listed, f"names {path}, which is missing")
        elif is_plain and not lists and not _keeps(body.statement.text, text):
            says = "leave out words of the spec, or say them in another order"
            yield Fault(tool, SQL_TEXTS, path, says)


def _module_faults(
    body: SqlBody, row: Mapping[str, Any], files: Mapping[str, str], tree: ast.Module
) -> Iterator[str]:
    """The texts of the module are those of the spec and of the .sql files."""
    texts = _constants(tree)
    source = (body.written or body.statement).text
    if texts.get("SOURCE", "").strip() != source.strip():
        yield "have another source than the spec"
    if texts.get("KIND") != row.get("kind"):
        kind = texts.get("KIND")
        yield f"are of the kind {kind}, unlike in the file of the statement"
    for driver, target in row.get("targets", {}).items():
        own = texts.get(f"SQL_{driver.upper()}")
        path = f"sql/{target.get('file')}"
        if own is not None and not files.get(path, "").strip().endswith(own.strip()):
            yield f"for {driver} are not those of {path}"


def _keeps(source: str, text: str) -> bool:
    """Whether all words of a statement stand in its text for a driver, in their order."""
    words = iter(_words(text))
    return all(word in words for word in _words(source))


def _words(text: str) -> list[str]:
    text = re.sub(r"--[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    # Some drivers want each % of the text doubled.
    plain = _PARAMETER.sub(" ", re.sub("%+", "%", text)).replace("\\", "")
    return _TOKEN.findall(plain.casefold())


def _constants(tree: ast.Module) -> dict[str, str]:
    """The texts that a module assigns to names; a name may stand for another."""
    texts: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            value = node.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                texts[node.target.id] = value.value
            elif isinstance(value, ast.Name) and value.id in texts:
                texts[node.target.id] = texts[value.id]
    return texts


def _parameter_faults(row: Mapping[str, Any], tree: ast.Module) -> Iterator[str]:
    """The parameters of the module are those of ``sql/<tool>.json``."""
    wanted = [
        (name, param.get("type"), param.get("nullable", False), param.get("origin"))
        for name, param in row.get("params", {}).items()
    ]
    for node in tree.body:
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and node.target.id == "PARAMS"
            and isinstance(node.value, ast.Tuple)
        ):
            found = [
                tuple(
                    argument.value
                    for argument in (
                        *call.args,
                        *(
                            keyword.value
                            for keyword in call.keywords
                            if keyword.arg in ("nullable", "origin")
                        ),
                    )
                    if isinstance(argument, ast.Constant)
                )
                for call in node.value.elts
                if isinstance(call, ast.Call)
            ]
            if found != wanted:
                yield f"have the parameters {found}; the file of the statement has {wanted}"


def _decoding_faults(tree: ast.Module, properties: Mapping[str, Any]) -> Iterator[str]:
    """Each field of a row is decoded from the column that is called like it, as its type says."""
    for node in ast.walk(tree):
        pairs: Iterable[tuple[str | None, ast.expr]] = ()
        if isinstance(node, ast.keyword):
            pairs = [(node.arg, node.value)]
        elif isinstance(node, ast.Dict):
            keys = (
                (
                    str(attribute_name(key.value))
                    if isinstance(key, ast.Constant) and isinstance(key.value, str)
                    else None
                )
                for key in node.keys
            )
            pairs = zip(keys, node.values, strict=True)
        for name, value in pairs:
            column = _column(value)
            if name is None or column is None:
                continue
            if str(attribute_name(column)) != name:
                yield f"read the field `{name}` from the column `{column}`"
            schema = properties.get(column)
            kind = schema.get("type") if is_object(schema) else None
            read = _READ.get(_reader(value))
            if isinstance(kind, str) and read is not None and read != kind:
                yield f"read the field `{name}` as {read}; the spec says {kind}"


def _reader(value: ast.expr) -> str:
    """The function that reads a cell: the last argument of ``_decode.…(cells, column, …)``."""
    last = value.args[-1] if isinstance(value, ast.Call) else value
    return last.attr if isinstance(last, ast.Attribute) else ""


def _column(value: ast.expr) -> str | None:
    """The column that ``_decode.…(cells, column, …)`` reads."""
    if (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and isinstance(value.func.value, ast.Name)
        and value.func.value.id == "_decode"
        and len(value.args) > 1
        and isinstance(value.args[1], ast.Constant)
    ):
        column = value.args[1].value
        return column if isinstance(column, str) else None
    return None
