"""Pieces: the template of one value in, the expression that expands it in its place out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote, quote_plus

from brimgen.emit.code import Code, py
from brimgen.emit.expressions import Call, Expression, called
from brimgen.emit.http.imports import Imports
from brimgen.emit.http.types import Types
from brimgen.emit.names import attribute_name
from brimgen.frozen import dataclass
from brimgen.model.fields import Caller, Context, Field, Host
from brimgen.model.http import SEPARATORS, Literal, Style, Template, Variable
from brimgen.model.types import JsonType, NullableType

HIDDEN = Code("hidden=True")


@dataclass(frozen=True, slots=True)
class Pieces:
    """The fields of a tool by name, and the module that is written."""

    fields: Mapping[str, Field]
    types: Types
    imports: Imports
    nulls: Code

    def name_of(self, variable: Variable) -> str:
        """What a message calls a variable."""
        if variable.is_secret:
            return variable.name
        origin = self.fields[variable.name].origin
        match origin:
            case Context(path):
                return ".".join(path)
            case Caller() | Host():
                return variable.name

    def is_hidden(self, variable: Variable) -> bool:
        """Whether its value is nobody's to see but the other side's."""
        if variable.is_secret:
            return True
        return not isinstance(self.fields[variable.name].origin, Caller)

    def may_be_absent(self, variable: Variable) -> bool:
        """Whether nothing may stand for it."""
        if variable.is_secret:
            return False
        if variable.path:
            return True
        field = self.fields[variable.name]
        is_optional = not field.required and not _has_value(field)
        return is_optional or _is_nullable(field)

    def value(self, variable: Variable, *, as_json: bool = False) -> Expression:
        """The expression of its value: JSON, or what can be written as text."""
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

    def _styled(
        self, function: str, variable: Variable, more: Sequence[Expression]
    ) -> Call:
        """``function(value, …, name)``, which writes the value in its style."""
        value = self._plain_value(variable, variable.style is Style.JSON)
        last = (HIDDEN,) if self.is_hidden(variable) else ()
        name = py(self.name_of(variable))
        return called(self.imports.name(function), value, *more, name, *last)

    def _plain_value(self, variable: Variable, as_json: bool) -> Expression:
        if variable.is_secret:
            function = self.imports.name("secret")
            return called(function, Code("secrets"), py(variable.name))
        field = self.fields[variable.name]
        attribute = f"bound.{attribute_name(field.name)}"
        absent = self.may_be_absent(Variable(variable.name, variable.span))
        if variable.path:
            root = self.types.json(field.type, attribute, optional=absent)
            steps = [py(each) for each in variable.path]
            return called(self.imports.name("member"), root, *steps)
        if as_json:
            return self.types.json(field.type, attribute, optional=absent)
        return self.types.text(field.type, attribute, optional=absent)

    def placed(self, function: str, variable: Variable) -> Call:
        """``function(value, name)``, which encodes a variable where it stands."""
        if function == "text" and variable.is_secret:
            function = self.imports.name("secret")
            return called(function, Code("secrets"), py(variable.name))
        found = self.value(variable), py(self.name_of(variable))
        more = (HIDDEN,) if self.is_hidden(variable) else ()
        return called(self.imports.name(function), *found, *more)

    def checked(self, function: str, found: Expression, template: Template) -> Call:
        """``function(found, name)``, which checks the whole of a value."""
        named = last(template)
        more = (HIDDEN,) if any(map(self.is_hidden, variables(template))) else ()
        name = py(self.name_of(named))
        return called(self.imports.name(function), found, name, *more)

    def joined(self, items: Iterable[Expression]) -> Expression:
        """Encoded pieces as one text; literals that meet are one."""
        found: list[Expression] = []
        text = ""
        for each in items:
            if isinstance(each, Code):
                text += each
                continue
            found += [py(text)] if text else []
            text = ""
            found.append(each)
        found += [py(text)] if text else []
        if len(found) == 1:
            return found[0]
        return called(self.imports.name("joined"), *found) if found else py("")

    def texts(self, template: Template, function: str) -> list[Expression]:
        """The pieces: literals as bare `Code` for `joined`, variables encoded by ``function``."""
        return [
            (
                Code(each.text)
                if isinstance(each, Literal)
                else self.placed(function, each)
            )
            for each in template
        ]

    def plain(self, template: Template) -> Expression:
        """The text of a template, nothing encoded."""
        return self.joined(self.texts(template, "text"))

    def pair(
        self,
        key: str,
        template: Template,
        *,
        form: bool = False,
        is_encoded: bool = False,
    ) -> tuple[list[Expression], bool]:
        """The pieces of a pair, for `joined`; or, True, one expression of a list of pairs."""
        one, many = ("form_quoted", "form_fields") if form else ("quoted", "pairs")
        name = key if is_encoded else _encoded(key, form)
        alone = variables(template) if len(template) == 1 else []
        if alone and alone[0].style is Style.DEEP:
            many = "deep_fields" if form else "deep_pairs"
        if any(self.may_be_absent(x) or self.is_list(x) for x in alone):
            call = self.placed(many, alone[0])
            return [Call(call.head, (py(name), *call.arguments))], True
        encoded = [
            (
                each
                if is_encoded or isinstance(each, Variable)
                else Literal(_encoded(each.text, form))
            )
            for each in template
        ]
        return [Code(f"{name}="), *self.texts(tuple(encoded), one)], False

    def is_list(self, variable: Variable) -> bool:
        """Whether its value may be a list."""
        if variable.is_secret or variable.style is Style.JSON:
            return False
        schema = self.fields[variable.name].schema
        return schema.get("type") not in ("string", "integer", "number", "boolean")

    def asked(self, found: Sequence[tuple[list[Expression], bool]]) -> Call:
        """The list of pairs of a query or a form."""
        items: list[Expression] = []
        for pieces, is_many in found:
            if is_many:
                (call,) = pieces
                assert isinstance(call, Call)
                items.append(Call(f"*{call.head}", call.arguments, call.close))
            else:
                items.append(self.joined(pieces))
        return Call("[", tuple(items), "]")


def _encoded(text: str, form: bool) -> str:
    return quote_plus(text) if form else quote(text, safe="")


def _has_value(field: Field) -> bool:
    return field.default is not None and field.default.value is not None


def _is_nullable(field: Field) -> bool:
    return isinstance(field.type, NullableType | JsonType)


def variables(template: Template) -> list[Variable]:
    """The variables of a template, in order."""
    return [each for each in template if isinstance(each, Variable)]


def last(template: Template) -> Variable:
    """The last variable of a template that has one."""
    return variables(template)[-1]


def is_literal(template: Template) -> bool:
    """Whether a template says the same whatever is given."""
    return not variables(template)


def literal(template: Template) -> str:
    """The text of a literal template."""
    return "".join(each.text for each in template if isinstance(each, Literal))


def keeps_null(field: Field) -> bool:
    """Whether the object of a call knows a null from an absence."""
    is_optional = not field.required and not _has_value(field)
    return is_optional and _is_nullable(field) and isinstance(field.origin, Caller)
