"""Run the chosen targets on a catalog, and pass their files on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.custom.mistakes import TemplateMistakes
from brimgen.emit.vendored import Vendor
from brimgen.model.catalog import Catalog
from brimgen.output.format_python import format_python
from brimgen.output.plan import Output


def emit_into(
    sink: Callable[[Output], None],
    catalog: Catalog,
    emitters: tuple[Emitter, ...],
    diagnostics: Diagnostics,
    *,
    others: Iterable[Emitter] = (),
    at: Callable[[str], None] = lambda step: None,
) -> Collection[str]:
    """Pass the files of all targets to ``sink``, one by one; call ``at`` with each next step.

    Returns the names of the targets that have no files.

    A copy of the runtime comes last: what these files need of it, and what the files of ``others``
    need, targets that this run does not make; then all that the formatter had to do with. Mistakes
    in templates of the project are reported; the files are incomplete then.
    """
    vendor = _vendor(catalog)
    empty = {emitter.name for emitter in emitters}

    def made() -> Iterator[Output]:
        for emitter in emitters:
            at(f"making {emitter.name}")
            try:
                for artifact in emitter.files(catalog):
                    empty.discard(emitter.name)
                    yield _output(artifact, emitter.name, vendor)
            except TemplateMistakes as problem:
                problem.report(diagnostics)
        at("finishing")
        if vendor is None or all(emitter.name != PYTHON for emitter in emitters):
            return
        for emitter in others:
            # A run that makes this target reports its mistakes.
            with suppress(TemplateMistakes):
                for artifact in emitter.emit(catalog):
                    vendor.changed(artifact)
        for artifact in vendor.copies():
            yield output_of(artifact, PYTHON)

    for output in format_python(made(), catalog.project.formatter):
        sink(output)
    return empty


PYTHON = "python"
"""The target that a copy of the runtime belongs to."""


def _vendor(catalog: Catalog) -> Vendor | None:
    project = catalog.project
    return Vendor(project.package) if project.is_vendored else None


def _output(artifact: Artifact, target: str, vendor: Vendor | None) -> Output:
    """Return a file of ``target``, which imports the copy of the runtime where there is one."""
    return output_of(artifact if vendor is None else vendor.changed(artifact), target)


def emitted(
    catalog: Catalog, emitters: Iterable[Emitter]
) -> Iterator[tuple[str, Artifact]]:
    """Yield the files of all targets with the names of their targets, and a copy of the runtime
    where the project asks for it.
    """
    vendor = _vendor(catalog)

    def made() -> Iterator[Output]:
        for emitter in emitters:
            for artifact in emitter.files(catalog):
                yield _output(artifact, emitter.name, vendor)
        if vendor is not None:
            for artifact in vendor.copies():
                yield output_of(artifact, PYTHON)

    for file in format_python(made(), catalog.project.formatter):
        text = file.data.decode("utf-8")
        yield file.target, Artifact(file.path, text, file.sources, file.is_copy)


def output_of(artifact: Artifact, target: str) -> Output:
    """Return an artifact as a file of ``target``, with its text as bytes."""
    data = artifact.text.encode("utf-8")
    return Output(artifact.path, data, target, artifact.sources, artifact.is_copy)


def ledger(catalog: Catalog, emitters: tuple[Emitter, ...]) -> tuple[Output, ...]:
    """Return the file of the losses of all targets, if any target accounts for its losses."""
    from brimgen.emit.losses import NAME, losses_file

    artifact = losses_file(catalog, emitters)
    return () if artifact is None else (output_of(artifact, NAME),)


def in_order(outputs: Iterable[Output]) -> tuple[Output, ...]:
    """Sort the files of all targets by path."""
    return tuple(sorted(outputs, key=lambda output: output.path))


def check_together(
    catalog: Catalog,
    emitters: Sequence[Emitter],
    diagnostics: Diagnostics,
    *,
    whole: bool,
) -> None:
    """Check what concerns several targets: losses, the token budget, and what a server needs.

    ``whole`` says that ``emitters`` are all targets of the project; else the server is not
    checked.
    """
    from brimgen.emit.losses import check_losses, losses_of
    from brimgen.emit.tokens import check_budget, check_cuts

    names = {emitter.name for emitter in emitters}
    if whole and "server" in names:
        from brimgen.emit.server_needs import check_server_needs

        check_server_needs(catalog, names, diagnostics)
    losses = losses_of(catalog, emitters) or ()
    check_cuts(catalog, losses, diagnostics)
    if catalog.project.descriptors.strict_loss:
        check_losses(catalog, losses, diagnostics)
    check_budget(catalog, emitters, diagnostics)
