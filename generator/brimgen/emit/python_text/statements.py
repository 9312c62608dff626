"""Statements, and the heads of blocks, functions and classes, as pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from brimgen.emit.code import Code
from brimgen.emit.python_text.marks import (
    ANNOTATED,
    ARROW,
    ASSIGNED,
    CALL_CLOSE,
    CALL_OPEN,
    DEF,
    HIDDEN_CLOSE,
    HIDDEN_OPEN,
    RESULT_OPEN,
    operator,
    word,
)
from brimgen.emit.python_text.pieces import Group, Piece, Tuple, Union, piece, spread


def wrapped(value: str) -> tuple[str, ...]:
    """Wrap a value where black may add parentheses around it, or remove them."""
    if isinstance(value, Tuple):
        return (value,)
    inner = value.inner if isinstance(value, Group) else value
    return HIDDEN_OPEN, inner, HIDDEN_CLOSE


def assigned(target: str, value: Code, annotation: Code | None = None) -> Piece:
    """``target = value`` or ``target: annotation = value``."""
    if annotation is None:
        return piece(target, ASSIGNED, *wrapped(value))
    return piece(target, ANNOTATED, *wrapped(annotation), ASSIGNED, *wrapped(value))


def increased(target: str, value: Code) -> Piece:
    """``target += value``."""
    return piece(target, INCREASED, *wrapped(value))


INCREASED: Final = operator("+=", " ", " ", 0)


def declared(name: str, annotation: Code) -> Piece:
    """``name: annotation``."""
    return piece(name, ANNOTATED, *wrapped(annotation))


def returned(value: Code) -> Piece:
    """``return value``."""
    return piece(word("return"), *wrapped(value))


def raised(value: Code, cause: str = "") -> Piece:
    """``raise value from cause``."""
    return piece(
        word("raise"), value, *((operator("from", " ", " ", 0), cause) if cause else ())
    )


def when(test: Code) -> Piece:
    """``if test:``."""
    return piece(word("if"), *wrapped(test), BLOCK)


def otherwise_when(test: Code) -> Piece:
    """``elif test:``."""
    return piece(word("elif"), *wrapped(test), BLOCK)


def class_head(name: str, base: Code) -> Piece:
    """``class name(base):``."""
    return piece(word("class"), name, CALL_OPEN, base, CALL_CLOSE, BLOCK)


def for_each(names: str, source: Code) -> Piece:
    """``for names in source:``."""
    return piece(
        word("for"),
        HIDDEN_OPEN,
        names,
        HIDDEN_CLOSE,
        operator("in", " ", " ", 0),
        *wrapped(source),
        BLOCK,
    )


BLOCK: Final = operator(":", "", "", 0)


def parameter(name: str, annotation: Code, default: Code | None = None) -> Piece:
    """``name: annotation = default``, of a function."""
    default_parts = (
        () if default is None else (operator("=", " ", " ", 0, is_equal=True), default)
    )
    shown = wrapped(annotation) if isinstance(annotation, Union) else (annotation,)
    return piece(name, ANNOTATED, *shown, *default_parts)


def function(
    name: str,
    parameters: Sequence[Code],
    result: Code,
    *,
    is_async: bool = False,
    end: str = "",
) -> Piece:
    """``def name(parameters) -> result:``, with one parameter a line where it is too wide."""
    head = spread(Code(name), *parameters)
    start = (word("async"), DEF) if is_async else (DEF,)
    tail = operator(f":{end}", "", "", 0)
    return piece(*start, *head.parts, ARROW, RESULT_OPEN, result, HIDDEN_CLOSE, tail)
