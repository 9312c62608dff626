"""Define what a target is (`Emitter`) and the files that it makes (`Artifact`)."""

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
    ``is_copy`` says that it is a file of the runtime, as every build has it.
    """

    path: str
    text: str
    sources: tuple[str, ...] = ()
    is_copy: bool = False


def _check_nothing(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Check nothing, for a target that can say all that there is in a catalog."""


@dataclass(frozen=True, slots=True)
class Emitter:
    """One target. ``files`` makes the files of a sound catalog, one by one where they are many, and
    cannot fail; ``check`` reports what the target cannot say, before the gate.

    A target that describes tools accounts for it: ``descriptors`` are those that models are sent,
    for each profile; ``further_descriptors`` are those of prompts and resources; ``losses`` are
    what all of them leave out.
    """

    target: Target
    files: Callable[[Catalog], Iterable[Artifact]]
    check: Callable[[Catalog, Diagnostics], None] = _check_nothing
    descriptors: Callable[[Catalog], tuple[Descriptor, ...]] | None = None
    further_descriptors: Callable[[Catalog], tuple[Descriptor, ...]] | None = None
    losses: Callable[[Catalog], tuple[Loss, ...]] | None = None

    @property
    def name(self) -> str:
        """The name of the target."""
        return self.target.name

    @property
    def default(self) -> bool:
        """Whether the target runs if the settings choose none."""
        return self.target.default

    def emit(self, catalog: Catalog) -> tuple[Artifact, ...]:
        """All files of a sound catalog."""
        return tuple(self.files(catalog))
