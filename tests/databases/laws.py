"""What holds for every driver: tests of a shelf, which the tests of each database inherit."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from brimgen.sql import DIALECTS, scan
from brimgen.sql.result_columns import columns
from databases.shelf import (
    EXACT,
    UNCARRIED,
    UNLISTED,
    UNSENT,
    VALUES,
    Run,
    Shelf,
    columns_of,
)


class Laws:
    """The tests of a module whose fixture ``shelf`` is a table, reached by a driver.

    Not ``exact`` is a database that keeps decimals as floats.
    """

    exact = True

    def test_every_value_comes_back(self, shelf: Shelf) -> None:
        """Every boundary value comes back equal, and is found by itself, alone and in a list."""
        unsent = UNSENT.get(shelf.driver, set())
        columns = [name for name in columns_of(shelf.dialect) if name not in unsent]
        values = {name: VALUES[name] for name in columns}
        if self.exact:
            values["amount"] = [*VALUES["amount"], *EXACT]
            values["large"] = [*VALUES["large"], 2**64 - 1]
        number = 0
        kept: dict[str, dict[int, Any]] = {name: {} for name in columns}
        for name, several in values.items():
            for value in several:
                number += 1
                shelf.call("put", id=number, **{name: value})
                kept[name][number] = value
                (found,) = shelf.call("get", id=number)
                assert getattr(found, name) == value
                assert type(getattr(found, name)) is type(value)
                assert [number] == shelf.call(f"find_{name}", v=value)
        for name in kept.keys() - UNLISTED.get(shelf.dialect, set()):
            _lists(shelf, name, kept[name])
        everything = list(range(1, number + 1))
        assert everything == shelf.call("find_name", v=None)

    def test_null_is_none(self, shelf: Shelf) -> None:
        """None is NULL in every column, and comes back as None."""
        shelf.call("put", id=1)
        (found,) = shelf.call("get", id=1)
        columns = columns_of(shelf.dialect)
        assert [None] * len(columns) == [getattr(found, name) for name in columns]
        assert (None, None) == (found.data, found.names)

    def test_json_comes_back(self, shelf: Shelf) -> None:
        """JSON goes in as text and comes back as it was, whatever the driver makes of it."""
        data = {"a": [1, 2.5, "ü'\\", None, True], "b": {"c": "x" * 5000}}
        names = ["it's", "", 'q"uote']
        shelf.call("put", id=1, data=data, names=names)
        (found,) = shelf.call("get", id=1)
        assert data == {**found.data, "a": [*map(_plain, found.data["a"])]}
        assert names == found.names

    def test_strings_and_comments_stay_as_they_are(self, shelf: Shelf) -> None:
        """Strings and comments reach the database as they are written, beside a bound value."""
        shelf.call("put", id=1, name="a%xyz")
        (found,) = shelf.call("awkward", v="a%xyz", vs=[1])
        expected = {"a": "5%% of :no", "b": "it's %(x) ? $1 @x {y}", "c": "a%xyz"}
        assert expected == found
        assert [] == shelf.call("awkward", v="a%xyz", vs=[2])

    def test_a_statement_without_parameters(self, shelf: Shelf) -> None:
        """A statement without parameters is executed as it is written."""
        shelf.call("put", id=1)
        assert ["100%"] == shelf.call("constant")

    def test_what_cannot_be_carried_is_refused(self, shelf: Shelf) -> None:
        """What cannot be carried raises ValueError before the database is touched."""
        columns = columns_of(shelf.dialect)
        for name, several in UNCARRIED.items():
            if name not in columns:
                continue
            unlisted = name in UNLISTED.get(shelf.dialect, ())
            for value in several:
                with pytest.raises(ValueError, match=f"parameter '{name}'"):
                    shelf.bind("put", id=1, **{name: value})
                if unlisted:
                    continue
                with pytest.raises(ValueError, match="parameter 'vs/1'"):
                    shelf.call(f"in_{name}", vs=[VALUES[name][0], value])
            if not unlisted:
                with pytest.raises(ValueError, match="cannot hold None"):
                    shelf.call(f"in_{name}", vs=[None])


def _lists(shelf: Shelf, name: str, known: dict[int, Any]) -> None:
    ids, values = list(known), list(known.values())
    assert ids == shelf.call(f"in_{name}", vs=values)
    assert ids[:1] == shelf.call(f"in_{name}", vs=values[:1])
    assert [] == shelf.call(f"in_{name}", vs=[])
    assert [] == shelf.call(f"in_{name}", vs=None)
    assert ids[1:] == shelf.call(f"not_in_{name}", vs=values[:1])
    everything = shelf.call(f"not_in_{name}", vs=[])
    assert set(ids) <= set(everything)
    assert ids[:1] == shelf.call(f"in_{name}", vs=values[:1] * 3000)


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


EXPRESSIONS = (
    *("count(*)", "max(a)", "a + b", "a - 1", "2 * a", "a % b", "coalesce(a, b)"),
    *("count(*) + 1", "sum(a) OVER (ORDER BY b)", "max(abs(a))", "CAST(a AS decimal)"),
    *("(a)", "a", "-a", "a IS NULL", "CASE WHEN a = 1 THEN b END", "nullif(a, b)"),
    *("concat('x', a)", "NOT (a = b)", "(SELECT 7)", "'x'", "7", "greatest(a, b)"),
)


def names_columns(run: Run, dialect: str) -> None:
    """A name that is told is that of the database; what is unnamed has no plain one."""
    for each in EXPRESSIONS:
        sql = f"SELECT {each} FROM (SELECT 1 AS a, 2 AS b) AS t GROUP BY a, b"
        (column,) = columns(scan(sql, DIALECTS[dialect])) or ()
        ((_, (theirs,)),) = run(sql, None)
        assert column.name in (None, theirs), each
        assert not (column.unnamed and theirs.isidentifier()), each
