"""Compare the written lists of descriptors with the specs: tools, schemas, words, the ledger.

A keyword of the spec stands in a descriptor, or losses.json has a row for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from jsonschema import Draft202012Validator

from brimgen.agreement.descriptors import arguments_schema, entry_of, home_of, name_of
from brimgen.agreement.ledger_file import LEDGER, Ledger, parsed
from brimgen.agreement.report import Fault
from brimgen.agreement.same_schema import SchemaFile
from brimgen.agreement.stated_limits import (
    BOUNDS,
    holds_words,
    stated,
    states,
    without_words,
)
from brimgen.emit.account import Descriptor, Recovery
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.json import is_list, is_object
from brimgen.model.json_pointer import escape_step

_LISTS = ("tools", "functionDeclarations")
_JUDGED = (*sorted(BOUNDS), "enum", "default", "pattern", "format", "x-decimal")
_COMPOSED = frozenset(
    {"anyOf", "oneOf", "allOf", "not", "if", "$dynamicRef", "patternProperties"}
)
_DEEPEST = 8
_INTEGER_FORMAT = ("format", "int64")
"""What Gemini's own schema language says of every integer, whatever the author noted."""


def lists_of(
    profile: str, files: Mapping[str, str]
) -> Iterator[tuple[str, list[Descriptor]]]:
    """The entries of each list of a profile, by the path of the file."""
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
            for entry in _entries(parsed(text))
        ]


def _entries(value: Any) -> list[Any]:
    if is_list(value):
        return [entry for member in value for entry in _entries(member)]
    if is_object(value):
        for key in _LISTS:
            if is_list(value.get(key)):
                return list(value[key])
        return [value]
    return []


def descriptor_file_faults(
    catalog: Catalog,
    files: Mapping[str, str],
    descriptors: Sequence[Descriptor],
    ledger: Ledger,
) -> Iterator[Fault]:
    """Yield where the lists differ from the descriptors and from the specs."""
    tools = {tool.name: tool for tool in catalog.tools}
    by_profile: dict[str, dict[str, Descriptor]] = {}
    for descriptor in descriptors:
        by_profile.setdefault(descriptor.profile, {})[descriptor.tool] = descriptor
    for profile, by_tool in by_profile.items():
        for path, entries in lists_of(profile, files):
            names = [name_of(entry) for entry in entries]
            order = [name_of(descriptor) for descriptor in by_tool.values()]
            if names != order:
                yield from _order_faults(tools, (profile, path), names, [*by_tool])
                continue
            for entry, descriptor in zip(entries, by_tool.values(), strict=True):
                tool = tools[descriptor.tool]
                own = Descriptor(profile, tool.name, entry.text, descriptor.aliases)
                described = _Described(tool, own, ledger)
                for says in (
                    *_entry_differences(entry, descriptor),
                    *described.faults(),
                ):
                    yield Fault(tool, profile, path, says)


def _order_faults(
    tools: Mapping[str, Tool],
    where: tuple[str, str],
    names: Sequence[str | None],
    order: Sequence[str],
) -> Iterator[Fault]:
    profile, path = where
    missing = [name for name in order if name not in names]
    for name in missing:
        yield Fault(tools[name], profile, path, "does not list the tool")
    first = tools[order[0]]
    for listed in names:
        if listed not in order:
            says = f"lists {listed}, which the spec has not"
            yield Fault(first, profile, path, says)
    if not missing and len(names) == len(order):
        yield Fault(first, profile, path, "lists the tools in another order")


def _entry_differences(entry: Descriptor, descriptor: Descriptor) -> Iterator[str]:
    """Yield where an entry of a list differs from the descriptor that judges the calls."""
    plain = Descriptor(descriptor.profile, descriptor.tool, descriptor.text)
    if arguments_schema(entry) != arguments_schema(plain):
        yield "has another schema than the calls are asked of"
    own, wanted = entry_of(entry), entry_of(descriptor)
    for key in ("annotations", "strict", "description"):
        if own.get(key) != wanted.get(key):
            yield f"has {key} {own.get(key)!r}; the calls are asked of {wanted.get(key)!r}"


@dataclass(slots=True)
class _Described:
    """Compares the keywords and the texts of one descriptor with its tool."""

    tool: Tool
    descriptor: Descriptor
    ledger: Ledger

    def faults(self) -> Iterator[str]:
        """Yield where it differs from the spec."""
        entry = entry_of(self.descriptor)
        text = str(entry.get("description") or "")
        name, profile = self.tool.name, self.descriptor.profile
        is_cut = self.ledger.row(name, profile, "/tool", "description") is not None
        own = self.tool.mcp.description if profile == "mcp" else None
        if not is_cut and not holds_words(text, own or self.tool.description):
            yield "says another description than the spec"
        schema = arguments_schema(self.descriptor)
        if schema is not None:
            home = SchemaFile(schema)
            canon = self.tool.input_schema
            yield from self._part_faults(
                (canon, SchemaFile(canon)), (schema, home), "/input", ""
            )
        output = entry.get(home_of(self.descriptor, output=True))
        if is_object(output) and self.tool.returns is not None:
            canon = self.tool.returns.schema
            result = _unwrapped(output, canon)
            yield from self._part_faults(
                (canon, SchemaFile(canon)), (result, SchemaFile(output)), "/output", ""
            )

    def _part_faults(
        self,
        wanted: tuple[Any, SchemaFile],
        found: tuple[Any, SchemaFile],
        path: str,
        place: str,
        depth: int = 0,
    ) -> Iterator[str]:
        canon, home = wanted[1].follow(wanted[0])
        part, part_home = _plain(*found)
        if not (is_object(canon) and is_object(part)) or depth > _DEEPEST:
            return
        if not (_COMPOSED.isdisjoint(canon) and _COMPOSED.isdisjoint(part)):
            return
        outer, path = path, _definition_path(path, _definition(found[0]))
        text = "\n".join(found[1].texts(found[0]))
        yield from self._keyword_faults(canon, part, text, (path, outer), place)
        if is_object(canon.get("items")) and is_object(part.get("items")):
            yield from self._part_faults(
                (canon["items"], home),
                (part["items"], part_home),
                f"{path}/items",
                f"{place}[]",
                depth + 1,
            )
        properties = part.get("properties")
        if not is_object(canon.get("properties")) or not is_object(properties):
            return
        for name, inner in canon["properties"].items():
            step = escape_step(name)
            below = f"{path}/properties/{step}"
            where = f"{place}.{name}" if place else name
            if name in properties:
                yield from self._part_faults(
                    (inner, home),
                    (properties[name], part_home),
                    below,
                    where,
                    depth + 1,
                )
            elif _may_be(inner, home) and not self.ledger.excuses(
                self.tool.name, self.descriptor.profile, below
            ):
                yield f"leaves out `{where}`"

    def _row(self, paths: Iterable[str], word: str) -> Any:
        """A row on a keyword at one of ``paths``: at a reference, and at what it leads to."""
        name, profile = self.tool.name, self.descriptor.profile
        rows = (self.ledger.row(name, profile, path, word) for path in paths)
        return next((row for row in rows if row is not None), None)

    def _keyword_faults(
        self, canon: Any, part: Any, text: str, paths: tuple[str, ...], place: str
    ) -> Iterator[str]:
        shown = f"of `{place}` " if place else ""
        description = canon.get("description")
        if (
            isinstance(description, str)
            and place
            and not holds_words(text, description)
            and self._row(paths, "description") is None
        ):
            yield f"says {shown}another description than the spec"
        for word in _JUDGED:
            if word not in canon:
                continue
            value, row = canon[word], self._row(paths, word)
            is_text = row is not None and row.get("recovered_by") == Recovery.TEXT
            # A definition may say another value than a keyword beside a reference to it.
            if word in part and not is_text:
                is_narrowed = row is not None and row.get("recovered_by") == "narrowed"
                is_spelling = (word, part[word]) == _INTEGER_FORMAT
                if not (_is_same(part[word], value) or is_narrowed or is_spelling):
                    own, wanted = json.dumps(part[word]), json.dumps(value)
                    yield f"says {shown}{word} {own}; the spec has {wanted}"
            elif row is None:
                if (
                    word in (*BOUNDS, "enum", "default", "pattern")
                    and value is not None
                ):
                    wanted = json.dumps(value)
                    yield f"says {shown}nothing of {word} {wanted}, and {LEDGER} has no row"
            elif is_text and not states(text, word, value):
                wanted = json.dumps(value)
                yield f"does not say {shown}{word} {wanted} in words"
        yield from self._type_faults(canon, part, paths, shown)
        for says in _contradictions(canon, str(part.get("description") or "")):
            yield f"says {shown}{says}"

    def _type_faults(
        self, canon: Any, part: Any, paths: tuple[str, ...], shown: str
    ) -> Iterator[str]:
        wanted, found = _kinds_of_values(canon), _kinds(part)
        if not wanted or not found or wanted == found:
            return
        profile = self.descriptor.profile
        # A list of required properties knows no absence: null stands for it.
        if found - wanted == {"null"} and wanted <= found:
            return
        if any(self.ledger.excuses(self.tool.name, profile, path) for path in paths):
            return
        own_types, spec_types = " or ".join(sorted(found)), " or ".join(sorted(wanted))
        yield f"says {shown}the type {own_types}; the spec has {spec_types}"


def _contradictions(canon: Any, text: str) -> Iterator[str]:
    """Yield defaults and bounds in a text that neither the author nor the schema states."""
    own = without_words(text, str(canon.get("description") or ""))
    items = canon.get("items")
    parts = [canon, items] if is_object(items) else [canon]
    is_said = "default" in canon and re.search(r"\bdefault: ", own) is not None
    if is_said and not states(own, "default", canon["default"]):
        yield f"another default in words; the spec has {json.dumps(canon['default'])}"
    for word in BOUNDS:
        values = [part[word] for part in parts if word in part]
        for number in stated(own, word):
            if not any(Decimal(number) == Decimal(str(value)) for value in values):
                yield f"{word} {number} in words, unlike the spec"


def _plain(schema: Any, home: SchemaFile) -> tuple[Any, SchemaFile]:
    """A schema without the null that it may also be, and with its reference followed."""
    schema, home = home.follow(schema)
    for _ in range(_DEEPEST):
        options = schema.get("anyOf") if is_object(schema) else None
        if not is_list(options) or len(options) != 2:
            break
        non_null = [option for option in options if option != {"type": "null"}]
        if len(non_null) != 1 or not is_object(non_null[0]):
            break
        branch, home = home.follow(non_null[0])
        kinds = _kinds(branch)
        siblings = {word: value for word, value in schema.items() if word != "anyOf"}
        schema = {**branch, **siblings}
        if kinds:
            schema["type"] = [*sorted(kinds), "null"]
    return schema, home


def _definition(schema: Any) -> str | None:
    """The name of the definition that a part of a descriptor refers to, beside null or alone."""
    while is_object(schema) and is_list(schema.get("anyOf")):
        options = [option for option in schema["anyOf"] if option != {"type": "null"}]
        schema = options[0] if len(options) == 1 else None
    ref = schema.get("$ref") if is_object(schema) else None
    prefix = "#/$defs/"
    if isinstance(ref, str) and ref.startswith(prefix):
        return ref.removeprefix(prefix)
    return None


def _definition_path(path: str, definition: str | None) -> str:
    """Where the ledger has its rows on a part: on a definition there, wherever it is used."""
    root = "/".join(path.split("/")[:2])
    return path if definition is None else f"{root}/$defs/{definition}"


def _may_be(schema: Any, home: SchemaFile) -> bool:
    """Whether a schema may admit a value: a property that admits none may be left out."""
    whole, _ = home.follow(schema)
    return is_object(whole) and "not" not in whole and "$ref" not in whole


def _unwrapped(output: Any, canon: Any) -> Any:
    """The schema of a result that MCP wraps in an object, because it takes objects only."""
    properties = output.get("properties")
    if canon.get("type") != "object" and is_object(properties):
        return properties.get("result", output)
    return output


def _kinds(schema: Any) -> set[str]:
    kind = schema.get("type") if is_object(schema) else None
    if isinstance(kind, str):
        return {kind}
    return {str(name) for name in kind} if is_list(kind) else set()


def _kinds_of_values(schema: Any) -> set[str]:
    """The types of the values that a schema admits: its ``enum`` may have none of some type."""
    kinds = _kinds(schema)
    values = schema.get("enum") if is_object(schema) else None
    if not is_list(values):
        return kinds
    is_type = Draft202012Validator.TYPE_CHECKER.is_type
    return {kind for kind in kinds if any(is_type(value, kind) for value in values)}


def _is_same(found: Any, wanted: Any) -> bool:
    if is_list(found) and is_list(wanted):
        own = [value for value in found if value is not None]
        return own == [value for value in wanted if value is not None]
    return bool(found == wanted)
