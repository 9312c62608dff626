"""What the command line, editors and tests call: run every stage once, in order.

`build` and `lint` report, `check` and `compare` hold the files on the disk against a build, and
`generate` writes them.
"""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from brimgen import __version__
from brimgen.diagnostics import Diagnostics as Diagnostics
from brimgen.diagnostics import Severity
from brimgen.diagnostics.rules import TARGET_EMPTY, UNREADABLE_LOCK
from brimgen.emit.artifact import Emitter
from brimgen.emit.attribute_names import name_attributes
from brimgen.emit.handler_paths import check_handlers
from brimgen.emitting import check_together, emit, ledger
from brimgen.frozen import replace
from brimgen.identity.assign import Supply
from brimgen.model.catalog import Catalog
from brimgen.model.targets import TARGETS
from brimgen.output.journal import locked, write, writing
from brimgen.output.lock_file import (
    PendingLockFile,
    lock_span,
    read_text,
    report_stale,
    saved,
)
from brimgen.output.plan import Output, Plan, Scope
from brimgen.settings.load import Flags as Flags
from brimgen.settings.load import Settings as Settings
from brimgen.settings.load import load_settings as load_settings
from brimgen.source.compose import compose
from brimgen.source.document import Document, SourceFile
from brimgen.source.files import SUFFIX, read_files
from brimgen.stages import Build as Build
from brimgen.stages import Result as Result
from brimgen.stages import Stages

if TYPE_CHECKING:
    from brimgen.emit.tokens import Size


@contextmanager
def unswept() -> Generator[None]:
    """Switch the cycle collector off for the work inside, and back to what it was.

    A build keeps nearly all that it makes until it ends. The collector would walk through that
    again and again and free nothing: it took half of the time of a build of 1,000 tools.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _compose_any(file: SourceFile, diagnostics: Diagnostics) -> tuple[Document, ...]:
    """Return the specs of a file: the classes of a Python module, or what `compose` reads."""
    if not file.name.casefold().endswith(SUFFIX):
        return compose(file, diagnostics)
    from brimgen.importers.python.build_sources import documents

    return documents(file, diagnostics)


def real_stages(settings: Settings | None = None) -> Stages:
    """Return the real stages, imported here because many commands need no build.

    With ``settings``, the targets are those that the settings choose, and the project's own.
    """
    from brimgen.emit import describing_emitters, emitter_of, judge
    from brimgen.lint.run_checks import lint
    from brimgen.resolve.link import resolve
    from brimgen.syntax.documents import parse

    stages = Stages(
        read_files=read_files,
        compose=_compose_any,
        parse=parse,
        resolve=resolve,
        emitters=(),
        judge=judge,
        lint=lint,
    )
    if settings is None:
        return replace(stages, emitters=tuple(map(emitter_of, TARGETS)))
    stages = replace(stages, read_files=settings.reading(read_files))
    chosen = settings.chosen
    if settings.templates is None and not any(target.files for target in chosen):
        return replace(stages, emitters=tuple(map(emitter_of, chosen)))
    from brimgen.emit.custom.project_targets import ProjectTargets

    targets = ProjectTargets(settings.templates, describing_emitters)
    return replace(
        stages,
        emitters=tuple(
            (
                targets.of_files(target)
                if target.files
                else targets.of_brimgen(emitter_of(target))
            )
            for target in chosen
        ),
        check_templates=partial(targets.check, settings.custom),
    )


@unswept()
def build(settings: Settings, stages: Stages | None = None) -> Build:
    """Run every stage without touching the output; report the mistakes of all stages.

    What an emitter raises is a bug of ours and is passed on.
    """
    stages = stages or real_stages(settings)
    diagnostics, sources, catalog = _judge(settings, stages, notes=False)
    lock = outputs = None
    if not diagnostics.has_errors:
        catalog, lock = _keep(settings, catalog, stages.supply, diagnostics)
    if not diagnostics.has_errors:
        outputs = _emit(settings, stages, catalog, diagnostics)
    return Build(
        diagnostics=diagnostics,
        sources=sources,
        catalog=catalog,
        outputs=None if diagnostics.has_errors else outputs,
        lock=lock,
    )


def _emit(
    settings: Settings, stages: Stages, catalog: Catalog, diagnostics: Diagnostics
) -> tuple[Output, ...]:
    """Return the files of a sound catalog, sorted by path."""
    chosen = stages.emitters
    # A run that is limited to some targets does not know what the others lose.
    losses = () if settings.only else ledger(catalog, chosen)
    others = _others(settings, chosen) if settings.only else ()
    outputs, empty = emit(
        catalog, chosen, diagnostics, others=others, at=stages.steps.begin
    )
    asked = {each.name for each in chosen if not each.default}.intersection(empty)
    for name, span in settings.target_places:
        if name in asked:
            diagnostics.add(TARGET_EMPTY, span, target=name)
    return tuple(sorted((*losses, *outputs), key=lambda output: output.path))


def _others(settings: Settings, chosen: tuple[Emitter, ...]) -> tuple[Emitter, ...]:
    """Return the targets of the project that a limited run does not make."""
    chosen_names = {emitter.name for emitter in chosen}
    emitters = real_stages(replace(settings, only=None)).emitters
    return tuple(emitter for emitter in emitters if emitter.name not in chosen_names)


def lint(settings: Settings, stages: Stages | None = None) -> Build:
    """Run every stage that reports, and report the notes of lint as well; emit nothing."""
    stages = stages or real_stages(settings)
    diagnostics, sources, catalog = _judge(settings, stages, notes=True)
    return Build(
        diagnostics=diagnostics, sources=sources, catalog=catalog, outputs=None
    )


def weigh(
    settings: Settings, stages: Stages | None = None
) -> tuple[Build, tuple[Size, ...]]:
    """Run every stage that reports; also return the size of each descriptor. Emit nothing."""
    from brimgen.emit.tokens import sizes

    stages = stages or real_stages(settings)
    diagnostics, sources, catalog = _judge(settings, stages, notes=False)
    weighed = () if diagnostics.has_errors else sizes(catalog, stages.emitters)
    return (
        Build(diagnostics=diagnostics, sources=sources, catalog=catalog, outputs=None),
        weighed,
    )


def check_documents(settings: Settings, documents: Iterable[Document]) -> Diagnostics:
    """Judge documents that stand in no file as a build with these settings would.

    Handlers are not looked up.
    """
    stages, diagnostics = real_stages(settings), Diagnostics()
    specs = stages.parse(documents, diagnostics)
    catalog = name_attributes(stages.resolve(specs, settings.project, diagnostics))
    _check(settings, stages, catalog, diagnostics)
    return diagnostics


@unswept()
def _judge(
    settings: Settings, stages: Stages, *, notes: bool
) -> tuple[Diagnostics, tuple[SourceFile, ...], Catalog]:
    """Run every stage up to the gate; return its diagnostics, sources and catalog."""
    diagnostics = Diagnostics()
    sources = stages.read_files(settings.specs, diagnostics)
    catalog = _link(settings, stages, sources, diagnostics)
    _check(settings, stages, catalog, diagnostics)
    check_handlers(catalog, settings.source_roots, diagnostics)
    if stages.lint is not None:
        stages.lint(catalog, settings.lint, diagnostics, notes=notes)
    return diagnostics, sources, catalog


def _check(
    settings: Settings, stages: Stages, catalog: Catalog, diagnostics: Diagnostics
) -> None:
    """Let every target of this run judge a catalog."""
    stages.judge(catalog, diagnostics)
    stages.check_templates(diagnostics)
    for emitter in stages.emitters:
        emitter.check(catalog, diagnostics)
    # A run that is limited to some targets does not know which others there are.
    check_together(catalog, stages.emitters, diagnostics, whole=not settings.only)


def _link(
    settings: Settings,
    stages: Stages,
    files: Sequence[SourceFile],
    diagnostics: Diagnostics,
) -> Catalog:
    """Resolve spec files to a catalog.

    They are parsed one by one: the nodes of a document are freed before the next is composed.
    """
    documents = (
        document
        for file in stages.steps.through("reading specs", files)
        for document in stages.compose(file, diagnostics)
    )
    specs = stages.parse(documents, diagnostics)
    stages.steps.begin("checking tools")
    return name_attributes(stages.resolve(specs, settings.project, diagnostics))


def _keep(
    settings: Settings, catalog: Catalog, supply: Supply, diagnostics: Diagnostics
) -> tuple[Catalog, PendingLockFile | None]:
    """Return the catalog with the identities of its bundles, and the lock file that keeps them."""
    path = settings.lock_file
    text = read_text(path)
    if not catalog.bundles and (text is None or not settings.owns_lock):
        return catalog, None  # there is nothing to keep, and nothing to remove
    from brimgen.identity.assign import keep
    from brimgen.identity.lock_file import Lock, UnreadableLock, read_lock

    try:
        lock = Lock() if text is None else read_lock(text)
    except UnreadableLock as problem:
        diagnostics.add(UNREADABLE_LOCK, lock_span(path, settings.out), reason=problem)
        return catalog, None
    catalog, new_lock = keep(catalog, lock, supply)
    return catalog, PendingLockFile(path, text, new_lock.to_file(), settings.owns_lock)


@unswept()
def generate(
    settings: Settings,
    *,
    force: bool = False,
    adopt: bool = False,
    stages: Stages | None = None,
) -> Result:
    """Build, and write what changed into the output folder; write nothing if there is an error.

    Where no spec is left, generated files are removed with ``force`` only.

    Raises:
        OSError: where the disk fails; the output folder is then unchanged.
    """
    new_build = build(settings, stages)
    report_stale(new_build.lock, settings.out, new_build.diagnostics, writes=True)
    if new_build.diagnostics.has_errors:
        return Result(build=new_build, plan=None)
    with writing(settings.out):
        plan = _plan(settings, new_build, force=force, adopt=adopt)
        if plan.removes and not new_build.sources and not force:
            from brimgen.output.drift import report_emptied

            report_emptied(plan, settings.specs, new_build.diagnostics)
        if new_build.diagnostics.has_errors:
            return Result(build=new_build, plan=None)
        if plan.kept:
            from brimgen.output.drift import report_beside_patch

            report_beside_patch(plan, new_build.diagnostics)
        with saved(new_build.lock):
            write(plan)
    return Result(build=new_build, plan=plan)


@unswept()
def compare(
    settings: Settings, *, force: bool = False, stages: Stages | None = None
) -> Result:
    """Build, and compare with the output folder, without writing there."""
    new_build, plan = build(settings, stages), None
    if not new_build.diagnostics.has_errors:
        with locked(settings.out, shared=True):
            plan = _plan(settings, new_build, force=force)
    if new_build.diagnostics.has_errors:
        plan = None
    return Result(build=new_build, plan=plan)


def check(settings: Settings, stages: Stages | None = None) -> Result:
    """`compare`, with every difference reported, as an error where the run fails for it."""
    result = compare(settings, stages=stages)
    if result.plan is not None:
        from brimgen.lint.run_checks import with_severity
        from brimgen.output.drift import report_drift

        drift = Diagnostics()
        report_drift(result.plan, drift)
        report_stale(result.build.lock, settings.out, drift)
        result.build.diagnostics.extend(
            (
                each
                if result.is_clean
                else replace(each, rule=with_severity(each.rule, Severity.ERROR))
            )
            for each in drift
        )
    return result


def _plan(
    settings: Settings, new_build: Build, *, force: bool, adopt: bool = False
) -> Plan:
    """Return what must be changed in the output folder; report why it cannot be."""
    from brimgen.output.compare import Comparison

    targets = None if settings.only is None else frozenset(settings.only)
    scope = Scope(
        version=__version__,
        force=force,
        adopt=adopt,
        targets=targets,
        package=settings.project.package,
        row_of=settings.row_of,
    )
    comparison = Comparison(
        settings.out, scope=scope, diagnostics=new_build.diagnostics
    )
    return comparison.plan(new_build.outputs or ())
