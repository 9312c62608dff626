"""Split a statement into tokens without losing any, and find ``:name`` (sql.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any

from brimgen.frozen import dataclass, field
from brimgen.sql.dialects import Dialect
from brimgen.sql.statement import Statement
from brimgen.sql.tokens import (
    INSIGNIFICANT,
    OPENING,
    Token,
    TokenKind,
    ends_operand,
    starts_operand,
)

_DIGITS = re.compile(r"\d+")
_EDGES = re.compile(r"/\*|\*/")
_PREFIX = re.compile(r"\?(?:-|\|(?!\|))")
"""PostgreSQL's operators that ask whether a line is level or upright."""
_PLAIN: dict[str | None, TokenKind] = {
    "space": TokenKind.SPACE,
    "line": TokenKind.COMMENT,
    "number": TokenKind.NUMBER,
    "word": TokenKind.WORD,
    "escaped": TokenKind.ESCAPED,
    "mark": TokenKind.MARK,
    "param": TokenKind.PARAM,
}
"""The kinds that a group of the lexer tells by itself."""
_SPACE = TokenKind.SPACE
_FLAT = {**_PLAIN, "bracket": TokenKind.MARK}
"""The same where no colon is read by the brackets around it."""
_OPENERS = {")": "(", "]": "[", "}": "{"}
_OPERATOR_CHARACTERS = "<>@~!&|#"
_AFTER_QUESTION = frozenset({"|", "&", "||", "-", "#", ":"})
"""What may stand behind a question mark that is an operator, or the first mark of one."""
_tuple: Any = tuple
_new: Callable[[type[Token], tuple[TokenKind, str, int]], Token] = _tuple.__new__
"""What `Token` does itself, in a call the less: a quarter of the time that a scan took."""
_CHAINED = frozenset({TokenKind.PARAM, TokenKind.AMBIGUOUS})


@lru_cache(maxsize=4096)
def scan(text: str, dialect: Dialect) -> Statement:
    """Split ``text`` into the tokens of ``dialect``. Any text is accepted; only white space is
    left out.

    The result is cached, because several targets read the same statement.
    """
    return Statement(text, dialect, tuple(_Scan(text, dialect).run()))


@dataclass(slots=True)
class _Frame:
    """An open bracket, and what is undecided inside it."""

    mark: str
    subscript: bool = False
    first: int | None = None
    colons: int = 0
    ternaries: int = 0


@dataclass(slots=True)
class _Scan:
    """One run over one text: the tokens so far, and the brackets that are open."""

    text: str
    dialect: Dialect
    tokens: list[Token] = field(default_factory=list[Token])
    frames: list[_Frame] = field(default_factory=lambda: [_Frame("")])
    live: int = 0

    @property
    def last(self) -> Token | None:
        """The last piece so far that is neither white space nor a comment."""
        for token in reversed(self.tokens):
            if token.kind not in INSIGNIFICANT:
                return token
        return None

    def run(self) -> list[Token]:
        """Return the tokens. Where one ends elsewhere than the lexer says, matching starts
        anew.
        """
        pieces, position, size = lexer(self.dialect).finditer, 0, len(self.text)
        while position < size:
            position = self._take(pieces(self.text, position), position)
        return self.tokens

    def _take(self, pieces: Iterator[re.Match[str]], start: int) -> int:
        """Take tokens as long as they end where the lexer says; return where the next one
        starts.
        """
        plain = _PLAIN if self.dialect.nests else _FLAT
        add, new = self.tokens.append, _new
        for piece in pieces:
            kind, end = plain.get(piece.lastgroup), piece.end()
            if kind is None:
                token = self._token(group_of(piece), piece[0], start)
                add(token)
                if token.end != end:
                    return token.end
            elif kind is not _SPACE:
                add(new(Token, (kind, piece[0], start)))
            start = end
        return start

    def _token(self, group: str, text: str, start: int) -> Token:
        match group:
            case "named":
                return self._named(text, start)
            case "string" | "quoted":
                kind = TokenKind.STRING if group == "string" else TokenKind.QUOTED
                if closed_pattern(self.dialect).fullmatch(text) is None:
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
            case "lone":
                return self._read_colon(start)
            case "foreign":
                return self._foreign(text, start)
            case "bracket":
                return self._bracket(text, start)
            case _:
                return Token(TokenKind.MARK, text, start)

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

    def _bracket(self, text: str, start: int) -> Token:
        if text in OPENING:
            last = self.last
            array = last is not None and last.word == "ARRAY"
            self.frames.append(_Frame(text, ends_operand(last) and not array))
        elif self.frames[-1].mark == _OPENERS[text]:
            frame = self.frames.pop()
            if frame.first is not None and not frame.colons:
                only = self.tokens[frame.first]
                self.tokens[frame.first] = only._replace(kind=TokenKind.AMBIGUOUS)
        return Token(TokenKind.MARK, text, start)

    def _named(self, text: str, start: int) -> Token:
        """Read a colon and a name: a parameter, or a colon of the engine's own before a word."""
        frame = self.frames[-1]
        kind = self._reading(start, named=True)
        if kind is TokenKind.MARK:
            frame.colons += 1
            return Token(kind, ":", start)
        in_slice = self.dialect.slices and frame.mark == "[" and frame.subscript
        if in_slice and self.text[start - 1] == "[":
            frame.first = len(self.tokens)
        return Token(kind, text, start)

    def _read_colon(self, start: int) -> Token:
        """Read a colon before anything else: ``:1`` and ``:'name'`` are placeholders of other
        styles.
        """
        if self._reading(start, named=False) is not TokenKind.MARK:
            digits = _DIGITS.match(self.text, start + 1)
            if digits is not None:
                return Token(TokenKind.FOREIGN, f":{digits[0]}", start)
            if self.text[start + 1 : start + 2] in ("'", '"'):
                quoted = lexer(self.dialect).match(self.text, start + 1)
                return Token(
                    TokenKind.FOREIGN, f":{quoted[0]}" if quoted else ":", start
                )
        self.frames[-1].colons += 1
        return Token(TokenKind.MARK, ":", start)

    def _reading(self, start: int, *, named: bool) -> TokenKind:
        """Decide what a lone colon is: the start of a parameter, ambiguous, or the engine's
        own.
        """
        if start == 0:
            return TokenKind.PARAM
        before, dialect = self.text[start - 1], self.dialect
        if self._follows_parameter(start):
            return TokenKind.AMBIGUOUS if named else TokenKind.MARK
        if before.isalnum() or before in "_$:\\":
            return TokenKind.MARK
        if dialect.has_colons:
            own = self._is_dialect_colon(start, named=named)
            return TokenKind.MARK if own else TokenKind.PARAM
        return TokenKind.PARAM

    def _follows_parameter(self, start: int) -> bool:
        """Whether a parameter, or what may be one, ends at ``start``."""
        last = self.tokens[-1] if self.tokens else None
        return last is not None and last.end == start and last.kind in _CHAINED

    def _is_dialect_colon(self, start: int, *, named: bool) -> bool:
        """Whether a colon is one of a slice, a map, a path or the like."""
        frame, last, dialect = self.frames[-1], self.last, self.dialect
        before = self.text[start - 1]
        operand = ends_operand(last)
        if dialect.slices and frame.mark == "[" and frame.subscript:
            own = operand or (before == "[" and not named)
        elif dialect.braces and frame.mark == "{":
            own = operand
        elif dialect.ternary and frame.ternaries and operand:
            frame.ternaries -= 1
            own = True
        else:
            adjacent = last is not None and last.end == start
            own = dialect.paths and adjacent and before in ")]\"'`"
        return own or (dialect.prefix_alias and self._follows_alias_or_lambda())

    def _follows_alias_or_lambda(self) -> bool:
        """DuckDB: a colon after ``"alias"`` or after ``lambda a, b`` is the engine's own."""
        last = self.last
        if last is not None and last.kind is TokenKind.QUOTED:
            return True
        words = [
            token for token in self.tokens[-24:] if token.kind not in INSIGNIFICANT
        ]
        while len(words) > 1 and words[-1].kind is TokenKind.WORD:
            if words[-2].word == "LAMBDA":
                return True
            if words[-2].text != ",":
                return False
            words = words[:-2]
        return False

    def _foreign(self, text: str, start: int) -> Token:
        """Read a placeholder of another style, or what the same characters mean in the dialect."""
        native = self.dialect.native
        match text[0]:
            case "%":
                foreign = text != "%s" or not ends_operand(self.last)
                token = Token(TokenKind.MARK, "%", start)
            case "?":
                foreign = self._is_placeholder(text, start)
                token = Token(TokenKind.MARK, "?", start)
            case "@":
                before = self.text[start - 1] if start else " "
                foreign = "@x" in native and before not in _OPERATOR_CHARACTERS
                foreign = foreign and text[1] != "@"
                token = Token(TokenKind.WORD, text, start)
            case _:
                foreign = ("$1" if text[1].isdigit() else "$x") in native
                token = Token(TokenKind.WORD, text, start)
        return Token(TokenKind.FOREIGN, text, start) if foreign else token

    def _is_placeholder(self, text: str, start: int) -> bool:
        """Whether a question mark is a placeholder; it is an operator in some dialects."""
        if not self.dialect.question_operator:
            return True
        if self.text[start - 1 : start] == "@":
            return False  # `@?` asks whether a JSON path finds anything
        following = self._after(start + 1)
        if len(text) > 1:
            return True
        if not ends_operand(self.last):
            # `? 'x'` stands behind a column that is called like a keyword.
            is_text = following is not None and following.kind is TokenKind.STRING
            return not is_text and not _PREFIX.match(self.text, start)
        joined = following is not None and following.text in _AFTER_QUESTION
        if not joined and not starts_operand(following):
            return True
        self.frames[-1].ternaries += self.dialect.ternary
        return False

    def _after(self, position: int) -> Token | None:
        """Read the next significant token roughly: enough to know what kind it is."""
        match = lexer(self.dialect).match
        while piece := match(self.text, position):
            group = group_of(piece)
            if group == "quoted":
                return Token(TokenKind.QUOTED, piece[0], position)
            if group in ("string", "foreign"):
                return Token(TokenKind.STRING, piece[0], position)
            if group == "named":
                return Token(TokenKind.MARK, ":", position)
            if group not in ("space", "line", "block"):
                return Token(_PLAIN.get(group, TokenKind.MARK), piece[0], position)
            comment = self._block(position) if group == "block" else None
            position = comment.end if comment else piece.end()
        return None


_NAME = r"[^\W\d]\w*"
_PAIRS = {r"\[": r"\]", r"\(": r"\)", r"\{": r"\}", "<": ">"}


def _quoted(mark: str, *, backslash: bool, end: str) -> str:
    """Pattern of a quoted text; a doubled quote stands for itself."""
    body = rf"[^{mark}]++|{mark}{mark}"
    if backslash:
        body = rf"[^{mark}\\]++|\\[\s\S]|\\|{mark}{mark}"
    return rf"{mark}(?:{body})*+{mark}{'' if end else '?'}"


def _fenced(start: str, stop: str, end: str) -> str:
    """Pattern of everything up to ``stop``, or up to the end of the text where it may be
    missing.
    """
    last = stop if end else rf"(?:{stop}|\Z)"
    return rf"{start}[\s\S]*?{last}"


def _strings(dialect: Dialect, end: str) -> list[str]:
    """Patterns of the kinds of strings; with ``end`` only closed ones, without it also cut off
    ones.
    """
    marks = dialect.string_marks
    patterns: list[str] = []
    if dialect.escape_prefix:
        patterns.append("[eE]" + _quoted("'", backslash=True, end=end))
    if dialect.alternative_quotes:
        patterns += [_fenced(f"[nN]?[qQ]'{a}", f"{b}'", end) for a, b in _PAIRS.items()]
        patterns.append(_fenced(r"[nN]?[qQ]'(?P<fence>[^\s\[({<])", "(?P=fence)'", end))
    if dialect.triple_quotes:
        for triple in (mark * 3 for mark in marks):
            patterns.append(_fenced(f"(?:[rR][bB]?|[bB][rR]){triple}", triple, end))
            body = rf"[^{triple[0]}\\]++|\\[\s\S]|\\|{triple[0]}(?!{triple[1:]})"
            patterns.append(rf"{triple}(?:{body})*+(?:{triple}){'' if end else '?'}")
    if dialect.raw_prefix:
        raw = "(?:[rR][bB]?|[bB][rR])"
        patterns += [f"{raw}{m}[^{m}]*+{m}{'' if end else '?'}" for m in marks]
    patterns += [_quoted(mark, backslash=dialect.backslash, end=end) for mark in marks]
    if dialect.dollar_tags:
        patterns.append(_fenced(rf"\$(?P<tag>(?:{_NAME})?)\$", r"\$(?P=tag)\$", end))
    elif dialect.dollar_quotes:
        patterns.append(_fenced(r"\$\$", r"\$\$", end))
    return patterns


def _names(dialect: Dialect, end: str) -> list[str]:
    body = r"(?:[^\]]|\]\])*+" if dialect.doubled_brackets else r"[^\]]*+"
    bracketed = rf"\[{body}\]" + ("" if end else "?")
    return [
        bracketed if mark == "[" else _quoted(mark, backslash=False, end=end)
        for mark in dialect.quotes
    ]


def _line_comments(dialect: Dialect) -> str:
    patterns = [r"--(?=\s|\Z)[^\n]*" if dialect.dash_needs_space else r"--[^\n]*"]
    if dialect.hash_comments:
        patterns.append(r"\#[^\n]*")
    if dialect.slash_comments:
        patterns.append(r"//[^\n]*")
    return "|".join(patterns)


def _parameter(dialect: Dialect) -> str:
    """Pattern of a parameter, by what stands before its colon if the dialect has no colons of
    its own.
    """
    return "" if dialect.has_colons else rf"(?P<param>(?<![\w$:\\]):{_NAME})|"


@cache
def lexer(dialect: Dialect) -> re.Pattern[str]:
    """The pattern of one piece in ``dialect``; it matches at every offset of every text."""
    live = r"(?P<live>/\*M?!\d*)|(?P<liveend>\*/)|" if dialect.live_comments else ""
    return re.compile(
        rf"(?P<space>\s+)|(?P<line>{_line_comments(dialect)})|{live}(?P<block>/\*)"
        rf"|(?P<escaped>\\:)|(?P<string>{'|'.join(_strings(dialect, ''))})"
        rf"|(?P<quoted>{'|'.join(_names(dialect, ''))})"
        r"|(?P<number>\d\w*(?:\.\d\w*)?|\.\d\w*)|(?P<word>[^\W\d][\w$]*)"
        rf"|{_parameter(dialect)}(?P<named>:{_NAME})|(?P<lone>:(?![:=]))"
        rf"|(?P<foreign>%\([^()\n]*\)s|%s(?!\w)|\?\d*|\$\d+|\${_NAME}|@@?{_NAME})"
        r"|(?P<bracket>[\[({})\]])"
        r"|(?P<mark>\#>>|\#>|\#-|::|:=|<=|>=|<>|!=|=>|<@|@>|@@|\|\||->>|->|[\s\S])"
    )


@cache
def closed_pattern(dialect: Dialect) -> re.Pattern[str]:
    """The pattern that a string or quoted name matches in full when its end is there."""
    return re.compile("|".join(_strings(dialect, "end") + _names(dialect, "end")))


def group_of(match: re.Match[str]) -> str:
    """The kind of piece that `lexer` matched."""
    group = match.lastgroup or ""
    return "string" if group in ("tag", "fence") else group
