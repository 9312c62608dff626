"""Infer the type and the nullability of operators: comparisons, sums, IN, rows and subqueries."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from sqlglot import exp

from brimgen.sql.inference.names import Names
from brimgen.sql.inference.scopes import Relation, Scope
from brimgen.sql.model import Base, ColumnType, Mistake
from brimgen.sql.rules.native_types import type_of
from brimgen.sql.truth import quantified
from brimgen.sql.values import Meaning, Nulls, Refused, Value, strict

_EQUALITIES = frozenset({"=", "<>", "<", ">", "<=", ">=", "<=>"})
_STANDARD = _EQUALITIES | {"+", "-", "*", "/", "||", "~~", "~~*", "->", "->>"}
"""The operators that extensions have for types of their own only, and for lists."""
_PATHS = (exp.JSONPath, exp.JSONPathRoot)


class Operators(Names, ABC):
    """Evaluates operators."""

    @abstractmethod
    def value(self, node: exp.Expr, scope: Scope) -> Value:
        """The value of an expression."""

    @abstractmethod
    def relation(self, query: exp.Expr, scope: Scope) -> Relation:
        """The rows that a query gives inside a scope."""

    @abstractmethod
    def opaque(self, node: exp.Expr, scope: Scope) -> Value:
        """The value of an expression that is not known."""

    def type_of(self, base: Base) -> ColumnType:
        """The type that expressions of a base have in the dialect."""
        return type_of(self.dialect, base)

    def values(self, nodes: Sequence[object], scope: Scope) -> list[Value]:
        """The values of several expressions."""
        return [self.value(node, scope) for node in nodes if isinstance(node, exp.Expr)]

    def read_binary(self, node: exp.Expr, symbol: str, scope: Scope) -> Value:
        left, right = node.this, node.expression
        _, over = quantified(right)
        if over is not None:
            return self._compare_quantified(node, symbol, over.unnest(), scope)
        if _row(left) is not None or _row(right) is not None:
            return self._compare_rows(node, left, right, scope)
        first = self.value(left, scope)
        if isinstance(right, _PATHS):
            second = Value(self.type_of(Base.TEXT), False, right)
        else:
            second = self.value(right, scope)
        return self.operator_value(node, symbol, (first, second))

    def operator_value(
        self, node: exp.Expr, symbol: str, values: tuple[Value, ...]
    ) -> Value:
        """The value of an operator with its operands."""
        meaning = self.rules.operator(symbol, values)
        if isinstance(meaning, Refused):
            if self._is_certain(symbol, values):
                self.report_refusal(meaning, node)
            return Value(None, None, node)
        self.type_open_values(values, meaning, compared=symbol in _EQUALITIES)
        if len(values) == 2 and symbol in _EQUALITIES:
            self._check_enum(values)
        nulls = tuple(value.nullable for value in values)
        nullable = strict(nulls)
        if meaning.nulls is Nulls.MAYBE:
            nullable = True
        elif meaning.nulls in (Nulls.LOOSE, Nulls.UNSURE) and nullable is not True:
            nullable = None
        if meaning.nulls is Nulls.UNSURE:
            nullable = None
        elif meaning.nulls is Nulls.LOOSE and symbol == "||":
            nullable = False if not any(n is not False for n in nulls) else None
        return Value(meaning.type, nullable, node)

    def _is_certain(self, symbol: str, values: tuple[Value, ...]) -> bool:
        """Whether no extension, and nothing in the schema, brings an operator that is missing."""
        bases = {value.type.base for value in values if value.type is not None}
        if self.schema.converts or symbol not in _STANDARD:
            return False
        return Base.OTHER not in bases and (
            symbol in _EQUALITIES or Base.LIST not in bases
        )

    def converts(self, value: Value, target: ColumnType, kinds: str = "iae") -> bool:
        """Whether a value is cast to a type, perhaps by a cast of the schema's own."""
        return self.schema.converts or self.rules.casts(value, target) in [*kinds]

    def _check_enum(self, values: tuple[Value, ...]) -> None:
        """Check a text that is compared with an enum, where the operator takes texts, too."""
        for one, other in (values, values[::-1]):
            if one.type is not None and one.type.labels and other.node.is_string:
                self.use(other, one.type, origin=one.origin)

    def type_open_values(
        self, values: Sequence[Value], meaning: Meaning, *, compared: bool = False
    ) -> None:
        """Open operands become of the types that an operator or a function takes."""
        types = (*meaning.arguments, *[None] * len(values))
        for at, (value, type) in enumerate(zip(values, types, strict=False)):
            if value.open:
                other = values[1 - at] if compared and len(values) == 2 else None
                operand_type = other.type if other and other.origin and type else type
                self.use(value, operand_type, origin=other.origin if other else None)

    def read_unary(self, node: exp.Expr, scope: Scope) -> Value:
        value = self.value(node.this, scope)
        symbol = "-" if isinstance(node, exp.Neg) else "~"
        if self.dialect != "postgres" and symbol == "~":
            symbol = "bits"
        if isinstance(node.this, exp.Literal):
            return value._replace(node=node)
        return self.operator_value(node, symbol, (value,))

    def read_logical(self, node: exp.Expr, scope: Scope) -> Value:
        parts = self.values([node.this, node.args.get("expression")], scope)
        boolean = self.type_of(Base.BOOL)
        for part in parts:
            if part.open:
                self.use(part, boolean)
            elif (
                self.dialect == "postgres"
                and part.type is not None
                and part.type.base not in (Base.BOOL, Base.OTHER)
            ):
                self.report(
                    Mistake.NOT_BOOLEAN,
                    part.node,
                    f"{node.key.upper()} takes conditions, and this is of the type"
                    f" {part.type.native}",
                )
        return Value(boolean, strict(part.nullable for part in parts), node)

    def read_is(self, node: exp.Expr, scope: Scope) -> Value:
        value = self.value(node.this, scope)
        tested = node.expression
        if isinstance(tested, exp.Null):
            if value.is_parameter:
                self.use(value, None, nullable=True)
        elif isinstance(tested, exp.Boolean):
            self.use(value, self.type_of(Base.BOOL))
        else:
            self.value(tested, scope)
        return Value(self.type_of(Base.BOOL), False, node)

    def read_null_safe(self, node: exp.Expr, scope: Scope) -> Value:
        values = (self.value(node.this, scope), self.value(node.expression, scope))
        comparison = self.operator_value(node, "=", values)
        for value in values:
            if value.is_parameter:
                self.use(value, None, nullable=True)
        return comparison._replace(type=self.type_of(Base.BOOL), nullable=False)

    def read_between(self, node: exp.Expr, scope: Scope) -> Value:
        this = self.value(node.this, scope)
        nullable = [this.nullable]
        for key, symbol in (("low", ">="), ("high", "<=")):
            bound = self.value(node.args[key], scope)
            self.operator_value(node, symbol, (this, bound))
            nullable.append(bound.nullable)
        return Value(self.type_of(Base.BOOL), strict(nullable), node)

    def read_escape(self, node: exp.Expr, scope: Scope) -> Value:
        return self.value(node.this, scope)._replace(node=node)

    def read_in(self, node: exp.Expr, scope: Scope) -> Value:
        boolean = self.type_of(Base.BOOL)
        query, one = node.args.get("query"), node.args.get("field")
        if _row(node.this) is not None:
            for row in (query,) if isinstance(query, exp.Expr) else node.expressions:
                self._compare_rows(node, node.this, row, scope)
            return Value(boolean, None, node)
        this = self.value(node.this, scope)
        nullable = [this.nullable]
        if isinstance(query, exp.Expr):
            column = self._single_column(query, scope)
            if column is not None:
                self.operator_value(node, "=", (this, column))
            nullable.append(column.nullable if column else None)
        elif isinstance(one, exp.Placeholder):
            nullable.append(None)
            self._list_parameter(self.value(one, scope), this)
        else:
            listed = [
                expression
                for expression in node.expressions
                if isinstance(expression, exp.Expr)
            ]
            if len(listed) == 1 and isinstance(listed[0], exp.Placeholder):
                self._list_parameter(self.value(listed[0], scope), this)
                return Value(boolean, strict((this.nullable, None)), node)
            for item in listed:
                value = self.value(item, scope)
                self.operator_value(node, "=", (this, value))
                nullable.append(value.nullable)
        return Value(boolean, strict(nullable), node)

    def _list_parameter(self, parameter: Value, item: Value) -> None:
        """A parameter that stands for all items of IN or ANY."""
        self.use(parameter, item.type, origin=item.origin, is_list=True)

    def _compare_quantified(
        self, node: exp.Expr, symbol: str, inner: exp.Expr, scope: Scope
    ) -> Value:
        if _row(node.this) is not None:
            compared = self._compare_rows(node, node.this, inner, scope)
            return compared._replace(nullable=None)
        left = self.value(node.this, scope)
        if isinstance(inner, (exp.Query, exp.Subquery)):
            operand = self._single_column(inner, scope)
            if operand is not None:
                self.operator_value(node, symbol, (left, operand))
        elif isinstance(inner, exp.Placeholder):
            self._list_parameter(self.value(inner, scope), left)
        else:
            operand = self.value(inner, scope)
            if operand.type is not None and not operand.open:
                self._compare_items(node, symbol, left, operand)
        return Value(self.type_of(Base.BOOL), None, node)

    def _compare_items(
        self, node: exp.Expr, symbol: str, left: Value, listed: Value
    ) -> None:
        """Compare a value with the items of a list, as ANY and ALL do."""
        if listed.type is None or listed.type.base is Base.OTHER:
            return
        if listed.type.base is not Base.LIST:
            if self.dialect == "postgres":
                text = f"ANY and ALL take a list, and this is of the type {listed.type.native}"
                self.report(Mistake.MISMATCHED_TYPES, listed.node, text)
        elif listed.type.item is not None:
            item = Value(listed.type.item, None, listed.node)
            self.operator_value(node, symbol, (left, item))

    def _single_column(self, query: exp.Expr, scope: Scope) -> Value | None:
        """The values of a subquery with one column; None where its columns are not sure."""
        return self._column_value(query, self.relation(query, scope))

    def _column_value(self, query: exp.Expr, relation: Relation) -> Value | None:
        if relation.columns is None:
            return None
        if len(relation.columns) != 1:
            self.report(
                Mistake.COLUMN_COUNT,
                query,
                f"a subquery has one column here, and this one has {len(relation.columns)}",
            )
            return None
        column = relation.columns[0]
        return Value(column.type, column.nullable, query, False, column.origin)

    def read_subquery(self, node: exp.Expr, scope: Scope) -> Value:
        relation = self.relation(node, scope)
        column = self._column_value(node, relation)
        if column is None:
            return Value(None, None, node)
        nullable = column.nullable if relation.at_least_one else True
        return Value(column.type, nullable, node)

    def read_exists(self, node: exp.Expr, scope: Scope) -> Value:
        self.relation(node.this, scope)
        return Value(self.type_of(Base.BOOL), False, node)

    def _compare_rows(
        self, node: exp.Expr, one: exp.Expr, other: exp.Expr, scope: Scope
    ) -> Value:
        """A comparison of two rows, column by column."""
        boolean = self.type_of(Base.BOOL)
        left, right = self._row_values(one, scope), self._row_values(other, scope)
        if left is None or right is None:
            return Value(boolean, None, node)
        if len(left) != len(right):
            self.report(
                Mistake.COLUMN_COUNT,
                node,
                f"rows of {len(left)} and of {len(right)} columns are compared",
            )
            return Value(boolean, None, node)
        nullables = [
            self.operator_value(node, "=", columns).nullable
            for columns in zip(left, right, strict=True)
        ]
        return Value(boolean, strict(nullables), node)

    def _row_values(self, node: exp.Expr, scope: Scope) -> list[Value] | None:
        """The values of a row, or of the columns of a query; None where they are not sure."""
        row = _row(node)
        if row is not None:
            return self.values(row, scope)
        if not isinstance(node.unnest(), exp.Query):
            self.value(node, scope)
            return None
        columns = self.relation(node.unnest(), scope).columns
        if columns is None:
            return None
        return [
            Value(column.type, None, node, column.open, column.origin)
            for column in columns
        ]


def _row(node: exp.Expr) -> list[exp.Expr] | None:
    """What a row is written of, ``(a, b)`` or ``ROW(a, b)``; None where it is no row."""
    is_call = isinstance(node, exp.Anonymous) and str(node.this).upper() == "ROW"
    return node.expressions if is_call or isinstance(node, exp.Tuple) else None
