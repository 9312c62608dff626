"""Parse a template with Jinja, and find the offset of every node.

Jinja knows lines and no columns. Its reader is given offsets where it asks for line numbers, so
that a message points at the very name. Only what reads is used: nothing of a spec is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from jinja2 import TemplateSyntaxError, nodes, pass_context
from jinja2.lexer import TokenStream
from jinja2.meta import TrackingCodeGenerator
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment

from brimgen.resolve.prompts.template_errors import Fault, explain_error

_MANY_DIGITS = re.compile(r"\d[\d_]{4000,}")


class TemplateFault(Exception):
    """A text that is no template; ``fault`` says why, and where."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


class Reader(SandboxedEnvironment):
    """Jinja's reader, with offsets (from 1) in the place of line numbers.

    A prompt sees its arguments and nothing else (spec-language.md), so there are no globals:
    `range`, `lipsum` and the like would be names that nothing provides.
    """

    def __init__(self) -> None:
        super().__init__(keep_trailing_newline=True)
        self.globals.clear()
        # The code generator would work out constant expressions (`{{ "a" * 10 ** 10 }}`), and a
        # spec must not make the build work: with a finalizer that needs a context, it does not.
        self.finalize = pass_context(_identity)

    def _tokenize(
        self,
        source: str,
        name: str | None,
        filename: str | None = None,
        state: str | None = None,
    ) -> TokenStream:
        tokens = self.lexer.wrap(self._located(source, state), name, filename)
        return TokenStream(tokens, name, filename)

    def _located(
        self, source: str, state: str | None
    ) -> Iterator[tuple[int, str, str]]:
        """The tokens, which follow each other but for white space that a `-` takes away."""
        at = 0
        tokens = self.lexer.tokeniter(source, None, None, state)
        while True:
            try:
                _, kind, value = next(tokens)
            except StopIteration:
                return
            except TemplateSyntaxError as fault:
                fault.lineno = at + 1
                raise
            at = max(at, source.find(value, at))
            yield at + 1, kind, value
            at += len(value)


def read_tree(text: str) -> nodes.Template:
    """Return the tree of a template; the ``lineno`` of its nodes are offsets, from 1.

    Raises `TemplateFault`, and `RecursionError` where it is nested too deeply.
    """
    try:
        return Parser(Reader(), text).parse()
    except TemplateSyntaxError as fault:
        raise _fault(fault, text) from fault
    except ValueError as problem:  # Python reads integers of a few thousand digits only
        digits = _MANY_DIGITS.search(text)
        start, end = digits.span() if digits else (0, len(text))
        reason = "a number has too many digits"
        raise TemplateFault(Fault(reason, start, end)) from problem


def free_names(tree: nodes.Template, text: str) -> set[str]:
    """Return the names that a template takes from outside, whatever filters and tests it uses.

    ``tree`` is that of ``text``.

    Raises `TemplateFault` for what parses and does not compile.
    """
    reader = Reader()
    for kind, registry in ((nodes.Filter, reader.filters), (nodes.Test, reader.tests)):
        for node in tree.find_all(kind):
            registry.setdefault(node.name, _unknown_function)
    generator = TrackingCodeGenerator(reader)
    generator.optimizer = None
    try:
        generator.visit(tree)
    except TemplateSyntaxError as fault:
        raise _fault(fault, text) from fault
    return generator.undeclared_identifiers


def _identity(_context: Context, value: object) -> object:
    return value


def _unknown_function(*_: Any) -> Any:
    """Stand in for an unknown filter or test, which `prompts` reports."""


def _fault(fault: TemplateSyntaxError, text: str) -> TemplateFault:
    message = fault.message or "syntax error"
    return TemplateFault(explain_error(text, message, fault.lineno - 1))
