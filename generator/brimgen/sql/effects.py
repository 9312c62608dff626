"""Classify what a statement does to the database, by its tree and a screen of its words (sql.md).

Reading is a whitelist: a statement is `Kind.READ` only if it starts like one, its tree is a query
that calls nothing but functions known to be harmless, and no word of it writes. sqlglot is
permissive: the screen sees what it takes for a name. What it cannot read is never a read.
"""

from __future__ import annotations

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
from brimgen.sql.tokens import Token, TokenKind, depths, words
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
_DDL = words("CREATE ALTER DROP RENAME TRUNCATE COMMENT")
_WRITES = words("INSERT UPDATE DELETE MERGE REPLACE UPSERT")
_QUERIES = words("SELECT VALUES TABLE FROM")
_NEVER_IN_READ = _WRITES | words(
    """CREATE ALTER DROP TRUNCATE EXEC EXECUTE CALL GRANT REVOKE COPY ATTACH DETACH VACUUM"""
)
_WRITES_AGAIN = words("DELETE MERGE DROP TRUNCATE EXEC")
"""Verbs that may follow a change without a semicolon, as T-SQL allows."""
_WITHOUT_ROWS = _DDL | words(
    """ATTACH COMMIT DEALLOCATE DENY DETACH DISCARD GRANT LISTEN LOCK NOTIFY REINDEX RELEASE REVOKE
    ROLLBACK SAVEPOINT UNLISTEN UNLOCK VACUUM"""
)
"""Verbs after which no row comes; `SET` and the like may have a query behind them (T-SQL)."""
_FUNCTION_TOO = words("INSERT REPLACE TRUNCATE UPDATE")
_LOCK_FUNCTIONS = ("PG_ADVISORY", "PG_TRY_ADVISORY", "GET_LOCK", "RELEASE_LOCK")
_LOCK_HINTS = words("UPDLOCK XLOCK TABLOCK TABLOCKX HOLDLOCK")
_EVERYWHERE, _OUTSIDE = "everywhere", "outside"
_BUILT_IN = words("PG_CATALOG SYS NET SAFE HLL_COUNT KEYS SYSTEM$")
"""Schemas and prefixes whose functions are the database's own."""
_NO_CALLS = words("ROW VALUES COLUMNS ANY SOME ALL TABLE")
"""What looks like a function and calls nothing."""
_XML_METHODS = words("VALUE NODES QUERY EXIST")
_CHANGING = (exp.Insert, exp.Update, exp.Delete, exp.Merge)
_CONSTANTS = (
    *(exp.Placeholder, exp.Literal, exp.Null, exp.Boolean, exp.Cast, exp.TryCast),
    *(exp.DataType, exp.DataTypeParam, exp.Paren, exp.Neg, exp.Add, exp.Sub, exp.Mul),
    *(exp.Div, exp.DPipe, exp.Var),
)
"""What values are made of that are the same each time."""

Effect = tuple[Kind, Hints]


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
        effects = [*_screened(tokens), *_tree_effects(statement)]
        kind, hints = max(effects, key=_weight, default=(Kind.READ, READS))
        reads = kind in (Kind.READ, Kind.LOCK) or hints is UNKNOWN
        gives_rows = reads or not any(token.word == "INTO" for token in tokens[at:])
        return Facts(kind, hints, verb, gives_rows, None)
    if verb in _WRITES:
        return _write(statement, tokens[at:])
    kind = Kind.DDL if verb in _DDL else Kind.OTHER
    kind = Kind.LOCK if verb == "LOCK" else kind
    return Facts(kind, CHANGES, verb, False if verb in _WITHOUT_ROWS else None, None)


def _weight(effect: Effect) -> tuple[bool, bool, bool]:
    kind, hints = effect
    return bool(hints.destructive), hints is not UNKNOWN, kind is not Kind.LOCK


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


def _screened(tokens: Sequence[Token]) -> Iterator[Effect]:
    """Yield what words of a query do that are no names."""
    for index, token in enumerate(tokens):
        word, before = token.word, tokens[index - 1] if index else token
        if token.text == ":=" and before.text.startswith("@"):
            yield Kind.OTHER, CHANGES
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
    if after is not None and after.text == "(" and tokens[index].word in _FUNCTION_TOO:
        return before is None or before.text != "("
    if before is None or before.text == ".":
        return before is not None
    return before.word == "AS" and (after is None or after.text in (",", ")"))


# The tree


def _tree_effects(statement: Statement) -> Iterator[Effect]:
    """Yield what the parts of a tree do beside reading; what cannot be read may do anything."""
    parsed = statement.computed_once(parse)
    if isinstance(parsed, Unreadable):
        yield Kind.OTHER, UNKNOWN
        return
    for node in parsed.tree.walk():
        if isinstance(node, exp.Lock):
            yield Kind.LOCK, ADDS
        elif isinstance(node, _CHANGING):
            yield Kind.WRITE, CHANGES
        elif isinstance(node, (exp.NextValueFor, exp.Column)):
            if isinstance(node, exp.NextValueFor) or node.name.upper() == "NEXTVAL":
                yield Kind.WRITE, ADDS
        elif isinstance(node, exp.WithTableHint):
            if not _LOCK_HINTS.isdisjoint(
                each.name.upper() for each in node.expressions
            ):
                yield Kind.LOCK, ADDS
        elif isinstance(node, exp.Anonymous) and not isinstance(node.parent, exp.Hint):
            effect = _effect_of_call(node, statement.dialect.name)
            if effect is not None:
                yield effect


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
    is_own = len(path) == 1 or (len(path) == 2 and path[0].upper() in _BUILT_IN)
    if is_own and (name in _NO_CALLS or _is_pure(name, dialect)):
        return None
    is_method = dialect == "tsql" and len(path) > 1 and name in _XML_METHODS
    return None if is_method else (Kind.OTHER, UNKNOWN)


def _called(node: exp.Anonymous) -> tuple[str, ...]:
    """Return the parts of the name of a function."""
    name = node.this.name if isinstance(node.this, exp.Identifier) else str(node.this)
    around = node.parent
    if isinstance(around, exp.Table):
        return (*[part.name for part in around.parts[:-1]], name)
    if isinstance(around, exp.Dot) and around.expression is node:
        return (*[part.name for part in around.this.find_all(exp.Identifier)], name)
    return (name,)


@cache
def _functions() -> Mapping[str, frozenset[str]]:
    """The functions that change nothing, in upper case, by dialect, as `functions.txt` lists them.

    ``everywhere`` has those of all dialects, ``outside`` those that reach beyond the database.
    """
    path = Path(__file__).with_name("functions.txt")
    sections = path.read_text(encoding="utf-8").split("[")[1:]
    headed = (section.partition("]") for section in sections)
    return {dialect: frozenset(listed.split()) for dialect, _, listed in headed}


def _is_pure(name: str, dialect: str) -> bool:
    names = _functions()
    if name in names[_EVERYWHERE] or name in names.get(dialect, ()):
        return True
    return dialect == "postgres" and name.startswith("ST_")  # PostGIS


# Changes


def _write(statement: Statement, body: Sequence[Token]) -> Facts:
    """Classify a change, whose tokens begin with its verb."""
    verb, levels = body[0].word, depths(body)
    outer = {
        token.word for token, level in zip(body, levels, strict=False) if not level
    }
    hints = _write_hints(statement, verb)
    again = any(
        token.word in _WRITES_AGAIN and not _is_name(body, index)
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
        is_other = tree.args.get("overwrite") or (
            f"{tree.args.get('alternative')}".upper() == "REPLACE"
        )
        hints = CHANGES if updates or is_other else ADDS
    elif verb == "DELETE" or (verb == "UPDATE" and _sets_constants(tree)):
        hints = REPLACES
    else:
        return CHANGES
    effects = list(_tree_effects(statement))
    if hints is not CHANGES and (Kind.OTHER, UNKNOWN) in effects:
        return Hints(False, hints.destructive or None, None)
    return hints


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
