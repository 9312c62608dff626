"""Classify what a statement does to the database, from its text (sql.md).

Reading is a whitelist: a statement is `Kind.READ` only if it starts like one and holds nothing
that is known to write, lock or reach outside, and no function that is not known to be harmless
(`unknown_calls`). What is not known is never a read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from brimgen.frozen import dataclass
from brimgen.sql.dialects import find_dialect
from brimgen.sql.keywords import (
    DDL,
    EFFECT_WORDS,
    FUNCTION_TOO,
    LOCK_FUNCTIONS,
    LOCK_HINTS,
    NEVER_IN_READ,
    OUTSIDE,
    PLAIN_VALUES,
    QUERIES,
    SEQUENCES,
    WITHOUT_ROWS,
    WRITES,
)
from brimgen.sql.scanner import scan
from brimgen.sql.statement import Statement
from brimgen.sql.tokens import Token, TokenKind, depths
from brimgen.sql.unknown_calls import unknown_call


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
        return self.verb in WRITES and self.gives_rows is False


_BY_GRAVITY = (Kind.READ, Kind.LOCK, Kind.WRITE, Kind.DDL, Kind.OTHER)


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
    tokens = _without_end(statement.significant)
    at = verb_at(tokens)
    verb = tokens[at].word if at is not None else ""
    several = ";" in statement.text and any(token.text == ";" for token in tokens)
    if at is None or several or TokenKind.OPEN_STRING in statement.kinds:
        return Facts(Kind.OTHER, CHANGES, verb, None, None)
    if verb in QUERIES:
        kind, hints = _query(statement, tokens)
        if kind is Kind.READ and unknown_call(statement):
            kind, hints = Kind.OTHER, UNKNOWN
        reads = kind in (Kind.READ, Kind.LOCK) or hints is UNKNOWN
        gives_rows = reads or not any(token.word == "INTO" for token in tokens[at:])
        return Facts(kind, hints, verb, gives_rows, None)
    if verb in WRITES:
        return _write(statement, tokens, at)
    kind = Kind.DDL if verb in DDL else Kind.OTHER
    kind = Kind.LOCK if verb == "LOCK" else kind
    return Facts(kind, CHANGES, verb, False if verb in WITHOUT_ROWS else None, None)


def _write(statement: Statement, tokens: Sequence[Token], at: int) -> Facts:
    body, verb = tokens[at:], tokens[at].word
    levels = depths(body)
    outer = {
        token.word for token, level in zip(body, levels, strict=False) if not level
    }
    hints = _write_hints(verb, body, levels)
    if _holds_write(tokens[:at]) or _writes_again(body):
        hints = CHANGES
    elif hints is not CHANGES and unknown_call(statement):
        hints = Hints(False, hints.destructive or None, None)
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


def _without_end(tokens: Sequence[Token]) -> tuple[Token, ...]:
    end = len(tokens)
    while end and tokens[end - 1].text == ";":
        end -= 1
    return tuple(tokens[:end])


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
        if same and word in (QUERIES | WRITES) and tokens[index - 1].text == ")":
            return index
    return None


def _query(statement: Statement, tokens: Sequence[Token]) -> tuple[Kind, Hints]:
    """Classify a statement that starts like a query by the worst of its parts."""
    if not _may_have_effects(statement):
        return Kind.READ, READS
    effects = [_effect_at(tokens, index, token) for index, token in enumerate(tokens)]
    verdicts = [effect for effect in effects if effect is not None]
    return max(verdicts, key=_weight, default=(Kind.READ, READS))


def _weight(verdict: tuple[Kind, Hints]) -> tuple[bool, bool]:
    kind, hints = verdict
    return bool(hints.destructive), kind is not Kind.LOCK


def _may_have_effects(statement: Statement) -> bool:
    """Whether the query holds any word that could make it more than a read."""
    words = statement.vocabulary
    return (
        not EFFECT_WORDS.isdisjoint(words)
        or any(word.startswith(LOCK_FUNCTIONS) for word in words)
        or TokenKind.QUOTED in statement.kinds
        or ":=" in statement.text
    )


def _effect_at(
    tokens: Sequence[Token], index: int, token: Token
) -> tuple[Kind, Hints] | None:
    """Return what makes a query more than a read at ``index``, if anything does."""
    word = token.word
    if not word and token.kind is not TokenKind.QUOTED and token.text != ":=":
        return None
    before = tokens[index - 1] if index else None
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    called = after is not None and after.text == "("
    if called and token.kind is TokenKind.QUOTED:
        word = token.text[1:-1].upper()
    if token.text == ":=" and before is not None and before.text.startswith("@"):
        return Kind.OTHER, CHANGES
    if not word:
        return None
    if word in ("FOR", "LOCK"):
        return _lock_clause(tokens, index)
    if word in SEQUENCES or (word == "NEXT" and after and after.word == "VALUE"):
        return Kind.WRITE, CHANGES if word == "SETVAL" else ADDS
    if word == "INTO" and (before is None or before.word not in ("INSERT", "MERGE")):
        exports = after is not None and (
            after.word in ("OUTFILE", "DUMPFILE") or after.text.startswith("@")
        )
        return (Kind.OTHER, CHANGES) if exports else (Kind.WRITE, ADDS)
    if called and word.startswith(LOCK_FUNCTIONS):
        return Kind.LOCK, ADDS
    if called and word in OUTSIDE:
        return Kind.OTHER, CHANGES
    if word in LOCK_HINTS and before is not None and before.text in ("(", ","):
        return Kind.LOCK, ADDS
    locks = word == "UPDATE" and before is not None and before.word in ("FOR", "KEY")
    if word in NEVER_IN_READ and not locks and not _is_name(tokens, index):
        return Kind.WRITE, CHANGES
    return None


def _lock_clause(tokens: Sequence[Token], index: int) -> tuple[Kind, Hints] | None:
    following = [token.word for token in tokens[index + 1 : index + 4]]
    if tokens[index].word == "LOCK":
        return (Kind.LOCK, ADDS) if following == ["IN", "SHARE", "MODE"] else None
    if following[:1] in (["UPDATE"], ["SHARE"]) or following[:2] == ["KEY", "SHARE"]:
        return Kind.LOCK, ADDS
    return (Kind.LOCK, ADDS) if following == ["NO", "KEY", "UPDATE"] else None


def _is_name(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word that usually writes is only a name or a function here."""
    before = tokens[index - 1] if index else None
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if after is not None and after.text == "(" and tokens[index].word in FUNCTION_TOO:
        return before is None or before.text != "("
    if before is None or before.text == ".":
        return before is not None
    return before.word == "AS" and (after is None or after.text in (",", ")"))


def _holds_write(tokens: Sequence[Token]) -> bool:
    """Whether a WITH list holds a writing query."""
    return any(
        token.word in WRITES and tokens[index - 1].text == "("
        for index, token in enumerate(tokens)
        if index
    )


def _writes_again(body: Sequence[Token]) -> bool:
    """Whether another writing verb follows, as T-SQL allows without a semicolon."""
    return any(
        token.word in ("DELETE", "MERGE", "DROP", "TRUNCATE", "EXEC")
        and not _is_name(body, index)
        for index, token in enumerate(body)
        if index and body[0].word != "MERGE"
    )


def _write_hints(verb: str, body: Sequence[Token], levels: Sequence[int]) -> Hints:
    match verb:
        case "INSERT":
            body_words = [token.word for token in body]
            replaces = body_words[1:3] == ["OR", "REPLACE"] or body_words[1:2] == [
                "OVERWRITE"
            ]
            upsert = any(
                word == "UPDATE" and body_words[index - 1] in ("DO", "KEY")
                for index, word in enumerate(body_words)
            )
            return CHANGES if replaces or upsert else ADDS
        case "DELETE":
            return REPLACES
        case "UPDATE":
            return REPLACES if _sets_constants(body, levels) else CHANGES
        case _:
            return CHANGES


def _sets_constants(body: Sequence[Token], levels: Sequence[int]) -> bool:
    """Whether every right side of an UPDATE is made of parameters and literals alone."""
    body_words = [token.word for token in body]
    if "SET" not in body_words:
        return False
    in_value, cast = False, False
    for index in range(body_words.index("SET") + 1, len(body)):
        token, outer = body[index], levels[index] == 0
        if outer and body_words[index] in (
            "WHERE",
            "FROM",
            "RETURNING",
            "ORDER",
            "LIMIT",
        ):
            return True
        if token.text == "=" and outer:
            in_value = True
        elif token.text == "," and outer:
            in_value = False
        elif (
            in_value
            and body_words[index]
            and not cast
            and body_words[index] not in PLAIN_VALUES
        ):
            return False
        cast = token.text == "::" or body_words[index] == "AS"
    return True
