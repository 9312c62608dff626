"""Carried: bound values, and what is made of them, in; values that stand in a wrong place out.

Values that every side has are compared: text, numbers, booleans and null. What another side has in
a form of its own (moments, decimals, lists, JSON) is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from typing import Any, cast
from urllib.parse import parse_qsl, unquote, urlsplit

from brimgen.agreement.meaning import is_same
from brimgen.model.http import HttpBody, JsonPayload, Literal, Template, Variable
from brimgen.model.json import is_list, is_object

Values = Mapping[str, Any]
"""The bound values by the names of their arguments, as Python has them."""


def misplaced_parameters(
    made: object, is_text_first: bool, module: Any, values: Values
) -> Iterator[str]:
    """The parameters of a statement that do not carry the argument that they are called like.

    ``made`` is what a function of ``module`` returns, with the statement if ``is_text_first``.
    """
    both = cast("tuple[str, Any]", made)
    carried: Any = both[1] if is_text_first else made
    names = [each.name for each in module.PARAMS]
    if not is_object(carried):
        order = _order(module.SOURCE, names)
        rows = [names, order]
        for each in rows:
            if len(each) == len(carried):
                yield from _unlike(dict(zip(each, carried, strict=True)), values)
                return
        return
    spread = {str(key).rpartition("__")[0] for key in carried}
    for name in names:
        is_list_of = isinstance(values.get(name), list)
        if name not in carried and name not in spread and not is_list_of:
            yield name
    yield from _unlike(carried, values)


def _order(source: str, names: Sequence[str]) -> list[str]:
    """The parameters of a statement as often as they stand in it, in that order."""
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.findall(rf"(?<![:\w]):({words})\b", source) if names else []


def _unlike(carried: Mapping[str, Any], values: Values) -> Iterator[str]:
    for name, value in carried.items():
        if name in values and not _carries(value, values[name]):
            yield name


def _carries(value: Any, argument: Any) -> bool:
    plain = argument.value if isinstance(argument, Enum) else argument
    if isinstance(plain, bool):
        return value in (plain, int(plain))
    if isinstance(plain, str | int | float):
        return isinstance(value, str) == isinstance(plain, str) and bool(value == plain)
    return plain is not None or value is None or value == []


def misplaced_parts(request: Any, body: HttpBody, values: Values) -> Iterator[str]:
    """The parts of a request that are not what the spec's template says of ``values``."""
    if request.method != body.method:
        yield "method"
    url = urlsplit(str(request.url))
    wanted = [_text(each, values) for each in body.url.segments]
    found = [unquote(each) for each in url.path.split("/")[1:]]
    if len(wanted) != len(found) or any(
        each is not None and unquote(each) != there
        for each, there in zip(wanted, found, strict=True)
    ):
        yield "path"
    pairs = parse_qsl(url.query, keep_blank_values=True)
    for name, template in (*body.url.query, *body.query):
        text = _text(template, values)
        if text is not None and (name, text) not in pairs:
            yield f"query {name}"
    headers = {name.lower(): value for name, value in request.headers}
    for name, template in body.headers:
        text = _text(template, values)
        if text is not None and text.isascii() and headers.get(name.lower()) != text:
            yield f"header {name}"
    if isinstance(body.payload, JsonPayload):
        sent = json.loads(request.body, parse_float=Decimal)
        yield from _in_json(sent, body.payload.value, values, "body ")


def _text(template: Template, values: Values) -> str | None:
    """The text of a template; None where it is more than plain text and numbers."""
    pieces: list[str] = []
    for piece in template:
        if isinstance(piece, Literal):
            pieces.append(piece.text)
            continue
        value = None if piece.path or piece.is_secret else values.get(piece.name)
        if isinstance(value, bool):
            pieces.append("true" if value else "false")
        elif isinstance(value, str | int) and not isinstance(value, Enum):
            pieces.append(str(value))
        else:
            return None
    return "".join(pieces)


def _in_json(sent: Any, said: Any, values: Values, at: str) -> Iterator[str]:
    if isinstance(said, tuple):
        yield from _in_place(sent, cast("Template", said), values, at)
    elif is_object(said):
        for name, inner in said.items():
            there = sent.get(name) if is_object(sent) else None
            yield from _in_json(there, inner, values, f"{at}/{name}")
    elif is_list(said):
        for number, inner in enumerate(said):
            if is_list(sent) and len(sent) == len(said):
                yield from _in_json(sent[number], inner, values, f"{at}/{number}")
    elif not is_same(said, sent):
        yield at


def _in_place(sent: Any, said: Template, values: Values, at: str) -> Iterator[str]:
    """One template: the value itself where it is one variable and nothing else."""
    only = said[0] if len(said) == 1 else None
    if isinstance(only, Variable) and not only.path and not only.is_secret:
        value = values.get(only.name)
        plain: Any = value.value if isinstance(value, Enum) else value
        if plain is None or isinstance(plain, str | int | float):
            if not is_same(plain, sent):
                yield at
        elif is_list(plain) and (not is_list(sent) or len(sent) != len(plain)):
            yield at
        return
    text = _text(said, values)
    if text is not None and text != sent:
        yield at
