"""Combine flags and the configuration file into one valid Settings, or report the errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from pathlib import Path

from brimgen.diagnostics import Diagnostics, Severity, Span
from brimgen.diagnostics.rules import (
    MISSING_SPECS,
    OVERLAPPING_FOLDERS,
    SYSTEM_FOLDER,
    UNREADABLE_CONFIGURATION,
)
from brimgen.frozen import dataclass, field, replace
from brimgen.identity import LOCK_FILE
from brimgen.lint.options import LintOptions, rules_named, select_severities
from brimgen.model.fields import Zone
from brimgen.model.project import (
    DescriptorOptions,
    Formatter,
    Project,
    SchemaFile,
    SchemaSource,
    ServerOptions,
)
from brimgen.model.targets import (
    DEFAULT,
    TARGETS,
    Target,
    chosen_targets,
    target_names,
    with_needed,
)
from brimgen.model.templates import TemplateFolder
from brimgen.output.folder import overlap, why_not_output
from brimgen.settings.configuration import (
    YAML_NAME,
    Configuration,
    find_configuration,
    read_configuration,
)
from brimgen.settings.connections import Base, take_connections, with_databases
from brimgen.settings.lock_file import Folders, LockFile, choose_lock_file
from brimgen.settings.sources import take_sources
from brimgen.settings.templates import row_of, take_custom, take_templates
from brimgen.settings.values import (
    PROJECT,
    SERVER,
    SEVERITIES,
    SettingsReader,
)
from brimgen.source.document import SourceFile
from brimgen.source.files import Read, with_modules
from brimgen.source.nodes import ListNode, Node, ScalarNode
from brimgen.syntax.keys import TARGET
from brimgen.syntax.reader import Section
from brimgen.syntax.shapes import Each
from brimgen_runtime.grammar.hosts import parse_host


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that is configured.

    ``targets`` are those of the project and those that these need (None: the default ones);
    ``target_places`` are those that the configuration names, each with its place;
    ``only`` are those that a flag limits this run to. ``configuration`` is the file that was read,
    if any. ``through_link`` tells that the output folder was named by a path with a symbolic link
    in it. ``templates`` are those of the project, ``custom`` the targets that it makes with
    templates. The ``lock`` file is the one that `choose_lock_file` chooses; ``owns_lock`` tells
    whether the run may write to it. ``sources`` are patterns of paths: the Python modules whose
    classes are specs.
    """

    specs: Path
    out: Path
    project: Project
    targets: tuple[str, ...] | None = None
    target_places: tuple[tuple[str, Span], ...] = ()
    only: tuple[str, ...] | None = None
    format: str = "full"
    colour: str = "auto"
    configuration: SourceFile | None = None
    lint: LintOptions = field(default_factory=LintOptions)
    through_link: bool = False
    lock: Path | None = None
    owns_lock: bool = True
    templates: TemplateFolder | None = None
    custom: tuple[Target, ...] = ()
    source_roots: tuple[Path, ...] = ()
    sources: tuple[str, ...] = ()

    def reading(self, read: Read) -> Read:
        """Read what ``read`` reads, and the Python modules of the project."""
        if not self.sources:
            return read
        return with_modules(read, self.sources, self.specs.parent)

    @property
    def lock_file(self) -> Path:
        """Where ids and times are kept: ``lock``, or else beside the folder of the specs."""
        return self.lock or self.specs.parent / LOCK_FILE

    @property
    def schemas(self) -> tuple[SchemaFile, ...]:
        """The files that describe the tables of connections, each once."""
        files = (file for source in self._sources for file in source.files)
        return tuple({file.name: file for file in files}.values())

    @property
    def schema_folders(self) -> tuple[str, ...]:
        """The folders that were searched for migrations, named as `schemas` are."""
        return tuple(name for source in self._sources for name in source.folders)

    @property
    def _sources(self) -> list[SchemaSource]:
        schemas = (
            connection.schema for connection in self.project.connections.values()
        )
        return [schema for schema in schemas if schema is not None]

    @property
    def chosen(self) -> tuple[Target, ...]:
        """The targets that this run makes; those of the project stand last."""
        project = self.project
        names, profiles = self.only or self.targets, project.descriptors.profiles
        candidates = (*TARGETS, *(self.custom if self.only else ()))
        chosen = chosen_targets(candidates, names, profiles, project.models)
        return chosen if self.only else (*chosen, *self.custom)

    def row_of(self, target: str, path: str) -> Span | None:
        """The place of the `path` under ``custom`` by which ``target`` writes ``path``, if any."""
        return row_of(self.custom, target, path)

    def makes(self, name: str) -> bool:
        """Whether there is a target called ``name``, and this run makes it."""
        return any(target.name == name for target in self.chosen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """The options of the command line; None and () for those that are not given.

    Paths are relative to the working directory; ``config`` names the configuration file,
    ``databases`` are connections and the URLs that they are verified by. ``needs_specs`` says that
    the folder of the specs must be there.
    """

    specs: Path | None = None
    out: Path | None = None
    package: str | None = None
    targets: tuple[str, ...] = ()
    format: str | None = None
    colour: str = "auto"
    config: Path | None = None
    strict_loss: bool = False
    databases: tuple[tuple[str, str], ...] = ()
    needs_specs: bool = True


def load_settings(flags: Flags, diagnostics: Diagnostics) -> Settings:
    """Load the settings: flags, else the nearest configuration file, else the defaults.

    Paths in the file are relative to its folder, and so are the default ones; without a file
    the working directory is meant. Reports O50x, after which the settings must not be used.
    """
    cwd = Path.cwd()
    configuration = _configuration(flags, cwd, diagnostics)
    folder = configuration.folder if configuration else cwd
    reader = SettingsReader(diagnostics)
    section = reader.read(configuration.root if configuration else None, PROJECT)
    run, lock = _folders_and_lock(section, flags, folder, configuration)
    base = Base(folder, run.specs)
    custom = take_custom(reader, section.node("custom"), base)
    targets_node = section.node("targets")
    named = _targets(reader, targets_node, custom)
    targets = None if named is None else with_needed(named)
    settings = Settings(
        specs=run.specs,
        out=Path(os.path.realpath(run.out)),
        through_link=os.path.realpath(run.out) != os.path.abspath(run.out),
        targets=targets,
        target_places=_places(targets_node),
        only=flags.targets or None,
        project=replace(
            _project(reader, section),
            targets=targets,
            connections=with_databases(
                take_connections(reader, section, base), flags.databases, diagnostics
            ),
        ),
        configuration=configuration.file if configuration else None,
        lint=_lint(reader, section),
        lock=lock.path,
        owns_lock=lock.is_writable,
        templates=take_templates(reader, section.text("templates"), base),
        custom=custom,
        source_roots=(folder, folder / "src"),
        sources=take_sources(reader, section.node("sources"), folder),
    )
    profiles = settings.project.descriptors.profiles
    _check_server_has_lists(reader, targets_node, profiles)
    settings = _apply_flags(settings, flags)
    if flags.needs_specs or flags.specs:
        _check_folders(settings, _Places(flags, configuration), diagnostics)
    return settings


def _project(reader: SettingsReader, section: Section) -> Project:
    """The settings that the model knows: those about meaning and output."""
    default = Project()
    descriptors, catalogue, server = (
        reader.inner(section, key) for key in ("descriptors", "catalogue", "server")
    )
    hosts = section.words("allowed_hosts")
    return Project(
        package=section.value("package", default.package),
        closed=section.value("closed", default.closed),
        formatter=Formatter(section.value("formatter", default.formatter)),
        strict_results=section.value("strict_results", default.strict_results),
        include_disabled=section.value("include_disabled", False),
        is_vendored=section.value("runtime", "installed") == "vendored",
        models=tuple(dict.fromkeys(section.words("models") or ())),
        allowed_hosts=tuple(filter(None, map(parse_host, hosts))) if hosts else None,
        tz=Zone(section.value("tz", default.tz)),
        descriptors=DescriptorOptions(
            profiles=tuple(dict.fromkeys(descriptors.words("profiles") or ()))
        ),
        server=ServerOptions(**{key: server.value(key, None) for key in SERVER.shapes}),
        is_catalogue_public=catalogue.value("public", False),
    )


def _targets(
    reader: SettingsReader, node: Node | None, custom: tuple[Target, ...]
) -> tuple[str, ...] | None:
    """The targets that the project names, each once; None where it names none."""
    names = (DEFAULT, *target_names(), *(target.name for target in custom))
    shape = Each(replace(TARGET, words=names), least=1)
    if node is None or not shape(reader, "targets", node):
        return None
    items = node.items if isinstance(node, ListNode) else ()
    words = [item.text for item in items if isinstance(item, ScalarNode)]
    return tuple(dict.fromkeys(words))


def _check_server_has_lists(
    reader: SettingsReader, node: Node | None, profiles: Collection[str]
) -> None:
    """Report ``server`` in ``node``, the setting ``targets``, if no profile makes its lists."""
    items = node.items if isinstance(node, ListNode) else ()
    for item in items if profiles and "mcp" not in profiles else ():
        if isinstance(item, ScalarNode) and item.value == "server":
            reader.refuse(
                "targets",
                item,
                expected="a list without `server`, because `descriptors.profiles` leaves out `mcp`",
                actual="a list with it",
            )


def _lint(reader: SettingsReader, settings: Section) -> LintOptions:
    outer = reader.inner(settings, "lint")
    inner = reader.within("lint").inner(outer, "severity")
    select, ignore = (
        [rule for word in outer.words(key) or () for rule in rules_named(word)]
        for key in ("select", "ignore")
    )
    severities = {
        SEVERITIES[name]: Severity(inner.value(name, "")) for name in inner.entries
    }
    is_usual = outer.node("select") is None
    return LintOptions(
        severities=select_severities(None if is_usual else select, ignore, severities)
    )


def _places(targets: Node | None) -> tuple[tuple[str, Span], ...]:
    items = targets.items if isinstance(targets, ListNode) else ()
    return tuple(
        (str(item.value), item.span) for item in items if isinstance(item, ScalarNode)
    )


def _folders_and_lock(
    section: Section,
    flags: Flags,
    folder: Path,
    configuration: Configuration | None,
) -> tuple[Folders, LockFile]:
    """The folders of this run, and its lock file. Paths in the file start in ``folder``."""
    folders = Folders(
        folder / section.value("specs", "specs"), folder / section.value("out", "out")
    )
    run = Folders(
        Path(os.path.abspath(flags.specs or folders.specs)), flags.out or folders.out
    )
    file = Path(configuration.file.path) if configuration else folder / YAML_NAME
    return run, choose_lock_file(file, folders, run)


def _apply_flags(settings: Settings, flags: Flags) -> Settings:
    """Return ``settings`` with the flags about output."""
    project = settings.project
    if flags.package is not None:
        project = replace(project, package=flags.package)
    if flags.strict_loss:
        descriptors = replace(project.descriptors, strict_loss=True)
        project = replace(project, descriptors=descriptors)
    return replace(
        settings,
        project=project,
        format=flags.format or settings.format,
        colour=flags.colour,
    )


def _configuration(
    flags: Flags, cwd: Path, diagnostics: Diagnostics
) -> Configuration | None:
    """The file that a flag names, or the nearest."""
    if flags.config is None:
        return find_configuration(cwd, diagnostics)
    configuration = read_configuration(flags.config.absolute(), diagnostics)
    if configuration is None and not diagnostics.has_errors:
        place = Span.at_file("--config")
        reason = "it has no table [tool.brimgen]"
        diagnostics.add(UNREADABLE_CONFIGURATION, place, reason=reason)
    return configuration


class _Places:
    """The places that name the folders: options, and lines of the configuration.

    ``are_read`` says that there is a configuration that can be read.
    """

    def __init__(self, flags: Flags, configuration: Configuration | None) -> None:
        self._given = {"specs": flags.specs, "out": flags.out}
        self._root = configuration.root if configuration else None
        self.are_read = configuration is not None and not configuration.is_broken

    def of(self, name: str) -> Span | None:
        """The place of what named the folder ``name``; None for one that is there by default."""
        if self._given[name] is not None:
            return Span.at_file(f"--{name}")
        node = self._root.get(name) if self._root else None
        return node.span if node else None

    def near(self, name: str, folder: Path) -> tuple[str, ...]:
        """Folders beside ``folder``, which is not there, of nearly its name, written alike."""
        node = self._root.get(name) if self._root else None
        path_text = node.text if isinstance(node, ScalarNode) else folder.name
        from brimgen.settings.setting_errors import similar_folders

        return similar_folders(folder, self._given[name] or Path(path_text))


def _check_folders(
    settings: Settings, places: _Places, diagnostics: Diagnostics
) -> None:
    """Report missing specs, and an output folder that must not be replaced."""
    if not places.are_read and diagnostics.has_errors:
        return  # one that cannot be read may name other folders
    written_place = places.of("specs")
    if not settings.specs.is_dir() and (written_place or not settings.sources):
        shown = _shown(settings.specs)
        place = written_place or Span.at_file(shown)
        near = places.near("specs", settings.specs)
        diagnostics.add(MISSING_SPECS, place, suggestions=near, specs=shown)
    _check_out(settings, places, diagnostics)


def _check_out(settings: Settings, places: _Places, diagnostics: Diagnostics) -> None:
    """Report an output folder that holds written files, or that belongs to the system."""
    out, specs = settings.out, Path(os.path.realpath(settings.specs))
    project, templates = _project_of(settings), settings.templates
    folders = {
        "the configuration" if places.are_read else "the working directory": project,
        "the working directory": Path.cwd().resolve(),
        "the Python that runs brimgen": Path(sys.prefix).resolve(),
    }
    if templates is not None:
        folders["the templates"] = Path(templates.folder).resolve()
    place = places.of("out")
    if overlapping := overlap(out, specs, folders):
        relation, folder = overlapping
        if folder == "the specs":
            place = place or places.of("specs")
        place = place or Span.at_file(_shown(out))
        shown = _shown(out)
        diagnostics.add(
            OVERLAPPING_FOLDERS, place, out=shown, relation=relation, other=folder
        )
    elif problem := why_not_output(out):
        place = place or Span.at_file(_shown(out))
        diagnostics.add(SYSTEM_FOLDER, place, out=_shown(out), problem=problem)


def _project_of(settings: Settings) -> Path:
    """The folder of the configuration; without one, the working directory."""
    file = settings.configuration
    return Path(file.path).parent.resolve() if file else Path.cwd().resolve()


def _shown(path: Path) -> str:
    from brimgen.settings.setting_errors import shown_path

    return shown_path(path)
