"""Report breaking changes at the arguments that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from brimgen.contract.changes import Change, Level, Side
from brimgen.diagnostics import Diagnostics, Note, Span
from brimgen.diagnostics.rules import BREAKING_CHANGE
from brimgen.emit.schema_files import schemas_root
from brimgen.lint.options import LintOptions, rules_named
from brimgen.lint.run_checks import with_severity
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.lint import Subject
from brimgen.model.types import (
    EntityType,
    Field,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Type,
)

_Place = tuple[tuple[Subject, Span], ...]


def report_breaking_changes(
    changes: Sequence[Change],
    catalog: Catalog,
    options: LintOptions,
    diagnostics: Diagnostics,
    *,
    out: str,
) -> tuple[Change, ...]:
    """Report each breaking change that nothing approves, and return those.

    An ``x-lint-ignore`` approves a change in a spec. A change of an entity is reported once, at its
    field, with the tools that use it. A tool whose spec is gone is reported at its file in ``out``,
    the path of the output folder; the new tool that it was probably renamed to is named with it,
    and may approve the change.
    """
    severity = options.severities.get(BREAKING_CHANGE.code)
    if severity is None:
        return ()
    tools = {tool.name: tool for tool in catalog.tools}
    folder = f"{out}/{schemas_root(catalog.project)}/tools"
    by_message: dict[tuple[Span, str], list[Change]] = {}
    for change in changes:
        if change.level is not Level.BREAKING:
            continue
        tool = tools.get(change.heir or change.tool)
        place = _place(tool, change, catalog) if tool else ()
        if tool is None or not _approved(place, tool, change, catalog):
            key = _place_and_message(place, change, folder)
            by_message.setdefault(key, []).append(change)
    rule = with_severity(BREAKING_CHANGE, severity)
    for (span, message), group in by_message.items():
        notes = _notes(group, tools)
        diagnostics.add(
            rule, span, notes=notes, what=message, whom=_affected_sides(group)
        )
    return tuple(change for group in by_message.values() for change in group)


def _place_and_message(place: _Place, change: Change, folder: str) -> tuple[Span, str]:
    """Return the place and the text that report a change."""
    if change.heir or not place:
        span = Span.at_file(f"{folder}/{change.tool}.input.json")
        return span, f"the tool `{change.tool}` {change.text}"
    if change.is_of_tool:
        return place[-1][1], f"the tool `{change.tool}` is not published any more"
    return place[-1][1], f"{change.short_subject} {change.text}"


def _affected_sides(changes: Sequence[Change]) -> str:
    if changes[0].is_of_tool:
        return "its callers"
    names = [f"`{tool}`" for tool in dict.fromkeys(change.tool for change in changes)]
    more = f" and {len(names) - 3} more" if len(names) > 4 else ""
    tools = ", ".join(names[:3] if more else names)
    sides = {change.side for change in changes}
    who = "readers of what comes from" if sides == {Side.READERS} else "callers of"
    return f"{who} {tools}{more}"


def _notes(changes: Sequence[Change], tools: Mapping[str, Tool]) -> tuple[Note, ...]:
    """Point at the tools, if there are few; or at the new tool that looks like a gone one."""
    heir = tools.get(changes[0].heir or "")
    if heir is not None:
        return (Note(heir.span, "is new, and takes the same input"),)
    names = dict.fromkeys(change.tool for change in changes)
    if not 1 < len(names) < 4:
        return ()
    return tuple(Note(tools[name].span, f"in `{name}`") for name in names)


def _place(tool: Tool, change: Change, catalog: Catalog) -> _Place:
    """Return the tool and each field on the path to the change."""
    owner = Subject(tool.name, True)
    steps: list[tuple[Subject, Span]] = [(owner, tool.span)]
    if change.side is Side.READERS:
        if tool.returns is not None:
            steps.append((owner, tool.returns.span))
            steps += _steps(tool.returns.type, change.path, catalog, owner)
        return tuple(steps)
    steps += _fields_on_path(tool.fields, change.path, catalog, owner)
    return tuple(steps)


def _fields_on_path(
    fields: Sequence[Field], path: tuple[str, ...], catalog: Catalog, owner: Subject
) -> Iterator[tuple[Subject, Span]]:
    """Yield the field of ``owner`` that ``path`` begins with, and those below it on the path."""
    for field in fields:
        if path and field.name == path[0]:
            yield Subject(owner.owner, owner.is_tool, field.name), field.span
            yield from _steps(field.type, path[1:], catalog, owner)


def _steps(
    type: Type, path: tuple[str, ...], catalog: Catalog, owner: Subject
) -> Iterator[tuple[Subject, Span]]:
    match type:
        case NullableType(inner=inner):
            yield from _steps(inner, path, catalog, owner)
        case ListType(item=inner) | MapType(value=inner):
            yield from _steps(inner, path[1:], catalog, owner)
        case RecordType(fields=fields):
            yield from _fields_on_path(fields, path, catalog, owner)
        case EntityType(name) if name in catalog.entities:
            fields = catalog.entities[name].fields
            yield from _fields_on_path(fields, path, catalog, Subject(name, False))
        case _:
            pass


def _approved(place: _Place, tool: Tool, change: Change, catalog: Catalog) -> bool:
    subjects = {subject for subject, _ in place}
    if change.side is not Side.READERS and change.path:
        subjects.add(Subject(tool.name, True, ".".join(change.path)))
    return any(
        BREAKING_CHANGE in rules_named(waiver.rule) and waiver.subject.holds(subject)
        for waiver in catalog.waivers
        if waiver.rule != "ALL"
        for subject in subjects
    )
