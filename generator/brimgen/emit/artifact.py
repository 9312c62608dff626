"""Artifacts and emitters: what a target is, and what it hands on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from brimgen.diagnostics import Diagnostics
from brimgen.emit.account import Descriptor, Loss
from brimgen.model.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Artifact:
    """One generated file: its path below the output folder, its text, and the spec files whose
    content it depends on (stable names; empty for a file that depends on the whole catalog).
    """

    path: PurePosixPath
    text: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Emitter:
    """One target. ``check`` reports what the target cannot say, before the gate; ``emit`` makes
    the artifacts of a sound catalog and cannot fail. ``default`` targets run unless told not to.

    A target that describes tools accounts for it: ``descriptors`` are those of each profile,
    ``losses`` what they leave out.
    """

    name: str
    summary: str
    check: Callable[[Catalog, Diagnostics], None]
    emit: Callable[[Catalog], tuple[Artifact, ...]]
    default: bool = True
    descriptors: Callable[[Catalog], tuple[Descriptor, ...]] | None = None
    losses: Callable[[Catalog], tuple[Loss, ...]] | None = None
