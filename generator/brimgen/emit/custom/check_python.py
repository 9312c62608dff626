"""Refuse what is no Python, where a template of a project had a part in it."""

from __future__ import annotations

import warnings

from brimgen.diagnostics import Span
from brimgen.diagnostics.rules import BROKEN_PYTHON
from brimgen.emit.custom.mistakes import TemplateMistake


def check_python(path: str, text: str, span: Span) -> None:
    """Compile the file ``path``, if it is Python; ``span`` is the place of the template.

    Raises:
        TemplateMistake: where the text is not Python.
    """
    if not path.endswith((".py", ".pyi")):
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, path, "exec", dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        raise TemplateMistake(
            BROKEN_PYTHON, span, path=path, problem=_in_words(problem, text)
        ) from problem


def _in_words(problem: Exception, text: str) -> str:
    if not isinstance(problem, SyntaxError) or problem.lineno is None:
        return str(problem)
    lines = text.split("\n")
    line = lines[problem.lineno - 1].strip() if problem.lineno <= len(lines) else ""
    return f"{problem.msg}, in line {problem.lineno}: `{line[:60]}`"
