"""Replace names of arguments that a provider refuses by aliases, and turn those of a call back.

All aliases of a tool differ from each other and from every name in the tool, also in lower case. So
one name has one alias wherever it stands in the tool, in branches and definitions, too, and the
same at every provider that refuses it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from brimgen.emit.account import Loss, Recovery
from brimgen.emit.indented import json_line
from brimgen.emit.projection import Prepared, prepare
from brimgen.emit.projection.argument_names import all_names, takes
from brimgen.emit.projection.describe_keywords import described
from brimgen.frozen import dataclass, replace
from brimgen.model.catalog import Tool
from brimgen.model.json import Json, JsonObject
from brimgen.schema.walk import (
    NAMED,
    is_object,
    pointer_to,
    rewritten,
    schemas_in,
    split_definitions,
    subschemas,
)
from brimgen_runtime.calls.aliases import Aliases, Place, with_names
from brimgen_runtime.schema.json_pointer import steps_of, unescape_step

_LONGEST = 64
_MOST_PARTS = 20
_NO_PART = re.compile(r"[^A-Za-z0-9_]+")
_VALUES = ("default", "const")
_LISTED_VALUES = ("enum", "examples")
_RULES_OF_NAMES = frozenset(["patternProperties", "propertyNames"])


def aliases_of(
    names: Iterable[str], taken: Iterable[str], target: str = "gemini"
) -> Mapping[str, str]:
    """The aliases of those of ``names`` that the provider of ``target`` refuses; none is one of
    ``taken``, nor like it but for case.
    """
    unique = sorted(set(names))
    used = {name.casefold() for name in (*unique, *taken)}
    aliases: dict[str, str] = {}
    for name in unique:
        if not takes("gemini", name):  # the provider that takes fewest
            alias = _free(_similar(name), used)
            used.add(alias.casefold())
            if not takes(target, name):
                aliases[name] = alias
    return aliases


def _similar(name: str) -> str:
    """``name`` in the characters that all providers take: without accents, ``_`` for all others."""
    letters = unicodedata.normalize("NFKD", name)
    unaccented = "".join(
        letter for letter in letters if not unicodedata.combining(letter)
    )
    text = _NO_PART.sub("_", unaccented).strip("_") or "argument"
    return (f"_{text}" if text[0].isdigit() else text)[:_LONGEST]


def _free(base: str, used: set[str]) -> str:
    alias, number = base, 1
    while alias.casefold() in used:
        number += 1
        end = f"_{number}"
        alias = f"{base[: _LONGEST - len(end)]}{end}"
    return alias


def unnamable(arguments: AliasedArguments) -> str | None:
    """The pointer of an object with a refused name that can have no alias, if there is one.

    A rule about names, such as ``patternProperties``, would speak of the alias instead.
    """
    for pointer, node in schemas_in(arguments.original):
        if _has_rules_of_names(node) and _place(node, arguments.names).get("names"):
            return pointer
    return None


def _has_rules_of_names(schema: Json) -> bool:
    """Whether a schema, or a branch of it, has a rule about the names of all properties."""
    return is_object(schema) and (
        not _RULES_OF_NAMES.isdisjoint(schema)
        or any(
            _has_rules_of_names(subschema)
            for keyword in _BRANCHES
            for subschema in subschemas(keyword, schema.get(keyword))
        )
    )


@dataclass(frozen=True, slots=True)
class AliasedArguments:
    """The arguments of a tool with aliases for the names that a provider refuses."""

    published: Prepared
    enforced: Prepared
    names: Mapping[str, str]
    """The aliases by name."""
    places: Aliases
    original: JsonObject

    def refused(self) -> Iterator[tuple[str, str]]:
        """The names with an alias wherever they are declared, each with its pointer."""
        for pointer, name in all_names(self.original):
            if name in self.names:
                yield pointer, name

    def pointer(self, pointer: str) -> str:
        """The pointer in the tool's own schema of what ``pointer`` leads to in the aliased one."""
        return _with_steps(pointer, {v: k for k, v in self.names.items()})

    def call(self, call: JsonObject) -> JsonObject:
        """A call of the tool, with aliases."""
        _, own = split_definitions(self.original)
        return _Renamer(self.names, own).call(call, self.original)

    def tool(self, tool: Tool) -> Tool:
        """The tool, with aliases for the names that stand in quotation marks in its texts."""
        text = _Renamer(self.names, {}).text
        return replace(
            tool,
            description=tool.description and text(tool.description),
            when_to_use=tool.when_to_use and text(tool.when_to_use),
            extensions={
                key: text(value) if isinstance(value, str) else value
                for key, value in tool.extensions.items()
            },
            mcp=replace(
                tool.mcp,
                description=tool.mcp.description and text(tool.mcp.description),
            ),
        )

    def losses(self, losses: Iterable[Loss], tool: str, profile: str) -> Iterator[Loss]:
        """The losses at the places, and with the values, that the tool's own schema has; and a
        row for each place of a name with an alias.
        """
        for loss in losses:
            if loss.part == "input":
                pointer = self.pointer(loss.pointer)
                value = self.value(pointer, loss.keyword, loss.value)
                loss = loss._replace(pointer=pointer, value=value)
            yield loss
        for pointer, name in self.refused():
            alias = self.names[name]
            yield Loss(tool, pointer, "name", alias, profile, Recovery.ALIAS)

    def value(self, pointer: str, keyword: str, value: Json) -> Json:
        """What the tool's own schema says by ``keyword`` at a pointer into it; else ``value``."""
        node: Any = self.original
        for step in steps_of(pointer):
            node = _member(node, step)
        if not is_object(node) or keyword not in node:
            return value
        own = node[keyword]
        if keyword == "properties" and is_object(own) and is_object(value):
            return {k: v for k, v in own.items() if self.names.get(k, k) in value}
        return own


def aliased(
    published: Prepared, enforced: Prepared, tool: Tool, target: str
) -> AliasedArguments | None:
    """The arguments of ``tool`` with aliases; None where the provider takes all their names.

    Aliases are no names of hidden arguments either.
    """
    inlined = published.inlined
    names = aliases_of(
        (name for _, name in all_names(inlined)),
        (field.name for field in tool.fields),
        target,
    )
    if not names:
        return None
    body, own = split_definitions(inlined)
    places = Aliases(
        arguments=_place(body, names),
        definitions={name: _place(value, names) for name, value in own.items()},
    )
    renamed = _renamed(published, names)
    is_one = enforced is published
    return AliasedArguments(
        renamed,
        renamed if is_one else _renamed(enforced, names),
        names,
        places,
        inlined,
    )


def _renamed(prepared: Prepared, names: Mapping[str, str]) -> Prepared:
    _, own = split_definitions(prepared.inlined)
    schema = _Renamer(names, own).schema(prepared.inlined, "")
    assert is_object(schema)
    return prepare(schema, prepared.tool)


def _place(schema: Json, names: Mapping[str, str]) -> Place:
    """Where values of ``schema`` have names with an alias."""
    if not is_object(schema):
        return {}
    place: dict[str, Any] = {}
    mentioned = [*_mentioned_names(schema)]
    own = {names[name]: name for name in mentioned if name in names}
    if own:
        place["names"] = dict(sorted(own.items()))
    properties = schema.get("properties")
    if is_object(properties):
        below = {name: _place(value, names) for name, value in properties.items()}
        # What is declared is not what is further, even if it has no aliases.
        further = is_object(schema.get("additionalProperties"))
        place["properties"] = {k: v for k, v in below.items() if v or further}
    for keyword, key in (
        ("additionalProperties", "further"),
        ("unevaluatedProperties", "further"),
        ("items", "items"),
        ("unevaluatedItems", "items"),
        ("contains", "items"),
    ):
        place = _merged(place, {key: _place(schema.get(keyword), names)})
    for subschema in subschemas("patternProperties", schema.get("patternProperties")):
        place = _merged(place, {"further": _place(subschema, names)})
    for subschema in subschemas("prefixItems", schema.get("prefixItems")):
        place = _merged(place, {"items": _place(subschema, names)})
    for keyword in _BRANCHES:
        for subschema in subschemas(keyword, schema.get(keyword)):
            place = _merged(place, _place(subschema, names))
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        name = unescape_step(reference.removeprefix("#/$defs/"))
        place = _merged(place, {"definitions": [name]})
    return cast("Place", {key: member for key, member in place.items() if member})


_BRANCHES = (
    *("allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
    "dependentSchemas",
)


def _mentioned_names(schema: JsonObject) -> Iterator[str]:
    """The names of properties that a schema declares, requires or makes depend on others."""
    for keyword in ("properties", "dependentSchemas", "dependentRequired"):
        value = schema.get(keyword)
        if is_object(value):
            yield from value
            if keyword == "dependentRequired":
                for item in value.values():
                    yield from _texts(item)
    yield from _texts(schema.get("required"))


def _texts(value: Json) -> list[str]:
    parts = value if isinstance(value, list | tuple) else ()
    return [part for part in parts if isinstance(part, str)]


def _merged(left: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    """What two descriptions of one place say together."""
    merged = dict(left)
    for key, value in right.items():
        if not value:
            continue
        if key not in merged:
            merged[key] = value
        elif key == "definitions":
            merged[key] = [*dict.fromkeys([*merged[key], *value])]
        elif key == "properties":
            own = merged[key]
            more = {
                name: _merged(own.get(name, {}), member)
                for name, member in value.items()
            }
            merged[key] = {**own, **more}
        elif key == "names":
            merged[key] = {**merged[key], **value}
        else:
            merged[key] = _merged(merged[key], value)
    return merged


class _Renamer:
    """Writes a schema with aliases."""

    def __init__(self, names: Mapping[str, str], definitions: JsonObject) -> None:
        self._names = names
        self._schemas = definitions
        self._definitions = {
            name: _forward(_place(subschema, names))
            for name, subschema in definitions.items()
        }
        # Two quotation marks with nothing between them are an empty text, not the name "".
        long = sorted(filter(None, names), key=len, reverse=True)
        quoted = "|".join(map(re.escape, long)) or r"(?!)"
        self._quoted = re.compile(rf"([`\"'])({quoted})\1")

    def schema(self, schema: Json, pointer: str) -> Json:
        """``schema`` with aliases for all names in it."""
        if not is_object(schema):
            return schema
        aliased_schema: dict[str, Any] = {}
        for keyword, value in schema.items():
            aliased_schema[keyword] = self._keyword(schema, keyword, value)
        return aliased_schema

    def _keyword(self, schema: JsonObject, keyword: str, value: Json) -> Json:
        names = self._names
        if keyword == "description" and isinstance(value, str):
            return self.text(value)
        if keyword in ("properties", "dependentSchemas") and is_object(value):
            convert = self._property if keyword == "properties" else self._plain
            return {names.get(k, k): convert(k, member) for k, member in value.items()}
        if keyword == "required":
            return [names.get(text, text) for text in _texts(value)]
        if keyword == "dependentRequired" and is_object(value):
            return {
                names.get(name, name): [
                    names.get(dependency, dependency) for dependency in _texts(needed)
                ]
                for name, needed in value.items()
            }
        if keyword in _VALUES:
            return self._value(value, schema)
        if keyword in _LISTED_VALUES and isinstance(value, list | tuple):
            return [self._value(item, schema) for item in value]
        return rewritten(keyword, value, "", self.schema)

    def _property(self, name: str, schema: Json) -> Json:
        """The schema of a property; one with an alias says what that stands for."""
        aliased_schema = self.schema(schema, "")
        if name not in self._names or aliased_schema is False:
            return aliased_schema
        keywords: JsonObject = aliased_schema if is_object(aliased_schema) else {}
        own = self._description(schema) if is_object(schema) else None
        own_text = self.text(own) if isinstance(own, str) else None
        text = described(own_text, [f"stands for {name or json_line(name)}"])
        return {**keywords, "description": text}

    def _description(self, schema: JsonObject) -> Json:
        """What describes a value: a schema itself, else a part or what it refers to."""
        waiting: list[Json] = [schema]
        for _ in range(_MOST_PARTS):
            part = waiting.pop() if waiting else None
            if not is_object(part):
                continue
            if isinstance(part.get("description"), str):
                return part["description"]
            waiting += reversed([*subschemas("allOf", part.get("allOf"))])
            reference = part.get("$ref")
            if isinstance(reference, str) and reference.startswith("#/$defs/"):
                name = unescape_step(reference.removeprefix("#/$defs/"))
                waiting.append(self._schemas.get(name))
        return None

    def _plain(self, _: str, schema: Json) -> Json:
        return self.schema(schema, "")

    def text(self, text: str) -> str:
        """``text`` with aliases for the names that stand in quotation marks in it."""
        return self._quoted.sub(lambda at: f"{at[1]}{self._names[at[2]]}{at[1]}", text)

    def call(self, call: JsonObject, schema: JsonObject) -> JsonObject:
        """``call``, which ``schema`` describes, with aliases for all names in it."""
        value = self._value(call, schema)
        assert is_object(value)
        return value

    def _value(self, value: Json, schema: JsonObject) -> Json:
        place = _forward(_place(schema, self._names))
        forward = Aliases(
            arguments={"properties": {"": place}}, definitions=self._definitions
        )
        return cast("Json", with_names({"": value}, forward)[""])


def _forward(place: Place) -> Place:
    """The place that turns names into aliases, where ``place`` turns aliases into names."""
    names = {name: alias for alias, name in place.get("names", {}).items()}
    steps: dict[str, Any] = {"names": names}
    steps["properties"] = {
        names.get(name, name): _forward(value)
        for name, value in place.get("properties", {}).items()
    }
    if "further" in place:
        steps["further"] = _forward(place["further"])
    if "items" in place:
        steps["items"] = _forward(place["items"])
    if "definitions" in place:
        steps["definitions"] = place["definitions"]
    return cast("Place", steps)


def _member(node: Any, key: str) -> Any:
    """The member or item of a JSON value that a step of a pointer leads to."""
    if is_object(node):
        return node.get(key)
    items = cast("Sequence[Any]", node) if isinstance(node, list | tuple) else ()
    return items[int(key)] if key.isdigit() and int(key) < len(items) else None


def _with_steps(pointer: str, names: Mapping[str, str]) -> str:
    """``pointer`` with its properties called by ``names``."""
    pointer_so_far, steps = "", iter(pointer.split("/")[1:])
    for step in steps:
        pointer_so_far = f"{pointer_so_far}/{step}"
        if step in NAMED:
            key = unescape_step(next(steps, ""))
            is_name = step in ("properties", "dependentSchemas")
            pointer_so_far = pointer_to(
                pointer_so_far, names.get(key, key) if is_name else key
            )
    return pointer_so_far
