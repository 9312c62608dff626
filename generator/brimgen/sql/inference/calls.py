"""Infer the type and the nullability of calls: functions, aggregates and window functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from brimgen.sql.inference.expressions import Expressions
from brimgen.sql.inference.scopes import Scope
from brimgen.sql.model import Base, Mistake
from brimgen.sql.tokens import words
from brimgen.sql.values import (
    NOTHING_KNOWN,
    Meaning,
    Nulls,
    Refused,
    Value,
    all_of,
    strict,
)

_CHOOSING = frozenset({"coalesce", "greatest", "least"})
_CHOOSING_ELSEWHERE = _CHOOSING | {"ifnull", "nvl"}
"""Functions that give one of their arguments, in PostgreSQL and in other dialects."""
_IFS = frozenset({"if", "iif"})
_NO_AGGREGATES = _CHOOSING_ELSEWHERE | _IFS | {"nullif", "row", "array", "grouping"}
"""Calls that no catalogue lists, and that are known."""
_OWN_SYNTAX: Mapping[type[exp.Expr], tuple[str, tuple[str, ...]]] = {
    exp.Substring: ("substring", ("this", "start", "length")),
    exp.StrPosition: ("position", ("substr", "this")),
    exp.Trim: ("btrim", ("this", "expression")),
    exp.Overlay: ("overlay", ("this", "expression", "from_", "for_")),
    exp.Extract: ("extract", ("this", "expression")),
    exp.GroupConcat: ("string_agg", ("this", "separator")),
}
"""Calls with a syntax of their own: the function that they are, and where its arguments stand."""
_ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("ifnull", "isnull", "nvl"), "coalesce"),
    **dict.fromkeys(("date_format", "strftime", "str_to_date"), "to_char"),
    **dict.fromkeys(("datediff", "timestampdiff", "julianday"), "age"),
    **dict.fromkeys(("group_concat", "listagg"), "string_agg"),
    **dict.fromkeys(("getdate", "curdate", "sysdate", "curtime"), "now"),
    **dict.fromkeys(("len", "charindex", "instr"), "strpos"),
}
"""Functions of other databases that PostgreSQL does not have, and what does their work there."""
_TRIMS = {"LEADING": "ltrim", "TRAILING": "rtrim"}
_UNITS_FIRST = frozenset({"timestampdiff", "timestampadd"})
"""Functions of MySQL whose first argument is a word such as DAY."""
_WITHOUT_RESULT = frozenset({"row", "values", "columns"})
_OF_GRAMMAR = words(
    """json json_array json_arrayagg json_exists json_object json_objectagg json_query json_scalar
    json_serialize json_table json_value merge_action treat xmlconcat xmlelement xmlexists
    xmlforest xmlparse xmlpi xmlroot xmlserialize xmltable"""
)
"""Calls that PostgreSQL reads by rules of their own: they are no functions, or not only."""
_MOMENTS: Mapping[str, type[exp.Expr]] = {
    "current_time": exp.CurrentTime,
    "current_timestamp": exp.CurrentTimestamp,
    "localtime": exp.Localtime,
    "localtimestamp": exp.Localtimestamp,
}
"""Clocks that take the digits of a second as their argument."""
_MONOTONIC = frozenset(
    {"year", "decade", "century", "millennium", "isoyear", "epoch", "julian"}
)
"""Fields of a moment that exist at infinity, too; others are NULL there."""


class Calls(Expressions):
    """Evaluates calls."""

    def call(self, node: exp.Expr, scope: Scope) -> Value:
        """The value of a call of a function."""
        if isinstance(node, exp.Window):
            return self._window(node, scope)
        if isinstance(node, exp.Filter):
            return self._filter_value(node, scope)
        if isinstance(node, exp.WithinGroup):
            return self._within_group(node, scope)
        if isinstance(node, (exp.IgnoreNulls, exp.RespectNulls)):
            value = self.value(node.this, scope)
            return value._replace(
                node=node, nullable=None if value.nullable is not True else True
            )
        name, arguments = self._parts(node)
        if not name:
            return self.opaque(node, scope)
        return self._call(node, name, arguments, scope)

    def _parts(self, node: exp.Expr) -> tuple[str, list[exp.Expr]]:
        """The name of a call in lower case, and its arguments."""
        if isinstance(node, exp.Anonymous):
            named = node.this
            name = named.name if isinstance(named, exp.Identifier) else str(named)
            return name.lower(), list(node.expressions)
        own = _OWN_SYNTAX.get(type(node))
        if own is None:
            return "", []
        name, keys = own
        if isinstance(node, exp.GroupConcat) and self.dialect != "postgres":
            name = "group_concat"
        if isinstance(node, exp.Trim):
            name = _TRIMS.get(str(node.args.get("position") or ""), name)
            if self.dialect != "postgres" and name == "btrim":
                name = "trim"
        nodes = [node.args.get(key) for key in keys]
        return name, [argument for argument in nodes if isinstance(argument, exp.Expr)]

    def _call(
        self,
        node: exp.Expr,
        name: str,
        arguments: list[exp.Expr],
        scope: Scope,
    ) -> Value:
        if name in _IFS and len(arguments) in (2, 3):
            return self.read_branches(node, arguments, scope)
        if name == "array" and arguments and isinstance(arguments[0], exp.Query):
            return self.read_array(node, scope)
        if name in _UNITS_FIRST and self.dialect == "mysql":
            arguments = [exp.Var(this=arguments[0].name), *arguments[1:]]
        is_aggregate = self.is_aggregate(node)
        if is_aggregate:
            self._check_aggregate(node, name, scope)
        self.inside_aggregate += is_aggregate
        values = [self._argument(argument, scope) for argument in arguments]
        self.inside_aggregate -= is_aggregate
        present = [value for value in values if value is not None]
        is_postgres = self.dialect == "postgres"
        if present and name in (_CHOOSING if is_postgres else _CHOOSING_ELSEWHERE):
            value = self.coalesce_value(node, present, name.upper())
            if name in ("greatest", "least") and self.dialect == "mysql":
                return value._replace(nullable=strict(v.nullable for v in present))
            return value
        if name == "nullif" and len(present) == 2:
            return self._nullif(node, present)
        if self.kind_of(name, len(present)) == "w" and not _is_over(node):
            self.report(
                Mistake.NOT_ALLOWED,
                node,
                f"`{name}` is a window function, which needs OVER",
                subject=name,
            )
        if name in _WITHOUT_RESULT or len(present) < len(values):
            return Value(None, None, node)
        if name in _MOMENTS and len(present) < 2:
            return Value(self.moment(_MOMENTS[name]()), False, node)
        if name == "grouping":
            return Value(self.type_of(Base.INT4), False, node)
        value = self.call_value(node, name, present)
        if is_aggregate:
            return value._replace(
                nullable=self._aggregate_nullable(node, name, present, scope)
            )
        if name in ("extract", "date_part") and self.dialect == "postgres":
            field = arguments[0].name.lower()
            return value._replace(nullable=self._field_nullable(field, value, present))
        return value

    def _field_nullable(
        self, field: str, value: Value, arguments: Sequence[Value]
    ) -> bool | None:
        """Whether a field of a moment may be NULL, as many are at infinity."""
        moment = arguments[-1].type
        is_moment = moment is None or moment.base in (
            Base.DATE,
            Base.DATETIME,
            Base.INSTANT,
            Base.INTERVAL,
        )
        if value.nullable is not True and is_moment and field not in _MONOTONIC:
            return None
        return strict(argument.nullable for argument in arguments)

    def _argument(self, node: exp.Expr, scope: Scope) -> Value | None:
        """An argument; None for those that have no value of their own."""
        if isinstance(node, exp.Star):
            return Value(None, False, node)
        if isinstance(node, exp.Order):
            for expression in node.expressions:
                self.value(expression.this, scope)
            return self._argument(node.this, scope)
        if isinstance(node, exp.Distinct):
            values = [
                self._argument(expression, scope) for expression in node.expressions
            ]
            return values[0] if len(values) == 1 else None
        if isinstance(node, exp.Var):
            return Value(self.type_of(Base.TEXT), False, node, open=True)
        if isinstance(node, (exp.Kwarg, exp.PropertyEQ, exp.Lambda)):
            if not isinstance(node, exp.Lambda):
                self.value(node.expression, scope)
            return None
        if isinstance(node, (exp.Limit, exp.HavingMax)):
            return None
        return self.value(node, scope)

    def call_value(self, node: exp.Expr, name: str, values: Sequence[Value]) -> Value:
        """The value of a call of a function by its name."""
        arguments = [value for value in values if not isinstance(value.node, exp.Star)]
        meaning = self._meaning_of(name, arguments)
        if meaning is None:
            self._report_unknown_function(node, name)
            return Value(None, None, node)
        if isinstance(meaning, Refused):
            self.report_refusal(meaning, node)
            return Value(None, None, node)
        self.type_open_values(arguments, meaning)
        return Value(
            meaning.type_of(arguments), self._nullable(meaning, arguments), node
        )

    def _meaning_of(
        self, name: str, arguments: Sequence[Value]
    ) -> Meaning | Refused | None:
        """What a call means; nothing is known of a function that the schema itself creates."""
        if name in self.schema.functions:
            return NOTHING_KNOWN
        meaning = self.rules.call(name, arguments)
        is_open = name in _OF_GRAMMAR or self.schema.converts
        is_cast = len(arguments) == 1 and self.is_type(name)
        return (
            NOTHING_KNOWN
            if not isinstance(meaning, Meaning) and (is_open or is_cast)
            else meaning
        )

    def _report_unknown_function(self, node: exp.Expr, name: str) -> None:
        """Report a name that is misspelt, or of a function of another database.

        An extension that the schema does not name may bring any other function.
        """
        if self.dialect != "postgres" or not self.schema.complete:
            return
        usual = _ELSEWHERE.get(name)
        near = self.rules.nearest(name) if usual is None else (usual,)
        if near:
            self.report(
                Mistake.UNKNOWN_FUNCTION,
                node,
                f"there is no function `{name}`",
                subject=name,
                candidates=near,
            )

    def _nullable(self, meaning: Meaning, values: Sequence[Value]) -> bool | None:
        nulls = tuple(value.nullable for value in values)
        match meaning.nulls:
            case Nulls.NEVER:
                return False
            case Nulls.STRICT | Nulls.FRAME:
                return strict(nulls)
            case Nulls.MAYBE | Nulls.NEIGHBOUR:
                return True
            case Nulls.LOOSE:
                return True if True in nulls else None
            case Nulls.FIRST:
                return nulls[0] if nulls else None
            case Nulls.ALL:
                return all_of(nulls)
            case _:
                return None

    def _nullif(self, node: exp.Expr, values: Sequence[Value]) -> Value:
        self.operator_value(node, "=", tuple(values))
        first, second = values
        meaning = self.rules.operator("=", values)
        type = first.type if not first.open else second.type
        if self.dialect == "postgres":
            arguments = meaning.arguments if isinstance(meaning, Meaning) else ()
            type = arguments[0] if arguments else None
        return Value(type if not (first.open and second.open) else None, True, node)

    # Aggregates

    def is_aggregate(self, node: exp.Expr) -> bool:
        """Whether a call is one of an aggregate."""
        if isinstance(node, exp.GroupConcat):
            return True
        if not isinstance(node, exp.Anonymous):
            return False
        name, arguments = self._parts(node)
        count = sum(not isinstance(argument, exp.Star) for argument in arguments)
        return self.kind_of(name, count) == "a"

    def may_aggregate(self, node: exp.Expr) -> bool:
        """Whether a call is one of an aggregate, or of a function that is not known."""
        if self.is_aggregate(node) or isinstance(node, exp.AggFunc):
            return True
        if not isinstance(node, exp.Anonymous):
            return False
        name, arguments = self._parts(node)
        if name in _NO_AGGREGATES:
            return False
        unknown = [Value(None, None, argument) for argument in arguments]
        return self._meaning_of(name, unknown) in (None, NOTHING_KNOWN)

    def kind_of(self, name: str, count: int) -> str:
        """The kind of the function of a name, for so many arguments; empty if there is none."""
        kinds = _KINDS.setdefault(self.dialect, {})
        key = (name, count)
        if key not in kinds:
            unknown = Value(None, None, exp.Null())
            meaning = self.rules.call(name, [unknown] * count)
            kinds[key] = meaning.kind if isinstance(meaning, Meaning) else ""
        return kinds[key]

    def _check_aggregate(self, node: exp.Expr, name: str, scope: Scope) -> None:
        if isinstance(node.parent, exp.Window) and node.parent.this is node:
            return
        if isinstance(node.parent, exp.Filter) and isinstance(
            node.parent.parent, exp.Window
        ):
            return
        if self.inside_aggregate:
            self.report(
                Mistake.MISPLACED_AGGREGATE,
                node,
                f"`{name}` is an aggregate inside another one",
                subject=name,
            )
        elif scope.clause in ("WHERE", "ON", "GROUP BY", "SET", "VALUES"):
            if any(around.sources for around in scope.around() if around is not scope):
                return  # it may be one of a query around
            self.report(
                Mistake.MISPLACED_AGGREGATE,
                node,
                f"`{name}` is an aggregate, which {scope.clause} cannot hold",
                subject=name,
            )

    def _aggregate_nullable(
        self, node: exp.Expr, name: str, values: Sequence[Value], scope: Scope
    ) -> bool | None:
        """Whether an aggregate may be NULL: of no rows, or of NULL only."""
        arguments = [value for value in values if not isinstance(value.node, exp.Star)]
        meaning = self.rules.call(name, arguments)
        if not isinstance(meaning, Meaning):
            return None
        if meaning.nulls in (Nulls.NEVER, Nulls.MAYBE):
            return meaning.nulls is Nulls.MAYBE
        if not scope.is_grouped or isinstance(node.parent, exp.Filter):
            return True if meaning.nulls in (Nulls.GROUP, Nulls.COLLECT) else None
        if meaning.nulls is Nulls.COLLECT:
            return False
        if meaning.nulls is Nulls.GROUP and arguments:
            is_ordered_set = isinstance(node.parent, exp.WithinGroup)
            return arguments[-1 if is_ordered_set else 0].nullable
        return None

    def _filter_value(self, node: exp.Expr, scope: Scope) -> Value:
        condition = node.expression
        if isinstance(condition, exp.Where):
            self.inside_aggregate += 1
            self.condition(condition.this, scope, "FILTER")
            self.inside_aggregate -= 1
        return self.value(node.this, scope)._replace(node=node)

    def _within_group(self, node: exp.Expr, scope: Scope) -> Value:
        """An ordered-set aggregate: what it is ordered by are further arguments."""
        inner = node.this
        name, arguments = self._parts(inner)
        order = node.args.get("expression")
        if not name or not isinstance(order, exp.Order):
            return self.opaque(node, scope)
        values = self.values(arguments, scope)
        self.inside_aggregate += 1
        values += [self.value(key.this, scope) for key in order.expressions]
        self.inside_aggregate -= 1
        value = self.call_value(node, name, values)
        return value._replace(
            nullable=self._aggregate_nullable(inner, name, values, scope)
        )

    # Windows

    def _window(self, node: exp.Expr, scope: Scope) -> Value:
        if scope.clause in ("WHERE", "ON", "GROUP BY", "HAVING", "SET", "VALUES"):
            self.report(
                Mistake.MISPLACED_WINDOW,
                node,
                f"a window function cannot stand in {scope.clause}",
            )
        self.read_window_keys(node, scope)
        self._check_window_name(node, scope)
        spec = node.args.get("spec")
        named = node.args.get("alias")
        may_be_empty = isinstance(named, exp.Identifier) and scope.windows.get(
            scope.fold(named), True
        )
        whole_frame = spec is None and not may_be_empty
        over = node.this
        filtered = isinstance(over, exp.Filter)
        if filtered:
            condition = over.expression
            if isinstance(condition, exp.Where):
                self.condition(condition.this, scope, "FILTER")
            over = over.this
        ignores = isinstance(over, (exp.IgnoreNulls, exp.RespectNulls))
        if ignores:
            over = over.this
        name, arguments = self._parts(over)
        if not name:
            return self.opaque(node, scope)
        argument_values = [self._argument(argument, scope) for argument in arguments]
        values = [value for value in argument_values if value is not None]
        value = self.call_value(over, name, values)
        nullable = self._window_nullable(name, values, whole_frame and not filtered)
        if ignores and nullable is False:
            nullable = None
        return Value(value.type, nullable, node)

    def read_window_keys(self, window: exp.Expr, scope: Scope) -> None:
        """Read PARTITION BY and ORDER BY of a window."""
        self.values(window.args.get("partition_by") or [], scope)
        order = window.args.get("order")
        if isinstance(order, exp.Order):
            self.values([key.this for key in order.expressions], scope)

    def _check_window_name(self, node: exp.Expr, scope: Scope) -> None:
        alias = node.args.get("alias")
        if not isinstance(alias, exp.Identifier) or scope.fold(alias) in scope.windows:
            return
        if scope.windows or self.dialect == "postgres":
            self.report(
                Mistake.NOT_ALLOWED,
                alias,
                f"there is no window `{alias.name}`",
                subject=alias.name,
                among=sorted(scope.windows),
            )

    def _window_nullable(
        self, name: str, values: Sequence[Value], whole_frame: bool
    ) -> bool | None:
        """Whether a function over a window may be NULL."""
        arguments = [value for value in values if not isinstance(value.node, exp.Star)]
        meaning = self.rules.call(name, arguments)
        if not isinstance(meaning, Meaning):
            return None
        nulls = tuple(argument.nullable for argument in arguments)
        match meaning.nulls:
            case Nulls.NEVER:
                return False
            case Nulls.GROUP | Nulls.FRAME:
                first = nulls[0] if nulls else None
                return first if whole_frame or first else None
            case Nulls.COLLECT:
                return False if whole_frame else None
            case Nulls.NEIGHBOUR:
                return nulls[0] if len(nulls) == 3 and nulls[2] == nulls[0] else True
            case Nulls.MAYBE:
                return True
            case Nulls.STRICT:
                return strict(nulls)
            case _:
                return None


def _is_over(node: exp.Expr) -> bool:
    """Whether OVER, or WITHIN GROUP, follows a call."""
    parent = node.parent
    while isinstance(parent, (exp.Filter, exp.IgnoreNulls, exp.RespectNulls)):
        parent = parent.parent
    return isinstance(parent, (exp.Window, exp.WithinGroup))


_KINDS: dict[str, dict[tuple[str, int], str]] = {}
"""The kinds of functions by dialect, as they are asked for."""
