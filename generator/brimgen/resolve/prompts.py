"""Prompt templates: a body or messages in, checked messages out (language.md 6).

Jinja only parses here, in a sandboxed environment; a template of a spec is never run at build.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from brimgen.diagnostics import Diagnostics, Span, TextBlock, did_you_mean
from brimgen.diagnostics.rules import resolve_tools as rules
from brimgen.model.catalog import Message
from brimgen.syntax.decls import ToolDecl

if TYPE_CHECKING:
    from jinja2 import Environment, nodes


def read_messages(
    decl: ToolDecl, names: Iterable[str] | None, found: Diagnostics
) -> tuple[Message, ...]:
    """Return the messages of a template tool, one ``user`` message where it has no roles.

    ``names`` are the arguments; None where they are not all known, then none is missed. Reports
    what is no template, uses undeclared names, or reaches beyond its arguments.
    """
    messages = [Message("user", decl.body)] if decl.body is not None else []
    for role, template in decl.messages:
        messages.append(Message(role.value, template))
    declared = None if names is None else frozenset(names)
    for each in messages:
        if any(mark in each.template.text for mark in ("{{", "{%", "{#")):
            try:
                check_template(each.template, declared, found)
            except RecursionError:
                reason = "it is nested too deeply"
                found.add(rules.BAD_TEMPLATE, each.template.span, reason=reason)
    return tuple(messages)


def check_template(
    template: TextBlock, declared: frozenset[str] | None, found: Diagnostics
) -> None:
    """Report what is wrong with one template, each fault at its own place."""
    from jinja2 import TemplateSyntaxError, nodes
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(keep_trailing_newline=True)
    try:
        tree = environment.parse(template.text)
    except TemplateSyntaxError as fault:
        reason = (fault.message or "syntax error").rstrip(".")
        found.add(rules.BAD_TEMPLATE, _line(template, fault.lineno), reason=reason)
        return
    places = _Places(template)
    if not _check_vocabulary(tree, environment, places, found):
        return
    for kind in (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends):
        for node in tree.find_all(kind):
            span = _line(template, node.lineno)
            what = f"`{type(node).__name__.lower()}`"
            found.add(rules.FORBIDDEN_IN_TEMPLATE, span, what=what)
    try:
        free = _free_names(tree, environment)
    except TemplateSyntaxError as fault:
        reason = (fault.message or "syntax error").rstrip(".")
        found.add(rules.BAD_TEMPLATE, _line(template, fault.lineno), reason=reason)
        return
    _check_names(tree, free, (places, declared), found)


def _check_vocabulary(
    tree: nodes.Template,
    environment: Environment,
    places: _Places,
    found: Diagnostics,
) -> bool:
    """Report filters and tests that Jinja does not have; return whether there were none."""
    from jinja2 import nodes

    sound = True
    for kind, known in (
        (nodes.Filter, environment.filters),
        (nodes.Test, environment.tests),
    ):
        for node in tree.find_all(kind):
            if node.name not in known:
                found.add(
                    rules.BAD_TEMPLATE,
                    places.of(node.name, node.lineno),
                    suggestions=did_you_mean(node.name, known),
                    reason=f"there is no {kind.__name__.lower()} `{node.name}`",
                )
                sound = False
    return sound


def _free_names(tree: nodes.Template, environment: Environment) -> set[str]:
    """The names that a template takes from outside.

    Raises TemplateSyntaxError for what parses and does not compile. The code generator would work
    out constant expressions on the way (`{{ "a" * 10 ** 10 }}`), and a spec must not make the
    build work: without an optimizer, and with a finalizer that needs a context, it does not.
    """
    from jinja2 import pass_context
    from jinja2.meta import TrackingCodeGenerator

    environment.finalize = pass_context(lambda _context, value: value)
    generator = TrackingCodeGenerator(environment)
    generator.optimizer = None
    generator.visit(tree)
    return generator.undeclared_identifiers


def _check_names(
    tree: nodes.Template,
    free: set[str],
    known_by: tuple[_Places, frozenset[str] | None],
    found: Diagnostics,
) -> None:
    from jinja2 import nodes

    places, declared = known_by
    for name in sorted(free - {"args"}):
        if declared is not None and name in declared:
            found.add(rules.BARE_IN_TEMPLATE, places.of(name), name=name)
        elif declared is not None:
            known = [f"args.{each}" for each in did_you_mean(name, declared)]
            found.add(
                rules.UNDECLARED_IN_TEMPLATE,
                places.of(name),
                suggestions=known,
                name=name,
            )
    for attribute in tree.find_all(nodes.Getattr):
        _check_member(attribute, places, declared, found)
    for item in tree.find_all(nodes.Getitem):
        _check_member(item, places, declared, found)


def _check_member(
    node: nodes.Getattr | nodes.Getitem,
    places: _Places,
    declared: frozenset[str] | None,
    found: Diagnostics,
) -> None:
    from jinja2 import nodes

    name = _member(node)
    if name is None:
        return
    of_args = isinstance(node.node, nodes.Name) and node.node.name == "args"
    if name.startswith("_") and not (of_args and name in (declared or ())):
        span = places.of(name, node.lineno)
        found.add(rules.FORBIDDEN_IN_TEMPLATE, span, what=f"`{name}`")
    elif of_args and declared is not None and name not in declared:
        found.add(
            rules.UNDECLARED_IN_TEMPLATE,
            places.of(name, node.lineno),
            suggestions=did_you_mean(name, declared),
            name=f"args.{name}",
        )


def _member(node: nodes.Getattr | nodes.Getitem) -> str | None:
    from jinja2 import nodes

    if isinstance(node, nodes.Getattr):
        return node.attr
    if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
        return node.arg.value
    return None


class _Places:
    """Where a name stands in a template; Jinja knows lines only."""

    def __init__(self, template: TextBlock) -> None:
        self.template = template

    def of(self, name: str, line: int | None = None) -> Span:
        """The first place of a name, from ``line`` on, inside a tag."""
        text = self.template.text
        start = 0
        if line is not None:
            for _ in range(line - 1):
                start = text.find("\n", start) + 1
        word = re.compile(rf"(?<![\w]){re.escape(name)}(?![\w])")
        for tag in re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL).finditer(text):
            if tag.end() <= start:
                continue
            match = word.search(text, max(tag.start(), start), tag.end())
            if match is not None:
                return self.template.span_at(match.start(), match.end())
        return _line(self.template, line or 1)


def _line(template: TextBlock, line: int) -> Span:
    lines = template.text.split("\n")
    row = min(max(line, 1), len(lines)) - 1
    start = sum(len(each) + 1 for each in lines[:row])
    return template.span_at(start, start + len(lines[row]))
