"""Complete the declaration of an SQL tool from the schema of its database.

``returns: rows``, ``row``, ``row?`` and ``count`` become what the author would have written, and so
do arguments without a type. Nothing is guessed: what the schema does not say is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from brimgen.diagnostics import Diagnostics, Note, Span, TextBlock, rules
from brimgen.frozen import dataclass, replace
from brimgen.model.project import Connection
from brimgen.resolve.index import Index
from brimgen.resolve.tools.ready import connection_of, needs_schema, row_word, untyped
from brimgen.resolve.tools.sql import texts_of
from brimgen.source.nodes import Entry, ListNode, ScalarNode, Text
from brimgen.sql import DIALECTS, scan
from brimgen.sql.known_schema import KnownSchema, known_schema
from brimgen.sql.model import (
    Inferred,
    InferredColumn,
    InferredParameter,
    Place,
    Unreadable,
)
from brimgen.sql.spec_types import SpecType, agreed, spec_type
from brimgen.syntax.decls import (
    ArgumentsDecl,
    FieldDecl,
    ReturnsDecl,
    ToolDecl,
    TypeText,
)


def complete(
    decl: ToolDecl,
    index: Index,
    connections: Mapping[str, Connection],
    diagnostics: Diagnostics,
) -> ToolDecl:
    """Return the declaration with its types; what is not known is reported."""
    if not needs_schema(decl, index):
        return decl
    connection = connections.get(connection_of(decl))
    if connection is None or decl.body is None:
        return _without_rows(decl, index)
    schema = known_schema(connection)
    word = row_word(decl, index)
    if schema is None:
        if word and decl.returns is not None:
            diagnostics.add(
                rules.ROWS_WITHOUT_SCHEMA,
                decl.returns.span,
                word=word,
                connection=connection_of(decl),
            )
        return _without_rows(decl, index)
    known = known_of(decl, schema, connection.dialect)
    if known.text is None:
        return _without_rows(decl, index)
    completion = _Completion(decl, known.text, known, diagnostics)
    decl = replace(decl, arguments=completion.arguments())
    return replace(decl, returns=completion.returns(word)) if word else decl


class Known(NamedTuple):
    """What all texts of a statement give and take, and the text that its places are in.

    There is no text where the choices of the statement are wrong. ``differs`` is whether its texts
    give different columns.
    """

    text: TextBlock | None
    inferred: Inferred
    differs: bool = False


def known_of(decl: ToolDecl, schema: KnownSchema, dialect: str) -> Known:
    """Return what the schema says of a statement with all its choices and pages."""
    texts = texts_of(decl)
    known = [schema.infer(scan(text.text, DIALECTS[dialect])) for text in texts]
    if not known:
        return Known(None, Inferred())
    common = agreed(known)
    pairs = zip(texts, known, strict=True)
    unreadable = (text for text, answer in pairs if answer.unreadable is not None)
    differs = common.columns is None and all(
        answer.columns is not None for answer in known
    )
    return Known(next(unreadable, texts[0]), common, differs)


def _without_rows(decl: ToolDecl, index: Index) -> ToolDecl:
    """Return the declaration with a refused ``returns``, whose word is no type."""
    if decl.returns is None or not row_word(decl, index):
        return decl
    return replace(decl, returns=ReturnsDecl(span=decl.returns.span))


@dataclass(frozen=True, slots=True)
class _Completion:
    """What the schema says of one tool."""

    decl: ToolDecl
    body: TextBlock
    known: Known
    diagnostics: Diagnostics

    @property
    def inferred(self) -> Inferred:
        """What the statement gives and takes."""
        return self.known.inferred

    def arguments(self) -> ArgumentsDecl | None:
        """The arguments, with the types of the columns that they are used for."""
        content = self.decl.arguments
        untyped_names = {*untyped(self.decl)}
        if content is None or not untyped_names:
            return content
        fields = tuple(
            self._argument(field) if field.name.value in untyped_names else field
            for field in content.fields
        )
        return replace(content, fields=fields)

    def _argument(self, field: FieldDecl) -> FieldDecl:
        parameter = self.inferred.parameters.get(field.name.value)
        type = None if parameter is None else spec_type(parameter.type)
        if parameter is None or type is None:
            unreadable = self.inferred.unreadable
            self.diagnostics.add(
                rules.ARGUMENT_UNKNOWN,
                field.name.span,
                notes=self._uses(parameter),
                name=field.name.value,
                why="" if unreadable is None else f": {_why_unreadable(unreadable)}",
            )
            return replace(field, sound=False)
        type = type._replace(is_list=type.is_list or parameter.is_list)
        optional = parameter.nullable is True and "default" not in field.attributes
        return _typed(field, type, optional=optional)

    def _uses(self, parameter: InferredParameter | None) -> list[Note]:
        """Where an argument is used, or else where the statement cannot be read."""
        unreadable = self.inferred.unreadable
        if parameter is not None and parameter.places:
            return [Note(self.body.span_at(*parameter.places[0]), "it is used here")]
        if unreadable is None or unreadable.place is None:
            return []
        return [Note(self.body.span_at(*unreadable.place), "it is read up to here")]

    def returns(self, word: str) -> ReturnsDecl:
        """What ``returns`` would say if the author had written it out."""
        returns_decl = self.decl.returns
        assert returns_decl is not None and returns_decl.type is not None
        refused = ReturnsDecl(span=returns_decl.span)
        if word == "count" and self.inferred.unreadable is None:
            if self.inferred.gives_rows is not False:
                self.diagnostics.add(rules.COUNT_OF_ROWS, returns_decl.span)
                return refused
            return replace(
                returns_decl, type=TypeText("int", False, False, returns_decl.span)
            )
        columns = self.inferred.columns
        if self.inferred.findings:
            # They are reported when statements are judged, and say what is unknown, too.
            return replace(self, diagnostics=Diagnostics())._rows(word, columns)
        return self._rows(word, columns)

    def _rows(
        self, word: str, columns: tuple[InferredColumn, ...] | None
    ) -> ReturnsDecl:
        returns_decl = self.decl.returns
        assert returns_decl is not None and returns_decl.type is not None
        refused = ReturnsDecl(span=returns_decl.span)
        if columns is None:
            self.diagnostics.add(
                rules.ROWS_UNKNOWN,
                returns_decl.span,
                notes=self._uses(None),
                word=word,
                why=_why_no_columns(self.known),
            )
            return refused
        overridden = (
            {} if returns_decl.content is None else _by_name(returns_decl.content)
        )
        fields = [
            overridden.pop(column.name, None) or self._field(column, returns_decl.span)
            for column in columns
        ]
        for name, extra in overridden.items():
            self.diagnostics.add(rules.NO_SUCH_COLUMN, extra.name.span, name=name)
        if None in fields or overridden:
            return refused
        unique = {
            field.name.value: _required(field) for field in fields if field is not None
        }
        return ReturnsDecl(
            span=returns_decl.span,
            description=returns_decl.description,
            content=ArgumentsDecl(
                span=returns_decl.span, fields=tuple(unique.values())
            ),
            is_list=word == "rows",
            is_optional=word == "row" and returns_decl.type.is_optional,
        )

    def _field(self, column: InferredColumn, at: Span) -> FieldDecl | None:
        """Return the field of a column; None, and a report, if its name or its type is unknown."""
        place = self.body.span_at(*_within(column.place, self.body))
        if not column.name:
            self.diagnostics.add(rules.COLUMN_WITHOUT_NAME, place)
            return None
        type = spec_type(column.type)
        if type is None:
            native = "" if column.type is None else f" (`{column.type.native}`)"
            self.diagnostics.add(
                rules.COLUMN_UNKNOWN,
                place,
                notes=[Note(at, "declare it here")],
                name=column.name,
                native=native,
            )
            return None
        field = FieldDecl(name=Text(column.name, place), type=None)
        return _typed(field, type, optional=column.nullable is not False)


def _by_name(content: ArgumentsDecl) -> dict[str, FieldDecl]:
    return {field.name.value: field for field in content.fields}


def _within(place: Place, body: TextBlock) -> Place:
    """A place of a statement; the first word where the column has none of its own."""
    if place.end > place.start:
        return place
    return Place(0, min(len(body.text), 6))


def _why_unreadable(unreadable: Unreadable) -> str:
    if unreadable.place is None:
        return unreadable.reason
    return f"the statement cannot be read: {unreadable.reason}"


def _why_no_columns(known: Known) -> str:
    inferred = known.inferred
    if inferred.unreadable is not None:
        return _why_unreadable(inferred.unreadable)
    if known.differs:
        return "its choices give different columns"
    if inferred.gives_rows is False:
        return "the statement returns none"
    return "its columns are not known"


def _required(field: FieldDecl) -> FieldDecl:
    """The field of a column, which a row has, also where it is NULL."""
    key = ScalarNode(field.name.span, "required", "required")
    entry = Entry(key, ScalarNode(field.name.span, "true", True))
    given = {} if "default" in field.attributes else {"required": entry}
    return replace(field, attributes={**given, **field.attributes})


def _typed(field: FieldDecl, type: SpecType, *, optional: bool) -> FieldDecl:
    """The field with a type, and with the labels of an enum."""
    span = field.name.span
    attributes = dict(field.attributes)
    if type.labels and "enum" not in attributes:
        labels = [ScalarNode(span, label, label, True) for label in type.labels]
        key = ScalarNode(span, "enum", "enum")
        attributes["enum"] = Entry(key, ListNode(span, tuple(labels)))
    text = TypeText(type.word, type.is_list, optional, span)
    return replace(field, type=text, attributes=attributes)
