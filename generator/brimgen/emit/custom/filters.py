"""The filters of templates of projects: those for literals and names, and a part of Jinja's.

A text that the author of a template wrote is `Code`, and so is what text filters make of such
texts alone. Everything else has to pass a filter for literals before it may be printed.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from hashlib import sha256
from typing import Any

from jinja2 import Undefined, pass_environment
from jinja2 import filters as jinja

from brimgen.emit.code import Code
from brimgen.emit.custom.identifiers import identifier, identifiers
from brimgen.emit.custom.literals import (
    to_comment,
    to_html,
    to_json,
    to_md,
    to_py,
    to_sql,
    to_ts,
    to_ts_key,
)
from brimgen.emit.render import FILTERS as OF_OUR_TEMPLATES

AUTHORED = "_authored"
"""The filter that the environment puts around each text that stands in a template."""
CONCATENATED = "_concatenated"
"""The filter that it puts in the place of the operator ``~``."""


def is_code(value: object) -> bool:
    """Whether a value may be printed, or be a part of what is printed, without a filter."""
    return isinstance(value, Code | int) and not isinstance(value, bool)


def raw(value: object) -> Code:
    """Print a text unescaped, and null as nothing; the author of the template is responsible."""
    return Code("" if value is None else value)


def digest(text: str) -> Code:
    """The SHA-256 of a text in Base64, by which a policy of HTML admits a script or style."""
    return Code(
        b64encode(sha256(text.encode("utf-8", "surrogatepass")).digest()).decode()
    )


def concatenated(parts: Iterable[object]) -> str:
    """The parts as one text; `Code` where each of them is. Raises TypeError for null."""
    items = list(parts)
    if any(part is None for part in items):
        raise TypeError(
            '`~` joins texts, and gets null: write `(x | default("", true))`, or ask with '
            "`{% if %}`"
        )
    text = "".join(map(str, items))
    return Code(text) if all(map(is_code, items)) else text


def join(values: Iterable[Any], between: str = "", attribute: str | None = None) -> str:
    """Jinja's filter: the values as one text."""
    items = list(values)
    if attribute is not None:
        items = [item[attribute] for item in items]
    text = str(between).join(map(str, items))
    return Code(text) if is_code(between) and all(map(is_code, items)) else text


def replace(text: str, old: str, new: str) -> str:
    """Jinja's filter: ``text`` with ``new`` in each place of ``old``."""
    replaced = str(text).replace(str(old), str(new))
    return Code(replaced) if is_code(text) and is_code(new) else replaced


def indent(text: str, width: int = 4, first: bool = False, blank: bool = False) -> str:
    """Jinja's filter: indent the lines of ``text``; the first one only with ``first``."""
    pad = " " * width
    lines = text.split("\n")
    moved = [
        pad + line if (number or first) and (line or blank) else line
        for number, line in enumerate(lines)
    ]
    indented = "\n".join(moved)
    return Code(indented) if is_code(text) else indented


def _of_text(filter_: Callable[..., Any]) -> Callable[..., Any]:
    """Make a filter refuse null."""

    @wraps(filter_)
    def filtered(value: Any, *args: Any, **kwargs: Any) -> Any:
        _refuse_null(value)
        return filter_(value, *args, **kwargs)

    return filtered


def _refuse_null(value: object) -> None:
    if value is None:
        raise TypeError(
            'this filter takes a text, and gets null: put `default("", true)` before it, '
            "or ask with `{% if %}`"
        )


def _of_values(filter_: Callable[..., Any]) -> Callable[..., Any]:
    """Make a filter refuse an undefined value."""

    @wraps(filter_)
    def filtered(value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, Undefined):
            str(value)
        return filter_(value, *args, **kwargs)

    return filtered


def _of_texts(filter_: Callable[..., Any]) -> Callable[..., Any]:
    """Make a filter of Jinja return `Code` if all of its arguments are `Code`."""

    def filtered(value: Any, *args: Any, **kwargs: Any) -> Any:
        _refuse_null(value)
        filtered_value = filter_(value, *args, **kwargs)
        parts = (value, *args, *kwargs.values())
        plain = all(part is None or is_code(part) for part in parts)
        return (
            Code(filtered_value)
            if plain and isinstance(filtered_value, str)
            else filtered_value
        )

    return filtered


def _with_environment(filter_: Callable[..., Any]) -> Callable[..., Any]:
    """Do the same for a filter whose first argument is the environment."""

    @pass_environment
    def filtered(environment: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
        def bound(*rest: Any, **named: Any) -> Any:
            return filter_(environment, *rest, **named)

        return _of_texts(bound)(value, *args, **kwargs)

    return filtered


_TEXT: Mapping[str, Callable[..., Any]] = {
    "capitalize": jinja.do_capitalize,
    "lower": jinja.do_lower,
    "string": str,
    "title": jinja.do_title,
    "trim": jinja.do_trim,
    "upper": jinja.do_upper,
}
_TEXT_WITH_ENVIRONMENT: Mapping[str, Callable[..., Any]] = {
    "truncate": jinja.do_truncate,
    "wordwrap": jinja.do_wordwrap,
}
_NUMBERED: Mapping[str, Callable[..., Any]] = {
    "batch": jinja.do_batch,
    "round": jinja.do_round,
    "slice": jinja.sync_do_slice,
}
_PLAIN = (
    *("abs", "count", "d", "default", "dictsort", "first"),
    *(
        "float",
        "groupby",
        "int",
        "items",
        "last",
        "length",
        "list",
        "map",
        "max",
        "min",
        "sum",
    ),
    *("reject", "rejectattr", "reverse", "select", "selectattr", "sort"),
    *("unique", "wordcount"),
)

OURS: Mapping[str, Callable[..., Any]] = {
    "comment": to_comment,
    "html": to_html,
    "identifier": _of_text(identifier),
    "identifiers": identifiers,
    "json": to_json,
    "md": to_md,
    "py": to_py,
    "raw": raw,
    "sha256": _of_text(digest),
    "sql": to_sql,
    "ts": to_ts,
    "ts_key": _of_text(to_ts_key),
}
"""The filters that templates of projects have beside Jinja's."""

IN_OURS: Mapping[str, str] = {name: f"_ours_{name}" for name in OF_OUR_TEMPLATES}
"""The names of the filters of brimgen's own templates, some of which take fewer kinds of value."""


FILTERS: Mapping[str, Callable[..., Any]] = {
    **{name: jinja.FILTERS[name] for name in _PLAIN},
    **{name: _of_texts(filter_) for name, filter_ in {**_TEXT, **_NUMBERED}.items()},
    **{
        name: _with_environment(filter_)
        for name, filter_ in _TEXT_WITH_ENVIRONMENT.items()
    },
    "indent": _of_text(indent),
    "join": join,
    "replace": _of_text(replace),
    **OF_OUR_TEMPLATES,
    **{IN_OURS[name]: filter_ for name, filter_ in OF_OUR_TEMPLATES.items()},
    "docstring": _of_text(OF_OUR_TEMPLATES["docstring"]),
    "py_block": to_py,
    **{name: _of_values(filter_) for name, filter_ in OURS.items()},
    AUTHORED: Code,
    CONCATENATED: concatenated,
}

INSTEAD: Mapping[str, str] = {
    "e": "html",
    "escape": "html",
    "forceescape": "html",
    "pprint": "json",
    "safe": "raw",
    "tojson": "json",
}
"""What to use in the place of filters of Jinja that are not here."""
