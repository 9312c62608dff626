"""A number of tools in, that many believable spec files out: the same for the same number."""

from __future__ import annotations

import random
from pathlib import Path

TOOLS_PER_ENTITY = 20
_FIELDS = (
    "customer_id: {{ type: int, minimum: 1, description: Number of the {word} }}",
    "title: {{ type: string, minLength: 1, maxLength: {bound}, description: A title }}",
    "ratio: {{ type: float, minimum: 0, maximum: {bound} }}",
    "status: {{ type: string, enum: [open, shipped, {word}], default: open }}",
    "tags: {{ type: 'string[]', maxItems: 10, description: Words about the {word} }}",
    "placed_after: {{ type: datetime, required: false }}",
    "page_size: {{ type: int, default: 10, minimum: 1, maximum: {bound} }}",
    "exact: {{ type: bool, default: false, description: Whether to look for all of it }}",
)
_WORDS = ("order", "invoice", "parcel", "refund", "voucher", "basket")


def write_specs(folder: Path, tools: int) -> None:
    """Write ``tools`` spec files, and one entity for every twentieth.

    A tool has 3 to 8 arguments of its own, inherits from an entity, and takes one argument from
    the context; half of them are SQL functions, half Python functions.
    """
    chance = random.Random(tools)
    entities = max(1, tools // TOOLS_PER_ENTITY)
    (folder / "entities").mkdir(parents=True)
    (folder / "tools").mkdir()
    for number in range(entities):
        text = _entity(number, chance)
        (folder / "entities" / f"entity_{number}.yaml").write_text(text)
    for number in range(tools):
        make = _sql_tool if number % 2 else _python_tool
        name, text = make(number, chance.randrange(entities), chance)
        (folder / "tools" / name).write_text(text)


def _entity(number: int, chance: random.Random) -> str:
    return (
        f"type: entity\nname: Page{number}\ndescription: A part of a long list.\nfields:\n"
        "  offset: { type: int, default: 0, minimum: 0, description: Rows to skip }\n"
        f"  order_by: {{ type: string, enum: [id, {chance.choice(_WORDS)}], "
        "default: id }\n"
    )


def _inline(chance: random.Random) -> tuple[str, list[str]]:
    """The lines of 3 to 8 arguments and one from the context; their names."""
    chosen = set(chance.sample(_FIELDS, chance.randint(3, len(_FIELDS))))
    lines = [
        field.format(word=chance.choice(_WORDS), bound=chance.randrange(20, 500))
        for field in _FIELDS
        if field in chosen
    ]
    lines.append("tenant: { type: string, from_context: app.tenant.id }")
    names = [each.partition(":")[0] for each in lines]
    return "".join(f"    {line}\n" for line in lines), names


def _arguments(entity: int, inline: str) -> str:
    return f"arguments:\n  entity_ref: Page{entity}\n  inline:\n{inline}"


def _python_tool(number: int, entity: int, chance: random.Random) -> tuple[str, str]:
    inline, _ = _inline(chance)
    return f"tool_{number}.yaml", (
        f"type: python_function\nname: tool_{number}\n"
        f"description: Find every {chance.choice(_WORDS)} that fits.\n"
        f"handler: backend.tools:tool_{number}\n"
        f"{_arguments(entity, inline)}returns: string[]\n"
    )


def _sql_tool(number: int, entity: int, chance: random.Random) -> tuple[str, str]:
    inline, names = _inline(chance)
    lists = {"tags"}
    conditions = [
        f"{name} IN (:{name})" if name in lists else f"{name} = :{name}"
        for name in [*names, "order_by"]
    ]
    where = "\n  AND ".join(conditions)
    return f"tool_{number}.sql", (
        f"/*\n---\nname: tool_{number}\n"
        f"description: Look up one {chance.choice(_WORDS)} after another.\n"
        f"{_arguments(entity, inline)}returns: string[]\n---\n*/\n"
        f"SELECT title FROM things\nWHERE {where}\nLIMIT 50 OFFSET :offset\n"
    )
