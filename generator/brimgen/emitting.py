"""Run the chosen targets on a catalog; format the Python among their files."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import ruff  # type: ignore[import-untyped]

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.custom.mistakes import TemplateMistakes
from brimgen.emit.vendored import Vendor
from brimgen.frozen import replace
from brimgen.model.catalog import Catalog
from brimgen.model.project import Formatter
from brimgen.output.plan import Output


def emit(
    catalog: Catalog,
    emitters: Collection[Emitter],
    diagnostics: Diagnostics,
    *,
    others: Iterable[Emitter] = (),
    at: Callable[[str], None] = lambda step: None,
) -> tuple[list[Output], set[str]]:
    """Return the files of all targets, and the targets that have none; call ``at`` with each step.

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

    return [*format_python(made(), catalog.project.formatter)], empty


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
    """Yield the files of `emit` with the names of their targets; mistakes are not reported."""
    for file in emit(catalog, [*emitters], Diagnostics())[0]:
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
    from brimgen.emit.tokens import check_cuts

    names = {emitter.name for emitter in emitters}
    if whole and "server" in names:
        from brimgen.emit.server_needs import check_server_needs

        check_server_needs(catalog, names, diagnostics)
    losses = losses_of(catalog, emitters) or ()
    check_cuts(catalog, losses, diagnostics)
    if catalog.project.descriptors.strict_loss:
        check_losses(catalog, losses, diagnostics)


# ``name: type = value`` on a line too wide, where black puts a type or value that cannot be broken
# into parentheses and ruff does not: black has the last word on such a module. Lines that both
# skip, and words of prose in a row (`Note: the key`), are none of these.
_ONLY_BLACK_BREAKS = re.compile(
    rb"^(?=.{89})(?!.*# fmt: skip$) *(?:\w+: (?![\w`]+ [\w`])|\] = )", re.MULTILINE
)
_COMMAND = ("format", "--isolated", "--no-cache", "--target-version=py311", "@files")


class BrokenModule(Exception):
    """A generated module that is no Python: a mistake of brimgen, never of a spec."""


def format_python(outputs: Iterable[Output], formatter: Formatter) -> Iterator[Output]:
    """Yield all files, the Python among them formatted, save for copies of brimgen's own.

    Raises:
        BrokenModule: where one is no Python; the message names it and the specs it is made from.
    """
    python: list[Output] = []
    for output in outputs:
        if output.path.endswith((".py", ".pyi")) and not output.is_copy:
            python.append(output)
        else:
            yield output
    if python:
        formatted = (_by_ruff if formatter is Formatter.RUFF else _by_black)(python)
        for output, data in zip(python, formatted, strict=True):
            yield replace(output, data=data)


def _by_ruff(outputs: Sequence[Output]) -> Iterator[bytes]:
    # Only here, as they import a lot: most runs write nothing.
    import subprocess
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="brimgen-") as folder:
        files = [
            f"{number}{output.path[output.path.rindex('.') :]}"
            for number, output in enumerate(outputs)
        ]
        for file, output in zip(files, outputs, strict=True):
            Path(folder, file).write_bytes(output.data)
        Path(folder, "files").write_text("\n".join(files), encoding="utf-8")
        run = subprocess.run(
            (str(ruff.find_ruff_bin()), *_COMMAND),
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if run.returncode:
            for file, output in zip(files, outputs, strict=True):
                if f" {file}:" in run.stderr:
                    raise _broken(output, run.stderr.strip().replace(file, output.path))
            raise OSError(f"ruff format failed: {run.stderr.strip()}")
        for file, output in zip(files, outputs, strict=True):
            data = Path(folder, file).read_bytes()
            if _ONLY_BLACK_BREAKS.search(data):
                [data] = _by_black([replace(output, data=data)])
            yield data


def _by_black(outputs: Sequence[Output]) -> Iterator[bytes]:
    from black import Mode, format_str
    from black.mode import TargetVersion

    for output in outputs:
        is_stub = output.path.endswith(".pyi")
        mode = Mode(target_versions={TargetVersion.PY311}, is_pyi=is_stub)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                text = format_str(output.data.decode("utf-8"), mode=mode)
        except ValueError as problem:
            raise _broken(output, str(problem)) from problem
        yield text.encode("utf-8")


def _broken(output: Output, problem: str) -> BrokenModule:
    specs = ", ".join(output.sources) or "all specs"
    return BrokenModule(
        f"{output.path}, made by the target {output.target} from {specs}, is no Python: "
        f"{problem}. Nothing was written. Please report this with the spec of the tool."
    )
