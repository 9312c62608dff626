"""Templates of Jinja whose errors lead back to a character.

Jinja counts lines only. Here each token gets its offset in the text (plus 1) as the number of its
line. So every node of the syntax tree, and every line of the compiled code, leads back to an
offset, and from there to a line and a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2 import Environment, TemplateSyntaxError
from jinja2.lexer import TokenStream

_AT = re.compile(r" at (\d+)$")


class LocatingEnvironment(Environment):
    """An environment whose nodes have offsets (plus 1) in the place of lines."""

    def _tokenize(
        self,
        source: str,
        name: str | None,
        filename: str | None = None,
        state: str | None = None,
    ) -> TokenStream:
        located = _located(self, source, name, filename, state)
        return TokenStream(self.lexer.wrap(located, name, filename), name, filename)


def _located(
    environment: Environment,
    source: str,
    name: str | None,
    filename: str | None,
    state: str | None,
) -> Iterator[tuple[int, str, str]]:
    """The tokens of ``source``, each with its offset plus 1 as its line."""
    at = 0
    try:
        for _, kind, text in environment.lexer.tokeniter(source, name, filename, state):
            # Between two tokens is nothing but whitespace that Jinja strips.
            at = max(at, source.find(text, at))
            yield at + 1, kind, text
            at += len(text)
    except TemplateSyntaxError as problem:
        message = problem.message or ""
        if named := _AT.search(message):
            at, message = int(named[1]), message[: named.start()]
        raise TemplateSyntaxError(message, at + 1, name, filename) from problem
