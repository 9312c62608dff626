"""A `dataclass` for values of the generator that costs little at import.

A run defines two hundred classes and makes few objects of most of them. With `dataclasses`, writing
and compiling the methods of all classes took more than a third of the time of all imports
(`docs/internal/performance.md`). Here an ``__init__`` is compiled only for a class with many
objects.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import fields as fields
    from dataclasses import is_dataclass as is_dataclass
    from dataclasses import replace as replace

__all__ = ["dataclass", "field", "fields", "is_dataclass", "replace"]

_MISSING: Final[Any] = object()
_FEW = 50
"""So many objects without a compiled ``__init__`` take as long as compiling one."""
_T = TypeVar("_T")


class _Field:
    """A field, as it was declared; its name is known when its class is."""

    __slots__ = ("compare", "default", "default_factory", "kw_only", "name", "repr")

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        repr: bool = True,
        compare: bool = True,
    ) -> None:
        self.name = ""
        self.kw_only = False
        self.default = default
        # `dict[str, int]()` takes six times as long: it tries to set `__orig_class__`.
        self.default_factory = getattr(default_factory, "__origin__", default_factory)
        self.repr = repr
        self.compare = compare


class _Standard:
    """The `__dataclass_fields__` that the standard library reads; built on first access."""

    def __get__(self, instance: object, cls: Any) -> dict[str, Any]:
        import dataclasses

        def options(field: _Field) -> dict[str, Any]:
            defaults = {
                "default": field.default,
                "default_factory": field.default_factory,
            }
            return {
                name: value for name, value in defaults.items() if value != _MISSING
            }

        shown = dataclasses.make_dataclass(
            cls.__name__,
            [
                (
                    field.name,
                    Any,
                    dataclasses.field(
                        **options(field),
                        repr=field.repr,
                        compare=field.compare,
                        kw_only=field.kw_only,
                    ),
                )
                for field in _fields(cls)
            ],
        )
        standard_fields: dict[str, Any] = vars(shown)["__dataclass_fields__"]
        return standard_fields


_STANDARD = _Standard()


def _dataclass(
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    repr: bool = True,
) -> Callable[[type[_T]], type[_T]]:
    """`dataclasses.dataclass` with these options only."""

    def make(cls: type[_T]) -> type[_T]:
        declared = _declared(cls, kw_only)
        owner: list[Any] = [cls]
        added = _attributes(owner, declared, frozen, slots)
        if not repr:
            del added["__repr__"]
        # A class with an `__eq__` of its own was given None for `__hash__`.
        own = {name: value for name, value in vars(cls).items() if value is not None}
        if not slots:
            for name in added.keys() - own.keys():
                setattr(cls, name, added[name])
            for name, field in declared.items():
                if own.get(name) is field:
                    delattr(cls, name)
            return cls
        # Slots need a new class.
        names = {**added, **own, "__slots__": _slots(cls, declared)}
        for name in ("__dict__", "__weakref__", *declared):
            names.pop(name, None)
        names["__qualname__"] = cls.__qualname__
        kind = cast("Any", type(cls))
        owner[0] = kind(cls.__name__, cls.__bases__, names)
        return cast("type[_T]", owner[0])

    return make


def _declared(cls: type, kw_only: bool) -> dict[str, _Field]:
    """The fields of a class and of those that it extends, by name, in order."""
    declared: dict[str, _Field] = {}
    for above in reversed(cls.__mro__[1:-1]):
        declared |= vars(above).get("__frozen_fields__", {})
    own = vars(cls)
    for name, annotation in own.get("__annotations__", {}).items():
        if "ClassVar" in str(annotation):
            continue
        value = own.get(name, _MISSING)
        field = value if isinstance(value, _Field) else _Field(default=value)
        kind = cast("Any", type(field.default))
        if kind.__hash__ is None or kind.__module__ == "dataclasses":
            raise ValueError(f"{cls.__name__}.{name} needs `brimgen.frozen.field`")
        field.name, field.kw_only = name, kw_only
        declared[name] = field
    return declared


def _slots(cls: type, declared: dict[str, _Field]) -> tuple[str, ...]:
    above = {
        slot for base in cls.__mro__[1:-1] for slot in vars(base).get("__slots__", ())
    }
    return tuple(name for name in declared if name not in above)


def _attributes(
    owner: list[Any], declared: dict[str, _Field], frozen: bool, slots: bool
) -> dict[str, Any]:
    """The attributes of a dataclass; ``owner`` holds the class once it is made."""
    compared = [name for name, field in declared.items() if field.compare]
    values = cast(
        "Callable[[object], object]", attrgetter(*compared) if compared else type
    )

    def __eq__(self: Any, other: object) -> Any:
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    def __hash__(self: Any) -> int:
        return hash(values(self))

    shown = [name for name, field in declared.items() if field.repr]

    def __repr__(self: Any) -> str:
        parts = [f"{name}={getattr(self, name)!r}" for name in shown]
        return f"{self.__class__.__qualname__}({', '.join(parts)})"

    added: dict[str, Any] = {
        "__frozen_fields__": declared,
        "__dataclass_fields__": _STANDARD,
        "__match_args__": tuple(
            name for name, field in declared.items() if not field.kw_only
        ),
        "__init__": _first_init(owner, frozen),
        "__eq__": __eq__,
        "__hash__": __hash__ if frozen else None,
        "__repr__": __repr__,
    }
    if frozen:
        added |= {"__setattr__": _refuse, "__delattr__": _refuse}
    if frozen and slots:
        added |= {"__getstate__": _state, "__setstate__": _restore}
    return added


def _first_init(owner: list[Any], frozen: bool) -> Callable[..., None]:
    """An ``__init__`` for the first objects; it replaces itself by a compiled one."""
    remaining = _FEW

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        nonlocal remaining
        remaining -= 1
        if remaining < 0 or not _fill(self, owner[0], args, options):
            owner[0].__init__ = written = _written_init(owner[0], frozen)
            written(self, *args, **options)

    return __init__


def _fill(self: Any, cls: Any, args: tuple[Any, ...], options: dict[str, Any]) -> bool:
    """Set the fields as ``__init__`` does; return False where it would raise TypeError."""
    arguments = {**dict(zip(cls.__match_args__, args, strict=False)), **options}
    used = 0
    for name, field in cls.__frozen_fields__.items():
        if name in arguments:
            value = arguments[name]
            used += 1
        elif field.default is not _MISSING:
            value = field.default
        elif field.default_factory is not _MISSING:
            value = field.default_factory()
        else:
            return False
        object.__setattr__(self, name, value)
    if used != len(args) + len(options):
        return False
    if hasattr(cls, "__post_init__"):
        self.__post_init__()
    return True


def _written_init(cls: Any, frozen: bool) -> Callable[..., None]:
    """Compile the ``__init__`` of a class: one parameter and one assignment for each field."""
    namespace: dict[str, Any] = {"_MISSING": _MISSING, "_set": object.__setattr__}
    positional: list[str] = []
    named: list[str] = []
    lines: list[str] = []
    for field in _fields(cls):
        name, value = field.name, field.name
        namespace[f"_make_{name}"] = field.default_factory
        namespace[f"_default_{name}"] = field.default
        parameter = name
        if field.default_factory is not _MISSING:
            parameter = f"{name}=_MISSING"
            value = f"_make_{name}() if {name} is _MISSING else {name}"
        elif field.default is not _MISSING:
            parameter = f"{name}=_default_{name}"
        (named if field.kw_only else positional).append(parameter)
        slot: Any = getattr(cls, name, None)
        if not frozen:
            lines.append(f"    self.{name} = {value}\n")
        elif hasattr(slot, "__set__"):
            namespace[f"_put_{name}"] = slot.__set__
            lines.append(f"    _put_{name}(self, {value})\n")
        else:
            lines.append(f"    _set(self, {name!r}, {value})\n")
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()\n")
    star = ["*"] if named else []
    head = f"def __init__({', '.join(['self', *positional, *star, *named])}):\n"
    exec(head + ("".join(lines) or "    pass\n"), namespace)
    written: Callable[..., None] = namespace["__init__"]
    written.__qualname__ = f"{cls.__qualname__}.__init__"
    return written


def _fields(class_or_instance: Any) -> tuple[_Field, ...]:
    """`dataclasses.fields` for classes of this module."""
    return tuple(class_or_instance.__frozen_fields__.values())


def _is_dataclass(value: object) -> bool:
    """`dataclasses.is_dataclass` for classes of this module."""
    return hasattr(value, "__frozen_fields__")


def _replace(instance: Any, /, **changes: Any) -> Any:
    """`dataclasses.replace` for instances of classes of this module."""
    for name in instance.__frozen_fields__:
        if name not in changes:
            changes[name] = getattr(instance, name)
    return instance.__class__(**changes)


def _refuse(self: object, name: str, *value: object) -> None:
    from dataclasses import FrozenInstanceError

    deed = "assign to" if value else "delete"
    raise FrozenInstanceError(f"cannot {deed} field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in _fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(_fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


if not TYPE_CHECKING:
    dataclass, field, fields = _dataclass, _Field, _fields
    is_dataclass, replace = _is_dataclass, _replace
