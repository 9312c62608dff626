"""The tool store: the built-in bundles, and the bundles and tools of users in a folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from ..http._request import NO_SECRETS, Secrets
from ..http._run import OPTIONS, Options
from ..http._transport import Transport
from .bodies import Limits, bundle_body, switch, tool_body
from .built_in import apply_switches, key_of
from .disk import Disk
from .errors import StoreError
from .http_tools import UserTools
from .invocations import AsyncCaller, Caller, call_async_service, call_service, has_run
from .kept_rows import are_switches, is_bundle, is_tool
from .names import checked_id, checked_slug, file_name, new_id
from .pages import StorePage, bundle_page, check_page, tool_page, without_tools
from .usage import Usage

_BUNDLE = "bundle.json"
_OVERLAY = "built-in.json"
_STRUCTURE = ("slug", "displayName", "description")
KEPT = timedelta(days=2)
"""How long a deleted bundle is kept."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Store:
    """The tools of a package and those in ``folder``. Each method is a route; bodies are JSON.

    A refused request raises `StoreError` and changes no file. Threads and processes may share a
    folder. ``built_in`` are bundles from `rows_of`; ``now`` is the clock. Added tools must keep the
    rules of specs: they may call ``allowed_hosts`` only, and use their own arguments and
    ``secrets`` only, which are names, or names with their values. ``service`` calls the tools of
    the package; users' ``http`` tools are called through ``transport`` (None: that of the standard
    library, to public addresses) with these ``options``.
    """

    def __init__(
        self,
        folder: str | Path,
        built_in: Sequence[Mapping[str, Any]] = (),
        *,
        allowed_hosts: Iterable[str] = (),
        secrets: Mapping[str, str] | Iterable[str] = (),
        service: Caller | AsyncCaller | None = None,
        transport: Transport | None = None,
        options: Options = OPTIONS,
        now: Callable[[], datetime] = _utc_now,
    ) -> None:
        self._disk = Disk(Path(folder))
        self._built_in = {bundle["id"]: bundle for bundle in built_in}
        self._limits = Limits.of(allowed_hosts, secrets)
        self._service = service
        given = cast("Secrets", secrets) if isinstance(secrets, Mapping) else NO_SECRETS
        self._users = UserTools(self._limits, given, transport, options)
        self._now = now
        self._usage = Usage(self._disk)

    def put_bundle(self, bundle_id: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Create or replace a bundle, also a deleted or damaged one; return it."""
        bundle = bundle_body(body)
        bundle_id = self._user_bundle_id(bundle_id)
        with self._disk.locked():
            time = self._time()
            old = self._disk.read_sound(bundle_id, _BUNDLE, is_sound=is_bundle) or {}
            kept = "softDeletedAt" not in old and all(
                old.get(key) == bundle.get(key) for key in _STRUCTURE
            )
            row = {
                "id": bundle_id,
                **bundle,
                "createdAt": old.get("createdAt", time),
                "modifiedAt": old.get("modifiedAt", time) if kept else time,
            }
            self._disk.write(row, bundle_id, _BUNDLE)
        return row

    def patch_bundle(self, bundle_id: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Switch a bundle on or off; return it."""
        bundle_id = checked_id(bundle_id, "bundleID")
        if bundle_id in self._built_in:
            self._switch(key_of(bundle_id), switch(body, is_built_in=True))
            return without_tools(self._built_in_row(bundle_id))
        enabled = switch(body)
        with self._disk.locked():
            row = {**self._bundle(bundle_id), "isEnabled": enabled}
            self._disk.write(row, bundle_id, _BUNDLE)
        return row

    def delete_bundle(self, bundle_id: str) -> None:
        """Mark a bundle as deleted; `reap` removes it once it is empty."""
        bundle_id = self._user_bundle_id(bundle_id)
        with self._disk.locked():
            row = {**self._bundle(bundle_id), "softDeletedAt": self._time()}
            self._disk.write(row, bundle_id, _BUNDLE)

    def bundles(
        self,
        *,
        bundle_ids: Collection[str] = (),
        include_disabled: bool = False,
        page_size: int = 50,
        page_token: str | None = None,
    ) -> StorePage:
        """Return the bundles, built-in ones first."""
        check_page(page_size, page_token, bundle_ids=bundle_ids)
        rows, damaged = self._rows()
        page = bundle_page(
            rows,
            bundle_ids=bundle_ids,
            include_disabled=include_disabled,
            page_size=page_size,
            page_token=page_token,
        )
        return replace(page, damaged=damaged)

    def put_tool(
        self, bundle_id: str, slug: str, version: str, body: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Add a tool; return it. An existing slug and version is never replaced, if undamaged."""
        location = self._location(bundle_id, slug, version)
        tool = tool_body(body, slug, version, self._limits)
        self._refuse_built_in(location[0])
        with self._disk.locked():
            self._bundle(location[0], writing=True)
            if self._disk.read_sound(*location, is_sound=is_tool) is not None:
                raise StoreError("conflict", f"there is a tool {slug}@{version}")
            now = self._now()
            row = {"id": new_id(now), **tool}
            row |= {"createdAt": self._time(now), "modifiedAt": self._time(now)}
            self._disk.write(row, *location)
        return self._with_usage(location[0], row)

    def patch_tool(
        self, bundle_id: str, slug: str, version: str, body: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Switch a tool on or off; return it."""
        location = self._location(bundle_id, slug, version)
        if location[0] in self._built_in:
            enabled = switch(body, is_built_in=True)
            self.tool(bundle_id, slug, version)
            if not self._built_in_row(location[0])["isEnabled"]:
                raise StoreError("disabled", f"the bundle {location[0]} is disabled")
            self._switch(key_of(location[0], slug, version), enabled)
            return self.tool(bundle_id, slug, version)
        enabled = switch(body)
        with self._disk.locked():
            self._bundle(location[0], writing=True)
            row = {**self._tool(location, slug, version), "isEnabled": enabled}
            self._disk.write(row, *location)
        return self._with_usage(location[0], row)

    def delete_tool(self, bundle_id: str, slug: str, version: str) -> None:
        """Remove a tool, also a damaged one, and from a deleted or disabled bundle."""
        location = self._location(bundle_id, slug, version)
        self._refuse_built_in(location[0])
        with self._disk.locked():
            try:
                self._tool(location, slug, version)
            except StoreError as error:
                if error.code != "unreadable":
                    raise
            self._disk.remove(*location)
            self._usage.forget(key_of(location[0], slug, version))

    def tool(self, bundle_id: str, slug: str, version: str) -> dict[str, Any]:
        """Return a tool."""
        location = self._location(bundle_id, slug, version)
        if location[0] not in self._built_in:
            self._bundle(location[0])
            return self._with_usage(location[0], self._tool(location, slug, version))
        for row in self._built_in_row(location[0])["tools"]:
            if (slug, version) == (row["slug"], row["version"]):
                return self._with_usage(location[0], row)
        raise StoreError("not_found", f"there is no tool {slug}@{version}")

    def tools(
        self,
        *,
        tags: Collection[str] = (),
        bundle_ids: Collection[str] = (),
        include_disabled: bool = False,
        recommended_page_size: int = 50,
        page_token: str | None = None,
    ) -> StorePage:
        """Return the tools that have one of ``tags`` and are in one of ``bundle_ids``."""
        size, token = recommended_page_size, page_token
        check_page(size, token, tags=tags, bundle_ids=bundle_ids)
        rows, damaged = self._rows()
        page = tool_page(
            rows,
            lambda bundles: bundles.list(
                tags=tags,
                bundle_ids=bundle_ids,
                include_disabled=include_disabled,
                page_size=size,
                page_token=token,
            ),
        )
        return replace(page, damaged=damaged)

    def search(
        self,
        q: str,
        *,
        include_disabled: bool = False,
        page_size: int = 50,
        page_token: str | None = None,
    ) -> StorePage:
        """Return the tools that match ``q``, best first."""
        check_page(page_size, page_token, q=[q])
        rows, damaged = self._rows()
        page = tool_page(
            rows,
            lambda bundles: bundles.search(
                q,
                include_disabled=include_disabled,
                page_size=page_size,
                page_token=page_token,
            ),
            self._disk.index_file,
        )
        return replace(page, damaged=damaged)

    def reap(self) -> tuple[str, ...]:
        """Remove bundles that were deleted two days ago and are empty; return their ids."""
        reaped: list[str] = []
        with self._disk.locked():
            for bundle_id in self._disk.folders():
                row = self._disk.read_sound(bundle_id, _BUNDLE, is_sound=is_bundle)
                at = (row or {}).get("softDeletedAt")
                if at is None or self._disk.files(bundle_id) != [_BUNDLE]:
                    continue
                if datetime.fromisoformat(at) + KEPT <= self._now():
                    self._disk.remove(bundle_id, _BUNDLE)
                    self._disk.remove_folder(bundle_id)
                    reaped.append(bundle_id)
        return tuple(reaped)

    def invoke(
        self, bundle_id: str, slug: str, version: str, args: object = None
    ) -> dict[str, Any]:
        """Call a tool of the package, or an ``http`` tool of a user.

        Return ``{ok, value}`` or ``{ok, error}``. Raises StoreError for a tool that is disabled, or
        that nobody here runs, and for an `AsyncService`.
        """
        row = self._called(bundle_id, slug, version)
        if row["bundleID"] in self._built_in:
            answer = call_service(self._service, row["name"], args)
        else:
            answer = self._users.invoke(row, args)
        if has_run(answer):
            self.called(bundle_id, slug, version)
        return answer

    async def invoke_async(
        self, bundle_id: str, slug: str, version: str, args: object = None
    ) -> dict[str, Any]:
        """Call a tool as `invoke` does, through an `AsyncService`; a `Service` is refused."""
        row = self._called(bundle_id, slug, version)
        if row["bundleID"] in self._built_in:
            answer = await call_async_service(self._service, row["name"], args)
        else:
            answer = await self._users.invoke_async(row, args)
        if has_run(answer):
            self.called(bundle_id, slug, version)
        return answer

    def _called(self, bundle_id: str, slug: str, version: str) -> dict[str, Any]:
        """Return a tool that is enabled, in a bundle that is."""
        row = self.tool(bundle_id, slug, version)
        bundle_id = row["bundleID"]
        read = self._built_in_row if bundle_id in self._built_in else self._bundle
        if not read(bundle_id)["isEnabled"]:
            raise StoreError("disabled", f"the bundle {bundle_id} is disabled")
        if not row["isEnabled"]:
            raise StoreError("disabled", f"the tool {slug}@{version} is disabled")
        return row

    def allows(self, url: str) -> bool:
        """Return whether a URL, its variables filled in, leads to one of ``allowed_hosts``."""
        return self._limits.allow(url)

    def called(self, bundle_id: str, slug: str, version: str) -> None:
        """Count a call of a tool, without making the caller wait."""
        bundle_id = self._location(bundle_id, slug, version)[0]
        self._usage.called(key_of(bundle_id, slug, version), self._time())

    def flush(self) -> None:
        """Wait until all counts are written. Raises OSError or StoreError if one was not."""
        self._usage.flush()

    def _time(self, at: datetime | None = None) -> str:
        utc = (at or self._now()).astimezone(UTC).replace(tzinfo=None)
        return f"{utc.isoformat(timespec='milliseconds')}Z"

    def _user_bundle_id(self, bundle_id: str) -> str:
        bundle_id = checked_id(bundle_id, "bundleID")
        self._refuse_built_in(bundle_id)
        return bundle_id

    def _refuse_built_in(self, bundle_id: str) -> None:
        if bundle_id in self._built_in:
            raise StoreError("built_in", f"the bundle {bundle_id} is built in")

    def _location(self, bundle_id: str, slug: str, version: str) -> tuple[str, str]:
        """Return the folder and the file of a tool."""
        folder = checked_id(bundle_id, "bundleID")
        slug = checked_slug(slug)
        return folder, file_name(slug, checked_slug(version, "version"))

    def _bundle(self, bundle_id: str, *, writing: bool = False) -> dict[str, Any]:
        """Return a bundle of a user that is not deleted and, for ``writing``, enabled."""
        row = self._disk.read(bundle_id, _BUNDLE, is_sound=is_bundle)
        if row is None or "softDeletedAt" in row:
            raise StoreError("not_found", f"there is no bundle {bundle_id}")
        if writing and not row["isEnabled"]:
            raise StoreError("disabled", f"the bundle {bundle_id} is disabled")
        return row

    def _tool(
        self, location: tuple[str, str], slug: str, version: str
    ) -> dict[str, Any]:
        row = self._disk.read(*location, is_sound=is_tool)
        # A file system that ignores case finds the file of another slug by this name.
        if row is None or (slug, version) != (row["slug"], row["version"]):
            raise StoreError("not_found", f"there is no tool {slug}@{version}")
        return row

    def _switch(self, key: str, enabled: bool) -> None:
        with self._disk.locked():
            switches = self._switches()
            self._disk.write({**switches, key: enabled}, _OVERLAY)

    def _built_in_rows(self) -> list[dict[str, Any]]:
        return apply_switches(self._built_in.values(), self._switches())

    def _switches(self) -> dict[str, Any]:
        return self._disk.read_sound(_OVERLAY, is_sound=are_switches) or {}

    def _built_in_row(self, bundle_id: str) -> dict[str, Any]:
        return next(row for row in self._built_in_rows() if bundle_id == row["id"])

    def _with_usage(self, bundle_id: str, row: Mapping[str, Any]) -> dict[str, Any]:
        used = self._usage.of(key_of(bundle_id, row["slug"], row["version"]))
        return {"bundleID": bundle_id, **row, **used}

    def _rows(self) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
        """Return every bundle that is not deleted, with its tools, and the damaged files."""
        damaged: list[str] = []
        self._kept(damaged, _OVERLAY, is_sound=are_switches)
        rows = [*self._built_in_rows(), *self._user_rows(damaged)]
        return rows, tuple(damaged)

    def _user_rows(self, damaged: list[str]) -> Iterator[dict[str, Any]]:
        for folder in self._disk.folders():
            row = self._kept(damaged, folder, _BUNDLE, is_sound=is_bundle)
            if row is None or "softDeletedAt" in row:
                continue
            tools = [
                self._kept(damaged, folder, file, is_sound=is_tool)
                for file in self._disk.files(folder)
                if file.endswith(".json") and file != _BUNDLE
            ]
            yield {**row, "tools": [tool for tool in tools if tool is not None]}

    def _kept(
        self,
        damaged: list[str],
        *names: str,
        is_sound: Callable[[dict[str, Any]], bool],
    ) -> dict[str, Any] | None:
        """Return the object in a file; None if there is none, or it is now one of ``damaged``."""
        try:
            return self._disk.read(*names, is_sound=is_sound)
        except StoreError:
            damaged.append("/".join(names))
            return None
