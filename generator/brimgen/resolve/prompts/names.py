"""Check what a template says: its names and members, and the errors that Jinja finds in it.

A message points at the very name. Only what reads is used: nothing of a spec is run.

Follows the types of the arguments through members, items and loops as far as they are known for
certain: ``args.customer.nmae`` is no member of `Customer`, while a value that a filter has made is
anything.

Jinja names its own tokens (`end of print statement`), counts characters of the whole text, and
tells that a block is not closed where the text ends. Here the words are those that stand in the
template, and the place is the one to mend.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from jinja2 import TemplateSyntaxError, nodes, pass_context
from jinja2.meta import TrackingCodeGenerator
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment

from brimgen.diagnostics import did_you_mean
from brimgen.frozen import dataclass, field
from brimgen.model.catalog import Entity
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    Field,
    JsonType,
    ListType,
    MapType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
)
from brimgen.resolve.fields.types import known_type
from brimgen.source.jinja_places import LocatingEnvironment

_MANY_DIGITS = re.compile(r"\d[\d_]{4000,}")


class TemplateFault(Exception):
    """A text that is no template; ``fault`` says why, and where."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


class PromptEnvironment(LocatingEnvironment, SandboxedEnvironment):
    """Jinja's reader of prompts.

    A prompt sees its arguments and nothing else (spec-language.md), so there are no globals:
    `range`, `lipsum` and the like would be names that nothing provides.
    """

    def __init__(self) -> None:
        super().__init__(keep_trailing_newline=True)
        self.globals.clear()
        # The code generator would work out constant expressions (`{{ "a" * 10 ** 10 }}`), and a
        # spec must not make the build work: with a finalizer that needs a context, it does not.
        self.finalize = pass_context(_identity)


def read_tree(text: str) -> nodes.Template:
    """Return the tree of a template; the ``lineno`` of its nodes are offsets, from 1.

    Raises `TemplateFault`, and `RecursionError` where it is nested too deeply.
    """
    try:
        return Parser(PromptEnvironment(), text).parse()
    except TemplateSyntaxError as fault:
        raise _fault(fault, text) from fault
    except ValueError as problem:  # Python reads integers of a few thousand digits only
        digits = _MANY_DIGITS.search(text)
        start, end = digits.span() if digits else (0, len(text))
        reason = "a number has too many digits"
        raise TemplateFault(Fault(reason, start, end)) from problem


def free_names(tree: nodes.Template, text: str) -> set[str]:
    """Return the names that a template takes from outside, whatever filters and tests it uses.

    ``tree`` is that of ``text``.

    Raises `TemplateFault` for what parses and does not compile.
    """
    environment = PromptEnvironment()
    for kind, registry in (
        (nodes.Filter, environment.filters),
        (nodes.Test, environment.tests),
    ):
        for node in tree.find_all(kind):
            registry.setdefault(node.name, _unknown_function)
    generator = TrackingCodeGenerator(environment)
    generator.optimizer = None
    try:
        generator.visit(tree)
    except TemplateSyntaxError as fault:
        raise _fault(fault, text) from fault
    return generator.undeclared_identifiers


def _identity(_context: Context, value: object) -> object:
    return value


def _unknown_function(*_: Any) -> Any:
    """Stand in for an unknown filter or test, which `prompts` reports."""


def _fault(fault: TemplateSyntaxError, text: str) -> TemplateFault:
    message = fault.message or "syntax error"
    return TemplateFault(explain_error(text, message, fault.lineno - 1))


ARGS = "args"
_ANY = JsonType()
_ITEM_OF = frozenset({"first", "last", "random", "min", "max"})
_SAME_LIST = frozenset(
    {"sort", "reverse", "unique", "list", "select", "reject"}
    | {"selectattr", "rejectattr"}
)
_OF_JSON: Mapping[str, tuple[type[object], ...]] = {
    "integer": (int,),
    "number": (float, int),
    "boolean": (bool,),
    "string": (str,),
}


@dataclass(frozen=True, slots=True)
class Missing:
    """A member that is not there: ``owner`` has no ``member``, which stands at ``offset``."""

    owner: str
    member: str
    offset: int
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Value:
    """The type of an expression, and its words in messages. ``args`` itself has no type."""

    kind: Type | None
    words: str = ""


_UNKNOWN = _Value(_ANY)
_Scope = dict[str, _Value]


@dataclass(slots=True)
class Names:
    """Walks one template.

    ``missing`` are the members that are not there, ``computed`` the places where a name of an
    argument is computed, ``unbound`` the first place of each name that is not bound above it.
    """

    fields: Mapping[str, Field]
    entities: Mapping[str, Entity]
    missing: list[Missing] = field(default_factory=list[Missing])
    computed: list[int] = field(default_factory=list[int])
    unbound: dict[str, int] = field(default_factory=dict[str, int])
    _once: frozenset[str] = frozenset()

    def walk(self, tree: nodes.Template) -> None:
        """Look at every expression."""
        stored = [node.name for node in tree.find_all(nodes.Name) if node.ctx != "load"]
        self._once = frozenset(name for name in stored if stored.count(name) == 1)
        self._body(tree, {})

    def _body(self, node: nodes.Node, scope: _Scope) -> None:
        for child_node in node.iter_child_nodes():
            self._visit(child_node, scope)

    def _visit(self, node: nodes.Node, scope: _Scope) -> _Value:
        match node:
            case nodes.For():
                self._loop(node, scope)
            case nodes.Assign(target=nodes.Name(name=name)):
                value = self._visit(node.node, scope)
                scope[name] = value if name in self._once else _UNKNOWN
            case nodes.AssignBlock() | nodes.Assign():
                self._body(node, scope)
                scope.update(_bound(node.target))
            case nodes.Macro() | nodes.CallBlock() | nodes.With():
                self._block(node, scope)
            case nodes.Name():
                return self._name(node, scope)
            case nodes.Getattr():
                return self._member(node, node.attr, self._visit(node.node, scope))
            case nodes.Getitem():
                return self._item(node, scope)
            case nodes.Filter():
                return self._filter(node, scope)
            case _:
                self._body(node, scope)
        return _UNKNOWN

    def _loop(self, node: nodes.For, scope: _Scope) -> None:
        iterated = self._visit(node.iter, scope)
        kind = known_type(iterated.kind)
        inner = {**scope, **_bound(node.target), "loop": _UNKNOWN}
        if isinstance(kind, ListType) and isinstance(node.target, nodes.Name):
            inner[node.target.name] = _Value(kind.item, node.target.name)
        if node.test is not None:
            self._visit(node.test, inner)
        for statement_node in node.body:
            self._visit(statement_node, inner)
        for child in node.else_:
            self._visit(child, scope)

    def _block(
        self, node: nodes.Macro | nodes.CallBlock | nodes.With, scope: _Scope
    ) -> None:
        """A block with names of its own; a macro is one itself."""
        if isinstance(node, nodes.Macro):
            scope[node.name] = _UNKNOWN
        outer_expressions = (
            node.values if isinstance(node, nodes.With) else node.defaults
        )
        bound = node.targets if isinstance(node, nodes.With) else node.args
        for expression in outer_expressions:
            self._visit(expression, scope)
        if isinstance(node, nodes.CallBlock):
            self._visit(node.call, scope)
        inner = dict(scope)
        for target in bound:
            inner.update(_bound(target))
        if not isinstance(node, nodes.With):
            inner |= dict.fromkeys(("caller", "varargs", "kwargs"), _UNKNOWN)
        for part in node.body:
            self._visit(part, inner)

    def _name(self, node: nodes.Name, scope: _Scope) -> _Value:
        if node.ctx != "load":
            return _UNKNOWN
        if node.name in scope:
            return scope[node.name]
        if node.name == ARGS:
            return _Value(None, ARGS)
        self.unbound.setdefault(node.name, node.lineno - 1)
        argument = self.fields.get(node.name)
        return _UNKNOWN if argument is None else _Value(argument.type, node.name)

    def _item(self, node: nodes.Getitem, scope: _Scope) -> _Value:
        owner = self._visit(node.node, scope)
        self._visit(node.arg, scope)
        if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
            return self._member(node, node.arg.value, owner)
        if owner.kind is None:
            self.computed.append(node.lineno - 1)
            return _UNKNOWN
        kind = known_type(owner.kind)
        if isinstance(kind, ListType) and not isinstance(node.arg, nodes.Slice):
            return _Value(kind.item, f"{owner.words}[…]")
        return _UNKNOWN

    def _filter(self, node: nodes.Filter, scope: _Scope) -> _Value:
        filtered = _UNKNOWN if node.node is None else self._visit(node.node, scope)
        for argument in (*node.args, *node.kwargs):
            self._visit(argument, scope)
        for unpacked in (node.dyn_args, node.dyn_kwargs):
            if unpacked is not None:
                self._visit(unpacked, scope)
        kind = known_type(filtered.kind)
        if not isinstance(kind, ListType):
            return _UNKNOWN
        if node.name in _ITEM_OF:
            return _Value(kind.item, f"{filtered.words}[…]")
        return filtered if node.name in _SAME_LIST else _UNKNOWN

    def _member(self, node: nodes.Node, member: str, owner: _Value) -> _Value:
        words = f"{owner.words}.{member}"
        kind = self._type(member, owner.kind)
        if kind is not None:
            return _Value(kind, words)
        members = tuple(self._known_members(owner.kind))
        self.missing.append(Missing(owner.words, member, node.lineno - 1, members))
        return _UNKNOWN

    def _type(self, member: str, owner: Type | None) -> Type | None:
        """The type of a member; None where there is none of that name."""
        kind = known_type(owner)
        match kind:
            case None:
                argument = self.fields.get(member)
                return None if argument is None else argument.type
            case EntityType(name) if name in self.entities:
                entity = self.entities[name]
                return _member_type(member, entity.fields, entity.extra)
            case RecordType(_, fields, extra):
                return _member_type(member, fields, extra)
            case MapType(value):
                return value
            case ListType():
                return _ANY if hasattr(list, member) else None
            case ScalarType(scalar) if _classes(scalar):
                has_member = any(hasattr(class_, member) for class_ in _classes(scalar))
                return _ANY if has_member else None
            case _:
                return _ANY

    def _known_members(self, owner: Type | None) -> Iterator[str]:
        kind = known_type(owner)
        match kind:
            case None:
                yield from self.fields
            case EntityType(name):
                yield from (member.name for member in self.entities[name].fields)
            case RecordType(_, fields):
                yield from (member.name for member in fields)
            case _:
                return


def _member_type(
    member: str, fields: tuple[Field, ...], extra: Type | None
) -> Type | None:
    return next(
        (candidate.type for candidate in fields if candidate.name == member), extra
    )


def _bound(target: nodes.Node) -> _Scope:
    """The names that a target binds, to what is not known."""
    names = [target] if isinstance(target, nodes.Name) else []
    names += target.find_all(nodes.Name)
    return {name.name: _UNKNOWN for name in names}


@cache
def _classes(scalar: Scalar) -> tuple[type[object], ...]:
    """The classes of a value in Python or as it came from JSON; none where it can be anything."""
    row = SCALARS[scalar]
    classes = _OF_JSON.get(row.json_type, ())
    if row.python_class is not None:
        module, name = row.python_class
        classes = (getattr(import_module(module), name), *classes)
    # Numbers that keep their digits may be sent as texts.
    return (*classes, str) if row.keeps_digits else classes


_CLOSING = {"end of print statement": "}}", "end of statement block": "%}"}
_CLOSED_BY = {"{{": "}}", "{%": "%}"}
_BLOCKS = ("if", "for", "macro", "call", "filter", "set", "block", "with", "autoescape")
_TAGS = (*_BLOCKS, *(f"end{block}" for block in _BLOCKS), "else", "elif", "raw")
_TAG = re.compile(r"\{#.*?#\}|\{\{.*?\}\}|\{%[-+]?\s*(\w+)(.*?)%\}", re.DOTALL)
_TOKEN = re.compile(r"\w+|'[^'\n]*'|\"[^\"\n]*\"|\}\}|[-+]?%\}|\|\||&&|\S")
_FOREIGN_OPERATORS = {
    "||": "or",
    "&": "and",
    "&&": "and",
    "!": "not",
    "=": "==",
    "?": "a if … else b",
}
"""Operators of other languages, and what Jinja calls them."""

_UNCLOSED = re.compile(
    r"Unexpected end of template.*innermost block .* is '(\w+)'", re.DOTALL
)
_UNKNOWN_TAG = re.compile(
    r"Encountered unknown tag '(\w+)'(?:.* is '(\w+)')?", re.DOTALL
)
_ENDS_IN_TAG = re.compile(r"unexpected end of template, expected '(.+)'")
_OTHER_TOKEN = re.compile(r"expected token '(.+?)', got '(?:.+)'", re.DOTALL)
_NO_EXPRESSION = re.compile(r"(?:unexpected|Expected an expression, got) '(end of .+)'")
_WRONG_BRACKET = re.compile(r"unexpected '([\])}])', expected '([\])}])'")
_BAD_CHARACTER = re.compile(r"unexpected char .+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fault:
    """``reason`` in words, the range of the text that it is about, and what was meant.

    ``opened`` is the range of the tag that is still open there, if that is why.
    """

    reason: str
    start: int
    end: int
    suggestions: tuple[str, ...] = ()
    opened: tuple[int, int] | None = None


def explain_error(text: str, message: str, offset: int) -> Fault:
    """Return the fault behind a ``message`` of Jinja, which has read ``text`` up to ``offset``."""
    start = min(offset, len(text.rstrip()) - 1)
    for explain in (_block_fault, _tag_fault, _token_fault):
        fault = explain(text, message, start)
        if fault is not None:
            return fault
    words = message[:1].lower() + message[1:].rstrip(".")
    for jinja, ours in _CLOSING.items():
        words = words.replace(f"'{jinja}'", f"`{ours}`")
    return Fault(words, start, _line_end(text, start))


def _block_fault(text: str, message: str, offset: int) -> Fault | None:
    """Explain an unclosed block, comment or raw text, and an end without a beginning."""
    if match := _UNCLOSED.search(message):
        return _unclosed(text, match[1], offset)
    if message.startswith("Missing end of comment"):
        start = text.rfind("{#", 0, offset + 2)
        reason = "`{#` is not closed: `#}` is missing"
        return Fault(reason, start, _line_end(text, start))
    if message.startswith("Missing end of raw"):
        start = text.rfind("{%", 0, offset + 1)
        reason = "`{% raw %}` is not closed: `{% endraw %}` is missing"
        return Fault(reason, start, _line_end(text, start))
    match = _UNKNOWN_TAG.search(message)
    return _unknown_tag(text, match[1], match[2], offset) if match else None


def _unclosed(text: str, block: str, offset: int) -> Fault:
    reason = f"`{{% {block} %}}` is not closed: `{{% end{block} %}}` is missing"
    start, end = _innermost(text, block, len(text)) or (offset, _line_end(text, offset))
    return Fault(reason, start, end)


def _unknown_tag(text: str, word: str, block: str | None, offset: int) -> Fault:
    end = offset + len(word)
    if block is not None and (word.startswith("end") or word in ("else", "elif")):
        reason = f"`{{% {word} %}}` stands where `{{% {block} %}}` is still open"
        opened = _innermost(text, block, offset)
        return Fault(reason, offset, end, (f"end{block}",), opened)
    if word in _TAGS:
        block = word.removeprefix("end")
        of = "if" if word in ("else", "elif") else block
        reason = f"`{{% {word} %}}` stands where no `{{% {of} %}}` is open"
        return Fault(reason, offset, end)
    near = did_you_mean(word, _TAGS)
    return Fault(f"there is no tag `{word}`", offset, end, near)


def _tag_fault(text: str, message: str, offset: int) -> Fault | None:
    """Explain a ``{{`` or ``{%`` without its end, or with a wrong one."""
    match = _OTHER_TOKEN.search(message)
    is_cut = match is not None and match[1] in _CLOSING and _begins_line(text, offset)
    if is_cut or _ENDS_IN_TAG.search(message):
        start = max(text.rfind(mark, 0, offset + 1) for mark in _CLOSED_BY)
        opening = text[start : start + 2]
        reason = f"`{opening}` is not closed: `{_CLOSED_BY[opening]}` is missing"
        return Fault(reason, start, _line_end(text, start))
    if message.startswith("unexpected '}'") and text[offset : offset + 2] != "}}":
        reason = "`{{` ends with `}}`, not with `}`"
        return Fault(reason, offset, offset + 1, ("}}",))
    if match := _WRONG_BRACKET.search(message):
        token = _token(text, offset)
        reason = f"`{match[2]}` is missing before `{token}`"
        return Fault(reason, offset, offset + len(token))
    return None


def _token_fault(text: str, message: str, offset: int) -> Fault | None:
    """Explain a word or a mark at a wrong place."""
    token = _token(text, offset)
    end = offset + len(token)
    if _BAD_CHARACTER.fullmatch(message):
        if token[0] in "'\"" and len(token) < 2:
            reason = f"the text that {token} begins does not end"
            return Fault(reason, offset, _line_end(text, offset))
        return Fault(
            f"`{token}` means nothing here", offset, end, _jinja_operator(token)
        )
    if match := _NO_EXPRESSION.search(message):
        reason = f"something is missing before `{_CLOSING.get(match[1], token)}`"
        return Fault(reason, offset, end)
    if message == "expected name or number":
        return Fault(f"a name is missing before `{token}`", offset, end)
    match = _OTHER_TOKEN.search(message)
    if match is None:
        return None
    if token == "|" and text[offset - 1 : offset] == "|":
        return Fault("`||` means nothing here", offset - 1, end, ("or",))
    expected = _CLOSING.get(match[1], match[1])
    if expected == "name":
        return Fault(f"a name is missing before `{token}`", offset, end)
    if token == "if" and text[:offset].rstrip().endswith("else"):
        start = text.rfind("else", 0, offset)
        return Fault("`else if` is one word here", start, end, ("elif",))
    reason = f"`{expected}` is expected before `{token}`"
    return Fault(reason, offset, end, _jinja_operator(token))


def _jinja_operator(token: str) -> tuple[str, ...]:
    return (_FOREIGN_OPERATORS[token],) if token in _FOREIGN_OPERATORS else ()


def _token(text: str, offset: int) -> str:
    """Return the token at ``offset``."""
    match = _TOKEN.match(text, offset)
    return match[0] if match else text[offset : offset + 1]


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def _begins_line(text: str, offset: int) -> bool:
    return not text[text.rfind("\n", 0, offset) + 1 : offset].strip()


def _innermost(text: str, block: str, limit: int) -> tuple[int, int] | None:
    """The range of the last tag before ``limit`` that begins a ``block`` and is not closed."""
    opened: list[tuple[str, int, int]] = []
    for word, start, end in _blocks(text):
        if end > limit:
            break
        if not word.startswith("end"):
            opened.append((word, start, end))
        elif opened and opened[-1][0] == word.removeprefix("end"):
            opened.pop()
    ours = [(start, end) for word, start, end in opened if word == block]
    return ours[-1] if ours else None


def _blocks(text: str) -> Iterator[tuple[str, int, int]]:
    """The tags that begin or end a block, with their ranges; one with `=` sets a name at once."""
    end_of_raw = 0
    for match in _TAG.finditer(text):
        word = match[1]
        if word is None or match.start() < end_of_raw:
            continue
        if word == "raw":
            endraw = re.search(r"\{%[-+]?\s*endraw", text[match.end() :])
            end_of_raw = match.end() + endraw.end() if endraw else len(text)
        elif word.removeprefix("end") in _BLOCKS and not (
            word == "set" and "=" in match[2]
        ):
            yield word, match.start(), match.end()
