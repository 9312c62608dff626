"""Judge a query that a model has written: one SELECT over allowed tables, or it is refused.

Two readers must agree, each with a list of what is allowed: a screen of the text, which knows
characters, words and calls, and the tree of sqlglot, which knows clauses and tables. What neither
list has is refused. The service runs the query in a transaction that refuses writes besides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, TypeVar, cast

from ._bind_error import refuse
from ._cells import Row, cells, free
from ._run import Statement

InputT = TypeVar("InputT")
MOST_CHARACTERS: Final = 10_000
NAME: Final = "sql"
"""The argument that holds the query."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_QUOTED = re.compile(r"""(?<!\w)'(?:[^'\\]|'')*'(?!\w)|"[^"\\]*"|`[^`\\]*`""")
_PLAIN = re.compile(r"[\w \t\r\n.,()*+/%<>=!|-]*")
_CALL = re.compile(r"([\w.\x01]+)\s*\(")
_WRITES: Final = _words(
    """alter analyze analyse attach call cluster comment commit copy create deallocate declare
    delete describe detach discard do drop dumpfile exec execute explain export fetch for force
    grant handler import insert install into kill lateral listen load lock merge notify outfile
    pivot pragma prepare procedure reindex release rename replace reset restore revoke rollback
    sample savepoint set share shutdown tablesample truncate unlisten unpivot update use vacuum
    glob match regexp rlike
    current_catalog current_role current_schema current_user session_user system_user user
    sql_calc_found_rows"""
)
"""Words that no allowed query has, whatever they mean there: a column called so is quoted."""
_BEFORE_BRACKET: Final = _words(
    """all and any as between by case distinct else except exists filter from having in inner
    intersect join like ilike limit materialized not offset on or order over partition select some
    then union using when where with end is recursive"""
)
_CALLS: Final = _words(
    """abs avg cast ceil ceiling char_length coalesce concat concat_ws count cume_dist
    current_date current_time current_timestamp date date_add date_format date_part date_sub
    date_trunc datediff datetime day dense_rank extract first_value floor greatest group_concat
    hour if ifnull iif instr julianday lag last_day last_value lcase lead least left length ln log
    lower ltrim max median min minute mod month monthname nth_value ntile nullif now percent_rank
    position pow power quarter rank right round row_number rtrim second sign sqrt stddev
    stddev_pop stddev_samp strftime string_agg strpos substr substring sum time timestampdiff
    to_char total trim trunc ucase unixepoch upper var_pop var_samp variance week weekday year
    decimal numeric varchar char"""
)
"""Functions, and types with digits, that read nothing but their arguments."""
_NODES: Final = _words(
    """Add Alias And Any All Between Boolean CTE Case Column DPipe DataType DataTypeParam Distinct
    Div EQ Escape Except Exists Filter From GT GTE Group Having ILike Identifier If In IntDiv
    Intersect Interval Is JSONPath JSONPathKey JSONPathRoot JSONPathSubscript
    Join LT LTE Like Limit Literal Mod Mul NEQ Neg Not Null Offset Or Order
    Ordered Paren Select Star Sub Subquery Table TableAlias Tuple Union Var Where Window WindowSpec
    With"""
)
"""The nodes of sqlglot that a query may have, besides functions, whose names are screened."""


class Query(Statement[InputT, InputT, ...]):
    """The queries of a tool; it is run by a service, and only where that can refuse writes.

    ``tables`` are those that may be read, ``most`` is how many rows come back.
    """

    def __init__(
        self,
        input_type: type[InputT],
        dialect: str,
        drivers: Sequence[str],
        tables: Sequence[str],
        most: int,
    ) -> None:
        def text(bound: InputT) -> tuple[str, None]:
            query: str = cast("Any", bound).sql
            return checked(query, dialect, tables, most), None

        bindings: Mapping[str, tuple[None, Callable[[InputT], Any]]] = dict.fromkeys(
            drivers, (None, text)
        )
        super().__init__(input_type, input_type, "read", bindings)


def decode(row: Row, columns: Sequence[str] = ()) -> dict[str, Any]:
    """Return a row by the names of its columns; one that comes again has its number behind it."""
    names: list[str] = []
    for number, name in enumerate(columns, 1):
        names.append(f"{name}_{number}" if name in names else name)
    return free(cells(row, names))


def checked(text: str, dialect: str, tables: Sequence[str], most: int) -> str:
    """Return the query with a LIMIT of at most ``most``. Raises BindError for what is refused.

    Raises ModuleNotFoundError where sqlglot is not installed.
    """
    text = text.strip().removesuffix(";").rstrip()
    _screen(text)
    try:
        sqlglot = import_module("sqlglot")
    except ModuleNotFoundError as missing:
        needs = "a query is read with sqlglot: install brimgen-runtime[query]"
        raise ModuleNotFoundError(needs) from missing
    try:
        statements = sqlglot.parse(text, dialect=dialect)
    except (sqlglot.errors.SqlglotError, RecursionError):
        refuse(NAME, "it cannot be read as SQL")
    if len(statements) != 1 or statements[0] is None:
        refuse(NAME, "expected one statement")
    (tree,) = statements
    if not isinstance(tree, (sqlglot.exp.Select, sqlglot.exp.SetOperation)):
        refuse(NAME, "expected a SELECT")
    for node in tree.walk():
        kind = type(node).__name__
        if kind not in _NODES and not isinstance(node, sqlglot.exp.Func):
            refuse(NAME, f"{kind} is not allowed")
        if kind == "Table":
            _check_table(node, tables)
        elif kind == "DataType" and node.this.name == "USERDEFINED":
            refuse(NAME, "types of the database's own are not allowed")
    return _limited(tree, text, most)


def _screen(text: str) -> None:
    """Refuse characters, words and calls that are not allowed outside of quotes."""
    if len(text) > MOST_CHARACTERS:
        refuse(NAME, f"expected at most {MOST_CHARACTERS} characters")
    plain = _QUOTED.sub(" \x01 ", text).replace("::", " ")
    without_marks = plain.replace("\x01", "")
    if not _PLAIN.fullmatch(without_marks) or "--" in plain or "/*" in plain:
        refuse(
            NAME,
            "comments, backslashes, variables, placeholders and several statements are not allowed",
        )
    for word in re.findall(r"\w+", plain.lower()):
        if word in _WRITES:
            refuse(NAME, f"the word {word.upper()} is not allowed outside of quotes")
    for called in _CALL.findall(plain.lower()):
        if called not in _BEFORE_BRACKET | _CALLS and not _is_named(called, plain):
            name = called.replace("\x01", "a quoted name")
            refuse(NAME, f"the function {name} is not allowed")


def _is_named(called: str, plain: str) -> bool:
    """Whether a name before a bracket is that of a WITH, which may list its columns."""
    name = re.escape(called)
    is_with = rf"(?:\bwith|\brecursive|\),)\s*{name}\s*\([\w\s,]*\)\s*as\b"
    found = len(re.findall(rf"(?<![\w.]){name}\s*\(", plain, re.IGNORECASE))
    return found == len(re.findall(is_with, plain, re.IGNORECASE))


def _check_table(node: Any, tables: Sequence[str]) -> None:
    """Refuse a table that is neither allowed nor defined by a WITH around it."""
    named: list[Any] = [
        node.args[part] for part in ("catalog", "db", "this") if node.args.get(part)
    ]
    if any(type(part).__name__ != "Identifier" for part in named):
        refuse(NAME, "only tables can stand behind FROM and JOIN")
    name = ".".join(part.this for part in named)
    if len(named) == 1 and _is_defined(node, name):
        return
    is_exact = any(part.args.get("quoted") for part in named)
    known = tables if is_exact else [table.casefold() for table in tables]
    if (name if is_exact else name.casefold()) not in known:
        refuse(
            NAME, f"the table {name:.60} is not allowed; there are {', '.join(tables)}"
        )


def _is_defined(node: Any, name: str) -> bool:
    """Whether a WITH defines a name where a table stands.

    What stands in one of its queries sees those before it, and itself if it is recursive.
    """
    below, around = node, node.parent
    inside: Any = None
    while around is not None:
        if type(around).__name__ == "CTE":
            inside = around
        block = around.args.get("with_")
        if block is not None:
            defined = block.expressions
            if below is block:
                count = next(i for i, each in enumerate(defined) if each is inside)
                defined = defined[: count + bool(block.args.get("recursive"))]
            if any(each.alias.casefold() == name.casefold() for each in defined):
                return True
        below, around = around, around.parent
    return False


def _limited(tree: Any, text: str, most: int) -> str:
    limit = tree.args.get("limit")
    if limit is None:
        if tree.args.get("offset") is not None:
            refuse(NAME, f"OFFSET needs a LIMIT of at most {most}")
        return f"{text}\nLIMIT {most}"
    count: Any = limit.expression if type(limit).__name__ == "Limit" else limit
    is_number = type(count).__name__ == "Literal" and count.is_int
    if not is_number or int(count.this) > most:
        refuse(NAME, f"expected a LIMIT of at most {most}")
    return text
