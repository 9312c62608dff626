"""Resolve prompt templates: a body or messages, checked (spec-language.md).

Jinja only parses here, in a sandboxed environment; a template of a spec is never run at build.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING

from brimgen.diagnostics import Diagnostics, Note, Span, TextBlock, did_you_mean, rules
from brimgen.diagnostics.rules import REFUSED_CHARACTER, UNPAIRED_SURROGATE
from brimgen.frozen import dataclass
from brimgen.model.catalog import Entity, Message
from brimgen.model.types import Field
from brimgen.syntax.decls import ToolDecl
from brimgen_runtime.grammar.hidden_characters import described, hidden_characters

if TYPE_CHECKING:
    from jinja2 import nodes

    from brimgen.resolve.prompts.names import Fault, Missing

# Python writes integers of no more than 4300 digits.
_MOST_BITS = 14_000
_MARKS = ("{{", "{%", "{#")
# Filters that take the name of an attribute; any text among their arguments may be one.
_BY_NAME = frozenset(
    {"attr", "groupby", "join", "map", "max", "min", "reject", "rejectattr"}
    | {"select", "selectattr", "sort", "sum", "unique"}
)


def read_messages(
    decl: ToolDecl,
    fields: tuple[Field, ...] | None,
    entities: Mapping[str, Entity],
    diagnostics: Diagnostics,
) -> tuple[Message, ...]:
    """Return the messages of a template tool, one ``user`` message where it has no roles.

    ``fields`` are the arguments; None where they are not all known: then no name is reported as
    undeclared. Reports invalid templates, and what reaches beyond the arguments.
    """
    messages = [Message("user", decl.body)] if decl.body is not None else []
    for role, template in decl.messages:
        messages.append(Message(role.value, template))
    for message in messages:
        if any(mark in message.template.text for mark in _MARKS):
            try:
                _Check(message.template, fields, entities, diagnostics).run()
            except RecursionError:
                reason = "it is nested too deeply"
                diagnostics.add(
                    rules.BAD_TEMPLATE, message.template.span, reason=reason
                )
    return tuple(messages)


@dataclass(frozen=True, slots=True)
class _Check:
    """Reports what is wrong with one template, each fault at its own place."""

    template: TextBlock
    fields: tuple[Field, ...] | None
    entities: Mapping[str, Entity]
    diagnostics: Diagnostics

    def run(self) -> None:
        """Read the template and look at all that it names."""
        from brimgen.resolve.prompts.names import (
            TemplateFault,
            free_names,
            read_tree,
        )

        try:
            tree = read_tree(self.template.text)
            reports_before = self.diagnostics.reports
            self._check_constants(tree)
            if self.diagnostics.reports > reports_before:
                return  # Jinja's compiler could not write such constants
            self._check_vocabulary(tree)
            self._check_forbidden(tree)
            free = free_names(tree, self.template.text)
        except TemplateFault as problem:
            self._report(problem.fault)
            return
        self._check_names(tree, free)

    def _report(self, fault: Fault) -> None:
        opened, place = fault.opened, self.template.span_at
        self.diagnostics.add(
            rules.BAD_TEMPLATE,
            place(fault.start, fault.end),
            suggestions=fault.suggestions,
            notes=[Note(place(*opened), "still open")] if opened else (),
            reason=fault.reason,
        )

    def _check_constants(self, tree: nodes.Template) -> None:
        """Report numbers that JSON cannot hold, and refused characters that strings escape."""
        from jinja2 import nodes

        for node in tree.find_all(nodes.Const):
            place = self._tag(node.lineno - 1)
            if isinstance(node.value, float) and not isfinite(node.value):
                reason = "a number is larger than any that JSON can carry"
                self.diagnostics.add(rules.BAD_TEMPLATE, place, reason=reason)
            elif isinstance(node.value, int) and node.value.bit_length() > _MOST_BITS:
                reason = "a number has too many digits"
                self.diagnostics.add(rules.BAD_TEMPLATE, place, reason=reason)
            elif isinstance(node.value, str):
                self._check_characters(node.value, place)

    def _check_characters(self, text: str, place: Span) -> None:
        half = next((unit for unit in text if "\ud800" <= unit <= "\udfff"), None)
        if half is not None:
            code = f"U+{ord(half):04X}"
            self.diagnostics.add(UNPAIRED_SURROGATE, place, code=code)
        for at in islice(hidden_characters(text), 1):
            character = described(text[at])
            self.diagnostics.add(REFUSED_CHARACTER, place, character=character)

    def _check_vocabulary(self, tree: nodes.Template) -> None:
        """Report filters and tests that Jinja does not have."""
        from jinja2 import nodes
        from jinja2.filters import FILTERS
        from jinja2.tests import TESTS

        for kind, vocabulary in (
            (nodes.Filter, FILTERS),
            (nodes.Test, TESTS),
        ):
            for node in tree.find_all(kind):
                if node.name not in vocabulary:
                    self.diagnostics.add(
                        rules.BAD_TEMPLATE,
                        self._name(node.name, node.lineno - 1),
                        suggestions=did_you_mean(node.name, vocabulary),
                        reason=f"there is no {kind.__name__.lower()} `{node.name}`",
                    )

    def _check_forbidden(self, tree: nodes.Template) -> None:
        """Report references to other files, and private attributes."""
        from jinja2 import nodes

        for kind in (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends):
            for node in tree.find_all(kind):
                self._forbid(f"`{kind.__name__.lower()}`", self._tag(node.lineno - 1))
        for attribute in tree.find_all(nodes.Getattr):
            self._check_private(attribute.attr, attribute)
        for item in tree.find_all(nodes.Getitem):
            if isinstance(item.arg, nodes.Const) and isinstance(item.arg.value, str):
                self._check_private(item.arg.value, item)
        for filter_node in tree.find_all(nodes.Filter):
            if filter_node.name in _BY_NAME:
                self._check_filter(filter_node)

    def _check_filter(self, node: nodes.Filter) -> None:
        from jinja2 import nodes

        values = [*node.args, *(kwarg.value for kwarg in node.kwargs)]
        for value in values:
            if isinstance(value, nodes.Const) and isinstance(value.value, str):
                private = [
                    part for part in value.value.split(".") if part.startswith("_")
                ]
                for name in private:
                    self._forbid(f"`{name}`", self._name(name, value.lineno - 1))
            elif node.name == "attr":
                self._forbid(
                    "`attr` with a computed name", self._name("attr", node.lineno - 1)
                )

    def _check_private(self, name: str, node: nodes.Getattr | nodes.Getitem) -> None:
        from jinja2 import nodes

        of_args = isinstance(node.node, nodes.Name) and node.node.name == "args"
        declared = {field.name for field in self.fields or ()}
        if name.startswith("_") and not (of_args and name in declared):
            self._forbid(f"`{name}`", self._name(name, node.lineno - 1))

    def _forbid(self, construct: str, span: Span) -> None:
        self.diagnostics.add(rules.FORBIDDEN_IN_TEMPLATE, span, what=construct)

    def _check_names(self, tree: nodes.Template, free: set[str]) -> None:
        """Report names and members that nothing declares."""
        from brimgen.resolve.prompts.names import ARGS, Names

        if self.fields is None:
            return
        by_name = {field.name: field for field in self.fields}
        names = Names(by_name, self.entities)
        names.walk(tree)
        if "self" in names.unbound and "self" not in by_name:
            free = free | {"self"}
        for name in sorted(free - {ARGS}):
            span = self._name(name, names.unbound.get(name, 0))
            if name in by_name:
                self.diagnostics.add(rules.BARE_IN_TEMPLATE, span, name=name)
                continue
            self.diagnostics.add(
                rules.UNDECLARED_IN_TEMPLATE,
                span,
                suggestions=[
                    f"args.{argument}" for argument in did_you_mean(name, by_name)
                ],
                name=name,
            )
        for offset in names.computed:
            self._forbid("a computed name of `args`", self._tag(offset))
        for missing in names.missing:
            if not missing.member.startswith("_"):
                self._report_missing(missing, by_name)

    def _report_missing(self, missing: Missing, by_name: Mapping[str, Field]) -> None:
        span = self._name(missing.member, missing.offset)
        near = did_you_mean(missing.member, missing.known)
        if missing.owner == "args":
            self.diagnostics.add(
                rules.UNDECLARED_IN_TEMPLATE,
                span,
                suggestions=near,
                name=f"args.{missing.member}",
            )
            return
        argument = missing.owner.removeprefix("args.").partition(".")[0]
        field = by_name.get(argument.partition("[")[0])
        self.diagnostics.add(
            rules.NO_SUCH_MEMBER_IN_TEMPLATE,
            span,
            suggestions=near,
            notes=[] if field is None else [Note(field.span, "declared here")],
            name=missing.owner,
            member=missing.member,
        )

    def _name(self, name: str, offset: int) -> Span:
        """The place of a name that stands at or behind ``offset``."""
        start = self.template.text.find(name, offset)
        if start < 0:
            return self._tag(offset)
        return self.template.span_at(start, start + len(name))

    def _tag(self, offset: int) -> Span:
        """The place of the tag around ``offset``, as far as it stands on one line."""
        text = self.template.text
        starts = [text.rfind(mark, 0, offset + 2) for mark in ("{{", "{%")]
        ends = [end for end in self._ends(offset) if end >= 0]
        line_end = text.find("\n", offset)
        limit = len(text) if line_end < 0 else line_end
        start = max(max(starts), text.rfind("\n", 0, offset) + 1)
        return self.template.span_at(start, min([*ends, limit]))

    def _ends(self, offset: int) -> Iterator[int]:
        for mark in ("}}", "%}"):
            at = self.template.text.find(mark, offset)
            yield at + len(mark) if at >= 0 else -1
