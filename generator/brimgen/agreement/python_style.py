"""Check that generated Python compiles and is formatted as black would format it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from brimgen.agreement.in_parallel import in_parallel

_File: TypeAlias = tuple[str, str]


def unlike_black(
    files: Iterable[tuple[str, str]],
    through: Callable[[Sequence[_File]], Iterable[_File]] = iter,
) -> Iterator[tuple[str, str]]:
    """Yield the path of each module among ``files`` (path and text) that is not as it should be,
    and why; ``through`` passes the modules on, and may report the progress.

    Builds do not ask black, which would take nine tenths of their time: what the templates write
    has the form of black by construction. Here that is shown.
    """
    import black
    from black.mode import TargetVersion
    from black.parsing import InvalidInput

    mode = black.Mode(target_versions={TargetVersion.PY311})

    def fault(file: tuple[str, str]) -> str | None:
        path, text = file
        try:
            compile(text, path, "exec", dont_inherit=True)
            if black.format_str(text, mode=mode) != text:
                return "black would write it otherwise"
        except (SyntaxError, ValueError, InvalidInput) as problem:
            return f"it does not compile ({problem})"
        return None

    modules = [file for file in files if file[0].endswith(".py")]
    faults = in_parallel(fault, modules)
    for (path, _), says in zip(through(modules), faults, strict=True):
        if says is not None:
            yield path, says
