"""Write a JSON value as a literal of TypeScript, SQL, HTML or Markdown, or as a comment.

Each function returns `Code` that stays what it is wherever a literal of its language may stand:
no text of a spec can end it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, cast

from jinja2 import Undefined

from brimgen.emit import markdown
from brimgen.emit.code import Code, json_text, py
from brimgen.model.json import Json
from brimgen.sql import DIALECTS, find_dialect

_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_LINE_ENDS = re.compile("\r\n|[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*", re.ASCII)
_MARKS = ("//", "#", "--", "/**")


def to_json(
    value: Json, column: int = 0, *, line: bool = False, script: bool = False
) -> Code:
    """JSON with two spaces a level, for a line that begins at ``column``; or on one ``line``.

    ``script`` is for a ``<script>`` element: nothing in it ends that.
    """
    if line:
        text = json.dumps(_plain(value), ensure_ascii=False)
    else:
        text = str(json_text(_plain(value), column))
    return Code(re.sub("[<>&\u2028\u2029]", _unicode_escape, text) if script else text)


def to_py(value: Json) -> Code:
    """A Python literal on one line."""
    return py(_plain(value))


def to_ts(value: Json, column: int | None = None) -> Code:
    """A literal of TypeScript and JavaScript in ASCII: on one line, or with two spaces a level for
    a line that begins at ``column``.
    """
    return Code(_ts(_plain(value), None if column is None else f"\n{' ' * column}"))


def _ts(value: Json, newline: str | None = None) -> str:
    inner = None if newline is None else f"{newline}  "
    if isinstance(value, Mapping):
        pairs = [
            f"{_ts_key(key)}: {_ts(member, inner)}" for key, member in value.items()
        ]
        return _ts_bracket("{", pairs, "}", newline)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _ts_bracket("[", [_ts(item, inner) for item in value], "]", newline)
    text = json.dumps(value, allow_nan=False)
    # So it does not end the element either, if it stands in a script of HTML.
    return text.replace("<", "\\u003c") if isinstance(value, str) else text


def _ts_bracket(
    opening: str, items: Sequence[str], closing: str, newline: str | None
) -> str:
    if newline is None or not items:
        return f"{opening}{', '.join(items)}{closing}"
    lines = "".join(f"{newline}  {item}," for item in items)
    return f"{opening}{lines}{newline}{closing}"


def _ts_key(key: str) -> str:
    # Without brackets this key would set the prototype of the object.
    return '["__proto__"]' if key == "__proto__" else _ts(key)


def to_ts_key(name: str) -> Code:
    """A name of a property in a type of TypeScript: in quotes where it has to be."""
    return Code(name) if _PLAIN_KEY.fullmatch(name) else to_ts(name)


def to_sql(value: Json, dialect: str | None = None) -> Code:
    """A literal of SQL: NULL, TRUE, a number, or a string; a list or object is its JSON text.

    ``dialect`` decides what a backslash means; without one it is a character, as the standard says.

    Raises:
        ValueError: for a dialect that is unknown.
    """
    known_dialect = find_dialect(dialect) if dialect is not None else None
    if dialect is not None and known_dialect is None:
        raise ValueError(f"there is no dialect `{dialect}`: there are {_DIALECTS}")
    if value is None:
        return Code("NULL")
    if isinstance(value, bool):
        return Code("TRUE" if value else "FALSE")
    if isinstance(value, int | float):
        return Code(json.dumps(value, allow_nan=False))
    text = _text(value).replace("\x00", "\ufffd")
    if known_dialect is not None and known_dialect.backslash:
        return Code("'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'")
    return Code("'" + text.replace("'", "''") + "'")


_DIALECTS = ", ".join(DIALECTS)


def to_html(value: Json) -> Code:
    """Text of HTML, or the value of an attribute in quotes; a list or object is its JSON text."""
    text = _UNSEEN.sub("\ufffd", _text(value))
    return Code(escape(text, quote=True).replace("`", "&#96;"))


def to_md(value: Json, form: str = "paragraphs") -> Code:
    """Markdown that shows this text: ``paragraphs``, one ``line``, a ``cell`` of a table, ``code``
    in a line, or a ``block`` of code.

    Raises:
        ValueError: for another ``form``.
    """
    if form not in _FORMS:
        raise ValueError(f"md has no form `{form}`: there are {', '.join(_FORMS)}")
    return _FORMS[form](_text(value))


def _block_of_code(text: str) -> Code:
    fence = markdown.fence(text)
    return Code(f"{fence}\n{markdown.without_controls(text)}\n{fence}")


_FORMS: Mapping[str, Callable[[str], Code]] = {
    "paragraphs": markdown.paragraphs,
    "line": markdown.line,
    "cell": markdown.cell,
    "code": markdown.code,
    "block": _block_of_code,
}


def to_comment(value: Json, mark: str) -> Code:
    """The lines of a text as a comment: each behind ``//``, ``#`` or ``--``, or all in ``/** */``.

    Raises:
        ValueError: for another ``mark``.
    """
    if mark not in _MARKS:
        raise ValueError(
            f"a comment has no mark `{mark}`: there are {', '.join(_MARKS)}"
        )
    lines = [
        _UNSEEN.sub("\ufffd", line.replace("\t", " ")).rstrip()
        for line in _LINE_ENDS.split(_text(value).strip())
    ]
    if mark != "/**":
        # A backslash at its end would draw the next line into it, in C and its like.
        return Code("\n".join(f"{mark} {line}".rstrip().rstrip("\\") for line in lines))
    lines = [line.replace("*/", "*\\/").replace("/*", "/\\*") for line in lines]
    if len(lines) == 1:
        return Code(f"/** {lines[0]} */")
    inner = "\n".join(f" * {line}".rstrip() for line in lines)
    return Code(f"/**\n{inner}\n */")


def _text(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return str(value)
    return json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: Any) -> Any:
    """Dicts, lists and plain texts in the place of everything that is like them."""
    if isinstance(value, Code):
        return str(value)
    if isinstance(value, Mapping):
        members = cast(Mapping[object, object], value)
        return {str(key): _plain(member) for key, member in members.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in cast(Sequence[Any], value)]
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Undefined):
        str(value)  # tells what is not there
    raise TypeError(f"not a JSON value: {type(value).__name__}")


def _unicode_escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
