"""The call of an HTTP tool: its input, its request, and what its answer is decoded to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Generic, TypeVar, cast

from ..records.bound_class import check_bound
from ..records.results import result_decoder
from ._files import NO_FILES, Files
from ._outcome import Result
from ._plan import Plan
from ._request import NO_SECRETS, Request, Secrets, Sent
from ._run import OPTIONS, Options, run, run_async
from ._template import Template
from ._transport import AsyncTransport, Transport

InputT = TypeVar("InputT")
BoundT = TypeVar("BoundT")
T = TypeVar("T")
_SAME: Mapping[str, str] = MappingProxyType({})


class HttpCall(Generic[InputT, BoundT, T]):
    """How a tool is called. The annotation of ``CALL`` in ``module`` says what its value is.

    ``renamed`` are arguments of the host program that are called like one of `invoke`: the name
    that they have there, and that of ``bind``.
    """

    def __init__(
        self,
        input_type: type[InputT],
        bound_type: type[BoundT],
        plan: Plan,
        template: Template,
        module: str,
        renamed: Mapping[str, str] = _SAME,
    ) -> None:
        self.input_type = input_type
        self.bound_type = bound_type
        self.plan = plan
        self.template = template
        self._module = module
        self._decode: Callable[[Any], T] | None = None
        self._renamed = renamed

    def decode(self, raw: Any) -> T:
        """Return the value of an answer that the schema accepts."""
        if self._decode is None:
            self._decode = result_decoder(self._module, self.plan.decimals)
        return self._decode(raw)

    def build(
        self, bound: BoundT, secrets: Secrets = NO_SECRETS, files: Files = NO_FILES
    ) -> Request:
        """Return the request of a bound call, which may name ``files``.

        Raises RequestError for a value that cannot stand in its place, SecretError for a secret
        that is missing, TypeError for what is no bound call.
        """
        check_bound(bound, self.bound_type.__name__)
        return self.template.request(bound, secrets, self.plan.hosts, files)

    def invoke(
        self,
        call: InputT | Sent,
        context: object = None,
        *,
        secrets: Secrets = NO_SECRETS,
        transport: Transport | None = None,
        options: Options = OPTIONS,
        **values: Any,
    ) -> Result[T]:
        """Call the tool; what goes wrong is in the result, and nothing is raised.

        ``values`` are the arguments that the host program gives.
        """
        files = options.files
        make = partial(self._request, call, context, secrets, values, files)
        return run(
            self.plan,
            make,
            self.decode,
            secrets=secrets,
            transport=transport,
            options=options,
        )

    async def invoke_async(
        self,
        call: InputT | Sent,
        context: object = None,
        *,
        secrets: Secrets = NO_SECRETS,
        transport: AsyncTransport | None = None,
        options: Options = OPTIONS,
        **values: Any,
    ) -> Result[T]:
        """Call the tool as `invoke` does; without a transport, each request in a thread."""
        files = options.files
        make = partial(self._request, call, context, secrets, values, files)
        return await run_async(
            self.plan,
            make,
            self.decode,
            secrets=secrets,
            transport=transport,
            options=options,
        )

    def _request(
        self,
        call: InputT | Sent,
        context: object,
        secrets: Secrets,
        values: Mapping[str, Any],
        files: Files,
    ) -> Request:
        if not isinstance(call, self.input_type):
            call = cast("InputT", cast("Any", self.input_type).from_call(call))
        given = {self._renamed.get(name, name): each for name, each in values.items()}
        bound: BoundT = cast("Any", self.bound_type).bind(call, context, **given)
        return self.build(bound, secrets, files)
