"""Compute fingerprints by which services recognize a diagnostic after its lines have moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from brimgen.diagnostics.show_report import Report


def fingerprints(report: Report) -> Iterator[str]:
    """A unique text for each diagnostic of a report, in order.

    It is made of the file, the code and the message, without the position; a number tells equal
    ones apart.
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
