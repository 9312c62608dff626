"""Report placeholders of other styles, and suggest the parameters that replace them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from brimgen.diagnostics import Diagnostics, TextBlock, did_you_mean, rules
from brimgen.sql import Statement, Token, TokenKind

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
