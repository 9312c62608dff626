"""Read the default and the examples of a field, and keep those that are sound."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.resolve.standard import DEFAULT_NOT_DECIDED
from brimgen.model.fields import Default
from brimgen.model.json import Json, JsonObject
from brimgen.model.scalars import SCALARS
from brimgen.model.types import ScalarType
from brimgen.resolve.fields.canonical_schema import arrange
from brimgen.resolve.fields.defaults import Probe, read_default, read_value
from brimgen.resolve.fields.frame import Frame
from brimgen.resolve.values import to_json
from brimgen.source.nodes import ListNode
from brimgen.syntax.decls import FieldDecl
from brimgen_runtime.store.schema_parts import subschemas

_UNDECIDABLE = frozenset({"pattern", "patternProperties", "$ref"})
"""Keywords by which the verdict on a value may be unknown at build time."""


def read_default_and_examples(
    decl: FieldDecl, probe: Probe, words: dict[str, Json], diagnostics: Diagnostics
) -> Default | None:
    """Return the default; put it and the sound examples into ``words``.

    A refused default, which is an error, is returned all the same, as the argument has one. A
    default that cannot be judged is reported and left out.
    """
    examples = decl.attribute("examples")
    if isinstance(examples, ListNode):
        checked = [
            read_value(item, "an example", probe, diagnostics)
            for item in examples.items
        ]
        words["examples"] = [value for sound, value in checked if sound]
    node = decl.attribute("default")
    if node is None:
        return None
    default = read_default(node, probe, diagnostics)
    if default is None:
        return Default(to_json(node))
    why = probe.why_undecided(default.value)
    if why is not None:
        diagnostics.add(DEFAULT_NOT_DECIDED, node.span, name=probe.name, reason=why)
        return None
    if default.value is not None:
        words["default"] = default.value
        named = probe.named
        is_exact = isinstance(named, ScalarType) and SCALARS[named.scalar].keeps_digits
        if default.is_rounded and is_exact:
            words["x-default"] = default.text
    return default


def why_undecided(schema: JsonObject, frame: Frame, value: Json) -> str | None:
    """Return why it is not known whether a schema accepts a value; None if it is known."""
    if not any(subschema.keys() & _UNDECIDABLE for subschema in subschemas(schema)):
        return None
    from brimgen.judging.rejection import judge

    judgement = judge(frame.shapes.complete(arrange(schema)), value)
    return judgement.why if judgement.accepts is None else None
