"""Keep what libraries write from the standard streams of the process.

Diagnostics are all that is written there, in forms that programs read as well. A library warns,
logs or prints of what its caller has judged already.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO


@contextmanager
def quiet() -> Generator[None]:
    """Let nothing be written, warned of or logged within; errors are raised as ever."""
    import logging
    import warnings

    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with (
            warnings.catch_warnings(),
            redirect_stdout(StringIO()),
            redirect_stderr(StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
