"""Import the queries of sqlc and aiosql as tools, and the tables of DDL as entities.

With a schema, arguments and results get the types of its columns. Without one they have none:
`primitive`, and objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import starmap

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import (
    IMPORT_QUERY_NOT_KEPT,
    IMPORT_QUERY_REFUSED,
    IMPORT_QUERY_RENAMED,
)
from brimgen.frozen import dataclass, replace
from brimgen.importers.draft import Draft
from brimgen.importers.names import snake_case, tool_name
from brimgen.importers.sql.placeholders import (
    NamedQuery,
    body,
    with_embedded,
    with_names,
)
from brimgen.model.json import Json
from brimgen.model.project import SchemaFile
from brimgen.sql import DIALECTS, Statement, Token, TokenKind, scan
from brimgen.sql.model import (
    Column,
    ColumnType,
    Inferred,
    InferredColumn,
    Schema,
    Table,
)
from brimgen.sql.spec_types import spec_type

NAMES: Mapping[str, str] = {
    "sqlc": "queries of sqlc (-- name: GetAuthor :one)",
    "aiosql": "queries of aiosql (-- name: get_author^)",
    "tables": "CREATE TABLE statements",
}
_HEADER = re.compile(
    r"^[ \t]*(?:--|#|/\*)[ \t]*name:[ \t]*(?P<name>[\w-]+)(?:\([^)\n]*\))?"
    r"(?:[ \t]*:(?P<command>\w+)|[ \t]*(?P<mark><!|\*!|!|\^|\$|#)?)[ \t]*(?:\*/)?[ \t]*$",
    re.MULTILINE,
)
_COMMENT_MARKS = re.compile(r"\A(?:--|#|//|/\*)|\*/\Z|^[ \t]*\*(?=\s)", re.MULTILINE)
_DIRECTIVE = re.compile(r"(?P<name>record_class)[ \t]*:|@[\w-]+")
"""What a comment tells aiosql (the class of its rows) or sqlc (``@sqlc-vet-disable``)."""
_COMMANDS = {"^": "one?", "$": "value", "!": "execrows", "<!": "insert", "*!": "many!"}
_DONE_DIFFERENTLY = {
    "execresult": "the result of the driver is not returned",
    "execlastid": "the id is not returned: add RETURNING",
    "many!": "a call changes by one set of arguments",
    **dict.fromkeys(
        ("batchexec", "batchone", "batchmany"), "a call runs it once, not as a batch"
    ),
}


@dataclass(frozen=True, slots=True)
class SqlFiles:
    """Texts of SQL files by their names, in one dialect, and of the DDL files that they rely on.

    ``connection`` is the connection of the queries; "" means the default one. Names of tools and
    entities begin with ``prefix``.
    """

    files: Mapping[str, str]
    tables: Mapping[str, str]
    dialect: str
    connection: str = ""
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A file of SQL: its name, text and dialect, and the schema that its queries use."""

    name: str
    text: str
    dialect: str
    schema: Schema | None
    rows: RowShapes
    prefix: str = ""


class RowShapes:
    """The entities of rows: queries that return the same columns of the same tables share one.

    Whole rows of a table are named after it (``authors``: ``Author``), others after the first query
    that returns them.
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._names: dict[str, str] = {}

    def entity(
        self, columns: Sequence[InferredColumn], tool: str
    ) -> tuple[str, list[dict[str, Json]]]:
        """Return the name of the entity of a row, and the entity itself if it is a new one."""
        origins = {
            column.origin.table.name if column.origin else "": column.origin
            for column in columns
        }
        (origin,) = origins.values() if len(origins) == 1 else (None,)
        name = f"{_class_name(tool)}Row"
        if origin is not None and _is_whole(columns, origin.table):
            return self.whole(origin.table, name)
        return self._shared(name, _fields(columns), origins)

    def whole(self, table: Table, otherwise: str) -> tuple[str, list[dict[str, Json]]]:
        """Return the same of the rows of a table; ``otherwise`` is for a name that is taken."""
        name = _class_name(self._prefix, _singular(table.name))
        is_taken = name in self._names.values()
        fields = _fields(table.columns)
        return self._shared(otherwise if is_taken else name, fields, [table.name])

    def _shared(
        self, name: str, fields: dict[str, Json], tables: Iterable[str]
    ) -> tuple[str, list[dict[str, Json]]]:
        shape = repr((fields, sorted(tables)))
        if shape in self._names:
            return self._names[shape], []
        self._names[shape] = name
        return name, [{"type": "entity", "name": name, "fields": fields}]

    def embedding(
        self, columns: Sequence[InferredColumn], tables: Sequence[str]
    ) -> tuple[dict[str, Json], list[dict[str, Json]]]:
        """Return the fields of a row in which ``tables`` are entities, and those that are new."""
        fields: dict[str, Json] = {}
        entities: list[dict[str, Json]] = []
        for table in tables:
            own = [
                (column, column.origin)
                for column in columns
                if column.name.startswith(f"{table}_") and column.origin is not None
            ]
            for _, origin in own[:1]:
                name, new = self.whole(origin.table, _class_name(table))
                # An outer join makes NULL of what never is.
                is_optional = any(
                    column.nullable is not False and each.column.nullable is False
                    for column, each in own
                )
                fields[table] = {"type": f"{name}{'?' * is_optional}", "embed": True}
                entities += new
            taken = {column.name for column, _ in own}
            columns = [column for column in columns if column.name not in taken]
        return fields | _fields(columns), entities


def _is_whole(columns: Sequence[InferredColumn], table: Table) -> bool:
    """Whether columns are those of a table, each as it is there or never NULL."""
    return len(columns) == len(table.columns) and all(
        one.name == other.name
        and one.type == other.type
        and (one.nullable is False or other.nullable is not False)
        for one, other in zip(columns, table.columns, strict=True)
    )


def _fields(columns: Iterable[Column | InferredColumn]) -> dict[str, Json]:
    return {
        column.name: _result_field(column.type, nullable=column.nullable)
        for column in columns
    }


def _singular(name: str) -> str:
    """The singular of a plural that only has an ``s`` more; any other name as it is."""
    is_plural = re.fullmatch(r"\w*[^seiu]s", name.lower()) is not None
    return name[:-1] if is_plural else name


def is_queries(text: str) -> bool:
    """Whether a file has queries with names."""
    return _HEADER.search(text) is not None


def read(files: SqlFiles, diagnostics: Diagnostics) -> Iterator[Draft]:
    """Read the queries of files, and the tables of files without queries.

    The tables of a file without queries are entities of their own.
    """
    from brimgen.sql.ddl.read_ddl import read_ddl

    texts = {name: text.replace("\r\n", "\n") for name, text in files.files.items()}
    definitions = {
        **{name: text for name, text in texts.items() if not is_queries(text)},
        **files.tables,
    }
    schema = (
        read_ddl(
            tuple(starmap(SchemaFile, definitions.items())), files.dialect, diagnostics
        )
        if definitions
        else None
    )
    rows = RowShapes(files.prefix)
    for name, text in texts.items():
        source = Source(name, text, files.dialect, schema, rows, files.prefix)
        if is_queries(text):
            for draft in _queries(source, diagnostics):
                yield _on_connection(draft, files.connection)
        else:
            yield from _tables(source)


def _on_connection(draft: Draft, connection: str) -> Draft:
    """Return a tool with the connection that its statement runs on."""
    if not connection or draft.kind != "tool":
        return draft
    document = {**draft.document}
    sql = document.pop("sql")
    return replace(draft, document={**document, "connection": connection, "sql": sql})


def _queries(source: Source, diagnostics: Diagnostics) -> Iterator[Draft]:
    """Read the queries of a file; tell once that their names change."""
    text, dialect = source.text, source.dialect
    headers = [*_HEADER.finditer(text)]
    ends = [header.start() for header in headers[1:]] + [len(text)]
    renamed: list[tuple[Span, str, str]] = []
    above = scan(text[: headers[0].start()], DIALECTS[dialect])
    for header, end in zip(headers, ends, strict=True):
        statement = scan(text[header.end() : end], DIALECTS[dialect])
        comments = [*_comments_at_end(above), *_comments_at_start(statement)]
        above = statement
        for draft in _query(source, header, statement, comments, diagnostics):
            query = draft.document.get("x-name")
            if isinstance(query, str):
                renamed.append((draft.span, query, draft.name))
            yield draft
    for span, query, tool in renamed[:1]:
        others = len(renamed) - 1
        verb = "name changes" if others == 1 else "names change"
        more = f", and {others} more {verb}" if others else ""
        diagnostics.add(IMPORT_QUERY_RENAMED, span, name=query, tool=tool, more=more)


def _span(source: Source, start: int, end: int) -> Span:
    line = source.text.count("\n", 0, start) + 1
    column = start - source.text.rfind("\n", 0, start)
    return Span(source.name, line, column, line, column + end - start)


def _comments_at_start(statement: Statement) -> Iterator[Token]:
    """The comments below the name of a query, before its statement."""
    for piece in statement.pieces:
        if piece.kind is not TokenKind.COMMENT:
            return
        yield piece


def _comments_at_end(statement: Statement) -> Sequence[Token]:
    """The comments above the name of the next query: each on lines of its own, without a gap."""
    comments: list[Token] = []
    end = len(statement.text)
    for piece in reversed(statement.pieces):
        gap = statement.text[piece.end : end]
        line = statement.text[: piece.start].rpartition("\n")[2]
        is_next = gap.count("\n") <= 1 and not gap.strip() and not line.strip()
        if piece.kind is not TokenKind.COMMENT or not is_next:
            break
        comments.insert(0, piece)
        end = piece.start
    return comments


def _description(comments: Iterable[Token]) -> tuple[str, str]:
    """Return what comments say, and the directive among them whose effect is not kept."""
    said: list[str] = []
    lost = ""
    for comment in comments:
        for line in _COMMENT_MARKS.sub("", comment.text).splitlines():
            directive = _DIRECTIVE.match(line.strip())
            if directive is not None:
                lost = directive["name"] or lost
            elif re.search(r"\w", line):
                said.append(line.strip())
    return " ".join(said), lost


def _query(
    source: Source,
    header: re.Match[str],
    statement: Statement,
    comments: Iterable[Token],
    diagnostics: Diagnostics,
) -> Iterator[Draft]:
    name, span = header["name"], _span(source, header.start("name"), header.end("name"))
    command = header["command"] or _COMMANDS.get(header["mark"] or "", "many")
    whole = scan(body(statement), statement.dialect)
    text, embedded = with_embedded(whole, partial(_columns_of, source.schema, whole))
    query = with_names(scan(text, statement.dialect))
    inferred = _infer(source, query.text)
    reason = _refusal(command, header["mark"], query) or _repeated_column(inferred)
    if reason:
        diagnostics.add(IMPORT_QUERY_REFUSED, span, name=name, reason=reason)
        return
    notices = [_DONE_DIFFERENTLY[command]] if command in _DONE_DIFFERENTLY else []
    command = command.removeprefix("batch")
    tool = _tool_name(f"{source.prefix}_{name}" if source.prefix else name)
    document: dict[str, Json] = {"type": "sql_function", "name": tool}
    if tool != name.replace("-", "_"):
        document["x-name"] = name
    description, directive = _description(comments)
    if directive:
        notices.append(f"`{directive}` is not kept: rows have a class of their own")
    document |= {"description": description} if description else {}
    arguments = _arguments(query, inferred, source.schema)
    document |= {"arguments": {"inline": arguments}} if arguments else {}
    returns, entities = _returns(command, tool, inferred, source.rows, embedded)
    for entity in entities:
        yield Draft(str(entity["name"]), span, entity)
    document |= {} if returns is None else {"returns": returns}
    unknown = [
        argument for argument, field in arguments.items() if "primitive" in str(field)
    ]
    if unknown:
        shown = ", ".join(f"`{argument}`" for argument in unknown)
        notices.append(f"the type of {shown} is not known")
    for notice in notices:
        diagnostics.add(IMPORT_QUERY_NOT_KEPT, span, name=name, what=notice)
    sql = f"{query.text}\n" if "\n" in query.text else query.text
    yield Draft(tool, span, {**document, "sql": sql})


def _tool_name(query: str) -> str:
    """The name of a query as tools are named: in snake_case, and cut where it is long."""
    named = snake_case(query) if query != query.lower() else query.replace("-", "_")
    return tool_name(named) or query


def _refusal(command: str, mark: str | None, query: NamedQuery) -> str:
    if mark == "#":
        return "it is a script of several statements"
    if query.embedded:
        table = query.embedded[0]
        return f"the columns of `sqlc.embed({table})` are not known: give its tables"
    if not query.text.strip():
        return "it has no statement"
    return ""


def _columns_of(
    schema: Schema | None, statement: Statement, name: str
) -> tuple[str, ...]:
    """The columns of a table that a statement names, or has under an alias; () if not known."""
    if schema is None:
        return ()
    tokens = statement.significant
    for at, token in enumerate(tokens):
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if at == 0 or following == "." or token.folded != name.casefold():
            continue
        is_alias = tokens[at - 1].word == "AS"
        for source in (tokens[at - 2] if is_alias else tokens[at - 1], token):
            table = schema.tables.get(source.folded)
            if table is not None:
                return tuple(column.name for column in table.columns)
    return ()


def _repeated_column(inferred: Inferred | None) -> str:
    names = [column.name for column in (inferred and inferred.columns) or ()]
    repeated = next((name for name in names if names.count(name) > 1), None)
    return f"two columns are called `{repeated}`: give one an alias" if repeated else ""


def _infer(source: Source, text: str) -> Inferred | None:
    if source.schema is None:
        return None
    from brimgen.sql.infer import infer

    inferred = infer(scan(text, DIALECTS[source.dialect]), source.schema)
    return inferred if inferred.unreadable is None else None


def _arguments(
    query: NamedQuery, inferred: Inferred | None, schema: Schema | None
) -> dict[str, Json]:
    """Return the arguments, typed by the columns that they are compared with or stored in."""
    arguments: dict[str, Json] = {}
    for name in query.names:
        parameter = None if inferred is None else inferred.parameters.get(name)
        is_optional = name in query.nullable or (
            parameter is not None and parameter.nullable is True
        )
        if parameter is not None and parameter.stored and parameter.nullable is None:
            column = None if parameter.origin is None else parameter.origin.column
            is_optional = is_optional or (
                column is not None and column.nullable is True
            )
        type = None if parameter is None else parameter.type
        is_list = name in query.lists or (parameter is not None and parameter.is_list)
        arguments[name] = _field(type, optional=is_optional, is_list=is_list)
    return arguments


def _field(type: ColumnType | None, *, optional: bool, is_list: bool = False) -> Json:
    field_type = spec_type(type)
    if field_type is None:
        return f"primitive{'[]' * is_list}{'?' * optional}"
    field_type = field_type._replace(is_list=field_type.is_list or is_list)
    text = field_type.text(optional=optional)
    return {"type": text, "enum": [*field_type.labels]} if field_type.labels else text


def _returns(
    command: str,
    tool: str,
    inferred: Inferred | None,
    rows: RowShapes,
    embedded: Sequence[str],
) -> tuple[Json, list[dict[str, Json]]]:
    """Return what a query returns, and the entities of its rows that are new."""
    if command in ("execrows", "many!", "copyfrom"):
        return "int", []
    columns = None if inferred is None else inferred.columns
    gives_rows = inferred is None or inferred.gives_rows is not False
    if command not in ("one", "one?", "many", "value", "insert") or not gives_rows:
        return None, []
    ending = {"many": "[]", "one?": "?"}.get(command, "")
    if columns and embedded:
        fields, entities = rows.embedding(columns, embedded)
        return {"type": f"object{ending}", "fields": fields}, entities
    if columns and (len(columns) == 1 or command == "value"):
        column_type = spec_type(columns[0].type)
        if (
            column_type is not None
            and not column_type.is_list
            and not column_type.labels
        ):
            null = "?" if columns[0].nullable is not False and ending == "" else ""
            return f"{column_type.word}{ending or null}", []
    if command == "value":
        return "primitive?", []
    if not columns or not all(column.name for column in columns):
        return f"object{ending}", []
    name, entities = rows.entity(columns, tool)
    return f"{name}{ending}", entities


def _result_field(type: ColumnType | None, *, nullable: bool | None) -> Json:
    optional = nullable is not False
    if spec_type(type) is None and type is not None and type.base == "json":
        return f"object{'?' * optional}"
    return _field(type, optional=optional)


def _tables(source: Source) -> Iterator[Draft]:
    assert source.schema is not None
    for table in source.schema.tables.values():
        if table.view or table.span is None or table.span.file != source.name:
            continue
        yield Draft(_class_name(table.name), table.span, _entity(table))


def _class_name(*parts: str) -> str:
    words = re.split(r"[^A-Za-z0-9]+", " ".join(parts))
    return "".join(word[:1].upper() + word[1:] for word in words)


def _entity(table: Table) -> dict[str, Json]:
    fields = _fields(table.columns)
    return {"type": "entity", "name": _class_name(table.name), "fields": fields}
