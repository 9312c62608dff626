"""SQLxxx about NULL: what a statement does while an argument is absent or empty."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, Severity, error, warning

_HEAD = "type: sql_function\nname: f\n"
_WITH_ID = f"{_HEAD}arguments:\n  inline: {{id: int}}\n"
_ROWS = f"{_WITH_ID}returns: object[]\n"
_GUARDED = (
    f"{_HEAD}arguments:\n  inline: {{{{t: {{{{{{}}}}}}}}}}\nreturns: object[]\n"
    "sql: SELECT * FROM orders WHERE {}"
)

OPEN_CHANGE = warning(
    "SQL115",
    "open-change",
    "this {verb} changes every row while {whys}",
    "A condition such as `:x IS NULL OR ...` is for queries. In a statement that changes "
    "rows, make the argument required (a list with `minItems: 1`), or add a condition that "
    "always applies. `WHERE true AND ...` says that all rows are meant.",
    wrong=f"{_HEAD}arguments:\n  inline: {{id: 'int?'}}\n"
    'sql: "DELETE FROM t WHERE (:id IS NULL OR id = :id)"',
    right=f'{_WITH_ID}sql: "DELETE FROM t WHERE id = :id"',
)
COMPARED_WITH_NULL = warning(
    "SQL124",
    "compared-with-null",
    "`{sign} NULL` is never true, whatever it is compared with",
    "NULL equals nothing, not even NULL. Write IS NULL or IS NOT NULL.",
    wrong=f"{_ROWS}sql: SELECT * FROM t WHERE id = :id AND gone = NULL",
    right=f"{_ROWS}sql: SELECT * FROM t WHERE id = :id AND gone IS NULL",
)
NULL_LIMIT = error(
    "SQL224",
    "null-limit",
    "`:{name}` may be NULL, and {word} takes no NULL in {dialect}",
    "The statement would fail whenever the argument is left out. Give it a default, as in "
    "`limit: { type: int, default: 50, maximum: 500 }`, or make it required.",
    wrong=f"{_HEAD}arguments:\n  inline: {{limit: 'int?'}}\nreturns: object[]\n"
    'sql: "SELECT * FROM t LIMIT :limit"',
    right=f"{_HEAD}arguments:\n  inline: {{limit: {{type: int, default: 50}}}}\n"
    'returns: object[]\nsql: "SELECT * FROM t LIMIT :limit"',
)

LEFT_OUT_SET = warning(
    "SQL215",
    "left-out-set",
    "`{column}` becomes {what} while `:{name}` is left out",
    "Callers who change one part of a row leave the other arguments out and expect those "
    "columns to stay. `COALESCE(:name, name)` keeps the old value. If NULL or a default "
    "should be written, make the argument required, so that the caller states it.",
    wrong=f"{_HEAD}arguments:\n  inline: {{id: int, note: 'string?'}}\n"
    'sql: "UPDATE t SET note = :note WHERE id = :id"',
    right=f"{_HEAD}arguments:\n  inline: {{id: int, note: 'string?'}}\n"
    'sql: "UPDATE t SET note = COALESCE(:note, note) WHERE id = :id"',
)

HIDDEN_MAY_BE_MISSING = Rule(
    "SQL030",
    "hidden-may-be-missing",
    Severity.ERROR,
    "`{name}` {origin} and may be {missing}, but the statement uses it",
    "Without its value, a statement can reach the rows of all users. Make the argument "
    "required and not nullable, without a default; then compare with it: `column = :name`. "
    "JSON may lack what the statement reads of it: declare that as an argument of its own. "
    "If the statement is meant to work without it, give the reason at the tool or at the "
    "argument: `x-lint-ignore: {SQL030: administrators see all tenants}`.",
    wrong=_GUARDED.format(
        "type: 'string?', from_context: app.tenant", "(:t IS NULL OR tenant = :t)"
    ),
    right=_GUARDED.format("type: string, from_context: app.tenant", "tenant = :t"),
    waivable=True,
)

RULES = (
    OPEN_CHANGE,
    COMPARED_WITH_NULL,
    NULL_LIMIT,
    LEFT_OUT_SET,
    HIDDEN_MAY_BE_MISSING,
)
