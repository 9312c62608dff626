"""Describe tools by profiles, and make a target of the descriptors: its files, sizes and losses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, cast

from brimgen.diagnostics import Diagnostics, Rule
from brimgen.diagnostics.rules import (
    ARGUMENT_NAME_NOT_PORTABLE,
    ARGUMENT_WITHOUT_ALIAS,
)
from brimgen.emit.account import (
    Descriptor,
    Loss,
    Recovery,
    as_losses_of,
    once_per_catalog,
)
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.chosen_targets import makes
from brimgen.emit.indented import json_file
from brimgen.emit.projection import (
    Obstacle,
    Prepared,
    Projection,
    as_object,
    prepare,
    project,
    project_output,
)
from brimgen.emit.projection.aliases import AliasedArguments, aliased, unnamable
from brimgen.emit.projection.passes.decimals import mark_decimals
from brimgen.emit.projection.profiles import Profile, chosen
from brimgen.emit.projection.tools import (
    CALLABLE,
    full_description,
    span_at,
    target_tools,
)
from brimgen.emit.render import render_object
from brimgen.frozen import dataclass, field, replace
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.fields import name_fault
from brimgen.model.http import HttpBody
from brimgen.model.json import Json, JsonObject
from brimgen.model.project import Project
from brimgen.model.targets import TARGETS, Target, target_named
from brimgen.model.tokens import estimate
from brimgen.schema.walk import followed
from brimgen_runtime.calls.aliases import Aliases


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a tool, as they are published and as they are enforced."""

    published: Prepared
    enforced: Prepared


def arguments_of(
    tool: Tool,
    mark: Callable[[JsonObject], JsonObject] = lambda inlined: inlined,
) -> Arguments:
    """Prepare the arguments of ``tool``; ``mark`` is passed to `prepare`."""
    published = prepare(tool.input_schema, tool.name, mark)
    if tool.enforced_schema is tool.input_schema:
        return Arguments(published, published)
    return Arguments(published, prepare(tool.enforced_schema, tool.name, mark))


@once_per_catalog
def prepared_arguments(catalog: Catalog) -> Mapping[str, Arguments]:
    """Return the arguments of the tools that models call by name, with decimals marked."""
    return {
        tool.name: arguments_of(
            tool,
            lambda inlined, tool=tool: mark_decimals(inlined, tool.fields, catalog),  # type: ignore[misc]
        )
        for tool in catalog.tools
        if tool.enabled and isinstance(tool.body, CALLABLE)
    }


def project_arguments(
    strict: Profile | None, loose: Profile, arguments: Arguments
) -> tuple[Projection, tuple[Obstacle, ...]]:
    """Project what is enforced to ``strict``; if that would refuse valid calls, project what is
    published to ``loose``, and return the obstacles.

    ``strict`` is None where it is not asked for.
    """
    obstacles: tuple[Obstacle, ...] = ()
    if strict is not None:
        projection = project(arguments.enforced, strict)
        obstacles = projection.obstacles
        if not obstacles:
            return projection, ()
    return project(arguments.published, loose), obstacles


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a tool: its schema, the author's sentence about it, and what the schema
    lacks.

    ``in_object`` is the schema where only objects come back: itself, or that of one with it as
    its ``result``.
    """

    schema: JsonObject
    in_object: JsonObject
    text: str | None
    losses: tuple[Loss, ...]

    @property
    def is_wrapped(self) -> bool:
        """Whether ``in_object`` has the result as a property."""
        return self.in_object is not self.schema


def describe_result(tool: Tool, profile: Profile) -> Result | None:
    """Return the result of ``tool``; None where it returns nothing."""
    if tool.returns is None:
        return None
    projected = project_output(tool.returns.schema, profile, tool.name)
    schema = projected.schema
    return Result(schema, as_object(schema), _sentence(tool), projected.losses)


def returns_no_object(tool: Tool) -> bool:
    """Return whether a result is a member of an object where only objects come back."""
    if tool.returns is None:
        return False
    schema = node = tool.returns.schema
    while "$ref" in node and (target := followed(node, schema)) is not node:
        node = target
    return node.get("type") != "object"


LARGE_OUTPUT = 2_000
"""Tokens of a schema of results that are always worth their price."""


def is_read_leniently(tool: Tool) -> bool:
    """Return whether a result may go beyond its schema; clients of MCP refuse it then."""
    return isinstance(tool.body, HttpBody) and not tool.body.response.is_strict


def is_worth_its_price(arguments: JsonObject, output: JsonObject) -> bool:
    """Return whether a descriptor has the schema of the tool's result beside its arguments.

    A model pays for the schema with each request, whether it calls the tool or not.
    """
    return estimate(output) <= max(LARGE_OUTPUT, estimate(arguments))


def unsaid_result(tool: Tool, profile: Profile) -> tuple[str | None, tuple[Loss, ...]]:
    """Describe the result in words for a profile that has no schema of results, with the loss.

    The value of the loss is the type of the result alone: its whole schema is published anyway.
    """
    if tool.returns is None:
        return None, ()
    text = _sentence(tool)
    recovery = Recovery.RESULT if text is None else Recovery.TEXT
    kind = tool.returns.schema.get("type")
    loss = Loss(tool.name, "", "returns", kind, profile.name, recovery, "output")
    return text, (loss,)


def _sentence(tool: Tool) -> str | None:
    text = (tool.returns.description or "").strip() if tool.returns else ""
    if not text:
        return None
    return text if text.casefold().startswith("return") else f"Returns: {text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedTool:
    """A tool as a profile describes it: what the template of its descriptor prints.

    ``parameters`` and ``output`` are schemas, None where the descriptor has none. ``strict`` tells
    whether that of the parameters is one of a strict profile; ``obstacles`` are why it is not,
    where one was asked for. ``aliases`` has the names that the provider is told, by those that it
    refuses. ``unnamable`` is the pointer of an object whose names can have no alias: such a tool is
    not sent.
    """

    name: str
    description: str | None = None
    parameters: JsonObject | None = None
    output: JsonObject | None = None
    strict: bool = False
    examples: tuple[JsonObject, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    losses: tuple[Loss, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    unnamable: str | None = None

    @property
    def own_names(self) -> Mapping[str, str]:
        """The names that have an alias, by their alias."""
        return {alias: name for name, alias in self.aliases.items()}


DescribedT = TypeVar("DescribedT", bound=DescribedTool)

ByProfile: TypeAlias = Mapping[str, tuple[DescribedT, ...]]
"""The tools by profile, each sorted by name."""


def describe(
    tool: Tool, profile: Profile, arguments: Arguments, strict: Profile | None = None
) -> DescribedTool:
    """Describe ``tool`` in words and one schema, for a provider that has no place for a schema of
    results.

    It is said by ``strict`` if that is given and can say the arguments, else by ``profile``, which
    must be one that can say every schema: one that is not ``plain``.
    """
    projection, obstacles = project_arguments(strict, profile, arguments)
    text, unsaid = unsaid_result(tool, profile)
    return DescribedTool(
        name=tool.name,
        description=full_description(tool, projection.notes, after=text),
        parameters=projection.schema,
        strict=projection.profile.plain,
        obstacles=obstacles,
        losses=as_losses_of(profile.name, (*projection.losses, *unsaid)),
    )


def by_profile(
    catalog: Catalog,
    target: str,
    profiles: Sequence[Profile],
    describe_tool: Callable[[Tool, Profile, Arguments], DescribedT],
) -> ByProfile[DescribedT]:
    """Describe the tools that models call, for each profile that is chosen."""
    arguments = prepared_arguments(catalog)
    tools = target_tools(catalog, target, CALLABLE)
    return {
        profile.name: tuple(
            [
                under_aliases(tool, profile, arguments[tool.name], describe_tool)
                for tool in tools
            ]
        )
        for profile in chosen(catalog.project, profiles)
    }


def named(tool: Tool, arguments: Arguments, target: str) -> AliasedArguments | None:
    """Return the arguments with aliases for names that ``target`` refuses; None if it takes all."""
    return aliased(arguments.published, arguments.enforced, tool, target)


def under_aliases(
    tool: Tool,
    profile: Profile,
    arguments: Arguments,
    describe_tool: Callable[[Tool, Profile, Arguments], DescribedT],
) -> DescribedT:
    """Describe a tool, with aliases for names that the provider refuses."""
    renamed = named(tool, arguments, profile.target)
    if renamed is None:
        return describe_tool(tool, profile, arguments)
    stuck = unnamable(renamed)
    if stuck is not None:
        lost = Loss(tool.name, stuck, "properties", None, profile.name, Recovery.NONE)
        described = describe_tool(tool, profile, arguments)
        return replace(described, obstacles=(), losses=(lost,), unnamable=stuck)
    described = describe_tool(
        renamed.tool(tool), profile, Arguments(renamed.published, renamed.enforced)
    )
    return replace(
        described,
        examples=tuple(map(renamed.call, described.examples)),
        obstacles=tuple(
            Obstacle(renamed.pointer(obstacle.pointer), obstacle.reason)
            for obstacle in described.obstacles
        ),
        losses=tuple(renamed.losses(described.losses, tool.name, profile.name)),
        aliases=renamed.names,
    )


@once_per_catalog
def argument_aliases(catalog: Catalog) -> Mapping[str, Aliases]:
    """Return the aliases of arguments that calls of the package's tools may have, by tool.

    They are those of the provider that takes fewest names: others have some of them.
    """
    targets = [target.name for target in described_targets(catalog.project)]
    targets.sort(key=lambda name: name != "gemini")
    if not targets:
        return {}
    arguments = prepared_arguments(catalog)
    return {
        tool.name: renamed.places
        for tool in sorted(catalog.tools, key=lambda tool: tool.name)
        if tool.name in arguments
        for renamed in [_first_named(tool, arguments[tool.name], targets)]
        if renamed is not None
    }


def _first_named(
    tool: Tool, arguments: Arguments, targets: Sequence[str]
) -> AliasedArguments | None:
    for target in targets:
        if tool.is_for(target):
            renamed = named(tool, arguments, target)
            if renamed is not None and unnamable(renamed) is None:
                return renamed
    return None


def report_names(
    tools: Sequence[Tool],
    described: Sequence[DescribedTool],
    target: str,
    diagnostics: Diagnostics,
) -> None:
    """Report the arguments that ``target`` knows by another name, and names that can have none.

    However many targets ask, a name is reported once; one that is not valid was refused as such.
    """
    for tool, said in zip(tools, described, strict=True):
        if any(name_fault(argument.name) for argument in tool.fields):
            continue
        if said.unnamable is not None:
            span = span_at(tool, said.unnamable)
            where = f" at {said.unnamable}" if said.unnamable else ""
            diagnostics.add(
                ARGUMENT_WITHOUT_ALIAS, span, tool=tool.name, where=where, target=target
            )
        names = dict(said.own_names)
        for loss in said.losses if names else ():
            alias = str(loss.value)
            if loss.keyword == "name" and alias in names:
                span, name = span_at(tool, loss.pointer), names.pop(alias)
                diagnostics.add(
                    ARGUMENT_NAME_NOT_PORTABLE,
                    span,
                    tool=tool.name,
                    name=name,
                    alias=alias,
                )


def described_targets(project: Project) -> Iterator[Target]:
    """Yield the targets whose descriptors the package has. A server has those of MCP with it."""
    profiles = project.descriptors.profiles
    for target in TARGETS:
        is_served = target.name == "mcp" and makes(project, "server")
        if is_served and profiles:
            is_served = not set(profiles).isdisjoint(target.profiles)
        if target.profiles and (is_served or makes(project, target.name)):
            yield target


def report_obstacle(
    rule: Rule,
    tool: Tool,
    profile: Profile,
    obstacles: Sequence[Obstacle],
    diagnostics: Diagnostics,
) -> None:
    """Report by ``rule`` the first obstacle that keeps ``profile`` from expressing ``tool``, if
    any.
    """
    for first in obstacles[:1]:
        where = f" at {first.pointer}" if first.pointer else ""
        diagnostics.add(
            rule,
            span_at(tool, first.pointer),
            target=profile.name,
            tool=tool.name,
            reason=f"{first.reason}{where}",
        )


def descriptors_root(project: Project) -> str:
    """Return the folder that descriptors lie below: inside the package if the project makes one,
    else the output folder itself.
    """
    return f"python/{project.package}/descriptors/" if makes(project, "python") else ""


def profile_folder(target: str, profile: str) -> str:
    """Return ``openai`` for the first profile of a target, ``openai/azure`` for a further one."""
    variant = profile.removeprefix(target).removeprefix("_")
    return f"{target}/{variant}" if variant else target


def folder_of(project: Project, profile: Profile) -> str:
    """Return the folder of a profile's files."""
    folder = profile_folder(profile.target, profile.name)
    return f"{descriptors_root(project)}{folder}"


def as_array(tools: Sequence[Json]) -> Json:
    """Return the content of a file of ``tools`` that is an array of them."""
    return tools


Form: TypeAlias = Callable[[Any], JsonObject]
"""Makes the descriptor of a described tool."""


def descriptor_files(
    catalog: Catalog,
    profile: Profile,
    form: str,
    tools: Mapping[str, JsonObject],
    whole: Callable[[Sequence[Json]], Json] = as_array,
) -> Iterator[Artifact]:
    """Write ``<folder>/<form>.json``, what ``whole`` makes of all ``tools``."""
    path = f"{folder_of(catalog.project, profile)}/{form}.json"
    yield Artifact(path, json_file(whole([*tools.values()])))


def files_of(
    catalog: Catalog,
    target: str,
    profiles: Sequence[Profile],
    tools_by_profile: ByProfile[DescribedT],
    forms: Mapping[str, Form],
    whole: Callable[[Sequence[Json]], Json] = as_array,
) -> Iterator[Artifact]:
    """Write the files of each chosen profile, for each of the ``forms`` that is stored."""
    for profile in chosen(catalog.project, profiles):
        for form in target_named(target).stored_forms(makes(catalog.project, "python")):
            tools = {
                tool.name: forms[form](tool)
                for tool in tools_by_profile[profile.name]
                if tool.unnamable is None
            }
            yield from descriptor_files(catalog, profile, form, tools, whole)
    yield from alias_file(catalog, target)


def alias_file(catalog: Catalog, target: str) -> Iterator[Artifact]:
    """Write ``<target>/aliases.json`` where names have aliases and no package turns them back."""
    if makes(catalog.project, "python"):
        return
    arguments = prepared_arguments(catalog)
    aliases: dict[str, Json] = {}
    for tool in target_tools(catalog, target, CALLABLE):
        renamed = named(tool, arguments[tool.name], target)
        if renamed is not None and unnamable(renamed) is None:
            aliases[tool.name] = cast("Json", renamed.places)
    if aliases:
        yield Artifact(f"{target}/aliases.json", json_file(aliases))


def losses_of(tools_by_profile: ByProfile[DescribedT]) -> tuple[Loss, ...]:
    """Return what the descriptors of all chosen profiles leave out."""
    return tuple(
        loss
        for tools in tools_by_profile.values()
        for tool in tools
        for loss in tool.losses
    )


_AS_TOOLS: Mapping[str, Callable[[JsonObject], JsonObject]] = {
    "tools": lambda descriptor: descriptor
}


def descriptor_target(
    name: str,
    profiles: Sequence[Profile],
    describe_tool: Callable[[Tool, Profile, Arguments], DescribedT],
    template: str,
    *,
    forms: Mapping[str, Callable[[JsonObject], JsonObject]] = _AS_TOOLS,
    check: Callable[[Catalog, ByProfile[DescribedT], Diagnostics], None] | None = None,
    whole: Callable[[Sequence[Json]], Json] = as_array,
) -> Emitter:
    """Return the target ``name``: a file of each of the ``forms`` for each chosen profile.

    ``describe_tool`` says a tool to a profile, and ``template`` makes its descriptor of that; a
    form may wrap it. The first of the ``forms`` is the one whose size is counted. ``check``
    reports what the provider refuses, but for names of arguments. ``whole`` makes the content of a
    file of all tools.
    """

    @once_per_catalog
    def described(catalog: Catalog) -> ByProfile[DescribedT]:
        return by_profile(catalog, name, profiles, describe_tool)

    def check_all(catalog: Catalog, diagnostics: Diagnostics) -> None:
        tools = target_tools(catalog, name, CALLABLE)
        for lowered in described(catalog).values():
            report_names(tools, lowered, name, diagnostics)
        if check is not None:
            check(catalog, described(catalog), diagnostics)

    def in_form(form: str) -> Form:
        return lambda tool: forms[form](render_object(template, tool))

    def emit(catalog: Catalog) -> Iterable[Artifact]:
        made = {form: in_form(form) for form in forms}
        return files_of(catalog, name, profiles, described(catalog), made, whole)

    def descriptors(catalog: Catalog) -> tuple[Descriptor, ...]:
        return descriptors_of(described(catalog), in_form(next(iter(forms))))

    def losses(catalog: Catalog) -> tuple[Loss, ...]:
        return losses_of(described(catalog))

    row = target_named(name)
    return Emitter(row, emit, check_all, descriptors=descriptors, losses=losses)


def descriptors_of(
    tools_by_profile: ByProfile[DescribedT], form: Form
) -> tuple[Descriptor, ...]:
    """Return the descriptors that ``form`` makes of the tools, by profile."""
    return tuple(
        Descriptor(
            profile,
            tool.name,
            form(tool),
            tool.own_names,
        )
        for profile, tools in tools_by_profile.items()
        for tool in tools
        if tool.unnamable is None
    )
