"""Lower statements to the views of ``sql/<tool>.json``, for readers in any language."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.sql.bound_values import Expansion
from brimgen.emit.sql.driver_text import DriverText
from brimgen.emit.sql.statements import Bound, Param, origin
from brimgen.emit.sql.types import full_type_name
from brimgen.frozen import dataclass
from brimgen.model.json import Json
from brimgen.model.types import EntityType, ListType, NullableType, RecordType
from brimgen.sqltext import Hints
from brimgen.sqltext.drivers import Driver


@dataclass(frozen=True, slots=True, kw_only=True)
class ParamRow:
    """A parameter of a statement."""

    name: str
    type: str
    is_nullable: bool
    origin: str
    sql_type: str
    has_default: bool
    default: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRow:
    """What a driver is given: the file of the text, and names in order.

    ``pieces`` are the text where that is not the whole file: in pieces around lists that expand,
    or one of several variants.
    """

    driver: str
    file: str
    style: str
    pieces: Json
    order: Sequence[Json]
    expand: Sequence[str]
    casts: Sequence[Json]
    when: Json = None


@dataclass(frozen=True, slots=True)
class ChosenTarget:
    """What a driver is given in each variant of a statement; ``when`` tells which one."""

    driver: str
    file: str
    variants: Sequence[TargetRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """A statement; ``columns`` are those that rows must have, where ``returns`` names them."""

    name: str
    slug: str | None
    version: str | None
    connection: str
    dialect: str
    source_file: str
    kind: str
    hints: Hints
    params: Sequence[ParamRow]
    columns: Sequence[str] | None
    targets: Sequence[TargetRow]
    chosen: Sequence[ChosenTarget]


def binding(bound: Bound) -> Binding:
    """Return the view of a statement."""
    tool = bound.tool
    return Binding(
        name=tool.name,
        slug=tool.slug,
        version=tool.version,
        connection=bound.body.connection,
        dialect=bound.dialect.name,
        source_file=tool.span.file,
        kind=bound.facts.kind.value,
        hints=bound.facts.hints,
        params=[_param(param, bound.dialect.name) for param in bound.params.values()],
        columns=_columns(bound),
        targets=[
            _target(bound, driver, bound.texts[driver.name])
            for driver in bound.drivers
            if not bound.variants
        ],
        chosen=[_chosen(bound, driver) for driver in bound.drivers if bound.variants],
    )


def _param(param: Param, dialect: str) -> ParamRow:
    default = param.field.default
    return ParamRow(
        name=param.field.name,
        type=param.type.word,
        is_nullable=param.type.nullable,
        origin=origin(param.field),
        sql_type=full_type_name(param.type, dialect),
        has_default=default is not None,
        default=None if default is None else default.value,
    )


def _columns(bound: Bound) -> Sequence[str] | None:
    type = bound.tool.returns.type if bound.tool.returns else None
    while isinstance(type, ListType | NullableType):
        type = type.item if isinstance(type, ListType) else type.inner
    if isinstance(type, RecordType):
        return [field.name for field in type.fields]
    entity = None
    if isinstance(type, EntityType):
        entity = bound.catalog.entities.get(type.name)
    return [field.name for field in entity.fields] if entity else None


def _chosen(bound: Bound, driver: Driver) -> ChosenTarget:
    names = (*bound.body.choices, *bound.compiled)
    rows: list[TargetRow] = []
    for key, variant in bound.variants.items():
        when: Json = dict(zip(names, key, strict=True))
        rows.append(_target(bound, driver, variant.texts[driver.name], when))
    return ChosenTarget(driver.name, statement_file(bound, driver), rows)


def statement_file(bound: Bound, driver: Driver) -> str:
    """Return the name of the file with the text of a statement for a driver."""
    return f"{bound.tool.name}.{driver.name}.sql"


def _target(
    bound: Bound, driver: Driver, text: DriverText, when: Json = None
) -> TargetRow:
    pieces: Json = [_piece(piece) for piece in text.pieces]
    if not text.expansions:
        pieces = text.text if bound.variants else None
    return TargetRow(
        when=when,
        driver=driver.name,
        file=statement_file(bound, driver),
        style=driver.style.value,
        pieces=pieces,
        order=[
            (
                slot.name
                if slot.key == slot.name
                else {"key": slot.key, "param": slot.name}
            )
            for slot in text.order
        ],
        expand=[*dict.fromkeys(expansion.name for expansion in text.expansions)],
        casts=[{"param": name, "type": type} for name, type in text.casts],
    )


def _piece(piece: str | Expansion) -> Json:
    return piece if isinstance(piece, str) else {"expand": piece.slot.key}
