"""Read the variables of HTTP tools, as in ``${user.items[0].id}``, and check their names.

What a variable may be depends on where it stands: see `Place`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from brimgen.diagnostics import Diagnostics, Note, Span, did_you_mean
from brimgen.diagnostics.rules.resolve import http as rules
from brimgen.frozen import dataclass, field, replace
from brimgen.model.catalog import Entity
from brimgen.model.http import SEPARATORS, Literal, Template, Variable
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    Field,
    JsonType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)
from brimgen.resolve.http.value_styles import (
    STYLES,
    TemplatePosition,
    called,
    inner_type,
    is_writable,
)
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.places import span_within

_OPEN = re.compile(r"\$(\$?)\{")
_EXPRESSION = re.compile(
    r"(?P<name>[^.\[\]{}]+)(?P<path>(?:\.[^.\[\]{}]+|\[[0-9]{1,9}\])*)"
)
_SECRET = re.compile(r"[A-Z_][A-Z0-9_]*")
_STEP = re.compile(r"\.([^.\[\]]+)|\[([0-9]+)\]")


_OPTIONAL_ALONE = frozenset(
    {TemplatePosition.QUERY, TemplatePosition.HEADER, TemplatePosition.BODY}
)


@dataclass(slots=True)
class Variables:
    """The arguments and secrets that a request can name, and which of them it has named.

    ``fields`` None means that the arguments are not all known: then none is missed.
    """

    fields: Mapping[str, Field] | None
    secrets: Mapping[str, Span]
    entities: Mapping[str, Entity]
    diagnostics: Diagnostics
    used: set[str] = field(default_factory=set[str])

    def declares(self, name: str) -> bool:
        """Whether an argument that is known, or a secret, is called so."""
        return name in self.secrets or name in (self.fields or ())

    def read(self, node: ScalarNode, place: TemplatePosition) -> Template | None:
        """The template of a whole scalar; None where it is unsound, which is reported."""
        split = self.split(node)
        if split is None:
            return None
        pieces, sound = split
        return tuple(pieces) if sound and self.check(pieces, place) else None

    def split(self, node: ScalarNode) -> tuple[list[Literal | Variable], bool] | None:
        """The pieces of a text, not yet held against their place, and whether every variable has
        been found. A variable that is not, which is reported, stands there without a name; None
        where it is not even known how far one goes.
        """
        text = node.text
        pieces: list[Literal | Variable] = []
        literal, at, sound = "", 0, True
        while (opening := _OPEN.search(text, at)) is not None:
            literal += text[at : opening.start()]
            at = opening.end()
            if opening[1]:
                literal += "${"
                continue
            close = text.find("}", at)
            span = _span(node, opening.start(), close + 1 if close >= 0 else len(text))
            if close < 0:
                self.diagnostics.add(
                    rules.BAD_VARIABLE, span, text=text[opening.start() :]
                )
                return None
            variable = self._variable(text[at:close].strip(), span)
            sound = sound and variable is not None
            if literal:
                pieces.append(Literal(literal))
            pieces.append(variable or Variable("", span))
            literal, at = "", close + 1
        literal += text[at:]
        if literal:
            pieces.append(Literal(literal))
        return pieces, sound

    def _variable(self, text: str, span: Span) -> Variable | None:
        """The variable that a text names, and the style in which it is to be written."""
        base, bar, word = self._parted(text)
        style = STYLES.get(word.strip())
        is_known = self.fields is None and style is None
        if not bar or is_known or text in (self.fields or ()):
            return self._named(text, span)
        variable = self._named(base.strip(), span)
        if variable is not None and not word.strip():
            self.diagnostics.add(rules.BAD_VARIABLE, span, text=f"${{{text}}}")
            return None
        if variable is not None and style is None:
            words = [part.strip() for part in word.split("|")]
            suggestions = [x for each in words for x in did_you_mean(each, STYLES)]
            self.diagnostics.add(
                rules.UNKNOWN_STYLE,
                span,
                suggestions=suggestions,
                name=variable.name,
                style=word.strip(),
            )
            return None
        return variable and replace(variable, style=style)

    def _parted(self, text: str) -> tuple[str, str, str]:
        """A variable, the bar and its style. All behind the first bar is the style, unless a bar
        is part of the name of an argument.
        """
        parted = text.rpartition("|")
        match = _EXPRESSION.fullmatch(parted[0].strip())
        name = match["name"] if match is not None else parted[0].strip()
        is_name = self.fields is None or self.declares(name)
        return parted if is_name else text.partition("|")

    def _named(self, text: str, span: Span) -> Variable | None:
        match = _EXPRESSION.fullmatch(text)
        known = () if self.fields is None else tuple(self.fields)
        if match is None and text not in known:
            self.diagnostics.add(rules.BAD_VARIABLE, span, text=f"${{{text}}}")
            return None
        name, path = text, ""
        if match is not None and text not in known:
            name, path = match["name"], match["path"]
        if name in self.secrets and not path:
            self.used.add(name)
            return Variable(name, span, is_secret=True)
        if self.fields is not None and name not in self.fields:
            near = did_you_mean(name, [*known, *self.secrets])
            if not near and _SECRET.fullmatch(name):
                near = (f"secrets: [{name}]",)
            rule = rules.UNDECLARED_VARIABLE
            self.diagnostics.add(rule, span, suggestions=near, name=name)
            return None
        self.used.add(name)
        return Variable(name, span, _steps(path))

    def intended_variable(self, text: str, span: Span) -> Variable | None:
        """The variable that a text names which stands in braces without a `$`, if it does."""
        match = _EXPRESSION.fullmatch(text)
        if self.declares(text):
            return Variable(text, span, is_secret=text in self.secrets)
        if match is None or match["name"] not in (self.fields or ()):
            return None
        self.used.add(match["name"])
        return Variable(match["name"], span, _steps(match["path"]))

    def check(self, pieces: list[Literal | Variable], place: TemplatePosition) -> bool:
        """Whether every variable can stand in its place; what cannot is reported."""
        alone = len(pieces) == 1
        return not [piece for piece in pieces if not self._fits(piece, alone, place)]

    def _fits(
        self, piece: Literal | Variable, alone: bool, place: TemplatePosition
    ) -> bool:
        if isinstance(piece, Literal) or self.fields is None:
            return True
        if piece.is_secret:
            return piece.style is None or self._unfit(piece, "a secret", place, ())
        if not piece.name:
            return False
        given = self.fields[piece.name]
        notes = [Note(given.span, "declared here")]
        kind = self._member(piece, given.type)
        if kind is None:
            return False
        if not is_writable(piece.style, kind, place, alone=alone):
            return self._unfit(piece, called(kind), place, notes)
        if _may_be_absent(given) and not (alone and place in _OPTIONAL_ALONE):
            self.diagnostics.add(
                rules.MAY_BE_ABSENT,
                piece.span,
                notes=notes,
                name=piece.name,
                position=place.value,
            )
            return False
        if alone and place is TemplatePosition.PATH and _may_be_empty(piece, given):
            rule = rules.EMPTY_IN_PATH
            self.diagnostics.add(rule, piece.span, notes=notes, name=piece.name)
        return True

    def _unfit(
        self, piece: Variable, what: str, place: TemplatePosition, notes: Sequence[Note]
    ) -> bool:
        """Report a value that cannot be written where it stands; False."""
        rule = rules.NOT_PLAIN if piece.style is None else rules.UNFIT_STYLE
        self.diagnostics.add(
            rule,
            piece.span,
            notes=notes,
            name=piece.name,
            what=what,
            position=place.phrase,
            style=piece.style,
        )
        return False

    def _member(self, variable: Variable, kind: Type) -> Type | None:
        """The type that a path leads to; `JsonType` where nothing is known for certain."""
        name = variable.name
        for step in variable.path:
            below = self._step(inner_type(kind), step)
            if below is None:
                self.diagnostics.add(
                    rules.NO_SUCH_MEMBER, variable.span, name=name, member=step
                )
                return None
            kind = below
            name += f".{step}" if isinstance(step, str) else f"[{step}]"
        return kind

    def _step(self, kind: Type, step: str | int) -> Type | None:
        match kind:
            case JsonType():
                return JsonType()
            case ScalarType(scalar) if SCALARS[scalar].is_object:
                return JsonType()
            case ScalarType(scalar) if SCALARS[scalar].is_array and isinstance(
                step, int
            ):
                return JsonType()
            case ListType(item) if isinstance(step, int):
                return item
            case MapType(value) if isinstance(step, str):
                return value
            case EntityType(name):
                entity = self.entities.get(name)
                return _field(entity.fields, step) if entity else JsonType()
            case RecordType(_, fields):
                return _field(fields, step)
            case _:
                return None


def _steps(path: str) -> tuple[str | int, ...]:
    return tuple(
        match[1] if match[1] is not None else int(match[2])
        for match in _STEP.finditer(path)
    )


def _field(fields: tuple[Field, ...], step: str | int) -> Type | None:
    return next((each.type for each in fields if each.name == step), None)


def _may_be_absent(given: Field) -> bool:
    """Whether there may be no value: it is optional without a default, or null."""
    has_value = given.default is not None and given.default.value is not None
    return isinstance(given.type, NullableType) or not (given.required or has_value)


def _may_be_empty(piece: Variable, given: Field) -> bool:
    """Whether an argument is a list that is written as one text, maybe of no item."""
    if piece.style not in SEPARATORS or piece.path:
        return False
    return given.schema.get("type") == "array" and not given.schema.get("minItems")


def _span(node: ScalarNode, start: int, end: int) -> Span:
    return span_within(node, start, end) or node.span
