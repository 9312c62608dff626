"""Report what the Python target cannot express of a catalog, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from brimgen.diagnostics import Diagnostics, Note, Span
from brimgen.diagnostics.rules.targets import python as rules
from brimgen.emit.names import (
    attribute_name,
    class_name,
    module_name,
)
from brimgen.emit.python.leaves import own_leaves
from brimgen.emit.python.validators import names_of
from brimgen.model.catalog import Catalog, Entity, Tool
from brimgen.model.types import (
    Field,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Type,
)


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report two names that become one in Python."""
    modules = _check_modules(catalog, diagnostics)
    classes = _check_classes(catalog, modules, diagnostics)
    owners: list[Entity | Tool] = [*catalog.entities.values(), *catalog.tools]
    for owner in owners:
        _check_fields(owner.fields, classes, diagnostics)
        _check_type(owner.extra, classes, diagnostics)


def _check_classes(
    catalog: Catalog, reported: set[tuple[Span, Span]], diagnostics: Diagnostics
) -> frozenset[str]:
    """Report names that become one class; a pair of places that is ``reported`` is left out."""
    first: dict[str, tuple[str, Span]] = {}
    for name, written, span in _classes(catalog):
        earlier = first.setdefault(name, (written, span))
        if earlier[1] != span and (earlier[1], span) not in reported:
            reported.add((earlier[1], span))
            diagnostics.add(
                rules.SAME_CLASS,
                span,
                notes=[Note(earlier[1], f"`{earlier[0]}` is here")],
                name=written,
                other=earlier[0],
                python=name,
            )
    return frozenset(first)


def _classes(catalog: Catalog) -> Iterator[tuple[str, str, Span]]:
    for entity in catalog.entities.values():
        yield class_name(entity.name), entity.name, entity.span
    for enum in catalog.enums.values():
        yield class_name(enum.name), enum.name, enum.span
    for leaf in own_leaves(catalog).values():
        yield class_name(leaf.name), leaf.name, leaf.span
    for tool in catalog.tools:
        for name in names_of(tool):
            yield name, tool.name, tool.span


def _check_modules(
    catalog: Catalog, diagnostics: Diagnostics
) -> set[tuple[Span, Span]]:
    """Report tools that become one module; return the pairs of their places."""
    reported: set[tuple[Span, Span]] = set()
    first: dict[str, tuple[str, Span]] = {}
    for tool in catalog.tools:
        module = module_name(tool.name).casefold()
        name, span = first.setdefault(module, (tool.name, tool.span))
        if span != tool.span:
            reported.add((span, tool.span))
            diagnostics.add(
                rules.SAME_MODULE,
                tool.span,
                notes=[Note(span, f"`{name}` is here")],
                name=tool.name,
                other=name,
                python=f"{module_name(tool.name)}.py",
            )
    return reported


def _check_fields(
    fields: Iterable[Field], classes: frozenset[str], diagnostics: Diagnostics
) -> None:
    first: dict[str, Field] = {}
    for field in fields:
        attribute = attribute_name(field.name)
        earlier = first.setdefault(attribute, field)
        if earlier is not field:
            diagnostics.add(
                rules.SAME_ATTRIBUTE,
                field.span,
                notes=[Note(earlier.span, f"`{earlier.name}` is here")],
                name=field.name,
                other=earlier.name,
                python=attribute,
            )
        if attribute in classes:
            diagnostics.add(rules.CLASS_AS_ATTRIBUTE, field.span, name=field.name)
        _check_type(field.type, classes, diagnostics)


def _check_type(
    type: Type | None, classes: frozenset[str], diagnostics: Diagnostics
) -> None:
    """Report the names of every object in ``type`` that has a class of its own."""
    match type:
        case RecordType():
            _check_fields(type.fields, classes, diagnostics)
            _check_type(type.extra, classes, diagnostics)
        case ListType(item=inner) | MapType(value=inner) | NullableType(inner=inner):
            _check_type(inner, classes, diagnostics)
        case _:
            return
