"""Combine flags and the configuration file into one valid Settings, or report the errors."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import (
    MISSING_SPECS,
    OVERLAPPING_FOLDERS,
    SYSTEM_FOLDER,
    UNREADABLE_CONFIGURATION,
)
from brimgen.frozen import dataclass, field, replace
from brimgen.identity import LOCK_FILE
from brimgen.lint.options import LintOptions
from brimgen.model.project import Project, SchemaFile, SchemaSource, SourceRoots
from brimgen.model.targets import (
    DEFAULT,
    Target,
    is_chosen,
    target_named,
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
from brimgen.settings.descriptors import take_descriptors
from brimgen.settings.formats import FORMATS
from brimgen.settings.lint import take_lint
from brimgen.settings.lock_file import Folders, LockFile, choose_lock_file
from brimgen.settings.server import (
    check_server_has_lists,
    take_output_schemas,
    take_server,
)
from brimgen.settings.sources import take_sources
from brimgen.settings.templates import row_of, take_custom, take_templates
from brimgen.settings.values import (
    SettingReader,
    take_choice,
    take_flag,
    take_names,
    take_project,
    take_text,
)
from brimgen.source.document import SourceFile
from brimgen.source.files import Read, with_modules
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode


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
    source_roots: SourceRoots = SourceRoots()
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

    def wants(self, target: Target) -> bool:
        """Whether this run makes ``target``."""
        if target in self.custom and not self.only:
            return True
        project = self.project
        names, profiles = self.only or self.targets, project.descriptors.profiles
        return is_chosen(target, names, profiles, project.models)

    def row_of(self, target: str, path: str) -> Span | None:
        """The place of the `path` under ``custom`` by which ``target`` writes ``path``, if any."""
        return row_of(self.custom, target, path)

    def makes(self, name: str) -> bool:
        """Whether there is a target called ``name``, and this run makes it."""
        return name in target_names() and self.wants(target_named(name))


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
    root = configuration.root if configuration else MapNode(Span.at_file(""), ())
    reader = SettingReader(root, diagnostics)
    run, lock = _folders_and_lock(reader, flags, folder, configuration)
    base, project = Base(folder, run.specs), take_project(reader)
    custom = take_custom(reader, base)
    names = (*target_names(), *(target.name for target in custom))
    targets_node = reader.value("targets")
    named = take_names(reader, "targets", (DEFAULT, *names))
    targets = None if named is None else with_needed(named)
    descriptors = take_descriptors(reader)
    check_server_has_lists(reader, targets_node, descriptors.profiles)
    project = replace(
        project,
        targets=targets,
        connections=with_databases(
            take_connections(reader, base), flags.databases, diagnostics
        ),
        descriptors=descriptors,
        server=take_server(reader),
        is_catalogue_public=_is_catalogue_public(reader),
        output_schemas=take_output_schemas(reader),
    )
    settings = Settings(
        specs=run.specs,
        out=Path(os.path.realpath(run.out)),
        through_link=os.path.realpath(run.out) != os.path.abspath(run.out),
        targets=targets,
        target_places=_places(targets_node),
        only=flags.targets or None,
        format=take_choice(reader, "format", FORMATS, "full"),
        project=project,
        configuration=configuration.file if configuration else None,
        lint=take_lint(reader),
        lock=lock.path,
        owns_lock=lock.is_writable,
        templates=take_templates(reader, base),
        custom=custom,
        source_roots=_source_roots(reader, folder),
        sources=take_sources(reader, folder),
    )
    reader.report_unknown()
    settings = _apply_flags(settings, flags)
    if flags.needs_specs or flags.specs:
        _check_folders(settings, _Places(flags, configuration), diagnostics)
    return settings


def _places(targets: Node | None) -> tuple[tuple[str, Span], ...]:
    items = targets.items if isinstance(targets, ListNode) else ()
    return tuple(
        (str(item.value), item.span) for item in items if isinstance(item, ScalarNode)
    )


def _is_catalogue_public(reader: SettingReader) -> bool:
    inner = reader.mapping("catalogue")
    public = take_flag(inner, "public", False)
    inner.report_unknown()
    return public


def _source_roots(reader: SettingReader, folder: Path) -> SourceRoots:
    """The folders of the project's own modules; without the setting, the usual ones."""
    expected, node = "a list of folders", reader.value("source_roots")
    names = reader.take_list("source_roots", _folder_name, expected)
    if names is None:
        return SourceRoots(folders=(folder, folder / "src"))
    items = node.items if isinstance(node, ListNode) else ()
    for name, item in zip(names, items, strict=True):
        if not (folder / name).is_dir():
            from brimgen.settings.setting_errors import similar_folders

            got = f"`{name}`, which is no folder"
            near = similar_folders(folder / name, Path(name))
            reader.report_wrong(
                "source_roots", expected, item, near=near, actual=got, is_item=True
            )
    return SourceRoots(folders=tuple(folder / name for name in names), is_set=True)


def _folder_name(node: Node) -> str | None:
    return node.text or None if isinstance(node, ScalarNode) else None


def _folders_and_lock(
    reader: SettingReader,
    flags: Flags,
    folder: Path,
    configuration: Configuration | None,
) -> tuple[Folders, LockFile]:
    """The folders of this run, and its lock file. Paths in the file start in ``folder``."""
    folders = Folders(
        folder / take_text(reader, "specs", "specs"),
        folder / take_text(reader, "out", "out"),
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
