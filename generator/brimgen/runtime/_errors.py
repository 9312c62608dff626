"""What is wrong with a call: violations in, an error with sentences that a model can act on out."""

from __future__ import annotations

from collections.abc import Callable


class Violation:
    """One thing that is wrong with a value.

    ``pointer`` is the JSON Pointer (RFC 6901) of the value, or of the missing or unknown property;
    ``rule`` the JSON Schema keyword that it breaks, or ``unknown`` (a property that nobody
    declared), ``json`` (text that is not JSON) or ``depth`` (nested too deeply or cyclic);
    ``expected`` what would have been right, in words; ``value`` the offending value (None where
    it is missing); ``message`` the whole as a sentence.
    """

    __slots__ = ("expected", "message", "pointer", "rule", "value")

    def __init__(
        self, pointer: str, rule: str, expected: str, value: object, message: str
    ) -> None:
        self.pointer = pointer
        self.rule = rule
        self.expected = expected
        self.value = value
        self.message = message


class InputError(ValueError):
    """A call that its schema refuses.

    ``tool`` is the name of the tool or entity, ``violations`` everything that is wrong, in the
    order of the schema. They are worded on first access, so that raising is cheap.
    """

    def __init__(
        self,
        tool: str,
        violations: Callable[[], list[Violation]],
        expects: Callable[[], str] | None = None,
    ) -> None:
        super().__init__(tool)
        self.tool = tool

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Everything that is wrong, in schema order; never empty."""
        raise NotImplementedError

    def retry_message(self) -> str:
        """Return what to tell a model: one line a violation, then what the tool expects."""
        raise NotImplementedError
