"""Fill a template with values, independently of the runtime, to get the texts it should give.

Items are joined here, an object is split into its pairs, and JSON is the value itself.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from typing import Any, cast

from brimgen.agreement.request_variables import RequestVariables, as_json
from brimgen.model.http import SEPARATORS, Literal, Style, Template, Variable
from brimgen.model.json import is_list, is_object

Texts = list[str | None]
"""The expected texts of one name, in order; None is a text that is not known."""


def spread(
    name: str, template: Template, variables: RequestVariables
) -> list[tuple[str, Texts]]:
    """The pairs of a query or a form that a template stands for, by their names."""
    only = template[0] if len(template) == 1 else None
    if isinstance(only, Variable) and only.style is Style.DEEP:
        pairs = _deep(name, variables.value(only), variables)
        return [(key, [text]) for key, text in pairs]
    return [(name, texts_of(template, variables))]


def texts_of(template: Template, variables: RequestVariables) -> Texts:
    """Return the texts that a template gives: none where its only value is absent, one for each
    item of a list.
    """
    only = template[0] if len(template) == 1 else None
    if isinstance(only, Variable):
        value = variables.value(only)
        if is_left_out(only, variables):
            return []
        if is_list(value) and only.style in (None, Style.FILE):
            write = _file if only.style else variables.text
            return [write(item) for item in value]
    return [text_of(template, variables)]


def text_of(template: Template, variables: RequestVariables) -> str | None:
    """The text of a template; None where a piece of it is in a form of its own."""
    pieces = [
        piece.text if isinstance(piece, Literal) else styled_text(piece, variables)
        for piece in template
    ]
    return None if None in pieces else "".join(cast("list[str]", pieces))


def styled_text(variable: Variable, variables: RequestVariables) -> str | None:
    """The text of a value that is not absent; None where a part of it is in a form of its own."""
    value = variables.value(variable)
    match variable.style:
        case Style.COMMA | Style.SPACE | Style.PIPE as style:
            items = value if is_list(value) else [value]
            texts = [variables.text(item) for item in items]
            known = [text for text in texts if text is not None]
            return SEPARATORS[style].join(known) if known == texts else None
        case Style.JSON:
            return _json(as_json(value))
        case Style.FILE:
            return _file(value)
        case Style.DEEP | None:
            return variables.text(value)


def _file(value: Any) -> str | None:
    """The base64 of a file; None where the value names it, or is a URL."""
    try:
        written = b64encode(b64decode(str(value), validate=True)).decode()
    except ValueError:
        return None
    return written if written == value else None


def is_left_out(variable: Variable, variables: RequestVariables) -> bool:
    """Whether nothing is written for a value that is all of a pair, of a header or of a field."""
    value = variables.value(variable)
    return value is None or (variable.style in SEPARATORS and value == [])


def _deep(
    name: str, value: Any, variables: RequestVariables
) -> Iterator[tuple[str, str | None]]:
    """The name and the text of each value inside of an object or a list."""
    value = as_json(value)
    if is_object(value):
        for key, inner in value.items():
            yield from _deep(f"{name}[{key}]", inner, variables)
    elif is_list(value):
        for number, inner in enumerate(map(as_json, value)):
            step = number if is_object(inner) or is_list(inner) else ""
            yield from _deep(f"{name}[{step}]", inner, variables)
    elif value is not None:
        yield name, variables.text(value)


def _json(value: Any) -> str | None:
    """JSON text; None for what only the package can write."""
    try:
        return json.dumps(value, separators=(",", ":"))
    except TypeError:
        return None
