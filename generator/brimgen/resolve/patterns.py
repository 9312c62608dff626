"""Patterns: a regular expression in; whether it is ECMA-262, and what is doubtful about it.

A pattern is never run by an engine that backtracks at build time (see `automata`). Its syntax is
read by the runtime's translator, so that what is accepted here is what generated code can enforce.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import resolve_fields as rules
from brimgen.source.nodes import ScalarNode

_LONGEST = 2000
_TOKEN = re.compile(
    r"\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[:=!]|\(\?<[^>]*>|[()]|[*+]\??|\{[0-9]+(?:,[0-9]*)?\}\??|.",
    re.DOTALL,
)
_UNBOUNDED = re.compile(r"[*+]\??|\{[0-9]+,\}\??")
_SAID_AT_LENGTH = re.compile(r"^pattern '.*?': ", re.DOTALL)


def check_pattern(node: ScalarNode, found: Diagnostics) -> bool:
    """Return whether a pattern can be enforced; report what is wrong or doubtful about it."""
    from brimgen.runtime._engine.patterns import PatternError, translate

    text = node.text
    if len(text) > _LONGEST:
        reason = f"it is longer than {_LONGEST} characters"
        found.add(rules.BAD_PATTERN, node.span, reason=reason)
        return False
    try:
        translate(text)
    except PatternError as fault:
        reason = _SAID_AT_LENGTH.sub("", str(fault))
        found.add(rules.BAD_PATTERN, node.span, reason=reason)
        return False
    if "(?<=" in text or "(?<!" in text:
        found.add(rules.DIALECT_PATTERN, node.span, reason="look-behind")
    if is_slow(text):
        found.add(rules.SLOW_PATTERN, node.span)
    return True


def is_slow(text: str) -> bool:
    """Return whether a repetition without limit stands inside another one, as in ``(a+)+``.

    Such a pattern can take time that doubles with every character of a text that does not match.
    """
    inner = [False]
    tokens = _TOKEN.findall(text)
    for token, following in zip_longest(tokens, tokens[1:], fillvalue=""):
        if token.startswith("(") and len(token) < 200 and not token.startswith("\\"):
            inner.append(False)
        elif token == ")" and len(inner) > 1:
            repeats = inner.pop()
            if repeats and _UNBOUNDED.fullmatch(following):
                return True
            inner[-1] = inner[-1] or repeats
        elif _UNBOUNDED.fullmatch(token):
            inner[-1] = True
    return False
