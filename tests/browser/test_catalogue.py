"""The page of the target `catalogue`, in Chromium: for everybody, by keyboard, with any text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from brimgen.api import Diagnostics, Flags, lint, load_settings
from brimgen.emit import describing_emitters
from brimgen.emit.catalog_view import CatalogView, ToolView, catalog_view
from support.browser import visit
from support.catalogue import HOSTILE, hostile_project, page_of
from support.project import build

pytestmark = pytest.mark.whole
ROOT = Path(__file__).parents[2]
DESKTOP, PHONE = (1360, 900), (390, 844)
OPEN_ALL = (
    "document.querySelectorAll('#content details').forEach((e) => { e.open = true })"
)
SETTLE = "new Promise((done) => setTimeout(done, 50))"
WIDTHS = "[document.scrollingElement.scrollWidth, innerWidth]"
CUT_OFF = (
    "[...document.querySelectorAll('#content :is(.tokens, .mark, .copy, summary, h2, th, td)')]"
    ".filter((e) => !e.closest(innerWidth < 640 ? '.scroll thead' : '.scroll')"
    " && e.checkVisibility() && e.getBoundingClientRect().right > innerWidth)"
    ".map((e) => e.textContent)"
)
FOCUS = (
    "[document.activeElement.tagName, document.activeElement.textContent.slice(0, 40)]"
)
SHOWN = (
    "[...document.querySelectorAll('#tools li:not([hidden]) .name')]"
    ".map((each) => each.textContent).sort()"
)
PIECES = """\
({
  title: document.querySelector('#title').textContent,
  text: document.querySelector('#content').textContent,
  rows: [...document.querySelectorAll('.rows tbody th')].map((e) => e.firstChild.textContent),
  hidden: [...document.querySelectorAll('.hidden-arguments tbody th')].map((e) => e.textContent),
  code: [...document.querySelectorAll('pre')].map((e) => e.textContent),
  told: [...document.querySelectorAll('.descriptor')].map((e) => [
    e.querySelector('.provider').textContent, e.querySelector('.tokens').textContent]),
  ledger: document.querySelectorAll('.ledger tbody tr').length,
  untold: document.querySelectorAll('.ledger td:not(.told)').length,
})
"""


@pytest.fixture(scope="module")
def shop() -> CatalogView:
    settings = load_settings(Flags(config=ROOT / "pyproject.toml"), Diagnostics())
    catalog = lint(settings).catalog
    return catalog_view(catalog, describing_emitters(catalog.project))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the shop."""
    settings = load_settings(Flags(config=ROOT / "pyproject.toml"), Diagnostics())
    file = tmp_path_factory.mktemp("shop") / "index.html"
    file.write_text(page_of(lint(settings).catalog), encoding="utf-8")
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_everybody_can_use_the_page(page: Path, scheme: str, size: Any) -> None:
    """axe-core finds nothing, nothing is cut off, nothing is said, nothing is fetched."""
    places = (
        *("#/", "#/overview", "#/types", "#/type/Order", "#/type/Currency"),
        *("#/tool/cancel_order", "#/tool/place_order", "#/tool/track_parcel"),
        *("#/tool/complaint_reply", "#/tool/handbook_page", "#/tool/rate_visitor"),
        *("#/no/such/page", "#no-such-place"),
    )
    steps: list[tuple[str, Any]] = [("scheme", scheme), ("size", size)]
    for place in places:
        steps += [("open", place), ("see", OPEN_ALL), ("see", SETTLE)]
        steps += [("axe", None), ("see", WIDTHS), ("see", CUT_OFF)]
    found = visit(page, *steps)
    assert {each: [] for each in places} == dict(
        zip(places, found.seen[5::6], strict=True)
    )
    assert all(wide <= wanted for wide, wanted in found.seen[6::6])
    assert [[]] * len(places) == found.seen[7::6]
    assert [] == found.said
    assert {page.as_uri()} == {each.split("#")[0] for each in found.asked}


def test_the_keyboard_alone_finds_a_tool(page: Path) -> None:
    found = visit(
        page,
        ("size", DESKTOP),
        ("open", "#/"),
        ("press", "Tab"),
        ("see", FOCUS),
        ("press", "/"),
        ("type", "order cancel"),
        ("see", "document.querySelector('#status').textContent"),
        ("press", "ArrowDown"),
        ("press", "Enter"),
        ("see", SETTLE),
        ("see", FOCUS),
        ("see", "location.hash"),
        ("press", "Escape"),
        ("see", FOCUS),
        ("press", "ArrowUp"),
        ("press", "Escape"),
        ("see", "[document.querySelector('#q').value, document.activeElement.id]"),
        ("see", "document.querySelector('#status').textContent"),
    )
    assert ["A", "Skip to the content"] == found.seen[3]
    assert "1 of 26 tools" == found.seen[6]
    assert ["H1", "Cancel an order"] == found.seen[10]
    assert "#/tool/cancel_order" == found.seen[11]
    assert "A" == found.seen[13][0]
    assert found.seen[13][1].startswith("cancel_order")
    assert ["", "q"] == found.seen[16]
    assert "26 tools" == found.seen[17]


def test_the_list_is_one_stop_of_the_tab_key(page: Path) -> None:
    where = "document.activeElement.closest('#tools, #content')?.id"
    found = visit(
        page,
        ("size", DESKTOP),
        ("open", "#/tool/get_orders"),
        ("see", "document.querySelector('#order').focus()"),
        ("press", "Tab"),
        ("see", FOCUS),
        ("press", "Tab"),
        ("see", where),
        ("press", "Shift+Tab"),
        ("press", "ArrowDown"),
        ("see", FOCUS),
        ("press", "Tab"),
        ("press", "Shift+Tab"),
        ("see", FOCUS),
    )
    assert found.seen[4][1].startswith("get_orders")
    assert "content" == found.seen[6]
    assert found.seen[9] == found.seen[12]
    assert found.seen[9][1].startswith("get_orders_by_id")


def test_the_phone_shows_the_list_or_a_tool(page: Path) -> None:
    visible = "[...document.querySelectorAll('.finder, #content')].map((e) => e.checkVisibility())"
    found = visit(
        page,
        ("size", PHONE),
        ("open", "#/"),
        ("see", visible),
        ("click", "#tools a[href='#/tool/get_orders']"),
        ("see", SETTLE),
        ("see", visible),
        ("click", ".back a"),
        ("see", SETTLE),
        ("see", visible),
    )
    assert [[True, False], [False, True], [True, False]] == found.seen[2::3]


def test_light_and_dark_are_a_choice(page: Path) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    found = visit(
        page,
        ("scheme", "dark"),
        ("open", "#/"),
        ("see", paper),
        ("click", "#theme"),
        ("see", paper),
        ("scheme", "light"),
        ("see", paper),
        ("click", "#theme"),
        ("see", paper),
    )
    dark, chosen, as_chosen, dark_again = found.seen[2::2]
    assert dark == dark_again != chosen == as_chosen


def test_filters_show_the_tools_that_they_name(page: Path, shop: CatalogView) -> None:
    def chip(group: str, value: str) -> str:
        return f"#{group} label:has([value={value}])"

    def choose(select: str, value: str) -> str:
        return (
            f"(() => {{ const e = document.querySelector('#{select}'); e.value = {value!r};"
            " e.dispatchEvent(new Event('input', { bubbles: true })) })()"
        )

    def names(keep: Any) -> list[str]:
        return sorted(each["name"] for each in shop["tools"] if keep(each))

    def lost(tool: ToolView) -> bool:
        return any(
            loss["recovered_by"] == "decoder"
            for each in tool["told"]
            for loss in each["losses"]
        )

    cases: list[tuple[tuple[str, Any], Any]] = [
        (("click", chip("kinds", "sql")), lambda t: t["kind"] == "sql"),
        (("click", chip("kinds", "http")), lambda t: t["kind"] == "http"),
        (
            ("click", chip("effects", "reads")),
            lambda t: t["hints"]["read_only"] is True,
        ),
        (("click", chip("effects", "destroys")), lambda t: t["hints"]["destructive"]),
        (("see", choose("bundle", "delivery")), lambda t: t["bundle"] == "delivery"),
        (("see", choose("told", "checked")), lost),
    ]
    cases += [
        (("see", choose("tag", tag)), lambda t, tag=tag: tag in t["tags"])
        for tag in shop["tags"]
    ]
    steps: list[tuple[str, Any]] = [("size", DESKTOP)]
    for step, _ in cases:
        steps += [("open", "#/"), step, ("see", SHOWN)]
    found = visit(page, *steps)
    for (step, keep), shown in zip(cases, found.seen[3::3], strict=True):
        assert names(keep), step
        assert names(keep) == shown, step


def test_the_page_of_a_tool_says_what_the_specs_say(
    page: Path, shop: CatalogView
) -> None:
    steps: list[tuple[str, Any]] = []
    for tool in shop["tools"]:
        steps += [("open", f"#/tool/{tool['name']}"), ("see", OPEN_ALL)]
        steps += [("see", SETTLE), ("see", PIECES)]
    found = visit(page, *steps)
    titles = {each["profile"]: each["title"] for each in shop["providers"]}
    for tool, pieces in zip(shop["tools"], found.seen[3::4], strict=True):
        assert (tool["title"] or tool["name"]) == pieces["title"]
        assert all(each in pieces["text"] for each in tool["terms"])
        assert (tool["description"] or "").split("\n\n")[0].strip() in pieces["text"]
        hidden = [each["name"] for each in tool["arguments"] if each["hidden"]]
        paths = [each["path"] for each in (*tool["input_rows"],)]
        outputs = [each["path"] for each in tool["output_rows"]]
        assert [*paths, *hidden, *outputs] == pieces["rows"]
        assert hidden == pieces["hidden"]
        assert [
            [titles[each["profile"]], f"{each['tokens']:,} tokens"]
            for each in tool["told"]
        ] == pieces["told"]
        losses = [loss for each in tool["told"] for loss in each["losses"]]
        assert len(losses) == pieces["untold"]
        texts = pieces["code"]
        for each in tool["told"]:
            assert each["descriptor"] in [json.loads(t) for t in texts if t[:1] == "{"]
        if tool["examples"]:
            call = json.loads(next(t for t in texts if t[:1] == "{"))
            assert tool["examples"][0]["arguments"] in (call, call.get("arguments"))
        if tool["statement"]:
            assert tool["statement"]["text"] in texts
        if tool["request"]:
            assert any(tool["request"]["url"] in each for each in texts)
        if tool["prompt"]:
            assert all(each["text"] in texts for each in tool["prompt"]["messages"])
        if tool["function"]:
            assert (tool["function"]["handler"] or "") in pieces["text"]


def test_texts_of_specs_are_inert(tmp_path: Path) -> None:
    """Nothing runs, nothing becomes an element; and if something did, the policy would stop it."""
    made = build(tmp_path, hostile_project(), profiles=ALL_BUT_STRICT)
    file = tmp_path / "index.html"
    file.write_text(page_of(made.catalog), encoding="utf-8")
    tools = [each.name for each in made.catalog.tools]
    types = [*made.catalog.entities, *made.catalog.enums]
    places = (
        *("#/", "#/types"),
        *(f"#/tool/{each}" for each in tools),
        *(f"#/type/{each}" for each in types),
    )
    probe = (
        "[window.hit ?? null, document.scripts.length,"
        " document.querySelectorAll('img, svg, iframe, object, embed, template, base').length,"
        " [...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) =>"
        " a.name.startsWith('on') || (/^(href|src)$/.test(a.name) && !/^#/.test(a.value)))).length]"
    )
    steps: list[tuple[str, Any]] = []
    for place in places:
        steps += [("open", place), ("see", OPEN_ALL), ("see", SETTLE)]
        steps += [("axe", None), ("see", probe)]
    steps += [
        ("open", "#/tool/evil"),
        ("see", "document.querySelector('#content').textContent"),
        ("see", "document.querySelector('#title').textContent"),
    ]
    found = visit(file, *steps)
    calm = found.seen[: 5 * len(places)]
    assert {each: [] for each in places} == dict(zip(places, calm[3::5], strict=True))
    assert [[None, 2, 0, 0]] * len(places) == calm[4::5]
    assert [] == found.said
    assert all(each in found.seen[-2] for each in HOSTILE)
    assert " ".join(HOSTILE) == found.seen[-1]
    script = (
        "(() => { const e = document.createElement('script');"
        " try { e.textContent = 'window.hit = 2' } catch { return 'refused' }"
        " document.body.append(e); return window.hit })()"
    )
    fetched = "fetch('https://example.com/').then(() => 'fetched', () => 'refused')"
    stopped = visit(file, ("open", "#/"), ("see", script), ("see", fetched))
    assert ["refused", "refused"] == stopped.seen[1:]


ALL_BUT_STRICT = ("openai", "mcp", "gemini")
"""Anthropic refuses the names of arguments in the hostile project."""


def test_a_thousand_tools_are_searched_at_once(tmp_path: Path) -> None:
    spec = """\
type: python_function
name: tool_{0}
description: Tool {0} reads one of {1} kinds of records, and says when it was changed.
tags: [group{1}]
arguments:
  inline:
    record: {{type: string, description: Which record, maxLength: 40}}
    limit: {{type: int, minimum: 1, maximum: 100, default: 10}}
    kind: {{type: string, enum: [a, b, c]}}
returns: 'string[]'
"""
    files = {
        f"{number}.yaml": spec.format(number, number % 20) for number in range(1000)
    }
    file = tmp_path / "index.html"
    file.write_text(page_of(build(tmp_path, files).catalog), encoding="utf-8")
    search = (
        "(() => { const q = document.getElementById('q'); q.value = 'tool_99 kind';"
        " q.dispatchEvent(new Event('input', { bubbles: true })) })()"
    )
    found = visit(
        file,
        ("size", DESKTOP),
        ("open", "#/tool/tool_500"),
        ("see", "document.querySelectorAll('*').length"),
        ("see", search),
        ("see", SHOWN),
    )
    elements, _, shown = found.seen[2:]
    assert elements < 10_000
    assert sorted(f"tool_{each}" for each in (99, *range(990, 1000))) == shown
