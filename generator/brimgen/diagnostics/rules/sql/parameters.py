"""SQLxxx about the parameters of a statement and their types."""

from __future__ import annotations

from brimgen.diagnostics.rule import error, warning

_HEAD = "type: sql_function\nname: f\n"


def _spec(arguments: str, sql: str, more: str = "") -> str:
    inline = f"arguments:\n  inline: {arguments}\n"
    returns = "" if sql.startswith('"INSERT') else "returns: object[]\n"
    return f"{_HEAD}{inline}{returns}{more}sql: {sql}"


def _inheriting(statement: str, omit: str = "") -> str:
    return (
        "type: entity\nname: Page\nfields: {limit: int, offset: int}\n---\n"
        f"{_HEAD}arguments: {{entity_ref: Page{omit}}}\nreturns: object[]\n"
        f"sql: {statement}"
    )


UNDECLARED_PARAMETER = error(
    "SQL001",
    "undeclared-parameter",
    "`:{name}` is not an argument of `{tool}`",
    "Declare it under `arguments`, or correct its name. A colon that belongs to the statement "
    "is written `\\:`.",
    wrong=_spec("{customer_id: int}", '"SELECT * FROM orders WHERE id = :customerid"'),
    right=_spec("{customer_id: int}", '"SELECT * FROM orders WHERE id = :customer_id"'),
)
UNUSED_PARAMETER = error(
    "SQL002",
    "unused-parameter",
    "the statement never uses `{name}`",
    "If a caller must send a value that is then ignored, the tool misleads them. Use the "
    "argument in the statement, or delete it. `strict: false` on the tool allows it.",
    wrong=_spec("{id: int, status: string}", '"SELECT * FROM orders WHERE id = :id"'),
    right=_spec("{id: int}", '"SELECT * FROM orders WHERE id = :id"'),
)
UNUSED_BUT_ALLOWED = warning(
    "SQL102",
    "unused-parameter-allowed",
    "the statement never uses `{name}`, which {why}",
    "Callers may still send it. `omit: [name]` under `arguments` drops an inherited field.",
    wrong=_inheriting("SELECT 1 LIMIT :limit"),
    right=_inheriting("SELECT 1 LIMIT :limit", ", omit: [offset]"),
)
PARAMETER_IN_STRING = error(
    "SQL003",
    "parameter-in-string",
    "`:{name}` is plain text inside the quotes of `{text}`, so it binds nothing",
    "Take it out of the quotes and join the parts: `'%' || :q || '%'`. If the colon is "
    "meant as text, write `\\:`.",
    wrong=_spec("{q: string}", "\"SELECT * FROM t WHERE name LIKE '%:q%'\""),
    right=_spec("{q: string}", "\"SELECT * FROM t WHERE name LIKE '%' || :q || '%'\""),
)
AMBIGUOUS_COLON = error(
    "SQL008",
    "ambiguous-colon",
    "`{text}` can be read as a parameter or as something else",
    "If it is a parameter, put a space before the colon (`arr[ :n]`). If it is a plain "
    "colon, write `\\:`.",
    wrong=_spec("{n: int}", '"SELECT arr[:n] FROM t"', "connection: warehouse\n"),
    right=_spec("{n: int}", '"SELECT arr[ :n] FROM t"', "connection: warehouse\n"),
)
PARAMETER_AS_IDENTIFIER = error(
    "SQL010",
    "parameter-as-identifier",
    "`:{name}` stands where the statement needs a name",
    "A database binds values, never names of tables or columns. Write the name into the "
    "statement. To let callers choose a name, use CASE, or one tool for each.",
    wrong=_spec("{tbl: string}", '"SELECT * FROM :tbl"'),
    right=_spec("{id: int}", '"SELECT * FROM orders WHERE id = :id"'),
)
PARAMETER_IN_ORDER_BY = error(
    "SQL110",
    "parameter-in-order-by",
    "ORDER BY `:{name}` sorts by a constant, which has no effect",
    "Choose among columns with CASE: `ORDER BY CASE WHEN :by = 'name' THEN name END`.",
    wrong=_spec("{by: string}", '"SELECT * FROM t ORDER BY :by"'),
    right=_spec(
        "{by: string}", "\"SELECT * FROM t ORDER BY CASE WHEN :by = 'a' THEN a END\""
    ),
)
PIPES_AS_OR = warning(
    "SQL130",
    "pipes-as-or",
    "`||` is OR in MySQL: it gives 1, 0 or NULL, and joins no texts",
    "Join texts with CONCAT: `CONCAT('%', :q, '%')`. It works in every `sql_mode`; `||` "
    "needs PIPES_AS_CONCAT. For conditions write OR.",
    wrong=_spec(
        "{q: string}",
        "\"SELECT * FROM t WHERE a LIKE '%' || :q || '%'\"",
        "connection: legacy\n",
    ),
    right=_spec(
        "{q: string}",
        "\"SELECT * FROM t WHERE a LIKE CONCAT('%', :q, '%')\"",
        "connection: legacy\n",
    ),
)
LIST_AS_SCALAR = error(
    "SQL011",
    "list-as-scalar",
    "`:{name}` is a list, but one value is expected here",
    "Lists stand on the right of IN: `id IN (:ids)`, `id NOT IN (:ids)`; in PostgreSQL and "
    "DuckDB also in `= ANY(:ids)`, in functions of arrays, and beside a column of lists that the "
    "schema of the connection has.",
    wrong=_spec('{ids: "int[]"}', '"SELECT * FROM t WHERE id = :ids"'),
    right=_spec('{ids: "int[]"}', '"SELECT * FROM t WHERE id IN (:ids)"'),
)
LIST_BESIDE_VALUES = error(
    "SQL411",
    "list-beside-values",
    "`:{name}` is a list, but it stands beside other values in one IN",
    "Give the list its own IN: `(id = :a OR id IN (:ids))`; for NOT IN: `id <> :a AND id "
    "NOT IN (:ids)`.",
    wrong=_spec('{a: int, ids: "int[]"}', '"SELECT * FROM t WHERE id IN (:a, :ids)"'),
    right=_spec(
        '{a: int, ids: "int[]"}', '"SELECT * FROM t WHERE (id = :a OR id IN (:ids))"'
    ),
)
SCALAR_IN_LIST = error(
    "SQL111",
    "scalar-in-list",
    "`:{name}` is one value of type `{word}`, but a list is expected here",
    "Declare a list, as in `ids: int[]`, or put the value in parentheses: `IN (:x)`.",
    wrong=_spec("{id: int}", '"SELECT * FROM t WHERE id IN :id"'),
    right=_spec("{id: int}", '"SELECT * FROM t WHERE id IN (:id)"'),
)
ENTITY_PARAMETER = error(
    "SQL211",
    "entity-parameter",
    "`:{name}` is an entity or a list of lists, which no database can bind",
    "Bind single fields of it, or declare `bind: json` to send it as JSON text.",
    wrong="type: entity\nname: Point\nfields: {x: int, y: int}\n---\n"
    + _spec("{at: Point}", '"INSERT INTO t (at) VALUES (:at)"'),
    right="type: entity\nname: Point\nfields: {x: int, y: int}\n---\n"
    + _spec("{at: {type: Point, bind: json}}", '"INSERT INTO t (at) VALUES (:at)"'),
)
ROWS_IN_LIST = error(
    "SQL311",
    "rows-in-list",
    "`:{name}` cannot be a list of rows, but the left side of IN is a row",
    "A bound list holds single values. Bind one list for each column and join them, or "
    "compare one column: `a IN (:as)`.",
    wrong=_spec('{ids: "int[]"}', '"SELECT * FROM t WHERE (a, b) IN (:ids)"'),
    right=_spec('{ids: "int[]"}', '"SELECT * FROM t WHERE a IN (:ids)"'),
)
NOT_OF_DIALECT = error(
    "SQL150",
    "type-not-of-dialect",
    "`:{name}` is `{word}`, and {dialect} takes no {what}",
    "Take the bytes as base64 text (`string`) and let the statement decode it, or compare one "
    "value at a time.",
    wrong=_spec('{keys: "bytes[]"}', '"SELECT * FROM t WHERE key IN (:keys)"'),
    right=_spec("{key: bytes}", '"SELECT * FROM t WHERE key = :key"'),
)
UNTYPED_PARAMETER = error(
    "SQL012",
    "untyped-parameter",
    "the database cannot know the type of `:{name}` here, and `primitive` does not say",
    "Write the type into the statement, such as `CAST(:x AS text)`, or declare a narrower "
    "type.",
    wrong=_spec("{v: primitive}", '"SELECT :v AS v"', "connection: warehouse\n"),
    right=_spec("{v: string}", '"SELECT :v AS v"', "connection: warehouse\n"),
)
PARAMETER_IN_LIVE_COMMENT = error(
    "SQL013",
    "parameter-in-executable-comment",
    "`:{name}` stands in a comment `/*! */`, which only some servers execute",
    "Servers that skip the comment have no place for the parameter. Take it out of the "
    "comment.",
    wrong=_spec("{x: int}", '"SELECT 1 /*! , :x */"', "connection: legacy\n"),
    right=_spec("{x: int}", '"SELECT 1, :x"', "connection: legacy\n"),
)
NOT_EXACT = warning(
    "SQL020",
    "type-not-exact",
    "SQLite keeps the decimal `{name}` as a float, of about 15 digits",
    "A value that a float cannot hold is refused when it is bound. A float can hold every "
    "`decimal(15, s)`. `x-sql-type: text` on the field stores decimals as text, which "
    "keeps every digit but does not calculate.",
    wrong=_spec("{total: decimal}", '"INSERT INTO t (total) VALUES (:total)"'),
    right=_spec(
        "{total: {type: decimal, x-sql-type: text}}",
        '"INSERT INTO t (total) VALUES (:total)"',
    ),
)
INSTANT_AS_TEXT = warning(
    "SQL120",
    "instant-as-text",
    "SQLite fills `{column}` with {default}, which has no microseconds, and `:{name}` is text "
    "that has them",
    "SQLite compares them as text: within the same second neither `=` nor `>=` is true. "
    "Compare whole seconds, `column >= datetime(:name)`, or use the default "
    "`(strftime('%Y-%m-%d %H:%M:%f000', 'now'))`. If the column holds both forms, write "
    "`datetime(column) >= datetime(:name)`.",
)
NOT_BINDABLE = error(
    "SQL023",
    "name-not-bindable",
    "an argument called `{name}` cannot be bound",
    "A parameter is a letter or `_`, then letters, digits and `_`. Rename the argument.",
    wrong=_spec("{customer-id: int}", '"SELECT 1"'),
    right=_spec("{customer_id: int}", '"SELECT :customer_id"'),
)
UNGUARDED_FILTER = warning(
    "SQL024",
    "unguarded-filter",
    "while `:{name}` is left out it is NULL, which equals nothing, so no row is found",
    "To filter only if the argument is given, write `(:x IS NULL OR column = :x)`, for a "
    "list `(:x IS NULL OR column IN (:x))`. If a value is always needed, as in UPDATE and "
    "DELETE, make the argument required or give it a default.",
    wrong=_spec("{branch: 'string?'}", '"SELECT * FROM t WHERE branch = :branch"'),
    right=_spec(
        "{branch: 'string?'}",
        '"SELECT * FROM t WHERE (:branch IS NULL OR branch = :branch)"',
    ),
)

RULES = (
    UNDECLARED_PARAMETER,
    UNUSED_PARAMETER,
    UNUSED_BUT_ALLOWED,
    PARAMETER_IN_STRING,
    AMBIGUOUS_COLON,
    PARAMETER_AS_IDENTIFIER,
    PARAMETER_IN_ORDER_BY,
    PIPES_AS_OR,
    LIST_AS_SCALAR,
    LIST_BESIDE_VALUES,
    SCALAR_IN_LIST,
    ENTITY_PARAMETER,
    ROWS_IN_LIST,
    NOT_OF_DIALECT,
    UNTYPED_PARAMETER,
    PARAMETER_IN_LIVE_COMMENT,
    NOT_EXACT,
    INSTANT_AS_TEXT,
    NOT_BINDABLE,
    UNGUARDED_FILTER,
)
