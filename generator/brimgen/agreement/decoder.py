"""Run the generated code of one tool, and catch everything that it raises."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping
from typing import Any

from brimgen.agreement.descriptors import UNKNOWN, names_in
from brimgen.agreement.reference_validator import JUDGED
from brimgen.agreement.report import Excuse, Report
from brimgen.model.catalog import Tool
from brimgen.model.leaves import LEAF, Shipped
from brimgen.schema.walk import schemas_in

PYTHON = "Python, from_dict"
_ALONE = "brimgen alone reads the keyword"
_OPEN = "published as open (closed: false)"
_READ = (LEAF, "x-decimal")
_SHIPPED = frozenset(leaf.value for leaf in Shipped)


class ForeignCode(Exception):
    """The code of the project's own leaves cannot be run; the text says why."""


class Decoder:
    """The input type of one tool; ``published`` is its schema file."""

    def __init__(
        self, tool: Tool, code: Any, published: Mapping[str, Any], report: Report
    ) -> None:
        self.tool, self.code, self.report = tool, code, report
        self.input_type, self.published = code.input_type, published
        self._readers = _Readers(published)
        self._read: dict[bytes, tuple[Any, list[Any]]] = {}

    def read_call(self, instance: Any, artifact: str) -> tuple[Any, list[Any]]:
        """Read a call by ``from_call``, once for all descriptors."""
        key = marshal.dumps(instance, 0)
        cached = self._read.get(key)
        if cached is None:
            cached = self._read[key] = self.read(instance, artifact)
        return cached

    def read(
        self,
        instance: Any,
        artifact: str,
        decode: Callable[[Any], Any] | None = None,
    ) -> tuple[Any, list[Any]]:
        """Return what ``decode`` makes of an instance, or None and the violations.

        Without ``decode`` it is ``from_call``.
        """
        violations: list[Any] = []
        try:
            return (decode or self.input_type.from_call)(instance), violations
        except Exception as error:
            if isinstance(error, ValueError):
                violations += getattr(error, "violations", ())
            if not violations:
                self.raised(error, artifact, instance)
        return None, violations

    def raised(self, error: Exception, artifact: str, instance: Any) -> None:
        """Note down what no artifact may raise. Raises `ForeignCode` where leaves are read."""
        says = f"raises {type(error).__name__}: {error}"
        leaves = self._readers.leaves
        if leaves:
            names = " or ".join(f"`{leaf}`" for leaf in sorted(leaves))
            raise ForeignCode(f"the code of the leaf {names} {says}") from error
        self.report.differ(self.tool, artifact, says, instance)

    def differs(self, artifact: str, says: str, instance: Any) -> None:
        """Note a difference down."""
        self.report.differ(self.tool, artifact, says, instance)

    def decoder_excuse(self, rule: str, place: list[str | int]) -> Excuse | None:
        """Return why the decoder may refuse by ``rule`` what the schema admits, or None.

        The ``may`` of the excuse is only the reason.
        """
        if rule == UNKNOWN and self.tool.closed_input_schema is not None:
            return Excuse(_OPEN, "additionalProperties")
        names = [step for step in place if isinstance(step, str)]
        keywords = {"format": ("format", LEAF), "leaf": (LEAF,)}
        for word in keywords.get(rule, (rule,) if rule in _READ else ()):
            for name in (names[-1] if names else None, None):
                if (name, word) in self._readers.keywords:
                    return Excuse(_ALONE, word)
        return None


class _Readers:
    """Properties whose values our decoder checks beyond an independent validator, and how.

    ``keywords`` are pairs of a property's name, None where it may have any, and a keyword of it;
    ``leaves`` are the project's own.
    """

    def __init__(self, whole: Mapping[str, Any]) -> None:
        self.keywords: set[tuple[str | None, str]] = set()
        self.leaves: set[str] = set()
        for pointer, part in schemas_in(whole):
            names: list[str | None] = [None, *names_in(pointer.split("/")[1:])]
            kind, leaf = part.get("format"), part.get(LEAF)
            words = [word for word in _READ if word in part]
            if isinstance(kind, str) and kind not in JUDGED:
                words.append("format")
            self.keywords.update((names[-1], word) for word in words)
            if isinstance(leaf, str) and leaf not in _SHIPPED:
                self.leaves.add(leaf)
