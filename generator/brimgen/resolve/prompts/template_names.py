"""Report names and members in a template that do not exist.

Follows the types of the arguments through members, items and loops as far as they are known for
certain: ``args.customer.nmae`` is no member of `Customer`, while a value that a filter has made is
anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from jinja2 import nodes

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
from brimgen.resolve.fields.type_lookup import known_type

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
