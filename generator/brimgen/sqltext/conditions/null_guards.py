"""Find parameters whose comparisons need a guard against NULL.

``column = NULL`` is never true. Where a parameter may be left out, its comparison needs a guard:
``(:x IS NULL OR column = :x)``. Only certain cases are reported: a condition *rejects* NULL for a
parameter if it cannot be true while the parameter is NULL, whatever the rows are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from brimgen.frozen import dataclass
from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import Token, TokenKind, words

NullRejecting: TypeAlias = Mapping[str, tuple[Token, ...]]
"""The parameters that a condition rejects NULL for, by name, and where they stand."""
NONE: NullRejecting = {}


def by_name(tokens: Iterable[Token]) -> NullRejecting:
    """Group parameters by name, each with its places."""
    groups: dict[str, tuple[Token, ...]] = {}
    for token in tokens:
        groups[token.name] = (*groups.get(token.name, ()), token)
    return groups


def joined(*parts: NullRejecting) -> NullRejecting:
    """Return what is rejected if any of the parts rejects it."""
    rejected: dict[str, tuple[Token, ...]] = {}
    for part in parts:
        for name, places in part.items():
            rejected[name] = (*rejected.get(name, ()), *places)
    return rejected


def common(parts: Sequence[NullRejecting]) -> NullRejecting:
    """Return what all of the parts reject; there is at least one."""
    rejected = dict(parts[0])
    for part in parts[1:]:
        rejected = {
            name: (*places, *part[name])
            for name, places in rejected.items()
            if name in part
        }
    return rejected


_FILTERS = words("WHERE HAVING QUALIFY")
_FILTER_ENDS = _FILTERS | words(
    "GROUP ORDER LIMIT OFFSET FETCH WINDOW RETURNING ON FOR CONNECT START OPTION UNION INTERSECT"
    " EXCEPT MINUS"
)
_SETS = words("UNION INTERSECT EXCEPT MINUS")
_COMPARISONS = frozenset({"=", "<", ">", "<=", ">=", "<>", "!=", "=="})
_MATCHES = words("LIKE ILIKE GLOB REGEXP RLIKE MATCH BETWEEN IN SIMILAR")
_STRICT_MARKS = _COMPARISONS | frozenset(
    {"+", "-", "*", "/", "%", "||", "::", ".", ","}
)
_NOT_STRICT = words(
    """IS ISNULL NOTNULL CASE WHEN EXISTS SELECT DISTINCT ARRAY ROW OR XOR OVERLAPS COALESCE IFNULL
    NVL OVER"""
)
_PAIRED = words("CASE END BETWEEN AND")
_STRICT_CALLS = words(
    "LOWER UPPER TRIM LTRIM RTRIM CAST TRY_CAST DATE DATETIME ABS ROUND LENGTH ANY ALL SOME"
)
_OUTER = words("LEFT RIGHT FULL OUTER")
_RIGHT, _AND, _OR, _IN = words("RIGHT FULL"), words("AND"), words("OR XOR"), words("IN")
# What stands after the last piece, so that looking ahead needs no care.
_END = (Token(TokenKind.SPACE, "", 0),) * 2


def unguarded(
    statement: Statement, names: Collection[str] | None = None
) -> NullRejecting:
    """Return the parameters that, when NULL, leave the statement without a row, with their
    places.

    With ``names`` only these are looked for. An assignment, an inserted value, a join condition
    and everything that is not understood need no guard.
    """
    tokens, end = statement.significant, len(statement.significant)
    if statement.parameters and tokens[-1].text == ";":
        end -= 1
    uses = [
        index
        for index in statement.uses
        if names is None or tokens[index].text[1:] in names
    ]
    several = ";" in statement.text and any(token.text == ";" for token in tokens[:end])
    unclosed = statement.levels[end]
    if not uses or several or unclosed:
        return NONE
    return _Reader(
        (*tokens[:end], *_END),
        (*statement.words[:end], "", ""),
        (*statement.levels[:end], 0, 0),
        statement.vocabulary,
        statement.dialect.name,
        uses,
    ).query(0, end)


@dataclass(slots=True)
class _Reader:
    """Reads conditions. Ranges are indices into the significant tokens, end excluded.

    ``uses`` are the parameters that are looked for: a range without any rejects nothing.
    """

    tokens: Sequence[Token]
    words: Sequence[str]
    levels: Sequence[int]
    vocabulary: frozenset[str]
    dialect: str
    uses: Sequence[int]

    @property
    def arrays(self) -> bool:
        """Whether lists are arrays, so that one that is absent is NULL, not empty."""
        return self.dialect in ("postgres", "duckdb")

    def query(self, start: int, end: int) -> NullRejecting:
        """Return what all branches of a statement or subquery reject NULL for."""
        branches = self._split(start, end, _SETS)
        return common([self._branch(*branch) for branch in branches])

    def _branch(self, start: int, end: int) -> NullRejecting:
        rejected, level = NONE, self.levels[start]
        at = start
        while at < end:
            if self.words[at] in _FILTERS and self.levels[at] == level:
                stop = self._until(at + 1, end, _FILTER_ENDS)
                rejected = joined(rejected, self._condition(at + 1, stop))
                at = stop
            elif self.tokens[at].text == "(":
                stop = self._closing_bracket(at)
                rejected = joined(rejected, self._source(start, at, stop))
                at = stop
            else:
                at += 1
        return rejected

    def _source(self, start: int, opening: int, stop: int) -> NullRejecting:
        """Return the same for a subquery that every row of the result must come from."""
        before = self.words[opening - 1] if opening > start else ""
        if self.words[opening + 1] not in ("SELECT", "WITH"):
            return NONE
        following = {token.word for token in self.tokens[stop:]}
        if before in ("AS", "MATERIALIZED"):
            sure = self._is_read(opening, stop) and not following & (_OUTER | _SETS)
        else:
            near = {token.word for token in self.tokens[max(0, opening - 3) : opening]}
            sure = before in ("FROM", "JOIN") and not near & _OUTER
            sure = sure and not following & _RIGHT
        return self.query(opening + 1, stop - 1) if sure else NONE

    def _is_read(self, opening: int, stop: int) -> bool:
        """Whether the outer query reads from the query of a WITH list that opens here."""
        at = opening - 1
        while self.words[at] in ("AS", "NOT", "MATERIALIZED"):
            at -= 1
        name, levels = self.tokens[at].text, self._levels(stop, len(self.tokens))
        return any(
            level == 0 and self.words[stop + index - 1] in ("FROM", "JOIN")
            for index, level in enumerate(levels)
            if self.tokens[stop + index].text == name
        )

    def _condition(self, start: int, end: int) -> NullRejecting:
        """Return what a condition rejects NULL for: all parts of an OR, any part of an AND."""
        if not self._has_use(start, end):
            return NONE
        parts = self._split(start, end, _OR)
        if len(parts) > 1:
            return common([self._condition(*part) for part in parts])
        parts = self._split(start, end, _AND)
        if len(parts) > 1:
            first, last = self.uses[0], self.uses[-1]
            used = [part for part in parts if part[0] <= last and part[1] > first]
            return joined(*[self._condition(*part) for part in used])
        return self._single(start, end)

    def _has_use(self, start: int, end: int) -> bool:
        return bool([use for use in self.uses if start <= use < end])

    def _single(self, start: int, end: int, *, negated: bool = False) -> NullRejecting:
        first = start
        while first < end and self.words[first] == "NOT":
            first, negated = first + 1, True
        if first >= end:
            return NONE
        whole = self.tokens[first].text == "(" and self._closing_bracket(first) == end
        if whole and not negated:
            return self._condition(first + 1, end - 1)
        if self.words[first] == "EXISTS":
            return NONE if negated else self.query(first + 2, end - 1)
        if whole:
            parts = self._split(first + 1, end - 1, _AND | _OR)
            only = len(parts) == 1
            return self._single(first + 1, end - 1, negated=True) if only else NONE
        return self._comparison(first, end, negated=negated)

    def _comparison(self, start: int, end: int, *, negated: bool) -> NullRejecting:
        """Return the parameters of a comparison that is NULL when one of them is."""
        if end - start == 3 and self.tokens[start + 1].text in _COMPARISONS:
            return by_name(self._strict(start, end))
        levels = self._levels(start, end)
        pairs = zip(self.tokens[start:end], levels, strict=True)
        outer = [token for token, level in pairs if level == 0]
        compared = [
            index
            for index, token in enumerate(outer)
            if token.text in _COMPARISONS or token.word in _MATCHES
        ]
        operators = [outer[index].word for index in compared]
        if len(compared) != 1 or not self._is_strict(outer):
            return NONE
        negated = negated or outer[compared[0] - 1].word == "NOT"
        if negated and (
            operators == ["BETWEEN"] or (operators == ["IN"] and not self.arrays)
        ):
            # `1 NOT BETWEEN NULL AND 0` is true, and so is NOT IN of an absent list.
            return NONE
        if operators == ["IN"]:
            return self._read_in(start, end, negated=negated)
        return by_name(self._strict(start, end))

    def _read_in(self, start: int, end: int, *, negated: bool) -> NullRejecting:
        """Read ``x IN (:one)``, ``x IN :list`` and ``x IN (SELECT … WHERE y = :z)``."""
        at = self._until(start, end, _IN)
        # Nothing, NULL neither, is in an empty list.
        rejected = NONE if negated else by_name(self._strict(start, at))
        first = at + 1
        if self.tokens[first].text == "(":
            first, end = first + 1, end - 1
        if self.words[first] in ("SELECT", "WITH"):
            inner = NONE if negated else self.query(first, end)
            return joined(rejected, inner)
        if end - first == 1:
            rejected = joined(rejected, by_name(self._strict(first, end)))
        return rejected

    def _is_strict(self, tokens: Sequence[Token]) -> bool:
        """Whether NULL in an operand makes the whole expression NULL, judging by these words."""
        concatenates = self.dialect not in ("oracle", "mysql")
        return all(
            (
                token.word not in _NOT_STRICT
                if token.kind is not TokenKind.MARK
                else token.text in "()"
                or (
                    token.text in _STRICT_MARKS and (token.text != "||" or concatenates)
                )
            )
            for token in tokens
        )

    def _strict(self, start: int, end: int) -> Iterator[Token]:
        """Return the parameters of a range that stand only in strict brackets and functions."""
        at = start
        while at < end:
            token = self.tokens[at]
            if token.kind is TokenKind.PARAM:
                yield token
            if token.text in ("(", "[", "{") and token.kind is TokenKind.MARK:
                stop = self._closing_bracket(at)
                if self._is_plain(at, stop):
                    yield from self._strict(at + 1, stop - 1)
                at = stop
            else:
                at += 1

    def _is_plain(self, opening: int, stop: int) -> bool:
        """Whether NULL inside the brackets makes their value NULL."""
        inner = self.tokens[opening + 1 : stop - 1]
        called = self.tokens[opening - 1] if opening else None
        name = called.word if called is not None else ""
        if self.tokens[opening].text != "(" or not self._is_strict(inner):
            return False
        if name in _STRICT_CALLS or (name == "CONCAT" and self.dialect == "mysql"):
            return True
        names = (TokenKind.WORD, TokenKind.QUOTED)
        is_call = called is not None and called.kind in names
        operator = name in _MATCHES or name in ("AND", "NOT", "ESCAPE", "BETWEEN")
        return not any(token.text == "," for token in inner) and (
            not is_call or operator
        )

    def _levels(self, start: int, end: int) -> Sequence[int]:
        """Count the open brackets at each place of a range, without those around the range."""
        base = self.levels[start]
        return [level - base for level in self.levels[start:end]]

    def _closing_bracket(self, opening: int) -> int:
        """The index after the bracket that closes the one at ``opening``."""
        return self.levels.index(self.levels[opening], opening + 1) + 1

    def _until(self, start: int, end: int, stops: frozenset[str]) -> int:
        words, levels, level = self.words, self.levels, self.levels[start]
        for index in [at for at in range(start, end) if words[at] in stops]:
            if levels[index] == level:
                return index
        return end

    def _split(self, start: int, end: int, at: frozenset[str]) -> list[tuple[int, int]]:
        """Split a range at the words ``at`` that stand outside brackets and CASE … END.

        One AND belongs to every BETWEEN.
        """
        words, levels = self.words, self.levels
        if at.isdisjoint(self.vocabulary) or at.isdisjoint(words[start:end]):
            return [(start, end)]
        parts: list[tuple[int, int]] = []
        level, counted = levels[start], at | _PAIRED
        begin, cases, between = start, 0, 0
        for index in [i for i in range(start, end) if words[i] in counted]:
            if levels[index] != level:
                continue
            word = words[index]
            cases += (word == "CASE") - (word == "END" and cases > 0)
            between += word == "BETWEEN"
            if word == "AND" and between:
                between -= 1
            elif word in at and not cases:
                parts.append((begin, index))
                begin = index + 1
        return [*parts, (begin, end)]
