"""Make the targets of a project: those of brimgen with its templates, and its own ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from brimgen.diagnostics import Diagnostics
from brimgen.emit.account import once_per_catalog
from brimgen.emit.artifact import Emitter
from brimgen.emit.catalog_view import CatalogView, catalog_view, public_view
from brimgen.emit.custom.check_templates import check_templates
from brimgen.emit.custom.custom_target import custom_emitter, roots_of
from brimgen.emit.custom.own_templates import with_own_templates
from brimgen.emit.custom.templates import Templates
from brimgen.model.catalog import Catalog
from brimgen.model.project import Project
from brimgen.model.targets import TARGETS, Target
from brimgen.model.templates import TemplateFolder


class ProjectTargets:
    """Makes the targets of a project with the templates in ``folder``.

    ``describing`` gives the targets of a project that describe tools to models.
    """

    def __init__(
        self,
        folder: TemplateFolder | None,
        describing: Callable[[Project], Sequence[Emitter]],
    ) -> None:
        self._templates = Templates({} if folder is None else folder.files)

        @once_per_catalog
        def view_of(catalog: Catalog) -> CatalogView:
            return catalog_view(catalog, describing(catalog.project))

        self._view_of = view_of

    def of_files(self, target: Target) -> Emitter:
        """Return a target that only has file patterns."""
        return custom_emitter(
            target,
            self._templates,
            self._catalogue_of if target.name == "catalogue" else self._view_of,
        )

    def _catalogue_of(self, catalog: Catalog) -> CatalogView:
        view = self._view_of(catalog)
        return public_view(view) if catalog.project.is_catalogue_public else view

    def of_brimgen(self, emitter: Emitter) -> Emitter:
        """Return a target of brimgen that prints with the templates of the project."""
        return with_own_templates(emitter, self._templates)

    def check(self, custom: Sequence[Target], diagnostics: Diagnostics) -> None:
        """Report what is wrong with the templates; ``custom`` are all targets of the project."""
        shipped = [target for target in TARGETS if target.files]
        check_templates(self._templates, roots_of([*shipped, *custom]), diagnostics)
