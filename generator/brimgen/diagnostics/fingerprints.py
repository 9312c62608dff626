"""Compute fingerprints by which services recognize a diagnostic after its lines have moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from brimgen.diagnostics.show_report import Report


def fingerprints(report: Report) -> Iterator[str]:
    """A text for each diagnostic, in their order, that is unique within the report.

    It is made of the file, the code, and the message, and of no position; of several equal ones
    the first, second and so on are told apart.
    """
    seen: Counter[str] = Counter()
    for diagnostic in report.diagnostics:
        identity = "\0".join(
            (
                report.prefix + diagnostic.span.file,
                diagnostic.rule.code,
                diagnostic.message,
            )
        )
        digest = sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        seen[digest] += 1
        yield f"{digest}:{seen[digest]}"
