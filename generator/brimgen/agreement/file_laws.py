"""Compare written files that no call asks about: SQL, lists of descriptors, hints, the ledger.

Each is compared with the spec, or with what the other laws judge, so that it is judged with that.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from brimgen.agreement.descriptors import arguments_schema, name_of
from brimgen.agreement.report import Report
from brimgen.agreement.schema_parts import at_pointer
from brimgen.emit.account import Descriptor, Loss, Recovery
from brimgen.emit.names import attribute_name
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.json import is_list, is_object
from brimgen.model.schema_files import SchemaFiles

SQL_TEXTS = "SQL texts"
ROWS = "SQL rows"
HINTS = "MCP hints"
LEDGER = "losses.json"
_LISTS = ("tools", "functionDeclarations")
_BOUNDS = frozenset(
    {
        *("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"),
        *("minProperties", "maxProperties"),
    }
)
_HINTS = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}
_NONE: Mapping[str, Any] = {}
_TOKEN = re.compile(r"'(?:[^']|'')*'|\w+|[^\w\s]")
_PARAMETER = re.compile(
    r"(?<![:\w]):[A-Za-z_]\w*|%\([^)]*\)s|%s\b|\$\d+|\{\w+:[^}]*\}|\?"
)


def hold_files(
    catalog: Catalog,
    files: Mapping[str, str],
    descriptors: Sequence[Descriptor],
    losses: Sequence[Loss],
    report: Report,
) -> None:
    """Note down in ``report`` what is wrong with the files of the tools."""
    tools = {tool.name: tool for tool in catalog.tools}
    for tool, artifact, says in (
        *_sql_faults(catalog, files),
        *_list_faults(tools, files, descriptors),
        *_hint_faults(tools, descriptors),
        *_ledger_faults(tools, files, descriptors, losses),
    ):
        report.differ(tool, artifact, says, None)


_Fault = tuple[Tool, str, str]


def _parsed(text: str | None) -> Any:
    """The value of a JSON text; None where it is missing or is none."""
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return None


# SQL


def _sql_faults(catalog: Catalog, files: Mapping[str, str]) -> Iterator[_Fault]:
    if "sql/bindings.json" not in files:
        return
    bindings = _parsed(files["sql/bindings.json"])
    rows: Any = bindings.get("statements", ()) if is_object(bindings) else ()
    listed: dict[Any, Any] = {row.get("name"): row for row in rows}
    for tool in catalog.tools:
        module = files.get(
            f"python/{catalog.project.package}/sql/{attribute_name(tool.name)}.py"
        )
        if not isinstance(tool.body, SqlBody) or module is None:
            continue
        row = listed.get(tool.name)
        if row is None:
            yield tool, SQL_TEXTS, "are not in sql/bindings.json"
            continue
        try:
            tree = ast.parse(module)
        except SyntaxError:
            continue  # reported as a module that does not compile
        for says in (
            *_text_faults(tool, tool.body, row, tree, files),
            *_parameter_faults(row, tree),
        ):
            yield tool, SQL_TEXTS, says
        for says in _row_faults(tree):
            yield tool, ROWS, says


def _text_faults(
    tool: Tool,
    body: SqlBody,
    row: Mapping[str, Any],
    tree: ast.Module,
    files: Mapping[str, str],
) -> Iterator[str]:
    texts = _constants(tree)
    plain = not (body.choices or body.variants or body.written)
    if plain and str(row.get("source")).strip() != body.statement.text.strip():
        yield "in sql/bindings.json have another source than the spec"
    if "SOURCE" in texts and texts["SOURCE"].strip() != str(row.get("source")).strip():
        yield "of the module have another source than sql/bindings.json"
    if "KIND" in texts and texts["KIND"] != row.get("kind"):
        yield "of the module are of another kind than sql/bindings.json says"
    for driver, target in row.get("targets", {}).items():
        text = str(target.get("sql", ""))
        own = texts.get(f"SQL_{driver.upper()}")
        if own is not None and own.strip() != text.strip():
            yield f"of the module for {driver} are not those of sql/bindings.json"
        file = files.get(f"sql/{tool.name}.{driver}.sql")
        if file is not None and not file.strip().endswith(text.strip()):
            yield f"in the file for {driver} are not those of sql/bindings.json"
        lists = any("[]" in str(each.get("type")) for each in row.get("params", ()))
        if plain and not lists and not _keeps(body.statement.text, text):
            yield f"for {driver} leave out words of the spec, or say them in another order"


def _keeps(source: str, text: str) -> bool:
    """Whether all words of a statement stand in its text for a driver, in their order."""
    found = iter(_words(text))
    return all(word in found for word in _words(source))


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
    """The parameters of the module are those of sql/bindings.json."""
    wanted = [
        (each.get("name"), each.get("type"), each.get("nullable"), each.get("origin"))
        for each in row.get("params", ())
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
                    each.value
                    for each in (
                        *call.args,
                        *(
                            keyword.value
                            for keyword in call.keywords
                            if keyword.arg in ("nullable", "origin")
                        ),
                    )
                    if isinstance(each, ast.Constant)
                )
                for call in node.value.elts
                if isinstance(call, ast.Call)
            ]
            if found != wanted:
                yield "of the module have other parameters than sql/bindings.json"


def _row_faults(tree: ast.Module) -> Iterator[str]:
    """Each field of a row is decoded from the column that is called like it."""
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
            if None not in (name, column) and str(attribute_name(str(column))) != name:
                yield f"read the field `{name}` from the column `{column}`"


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


# Descriptors


def _list_faults(
    tools: Mapping[str, Tool], files: Mapping[str, str], told: Iterable[Descriptor]
) -> Iterator[_Fault]:
    """Each list of descriptors has every tool, in order, as its descriptor says it."""
    by_profile: dict[str, dict[str, Descriptor]] = {}
    for each in told:
        by_profile.setdefault(each.profile, {})[each.tool] = each
    for profile, wanted in by_profile.items():
        for path, entries in _lists(profile, files):
            names = [name_of(each) for each in entries]
            order = [name_of(each) for each in wanted.values()]
            first = tools[next(iter(wanted))]
            if names != order:
                odd = [str(each) for each in {*names} ^ {*order}]
                why = f"not the same: {', '.join(sorted(odd))}" if odd else "the order"
                yield first, profile, f"lists other tools in {path} ({why})"
                continue
            for entry, each in zip(entries, wanted.values(), strict=True):
                what = _unlike(entry, each)
                if what:
                    says = f"has another {what} in {path} than the descriptor"
                    yield tools[each.tool], profile, says


def _lists(
    profile: str, files: Mapping[str, str]
) -> Iterator[tuple[str, list[Descriptor]]]:
    target, _, variant = profile.partition("_")
    folder = f"{target}/{variant}/" if variant else f"{target}/"
    for path, text in files.items():
        before, found, form = path.rpartition(folder)
        if not found or "/" in form or not form.endswith(".json"):
            continue
        if not (before == "" or before.endswith("/descriptors/")):
            continue
        if profile == "mcp" and form != "tools.json":
            continue
        yield path, [
            Descriptor(profile, "", json.dumps(entry))
            for entry in _entries(_parsed(text))
        ]


def _entries(value: Any) -> list[Any]:
    if is_list(value):
        return [entry for each in value for entry in _entries(each)]
    if is_object(value):
        for key in _LISTS:
            if is_list(value.get(key)):
                return list(value[key])
        return [value]
    return []


def _unlike(entry: Descriptor, told: Descriptor) -> str | None:
    """What an entry of a list says otherwise than the descriptor of its tool."""
    own, wanted = entry.json, told.json
    if arguments_schema(entry) != _without_aliases(told):
        return "schema"
    own, wanted = own.get("function", own), wanted.get("function", wanted)
    for key in ("annotations", "strict"):
        if own.get(key) != wanted.get(key):
            return key
    texts = sorted(
        (str(own.get("description")), str(wanted.get("description"))), key=len
    )
    # A form that has no place for a schema of the result says it in words.
    return None if texts[1].startswith(texts[0]) else "description"


def _without_aliases(told: Descriptor) -> Any:
    return arguments_schema(Descriptor(told.profile, told.tool, told.text))


def _hint_faults(
    tools: Mapping[str, Tool], told: Iterable[Descriptor]
) -> Iterator[_Fault]:
    """The hints of MCP are those of the spec."""
    for each in told:
        if each.profile != "mcp":
            continue
        tool, hints = tools[each.tool], each.json.get("annotations", _NONE)
        for hint, name in _HINTS.items():
            wanted = getattr(tool.mcp, name)
            # A tool that only reads says neither how it changes things nor how often.
            is_judged = hints.get("readOnlyHint") is not True or name == "read_only"
            if is_judged and wanted is not None and hints.get(hint) is not wanted:
                yield tool, HINTS, f"do not say `{hint}: {str(wanted).lower()}`"


# The ledger


def _ledger_faults(
    tools: Mapping[str, Tool],
    files: Mapping[str, str],
    told: Iterable[Descriptor],
    losses: Sequence[Loss],
) -> Iterator[_Fault]:
    if "losses.json" in files:
        written = _parsed(files["losses.json"])
        rows = [_row(each) for each in written] if is_list(written) else []
        known = {
            (
                *(each.tool, each.path, each.keyword, _text(each.value)),
                *(each.profile, str(each.recovered_by)),
            )
            for each in losses
        }
        own = {*rows}
        for row in sorted(own ^ known, key=str):
            says = "has a row too many" if row in own else "lacks a row"
            tool = tools.get(row[0], next(iter(tools.values())))
            yield tool, LEDGER, f"{says}: {row[4]}, {row[2]} at {row[1]}"
    schemas = SchemaFiles(files)
    words = {(each.profile, each.tool): " ".join(_strings(each.json)) for each in told}
    for loss in losses:
        tool = tools[loss.tool]
        text = words.get((loss.profile, loss.tool))
        if loss.part != "input" or loss.keyword not in _BOUNDS:
            continue
        part = at_pointer(_schema(schemas, loss.tool), loss.pointer)
        found = _text(part.get(loss.keyword)) if is_object(part) else None
        if is_object(part) and "$ref" not in part and found != _text(loss.value):
            says = f"has {loss.keyword} {_text(loss.value)} at {loss.path}"
            yield tool, LEDGER, f"{says}, and the schema {found}"
        is_said = loss.recovered_by is Recovery.TEXT and text is not None
        if is_said and not re.search(rf"(?<!\d){loss.value}(?!\d)", str(text)):
            says = f"does not say {loss.keyword} {loss.value} in words"
            yield tool, loss.profile, f"{says} ({loss.path})"


def _schema(schemas: SchemaFiles, tool: str) -> Any:
    try:
        return schemas.read(f"json_schema/tools/{tool}.input.json")
    except ValueError:
        return None  # reported where the tool is held to its schema


def _row(each: Any) -> tuple[Any, ...]:
    row = each if is_object(each) else {}
    names = ("tool", "path", "keyword")
    return (
        *(row.get(name) for name in names),
        _text(row.get("value")),
        row.get("profile"),
        row.get("recovered_by"),
    )


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _strings(value: Any) -> Iterator[str]:
    """The descriptions in a descriptor."""
    if is_list(value):
        for each in value:
            yield from _strings(each)
    elif is_object(value):
        for key, each in value.items():
            if key == "description" and isinstance(each, str):
                yield each
            else:
                yield from _strings(each)
