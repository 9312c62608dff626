"""Patterns: a regular expression in; whether it is ECMA-262, and where readers of it disagree.

A pattern is never run at build time: only its syntax is read. What Python's `re` cannot compile
after translation is an error, because the generated decoder could not enforce it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import resolve_fields as rules
from brimgen.source.nodes import ScalarNode

_LONGEST = 2000
_TOKEN = re.compile(
    r"\\u\{[0-9A-Fa-f]{1,6}\}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\c[A-Za-z]"
    r"|\\[pP]\{[^}]*\}|\\k<[^>]*>|\\.|\(\?<[A-Za-z_$][\w$]*>|\(\?[^:=!<]*.|\(\?<[=!]"
    r"|\[\^\]|\[\]|.",
    re.DOTALL,
)
_PYTHON_ONLY = {
    r"\A": "`\\A` is Python, write `^`",
    r"\Z": "`\\Z` is Python, write `$`",
    r"\z": "`\\z` is not ECMA-262, write `$`",
    r"\a": "`\\a` is Python",
}
_PLAIN_ESCAPES = frozenset("dDwWsSbBtnvfr0123456789^$\\.*+?()[]{}|/-")
_SPACES = r"\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def check_pattern(node: ScalarNode, found: Diagnostics) -> bool:
    """Return whether a pattern can be enforced; report what is wrong or doubtful about it."""
    text = node.text
    if len(text) > _LONGEST:
        reason = f"it is longer than {_LONGEST} characters"
        found.add(rules.BAD_PATTERN, node.span, reason=reason)
        return False
    doubt = next(_doubts(text), None)
    try:
        re.compile(_translate(text))
    except (re.error, OverflowError, RecursionError, ValueError) as fault:
        reason = doubt or _reason(fault)
        found.add(rules.BAD_PATTERN, node.span, reason=reason)
        return False
    if doubt is not None:
        found.add(rules.DIALECT_PATTERN, node.span, reason=doubt)
    return True


def _reason(fault: Exception) -> str:
    if isinstance(fault, re.error):
        return fault.msg
    return "it is too large" if not isinstance(fault, ValueError) else str(fault)


def _doubts(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(text):
        if token in _PYTHON_ONLY:
            yield _PYTHON_ONLY[token]
        elif token.startswith("(?P"):
            yield "`(?P…)` is Python, write `(?<name>…)`"
        elif token.startswith(("(?<=", "(?<!")):
            yield "look-behind is refused by several readers"
        elif re.match(r"\(\?[a-zA-Z-]+[:)]", token):
            yield f"inline flags `{token}` are not ECMA-262"
        elif re.match(r"\(\?[#>(]", token):
            yield f"`{token[:3]}` is not ECMA-262"
        elif re.fullmatch(r"\\[A-Za-z]", token) and token[1] not in _PLAIN_ESCAPES:
            yield f"`{token}` is not an escape of ECMA-262"
    if re.search(r"[*+?}]\+", re.sub(r"\\.|\[(?:\\.|[^\]])*\]", "x", text)):
        yield "possessive quantifiers are not ECMA-262"


def _translate(text: str) -> str:
    return "".join(_python(each) for each in _TOKEN.findall(text))


def _python(token: str) -> str:
    if token.startswith(r"\u{"):
        code = int(token[3:-1], 16)
        return f"\\U{code:08x}" if code <= 0x10FFFF else token
    if token.startswith(r"\c") and len(token) == 3:
        return f"\\x{ord(token[2].upper()) - 64:02x}"
    if token.startswith((r"\p{", r"\P{")):
        return r"\w" if token[1] == "p" else r"\W"
    if token.startswith(r"\k<"):
        return f"(?P={token[3:-1]})"
    if token.startswith("(?<") and token.endswith(">"):
        return f"(?P<{token[3:-1].replace('$', '_')}>"
    match token:
        case "[^]":
            return r"[\s\S]"
        case "[]":
            return "(?!)"
        case r"\/" | r"\-":
            return token[1] if token == r"\/" else token
        case r"\z":
            return r"\Z"
        case _:
            return token
