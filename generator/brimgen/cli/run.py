"""Run a command: parse its arguments, handle its exceptions, return its exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

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


def expand_argument_files(arguments: Sequence[str]) -> list[str]:
    """Return ``arguments`` with each ``@FILE`` replaced by its lines; ``@@x`` means ``@x``.

    A line is one argument, without quoting; empty lines are skipped. ``@FILE`` within a file is not
    replaced. Raises `click.UsageError` for a file that cannot be read.
    """
    expanded: list[str] = []
    for argument in arguments:
        if argument.startswith("@@"):
            expanded.append(argument[1:])
        elif argument.startswith("@"):
            expanded += _lines(argument[1:])
        else:
            expanded.append(argument)
    return expanded


def _lines(name: str) -> list[str]:
    try:
        text = Path(name).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as problem:
        raise click.UsageError(
            f"Cannot read the arguments in {name!r}: {problem}"
        ) from None
    # `read_text` has made every line end a line feed; a file name may hold any other character.
    return [line for line in text.split("\n") if line]
