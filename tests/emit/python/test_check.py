"""What the Python target refuses: two names that become one."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.emit.python import EMITTER
from emit.python.catalogs import INT, STRING, Shop, rich_shop


def _slugs(shop: Shop) -> list[str]:
    diagnostics = Diagnostics()
    EMITTER.check(shop.catalog, diagnostics)
    return [each.rule.slug for each in diagnostics]


def test_a_sound_catalog_has_nothing_to_tell() -> None:
    assert [] == _slugs(rich_shop())


def test_two_arguments_that_are_one_attribute() -> None:
    shop = Shop()
    shop.tool("t", shop.field("user-id", INT), shop.field("user_id", INT))
    assert ["same-attribute"] == _slugs(shop)


def test_an_argument_with_the_name_of_a_class() -> None:
    shop = Shop()
    customer = shop.entity("Customer", shop.field("name", STRING))
    shop.tool("t", shop.field("Customer", customer))
    assert ["class-as-attribute"] == _slugs(shop)
