"""The arguments of a tool as flags of a command line, by its input schema."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from ..calls.tools import Tool
from ..schema.errors import InputError
from ..schema.json_pointer import steps_of
from ..schema.json_text import parse_json, write_json
from ..schema.json_values import is_object

_MOST_CHOICES = 12
"""How many choices stand in the line of a flag."""
_MOST_REFERENCES = 32
_METAVARS = {"string": "TEXT", "integer": "INT", "number": "NUMBER"}
_TEXT, _ARRAY, _SWITCH = map(frozenset[str], (("string",), ("array",), ("boolean",)))
_Schema: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Flag:
    """The flag of an argument: ``kinds`` are the JSON types of a value, none if it may be any, and
    ``choices`` the values by their texts; of each item, if it ``is_list``.
    """

    name: str
    option: str
    kinds: frozenset[str]
    choices: Mapping[str, Any]
    is_list: bool
    is_switch: bool
    help: str

    def add_to(self, group: Any) -> None:
        """Add the flag to a parser or a group of one, which then has its texts under `key`."""
        options: dict[str, Any] = {"choices": [*self.choices] or None}
        if self.is_switch:
            options = {"action": argparse.BooleanOptionalAction}
        elif self.choices and len(self.choices) <= _MOST_CHOICES:
            options["metavar"] = f"{{{','.join(self.choices)}}}"
        elif len(self.kinds) == 1:
            options["metavar"] = _METAVARS.get(next(iter(self.kinds)), "JSON")
        else:
            options["metavar"] = "JSON"
        if self.is_list:
            options |= {"action": "extend", "nargs": "*"}
        group.add_argument(
            self.option,
            dest=self.key,
            default=argparse.SUPPRESS,
            help=self.help,
            **options,
        )

    @property
    def key(self) -> str:
        """The attribute of what was parsed."""
        return f"argument {self.name}"

    def value(self, given: Any) -> Any:
        """Return the argument of what was given. What is no JSON stays text: the schema of the tool
        refuses it.
        """
        if self.is_switch:
            return given
        return [*map(self._value, given)] if self.is_list else self._value(given)

    def _value(self, text: str) -> Any:
        if text in self.choices:
            return self.choices[text]
        if self.kinds == _TEXT:
            return text
        try:
            value = parse_json(text)
        except InputError:
            return text
        is_text = "string" in self.kinds and self.kinds.isdisjoint(_kinds_of(value))
        return text if is_text else value


def flags_of(schema: _Schema) -> Iterator[Flag]:
    """Return the flag of each argument of an input schema; of two with one flag, the second has
    none, and is given as JSON.
    """
    taken = {"--help"}
    required = schema.get("required", ())
    for name, part in schema.get("properties", {}).items():
        option = "--" + re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")
        flag = _flag(name, option, _resolved(part, schema), schema, name in required)
        options = {option, f"--no-{option[2:]}"} if flag.is_switch else {option}
        if option != "--" and taken.isdisjoint(options):
            taken |= options
            yield flag


def _flag(
    name: str, option: str, schema: _Schema, root: _Schema, is_required: bool
) -> Flag:
    kinds, item = _kinds(schema, root), schema
    is_list = kinds == _ARRAY
    if is_list:
        item = _resolved(schema.get("items", {}), root)
        kinds = _kinds(item, root)
    choices = {_text(value): value for value in _choices(item)}
    text = str(schema.get("description") or "").strip().replace("%", "%%")
    notes = ["required"] if is_required else []
    if "default" in schema:
        notes = [f"default: {_text(schema['default'])}".replace("%", "%%")]
    return Flag(
        name,
        option,
        kinds,
        choices,
        is_list,
        is_switch=kinds == _SWITCH and not is_list,
        help=" ".join([text, *(f"({note})" for note in notes)]).strip(),
    )


def _choices(schema: _Schema) -> Sequence[Any]:
    return [schema["const"]] if "const" in schema else schema.get("enum", ())


def _text(value: Any) -> str:
    return value if isinstance(value, str) else write_json(value)


def _kinds(schema: _Schema, root: _Schema) -> frozenset[str]:
    """Return the JSON types that a schema takes, none if it does not say; null only where no text
    could be meant.
    """
    kinds: set[str] = set()
    said = schema.get("type", ())
    if said:
        kinds = {said} if isinstance(said, str) else {*said}
    elif values := _choices(schema):
        kinds = {*frozenset[str]().union(*map(_kinds_of, values))}
    else:
        options = [
            _kinds(_resolved(option, root), root)
            for word in ("anyOf", "oneOf")
            for option in schema.get(word, ())
        ]
        kinds = {*frozenset[str]().union(*options)} if all(options) else set()
    if "integer" in kinds and "number" in kinds:
        kinds.discard("integer")
    return frozenset(kinds - {"null"} or kinds)


def _resolved(schema: Any, root: _Schema) -> _Schema:
    """Return what a schema refers to, and the one alternative to null that it has."""
    found: dict[str, Any] = dict(schema) if is_object(schema) else {}
    for _ in range(_MOST_REFERENCES):
        for word in ("anyOf", "oneOf"):
            options = [each for each in found.get(word, ()) if each != _NULL]
            if len(options) == 1:
                del found[word]
                found = {**options[0], **found}
        reference = str(found.pop("$ref", ""))
        if not reference:
            break
        target: Any = root
        for step in steps_of(reference):
            target = target[step]
        found = {**target, **found}
    return found


_NULL = {"type": "null"}
_KINDS: Sequence[tuple[Any, frozenset[str]]] = (
    (bool, frozenset({"boolean"})),
    (str, frozenset({"string"})),
    (int, frozenset({"integer", "number"})),
    (float | Decimal, frozenset({"number"})),
    (Mapping, frozenset({"object"})),
    (list, frozenset({"array"})),
    (object, frozenset({"null"})),
)


def _kinds_of(value: Any) -> frozenset[str]:
    return next(kinds for kind, kinds in _KINDS if isinstance(value, kind))


def tool_parser(tool: Tool[Any, Any], program: str) -> argparse.ArgumentParser:
    """Return the parser of the arguments of a tool, without those of its flags."""
    words = [tool.description, tool.when_to_use]
    text = "\n\n".join(word.strip() for word in words if word)
    return argparse.ArgumentParser(
        prog=program,
        usage=f"{program} [JSON] [FLAG ...]".replace("%", "%%"),
        description=text.replace("%", "%%") if "%(prog)" in text else text,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        conflict_handler="resolve",  # the flag of a tool wins over an option of that name
        allow_abbrev=False,
    )
