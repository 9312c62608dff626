"""Artifacts and emitters: what a target is, and what it hands on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from brimgen.diagnostics import Diagnostics
from brimgen.emit.account import Descriptor, Loss
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.targets import Target


@dataclass(frozen=True, slots=True)
class Artifact:
    """One generated file: its path below the output folder (with ``/``), its text, and the spec
    files whose content it depends on (stable names; empty where it is the whole catalog).
    ``is_copy`` says that it is a file of brimgen itself, as every build has it.
    """

    path: str
    text: str
    sources: tuple[str, ...] = ()
    is_copy: bool = False


@dataclass(frozen=True, slots=True)
class Emitter:
    """One target. ``check`` reports what the target cannot say, before the gate; ``emit`` makes
    the artifacts of a sound catalog, one by one where they are many, and cannot fail.

    A target that describes tools accounts for it: ``descriptors`` are those of each profile,
    ``losses`` what they leave out.
    """

    target: Target
    check: Callable[[Catalog, Diagnostics], None]
    emit: Callable[[Catalog], Iterable[Artifact]]
    descriptors: Callable[[Catalog], tuple[Descriptor, ...]] | None = None
    losses: Callable[[Catalog], tuple[Loss, ...]] | None = None

    @property
    def name(self) -> str:
        """The name of the target."""
        return self.target.name

    @property
    def default(self) -> bool:
        """Whether it runs unless told not to."""
        return self.target.default
