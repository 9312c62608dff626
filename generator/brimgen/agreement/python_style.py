"""Check that generated Python compiles and is formatted as black would format it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def unlike_black(files: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the path of each module among ``files`` (path and text) that is not as it should be,
    and why.

    Builds do not ask black, which would take nine tenths of their time: what the templates write
    has the form of black by construction. Here that is shown.
    """
    import black
    from black.mode import TargetVersion
    from black.parsing import InvalidInput

    mode = black.Mode(target_versions={TargetVersion.PY311})
    for path, text in files:
        if not path.endswith(".py"):
            continue
        try:
            compile(text, path, "exec", dont_inherit=True)
            if black.format_str(text, mode=mode) != text:
                yield path, "black would write it otherwise"
        except (SyntaxError, ValueError, InvalidInput) as problem:
            yield path, f"it does not compile ({problem})"
