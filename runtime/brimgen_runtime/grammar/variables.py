"""Variables in the texts of requests, as ``${user.items[0].id | comma}``: syntax and places."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from enum import StrEnum
from typing import Final, Literal, NamedTuple, TypeAlias

from .rule_messages import Mistake

STYLES: Final = ("comma", "space", "pipe", "deep", "json", "file")
"""The styles that may follow the ``|`` of a variable."""

Kind: TypeAlias = Literal["plain", "any", "list of plain", "list", "any list", "object"]
"""The kind of a value: ``any`` is any value, ``any list`` a list of any values; the items of a
``list`` are lists or objects."""

_OPEN = re.compile(r"\$(\$?)\{")
_EXPRESSION = re.compile(
    r"(?P<name>[^.\[\]{}]+)(?P<path>(?:\.[^.\[\]{}]+|\[[0-9]{1,9}\])*)"
)
_STEP = re.compile(r"\.([^.\[\]]+)|\[([0-9]+)\]")
_BARE = re.compile(r"(?<!\$)\{(?:\{(?P<two>[^{}]+)\}\}|(?P<one>[^{}]+)\})")
_OTHER_MARKS = (
    r"(?<![$\w])\$(?:{0}\b|\({0}\))",  # shells
    r"(?<![$\w])\{{\{{?\s*{0}\s*\}}?\}}",  # OpenAPI, Python, Jinja
    r"(?:\A|(?<=[/=&?,; ])):{0}(?!\w)",  # routes, SQL
    r"%\({0}\)s|<{0}>|%7B{0}%7D",
)
"""How other languages write the variable `{0}` in a text."""


class TemplatePosition(StrEnum):
    """The position of a template, in the words of a message."""

    HOST = "in a host"
    PATH = "in a path"
    QUERY = "in a query"
    HEADER = "in a header"
    COOKIE = "in a cookie"
    AUTH = "in the authorization"
    BODY = "in a text"
    TEXT = "in a body of text"
    QUESTION = "in a question"
    PART = "in a part of a form"

    @property
    def phrase(self) -> str:
        """The position without its preposition: ``a path``."""
        return self.value.removeprefix("in ")

    @classmethod
    def of_header(cls, name: str) -> TemplatePosition:
        """The position of the values in the header ``name``."""
        return cls.COOKIE if name.casefold() == "cookie" else cls.HEADER


_OPTIONAL_ALONE = frozenset(
    {
        *(TemplatePosition.QUERY, TemplatePosition.HEADER),
        *(TemplatePosition.BODY, TemplatePosition.PART),
    }
)


class Hole(NamedTuple):
    """The text of a variable, ``${inner}``; if not ``is_closed``, its ``}`` is missing."""

    inner: str
    start: int
    end: int
    is_closed: bool = True


class Reference(NamedTuple):
    """The argument ``name`` and the ``path`` below it, or a secret, written in a ``style``."""

    name: str
    path: tuple[str | int, ...] = ()
    is_secret: bool = False
    style: str | None = None


def split(text: str) -> Iterator[str | Hole]:
    """Yield the literal parts of a text, ``$${`` read as ``${``, and the variables between them."""
    literal, at = "", 0
    while (opening := _OPEN.search(text, at)) is not None:
        literal += text[at : opening.start()]
        at = opening.end()
        if opening[1]:
            literal += "${"
            continue
        close = text.find("}", at)
        if literal:
            yield literal
        literal = ""
        if close < 0:
            yield Hole(text[opening.start() :], opening.start(), len(text), False)
            return
        yield Hole(text[at:close].strip(), opening.start(), close + 1)
        at = close + 1
    literal += text[at:]
    if literal:
        yield literal


def read_hole(
    hole: Hole, arguments: Collection[str] | None, secrets: Collection[str]
) -> Reference | Mistake:
    """Return the argument or secret that a variable names, or the mistake in it.

    ``arguments`` None means that they are unknown: then none is reported as missing.
    """
    text = hole.inner
    if not hole.is_closed:
        return Mistake("bad-variable", {"text": text})
    base, bar, word = _split_style(text, arguments, secrets)
    word = word.strip()
    is_unsure = arguments is None and word not in STYLES
    if not bar or is_unsure or text in (arguments or ()):
        return _read_reference(text, arguments, secrets)
    reference = _read_reference(base.strip(), arguments, secrets)
    if isinstance(reference, Mistake):
        return reference
    if not word:
        return Mistake("bad-variable", {"text": f"${{{text}}}"})
    if word not in STYLES:
        return Mistake("unknown-style", {"name": reference.name, "style": word})
    return reference._replace(style=word)


def _split_style(
    text: str, arguments: Collection[str] | None, secrets: Collection[str]
) -> tuple[str, str, str]:
    """Split a text into variable, bar and style: at the first bar, unless that is part of the name
    of an argument.
    """
    parted = text.rpartition("|")
    match = _EXPRESSION.fullmatch(parted[0].strip())
    name = match["name"] if match is not None else parted[0].strip()
    is_name = arguments is None or name in secrets or name in arguments
    return parted if is_name else text.partition("|")


def _read_reference(
    text: str, arguments: Collection[str] | None, secrets: Collection[str]
) -> Reference | Mistake:
    match = _EXPRESSION.fullmatch(text)
    names = () if arguments is None else arguments
    if match is None and text not in names:
        return Mistake("bad-variable", {"text": f"${{{text}}}"})
    name, path = text, ""
    if match is not None and text not in names:
        name, path = match["name"], match["path"]
    if name in secrets and not path:
        return Reference(name, is_secret=True)
    if arguments is not None and name not in arguments:
        return Mistake("undeclared-variable", {"name": name})
    return Reference(name, _steps(path))


def _steps(path: str) -> tuple[str | int, ...]:
    return tuple(
        match[1] if match[1] is not None else int(match[2])
        for match in _STEP.finditer(path)
    )


class BareVariable(NamedTuple):
    """An argument or secret in braces without ``$``, such as ``{id}``; ``text`` includes them."""

    reference: Reference
    start: int
    end: int
    text: str
    inner: str

    @property
    def mistake(self) -> Mistake:
        """The mistake that it is in a URL."""
        reason = f"`{self.text}` is plain text, of which braces must be encoded"
        return Mistake("bad-url", {"reason": reason})


def bare_variables(
    text: str, arguments: Collection[str] | None, secrets: Collection[str]
) -> Iterator[BareVariable]:
    """Yield each name of a variable that stands in braces without ``$``."""
    for match in _BARE.finditer(text):
        inner = _inner(match)
        reference = _bare_reference(inner, arguments or (), secrets)
        if reference is not None:
            yield BareVariable(reference, match.start(), match.end(), match[0], inner)


def _bare_reference(
    inner: str, arguments: Collection[str], secrets: Collection[str]
) -> Reference | None:
    if inner in secrets or inner in arguments:
        return Reference(inner, is_secret=inner in secrets)
    match = _EXPRESSION.fullmatch(inner)
    if match is None or match["name"] not in arguments:
        return None
    return Reference(match["name"], _steps(match["path"]))


def with_marks(text: str) -> str:
    """Return a text with a ``$`` before its braces."""
    return _BARE.sub(lambda match: f"${{{_inner(match)}}}", text)


def _inner(match: re.Match[str]) -> str:
    """Return the text between the braces; between double braces, without surrounding space."""
    return match["one"] or match["two"].strip()


def unmarked(text: str, name: str) -> re.Match[str] | None:
    """Find a variable in the syntax of another language: ``{id}``, ``:id``."""
    if not name.strip():
        return None
    escaped = re.escape(name.strip())
    marks = "|".join(other_mark.format(escaped) for other_mark in _OTHER_MARKS)
    return re.search(marks, text)


def unmarked_mistake(text: str, name: str) -> Mistake:
    """Return the mistake for an unused argument in the syntax of another language."""
    return Mistake("unmarked-variable", {"text": text, "name": name})


def place_mistake(
    reference: Reference,
    kind: Kind,
    position: TemplatePosition,
    *,
    alone: bool,
    may_be_absent: bool,
) -> Mistake | None:
    """Return the mistake if a value is not allowed in its position, else None.

    ``alone``: the template has nothing else. ``may_be_absent``: there may be no value.
    """
    if reference.is_secret:
        return _unfit(reference, "a secret", position) if reference.style else None
    if not is_writable(reference.style, kind, position, alone=alone):
        return _unfit(reference, _described(kind), position)
    is_left_out = position is TemplatePosition.COOKIE or (
        alone and (reference.style == "file" or position in _OPTIONAL_ALONE)
    )
    if may_be_absent and not is_left_out:
        return Mistake(
            "may-be-absent", {"name": reference.name, "position": position.value}
        )
    return None


def _unfit(reference: Reference, noun: str, position: TemplatePosition) -> Mistake:
    values = {"name": reference.name, "what": noun, "position": position.phrase}
    if reference.style is None:
        return Mistake("value-not-plain", values)
    return Mistake("unfit-style", {**values, "style": reference.style})


def is_writable(
    style: str | None, kind: Kind, position: TemplatePosition, *, alone: bool
) -> bool:
    """Return whether a kind of value can be written in a style at a position."""
    match style:
        case "json":
            return position is not TemplatePosition.HOST
        case "deep":
            return alone and position is TemplatePosition.QUERY
        case "space" | "pipe" if position is TemplatePosition.QUESTION:
            return False
        case "file":
            is_part = alone and position is TemplatePosition.PART
            is_whole_body = alone and position is TemplatePosition.TEXT
            is_one = kind in ("plain", "any")
            return (is_one and is_whole_body) or (
                is_part and (is_one or kind == "list of plain")
            )
        case "comma" | "space" | "pipe":
            is_list = kind in ("list of plain", "any list", "any")
            return is_list and position is not TemplatePosition.HOST
        case _:
            is_whole_json = alone and position is TemplatePosition.BODY
            is_repeated = alone and position in (
                TemplatePosition.QUERY,
                TemplatePosition.PART,
            )
            return (
                is_whole_json
                or kind in ("plain", "any")
                or (is_repeated and kind == "list of plain")
            )


def _described(kind: Kind) -> str:
    """Return the words of a message for a kind."""
    match kind:
        case "list of plain" | "list" | "any list":
            return "a list"
        case "object":
            return "an object"
        case _:
            return "a plain value"
