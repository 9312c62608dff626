"""The report: how often each artifact was asked, excused differences, and the others."""

from __future__ import annotations

from typing import Any

from brimgen.frozen import dataclass, field
from brimgen.model.catalog import Tool

UNJUDGED = "is not asked: the foreign validator cannot say"
"""What an `Excuse` may be about: no verdict to hold others against."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two artifacts do not say the same of one value: always a mistake of brimgen.

    ``says`` is what ``artifact`` says, and what of it should not be so.
    """

    tool: Tool
    artifact: str
    says: str
    instance: Any


@dataclass(frozen=True, slots=True)
class Excuse:
    """Why an artifact may differ from another.

    ``may`` is what it may do, and by which right; ``what`` is what that is about: the keyword of
    JSON Schema, or why a value cannot be held.
    """

    may: str
    what: str


@dataclass(slots=True)
class Times:
    """How often an excuse occurred, and the tool and argument where it occurred first."""

    first: str
    count: int = 0


@dataclass(slots=True)
class Tally:
    """How often one artifact was asked, how often it accepted, and what it may say otherwise."""

    asked: int = 0
    accepted: int = 0
    excused: dict[Excuse, Times] = field(default_factory=dict[Excuse, Times])

    def add(self, accepted: bool) -> None:
        """Count a verdict."""
        self.asked += 1
        self.accepted += accepted


@dataclass(frozen=True, slots=True)
class UntestedTool:
    """A tool of which something cannot be shown: ``why``, and ``remedy``, what its author can do.

    ``part`` is what is not shown; None is all of it.
    """

    tool: Tool
    why: str
    remedy: str
    part: str | None = None


@dataclass(slots=True)
class Report:
    """What was found over all tools.

    ``uncalled`` are tools of which no valid call is known, which is a failure; ``unshown`` is what
    cannot be asked for another reason. ``left_out`` says what was not asked, how often, and of
    which tool first.
    """

    tools: int = 0
    instances: int = 0
    tallies: dict[str, Tally] = field(default_factory=dict[str, Tally])
    differences: list[Difference] = field(default_factory=list[Difference])
    uncalled: list[UntestedTool] = field(default_factory=list[UntestedTool])
    unshown: list[UntestedTool] = field(default_factory=list[UntestedTool])
    left_out: dict[str, Times] = field(default_factory=dict[str, Times])

    def of(self, artifact: str) -> Tally:
        """The tally of an artifact, the same for each tool."""
        return self.tallies.setdefault(artifact, Tally())

    def differ(self, tool: Tool, artifact: str, says: str, instance: Any) -> None:
        """Note a difference down."""
        self.differences.append(Difference(tool, artifact, says, instance))

    def excuse(
        self, artifact: str, excuse: Excuse, tool: Tool, pointer: str = ""
    ) -> None:
        """Count an excused difference of an artifact, in the value at ``pointer``."""
        first = f"{tool.name} {pointer}".rstrip()
        times = self.of(artifact).excused.setdefault(excuse, Times(first))
        times.count += 1

    def leave_out(self, part: str, first: str, count: int = 1) -> None:
        """Note down what was not asked."""
        self.left_out.setdefault(part, Times(first)).count += count
