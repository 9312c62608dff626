"""Judge a query that a model has written: one SELECT over allowed tables, or it is refused.

Two readers must agree, each with a list of what is allowed: a screen of the text, which knows
characters, words and calls, and the tree of sqlglot, which knows clauses and tables. What neither
list has is refused. The service runs the query in a transaction that refuses writes besides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeVar, cast

from ._bind_error import refuse
from ._cells import Row, cells, free
from ._run import Statement

InputT = TypeVar("InputT")
MOST_CHARACTERS: Final = 10_000
NAME: Final = "sql"
"""The argument that holds the query."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)|(?P<word>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<quoted>"[A-Za-z0-9_]+(?:[ ][A-Za-z0-9_]+)*"|`[A-Za-z0-9_]+(?:[ ][A-Za-z0-9_]+)*`)
    |(?P<string>'(?:[^'\\\0]|'')*')|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
    |(?P<mark>[(),.])|(?P<operator>::|[-+*/%<>=!|]+)""",
    re.VERBOSE,
)
_WRITES: Final = _words(
    """alter analyze analyse attach call cluster comment commit copy create deallocate declare
    delete describe detach discard do drop dumpfile exec execute explain export fetch for force
    grant handler import insert install into kill lateral listen load lock merge notify outfile
    pivot pragma prepare procedure reindex release rename replace reset restore revoke rollback
    sample savepoint set share shutdown tablesample truncate unlisten unpivot update use vacuum
    glob match regexp rlike recursive table values show summarize
    current_catalog current_role current_schema current_user session_user system_user user
    sql_calc_found_rows"""
)
"""Words that no allowed query has, whatever they mean there: a column called so is quoted."""
_OPERATORS: Final = _words("""+ - * / % = == < > <= >= <> != || :: -> ->>
    +- *- /- =- <- >- <=- >=- <>-""")
"""Those of every database; a sign may stand behind one. Any other may be the database's own."""
_BEFORE_BRACKET: Final = _words(
    "and as between case distinct else exists from having in not on or select then using when where"
)
"""Words that no database takes for the name of a function."""
_BEFORE_SELECT: Final = _words("all any except intersect join some union")
"""Words that some database takes for one, unless a query stands in the bracket."""
_BEHIND: Final = {
    "by": _words("group order partition"),
    "filter": _words(")"),
    "over": _words(")"),
    **dict.fromkeys(_words("char decimal numeric varchar"), _words("as ::")),
}
"""Words that some database takes for one, unless one of these stands before them."""
_BEFORE_STRING: Final = _words(
    """all and as between both by case date distinct else escape having ilike interval leading like
    limit not on or select separator then time timestamp trailing when where"""
)
"""Behind any other word, a string is read by the type or the character set of that name."""
_CALLS: Final = _words(
    """abs avg cast ceil ceiling coalesce count cume_dist current_date current_time
    current_timestamp dense_rank first_value floor lag last_value lead length ln log lower ltrim max
    min mod nth_value ntile nullif percent_rank pow power rank round row_number rtrim sign sqrt
    substr substring sum trim upper"""
)
"""Functions of every database that read nothing but their arguments."""
_CALLS_OF: Final = {
    "duckdb": _words(
        """char_length concat concat_ws date_add date_part date_sub date_trunc datediff day extract
        greatest group_concat hour if ifnull instr last_day lcase least left median minute month
        monthname now quarter right second stddev stddev_pop stddev_samp strftime string_agg strpos
        trunc ucase var_pop var_samp variance week weekday year"""
    ),
    "mysql": _words(
        """char_length concat concat_ws date date_add date_format date_sub datediff day extract
        greatest group_concat hour if ifnull instr last_day lcase least left minute month monthname
        now quarter right second stddev stddev_pop stddev_samp time timestampdiff ucase var_pop
        var_samp variance week weekday year"""
    ),
    "postgres": _words(
        """char_length concat concat_ws date date_part date_trunc extract greatest least left now
        right stddev stddev_pop stddev_samp string_agg strpos to_char trunc var_pop var_samp
        variance"""
    ),
    "sqlite": _words(
        """concat concat_ws date datetime group_concat ifnull iif instr julianday strftime
        string_agg time total trunc unixepoch"""
    ),
}
"""Further ones that a database brings along: elsewhere the name may be that of an own one."""
_FOLDED: Final = _words("duckdb postgres sqlite")
"""Databases to which plain names are the same in upper and lower case."""
_TYPES: Final = _words(
    """BIGINT BOOLEAN CHAR DATE DATETIME DECIMAL DOUBLE FLOAT INT INTERVAL JSON JSONB MEDIUMINT
    NCHAR SMALLINT TEXT TIME TIMESTAMP TIMESTAMPNTZ TIMESTAMPTZ TINYINT UBIGINT UINT UUID
    VARCHAR"""
)
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
    _screen(text, dialect, tables)
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
            _check_table(node, dialect, tables)
        elif kind == "DataType" and node.this.name not in _TYPES:
            refuse(NAME, "types of the database's own are not allowed")
    return _limited(tree, text, most)


class _Token(NamedTuple):
    """A piece of a query: words are in lower case, quoted names and strings keep their quotes."""

    kind: str
    text: str
    is_glued: bool
    """Whether it stands right behind the one before."""

    @property
    def is_name(self) -> bool:
        return self.kind in ("word", "quoted")


_END = _Token("end", "", False)


def _tokens(text: str) -> Iterator[_Token]:
    at, is_glued = 0, False
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or found["operator"] not in (None, *_OPERATORS):
            refuse(
                NAME,
                "comments, backslashes, variables, placeholders, several statements, and names and"
                f" operators with other characters are not allowed: {text[at : at + 20]!r}",
            )
        kind = cast("str", found.lastgroup)
        if kind != "space":
            piece = found[0].lower() if kind == "word" else found[0]
            yield _Token(kind, piece, is_glued)
        at, is_glued = found.end(), kind != "space"


def _screen(text: str, dialect: str, tables: Sequence[str]) -> None:
    """Refuse characters, words and calls that are not allowed outside of quotes."""
    if len(text) > MOST_CHARACTERS:
        refuse(NAME, f"expected at most {MOST_CHARACTERS} characters")
    tokens = [_END, _END, *_tokens(text), _END]
    listed = _common_tables(tokens, tables)
    for at in range(2, len(tokens) - 1):
        before, token, after = tokens[at - 1 : at + 2]
        if token.kind == "word" and token.text in _WRITES:
            refuse(
                NAME, f"the word {token.text.upper()} is not allowed outside of quotes"
            )
        if token.text == "in" and after.text != "(":
            refuse(NAME, "expected a bracket behind IN")
        if token.text == "with" and at > 2:
            refuse(NAME, "WITH can only stand at the start, once")
        if token.text == "." and not (
            before.is_name and (after.is_name or after.text == "*")
        ):
            refuse(NAME, "a point stands between two names")
        if token.kind == "string" and not _is_string(before):
            refuse(NAME, f"a string cannot stand behind {before.text}")
        if token.is_glued and not {before.kind, token.kind} & {"mark", "operator"}:
            refuse(NAME, f"expected a space before {token.text}")
        if token.text == "(" and at not in listed:
            _check_bracket(tokens, at, dialect)


def _is_string(before: _Token) -> bool:
    if before.kind == "word":
        return before.text in _BEFORE_STRING
    return before.text in ("(", ",") or (
        before.kind == "operator" and before.text != "::"
    )


def _check_bracket(tokens: Sequence[_Token], at: int, dialect: str) -> None:
    """Refuse the bracket at ``at`` if it may call what is not allowed."""
    behind, called, bracket, inside = tokens[at - 2 : at + 2]
    if called.kind in ("end", "operator") or called.text in ("(", ","):
        return
    name = called.text
    is_function = name in _CALLS | _CALLS_OF.get(dialect, frozenset())
    if dialect == "mysql" and not bracket.is_glued:
        is_function = False  # a space makes it a function of the database's own
    is_grammar = (
        name in _BEFORE_BRACKET
        or (name in _BEFORE_SELECT and inside.text == "select")
        or behind.text in _BEHIND.get(name, ())
    )
    if behind.text == "." or not (is_function or is_grammar):
        shown = name if called.kind == "word" else "a quoted name"
        refuse(NAME, f"the function {shown} is not allowed")


def _common_tables(tokens: Sequence[_Token], tables: Sequence[str]) -> set[int]:
    """Return the brackets of the WITH list: columns and queries. Raises BindError for a wrong one.

    No two common tables have one name, and none has that of an allowed table, so that no database
    can find another table under it. There is one list: in a nested one, MariaDB takes the names
    of the outer one for those of tables.
    """
    closing: dict[int, int] = {}
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.text == "(":
            opened.append(at)
        elif token.text == ")" and opened:
            closing[opened.pop()] = at
    listed: set[int] = set()
    taken = {table.rpartition(".")[2].casefold() for table in tables}
    at = 2
    while tokens[at].text == ("with" if at == 2 else ","):
        name = tokens[at + 1]
        bare = name.text.strip('"`').casefold()
        if not name.is_name or " " in bare or bare in taken:
            refuse(NAME, f"{name.text!r:.60} cannot be the name of a common table")
        taken.add(bare)
        at = _skip_definition(tokens, at + 2, closing, listed)
    if listed and tokens[at].text != "select":
        refuse(NAME, "expected SELECT behind the list of WITH")
    return listed


def _skip_definition(
    tokens: Sequence[_Token], at: int, closing: Mapping[int, int], listed: set[int]
) -> int:
    """Return what follows ``(a, b) AS MATERIALIZED (SELECT ...)``; its brackets are listed."""

    def skip_bracket(at: int) -> int:
        if tokens[at].text != "(" or at not in closing:
            refuse(NAME, "expected WITH name (columns) AS (SELECT ...)")
        listed.add(at)
        return closing[at] + 1

    if tokens[at].text == "(":
        columns = tokens[at + 1 : closing.get(at, at + 1)]
        if not all(column.is_name or column.text == "," for column in columns):
            refuse(NAME, "expected the names of the columns of a common table")
        at = skip_bracket(at)
    if tokens[at].text != "as":
        refuse(NAME, "expected AS behind the name of a common table")
    at += 1
    at += tokens[at].text == "not"
    at += tokens[at].text == "materialized"
    return skip_bracket(at)


def _check_table(node: Any, dialect: str, tables: Sequence[str]) -> None:
    """Refuse a table that is neither allowed nor defined by a WITH around it."""
    named: list[Any] = [
        node.args[part] for part in ("catalog", "db", "this") if node.args.get(part)
    ]
    if any(type(part).__name__ != "Identifier" for part in named):
        refuse(NAME, "only tables can stand behind FROM and JOIN")
    if len(named) == 1 and _is_defined(node, named[0]):
        return
    name = ".".join(part.this for part in named)
    if any(part.args.get("quoted") for part in named) or dialect not in _FOLDED:
        is_allowed = name in tables
    elif dialect == "postgres":
        is_allowed = name.lower() in tables
    else:
        is_allowed = name.lower() in [table.lower() for table in tables]
    if not is_allowed or not name.isascii():
        refuse(
            NAME, f"the table {name:.60} is not allowed; there are {', '.join(tables)}"
        )


def _is_defined(node: Any, name: Any) -> bool:
    """Whether the WITH defines a name, written the same way, before the place of a table.

    A common table is known behind its definition, not inside of it.
    """
    inside: Any = node.find_ancestor(import_module("sqlglot").exp.CTE)
    block = node.root().args.get("with_")
    for each in () if block is None else block.expressions:
        if each is inside:
            return False
        if _is_same(each.args["alias"].this, name):
            return True
    return False


def _is_same(defined: Any, name: Any) -> bool:
    return bool(
        defined.this == name.this
        and bool(defined.args.get("quoted")) == bool(name.args.get("quoted"))
    )


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
