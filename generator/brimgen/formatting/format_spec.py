"""Format the text of one spec file: YAML, or SQL and Markdown with YAML at the top."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics
from brimgen.formatting.layout import print_pages
from brimgen.formatting.tree import CannotFormat, read_pages
from brimgen.source.compose import compose, divide
from brimgen.source.document import SourceFile
from brimgen.source.events import Event, ScalarEvent, events


def format_spec(file: SourceFile, diagnostics: Diagnostics) -> str | None:
    """The text of a spec file in the one style.

    Comments and meaning stay; the statement of a `.sql` file and the template of a `.md` file are
    not changed. Returns None if the file has errors, which are reported. Raises `CannotFormat` for
    rare forms of YAML.
    """
    before = diagnostics.errors
    compose(file, diagnostics)
    if diagnostics.errors > before:
        return None
    if file.name.casefold().endswith((".yaml", ".yml")):
        return format_yaml(file.text)
    parts = divide(file, diagnostics)
    if parts is None or parts.metadata is None:
        return file.text
    yaml = file.text[parts.start : parts.end]
    formatted = format_yaml(yaml)
    indent = yaml[: len(yaml) - len(yaml.lstrip(" "))].rpartition("\n")[2]
    lines = [f"{indent}{line}" if line else "" for line in formatted.splitlines()]
    inner = "".join(f"{line}\n" for line in lines)
    return file.text[: parts.start] + inner + file.text[parts.end :]


def format_yaml(text: str) -> str:
    """Sound YAML in the one style. Raises `CannotFormat`."""
    pages = read_pages(text)
    formatted = print_pages(pages)
    if list(_meaning(text)) != list(_meaning(formatted)):
        raise CannotFormat("its meaning would change")
    return formatted


def _meaning(text: str) -> Iterator[tuple[object, ...]]:
    """The parts of the events that carry meaning, without layout."""
    for event in events(text):
        name = type(event).__name__
        if name.startswith("Document"):
            yield (name,)
            continue
        yield (name, *_parts(event))


def _parts(event: Event) -> tuple[object, ...]:
    keys = ("anchor", "tag", "value")
    read = tuple(getattr(event, key, None) for key in keys)
    # A text with a question mark is a text, quoted or not.
    quotable = isinstance(event, ScalarEvent) and "?" in event.value
    return (*read, None if quotable else getattr(event, "implicit", None))
