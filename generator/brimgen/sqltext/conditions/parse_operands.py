"""Parse the operands of a condition into nodes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from brimgen.frozen import dataclass
from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import CLOSING, OPENING, TokenKind, words

_ENDS = words(
    """AND OR XOR WHEN THEN ELSE END WHERE GROUP ORDER HAVING QUALIFY LIMIT OFFSET FETCH WINDOW
    UNION INTERSECT EXCEPT MINUS RETURNING OUTPUT FOR OPTION CONNECT START SET DO USING AS ASC
    DESC NULLS JOIN LEFT RIGHT FULL INNER OUTER CROSS NATURAL STRAIGHT_JOIN ON PREWHERE VALUES
    FROM SELECT INTO SETTINGS FORMAT ASOF SEMI ANTI LATERAL"""
)
"""Words that end an operand of a condition."""

_TYPE_GOES_ON = words("PRECISION VARYING WITH WITHOUT TIME ZONE LARGE OBJECT UNSIGNED")
_QUERY = words("SELECT WITH VALUES TABLE FROM")
_CONSTANTS = {"NULL": None, "TRUE": True, "FALSE": False, "UNKNOWN": None}
_CASTS = words("CAST TRY_CAST SAFE_CAST")
_NAMES = frozenset({TokenKind.WORD, TokenKind.QUOTED})


@dataclass(frozen=True, slots=True)
class Node:
    """One part of a condition.

    ``op`` says what it is, ``text`` the name of a parameter, column, function or operator, in
    lower case, ``value`` a constant. A ``query`` has the place of its first token and of the
    bracket that closes it in ``start`` and ``end``.
    """

    op: str
    args: tuple[Node, ...] = ()
    text: str = ""
    value: object = None
    start: int = 0
    end: int = 0

    def walk(self) -> Iterator[Node]:
        """The node and all parts of it."""
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.args))


class NotUnderstood(Exception):
    """The tokens are not an expression that the parser knows."""


class TooDeep(NotUnderstood):
    """More expressions are nested than the parser reads."""


class Operands(ABC):
    """Parses operands; ``at`` is the place of the next token."""

    def __init__(self, statement: Statement, at: int) -> None:
        self.tokens, self.words = statement.significant, (*statement.words, "", "", "")
        self.texts = (*[token.text for token in self.tokens], "", "", "")
        self.mysql = statement.dialect.name == "mysql"
        self.at: int = at
        self.depth = 0

    @abstractmethod
    def any_of(self) -> Node:
        """Parse the expression that starts here, with every operator."""

    def _word(self) -> str:
        return self.words[self.at]

    def _text(self) -> str:
        return self.texts[self.at]

    def _kind(self) -> TokenKind:
        at_end = self.at >= len(self.tokens)
        return TokenKind.SPACE if at_end else self.tokens[self.at].kind

    def _ends(self) -> bool:
        """Whether nothing that stands here continues the operand before it."""
        text = self._text()
        if text in ("", ",", ";") or text in CLOSING or self._word() in _ENDS:
            return True
        return self.mysql and (text == "||" or (text == "&" and self._follows("&")))

    def _follows(self, text: str) -> bool:
        return self.texts[self.at + 1] == text

    def _primary(self) -> Node:
        node = self._single_operand()
        while True:
            word, text = self._word(), self._text()
            if text == "::":
                self.at += 1
                self._skip_type()
                node = Node("cast", (node,))
            elif text == "[" and self._kind() is TokenKind.MARK:
                node = self._opaque(self.at, self.closing_bracket(self.at) + 1, node)
            elif word == "COLLATE":
                self.at += 2
            elif word == "AT" and self.words[self.at + 1] in ("TIME", "LOCAL"):
                self.at += 3 if self.words[self.at + 1] == "TIME" else 2
                zone = (
                    ()
                    if self.words[self.at - 1] == "LOCAL"
                    else (self._single_operand(),)
                )
                node = Node("opaque", (node, *zone))
            elif word in ("OVER", "FILTER", "WITHIN"):
                start = self.at + (2 if word == "WITHIN" else 1)
                end = (
                    self.closing_bracket(start) + 1
                    if self.texts[start] == "("
                    else start + 1
                )
                node = self._opaque(self.at, end, node)
            else:
                return node

    def _single_operand(self) -> Node:
        """Parse a parameter, a constant, a name, a call or a bracket."""
        kind, text, word = self._kind(), self._text(), self._word()
        if kind is TokenKind.PARAM:
            self.at += 1
            return Node("param", text=text[1:])
        if kind is TokenKind.NUMBER:
            self.at += 1
            return _number(text)
        if kind is TokenKind.STRING:
            self.at += 1
            return _string(text)
        if text == "(":
            return self.bracket()
        if kind not in _NAMES or word in _ENDS:
            raise NotUnderstood
        if word in _CONSTANTS:
            self.at += 1
            return Node("value", value=_CONSTANTS[word])
        if word == "CASE":
            return self._case()
        if word == "INTERVAL":
            self.at += 1
            inner = self._single_operand()
            self.at += not self._ends() and self._kind() is TokenKind.WORD
            return Node("opaque", (inner,))
        return self._named()

    def _named(self) -> Node:
        """Parse a column, a call, ``EXISTS (…)``, ``ARRAY[…]`` or a typed literal: ``DATE
        '…'``.
        """
        path = [self.texts[self.at]]
        first = self.words[self.at]
        self.at += 1
        while self._text() == "." and self.at + 1 < len(self.tokens):
            path.append(self.texts[self.at + 1])
            self.at += 2
        name = ".".join(plain_name(part) for part in path)
        if self._text() == "(":
            return self._call(first if len(path) == 1 else "", plain_name(path[-1]))
        if first == "ARRAY" and self._text() == "[":
            end, self.at = self.closing_bracket(self.at), self.at + 1
            items = self.items(end)
            self.at = end + 1
            return Node("row", items)
        if self._kind() is TokenKind.STRING and len(path) == 1:
            self.at += 1
            return Node("literal", text=f"{name} {self.texts[self.at - 1]}")
        return Node("column", text=name)

    def _call(self, word: str, name: str) -> Node:
        start, end = self.at, self.closing_bracket(self.at)
        if word == "EXISTS":
            return Node("exists", (self.bracket(),))
        self.at += 1
        if word in _CASTS:
            inner = self.any_of()
            self.at = end + 1
            return Node("cast", (inner,))
        if self.words[self.at] in _QUERY:
            query = Node("query", start=self.at, end=end)
            self.at = end + 1
            return Node("call", (query,), name)
        try:
            args = self.items(end)
        except NotUnderstood:
            return self._opaque(start, end + 1)
        self.at = end + 1
        if word == "POSITION" and len(args) == 1 and args[0].op == "in":
            return Node("call", args[0].args[::-1], "strpos")
        return Node("call", args, name)

    def _case(self) -> Node:
        """Parse a CASE: what is compared (or TRUE), pairs of WHEN and THEN, ELSE."""
        self.at += 1
        simple = self._word() != "WHEN"
        parts = [self.any_of() if simple else Node("value", value=True)]
        while self._word() == "WHEN":
            self.at += 1
            parts.append(self.any_of())
            self._take("THEN")
            parts.append(self.any_of())
        if self._word() == "ELSE":
            self.at += 1
            parts.append(self.any_of())
        else:
            parts.append(Node("value"))
        self._take("END")
        return Node("case", tuple(parts), "simple" if simple else "searched")

    def _take(self, word: str) -> None:
        if self._word() != word:
            raise NotUnderstood
        self.at += 1

    def _skip_type(self) -> None:
        self.at += 1
        while self._text() == "." or self._word() in _TYPE_GOES_ON:
            self.at += 2 if self._text() == "." else 1
        if self._text() == "(":
            self.at = self.closing_bracket(self.at) + 1
        while self._word() in _TYPE_GOES_ON:
            self.at += 1
        while self._text() == "[":
            self.at = self.closing_bracket(self.at) + 1

    def bracket(self) -> Node:
        """Parse the bracket that opens here: a query, a row or one expression."""
        end = last = self.closing_bracket(self.at)
        self.at += 1
        while self._text() == "(" and self.closing_bracket(self.at) == last - 1:
            self.at, last = self.at + 1, last - 1
        if self._word() in _QUERY:
            node = Node("query", start=self.at, end=last)
        else:
            items = self.items(last)
            node = items[0] if len(items) == 1 else Node("row", items)
        self.at = end + 1
        return node

    def items(self, end: int) -> tuple[Node, ...]:
        """Parse the expressions between here and the bracket at ``end``, separated by commas."""
        nodes: list[Node] = []
        while self.at < end:
            nodes.append(self.any_of())
            if self.at < end and self._text() != ",":
                raise NotUnderstood
            self.at += 1
        return tuple(nodes)

    def closing_bracket(self, opening: int) -> int:
        """Return the place of the bracket that closes the one at ``opening``."""
        depth = 0
        for index in range(opening, len(self.tokens)):
            depth += (self.texts[index] in OPENING) - (self.texts[index] in CLOSING)
            if not depth:
                return index
        raise NotUnderstood

    def _skipped(self, start: int) -> Node:
        """Skip what starts at ``start`` and is not understood, up to the end of the operand."""
        self.at = start
        cases = 0
        while self.at < len(self.tokens):
            word, text = self._word(), self._text()
            if not cases and self.at > start and self._ends():
                break
            if not cases and (text in CLOSING or text in (",", ";")):
                break
            cases += (word == "CASE") - (word == "END" and cases > 0)
            opens = text in OPENING and self._kind() is TokenKind.MARK
            self.at = self.closing_bracket(self.at) + 1 if opens else self.at + 1
        return self._opaque(start, self.at)

    def _opaque(self, start: int, end: int, *before: Node) -> Node:
        """Return a node of which only the parameters and columns are known."""
        self.at = end
        parts: list[Node] = list(before)
        for index in range(start, min(end, len(self.tokens))):
            token = self.tokens[index]
            if token.kind is TokenKind.PARAM:
                parts.append(Node("param", text=token.name))
            elif token.kind in _NAMES and self.texts[index + 1] != "(":
                parts.append(Node("column", text=plain_name(token.text)))
        text = " ".join(self.texts[start:end]).casefold()
        return Node("opaque", tuple(parts), text)


def plain_name(name: str) -> str:
    """Return a name without its quotes, in lower case."""
    quoted = len(name) > 1 and name[0] in '"`['
    return (name[1:-1] if quoted else name).casefold()


def _number(text: str) -> Node:
    try:
        return Node("value", value=Decimal(text))
    except InvalidOperation:
        return Node("literal", text=text.casefold())


def _string(text: str) -> Node:
    """Return the constant of a string; of one with escapes or a prefix only that it is not
    NULL.
    """
    mark, inner = text[:1], text[1:-1]
    if mark not in ("'", '"') or "\\" in inner:
        return Node("literal", text=text)
    return Node("value", value=inner.replace(mark * 2, mark))
