"""Compile the template of a message to the body of the function that renders it."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence

from jinja2 import nodes
from jinja2.sandbox import SandboxedEnvironment

from brimgen.emit.code import STEP, Code, py
from brimgen.emit.names import attribute_name
from brimgen.emit.prompts.expressions import Expressions, Unsupported
from brimgen.emit.prompts.supported_jinja import FILTERS, TESTS
from brimgen.emit.python_text import (
    call,
    listed,
    tuple_of,
)

_TAKEN = frozenset(
    [
        *("args", "out", "list", "UNDEFINED", "item", "items_of", "joined", "looped"),
        *("called_items", "called_keys", "called_values"),
        *("pairs", "Any", "Mapping", "Prompt", "Prompts", "Argument", "PROMPTS", "str"),
        *(name for name, _ in (*FILTERS.values(), *TESTS.values())),
    ]
)


class Compiled:
    """A compiled template: the lines of its function, and the words that they need."""

    def __init__(self, lines: Sequence[Code], used: frozenset[str]) -> None:
        self.lines = tuple(lines)
        self.used = used


def compile_template(text: str, always: frozenset[str]) -> Compiled:
    """Compile ``text`` to the body of the function that renders it.

    ``always`` are the arguments that every call has. Raises Unsupported, and
    TemplateSyntaxError for what `resolve` has refused already.
    """
    tree = SandboxedEnvironment(keep_trailing_newline=True).parse(text)
    writer = _Writer(always)
    return writer.function(tree.body)


class _Scope:
    """The names of a template inside one of its blocks, with their Python names."""

    def __init__(self, outer: _Scope | None = None) -> None:
        self.outer = outer
        self.names: dict[str, Code] = {}

    def find(self, name: str) -> Code | None:
        if name in self.names:
            return self.names[name]
        return None if self.outer is None else self.outer.find(name)


class _Writer:
    def __init__(self, always: frozenset[str]) -> None:
        self._scope: _Scope = _Scope()
        self._taken = set(_TAKEN)
        self._expressions = Expressions(self._find, always)
        self._lines: list[Code] = []
        self._depth = 1
        self._counts: dict[str, int] = {}

    def function(self, body: Sequence[nodes.Node]) -> Compiled:
        flat = _flat(body)
        write = self._expressions
        if all(not isinstance(part, nodes.Stmt) for part in flat):
            self._line(Code(f"out: list[object] = {self._parts(flat)}"))
        else:
            self._line(Code("out: list[object] = []"))
            self._stored(body)
            self._block(body)
        write.word("joined")
        self._line(Code("return joined(out)"))
        return Compiled(self._lines, frozenset(write.used))

    def _find(self, name: str) -> Code | None:
        return self._scope.find(name)

    def _line(self, statement: Code) -> None:
        self._lines.append(Code(f"{' ' * STEP * (self._depth - 1)}{statement}"))

    def _parts(self, parts: Sequence[nodes.Node]) -> Code:
        """Write a list of the pieces of a text, one per line of the template."""
        shown: list[Code] = []
        for part in parts:
            if isinstance(part, nodes.TemplateData):
                shown += [py(line) for line in part.data.splitlines(keepends=True)]
            else:
                shown.append(self._expressions.write(part))
        return listed(shown)

    def _block(self, body: Sequence[nodes.Node]) -> None:
        waiting: list[nodes.Node] = []
        for part in (*_flat(body), None):
            if part is not None and not isinstance(part, nodes.Stmt):
                waiting.append(part)
                continue
            if waiting:
                self._line(Code(f"out += {self._parts(waiting)}"))
                waiting = []
            if part is not None:
                self._statement(part)

    def _inside(self, body: Sequence[nodes.Node]) -> None:
        """Write an indented block, which is never empty."""
        self._depth += 1
        before = len(self._lines)
        self._block(body)
        if len(self._lines) == before:
            self._line(Code("pass"))
        self._depth -= 1

    def _scoped(self, body: Sequence[nodes.Node]) -> None:
        """Write a block with names of its own."""
        self._depth += 1
        self._stored(body)
        self._depth -= 1
        self._inside(body)

    def _statement(self, node: nodes.Node) -> None:
        match node:
            case nodes.If():
                self._if(node)
            case nodes.For():
                self._for(node)
            case nodes.Assign(target=nodes.Name(name=name)):
                target = self._scope.find(name)
                assert target is not None
                self._line(Code(f"{target} = {self._expressions.write(node.node)}"))
            case _:
                # Writing it as an expression words what it is.
                self._expressions.write(node)

    def _if(self, node: nodes.If) -> None:
        self._line(Code(f"if {self._expressions.write(node.test)}:"))
        self._inside(node.body)
        for branch in node.elif_:
            self._line(Code(f"elif {self._expressions.write(branch.test)}:"))
            self._inside(branch.body)
        if node.else_:
            self._line(Code("else:"))
            self._inside(node.else_)

    def _for(self, node: nodes.For) -> None:
        if node.recursive:
            raise Unsupported("`recursive`", node.lineno)
        write = self._expressions
        items: Code = call(write.word("items_of"), write.write(node.iter))
        outer, self._scope = self._scope, _Scope(self._scope)
        target, shown = self._target(node.target)
        if node.test is not None:
            test = write.write(node.test)
            items = Code(f"[{shown} for {target} in {items} if {test}]")
        has_loop = any(
            name_node.name == "loop"
            for part in node.body
            for name_node in part.find_all(nodes.Name)
        )
        if node.else_ or (has_loop and node.test is not None):
            name = self._free("items")
            self._line(Code(f"{name} = {items}"))
            items = name
        if has_loop:
            self._scope.names["loop"] = loop = self._free("loop")
            looped = call(write.word("looped"), items)
            self._line(Code(f"for {loop}, {shown} in {looped}:"))
        else:
            self._line(Code(f"for {target} in {items}:"))
        self._scoped(node.body)
        self._scope = outer
        if node.else_:
            self._line(Code(f"if not {items}:"))
            self._scope = _Scope(outer)
            self._scoped(node.else_)
            self._scope = outer

    def _target(self, node: nodes.Node) -> tuple[Code, Code]:
        """Return the Python names of a loop's variables, as its target and as an expression."""
        if isinstance(node, nodes.Name):
            name = self._free(node.name)
            self._scope.names[node.name] = name
            return name, name
        if isinstance(node, nodes.Tuple):
            names = [self._target(item)[1] for item in node.items]
            shown = tuple_of(names)
            return (Code(", ".join(names)) if len(names) > 1 else shown), shown
        raise Unsupported("such a target", node.lineno)

    def _stored(self, body: Iterable[nodes.Node]) -> None:
        """Give names that a block sets a Python name, with their outer value at first."""
        for name in dict.fromkeys(_assigned(body)):
            outer_value = self._expressions.write(nodes.Name(name, "load", lineno=1))
            local = self._scope.names[name] = self._free(name)
            self._line(Code(f"{local}: Any = {outer_value}"))

    def _free(self, template_name: str) -> Code:
        name = attribute_name(template_name)
        count = self._counts.get(template_name, 1)
        free = str(name)
        while free in self._taken or keyword.iskeyword(free):
            count += 1
            free = f"{name}_{count}"
        self._counts[template_name] = count
        self._taken.add(free)
        return Code(free)


def _assigned(body: Iterable[nodes.Node]) -> Iterable[str]:
    """Return the names that a block sets itself, also inside its conditions, not inside its
    loops.
    """
    for node in body:
        if isinstance(node, nodes.Assign):
            if not isinstance(node.target, nodes.Name):
                raise Unsupported("`set` of more than one name", node.lineno)
            yield node.target.name
        elif isinstance(node, nodes.If):
            yield from _assigned(node.body)
            yield from _assigned(node.elif_)
            yield from _assigned(node.else_)


def _flat(body: Iterable[nodes.Node]) -> list[nodes.Node]:
    """Yield the parts of a block, with outputs and scopes without a line unpacked, without
    empty texts.
    """
    flat: list[nodes.Node] = []
    for node in body:
        parts = node.nodes if isinstance(node, nodes.Output) else [node]
        parts = node.body if isinstance(node, nodes.Scope) else parts
        flat += [
            part
            for part in parts
            if not (isinstance(part, nodes.TemplateData) and not part.data)
        ]
    return flat
