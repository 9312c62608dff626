"""The catalogue shows reviewers everything and, with `public: true`, others what callers see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from brimgen.emit.catalog_view.body_view import NO_BODY
from brimgen.emit.catalog_view.public_view import PUBLIC
from brimgen.emit.catalog_view.view_types import ToolView
from support.catalogue import PATH

SECRET = (
    *("tenant_key", "AudienceKind", "Inner", "hidden_column", "tenancy"),
    *("app.secret_module", "X-Hidden", "internal.example", "HOST_SECRET", "hush"),
    *("Say it softly", "x-owner", "secret_reader"),
)
"""Words that only stand in hidden arguments and in what runs a tool."""
HIDDEN = """\
      tenant_key: { type: AudienceKind, from_context: app.tenancy }
      inner: { type: Inner, llm: false }
"""
SPECS = f"""\
type: entity
name: AudienceKind
enum: [hush, loud]
---
type: entity
name: Inner
fields: {{ a: int }}
---
type: entity
name: Order
fields: {{ id: int, state: OrderState }}
---
type: entity
name: OrderState
enum: [open, closed]
---
type: sql_function
name: find_orders
description: Find orders.
arguments:
  inline:
      number: int
      tenant_key: {{ type: AudienceKind, from_context: app.tenancy }}
returns: Order
sql: SELECT id, state FROM orders WHERE hidden_column = :tenant_key AND id = :number
---
type: python_function
name: run
description: Run.
handler: app.secret_module:run
x-owner: secret_reader
arguments:
  inline:
      number: int
{HIDDEN}---
type: http_function
name: send
description: Send.
arguments:
  inline:
      number: int
      tenant_key: {{ type: AudienceKind, from_context: app.tenancy }}
secrets: [HOST_SECRET]
allowedHosts: [internal.example]
request:
  urlTemplate: https://internal.example/${{number}}
  headers: {{ X-Hidden: "${{tenant_key}}${{HOST_SECRET}}" }}
"""
PROMPT = """\
---
type: template_function
name: ask
description: Ask.
arguments: { inline: { number: int } }
---
Say it softly: {{ args.number }}
"""


@pytest.fixture
def page(project: Path, run: Any) -> Any:
    (project / "specs" / "all.yaml").write_text(SPECS)
    (project / "specs" / "ask.md").write_text(PROMPT)

    def page(settings: str) -> str:
        text = "targets: [catalogue, openai]\nconnections: { default: { dialect: sqlite } }\n"
        (project / "brimgen.yaml").write_text(text + settings)
        ran = run("generate")
        assert 0 == ran.code, ran.err
        return (project / "out" / PATH).read_text()

    return page


def test_a_page_for_reviewers_says_that_it_shows_what_callers_do_not_see(
    page: Any,
) -> None:
    text = page("")
    assert "For reviewers, not for callers" in text
    assert "catalogue: {public: true}" in text
    for word in ("tenant_key", "hidden_column", "internal.example", "Say it softly"):
        assert word in text


def test_a_public_page_holds_nothing_that_callers_do_not_see(page: Any) -> None:
    assert "hidden_column" in page("")
    text = page("catalogue: { public: true }\n")
    assert [] == [word for word in SECRET if word in text]
    assert "For reviewers" not in text
    for word in ("find_orders", "number", "OrderState", "closed", '"send"', "ask"):
        assert word in text


def test_a_misspelt_setting_does_not_leave_the_page_open(
    project: Path, run: Any
) -> None:
    (project / "brimgen.yaml").write_text("catalogue: { publik: true }\n")
    ran = run("generate")
    assert 2 == ran.code
    assert "catalogue.publik" in ran.err in ran.err


def test_a_new_key_of_the_view_is_public_only_where_somebody_says_so() -> None:
    made = {"arguments", "bound_schema", "entities", "extensions", *NO_BODY}
    assert PUBLIC | made == ToolView.__annotations__.keys()
