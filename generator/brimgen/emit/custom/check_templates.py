"""Check the templates of a project before anything is printed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from jinja2 import TemplateSyntaxError, meta, nodes

from brimgen.diagnostics import Diagnostics, Span, did_you_mean
from brimgen.diagnostics.rules import (
    UNKNOWN_BLOCK,
    UNKNOWN_IN_TEMPLATE,
    UNUSED_TEMPLATE,
)
from brimgen.emit.custom.filters import INSTEAD
from brimgen.emit.custom.mistakes import TemplateMistake
from brimgen.emit.custom.positions import span_of_name
from brimgen.emit.custom.templates import OURS, Templates
from brimgen.emit.render import template_names


def check_templates(
    templates: Templates, roots: Mapping[str, Collection[str]], diagnostics: Diagnostics
) -> None:
    """Report each mistake in the templates of a project that can be seen before printing.

    ``roots`` are the templates that files are made with, each with the variables it is given.
    """
    ours = template_names()
    # Templates of brimgen that the project does not replace name templates of brimgen only.
    replaced = ours & templates.files.keys()
    used = {part for root in (*roots, *replaced) for part in templates.parts(root)}
    variables = {**{name: templates.variables_of(name) for name in replaced}, **roots}
    # A template whose name is computed may be any one.
    may_be_any = any(map(templates.computes_names, used))
    for name, file in templates.files.items():
        if name not in used and not may_be_any:
            near, place = did_you_mean(name, ours), Span.at_file(file.path)
            diagnostics.add(UNUSED_TEMPLATE, place, suggestions=near)
        error_count = diagnostics.errors
        try:
            tree = templates.environment.syntax_tree(name, file.text)
        except (TemplateSyntaxError, RecursionError) as problem:
            templates.mistake(problem, name).report(diagnostics)
            continue
        check = _Check(templates, name, tree, diagnostics)
        check.words()
        check.parts()
        if diagnostics.errors == error_count and name in variables:
            check.variables([*variables[name]])
        if diagnostics.errors == error_count:
            _compile(templates, name, diagnostics)


def _compile(templates: Templates, name: str, diagnostics: Diagnostics) -> None:
    try:
        templates.compiled(name)
    except TemplateMistake as mistake:
        mistake.report(diagnostics)


class _Check:
    """Reports the mistakes in the syntax tree of a template."""

    def __init__(
        self,
        templates: Templates,
        name: str,
        tree: nodes.Template,
        diagnostics: Diagnostics,
    ) -> None:
        self._templates, self._tree, self._diagnostics = templates, tree, diagnostics
        self._name, self._file = name, templates.files[name]

    def _span_of_name(self, node: nodes.Node, name: str) -> Span:
        return span_of_name(self._file.path, self._file.text, node.lineno - 1, name)

    def words(self) -> None:
        """Report filters and tests that do not exist."""
        environment = self._templates.environment
        kinds: tuple[tuple[str, type[nodes.Filter | nodes.Test], Iterable[str]], ...]
        kinds = (
            ("filter", nodes.Filter, environment.filters),
            ("test", nodes.Test, environment.tests),
        )
        for kind, nodes_of_kind, available in kinds:
            names = [name for name in available if not name.startswith("_")]
            for node in self._tree.find_all(nodes_of_kind):
                if node.name in names:
                    continue
                instead = INSTEAD.get(node.name) if kind == "filter" else None
                self._diagnostics.add(
                    UNKNOWN_IN_TEMPLATE,
                    self._span_of_name(node, node.name),
                    suggestions=(
                        (instead,) if instead else did_you_mean(node.name, names)
                    ),
                    problem=f"there is no {kind} `{node.name}`",
                )

    def parts(self) -> None:
        """Report templates and blocks that do not exist."""
        for node in self._tree.find_all(_REFERENCES):
            for name in _names_in(node):
                if self._templates.text(name) is None and not _is_optional(node):
                    self._diagnostics.add(
                        UNKNOWN_IN_TEMPLATE,
                        self._span_of_name(node, name),
                        suggestions=did_you_mean(name, self._templates.names),
                        problem=f"there is no template `{name}`",
                    )
                elif isinstance(node, nodes.Extends) and name == self._name:
                    self._diagnostics.add(
                        UNKNOWN_IN_TEMPLATE,
                        self._span_of_name(node, name),
                        suggestions=(f"{OURS}{name}",) * (name in template_names()),
                        problem=f"`{name}` extends itself",
                    )
                elif isinstance(node, nodes.Extends):
                    self._blocks(name)

    def _blocks(self, parent: str) -> None:
        block_names = [
            node.name
            for tree in self._templates.trees(parent)
            for node in tree.find_all(nodes.Block)
        ]
        own = [*self._tree.find_all(nodes.Block)]
        inner = {block.name for outer in own for block in outer.find_all(nodes.Block)}
        shown = ", ".join(sorted(set(block_names)))
        for block in own:
            if block.name not in block_names and block.name not in inner:
                self._diagnostics.add(
                    UNKNOWN_BLOCK,
                    self._span_of_name(block, block.name),
                    suggestions=did_you_mean(block.name, block_names),
                    parent=parent,
                    name=block.name,
                    among=f": there are {shown}" if block_names else "",
                )

    def variables(self, given_names: Sequence[str]) -> None:
        """Report variables that are neither given to the template nor set in it."""
        try:
            asked = meta.find_undeclared_variables(self._tree)
        except Exception as problem:  # what compiling tells better
            self._templates.mistake(problem, self._name).report(self._diagnostics)
            return
        known = {*given_names, *self._set_names()}
        for name in sorted(asked - known):
            node = next(
                use for use in self._tree.find_all(nodes.Name) if use.name == name
            )
            shown = ", ".join(f"`{variable}`" for variable in given_names)
            self._diagnostics.add(
                UNKNOWN_IN_TEMPLATE,
                self._span_of_name(node, name),
                suggestions=did_you_mean(name, known),
                problem=f"there is no variable `{name}`: there are {shown}",
            )

    def _set_names(self) -> set[str]:
        """The variables that any part of the template sets."""
        return {
            node.name
            for tree in self._templates.trees(self._name)
            for node in tree.find_all(nodes.Name)
            if node.ctx != "load"
        }


_REFERENCES = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)


def _names_in(node: nodes.Node) -> list[str]:
    """The templates that a tag names as texts."""
    named = getattr(node, "template", None)
    parts = named.items if isinstance(named, nodes.List | nodes.Tuple) else [named]
    values = [part.value for part in parts if isinstance(part, nodes.Const)]
    return [value for value in values if isinstance(value, str)]


def _is_optional(node: nodes.Node) -> bool:
    if not isinstance(node, nodes.Include):
        return False
    return node.ignore_missing or not isinstance(node.template, nodes.Const)
