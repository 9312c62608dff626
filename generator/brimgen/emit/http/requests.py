"""Requests: a request taken apart in, the lines of ``build`` that put it together out."""

from __future__ import annotations

from brimgen.emit.code import Code, assigned, py
from brimgen.emit.expressions import Call, Expression, called, laid_out
from brimgen.emit.http.payloads import body
from brimgen.emit.http.pieces import (
    HIDDEN,
    Pieces,
    is_literal,
    last,
    literal,
    variables,
)
from brimgen.model.http import (
    SEPARATORS,
    Auth,
    BasicAuth,
    BearerAuth,
    Encoding,
    FormPayload,
    HttpBody,
    JsonPayload,
    KeyAuth,
    Literal,
    Template,
    TextPayload,
    Url,
    Variable,
)

_BODY = 4
_ALWAYS_PRIVATE = frozenset({"authorization", "cookie", "proxy-authorization"})


def shown(url: Url) -> str:
    """A URL as its spec writes it, without a value."""
    path = "".join(f"/{_written(each)}" for each in url.segments)
    asked = "&".join(f"{key}={_written(each)}" for key, each in url.query)
    end = f"?{asked}" if asked else ""
    return f"{url.scheme}://{_written(url.authority)}{path}{end}"


def _written(template: Template) -> str:
    return "".join(
        each.text if isinstance(each, Literal) else f"${{{_named(each)}}}"
        for each in template
    )


def _named(variable: Variable) -> str:
    steps = [f"[{x}]" if isinstance(x, int) else f".{x}" for x in variable.path]
    style = f" | {variable.style}" if variable.style else ""
    return variable.name + "".join(steps) + style


class Building:
    """Writes the body of ``build``."""

    def __init__(self, request: HttpBody, pieces: Pieces) -> None:
        self.request = request
        self.pieces = pieces
        self.lines: list[Code] = []
        self.private: set[str] = set()

    def written(self) -> tuple[Code, ...]:
        """The lines, each at four columns."""
        self._url()
        self._query()
        self._headers()
        has_body = self.request.payload is not None
        if self.request.payload is not None:
            self.lines += body(self.request.payload, self.pieces)
        arguments: list[Expression] = [
            py(self.request.method),
            Code("url"),
            Code("tuple(sent)"),
        ]
        arguments.append(Code("body" if has_body else "None"))
        arguments += [Code("SHOWN"), self._private()]
        if self._is_body_private():
            arguments.append(Code("is_private=True"))
        function = self.pieces.imports.name("Request")
        made = called(function, *arguments)
        self.lines.append(laid_out(made, before="return ", indent=_BODY))
        return tuple(self.lines)

    def _private(self) -> Expression:
        names = tuple(py(each) for each in sorted(self.private))
        if len(names) == 1:
            return Code(f"({names[0]},)")
        return Call("(", names, ")") if names else Code("()")

    def _add(self, expression: Expression, operator: str = "+=") -> None:
        before = f"url {operator} "
        if isinstance(expression, Code):
            self.lines.append(assigned(before, expression, indent=_BODY))
        else:
            self.lines.append(laid_out(expression, before=before, indent=_BODY))

    def _url(self) -> None:
        url, pieces = self.request.url, self.pieces
        text = f"{url.scheme}://"
        operator = "="
        if is_literal(url.authority):
            text += literal(url.authority)
        else:
            self._add(py(text), operator)
            text, operator = "", "+="
            self._add(self._authority(url))
        for template in url.segments:
            text += "/"
            if is_literal(template):
                text += literal(template)
                continue
            self._add(py(text), operator)
            text, operator = "", "+="
            if len(template) == 1:
                self._add(pieces.placed("segment", last(template)))
            else:
                found = pieces.joined(pieces.texts(template, "part"))
                self._add(pieces.checked("whole", found, template))
        if text:
            self._add(py(text), operator)

    def _authority(self, url: Url) -> Call:
        pieces = self.pieces
        found = pieces.joined(pieces.texts(url.authority, "host_part"))
        call = pieces.checked("authority", found, url.authority)
        hosts = Code("PLAN.hosts"), py(url.scheme)
        more = call.arguments
        end = 1 if more[-1] == HIDDEN else 0
        middle = (*more[: len(more) - end], *hosts, *more[len(more) - end :])
        return Call(call.head, middle)

    def _query(self) -> None:
        pieces, auth = self.pieces, self.request.auth
        found = [
            pieces.pair(key, each, is_encoded=True)
            for key, each in self.request.url.query
        ]
        found += [pieces.pair(key, each) for key, each in self.request.query]
        if isinstance(auth, KeyAuth) and auth.in_query:
            found.append(pieces.pair(auth.name, auth.value))
        if not found:
            return
        if any(is_many for _, is_many in found):
            asked = pieces.asked(found)
            self.lines.append(laid_out(asked, before="asked = ", indent=_BODY))
            self._add(called(pieces.imports.name("query"), Code("asked")))
            return
        items: list[Expression] = []
        for each, _ in found:
            items += [Code("&" if items else "?"), *each]
        self._add(pieces.joined(items))

    def _headers(self) -> None:
        items: list[Expression] = []
        names = {key.casefold() for key, _ in self.request.headers}
        for key, usual in self._usual():
            if key.casefold() not in names:
                items.append(Call("(", (py(key), py(usual))))
        for key, template in self.request.headers:
            self._note(key, template)
            items.append(self._header(key, template))
        if self.request.auth is not None:
            items += self._auth(self.request.auth)
        listed = Call("[", tuple(items), "]")
        self.lines.append(laid_out(listed, before="sent = ", indent=_BODY))

    def _note(self, key: str, template: Template) -> None:
        hidden = any(map(self.pieces.is_hidden, variables(template)))
        if hidden or key.casefold() in _ALWAYS_PRIVATE:
            self.private.add(key.lower())

    def _usual(self) -> list[tuple[str, str]]:
        reads = self.request.response.encoding
        found = [("Accept", "application/json")] if reads is Encoding.JSON else []
        match self.request.payload:
            case JsonPayload():
                found.append(("Content-Type", "application/json"))
            case FormPayload():
                found.append(("Content-Type", "application/x-www-form-urlencoded"))
            case TextPayload():
                found.append(("Content-Type", "text/plain; charset=utf-8"))
            case None:
                pass
        return found

    def _header(self, key: str, template: Template) -> Call:
        pieces = self.pieces
        if is_literal(template):
            return Call("(", (py(key), py(literal(template).strip(" \t"))))
        if len(template) == 1:
            variable = last(template)
            is_joined = variable.style in SEPARATORS
            if pieces.may_be_absent(variable) or is_joined:
                call = pieces.placed("headers", variable)
                return Call(f"*{call.head}", (py(key), *call.arguments))
            return Call("(", (py(key), pieces.placed("header", variable)))
        found = pieces.checked("header", pieces.plain(template), template)
        return Call("(", (py(key), found))

    def _auth(self, auth: Auth) -> list[Expression]:
        match auth:
            case BearerAuth(token):
                self.private.add("authorization")
                return [self._bearer(token)]
            case BasicAuth(username, password):
                self.private.add("authorization")
                return [self._basic(username, password)]
            case KeyAuth(name, value, in_query):
                if in_query:
                    return []
                self.private.add(name.lower())
                return [self._header(name, value)]

    def _bearer(self, token: Template) -> Call:
        pieces = self.pieces
        name = pieces.name_of(last(token)) if variables(token) else "authorization"
        function = pieces.imports.name("bearer")
        found = called(function, pieces.plain(token), py(name))
        return Call("(", (py("Authorization"), found))

    def _basic(self, username: Template, password: Template) -> Call:
        pieces = self.pieces
        named = variables(username) + variables(password)
        name = pieces.name_of(named[0]) if named else "authorization"
        function = pieces.imports.name("basic")
        found = called(
            function, pieces.plain(username), pieces.plain(password), py(name)
        )
        return Call("(", (py("Authorization"), found))

    def _is_body_private(self) -> bool:
        payload = self.request.payload
        return payload is not None and any(map(self.pieces.is_hidden, held(payload)))


def held(payload: JsonPayload | FormPayload | TextPayload) -> list[Variable]:
    """The variables of a body."""
    match payload:
        case JsonPayload(value):
            pending, found = [value], list[Variable]()
            while pending:
                each = pending.pop()
                match each:
                    case tuple():
                        found += variables(each)
                    case list():
                        pending += each
                    case dict():
                        pending += each.values()
                    case _:
                        pass
            return found
        case FormPayload(fields):
            return [x for _, template in fields for x in variables(template)]
        case TextPayload(text):
            return variables(text)
