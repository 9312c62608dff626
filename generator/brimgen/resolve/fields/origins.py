"""Read where the value of a field comes from: caller, context or host (S0.15-19)."""

from __future__ import annotations

import re

from brimgen.diagnostics import Diagnostics, Note, did_you_mean
from brimgen.diagnostics.rules.resolve import fields as resolve_fields
from brimgen.diagnostics.rules.resolve import names_and_types as rules
from brimgen.model.fields import Caller, Context, Host, Origin
from brimgen.source.nodes import Node, ScalarNode
from brimgen.syntax.decls import FieldDecl

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
    if isinstance(llm, ScalarNode) and llm.value is True:
        diagnostics.add(
            resolve_fields.CONTEXT_AND_CALLER,
            llm.span,
            notes=[Note(path.span, "from the context")],
            name=name,
        )
    if not isinstance(path.value, str) or _PATH.fullmatch(path.text) is None:
        near = _intended_path(path.text)
        rule = resolve_fields.BAD_CONTEXT_PATH
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
