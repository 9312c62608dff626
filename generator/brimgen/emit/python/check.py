"""Report what the Python target cannot express of a catalog, before anything is written."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics, Note, Span, rules
from brimgen.emit.names import class_name, classes_of, module_name
from brimgen.emit.python.leaves import own_leaves
from brimgen.model.catalog import Catalog


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report two names that become one in Python."""
    _check_classes(catalog, _check_modules(catalog, diagnostics), diagnostics)


def _check_classes(
    catalog: Catalog, reported: set[tuple[Span, Span]], diagnostics: Diagnostics
) -> None:
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


def _classes(catalog: Catalog) -> Iterator[tuple[str, str, Span]]:
    for entity in catalog.entities.values():
        yield class_name(entity.name), entity.name, entity.span
    for enum in catalog.enums.values():
        yield class_name(enum.name), enum.name, enum.span
    for leaf in own_leaves(catalog).values():
        yield class_name(leaf.name), leaf.name, leaf.span
    for tool in catalog.tools:
        for name in classes_of(tool.name):
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
