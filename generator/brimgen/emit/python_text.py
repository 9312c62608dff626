"""Expressions, statements and docstrings of Python as text; the formatter lays them out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brimgen.emit.code import STEP, Code, fits, py, skipped_unless_fits


class Conditional(Code):
    """``(value if test else other)``: black wants parentheses around one that it breaks."""

    __slots__ = ()

    @property
    def inner(self) -> Code:
        """The expression without its parentheses."""
        return Code(self[1:-1])


def call(function: str, *arguments: Code) -> Code:
    """``function(arguments)``; a sole argument needs no parentheses of its own."""
    if len(arguments) == 1 and isinstance(arguments[0], Conditional):
        arguments = (arguments[0].inner,)
    return Code(f"{function}({', '.join(arguments)})")


def keyword(name: str, value: Code) -> Code:
    """``name=value``, an argument."""
    return Code(f"{name}={value}")


def attribute(owner: Code, name: str) -> Code:
    """``owner.name``."""
    return Code(f"{owner}.{name}")


def subscript(owner: Code, *keys: Code) -> Code:
    """``owner[keys]``."""
    return Code(f"{owner}[{', '.join(keys)}]")


def listed(items: Iterable[Code]) -> Code:
    """``[items]``."""
    return Code(f"[{', '.join(items)}]")


def mapping(entries: Iterable[tuple[Code, Code]]) -> Code:
    """``{key: value}``."""
    items = [f"{key}: {value}" for key, value in entries]
    return Code(f"{{{', '.join(items)}}}")


def tuple_of(items: Sequence[Code]) -> Code:
    """Return ``(items)``; a single item has a comma behind it."""
    return Code(f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})")


def joined(items: Iterable[Code]) -> Code:
    """The items with commas between them, for the bracket of a template."""
    return Code(", ".join(items))


def grouped(inner: Code) -> Code:
    """``(inner)``."""
    return Code(f"({inner})")


def conditional(value: Code, test: Code, other: Code) -> Code:
    """``(value if test else other)``."""
    return Conditional(f"({value} if {test} else {other})")


def all_of(tests: Iterable[Code]) -> Code:
    """``a and b``; the test itself where there is one only."""
    return Code(" and ".join(tests))


def either(options: Iterable[Code]) -> Code:
    """``A | B``, in an annotation; the type itself where there is one only."""
    return Code(" | ".join(options))


def compared(*parts: str) -> Code:
    """``a == b``, ``1 <= a < 2``: operands and operators in turns."""
    return Code(" ".join(parts))


def parameter(
    name: str, annotation: str, default: str, column: int, *, is_union: bool
) -> Code:
    """``name: annotation = default``, at ``column`` if it has a line of its own.

    Black puts a union that is too wide into parentheses, which ruff leaves where they are.
    """
    if is_union and not fits(f"{name}: {annotation} = {default},", column):
        annotation = f"({annotation})"
    return Code(f"{name}: {annotation} = {default}")


def list_of(value: Code, name: str, source: Code, test: Code | None = None) -> Code:
    """``[value for name in source if test]``."""
    condition = "" if test is None else f" if {test}"
    return Code(f"[{value} for {name} in {source}{condition}]")


def lines_literal(text: str) -> Code:
    """A text as a literal for each of its lines, which Python joins."""
    literals = [py(line) for line in text.splitlines(keepends=True)] or [py("")]
    return literals[0] if len(literals) == 1 else Code(f"({' '.join(literals)})")


def constant_literal(text: str) -> Code:
    """As `lines_literal`, for the end of an assignment whose target has an annotation."""
    literal = lines_literal(text)
    note = "" if literal[0] == "(" else skipped_unless_fits(literal, STEP)
    return Code(f"{literal}{note}")


def docstring(text: str, *, indent: int = 0, of_protocol: bool = False) -> Code:
    """Write a text as the first statement of a class, module or function.

    It is a docstring where ``inspect.cleandoc`` gives back the very text and the formatter leaves
    it as it is, else ``__doc__ = <literal>``; in a protocol, whose members have declared types,
    ``__doc__: str | None = <literal>``. Not for functions: they have no ``__doc__`` statement.
    """
    if not is_docstring(text):
        kind = ": str | None" if of_protocol else ""
        return Code(f"__doc__{kind} = {constant_literal(text)}")
    first, *rest = text.replace("\\", "\\\\").split("\n")
    if not rest:
        return Code(f'"""{first}"""')
    pad = " " * indent
    rows = [first, *(f"{pad}{line}" if line else "" for line in rest), pad]
    return Code('"""' + "\n".join(rows) + '"""')


def is_docstring(text: str) -> bool:
    """Whether a text can be written as a docstring that gives it back and that black leaves."""
    if not text or text.strip() != text or '"""' in text or text[0] == '"':
        return False
    if "\n" not in text:
        return text.isprintable() and text[-1] not in '"\\'
    lines = text.split("\n")
    rest = [line for line in lines[1:] if line]
    return all(line.isprintable() and line.rstrip() == line for line in lines) and any(
        not line.startswith(" ") for line in rest
    )
