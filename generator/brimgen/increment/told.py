"""What was told, and what was found in a part of the specs, in; what there is to tell now out."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.diagnostics import Diagnostic, Diagnostics
from brimgen.frozen import dataclass
from brimgen.increment import Doubt
from brimgen.increment.alone import ABOUT_ALL, OF_A_SET
from brimgen.increment.reach import Reach
from brimgen.increment.report import Report, Row, key_of, said_by, said_in
from brimgen.lint.names import alike
from brimgen.model.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Told:
    """What is ``found`` in what was built, and ``kept`` of what was told before."""

    found: Diagnostics
    kept: Report


def told_now(
    old: Report, found: Iterable[Diagnostic], catalog: Catalog, reach: Reach
) -> Told:
    """What there is to tell of a build of the ``catalog``, in which this was ``found``.

    Of files that were left out stands what was told of them, of those that were read what was
    found, of those on which both rest both; rules about all tools know all of them. Raises `Doubt`.
    """
    for each in catalog.entities.values():
        if next(alike(field.name for field in each.fields), None) is not None:
            raise Doubt  # it is told where tools together reach both
    found = tuple(found)
    codes = {row[5] for row in old.rows} | {each.rule.code for each in found}
    if not codes.isdisjoint(OF_A_SET):
        raise Doubt
    return _Telling(catalog, reach).told(old, found)


class _Telling:
    def __init__(self, catalog: Catalog, reach: Reach) -> None:
        self._reach, self._shared = reach, reach.shared
        self._has = {
            file
            for each in catalog.tools
            if not reach.changed.isdisjoint(each.sources)
            for file in each.sources
        }
        self._built = {file for each in catalog.tools for file in each.sources}

    def told(self, old: Report, found: tuple[Diagnostic, ...]) -> Told:
        """See `told_now`."""
        was: dict[str, list[Row]] = {}
        for row in old.rows:
            if row[5] not in ABOUT_ALL:
                was.setdefault(row[0], []).append(row)
        now: dict[str, list[Diagnostic]] = {}
        told = Diagnostics()
        for each in found:
            if each.rule.code in ABOUT_ALL:
                told.extend((each,))
            else:
                now.setdefault(each.span.file, []).append(each)
        kept: list[Row] = []
        for file in was.keys() | now.keys():
            stays, new = self._of(file, was.get(file, []), now.get(file, []))
            kept += stays
            told.extend(new)
        if any(place[0] in self._reach.changed for row in kept for place, _ in row[8]):
            raise Doubt
        return Told(told, Report(old.rules, tuple(sorted(kept, key=key_of))))

    def _of(
        self, file: str, was: list[Row], now: list[Diagnostic]
    ) -> tuple[list[Row], list[Diagnostic]]:
        """What was told of a file and stands, and what is new."""
        if file in self._reach.left:
            if now:
                raise Doubt
            return was, []
        is_read = file in self._built and file not in self._shared
        if is_read or file in self._reach.changed:
            return [], now
        said = {*map(said_in, was)}
        if said == {*map(said_by, now)}:
            return [], now
        return self._joined(
            file, was, [each for each in now if said_by(each) not in said]
        )

    def _joined(
        self, file: str, was: list[Row], new: list[Diagnostic]
    ) -> tuple[list[Row], list[Diagnostic]]:
        """What was told of a shared file, none of it because of what changed, and what is new."""
        reach = self._reach
        if (
            file not in self._shared
            or file in reach.near
            or (was and file in reach.had)
        ):
            raise Doubt
        if new and file not in self._has:
            raise Doubt
        known = {*map(key_of, was)}
        if any(key_of(said_by(each)) in known for each in new):
            raise Doubt
        return was, new
