"""Make a target of brimgen print with the templates of a project."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager

from brimgen.diagnostics import Span
from brimgen.diagnostics.rules import TEMPLATE_FAILED
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.custom.check_python import check_python
from brimgen.emit.custom.mistakes import TemplateMistake, TemplateMistakes
from brimgen.emit.custom.templates import Templates
from brimgen.emit.render import NotJson, printing_with
from brimgen.frozen import replace
from brimgen.model.catalog import Catalog


def with_own_templates(emitter: Emitter, templates: Templates) -> Emitter:
    """The target whose files are printed with ``templates``."""
    if not templates.files:
        return emitter

    def files(catalog: Catalog) -> Iterator[Artifact]:
        noting = _Noting(templates)
        with noting.printing():
            for artifact in emitter.files(catalog):
                yield noting.checked(artifact)

    return replace(emitter, files=files)


class _Noting:
    """Prints with the templates of a project, and records which was used last."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._span: Span | None = None

    @contextmanager
    def printing(self) -> Generator[None]:
        """Print with these templates. Raises `TemplateMistakes`."""
        with printing_with(self):
            try:
                yield
            except TemplateMistake as mistake:
                raise TemplateMistakes([mistake]) from mistake
            except NotJson as problem:
                if self._span is None:
                    raise
                failed = TemplateMistake(
                    TEMPLATE_FAILED, self._span, problem=str(problem)
                )
                raise TemplateMistakes([failed]) from problem

    def changes(self, name: str) -> bool:
        """Whether the project has a part in what the template ``name`` prints."""
        return self._templates.changes(name)

    def render(self, name: str, data: Mapping[str, object]) -> str:
        """What the template ``name`` prints of ``data``. Raises `TemplateMistake`."""
        own = sorted(self._templates.parts(name) & self._templates.files.keys())
        self._span = self._templates.span(own[0])
        return self._templates.render(name, data)

    def checked(self, artifact: Artifact) -> Artifact:
        """The file, which is Python if a template of the project may have been used for it."""
        if self._span is not None and not artifact.is_copy:
            check_python(artifact.path, artifact.text, self._span)
        return artifact
