"""Lines of a template: their values are laid out where they stand, and Python as black does it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import black
import jinja2
import pytest

from brimgen.emit import render as room
from brimgen.emit.code import Code, py
from brimgen.emit.python_text.pieces import (
    all_of,
    any_of,
    call,
    compared,
    either,
    grouped,
    joined,
    list_of,
    literal,
    subscript,
    tuple_of,
)
from brimgen.emit.render import CodeEnvironment, template_root
from brimgen.emit.template_lines import RawText, only_code

_MODE = black.Mode(line_length=88)
_LENGTHS = (1, 9, 23, 31, 40, 64, 90)


def _render(template: str, file: str = "a.py.j2", **view: object) -> str:
    environment = CodeEnvironment(
        loader=jinja2.DictLoader({file: template}),
        finalize=only_code,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(room.FILTERS)
    return environment.get_template(file).render(view=SimpleNamespace(**view))


def _view(length: int) -> dict[str, object]:
    name, other = Code("n" * length), Code("other_name")
    items = [Code(f"{name}_{each}") for each in range(3)]
    tests = [compared(each, ">=", py(3)) for each in items]
    return {
        "name": name,
        "type": subscript(Code("dict"), Code("str"), either([name, Code("None")])),
        "union": either([name, Code("bytes")]),
        "call": call(Code("read"), name, subscript(other, py("key"))),
        "tests": all_of(tests),
        "choice": grouped(any_of(tests)),
        "items": list_of(call(name, Code("each")), "each", other),
        "arguments": joined(items),
        "none": joined(()),
        "pair": tuple_of([name, other]),
        "text": literal("one; two # three: \"'(" + "x" * length),
    }


@pytest.mark.parametrize(
    "line",
    [
        "return cls.from_dict({{ view.name }}.read_call(raw))",
        "return {{ view.pair }}",
        "return cls({{ view.arguments }},)",
        "return cls({{ view.none }},)",
        "return [each.{{ view.name }} for each in other if each.is_made]",
        "return {each: {{ view.name }}[each] for each, more in other.items()}",
        "return {{ view.name }} if other is not None else (first, {{ view.text }})",
        "return usual_{{ view.name }}(raw)",
        "raise Unusual({{ view.text }}) from None",
        "{{ view.name }} = {{ view.call }}",
        "{{ view.name }} = (called({{ view.name }}, key={{ view.text }},),)",
        "{{ view.name }}: {{ view.type }} = field(default={{ view.name }}, kw_only=True)",
        "{{ view.name }}: Mapping[str, {{ view.name }}]",
        "made.{{ view.name }} = {{ view.items }}",
        'encoded["a"] = None if {{ view.name }} is None else to_json_value({{ view.name }})',
        "encoded.update(dict.fromkeys(self.{{ view.name }}))",
        'found = (*first, -1, *{{ view.arguments }}, "b")',
        "seen += {{ view.call }}",
        "if len(raw) == seen and {{ view.tests }}:",
        "if not {{ view.choice }} or {{ view.text }} not in raw:",
        "elif {{ view.name }} is not None:",
        "for each in {{ view.call }}:",
        "while {{ view.tests }}:",
        "except ({{ view.name }}, LookupError):",
        "def bind(cls, call: {{ view.name }}, context: object = None) -> Self:",
        "def read(cls, raw: {{ view.union }}, /, *, key: str = {{ view.text }}) -> Self:",
        "async def run(self, given: {{ view.type }} | None = None) -> {{ view.union }}:",
        "class {{ view.name }}Input({{ view.name }}, JsonObject):",
        "@decorated({{ view.text }}, {{ view.name }}=1)",
        "check(lambda value: {{ view.name }}({{ view.text }}), *{{ view.name }})",
        "await {{ view.name }}.run({{ view.call }}, **options)",
    ],
)
def test_python_is_laid_out_as_black_does(line: str) -> None:
    for length in _LENGTHS:
        for depth in (0, 1, 2):
            around = "".join(f"{'    ' * each}class A:\n" for each in range(depth))
            own, body = "    " * depth, ""
            if line.endswith(":"):
                body = f"{own}    pass\n"
                if line.startswith(("elif", "except")):
                    word = "if first" if line.startswith("elif") else "try"
                    around += f"{own}{word}:\n{own}    pass\n"
            elif line.startswith("@"):
                body = f"{own}def after() -> None: ...\n"
            text = _render(f"{around}{own}{line}\n{body}", **_view(length))
            assert text == black.format_str(text, mode=_MODE)


def test_an_item_of_a_bracket_is_laid_out_with_its_comma() -> None:
    template = "TOOL = Tool(\n    {{ view.text }},\n    names={{ view.names }},\n)\n"
    names = literal({"/properties/lines/items": "OrderLine" * 8, "/more": "Address"})
    text = _render(template, text=py("one"), names=names)
    assert text == black.format_str(text, mode=_MODE)
    assert 'names={\n        "/properties' in text


def test_what_a_literal_holds_is_not_read() -> None:
    text = "x" * 60 + " = (a, b), and c or d"
    assert _render("value = {{ view.text }}\n", text=py(text)) == (
        f'value = (\n    "{text}"\n)\n'
    )


def test_a_line_that_is_no_statement_is_printed_as_it_is() -> None:
    name = Code("n" * 90)
    for line in (
        "import {{ view.name }}",
        "called({{ view.name }}, first,",
        "a ? {{ view.name }}",
    ):
        assert (
            _render(f"{line}\n", name=name)
            == line.replace("{{ view.name }}", name) + "\n"
        )


def test_a_line_with_a_tag_in_it_is_printed_in_parts() -> None:
    template = "a = {{ view.a }}{% if view.b %} + {{ view.b }}{% endif %} + 3\nb = {{ view.b }}\n"
    assert _render(template, a=Code("1"), b=Code("2")) == "a = 1 + 2 + 3\nb = 2\n"


def test_values_are_laid_out_at_the_column_of_their_line() -> None:
    template = (
        "class A:\n    {{ view.text | docstring }}\n\n"
        "    KEYS = {{ view.value | py_block }}\n"
    )
    value = {f"key_{each}": [each] * 5 for each in range(8)}
    text = _render(template, text="One.\n\nTwo.", value=value)
    assert text == black.format_str(text, mode=_MODE)
    assert '"""One.\n\n    Two.\n    """' in text


def test_raw_text_is_refused_in_a_line() -> None:
    for line in (
        "a = {{ view.raw }}",
        "{{ view.raw }}",
        "f({{ view.code }}, {{ view.raw }})",
    ):
        with pytest.raises(RawText):
            _render(f"{line}\n", raw="1; import os", code=Code("1"))


@pytest.mark.parametrize(
    "path",
    sorted(Path(str(template_root())).rglob("*.py.j2")),
    ids=lambda path: path.name,
)
def test_lines_that_print_have_no_tags_in_them(path: Path) -> None:
    for line in path.read_text("utf-8").splitlines():
        assert not ("{{" in line and "{%" in line), line
