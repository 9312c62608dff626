"""Emitting: a catalog and the chosen targets in, the files they make out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter, ToolFiles
from brimgen.model.catalog import Catalog
from brimgen.output.plan import Output


def emit_into(
    sink: Callable[[Output], None],
    catalog: Catalog,
    emitters: tuple[Emitter, ...],
    *,
    at: Callable[[str], None] | None = None,
) -> None:
    """Hand the files of all targets to ``sink``, one by one; tell ``at`` which target is next."""
    for emitter in emitters:
        if at is not None:
            at(f"making {emitter.name}")
        for part in emitter.parts(catalog):
            artifacts = part.make() if isinstance(part, ToolFiles) else (part,)
            for artifact in artifacts:
                sink(output_of(artifact, emitter.name))
    if at is not None:
        at("finishing")


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
