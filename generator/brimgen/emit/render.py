"""Render: a template and a frozen view in, source text out; only `Code` may be printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, Undefined

from brimgen.emit.code import Code, docstring, json_text, py

_Printed = TypeVar("_Printed")


class RawText(Exception):
    """A template tried to print what is not `Code`: a mistake of ours (architecture.md 7)."""


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


def only_code(value: _Printed) -> _Printed:
    """Let `Code` and plain ints through; an undefined value raises by itself when printed.

    Raises:
        RawText: for everything else, plain `str` above all.
    """
    kind = type(value)
    if kind is Code or kind is int or isinstance(value, Code | Undefined):
        return value
    raise RawText(
        f"template printed raw {type(value).__name__}; pass it through a literal"
    )


def template_root() -> Traversable:
    """The folder of templates: inside an installed package, or beside ``generator/``."""
    packaged = files("brimgen") / "templates"
    if packaged.is_dir():
        return packaged
    return Path(__file__).resolve().parents[3] / "templates"


def render(template: str, view: object) -> Code:
    """The text that ``template`` (``python/tool.py.j2``) makes of ``view``, its only variable.

    Raises:
        RawText: where the template prints what no literal writer has written.
        AttributeError: where the view lacks what the template names.
        jinja2.TemplateError: for mistakes in the template. All are bugs, not spec errors.
    """
    loaded = _template(template)
    # `Template.render` copies the globals for every call, which took longer than most templates
    # do; ours use none.
    context = loaded.new_context({"view": view}, shared=True)
    try:
        return CodeEnvironment.concat(loaded.root_render_func(context))
    except Exception:
        _environment().handle_exception()


def code_lines(lines: Sequence[Code], indent: int = 0) -> Code:
    """The filter ``lines``: one line after the other, all but the first indented.

    Raises:
        RawText: where one of them is not `Code`.
    """
    if not {*map(type, lines)} <= {Code}:
        for each in lines:
            only_code(each)
    return Code(f"\n{' ' * indent}".join(lines))


@cache
def _template(name: str) -> Template:
    return _environment().get_template(name)


@cache
def _environment() -> CodeEnvironment:
    environment = CodeEnvironment(
        loader=FunctionLoader(_source),
        finalize=only_code,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,
    )
    environment.filters.update(_FILTERS)
    return environment


def _source(name: str) -> str | None:
    source = template_root() / name
    return source.read_text("utf-8") if source.is_file() else None


_FILTERS: dict[str, Callable[..., Code]] = {
    "py": py,
    "json": json_text,
    "docstring": docstring,
    "lines": code_lines,
}
