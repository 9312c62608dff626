"""Faults in generated requests: forms, texts, what authorizes, addresses; `verify` finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.agreement.report import Report
from brimgen.agreement.verify import agreement
from support.project import Built, build
from support.samples import sampled

SPECS = """\
type: entity
name: Person
fields: { name: string, born: date, home: { type: Home, required: false } }
---
type: entity
name: Home
fields: { city: string }
---
type: http_function
name: send_form
arguments:
  inline:
    name: { type: string }
    other: { type: string, required: false }
    tags: { type: "string[]", maxItems: 3 }
    price: { type: decimal, precision: 6, scale: 2 }
    day: date
    at: { type: datetime }
    who: Person
    region: { type: string, pattern: "^[a-z]{2}$" }
    user: { type: string, from_context: app.user }
secrets: [USER, PASSWORD, STAMP]
allowedHosts: ["*.example.com"]
request:
  method: POST
  urlTemplate: https://${region}.example.com/a%20b/${name}?old=x%20y&tag=${tags}
  query: { at: "${at}", city: "${who.home.city}" }
  headers:
    Content-Type: application/x-www-form-urlencoded
    X-Stamp: "${STAMP}"
    X-Price: "${price}"
  auth: { type: basic, username: "${USER}", password: "p-${PASSWORD}" }
  body:
    "the name": "${name} & co"
    other: "${other}"
    tag: "${tags}"
    by: "${user}"
    born: "${who.born}"
    day: "${day}"
    kind: fixed
---
type: http_function
name: send_text
arguments: { inline: { greeting: string, ok: bool } }
secrets: [TOKEN, OTHER]
allowedHosts: [example.com]
request:
  method: PUT
  urlTemplate: https://example.com/text
  headers: { Accept: text/html }
  auth: { type: bearer, token: "${TOKEN}" }
  body: "${greeting}, ${OTHER}: ${ok}"
response: { encoding: text }
returns: string
---
type: http_function
name: send_key
arguments: { inline: { item: { type: Person, required: false }, note: string? } }
secrets: [KEY]
allowedHosts: [example.com]
request:
  method: POST
  urlTemplate: http://example.com/key
  auth: { type: api_key, in: header, name: X-Key, value: "k ${KEY}" }
  headers: { Content-Type: application/json }
  body: { item: "${item}", note: "${note}", list: ["${note}", 7] }
---
type: http_function
name: send_body
arguments: { inline: { body: { type: Person, required: false } } }
secrets: [KEY]
allowedHosts: [example.com]
request:
  method: PATCH
  urlTemplate: https://example.com/body
  auth: { type: api_key, in: query, name: "the key", value: "${KEY}" }
  headers: { Content-Type: application/json }
  body: "${body}"
"""
STYLED = """\
---
type: http_function
name: send_styled
arguments:
  inline:
    ids: { type: "int[]", maxItems: 3 }
    days: { type: "date[]", maxItems: 3, required: false }
    person: { type: Person, required: false }
allowedHosts: [example.com]
request:
  method: POST
  urlTemplate: https://example.com/${ids | comma}/x?f=${person | deep}
  query: { day: "${days | pipe}", home: "${person.home | json}" }
  headers: { X-Ids: "${ids | space}" }
  body: { ids: "${ids | comma}", note: "of ${ids | comma}" }
"""
SIGNED = """\
---
type: http_function
name: send_signed
arguments: { inline: { note: string } }
secrets: [SIGNING]
allowedHosts: [example.com]
request:
  method: POST
  urlTemplate: https://example.com/signed
  body: { note: "${note}" }
  auth:
    type: hmac
    name: X-Signature
    key: "${SIGNING}"
    message: "{method}{timestamp}{body}"
    value: "v1={signature}"
    timestamp: X-Time
---
type: http_function
name: send_granted
arguments: { inline: { note: string } }
secrets: [CLIENT, PASS]
allowedHosts: [example.com]
request:
  urlTemplate: https://example.com/granted
  query: { note: "${note}" }
  auth:
    type: oauth2
    tokenUrl: https://example.com/token
    clientId: "${CLIENT}"
    clientSecret: "${PASS}"
"""
SIGNING = "http/send_signed.py"
FORM, TEXT = "http/send_form.py", "http/send_text.py"
PAIRS = "http/send_styled.py"
KEY, BODY = "http/send_key.py", "http/send_body.py"

PLANTED: dict[str, tuple[str, str, str]] = {
    "another host": (TEXT, '"https://example.com"', '"https://example.org"'),
    "another scheme": (KEY, '"http://', '"https://'),
    "a segment more": (TEXT, '"/text"', '"//text"'),
    "a literal of the path": (FORM, "/a%20b/", "/a+b/"),
    "a literal of the query": (FORM, '"x%20y"', '"x%2520y"'),
    "a list of the query that is cut": (
        FORM,
        '"tag", Arg("tags")',
        '"tag", Arg("tags", path=(0,))',
    ),
    "a pair that nobody wants": (FORM, '("old",', '("new", "1"), ("old",'),
    "a pair without its value": (FORM, '("city", Arg', '("town", Arg'),
    "a field of another": (FORM, '(Arg("name"), ', '(Arg("region"), '),
    "a field that is encoded twice": (FORM, '"+%26+co"', '"+%2526+co"'),
    "a field called otherwise": (FORM, '"the+name"', '"the+names"'),
    "a field that is not left out": (FORM, 'Arg("other")', '""'),
    "a field that is gone": (FORM, '("kind", "fixed"),', ""),
    "a field that nobody wants": (
        FORM,
        '("kind", "fixed")',
        '("kind", "fixed"), ("more", "1")',
    ),
    "a hidden field of another": (FORM, 'Arg("user", ', 'Arg("name", '),
    "a member of another": (FORM, '"born",)', '"name",)'),
    "a day that is written otherwise": (FORM, 'Arg("day")', 'Arg("at")'),
    "another user": (FORM, 'Secret("USER")', 'Secret("PASSWORD")'),
    "a password that is cut": (FORM, '"p-"', '""'),
    "no authorization": (TEXT, 'Bearer(Secret("TOKEN"))', "None"),
    "an item of a list that is gone": (KEY, ", 7]", "]"),
    "an item of a list of another": (KEY, ", 7]", ", 8]"),
    "another media type of a form": (
        FORM,
        '"application/x-www-form-urlencoded"',
        '"text/plain"',
    ),
    "a secret of another header": (FORM, '"STAMP")),', '"USER")),'),
    "a decimal that is rounded": (FORM, ', digits="price"', ""),
    "a header that nobody wants": (FORM, '("X-Stamp"', '("X-New", "1"), ("X-Stamp"'),
    "a secret header that is not kept back": (
        FORM,
        'Secret("STAMP")',
        'Secret("STAMP", hidden=False)',
    ),
    "a form that is not kept back": (FORM, ", hidden=True", ""),
    "a text of another": (TEXT, 'Arg("greeting")', 'Arg("ok")'),
    "a text that is cut": (TEXT, '", "', '","'),
    "a secret of another text": (TEXT, 'Secret("OTHER")', 'Secret("TOKEN")'),
    "another token": (TEXT, 'Bearer(Secret("TOKEN"))', 'Bearer(Secret("OTHER"))'),
    "another media type of what is wanted": (TEXT, "text/html", "text/plain"),
    "another media type of a text": (
        TEXT,
        '"text/plain; charset=utf-8"',
        '"text/plain"',
    ),
    "another header for the key": (KEY, '"X-Key"', '"X-Keys"'),
    "a key of another form": (KEY, '"k "', '"K "'),
    "a null that is left out": (KEY, '"note": Arg("note"), ', ""),
    "a value of another": (KEY, '"note": Arg("note")', '"note": Arg("item")'),
    "a property that nobody wants": (KEY, '"note": ', '"new": 1, "note": '),
    "an object that is never sent": (KEY, 'Arg("item")', '"x"'),
    "another key of the query": (BODY, '"the%20key"', '"the%2520key"'),
    "a secret of the query": (BODY, 'Secret("KEY")', '"key"'),
    "items of a path that stand otherwise": (
        PAIRS,
        '"/", Arg("ids", style="comma")',
        '"/", Arg("ids", style="pipe")',
    ),
    "items of a query that are cut": (
        PAIRS,
        'Arg("days", ',
        'Arg("days", path=(0,), ',
    ),
    "an object of one pair": (PAIRS, 'style="deep"', 'style="json"'),
    "pairs called otherwise": (PAIRS, '"f", ', '"g", '),
    "JSON of another": (PAIRS, '("home",)', '("name",)'),
    "items of a header that stand otherwise": (
        PAIRS,
        'style="space"',
        'style="comma"',
    ),
    "items of a body that are a list": (
        PAIRS,
        '"ids": Arg("ids", style="comma")',
        '"ids": Arg("ids")',
    ),
    "items of a text that stand otherwise": (
        PAIRS,
        '("of ", Arg("ids", style="comma"))',
        '("of ", Arg("ids", style="space"))',
    ),
    "a signature in another header": (SIGNING, '"X-Signature"', '"X-Sign"'),
    "no time of a signature": (SIGNING, '"X-Time"', '""'),
    "a body that is never sent": (BODY, 'Arg("body")', 'Arg("none")'),
}


class Made:
    """What is made of the specs, to be asked with a fault in it."""

    def __init__(self, folder: Path) -> None:
        targets = ("python", "json_schema", "http")
        self.built: Built = build(
            folder, {"a.yaml": SPECS + STYLED + SIGNED}, targets=targets
        )

    def report(self, files: dict[str, str]) -> Report:
        return agreement(self.built.catalog, {**self.built.files, **files}, [], ())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("planted"))


def test_without_a_fault_none_is_found(made: Made) -> None:
    report = made.report({})
    assert [] == [(each.artifact, each.says) for each in report.differences]
    assert [] == report.unshown + report.uncalled
    assert report.of("HTTP requests").accepted > 40


@pytest.mark.parametrize("what", sampled(PLANTED, 6))
def test_a_fault_in_a_request_is_found(made: Made, what: str) -> None:
    file, old, new = PLANTED[what]
    path = f"python/{made.built.package}/{file}"
    text = made.built.files[path]
    assert old in text, text
    report = made.report({path: text.replace(old, new)})
    assert {"HTTP requests"} == {each.artifact for each in report.differences}
    assert "do not carry what the spec says" in {
        each.says.partition(":")[0] for each in report.differences
    }
