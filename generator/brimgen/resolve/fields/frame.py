"""What a field is made from and in: its flat declaration, its owner, presence and origin."""

from __future__ import annotations

import re
from typing import Protocol, TypeAlias

from brimgen.diagnostics import Diagnostics, Note, did_you_mean, rules
from brimgen.frozen import dataclass, field
from brimgen.model.fields import Caller, Context, Host, Origin, Zone, name_fault
from brimgen.model.json import JsonObject
from brimgen.model.types import EntityType, EnumType, Field, LeafType, Type
from brimgen.resolve.index import Index
from brimgen.source.nodes import Node, ScalarNode, Text
from brimgen.syntax.decls import FieldDecl
from brimgen.syntax.reader import is_null, is_true


@dataclass(frozen=True, slots=True)
class FlatField:
    """One field after inheritance.

    ``decl`` has the type of the last declaration that says one, and all attributes merged.
    ``source`` names the entity whose JSON Schema property it is, where it is one; then ``decl``
    only refines. ``described`` are the entries of a `descriptions` map for what lies inside the
    value, their keys without the name of the field itself. ``trail`` are the declarations that an
    inherited field was made of.
    """

    decl: FieldDecl
    declared: bool = True
    source: str | None = None
    trail: tuple[Note, ...] = ()
    described: tuple[tuple[Text, Text], ...] = ()

    @property
    def name(self) -> str:
        """The wire name."""
        return self.decl.name.value


@dataclass(frozen=True, slots=True)
class Flat:
    """All fields of an owner; not ``sound`` where a part was refused.

    ``complete`` says that no field is missing nevertheless.
    """

    fields: tuple[FlatField, ...] = ()
    sound: bool = True
    complete: bool = True


@dataclass(frozen=True, slots=True)
class ObjectOf:
    """An object of ``fields``: the schema that is published, and ``bound``, with hidden fields.

    ``extra`` is the type of further properties. If ``sound`` is False, mistakes were reported, and
    some of ``fields`` may be missing.
    """

    fields: tuple[Field, ...]
    schema: JsonObject
    bound: JsonObject
    extra: Type | None = None
    sound: bool = True


_WORDS = re.compile(r"[^\W_]+")


Placed: TypeAlias = EntityType | EnumType | LeafType
"""What pasted JSON Schema may refer to by name."""


class Shapes(Protocol):
    """What fields need to know of entities: made by `brimgen.resolve.entities.entities`."""

    def embed(self, name: str) -> JsonObject:
        """The schema of an entity where it is used: a `$ref`, or the schema of an enum."""
        ...

    def complete(self, schema: JsonObject) -> JsonObject:
        """The schema with the `$defs` that its `$ref`s to entities need."""
        ...

    def written_out(self, schema: JsonObject) -> JsonObject:
        """The schema with entities in the place of its `$ref`s, but for recursive ones."""
        ...

    def values(self, name: str) -> tuple[str | int | float, ...]:
        """The values of an enum entity."""
        ...

    def hidden(self, name: str) -> tuple[Field, ...]:
        """The fields of an entity that a caller cannot send."""
        ...

    def property(self, entity: str, name: str) -> Field | None:
        """A property of an entity that is written as JSON Schema."""


@dataclass(slots=True)
class RecordNames:
    """Names for nested objects, unique within one owner: ``GetOrders`` + ``ship_to``."""

    owner: str
    _taken: set[str] = field(default_factory=set[str])

    def claim(self, *path: str) -> str:
        """Return the class name that a path suggests, numbered where it is taken."""
        name = "".join(pascal(part) for part in (self.owner, *path))
        number, unique = 1, name
        while unique.casefold() in self._taken:
            number += 1
            unique = f"{name}{number}"
        self._taken.add(unique.casefold())
        return unique


def pascal(text: str) -> str:
    """Return ``ship_to`` as ``ShipTo``; letters that are large stay large."""
    return "".join(word[0].upper() + word[1:] for word in _WORDS.findall(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The context in which fields are made: their owner, and what is allowed there.

    ``zone`` is what the project says of datetimes without an offset.
    """

    index: Index
    shapes: Shapes
    diagnostics: Diagnostics
    names: RecordNames
    zone: Zone = Zone.REQUIRED
    splat: bool = False
    inside_value: bool = False
    path: tuple[str, ...] = ()


def check_name(name: Text, diagnostics: Diagnostics) -> None:
    """Report a name that JSON allows and nothing else can carry (spec-language.md)."""
    reason = name_fault(name.value)
    if reason is not None:
        shown = ascii(name.value[:40])[1:-1]
        diagnostics.add(rules.BAD_FIELD_NAME, name.span, name=shown, reason=reason)


def is_required(decl: FieldDecl, diagnostics: Diagnostics) -> bool:
    """Return whether a value must be given: unless `default`, `required: false` or ``T?``."""
    default, required = decl.attribute("default"), decl.attribute("required")
    if isinstance(required, ScalarNode) and isinstance(required.value, bool):
        if required.value and default is not None:
            diagnostics.add(
                rules.REQUIRED_WITH_DEFAULT, required.span, name=decl.name.value
            )
            return False
        return required.value
    return default is None and not (decl.type is not None and decl.type.is_optional)


def default_is_null(decl: FieldDecl) -> bool:
    """Return whether the default is written as null, which makes the field nullable."""
    node = decl.attribute("default")
    return node is not None and is_null(node)


CALLER = Caller()
_KEYS = frozenset({"from_context", "llm"})
_PATH = re.compile(r"(app|config)(\.[A-Za-z][A-Za-z0-9_-]*)+")


def read_origin(
    name: str,
    path: Node | None,
    llm: Node | None,
    diagnostics: Diagnostics,
    *,
    inside_value: bool = False,
) -> Origin:
    """Return the origin of field ``name``; ``inside_value`` fields all come from the caller."""
    hidden = isinstance(llm, ScalarNode) and llm.value is False
    if inside_value:
        origin_node = path if path is not None else llm if hidden else None
        if origin_node is not None:
            diagnostics.add(rules.HIDDEN_IN_VALUE, origin_node.span, name=name)
        return CALLER
    if not isinstance(path, ScalarNode):
        return Host() if hidden else CALLER
    if llm is not None and is_true(llm):
        diagnostics.add(
            rules.CONTEXT_AND_CALLER,
            llm.span,
            notes=[Note(path.span, "from the context")],
            name=name,
        )
    if not isinstance(path.value, str) or _PATH.fullmatch(path.text) is None:
        near = _intended_path(path.text)
        rule = rules.BAD_CONTEXT_PATH
        diagnostics.add(rule, path.span, suggestions=near, path=path.text)
        return Host()
    return Context(tuple(path.text.split(".")))


def _intended_path(path: str) -> tuple[str, ...]:
    """The path that was probably meant: without what others write around it, from a root."""
    plain = path.strip("${} ")
    head, dot, rest = plain.partition(".")
    roots = did_you_mean(head, ("app", "config"))
    if head in ("context", "ctx"):
        candidates: tuple[str, ...] = (rest, f"app.{rest}")
    else:
        candidates = (plain, *(f"{root}.{rest}" for root in roots), f"app.{plain}")
    if not dot or head in ("env", "environ", "os"):  # the environment is no context
        return ()
    return tuple(candidate for candidate in candidates if _PATH.fullmatch(candidate))[
        :1
    ]


def origin_of(
    decl: FieldDecl, diagnostics: Diagnostics, *, inside_value: bool
) -> Origin:
    """Return where the value of a declared field comes from; see `read_origin`."""
    if _KEYS.isdisjoint(decl.attributes):
        return CALLER
    return read_origin(
        decl.name.value,
        decl.attribute("from_context"),
        decl.attribute("llm"),
        diagnostics,
        inside_value=inside_value,
    )
