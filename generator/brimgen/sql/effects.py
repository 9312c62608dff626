"""Classify what a statement does to the database, by its tree and a screen of its words (sql.md).

Reading is a whitelist: a statement is `Kind.READ` only if it starts like one, its tree is a query
that calls nothing but functions known to be harmless, and no word of it writes. sqlglot is
permissive: the screen sees what it takes for a name. What it cannot read is never a read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sqlglot import exp

from brimgen.frozen import dataclass
from brimgen.sql.dialects import find_dialect
from brimgen.sql.model import Unreadable
from brimgen.sql.scanner import scan
from brimgen.sql.statement import Statement
from brimgen.sql.tokens import Token, TokenKind, depths, ends_operand, words
from brimgen.sql.tree import parse


@dataclass(frozen=True, slots=True)
class Hints:
    """What MCP annotations say about a statement; None: not said (open world is always False)."""

    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None


READS = Hints(read_only=True, destructive=None, idempotent=None)
ADDS = Hints(read_only=False, destructive=False, idempotent=False)
REPLACES = Hints(read_only=False, destructive=True, idempotent=True)
CHANGES = Hints(read_only=False, destructive=True, idempotent=False)
UNKNOWN = Hints(read_only=None, destructive=None, idempotent=None)
"""Of a function that may do anything: clients expect the worst where nothing is said."""


class Kind(StrEnum):
    """What a statement does."""

    READ = "read"
    WRITE = "write"
    LOCK = "lock"
    DDL = "ddl"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Facts:
    """The kind, its hints, the leading verb (upper case), and whether rows come back.

    ``has_where`` is None where the verb has no use for a WHERE; ``gives_rows`` None if unknown.
    """

    kind: Kind
    hints: Hints
    verb: str
    gives_rows: bool | None
    has_where: bool | None

    @property
    def counts(self) -> bool:
        """Whether all that it gives is the number of rows that it changed."""
        return self.verb in _WRITES and self.gives_rows is False


_BY_GRAVITY = (Kind.READ, Kind.LOCK, Kind.WRITE, Kind.DDL, Kind.OTHER)


def _read_words(name: str) -> Mapping[str, frozenset[str]]:
    """The words of a file in this folder, by the name in brackets before them."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    text = re.sub("^#.*", "", text, flags=re.MULTILINE)
    headed = (section.partition("]") for section in text.split("[")[1:])
    return {key: words(listed) for key, _, listed in headed}


_WORDS = _read_words("effects.txt")
_DDL, _WRITES, _QUERIES = _WORDS["ddl"], _WORDS["writes"], _WORDS["queries"]
_NEVER_IN_READ = _WRITES | _WORDS["never in a read"]
_WITHOUT_ROWS = _DDL | _WORDS["without rows"]
_LOCK_FUNCTIONS = ("PG_ADVISORY", "PG_TRY_ADVISORY", "GET_LOCK", "RELEASE_LOCK")
_OUTSIDE = "outside"
_MAY_CALL = frozenset({TokenKind.WORD, TokenKind.QUOTED, TokenKind.STRING})
_FOLDS = {"postgres": str.lower, "oracle": str.upper, "snowflake": str.upper}
"""Dialects where a quoted name is found in one case only."""
_CHANGING = (exp.Insert, exp.Update, exp.Delete, exp.Merge)
_CONSTANTS = (
    *(exp.Placeholder, exp.Literal, exp.Null, exp.Boolean, exp.Cast, exp.TryCast),
    *(exp.DataType, exp.DataTypeParam, exp.Paren, exp.Neg, exp.Add, exp.Sub, exp.Mul),
    *(exp.Div, exp.DPipe, exp.Var),
)
"""What values are made of that are the same each time."""

Effect = tuple[Kind, Hints]
_ANYTHING = (Kind.OTHER, UNKNOWN)


def gravest(facts: Iterable[Facts]) -> Facts:
    """Return what is known of the statement that does most, of several that may be run."""
    return max(facts, key=lambda candidate: _BY_GRAVITY.index(candidate.kind))


def statement_facts(text: str, dialect: str) -> Facts:
    """Classify a statement by its text; `Kind.OTHER` where the dialect is unknown."""
    known_dialect = find_dialect(dialect)
    if known_dialect is None:
        return Facts(Kind.OTHER, CHANGES, "", None, None)
    return facts_of(scan(text, known_dialect))


def facts_of(statement: Statement) -> Facts:
    """Classify a statement that is scanned already, as `statement_facts` does."""
    return statement.computed_once(_read_facts)


def _read_facts(statement: Statement) -> Facts:
    tokens = statement.significant
    while tokens and tokens[-1].text == ";":
        tokens = tokens[:-1]
    at = verb_at(tokens)
    verb = tokens[at].word if at is not None else ""
    several = ";" in statement.text and any(token.text == ";" for token in tokens)
    if at is None or several or TokenKind.OPEN_STRING in statement.kinds:
        return Facts(Kind.OTHER, CHANGES, verb, None, None)
    if verb in _QUERIES:
        effects = [
            *_screened(tokens, statement.dialect.name),
            *_tree_effects(statement),
        ]
        kind, hints = max(effects, key=_weight, default=(Kind.READ, READS))
        hints = _beside(effects, hints)
        reads = kind in (Kind.READ, Kind.LOCK) or hints is UNKNOWN
        gives_rows = reads or not any(token.word == "INTO" for token in tokens[at:])
        return Facts(kind, hints, verb, gives_rows, None)
    if verb in _WRITES:
        return _write(statement, tokens[at:])
    kind = Kind.DDL if verb in _DDL else Kind.OTHER
    kind = Kind.LOCK if verb == "LOCK" else kind
    return Facts(kind, CHANGES, verb, False if verb in _WITHOUT_ROWS else None, None)


def _weight(effect: Effect) -> tuple[bool, bool, bool]:
    """The order of effects: what destroys, what is known, what does more than lock."""
    kind, hints = effect
    return bool(hints.destructive), hints is not UNKNOWN, kind is not Kind.LOCK


def _beside(effects: Iterable[Effect], hints: Hints) -> Hints:
    """Return ``hints``, without a promise that a function beside them may break."""
    called = set(effects)
    if (Kind.OTHER, CHANGES) in called:
        return CHANGES
    if hints in (UNKNOWN, CHANGES) or _ANYTHING not in called:
        return hints
    return Hints(False, hints.destructive or None, None)


def verb_at(tokens: Sequence[Token]) -> int | None:
    """Find the verb: after opening brackets, and after the list of a WITH."""
    at = 0
    while at < len(tokens) and tokens[at].text == "(":
        at += 1
    if at == len(tokens) or tokens[at].kind is not TokenKind.WORD:
        return None
    if tokens[at].word != "WITH":
        return at
    levels = depths(tokens)
    for index in range(at + 1, len(tokens)):
        word, same = tokens[index].word, levels[index] == levels[at]
        if same and word in (_QUERIES | _WRITES) and tokens[index - 1].text == ")":
            return index
    return None


# The screen


def _screened(tokens: Sequence[Token], dialect: str) -> Iterator[Effect]:
    """Yield what words of a query do that are no names."""
    for index, token in enumerate(tokens):
        word, before = token.word, tokens[index - 1] if index else token
        if token.text == ":=" and dialect == "mysql":
            yield Kind.OTHER, CHANGES
        elif (
            dialect == "tsql"
            and word in _WORDS["lock hints"]
            and before.text not in ".AS"
        ):
            yield Kind.LOCK, ADDS
        elif (
            dialect == "tsql"
            and word in _WORDS["starts alone"]
            and not _is_name(tokens, index)
        ):
            yield Kind.OTHER, UNKNOWN
        elif word == "INTO" and before.word not in ("INSERT", "MERGE"):
            after = tokens[index + 1 : index + 2]
            exports = [
                each
                for each in after
                if each.word in ("OUTFILE", "DUMPFILE") or each.text.startswith("@")
            ]
            yield (Kind.OTHER, CHANGES) if exports else (Kind.WRITE, ADDS)
        elif word == "UPDATE" and before.word in ("FOR", "KEY"):
            continue  # a lock, which the tree tells
        elif word in _NEVER_IN_READ and not _is_name(tokens, index):
            yield Kind.WRITE, CHANGES


def _is_name(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word that usually writes is only a name or a function here."""
    before = tokens[index - 1] if index else None
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if (
        after is not None
        and after.text == "("
        and tokens[index].word in _WORDS["functions too"]
    ):
        return before is None or before.text != "("
    if before is None:
        return False
    if before.text == ".":
        return index > 1 and _is_identifier(tokens[index - 2])
    return before.word == "AS" and (after is None or after.text in (",", ")"))


def _is_identifier(token: Token) -> bool:
    """Whether a token may be the qualifier before a dot; `1.` and `$1.` are numbers."""
    starts_so = token.text[:1].isalpha() or token.text[:1] == "_"
    return token.kind is TokenKind.QUOTED or (bool(token.word) and starts_so)


# The tree


def _tree_effects(statement: Statement) -> Iterator[Effect]:
    """Yield what the parts of a tree do beside reading; what cannot be read may do anything."""
    parsed = statement.computed_once(parse)
    if isinstance(parsed, Unreadable):
        yield Kind.OTHER, UNKNOWN
        return
    dialect, nodes = statement.dialect.name, list(parsed.tree.walk())
    if not _are_calls_seen(statement.significant, dialect, nodes):
        yield Kind.OTHER, UNKNOWN
    if _calls_without_brackets(statement.significant, dialect, nodes):
        yield Kind.OTHER, UNKNOWN
    for node in nodes:
        if isinstance(node, exp.Lock):
            yield Kind.LOCK, ADDS
        elif isinstance(node, _CHANGING):
            yield Kind.WRITE, CHANGES
        elif isinstance(node, exp.QueryTransform):
            yield Kind.OTHER, CHANGES
        elif isinstance(node, (exp.NextValueFor, exp.Column)):
            if isinstance(node, exp.NextValueFor) or node.name.upper() == "NEXTVAL":
                yield Kind.WRITE, ADDS
        elif isinstance(node, exp.Anonymous) and not isinstance(node.parent, exp.Hint):
            effect = _effect_of_call(node, dialect)
            if effect is not None:
                yield effect


def _are_calls_seen(
    tokens: Sequence[Token], dialect: str, nodes: Sequence[exp.Expr]
) -> bool:
    """Whether the tree, or the grammar, tells what each name before a bracket is.

    sqlglot takes some calls for a column or a table with a list of aliases.
    """
    named: set[int] = set()
    for node in nodes:
        told: exp.Expr | None = node
        if isinstance(node, exp.TableAlias):
            told = node.args.get("this")
        elif isinstance(node, exp.Insert):
            target = node.this.this if isinstance(node.this, exp.Schema) else None
            told = target.this if isinstance(target, exp.Table) else None
        elif not isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
            continue
        if told is not None:
            for part in (told, told.this):
                if isinstance(part, exp.Expr) and "start" in part.meta:
                    named.add(part.meta["start"])
    called = [
        index
        for index in range(len(tokens) - 1)
        if tokens[index + 1].text == "(" and tokens[index].kind in _MAY_CALL
    ]
    sets = [index for index in called if tokens[index].word in ("ROLLUP", "CUBE")]
    grouped = [
        node
        for node in nodes
        if isinstance(node, (exp.Rollup, exp.Cube)) and node.expressions
    ]
    return all(
        tokens[index].start in named
        or _is_grammar(tokens, index, dialect)
        or (index in sets and len(sets) == len(grouped))
        for index in called
    )


def _is_grammar(tokens: Sequence[Token], index: int, dialect: str) -> bool:
    """Whether a word before a bracket calls nothing, or what the database brings along."""
    token, before = tokens[index], tokens[index - 1] if index else None
    word = token.word if token.text.isascii() else ""
    said = "" if before is None else before.word or before.text
    inside = [each.text.upper() for each in tokens[index + 2 : index + 4]]
    if dialect == "oracle" and inside == ["+", ")"]:
        return True  # an outer join
    if said == "." or not word:
        return False
    if word in _WORDS["bracket follows"] or dialect in _WORDS.get(
        f"bracket in {word}", ()
    ):
        return True
    if said in _WORDS.get(f"bracket after {word}", ()):
        return True
    if _is_pure(word, dialect) or (
        word == "COLUMNS" and dialect in _WORDS["columns too"]
    ):
        return True
    follows = before is not None and (ends_operand(before) or said == "::")
    follows = follows or dialect == "tsql"  # which calls no own function by one name
    if word in _WORDS["after a name"] and follows:
        return said not in ("SELECT", "ALL", "DISTINCT")
    if word not in _WORDS["sized"] or not (follows or said == "AS"):
        return word == "ROW" and dialect != "sqlite"
    return bool(inside) and (inside[0] == "MAX" or inside[0].isdigit())


def _calls_without_brackets(
    tokens: Sequence[Token], dialect: str, nodes: Sequence[exp.Expr]
) -> bool:
    """Whether something that looks like a column or a table may be a call in this dialect."""
    if dialect == "sqlite":
        names = {_bare(token).upper() for token in tokens if token.kind in _MAY_CALL}
        return any(
            name.startswith("PRAGMA_") and not _is_pure(name, dialect) for name in names
        )
    if dialect == "postgres":
        return any(_is_attribute_call(node) for node in nodes)
    if dialect == "clickhouse":
        return any(token.word == "APPLY" for token in tokens)
    return dialect == "oracle" and _calls_in_oracle(tokens, nodes)


def _is_attribute_call(node: exp.Expr) -> bool:
    """Whether `x.f` may mean `f(x)` in PostgreSQL, as it does where x has no such column."""
    if isinstance(node, exp.Dot):
        return not isinstance(node.expression, (exp.Anonymous, exp.Star))
    if not isinstance(node, exp.Column) or not node.args.get("table"):
        return False
    name = node.name.upper()
    return name.startswith(("PG_", "LO_", "DBLINK")) or (
        name in _functions()[_OUTSIDE] or name == "SETVAL"
    )


def _calls_in_oracle(tokens: Sequence[Token], nodes: Sequence[exp.Expr]) -> bool:
    """Whether a column belongs to no table that is named, is of DUAL, or is of another database."""
    if any(token.text.startswith("@") for token in tokens):
        return True
    for index, token in enumerate(tokens[:-3]):
        inside = tokens[index + 1].text == "(" and tokens[index + 3].text == ")"
        if token.word == "TABLE" and inside:
            return True
    tables = [node for node in nodes if isinstance(node, exp.Table)]
    sources = {node.name.upper() for node in tables}
    only_dual = sources == {"DUAL"}
    sources |= {node.name.upper() for node in nodes if isinstance(node, exp.TableAlias)}
    for node in nodes:
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
            name, table = node.name.upper(), node.table.upper()
            if table and table not in sources and name not in ("NEXTVAL", "CURRVAL"):
                return True
            if only_dual and not table and name not in _WORDS["columns of dual"]:
                return True
    return False


def _bare(token: Token) -> str:
    return token.text if token.kind is TokenKind.WORD else token.text[1:-1]


def _effect_of_call(node: exp.Anonymous, dialect: str) -> Effect | None:
    """Return what a call does beside reading; None for a function known to do nothing else."""
    path = _called(node)
    name = path[-1].upper()
    if name in ("NEXTVAL", "SETVAL"):
        return Kind.WRITE, CHANGES if name == "SETVAL" else ADDS
    if name.startswith(_LOCK_FUNCTIONS):
        return Kind.LOCK, ADDS
    if name in _functions()[_OUTSIDE]:
        return Kind.OTHER, CHANGES
    if name == "LAST_INSERT_ID" and node.expressions:
        return Kind.OTHER, UNKNOWN
    schemas = _WORDS.get(f"built in {dialect}", ())
    is_own = len(path) == 1 or (len(path) == 2 and path[0].upper() in schemas)
    is_grammar = name in _WORDS["no calls"] or (
        name == "COLUMNS" and dialect in _WORDS["columns too"]
    )
    is_grammar = is_grammar and not _is_quoted(node) and dialect != "sqlite"
    if is_own and (is_grammar or _is_known(node, path[-1], dialect)):
        return None
    return None if dialect == "tsql" and _is_xml_method(node, path) else _ANYTHING


def _is_known(node: exp.Anonymous, name: str, dialect: str) -> bool:
    """Whether a function is listed; a quoted name must be in the case that the database uses."""
    if _is_quoted(node) and dialect in _FOLDS and name != _FOLDS[dialect](name):
        return False
    return name.isascii() and _is_pure(name.upper(), dialect)


def _is_quoted(node: exp.Anonymous) -> bool:
    return isinstance(node.this, exp.Identifier) and bool(node.this.args.get("quoted"))


def _is_xml_method(node: exp.Anonymous, path: Sequence[str]) -> bool:
    """Whether a method of an XML column is called, whose first argument is always a string."""
    first = node.expressions[0] if node.expressions else None
    is_path = isinstance(first, exp.Literal) and first.is_string
    is_method = (
        path[-1].upper() in _WORDS["methods of xml"]
        and path[0].upper() not in _WORDS["schemas of xml"]
    )
    return len(path) > 1 and is_method and is_path


def _called(node: exp.Anonymous) -> tuple[str, ...]:
    """Return the parts of the name of a function; sqlglot may know nothing before its dot."""
    name = node.this.name if isinstance(node.this, exp.Identifier) else str(node.this)
    around = node.parent
    if isinstance(around, exp.Table):
        return (*[part.name for part in around.parts[:-1]], name)
    if isinstance(around, exp.Dot) and around.expression is node:
        if not isinstance(around.this, exp.Expr):
            return ("", name)
        parts = [part.name for part in around.this.find_all(exp.Identifier)]
        return (*(parts or [""]), name)
    return (name,)


@cache
def _functions() -> Mapping[str, frozenset[str]]:
    """The functions that change nothing, in upper case, by dialect, as `functions.txt` lists them.

    ``outside`` has those that reach beyond the database.
    """
    return _read_words("functions.txt")


def _is_pure(name: str, dialect: str) -> bool:
    return name in _functions().get(dialect, ())


# Changes


def _write(statement: Statement, body: Sequence[Token]) -> Facts:
    """Classify a change, whose tokens begin with its verb."""
    verb, levels = body[0].word, depths(body)
    outer = {
        token.word for token, level in zip(body, levels, strict=False) if not level
    }
    hints = _write_hints(statement, verb)
    again = any(
        token.word in _WORDS["writes again"] and not _is_name(body, index)
        for index, token in enumerate(body)
        if index and verb != "MERGE"
    )
    if again:
        hints = CHANGES
    has_where = "WHERE" in outer if verb in ("UPDATE", "DELETE") else None
    gives_rows = _gives_rows(statement.dialect.name, verb, outer)
    return Facts(Kind.WRITE, hints, verb, gives_rows, has_where)


def _gives_rows(dialect: str, verb: str, outer: set[str]) -> bool | None:
    """Whether rows come back; None where T-SQL may begin a query without a semicolon before it."""
    if dialect != "tsql":
        return "RETURNING" in outer
    if "SELECT" in outer and (verb != "INSERT" or "VALUES" in outer):
        return None
    return "OUTPUT" in outer


def _write_hints(statement: Statement, verb: str) -> Hints:
    parsed = statement.computed_once(parse)
    if isinstance(parsed, Unreadable):
        idempotent = None if verb in ("INSERT", "DELETE") else False
        return Hints(False, None if verb == "INSERT" else True, idempotent)
    tree = parsed.tree
    listed = tree.args.get("with_")
    if listed is not None and listed.find(*_CHANGING) is not None:
        return CHANGES
    if verb == "INSERT":
        conflict = tree.args.get("conflict")
        updates = conflict is not None and bool(conflict.expressions)
        replaces = tree.args.get("overwrite") or (
            f"{tree.args.get('alternative')}".upper() == "REPLACE"
        )
        hints = CHANGES if updates or replaces else ADDS
    elif verb == "DELETE" or (verb == "UPDATE" and _sets_constants(tree)):
        hints = REPLACES
    else:
        return CHANGES
    return _beside(_tree_effects(statement), hints)


def _sets_constants(tree: exp.Expr) -> bool:
    """Whether every right side of an UPDATE is made of parameters and literals alone."""
    return all(
        isinstance(part, _CONSTANTS) or part.name.upper() == "DEFAULT"
        for assignment in tree.expressions
        for part in assignment.args.get("expression", assignment).walk()
    )


class PlainInsert(NamedTuple):
    """The table and the columns that an INSERT stores its parameters in, in their order."""

    table: tuple[str, ...]
    columns: tuple[str, ...]


def plain_insert(statement: Statement) -> PlainInsert | None:
    """Return what an INSERT of one row of distinct parameters stores; None for any other text."""
    parsed = statement.computed_once(parse)
    if isinstance(parsed, Unreadable) or not isinstance(parsed.tree, exp.Insert):
        return None
    target, rows = parsed.tree.this, parsed.tree.expression
    parts = {key for key, part in parsed.tree.args.items() if part}
    if parts != {"this", "expression"} or not isinstance(target, exp.Schema):
        return None
    if not isinstance(rows, exp.Values) or len(rows.expressions) != 1:
        return None
    cells, table = rows.expressions[0].expressions, target.this.parts
    is_plain = all(isinstance(cell, exp.Placeholder) for cell in cells)
    if not is_plain or not len(cells) == len(statement.names) == len(
        target.expressions
    ):
        return None
    if len(table) > 2:
        return None
    return PlainInsert(tuple(map(_name, table)), tuple(map(_name, target.expressions)))


def _name(node: exp.Expr) -> str:
    """Return a name as the database knows it."""
    return node.name if node.args.get("quoted") else node.name.lower()
