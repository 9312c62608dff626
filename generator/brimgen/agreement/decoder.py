"""Run the generated code of one tool, and catch everything that it raises."""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Mapping
from typing import Any

from brimgen.agreement.reference_validator import JUDGED
from brimgen.agreement.report import Excuse, Report
from brimgen.model.catalog import Tool
from brimgen.model.leaves import LEAF, Shipped
from brimgen.schema.walk import NAMED, schemas_in
from brimgen_runtime.schema.json_pointer import steps_of

PYTHON = "Python, from_dict"
_ALONE = "brimgen alone reads the keyword"
_OPEN = "published as open (closed: false)"
_READ = (LEAF, "x-decimal")
_SHIPPED = frozenset(leaf.value for leaf in Shipped)


class ForeignCode(Exception):
    """The code of the project's own leaves cannot be run; the text says why."""


class Decoder:
    """The input type of one tool; ``published`` is its schema file.

    ``code`` is its `Tool` in the generated package.
    """

    def __init__(
        self, tool: Tool, code: Any, published: Mapping[str, Any], report: Report
    ) -> None:
        self.tool, self.code, self.report = tool, code, report
        self.input_type, self.published = code.input_type, published
        self._calls: dict[bytes, tuple[Any, list[Any]]] = {}
        self._own: set[tuple[str | None, str]] = set()
        """The names of properties, None where it may be any, that have a keyword which only our
        decoder reads.
        """
        self._leaves: set[str] = set()
        for pointer, part in schemas_in(published):
            name = [None, *names_in(pointer)][-1]
            self._own.update((name, word) for word in _READ if word in part)
            if part.get("format", "date") not in JUDGED:
                self._own.add((name, "format"))
            if LEAF in part and part[LEAF] not in _SHIPPED:
                self._leaves.add(str(part[LEAF]))

    def read_call(self, instance: Any, artifact: str) -> tuple[Any, list[Any]]:
        """Read a call by ``from_call``, once for all descriptors."""
        key = marshal.dumps(instance, 0)
        cached = self._calls.get(key)
        if cached is None:
            cached = self._calls[key] = self.read(instance, artifact, "from_call")
        return cached

    def read(self, instance: Any, artifact: str, method: str) -> tuple[Any, list[Any]]:
        """Return what a method of the class makes of an instance, or None and the violations."""
        violations: list[Any] = []
        try:
            return getattr(self.input_type, method)(instance), violations
        except Exception as error:
            if isinstance(error, ValueError):
                violations += getattr(error, "violations", ())
            if not violations:
                self.raised(error, artifact, instance)
        return None, violations

    def are_equal(self, one: Any, other: Any, artifact: str, instance: Any) -> bool:
        """Return whether two calls are equal; the classes of leaves may refuse to be compared."""
        try:
            return bool(one == other)
        except Exception as error:
            self.raised(error, artifact, instance)
            return True

    def raised(self, error: Exception, artifact: str, instance: Any) -> None:
        """Note down what no artifact may raise. Raises `ForeignCode` where leaves are read."""
        says = f"raises {type(error).__name__}: {error}"
        if self._leaves:
            names = " or ".join(f"`{leaf}`" for leaf in sorted(self._leaves))
            raise ForeignCode(f"the code of the leaf {names} {says}") from error
        self.differs(artifact, says, instance)

    def differs(self, artifact: str, says: str, instance: Any) -> None:
        """Note a difference down."""
        self.report.differ(self.tool, artifact, says, instance)

    def decoder_excuse(self, rule: str, pointer: str) -> Excuse | None:
        """Return why the decoder may refuse by ``rule`` what the schema admits, or None.

        The ``may`` of the excuse is only the reason.
        """
        is_open = self.tool.enforced_schema is not self.tool.input_schema
        if rule == "unknown" and is_open:
            return Excuse(_OPEN, "additionalProperties")
        name = [None, *names_of(pointer)][-1]
        keywords = {"format": ("format", LEAF), "leaf": (LEAF,), "x-decimal": (rule,)}
        for word in keywords.get(rule, ()):
            if not self._own.isdisjoint({(name, word), (None, word)}):
                return Excuse(_ALONE, word)
        return None


def names_of(pointer: str) -> list[str]:
    """The names of the properties that the pointer of a value leads through."""
    return [step for step in steps_of(pointer) if not step.isdigit()]


def names_in(pointer: str) -> Iterator[str | None]:
    """The properties that the pointer of a schema leads through, as `names_of` has those of values.

    None stands for those without a name.
    """
    steps = steps_of(pointer)
    for step in steps:
        if step == "properties":
            yield from (name for name in (next(steps, ""),) if not name.isdigit())
        elif step in ("additionalProperties", "unevaluatedProperties", "propertyNames"):
            yield None
        elif step in NAMED:
            next(steps, "")
            if step == "patternProperties":
                yield None
