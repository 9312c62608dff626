"""Find and print templates: those of a project, and brimgen's where it has none."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from types import TracebackType

from jinja2 import Template, TemplateSyntaxError, meta, nodes

from brimgen.diagnostics import Span
from brimgen.emit.custom.environment import ProjectEnvironment
from brimgen.emit.custom.explain_problem import ProblemPlace
from brimgen.emit.custom.mistakes import TemplateMistake
from brimgen.emit.render import template_names, template_text
from brimgen.model.targets import TARGETS
from brimgen.model.templates import TemplateFile

OURS = "brimgen/"
"""With this before its name, a template of brimgen is meant, also where a project has its own."""

_FOLDERS = frozenset(target.name for target in TARGETS if target.files)
"""The folders of the targets of brimgen that are nothing but templates."""


class Templates:
    """The templates that a build prints with: ``files`` of a project, and those of brimgen."""

    def __init__(self, files: Mapping[str, TemplateFile]) -> None:
        self.files = files
        self.environment = ProjectEnvironment(self.text, is_ours=self._has_our_filters)
        self._part_names: dict[str, frozenset[str]] = {}
        self._trees: dict[str, nodes.Template | None] = {}

    def _has_our_filters(self, name: str) -> bool:
        """Whether ``name`` is printed with the filters of brimgen.

        Templates of projects, and of targets that are nothing but templates, are not.
        """
        folder = name.removeprefix(OURS).partition("/")[0]
        return name not in self.files and folder not in _FOLDERS

    def text(self, name: str) -> str | None:
        """The text of the template ``name``: the project's own, else brimgen's."""
        file = self.files.get(name)
        return template_text(name.removeprefix(OURS)) if file is None else file.text

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all templates."""
        return tuple(sorted({*self.files, *template_names()}))

    def changes(self, name: str) -> bool:
        """Whether the project has a part in what the template ``name`` prints."""
        return not self.files.keys().isdisjoint(self.parts(name))

    def parts(self, name: str) -> frozenset[str]:
        """The template ``name``, and those that it extends, includes or imports by their names."""
        if name not in self._part_names:
            self._part_names[name] = frozenset(self._parts(name))
        return self._part_names[name]

    def _parts(self, name: str) -> set[str]:
        visited, waiting = set[str](), [name]
        while waiting:
            part = waiting.pop()
            tree = None if part in visited else self._tree(part)
            visited.add(part)
            if tree is not None:
                named = meta.find_referenced_templates(tree)
                waiting += [reference for reference in named if reference is not None]
        return visited

    def _tree(self, name: str) -> nodes.Template | None:
        """The syntax of a template; None where there is no such template, or it has errors."""
        if name not in self._trees:
            self._trees[name] = self._parsed(name)
        return self._trees[name]

    def _parsed(self, name: str) -> nodes.Template | None:
        text = self.text(name)
        try:
            return None if text is None else self.environment.syntax_tree(name, text)
        except (TemplateSyntaxError, RecursionError):
            return None

    def trees(self, name: str) -> Iterator[nodes.Template]:
        """The syntax of the template ``name`` and of its `parts`."""
        for part in sorted(self.parts(name)):
            tree = self._tree(part)
            if tree is not None:
                yield tree

    def computes_names(self, name: str) -> bool:
        """Whether a template extends, includes or imports one whose name it computes."""
        tree = self._tree(name)
        return tree is not None and None in meta.find_referenced_templates(tree)

    def variables_of(self, name: str) -> tuple[str, ...]:
        """The variables that the template ``name`` of brimgen is given: the view, and those of the
        template that includes it.
        """
        tree = self._tree(OURS + name)
        used = set[str]() if tree is None else meta.find_undeclared_variables(tree)
        return ("view", *sorted(used - {"view"}))

    def names_any(self, name: str, variables: Collection[str]) -> bool:
        """Whether the template ``name``, or a part of it, uses any of ``variables``; the name of
        the package does not count. A part whose name is computed may be any template.
        """
        for tree in self.trees(name):
            if None in meta.find_referenced_templates(tree):
                return True
            plain = [
                node.node
                for node in tree.find_all(nodes.Getattr)
                if node.attr in ("package", "view_version")
            ]
            for name_node in tree.find_all(nodes.Name):
                if name_node.name in variables and not any(
                    name_node is plain_node for plain_node in plain
                ):
                    return True
        return False

    def compiled(self, name: str) -> Template:
        """Compile a template. Raises `TemplateMistake`."""
        try:
            return self.environment.get_template(name)
        except Exception as problem:
            raise self.mistake(problem, name) from problem

    def render(self, name: str, data: Mapping[str, object]) -> str:
        """What the template ``name`` prints of ``data``. Raises `TemplateMistake`."""
        template = self.compiled(name)
        try:
            context = template.new_context(dict(data))
            return encodable("".join(template.root_render_func(context)))
        except Exception as problem:
            raise self.mistake(problem, name) from problem

    def span(self, name: str) -> Span:
        """The begin of a template."""
        file = self.files.get(name)
        return Span.at_file(f"{OURS}{name}" if file is None else file.path)

    def mistake(self, problem: Exception, root: str) -> TemplateMistake:
        """Return the mistake that explains a problem with the template ``root`` or a part of it."""
        name, offset = self._place(problem, root)
        file = self.files.get(name)
        if file is None:  # a target that is made with templates of brimgen alone
            file = TemplateFile(f"{OURS}{name}", self.text(name) or "")
        return ProblemPlace(name, file, offset, self.names).explain(problem)

    def _place(self, problem: Exception, root: str) -> tuple[str, int]:
        """The template of the project that a problem is in, and the offset there."""
        if isinstance(problem, TemplateSyntaxError):
            name = problem.name or root
            if name in self.files:
                return name, problem.lineno - 1
        for template, line in reversed([*_frames(problem.__traceback__)]):
            if template.name is not None and template.name in self.files:
                return template.name, template.get_corresponding_lineno(line) - 1
        return root, 0


def encodable(text: str) -> str:
    """Return ``text`` if UTF-8 can encode it.

    Raises:
        ValueError: where it holds half of a surrogate pair, which no file in UTF-8 does.
    """
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as problem:
            half = ord(text[problem.start])
            raise ValueError(f"no file can hold \\u{half:04x} alone") from problem
    return text


def _frames(traceback: TracebackType | None) -> Iterator[tuple[Template, int]]:
    """The templates that ran, the outermost first, each with its line of compiled code."""
    while traceback is not None:
        template = traceback.tb_frame.f_globals.get("__jinja_template__")
        if isinstance(template, Template):
            yield template, traceback.tb_lineno
        traceback = traceback.tb_next
