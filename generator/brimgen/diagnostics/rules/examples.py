"""Complete the examples of rules to whole specs."""

from __future__ import annotations

_ENTITIES = {
    "Address": "fields: {street: string, city: string}",
    "Customer": "fields: {customer_id: int}",
    "OrderStatus": "enum: [open, shipped]",
    "Page": "fields: {limit: int, offset: int}",
    "Point": "fields: {x: float, y: float}",
}
_TOOL = "type: python_function\nname: find_orders\n"


def tool(text: str, *entities: str) -> str:
    """A tool with ``text`` among its keys, after the entities that it needs."""
    return _after(entities, f"{_TOOL}{text}")


def field(text: str, *entities: str) -> str:
    """A tool with ``text`` under ``inline``: an argument, or a JSON Schema."""
    lines = text.replace("\n", "\n    ")
    return tool(f"arguments:\n  inline:\n    {lines}", *entities)


def resource(text: str, *entities: str) -> str:
    """A resource with ``text`` among its keys."""
    return _after(entities, f"type: resource\nname: document\n{text}")


def prompt(text: str, *entities: str) -> str:
    """A prompt with ``text`` among its keys."""
    return _after(entities, f"type: template_function\nname: greeting\n{text}")


def statement(text: str, *entities: str) -> str:
    """A tool that is a statement, with ``text`` among its keys."""
    return _after(entities, f"type: sql_function\nname: find_orders\n{text}")


def _after(entities: tuple[str, ...], text: str) -> str:
    declared = (
        f"type: entity\nname: {name}\n{_ENTITIES[name]}\n---\n" for name in entities
    )
    return "".join(declared) + text.rstrip("\n")
