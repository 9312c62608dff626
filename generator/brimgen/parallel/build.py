"""Settings and a number of processes in; the build that one process would make out."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path

from brimgen import pipeline
from brimgen.built import Build, Emit, Prepared
from brimgen.diagnostics import Diagnostics
from brimgen.frozen import replace
from brimgen.increment.baseline import faces_of
from brimgen.output.plan import Output
from brimgen.output.sink import Sink, Twin
from brimgen.parallel import Doubt
from brimgen.parallel.bare import Bare
from brimgen.parallel.channel import Channel, Closed
from brimgen.parallel.joined import Judged, joined_found, joined_outputs
from brimgen.parallel.share import Share
from brimgen.parallel.shares import shares_of
from brimgen.parallel.workers import can_fork, processors, working
from brimgen.settings.load import Settings
from brimgen.source.document import SourceFile
from brimgen.stages import Stages

LEAST = 150
"""Files for each process: of fewer, one process makes more in the time that others take to begin
and to be heard (docs/performance.md)."""
MOST = 4
"""Processes, where nobody says how many: what each does besides its share grows with them."""


@contextmanager
def prepared(
    settings: Settings, stages: Stages | None = None, *, jobs: int | None = None
) -> Generator[Prepared]:
    """`pipeline.prepare`, by as many as ``jobs`` processes; None: as many as it is worth."""
    stages = stages or pipeline.real_stages(settings)
    most = min(processors(), MOST) if jobs is None else jobs
    if most < 2 or not can_fork() or not _is_divisible(settings, stages):
        yield pipeline.prepare(settings, stages)
        return
    found = Diagnostics()
    files = stages.read_files(settings.specs, found)
    stages = replace(stages, read_files=_reading(files, found))
    shares = shares_of(files, most=most, least=LEAST if jobs is None else 1)
    with ExitStack() as crew:
        made = None
        if len(shares.own) > 1:
            made = _led(partial(Share, settings, stages, files, shares), crew)
        yield made or pipeline.prepare(settings, stages)


def _is_divisible(settings: Settings, stages: Stages) -> bool:
    """Whether nothing that is known before a spec is read wants a build by one process."""
    project = settings.project
    if project.descriptors.token_budget is not None:
        return False
    if any(each.schema or each.database for each in project.connections.values()):
        return False
    chosen = pipeline.choose_emitters(settings, stages.emitters)
    return all(each.apart is not None for each in chosen)


def _reading(
    files: tuple[SourceFile, ...], found: Diagnostics
) -> Callable[[Path, Diagnostics], tuple[SourceFile, ...]]:
    """What stands in the place of `read_files` where the files were read already."""

    def read(_: Path, heard: Diagnostics) -> tuple[SourceFile, ...]:
        heard.extend(found)
        return files

    return read


def _led(share_of: Callable[[int], Share], crew: ExitStack) -> Prepared | None:
    """The build by this process and a ``crew``; None where one process has to do it."""
    own = share_of(0)
    works = [
        partial(_serve, share_of(number)) for number in range(1, len(own.shares.own))
    ]
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
    channel.send((sink.rows(), held))


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

    def _emit(self, emit: Emit, sink: Callable[[Output], None]) -> None:
        """Hand all files on; where that is in doubt after all, those of a build by one process."""
        if isinstance(sink, Sink):
            try:
                self._emit_together(emit, sink)
                return
            except (Doubt, Closed):
                self._crew.close()
                sink.begin_anew()
        _, emit_alone = pipeline.prepare(self._share.settings, self._share.stages)
        emit_alone(sink)

    def _emit_together(self, emit: Emit, sink: Sink) -> None:
        twin = sink.twin
        if twin is None:
            raise Doubt
        for channel in self._channels:
            channel.send(twin)
        held = [self._share.emit(emit, sink)]
        for channel in self._channels:
            rows, outputs = channel.receive()
            sink.take(rows)
            held.append(outputs)
        for output in joined_outputs(held, self._share.emitters):
            sink(output)
