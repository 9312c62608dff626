"""Read the variables of HTTP tools, as in ``${user.items[0].id}``, and check their names.

What a variable may be depends on where it stands: see `TemplatePosition`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from brimgen.diagnostics import Diagnostics, Note, Span, did_you_mean
from brimgen.diagnostics.rules.resolve import http as rules
from brimgen.frozen import dataclass, field
from brimgen.model.catalog import Entity
from brimgen.model.http import SEPARATORS, Literal, Style, Template, Variable
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
from brimgen.resolve.http.value_styles import inner_type, kind_of
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.places import span_within
from brimgen_runtime.store.rule_messages import Mistake
from brimgen_runtime.store.variables import (
    STYLES,
    Hole,
    Reference,
    TemplatePosition,
    place_mistake,
    read_hole,
    split,
)

_SECRET = re.compile(r"[A-Z_][A-Z0-9_]*")
_RULES = {
    rule.code: rule
    for rule in (
        rules.BAD_VARIABLE,
        rules.UNDECLARED_VARIABLE,
        rules.UNKNOWN_STYLE,
        rules.NOT_PLAIN,
        rules.UNFIT_STYLE,
        rules.MAY_BE_ABSENT,
    )
}


@dataclass(slots=True)
class Variables:
    """The arguments and secrets that a request can name, and which of them it has named.

    ``fields`` None means that the arguments are not all known: none is reported as undeclared.
    """

    fields: Mapping[str, Field] | None
    secrets: Mapping[str, Span]
    entities: Mapping[str, Entity]
    diagnostics: Diagnostics
    used: set[str] = field(default_factory=set[str])

    def read(self, node: ScalarNode, place: TemplatePosition) -> Template | None:
        """The template of a whole scalar; None where it is unsound, which is reported."""
        split = self.split(node)
        if split is None:
            return None
        pieces, sound = split
        return tuple(pieces) if sound and self.check(pieces, place) else None

    def split(self, node: ScalarNode) -> tuple[list[Literal | Variable], bool] | None:
        """Return the pieces of a text, not yet checked for their place, and whether all are sound.

        An unknown variable is reported, and becomes one without a name. Returns None if the end of
        a variable is missing.
        """
        pieces: list[Literal | Variable] = []
        sound = True
        for part in split(node.text):
            if isinstance(part, str):
                pieces.append(Literal(part))
                continue
            span = _span(node, part.start, part.end)
            variable = self._variable(part, span)
            if not part.is_closed:
                return None
            sound = sound and variable is not None
            pieces.append(variable or Variable("", span))
        return pieces, sound

    def _variable(self, hole: Hole, span: Span) -> Variable | None:
        """The variable that a place names; None where it names none, which is reported."""
        outcome = read_hole(hole, self.fields, self.secrets)
        if isinstance(outcome, Mistake):
            near = self._near(outcome)
            rule = _RULES[outcome.code]
            self.diagnostics.add(rule, span, suggestions=near, **outcome.values)
            return None
        return self.named(outcome, span)

    def _near(self, mistake: Mistake) -> Sequence[str]:
        """Suggest what the author of a mistake may have meant."""
        if mistake.code == rules.UNKNOWN_STYLE.code:
            words = [part.strip() for part in str(mistake.values["style"]).split("|")]
            return [near for word in words for near in did_you_mean(word, STYLES)]
        if mistake.code != rules.UNDECLARED_VARIABLE.code:
            return ()
        name = str(mistake.values["name"])
        near = did_you_mean(name, [*(self.fields or ()), *self.secrets])
        is_secret = not near and _SECRET.fullmatch(name)
        return (f"secrets: [{name}]",) if is_secret else near

    def named(self, reference: Reference, span: Span) -> Variable:
        """The variable that was found at ``span``, which is now used."""
        self.used.add(reference.name)
        style = None if reference.style is None else Style(reference.style)
        return Variable(
            reference.name, span, reference.path, reference.is_secret, style
        )

    def check(self, pieces: list[Literal | Variable], place: TemplatePosition) -> bool:
        """Whether every variable can stand in its place; what cannot is reported."""
        alone = len(pieces) == 1
        return not [piece for piece in pieces if not self._fits(piece, alone, place)]

    def _fits(
        self, piece: Literal | Variable, alone: bool, place: TemplatePosition
    ) -> bool:
        if isinstance(piece, Literal) or self.fields is None:
            return True
        if not piece.name:
            return False
        argument = None if piece.is_secret else self.fields[piece.name]
        kind = None if argument is None else self._member(piece, argument.type)
        if argument is not None and kind is None:
            return False
        mistake = place_mistake(
            Reference(piece.name, piece.path, piece.is_secret, piece.style),
            "plain" if kind is None else kind_of(kind),
            place,
            alone=alone,
            may_be_absent=argument is not None and _may_be_absent(argument),
        )
        notes = [] if argument is None else [Note(argument.span, "declared here")]
        if mistake is not None:
            rule = _RULES[mistake.code]
            self.diagnostics.add(rule, piece.span, notes=notes, **mistake.values)
            return False
        if argument is None:
            return True
        if alone and place is TemplatePosition.PATH and _may_be_empty(piece, argument):
            rule = rules.EMPTY_IN_PATH
            self.diagnostics.add(rule, piece.span, notes=notes, name=piece.name)
        return True

    def _member(self, variable: Variable, kind: Type) -> Type | None:
        """The type that a path leads to; `JsonType` where nothing is known for certain."""
        name = variable.name
        for step in variable.path:
            member = self._step(inner_type(kind), step)
            if member is None:
                self.diagnostics.add(
                    rules.NO_SUCH_MEMBER, variable.span, name=name, member=step
                )
                return None
            kind = member
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


def _field(fields: tuple[Field, ...], step: str | int) -> Type | None:
    return next((member.type for member in fields if member.name == step), None)


def _may_be_absent(argument: Field) -> bool:
    """Whether there may be no value: it is optional without a default, or null."""
    has_value = argument.default is not None and argument.default.value is not None
    return isinstance(argument.type, NullableType) or not (
        argument.required or has_value
    )


def _may_be_empty(piece: Variable, argument: Field) -> bool:
    """Whether an argument is a list that is written as one text, maybe of no item."""
    if piece.style not in SEPARATORS or piece.path:
        return False
    return argument.schema.get("type") == "array" and not argument.schema.get(
        "minItems"
    )


def _span(node: ScalarNode, start: int, end: int) -> Span:
    return span_within(node, start, end) or node.span
