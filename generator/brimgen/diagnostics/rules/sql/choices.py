"""SQLxxx about parts of a statement that an argument chooses."""

from __future__ import annotations

from brimgen.diagnostics.rule import error

_HEAD = "type: sql_function\nname: find_orders\n"
_SORT = "arguments: {inline: {sort: {type: string, enum: [newest, oldest]}}}\n"
_RETURNS = "returns: int[]\n"
_SQL = "sql: SELECT id FROM orders ORDER BY {sort}"
_BOTH = "choices: {sort: {newest: id DESC, oldest: id}}\n"
_FILTER = "arguments: {inline: {status: 'string?'}}\nvariants: [status]\n" + _RETURNS
_RIGHT = f"{_HEAD}{_SORT}{_RETURNS}{_BOTH}{_SQL}"


def _wrong(choices: str, sql: str = _SQL, arguments: str = _SORT) -> str:
    return f"{_HEAD}{arguments}{_RETURNS}choices: {choices}\n{sql}"


CHOICE_OF_NOTHING = error(
    "SQL151",
    "choice-of-nothing",
    "`{name}` is no argument of `{tool}`, so it chooses nothing",
    "The keys of `choices` are arguments whose `enum` has the labels.",
    wrong=_wrong(
        "{order: {newest: id DESC, oldest: id}}",
        "sql: SELECT id FROM orders WHERE id > :from ORDER BY {order}",
        "arguments: {inline: {from: int}}\n",
    ),
    right=_RIGHT,
)
NOT_A_CHOICE = error(
    "SQL152",
    "not-a-choice",
    "`{name}` cannot choose: {why}",
    "The argument has an `enum` of texts and is never absent: it is required, or has a default.",
    wrong=_wrong(
        "{sort: {newest: id DESC}}", arguments="arguments: {inline: {sort: string}}\n"
    ),
    right=_RIGHT,
)
LABEL_WITHOUT_TEXT = error(
    "SQL153",
    "label-without-text",
    "`{name}` may be `{label}`, for which `choices` has no SQL",
    "Write the SQL of this label, or delete the label from the `enum`.",
    wrong=_wrong("{sort: {newest: id DESC}}"),
    right=_RIGHT,
)
UNKNOWN_LABEL = error(
    "SQL154",
    "unknown-label",
    "`{label}` is not in the `enum` of `{name}`",
    "Callers can only choose what the `enum` lists. Add the label there, or delete it here.",
    wrong=_wrong("{sort: {newest: id DESC, oldest: id, cheapest: total}}"),
    right=_RIGHT,
)
CHOICE_UNUSED = error(
    "SQL155",
    "choice-unused",
    "the statement has no `{{{name}}}`, so `{name}` chooses nothing",
    "Write the argument in braces where its SQL belongs.",
    wrong=_wrong(
        "{sort: {newest: id DESC, oldest: id}}",
        "sql: SELECT id FROM orders ORDER BY id",
    ),
    right=_RIGHT,
)
TOO_MANY_VARIANTS = error(
    "SQL156",
    "too-many-variants",
    "the statement has {count} variants, and at most {most} are written out",
    "List only the filters under `variants` that an index serves; the others keep their guard.",
    wrong=f"{_HEAD}arguments: {{inline: {{a: 'int?', b: 'int?', c: 'int?', d: 'int?', e: 'int?', "
    f"f: 'int?', g: 'int?'}}}}\n{_RETURNS}variants: true\n"
    "sql: |\n  SELECT id FROM orders WHERE (:a IS NULL OR "
    "a = :a) AND (:b IS NULL OR b = :b)\n  AND (:c IS NULL OR c = :c) AND (:d IS NULL OR d = :d) "
    "AND (:e IS NULL OR e = :e)\n  AND (:f IS NULL OR f = :f) AND (:g IS NULL OR g = :g)",
    right=f"{_HEAD}{_FILTER}"
    "sql: SELECT id FROM orders WHERE (:status IS NULL OR status = :status)",
)
NO_SUCH_FILTER = error(
    "SQL157",
    "no-such-filter",
    "the statement has no filter `(:{name} IS NULL OR …)` that could be left out",
    "Write the filter in brackets with its guard first, or delete `variants`.",
    wrong=f"{_HEAD}{_FILTER}"
    "sql: SELECT id FROM orders WHERE (status = :status OR :status IS NULL)",
    right=f"{_HEAD}{_FILTER}"
    "sql: SELECT id FROM orders WHERE (:status IS NULL OR status = :status)",
)
CHOICE_NOT_WHOLE = error(
    "SQL162",
    "choice-not-whole",
    "the SQL of `{label}` of `{name}` is not one whole piece: {why}",
    "It stands in its place as it is written, so it must fit there whatever stands around it: a "
    "column, a term to sort by, an expression, or a condition in brackets.",
    wrong=_wrong("{sort: {newest: id DESC, oldest: id --}}"),
    right=_RIGHT,
)
CHOICE_DROPS_HIDDEN = error(
    "SQL163",
    "choice-drops-hidden",
    "{when}, the statement does not use `:{name}`, which callers cannot give and its other "
    "texts use",
    "A caller must not choose whether a hidden argument counts. Use the argument in the "
    "statement itself, or in each choice, and outside of filters that `variants` leaves out.",
    wrong=_wrong(
        "{sort: {newest: tenant = :tenant, oldest: '1 = 1'}}",
        "sql: SELECT id FROM orders WHERE {sort}",
        "arguments: {inline: {sort: {type: string, enum: [newest, oldest]}, "
        "tenant: {type: string, from_context: app.tenant}}}\n",
    ),
    right=_RIGHT,
)

RULES = (
    CHOICE_OF_NOTHING,
    NOT_A_CHOICE,
    LABEL_WITHOUT_TEXT,
    UNKNOWN_LABEL,
    CHOICE_UNUSED,
    TOO_MANY_VARIANTS,
    NO_SUCH_FILTER,
    CHOICE_NOT_WHOLE,
    CHOICE_DROPS_HIDDEN,
)
