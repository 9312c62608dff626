"""The report: how often each artifact was asked, what is excepted and why, and what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from brimgen.frozen import dataclass, field
from brimgen.model.catalog import Tool


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two artifacts do not say the same of one value: always a mistake of brimgen.

    ``says`` is what ``artifact`` says, and what of it should not be so.
    """

    tool: Tool
    artifact: str
    says: str
    instance: Any


@dataclass(slots=True)
class Tally:
    """How often one artifact was asked, how often it accepted, and what it may say otherwise."""

    asked: int = 0
    accepted: int = 0
    excepted: Counter[str] = field(default_factory=Counter[str])

    def add(self, accepted: bool) -> None:
        """Count a verdict."""
        self.asked += 1
        self.accepted += accepted


@dataclass(slots=True)
class Report:
    """What was found over all tools. ``unshown`` are tools with why nothing is shown of them."""

    tools: int = 0
    instances: int = 0
    modules: int = 0
    tallies: dict[str, Tally] = field(default_factory=dict[str, Tally])
    differences: list[Difference] = field(default_factory=list[Difference])
    unshown: list[tuple[Tool, str]] = field(default_factory=list[tuple[Tool, str]])

    def of(self, artifact: str) -> Tally:
        """The tally of an artifact, the same for each tool."""
        return self.tallies.setdefault(artifact, Tally())

    def differ(self, tool: Tool, artifact: str, says: str, instance: Any) -> None:
        """Note a difference down."""
        self.differences.append(Difference(tool, artifact, says, instance))

    def except_(self, artifact: str, reasons: Iterable[str]) -> None:
        """Count what an artifact may say otherwise, by reason."""
        self.of(artifact).excepted.update({*reasons})
