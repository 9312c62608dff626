"""View what each provider is sent of each tool, and what its descriptor leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from brimgen.emit.account import Descriptor, Loss
from brimgen.emit.artifact import Emitter
from brimgen.emit.catalog_view.view_types import LossView, ProviderView, ToldView
from brimgen.emit.indented import json_line
from brimgen.emit.projection.describe_keywords import phrase
from brimgen.emit.projection.json_values import plain_json
from brimgen.model.catalog import Catalog
from brimgen.model.targets import Target
from brimgen.model.tokens import estimate


def descriptor_views(
    catalog: Catalog, emitters: Iterable[Emitter]
) -> dict[str, list[ToldView]]:
    """Return the descriptors of each tool for the profiles of ``emitters``, in their order."""
    by_tool: dict[str, list[ToldView]] = {}
    for emitter in emitters:
        losses = _losses(emitter.losses(catalog) if emitter.losses else ())
        for descriptor in _descriptors(catalog, emitter):
            content = dict(descriptor.json)
            view: ToldView = {
                "profile": descriptor.profile,
                "descriptor": content,
                "tokens": estimate(content),
                "aliases": dict(descriptor.aliases),
                "losses": losses.get((descriptor.tool, descriptor.profile), []),
            }
            by_tool.setdefault(descriptor.tool, []).append(view)
    return by_tool


def _descriptors(catalog: Catalog, emitter: Emitter) -> Iterator[Descriptor]:
    for describe in (emitter.descriptors, emitter.further_descriptors):
        yield from describe(catalog) if describe else ()


def providers_view(catalog: Catalog, emitters: Iterable[Emitter]) -> list[ProviderView]:
    """Return the profiles of ``emitters`` that describe a tool."""
    views: list[ProviderView] = []
    for emitter in emitters:
        sent = emitter.descriptors(catalog) if emitter.descriptors else ()
        for profile in emitter.target.profiles:
            sizes = {
                descriptor.tool: estimate(descriptor.json)
                for descriptor in sent
                if descriptor.profile == profile
            }
            if sizes:
                views.append(
                    {
                        "profile": profile,
                        "target": emitter.name,
                        "title": _title(emitter.target, profile),
                        "tools": list(sizes),
                        "tokens": sum(sizes.values()),
                    }
                )
    return views


def _title(target: Target, profile: str) -> str:
    """``OpenAI``, ``OpenAI loose``."""
    variant = profile.removeprefix(target.name).replace("_", " ")
    return f"{target.provider}{variant}"


def _losses(losses: Sequence[Loss]) -> dict[tuple[str, str], list[LossView]]:
    """The losses by tool and profile, in the order of the ledger's file."""
    views_by_key: dict[tuple[str, str], dict[tuple[str, str, str], LossView]] = {}
    for loss in losses:
        order = loss.path, loss.keyword, json_line(loss.value)
        views_by_key.setdefault((loss.tool, loss.profile), {})[order] = {
            "part": loss.part,
            "path": loss.path,
            "keyword": loss.keyword,
            "value": plain_json(loss.value),
            "in_words": phrase(loss.keyword, loss.value),
            "recovered_by": loss.recovered_by.value,
        }
    return {
        key: [views[order] for order in sorted(views)]
        for key, views in views_by_key.items()
    }
