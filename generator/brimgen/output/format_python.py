"""Format the generated Python of a run: ruff does it in one process, or black, as a project asks.

So writers and templates need not know how wide a line becomes.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import ruff  # type: ignore[import-untyped]

from brimgen.frozen import replace
from brimgen.model.project import Formatter
from brimgen.output.plan import Output

# ``name: type = value`` on a line too wide, where black puts a type or value that cannot be broken
# into parentheses and ruff does not: black has the last word on such a module.
_ONLY_BLACK_BREAKS = re.compile(rb"^(?=.{89}) *(?:\w+: |\] = )", re.MULTILINE)
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
