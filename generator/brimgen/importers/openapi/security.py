"""Import the security of an OpenAPI operation as ``auth`` and secrets of its tool."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.frozen import dataclass, field
from brimgen.importers.names import spec_name
from brimgen.model.json import Json
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode


@dataclass(slots=True)
class Security:
    """The ``auth`` of a tool; what ``auth`` cannot express is in ``query`` and ``headers``.

    ``left_out`` are the requirements that no tool can express, each with the reason.
    """

    auth: Mapping[str, Json] = field(default_factory=dict[str, Json])
    query: dict[str, Json] = field(default_factory=dict[str, Json])
    headers: dict[str, Json] = field(default_factory=dict[str, Json])
    secrets: list[str] = field(default_factory=list[str])
    left_out: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def read_security(operation: MapNode, root: MapNode) -> Security:
    """Return the security of an operation: the first alternative that a spec can express.

    An empty alternative allows calls without security; it is used where no other can be expressed.
    """
    requirements = operation.get("security") or root.get("security")
    schemes = root.get("components")
    schemes = schemes.get("securitySchemes") if isinstance(schemes, MapNode) else None
    tried = Security()
    for item in requirements.items if isinstance(requirements, ListNode) else ():
        names = _keys(item)
        secured = _read_requirement(names, schemes)
        if names and not secured.left_out:
            return secured
        if names and not tried.left_out:
            tried = Security(left_out=secured.left_out)
    return tried


def _keys(node: Node) -> list[str]:
    entries = node.entries if isinstance(node, MapNode) else ()
    return [entry.key.text for entry in entries]


def _read_requirement(names: list[str], schemes: Node | None) -> Security:
    security = Security()
    for name in names:
        scheme = schemes.get(name) if isinstance(schemes, MapNode) else None
        if not isinstance(scheme, MapNode):
            security.left_out.append((f"security `{name}`", "it is declared nowhere"))
            continue
        secret = spec_name(name).upper().replace("-", "_") or "SECRET"
        kind, http_scheme = _text(scheme, "type"), _text(scheme, "scheme").casefold()
        if kind == "apiKey" and _text(scheme, "in") in ("header", "query", "cookie"):
            _set_api_key(security, scheme, secret)
        elif kind in ("oauth2", "openIdConnect") or (kind, http_scheme) == (
            "http",
            "bearer",
        ):
            _set_auth(
                security, {"type": "bearer", "token": f"${{{secret}}}"}, [secret], name
            )
        elif (kind, http_scheme) == ("http", "basic"):
            pair = [f"{secret}_USERNAME", f"{secret}_PASSWORD"]
            user, password = (f"${{{variable}}}" for variable in pair)
            auth = {"type": "basic", "username": user, "password": password}
            _set_auth(security, auth, pair, name)
        else:
            reason = f"there is no way to send {http_scheme or kind or 'nothing'}"
            security.left_out.append((f"security `{name}`", reason))
    return security


def _set_auth(
    security: Security, auth: Mapping[str, Json], secrets: list[str], name: str
) -> None:
    if security.auth:
        security.left_out.append(
            (f"security `{name}`", "there is another one beside it")
        )
        return
    security.auth = auth
    security.secrets += secrets


def _set_api_key(security: Security, scheme: MapNode, secret: str) -> None:
    place, name = _text(scheme, "in"), _text(scheme, "name")
    value = f"${{{secret}}}"
    security.secrets.append(secret)
    if place == "cookie":
        sent = security.headers.get("Cookie")
        pair = f"{name}={value}"
        security.headers["Cookie"] = f"{sent}; {pair}" if sent else pair
    elif not security.auth:
        security.auth = {"type": "api_key", "in": place, "name": name, "value": value}
    elif place == "query":
        security.query[name] = value
    else:
        security.headers[name] = value


def _text(node: MapNode, key: str) -> str:
    value = node.get(key)
    return value.text if isinstance(value, ScalarNode) else ""
