"""Emitting: a catalog and the chosen targets in, the files they make out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter, ToolFiles
from brimgen.emit.custom.mistakes import TemplateMistakes
from brimgen.model.catalog import Catalog
from brimgen.output.plan import Output

Changed: TypeAlias = Callable[
    [str, ToolFiles, Callable[[], Sequence[Output]]], Sequence[Output]
]
"""Given a target, the files of a tool and how they are made: those that may have changed."""


def emit_into(
    sink: Callable[[Output], None],
    catalog: Catalog,
    emitters: tuple[Emitter, ...],
    found: Diagnostics,
    *,
    at: Callable[[str], None] | None = None,
    changed: Changed | None = None,
) -> None:
    """Hand the files of all targets to ``sink``, one by one; tell ``at`` which target is next.

    With ``changed``, files of tools are those that it returns. Mistakes in templates of the project
    are reported: the files are not complete then.
    """
    for emitter in emitters:
        target = emitter.name
        if at is not None:
            at(f"making {target}")
        try:
            for part in emitter.parts(catalog):
                if isinstance(part, Artifact):
                    sink(output_of(part, target))
                    continue
                make = partial(_outputs, part, target)
                for each in make() if changed is None else changed(target, part, make):
                    sink(each)
        except TemplateMistakes as problem:
            problem.report(found)
    if at is not None:
        at("finishing")


def _outputs(part: ToolFiles, target: str) -> tuple[Output, ...]:
    return tuple(output_of(each, target) for each in part.make())


def output_of(artifact: Artifact, target: str) -> Output:
    """A file as it is to be written, and whose it is."""
    data = artifact.text.encode("utf-8")
    return Output(artifact.path, data, target, artifact.sources, artifact.is_copy)


def ledger(catalog: Catalog, emitters: tuple[Emitter, ...]) -> tuple[Output, ...]:
    """The file of what all targets lose, if any of them accounts for it."""
    from brimgen.emit.losses import NAME, losses_file

    made = losses_file(catalog, emitters)
    return () if made is None else (output_of(made, NAME),)


def in_order(outputs: Iterable[Output]) -> tuple[Output, ...]:
    """Files by their paths, whoever made them."""
    return tuple(sorted(outputs, key=lambda each: each.path))


def check_together(
    catalog: Catalog,
    emitters: Sequence[Emitter],
    found: Diagnostics,
    *,
    whole: bool,
) -> None:
    """Hold what targets account for against what the project allows; and a server, where they are
    the ``whole`` of what is made, against those that make what it runs.
    """
    from brimgen.emit.losses import check_losses, losses_of
    from brimgen.emit.tokens import check_budget

    made = {each.name for each in emitters}
    if whole and "server" in made:
        from brimgen.emit.server_needs import check_server_needs

        check_server_needs(catalog, made, found)
    if catalog.project.descriptors.strict_loss:
        check_losses(catalog, losses_of(catalog, emitters) or (), found)
    check_budget(catalog, emitters, found)
