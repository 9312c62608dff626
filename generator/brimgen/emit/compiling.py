"""Compiling: the text of a template in, the code of its form out, as jinja2 makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import CodeType
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from brimgen.emit.code import Code


class CodeEnvironment(Environment):
    """An environment in which macros, ``{% set %}`` blocks, calls and includes give `Code`.

    What a template names of a view is an attribute of it, asked for without a detour through
    Python: nothing else is looked for, and one that is not there raises AttributeError.
    """

    getattr: Any = staticmethod(getattr)

    @staticmethod
    def concat(parts: Iterable[str]) -> Code:
        """The parts of a text that a template made, as one."""
        return Code("".join(parts))


def environment(
    source: Callable[[str], str | None],
    finalize: Callable[[Any], Any],
    filters: Mapping[str, Callable[..., Code]],
) -> CodeEnvironment:
    """The environment of all templates: their texts, what may be printed, and their filters."""
    made = CodeEnvironment(
        loader=FunctionLoader(source),
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,
    )
    made.filters.update(filters)
    return made


def compiled(name: str, source: str, environment: CodeEnvironment) -> CodeType:
    """The code of a template, without the names of jinja2 that its first line imports.

    Raises:
        jinja2.TemplateSyntaxError: for mistakes in the template.
    """
    text = environment.compile(source, name, raw=True)
    return compile(text.partition("\n")[2], name, "exec")
