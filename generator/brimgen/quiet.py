"""Keep what libraries write from the standard streams of the process.

Only diagnostics are written there, in forms that programs read as well. What a library warns
of, logs or prints, its caller has judged already.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO


@contextmanager
def quiet() -> Generator[None]:
    """Suppress output, warnings and logs of the code inside; exceptions pass."""
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
