"""SQLxxx about the schema of a connection, and about statements that do not fit it."""

from __future__ import annotations

from brimgen.diagnostics.rule import error, warning

_HEAD = "type: sql_function\nname: f\nconnection: tables\n"
_ROWS = f"{_HEAD}returns: rows\n"

NOT_UNDERSTOOD = warning(
    "SQL125",
    "ddl-not-understood",
    "brimgen does not understand this statement of the schema: {why}",
    "brimgen leaves it out and reports no table or function as unknown. If the database accepts "
    "the statement, please report it.",
)
ROWS_WITHOUT_SCHEMA = error(
    "SQL031",
    "rows-without-schema",
    "`returns: {word}` needs the schema of the connection `{connection}`, which has none",
    "Name DDL files or a folder of migrations under `schema` of the connection, or declare the "
    "fields of a row here.",
    wrong="type: sql_function\nname: f\nreturns: rows\nsql: SELECT id FROM t",
    right="type: sql_function\nname: f\nreturns: int[]\nsql: SELECT id FROM t",
)
ROWS_UNKNOWN = error(
    "SQL231",
    "rows-unknown",
    "the schema does not tell what `returns: {word}` means: {why}",
    "Declare the fields of a row, or what else the tool returns. For INSERT, UPDATE and DELETE "
    "without RETURNING, `returns: count` is the number of changed rows.",
    wrong=f"{_ROWS}sql: DELETE FROM drafts WHERE title = 'a'",
    right=f"{_HEAD}returns: count\nsql: DELETE FROM drafts WHERE title = 'a'",
)
COLUMN_UNKNOWN = error(
    "SQL331",
    "column-unknown",
    "the schema does not tell the type of the column `{name}`{native}",
    "Declare this column; the others stay as the schema says: "
    "`returns: {type: rows, fields: {name: T}}`.",
    wrong=f"{_ROWS}sql: SELECT title, score(title) AS score FROM books",
    right=f"{_HEAD}returns: {{type: rows, fields: {{score: float}}}}\n"
    "sql: SELECT title, score(title) AS score FROM books",
)
COLUMN_WITHOUT_NAME = error(
    "SQL431",
    "column-without-name",
    "a column of `returns: rows` needs a name",
    "Databases name such an expression in different ways, or not at all. Write `AS name`.",
    wrong=f"{_ROWS}sql: SELECT book_id + 1 FROM books",
    right=f"{_ROWS}sql: SELECT book_id + 1 AS next FROM books",
)
NO_SUCH_COLUMN = error(
    "SQL531",
    "no-such-column",
    "the statement returns no column `{name}` that this could declare",
    "Beside `type: rows`, `fields` declare columns of the statement anew. Correct the name, or "
    "select the column.",
    wrong=f"{_HEAD}returns: {{type: rows, fields: {{titel: string}}}}\n"
    "sql: SELECT title FROM books",
    right=f"{_HEAD}returns: {{type: rows, fields: {{title: string}}}}\n"
    "sql: SELECT title FROM books",
)
COUNT_OF_ROWS = error(
    "SQL631",
    "count-of-rows",
    "`returns: count` is the number of changed rows, but this statement returns rows",
    "Write `returns: rows` or `row`, or leave RETURNING out.",
    wrong=f"{_HEAD}returns: count\nsql: SELECT count(*) AS n FROM books",
    right=f"{_HEAD}returns: row\nsql: SELECT count(*) AS n FROM books",
)
ARGUMENT_UNKNOWN = error(
    "SQL731",
    "argument-unknown",
    "the schema does not tell the type of the argument `{name}`{why}",
    "Declare its type. It is known where the argument is compared with a column, or stored in one.",
    wrong=f"{_ROWS}arguments: {{inline: {{n: {{}}}}}}\n"
    "sql: SELECT title FROM books WHERE score(title) > :n",
    right=f"{_ROWS}arguments: {{inline: {{n: float}}}}\n"
    "sql: SELECT title FROM books WHERE score(title) > :n",
)
CONTRADICTS_SCHEMA = error(
    "SQL032",
    "contradicts-schema",
    "{text}",
    "By the schema of the connection, the database refuses the statement. Correct it, or bring "
    "the schema up to date.",
    wrong=f"{_ROWS}sql: SELECT titel FROM books",
    right=f"{_ROWS}sql: SELECT title FROM books",
)
NULL_IN_COLUMN = warning(
    "SQL033",
    "null-in-column",
    "{column} may be NULL, but {field} of `{tool}` may not",
    "Decoding refuses a row with NULL there. Declare it `T?`, or exclude NULL in the statement: "
    "`COALESCE(x, …)`, an inner join, `WHERE x IS NOT NULL`.",
    wrong=f"{_HEAD}returns: {{inline: {{branch: string}}}}\n"
    "sql: SELECT branch FROM books LIMIT 1",
    right=f"{_HEAD}returns: {{inline: {{branch: 'string?'}}}}\n"
    "sql: SELECT branch FROM books LIMIT 1",
)
NEVER_SELECTED = warning(
    "SQL233",
    "never-selected",
    "no row of `{tool}` ever has `{field}`: the statement returns no such column",
    "Select the column, or delete the field.",
    wrong=f"{_HEAD}returns: {{inline: {{title: string, note: 'string?'}}}}\n"
    "sql: SELECT title FROM books LIMIT 1",
    right=f"{_HEAD}returns: {{inline: {{title: string}}}}\n"
    "sql: SELECT title FROM books LIMIT 1",
)
ARGUMENT_TYPE = warning(
    "SQL035",
    "argument-type",
    "the argument `{name}` is {declared}, but the column `{column}` is {native}",
    "The database refuses such a value, converts it, or finds nothing. Declare the argument as "
    "the column is, or cast one of them.",
    wrong=f"{_ROWS}arguments: {{inline: {{id: string}}}}\n"
    "sql: SELECT title FROM books WHERE book_id = :id",
    right=f"{_ROWS}arguments: {{inline: {{id: int}}}}\n"
    "sql: SELECT title FROM books WHERE book_id = :id",
)
ARGUMENT_LABEL = warning(
    "SQL135",
    "argument-label",
    "`{label}` is a value of the argument `{name}`, but none of the column `{column}`",
    "The column admits {labels}. Correct the `enum` of the argument.",
)
COLUMN_LABEL = warning(
    "SQL333",
    "column-label",
    "{column} may be `{label}`, which is no value of {field} of `{tool}`",
    "Decoding refuses such a row. Add the value to the `enum`, or exclude it in the statement.",
)
ARGUMENT_NULL = warning(
    "SQL235",
    "argument-null",
    "the argument `{name}` may be absent, but the column `{column}` takes no NULL",
    "The database refuses the row then. Make the argument required, give it a default, or write "
    "`COALESCE(:x, …)`.",
)

RULES = (
    NOT_UNDERSTOOD,
    ROWS_WITHOUT_SCHEMA,
    ROWS_UNKNOWN,
    COLUMN_UNKNOWN,
    COLUMN_WITHOUT_NAME,
    NO_SUCH_COLUMN,
    COUNT_OF_ROWS,
    ARGUMENT_UNKNOWN,
    CONTRADICTS_SCHEMA,
    NULL_IN_COLUMN,
    NEVER_SELECTED,
    ARGUMENT_TYPE,
    ARGUMENT_LABEL,
    COLUMN_LABEL,
    ARGUMENT_NULL,
)
