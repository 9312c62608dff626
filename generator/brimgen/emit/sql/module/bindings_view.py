"""Lower statements to the views of ``sql/<tool>.json``, for readers in any language."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.frozen import dataclass
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import EntityType, ListType, NullableType, RecordType
from brimgen.sql.checks.check_columns import column_fields
from brimgen.sql.drivers import Driver
from brimgen.sql.parameter_types import full_type_name
from brimgen.sql.rewrite import DriverText, Expansion
from brimgen.sql.statements import Bound, Param, origin


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
    annotations: JsonObject
    params: JsonObject
    columns: Sequence[str] | None
    targets: JsonObject


def binding(bound: Bound) -> Binding:
    """Return the view of a statement."""
    tool, hints = bound.tool, bound.facts.hints
    annotations = {
        "readOnlyHint": hints.read_only,
        "destructiveHint": hints.destructive,
        "idempotentHint": hints.idempotent,
    }
    describe = _chosen if bound.variants else _target
    return Binding(
        name=tool.name,
        slug=tool.slug,
        version=tool.version,
        connection=bound.body.connection,
        dialect=bound.dialect.name,
        source_file=tool.span.file,
        kind=bound.facts.kind.value,
        annotations={k: hint for k, hint in annotations.items() if hint is not None},
        params={
            param.field.name: _param(param, bound.dialect.name)
            for param in bound.params.values()
        },
        columns=_columns(bound),
        targets={driver.name: describe(bound, driver) for driver in bound.drivers},
    )


def _param(param: Param, dialect: str) -> JsonObject:
    default = param.field.default
    return {
        "type": param.type.word,
        **({"nullable": True} if param.type.nullable else {}),
        "origin": origin(param.field),
        "sql_type": full_type_name(param.type, dialect),
        **({} if default is None else {"default": default.value}),
    }


def _columns(bound: Bound) -> Sequence[str] | None:
    type = bound.tool.returns.type if bound.tool.returns else None
    while isinstance(type, ListType | NullableType):
        type = type.item if isinstance(type, ListType) else type.inner
    if isinstance(type, RecordType):
        return [field.name for field in column_fields(type.fields, bound.catalog)]
    entity = None
    if isinstance(type, EntityType):
        entity = bound.catalog.entities.get(type.name)
    return [field.name for field in entity.fields] if entity else None


def _chosen(bound: Bound, driver: Driver) -> JsonObject:
    """Return what a driver is given in each variant of a statement; ``when`` tells which one."""
    names = (*bound.body.choices, *bound.compiled)
    variants = [
        {
            "when": dict(zip(names, key, strict=True)),
            **_text(driver, variant.texts[driver.name], is_whole=False),
        }
        for key, variant in bound.variants.items()
    ]
    return {"file": statement_file(bound, driver), "variants": variants}


def _target(bound: Bound, driver: Driver) -> JsonObject:
    """Return what a driver is given: the file of the text, and names in order."""
    text = _text(driver, bound.texts[driver.name], is_whole=True)
    return {"file": statement_file(bound, driver), **text}


def statement_file(bound: Bound, driver: Driver) -> str:
    """Return the name of the file with the text of a statement for a driver."""
    return f"{bound.tool.name}.{driver.name}.sql"


def _text(driver: Driver, text: DriverText, *, is_whole: bool) -> JsonObject:
    """Describe a text. ``sql`` has it in pieces around lists that expand; a text without them
    that ``is_whole`` stands in the file alone.
    """
    sql: Json = [_piece(piece) for piece in text.pieces]
    if not text.expansions:
        sql = None if is_whole else text.text
    order = [
        slot.name if slot.key == slot.name else {"key": slot.key, "param": slot.name}
        for slot in text.order
    ]
    expand = [*dict.fromkeys(expansion.name for expansion in text.expansions)]
    casts = [{"param": name, "type": type} for name, type in text.casts]
    return {
        "style": driver.style.value,
        **({} if sql is None else {"sql": sql}),
        "order": order,
        **({"expand": expand} if expand else {}),
        **({"casts": casts} if casts else {}),
    }


def _piece(piece: str | Expansion) -> Json:
    return piece if isinstance(piece, str) else {"expand": piece.slot.key}
