"""The page of the target `catalogue`, and a project whose every text tries to be more than text."""

from __future__ import annotations

import json
from collections.abc import Mapping

from brimgen.emit import emitter
from brimgen.model.catalog import Catalog

PATH = "catalogue/index.html"
HOSTILE = (
    "</script><script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    '"><svg onload=window.hit=1>',
    "[x](javascript:window.hit=1)",
    "<!--<script>window.hit=1",
    "{{ 7*7 }}{% if %}{#",
    "]]>&lt;b&gt;</template></textarea><iframe srcdoc='<script>parent.hit=1</script>'>",
    "`${window.hit=1}`\\",
    "' onfocus=window.hit=1 autofocus x='",
)


def page_of(catalog: Catalog) -> str:
    """The page about ``catalog``."""
    [page] = emitter("catalogue").emit(catalog)
    assert PATH == page.path
    return page.text


def hostile_project() -> Mapping[str, str]:
    """Specs of a tool of each kind, of types and a bundle, with these texts in every position."""
    return project_of(HOSTILE)


def harmless_project() -> Mapping[str, str]:
    """The same specs with texts that mean nothing anywhere."""
    return project_of([f"word{number}" for number, _ in enumerate(HOSTILE)])


def project_of(texts: tuple[str, ...] | list[str]) -> Mapping[str, str]:
    """The specs, with ``texts`` in every position."""
    whole = " ".join(texts)
    about = {"title": whole, "description": f"{whole}\n\n{whole}", "when_to_use": whole}
    arguments = {
        "type": "object",
        "properties": {
            "a": {"type": "string", "description": whole, "examples": [whole]},
            texts[0]: {"type": "string", "enum": [*texts], "default": texts[0]},
            texts[1]: {
                "type": "object",
                "properties": {
                    "__proto__": {"type": "string"},
                    texts[2]: {"type": "integer", "maximum": 3, "description": whole},
                },
            },
        },
        "required": ["a"],
    }
    tool = {
        "type": "python_function",
        "name": "evil",
        **about,
        "bundle": "evil",
        "tags": [*texts],
        "handler": "a.b:c",
        "x-input-examples": [{"a": whole}],
        "arguments": {"inline": arguments},
        "returns": {"type": "object", "properties": {texts[0]: {"const": whole}}},
    }
    request = {
        "type": "http_function",
        "name": "evil_request",
        **about,
        "arguments": {"inline": {"a": "string"}},
        "request": {
            "method": "POST",
            "url": "https://api.example.com/${a}",
            "headers": {"X-Evil": whole.replace("$", "$$")},
            "body": {texts[0]: whole.replace("$", "$$"), "a": "${a}"},
        },
        "allowedHosts": ["api.example.com"],
    }
    entity = {
        "type": "entity",
        "name": "Evil",
        "title": whole,
        "description": whole,
        "fields": {"x": {"type": "string", "description": whole, "default": whole}},
    }
    enum = {
        "type": "entity",
        "name": "EvilEnum",
        "description": whole,
        "enum": [*texts],
    }
    bundle = {
        "type": "bundle",
        "name": "evil",
        "displayName": whole,
        "description": whole,
        "slug": "evil",
    }
    prompt = {
        "type": "template_function",
        "name": "evil_prompt",
        "description": whole,
        "arguments": {"inline": {"who": "string", "kind": "EvilEnum", "it": "Evil"}},
    }
    statement = {
        "type": "sql_function",
        "name": "evil_sql",
        "description": whole,
        "arguments": {
            "inline": {
                "a": "string",
                "who": {"type": "string", "from_context": "app.id"},
            }
        },
    }
    said = " ".join(each for each in texts if "{" not in each)
    quoted = said.replace("'", "''")
    return {
        "evil.yaml": json.dumps(tool),
        "request.yaml": json.dumps(request),
        "entity.yaml": json.dumps(entity),
        "enum.yaml": json.dumps(enum),
        "bundle.yaml": json.dumps(bundle),
        "prompt.md": f"---\n{json.dumps(prompt)}\n---\n{{{{ args.who }}}} {said}\n",
        "statement.sql": f"/*\n---\n{json.dumps(statement)}\n---\n*/\n"
        f"UPDATE t SET a = :a, b = '{quoted}'\n-- {said}\nWHERE who = :who\n",
    }
