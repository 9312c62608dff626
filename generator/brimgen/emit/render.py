"""Render: a template and a frozen view in, source text out; only `Code` may be printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from brimgen.emit.code import Code, docstring, json_text, py
from brimgen.emit.forms import Form, Loaded, Shelf, Surroundings, is_plain

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from brimgen.emit.compiling import CodeEnvironment

_Printed = TypeVar("_Printed")


class RawText(Exception):
    """A template tried to print what is not `Code`: a mistake of ours (architecture.md 7)."""


def only_code(value: _Printed) -> _Printed:
    """Let `Code` and plain ints through.

    Raises:
        RawText: for everything else, plain `str` above all.
    """
    kind = type(value)
    if kind is Code or kind is int or isinstance(value, Code):
        return value
    raise RawText(
        f"template printed raw {type(value).__name__}; pass it through a literal"
    )


@cache
def template_root() -> Traversable:
    """The folder of templates: inside an installed package, or beside ``generator/``."""
    here = Path(__file__).resolve()
    for folder in (here.parents[1] / "templates", here.parents[3] / "templates"):
        if folder.is_dir():
            return folder
    # Inside an archive; imported only there, because it imports a lot.
    from importlib.resources import files

    return files("brimgen") / "templates"


def render(template: str, view: object) -> str:
    """The text that ``template`` (``python/tool.py.j2``) makes of ``view``, its only variable.

    Raises:
        RawText: where the template prints what no literal writer has written.
        AttributeError: where the view lacks what the template names.
        NameError: where the template names a variable of its own.
        jinja2.TemplateError: for mistakes in the template. All are bugs, not spec errors.
    """
    loaded = _template(template)
    context = loaded.new_context({"view": view}, True)
    return "".join(loaded.root_render_func(context))


def code_lines(lines: Sequence[Code], indent: int = 0, apart: int = 0) -> Code:
    """The filter ``lines``: one after the other, ``apart`` empty lines between them.

    All but the first are indented.

    Raises:
        RawText: where one of them is not `Code`.
    """
    if not _CODE.issuperset(map(type, lines)):
        for each in lines:
            only_code(each)
    between = "\n" * (apart + 1)
    return Code(f"{between}{' ' * indent}".join(lines))


_CODE = frozenset({Code})


@cache
def _template(name: str) -> Loaded:
    """The form of a template, or jinja2's own where there is more to it."""
    source, shelf = _source(name), _shelf()
    if source is None:
        raise FileNotFoundError(f"there is no template {name}")
    code = shelf.read(name, source)
    if code is None:
        from brimgen.emit.compiling import compiled

        code = compiled(name, source, _environment())
        if not is_plain(code):
            return cast("Loaded", _environment().get_template(name))
        shelf.keep(name, source, code)
    return Form(code, _surroundings())


@cache
def _shelf() -> Shelf:
    return Shelf()


@cache
def _surroundings() -> Surroundings:
    return Surroundings(_FILTERS, only_code, _template)


@cache
def _environment() -> CodeEnvironment:
    from brimgen.emit.compiling import environment

    return environment(_source, only_code, _FILTERS)


def _source(name: str) -> str | None:
    source = template_root() / name
    return source.read_text("utf-8") if source.is_file() else None


_FILTERS: dict[str, Callable[..., Code]] = {
    "py": py,
    "json": json_text,
    "docstring": docstring,
    "lines": code_lines,
}
