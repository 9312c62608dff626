"""Build one regular expression per dialect that matches one piece of a statement.

The name of the matching group decides how a piece is read; most groups are kinds of tokens.
"""

from __future__ import annotations

import re
from functools import cache

from brimgen.sql.dialects import Dialect

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
