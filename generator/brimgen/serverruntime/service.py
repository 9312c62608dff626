"""Handle tool calls, resource reads and prompts, independently of the SDK."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from ._package import Caller, InputError, Tool, Tools, Validator, encoder_of
from .answers import Result, answered, done, failed, part
from .completion import completion, values_of
from .entries import Function, Request, Sql
from .failures import Refusal
from .lists import Lists, is_read_only, read_entries
from .outcomes import Attempt, value_of
from .parts import handlers_of, has_module, prompts_of, resources_of
from .reading import contents, messages
from .requests import run_request
from .setup import InThread, Run, Setup, resolved
from .statements import NOTHING, Changed, run_statement

_SHOWN = 80


class Service:
    """What a package lists, ready to be used.

    ``package`` is its name. Raises ValueError where ``setup`` names a tool that there is not, and
    RuntimeError where the package lacks its lists.
    """

    def __init__(self, package: str, tools: Tools, setup: Setup) -> None:
        self.package = package
        self.lists = Lists(package)
        self._tools = tools
        self._entries = read_entries(package)
        self.setup = setup
        self._handlers = (
            handlers_of(package) if setup.handlers is None else setup.handlers
        )
        self._validators: dict[str, Validator] = {}
        self._reading = {
            str(tool["name"]) for tool in self.lists.tools if is_read_only(tool)
        }
        self._wanting = {name: self._wanted_by(name) for name in self._entries}
        self._asked = self._asked_for()
        self.lists.keep(
            [
                name
                for name in self._asked
                if not setup.available_only or self._wanting[name] is None
            ]
        )
        self._listed = {str(each["name"]) for each in self.lists.tools}

    def _asked_for(self) -> list[str]:
        setup = self.setup
        listed = {str(each["name"]): each for each in self.lists.tools}
        unknown = {*(setup.only or ())} - {*listed}
        if unknown:
            raise ValueError(f"there is no tool {', '.join(sorted(unknown))}")
        return [
            name
            for name, each in listed.items()
            if (setup.only is None or name in setup.only)
            and (not setup.read_only or is_read_only(each))
        ]

    @property
    def unavailable(self) -> dict[str, str]:
        """The tools that cannot run, listed or not, and what they lack, for an operator.

        Those that the setup leaves out for another reason are not among them.
        """
        return {
            name: wanting
            for name in self._asked
            if (wanting := self._wanting[name]) is not None
        }

    def _wanted_by(self, name: str) -> str | None:
        if name not in self._tools:
            return "its code was not generated"
        match self._entries[name]:
            case Sql(module=module, connection=connection):
                if not has_module(self.package, module):
                    return "its statement was not generated"
                known = connection in self.setup.connections
                return None if known else f"there is no connection {connection}"
            case Request(module=module):
                known = has_module(self.package, module)
                return None if known else "its request was not generated"
            case Function():
                return self._without_handler(name)

    def _without_handler(self, name: str) -> str | None:
        if self._handlers is None:
            return "there is no handler"
        if isinstance(self._handlers, Mapping):
            return None if name in self._handlers else "there is no handler"
        return self._handlers.disabled.get(name)

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | None,
        caller: Caller,
        in_thread: InThread,
    ) -> Result:
        """Return the result of a call.

        Raises Refusal for a tool that is not listed.
        """
        if name not in self._listed:
            raise Refusal.unknown("tool", name)
        if self._wanting[name] is not None:
            return failed(f"{name} is not available on this server.")
        tool = self._tools[name]
        try:
            call = tool.input_type.from_call(arguments or {})
        except InputError as error:
            return failed(error.retry_message())
        with Attempt(name, tool) as attempt:
            return await self._result(tool, call, caller, in_thread)
        return failed(attempt.problem or name)

    async def _result(
        self, tool: Tool[Any, Any], call: Any, caller: Caller, in_thread: InThread
    ) -> Result:
        setup, package = self.setup, self.package
        match self._entries[tool.name]:
            case Sql() as entry:
                database = setup.connections[entry.connection]
                bound = await self._bound(tool, call, caller, in_thread)
                reads = setup.read_only or tool.name in self._reading
                run = partial(
                    run_statement, package, entry, database, bound, reads=reads
                )
                # An answer that does not fit is known before anything is committed.
                result: Result = await in_thread(
                    lambda: run(answer=partial(self._changed, tool))
                )
                return result
            case Request(module=module):
                context = await setup.context_of(caller, in_thread)
                value = await in_thread(
                    lambda: run_request(package, module, call, context, setup)
                )
                return self._answer(tool, value)
            case Function():
                value = await self._handled(tool, call, caller, in_thread)
                if isinstance(self._handlers, Mapping) and tool.output_schema:
                    value = encoder_of(package, tool.name)(value)
                return self._answer(tool, value)

    async def _handled(
        self, tool: Tool[Any, Any], call: Any, caller: Caller, in_thread: InThread
    ) -> Any:
        handlers = self._handlers
        if isinstance(handlers, Mapping):
            run: Run = handlers[tool.name]
            bound = await self._bound(tool, call, caller, in_thread)
            found = await in_thread(lambda: run(bound))
            return await found if inspect.isawaitable(found) else found
        assert handlers is not None
        context = await self.setup.context_of(caller, in_thread)
        values = self.setup.values.get(tool.name, {})
        outcome = await handlers.invoke_async(
            tool.name, call.to_dict(), context, **values
        )
        value_of(tool.name, outcome)
        return outcome.json

    async def _bound(
        self, tool: Any, call: Any, caller: Caller, in_thread: InThread
    ) -> Any:
        """Join a call with what is hidden from callers; ``tool`` may be a prompt."""
        values = self.setup.values.get(tool.name, {})
        context = await self.setup.context_of(caller, in_thread)
        return tool.bound_type.bind(call, context, **values)

    def _changed(self, tool: Tool[Any, Any], value: Any) -> Result:
        """Return the answer to what a statement gave, or to how many rows it has changed."""
        counts = isinstance(value, Changed)
        if not counts:
            result = self._answer(tool, value)
        elif value < 0:
            result = done()
        else:
            result = answered({"changed": int(value)}, None, wraps=False)
        entry = self._entries[tool.name]
        is_number = counts or (isinstance(entry, Sql) and entry.rows == "count")
        if is_number and value == 0:
            result["content"].append(part(f"{NOTHING}."))
        return result

    def _answer(self, tool: Tool[Any, Any], value: Any) -> Result:
        if tool.output_schema is None:
            return done()
        validator = self._validators.get(tool.name)
        if validator is None:
            validator = Validator(tool.output_schema, tool=tool.name)
            self._validators[tool.name] = validator
        return answered(value, validator, wraps=self._entries[tool.name].wraps)

    async def read(self, uri: str, caller: Caller, in_thread: InThread) -> Result:
        """Return the contents of a resource.

        Raises Refusal for an address of none, and where its content cannot be had.
        """
        name, mime_type, call = self._resource(uri)
        if self._without_handler(name) is not None:
            raise Refusal(f"{name} is not available on this server.", "server")
        with Attempt(name) as attempt:
            value = await self._handled(self._tools[name], call, caller, in_thread)
            return contents(uri, mime_type, value)
        if attempt.is_missing:
            raise Refusal(f"Resource not found: {uri:.{_SHOWN}}", "resource", uri)
        raise Refusal(attempt.problem or name, "server")

    async def complete(
        self,
        name: str,
        argument: str,
        typed: str,
        given: Mapping[str, str],
        in_thread: InThread,
    ) -> Result:
        """Return the values that an argument of a prompt or resource may have, by what is typed.

        Raises Refusal for a prompt or resource that is not listed, and for an unknown argument.
        """
        if self.lists.prompt(name) is None and self.lists.resource(name) is None:
            raise Refusal.unknown("prompt", name)
        schema: Mapping[str, Any] = {}
        if name in self._tools:
            schema = self._tools[name].input_schema
        if argument not in schema.get("properties", {}):
            raise Refusal(f"{name} has no argument {argument:.{_SHOWN}}")
        suggest = self.setup.suggest.get(name)
        values: Iterable[str] | None = None
        if suggest is not None:
            with Attempt(name) as attempt:
                values = await resolved(
                    suggest, argument, typed, given, in_thread=in_thread
                )
            if attempt.problem is not None:
                raise Refusal(attempt.problem, "server")
        if values is not None:
            return completion(values, "")
        return completion(values_of(schema, argument), typed)

    def _resource(self, uri: str) -> tuple[str, str | None, Any]:
        resources = resources_of(self.package)
        if resources is None:
            raise Refusal("Resources cannot be read on this server.", "server")
        unknown = f"Resource not found: {uri:.{_SHOWN}}"
        try:
            found = resources.match(uri)
        except InputError as error:
            said = "; ".join(error.told())
            raise Refusal(f"{unknown} ({said})", "resource", uri) from None
        name = None if found is None else found.resource.name
        described = None if name is None else self.lists.resource(name)
        if found is None or described is None:
            raise Refusal(unknown, "resource", uri)
        return str(described["name"]), described.get("mimeType"), found.input

    async def prompt(
        self,
        name: str,
        arguments: Mapping[str, str] | None,
        caller: Caller,
        in_thread: InThread,
    ) -> Result:
        """Return the messages of a prompt, whose arguments are strings.

        Raises Refusal for one that is not listed, and for arguments that it does not take.
        """
        described = self.lists.prompt(name)
        if described is None:
            raise Refusal.unknown("prompt", name)
        prompt = prompts_of(self.package).get(name)
        if prompt is None:
            raise Refusal(f"{name} is not available on this server.", "server")
        try:
            call = prompt.read(arguments or {})
        except InputError as error:
            raise Refusal(error.retry_message()) from None
        with Attempt(name) as attempt:
            bound = await self._bound(prompt, call, caller, in_thread)
            rendered = prompt.render(bound)
            return messages(described.get("description"), rendered)
        raise Refusal(attempt.problem or name, "server")
