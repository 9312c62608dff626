"""Report the parts of a Python module that become no part of a spec."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from brimgen.diagnostics import Diagnostics, Span, did_you_mean
from brimgen.diagnostics.rules import (
    IMPORT_FUNCTION_NOT_IMPORTED,
    IMPORT_NOT_KEPT,
    IMPORT_SAME_NAME,
    PYTHON_NOT_IN_SPEC,
)
from brimgen.importers.python.places import Part, PythonPlaces
from brimgen.importers.python.types import last_name

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

    def module(self, module: ast.Module, silent: Collection[str]) -> None:
        """Report the functions, and the classes that are not at the top level of the file.

        ``silent`` are the functions that are not reported.
        """
        names: set[str] = set()
        for statement in module.body:
            if isinstance(statement, ast.ClassDef):
                if statement.name in names:
                    self._diagnostics.add(
                        IMPORT_SAME_NAME,
                        self.span(statement),
                        what="classes",
                        name=statement.name,
                    )
                names.add(statement.name)
            elif isinstance(statement, _FUNCTIONS):
                if statement.name not in silent:
                    self.function(statement)
            elif isinstance(statement, ast.Assign | ast.AnnAssign):
                self._report_class_call(statement)
            else:
                self._report_conditional(statement)

    def class_(self, node: ast.ClassDef) -> None:
        """Report the parts of an imported class besides its fields."""
        for base in node.bases:
            name = last_name(base.value if isinstance(base, ast.Subscript) else base)
            if name not in (*_SILENT_BASES, *_MIXED_IN) and base is not self._parent(
                node
            ):
                reason = "fields come from one class of the same file"
                self._not_kept(
                    base, f"the base class `{source_text(base)}`", node, reason
                )
        for decorator in () if self._is_input else node.decorator_list:
            if last_name(decorator) not in _SILENT_DECORATORS:
                reason = "decorators say nothing to a spec"
                self._not_kept(decorator, f"`@{source_text(decorator)}`", node, reason)
        for keyword in node.keywords:
            if keyword.arg not in _SILENT_KEYWORDS:
                subject = f"`{keyword.arg}={source_text(keyword.value)}`"
                self._not_kept(keyword.value, subject, node, "a spec does not say this")
        is_enum = not {last_name(base) for base in node.bases}.isdisjoint(ENUMS)
        for before, statement in zip([None, *node.body], node.body, strict=False):
            self._statement(statement, before, node, is_enum=is_enum)

    def descriptions(
        self, node: ast.ClassDef, described: Mapping[str, str], fields: Collection[str]
    ) -> None:
        """Report the descriptions of arguments that are no ``fields`` of a class."""
        for name in described:
            if name not in fields:
                self._diagnostics.add(
                    self._rule,
                    self._place_of(node, name),
                    what=f"the description of `{name}`",
                    name=node.name,
                    reason="the class has no such field",
                    suggestions=did_you_mean(name, fields),
                )

    def empty(self, node: ast.ClassDef) -> None:
        """Report an enum without a value that can be read."""
        self._not_kept(node, "the list of values", node, "it has no values")

    def field(self, node: ast.expr, subject: str, field: str, reason: str) -> None:
        """Report a part of a field that a spec cannot express."""
        self._diagnostics.add(
            self._rule, self.span(node), what=subject, name=field, reason=reason
        )

    def part(self, node: Part, subject: str, owner: str, reason: str) -> None:
        """Report a part of a function that its tool does not have."""
        self._diagnostics.add(
            IMPORT_NOT_KEPT, self.span(node), what=subject, name=owner, reason=reason
        )

    def _parent(self, node: ast.ClassDef) -> ast.expr | None:
        """The base whose fields are inherited."""
        return next(
            (base for base in node.bases if last_name(base) in self._classes), None
        )

    def _statement(
        self,
        statement: ast.stmt,
        before: ast.stmt | None,
        owner: ast.ClassDef,
        *,
        is_enum: bool,
    ) -> None:
        if isinstance(statement, _FUNCTIONS):
            is_named = (
                statement.name == "__post_init__" or not statement.name.startswith("_")
            )
            if is_named and not self._is_input:
                reason = "the code of methods is not read"
                self._not_kept(statement, f"`{statement.name}()`", owner, reason)
        elif isinstance(statement, ast.ClassDef):
            reason = "only classes of the file itself are read"
            self._not_kept(statement, f"class `{statement.name}`", owner, reason)
        elif isinstance(statement, ast.Assign):
            self._assigned(statement, owner, is_enum=is_enum)
        elif isinstance(statement, ast.AnnAssign):
            if is_enum:
                reason = "members have no annotation"
                self._not_kept(
                    statement, f"`{source_text(statement.target)}`", owner, reason
                )
        elif isinstance(statement, ast.Expr):
            if is_enum and isinstance(before, ast.Assign):
                reason = "values of a closed list have no text"
                self._not_kept(statement, "the text of a value", owner, reason)
        elif not isinstance(statement, ast.Pass):
            reason = "only fields are read"
            self._not_kept(statement, f"`{_first_line(statement)}`", owner, reason)

    def _assigned(
        self, statement: ast.Assign, owner: ast.ClassDef, *, is_enum: bool
    ) -> None:
        names = [
            target.id for target in statement.targets if isinstance(target, ast.Name)
        ]
        is_single = len(statement.targets) == 1 and bool(names)
        if is_single and (is_enum or names[0].startswith("_")):
            return
        if is_single and names[0] in (*DESCRIPTIONS, "model_config"):
            return
        reason = (
            "a member stands alone on its line"
            if is_enum
            else "a field needs an annotation"
        )
        self._not_kept(statement, f"`{_first_line(statement)}`", owner, reason)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Report a function that becomes no tool."""
        if not (node.name.startswith("_") or self._is_input):
            self._diagnostics.add(
                IMPORT_FUNCTION_NOT_IMPORTED, self.span(node), name=node.name
            )

    def _report_class_call(self, node: ast.Assign | ast.AnnAssign) -> None:
        """Report a class that a call makes."""
        value = node.value
        if isinstance(value, ast.Call) and last_name(value.func) in _MAKERS:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            self._diagnostics.add(
                self._rule,
                self.span(node),
                what="the class",
                name=source_text(target),
                reason="it is made by a call; write it as a class",
            )

    def _report_conditional(self, node: ast.stmt) -> None:
        """Report classes and functions below a condition, a ``try`` and their like."""
        if isinstance(node, ast.Expr | ast.Import | ast.ImportFrom):
            return
        for block in _blocks(node):
            if isinstance(block, ast.ClassDef):
                self._diagnostics.add(
                    self._rule,
                    self.span(block),
                    what="the class",
                    name=block.name,
                    reason="it stands below a condition",
                )
            elif isinstance(block, _FUNCTIONS):
                self.function(block)

    def _place_of(self, node: ast.ClassDef, name: str) -> Span:
        """The place of the description of an argument."""
        for child in ast.walk(node):
            if isinstance(child, ast.Dict):
                for key in child.keys:
                    if isinstance(key, ast.Constant) and key.value == name:
                        return self.span(key)
        return self.span(node)

    def _not_kept(
        self, node: ast.expr | ast.stmt, subject: str, owner: ast.ClassDef, reason: str
    ) -> None:
        self._diagnostics.add(
            self._rule, self.span(node), what=subject, name=owner.name, reason=reason
        )


def _blocks(node: ast.stmt) -> Iterator[ast.stmt]:
    """The classes and functions inside of a statement, not those inside of them."""
    waiting: list[ast.AST] = [node]
    while waiting:
        child = waiting.pop()
        if isinstance(child, (ast.ClassDef, *_FUNCTIONS)):
            yield child
        else:
            waiting += reversed([*ast.iter_child_nodes(child)])


def source_text(node: ast.AST) -> str:
    """The source of a node, cut where it is long."""
    text = ast.unparse(node)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _first_line(node: ast.stmt) -> str:
    return source_text(node).partition("\n")[0]
