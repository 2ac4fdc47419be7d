# SPDX-License-Identifier: BSD-3-Clause
"""Many runs that differ in some values."""

import itertools
import os
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ._call import Call, prepare
from ._facts import Result
from ._library import Error
from ._monitor import Monitor, attend
from ._verbs import _call, run_call


_MOST_TOGETHER = 16  # of points: more make a run of the disassembler no cheaper for each


class Point(NamedTuple):
    """What a point of a sweep has of what varies, and its Result, or the Error in its place."""

    values: Dict[str, Any]
    result: Optional[Result]
    error: Optional[Error]


def _work(path: Any, gpu: Any, args: Any, options: Dict[str, Any], monitor: Optional[Monitor] = None) -> Any:
    """One point, in whatever process. An error is a value, since the others go on."""
    try:
        one = _call(path, gpu, args, options)
        return run_call(one, monitor, 1) if monitor else attend(lambda own: run_call(one, own, 1))
    except Error as error:
        return error


def _prepare(asked: List[Tuple[Any, Any, Any, Dict[str, Any]]], monitor: Monitor) -> None:
    """What compilers and the disassembler do for these points is done together, for each GPU."""
    by_gpu: Dict[str, List[Call]] = {}
    for path, gpu, _, options in asked if len(asked) > 1 else []:
        try:
            by_gpu.setdefault(str(gpu), []).append(_call(path, gpu, None, options))
        except Error:
            continue  # which it says again when it is asked
    for calls in by_gpu.values():
        prepare(calls, monitor)


class Sweep:
    """Runs of all combinations, the last varied one fastest. Iterating asks them, and gives a Point for each in
    their order; `done` of `of` are known so far."""

    def __init__(self, points: List[Dict[str, Any]], options: Dict[str, Any], executor: Any, progress: Any) -> None:
        self._points = points
        self._options = options
        self._executor = executor
        self._progress: Optional[Callable[[int, int], Any]] = progress
        self._known: List[Point] = []
        self._asks: Optional[Iterator[Point]] = None
        self.of = len(points)

    @property
    def done(self) -> int:
        return len(self._known)

    def __len__(self) -> int:
        return self.of

    def __repr__(self) -> str:
        varied = ", ".join(self._points[0]) if self._points else "nothing"
        return "<pipesim.Sweep: %d points over %s, of which %d are known>" % (self.of, varied, self.done)

    def __iter__(self) -> Iterator[Point]:
        for number in range(self.of):
            if number == len(self._known):
                self._asks = self._asks or self._ask()
                self._known.append(next(self._asks))
                if self._progress:
                    self._progress(self.done, self.of)
            yield self._known[number]

    def _asked(self, number: int) -> Tuple[Any, Any, Any, Dict[str, Any]]:
        options = {**self._options, **self._points[number]}
        return options.pop("path"), options.pop("gpu"), options.pop("args", None), options

    def _together(self, processors: int) -> int:
        """How many points a thread takes at once: several where their sources are compiled, since one run of the
        disassembler lists them all."""
        compiled = all(str(self._asked(number)[0]).endswith(".cu") for number in range(self.of))
        varied = any("define" in point for point in self._points)
        return min(_MOST_TOGETHER, -(-self.of // processors)) if compiled and varied else 1

    def _serve(self, numbers: List[int], futures: List[Any], monitor: Monitor) -> None:
        """Asks these points, in a thread, and gives each future its outcome."""
        running = [each for each in zip(numbers, futures) if each[1].set_running_or_notify_cancel()]
        try:
            _prepare([self._asked(number) for number, _ in running], monitor)
            for number, future in running:
                future.set_result(_work(*self._asked(number), monitor))
        except BaseException as error:  # it is whose who waits for it
            for _, future in running:
                if not future.done():
                    future.set_exception(error)

    def _submit(self, executor: Any, first: int, size: int, monitor: Optional[Monitor]) -> List[Any]:
        from concurrent.futures import Future  # here and below, since nothing but a sweep needs it

        if not monitor:
            return [executor.submit(_work, *self._asked(first))]
        numbers = list(range(first, min(first + size, self.of)))
        futures: List[Any] = [Future() for _ in numbers]
        executor.submit(self._serve, numbers, futures, monitor)
        return futures

    def _ask(self) -> Iterator[Point]:
        """Here in threads, as many as processors, which the library lets run at once; no more than a few points are
        asked ahead, so that little is lost where nobody wants the rest."""
        from concurrent.futures import ThreadPoolExecutor

        own = self._executor is None
        monitor = Monitor() if own else None
        processors = os.cpu_count() or 1
        executor = ThreadPoolExecutor(processors) if own else self._executor
        size = self._together(processors) if own else 1
        ahead = 2 * processors * size if own else self.of
        futures: List[Any] = []
        try:
            for number, values in enumerate(self._points):
                while len(futures) < min(number + ahead, self.of):
                    futures += self._submit(executor, len(futures), size, monitor)
                outcome = futures[number].result()
                failed = isinstance(outcome, Error)
                yield Point(values, None if failed else outcome, outcome if failed else None)
        finally:
            if monitor:
                monitor.cancel()
            for future in futures:
                future.cancel()
            if own:  # without a wait, since the collector may end this in one of the threads themselves
                executor.shutdown(wait=False)

    def best(self) -> Point:
        """The point that takes the least time. Raises Error where none has an answer."""
        answered = [point for point in self if point.result]
        if not answered:
            raise Error("no point of the sweep has an answer; the first error: %s" % next(iter(self)).error)
        return min(answered, key=lambda point: point.result.time_s if point.result else 0.0)

    def to_dict(self) -> List[Dict[str, Any]]:
        """The documents of the points that have an answer, each with what varies under `varied`."""
        return [{**point.result.to_dict(), "varied": point.values} for point in self if point.result]

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each point: what varies, time_us, cycles, limited_by, error."""
        try:
            import pandas
        except ImportError:
            raise Error("to_pandas: pandas is not installed; iterate over the sweep, or take to_dict()") from None
        return pandas.DataFrame([_row(point) for point in self])


def _cell(value: Any) -> Any:
    """An array is its type and shape, since its elements fill no cell."""
    if isinstance(value, (int, float, str)):
        return value
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s: %s" % (name, _cell(each)) for name, each in value.items())
    if isinstance(value, (list, tuple)):
        return "(%s)" % ", ".join(str(_cell(each)) for each in value)
    try:
        view = memoryview(value)
    except TypeError:
        return str(value)
    return "%s%s" % (getattr(value, "dtype", view.format), list(view.shape))


def _row(point: Point) -> Dict[str, Any]:
    result = point.result
    return {
        **{name: _cell(value) for name, value in point.values.items()},
        "time_us": result.time_us if result else None,
        "cycles": result.cycles if result else None,
        "limited_by": result.limited_by if result else None,
        "error": str(point.error) if point.error else None,
    }


def sweep(
    path: Any = None,
    gpu: Any = None,
    *,
    vary: Mapping[str, Sequence[Any]],
    executor: Any = None,
    progress: Optional[Callable[[int, int], Any]] = None,
    **options: Any,
) -> Sweep:
    """Runs with every combination of what varies: vary={"gpu": ["v100", "a100"], "block": [(16, 16), (32, 8)]}.

    Whatever run() takes can vary: path, gpu, grid, block, args, define, active, ... executor: any
    concurrent.futures.Executor (processes, or another's for many machines); without one threads ask
    here. progress: called with (done, of) after each point. A point that cannot be has its Error.
    """
    for name, values in vary.items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
            raise Error("vary: %r needs a list of values" % name)
    lists = [[(name, value) for value in values] for name, values in vary.items()]
    points = [dict(each) for each in itertools.product(*lists)]
    given = {name: value for name, value in (("path", path), ("gpu", gpu)) if value is not None}
    for needed in ("path", "gpu"):
        if needed not in given and needed not in vary:
            raise Error("%s is missing; give it, or let it vary" % needed)
    return Sweep(points, {**given, **options}, executor, progress)
