"""Run a command: parse its arguments, handle its exceptions, return its exit code."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from brimgen.cli.console.report import BUG, DISK, INTERRUPTED, SOUND, USAGE, write_text

if TYPE_CHECKING:
    from brimgen.build.stamp import Invocation


_HELP = frozenset({"--help", "-h", "--version"})


def run(
    arguments: list[str] | None = None, invocation: Invocation | None = None
) -> int:
    """Run the command; return its exit code. ``arguments`` None means those of the process.

    ``invocation`` is what a stamp may answer the next time.
    """
    argv = sys.argv[1:] if arguments is None else arguments
    try:
        code = _command(argv, invocation)
        # None where the process was started without one; `lsp` closes it when the editor ends.
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as problem:
        return _failed(problem)
    return code


def _command(argv: list[str], invocation: Invocation | None) -> int:
    from brimgen.cli.argument_files import expand_argument_files
    from brimgen.cli.main import brimgen

    try:
        code = brimgen.main(
            expand_argument_files(argv),
            prog_name="brimgen",
            standalone_mode=False,
            obj=invocation,
        )
    except SystemExit as end:
        # click exits so when it writes to a closed pipe; it writes only help itself.
        if end.code != 1:
            raise
        return SOUND if _HELP.intersection(argv) else DISK
    return code if isinstance(code, int) else SOUND


def _failed(problem: BaseException) -> int:
    """Print a problem as its kind requires; return the exit code of that kind."""
    if isinstance(problem, (OSError, MemoryError)):
        # Import nothing here: memory or file handles may be exhausted.
        _write_stderr(f"brimgen: {str(problem) or 'out of memory'}\n")
        return DISK
    import click

    match problem:
        case click.exceptions.NoArgsIsHelpError():
            _write_stderr(f"{problem.format_message()}\n")
            return USAGE
        case click.ClickException():
            with suppress(OSError):
                problem.show()
            return USAGE
        case click.Abort() | KeyboardInterrupt():
            _write_stderr("brimgen: interrupted\n")
            return INTERRUPTED
        case _:
            _report_bug(problem)
            return BUG


def _write_stderr(text: str) -> None:
    """Write to stderr; if that fails, only the exit code reports the problem."""
    with suppress(OSError):
        write_text(text)


def _report_bug(problem: BaseException) -> None:
    import traceback

    _write_stderr("".join(traceback.format_exception(problem)))
    _write_stderr("brimgen: this is a bug in brimgen; please report it\n")
