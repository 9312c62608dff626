"""The environment that prints templates of projects.

Authors of templates are trusted as those of code are: a template may do what Jinja lets it do.

- Only `Code` is printed (`emit/render.py`). A text that stands in the template itself is `Code`.
- Every mistake has a place (`positions.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from operator import add, mul
from typing import Any, cast

from jinja2 import StrictUndefined, Undefined, UndefinedError, nodes
from jinja2.loaders import FunctionLoader
from jinja2.utils import missing

from brimgen.emit.code import Code, RawText
from brimgen.emit.custom.filters import (
    AUTHORED,
    CONCATENATED,
    FILTERS,
    IN_OURS,
    is_code,
)
from brimgen.source.jinja_places import LocatingEnvironment

PRINTED = "_printed"
"""The filter around all that is printed."""
_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {"_+": add, "_*": mul}
"""The filters in the place of the operators that make texts of texts."""


class NotThere(UndefinedError):
    """A template used ``name`` of ``owner``, which has none (`missing`: it is a variable).

    The name is empty where an expression has no value.
    """

    def __init__(self, message: str, name: str, owner: object) -> None:
        super().__init__(message)
        self.name, self.owner = name, owner


class Missing(StrictUndefined):
    """An undefined value: every use of it is an error."""

    def __init__(
        self,
        hint: str | None = None,
        obj: Any = missing,
        name: str | None = None,
        exc: type[Exception] = UndefinedError,
    ) -> None:
        if exc is UndefinedError:
            exc = partial(NotThere, name="" if name is None else str(name), owner=obj)  # type: ignore[assignment]
        super().__init__(hint, obj, name, exc)  # type: ignore[arg-type]


class ProjectEnvironment(LocatingEnvironment):
    """Compiles and runs templates; ``source`` gives the text of the template of a name."""

    def __init__(
        self,
        source: Callable[[str], str | None],
        *,
        printed: Callable[[Any], object] | None = None,
        is_ours: Callable[[str], bool] = lambda name: False,
    ) -> None:
        super().__init__(
            loader=FunctionLoader(source),
            undefined=Missing,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            auto_reload=False,
            cache_size=-1,
            extensions=["jinja2.ext.loopcontrols"],
        )
        self._is_ours, self._check_printed = is_ours, printed or printable
        calculating = {
            name: partial(_calculated, op) for name, op in _OPERATORS.items()
        }
        self.filters = {**FILTERS, **calculating, PRINTED: self._printed}

    def _printed(self, value: object, offset: int) -> object:
        """Check a value that is printed at ``offset``.

        Raises:
            PrintedText: where it must not be printed.
        """
        try:
            return self._check_printed(value)
        except RawText as problem:
            raise PrintedText(str(problem), offset) from problem

    @staticmethod
    def concat(parts: Iterable[str]) -> Code:
        """The text of a macro or block."""
        return Code("".join(parts))

    def syntax_tree(self, name: str, source: str) -> nodes.Template:
        """The syntax of a template as its author wrote it.

        Raises:
            jinja2.TemplateSyntaxError: where it is none.
        """
        return super()._parse(source, name, None)

    def _parse(
        self, source: str, name: str | None, filename: str | None
    ) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        is_ours = name is not None and self._is_ours(name)
        _Rewriter(is_ours=is_ours).rewrite(tree)
        tree.set_environment(self)
        return tree

    def getattr(self, obj: Any, attribute: str) -> Any:
        """The value of a key of a mapping, or of an attribute."""
        if isinstance(obj, Mapping) and attribute in obj:
            return cast(Mapping[str, Any], obj)[attribute]
        return super().getattr(obj, attribute)


def _calculated(operator: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """What an operator gives; `Code` for a text of `Code`."""
    value = operator(left, right)
    plain = isinstance(value, str) and is_code(left) and is_code(right)
    return Code(value) if plain else value


class PrintedText(RawText):
    """A template tried to print what is not `Code`, at ``offset``."""

    def __init__(self, kind: str, offset: int) -> None:
        super().__init__(kind)
        self.offset = offset


def printable(value: object) -> object:
    """Let `Code` and numbers of the template through; an ``if`` without ``else`` is nothing.

    Raises:
        RawText: for everything else.
    """
    if is_code(value):
        return value
    if type(value) is Undefined:
        return Code("")
    if isinstance(value, Undefined):
        str(value)  # tells what is not there
    raise RawText(_kind_in_words(value))


def _kind_in_words(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case str():
            return "a text"
        case float():
            return "a number"
        case Mapping():
            return "an object"
        case list() | tuple():
            return "a list"
        case _:
            return "a value"


class _Rewriter:
    """Puts filters of ours around what is printed and around texts, and in place of operators."""

    def __init__(self, *, is_ours: bool) -> None:
        self._is_ours = is_ours

    def rewrite(self, node: nodes.Node) -> None:
        """Change ``node`` and all below it."""
        for name, value in node.iter_fields(exclude=_LEFT_AS_THEY_ARE.get(type(node))):
            if isinstance(value, nodes.Node):
                setattr(node, name, self._changed(value))
            elif isinstance(value, list):
                parts = cast(list[object], value)
                parts[:] = [
                    self._changed(part) if isinstance(part, nodes.Node) else part
                    for part in parts
                ]
        match node:
            case nodes.Output():
                node.nodes = [
                    part if isinstance(part, nodes.TemplateData) else self._print(part)
                    for part in node.nodes
                ]
            case nodes.FilterBlock():
                node.filter = self._print(node.filter)
            case nodes.Filter() if self._is_ours and node.name in IN_OURS:
                node.name = IN_OURS[node.name]
            case _:
                pass

    def _print(self, node: nodes.Expr) -> nodes.Filter:
        place = [nodes.Const(node.lineno - 1)]
        return nodes.Filter(node, PRINTED, place, [], None, None, lineno=node.lineno)

    def _changed(self, node: nodes.Node) -> nodes.Node:
        self.rewrite(node)
        if isinstance(node, nodes.Const) and isinstance(node.value, str):
            return _filter(node, AUTHORED)
        if isinstance(node, nodes.Concat):
            parts = nodes.List(node.nodes, lineno=node.lineno)
            return _filter(parts, CONCATENATED)
        if isinstance(node, nodes.Add | nodes.Mul):
            name = f"_{node.operator}"
            return nodes.Filter(
                node.left, name, [node.right], [], None, None, lineno=node.lineno
            )
        return node


def _filter(node: nodes.Node, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


_LEFT_AS_THEY_ARE: Mapping[type, tuple[str, ...]] = {
    nodes.Extends: ("template",),
    nodes.Include: ("template",),
    nodes.Import: ("template",),
    nodes.FromImport: ("template",),
    nodes.Getitem: ("arg",),
    nodes.Compare: ("ops",),
    nodes.Test: ("args", "kwargs"),
}
"""Parts in which a text is only compared, or has to stand as it is."""
