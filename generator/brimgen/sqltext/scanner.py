"""The scanner: a statement in, its pieces out, none lost; ``:name`` found by sql.md 2."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from brimgen.sqltext.dialects import Dialect
from brimgen.sqltext.lexer import closed, group_of, lexer
from brimgen.sqltext.tokens import (
    INSIGNIFICANT,
    Token,
    TokenKind,
    ends_operand,
    starts_operand,
)

AnswerT = TypeVar("AnswerT")

_NAME = re.compile(r"[^\W\d]\w*")
_DIGITS = re.compile(r"\d+")
_EDGES = re.compile(r"/\*|\*/")
_PLAIN = {
    "space": TokenKind.SPACE,
    "line": TokenKind.COMMENT,
    "number": TokenKind.NUMBER,
    "word": TokenKind.WORD,
    "escaped": TokenKind.ESCAPED,
}
_OPENERS = {")": "(", "]": "[", "}": "{"}
_OPERATOR_CHARACTERS = "<>@~!&|#"
_CHAINED = frozenset({TokenKind.PARAM, TokenKind.AMBIGUOUS})


@dataclass(frozen=True)
class Statement:
    """A scanned statement; ``"".join(token.text for token in tokens) == text`` always."""

    text: str
    dialect: Dialect
    tokens: tuple[Token, ...]

    @cached_property
    def significant(self) -> tuple[Token, ...]:
        """The pieces without white space and comments."""
        return tuple(each for each in self.tokens if each.kind not in INSIGNIFICANT)

    @cached_property
    def kinds(self) -> frozenset[TokenKind]:
        """The kinds of pieces that there are."""
        return frozenset([each.kind for each in self.tokens])

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The word of each significant piece, upper case; empty for those that are none."""
        return tuple(
            each.text.upper() if each.kind is TokenKind.WORD else ""
            for each in self.significant
        )

    @cached_property
    def _answers(self) -> dict[object, Any]:
        return {}

    def once(self, ask: Callable[[Statement], AnswerT]) -> AnswerT:
        """What ``ask`` says of the statement, asked once: checks and several targets want it."""
        if ask not in self._answers:
            self._answers[ask] = ask(self)
        answer: AnswerT = self._answers[ask]
        return answer

    @cached_property
    def parameters(self) -> tuple[Token, ...]:
        """Every use of a parameter, in order."""
        return tuple(each for each in self.tokens if each.kind is TokenKind.PARAM)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, each once, in order of first use."""
        return tuple(dict.fromkeys(each.name for each in self.parameters))


@lru_cache(maxsize=4096)
def scan(text: str, dialect: Dialect) -> Statement:
    """Split ``text`` into the pieces of ``dialect``; any text is accepted, nothing is lost.

    A statement is read by several targets, hence the memory.
    """
    return Statement(text, dialect, tuple(_Scan(text, dialect).run()))


@dataclass(slots=True)
class _Frame:
    """An open bracket, and what is still undecided inside it."""

    mark: str
    subscript: bool = False
    first: int | None = None
    colons: int = 0
    ternaries: int = 0


@dataclass(slots=True)
class _Scan:
    """One run over one text: the pieces so far, and the brackets that are open."""

    text: str
    dialect: Dialect
    tokens: list[Token] = field(default_factory=list[Token])
    frames: list[_Frame] = field(default_factory=lambda: [_Frame("")])
    last: Token | None = None
    live: int = 0

    def run(self) -> list[Token]:
        match = lexer(self.dialect).match
        position, size = 0, len(self.text)
        while position < size:
            found = match(self.text, position)
            if found is None:
                raise AssertionError(f"the lexer stopped at offset {position}")
            group = group_of(found)
            kind = _PLAIN.get(group)
            if kind is None:
                token = self._token(group, found[0], position)
            else:
                token = Token(kind, found[0], position)
            self.tokens.append(token)
            if token.kind not in INSIGNIFICANT:
                self.last = token
            position = token.end
        return self.tokens

    def _token(self, group: str, text: str, start: int) -> Token:
        match group:
            case "string" | "quoted":
                kind = TokenKind.STRING if group == "string" else TokenKind.QUOTED
                if closed(self.dialect).fullmatch(text) is None:
                    kind = TokenKind.OPEN_STRING
                return Token(kind, text, start)
            case "block":
                return self._block(start)
            case "live":
                self.live += 1
                return Token(TokenKind.LIVE_OPEN, text, start)
            case "liveend" if self.live:
                self.live -= 1
                return Token(TokenKind.LIVE_CLOSE, text, start)
            case "colon":
                return self._colon(text, start)
            case "foreign":
                return self._foreign(text, start)
            case _:
                return self._mark(text, start)

    def _block(self, start: int) -> Token:
        depth, position = 1, start + 2
        while depth:
            edge = _EDGES.search(self.text, position)
            if edge is None:
                return Token(TokenKind.OPEN_COMMENT, self.text[start:], start)
            if edge[0] == "*/":
                depth -= 1
            elif self.dialect.nested_comments:
                depth += 1
            else:
                position = edge.start() + 1
                continue
            position = edge.end()
        return Token(TokenKind.COMMENT, self.text[start:position], start)

    def _mark(self, text: str, start: int) -> Token:
        if text in ("(", "[", "{"):
            array = self.last is not None and self.last.word == "ARRAY"
            self.frames.append(_Frame(text, ends_operand(self.last) and not array))
        elif text in _OPENERS and self.frames[-1].mark == _OPENERS[text]:
            frame = self.frames.pop()
            if frame.first is not None and not frame.colons:
                only = self.tokens[frame.first]
                self.tokens[frame.first] = only._replace(kind=TokenKind.AMBIGUOUS)
        return Token(TokenKind.MARK, text, start)

    def _colon(self, text: str, start: int) -> Token:
        if text != ":":
            return Token(TokenKind.MARK, text, start)
        frame = self.frames[-1]
        name = _NAME.match(self.text, start + 1)
        kind = self._reading(start, named=name is not None)
        if kind is not TokenKind.MARK and name is not None:
            in_slice = self.dialect.slices and frame.mark == "[" and frame.subscript
            if in_slice and self.text[start - 1] == "[":
                frame.first = len(self.tokens)
            return Token(kind, ":" + name[0], start)
        following = self.text[start + 1 : start + 2]
        if kind is not TokenKind.MARK and following.isdigit():
            digits = _DIGITS.match(self.text, start + 1)
            return Token(TokenKind.FOREIGN, ":" + (digits or ":")[0], start)
        if kind is not TokenKind.MARK and following and following in "'\"":
            found = lexer(self.dialect).match(self.text, start + 1)
            return Token(TokenKind.FOREIGN, ":" + (found or ":")[0], start)
        frame.colons += 1
        return Token(TokenKind.MARK, text, start)

    def _reading(self, start: int, *, named: bool) -> TokenKind:
        """What a lone colon is: the start of a parameter, ambiguous, or the engine's own."""
        before = self.text[start - 1] if start else ""
        frame, last, dialect = self.frames[-1], self.last, self.dialect
        adjacent = last is not None and self.tokens[-1] is last
        if adjacent and last is not None and last.kind in _CHAINED:
            return TokenKind.AMBIGUOUS if named else TokenKind.MARK
        if before and (before.isalnum() or before in "_$:\\"):
            return TokenKind.MARK
        operand = ends_operand(last)
        if dialect.slices and frame.mark == "[" and frame.subscript:
            own = operand or (before == "[" and not named)
        elif dialect.braces and frame.mark == "{":
            own = operand
        elif dialect.ternary and frame.ternaries and operand:
            frame.ternaries -= 1
            own = True
        else:
            own = dialect.paths and adjacent and before in ")]\"'`"
        if own or (dialect.prefix_alias and self._follows_alias_or_lambda()):
            return TokenKind.MARK
        return TokenKind.PARAM

    def _follows_alias_or_lambda(self) -> bool:
        """DuckDB: a colon after ``"alias"`` or after ``lambda a, b`` is the engine's own."""
        if self.last is not None and self.last.kind is TokenKind.QUOTED:
            return True
        words = [each for each in self.tokens[-24:] if each.kind not in INSIGNIFICANT]
        while len(words) > 1 and words[-1].kind is TokenKind.WORD:
            if words[-2].word == "LAMBDA":
                return True
            if words[-2].text != ",":
                return False
            words = words[:-2]
        return False

    def _foreign(self, text: str, start: int) -> Token:
        """A placeholder of another style, or what the same characters mean in the dialect."""
        native = self.dialect.native
        match text[0]:
            case "%":
                foreign = text != "%s" or not ends_operand(self.last)
                other = Token(TokenKind.MARK, "%", start)
            case "?":
                foreign = self._is_placeholder(text, start)
                other = Token(TokenKind.MARK, "?", start)
            case "@":
                before = self.text[start - 1] if start else " "
                foreign = "@x" in native and before not in _OPERATOR_CHARACTERS
                foreign = foreign and text[1] != "@"
                other = Token(TokenKind.WORD, text, start)
            case _:
                foreign = ("$1" if text[1].isdigit() else "$x") in native
                other = Token(TokenKind.WORD, text, start)
        return Token(TokenKind.FOREIGN, text, start) if foreign else other

    def _is_placeholder(self, text: str, start: int) -> bool:
        """Whether a question mark is a placeholder; it is an operator in some dialects."""
        if not self.dialect.question_operator:
            return True
        following = self._after(start + 1)
        joined = following is not None and following.text in ("|", "&", "||", "-", ":")
        if len(text) > 1 or not ends_operand(self.last):
            return True
        if not joined and not starts_operand(following):
            return True
        self.frames[-1].ternaries += self.dialect.ternary
        return False

    def _after(self, position: int) -> Token | None:
        """The next significant piece, read roughly: enough to know what kind it is."""
        match = lexer(self.dialect).match
        while found := match(self.text, position):
            group = group_of(found)
            if group in ("string", "quoted", "foreign"):
                return Token(TokenKind.STRING, found[0], position)
            if group not in ("space", "line", "block"):
                return Token(_PLAIN.get(group, TokenKind.MARK), found[0], position)
            comment = self._block(position) if group == "block" else None
            position = comment.end if comment else found.end()
        return None
