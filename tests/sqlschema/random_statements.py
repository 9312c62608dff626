"""Random tables with random rows, and random queries over them, in four dialects."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

KINDS = ("int", "float", "decimal", "text", "bool", "date", "moment")
_TYPES = {
    "sqlite": "INTEGER REAL DECIMAL(8,2) TEXT BOOLEAN DATE TIMESTAMP",
    "duckdb": "INTEGER DOUBLE DECIMAL(8,2) TEXT BOOLEAN DATE TIMESTAMP",
    "postgres": "integer float8 numeric(8,2) text boolean date timestamp",
    "mysql": "int double decimal(8,2) varchar(20) boolean date datetime(6)",
}
_VALUES = {
    "int": ("0", "1", "2", "-3"),
    "float": ("0.5", "1.5", "-2.25"),
    "decimal": ("0.25", "1.00", "9.50"),
    "text": ("''", "'a'", "'ab'", "'B c'"),
    "date": ("'2024-01-01'", "'2023-12-31'"),
    "moment": ("'2024-01-01 10:00:00'", "'2023-12-31 23:59:59'"),
}


class Field(NamedTuple):
    """A column of a random table."""

    name: str
    kind: str
    nullable: bool


class RandomTable(NamedTuple):
    """A random table; the first column is its key, if it has one."""

    name: str
    fields: tuple[Field, ...]
    has_key: bool


class Tables:
    """Three random tables and their rows."""

    def __init__(self, random: Random, dialect: str) -> None:
        self.random = random
        self.dialect = dialect
        self.tables = tuple(self._table(at) for at in range(3))

    def _table(self, at: int) -> RandomTable:
        fields = [
            Field("k", "int", False),
            Field("ref", "int", self.random.random() < 0.7),
        ]
        for number in range(self.random.randint(3, 6)):
            kind = self.random.choice(KINDS)
            fields.append(Field(f"c{number}", kind, self.random.random() < 0.6))
        return RandomTable(f"t{at}", tuple(fields), self.random.random() < 0.7)

    def literal(self, kind: str) -> str:
        """A value of a kind."""
        if kind == "bool":
            words = ("1", "0") if self.dialect == "sqlite" else ("true", "false")
            return self.random.choice(words)
        return self.random.choice(_VALUES[kind])

    @property
    def ddl(self) -> str:
        """The CREATE statements."""
        names: dict[str, str] = dict(
            zip(KINDS, _TYPES[self.dialect].split(), strict=True)
        )
        made: list[str] = []
        for table in self.tables:
            lines = [
                f"{each.name} {names[each.kind]}{'' if each.nullable else ' NOT NULL'}"
                for each in table.fields
            ]
            if table.has_key:
                lines.append("PRIMARY KEY (k)")
            made.append(f"CREATE TABLE {table.name} ({', '.join(lines)});\n")
        return "".join(made)

    @property
    def rows(self) -> list[str]:
        """The INSERT statements; some tables stay empty."""
        found: list[str] = []
        for table in self.tables:
            for number in range(self.random.choice((0, 1, 3, 5))):
                cells: list[str] = []
                for each in table.fields:
                    if each.name == "k":
                        cells.append(str(number))
                    elif each.nullable and self.random.random() < 0.4:
                        cells.append("NULL")
                    else:
                        cells.append(self.literal(each.kind))
                found.append(f"INSERT INTO {table.name} VALUES ({', '.join(cells)})")
        return found


class Writer:
    """Writes random queries over random tables."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.random = tables.random
        self.dialect = tables.dialect
        self._visible: list[tuple[str, Field]] = []
        self._grouped: list[tuple[str, Field]] | None = None
        self._aliases = 0

    def query(self, depth: int = 2) -> tuple[str, list[str]]:
        """A query, and the kinds of its columns (called x0, x1, …)."""
        random = self.random
        form = random.random()
        kinds = [random.choice(KINDS) for _ in range(random.randint(1, 3))]
        if depth and form < 0.12:
            operation = random.choice(("UNION", "UNION ALL", "INTERSECT", "EXCEPT"))
            others = [self._near(each) for each in kinds]
            left, right = self._select(kinds, 1), self._select(others, 1)
            return f"{left} {operation} {right}", kinds
        if depth and form < 0.2:
            inner, columns = self.query(depth - 1)
            text = f"WITH w AS ({inner}) {self._over('w', columns, kinds, depth - 1)}"
            return text, kinds
        if depth and form < 0.3:
            inner, columns = self.query(depth - 1)
            return self._over(f"({inner}) w", columns, kinds, depth - 1), kinds
        return self._select(kinds, depth), kinds

    def _over(
        self, source: str, columns: list[str], kinds: list[str], depth: int
    ) -> str:
        fields = [Field(f"x{at}", kind, True) for at, kind in enumerate(columns)]
        return self._select(kinds, depth, source, [("w", each) for each in fields])

    def _select(
        self,
        kinds: list[str],
        depth: int,
        source: str = "",
        fields: list[tuple[str, Field]] | None = None,
    ) -> str:
        around, grouped = self._visible, self._grouped
        self._visible = []
        text = source or self._from(depth)
        self._visible += fields or []
        where = f" WHERE {self.expression('bool', depth)}" if self._chance(0.5) else ""
        group, having, order = "", "", ""
        self._grouped = None
        form = self.random.random()
        if form < 0.25:
            keys = self.random.sample(self._visible, min(2, len(self._visible)))
            self._grouped = keys
            group = " GROUP BY " + ", ".join(
                f"{alias}.{each.name}" for alias, each in keys
            )
            if self._chance(0.3):
                having = " HAVING count(*) > 0"
        elif form < 0.4:
            self._grouped = []
        items = [f"{self.item(kind, depth)} AS x{at}" for at, kind in enumerate(kinds)]
        if self._grouped == [] and not any(
            each in " ".join(items) for each in _AGGREGATES
        ):
            items[0] = f"{self._aggregate(kinds[0])} AS x0"
        if self._grouped is None and self._chance(0.2) and not depth:
            order = " ORDER BY 1 LIMIT 1"
        self._visible, self._grouped = around, grouped
        distinct = "DISTINCT " if self._chance(0.1) else ""
        listed = ", ".join(items)
        return f"SELECT {distinct}{listed} FROM {text}{where}{group}{having}{order}"

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _from(self, depth: int) -> str:
        text = self._source()
        for _ in range(self.random.choice((0, 0, 1, 1, 2))):
            before = list(self._visible)
            joined = self._source()
            added = [each for each in self._visible if each not in before]
            sides = ["JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN"]
            if self.dialect != "mysql":
                sides.append("FULL JOIN")
            side = self.random.choice(sides)
            if side != "FULL JOIN" and len(before) == len(added) and self._chance(0.3):
                text += f" {side} {joined} USING (k)"
                continue
            left = self.random.choice(
                [each for each in before if each[1].kind == "int"]
            )
            right = self.random.choice(
                [each for each in added if each[1].kind == "int"]
            )
            condition = f"{left[0]}.{left[1].name} = {right[0]}.{right[1].name}"
            if side != "FULL JOIN" and self._chance(0.3):
                condition += f" AND {self.expression('bool', 0)}"
            text += f" {side} {joined} ON {condition}"
        return text

    def _source(self) -> str:
        table = self.random.choice(self.tables.tables)
        self._aliases += 1
        alias = f"a{self._aliases}"
        self._visible += [(alias, each) for each in table.fields]
        return f"{table.name} {alias}"

    def item(self, kind: str, depth: int) -> str:
        """An item of a SELECT list: an aggregate, a window function, or any expression."""
        if self._grouped is not None:
            if self._grouped and self._chance(0.4):
                return self.expression(kind, 1)
            return self._aggregate(kind)
        if self._chance(0.12):
            return self._window(kind)
        return self.expression(kind, depth)

    def _aggregate(self, kind: str) -> str:
        grouped, self._grouped = self._grouped, None
        if kind == "int" and self._chance(0.5):
            found = f"count({self.random.choice(('*', self.expression('text', 1)))})"
        elif kind in ("int", "float", "decimal") and self._chance(0.5):
            name = "sum" if kind != "float" else self.random.choice(("sum", "avg"))
            found = f"{name}({self.expression(kind, 1)})"
        elif kind == "bool":
            found = f"(max({self.expression('int', 1)}) > 0)"
        else:
            found = f"{self.random.choice(('min', 'max'))}({self.expression(kind, 1)})"
        self._grouped = grouped
        if self._chance(0.2) and kind != "bool":
            return f"coalesce({found}, {self._cast(kind)})"
        return found

    def _cast(self, kind: str) -> str:
        """A literal that has its kind by itself."""
        value = self.tables.literal(kind)
        if kind in ("date", "moment") and self.dialect != "sqlite":
            name = "date" if kind == "date" else "timestamp"
            return f"{name} {value}"
        return value

    def _window(self, kind: str) -> str:
        alias, by = self.random.choice(self._visible)
        over = f"OVER (ORDER BY {alias}.{by.name})" if self._chance(0.6) else "OVER ()"
        if kind == "int":
            form = self.random.choice(("row_number()", "count(*)", "rank()"))
            return f"{form} OVER (ORDER BY {alias}.{by.name})"
        name = self.random.choice(("max", "min", "first_value", "lag"))
        if name == "lag":
            over = f"OVER (ORDER BY {alias}.{by.name})"
        if kind == "bool" and name in ("max", "min"):
            name = "first_value"
        return f"{name}({self.expression(kind, 0)}) {over}"

    def expression(self, kind: str, depth: int) -> str:
        """An expression of a kind."""
        if depth <= 0 or self._chance(0.35):
            return self._leaf(kind)
        form = self.random.random()
        if form < 0.12:
            first = self.expression(kind, depth - 1)
            second = self.expression(self._near(kind), depth - 1)
            return f"coalesce({first}, {second})"
        if form < 0.2:
            return f"nullif({self.expression(kind, depth - 1)}, {self._cast(kind)})"
        if form < 0.35:
            condition = self.expression("bool", depth - 1)
            chosen = self.expression(kind, depth - 1)
            last = self.expression(self._near(kind), depth - 1)
            other = f" ELSE {last}" if self._chance(0.7) else ""
            return f"CASE WHEN {condition} THEN {chosen}{other} END"
        if form < 0.42 and self._grouped is None:
            return self._scalar(kind)
        return self._operated(kind, depth - 1)

    def _scalar(self, kind: str) -> str:
        inner = self._select([kind], 0)
        if "LIMIT" not in inner:
            if self.dialect == "duckdb" or "GROUP BY" in inner or "FROM" not in inner:
                return self._leaf(kind)
            inner += " LIMIT 1"
        return f"({inner})"

    def _leaf(self, kind: str) -> str:
        visible = self._visible if self._grouped is None else self._grouped
        found = [each for each in visible if each[1].kind == kind]
        if found and self._chance(0.75):
            alias, field = self.random.choice(found)
            return f"{alias}.{field.name}"
        return self._cast(kind)

    def _operated(self, kind: str, depth: int) -> str:
        def inner(other: str) -> str:
            return self.expression(other, depth)

        if kind == "bool":
            return self._condition(depth)
        if kind in ("int", "float", "decimal"):
            forms = [
                f"({inner(kind)} + {inner(self._near(kind))})",
                (
                    f"({inner(kind)} / {inner('int')})"
                    if self.dialect != "postgres"
                    else "0"
                ),
                f"({inner(kind)} * {inner('int')})",
                f"({inner(kind)} - {inner(kind)})",
                f"abs({inner(kind)})",
                f"(- {self._leaf(kind)})",
            ]
            if kind == "int":
                forms += [f"length({inner('text')})", f"({inner('int')} % 2)"]
            return self.random.choice(forms)
        if kind == "text":
            joined = f"({inner('text')} || {inner('text')})"
            if self.dialect == "mysql":
                joined = f"concat({inner('text')}, {inner('text')})"
            return self.random.choice(
                (
                    joined,
                    f"upper({inner('text')})",
                    f"trim({inner('text')})",
                    f"replace({inner('text')}, 'a', 'b')",
                    f"substr({inner('text')}, 1, 1)",
                )
            )
        return self._leaf(kind)

    def _near(self, kind: str) -> str:
        """The same kind, or another one of numbers."""
        numbers = ("int", "float", "decimal")
        is_other = kind in numbers and self._chance(0.25)
        return self.random.choice(numbers) if is_other else kind

    def _with_subquery(self, one: str, kind: str) -> str:
        """EXISTS, or IN a query, over a table that may be correlated."""
        visible = list(self._visible)
        self._aliases += 1
        table, alias = self.random.choice(self.tables.tables), f"a{self._aliases}"
        own = [(alias, each) for each in table.fields]
        self._visible = visible + own
        where = self.expression("bool", 0)
        self._visible = own
        item = self._leaf(kind)
        self._visible = visible
        inner = f"FROM {table.name} {alias} WHERE {where}"
        negated = self.random.choice(("", "NOT "))
        if self._chance(0.5):
            return f"({negated}EXISTS (SELECT 1 {inner}))"
        return f"({one} {negated}IN (SELECT {item} {inner}))"

    def _condition(self, depth: int) -> str:
        kind = self.random.choice(KINDS)
        one, other = self.expression(kind, depth), self.expression(
            self._near(kind), depth
        )
        if self._chance(0.15) and self._grouped is None:
            return self._with_subquery(one, kind)
        comparison = self.random.choice(("=", "<>", "<", ">="))
        return self.random.choice(
            (
                f"({one} {comparison} {other})",
                f"({one} IS NULL)",
                f"({one} IS NOT NULL)",
                f"({one} IN ({other}, {self._cast(kind)}))",
                f"({one} NOT IN ({self._cast(kind)}))",
                f"({one} BETWEEN {self._cast(kind)} AND {other})",
                f"(NOT {self.expression('bool', depth)})",
                f"({self.expression('bool', depth)} AND {self.expression('bool', depth)})",
                f"({self.expression('bool', depth)} OR {self.expression('bool', depth)})",
                f"({self.expression('text', depth)} LIKE 'a%')",
            )
        )


_AGGREGATES = ("count(", "sum(", "avg(", "min(", "max(")
