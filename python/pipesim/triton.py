# SPDX-License-Identifier: BSD-3-Clause
"""Triton's kernels on described GPUs, with Triton from PyPI and without a GPU.

    import pipesim.triton
    result = pipesim.triton.run(add, (1024,), x, y, out, n, gpu="h100", BLOCK=1024, num_warps=4)
    print(result.time_us)

    @triton.autotune(configs, key=["n"], prune_configs_by={"perf_model": pipesim.triton.model("h100"), "top_k": 8})
"""

import contextlib
import math
import pathlib
import tempfile
import threading
import warnings
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from ._beside import Table, beside
from ._facts import Result, Timed
from ._library import Error
from ._triton import caller_of, compiled, import_triton, options_of, target_of
from ._verbs import run as _run


class Outcome(NamedTuple):
    """A configuration of an autotuned kernel, and its Result, or the Error in its place."""

    configuration: Any
    result: Optional[Result]
    error: Optional[Error]


class Tuned:
    """An autotuned kernel: the outcomes of all its configurations, the fastest first, those with errors last."""

    def __init__(self, outcomes: List[Outcome]) -> None:
        self.outcomes = sorted(outcomes, key=lambda one: one.result.time_s if one.result else math.inf)

    @property
    def best(self) -> Outcome:
        """The fastest. Raises Error where no configuration has an answer."""
        if not self.outcomes or not self.outcomes[0].result:
            raise Error("no configuration has an answer; the first error: %s"
                        % (self.outcomes[0].error if self.outcomes else "there is none"))
        return self.outcomes[0]

    @property
    def result(self) -> Result:
        """The Result of the fastest."""
        assert self.best.result
        return self.best.result

    @property
    def time_s(self) -> float:
        return self.result.time_s

    @property
    def time_ms(self) -> float:
        return self.result.time_ms

    @property
    def time_us(self) -> float:
        return self.result.time_us

    def __len__(self) -> int:
        return len(self.outcomes)

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.outcomes)

    def __repr__(self) -> str:
        fastest = "; the fastest: %.6g us with %s" % (self.time_us, self.best.configuration) if any(
            one.result for one in self.outcomes) else ", none of which has an answer"
        return "<pipesim.triton.Tuned: %d configurations%s>" % (len(self), fastest)

    def __str__(self) -> str:
        return "\n".join("%10s us  %s" % ("%.4g" % one.result.time_us, one.configuration) if one.result
                         else "%10s     %s: %s" % ("-", one.configuration, one.error) for one in self.outcomes)


Answer = Union[Result, Tuned]
_Named = Dict[str, Any]


def run(kernel: Any, grid: Any, *args: Any, gpu: Any, **options: Any) -> Answer:
    """How long kernel[grid](*args) takes on a GPU: a Result, or for an autotuned kernel a Tuned.

    Names of the kernel's arguments and of Triton's options (num_warps=4) go to Triton, others to
    pipesim.run (advise=True). Arrays of NumPy, tensors of torch and whatever has a buffer are lent; what
    the kernel writes does not change them. Raises Error for what Triton or pipesim refuses.
    """
    triton = import_triton()
    for_triton, for_run = _sorted(kernel, target_of(gpu), options)
    return _asked(triton, kernel, grid, args, gpu, for_triton, for_run)


def _innermost(kernel: Any) -> Any:
    while hasattr(kernel, "fn") and not hasattr(kernel, "params"):
        kernel = kernel.fn
    if not hasattr(kernel, "params"):
        raise Error("%s is no kernel of Triton; @triton.jit makes one" % getattr(kernel, "__name__", repr(kernel)))
    return kernel


def _sorted(kernel: Any, target: Any, options: Dict[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    own = {parameter.name for parameter in _innermost(kernel).params} | set(options_of(target))
    return ({name: value for name, value in options.items() if name in own},
            {name: value for name, value in options.items() if name not in own})


def _asked(triton: Any, kernel: Any, grid: Any, args: Any, gpu: Any, named: _Named, more: _Named) -> Answer:
    if isinstance(kernel, triton.runtime.Autotuner):
        return Tuned([_one(triton, kernel, one, grid, args, gpu, named=named, more=more)
                      for one in _configurations(kernel, args, named)])
    if isinstance(kernel, triton.runtime.Heuristics):
        for name, value in kernel.values.items():
            named = {**named, name: value({**dict(zip(kernel.arg_names, args)), **named})}
        return _asked(triton, kernel.fn, grid, args, gpu, named, more)
    return _launched(kernel, grid, args, gpu, named, more)


def _configurations(kernel: Any, args: Any, named: Dict[str, Any]) -> List[Any]:
    if not kernel.early_config_prune:
        return list(kernel.configs)
    return list(kernel.early_config_prune(kernel.configs, dict(zip(kernel.arg_names, args)), **named))


def _one(triton: Any, kernel: Any, configuration: Any, *launch: Any, named: _Named, more: _Named) -> Outcome:
    try:
        named = _prepared(kernel, configuration, launch[1], named)
        answer = _asked(triton, kernel.fn, *launch, named, more)
    except Error as error:
        return Outcome(configuration, None, error)
    return Outcome(configuration, answer.result if isinstance(answer, Tuned) else answer, None)


def _prepared(tuner: Any, configuration: Any, args: Any, named: _Named) -> _Named:
    """The names of a launch in this configuration, behind its hook: that sets the boxes of descriptors, for example."""
    named = {**named, **configuration.all_kwargs()}
    if configuration.pre_hook:
        try:
            configuration.pre_hook({**dict(zip(tuner.arg_names, args)), **named})
        except Exception as error:
            raise Error("the pre_hook of %s: %s: %s" % (configuration, type(error).__name__, error)) from None
    return named


def _launched(kernel: Any, grid: Any, args: Any, gpu: Any, named: Dict[str, Any], more: Dict[str, Any]) -> Result:
    code = compiled(kernel, grid, target_of(gpu), args, named)
    with tempfile.TemporaryDirectory(prefix="pipesim-") as folder:
        path = pathlib.Path(folder) / (code.name + ".cubin")
        path.write_bytes(code.cubin)
        return _run(path, gpu, **{**code.options, **more})


def model(gpu: Any, **options: Any) -> Callable[..., float]:
    """A performance model for @triton.autotune: the predicted seconds of a configuration, infinite where it has none.

    options: those of pipesim.run. Triton passes a model the arguments without the kernel, which is taken
    from the autotuner that asks. What has no answer is warned of, and joins the model's list `refused`.
    """

    def predicted(**named: Any) -> float:
        tuner = caller_of(predicted)
        grid = named.pop("grid", None)
        named.pop("warmup", None)
        if grid is None:
            raise Error("pipesim.triton.model: the autotuner names no grid")
        try:
            for configuration in tuner.configs:
                if configuration.all_kwargs().items() <= named.items():
                    named = _prepared(tuner, configuration, (), named)
                    break
            return _asked(import_triton(), tuner.fn, grid, (), gpu, named, options).time_s
        except Error as error:
            refused.append(error)
            warnings.warn("pipesim.triton.model: %s" % error, stacklevel=2)
            return math.inf

    refused: List[Error] = []
    predicted.refused = refused  # type: ignore[attr-defined]
    return predicted


class Launches(Timed):
    """Launches that were met one after another: each name with its answer. Their times are summed."""

    def __init__(self) -> None:
        self.launched: List[Tuple[str, Answer]] = []

    def __len__(self) -> int:
        return len(self.launched)

    def __repr__(self) -> str:
        return "<pipesim.triton.Launches: %d, %.6g us: %s>" % (
            len(self), self.time_us, ", ".join("%s %.6g us" % (name, answer.time_us) for name, answer in self))

    def __iter__(self) -> Iterator[Tuple[str, Answer]]:
        return iter(self.launched)

    @property
    def time_s(self) -> float:
        return math.fsum(answer.time_s for _, answer in self.launched)


_recording = threading.Lock()


def _bench(launches: Launches) -> Callable[..., Any]:
    """For Triton's autotuner, in place of its timer: what the launches of a call are predicted to take, each quantile
    of it. The call's launches are none of those that are recorded."""

    def bench(call: Callable[[], Any], quantiles: Any = None, **_: Any) -> Any:
        before = len(launches)
        try:
            call()
            time = math.fsum(answer.time_ms for _, answer in launches.launched[before:])
        except Error as error:
            warnings.warn("pipesim.triton.record: %s" % error, stacklevel=2)
            time = math.inf
        del launches.launched[before:]
        return [time] * len(quantiles) if quantiles else time

    return bench


@contextlib.contextmanager
def record(gpu: Any, **options: Any) -> Iterator[Launches]:
    """Predicts what is launched within: `with record("h100") as launches: layer_norm(x)`, then launches.time_us.

    In place of its launch each kernel is asked about, so that arrays stay as they are: a kernel that
    depends on what another wrote sees what was there before. Triton's own autotuner works as ever:
    its model says what it tries, predicted times are what it measures, and its choice is launched.
    One at a time.
    """
    import_triton()
    from triton.runtime.autotuner import Autotuner
    from triton.runtime.jit import JITFunction

    launches = Launches()

    def launch(kernel: Any, *args: Any, grid: Any, warmup: bool = False, **named: Any) -> None:
        answer = run(kernel, grid, *args, gpu=gpu, **{**options, **named})
        launches.launched.append((kernel.__name__, answer))

    if not _recording.acquire(blocking=False):
        raise Error("pipesim.triton.record: another one is under way")
    usual = JITFunction.run, Autotuner.do_bench
    JITFunction.run, Autotuner.do_bench = launch, property(lambda tuner: _bench(launches))
    try:
        yield launches
    finally:
        JITFunction.run, Autotuner.do_bench = usual
        _recording.release()


__all__ = ("Launches", "Outcome", "Table", "Tuned", "beside", "model", "record", "run")
