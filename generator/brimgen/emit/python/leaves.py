"""Lower leaves to their Python classes, and to the module that reads and writes those of a project.

The module imports what leaves name where it is called, not when it is loaded: a host program may
import the package that it serves, and a tool whose leaf is broken takes no other with it. Type
checkers hold every function against what the leaf says of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.emit.code import Code, header, py
from brimgen.emit.codecs.python import PYTHON
from brimgen.emit.codecs.schemas import leaf_names
from brimgen.emit.imports import import_sections
from brimgen.emit.names import class_name, module_name
from brimgen.emit.python.package import Module
from brimgen.emit.python.view import PyLeaf, PyLeaves
from brimgen.emit.python_text import (
    attribute,
    call,
    keyword,
    mapping,
)
from brimgen.emit.runtime_names import home_of
from brimgen.model.catalog import Catalog
from brimgen.model.json import Json
from brimgen.model.leaves import Leaf, LeafPython, PythonName

MODULE = "_leaves"


def leaves_option(schema: Json, module: Module) -> Code | None:
    """``leaves=_leaves.PARSERS``, where a schema has values that leaves of the project read."""
    own_names = module.package.own_leaves
    if own_names and not own_names.isdisjoint(leaf_names(schema)):
        return keyword("leaves", attribute(module.scope.leaves(), "PARSERS"))
    return None


def parse_name(leaf: Leaf) -> Code:
    """The function that reads a value."""
    return Code(f"parse_{module_name(leaf.name)}")


def dump_name(leaf: Leaf) -> Code:
    """The function that writes a value."""
    return Code(f"dump_{module_name(leaf.name)}")


def own_leaves(catalog: Catalog) -> dict[str, Leaf]:
    """The leaves of the project that have functions of their own."""
    return {name: leaf for name, leaf in catalog.leaves.items() if leaf.python}


def lower_leaves(leaves: Mapping[str, Leaf]) -> PyLeaves:
    """The module of the project's leaves."""
    files = leaf_files(leaves)
    used = {name.module for leaf in leaves.values() for name in _names(leaf.python)}
    entries = [(py(name), _parser(leaf)) for name, leaf in leaves.items()]
    decoders = {PYTHON[leaf.scalar].decoder for leaf in leaves.values()}
    return PyLeaves(
        header=header(files[0] if len(files) == 1 else None),
        modules=tuple(Code(module) for module in sorted(used) if module),
        leaves=tuple(_leaf(leaf) for leaf in leaves.values()),
        converters=import_sections(
            (home_of(name), name) for name in ("Leaf", *filter(None, decoders))
        ),
        parsers=mapping(entries),
    )


def leaf_files(leaves: Mapping[str, Leaf]) -> tuple[str, ...]:
    """The spec files of leaves, sorted."""
    return tuple(sorted({leaf.span.file for leaf in leaves.values()}))


def _names(python: LeafPython | None) -> tuple[PythonName, ...]:
    return () if python is None else (python.type,)


def _parser(leaf: Leaf) -> Code:
    decoder = PYTHON[leaf.scalar].decoder
    if decoder is None:
        return parse_name(leaf)
    decoded = call(Code(decoder), Code("value"))
    return Code(f"lambda value: {parse_name(leaf)}({decoded})")


def _leaf(leaf: Leaf) -> PyLeaf:
    assert leaf.python is not None
    python = leaf.python
    return PyLeaf(
        spec_name=leaf.name,
        name=class_name(leaf.name),
        type=_called(python.type),
        type_module=_module(python.type),
        plain=Code(PYTHON[leaf.scalar].name),
        parse_name=parse_name(leaf),
        parse=_called(python.parse),
        parse_module=_module(python.parse),
        dump_name=dump_name(leaf),
        dump=_called(python.dump),
        dump_module=_module(python.dump),
        parser=_parser(leaf),
        is_builtin=Code(str(not python.type.module)),
    )


def _called(name: PythonName) -> Code:
    return Code(f"{name.module}.{name.name}" if name.module else name.name)


def _module(name: PythonName) -> Code | None:
    return Code(name.module) if name.module else None
