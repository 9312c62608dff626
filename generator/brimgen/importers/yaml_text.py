"""Write values as YAML text that the spec reader reads back to equal values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from brimgen.model.json import Json, JsonObject

_PLAIN = re.compile(r"[A-Za-z](?:[A-Za-z0-9 _./()<>'-]*[A-Za-z0-9_./()>'])?\Z")
_PLAIN_LINE = re.compile(
    r"""[A-Za-z](?:[A-Za-z0-9 _./()<>'",;!?+=|&%$-]*[A-Za-z0-9_./()>'",;!?])?\Z"""
)
"""Outside of brackets, more characters mean nothing."""

_WORDS = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])
_WIDTH = 88
_STEP = "  "


def yaml_document(value: JsonObject) -> str:
    """A mapping as a YAML document, its keys in their order; ends with a line end."""
    return "".join(f"{line}\n" for line in _mapping(value, ""))


def yaml_entry(key: str, value: Json, indent: str) -> str:
    """One key with its value, behind ``indent``; ends with a line end."""
    return "".join(f"{line}\n" for line in _mapping({key: value}, indent))


def _mapping(value: JsonObject, indent: str) -> Iterator[str]:
    for key, member in value.items():
        yield from _entry(f"{indent}{_text(key)}:", member, indent + _STEP)


def _entry(head: str, value: Json, indent: str) -> Iterator[str]:
    """Write ``head`` and a value: on one line if that fits, else the value below at ``indent``."""
    if isinstance(value, str):
        if not _is_block(value):
            yield f"{head} {_text(value, _PLAIN_LINE)}"
            return
        yield f"{head} |{'' if value.endswith(chr(10)) else '-'}"
        for line in value.removesuffix("\n").split("\n"):
            yield f"{indent}{line}" if line else ""
        return
    if not isinstance(value, Mapping | Sequence) or _is_flat(value):
        flow = _flow(value)
        is_short = len(head) + 1 + len(flow) <= _WIDTH
        if is_short or not value or not isinstance(value, Mapping | Sequence):
            yield f"{head} {flow}"
            return
    yield head
    if isinstance(value, Mapping):
        yield from _mapping(value, indent)
    else:
        for item in value:
            yield from _item(item, indent)


def _item(value: Json, indent: str) -> Iterator[str]:
    """An item of a list: its first line begins with a dash."""
    if isinstance(value, Mapping) and value and not _is_flat(value):
        lines = _mapping(value, indent + _STEP)
        yield f"{indent}- {next(lines).removeprefix(indent + _STEP)}"
        yield from lines
    else:
        yield from _entry(f"{indent}-", value, indent + _STEP)


def _is_flat(value: Mapping[str, Json] | Sequence[Json]) -> bool:
    parts = value.values() if isinstance(value, Mapping) else value
    return not any(
        isinstance(part, Mapping | Sequence) and not isinstance(part, str)
        for part in parts
    )


def _flow(value: Json) -> str:
    match value:
        case str():
            return _text(value)
        case None | bool():
            return json.dumps(value)
        case int() | float():
            return repr(value)
        case Mapping():
            entries = (
                f"{_text(key)}: {_flow(member)}" for key, member in value.items()
            )
            return f"{{ {', '.join(entries)} }}" if value else "{}"
        case Sequence():
            return f"[{', '.join(map(_flow, value))}]"


def _text(text: str, plain: re.Pattern[str] = _PLAIN) -> str:
    """Write a string in plain style where it is unambiguous, else in double quotes."""
    if plain.match(text) and text.casefold() not in _WORDS:
        return text
    shown = json.dumps(text, ensure_ascii=False)
    return shown if shown.isprintable() else "".join(map(_escape, shown))


def _escape(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _is_block(text: str) -> bool:
    """Whether a literal block can hold exactly this text."""
    lines = text.removesuffix("\n").split("\n")
    return (
        len(lines) > 1
        and all(line.isprintable() and line == line.rstrip() for line in lines)
        and lines[0] != ""
        and not lines[0].startswith(" ")
        and lines[-1] != ""
    )
