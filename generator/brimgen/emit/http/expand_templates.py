"""Write the expressions that expand templates, with values encoded for their places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote, quote_plus

from brimgen.emit.code import Code, py
from brimgen.emit.http.module_imports import Imports
from brimgen.emit.http.types import Types
from brimgen.emit.names import field_attribute
from brimgen.emit.python_text import (
    call,
    listed,
)
from brimgen.frozen import dataclass
from brimgen.model.fields import Caller, Context, Host
from brimgen.model.http import SEPARATORS, Literal, Style, Template, Variable
from brimgen.model.types import Field

HIDDEN = Code("hidden=True")


class Text(str):
    """A literal part of a text that is joined at run time."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Pieces:
    """The fields of a tool by name, and the module that is written."""

    fields: Mapping[str, Field]
    types: Types
    imports: Imports
    nulls: Code

    def name_of(self, variable: Variable) -> str:
        """Return the name of a variable in messages."""
        if variable.is_secret:
            return variable.name
        origin = self.fields[variable.name].origin
        match origin:
            case Context(path):
                return ".".join(path)
            case Caller() | Host():
                return variable.name

    def is_hidden(self, variable: Variable) -> bool:
        """Whether only the other side may see its value."""
        if variable.is_secret:
            return True
        return not isinstance(self.fields[variable.name].origin, Caller)

    def may_be_absent(self, variable: Variable) -> bool:
        """Whether its value may be absent."""
        if variable.is_secret:
            return False
        if variable.path:
            return True
        field = self.fields[variable.name]
        is_optional = not field.required and not _has_value(field)
        return is_optional or field.may_be_null

    def value(self, variable: Variable, *, as_json: bool = False) -> Code:
        """Return the expression of its value: JSON, or what can be written as text."""
        match variable.style:
            case None:
                return self._plain_value(variable, as_json)
            case Style.DEEP:
                return self._plain_value(variable, True)
            case Style.JSON:
                return self._styled("json_text", variable, [])
            case Style.COMMA | Style.SPACE | Style.PIPE as style:
                function = "delimited_text" if as_json else "delimited"
                return self._styled(function, variable, [py(SEPARATORS[style])])

    def _styled(self, function: str, variable: Variable, more: Sequence[Code]) -> Code:
        """Return ``function(value, …, name)``, which writes the value in its style."""
        value = self._plain_value(variable, variable.style is Style.JSON)
        last = (HIDDEN,) if self.is_hidden(variable) else ()
        name = py(self.name_of(variable))
        return call(self.imports.name(function), value, *more, name, *last)

    def _plain_value(self, variable: Variable, as_json: bool) -> Code:
        if variable.is_secret:
            function = self.imports.name("secret")
            return Code(f"{function}(secrets, {py(variable.name)})")
        field = self.fields[variable.name]
        value = Code(f"bound.{field_attribute(field)}")
        absent = self.may_be_absent(Variable(variable.name, variable.span))
        if variable.path:
            root = self.types.json(field.type, value, optional=absent)
            steps = [py(step) for step in variable.path]
            return call(self.imports.name("member"), root, *steps)
        if as_json:
            return self.types.json(field.type, value, optional=absent)
        return self.types.text(field.type, value, optional=absent)

    def placed(self, function: str, variable: Variable, *before: Code) -> Code:
        """Return ``function(before, value, name)``, which encodes a variable for its place."""
        if function == "text" and variable.is_secret:
            function = self.imports.name("secret")
            return Code(f"{function}(secrets, {py(variable.name)})")
        arguments = self.value(variable), py(self.name_of(variable))
        more = (HIDDEN,) if self.is_hidden(variable) else ()
        return call(self.imports.name(function), *before, *arguments, *more)

    def checked(
        self, function: str, value: Code, template: Template, *more: Code
    ) -> Code:
        """Return ``function(value, name, more)``, which checks the whole of a value."""
        named = last(template)
        hidden = (HIDDEN,) if any(map(self.is_hidden, variables(template))) else ()
        name = py(self.name_of(named))
        return call(self.imports.name(function), value, name, *more, *hidden)

    def joined(self, items: Iterable[Text | Code]) -> Code:
        """Join encoded pieces to one text; adjacent literal texts are merged."""
        parts: list[Code] = []
        text = ""
        for item in items:
            if isinstance(item, Text):
                text += item
                continue
            parts += [py(text)] if text else []
            text = ""
            parts.append(item)
        parts += [py(text)] if text else []
        if len(parts) == 1:
            return parts[0]
        return call(self.imports.name("joined"), *parts) if parts else py("")

    def texts(self, template: Template, function: str) -> list[Text | Code]:
        """Return the pieces of a template for `joined`, with variables encoded by ``function``."""
        return [
            (
                Text(part.text)
                if isinstance(part, Literal)
                else self.placed(function, part)
            )
            for part in template
        ]

    def plain(self, template: Template) -> Code:
        """Return the text of a template without encoding."""
        return self.joined(self.texts(template, "text"))

    def pair(
        self,
        key: str,
        template: Template,
        *,
        form: bool = False,
        is_encoded: bool = False,
    ) -> list[Text | Code] | Code:
        """Return the pieces of a pair for `joined`, or one expression of a list of pairs."""
        one, many = ("form_quoted", "form_fields") if form else ("quoted", "pairs")
        name = key if is_encoded else _encoded(key, form)
        sole = variables(template) if len(template) == 1 else []
        if sole and sole[0].style is Style.DEEP:
            many = "deep_fields" if form else "deep_pairs"
        if any(
            self.may_be_absent(variable) or self.is_list(variable) for variable in sole
        ):
            return self.placed(many, sole[0], py(name))
        encoded = [
            (
                part
                if is_encoded or isinstance(part, Variable)
                else Literal(_encoded(part.text, form))
            )
            for part in template
        ]
        return [Text(f"{name}="), *self.texts(tuple(encoded), one)]

    def is_list(self, variable: Variable) -> bool:
        """Whether its value may be a list."""
        if variable.is_secret or variable.style is Style.JSON:
            return False
        schema = self.fields[variable.name].schema
        return schema.get("type") not in ("string", "integer", "number", "boolean")

    def pair_list(self, pairs: Sequence[list[Text | Code] | Code]) -> Code:
        """Return the list of pairs of a query or a form."""
        return listed(
            [
                self.joined(pair) if isinstance(pair, list) else Code(f"*{pair}")
                for pair in pairs
            ]
        )


def _encoded(text: str, form: bool) -> str:
    return quote_plus(text) if form else quote(text, safe="")


def _has_value(field: Field) -> bool:
    return field.default is not None and field.default.value is not None


def variables(template: Template) -> list[Variable]:
    """Return the variables of a template, in order."""
    return [part for part in template if isinstance(part, Variable)]


def last(template: Template) -> Variable:
    """Return the last variable of a template that has one."""
    return variables(template)[-1]


def is_literal(template: Template) -> bool:
    """Whether a template has no variables."""
    return not variables(template)


def literal(template: Template) -> str:
    """Return the text of a literal template."""
    return "".join(part.text for part in template if isinstance(part, Literal))
