"""Templates of a project, and the files that targets make with templates."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass


class TemplateScope(StrEnum):
    """What a template makes one file for."""

    PACKAGE = "package"
    TOOL = "each tool"
    ENTITY = "each entity"


@dataclass(frozen=True, slots=True)
class TemplateFile:
    """A template: its path from the folder of the specs (as in `Span.file`), and its text."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class TemplateFolder:
    """The templates of a project, by their names: their paths below ``folder``, with ``/``."""

    folder: str
    files: Mapping[str, TemplateFile]


@dataclass(frozen=True, slots=True)
class FilePattern:
    """Files of a target: the ``template`` that prints them, and the ``path`` of each, which is a
    template too. ``span`` is the place of the path in the configuration, ``template_span`` that of
    the template.
    """

    template: str
    path: str
    scope: TemplateScope = TemplateScope.PACKAGE
    span: Span = Span.at_file("")
    template_span: Span = Span.at_file("")
