"""Read a list page by page: the next page begins after the keys of the last row of this one."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeVar, cast

from . import _json
from ._cells import Row
from ._run import AsyncConnection, Binding, Connection, Many, Values

P = ParamSpec("P")
InputT = TypeVar("InputT")
BoundT = TypeVar("BoundT")
RowT = TypeVar("RowT")

MOST_CHARACTERS = 10_000
"""How long a cursor may be."""


@dataclass(frozen=True, slots=True)
class Page(Generic[RowT]):
    """The rows of a page, and the cursor of the page that follows; None where there is no row."""

    rows: list[RowT]
    next_cursor: str | None


class Pages(Many[InputT, BoundT, P, RowT], Generic[InputT, BoundT, P, RowT]):
    """A statement that gives a list of rows page by page.

    ``keys`` are the arguments that say where a page begins, ``after`` sets them to the values of a
    row, and ``refused`` makes the error for a cursor that this tool did not give.
    """

    def __init__(
        self,
        input_type: type[InputT],
        bound_type: Callable[P, BoundT],
        kind: str,
        bindings: Mapping[str, Binding[BoundT]],
        decode: Callable[[Row, Sequence[str]], RowT],
        tool: str,
        keys: tuple[str, ...],
        after: Callable[[InputT, RowT], InputT],
        refused: Callable[..., Exception],
    ) -> None:
        super().__init__(input_type, bound_type, kind, bindings, decode)
        self.tool = tool
        self.keys = keys
        self.after = after
        self.refused = refused

    def page(
        self,
        connection: Connection,
        call: InputT,
        cursor: str | None = None,
        *,
        context: object = None,
        values: Values | None = None,
    ) -> Page[RowT]:
        """Execute the statement for the page at ``cursor``, the first one without it.

        Raises InputError for a cursor that this tool did not give.
        """
        call = self.at(call, cursor)
        rows = self.run(connection, call, context=context, values=values)
        return Page(rows, self._next(call, rows))

    async def page_async(
        self,
        connection: AsyncConnection,
        call: InputT,
        cursor: str | None = None,
        *,
        context: object = None,
        values: Values | None = None,
    ) -> Page[RowT]:
        """Do what `page` does with an async driver."""
        call = self.at(call, cursor)
        rows = await self.run_async(connection, call, context=context, values=values)
        return Page(rows, self._next(call, rows))

    def at(self, call: InputT, cursor: str | None) -> InputT:
        """Return ``call`` for the page at ``cursor``. Raises InputError."""
        if cursor is None:
            return call
        key_values = dict(zip(self.keys, self._read(cursor), strict=True))
        kind: Any = self.input_type
        moved: InputT = kind.from_dict({**cast("Any", call).to_dict(), **key_values})
        return moved

    def _next(self, call: InputT, rows: list[RowT]) -> str | None:
        if not rows:
            return None
        arguments = cast("Any", self.after(call, rows[-1])).to_dict()
        text = _json.write([self.tool, *(arguments[key] for key in self.keys)])
        return urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def _read(self, cursor: str) -> list[object]:
        """Return the values of the keys that a cursor holds."""
        held: object = None
        try:
            if len(cursor) <= MOST_CHARACTERS:
                padded = cursor + "=" * (-len(cursor) % 4)
                held = _json.read(urlsafe_b64decode(padded).decode())
        except (ValueError, RecursionError):
            pass
        if not isinstance(held, list) or not held:
            held = [None]
        tool, *values = cast("list[object]", held)
        if tool != self.tool or len(values) != len(self.keys) or None in values:
            expected = f"the `next_cursor` of a page of {self.tool}"
            finding = ((None, "cursor"), "cursor", expected, cursor, "")
            raise self.refused(self.tool, [finding], None)
        return values
