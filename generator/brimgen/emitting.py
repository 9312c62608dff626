"""Run the chosen targets on a catalog, and pass their files on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter, Part, ToolFiles
from brimgen.emit.carried import TARGETS, carried, imports_of
from brimgen.emit.custom.mistakes import TemplateMistakes
from brimgen.model.catalog import Catalog
from brimgen.output.plan import Output

Changed: TypeAlias = Callable[
    [str, ToolFiles, Callable[[], Sequence[Output]]],
    tuple[Sequence[Output], Sequence[str]],
]
"""Given a target, the files of a tool and how they are made: those that may have changed, and the
modules of the runtime that the others need."""


def emit_into(
    sink: Callable[[Output], None],
    catalog: Catalog,
    emitters: tuple[Emitter, ...],
    diagnostics: Diagnostics,
    *,
    others: Iterable[Emitter] = (),
    at: Callable[[str], None] | None = None,
    changed: Changed | None = None,
) -> None:
    """Hand the files of all targets to ``sink``, one by one; tell ``at`` which target is next.

    With ``changed``, files of tools are those that it returns. Last come the modules of the runtime
    that all these files need, and those of ``others``, which this run does not make. Mistakes
    in templates of the project are reported: the files are not complete then.
    """
    needed: set[str] = set()
    for emitter in emitters:
        target = emitter.name
        if at is not None:
            at(f"making {target}")
        try:
            for part in emitter.parts(catalog):
                outputs, needs = _outputs(catalog, part, target, changed)
                needed.update(needs)
                for output in outputs:
                    needed.update(output.needs)
                    sink(output)
        except TemplateMistakes as problem:
            problem.report(diagnostics)
    if at is not None:
        at("finishing")
    targets = {emitter.name for emitter in emitters}
    if not targets.isdisjoint(TARGETS.values()):
        for emitter in others:
            # A run that makes this target reports its mistakes.
            with suppress(TemplateMistakes):
                for artifact in emitter.emit(catalog):
                    needed.update(imports_of(artifact, catalog))
        for target, artifact in carried(catalog, needed, targets):
            sink(output_of(artifact, target))


def _outputs(
    catalog: Catalog, part: Part, target: str, changed: Changed | None
) -> tuple[Sequence[Output], Sequence[str]]:
    """The files of a part that may have changed, and what the others need."""

    def make() -> tuple[Output, ...]:
        artifacts = (part,) if isinstance(part, Artifact) else part.make()
        return tuple(
            output_of(artifact, target, imports_of(artifact, catalog))
            for artifact in artifacts
        )

    if changed is None or isinstance(part, Artifact):
        return make(), ()
    return changed(target, part, make)


def emitted(
    catalog: Catalog, emitters: Iterable[Emitter]
) -> Iterator[tuple[str, Artifact]]:
    """Yield the files of all targets with the names of their targets, the runtime among them."""
    needed: set[str] = set()
    names: set[str] = set()
    for emitter in emitters:
        names.add(emitter.name)
        for artifact in emitter.emit(catalog):
            needed.update(imports_of(artifact, catalog))
            yield emitter.name, artifact
    yield from carried(catalog, needed, names)


def output_of(artifact: Artifact, target: str, needs: Iterable[str] = ()) -> Output:
    """A file as it is to be written, and whose it is."""
    data = artifact.text.encode("utf-8")
    return Output(
        artifact.path, data, target, artifact.sources, artifact.is_copy, tuple(needs)
    )


def ledger(catalog: Catalog, emitters: tuple[Emitter, ...]) -> tuple[Output, ...]:
    """The file of what all targets lose, if any of them accounts for it."""
    from brimgen.emit.losses import NAME, losses_file

    artifact = losses_file(catalog, emitters)
    return () if artifact is None else (output_of(artifact, NAME),)


def in_order(outputs: Iterable[Output]) -> tuple[Output, ...]:
    """Files by their paths, whoever made them."""
    return tuple(sorted(outputs, key=lambda output: output.path))


def check_together(
    catalog: Catalog,
    emitters: Sequence[Emitter],
    diagnostics: Diagnostics,
    *,
    whole: bool,
) -> None:
    """Hold what targets account for against what the project allows; and a server, where they are
    the ``whole`` of what is made, against those that make what it runs.
    """
    from brimgen.emit.losses import check_losses, losses_of
    from brimgen.emit.tokens import check_budget

    names = {emitter.name for emitter in emitters}
    if whole and "server" in names:
        from brimgen.emit.server_needs import check_server_needs

        check_server_needs(catalog, names, diagnostics)
    if catalog.project.descriptors.strict_loss:
        check_losses(catalog, losses_of(catalog, emitters) or (), diagnostics)
    check_budget(catalog, emitters, diagnostics)
