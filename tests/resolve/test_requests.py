"""HTTP requests: templates by position, ready to be built (S2.10, S2.16-18; rows F4, F5)."""

from __future__ import annotations

import pytest

from brimgen.model.http import (
    BasicAuth,
    BearerAuth,
    Encoding,
    ErrorMode,
    FormPayload,
    HttpBody,
    JsonPayload,
    KeyAuth,
    Literal,
    Response,
    Retry,
    Template,
    TextPayload,
    Variable,
)
from brimgen_runtime.grammar.hosts import Host, parse_host
from support.linked import Linked, link

URL = "https://api.example.com/users/${id}"


def http(
    request: str, more: str = "", inline: str = "id: int", **options: object
) -> Linked:
    """Resolve an HTTP tool; ``request`` are lines under ``request``."""
    hosts = "" if "allowedHosts" in more else "allowedHosts: [api.example.com]\n"
    lines = "".join(f"  {line}\n" for line in request.strip().splitlines())
    arguments = "".join(f"    {line}\n" for line in inline.splitlines())
    return link(
        f"type: http_function\nname: probe\narguments:\n  inline:\n{arguments}"
        f"request:\n{lines}{hosts}{more}",
        **options,
    )


def body(
    request: str, more: str = "", inline: str = "id: int", **options: object
) -> HttpBody:
    """The body of a tool in which nothing is wrong."""
    made = http(request, more, inline, **options).tool.body
    assert isinstance(made, HttpBody)
    return made


def shown(template: Template) -> str:
    """A template as it is written, for tests that read well."""
    return "".join(
        (
            each.text
            if isinstance(each, Literal)
            else "${" + ".".join([each.name, *map(str, each.path)]) + "}"
        )
        for each in template
    )


def test_a_url_is_taken_apart() -> None:
    url = body(
        "urlTemplate: https://api.example.com:8443/v1/users/${id}/x-${id}.json?a=1&b=${id}&c",
        "allowedHosts: ['api.example.com:8443']\n",
    ).url
    assert ("https", "api.example.com:8443") == (url.scheme, shown(url.authority))
    assert ["v1", "users", "${id}", "x-${id}.json"] == [*map(shown, url.segments)]
    assert [("a", "1"), ("b", "${id}"), ("c", "")] == [
        (name, shown(each)) for name, each in url.query
    ]


@pytest.mark.parametrize(
    ("path", "segments"),
    [("", []), ("/", [""]), ("/a/", ["a", ""]), ("//a", ["", "a"]), ("/%20", ["%20"])],
)
def test_a_url_keeps_its_empty_and_encoded_segments(
    path: str, segments: list[str]
) -> None:
    made = body(f"urlTemplate: 'https://api.example.com{path}?id=${{id}}'")
    assert segments == [*map(shown, made.url.segments)]


def test_variables_know_their_place_and_their_path() -> None:
    linked = http(
        "method: POST\nurlTemplate: https://api.example.com/\n"
        "body: { first: '${user.items[0].id}' }",
        inline="user: { type: object, fields: { items: 'Item[]' } }",
    )
    linked = link(
        *linked.parsed.files.values(), "type: entity\nname: Item\nfields: { id: int }\n"
    )
    made = linked.tool.body
    assert isinstance(made, HttpBody) and isinstance(made.payload, JsonPayload)
    value = made.payload.value
    assert isinstance(value, dict)
    [variable] = value["first"]  # type: ignore[misc]
    assert isinstance(variable, Variable)
    assert ("user", ("items", 0, "id")) == (variable.name, variable.path)
    assert "${user.items[0].id}" == linked.parsed.under(variable.span)


def test_a_dollar_can_be_written() -> None:
    [(_, value)] = body(f"urlTemplate: {URL}\nquery: {{ a: '$${{x}} $5' }}").query
    assert (Literal("${x} $5"),) == value


@pytest.mark.parametrize(
    ("pattern", "host", "admitted"),
    [
        ("api.example.com", "api.example.com", True),
        ("API.example.com", "api.EXAMPLE.com", True),
        ("example.com", "api.example.com", False),
        ("*.example.com", "api.example.com", True),
        ("*.example.com", "a.b.example.com", True),
        ("*.example.com", "example.com", False),
        ("*.example.com", "example.com.evil.org", False),
        ("*.example.com", "evilexample.com", False),
        ("localhost:8080", "localhost:8080", True),
        ("localhost", "localhost:8080", False),
        ("localhost:8080", "localhost", False),
        ("api.example.com:443", "api.example.com", True),
        ("api.example.com", "api.example.com:443", True),
        ("'[::1]:80'", "[::1]:80", True),
    ],
)
def test_a_host_outside_of_the_allowed_ones_is_told(
    pattern: str, host: str, admitted: bool
) -> None:
    linked = http(
        f"urlTemplate: https://{host}/${{id}}",
        f'allowedHosts: ["{pattern.strip(chr(39))}"]\n',
    )
    assert ([] if admitted else ["host-not-allowed"]) == linked.slugs


def test_a_templated_host_is_left_to_run_time() -> None:
    made = body(
        "urlTemplate: https://${region}.example.com/",
        "allowedHosts: ['*.example.com']\n",
        "region: string",
    )
    assert "${region}.example.com" == shown(made.url.authority)
    assert (Host("example.com", below=True),) == tuple(made.allowed_hosts)


@pytest.mark.parametrize(
    ("project", "own", "slugs"),
    [
        (None, "allowedHosts: [api.example.com]\n", []),
        (["api.example.com"], "allowedHosts: [api.example.com]\n", []),
        (["*.example.com"], "allowedHosts: [api.example.com]\n", []),
        (
            ["*.example.com"],
            "allowedHosts: ['*.api.example.com', api.example.com]\n",
            [],
        ),
        (["api.example.com"], "allowedHosts: ['*.example.com']\n", ["host-widens"]),
        (["*.api.example.com"], "allowedHosts: [api.example.com]\n", ["host-widens"]),
        ([], "allowedHosts: [api.example.com]\n", ["host-widens"]),
        (["api.example.com"], "allowedHosts: []\n", ["host-not-allowed"]),
    ],
)
def test_a_tool_only_narrows(
    project: list[str] | None, own: str, slugs: list[str]
) -> None:
    hosts = None if project is None else tuple(map(parse_host, project))
    assert slugs == http(f"urlTemplate: {URL}", own, allowed_hosts=hosts).slugs


def test_the_hosts_of_the_project_are_those_of_a_tool_without_any() -> None:
    spec = (
        "type: http_function\nname: probe\narguments: { inline: { id: int } }\n"
        f"request: {{ urlTemplate: '{URL}' }}\n"
    )
    pattern = Host("api.example.com")
    assert [] == link(spec, allowed_hosts=(pattern,)).slugs
    assert ["host-not-allowed"] == link(spec).slugs
    assert ["host-not-allowed"] == link(spec, allowed_hosts=()).slugs


def test_secrets_of_every_kind_of_authorization_are_known() -> None:
    secrets = "secrets: [A, B]\n"
    bearer = body(
        f"urlTemplate: {URL}\nauth: {{ type: bearer, token: '${{A}}${{B}}' }}", secrets
    )
    assert isinstance(bearer.auth, BearerAuth)
    assert [True, True] == [
        each.is_secret for each in bearer.auth.token if isinstance(each, Variable)
    ]
    basic = body(
        f"urlTemplate: {URL}\nauth: {{ type: basic, username: '${{A}}', password: '${{B}}' }}",
        secrets,
    )
    assert isinstance(basic.auth, BasicAuth)
    key = body(
        f"urlTemplate: {URL}\n"
        "auth: { type: api_key, in: query, name: key, valueTemplate: 'x ${A}${B}' }",
        secrets,
    )
    assert isinstance(key.auth, KeyAuth)
    assert ("key", True, "x ${A}${B}") == (
        key.auth.name,
        key.auth.in_query,
        shown(key.auth.value),
    )
    assert ("A", "B") == key.secrets


@pytest.mark.parametrize(
    ("name", "meant"),
    [("TOKEN", ("secrets: [TOKEN]",)), ("\u00c4\u00d6", ()), ("kind", ())],
)
def test_what_looks_like_a_secret(name: str, meant: tuple[str, ...]) -> None:
    linked = http(f"urlTemplate: '{URL}?key=${{{name}}}'", inline="id: int")
    (told,) = linked.diagnostics
    assert meant == told.suggestions


def test_secrets_are_in_no_schema() -> None:
    linked = http(
        f"urlTemplate: {URL}\nauth: {{ type: bearer, token: '${{TOKEN}}' }}",
        "secrets: [TOKEN]\n",
    )
    assert {"id"} == set(linked.properties)
    assert "TOKEN" not in str(linked.tool.bound_schema)


def payload(lines: str, inline: str = "id: int\nwho: string") -> object:
    """The payload of a POST."""
    made = body(f"method: POST\nurlTemplate: {URL}\n{lines}", inline=inline)
    return made.payload


def test_arguments_are_found_anywhere_in_a_json_body() -> None:
    who = "${who}"
    read = payload(
        f"body: {{ a: '{who}', b: [1, true, ~, 'x {who}'], c: {{ d: text }} }}"
    )
    assert isinstance(read, JsonPayload) and isinstance(read.value, dict)
    assert {"a", "b", "c"} == set(read.value)
    assert "${who}" == shown(read.value["a"])  # type: ignore[arg-type]
    one, yes, nothing, text = read.value["b"]  # type: ignore[misc]
    assert (1, True, None, "x ${who}") == (one, yes, nothing, shown(text))  # type: ignore[arg-type]


def test_a_text_that_is_json_is_json() -> None:
    read = payload('body: \'{"a": "${who}", "b": [1.5]}\'')
    assert isinstance(read, JsonPayload) and isinstance(read.value, dict)
    assert ("${who}", [1.5]) == (shown(read.value["a"]), read.value["b"])  # type: ignore[arg-type]


def test_arguments_are_found_in_forms_and_texts() -> None:
    form = payload(
        "headers: { Content-Type: application/x-www-form-urlencoded }\nbody: { a: '${who}', b: 1 }"
    )
    assert isinstance(form, FormPayload)
    assert [("a", "${who}"), ("b", "1")] == [(n, shown(t)) for n, t in form.fields]
    text = payload("headers: { Content-Type: text/plain }\nbody: 'Dear ${who}, {'")
    assert isinstance(text, TextPayload) and "Dear ${who}, {" == shown(text.text)


def test_timeouts_and_retries_have_defaults_and_can_be_set() -> None:
    plain = body(f"urlTemplate: {URL}")
    assert ("GET", 30_000, Retry(), Response()) == (
        plain.method,
        plain.timeout_ms,
        plain.retry,
        plain.response,
    )
    assert (429, 502, 503, 504) == plain.retry.status_codes
    made = body(
        f"method: PUT\nurl: {URL}\ntimeoutMs: 500\n"
        "retry: { maxAttempts: 5, delayMs: 10, maxDelayMs: 40, statusCodes: [503], "
        "anyMethod: true }",
        "response: { successCodes: [200, 204], errorMode: empty, encoding: text }\n",
    )
    assert (
        Retry(
            max_attempts=5,
            delay_ms=10,
            max_delay_ms=40,
            status_codes=(503,),
            any_method=True,
        )
        == made.retry
    )
    assert (
        Response(
            success_codes=(200, 204), error_mode=ErrorMode.EMPTY, encoding=Encoding.TEXT
        )
        == made.response
    )
    assert ("PUT", 500) == (made.method, made.timeout_ms)


@pytest.mark.parametrize(
    ("lines", "slug"),
    [
        ("method: get", "unknown-choice"),
        ("timeoutMs: 0", "wrong-kind"),
        ("retry: { maxAttempts: 0 }", "wrong-kind"),
        ("retry: { statusCodes: [9] }", "wrong-kind"),
        ("query: { a: [1] }", "wrong-kind"),
        ("auth: { type: oauth, token: x }", "unknown-choice"),
        ("auth: { type: basic, username: x }", "missing-key"),
        ("auth: { token: x }", "missing-key"),
        ("hedaers: {}", "unknown-key"),
    ],
)
def test_a_request_of_a_wrong_shape_is_told(lines: str, slug: str) -> None:
    assert [slug] == http(f"urlTemplate: {URL}\n{lines}").slugs


def test_an_argument_of_the_context_can_be_sent() -> None:
    inline = "id: int\nwho: { type: string, from_context: app.user.id }"
    made = http(f"urlTemplate: {URL}\nheaders: {{ X-User: '${{who}}' }}", inline=inline)
    assert ([], {"id"}) == (made.slugs, set(made.properties))


def test_an_api_function_has_its_request_beside_the_other_keys() -> None:
    linked = link(
        f"type: api_function\nname: probe\nurl: {URL}\nmethod: DELETE\n"
        "allowed_hosts: [api.example.com]\nparameters: { inline: { id: int } }\n"
    )
    assert isinstance(linked.tool.body, HttpBody)
    assert "DELETE" == linked.tool.body.method
    told = link("type: api_function\nname: probe\nmethod: GET\n").told
    assert [("missing-key", "probe")] == told


def test_what_is_not_known_is_not_missed() -> None:
    linked = http(f"urlTemplate: {URL}/${{other}}", inline="id: int\nother: Nothing")
    assert ["unknown-type"] == linked.slugs


@pytest.mark.parametrize(
    ("url", "slugs"),
    [
        (
            "https://other.test/${nope}/${id}",
            ["host-not-allowed", "undeclared-variable"],
        ),
        ("https://api.example.com/${nope}/${nada}", ["undeclared-variable"] * 2),
        (
            "https://api.example.com/${nope}/${day}",
            ["may-be-absent", "undeclared-variable"],
        ),
        ("https://api.example.com/a b/${nope}", ["bad-url", "undeclared-variable"]),
        ("https://api.example.com/a b/../${id}#x", ["bad-url"] * 3),
        ("https://api.example.com/?${id}=${day}x", ["bad-url", "may-be-absent"]),
        ("https://a_b!/x y", ["bad-url"] * 2),
        ("https://other.test/x y", ["bad-url", "host-not-allowed"]),
        (
            "https://other.test/${SECRET}/..",
            ["bad-url", "host-not-allowed", "secret-in-url"],
        ),
        ("ftp://other.test/${nope}", ["bad-url", "undeclared-variable"]),
        ("https://${nope}/", ["undeclared-variable"]),
        ("https://api.example.com#${id}/${nope}", ["bad-url", "undeclared-variable"]),
        ("https://api.example.com/${id", ["bad-variable"]),
        ("https://api.example.com/{id}/{id}", ["bad-url"] * 2),
        ("https://api.example.com/{id}/{nope}", ["bad-url"] * 2),
        ("https://{id}.example.com/{day}", ["bad-url"] * 2 + ["may-be-absent"]),
        ("https://api.example.com/{SECRET}", ["bad-url", "secret-in-url"]),
    ],
)
def test_every_fault_of_a_url_is_told_in_one_run(url: str, slugs: list[str]) -> None:
    linked = http(f"urlTemplate: '{url}'", "secrets: [SECRET]\n", "id: int\nday: date?")
    assert slugs == sorted(linked.slugs)


@pytest.mark.parametrize("bare", ["/{id}", "/a/{id}?b=${id}", "?id={id}"])
def test_braces_without_their_mark(bare: str) -> None:
    """An argument in braces alone is told at its own place, with what is meant."""
    linked = http(f"urlTemplate: 'https://api.example.com{bare}'")
    assert [("bad-url", "{id}")] == linked.told
    assert [("${id}",)] == [each.suggestions for each in linked.diagnostics]


@pytest.mark.parametrize("bare", ["who.name", "who.ids[0]"])
def test_what_is_below_an_argument_is_meant_as_well(bare: str) -> None:
    inline = "who: { type: object, fields: { name: string, ids: 'int[]' } }"
    linked = http(f"urlTemplate: 'https://api.example.com/{{{bare}}}'", inline=inline)
    assert [("bad-url", f"{{{bare}}}")] == linked.told
    assert [(f"${{{bare}}}",)] == [each.suggestions for each in linked.diagnostics]


@pytest.mark.parametrize("bare", ["/$${id}", "/{nope}", "/{id", "/{}"])
def test_braces_that_name_no_argument(bare: str) -> None:
    url = f"https://api.example.com{bare}"
    linked = http(f"urlTemplate: '{url}'")
    assert [("bad-url", f"'{url}'")] == linked.told
    assert [()] == [each.suggestions for each in linked.diagnostics]


def test_what_uses_a_secret_and_was_refused_is_the_only_mistake() -> None:
    auth = "auth: {type: beerer, token: '${KEY}'}"
    linked = http(f"urlTemplate: {URL}\n{auth}", "secrets: [KEY]\n")
    assert [("unknown-choice", "beerer")] == linked.told


def test_an_argument_with_a_refused_default_is_not_absent_besides() -> None:
    linked = http(f"urlTemplate: {URL}", inline="id: {type: int, default: many}")
    assert [("wrong-value", "many")] == linked.told
