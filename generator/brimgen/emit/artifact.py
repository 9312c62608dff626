"""Define what a target is (`Emitter`) and the files that it makes (`Artifact`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics
from brimgen.emit.account import Descriptor, Loss
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Tool
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


@dataclass(frozen=True, slots=True)
class ToolFiles:
    """The files of one tool, which ``make`` writes when they are needed.

    They are a pure function of ``tool`` and ``facts``: equal tools and equal facts are equal
    files. ``facts`` are the values of the package that the files depend on besides the tool; their
    ``repr`` says all of them.
    """

    tool: Tool
    facts: tuple[object, ...]
    make: Callable[[], Sequence[Artifact]]


Part: TypeAlias = Artifact | ToolFiles


def types_read(tool: Tool, catalog: Catalog) -> tuple[object, ...]:
    """All leaves, and the entities and enums that a tool reads: facts for `ToolFiles`."""
    entities = [catalog.entities.get(name) for name in tool.entities_read]
    enums = [catalog.enums.get(name) for name in tool.entities_read]
    return (catalog.leaves, *entities, *enums)


@dataclass(frozen=True, slots=True)
class Emitter:
    """One target. ``check`` reports what the target cannot say, before the gate; ``parts`` makes
    the files of a sound catalog, one by one where they are many, and cannot fail.

    A target that describes tools accounts for it: ``descriptors`` are those that models are sent,
    for each profile; ``further_descriptors`` are those of prompts and resources; ``losses`` are
    what all of them leave out.
    """

    target: Target
    check: Callable[[Catalog, Diagnostics], None]
    parts: Callable[[Catalog], Iterable[Part]]
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
        return tuple(self._files(catalog))

    def _files(self, catalog: Catalog) -> Iterator[Artifact]:
        for part in self.parts(catalog):
            if isinstance(part, ToolFiles):
                yield from part.make()
            else:
                yield part
