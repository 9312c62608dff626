"""Import the body of a Python class as fields of a spec."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import IMPORT_UNKNOWN_PYTHON
from brimgen.importers.python.places import Part, PythonPlaces
from brimgen.importers.python.types import (
    Field,
    NotUnderstood,
    Scope,
    constant,
    last_name,
    read_type,
)
from brimgen.importers.python.unmapped import (
    DESCRIPTIONS,
    LONGEST_SHOWN,
    LeftOut,
    source_text,
)
from brimgen.model.json import Json

__all__ = ["Reader", "last_name"]

_SILENT_OPTIONS = ("repr", "hash", "compare", "kw_only", "doc")
"""Options of `dataclasses.field` that do not affect a spec."""
_FACTORIES: Mapping[str, Json] = {"list": [], "dict": {}}


class Reader:
    """Reads classes of one file; reports what it does not understand."""

    def __init__(
        self,
        places: PythonPlaces,
        classes: Collection[str],
        diagnostics: Diagnostics,
        *,
        aliases: Mapping[str, ast.expr] = MappingProxyType({}),
        is_input: bool = False,
    ) -> None:
        self.classes = classes
        self.scope = Scope(classes, aliases)
        self.enums: dict[str, Mapping[str, Json]] = {}
        self.places = places
        self.left_out = LeftOut(places, classes, diagnostics, is_input=is_input)
        self._diagnostics = diagnostics

    def span(self, node: Part) -> Span:
        """The place of a node; columns count characters."""
        return self.places.span(node)

    def members(self, node: ast.ClassDef) -> dict[str, Json] | None:
        """The values of an enum by name; None where one is no text or number."""
        values: dict[str, Json] = {}
        for statement in node.body:
            if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
                continue
            target = statement.targets[0]
            if not isinstance(target, ast.Name) or target.id.startswith("_"):
                continue
            member = constant(statement.value)
            if last_name(statement.value) == "auto":
                member = (target.id.lower() if _is_text(node) else len(values) + 1,)
            value = member[0] if member else None
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                self.not_understood("a value", node.name, statement.value)
                return None
            values[target.id] = value
        return values

    def texts(
        self, node: ast.ClassDef, names: Sequence[str]
    ) -> Mapping[str, str] | None:
        """The mapping of texts that a class has under one of ``names``, or None."""
        for statement in node.body:
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            if isinstance(statement, ast.AnnAssign):
                targets = [statement.target]
            if any(
                isinstance(target, ast.Name) and target.id in names
                for target in targets
            ):
                value = getattr(statement, "value", None)
                constants = constant(value) if isinstance(value, ast.expr) else ()
                if constants and isinstance(constants[0], Mapping):
                    return {str(key): str(text) for key, text in constants[0].items()}
                if isinstance(value, ast.expr):
                    self.not_understood("the mapping of descriptions", node.name, value)
        return None

    def fields(
        self, node: ast.ClassDef, described: Mapping[str, str]
    ) -> dict[str, Field] | None:
        """The fields by name, or None where one is not understood."""
        fields: dict[str, Field] = {}
        is_partial = any(
            keyword.arg == "total" and constant(keyword.value) == (False,)
            for keyword in node.keywords
        )
        is_typed_dict = "TypedDict" in {last_name(base) for base in node.bases}
        sound = True
        for statement, text in _documented_names(node.body):
            if not isinstance(statement.target, ast.Name) or _is_class_variable(
                statement
            ):
                continue
            name = statement.target.id
            if name in DESCRIPTIONS:
                continue
            field = self._field(statement, node.name)
            if field is None:
                sound = False
                continue
            self.ignored(field, name)
            if is_typed_dict and is_partial and field.required is None:
                field.required = False
            field.description = self._description(
                statement.target, [field.description, described.get(name), text]
            )
            fields[name] = field
        return fields if sound else None

    def _description(self, node: ast.Name, texts: Sequence[str | None]) -> str | None:
        """Return the first of the texts that describe a field; report the others."""
        descriptions = [text for text in texts if text]
        for description in descriptions[1:]:
            if description != descriptions[0]:
                subject = f"the description {description[:LONGEST_SHOWN]!r}"
                self.left_out.field(node, subject, node.id, "it has another one")
        return descriptions[0] if descriptions else None

    def _field(self, node: ast.AnnAssign, owner: str) -> Field | None:
        try:
            field = read_type(node.annotation, self.scope)
        except NotUnderstood as problem:
            self.not_understood("the type", owner, problem.node)
            return None
        if node.value is None:
            return field
        if isinstance(node.value, ast.Call) and last_name(node.value) == "field":
            is_understood = self._take_options(node.value, field)
        elif isinstance(node.value, ast.Call) and last_name(node.value) == "Field":
            field.take_options(node.value)
            is_understood = True
        else:
            field.default = self.value(node.value)
            is_understood = bool(field.default)
        if not is_understood:
            self.not_understood("the default", owner, node.value)
            return None
        return field

    def _take_options(self, call: ast.Call, field: Field) -> bool:
        """Read the options of ``dataclasses.field``; return whether all are understood."""
        for keyword in call.keywords:
            if keyword.arg == "default":
                field.default = self.value(keyword.value)
            elif keyword.arg == "default_factory":
                factory = keyword.value
                name = last_name(factory) or ""
                if isinstance(factory, ast.Lambda):
                    field.default = self.value(factory.body)
                elif name in _FACTORIES:
                    field.default = (_FACTORIES[name],)
            elif keyword.arg == "metadata":
                self._take_metadata(keyword.value, field)
            elif keyword.arg not in _SILENT_OPTIONS:
                field.ignored.append(keyword.value)
            if keyword.arg in ("default", "default_factory") and not field.default:
                return False
        return True

    @staticmethod
    def _take_metadata(node: ast.expr, field: Field) -> None:
        """Read the description; mark all other metadata as ignored."""
        metadata = constant(node)
        if not (metadata and isinstance(metadata[0], Mapping)):
            field.ignored.append(node)
            return
        for key, value in metadata[0].items():
            if key == "description" and isinstance(value, str):
                field.description = field.description or value
            else:
                field.ignored.append(node)

    def value(self, node: ast.expr) -> tuple[Json, ...]:
        """The value of a constant, or of a member of an enum of this file; empty if neither."""
        if isinstance(node, ast.Attribute):
            members = self.enums.get(last_name(node.value) or "", {})
            return (members[node.attr],) if node.attr in members else ()
        return constant(node)

    def ignored(self, field: Field, name: str) -> None:
        """Report the parts of the annotation of ``name`` that a spec cannot express."""
        for lost in field.ignored:
            subject = f"`{source_text(lost)}`"
            self.left_out.field(lost, subject, name, "a spec does not say this")

    def not_understood(self, subject: str, owner: str, node: Part) -> None:
        """Report a part of ``owner`` without a counterpart in a spec."""
        span, text = self.span(node), source_text(node)
        self._diagnostics.add(
            IMPORT_UNKNOWN_PYTHON, span, what=subject, owner=owner, text=text
        )


def is_described(node: ast.ClassDef) -> bool:
    """Whether a class has a mapping of descriptions."""
    return any(
        last_name(target) in DESCRIPTIONS
        for statement in node.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for target in getattr(
            statement, "targets", [getattr(statement, "target", None)]
        )
    )


def annotated_names(node: ast.ClassDef) -> list[str]:
    """The names that a class annotates."""
    statements = (
        statement for statement in node.body if isinstance(statement, ast.AnnAssign)
    )
    return [
        statement.target.id
        for statement in statements
        if isinstance(statement.target, ast.Name)
    ]


def _documented_names(
    body: Sequence[ast.stmt],
) -> Iterator[tuple[ast.AnnAssign, str | None]]:
    """The annotated names, each with the string below it."""
    for statement, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(statement, ast.AnnAssign):
            text = None
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                documented = after.value.value
                text = documented.strip() if isinstance(documented, str) else None
            yield statement, text


def _is_class_variable(node: ast.AnnAssign) -> bool:
    annotation = node.annotation
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    return last_name(annotation) == "ClassVar"


def _is_text(node: ast.ClassDef) -> bool:
    bases = {last_name(base) for base in node.bases}
    return "StrEnum" in bases
