# SPDX-License-Identifier: BSD-3-Clause
"""Work that Ctrl-C ends. It runs in a thread of its own, so that the caller's hears of the signal."""

import ctypes
import os
import threading
from typing import Any, Callable, NamedTuple, Optional, TypeVar

from ._library import PHASES, Error, Progress, lib

T = TypeVar("T")


_process: Optional[int] = None


def _claim() -> None:
    """The library's threads do not come along when a process is forked, and the child would wait for them."""
    global _process
    _process = _process or os.getpid()
    if _process != os.getpid():
        raise Error(
            "pipesim was at work in a process before this one was forked from it; have processes started anew, as "
            "with ProcessPoolExecutor(mp_context=multiprocessing.get_context('spawn'))"
        )


class Step(NamedTuple):
    """How far work is: what is counted ("group": warp instructions, "points", ...), how many are done, and of how
    many, 0 where that is not known."""

    phase: str
    done: int
    of: int


class Monitor:
    """Sees how far work is, and ends it.

    When a circle of objects goes away, the collector may finalise a monitor before the generator whose end cancels it.
    A monitor that is gone therefore does nothing.
    """

    _monitor: Optional[int] = None

    def __init__(self) -> None:
        _claim()
        self._monitor = lib.ps_monitor_new()
        self.hearer = lib.ps_monitor_hearer(self._monitor)

    def cancel(self) -> None:
        if self._monitor:
            lib.ps_monitor_cancel(self._monitor)

    def step(self) -> Optional[Step]:
        progress = Progress()
        if not self._monitor or not lib.ps_monitor_progress(self._monitor, ctypes.byref(progress)):
            return None
        return Step(PHASES[progress.phase], progress.done, progress.of)

    def __del__(self, free: Any = lib.ps_monitor_free) -> None:
        monitor, self._monitor = self._monitor, None
        if monitor:
            free(monitor)


def attend(work: Callable[[Monitor], T]) -> T:
    """Does the work. In the main thread an exception that a signal raises ends it, and goes on from here."""
    monitor = Monitor()
    if threading.current_thread() is not threading.main_thread():
        return work(monitor)
    outcome: Any = []
    ended = threading.Event()

    def do() -> None:
        try:
            outcome.append((work(monitor), None))
        except BaseException as error:  # it is the caller's
            outcome.append((None, error))
        finally:
            ended.set()

    thread = threading.Thread(target=do, name="pipesim", daemon=True)
    thread.start()
    try:
        ended.wait()
    except BaseException:
        monitor.cancel()
        ended.wait()
        thread.join()
        raise
    thread.join()
    result, error = outcome[0]
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]
