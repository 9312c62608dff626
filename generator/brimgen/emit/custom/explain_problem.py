"""Explain a problem with a template at its place in the text of the author."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from jinja2 import Environment, TemplateNotFound, TemplateSyntaxError, nodes
from jinja2.utils import missing

from brimgen.diagnostics import Rule, Span, did_you_mean
from brimgen.diagnostics.rules import (
    OWN_TEMPLATE_SYNTAX,
    RAW_TEXT,
    TEMPLATE_FAILED,
    UNKNOWN_IN_TEMPLATE,
)
from brimgen.emit.custom.environment import NotThere, PrintedText
from brimgen.emit.custom.mistakes import TemplateMistake
from brimgen.emit.custom.positions import (
    expression_at,
    span_between,
    span_of_name,
    span_of_word,
)
from brimgen.model.templates import TemplateFile

_MOST_NAMED = 12
_FILTERS_BY_ENDING = {
    ".html": "html",
    ".json": "json",
    ".md": "md",
    ".py": "py",
    ".sql": "sql",
    ".ts": "ts",
    ".js": "ts",
}


class ProblemPlace:
    """The place of a problem: an offset in the template ``name``.

    ``names`` are those of all templates, to suggest from.
    """

    def __init__(
        self, name: str, file: TemplateFile, offset: int, names: Sequence[str]
    ) -> None:
        self._name, self._names, self._offset = name, names, max(offset, 0)
        self._path, self._text = file.path, file.text

    def explain(self, problem: Exception) -> TemplateMistake:
        """Return the mistake that explains ``problem``."""
        match problem:
            case TemplateMistake():
                return problem
            case TemplateSyntaxError():
                message = _sentence(problem.message or "")
                return TemplateMistake(
                    OWN_TEMPLATE_SYNTAX, self._word(), problem=message
                )
            case TemplateNotFound():
                return self._unknown_template(str(problem.name))
            case NotThere():
                return self._not_there(problem)
            case PrintedText():
                self._offset = problem.offset
                return self._raw(str(problem))
            case RecursionError():
                message = (
                    "it calls or includes itself without end, or is nested too deep"
                )
                return self._mistake(TEMPLATE_FAILED, problem=message)
            case SyntaxError():
                message = f"{problem.msg}; it is nested too deep"
                return self._mistake(TEMPLATE_FAILED, problem=message)
            case _:
                message = _sentence(str(problem)) or type(problem).__name__
                return self._mistake(TEMPLATE_FAILED, problem=message)

    def _mistake(self, rule: Rule, **values: str) -> TemplateMistake:
        return TemplateMistake(rule, self._expression(), **values)

    def _word(self) -> Span:
        return span_of_word(self._path, self._text, self._offset)

    def _expression(self) -> Span:
        """The whole expression between ``{{`` and ``}}``; elsewhere the word."""
        bounds = expression_at(self._text, self._offset)
        return (
            self._word()
            if bounds is None
            else span_between(self._path, self._text, *bounds)
        )

    def _span_of_name(self, name: str) -> Span:
        return span_of_name(self._path, self._text, self._offset, name)

    def _unknown_template(self, name: str) -> TemplateMistake:
        return TemplateMistake(
            UNKNOWN_IN_TEMPLATE,
            self._span_of_name(name),
            suggestions=did_you_mean(name, self._names),
            problem=f"there is no template `{name}`",
        )

    def _not_there(self, problem: NotThere) -> TemplateMistake:
        name, owner = problem.name, problem.owner
        if not name:
            return self._mistake(
                UNKNOWN_IN_TEMPLATE, problem=f"nothing is here: {why_nothing(problem)}"
            )
        if owner is missing:
            return TemplateMistake(
                UNKNOWN_IN_TEMPLATE,
                self._span_of_name(name),
                problem=f"there is no variable `{name}` here",
            )
        known = keys_of(owner)
        shown = ", ".join(known[:_MOST_NAMED])
        more = ", …" if len(known) > _MOST_NAMED else ""
        among = f": there are {shown}{more}" if known else ""
        return TemplateMistake(
            UNKNOWN_IN_TEMPLATE,
            self._span_of_name(name),
            suggestions=did_you_mean(name, known),
            problem=f"{_in_words(owner)} has no `{name}`{among}",
        )

    def _raw(self, kind: str) -> TemplateMistake:
        span = self._expression()
        bounds = expression_at(self._text, self._offset)
        near: tuple[str, ...] = ()
        if bounds is not None:
            expression = self._text[bounds[0] : bounds[1]]
            near = _filtered(expression, self._filter())
        return TemplateMistake(RAW_TEXT, span, suggestions=near, what=kind)

    def _filter(self) -> str:
        """The filter of the language that the template is named after."""
        stem = self._name.removesuffix(".j2")
        ending = stem[stem.rfind(".") :] if "." in stem else ""
        return _FILTERS_BY_ENDING.get(ending, "json")


def _filtered(expression: str, name: str) -> tuple[str, ...]:
    """Suggest ``expression`` with a filter for all of it; nothing if it has no valid syntax."""
    plain = f"{expression} | {name}"
    try:
        alone, filtered = _parsed(expression), _parsed(plain)
    except TemplateSyntaxError:
        return ()
    if isinstance(filtered, nodes.Filter) and filtered.node == alone:
        return (plain,)
    return (f"({expression}) | {name}",)


def _parsed(expression: str) -> nodes.Node:
    output = Environment(autoescape=True).parse(f"{{{{ {expression} }}}}").body[0]
    return cast(nodes.Output, output).nodes[0]


def why_nothing(problem: NotThere) -> str:
    """Explain why an expression without a name has no value, by the message of Jinja."""
    message = str(problem)
    if "sequence was empty" in message:
        return "the list is empty"
    return _sentence(message)


def keys_of(owner: object) -> tuple[str, ...]:
    """Return the keys or attributes of ``owner`` that a template can read."""
    if isinstance(owner, Mapping):
        keys = cast(Mapping[object, object], owner)
        return tuple(key for key in keys if isinstance(key, str))
    names = getattr(owner, "__dataclass_fields__", ())
    return tuple(name for name in names if not name.startswith("_"))


def _in_words(owner: object) -> str:
    match owner:
        case None:
            return "null"
        case str():
            return "a text"
        case bool() | int() | float():
            return "a number"
        case list() | tuple():
            return "a list"
        case Mapping():
            named = cast(Mapping[str, object], owner).get("name")
            return (
                f"the object of `{named}`" if isinstance(named, str) else "the object"
            )
        case _:
            return f"the view `{type(owner).__name__}`"


def _sentence(message: str) -> str:
    """Reword the message of a library as a part of our sentence."""
    message = message.strip().removesuffix(".").replace("'", "`")
    return message if message[1:2].isupper() else f"{message[:1].lower()}{message[1:]}"
