"""Read the URL of a request and the variables in it: names, styles and values.

What a variable may be depends on where it stands: see `TemplatePosition`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from brimgen.diagnostics import Diagnostics, Note, Span, did_you_mean, rules
from brimgen.frozen import dataclass, field, replace
from brimgen.model.catalog import Entity
from brimgen.model.http import (
    SEPARATORS,
    Literal,
    Style,
    Template,
    Url,
    Variable,
)
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
from brimgen.resolve.fields.types import kind_of, known_type
from brimgen.source.nodes import ScalarNode, span_within
from brimgen_runtime.grammar.hosts import Host, host_mistake, parse_host
from brimgen_runtime.grammar.rule_messages import Mistake
from brimgen_runtime.grammar.urls import NO_SCHEME, TO_ENCODE, UrlParts
from brimgen_runtime.grammar.urls import read_url as read_parts
from brimgen_runtime.grammar.variables import (
    STYLES,
    Hole,
    Reference,
    TemplatePosition,
    bare_variables,
    place_mistake,
    read_hole,
    split,
    with_marks,
)

_BEGINS_WITH_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::[0-9]+)?(?:/|\Z)")


def read_url(
    node: ScalarNode,
    variables: Variables,
    allowed: Sequence[Host] | None,
    diagnostics: Diagnostics,
) -> Url | None:
    """The URL, taken apart; None where it is not well formed or not allowed: all is reported.

    A literal host must be among ``allowed`` (None: they are not known for certain); a templated
    one is checked at run time.
    """
    split = variables.split(node)
    if split is None:
        return None
    pieces, sound = split
    if _report_bare_braces(node, variables, diagnostics):
        pieces, sound = list(_as_intended(pieces, variables, node.span)), False
    base, pieces = _base(pieces)
    reading = read_parts(
        [piece.text if isinstance(piece, Literal) else piece for piece in pieces]
    )
    for mistake in reading.mistakes:
        near = _suggested_urls(node.text, variables, mistake.values["reason"])
        diagnostics.add(rules.BAD_URL, node.span, suggestions=near, **mistake.values)
    if reading.parts is None:
        return None
    url = _url(reading.parts)
    if base is not None:
        url = replace(url, scheme="", authority=(base,))
    sound = _check_places(url, variables) and sound and not reading.reasons
    _check_secrets(pieces, diagnostics)
    if allowed is not None and not reading.is_host_bad and base is None:
        sound = _is_allowed(node, reading.parts, allowed, diagnostics) and sound
    return url if sound else None


def _base(
    pieces: list[Literal | Variable],
) -> tuple[Variable | None, list[Literal | Variable]]:
    """Return the secret that a URL begins with, and the pieces with a URL in its place.

    Such a secret holds scheme, host and the beginning of the path: the base URL of a service.
    """
    first = pieces[0] if pieces else None
    rest = pieces[1:]
    is_path = not rest or (isinstance(rest[0], Literal) and rest[0].text[:1] in "/?")
    if not (isinstance(first, Variable) and first.is_secret and is_path):
        return None, pieces
    return first, [Literal("https://base.invalid"), *rest]


def _report_bare_braces(
    node: ScalarNode, variables: Variables, diagnostics: Diagnostics
) -> bool:
    """Report arguments in braces that have no `$`; whether there are some."""
    reported = False
    for unmarked in bare_variables(node.text, variables.fields, variables.secrets):
        variables.named(unmarked.reference, node.span)
        span = span_within(node, unmarked.start, unmarked.end) or node.span
        near = (with_marks(unmarked.text),)
        values = unmarked.mistake.values
        diagnostics.add(rules.BAD_URL, span, suggestions=near, **values)
        reported = True
    return reported


def _as_intended(
    pieces: Iterable[Literal | Variable], variables: Variables, span: Span
) -> Iterator[Literal | Variable]:
    """Yield the pieces, with names in bare braces as variables, to find other mistakes too."""
    for piece in pieces:
        if isinstance(piece, Variable):
            yield piece
            continue
        at = 0
        for unmarked in bare_variables(piece.text, variables.fields, variables.secrets):
            if at < unmarked.start:
                yield Literal(piece.text[at : unmarked.start])
            yield variables.named(unmarked.reference, span)
            at = unmarked.end
        if at < len(piece.text):
            yield Literal(piece.text[at:])


def _suggested_urls(url: str, variables: Variables, reason: str) -> tuple[str, ...]:
    """What the URL was probably meant to be: with a scheme, or with a `$` before its braces."""
    marked = with_marks(url)
    if reason == NO_SCHEME:
        return (f"https://{marked}",) if _BEGINS_WITH_HOST.match(url) else ()
    is_why = reason == TO_ENCODE and variables.fields is None
    return (marked,) if is_why and marked != url else ()


def host_of(text: str) -> tuple[str, ...]:
    """The host of a URL, if it has one."""
    host = (text.partition("://")[2] or text).partition("/")[0]
    return (host,) if parse_host(host) else ()


def _url(parts: UrlParts[Variable]) -> Url:
    return Url(
        parts.scheme,
        _template(parts.authority),
        tuple(map(_template, parts.path)),
        tuple((name, _template(value)) for name, value in parts.query),
    )


def _template(pieces: Iterable[str | Variable]) -> Template:
    return tuple(
        Literal(piece) if isinstance(piece, str) else piece for piece in pieces
    )


def _check_places(url: Url, variables: Variables) -> bool:
    places = [(url.authority, TemplatePosition.HOST)]
    places += [(segment, TemplatePosition.PATH) for segment in url.segments]
    places += [(template, TemplatePosition.QUERY) for _, template in url.query]
    sound = [variables.check([*template], place) for template, place in places]
    return all(sound)


def _check_secrets(
    pieces: Iterable[Literal | Variable], diagnostics: Diagnostics
) -> None:
    for piece in pieces:
        if isinstance(piece, Variable) and piece.is_secret:
            diagnostics.add(rules.SECRET_IN_URL, piece.span, name=piece.name)


def _is_allowed(
    node: ScalarNode,
    parts: UrlParts[Variable],
    allowed: Sequence[Host],
    diagnostics: Diagnostics,
) -> bool:
    mistake = host_mistake(parts.scheme, parts.host, allowed)
    if mistake is None:
        return True
    lacks_list = parts.host is not None and not allowed
    near = (f"allowedHosts: [{parts.host}]",) if lacks_list else ()
    diagnostics.add(
        rules.HOST_NOT_ALLOWED, node.span, suggestions=near, **mistake.values
    )
    return False


_SECRET = re.compile(r"[A-Z_][A-Z0-9_]*")
_RULES = {
    rule.reason: rule
    for rule in (
        rules.BAD_VARIABLE,
        rules.UNDECLARED_VARIABLE,
        rules.UNKNOWN_STYLE,
        rules.VALUE_NOT_PLAIN,
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
            rule = _RULES[outcome.reason]
            self.diagnostics.add(rule, span, suggestions=near, **outcome.values)
            return None
        return self.named(outcome, span)

    def _near(self, mistake: Mistake) -> Sequence[str]:
        """Suggest what the author of a mistake may have meant."""
        if mistake.reason == rules.UNKNOWN_STYLE.reason:
            words = [part.strip() for part in str(mistake.values["style"]).split("|")]
            return [near for word in words for near in did_you_mean(word, STYLES)]
        if mistake.reason != rules.UNDECLARED_VARIABLE.reason:
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
            rule = _RULES[mistake.reason]
            self.diagnostics.add(rule, piece.span, notes=notes, **mistake.values)
            return False
        if argument is None:
            return True
        if alone and place is TemplatePosition.PATH and _may_be_empty(piece, argument):
            rule = rules.EMPTY_LIST_IN_PATH
            self.diagnostics.add(rule, piece.span, notes=notes, name=piece.name)
        return True

    def _member(self, variable: Variable, kind: Type) -> Type | None:
        """The type that a path leads to; `JsonType` where nothing is known for certain."""
        name = variable.name
        for step in variable.path:
            member = self._step(known_type(kind), step)
            if member is None:
                self.diagnostics.add(
                    rules.NO_SUCH_MEMBER, variable.span, name=name, member=step
                )
                return None
            kind = member
            name += f".{step}" if isinstance(step, str) else f"[{step}]"
        return kind

    def _step(self, kind: Type | None, step: str | int) -> Type | None:
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
