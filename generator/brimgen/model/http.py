"""HTTP requests with places for arguments and secrets, taken apart by position (S2.10, S2.16-18).

A builder needs no parser: each template stands where its position says how values are encoded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass
from brimgen_runtime.grammar.hosts import Host


@dataclass(frozen=True, slots=True)
class Literal:
    """Text that stands as it is: decoded in JSON values, encoded already in URLs."""

    text: str


class Style(StrEnum):
    """How a list or an object is written: ``${ids | comma}``.

    The items of a list as one text, an object as pairs (``filter[min]=1``), JSON text, or the file
    that a text holds or names.
    """

    COMMA = "comma"
    SPACE = "space"
    PIPE = "pipe"
    DEEP = "deep"
    JSON = "json"
    FILE = "file"


SEPARATORS: Mapping[Style, str] = MappingProxyType(
    {Style.COMMA: ",", Style.SPACE: " ", Style.PIPE: "|"}
)
"""What stands between the items of a list that is one text."""


@dataclass(frozen=True, slots=True)
class Variable:
    """``${user.items[0].id}``: the argument ``name``, and the ``path`` below it; or a secret.

    Without a ``style`` it is written as its place has it.
    """

    name: str
    span: Span
    path: tuple[str | int, ...] = ()
    is_secret: bool = False
    style: Style | None = None


Template: TypeAlias = tuple[Literal | Variable, ...]
"""The pieces of one value, in order; adjacent literals are joined, an empty text has no piece."""

Named: TypeAlias = tuple[tuple[str, Template], ...]
"""Names with a template each, in order."""


@dataclass(frozen=True, slots=True)
class Url:
    """An absolute URL.

    ``authority`` is host and port; where it is literal, it was held against the allowed hosts.
    ``segments`` are the parts of the path between its slashes (``/a/b`` is ``a``, ``b``; ``/a/``
    ends with an empty one). ``query`` are the pairs of the URL itself, before those of the
    request. Where the URL begins with a secret, that is the authority, and there is no scheme.
    """

    scheme: str
    authority: Template
    segments: tuple[Template, ...] = ()
    query: Named = ()

    @property
    def base(self) -> str | None:
        """The secret that holds what stands before the path, where the URL begins with one."""
        first = self.authority[0]
        return first.name if isinstance(first, Variable) and not self.scheme else None


def url_text(url: Url) -> str:
    """Return a URL as its spec writes it, without values."""
    path = "".join(f"/{template_text(segment)}" for segment in url.segments)
    query = "&".join(f"{key}={template_text(template)}" for key, template in url.query)
    end = f"?{query}" if query else ""
    if url.base is not None:
        return f"${{{url.base}}}{path}{end}"
    return f"{url.scheme}://{template_text(url.authority)}{path}{end}"


def template_text(template: Template) -> str:
    """Return a template as its spec writes it: variables as ``${name}``."""
    return "".join(
        piece.text if isinstance(piece, Literal) else f"${{{_variable_text(piece)}}}"
        for piece in template
    )


def _variable_text(variable: Variable) -> str:
    steps = [
        f"[{step}]" if isinstance(step, int) else f".{step}" for step in variable.path
    ]
    style = f" | {variable.style}" if variable.style else ""
    return variable.name + "".join(steps) + style


JsonTemplate: TypeAlias = (
    "Template | Mapping[str, JsonTemplate] | list[JsonTemplate] | int | float | bool | None"
)
"""A JSON value whose strings are templates (tuples).

A string that is one variable and nothing else takes the value as it is, of any JSON type; inside
a longer string a variable is text.
"""


@dataclass(frozen=True, slots=True)
class JsonPayload:
    """A body that is JSON."""

    value: JsonTemplate


@dataclass(frozen=True, slots=True)
class FormPayload:
    """A body of ``application/x-www-form-urlencoded`` pairs."""

    fields: Named


@dataclass(frozen=True, slots=True)
class MultipartPayload:
    """A body of ``multipart/form-data``: a part for each value, and for each item of a list."""

    fields: Named


@dataclass(frozen=True, slots=True)
class TextPayload:
    """A body that is text; its values are put in as they are. Or a file, and nothing else."""

    text: Template

    @property
    def is_file(self) -> bool:
        """Whether the body is the file that a value holds or names."""
        return any(
            isinstance(piece, Variable) and piece.style is Style.FILE
            for piece in self.text
        )


Payload: TypeAlias = JsonPayload | FormPayload | MultipartPayload | TextPayload


def usual_content_type(payload: Payload) -> str:
    """Return the header ``Content-Type`` of a body, where the request does not say it.

    That of a form with parts is known when it is made.
    """
    match payload:
        case JsonPayload():
            return "application/json"
        case FormPayload():
            return "application/x-www-form-urlencoded"
        case MultipartPayload():
            return "multipart/form-data"
        case TextPayload():
            is_file = payload.is_file
            return (
                "application/octet-stream" if is_file else "text/plain; charset=utf-8"
            )


@dataclass(frozen=True, slots=True)
class BearerAuth:
    """``Authorization: Bearer <token>``."""

    token: Template


@dataclass(frozen=True, slots=True)
class BasicAuth:
    """``Authorization: Basic <username:password>``."""

    username: Template
    password: Template


@dataclass(frozen=True, slots=True)
class KeyAuth:
    """A key of its own in a header, or in the query."""

    name: str
    value: Template
    in_query: bool = False


@dataclass(frozen=True, slots=True)
class OAuth2:
    """An access token that ``token_url`` gives to a client, or for a refresh token.

    With ``in_body`` the client shows its id and secret in the body, else in a header.
    """

    token_url: str
    client_id: Template
    client_secret: Template
    refresh_token: Template = ()
    scope: Template = ()
    in_body: bool = False


@dataclass(frozen=True, slots=True)
class HmacAuth:
    """A signature in the header ``name``.

    Literals of ``message`` and ``value`` name parts of the request in braces. ``timestamp`` is the
    header with the time, "" for none.
    """

    name: str
    key: Template
    message: Template
    value: Template
    algorithm: str = "sha256"
    encoding: str = "hex"
    timestamp: str = ""


Auth: TypeAlias = BearerAuth | BasicAuth | KeyAuth | OAuth2 | HmacAuth


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """When a request is made again: after these status codes, and where no connection was made.

    ``max_attempts`` counts the first one. The pause before attempt n+1 is at most ``delay_ms``
    times two to the power of n-1, and never more than ``max_delay_ms``. Only idempotent methods
    are repeated, unless ``any_method``.
    """

    max_attempts: int = 3
    delay_ms: int = 200
    max_delay_ms: int = 10_000
    status_codes: tuple[int, ...] = (429, 502, 503, 504)
    any_method: bool = False


class ErrorMode(StrEnum):
    """The result of an answer without a success code: an error, or no value."""

    FAIL = "fail"
    EMPTY = "empty"


class Encoding(StrEnum):
    """How an answer is read."""

    JSON = "json"
    TEXT = "text"
    BASE64 = "base64"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What is expected of an answer; no ``success_codes`` means 200 to 299.

    With ``is_strict``, an answer that goes beyond `returns` and ``success_codes`` is refused;
    without, it is read leniently.
    """

    success_codes: tuple[int, ...] = ()
    error_mode: ErrorMode = ErrorMode.FAIL
    encoding: Encoding = Encoding.JSON
    is_strict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpBody:
    """An HTTP request and what is made of its answer.

    ``query`` pairs follow those of the URL. A query pair or header whose value is one variable,
    an argument that may be absent, is left out where it is absent or null. ``allowed_hosts`` are
    those of the tool, or else of the project; a request to any other host is refused.
    """

    method: str
    url: Url
    query: Named = ()
    headers: Named = ()
    payload: Payload | None = None
    auth: Auth | None = None
    timeout_ms: int = 30_000
    retry: Retry = Retry()
    response: Response = Response()
    secrets: tuple[str, ...] = ()
    allowed_hosts: Sequence[Host] = ()
