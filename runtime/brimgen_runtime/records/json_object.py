"""The bases of generated classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from ..schema.json_text import write_json

if TYPE_CHECKING:
    from dataclasses import Field

    from ..schema.files import SchemaFile
    from .reading import Codec


class Default:
    """Makes a default anew each time, of the JSON that says it, as its class decodes it."""

    owner: type
    attribute: str

    def __init__(self, value: object) -> None:
        self._value = value

    def __call__(self) -> Any:
        """Return the value."""
        from .record import record_of

        return record_of(self.owner).decode_member(self.attribute, self._value)


def json_default(value: object) -> Any:
    """Return what makes a default of JSON, for an attribute of a `JsonObject`."""
    return Default(value)


class Source(NamedTuple):
    """The file of the schema of a class, the name of its tool or entity, and the leaves in it."""

    file: SchemaFile
    name: str
    leaves: Mapping[str, Callable[[Any], object]] | None

    @property
    def schema(self) -> Mapping[str, Any]:
        """The schema, read when it is first asked for."""
        return self.file.read()


class JsonObject:
    """The base of generated classes: a dataclass that stands for an object in JSON.

    It has the ``repr`` and ``==`` of a dataclass. Generating these for each class would take half
    of the time that a module of classes takes to load.
    """

    __slots__ = ()

    # At run time, `typing.get_type_hints` would look for these in vain.
    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
        __source__: ClassVar[Source]

    def __init_subclass__(
        cls,
        *,
        schema: SchemaFile | None = None,
        name: str = "",
        leaves: Mapping[str, Callable[[Any], object]] | None = None,
    ) -> None:
        # `dataclass` makes a class with slots twice; the second time it says no schema.
        if schema is not None:
            cls.__source__ = Source(schema, name, leaves)
        for attribute, value in vars(cls).items():
            factory = getattr(value, "default_factory", None)
            if isinstance(factory, Default):
                factory.owner, factory.attribute = cls, attribute

    def to_dict(self) -> dict[str, Any]:
        """Encode as the JSON object that decodes to an equal object."""
        kind = type(self)
        encoded: dict[str, Any] = (_ENCODERS.get(kind) or _encoder(kind))(self)
        return encoded

    def to_json(self) -> str:
        """Encode as JSON text; no digit of a decimal is lost."""
        return write_json(self.to_dict())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._compared_values() == other._compared_values()

    def _compared_values(self) -> tuple[object, ...]:
        from dataclasses import fields

        return tuple(
            [getattr(self, field.name) for field in fields(self) if field.compare]
        )

    @recursive_repr()
    def __repr__(self) -> str:
        from dataclasses import fields

        shown = [
            f"{field.name}={value!r}"
            for field in fields(self)
            if field.repr
            and (
                (value := getattr(self, field.name)) != ()
                or "role" not in field.metadata
            )
        ]
        return f"{type(self).__qualname__}({', '.join(shown)})"


class JsonEntity(JsonObject):
    """The base of classes that read themselves, by the ``schema`` that they name."""

    __slots__ = ()

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any], /) -> Self:
        """Decode exactly what the schema accepts; else raise `InputError` with every violation."""
        try:
            read: Self | None = _READERS[cls](raw)
            if read is not None:
                return read
            is_refused = False
        except Exception as missed:  # noqa: BLE001
            is_refused = cls in _CODECS and _CODECS[cls].refuses(missed)
        # The validator decides; of the first object, too.
        codec = _CODECS.get(cls) or _codec(cls)
        if is_refused or not codec.validator.is_valid(raw):
            raise codec.validator.refusal(raw)
        return codec.validator.decode(raw, cls.from_accepted)

    @classmethod
    def from_accepted(cls, raw: Mapping[str, Any], /) -> Self:
        """Decode what the schema has accepted."""
        made: Self = (_CODECS.get(cls) or _codec(cls)).decode(raw)
        return made


class JsonCall(JsonEntity):
    """The base of classes that hold what a caller may send."""

    __slots__ = ()

    @classmethod
    def from_call(cls, raw: Mapping[str, Any] | str | bytes, /) -> Self:
        """Decode what a model sent: JSON text or an object, null where it means absent."""
        codec = _CODECS.get(cls) or _codec(cls)
        return cls.from_dict(codec.validator.read_call(raw))


class JsonPlainCall(JsonCall):
    """The base of classes that hold all that a handler receives."""

    __slots__ = ()

    @classmethod
    def bind(cls, call: Self, context: object = None) -> Self:
        """Return ``call`` itself: no argument is hidden from the caller."""
        check_call(call, cls)
        return call


_CODECS: dict[type, Codec] = {}
_READERS: dict[type, Callable[[Any], Any]] = {}
_ENCODERS: dict[type, Callable[[Any], Any]] = {}


def _codec(cls: type[JsonEntity]) -> Codec:
    from .reading import Codec

    codec = _CODECS[cls] = Codec(cls)
    _READERS[cls] = codec.read
    return codec


def _encoder(cls: type[JsonObject]) -> Callable[[Any], Any]:
    from .record import record_of

    encode = _ENCODERS[cls] = record_of(cls).encode
    return encode


def check_call(call: object, kind: type[object]) -> None:
    """Raise TypeError if ``call`` is no object of the input class ``kind``."""
    if not isinstance(call, kind):
        raise wrong_class(call, kind.__name__, "from_call makes one of what was sent")


def wrong_class(value: object, kind: str, hint: str) -> TypeError:
    """Return the error of a value that is not of the class ``kind``, for the caller to raise."""
    got = "None" if value is None else type(value).__name__
    return TypeError(f"expected {kind}, got {got}: {kind}.{hint}")
