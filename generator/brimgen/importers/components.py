"""Named schemas in, entities out, and schemas that refer to them.

An object with ``properties`` becomes an entity, as it is written, and so does a list of texts. Any
other schema has no document of its own: it is written out where it is referred to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules.imports import BAD_REFERENCE, NAMELESS
from brimgen.importers.draft import Draft
from brimgen.importers.names import NAME, spec_name
from brimgen.model.json import Json, is_list, is_object
from brimgen.source.nodes import MapNode, Node
from brimgen.source.plain import plain

# Besides `properties`, what an entity has for itself, and what would make another thing of it.
_NOT_OF_AN_ENTITY = frozenset(["type", "name", "default", "const", "$ref", "enum"])
_SCHEMAS = ("items", "additionalProperties", "not", "if", "then", "else", "contains")
_SCHEMAS_TOO = ("propertyNames", "unevaluatedProperties", "unevaluatedItems")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")

Rewrite = Callable[[dict[str, Any]], dict[str, Any]]


class Components:
    """The named schemas of one document, under the references that lead to them."""

    def __init__(
        self,
        schemas: Mapping[str, Node],
        found: Diagnostics,
        *,
        names: Mapping[str, str] = MappingProxyType({}),
        rewrite: Rewrite = lambda schema: schema,
    ) -> None:
        """``schemas`` by reference (``#/$defs/Address``), ``names`` of those that are called else.

        ``rewrite`` translates one schema object, without those inside of it.
        """
        self._nodes = schemas
        self._found = found
        self._rewrite = rewrite
        self._plain = {
            reference: self._translated(plain(node))
            for reference, node in schemas.items()
        }
        self._names = {
            reference: names.get(reference) or spec_name(reference.rpartition("/")[2])
            for reference, schema in self._plain.items()
            if _is_entity(schema) or _is_enum(schema)
        }

    def entities(self) -> Iterator[Draft]:
        """A draft of each entity; one whose references lead nowhere is reported instead."""
        for reference, name in self._names.items():
            node = self._nodes[reference]
            if not NAME.match(name):
                self._found.add(NAMELESS, node.span, name=reference)
                continue
            schema = self.resolved(self._plain[reference], node.span)
            if schema is None:
                continue
            document: dict[str, Json] = {"type": "entity", "name": name}
            # `type` says here what the document is.
            keys = sorted(schema, key=lambda key: key not in ("title", "description"))
            document |= {key: schema[key] for key in keys if key != "type"}
            yield Draft(name, node.span, document, kind="entity")

    def schema(self, node: Node) -> Any:
        """The schema that a node says, translated and with its references resolved, or None."""
        return self.resolved(self._translated(plain(node)), node.span)

    def entity(self, reference: str) -> dict[str, Any] | None:
        """The schema of the entity that ``#/entities/<name>`` means, its references resolved."""
        for known, name in self._names.items():
            if reference == f"#/entities/{name}":
                schema = self.resolved(self._plain[known], self._nodes[known].span)
                return schema if is_object(schema) else None
        return None

    def resolved(self, schema: Any, span: Span) -> Any:
        """``schema`` with references to entities, and all others written out.

        None, and a report, where one leads nowhere, or holds itself without being an entity.
        """
        try:
            return self._resolved(schema, ())
        except _Unresolved as problem:
            self._found.add(
                BAD_REFERENCE,
                span,
                reference=problem.reference,
                reason=problem.reason,
            )
            return None

    def _translated(self, schema: Any) -> Any:
        if not is_object(schema):
            return schema
        changed = self._rewrite(dict(schema))
        return _mapped(changed, self._translated)

    def _resolved(self, schema: Any, way: tuple[str, ...]) -> Any:
        if not is_object(schema):
            return schema
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return _mapped(schema, lambda each: self._resolved(each, way))
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        if reference in self._names:
            return {"$ref": f"#/entities/{self._names[reference]}", **rest}
        if reference in way:
            reason = "it holds itself, and only an object with properties may"
            raise _Unresolved(reference, reason)
        target = self._resolved(self._target(reference), (*way, reference))
        if not rest:
            return target
        rest = _mapped(rest, lambda each: self._resolved(each, way))
        if is_object(target) and not rest.keys() & target.keys():
            return {**target, **rest}
        words = {"title", "description", "examples", "default", "deprecated"}
        if is_object(target) and rest.keys() <= words:
            return {**target, **rest}
        return {"allOf": [target], **rest}

    def _target(self, reference: str) -> Any:
        if not reference.startswith("#"):
            raise _Unresolved(reference, "nothing is read from elsewhere")
        base = max(
            (each for each in self._plain if f"{reference}/".startswith(f"{each}/")),
            key=len,
            default=None,
        )
        if base is None:
            raise _Unresolved(reference, "nothing stands there")
        target = self._plain[base]
        for step in reference[len(base) :].split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            if is_object(target) and name in target:
                target = target[name]
            elif is_list(target) and name.isdecimal() and int(name) < len(target):
                target = target[int(name)]
            else:
                raise _Unresolved(reference, "nothing stands there")
        return target


class _Unresolved(Exception):
    def __init__(self, reference: str, reason: str) -> None:
        super().__init__(reason)
        self.reference = reference
        self.reason = reason


def _is_entity(schema: Any) -> bool:
    return (
        is_object(schema)
        and is_object(schema.get("properties"))
        and bool(schema["properties"])
        and schema.get("type", "object") == "object"
        and not schema.keys() & (_NOT_OF_AN_ENTITY - {"type"})
    )


def _is_enum(schema: Any) -> bool:
    """Whether it is a closed list of texts, and nothing else."""
    return (
        is_object(schema)
        and schema.keys() <= {"type", "enum", "title", "description"}
        and schema.get("type") == "string"
        and is_list(schema.get("enum"))
        and all(isinstance(each, str) for each in schema["enum"])
    )


def _mapped(schema: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    """``schema`` with every schema in it changed."""
    made = dict(schema)
    for key, value in schema.items():
        if key in _MAPS and is_object(value):
            made[key] = {name: change(each) for name, each in value.items()}
        elif key in _LISTS and is_list(value):
            made[key] = [change(each) for each in value]
        elif key in (*_SCHEMAS, *_SCHEMAS_TOO):
            made[key] = change(value)
    return made


def schemas_at(root: MapNode, *path: str) -> dict[str, Node]:
    """The named schemas of the mapping at ``path``, by the reference that leads to each."""
    node: Node | None = root
    for step in path:
        node = node.get(step) if isinstance(node, MapNode) else None
    prefix = "/".join(("#", *path))
    if not isinstance(node, MapNode):
        return {}
    return {
        f"{prefix}/{each.key.text.replace('~', '~0').replace('/', '~1')}": each.value
        for each in node.entries
    }
