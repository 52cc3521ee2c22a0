"""Several processes at one list of streams: whoever is free takes the next one, this process among them.

The process that asks plays along instead of only waiting, so two jobs start one other process and not two, and work
has begun before that one has started. Reading, decoding and the engines are all at whoever took the stream.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from multiprocessing.sharedctypes import Synchronized
from operator import itemgetter
from typing import NamedTuple

import psycopg

from projections.connect import Connect, connector
from projections.replay.player import Bounds, Part, Player

TELL_S = 0.2
"""How often to say how far the others are when there is nothing left to take."""

Progress = Callable[[int], None]
"""Told now and then how many events have been replayed."""

Numbered = tuple[int, Part]
"""The place of a stream in the list, and what it came to."""


class Shared(NamedTuple):
    """What all processes see. taken: how many streams of the list are somebody's; events: how many were played."""

    streams: Sequence[str]
    bounds: Bounds
    taken: Synchronized[int]
    events: Synchronized[int]

    def play(self, player: Player) -> Iterator[Numbered]:
        """Stream after stream for as long as one is left that nobody has taken."""
        while (place := self._take()) is not None:
            part = player(self.streams[place], self.bounds)
            with self.events.get_lock():
                self.events.value += part["events"]
            yield place, part

    def end(self) -> None:
        """Leave nothing to take."""
        with self.taken.get_lock():
            self.taken.value = len(self.streams)

    def _take(self) -> int | None:
        with self.taken.get_lock():
            place = self.taken.value
            self.taken.value = place + 1
        return place if place < len(self.streams) else None


class Team:
    """This process and the others, which are at work from the beginning.

    A context: whoever leaves it early lets each end its present stream. Others need a connection string.
    """

    def __init__(self, connect: str | Connect, streams: Sequence[str], bounds: Bounds, jobs: int) -> None:
        # spawn: a forked child would share the parent's connections and threads
        context = multiprocessing.get_context("spawn")
        self._shared = Shared(streams, bounds, context.Value("q", 0), context.Value("q", 0))
        self._pool: ProcessPoolExecutor | None = None
        self._others: set[Future[list[Numbered]]] = set()
        others = min(jobs, len(streams)) - 1
        if others > 0:
            assert isinstance(connect, str), "several processes need a connection string"
            self._pool = ProcessPoolExecutor(others, context, _begin, (connect, self._shared))
            self._others = {self._pool.submit(_drain) for _ in range(others)}

    def __enter__(self) -> Team:
        return self

    def __exit__(self, *_: object) -> None:
        self._shared.end()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def play(self, conn: psycopg.Connection[object], progress: Progress) -> list[Part]:
        """What every stream came to, in the order of the list."""
        parts: list[Numbered] = []
        for one in self._shared.play(Player(conn)):
            parts.append(one)
            progress(self._shared.events.value)
        while self._others:
            done, self._others = wait(self._others, timeout=TELL_S)
            for future in done:
                parts += future.result()
            progress(self._shared.events.value)
        return [part for _, part in sorted(parts, key=itemgetter(0))]


_WORKER: list[tuple[Player, Shared]] = []


def _begin(conninfo: str, shared: Shared) -> None:
    _WORKER.append((Player(connector(conninfo)()), shared))


def _drain() -> list[Numbered]:
    player, shared = _WORKER[0]
    return list(shared.play(player))
