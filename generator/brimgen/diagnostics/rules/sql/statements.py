"""SQLxxx about statements as a whole: their text, kind, driver and rows."""

from __future__ import annotations

from brimgen.diagnostics.rule import error, warning

_HEAD = "type: sql_function\nname: f\n"
_WITH_ID = f"{_HEAD}arguments:\n  inline: {{id: int}}\n"
_ROWS = f"{_WITH_ID}returns: object[]\n"
_ROW = (
    "type: entity\nname: Sale\nfields: {{id: int, total: float}}\n---\n"
    + _WITH_ID.replace("{", "{{").replace("}", "}}")
    + "returns: Sale\nsql: {}"
)
_HEAD_ROWS = f"{_HEAD}returns: object[]\n"

TEMPLATE_SYNTAX = error(
    "SQL004",
    "template-syntax",
    "`{text}` is template syntax, but statements are not templates",
    "Text that is pasted into a statement allows SQL injection. Bind a value with `:name`.",
    wrong=f'{_ROWS}sql: "SELECT * FROM t WHERE id = {{{{ id }}}}"',
    right=f'{_ROWS}sql: "SELECT * FROM t WHERE id = :id"',
)
FOREIGN_PLACEHOLDER = error(
    "SQL005",
    "foreign-placeholder",
    "`{text}` is a placeholder of another style",
    "Write parameters as `:name` for every driver; brimgen generates the form that each "
    "driver needs.",
    wrong=f'{_ROWS}sql: "SELECT * FROM t WHERE id = ?"',
    right=f'{_ROWS}sql: "SELECT * FROM t WHERE id = :id"',
)
MULTIPLE_STATEMENTS = error(
    "SQL006",
    "multiple-statements",
    "a second statement starts here",
    "A tool is one statement. Make one tool of each statement, or run both in one "
    "transaction in a Python function.",
    wrong=f'{_WITH_ID}sql: "DELETE FROM a WHERE id = :id; DELETE FROM b WHERE id = :id"',
    right=f'{_WITH_ID}sql: "DELETE FROM a WHERE id = :id"',
)
EMPTY_STATEMENT = error(
    "SQL106",
    "empty-statement",
    "`{tool}` has no statement, only comments or space",
    "Write the statement under `sql`, or below the metadata of a `.sql` file.",
    wrong=f"{_HEAD}sql: |\n  -- nothing here",
    right=f"{_HEAD_ROWS}sql: SELECT 1",
)
UNTERMINATED_STRING = error(
    "SQL007",
    "unterminated-string",
    "`{text}` opens a quote that is never closed",
    "Close it, or double the quote if it is meant as text: `'it''s'`.",
    wrong=f'{_HEAD_ROWS}sql: "SELECT \'abc"',
    right=f"{_HEAD_ROWS}sql: \"SELECT 'abc'\"",
)
UNTERMINATED_COMMENT = error(
    "SQL107",
    "unterminated-comment",
    "this comment is never closed",
    "Close it with `*/`. In some dialects comments nest, and each needs its own `*/`.",
    wrong=f'{_HEAD_ROWS}sql: "SELECT 1 /* one"',
    right=f'{_HEAD_ROWS}sql: "SELECT 1 /* one */"',
)
FOREIGN_QUOTE = error(
    "SQL407",
    "foreign-quote",
    "the mark {text} quotes nothing in {dialect}",
    "Write strings as `'text'` and names as `\"name\"`, or as the dialect requires. Text "
    "between unknown quotes is read as part of the statement.",
    wrong=f"{_ROWS}connection: warehouse\nsql: SELECT `a` FROM t WHERE id = :id",
    right=f'{_ROWS}connection: warehouse\nsql: SELECT "a" FROM t WHERE id = :id',
)
DRIVER_CANNOT_CARRY = error(
    "SQL014",
    "driver-cannot-carry",
    "the driver {driver} misreads `{text}` in a statement",
    "The driver's own parser takes it for something else, and the text cannot be escaped. "
    "Write it another way, or choose another driver.",
    wrong=f"{_ROWS}connection: legacy\nsql: \"SELECT '%s' FROM t WHERE id = :id\"",
    right=f"{_ROWS}connection: legacy\nsql: \"SELECT concat('%', 's') FROM t WHERE id = :id\"",
)
DML_WITHOUT_WHERE = warning(
    "SQL015",
    "dml-without-where",
    "this {verb} has no WHERE: it changes every row",
    "Say which rows are meant. `WHERE true` says that all of them are.",
    wrong=f"{_HEAD}sql: DELETE FROM drafts",
    right=f"{_HEAD}sql: DELETE FROM drafts WHERE created_at < CURRENT_DATE",
)
ANNOTATION_CONTRADICTS_KIND = error(
    "SQL016",
    "annotation-contradicts-kind",
    "`{key}: {value}` contradicts the statement, which is {kind}",
    "Clients trust these hints when they decide what to run without asking. Delete the key.",
    wrong=f"{_WITH_ID}mcp: {{read_only: true}}\nsql: DELETE FROM t WHERE id = :id",
    right=f"{_WITH_ID}sql: DELETE FROM t WHERE id = :id",
)
VOID_WITH_ROWS = warning(
    "SQL018",
    "void-with-rows",
    "the statement returns rows, but `{tool}` declares no `returns`",
    "Declare the shape of a row as an entity or a type, so that rows are decoded.",
    wrong=f"{_HEAD}sql: SELECT id FROM t",
    right=f'{_HEAD}returns: "int[]"\nsql: SELECT id FROM t',
)
SHAPE_WITHOUT_ROWS = error(
    "SQL118",
    "shape-without-rows",
    "`{tool}` declares `returns`, but its {verb} returns no rows",
    "Clients would refuse the result after the change was made. INSERT, UPDATE and DELETE "
    "return rows with RETURNING (in T-SQL with OUTPUT). Without it they return the number "
    "of changed rows: `returns: int`. Otherwise delete `returns`.",
    wrong=f"{_WITH_ID}returns: string\nsql: DELETE FROM t WHERE id = :id",
    right=f"{_WITH_ID}returns: string\nsql: DELETE FROM t WHERE id = :id RETURNING name",
)
MISSING_COLUMN = error(
    "SQL017",
    "missing-column",
    "the statement returns no column `{name}`, which a row of `{tool}` must have",
    "Select it, or name a column: `expression AS name`. If a row may lack it, make it "
    "optional in `returns`: `name: T?`.",
    wrong=_ROW.format("SELECT id, total AS sum FROM t WHERE id = :id"),
    right=_ROW.format("SELECT id, total FROM t WHERE id = :id"),
)
EXTRA_COLUMN = warning(
    "SQL117",
    "extra-column",
    "a row of `{tool}` has no field for the column `{name}`, so the column is dropped",
    "Remove it from the statement, or declare it in `returns`.",
    wrong=_ROW.format("SELECT id, total, note FROM t WHERE id = :id"),
    right=_ROW.format("SELECT id, total FROM t WHERE id = :id"),
)
SEVERAL_COLUMNS = error(
    "SQL317",
    "several-columns",
    "the statement returns {count} columns, but a row of `{tool}` is one value",
    "Select one column, or change `returns` to an entity or `object`.",
    wrong=f'{_WITH_ID}returns: "int[]"\nsql: SELECT id, total FROM t WHERE id = :id',
    right=f'{_WITH_ID}returns: "int[]"\nsql: SELECT total FROM t WHERE id = :id',
)
SCHEMA_REFUSED = error(
    "SQL025",
    "schema-refused",
    "SQLite refuses the schema: {why}",
    "The file that `schema` of the connection names must contain the statements that "
    "create the tables, such as CREATE TABLE and CREATE VIEW.",
)
TABLE_UNREADABLE = warning(
    "SQL225",
    "table-unreadable",
    "SQLite cannot read `{name}`: {why}",
    "Statements that use it are refused, others are checked without it. Correct the view, or "
    "create what it needs.",
)
REFUSED_BY_DATABASE = error(
    "SQL026",
    "refused-by-schema",
    "with {source} {database} refuses the statement: {why}",
    "Correct the statement, or update the schema file or the database that the message "
    "names. The statement was prepared, not executed.",
)
SYNTAX_ERROR = error(
    "SQL029",
    "syntax-error",
    "`{text}` {why}",
    "brimgen read the statement by the rules of its dialect, without its tables. Correct "
    "it at this place or just before. If your database accepts it, please report it.",
    wrong=f'{_ROWS}sql: "SELECT * FRM t WHERE id = :id"',
    right=f'{_ROWS}sql: "SELECT * FROM t WHERE id = :id"',
)
CANNOT_VERIFY = error(
    "SQL028",
    "cannot-verify",
    "the statements of the connection `{connection}` cannot be verified: {why}",
    "Verification needs the database and its driver. Without `--verify-db` and `schema`, a "
    "build needs neither.",
)
COLUMN_TYPE = warning(
    "SQL217",
    "column-type",
    "the column `{name}` is {given} in the database, but {declared} in a row of `{tool}`",
    "Decoding would refuse the rows. Declare the type of the column, or cast it: `CAST(x "
    "AS type) AS name`.",
)

RULES = (
    TEMPLATE_SYNTAX,
    FOREIGN_PLACEHOLDER,
    MULTIPLE_STATEMENTS,
    EMPTY_STATEMENT,
    UNTERMINATED_STRING,
    UNTERMINATED_COMMENT,
    FOREIGN_QUOTE,
    DRIVER_CANNOT_CARRY,
    DML_WITHOUT_WHERE,
    ANNOTATION_CONTRADICTS_KIND,
    VOID_WITH_ROWS,
    SHAPE_WITHOUT_ROWS,
    MISSING_COLUMN,
    EXTRA_COLUMN,
    SEVERAL_COLUMNS,
    SCHEMA_REFUSED,
    TABLE_UNREADABLE,
    REFUSED_BY_DATABASE,
    SYNTAX_ERROR,
    CANNOT_VERIFY,
    COLUMN_TYPE,
)
