"""Check tools against the profiles that they promise to follow (spec-language.md, S1.4-20)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules.resolve.profiles import UNKNOWN_PROFILE
from brimgen.model.catalog import Tool
from brimgen.model.project import PROFILES, Project
from brimgen.source.nodes import ListNode, ScalarNode
from brimgen.syntax.decls import ToolDecl, ToolKind

_NOT_CALLED = frozenset({ToolKind.RESOURCE, ToolKind.TEMPLATE})
"""What no model calls follows a profile only where it says so itself."""


def check_profiles(
    decls: Iterable[ToolDecl],
    tools: Mapping[str, Tool],
    project: Project,
    diagnostics: Diagnostics,
) -> None:
    """Report what tools lack of the profiles that they or the project name."""
    for decl in decls:
        profiles = set[str]()
        if decl.kind not in _NOT_CALLED:
            profiles.update(project.profiles)
        for node in _profile_nodes(decl):
            if node.text in PROFILES:
                profiles.add(node.text)
            else:
                near = did_you_mean(node.text, PROFILES)
                diagnostics.add(
                    UNKNOWN_PROFILE, node.span, name=node.text, suggestions=near
                )
        tool = tools.get(decl.name.value)
        if tool is not None and decl.sound and "toolspec" in profiles:
            from brimgen.resolve.tools.tool_specs import check_tool_spec

            check_tool_spec(tool, diagnostics)


def _profile_nodes(decl: ToolDecl) -> Iterator[ScalarNode]:
    node = decl.option("profiles")
    if isinstance(node, ListNode):
        yield from (item for item in node.items if isinstance(item, ScalarNode))
