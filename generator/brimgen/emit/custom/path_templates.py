"""Paths of the files of a target, as templates."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics import did_you_mean
from brimgen.diagnostics.rules import CUSTOM_PATH
from brimgen.emit.code import Code
from brimgen.emit.custom.environment import NotThere, ProjectEnvironment, printable
from brimgen.emit.custom.explain_problem import keys_of, why_nothing
from brimgen.emit.custom.filters import is_code
from brimgen.emit.custom.mistakes import TemplateMistake
from brimgen.emit.custom.templates import encodable
from brimgen.model.targets import Target
from brimgen.model.templates import FilePattern


class PathTemplate:
    """The path of each file of a pattern.

    Raises:
        TemplateMistake: where the path is not a template.
    """

    def __init__(self, target: Target, pattern: FilePattern) -> None:
        self._target, self._pattern = target, pattern
        environment = ProjectEnvironment(lambda name: None, printed=_path_part)
        try:
            self._template = environment.from_string(pattern.path)
        except Exception as problem:
            raise self._mistake(problem) from problem

    def render(self, data: Mapping[str, object]) -> str:
        """The path for ``data``. Raises `TemplateMistake`."""
        try:
            context = self._template.new_context(dict(data))
            return encodable("".join(self._template.root_render_func(context)))
        except Exception as problem:
            raise self._mistake(problem) from problem

    def _mistake(self, problem: Exception) -> TemplateMistake:
        near: tuple[str, ...] = ()
        message = str(problem).rstrip(".")
        if isinstance(problem, NotThere):
            near = did_you_mean(problem.name, keys_of(problem.owner))
            name = problem.name
            message = f"there is no `{name}`" if name else why_nothing(problem)
        return TemplateMistake(
            CUSTOM_PATH,
            self._pattern.span,
            suggestions=near,
            name=self._target.name,
            problem=f"has the path `{self._pattern.path}`, which cannot be used: {message}",
        )


def _path_part(value: object) -> object:
    """Let a text of a spec be a part of a path: the name of a file or folder, or a part of it.

    Raises:
        ValueError: for a text that would lead to another folder.
        RawText: for what is no text.
    """
    if not isinstance(value, str) or is_code(value):
        return printable(value)
    if value.strip(".") == "" or "/" in value or "\\" in value:
        raise ValueError(f"`{value}` is not a part of a path")
    return Code(value)
