"""Shares of spec files in; the build that several processes make of them together out."""

from __future__ import annotations

import marshal
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from itertools import chain

from brimgen.built import Build, Emit, Lists, Prepared
from brimgen.frozen import replace
from brimgen.increment.bare import Bare
from brimgen.increment.baseline import faces_of
from brimgen.output.plan import Output
from brimgen.output.sink import Sink, Twin
from brimgen.parallel import Doubt
from brimgen.parallel.alone import alone
from brimgen.parallel.channel import Channel, Closed
from brimgen.parallel.joined import (
    Judged,
    dealt,
    handed_over,
    join_into,
    joined_found,
    taken_over,
)
from brimgen.parallel.share import Share
from brimgen.parallel.shares import Shares
from brimgen.parallel.workers import working
from brimgen.settings.load import Settings
from brimgen.source.document import SourceFile
from brimgen.stages import Stages


def led(
    settings: Settings,
    stages: Stages,
    files: tuple[SourceFile, ...],
    shares: Shares,
    crew: ExitStack,
) -> Prepared | None:
    """The build by this process and a ``crew``; None where one process has to do it."""
    share_of = partial(Share, settings, stages, files, shares)
    own = share_of(0)
    works = [partial(_serve, share_of(number)) for number in range(1, len(shares.own))]
    try:
        return _Lead(own, crew.enter_context(working(works)), crew).prepare()
    except (Doubt, Closed, OSError):
        crew.close()
        return None


def _serve(share: Share, channel: Channel) -> None:
    """Make a share for the process that leads; what goes wrong, that one tells."""

    def meet(tools: list[Bare]) -> list[Bare]:
        channel.send(tools)
        others: list[Bare] = channel.receive()
        return others

    made, emit = share.judge(meet)
    channel.send(_judged(share, made))
    twin: Twin = channel.receive()
    sink = twin.sink()
    held = share.emit(emit, sink)
    channel.send(handed_over(held))
    staged, rows = len(sink.files), marshal.dumps(sink.rows())
    of_others = taken_over(channel.receive())
    paths = {output.path for output, _ in of_others}
    own = [each for each in held if each[0].path in paths]
    lists = join_into(sink, [*own, *of_others])
    channel.send((rows, marshal.dumps((sink.rows(staged), lists))))


def _judged(share: Share, made: Build) -> Judged:
    return Judged(tuple(made.found), faces_of(made.catalog, share.emitters))


class _Lead:
    """The process that began: it has the ``share``, and the ``channels`` to a ``crew``."""

    def __init__(
        self, share: Share, channels: tuple[Channel, ...], crew: ExitStack
    ) -> None:
        self._share, self._channels, self._crew = share, channels, crew

    def prepare(self) -> Prepared:
        """Every stage up to the gate, as `pipeline.prepare`. Raises `Doubt`, `Closed`."""
        made, emit = self._share.judge(self._meet)
        judged = [_judged(self._share, made)]
        judged += [each.receive() for each in self._channels]
        catalog = replace(made.catalog, tools=made.catalog.everyone, beside=())
        made = replace(
            made,
            found=joined_found(judged, self._share.shares),
            sources=self._share.files,
            catalog=catalog,
            faces={name: face for each in judged for name, face in each.faces.items()},
        )
        return made, partial(self._emit, emit)

    def _meet(self, tools: list[Bare]) -> list[Bare]:
        known: list[list[Bare]] = [each.receive() for each in self._channels]
        for number, channel in enumerate(self._channels):
            others = (tools, *known[:number], *known[number + 1 :])
            channel.send([*chain.from_iterable(others)])
        return [*chain.from_iterable(known)]

    def _emit(self, emit: Emit, sink: Callable[[Output], None]) -> Lists | None:
        """Hand all files on; where that is in doubt after all, those of a build by one process."""
        if isinstance(sink, Sink):
            try:
                return self._emit_together(emit, sink)
            except (Doubt, Closed):
                self._crew.close()
                sink.begin_anew()
            except BaseException:
                # The stage is dropped next, and nobody may put anything into it any more.
                self._crew.close()
                raise
        _, emit_alone = alone(self._share.settings, self._share.stages)
        return emit_alone(sink)

    def _emit_together(self, emit: Emit, sink: Sink) -> Lists:
        twin = sink.twin
        if twin is None:
            raise Doubt
        for channel in self._channels:
            channel.send(twin)
        held = [self._share.emit(emit, sink)]
        held += [taken_over(each.receive()) for each in self._channels]
        own, *others = dealt(held)
        for channel, work in zip(self._channels, others, strict=True):
            channel.send(handed_over(work))
        lists = join_into(sink, own)
        for channel in self._channels:
            staged, joined = map(marshal.loads, channel.receive())
            sink.take(staged)
            sink.take(joined[0])
            lists |= joined[1]
        return lists
