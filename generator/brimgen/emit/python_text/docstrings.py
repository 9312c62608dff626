"""Write a text as a docstring."""

from __future__ import annotations

from brimgen.emit.code import Code
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import either, lines_of
from brimgen.emit.python_text.statements import assigned


def docstring(text: str, *, indent: int = 0, of_protocol: bool = False) -> Code:
    """Write a text as the first statement of a class, module or function.

    It is a docstring where ``inspect.cleandoc`` gives back the very text and black leaves it as
    it is, else ``__doc__ = <literal>``; in a protocol, whose members have declared
    types, ``__doc__: str | None = <literal>``. Not for functions: they have no ``__doc__``
    statement.
    """
    if not is_docstring(text):
        kind = either([Code("str"), Code("None")]) if of_protocol else None
        return laid_out(assigned("__doc__", lines_of(text), kind), indent)
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
