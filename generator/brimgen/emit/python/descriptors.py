"""Lower a project to the module that reads the descriptors of its package."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.emit.chosen_targets import makes
from brimgen.emit.code import Code, header, py
from brimgen.emit.names import module_name
from brimgen.emit.projection.described_tools import (
    argument_aliases,
    described_targets,
    profile_folder,
)
from brimgen.emit.python.view import (
    AliasesModule,
    DescriptorFunction,
    DescriptorsModule,
)
from brimgen.emit.python_text import subscript
from brimgen.model.catalog import Catalog
from brimgen.model.project import Project
from brimgen.model.targets import Target


def descriptors_module(catalog: Catalog) -> DescriptorsModule | None:
    """Return the view of ``descriptors/__init__.py``; None if the project makes no descriptors."""
    project = catalog.project
    functions = tuple(
        _function(target, project) for target in described_targets(project)
    )
    if not functions:
        return None
    bundles = catalog.bundles if makes(project, "bundles") else ()
    names = ["Any"]
    if bundles or any(function.choice or function.folders for function in functions):
        names.append("Literal")
    if bundles:
        names.append("TypeAlias")
    names.append("cast")
    return DescriptorsModule(
        header=header(),
        typing_names=Code(", ".join(names)),
        bundle_type=(
            _literal_type(bundle.slug for bundle in bundles) if bundles else None
        ),
        functions=functions,
        selection=Code("bundle, only" if bundles else "only"),
        has_chat=any(function.stored for function in functions),
        has_objects=any(function.choice == "kind" for function in functions),
    )


def aliases_module(catalog: Catalog) -> AliasesModule | None:
    """Return the view of ``aliases.py``; None if every name goes out as it is."""
    aliases = argument_aliases(catalog)
    return AliasesModule(header=header(), aliases=aliases) if aliases else None


def _function(target: Target, project: Project) -> DescriptorFunction:
    chosen = project.descriptors.profiles
    profiles = [profile for profile in target.profiles if profile in chosen]
    profiles = profiles or [*target.profiles[:1]]
    folders = {profile: profile_folder(target.name, profile) for profile in profiles}
    has_folders, has_forms = len(profiles) > 1, len(target.forms) > 1
    folder = "{folder}" if has_folders else folders[profiles[0]]
    form = f"{{{target.choice}}}" if has_forms else target.forms[0]
    form = target.stored or form
    path = py(f"{folder}/{form}")
    return DescriptorFunction(
        name=module_name(target.name),
        provider=target.provider,
        folders=py(folders) if has_folders else None,
        profile_type=_literal_type(profiles),
        profile=py(profiles[0]),
        choice=Code(target.choice) if has_forms else None,
        form_type=_literal_type(target.forms),
        form=py(target.forms[0]),
        stored=py(target.stored) if target.stored else None,
        path=Code(f"f{path}") if "{" in path else path,
        group=py(target.group) if target.group else None,
    )


def _literal_type(values: Iterable[str]) -> Code:
    return subscript(Code("Literal"), *map(py, values))
