"""The catalogue of diagnostics: docs/diagnostics.md, which people read and edit, read as data.

The page has a section for each code, with all reasons of that code and at most one example::

    ### S105 duplicate-key

    *Error.*

    **duplicate-key**: the key `{key}` occurs twice

    Remove one of the two.

    **synonym-twice**: ...

    Wrong:

    (a fenced block)

    Right:

    (a fenced block)

The severity is `Error`, `Warning` or `Info`. Warnings can be waived, and errors that say
`Error, waivable`; what says `off` applies only where it is selected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from brimgen.diagnostics.diagnostic import did_you_mean
from brimgen.diagnostics.rule import Rule, Severity
from brimgen.frozen import dataclass

_SECTION = re.compile(r"### ([A-Z]+\d{3}) ([a-z0-9-]+)\n\n\*([A-Z][a-z, ]*)\.\*\n\n")
_REASON = re.compile(r"\*\*([a-z0-9-]+)\*\*: ")
_EXAMPLE = re.compile(r"(Wrong|Right):\n\n```[a-z]+\n(.*?)\n```\n", re.DOTALL)
_PLACE = re.compile(r"\{\{|\}\}|\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of mistake: its code, the rules of all its reasons, and a spec before and after."""

    code: str
    slug: str
    severity: Severity
    rules: tuple[Rule, ...]
    wrong: str
    right: str


def page() -> str:
    """The text of docs/diagnostics.md."""
    folder = Path(__file__).resolve().parent
    for path in (folder / _NAME, folder.parents[2] / "docs" / _NAME):
        if path.is_file():
            return path.read_text(encoding="utf-8")
    # Inside an archive; imported only there, because it imports a lot.
    from importlib.resources import files

    return files("brimgen.diagnostics").joinpath(_NAME).read_text(encoding="utf-8")


_NAME = "diagnostics.md"


def _kinds(text: str) -> Iterator[Kind]:
    for section in re.split(r"\n(?=##+ )", text):
        if heading := _SECTION.match(section):
            yield _kind(heading, section[heading.end() :])


def _kind(heading: re.Match[str], body: str) -> Kind:
    code, slug, words = heading.groups()
    word, *marks = words.lower().split(", ")
    severity = Severity(word)
    examples: dict[str, str] = dict(_EXAMPLE.findall(body))
    said = body.partition("\nWrong:\n")[0]
    _, *parts = _REASON.split(said)
    rules = tuple(
        Rule(
            code,
            slug,
            severity,
            *_one_line(text),
            reason=reason,
            waivable=severity is Severity.WARNING or "waivable" in marks,
            is_off="off" in marks,
        )
        for reason, text in zip(parts[::2], parts[1::2], strict=True)
    )
    right = examples.get("Right", "")
    return Kind(code, slug, severity, rules, examples.get("Wrong", ""), right)


def _one_line(text: str) -> tuple[str, str]:
    """The message and the advice of a reason, each without the ends of its lines."""
    message, advice = (part.replace("\n", " ") for part in text.strip().split("\n\n"))
    return message, advice


KINDS: tuple[Kind, ...] = tuple(_kinds(page()))
"""All kinds, in the order of the page."""
RULES: tuple[Rule, ...] = tuple(rule for kind in KINDS for rule in kind.rules)
"""The rules of all kinds."""
_NAMES: Mapping[str, Kind] = MappingProxyType(
    {rule.reason: kind for kind in KINDS for rule in kind.rules}
    | {name.casefold(): kind for kind in KINDS for name in (kind.code, kind.slug)}
)


class UnknownKind(LookupError):
    """No kind has this name; ``suggestions`` are names that were probably meant."""

    def __init__(self, name: str) -> None:
        self.suggestions = did_you_mean(
            name, (known for kind in KINDS for known in (kind.code, *_slugs(kind)))
        )
        super().__init__(f"there is no diagnostic `{name}`")


def _slugs(kind: Kind) -> tuple[str, ...]:
    return (kind.slug, *(rule.reason for rule in kind.rules))


def kind_named(name: str) -> Kind:
    """The kind with the code, slug or reason ``name``, in any case. Raises `UnknownKind`."""
    kind = _NAMES.get(name.casefold())
    if kind is None:
        raise UnknownKind(name)
    return kind


def explain(kind: Kind) -> str:
    """Every reason of a kind with its advice, and an example, as plain text."""
    parts = [f"{kind.code} {kind.slug} ({kind.severity})"]
    for rule in kind.rules:
        parts += [sentence(rule.message), rule.help]
    for word, example in (("Wrong", kind.wrong), ("Right", kind.right)):
        if example:
            lines = (f"    {line}".rstrip() for line in example.split("\n"))
            parts.append(f"{word}:\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def sentence(message: str) -> str:
    """The message of a rule as a sentence, its named places shown as ``<name>``."""
    text = _PLACE.sub(
        lambda place: f"<{place[1].replace('_', ' ')}>" if place[1] else place[0][0],
        message,
    )
    return f"{text[:1].upper()}{text[1:]}."
