"""What is said of a template that Jinja cannot read: in its own words, at the place to mend."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from brimgen.resolve.prompts.names import TemplateFault, free_names, read_tree

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
