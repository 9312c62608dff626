"""The one table of targets and their profiles.

A target is one row here and one folder of its name in `emit/`; or only a row, with the files that
it makes with templates. Settings, the key `targets` of a
tool, the editor schema and the command line read this table; none of them imports a target.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from brimgen.frozen import dataclass
from brimgen.model.templates import FilePattern


@dataclass(frozen=True, slots=True)
class Target:
    """One target.

    ``summary`` says what it makes; ``page`` is the page below ``docs/`` about it. A target that is
    on by ``default`` runs unless the project names others. A target that describes tools to models
    has ``profiles``, and a ``provider``: its name for people. It makes the first profile unless
    the project names others; each of its ``forms`` is a file of descriptors, and ``choice`` is what
    a reader of them calls the choice between several. If there is a ``stored``
    form, a package holds the file of that form only, and makes the other forms from it.
    ``group`` is the key of the one object that a file holds all tools in, if it does.
    ``flavours`` are the kinds of models that a project may ask for.
    A target with ``files`` is nothing but these. ``needs`` are targets whose files it imports: a
    project that names this target gets them, too.
    """

    name: str
    summary: str
    page: str
    default: bool = True
    profiles: tuple[str, ...] = ()
    provider: str = ""
    forms: tuple[str, ...] = ("tools",)
    choice: str = ""
    stored: str = ""
    group: str = ""
    flavours: tuple[str, ...] = ()
    files: tuple[FilePattern, ...] = ()
    needs: tuple[str, ...] = ()

    def stored_forms(self, is_packaged: bool) -> tuple[str, ...]:
        """Return the forms that have files; ``is_packaged`` tells whether a package holds them."""
        return (self.stored,) if self.stored and is_packaged else self.forms


TARGETS: tuple[Target, ...] = (
    Target(
        "python",
        "typed dataclasses that decode, validate and encode",
        "python.md",
    ),
    Target(
        "json_schema",
        "JSON Schema 2020-12 of inputs, outputs and entities",
        "annotations.md",
    ),
    Target(
        "sql",
        "SQL bindings: final text per driver, typed bind and decode, a manifest",
        "sql.md",
    ),
    Target(
        "http",
        "HTTP tools: typed request builders, and calls that keep hosts and limits",
        "http.md",
    ),
    Target(
        "openai",
        "OpenAI function descriptors (chat, responses)",
        "descriptors.md",
        profiles=("openai", "openai_loose", "openai_azure"),
        provider="OpenAI",
        forms=("chat", "responses"),
        choice="api",
        stored="responses",
    ),
    Target(
        "mcp",
        "MCP tools, resource templates and prompts",
        "descriptors.md",
        profiles=("mcp",),
        provider="MCP",
        forms=("tools", "prompts", "resources", "resource_templates"),
        choice="kind",
    ),
    Target(
        "anthropic",
        "Anthropic tools (Messages API)",
        "descriptors.md",
        default=False,
        profiles=("anthropic", "anthropic_strict"),
        provider="Anthropic",
    ),
    Target(
        "gemini",
        "Gemini function declarations",
        "descriptors.md",
        default=False,
        profiles=("gemini", "gemini_openapi"),
        provider="Gemini",
        group="functionDeclarations",
    ),
    Target(
        "models",
        "pydantic, msgspec and TypedDict models",
        "python.md",
        default=False,
        flavours=("pydantic", "msgspec", "typed_dict"),
        needs=("python",),
    ),
    Target("docs", "a Markdown page for each tool", "using.md", default=False),
    Target(
        "catalogue",
        "one HTML page about all tools, to review them and to choose among them",
        "catalogue.md",
        default=False,
        files=(FilePattern("catalogue/page.html.j2", "catalogue/index.html"),),
    ),
    Target(
        "commands",
        "available_commands: parameters in the command grammar",
        "import.md",
        default=False,
    ),
    Target("bundles", "bundles and their tools, with ids and times", "bundles.md"),
    Target(
        "service",
        "a service that calls every tool: decodes, binds, runs, encodes (Python)",
        "service.md",
        needs=("python", "sql", "http", "resources", "prompts"),
    ),
    Target(
        "flexigpt",
        "tools.bundles.json and the files of `go` and `http` tools, for a store of FlexiGPT",
        "bundles.md",
        default=False,
    ),
    Target(
        "server",
        "an MCP server over the generated package (Python)",
        "mcp-server.md",
        default=False,
        needs=("service",),
    ),
    Target(
        "dispatch",
        "dispatchers: answers to the tool calls of OpenAI, Anthropic, Gemini and MCP (Python)",
        "agents.md",
        default=False,
        needs=("service",),
    ),
    Target(
        "handlers",
        "a typed protocol a handler, and a registry of them for the service",
        "handlers.md",
        default=False,
        needs=("service",),
    ),
    Target(
        "resources",
        "matchers and builders of resource paths",
        "resources-and-prompts.md",
    ),
    Target(
        "prompts",
        "prompt templates, compiled to Python",
        "resources-and-prompts.md",
        needs=("python",),
    ),
    Target(
        "toolspec",
        "ToolSpec: the contract of each tool in six types, and BaseTool",
        "using.md",
        default=False,
        needs=("python",),
    ),
    Target(
        "retries",
        "call_with_retries: a model's calls, checked and tried again",
        "using.md",
        default=False,
        needs=("python",),
    ),
    Target(
        "openapi",
        "OpenAPI 3.1: the routes of bundles, tools and resources",
        "bundles.md",
        default=False,  # its one file depends on every tool
    ),
    Target(
        "store",
        "a tool store: bundles and tools that users put into a folder, beside the built-in ones",
        "bundles.md",
        default=False,
        needs=("python", "bundles"),
    ),
    Target(
        "typescript",
        "TypeScript: types of inputs, outputs and entities, the tool list, a typed callTool",
        "typescript.md",
        default=False,
        files=(FilePattern("typescript/tools.ts.j2", "typescript/tools.ts"),),
    ),
)
"""All targets, in the order in which they are listed and run."""


DEFAULT = "default"
"""What a project writes among its targets for those that are on by default."""


def target_named(name: str) -> Target:
    """The target called ``name``."""
    return next(target for target in TARGETS if target.name == name)


def target_names() -> tuple[str, ...]:
    """The names of all targets."""
    return tuple(target.name for target in TARGETS)


def profile_names() -> tuple[str, ...]:
    """The profiles of all targets."""
    return tuple(profile for target in TARGETS for profile in target.profiles)


def model_flavours() -> tuple[str, ...]:
    """The kinds of models that a project may ask for."""
    return tuple(flavour for target in TARGETS for flavour in target.flavours)


def with_needed(names: Collection[str]) -> tuple[str, ...]:
    """Return ``names`` and the targets that these need, each once.

    Targets that are on by default stand under one name (`DEFAULT`), as a project writes them.
    """
    needed: dict[str, None] = {}
    waiting = [*reversed(list(names))]
    table = {target.name: target for target in TARGETS}
    while waiting:
        name = waiting.pop()
        if name in needed:
            continue
        needed[name] = None
        if name == DEFAULT:
            waiting += [
                need for target in TARGETS if target.default for need in target.needs
            ]
        elif name in table:
            waiting += table[name].needs
    return tuple(needed)


def is_on(target: Target, profiles: Collection[str], models: Collection[str]) -> bool:
    """Whether ``target`` runs where a project names no targets.

    Naming profiles of descriptors asks for their targets and no other ones with profiles; naming
    flavours of models asks for the target that makes them.
    """
    if profiles and target.profiles:
        return not set(profiles).isdisjoint(target.profiles)
    return target.default or not set(models).isdisjoint(target.flavours)


def chosen_targets(
    targets: Iterable[Target],
    names: Collection[str] | None,
    profiles: Collection[str],
    models: Collection[str],
) -> tuple[Target, ...]:
    """Return those of ``targets`` that run where a project names some; None is the default."""
    names = (DEFAULT,) if names is None else names
    return tuple(
        target
        for target in targets
        if target.name in names
        or (DEFAULT in names and is_on(target, profiles, models))
    )
