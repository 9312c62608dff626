"""Measure how much of the generated text stands in templates.

Each character of a template, spaces aside, is replaced by one of a private range before the
template is compiled. What is in that range in a generated file was written by a template; all else
came from Python. Copies of the runtime are not counted: neither wrote them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import FunctionLoader, StrictUndefined, nodes

from brimgen.api import build
from brimgen.diagnostics import Diagnostics
from brimgen.emit import render as rendering
from brimgen.emit.artifact import Emitter
from brimgen.emit.code import only_code
from brimgen.emit.render import CodeEnvironment
from brimgen.model.catalog import Catalog
from brimgen.settings.load import Flags, load_settings

ROOT = Path(__file__).parents[2]
_PRIVATE = 0xE000
_MARKED = {each: _PRIVATE + each for each in range(33, 127)}


class Share(NamedTuple):
    """Characters of files, spaces aside: those that templates wrote, and all."""

    template: int
    all: int

    @property
    def percent(self) -> float:
        """The share of template text."""
        return 100 * self.template / max(self.all, 1)

    def plus(self, other: Share) -> Share:
        """The share in both."""
        return Share(self.template + other.template, self.all + other.all)


NOTHING = Share(0, 0)


class _MarkingEnvironment(CodeEnvironment):
    """An environment whose templates write characters of the private range."""

    def _generate(self, source: Any, *place: Any, **options: Any) -> str:
        for each in source.find_all(nodes.TemplateData):
            each.data = each.data.translate(_MARKED)
        return super()._generate(source, *place, **options)


def _is_marked(character: str) -> bool:
    return 0 <= ord(character) - _PRIVATE < 128


@contextmanager
def _marked() -> Iterator[None]:
    own = rendering._environment
    environment = _MarkingEnvironment(
        loader=FunctionLoader(rendering._source),
        finalize=only_code,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        cache_size=-1,
    )
    environment.filters.update(rendering.FILTERS)
    rendering._environment = lambda: environment  # type: ignore[assignment]
    try:
        yield
    finally:
        rendering._environment = own


def shares(emitter: Emitter, catalog: Catalog) -> dict[str, Share]:
    """The share of template text in the files of a target, by the ends of their names."""
    found: dict[str, Share] = {}
    with _marked():
        for artifact in emitter.emit(catalog):
            texts = "".join(artifact.text.split())
            if artifact.is_copy or not texts:
                continue
            written = sum(map(_is_marked, texts))
            end = artifact.path.rpartition(".")[2]
            found[end] = found.get(end, NOTHING).plus(Share(written, len(texts)))
    return found


def shop() -> Catalog:
    """The catalog of the shop's specs, with identities."""
    flags = Flags(config=ROOT / "pyproject.toml")
    return build(load_settings(flags, Diagnostics())).catalog
