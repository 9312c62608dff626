"""Compile Jinja expressions to Python expressions.

The source means what Jinja's sandbox makes of the template, for arguments that are JSON values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import copysign

from jinja2 import nodes

from brimgen.emit.code import Code, py
from brimgen.emit.prompts.supported_jinja import FILTERS, KEYWORDS, LOOP, PAIRS, TESTS
from brimgen.emit.python_text import (
    call,
    compared,
    listed,
)

_BINARY: Mapping[str, str] = {
    "Add": "+",
    "Sub": "-",
    "Mul": "*",
    "Div": "/",
    "FloorDiv": "//",
    "Mod": "%",
    "And": "and",
    "Or": "or",
}
_UNARY: Mapping[str, str] = {"Not": "not ", "Neg": "-", "Pos": "+"}
_COMPARED: Mapping[str, str] = {
    "eq": "==",
    "ne": "!=",
    "gt": ">",
    "gteq": ">=",
    "lt": "<",
    "lteq": "<=",
    "in": "in",
    "notin": "not in",
}


class Unsupported(Exception):
    """Something that compiled prompts do not support: ``what`` it is, in line ``line``."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what, line)
        self.what = what
        self.line = line


class Expressions:
    """Writes expressions.

    ``variable`` finds the Python name of a name of the template, if it is one of its own;
    ``always`` are the arguments that every call has; ``used`` collects the words of the runtime.
    """

    def __init__(
        self, variable: Callable[[str], Code | None], always: frozenset[str]
    ) -> None:
        self._variable = variable
        self._always = always
        self.used: set[str] = set()

    def word(self, name: str) -> Code:
        """Return a function of the runtime, and record its use."""
        self.used.add(name)
        return Code(name)

    def write(self, node: nodes.Node) -> Code:
        """Return the source of an expression. Raises Unsupported."""
        kind = type(node).__name__
        match node:
            case nodes.Const():
                return self._constant(node)
            case nodes.TemplateData(data=text):
                return py(text)
            case nodes.Name():
                return self._name(node)
            case nodes.Getattr() | nodes.Getitem():
                return self._member(node)
            case nodes.BinExpr() if kind in _BINARY:
                left, right = self._inner(node.left), self._inner(node.right)
                return Code(f"{left} {_BINARY[kind]} {right}")
            case nodes.UnaryExpr() if kind in _UNARY:
                return Code(f"{_UNARY[kind]}{self._inner(node.node)}")
            case nodes.Compare():
                return self._compare(node)
            case nodes.Concat():
                return call(self.word("joined"), self._listed(node.nodes))
            case nodes.CondExpr():
                return self._choice(node)
            case nodes.List() | nodes.Tuple():
                return self._listed(node.items)
            case nodes.Filter() | nodes.Test():
                return self._filter_or_test(node)
            case nodes.Call():
                return self._call(node)
            case _:
                raise Unsupported(_construct_name(node), node.lineno)

    def _inner(self, node: nodes.Node) -> Code:
        """Return an operand, in parentheses where it has parts."""
        inner = self.write(node)
        simple = isinstance(
            node,
            nodes.Const
            | nodes.CondExpr
            | nodes.Name
            | nodes.Getattr
            | nodes.Getitem
            | nodes.Filter
            | nodes.Test
            | nodes.Call
            | nodes.Concat
            | nodes.List,
        )
        number = node.value if isinstance(node, nodes.Const) else None
        is_negative = isinstance(number, int | float) and copysign(1, number) < 0
        return inner if simple and not is_negative else Code(f"({inner})")

    def _constant(self, node: nodes.Const) -> Code:
        value = node.value
        if value is None or isinstance(value, str | bool | int | float):
            return py(value)
        raise Unsupported(_construct_name(node), node.lineno)

    def _name(self, node: nodes.Name) -> Code:
        local = self._variable(node.name)
        if local is not None and node.name == "loop":
            raise Unsupported("`loop` itself", node.lineno)
        if local is not None:
            return local
        return Code("args") if node.name == "args" else self._argument(node.name)

    def _argument(self, name: str) -> Code:
        if name in self._always:
            return Code(f"args[{py(name)}]")
        return call(self.word("item"), Code("args"), py(name))

    def _member(self, node: nodes.Getattr | nodes.Getitem) -> Code:
        key = node.attr if isinstance(node, nodes.Getattr) else _constant_of(node.arg)
        owner = node.node
        if isinstance(owner, nodes.Name):
            local = self._variable(owner.name)
            if owner.name == "args" and local is None and isinstance(key, str):
                return self._argument(key)
            if local is not None and owner.name == "loop":
                return self._loop_attribute(key, local, node)
        shown = py(key) if isinstance(node, nodes.Getattr) else self._key(node.arg)
        return call(self.word("item"), self.write(owner), shown)

    def _key(self, node: nodes.Node) -> Code:
        if not isinstance(node, nodes.Slice):
            return self.write(node)
        parts = [node.start, node.stop, *([node.step] if node.step else [])]
        shown = [Code("None") if part is None else self.write(part) for part in parts]
        return call(Code("slice"), *shown)

    def _loop_attribute(self, key: object, local: Code, node: nodes.Node) -> Code:
        if key not in LOOP:
            raise Unsupported(f"`loop.{key}`", node.lineno)
        return Code(f"{local}.{key}")

    def _compare(self, node: nodes.Compare) -> Code:
        parts: list[str] = []
        for operand in node.ops:
            parts += [_COMPARED[operand.op], self._inner(operand.expr)]
        return compared(self._inner(node.expr), *parts)

    def _choice(self, node: nodes.CondExpr) -> Code:
        otherwise = (
            self.word("UNDEFINED") if node.expr2 is None else self._inner(node.expr2)
        )
        return Code(
            f"({self._inner(node.expr1)} if {self._inner(node.test)} else {otherwise})"
        )

    def _listed(self, items: Iterable[nodes.Node]) -> Code:
        return listed([self.write(item) for item in items])

    def _filter_or_test(self, node: nodes.Filter | nodes.Test) -> Code:
        """Return a filter or test as a call of its function."""
        is_filter = isinstance(node, nodes.Filter)
        signature = (FILTERS if is_filter else TESTS).get(node.name)
        if signature is None or node.node is None or node.dyn_args or node.dyn_kwargs:
            word = "filter" if is_filter else "test"
            raise Unsupported(f"the {word} `{node.name}`", node.lineno)
        function, most = signature
        arguments = [self.write(argument) for argument in (node.node, *node.args)]
        names = KEYWORDS.get(node.name, ())
        unexpected = {kwarg.key for kwarg in node.kwargs} - set(names[len(node.args) :])
        if len(node.args) + len(node.kwargs) > most or unexpected:
            raise Unsupported(f"these arguments of `{node.name}`", node.lineno)
        arguments += [
            Code(f"{kwarg.key}={self.write(kwarg.value)}") for kwarg in node.kwargs
        ]
        if not is_filter and len(node.args) != most:
            raise Unsupported(f"these arguments of `{node.name}`", node.lineno)
        return call(self.word(function), *arguments)

    def _call(self, node: nodes.Call) -> Code:
        """Compile ``loop.cycle(...)``, and ``items()``, ``keys()``, ``values()`` of an object."""
        method = node.node
        plain = not (node.kwargs or node.dyn_args or node.dyn_kwargs)
        if not isinstance(method, nodes.Getattr) or not plain:
            raise Unsupported("a call", node.lineno)
        owner = method.node
        if isinstance(owner, nodes.Name) and owner.name == "loop":
            local = self._variable("loop")
            if local is not None and method.attr == "cycle":
                values = [self.write(argument) for argument in node.args]
                return call(Code(f"{local}.cycle"), *values)
        if method.attr not in PAIRS or node.args:
            raise Unsupported(f"a call of `{method.attr}`", node.lineno)
        return Code(f"{self.word(PAIRS[method.attr])}({self.write(owner)})")


def _constant_of(node: nodes.Node) -> str | int | None:
    """Return the key of an index that is written as a constant."""
    value = node.value if isinstance(node, nodes.Const) else None
    return value if type(value) in (str, int) else None


def _construct_name(node: nodes.Node) -> str:
    names = {
        "AssignBlock": "`set` with a block",
        "CallBlock": "`call`",
        "Dict": "an object in braces",
        "FilterBlock": "`filter` with a block",
        "Macro": "`macro`",
        "Pow": "`**`",
        "ScopedEvalContextModifier": "`autoescape`",
        "With": "`with`",
    }
    return names.get(type(node).__name__, f"`{type(node).__name__.lower()}`")
