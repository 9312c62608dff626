"""Make a target of file patterns: templates that are printed for the package, tools or entities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules import CUSTOM_PATH, UNKNOWN_IN_TEMPLATE
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.catalog_view import CatalogView
from brimgen.emit.custom.check_python import check_python
from brimgen.emit.custom.mistakes import TemplateMistake, TemplateMistakes
from brimgen.emit.custom.path_templates import PathTemplate
from brimgen.emit.custom.templates import Templates
from brimgen.emit.projection.tools import target_tools
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.targets import Target
from brimgen.model.templates import FilePattern, TemplateScope

VARIABLES: Mapping[TemplateScope, tuple[str, ...]] = {
    TemplateScope.PACKAGE: ("catalog", "tools"),
    TemplateScope.TOOL: ("catalog", "tools", "tool"),
    TemplateScope.ENTITY: ("catalog", "tools", "entity"),
}
"""The variables of a template, by what it is printed for."""
_MOST_MISTAKES = 20

ViewOf: TypeAlias = Callable[[Catalog], CatalogView]
"""Gives the view of a catalog that templates see (`brimgen.emit.catalog_view`)."""


def custom_emitter(target: Target, templates: Templates, view_of: ViewOf) -> Emitter:
    """Return the target that ``target.files`` describe."""

    def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
        for pattern in target.files:
            _check(target, pattern, templates, diagnostics)

    def parts(catalog: Catalog) -> Iterator[Artifact]:
        mistakes: dict[object, TemplateMistake] = {}
        patterns: dict[str, FilePattern] = {}
        for pattern in target.files:
            printer = _Printer(target, pattern, templates, catalog, view_of(catalog))
            for subject in printer.subjects():
                try:
                    artifact = printer.artifact(subject)
                    _check_new(artifact.path, target, pattern, patterns)
                    yield artifact
                except TemplateMistake as mistake:
                    mistakes.setdefault(_key(mistake), mistake)
                    if len(mistakes) >= _MOST_MISTAKES:
                        break
        if mistakes:
            raise TemplateMistakes(mistakes.values())

    return Emitter(target, parts, check)


def _key(mistake: TemplateMistake) -> object:
    """Return a key that is equal for repetitions of one mistake, which is reported once."""
    diagnostic = mistake.diagnostic
    is_same = diagnostic.rule is UNKNOWN_IN_TEMPLATE
    return diagnostic.rule, diagnostic.span, None if is_same else diagnostic.message


def roots_of(targets: Iterable[Target]) -> dict[str, tuple[str, ...]]:
    """The templates that ``targets`` print, each with its variables."""
    roots: dict[str, tuple[str, ...]] = {}
    for target in targets:
        for pattern in target.files:
            earlier = roots.get(pattern.template, ())
            variables = (*earlier, *VARIABLES[pattern.scope])
            roots[pattern.template] = tuple(dict.fromkeys(variables))
    return roots


def _check(
    target: Target, pattern: FilePattern, templates: Templates, diagnostics: Diagnostics
) -> None:
    """Report a pattern whose template does not exist, or whose path is not a template."""
    name = pattern.template
    if templates.text(name) is None:
        diagnostics.add(
            UNKNOWN_IN_TEMPLATE,
            pattern.template_span,
            suggestions=did_you_mean(name, templates.names),
            problem=f"there is no template `{name}`, which the target `{target.name}` names",
        )
    try:
        PathTemplate(target, pattern)
    except TemplateMistake as mistake:
        mistake.report(diagnostics)


def _check_new(
    path: str, target: Target, pattern: FilePattern, patterns: dict[str, FilePattern]
) -> None:
    """Raises `TemplateMistake` for a path that the target makes twice."""
    if path in patterns:
        problem = f"writes `{path}` twice"
        raise TemplateMistake(
            CUSTOM_PATH, pattern.span, name=target.name, problem=problem
        )
    patterns[path] = pattern


@dataclass(frozen=True, slots=True)
class _Subject:
    """What one file is printed for: the variables of the template, and its spec files."""

    data: Mapping[str, object]
    sources: tuple[str, ...] = ()


class _Printer:
    """Prints the files of one pattern."""

    def __init__(
        self,
        target: Target,
        pattern: FilePattern,
        templates: Templates,
        catalog: Catalog,
        view: CatalogView,
    ) -> None:
        self._templates, self._pattern, self._view = templates, pattern, view
        self._path = PathTemplate(target, pattern)
        self._chosen = target_tools(catalog, target.name)
        names = {tool.name for tool in self._chosen}
        self._tools = [tool for tool in self._view["tools"] if tool["name"] in names]

    def subjects(self) -> Iterator[_Subject]:
        """Yield the subjects that files are printed for."""
        shared = {"catalog": self._view, "tools": self._tools}
        match self._pattern.scope:
            case TemplateScope.PACKAGE:
                yield _Subject(shared)
            case TemplateScope.ENTITY:
                for entity in self._view["entities"]:
                    yield _Subject({**shared, "entity": entity})
            case TemplateScope.TOOL:
                alone = not self._reads_all_tools()
                for tool, view in zip(self._chosen, self._tools, strict=True):
                    sources = tool.sources if alone else ()
                    yield _Subject({**shared, "tool": view}, sources)

    def artifact(self, subject: _Subject) -> Artifact:
        """The file for ``subject``. Raises `TemplateMistake`."""
        path = self._path.render(subject.data)
        name = self._pattern.template
        text = self._templates.render(name, subject.data)
        check_python(path, text, self._templates.span(name))
        return Artifact(path, text, subject.sources)

    def _reads_all_tools(self) -> bool:
        """Whether a file depends on more than the specs of its tool."""
        return self._templates.names_any(self._pattern.template, {"catalog", "tools"})
