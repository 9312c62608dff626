"""Infer the type and the nullability of expressions, by the classes of sqlglot's tree."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from sqlglot import exp

from brimgen.sql.inference.operators import Operators
from brimgen.sql.inference.scopes import Scope
from brimgen.sql.model import Base, ColumnType, Mistake
from brimgen.sql.rules.native_types import column_type, list_of, type_of
from brimgen.sql.values import Refused, Value, all_of, strict

_BINARY: Mapping[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.IntDiv: "//",
    exp.Mod: "%",
    exp.Pow: "^",
    exp.DPipe: "||",
    exp.BitwiseAnd: "&",
    exp.BitwiseOr: "|",
    exp.BitwiseXor: "#",
    exp.BitwiseLeftShift: "<<",
    exp.BitwiseRightShift: ">>",
    exp.Like: "~~",
    exp.ILike: "~~*",
    exp.RegexpLike: "~",
    exp.RegexpILike: "~*",
    exp.SimilarTo: "~",
    exp.Glob: "~~",
    exp.JSONExtract: "->",
    exp.JSONExtractScalar: "->>",
    exp.JSONBExtract: "#>",
    exp.JSONBExtractScalar: "#>>",
    exp.JSONBContains: "?",
    # Releases of sqlglot 30 differ in what they call this one.
    getattr(exp, "JSONBContainsTopKey", exp.JSONBContains): "?",
    exp.JSONBContainsAnyTopKeys: "?|",
    exp.JSONBContainsAllTopKeys: "?&",
    exp.ArrayContainsAll: "@>",
    exp.ArrayContainedBy: "<@",
    exp.ArrayOverlaps: "&&",
}
_CURRENT: Mapping[type[exp.Expr], Base] = {
    exp.CurrentDate: Base.DATE,
    exp.CurrentUser: Base.TEXT,
    exp.SessionUser: Base.TEXT,
}
_CURRENT_MOMENTS = (
    exp.CurrentTimestamp,
    exp.CurrentTime,
    exp.Localtime,
    exp.Localtimestamp,
    exp.CurrentDatetime,
)


class Expressions(Operators):
    """Evaluates expressions in scopes."""

    @abstractmethod
    def call(self, node: exp.Expr, scope: Scope) -> Value:
        """The value of a call of a function."""

    def value(self, node: exp.Expr, scope: Scope) -> Value:
        """The value of an expression."""
        symbol = _BINARY.get(type(node))
        if symbol is not None:
            return self.read_binary(node, symbol, scope)
        method = _METHODS.get(type(node))
        if method is not None:
            return method(self, node, scope)
        base = _CURRENT.get(type(node))
        if base is not None:
            return Value(type_of(self.dialect, base), False, node)
        if isinstance(node, _CURRENT_MOMENTS):
            return Value(self.moment(node), False, node)
        if isinstance(
            node, (exp.Func, exp.Window, exp.Filter, exp.WithinGroup, exp.IgnoreNulls)
        ):
            return self.call(node, scope)
        return self.opaque(node, scope)

    def condition(self, node: exp.Expr | None, scope: Scope, where: str) -> None:
        """Read a condition; PostgreSQL takes nothing but a boolean."""
        if node is None:
            return
        was, scope.clause = scope.clause, where
        value = self.value(node, scope)
        scope.clause = was
        self.use(value, self.type_of(Base.BOOL))
        if self.dialect != "postgres" or value.type is None or value.open:
            return
        if value.type.base is not Base.BOOL:
            text = f"{where} takes a condition, and this is of the type {value.type.native}"
            self.report(Mistake.NOT_BOOLEAN, node, text)

    def opaque(self, node: exp.Expr, scope: Scope) -> Value:
        """An expression that is not known: its parts are read, for what they say of parameters."""
        self.is_quiet += 1
        for part in node.iter_expressions():
            if isinstance(part, exp.Query):
                self.relation(part, scope)
            elif isinstance(part, exp.Condition):
                self.value(part, scope)
        self.is_quiet -= 1
        return Value(None, None, node)

    def read_tuple(self, node: exp.Expr, scope: Scope) -> Value:
        self.values(node.expressions, scope)
        return Value(None, None, node)

    def moment(self, node: exp.Expr) -> ColumnType | None:
        """The type of a clock."""
        if self.dialect == "sqlite":
            is_time = isinstance(node, exp.CurrentTime)
            return self.type_of(Base.TEXT if is_time else Base.DATETIME)
        if isinstance(node, exp.CurrentTimestamp):
            return self.type_of(
                Base.DATETIME if self.dialect == "mysql" else Base.INSTANT
            )
        if isinstance(node, exp.Localtimestamp):
            return self.type_of(Base.DATETIME)
        names = {"postgres": "time with time zone", "mysql": "time"}
        if isinstance(node, exp.CurrentTime) and self.dialect in names:
            return column_type(self.dialect, names[self.dialect])
        return None

    # Literals, names and brackets

    def read_literal(self, node: exp.Expr, scope: Scope) -> Value:
        if node.is_string:
            opens = self.rules.strings_are_open
            return Value(self.type_of(Base.TEXT), False, node, open=opens)
        return Value(self._number(node.name), False, node)

    def _number(self, text: str) -> ColumnType:
        if "e" in text.lower() and self.dialect != "postgres":
            return self.type_of(Base.FLOAT8)
        if "." in text or "e" in text.lower():
            exact = self.dialect != "sqlite"
            return self.type_of(Base.DECIMAL if exact else Base.FLOAT8)
        digits = text.replace("_", "")
        number = int(digits) if digits.isdigit() else 0
        if number < 2**31:
            return self.type_of(Base.INT4 if self.dialect != "sqlite" else Base.INT8)
        return self.type_of(Base.INT8 if number < 2**63 else Base.DECIMAL)

    def read_boolean(self, node: exp.Expr, scope: Scope) -> Value:
        return Value(self.type_of(Base.BOOL), False, node)

    def read_null(self, node: exp.Expr, scope: Scope) -> Value:
        return Value(None, True, node, open=True)

    def read_parameter(self, node: exp.Expr, scope: Scope) -> Value:
        return Value(None, None, node, open=True)

    def read_paren(self, node: exp.Expr, scope: Scope) -> Value:
        return self.value(node.this, scope)._replace(node=node)

    def read_bytes(self, node: exp.Expr, scope: Scope) -> Value:
        if self.dialect == "postgres" or isinstance(node, exp.BitString):
            return Value(None, False, node)
        return Value(self.type_of(Base.BYTES), False, node)

    def read_column(self, node: exp.Expr, scope: Scope) -> Value:
        return self.column(cast("exp.Column", node), scope)

    # Lists

    def read_array(self, node: exp.Expr, scope: Scope) -> Value:
        if len(node.expressions) == 1 and isinstance(node.expressions[0], exp.Query):
            relation = self.relation(node.expressions[0], scope)
            columns = relation.columns or ()
            item = columns[0].type if len(columns) == 1 else None
            may_be_null = len(columns) != 1 or columns[0].nullable is not False
        else:
            items = self.values(node.expressions, scope)
            item = self.common_type(items, node, "ARRAY") if items else None
            may_be_null = any(value.nullable is not False for value in items)
        if item is None or may_be_null:  # no type of a spec has items that are null
            return Value(None, False, node)
        return Value(list_of(self.dialect, item), False, node)

    def read_bracket(self, node: exp.Expr, scope: Scope) -> Value:
        inner, subscripts = node.this, [*node.expressions]
        while self.dialect == "postgres" and isinstance(inner, exp.Bracket):
            inner, subscripts = inner.this, [*inner.expressions, *subscripts]
        this = self.value(inner, scope)
        values = self.values(subscripts, scope)
        if this.type is None or this.type.base is not Base.LIST:
            self._check_subscript(this, node)
            return Value(None, None, node)
        for subscript in values:
            self.use(subscript, self.type_of(Base.INT4))
        if any(isinstance(part, exp.Slice) for part in subscripts):
            return Value(this.type, this.nullable, node)
        is_item = len(subscripts) == 1 or self.dialect == "postgres"
        return Value(this.type.item if is_item else None, True, node)

    def _check_subscript(self, this: Value, node: exp.Expr) -> None:
        takes = (Base.JSON, Base.OTHER, Base.LIST)
        if self.dialect != "postgres" or this.type is None or this.type.base in takes:
            return
        self.report(
            Mistake.MISMATCHED_TYPES,
            node,
            f"{this.type.native} has no items to name by number",
        )

    # Choices

    def common_type(
        self, values: Sequence[Value], node: exp.Expr, construct: str
    ) -> ColumnType | None:
        """The type that values have together; open ones become of it."""
        common = self.rules.common(values)
        if isinstance(common, Refused):
            if self.schema.converts:
                return None
            text = f"{common.text} in {construct}"
            self.report_refusal(common._replace(text=text), node)
            return None
        for value in values:
            if value.open:
                self.use(value, common)
        return common

    def read_case(self, node: exp.Expr, scope: Scope) -> Value:
        subject = self.value(node.this, scope) if node.this is not None else None
        results: list[Value] = []
        passed: list[exp.Expr] = []
        for branch in node.args["ifs"]:
            if subject is None:
                self.condition(branch.this, scope, "WHEN")
            else:
                label = self.value(branch.this, scope)
                self.operator_value(branch, "=", (subject, label))
            result = self.value(branch.args["true"], scope)
            if subject is None:
                result = self.narrowed_value(result, [branch.this], passed)
                passed.append(branch.this)
            results.append(result)
        nullable = [result.nullable for result in results]
        default = node.args.get("default")
        if default is not None:
            value = self.value(default, scope)
            value = self.narrowed_value(value, [], passed)
            results.insert(0, value)  # PostgreSQL starts with its type
            nullable.append(value.nullable)
        else:
            nullable.append(True)
        return Value(self.common_type(results, node, "CASE"), strict(nullable), node)

    @abstractmethod
    def narrowed_value(
        self,
        value: Value,
        true: Sequence[exp.Expr],
        not_true: Sequence[exp.Expr],
    ) -> Value:
        """A value where some conditions are true, and others are not."""

    def read_branches(
        self, node: exp.Expr, parts: Sequence[exp.Expr], scope: Scope
    ) -> Value:
        """IF and IIF: a condition, and what is given where it is true, and where not."""
        condition, *outcomes = parts
        self.condition(condition, scope, "IF")
        values: list[Value] = []
        for at, outcome in enumerate(outcomes):
            true, false = ([condition], []) if at == 0 else ([], [condition])
            value = self.value(outcome, scope)
            values.append(self.narrowed_value(value, true, false))
        nullable = [value.nullable for value in values]
        if len(values) < 2:
            nullable.append(True)
        return Value(self.common_type(values, node, "IF"), strict(nullable), node)

    def read_if(self, node: exp.Expr, scope: Scope) -> Value:
        parts = [node.this, node.args.get("true"), node.args.get("false")]
        present = [part for part in parts if isinstance(part, exp.Expr)]
        return self.read_branches(node, present, scope)

    def coalesce_value(
        self, node: exp.Expr, values: Sequence[Value], name: str
    ) -> Value:
        """COALESCE and its like: NULL if all are."""
        for value in values[:-1]:
            if value.is_parameter:
                self.use(value, None, nullable=True)
        type = self.common_type(values, node, name)
        return Value(type, all_of(value.nullable for value in values), node)

    # Types by name

    def read_cast(self, node: exp.Expr, scope: Scope) -> Value:
        target = self.written_type(node.args["to"], node)
        listed = node.this.unnest()
        is_list = target is not None and target.base is Base.LIST
        if self.dialect == "postgres" and is_list and isinstance(listed, exp.Array):
            self._read_items(listed, target.item if target else None, scope)
            return Value(target, False, node)
        value = self.value(node.this, scope)
        if target is not None:
            self.use(value, target)
            if not value.open and value.type and not self.converts(value, target):
                self.report(
                    Mistake.NOT_CASTABLE,
                    node,
                    f"{value.type.native} cannot be cast to {target.native}",
                )
        nullable = value.nullable
        is_open = value.is_parameter or isinstance(value.node.unnest(), exp.Null)
        if isinstance(node, exp.TryCast) and not is_open:
            nullable = True
        elif self.dialect == "mysql" and nullable is False:
            is_moment = target is None or target.base in (
                Base.DATE,
                Base.DATETIME,
                Base.TIME,
            )
            nullable = None if is_moment else False
        return Value(target, nullable, node)

    def _read_items(
        self, node: exp.Expr, item: ColumnType | None, scope: Scope
    ) -> None:
        """Read the items of ARRAY under a cast: each is cast, whatever the others are."""
        for each in node.expressions:
            if isinstance(each, exp.Array):
                self._read_items(each, item, scope)
            else:
                self.use(self.value(each, scope), item)

    def read_interval(self, node: exp.Expr, scope: Scope) -> Value:
        amount = node.this
        if (
            isinstance(amount, exp.Literal)
            and amount.is_string
            and not node.args.get("unit")
        ):
            text = Value(self.type_of(Base.TEXT), False, amount, open=True)
            self.use(text, self.type_of(Base.INTERVAL))
        if isinstance(amount, exp.Expr) and not amount.is_string:
            self.value(amount, scope)
        nullable = (
            None
            if amount is None or amount.find(exp.Column, exp.Placeholder)
            else False
        )
        return Value(self.type_of(Base.INTERVAL), nullable, node)

    def read_at_zone(self, node: exp.Expr, scope: Scope) -> Value:
        zone = self.value(node.args["zone"], scope)
        this = self.value(node.this, scope)
        if self.dialect != "postgres":
            return Value(None, None, node)
        return self.call_value(node, "timezone", [zone, this])

    @abstractmethod
    def call_value(self, node: exp.Expr, name: str, values: Sequence[Value]) -> Value:
        """The value of a call of a function by its name."""

    def read_collate(self, node: exp.Expr, scope: Scope) -> Value:
        return self.value(node.this, scope)._replace(node=node)

    def read_alias(self, node: exp.Expr, scope: Scope) -> Value:
        return self.value(node.this, scope)._replace(node=node)

    def read_dot(self, node: exp.Expr, scope: Scope) -> Value:
        if isinstance(node.expression, exp.Anonymous):
            is_own = node.this.name.lower() == "pg_catalog"
            if is_own:
                return self.value(node.expression, scope)
            self.values(node.expression.expressions, scope)
        return Value(None, None, node)


_Method = Callable[[Expressions, exp.Expr, Scope], Value]
_METHODS: Mapping[type[exp.Expr], _Method] = {
    exp.Literal: Expressions.read_literal,
    exp.National: Expressions.read_literal,
    exp.Boolean: Expressions.read_boolean,
    exp.Null: Expressions.read_null,
    exp.Placeholder: Expressions.read_parameter,
    exp.Paren: Expressions.read_paren,
    exp.Tuple: Expressions.read_tuple,
    exp.HexString: Expressions.read_bytes,
    exp.BitString: Expressions.read_bytes,
    exp.Column: Expressions.read_column,
    exp.Neg: Operators.read_unary,
    exp.BitwiseNot: Operators.read_unary,
    exp.And: Operators.read_logical,
    exp.Or: Operators.read_logical,
    exp.Xor: Operators.read_logical,
    exp.Not: Operators.read_logical,
    exp.Is: Operators.read_is,
    exp.NullSafeEQ: Operators.read_null_safe,
    exp.NullSafeNEQ: Operators.read_null_safe,
    exp.Between: Operators.read_between,
    exp.Escape: Operators.read_escape,
    exp.In: Operators.read_in,
    exp.Subquery: Operators.read_subquery,
    exp.Select: Operators.read_subquery,
    exp.Union: Operators.read_subquery,
    exp.Except: Operators.read_subquery,
    exp.Intersect: Operators.read_subquery,
    exp.Exists: Operators.read_exists,
    exp.Array: Expressions.read_array,
    exp.Bracket: Expressions.read_bracket,
    exp.Case: Expressions.read_case,
    exp.If: Expressions.read_if,
    exp.Cast: Expressions.read_cast,
    exp.TryCast: Expressions.read_cast,
    exp.Interval: Expressions.read_interval,
    exp.AtTimeZone: Expressions.read_at_zone,
    exp.Collate: Expressions.read_collate,
    exp.Alias: Expressions.read_alias,
    exp.Dot: Expressions.read_dot,
}
