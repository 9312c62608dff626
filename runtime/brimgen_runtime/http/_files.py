"""Files in requests: base64, a data URL, or a path below a folder that the host program allows."""

from __future__ import annotations

import os
import re
from base64 import b64decode
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from ._request import RequestError

_UNTYPED = "application/octet-stream"
_DATA_URL = re.compile(
    r"data:(?P<type>[\w.+-]+/[\w.+-]+)?(?P<parameters>(?:;[^,;]*)*),(?P<data>.*)",
    re.ASCII | re.DOTALL,
)
_PATH_URL = re.compile(r"file:(?://(?:localhost)?(?=/))?")
_ENDS_HEADER = str.maketrans({'"': "%22", "\r": "%0D", "\n": "%0A"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The files that calls may name by ``file:PATH``: those below ``folders``; without any, none.

    A relative path is one of these folders. Links are followed, and must not lead out of them.
    """

    folders: tuple[str | os.PathLike[str], ...] = ()
    max_bytes: int = 32 * 1024 * 1024


NO_FILES = Files()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a form: its bytes; a file has a media type and a name, a text has neither."""

    data: bytes
    media_type: str = ""
    name: str = ""

    @property
    def is_typed(self) -> bool:
        """Return whether anything says of what media type the bytes are."""
        return self.media_type != _UNTYPED


def read_file(value: object, name: str, files: Files, *, hidden: bool) -> Part:
    """Return the file that a text holds or names. Raises RequestError where it does neither."""
    written = value if isinstance(value, str) else ""
    if written.startswith("file:"):
        return _named(written, name, files, hidden)
    data_url = _DATA_URL.fullmatch(written)
    try:
        if data_url is None:
            data = b64decode("".join(written.split()), validate=True)
            return Part(data, _UNTYPED, "file")
        _, *parameters = data_url["parameters"].split(";")
        is_base64 = "base64" in parameters
        text = data_url["data"]
        data = b64decode(text, validate=True) if is_base64 else unquote_to_bytes(text)
    except ValueError:
        expected = "base64, or a data URL such as data:image/png;base64,iVBORw=="
        short = written[:60] if isinstance(value, str) else value
        raise RequestError(name, expected, short, hidden=hidden) from None
    given = [each[5:] for each in parameters if each.startswith("name=")]
    return Part(
        data, data_url["type"] or _UNTYPED, unquote(given[0]) if given else "file"
    )


def _named(written: str, name: str, files: Files, hidden: bool) -> Part:
    """Return the file at a path; the same error says that there is none, and that it is outside."""
    from mimetypes import guess_type

    path = unquote(_PATH_URL.sub("", written, count=1))
    for folder in files.folders:
        root = Path(folder).resolve()
        try:
            found = (root / path).resolve()
            if not found.is_relative_to(root) or not found.is_file():
                continue
            with found.open("rb") as file:
                data = file.read(files.max_bytes + 1)
        except (
            OSError,
            ValueError,
        ):  # no file can have such a name, or it is not readable
            continue
        if len(data) > files.max_bytes:
            expected = f"a file of at most {files.max_bytes} bytes"
            raise RequestError(name, expected, written, hidden=hidden)
        return Part(data, guess_type(found.name)[0] or _UNTYPED, found.name)
    expected = "a file in a folder that is allowed here"
    if not files.folders:
        expected = "base64 or a data URL, since no path is allowed here"
    raise RequestError(name, expected, written, hidden=hidden)


def multipart(parts: Iterable[tuple[str, Part]]) -> tuple[bytes, str]:
    """Return a body of ``multipart/form-data`` (RFC 7578), and its media type.

    Names are written as browsers write them (WHATWG HTML, multipart/form-data).
    """
    from hashlib import sha256

    written: list[bytes] = []
    for name, part in parts:
        head = f'Content-Disposition: form-data; name="{name.translate(_ENDS_HEADER)}"'
        if part.name:
            head += f'; filename="{part.name.translate(_ENDS_HEADER)}"'
        if part.media_type:
            head += f"\r\nContent-Type: {part.media_type}"
        written.append(head.encode() + b"\r\n\r\n" + part.data + b"\r\n")
    # No part has its own digest in it.
    boundary = sha256(b"".join(written)).hexdigest()
    mark = f"--{boundary}".encode()
    body = b"".join(mark + b"\r\n" + each for each in written)
    return body + mark + b"--\r\n", f"multipart/form-data; boundary={boundary}"
