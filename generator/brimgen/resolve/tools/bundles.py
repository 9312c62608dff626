"""Read bundles: their slugs, versions, identities and the tools that belong to them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable

from brimgen.diagnostics import Diagnostics, Note, Span, did_you_mean, rules
from brimgen.frozen import dataclass, field, replace
from brimgen.model.catalog import Bundle, Identity, Tool
from brimgen.model.scalar_texts import is_datetime
from brimgen.resolve.values import published_extensions, read_limits
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.decls import BundleDecl, ToolDecl
from brimgen.syntax.reader import Section
from brimgen_runtime.grammar.slugs import id_mistake, slug_mistake


def read_slug(
    node: ScalarNode | None, diagnostics: Diagnostics, *, dots: bool = False
) -> str | None:
    """Return a slug (with ``dots`` a version) as it is written, or None; report an invalid one."""
    if node is None:
        return None
    kind = "version" if dots else "slug"
    mistake = slug_mistake(node.text, kind)
    if mistake is None:
        return node.text
    near = _intended_slug(node.text, kind)
    diagnostics.add(rules.BAD_SLUG, node.span, suggestions=near, **mistake.values)
    return None


def _intended_slug(text: str, kind: str) -> tuple[str, ...]:
    """Suggest the text with dashes for invalid characters, if that makes it valid."""
    normalized = unicodedata.normalize("NFC", text)
    invalid = {
        character for character in normalized if slug_mistake(f"a{character}", kind)
    }
    plain = "".join(
        "-" if character in invalid else character for character in normalized
    ).strip("-")
    return () if slug_mistake(plain, kind) else (plain,)


FIRST_VERSION = "v1"
"""The version of a bundled tool that says none."""


@dataclass(frozen=True, slots=True)
class _Owner:
    """The owner of an id: its kind, its name, its place."""

    kind: str
    name: str
    span: Span


@dataclass(slots=True)
class BundleRegistry:
    """The bundles of a project, and the slugs and ids that are taken.

    ``doubts`` says whether a missing name may follow from a mistake that is reported already.
    """

    diagnostics: Diagnostics
    doubts: Callable[[str], bool] = lambda name: False
    bundles: dict[str, Bundle] = field(default_factory=dict[str, Bundle])
    _ids: dict[str, _Owner] = field(default_factory=dict[str, _Owner])
    _slugs: dict[tuple[str, str, str], Span] = field(
        default_factory=dict[tuple[str, str, str], Span]
    )

    def add(self, decls: Iterable[BundleDecl]) -> None:
        """Make the bundles that are declared."""
        for decl in decls:
            name = decl.name.value
            owner = _Owner("bundle", name, decl.name.span)
            section = decl.section
            slug = read_slug(section.scalar("slug"), self.diagnostics)
            self.bundles[name] = Bundle(
                name=name,
                span=decl.name.span,
                slug=slug or name.replace("_", "-"),
                display_name=section.value("displayName", name),
                description=section.value("description", None),
                enabled=section.value("isEnabled", True),
                identity=self._identity(section, owner),
                limits=read_limits(decl.limits),
                extensions=published_extensions(section.extensions),
            )

    def identify(self, decl: ToolDecl) -> Identity:
        """Return the id and the times that a tool states; report invalid ones."""
        owner = _Owner("tool", decl.name.value, decl.name.span)
        return self._identity(decl.section, owner)

    def with_bundle(self, tool: Tool, decl: ToolDecl) -> Tool:
        """Return the tool with what its bundle adds; a tool without a bundle stays as it is."""
        node = decl.section.scalar("bundle")
        if node is None:
            return tool
        bundle = self.bundles.get(node.text)
        if bundle is None:
            if not self.doubts(node.text):
                near = did_you_mean(node.text, self.bundles)
                self.diagnostics.add(
                    rules.UNKNOWN_BUNDLE,
                    node.span,
                    suggestions=near,
                    name=node.text,
                )
            return tool
        placed = replace(
            tool,
            bundle=bundle.name,
            slug=tool.slug or tool.name.replace("_", "-"),
            version=tool.version or FIRST_VERSION,
            enabled=tool.enabled and bundle.enabled,
        )
        self._claim_slug(placed, decl, bundle)
        return placed

    def _claim_slug(self, tool: Tool, decl: ToolDecl, bundle: Bundle) -> None:
        slug, version = tool.slug or "", tool.version or ""
        nodes = (decl.section.scalar("slug"), decl.section.scalar("version"))
        at = next((node.span for node in nodes if node is not None), tool.span)
        first = self._slugs.setdefault((bundle.name, slug, version), at)
        if first is at:
            return
        self.diagnostics.add(
            rules.SLUG_TWICE,
            at,
            notes=[Note(first, "first stands here")],
            slug=slug,
            version=version,
            bundle=bundle.name,
        )

    def _identity(self, said: Section, owner: _Owner) -> Identity:
        return Identity(
            id=self._id(said.scalar("id"), owner),
            created_at=self._time("createdAt", said),
            modified_at=self._time("modifiedAt", said),
        )

    def _id(self, node: ScalarNode | None, owner: _Owner) -> str | None:
        if node is None:
            return None
        mistake = id_mistake(node.text)
        if mistake is not None:
            self.diagnostics.add(rules.BAD_ID, node.span, **mistake.values)
            return None
        first = self._ids.setdefault(node.text, owner)
        if first is not owner:
            self.diagnostics.add(
                rules.ID_TWICE,
                node.span,
                notes=[Note(first.span, f"`{first.name}` is here")],
                kind=owner.kind,
                name=owner.name,
                other_kind=first.kind,
                other=first.name,
            )
        return node.text

    def _time(self, key: str, said: Section) -> str | None:
        node = said.scalar(key)
        if node is None:
            return None
        if not is_datetime(node.text) or not node.text.endswith("Z"):
            self.diagnostics.add(
                rules.BAD_TIME, node.span, text=node.text[:80], key=key
            )
            return None
        return node.text
