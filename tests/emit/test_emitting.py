"""Files of targets are made one by one, and only those that somebody wants."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter, Pending
from brimgen.emitting import emit_into
from brimgen.model.catalog import Catalog
from brimgen.model.project import Project
from brimgen.output.plan import Output


class _Target:
    """A target of a file that is there and a pending one, which counts how often that is made."""

    def __init__(self) -> None:
        self.made = 0

    def _text(self) -> str:
        self.made += 1
        return "pending\n"

    def _emit(self, _: Catalog) -> Iterator[Artifact | Pending]:
        yield Artifact("there", "there\n", ("specs/a.yaml",))
        yield Pending("pending", self._text)

    def _check(self, _: Catalog, found: Diagnostics) -> None:
        """Report nothing."""

    @property
    def emitter(self) -> Emitter:
        return Emitter("target", "two files", self._check, self._emit)


def test_all_files_are_made_once() -> None:
    target, outputs = _Target(), list[Output]()
    emit_into(outputs.append, Catalog(Project(), {}, {}, ()), (target.emitter,))
    assert [
        Output("there", b"there\n", "target", ("specs/a.yaml",)),
        Output("pending", b"pending\n", "target", ()),
    ] == outputs
    assert 1 == target.made


def test_what_nobody_wants_is_not_made() -> None:
    target, outputs = _Target(), list[Output]()
    emit_into(
        outputs.append,
        Catalog(Project(), {}, {}, ()),
        (target.emitter,),
        wants=lambda each: bool(each.sources),
    )
    assert ["there"] == [each.path for each in outputs]
    assert 0 == target.made
