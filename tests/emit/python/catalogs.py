"""Hand-made catalogs: fields and entities with their canonical schemas, as resolve makes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brimgen.diagnostics import Span
from brimgen.model.catalog import Catalog, Entity, EnumEntity, PythonBody, Returns, Tool
from brimgen.model.fields import Context, Default, Host, Origin
from brimgen.model.project import Project
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
    JsonType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
    UnionType,
)

SPAN = Span("specs/shop.yaml", 1, 1, 1, 1)
MISSING = object()
CALLER = Field(name="", type=JsonType(), schema={}, span=SPAN).origin

INT = ScalarType(Scalar.INT)
FLOAT = ScalarType(Scalar.FLOAT)
STRING = ScalarType(Scalar.STRING)
BOOL = ScalarType(Scalar.BOOL)
DATE = ScalarType(Scalar.DATE)
DATETIME = ScalarType(Scalar.DATETIME)
DECIMAL = ScalarType(Scalar.DECIMAL)

_SCALARS: dict[Scalar, dict[str, Any]] = {
    Scalar.INT: {"type": "integer"},
    Scalar.FLOAT: {"type": "number"},
    Scalar.DECIMAL: {"type": "number"},
    Scalar.BOOL: {"type": "boolean"},
    Scalar.STRING: {"type": "string"},
    Scalar.DATE: {"type": "string", "format": "date"},
    Scalar.DATETIME: {"type": "string", "format": "date-time"},
    Scalar.PRIMITIVE: {"type": ["string", "number", "boolean"]},
    Scalar.OBJECT: {"type": "object"},
    Scalar.ARRAY: {"type": "array"},
    Scalar.SPLAT: {"type": "string"},
}


def schema_of(type: Type, entities: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The canonical schema of a type without constraints."""
    match type:
        case ScalarType(scalar, choices):
            extra = {"enum": list(choices)} if choices else {}
            return {**_SCALARS[scalar], **extra}
        case EntityType(name) | EnumType(name):
            if name not in entities:
                return {"$ref": f"#/$defs/{name}"}
            return {k: v for k, v in entities[name].items() if k != "$defs"}
        case ListType(item):
            return {"type": "array", "items": schema_of(item, entities)}
        case MapType(value):
            return {
                "type": "object",
                "additionalProperties": schema_of(value, entities),
            }
        case NullableType(inner):
            schema = schema_of(inner, entities)
            if "type" in schema and "enum" not in schema and schema["type"] != "object":
                return {**schema, "type": [schema["type"], "null"]}
            return {"anyOf": [schema, {"type": "null"}]}
        case UnionType(options):
            return {"type": [_SCALARS[each.scalar]["type"] for each in options]}
        case RecordType(_, fields, extra):
            return object_schema(fields, extra, entities)
        case JsonType():
            return {}


def object_schema(
    fields: tuple[Field, ...],
    extra: Type | None,
    entities: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """The canonical schema of an object."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {each.name: dict(each.schema) for each in fields},
    }
    required = [each.name for each in fields if each.required]
    if required:
        schema["required"] = required
    if extra is None:
        schema["additionalProperties"] = False
    elif not isinstance(extra, JsonType):
        schema["additionalProperties"] = schema_of(extra, entities)
    return schema


class Shop:
    """Builds a catalog, one entity and tool after the other."""

    def __init__(self, **project: Any) -> None:
        self.project = Project(**{"package": "shop", **project})
        self.entities: dict[str, Entity] = {}
        self.enums: dict[str, EnumEntity] = {}
        self.schemas: dict[str, dict[str, Any]] = {}
        self.tools: list[Tool] = []

    def field(
        self,
        name: str,
        type: Type,
        *,
        default: object = MISSING,
        required: bool | None = None,
        origin: Origin = CALLER,
        description: str | None = None,
        text: str | None = None,
        **constraints: Any,
    ) -> Field:
        """A field with its canonical schema; ``constraints`` are keywords of the schema."""
        schema = {**schema_of(type, self.schemas), **constraints}
        given = None
        if default is not MISSING:
            given = Default(default, text)  # type: ignore[arg-type]
            schema["default"] = default
        if description is not None:
            schema["description"] = description
        return Field(
            name=name,
            type=type,
            schema=schema,
            span=SPAN,
            required=given is None if required is None else required,
            default=given,
            description=description,
            origin=origin,
        )

    def entity(
        self,
        name: str,
        *fields: Field,
        extra: Type | None = None,
        recursive: bool = False,
        description: str | None = None,
    ) -> EntityType:
        """An object entity; a recursive one refers to itself through ``$defs``."""
        schema = object_schema(fields, extra, self.schemas)
        if recursive:
            schema = {"$ref": f"#/$defs/{name}", "$defs": {name: schema}}
        else:
            self.schemas[name] = schema
        self.entities[name] = Entity(
            name=name,
            span=SPAN,
            fields=fields,
            schema=schema,
            extra=extra,
            recursive=recursive,
            description=description,
        )
        return EntityType(name)

    def enum(self, name: str, *values: Any) -> EnumType:
        """An enum entity."""
        kind = "string" if isinstance(values[0], str) else "integer"
        schema = {"type": kind, "enum": list(values)}
        self.schemas[name] = schema
        self.enums[name] = EnumEntity(
            name=name, span=SPAN, values=values, schema=schema
        )
        return EnumType(name)

    def tool(
        self,
        name: str,
        *fields: Field,
        schema: Mapping[str, Any] | None = None,
        extra: Type | None = None,
        returns: Type | None = None,
        **rest: Any,
    ) -> Tool:
        """A tool; ``schema`` in place of the one that its fields make."""
        callers = tuple(
            each for each in fields if not isinstance(each.origin, Context | Host)
        )
        made = schema or object_schema(callers, extra, self.schemas)
        bound = object_schema(fields, extra, self.schemas)
        defs = {
            each.name: dict(each.schema["$defs"][each.name])  # type: ignore[call-overload,index]
            for each in self.entities.values()
            if each.recursive
        }
        if defs and schema is None:
            made, bound = {**made, "$defs": defs}, {**bound, "$defs": defs}
        tool = Tool(
            name=name,
            span=SPAN,
            body=PythonBody(None),
            fields=fields,
            input_schema=made,
            bound_schema=bound,
            extra=extra,
            returns=returns
            and Returns(
                type=returns, schema=schema_of(returns, self.schemas), span=SPAN
            ),
            sources=(SPAN.file,),
            **rest,
        )
        self.tools.append(tool)
        return tool

    @property
    def catalog(self) -> Catalog:
        """What was built so far."""
        return Catalog(
            project=self.project,
            entities=dict(sorted(self.entities.items())),
            enums=dict(sorted(self.enums.items())),
            tools=tuple(sorted(self.tools, key=lambda each: each.name)),
        )


def rich_shop() -> Shop:
    """A shop that uses every kind of type, default and origin."""
    shop = Shop()
    status = shop.enum("Status", "open", "in-progress", "paid", "None")
    level = shop.enum("Level", 1, 2, 3)
    point = shop.entity(
        "Coordinate",
        shop.field("lat", FLOAT, minimum=-90, maximum=90, description="Degrees north."),
        shop.field("lon", FLOAT),
        description="A place on Earth.",
    )
    line = shop.entity(
        "OrderLine",
        shop.field("sku", STRING, minLength=1),
        shop.field("count", INT, default=1, minimum=1),
        shop.field("price", DECIMAL, default=1.1, text="1.10"),
    )
    node = shop.entity(
        "Node",
        shop.field("label", STRING),
        shop.field("children", ListType(EntityType("Node")), default=[]),
        recursive=True,
    )
    address = RecordType(
        "FindOrdersAddress",
        (shop.field("street", STRING), shop.field("from", DATE, required=False)),
    )
    shop.tool("ping", description="Say nothing.")
    shop.tool(
        "find-orders",
        shop.field("center", point, description='Where "it" is.'),
        shop.field("radiusKm", FLOAT, exclusiveMinimum=0, maximum=100.5),
        shop.field("from", DATE, description="First day.\n  Inclusive.\nReally."),
        shop.field("type", ScalarType(Scalar.STRING, ("a", "b")), default="a"),
        shop.field(
            "kind",
            ScalarType(
                Scalar.STRING, ("alphabetical", "chronological", "by relevance")
            ),
            default="by relevance",
        ),
        shop.field("status", status, default="open"),
        shop.field("statuses", ListType(status), default=["open", "paid"]),
        shop.field("level", level, required=False),
        shop.field("tags", ListType(STRING), default=[], maxItems=5),
        shop.field("ids", ListType(INT), default=[1, 2]),
        shop.field("scores", ListType(FLOAT), required=False),
        shop.field("lines", ListType(line), required=False, minItems=1),
        shop.field("tree", node, required=False),
        shop.field("when", DATETIME, required=False),
        shop.field("moments", ListType(DATETIME), required=False),
        shop.field("due", NullableType(DATE), default=None),
        shop.field("limit", NullableType(INT), default=10, maximum=100),
        shop.field("budget", DECIMAL, required=False, minimum=0),
        shop.field("email", STRING, required=False, pattern="^[^@]+@[^@]+$"),
        shop.field("address", address, required=False),
        shop.field("meta", ScalarType(Scalar.OBJECT), default={}),
        shop.field("anything", JsonType(), required=False),
        shop.field("value", ScalarType(Scalar.PRIMITIVE), required=False),
        shop.field("id", UnionType((STRING, INT)), required=False),
        shop.field("counts", MapType(INT), required=False),
        shop.field("grid", ListType(ListType(INT)), required=False),
        shop.field("paths", ListType(ListType(point)), required=False),
        shop.field("since", DATE, default="2026-01-18"),
        shop.field("actor_id", INT, origin=Context(("app", "user", "id"))),
        shop.field("tenant", STRING, origin=Host()),
        shop.field("zone", STRING, default="UTC", origin=Context(("config", "zone"))),
        description="Find orders.\n\nWith a second paragraph.",
        when_to_use="When the user asks for orders.",
        tags=("orders",),
        returns=ListType(line),
    )
    return shop
