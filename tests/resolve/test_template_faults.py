"""What is said of a template that Jinja cannot read: in its own words, at the place to mend."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.resolve.prompts.names import TemplateFault, free_names, read_tree

OPEN = "{% if a %}x{% for b in c %}y{% endfor %}"


def _fault(text: str) -> TemplateFault:
    with pytest.raises(TemplateFault) as raised:
        free_names(read_tree(text), text)
    return raised.value


@pytest.mark.parametrize(
    ("text", "reason", "marked", "meant"),
    [
        ("A {{ b\nc", "`{{` is not closed: `}}` is missing", "{{ b", ()),
        ("A {% if b\nc", "`{%` is not closed: `%}` is missing", "{% if b", ()),
        ("A {# b\nc", "`{#` is not closed: `#}` is missing", "{# b", ()),
        ("{{ b }\nc", "`{{` ends with `}}`, not with `}`", "}", ("}}",)),
        ("A {{ b", "`{{` is not closed: `}}` is missing", "{{ b", ()),
        ("{{ (b }}", "`)` is missing before `}}`", "}}", ()),
        (
            f"{OPEN}\nz",
            "`{% if %}` is not closed: `{% endif %}` is missing",
            "{% if a %}",
            (),
        ),
        (
            "{% if a %}{% if b %}{# {% endif %} #}{% endif %}",
            "`{% if %}` is not closed: `{% endif %}` is missing",
            "{% if a %}",
            (),
        ),
        (
            "{% set a = 1 %}{% set b %}{% raw %}{% endset %}{% endraw %}",
            "`{% set %}` is not closed: `{% endset %}` is missing",
            "{% set b %}",
            (),
        ),
        (
            "{% raw %} b",
            "`{% raw %}` is not closed: `{% endraw %}` is missing",
            "{% raw %} b",
            (),
        ),
        (
            "{% for b in c %}{% endif %}",
            "`{% endif %}` stands where `{% for %}` is still open",
            "endif",
            ("endfor",),
        ),
        (
            "{% endfor %}",
            "`{% endfor %}` stands where no `{% for %}` is open",
            "endfor",
            (),
        ),
        ("{% else %}", "`{% else %}` stands where no `{% if %}` is open", "else", ()),
        ("{% iff b %}", "there is no tag `iff`", "iff", ("if",)),
        ("{% do b %}", "there is no tag `do`", "do", ()),
        ("{{ }}", "something is missing before `}}`", "}}", ()),
        ("{% if %}", "something is missing before `%}`", "%}", ()),
        ("{{ b + }}", "something is missing before `}}`", "}}", ()),
        ("{{ b. }}", "a name is missing before `}}`", "}}", ()),
        ("{{ b | }}", "a name is missing before `}}`", "}}", ()),
        ('{{ "b }}', 'the text that " begins does not end', '"b }}', ()),
        ("{{ b cd }}", "`}}` is expected before `cd`", "cd", ()),
        ('{{ b "cd" }}', '`}}` is expected before `"cd"`', '"cd"', ()),
        ("{% for b cd %}", "`in` is expected before `cd`", "cd", ()),
        ("{% if b = c %}", "`%}` is expected before `=`", "=", ("==",)),
        ("{{ b || c }}", "`||` means nothing here", "||", ("or",)),
        ("{{ b && c }}", "`&&` means nothing here", "&&", ("and",)),
        ("{{ !b }}", "`!` means nothing here", "!", ("not",)),
        (
            "{{ b ? c : d }}",
            "`?` means nothing here",
            "?",
            ("a if … else b",),
        ),
        (
            "{% if a %}b{% else if c %}d{% endif %}",
            "`else if` is one word here",
            "else if",
            ("elif",),
        ),
        ("{% block a %}{% endblock %}{% block a %}{% endblock %}", None, None, ()),
    ],
)
def test_a_fault_in_a_template_is_told_at_its_place(
    text: str, reason: str | None, marked: str | None, meant: tuple[str, ...]
) -> None:
    fault = _fault(text).fault
    if reason is None:  # a rare one: in Jinja's words
        assert "block 'a' defined twice" == fault.reason
        return
    assert (reason, marked) == (fault.reason, text[fault.start : fault.end])
    assert meant == fault.suggestions


def test_what_is_still_open_is_shown() -> None:
    text = f"{OPEN}{{% for d in e %}}{{% endif %}}"
    opened = _fault(text).fault.opened
    assert opened is not None
    assert "{% for d in e %}" == text[slice(*opened)]


MARKS = (
    "{{",
    "}}",
    "{%",
    "%}",
    "{#",
    "#}",
    "(",
    "]",
    "}",
    "|",
    "&",
    ".",
    "=",
    "'",
    '"',
)
WORDS = ("a", "if", "else", "for", "endif", "endfor", "raw", "endraw", "set", "\n")
PIECES = st.sampled_from((*MARKS, *WORDS))


@given(st.lists(PIECES, max_size=12).map(" ".join))
def test_every_fault_has_a_place_in_its_text(text: str) -> None:
    try:
        free_names(read_tree(text), text)
    except TemplateFault as problem:
        fault = problem.fault
        assert 0 <= fault.start <= fault.end <= len(text)
        assert fault.reason
        assert fault.opened is None or fault.opened[0] < fault.opened[1] <= fault.start
