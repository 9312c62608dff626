"""Read the fields of Python classes; report the parts of a module that become no part of a spec."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics, Rule, Span, did_you_mean
from brimgen.diagnostics.rules import (
    IMPORT_FUNCTION_NOT_IMPORTED,
    IMPORT_NOT_KEPT,
    IMPORT_SAME_NAME,
    IMPORT_UNKNOWN_PYTHON,
    PYTHON_NOT_IN_SPEC,
)
from brimgen.importers.python.types import (
    Field,
    NotUnderstood,
    Scope,
    constant,
    last_name,
    read_type,
)
from brimgen.model.json import Json

Part: TypeAlias = ast.expr | ast.stmt | ast.arg


class PythonPlaces:
    """The places of the nodes of one file; columns count characters."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self._lines = text.split("\n")

    def span(self, node: Part) -> Span:
        """The place of a node; of one on several lines, its first character."""
        line, column = node.lineno, self._column(node.lineno, node.col_offset)
        is_block = isinstance(
            node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        )
        end = node.end_col_offset
        if is_block or node.end_lineno != line or end is None:
            return Span(self.name, line, column, line, column + 1)
        return Span(self.name, line, column, line, self._column(line, end))

    def name_of(self, node: ast.ClassDef) -> Span:
        """The place of the name of a class."""
        start = self._column(node.lineno, node.col_offset) - 1
        index = self._line(node.lineno).find(node.name, start + len("class "))
        if index < 0:
            return self.span(node)
        end = index + len(node.name)
        return Span(self.name, node.lineno, index + 1, node.lineno, end + 1)

    def _column(self, line: int, offset: int) -> int:
        """The column, from 1, of an offset in the UTF-8 bytes of a line."""
        before = self._line(line).encode("utf-8", "surrogatepass")[:offset]
        return len(before.decode("utf-8", "surrogatepass")) + 1

    def _line(self, number: int) -> str:
        return self._lines[number - 1] if number <= len(self._lines) else ""


ENUMS = ("Enum", "StrEnum", "IntEnum")
DESCRIPTIONS = ("param_descriptions", "paramDescriptions")
TOOL = "ToolInput"

LONGEST_SHOWN = 60
"""How many characters of a source text a message shows."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SILENT_BASES = (
    *ENUMS,
    TOOL,
    "TypedDict",
    "BaseModel",
    "object",
    "Generic",
    "Protocol",
    "ABC",
)
_MIXED_IN = ("str", "int", "float", "ReprEnum")
_SILENT_DECORATORS = ("dataclass", "final", "unique", "verify", "total_ordering")
_SILENT_KEYWORDS = ("total", "metaclass")
_MAKERS = (
    *ENUMS,
    *("TypedDict", "NamedTuple", "namedtuple", "make_dataclass", "create_model"),
    *("Flag", "IntFlag"),
)


class LeftOut:
    """Reports the parts of one file that are left out.

    Where the file is an input of each build (``is_input``), a part that a spec cannot express is an
    error, and code (functions, methods, decorators) is not reported.
    """

    def __init__(
        self,
        places: PythonPlaces,
        classes: Collection[str],
        diagnostics: Diagnostics,
        *,
        is_input: bool,
    ) -> None:
        self.span = places.span
        self._classes = classes
        self._diagnostics = diagnostics
        self._is_input = is_input
        self._rule = PYTHON_NOT_IN_SPEC if is_input else IMPORT_NOT_KEPT

    def report(
        self,
        node: Part,
        subject: str,
        owner: str,
        reason: str,
        suggestions: Sequence[str] = (),
        rule: Rule | None = None,
    ) -> None:
        """Report a part of ``owner`` that a spec cannot express, or does not have."""
        self._diagnostics.add(
            rule or self._rule,
            self.span(node),
            what=subject,
            name=owner,
            reason=reason,
            suggestions=suggestions,
        )

    def module(self, module: ast.Module, silent: Collection[str]) -> None:
        """Report the functions, and the classes that are not at the top level of the file.

        ``silent`` are the functions that are not reported.
        """
        names: set[str] = set()
        for statement in module.body:
            match statement:
                case ast.ClassDef(name=name):
                    if name in names:
                        self._diagnostics.add(
                            IMPORT_SAME_NAME,
                            self.span(statement),
                            what="classes",
                            name=name,
                        )
                    names.add(name)
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    if name not in silent:
                        self.function(statement)
                case ast.Assign(
                    targets=[target, *_], value=ast.Call() as call
                ) | ast.AnnAssign(target=target, value=ast.Call() as call):
                    if last_name(call.func) in _MAKERS:
                        reason = "it is made by a call; write it as a class"
                        name = source_text(target)
                        self.report(statement, "the class", name, reason)
                case ast.Assign() | ast.AnnAssign() | ast.Expr():
                    pass
                case _:
                    self._report_conditional(statement)

    def class_(self, node: ast.ClassDef) -> None:
        """Report the parts of an imported class besides its fields."""
        bases = [last_name(base) for base in node.bases]
        parent = next((each for each in bases if each in self._classes), "")
        for base in node.bases:
            name = last_name(base.value if isinstance(base, ast.Subscript) else base)
            if name not in (*_SILENT_BASES, *_MIXED_IN, parent):
                subject = f"the base class `{source_text(base)}`"
                reason = "fields come from one class of the same file"
                self.report(base, subject, node.name, reason)
        for decorator in () if self._is_input else node.decorator_list:
            if last_name(decorator) not in _SILENT_DECORATORS:
                subject = f"`@{source_text(decorator)}`"
                reason = "decorators say nothing to a spec"
                self.report(decorator, subject, node.name, reason)
        for keyword in node.keywords:
            if keyword.arg not in _SILENT_KEYWORDS:
                subject = f"`{keyword.arg}={source_text(keyword.value)}`"
                reason = "a spec does not say this"
                self.report(keyword.value, subject, node.name, reason)
        is_enum = not {*bases}.isdisjoint(ENUMS)
        for before, statement in zip([None, *node.body], node.body, strict=False):
            lost = self._lost(statement, before, is_enum=is_enum)
            if lost is not None:
                self.report(statement, lost[0], node.name, lost[1])

    def descriptions(
        self, node: ast.ClassDef, described: Mapping[str, str], fields: Collection[str]
    ) -> None:
        """Report the descriptions of arguments that are no ``fields`` of a class."""
        for name in described:
            if name not in fields:
                places = [key for key, _ in described_in(node, name)]
                subject = f"the description of `{name}`"
                reason = "the class has no such field"
                near = did_you_mean(name, fields)
                place: Part = places[0] if places else node
                self.report(place, subject, node.name, reason, near)

    def _lost(
        self, statement: ast.stmt, before: ast.stmt | None, *, is_enum: bool
    ) -> tuple[str, str] | None:
        """Return which part of a class a statement is that is left out, and why; or None."""
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                is_private = name.startswith("_") and name != "__post_init__"
                if not (is_private or self._is_input):
                    return f"`{name}()`", "the code of methods is not read"
            case ast.ClassDef(name=name):
                return f"class `{name}`", "only classes of the file itself are read"
            case ast.Assign(targets=[ast.Name(id=name)]) if (
                is_enum or name[0] == "_" or name in (*DESCRIPTIONS, "model_config")
            ):
                pass
            case ast.Assign() if is_enum:
                reason = "a member stands alone on its line"
                return f"`{_first_line(statement)}`", reason
            case ast.Assign():
                return f"`{_first_line(statement)}`", "a field needs an annotation"
            case ast.AnnAssign(target=target):
                if is_enum:
                    return f"`{source_text(target)}`", "members have no annotation"
            case ast.Expr():
                if is_enum and isinstance(before, ast.Assign):
                    return "the text of a value", "values of a closed list have no text"
            case ast.Pass():
                pass
            case _:
                return f"`{_first_line(statement)}`", "only fields are read"
        return None

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Report a function that becomes no tool."""
        if not (node.name.startswith("_") or self._is_input):
            self._diagnostics.add(
                IMPORT_FUNCTION_NOT_IMPORTED, self.span(node), name=node.name
            )

    def _report_conditional(self, node: ast.stmt) -> None:
        """Report classes and functions below a condition, a ``try`` and their like."""
        waiting: list[ast.AST] = [node]
        while waiting:
            child = waiting.pop()
            if isinstance(child, ast.ClassDef):
                reason = "it stands below a condition"
                self.report(child, "the class", child.name, reason)
            elif isinstance(child, _FUNCTIONS):
                self.function(child)
            else:
                waiting += reversed([*ast.iter_child_nodes(child)])


def source_text(node: ast.AST) -> str:
    """The source of a node, cut where it is long."""
    text = ast.unparse(node)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _first_line(node: ast.stmt) -> str:
    return source_text(node).partition("\n")[0]


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

    def texts(self, node: ast.ClassDef) -> Mapping[str, str]:
        """The texts that describe the fields of a class, by their names."""
        for value in descriptions_of(node):
            constants = () if value is None else constant(value)
            if constants and isinstance(constants[0], Mapping):
                return {str(key): str(text) for key, text in constants[0].items()}
            if value is not None:
                self.not_understood("the mapping of descriptions", node.name, value)
        return {}

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
                self.left_out.report(node, subject, node.id, "it has another one")
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
            self.left_out.report(lost, subject, name, "a spec does not say this")

    def not_understood(self, subject: str, owner: str, node: Part) -> None:
        """Report a part of ``owner`` without a counterpart in a spec."""
        span, text = self.span(node), source_text(node)
        self._diagnostics.add(
            IMPORT_UNKNOWN_PYTHON, span, what=subject, owner=owner, text=text
        )


def descriptions_of(node: ast.ClassDef) -> Iterator[ast.expr | None]:
    """Yield what a class has under `DESCRIPTIONS`."""
    for statement in node.body:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name), *_], value=value
            ) | ast.AnnAssign(target=ast.Name(id=name), value=value) if (
                name in DESCRIPTIONS
            ):
                yield value
            case _:
                pass


def described_in(node: ast.ClassDef, name: str) -> list[tuple[ast.expr, ast.expr]]:
    """The keys and texts that a class has for the field ``name`` under `DESCRIPTIONS`."""
    return [
        (key, text)
        for value in descriptions_of(node)
        if isinstance(value, ast.Dict)
        for key, text in zip(value.keys, value.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == name
    ]


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
