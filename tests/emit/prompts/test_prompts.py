"""Compiled prompts render what Jinja's sandbox renders, message by message (issue 7.3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2.sandbox import SandboxedEnvironment

from brimgen.emit.prompts.expressions import Unsupported
from brimgen.emit.prompts.statements import compile_template
from brimgen_runtime.calls import filters, templates
from support.project import Built, build

ARGS: dict[str, Any] = {
    "name": "ada LOVELACE",
    "count": 3,
    "price": 12.5,
    "on": True,
    "tags": ["b", "a", "B", "c"],
    "rows": [{"k": "x", "n": 2}, {"k": "y", "n": 1}, {"k": "x", "n": 3}],
    "place": {"city": "Köln", "zip": "50667", "geo": {"lat": 1.5}},
    "text": "one\ntwo <b>'s</b>\n\nthree",
    "none": None,
    "empty": [],
}

TEMPLATES = [
    "Hello {{ args.name }}!",
    "{{ args.count + 1 }} {{ args.count * 2 - 1 }} {{ args.price / 2 }} {{ 7 // args.count }}",
    "{{ 7 % args.count }} {{ -args.count }} {{ +args.count }} {{ (args.count + 1) * 2 }}",
    "{{ args.on }} {{ not args.on }} {{ args.none }} {{ args.gone }}|",
    "{{ args.name ~ '-' ~ args.count }} {{ 'a' if args.on else 'b' }} {{ 'a' if args.gone }}|",
    "{{ args.place.city }} {{ args['place']['zip'] }} {{ args.place.geo.lat }} {{ args.place.x }}|",
    "{{ args.tags[0] }} {{ args.tags[-1] }} {{ args.tags[1:3] }} {{ args.tags[9] }}|",
    "{{ args.text[:3] }}{{ args.text[::2] }}",
    "{% if args.count > 2 and not args.gone %}many{% elif args.count %}few{% else %}no{% endif %}",
    "{% if 'a' in args.tags %}in{% endif %}{% if 'z' not in args.tags %}out{% endif %}",
    "{% if 1 < args.count <= 3 %}between{% endif %}{% if args.count == 3.0 %}=={% endif %}",
    "{% for tag in args.tags %}{{ loop.index }}/{{ loop.length }} {{ tag }}"
    "{% if not loop.last %}, {% endif %}{% endfor %}",
    "{% for row in args.rows if row.n > 1 %}{{ loop.first }}{{ row.k }};{% endfor %}",
    "{% for x in args.empty %}{{ x }}{% else %}nothing{% endfor %}",
    "{% for x in args.gone %}{{ x }}{% else %}nothing{% endfor %}",
    "{% for key, value in args.place.items() %}{{ key }}={{ value }};{% endfor %}",
    "{% for key in args.place %}{{ key }};{% endfor %}{{ args.place.keys() | list }}",
    "{% for a in args.rows %}{% for b in args.tags %}{{ loop.index }}"
    "{{ loop.depth }}{{ a.k }}{{ b }}"
    "{% endfor %}{{ loop.revindex }}{{ loop.cycle('x', 'y') }}\n{% endfor %}",
    "{% for x in args.tags %}{{ loop.previtem }}<{{ x }}>{{ loop.nextitem }} {% endfor %}",
    "{% set n = args.count * 2 %}{{ n }}{% set n = n + 1 %}{{ n }}",
    "{% set n = 0 %}{% for x in args.tags %}{% set n = n + 1 %}{{ n }}{% endfor %}{{ n }}",
    "{% if args.on %}{% set late = 'set' %}{% endif %}{{ late }}|{{ late is defined }}",
    "{% if args.gone %}{% set late = 'set' %}{% endif %}{{ late }}|{{ late is defined }}",
    "{% for x in args.tags %}{% if loop.first %}{% set y = x %}{% endif %}{{ y }}|{% endfor %}",
    "{% for x in args.empty %}{% else %}{% set y = 3 %}{{ y }}{% endfor %}{{ y }}|",
    "{% for x in args.tags %}{% else %}{% set y = 3 %}{{ y }}{% endfor %}{{ y }}|",
    "{% for x in args.tags if (loop.first if args.gone else x != 'a') %}{{ x }}{% endfor %}",
    "{% for x in args.tags if args.on if x == 'a' else args.gone %}{{ x }}{% endfor %}",
    "{% set y = 1 %}{% for x in args.empty %}{% else %}{% set y = 3 %}{{ y }}{% endfor %}{{ y }}",
    "{{ [args.gone, 1] }} {{ args.gone | reverse | list }} {{ [[1], [2]] | reverse | list }}",
    "{{ args.place.values() | list }} {{ args.place.geo.keys() | list }}",
    "{{ args.text | truncate(9) }} {{ args.gone | truncate(9) }}|",
    "{{ args.name | upper }} {{ args.name | lower }}",
    "{{ args.name | title }} {{ args.name | capitalize }}",
    "{{ '  x ' | trim }}|{{ 'xxax' | trim('x') }} {{ args.name | replace('a', '@') }}",
    "{{ args.tags | join(', ') }}",
    "{{ args.rows | join('+', attribute='k') }} {{ args.tags | length }}",
    "{{ args.tags | sort }} {{ args.tags | sort(case_sensitive=true) }}",
    "{{ args.tags | sort(true) }}",
    "{{ args.rows | sort(attribute='k,n') }}",
    "{{ args.rows | sum(attribute='n') }} {{ [1, 2] | sum }}",
    "{{ args.tags | unique | list }} {{ args.tags | reverse | list }} {{ args.name | reverse }}",
    "{{ args.rows | unique(attribute='k') | list }}",
    "{{ args.tags | first }} {{ args.tags | last }}",
    "{{ args.empty | first }}|{{ args.empty | last }}|",
    "{{ args.gone | default('-') }} {{ args.none | default('-') }} {{ '' | d('-', true) }}",
    "{{ args.gone | default('-', boolean=true) }} {{ args.gone | d }}|",
    "{{ args.text | tojson }} {{ args.place | tojson }} {{ args.rows | tojson }}",
    "{{ args.text | indent }} {{ args.text | indent(2, true) }}",
    "{{ args.text | indent('> ', blank=true) }}",
    "{{ args.text | truncate(9, leeway=0) }}",
    "{{ args.text | truncate(9, true, '…', 0) }} {{ 'ab' | truncate }}",
    "{{ args.text | wordcount }} {{ args.price | round }}",
    "{{ 2.345 | round(2) }} {{ 2.1 | round(0, 'ceil') }}",
    "{{ '42' | int }} {{ '4.2' | int }} {{ 'x' | int(7) }} {{ '4.2' | float }} {{ -3 | abs }}",
    "{{ 3 | string ~ 'x' }} {{ 'abc' | list }} {{ args.place | length }}",
    "{{ args.count is odd }} {{ args.count is even }} {{ args.count is divisibleby 3 }}",
    "{{ args.gone is undefined }} {{ args.none is none }}",
    "{{ args.gone is none }} {{ args.on is true }}",
    "{{ args.name is string }} {{ args.place is mapping }}",
    "{{ args.count is number }} {{ 3 is eq 3 }}",
    "{{ args.name is not string }} {{ 'a' is in args.tags }} {{ args.on is false }}",
    "{# unsaid #}a{%- if args.on -%}  b  {%- endif %} c {% raw %}{{ x }}{% endraw %}\n",
    "{{ 'quotes \" and \\' and {braces}' }} {{ args.text }}\n",
    "{{ args.name }}{{ args.place }}{{ args.tags }}",
    "",
    "{% for x in args.tags %}{% endfor %}{% if args.on %}{% endif %}",
    "{{ 1 if args.on else 2 if args.gone else 3 }}",
    "{{ args.count and args.name }} {{ args.gone or 'o' }}",
    "{{ (args.tags | join) ~ ('x' ~ 'y') }} {{ [args.count, 'a'] }}",
]

BROKEN = [
    "{{ 3.keys() }}",
    "{{ args.name.values() }}",
    "{{ args.gone.items() }}",
    "{{ args.tags.keys() | list }}",
    "{{ args.count | indent }}",
    "{{ args.gone | float }}",
    "{{ args.gone | int }}",
    "{{ args.none | truncate }}",
    "{{ args.gone.more }}",
    "{{ args.gone + 1 }}",
    "{{ args.name + 1 }}",
    "{{ 1 / (args.count - 3) }}",
    "{% for x in args.none %}{{ x }}{% endfor %}",
    "{{ args.gone < 3 }}",
    "{% for a, b in args.tags %}{{ a }}{% endfor %}",
    "{{ -args.gone }}",
]

REFUSED = {
    "{% macro m() %}{% endmacro %}": "`macro`",
    "{{ args.name.upper() }}": "a call of `upper`",
    "{{ range(3) }}": "a call",
    "{{ args.tags | random }}": "the filter `random`",
    "{{ args.name is callable }}": "the test `callable`",
    "{{ 2 ** 3 }}": "`**`",
    "{% for x in args.tags recursive %}{% endfor %}": "`recursive`",
    "{% for x in args.tags %}{{ loop.changed(x) }}{% endfor %}": "a call of `changed`",
    "{% for x in args.tags %}{{ loop }}{% endfor %}": "`loop` itself",
    "{% set a, b = args.tags %}": "`set` of more than one name",
    "{% set x %}a{% endset %}": "`set` with a block",
    "{% filter upper %}a{% endfilter %}": "`filter` with a block",
    "{% with a = 1 %}{{ a }}{% endwith %}": "`with`",
    "{{ {'a': 1} }}": "an object in braces",
    "{{ args.tags | join('a', 'b', 'c') }}": "these arguments of `join`",
    "{{ args.tags | join(sep='a') }}": "these arguments of `join`",
    "{{ args.count is divisibleby }}": "these arguments of `divisibleby`",
}


def rendered(template: str, args: dict[str, Any]) -> str:
    """What the compiled template makes of ``args``."""
    compiled = compile_template(template, frozenset())
    body = "\n".join(f"    {each}" for each in compiled.lines)
    space: dict[str, Any] = {**vars(filters), **vars(templates)}
    exec(f"def function(args):\n{body}\n", space)
    made: str = space["function"](args)
    return made


def reference(template: str, args: dict[str, Any]) -> str:
    """What Jinja makes of it."""
    environment = SandboxedEnvironment(keep_trailing_newline=True)
    return environment.from_string(template).render(args=args)


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_compiled_template_says_what_jinja_says(template: str) -> None:
    assert reference(template, ARGS) == rendered(template, ARGS)


@pytest.mark.parametrize("template", BROKEN)
def test_what_jinja_cannot_render_is_an_error_here_too(template: str) -> None:
    with pytest.raises(Exception):  # noqa: B017
        reference(template, ARGS)
    with pytest.raises((TypeError, ValueError, ArithmeticError)):
        rendered(template, ARGS)


@pytest.mark.parametrize(("template", "what"), REFUSED.items())
def test_what_is_not_compiled_is_told_by_its_name(template: str, what: str) -> None:
    with pytest.raises(Unsupported) as caught:
        compile_template(template, frozenset())
    assert (what, 1) == (caught.value.what, caught.value.line)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-99, 99)
    | st.floats(-9, 9)
    | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
PIECES = st.sampled_from(
    [
        "{{ args.a }}",
        "{{ args.b.a }}",
        "{{ args.a | default('-') }}",
        "{{ args.b | tojson }}",
        "{{ args.a ~ args.b }}",
        "{% if args.a %}yes{% else %}no{% endif %}",
        "{% if args.a == args.b %}same{% endif %}",
        "{% for x in args.c %}{{ loop.index }}{{ x }}{{ x.a }}{% endfor %}",
        "{% set v = args.a %}{{ v }}",
        "{{ args.c[0] }}",
        "{{ args.a is defined }}{{ args.a is mapping }}",
        "{{ args.b | string | upper | trim }}",
        "literal \\ \" ' {\n",
    ]
)


@given(
    st.lists(PIECES, max_size=5).map("".join),
    st.dictionaries(st.sampled_from("abc"), VALUES),
)
def test_whatever_the_arguments_are(template: str, args: dict[str, Any]) -> None:
    try:
        expected = reference(template, args)
    except Exception:
        with pytest.raises((TypeError, ValueError, ArithmeticError)):
            rendered(template, args)
    else:
        assert expected == rendered(template, args)


SPEC = """\
type: template_function
name: ask-for
description: Ask.
arguments:
  inline:
    from: { type: string, maxLength: 20 }
    "odd name": int?
    rows: { type: "Row[]", default: [] }
    tags: { type: "string[]", default: [] }
    day: date
    who: { type: string, from_context: app.user.name }
template: |
  <system>
  You help {{ args.who }}. Today is {{ args.day }}.
  </system>
  <user>
  From {{ args.from }}{% if args["odd name"] is defined %} ({{ args["odd name"] }}){% endif %}:
  {% for row in args.rows %}{% for other_row_of_the_very_same_list in args.rows
  %}{% if row.sku == other_row_of_the_very_same_list.sku and row.count > 0
  and other_row_of_the_very_same_list.count > 0 %}
  - {{ row.sku | upper | replace("LONG", "SHORT") | truncate(30) | default("nothing")
  | title }}
  {% endif %}{% endfor %}{% endfor %}
  </user>
  <assistant>
  A very long line of text that goes on and on, past the margin of any style guide, "quotes" too.
  </assistant>
---
type: entity
name: Row
fields: { sku: string, count: int }
---
type: template_function
name: prompts
enabled: false
arguments: { inline: { note: { type: string, required: false } } }
template: "{{ args.note }}{% for x in [1, 2] %}{{ x }}{% endfor %}"
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("prompts"),
        {"a.yaml": SPEC},
        targets=("python", "prompts"),
    )
    assert [] == made.slugs
    return made


def test_messages_come_in_order_with_the_values_of_call_and_context(
    built: Built,
) -> None:
    module = built.load("prompts")
    prompt = module.PROMPTS["ask-for"]
    rows = [{"sku": "long1", "count": 1}]
    call = prompt.input_type.from_dict(
        {"from": "Ada", "day": "2026-01-18", "odd name": None, "rows": rows}
    )
    messages = prompt.render(
        prompt.bound_type.bind(call, {"app": {"user": {"name": "Bo"}}})
    )
    assert ["system", "user", "assistant"] == [each.role for each in messages]
    assert "You help Bo. Today is 2026-01-18." == messages[0].text
    assert "From Ada:\n\n- Short1\n" == messages[1].text
    assert {
        "role": "system",
        "content": {"type": "text", "text": messages[0].text},
    } == messages[0].to_dict()


def test_text_arguments_are_read_by_their_types(built: Built) -> None:
    module = built.load("prompts")
    prompt = module.PROMPTS["ask-for"]
    call = prompt.read({"from": "7", "odd name": "7", "day": "2026-01-18"})
    assert ("7", 7, []) == (call.from_, call.odd_name, call.rows)
    told = {"from": "x", "day": "2026-01-18", "rows": '[{"sku": "a", "count": 1}]'}
    assert ["a", "b"] == prompt.read({**told, "tags": '["a", "b"]'}).tags
    call = prompt.read({**told, "tags": "a, b"})
    assert (["a, b"], "a") == (call.tags, call.rows[0].sku)
    from_error = built.load().InputError
    with pytest.raises(from_error) as caught:
        prompt.read({"from": "x", "odd name": "seven", "day": "18.1."})
    assert ["/odd name", "/day"] == [each.pointer for each in caught.value.violations]


def test_what_cannot_be_compiled_is_told_where_it_stands(tmp_path: Path) -> None:
    spec = "type: template_function\nname: a\narguments: {inline: {x: string}}\n"
    made = build(
        tmp_path,
        {"a.yaml": spec + "template: |\n  One\n  {{ args.x | pprint }}\n"},
        targets=("prompts",),
    )
    assert [("T480", 6)] == [
        (each.rule.code, each.span.line) for each in made.diagnostics
    ]
    assert "the filter `pprint`" in next(each.message for each in made.diagnostics)
