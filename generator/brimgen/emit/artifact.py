"""Artifacts and emitters: what a target is, and what it hands on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from brimgen.diagnostics import Diagnostics
from brimgen.emit.account import Descriptor, Loss
from brimgen.frozen import dataclass, field
from brimgen.model.catalog import Catalog, Tool


@dataclass(frozen=True, slots=True)
class Artifact:
    """One generated file: its path below the output folder (with ``/``), its text, and the spec
    files whose content it depends on (stable names; empty where it is the whole catalog).
    """

    path: str
    text: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """An `Artifact` whose text is made when somebody asks for it.

    A target makes it whichever tools there are, and it is the same wherever the project, the
    entities, and the names of tools and their ``face`` are (`Apart`). So of several processes one
    makes it, and a build of what changed leaves it out where that is none of its sources.
    """

    path: str
    make: Callable[[], str]
    sources: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text, made anew each time."""
        return self.make()


@dataclass(frozen=True, slots=True)
class Others:
    """What a build of what changed leaves out: the names of other tools, and of the entities and
    the like of which the changed specs do not speak.
    """

    tools: frozenset[str]
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Apart:
    """What a target promises, so that changed tools can be built apart from all others.

    1. A file with sources rests on what these spec files declare, on the entities and the like
       that they name, on the project, and of other tools on their names alone.
    2. A file without sources is a list (``lists``: the name of the file, and the depth in its
       JSON at which there is one object a tool, with the tool's ``name`` (or ``…_name``) as the
       first one in it; ``lines``: the name of the file, and how the lines of a tool begin, ``@``
       standing for its name), or it rests on entities, the project, the names of tools and their
       ``face`` alone.
    3. ``check`` says the same of a tool whichever other tools there are, and entities that it does
       not name; rules of which that is
       not true stand in `brimgen.increment.alone.ABOUT_ALL`.

    ``meets`` tells whether a tool of the catalog gets into the way of others, of which no more is
    known than their names. ``is_whole`` tells whether tools of the catalog cannot be built apart
    from others that stand in `Catalog.beside`, as by two processes; what promise 2 says of names is
    then said of what the tools of ``beside`` have.
    """

    lists: Mapping[str, int] = field(default_factory=dict[str, int])
    lines: Mapping[str, str] = field(default_factory=dict[str, str])
    meets: Callable[[Catalog, Others], bool] | None = None
    face: Callable[[Tool], object] | None = None
    is_whole: Callable[[Catalog], bool] | None = None


@dataclass(frozen=True, slots=True)
class Emitter:
    """One target. ``check`` reports what the target cannot say, before the gate; ``emit`` makes
    the artifacts of a sound catalog, one by one where they are many, and cannot fail. ``default``
    targets run unless told not to.

    A target that describes tools accounts for it: ``descriptors`` are those of each profile,
    ``losses`` what they leave out. ``apart`` is what it promises for builds of what changed; where
    a chosen target promises nothing, every build is a build of everything.
    """

    name: str
    summary: str
    check: Callable[[Catalog, Diagnostics], None]
    emit: Callable[[Catalog], Iterable[Artifact | Pending]]
    default: bool = True
    descriptors: Callable[[Catalog], tuple[Descriptor, ...]] | None = None
    losses: Callable[[Catalog], tuple[Loss, ...]] | None = None
    apart: Apart | None = None
