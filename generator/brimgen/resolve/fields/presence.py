"""Read the name of a field, and whether it is required."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.resolve import fields as rules
from brimgen.model.fields import name_fault
from brimgen.resolve.values import is_null
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.decls import FieldDecl, Text


def check_name(name: Text, diagnostics: Diagnostics) -> None:
    """Report a name that JSON allows and nothing else can carry (spec-language.md)."""
    reason = name_fault(name.value)
    if reason is not None:
        shown = ascii(name.value[:40])[1:-1]
        diagnostics.add(rules.BAD_NAME, name.span, name=shown, reason=reason)


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


def is_true(decl: FieldDecl, key: str) -> bool:
    """Return whether an attribute is true."""
    node = decl.attribute(key)
    return isinstance(node, ScalarNode) and node.value is True
