"""Walk over the tokens of a DDL statement."""

from __future__ import annotations

from collections.abc import Callable

from brimgen.diagnostics import Span
from brimgen.sql import Token, TokenKind
from brimgen.sql.ddl.split_statements import DdlStatement

DEFAULT_NAMESPACES = frozenset({"public", "main", "dbo"})
"""The schemas that a table lies in if none is named."""

_NAMES = frozenset({TokenKind.WORD, TokenKind.QUOTED})


class NotUnderstood(Exception):
    """A statement is written in a way that the reader does not know."""


class Cursor:
    """A place among the tokens of a statement; ``dialect`` says how names are folded."""

    def __init__(
        self,
        statement: DdlStatement,
        dialect: str,
        tokens: tuple[Token, ...] | None = None,
    ) -> None:
        self.statement = statement
        self.dialect = dialect
        self.tokens = statement.tokens if tokens is None else tokens
        self.at = 0

    @property
    def token(self) -> Token | None:
        """The next token; None at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    @property
    def word(self) -> str:
        """The next token as a word or a mark; empty at the end."""
        return self.peek(0)

    def peek(self, ahead: int) -> str:
        """A later token as a word or a mark; empty behind the end, and for names in quotes."""
        at = self.at + ahead
        if at >= len(self.tokens):
            return ""
        token = self.tokens[at]
        return token.word or (token.text if token.kind is TokenKind.MARK else "")

    def take(self, *words: str) -> bool:
        """Pass ``words`` if they are next, and say whether they were."""
        if all(self.peek(ahead) == word for ahead, word in enumerate(words)):
            self.at += len(words)
            return True
        return False

    def take_one_of(self, *words: str) -> str:
        """Pass one of ``words`` if it is next, and return it; else an empty text."""
        word = self.word
        if word not in words:
            return ""
        self.at += 1
        return word

    def skip_to(self, *words: str) -> bool:
        """Go to the next of ``words`` outside brackets; say whether there is one."""
        while self.token is not None:
            if self.word in words:
                return True
            self.skip()
        return False

    def skip(self) -> None:
        """Pass one token, or all that a bracket holds."""
        if self.word == "(":
            self.group()
        else:
            self.at += 1

    def group(self) -> Cursor:
        """Pass what is in brackets, and return it. Raises `NotUnderstood`."""
        if self.word != "(":
            raise NotUnderstood("an opening bracket is missing")
        start, depth = self.at + 1, 0
        for at in range(self.at, len(self.tokens)):
            text = self.tokens[at].text
            depth += (text == "(") - (text == ")")
            if depth == 0:
                self.at = at + 1
                return self._part(start, at)
        raise NotUnderstood("a bracket is not closed")

    def items(self) -> list[Cursor]:
        """Return what is left, cut at its commas."""
        parts, depth, start = list[Cursor](), 0, self.at
        for at in range(self.at, len(self.tokens)):
            text = self.tokens[at].text
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if text == "," and depth == 0:
                parts.append(self._part(start, at))
                start = at + 1
        parts.append(self._part(start, len(self.tokens)))
        self.at = len(self.tokens)
        return [part for part in parts if part.tokens]

    def rest(self) -> Cursor:
        """Return what is left."""
        return self._part(self.at, len(self.tokens))

    def _part(self, start: int, end: int) -> Cursor:
        return Cursor(self.statement, self.dialect, self.tokens[start:end])

    def text(self, start: int, end: int) -> str:
        """The text from one token up to another one, without comments."""
        pieces, before = list[str](), None
        for token in self.tokens[start:end]:
            if before is not None and before.end < token.start:
                pieces.append(" ")
            pieces.append(token.text)
            before = token
        return "".join(pieces)

    def name(self) -> str:
        """Pass a name, and return it as the database keeps it. Raises `NotUnderstood`."""
        token = self.token
        allowed = token is not None and (
            token.kind in _NAMES
            or (token.kind is TokenKind.STRING and self.dialect in ("sqlite", "mysql"))
        )
        if token is None or not allowed:
            raise NotUnderstood("a name is missing")
        self.at += 1
        return self.stored_name(token)

    def stored_name(self, token: Token) -> str:
        """A name as the database keeps it."""
        if token.kind is TokenKind.WORD:
            return token.text.lower() if self.dialect == "postgres" else token.text
        mark, inner = token.text[0], token.text[1:-1]
        return inner.replace(
            "]]" if mark == "[" else mark * 2, "]" if mark == "[" else mark
        )

    def qualified(self) -> tuple[str, str]:
        """Pass a name, and return its namespace (empty for the default one) and itself."""
        names = [self.name()]
        while self.take("."):
            names.append(self.name())
        namespace = names[-2] if len(names) > 1 else ""
        return ("" if namespace in DEFAULT_NAMESPACES else namespace), names[-1]

    def names(self) -> list[str]:
        """Return the names in brackets; without what else is said of each (`a DESC`, `b(10)`).

        Empty where one of them is an expression.
        """
        names = list[str]()
        for item in self.group().items():
            is_name = item.tokens[0].kind in _NAMES and item.peek(1) not in ("::", ".")
            is_called = item.peek(1) == "(" and not (
                len(item.tokens) > 2 and item.tokens[2].kind is TokenKind.NUMBER
            )
            if not is_name or is_called:
                return []
            names.append(item.name())
        return names

    def span_from(self, start: int) -> Span:
        """The place of what was passed since the token ``start``."""
        last = self.tokens[max(start, self.at - 1)]
        return self.statement.span(self.tokens[start], last)

    def take_if(self, passed: Callable[[Token], bool]) -> Token | None:
        """Pass a token of some kind if it is next, and return it."""
        token = self.token
        if token is None or not passed(token):
            return None
        self.at += 1
        return token
