"""Check the text of a statement, without its arguments or with their names alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from sqlglot import exp

from brimgen.diagnostics import Diagnostics, TextBlock, did_you_mean, rules
from brimgen.sql.model import Unreadable
from brimgen.sql.statement import Statement
from brimgen.sql.tokens import CLOSING, OPENING, QUOTED_TEXT, Token, TokenKind
from brimgen.sql.tree import Parsed, parse, place_of

_COMMENTS = frozenset({TokenKind.COMMENT, TokenKind.OPEN_COMMENT})
_OPEN = frozenset({TokenKind.OPEN_STRING, TokenKind.OPEN_COMMENT})
_QUOTING = QUOTED_TEXT | _COMMENTS
_BODIES = frozenset({"TRIGGER", "PROCEDURE", "FUNCTION", "PACKAGE", "EVENT"})
_NOT_OPENED = frozenset({"IF", "LOOP", "WHILE", "REPEAT", "FOR"})

_PARTNERS = {")": "(", "]": "[", "}": "{"}
_FOREIGN_QUOTES = frozenset("`\u00b4\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb")
_LOOKED_AT = OPENING | CLOSING | _FOREIGN_QUOTES

TEMPLATE = re.compile(
    r"\{\{\s*[^\W\d][^{},]*\}\}|\{%-?\s*[a-z]+\b[^%]*%\}|\$\{[^\W\d][\w.\[\]]*\}"
)
_BARE_TEMPLATE = re.compile(r"\{\{|\{%|\$\{")
_BRACED = re.compile(r"\{\s*([^\W\d]\w*)\s*(?::[^{}]*)?\}")
_WORD = re.compile(r"[^\W\d]\w*")
_COLONED = re.compile(r"(?<![\w$:\\]):([^\W\d]\w*)")


def check_text(
    statement: Statement, block: TextBlock, diagnostics: Diagnostics
) -> bool:
    """Report what makes the text unreadable; return False where its tokens cannot be trusted."""
    if "\0" in statement.text:
        return False  # the reader of specs has reported it
    if statement.kinds.isdisjoint(_OPEN):
        return True
    for token in statement.tokens:
        if token.kind is TokenKind.OPEN_STRING:
            shown = token.text.split("\n")[0][:40]
            span = block.span_at(token.start, token.start + 1)
            diagnostics.add(rules.UNTERMINATED_STRING, span, text=shown)
            return False
        if token.kind is TokenKind.OPEN_COMMENT:
            span = block.span_at(token.start, token.start + 2)
            diagnostics.add(rules.UNTERMINATED_COMMENT, span)
            return False
    return True


def check_marks(
    statement: Statement, block: TextBlock, diagnostics: Diagnostics
) -> bool:
    """Report unmatched brackets and quotes of other dialects; return False where there are any."""
    open_brackets: list[Token] = []
    ignored = "" if statement.dialect.braces else "{}"
    for token in [mark for mark in statement.significant if mark.text in _LOOKED_AT]:
        text = token.text
        if token.kind is not TokenKind.MARK or text in ignored:
            continue
        if text in OPENING:
            open_brackets.append(token)
            continue
        if open_brackets and open_brackets[-1].text == _PARTNERS.get(text):
            open_brackets.pop()
            continue
        span = block.span_at(token.start, token.end)
        if text in _FOREIGN_QUOTES:
            name = statement.dialect.name
            diagnostics.add(rules.FOREIGN_QUOTE, span, text=text, dialect=name)
            return False
        why = "closes no bracket"
        if open_brackets:
            why = f"does not close `{open_brackets[-1].text}`"
        diagnostics.add(rules.SYNTAX_ERROR, span, text=text, why=why)
        return False
    for token in open_brackets[-1:]:
        span = block.span_at(token.start, token.end)
        diagnostics.add(
            rules.SYNTAX_ERROR, span, text=token.text, why="is never closed"
        )
    return not open_brackets


def check_statements(
    statement: Statement, block: TextBlock, tool: str, diagnostics: Diagnostics
) -> bool:
    """Report an empty text and a second statement; return False unless there is exactly one."""
    if not any(token.text != ";" for token in statement.significant):
        diagnostics.add(rules.EMPTY_STATEMENT, block.span, tool=tool)
        return False
    second = _second_statement(statement)
    if second is None:
        return True
    diagnostics.add(rules.MULTIPLE_STATEMENTS, block.span_at(second.start, second.end))
    return False


def _second_statement(statement: Statement) -> Token | None:
    """Return the first token after a semicolon that ends a statement, if there is one."""
    if ";" not in statement.text:
        return None
    tokens, words = statement.significant, list(statement.words[:12])
    block = statement.dialect.procedural and words[:1] in (["BEGIN"], ["DECLARE"])
    block = block or (words[:1] == ["CREATE"] and not _BODIES.isdisjoint(words))
    depth, ended = 0, False
    for index, token in enumerate(tokens):
        if block:
            depth = _block_depth(tokens, index, depth)
        if token.text == ";" and (depth <= 0 or not block):
            ended = ended or not block or _ends_block(tokens, index)
        elif ended and token.text != ";":
            return token
    return None


def _block_depth(tokens: tuple[Token, ...], index: int, depth: int) -> int:
    word = tokens[index].word
    if word == "END":
        after = tokens[index + 1].word if index + 1 < len(tokens) else ""
        return depth if after in _NOT_OPENED else depth - 1
    ends = index > 0 and tokens[index - 1].word == "END"
    return depth + (word in ("BEGIN", "CASE") and not ends)


def _ends_block(tokens: tuple[Token, ...], index: int) -> bool:
    """Whether a semicolon follows END, or ``END name``; headers of a block have others."""
    near = [token.word for token in tokens[max(0, index - 2) : index]]
    has_begin = any(token.word == "BEGIN" for token in tokens)
    return "END" in near or not has_begin


def check_foreign(
    statement: Statement,
    block: TextBlock,
    declared: Collection[str],
    diagnostics: Diagnostics,
) -> frozenset[str]:
    """Report placeholders of other styles, template syntax and ambiguous colons.

    Returns the arguments that they were probably meant to bind.
    """
    names: set[str] = set()
    if TokenKind.FOREIGN in statement.kinds:

        names.update(report_placeholders(statement, block, declared, diagnostics))
    doubtful = TokenKind.AMBIGUOUS in statement.kinds
    for token in statement.tokens if doubtful else ():
        if token.kind is TokenKind.AMBIGUOUS:
            span = block.span_at(token.start, token.end)
            text = _chain(statement, token)
            diagnostics.add(rules.AMBIGUOUS_COLON, span, text=text)
    if "{" in statement.text:
        names.update(_check_templates(statement, block, declared, diagnostics))
    return frozenset(names)


def _check_templates(
    statement: Statement,
    block: TextBlock,
    declared: Collection[str],
    diagnostics: Diagnostics,
) -> Iterator[str]:
    """Report template syntax; return the arguments that it was probably meant to bind."""
    for start, end in _templates(statement, declared):
        near: list[str] = []
        for word in _WORD.findall(statement.text[start:end]):
            near.extend([word] if word in declared else did_you_mean(word, declared))
        diagnostics.add(
            rules.TEMPLATE_SYNTAX,
            block.span_at(start, end),
            suggestions=[f":{name}" for name in near],
            text=statement.text[start:end].split("\n")[0][:40],
        )
        yield from near


def has_only_our_placeholders(statement: Statement, declared: Collection[str]) -> bool:
    """Whether the text has no placeholder of another style and no template syntax.

    `check_foreign` reports a text that has; no database takes it.
    """
    if TokenKind.FOREIGN in statement.kinds:
        return False
    return "{" not in statement.text or not any(_templates(statement, declared))


def _chain(statement: Statement, token: Token) -> str:
    before = statement.text[: token.start]
    opened = re.search(r"\S*\Z", before)
    return (opened[0][-20:] if opened else "") + token.text


def _templates(
    statement: Statement, declared: Collection[str]
) -> Iterator[tuple[int, int]]:
    """Return where template syntax stands: loosely outside strings, strictly inside them."""
    blanked = "".join(
        (
            " " * len(token.text)
            if token.kind in QUOTED_TEXT or token.kind in _COMMENTS
            else token.text
        )
        for token in statement.tokens
    )
    places = {
        (match.start(), _line_end(blanked, match.end()))
        for match in _BARE_TEMPLATE.finditer(blanked)
    }
    places |= {match.span() for match in _braced(blanked, statement, declared)}
    for index, token in enumerate(statement.tokens):
        if token.kind not in QUOTED_TEXT:
            continue
        spans = [match.span() for match in TEMPLATE.finditer(token.text)]
        if not _is_path(statement, index):
            named = _BRACED.finditer(token.text)
            spans += [match.span() for match in named if match[1] in declared]
        places |= {(token.start + start, token.start + end) for start, end in spans}
    return iter(_outermost(places))


def _braced(
    text: str, statement: Statement, declared: Collection[str]
) -> Iterator[re.Match[str]]:
    native = statement.dialect.name == "clickhouse"
    for match in _BRACED.finditer(text):
        if match[1] in declared or (native and ":" in match[0]):
            yield match


def _line_end(text: str, position: int) -> int:
    close = re.compile(r"[^\n]*?(?:\}\}|%\}|\})").match(text, position)
    return close.end() if close else position


def _outermost(spans: set[tuple[int, int]]) -> list[tuple[int, int]]:
    outermost: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not outermost or start >= outermost[-1][1]:
            outermost.append((start, end))
    return outermost


def _is_path(statement: Statement, index: int) -> bool:
    """PostgreSQL: ``data #>> '{name}'`` and ``'{a}'::text[]`` are paths and arrays."""
    before = statement.text[: statement.tokens[index].start].rstrip()
    after = statement.text[statement.tokens[index].end :].lstrip()
    return before.endswith(("#>>", "#>", "#-")) or after.startswith("::")


def quoted_names(statement: Statement) -> Iterator[tuple[Token, int, str]]:
    """Return every ``:name`` in quotes or in a comment, with its token and offset."""
    if statement.kinds.isdisjoint(_QUOTING):
        return
    for token in statement.tokens:
        if token.kind in _QUOTING and ":" in token.text:
            for match in _COLONED.finditer(token.text):
                yield token, token.start + match.start(), match[1]


def is_comment(token: Token) -> bool:
    """Whether a token is a comment."""
    return token.kind in _COMMENTS


_NAMED = re.compile(r"%\(([^()]+)\)s|[$@]@?([^\W\d]\w*)")


def report_placeholders(
    statement: Statement,
    block: TextBlock,
    declared: Collection[str],
    diagnostics: Diagnostics,
) -> Iterator[str]:
    """Report every placeholder of another style, and suggest the parameter to write instead.

    Yields the arguments that they were probably meant to bind.
    """
    only = tuple(declared) if len(declared) == 1 else ()
    for token in statement.significant:
        if token.kind is not TokenKind.FOREIGN:
            continue
        name, near = _name(token), only
        if name is not None:
            near = (name,) if name in declared else did_you_mean(name, declared)
        yield from near or declared
        if name is not None and name.isidentifier():
            near = near or (name,)
        diagnostics.add(
            rules.FOREIGN_PLACEHOLDER,
            block.span_at(token.start, token.end),
            suggestions=[f":{argument}" for argument in near],
            text=token.text,
        )


def _name(token: Token) -> str | None:
    """Return the name in ``%(name)s``, ``$name`` and ``@name``; None for a positional
    placeholder.
    """
    named = _NAMED.fullmatch(token.text)
    return (named[1] or named[2]) if named else None


_PIPES = "||"


def pipes_as_or(statement: Statement, flags: Collection[str]) -> Token | None:
    """Return the first `||` of MySQL beside a text or a parameter: OR makes no sense there."""
    if statement.dialect.name != "mysql" or _PIPES not in statement.text:
        return None
    parsed = statement.computed_once(parse)
    if isinstance(parsed, Unreadable):
        return None
    doubtful = {
        place_of(node.expression, parsed).start
        for node in parsed.tree.find_all(exp.Or)
        for side in (node.this, node.expression)
        if side.is_string or _is_value(side, parsed, flags)
    }
    pairs = pairwise(statement.significant)
    joined = (one for one, other in pairs if other.start in doubtful)
    return next((token for token in joined if token.text == _PIPES), None)


def _is_value(node: exp.Expr, parsed: Parsed, flags: Collection[str]) -> bool:
    use = parsed.uses.get(str(node.this)) if isinstance(node, exp.Placeholder) else None
    return use is not None and use.name not in flags
