"""The environment that runs templates of projects: Jinja's sandbox with stricter rules.

- A template sees the data it is given, and nothing else of Python. It reads no files: other
  templates come by name, from the texts that were read before.
- Only `Code` is printed (`emit/render.py`). A text that stands in the template itself is `Code`.
- Each file has a budget of steps and of text.
- Every mistake has a place (`positions.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, cast

from jinja2 import StrictUndefined, Undefined, UndefinedError, nodes
from jinja2.loaders import FunctionLoader
from jinja2.runtime import BlockReference, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.tests import TESTS
from jinja2.utils import Namespace, missing

from brimgen.emit.code import Code
from brimgen.emit.custom.budget import Budget, calculate, joined
from brimgen.emit.custom.filters import (
    AUTHORED,
    CONCATENATED,
    FILTERS,
    IN_OURS,
    is_code,
)
from brimgen.emit.custom.positions import LocatingEnvironment
from brimgen.emit.placed import Placed
from brimgen.emit.template_lines import LineFinder, RawText

_STEP = "_step"
_COUNTED = "_counted"
PRINTED = "_printed"
"""The filter around all that is printed."""
_METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset(
        [
            *(
                "capitalize",
                "casefold",
                "count",
                "endswith",
                "find",
                "index",
                "isalnum",
            ),
            *("isalpha", "isascii", "isdigit", "isidentifier", "islower", "isupper"),
            *("lower", "lstrip", "partition", "removeprefix", "removesuffix", "rfind"),
            *("rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith"),
            *("strip", "swapcase", "title", "upper"),
        ]
    ),
    dict: frozenset({"get", "items", "keys", "values"}),
    list: frozenset({"count", "index"}),
    tuple: frozenset({"count", "index"}),
}
"""The methods that a template may call; none of them makes much of little."""
_RUNTIME = (BlockReference, LoopContext, Macro)
_HOUSE = "brimgen."


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


class Sandbox(LocatingEnvironment, ImmutableSandboxedEnvironment):
    """Compiles and runs templates; ``source`` gives the text of the template of a name."""

    intercepted_binops = frozenset({"+", "*", "%", "**"})

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
        self.budget = Budget()
        self._is_ours, self._check_printed = is_ours, printed or printable
        own = {_STEP: self._step, _COUNTED: self._counted, PRINTED: self._printed}
        self.filters = {**FILTERS, **own}
        self.tests = {**TESTS}
        ranged = self.globals["range"]
        self.globals = {"namespace": Namespace, "range": ranged}
        self._functions = {Namespace, ranged}

    def _step(self, _value: object) -> None:
        self.budget.step()

    def _printed(self, value: object, offset: int, has_lines: bool) -> object:
        """Check a value that is printed at ``offset``.

        Raises:
            PrintedText: where it must not be printed.
        """
        if isinstance(value, Placed):
            return value if has_lines else Code(str(value))
        try:
            return self._check_printed(value)
        except RawText as problem:
            raise PrintedText(str(problem), offset) from problem

    def _counted(self, value: object) -> object:
        self.budget.read(value)
        return value

    def concat(self, parts: Iterable[str]) -> Code:
        """The text of a macro or block."""
        text = Code(joined(parts))
        self.budget.read(text)
        return text

    def call_filter(self, name: str, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a filter that another one names, such as ``map``."""
        self.budget.read(value)
        result = super().call_filter(name, value, *args, **kwargs)
        self.budget.read(result)
        return result

    def call_test(self, name: str, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a test that a filter names, such as ``select``."""
        self.budget.read(value)
        for argument in args[0] if args else ():
            self.budget.read(argument)
        return super().call_test(name, value, *args, **kwargs)

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
        is_python = str(name).endswith(".py.j2")
        has_lines = is_ours or is_python
        _Rewriter(is_ours=is_ours, has_lines=has_lines).rewrite(tree)
        if has_lines:
            tree = LineFinder(is_python=is_python).visit(tree)
        tree.set_environment(self)
        return tree

    def getattr(self, obj: Any, attribute: str) -> Any:
        """The value of a key of a mapping, or of an attribute that is safe."""
        if isinstance(obj, Mapping) and attribute in obj:
            return cast(Mapping[str, Any], obj)[attribute]
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """The item of a mapping or list; of anything else, the attribute."""
        if isinstance(obj, str) and isinstance(argument, str):
            return self.getattr(obj, argument)
        if argument.__class__ is slice:
            self.budget.read(obj)
        return super().getitem(obj, argument)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Let data through, and methods that are listed."""
        if not super().is_safe_attribute(obj, attr, value):
            return False
        return not callable(value) or self.is_safe_callable(value)

    def is_safe_callable(self, obj: Any) -> bool:
        """Let macros and the like be called, and methods of plain values and of views."""
        if isinstance(obj, _RUNTIME) or obj in self._functions:
            return True
        if getattr(obj, "__func__", None) in (LoopContext.cycle, LoopContext.changed):
            return True
        owner = getattr(obj, "__self__", None)
        name = getattr(obj, "__name__", "")
        for kind, methods in _METHODS.items():
            if isinstance(owner, kind):
                return name in methods
        module = type(owner).__module__
        return module.startswith(_HOUSE) and not name.startswith("_")

    def call(self, context: Any, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call something; this is a step."""
        self.budget.step()
        if isinstance(obj, Undefined):
            obj()  # tells what is not there
        self.budget.read(getattr(obj, "__self__", None))
        result = super().call(context, obj, *args, **kwargs)
        self.budget.read(result)
        return result

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Calculate, unless the result would be too large."""
        calculate(operator, left, right)
        result = super().call_binop(context, operator, left, right)
        self.budget.read(result)
        plain = isinstance(result, str) and is_code(left) and is_code(right)
        return Code(result) if plain else result

    def wrap_str_format(self, value: Any) -> None:
        """Offer no ``format``: it is not among the methods."""


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
    """Puts filters of ours into a syntax tree: around what is printed, texts and ``~``, and into
    loops.
    """

    def __init__(self, *, is_ours: bool, has_lines: bool) -> None:
        self._is_ours, self._has_lines = is_ours, has_lines

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
            case nodes.For():
                node.iter = _filter(node.iter, _COUNTED)
                step = _filter(nodes.Const(0, lineno=node.lineno), _STEP)
                node.body.insert(0, nodes.ExprStmt(step, lineno=node.lineno))
            case nodes.Output():
                node.nodes = [
                    part if isinstance(part, nodes.TemplateData) else self._print(part)
                    for part in node.nodes
                ]
            case nodes.FilterBlock():
                node.filter = self._print(node.filter)
            case nodes.Compare():
                node.expr = _counted(node.expr)
                for operand in node.ops:
                    operand.expr = _counted(operand.expr)
            case nodes.Test():
                node.node = _counted(node.node)
                node.args = [_counted(argument) for argument in node.args]
            case nodes.Filter():
                if node.node is not None:
                    node.node = _counted(node.node)
                if self._is_ours and node.name in IN_OURS:
                    node.name = IN_OURS[node.name]
            case _:
                pass

    def _print(self, node: nodes.Expr) -> nodes.Filter:
        place = [nodes.Const(node.lineno - 1), nodes.Const(self._has_lines)]
        return nodes.Filter(node, PRINTED, place, [], None, None, lineno=node.lineno)

    def _changed(self, node: nodes.Node) -> nodes.Node:
        self.rewrite(node)
        if isinstance(node, nodes.Const) and isinstance(node.value, str):
            return _filter(node, AUTHORED)
        if isinstance(node, nodes.Concat):
            parts = nodes.List(node.nodes, lineno=node.lineno)
            return _counted(_filter(parts, CONCATENATED))
        return _counted(node) if isinstance(node, nodes.Filter) else node


def _counted(node: nodes.Expr) -> nodes.Expr:
    """Take steps for the value of an expression; a literal is short."""
    return node if isinstance(node, nodes.Const) else _filter(node, _COUNTED)


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
