"""The type and the nullability of expressions, by the classes of sqlglot's tree."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from sqlglot import exp

from brimgen.sqlschema.model import Base, ColumnType, Mistake
from brimgen.sqlschema.names import Names
from brimgen.sqlschema.native_types import column_type, list_of, type_of
from brimgen.sqlschema.scopes import Relation, Scope
from brimgen.sqlschema.values import Meaning, Nulls, Refused, Value, all_of, strict

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
    exp.Glob: "~~",
    exp.JSONExtract: "->",
    exp.JSONExtractScalar: "->>",
    exp.JSONBExtract: "#>",
    exp.JSONBExtractScalar: "#>>",
    exp.JSONBContains: "?",
    exp.ArrayContainsAll: "@>",
    exp.ArrayContainedBy: "<@",
    exp.ArrayOverlaps: "&&",
}
_EQUALITIES = frozenset({"=", "<>", "<", ">", "<=", ">=", "<=>"})
_PATHS = (exp.JSONPath, exp.JSONPathRoot)
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


class Expressions(Names):
    """Evaluates expressions in scopes."""

    @abstractmethod
    def relation(self, query: exp.Expr, scope: Scope) -> Relation:
        """The rows that a query gives inside a scope."""

    @abstractmethod
    def call(self, node: exp.Expr, scope: Scope) -> Value:
        """The value of a call of a function."""

    def value(self, node: exp.Expr, scope: Scope) -> Value:
        """The value of an expression."""
        symbol = _BINARY.get(type(node))
        if symbol is not None:
            return self._binary(node, symbol, scope)
        method = _METHODS.get(type(node))
        if method is not None:
            return method(self, node, scope)
        base = _CURRENT.get(type(node))
        if base is not None:
            return Value(type_of(self.dialect, base), False, node)
        if isinstance(node, _CURRENT_MOMENTS):
            return Value(self._moment(node), False, node)
        if isinstance(
            node, (exp.Func, exp.Window, exp.Filter, exp.WithinGroup, exp.IgnoreNulls)
        ):
            return self.call(node, scope)
        return self._opaque(node, scope)

    def values(self, nodes: Sequence[object], scope: Scope) -> list[Value]:
        """The values of several expressions."""
        return [self.value(each, scope) for each in nodes if isinstance(each, exp.Expr)]

    def type_of(self, base: Base) -> ColumnType:
        """The type that expressions of a base have in the dialect."""
        return type_of(self.dialect, base)

    def condition(self, node: exp.Expr | None, scope: Scope, where: str) -> None:
        """Read a condition; PostgreSQL takes nothing but a boolean."""
        if node is None:
            return
        was, scope.clause = scope.clause, where
        found = self.value(node, scope)
        scope.clause = was
        self.use(found, self.type_of(Base.BOOL))
        wrong = found.type is not None and found.type.base is not Base.BOOL
        if self.dialect == "postgres" and wrong and not found.open and found.type:
            self.tell(
                Mistake.NOT_BOOLEAN,
                node,
                f"{where} takes a condition, and this is of the type {found.type.native}",
            )

    def _opaque(self, node: exp.Expr, scope: Scope) -> Value:
        """An expression that is not known: its parts are read, for what they say of parameters."""
        for each in node.args.values():
            for part in cast(
                "list[object]", each if isinstance(each, list) else [each]
            ):
                if isinstance(part, exp.Query):
                    self.relation(part, scope)
                elif isinstance(part, exp.Condition):
                    self.value(part, scope)
        return Value(None, None, node)

    def _moment(self, node: exp.Expr) -> ColumnType | None:
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

    def _literal(self, node: exp.Expr, scope: Scope) -> Value:
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

    def _boolean(self, node: exp.Expr, scope: Scope) -> Value:
        return Value(self.type_of(Base.BOOL), False, node)

    def _null(self, node: exp.Expr, scope: Scope) -> Value:
        return Value(None, True, node, open=True)

    def _parameter(self, node: exp.Expr, scope: Scope) -> Value:
        return Value(None, None, node, open=True)

    def _paren(self, node: exp.Expr, scope: Scope) -> Value:
        return self.value(node.this, scope)._replace(node=node)

    def _bytes(self, node: exp.Expr, scope: Scope) -> Value:
        if self.dialect == "postgres" or isinstance(node, exp.BitString):
            return Value(None, False, node)
        return Value(self.type_of(Base.BYTES), False, node)

    def _column(self, node: exp.Expr, scope: Scope) -> Value:
        return self.column(cast("exp.Column", node), scope)

    # Operators

    def _binary(self, node: exp.Expr, symbol: str, scope: Scope) -> Value:
        left, right = node.this, node.expression
        if isinstance(right, (exp.Any, exp.All)):
            return self._quantified(node, symbol, scope)
        if isinstance(left, exp.Tuple) or isinstance(right, exp.Tuple):
            return self._rows(node, scope)
        first = self.value(left, scope)
        if isinstance(right, _PATHS):
            second = Value(self.type_of(Base.TEXT), False, right)
        else:
            second = self.value(right, scope)
        return self.operated(node, symbol, (first, second))

    def operated(self, node: exp.Expr, symbol: str, values: tuple[Value, ...]) -> Value:
        """The value of an operator with its operands."""
        meaning = self.rules.operator(symbol, values)
        if isinstance(meaning, Refused):
            self.refuse(meaning, node)
            return Value(None, None, node)
        self._assume(values, meaning, compared=symbol in _EQUALITIES)
        if len(values) == 2 and symbol in _EQUALITIES:
            self._check_enum(values)
        nulls = tuple(each.nullable for each in values)
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

    def _check_enum(self, values: tuple[Value, ...]) -> None:
        """Check a text that is compared with an enum, where the operator takes texts, too."""
        for one, other in (values, values[::-1]):
            if one.type is not None and one.type.labels and other.node.is_string:
                self.use(other, one.type, origin=one.origin)

    def _assume(
        self, values: Sequence[Value], meaning: Meaning, *, compared: bool = False
    ) -> None:
        """Open operands become of the types that an operator or a function takes."""
        types = (*meaning.arguments, *[None] * len(values))
        for at, (each, type) in enumerate(zip(values, types, strict=False)):
            if each.open:
                other = values[1 - at] if compared and len(values) == 2 else None
                given = other.type if other and other.origin and type else type
                self.use(each, given, origin=other.origin if other else None)

    def _unary(self, node: exp.Expr, scope: Scope) -> Value:
        value = self.value(node.this, scope)
        symbol = "-" if isinstance(node, exp.Neg) else "~"
        if self.dialect != "postgres" and symbol == "~":
            symbol = "bits"
        if isinstance(node.this, exp.Literal):
            return value._replace(node=node)
        return self.operated(node, symbol, (value,))

    def _logical(self, node: exp.Expr, scope: Scope) -> Value:
        parts = self.values([node.this, node.args.get("expression")], scope)
        wanted = self.type_of(Base.BOOL)
        for each in parts:
            if each.open:
                self.use(each, wanted)
            elif (
                self.dialect == "postgres"
                and each.type is not None
                and each.type.base is not Base.BOOL
            ):
                self.tell(
                    Mistake.NOT_BOOLEAN,
                    each.node,
                    f"{node.key.upper()} takes conditions, and this is of the type"
                    f" {each.type.native}",
                )
        return Value(wanted, strict(tuple(each.nullable for each in parts)), node)

    def _is(self, node: exp.Expr, scope: Scope) -> Value:
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

    def _null_safe(self, node: exp.Expr, scope: Scope) -> Value:
        values = (self.value(node.this, scope), self.value(node.expression, scope))
        found = self.operated(node, "=", values)
        for each in values:
            if each.is_parameter:
                self.use(each, None, nullable=True)
        return found._replace(type=self.type_of(Base.BOOL), nullable=False)

    def _between(self, node: exp.Expr, scope: Scope) -> Value:
        this = self.value(node.this, scope)
        nullable = [this.nullable]
        for key, symbol in (("low", ">="), ("high", "<=")):
            bound = self.value(node.args[key], scope)
            self.operated(node, symbol, (this, bound))
            nullable.append(bound.nullable)
        return Value(self.type_of(Base.BOOL), strict(tuple(nullable)), node)

    def _escape(self, node: exp.Expr, scope: Scope) -> Value:
        return self.value(node.this, scope)._replace(node=node)

    # Lists, rows and subqueries

    def _in(self, node: exp.Expr, scope: Scope) -> Value:
        boolean = self.type_of(Base.BOOL)
        if isinstance(node.this, exp.Tuple):
            self._opaque(node, scope)
            return Value(boolean, None, node)
        this = self.value(node.this, scope)
        query, one = node.args.get("query"), node.args.get("field")
        nullable = [this.nullable]
        if isinstance(query, exp.Expr):
            found = self._single_column(query, scope)
            if found is not None:
                self.operated(node, "=", (this, found))
            nullable.append(found.nullable if found else None)
        elif isinstance(one, exp.Placeholder):
            nullable.append(None)
            self._list_parameter(self.value(one, scope), this)
        else:
            listed = [each for each in node.expressions if isinstance(each, exp.Expr)]
            if len(listed) == 1 and isinstance(listed[0], exp.Placeholder):
                self._list_parameter(self.value(listed[0], scope), this)
                return Value(boolean, strict((this.nullable, None)), node)
            for each in listed:
                value = self.value(each, scope)
                self.operated(node, "=", (this, value))
                nullable.append(value.nullable)
        return Value(boolean, strict(tuple(nullable)), node)

    def _list_parameter(self, parameter: Value, item: Value) -> None:
        """A parameter that stands for all items of IN or ANY."""
        self.use(parameter, item.type, origin=item.origin, is_list=True)

    def _quantified(self, node: exp.Expr, symbol: str, scope: Scope) -> Value:
        left = self.value(node.this, scope)
        inner = node.expression.this.unnest()
        if isinstance(inner, (exp.Query, exp.Subquery)):
            found = self._single_column(inner, scope)
            if found is not None:
                self.operated(node, symbol, (left, found))
        elif isinstance(inner, exp.Placeholder):
            self._list_parameter(self.value(inner, scope), left)
        else:
            self.value(inner, scope)
        return Value(self.type_of(Base.BOOL), None, node)

    def _single_column(self, query: exp.Expr, scope: Scope) -> Value | None:
        relation = self.relation(query, scope)
        if relation.columns is None:
            return None
        if len(relation.columns) != 1:
            self.tell(
                Mistake.COLUMN_COUNT,
                query,
                f"a subquery has one column here, and this one has {len(relation.columns)}",
            )
            return None
        column = relation.columns[0]
        return Value(column.type, column.nullable, query, False, column.origin)

    def _subquery(self, node: exp.Expr, scope: Scope) -> Value:
        relation = self.relation(node, scope)
        if relation.columns is None:
            return Value(None, None, node)
        if len(relation.columns) != 1:
            self.tell(
                Mistake.COLUMN_COUNT,
                node,
                f"a subquery has one column here, and this one has {len(relation.columns)}",
            )
            return Value(None, None, node)
        column = relation.columns[0]
        nullable = column.nullable if relation.at_least_one else True
        return Value(column.type, nullable, node)

    def _exists(self, node: exp.Expr, scope: Scope) -> Value:
        self.relation(node.this, scope)
        return Value(self.type_of(Base.BOOL), False, node)

    def _rows(self, node: exp.Expr, scope: Scope) -> Value:
        """A comparison of two rows, column by column."""
        sides = [
            (
                self.values(each.expressions, scope)
                if isinstance(each, exp.Tuple)
                else None
            )
            for each in (node.this, node.expression)
        ]
        boolean = self.type_of(Base.BOOL)
        if sides[0] is None or sides[1] is None:
            return Value(boolean, None, node)
        if len(sides[0]) != len(sides[1]):
            self.tell(
                Mistake.COLUMN_COUNT,
                node,
                f"rows of {len(sides[0])} and of {len(sides[1])} columns are compared",
            )
            return Value(boolean, None, node)
        found = [
            self.operated(node, "=", pair).nullable
            for pair in zip(sides[0], sides[1], strict=True)
        ]
        return Value(boolean, strict(tuple(found)), node)

    def _array(self, node: exp.Expr, scope: Scope) -> Value:
        if len(node.expressions) == 1 and isinstance(node.expressions[0], exp.Query):
            relation = self.relation(node.expressions[0], scope)
            columns = relation.columns or ()
            item = columns[0].type if len(columns) == 1 else None
        else:
            items = self.values(node.expressions, scope)
            item = self.together(items, node, "ARRAY") if items else None
        return Value(list_of(self.dialect, item) if item else None, False, node)

    def _bracket(self, node: exp.Expr, scope: Scope) -> Value:
        this = self.value(node.this, scope)
        for each in self.values(node.expressions, scope):
            self.use(each, self.type_of(Base.INT4))
        is_slice = any(isinstance(each, exp.Slice) for each in node.expressions)
        if this.type is None or this.type.base is not Base.LIST:
            return Value(None, None, node)
        if is_slice:
            return Value(this.type, this.nullable, node)
        return Value(this.type.item if len(node.expressions) == 1 else None, True, node)

    # Choices

    def together(
        self, values: Sequence[Value], node: exp.Expr, what: str
    ) -> ColumnType | None:
        """The type that values have together; open ones become of it."""
        found = self.rules.common(values)
        if isinstance(found, Refused):
            text = f"{found.text} in {what}"
            self.refuse(found._replace(text=text), node)
            return None
        for each in values:
            if each.open:
                self.use(each, found)
        return found

    def _case(self, node: exp.Expr, scope: Scope) -> Value:
        subject = self.value(node.this, scope) if node.this is not None else None
        results: list[Value] = []
        passed: list[exp.Expr] = []
        for each in node.args["ifs"]:
            if subject is None:
                self.condition(each.this, scope, "WHEN")
            else:
                self.operated(each, "=", (subject, self.value(each.this, scope)))
            result = self.value(each.args["true"], scope)
            if subject is None:
                result = self.assumed(result, [each.this], passed, scope)
                passed.append(each.this)
            results.append(result)
        nullable = [each.nullable for each in results]
        default = node.args.get("default")
        if default is not None:
            found = self.assumed(self.value(default, scope), [], passed, scope)
            results.append(found)
            nullable.append(found.nullable)
        else:
            nullable.append(True)
        return Value(
            self.together(results, node, "CASE"), strict(tuple(nullable)), node
        )

    @abstractmethod
    def assumed(
        self,
        value: Value,
        true: Sequence[exp.Expr],
        not_true: Sequence[exp.Expr],
        scope: Scope,
    ) -> Value:
        """A value where some conditions are true, and others are not."""

    def branch(self, node: exp.Expr, parts: Sequence[exp.Expr], scope: Scope) -> Value:
        """IF and IIF: a condition, and what is given where it is true, and where not."""
        condition, *rest = parts
        self.condition(condition, scope, "IF")
        values: list[Value] = []
        for at, each in enumerate(rest):
            true, false = ([condition], []) if at == 0 else ([], [condition])
            values.append(self.assumed(self.value(each, scope), true, false, scope))
        nullable = [each.nullable for each in values]
        if len(values) < 2:
            nullable.append(True)
        return Value(self.together(values, node, "IF"), strict(tuple(nullable)), node)

    def _if(self, node: exp.Expr, scope: Scope) -> Value:
        parts = [node.this, node.args.get("true"), node.args.get("false")]
        given = [each for each in parts if isinstance(each, exp.Expr)]
        return self.branch(node, given, scope)

    def coalesced(self, node: exp.Expr, values: Sequence[Value], name: str) -> Value:
        """COALESCE and its like: NULL if all are."""
        for each in values[:-1]:
            if each.is_parameter:
                self.use(each, None, nullable=True)
        type = self.together(values, node, name)
        return Value(type, all_of(tuple(each.nullable for each in values)), node)

    # Types by name

    def _cast(self, node: exp.Expr, scope: Scope) -> Value:
        value = self.value(node.this, scope)
        target = self.written_type(node.args["to"], node)
        if target is not None:
            self.use(value, target)
            if not value.open and not self.rules.casts(value, target) and value.type:
                self.tell(
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

    def _interval(self, node: exp.Expr, scope: Scope) -> Value:
        amount = node.this
        if isinstance(amount, exp.Expr) and not amount.is_string:
            self.value(amount, scope)
        nullable = (
            None
            if amount is None or amount.find(exp.Column, exp.Placeholder)
            else False
        )
        return Value(self.type_of(Base.INTERVAL), nullable, node)

    def _at_zone(self, node: exp.Expr, scope: Scope) -> Value:
        zone = self.value(node.args["zone"], scope)
        this = self.value(node.this, scope)
        if self.dialect != "postgres":
            return Value(None, None, node)
        return self.called(node, "timezone", [zone, this])

    @abstractmethod
    def called(self, node: exp.Expr, name: str, values: Sequence[Value]) -> Value:
        """The value of a call of a function by its name."""

    def _collate(self, node: exp.Expr, scope: Scope) -> Value:
        return self.value(node.this, scope)._replace(node=node)

    def _alias(self, node: exp.Expr, scope: Scope) -> Value:
        return self.value(node.this, scope)._replace(node=node)

    def _dot(self, node: exp.Expr, scope: Scope) -> Value:
        if isinstance(node.expression, exp.Anonymous):
            is_own = node.this.name.lower() == "pg_catalog"
            if is_own:
                return self.value(node.expression, scope)
            self.values(node.expression.expressions, scope)
        return Value(None, None, node)


_Method = Callable[[Expressions, exp.Expr, Scope], Value]
_METHODS: Mapping[type[exp.Expr], _Method] = {
    exp.Literal: Expressions._literal,
    exp.National: Expressions._literal,
    exp.Boolean: Expressions._boolean,
    exp.Null: Expressions._null,
    exp.Placeholder: Expressions._parameter,
    exp.Paren: Expressions._paren,
    exp.HexString: Expressions._bytes,
    exp.BitString: Expressions._bytes,
    exp.Column: Expressions._column,
    exp.Neg: Expressions._unary,
    exp.BitwiseNot: Expressions._unary,
    exp.And: Expressions._logical,
    exp.Or: Expressions._logical,
    exp.Xor: Expressions._logical,
    exp.Not: Expressions._logical,
    exp.Is: Expressions._is,
    exp.NullSafeEQ: Expressions._null_safe,
    exp.NullSafeNEQ: Expressions._null_safe,
    exp.Between: Expressions._between,
    exp.Escape: Expressions._escape,
    exp.In: Expressions._in,
    exp.Subquery: Expressions._subquery,
    exp.Select: Expressions._subquery,
    exp.Union: Expressions._subquery,
    exp.Except: Expressions._subquery,
    exp.Intersect: Expressions._subquery,
    exp.Exists: Expressions._exists,
    exp.Array: Expressions._array,
    exp.Bracket: Expressions._bracket,
    exp.Case: Expressions._case,
    exp.If: Expressions._if,
    exp.Cast: Expressions._cast,
    exp.TryCast: Expressions._cast,
    exp.Interval: Expressions._interval,
    exp.AtTimeZone: Expressions._at_zone,
    exp.Collate: Expressions._collate,
    exp.Alias: Expressions._alias,
    exp.Dot: Expressions._dot,
}
