"""Compile generated Python before it is written, and refuse it where that fails."""

from __future__ import annotations

import warnings

from brimgen.output.plan import Output


class BrokenModule(Exception):
    """A generated module that does not compile: a mistake of brimgen, never of a spec."""


def check_compiles(output: Output) -> None:
    """Compile a module that is to be written.

    Raises:
        BrokenModule: where that fails; the message names the file and the specs it is made from.
    """
    if not output.path.endswith(".py") or output.is_copy:
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(output.data, output.path, "exec", dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError) as problem:
        specs = ", ".join(output.sources) or "all specs"
        raise BrokenModule(
            f"{output.path}, made by the target {output.target} from {specs}, is no Python: "
            f"{problem}. Nothing was written. Please report this with the spec of the tool."
        ) from problem
