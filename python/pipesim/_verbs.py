# SPDX-License-Identifier: BSD-3-Clause
"""run, compare, roofline, advise, gpus: what the program's verbs are called."""

import json
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._call import Call, ask
from ._facts import Comparison, Facts, Result
from ._library import Error, call, lib, search_path, take, texts
from ._monitor import Monitor, attend

Path = Union[str, "os.PathLike[str]"]
Shape = Union[int, str, Sequence[int]]
Args = Union[Sequence[Any], Mapping[str, Any]]
WhatIf = Union[str, Sequence[str], Mapping[str, Any]]


def _result(question: int, threads: int, measured_us: float, told: List[str]) -> Result:
    tree, text, html = ask(question, threads, measured_us)
    return Result(json.loads(tree), text, html, told)


def run_call(one: Call, monitor: Monitor, threads: int = 0, measured_us: float = 0.0) -> Result:
    with one:
        one.load(monitor)
        result = _result(one.question(monitor), threads, measured_us, one.told)
        if one.what_if is not None:
            other = _result(one.question(monitor, one.what_if), threads, measured_us, one.told)
            result.what_if = other
        return result


def run(
    path: Path,
    gpu: Path,
    *,
    grid: Optional[Shape] = None,
    block: Optional[Shape] = None,
    args: Optional[Args] = None,
    kernel: Optional[str] = None,
    advise: bool = False,
    explain: bool = False,
    sensitivity: bool = False,
    what_if: Optional[WhatIf] = None,
    measured_us: float = 0.0,
    threads: int = 0,
    **options: Any,
) -> Result:
    """How long a kernel takes on a GPU, what limits it, and with advise=True what would help.

    path: CUDA or OpenCL source, PTX, a cubin, a program, or a graph (.idg). gpu: a name ("a100",
    "RTX 4090"), or the path of a description. grid, block: numbers of groups (thread blocks), and
    of threads of a group. args: a value for each argument of the kernel, or a dict by their names;
    numbers as such, arrays by their buffers, which are neither copied nor changed, and texts as the
    program takes them ("zero:4M", "@file"). what_if: other latencies ({"global.load.issue": 4}).
    measured_us: a measured time in microseconds, which the answer is held against. threads: how
    many simulations run at once; 0: one for each processor. Other options have the names that
    `pipesim run --help` lists, with low lines: registers=40, clock="base", shared="16K", from_="ptx".

    Raises Error with file and line where these are known; Ctrl-C ends the run.
    """
    one = _call(path, gpu, args, options, grid=grid, block=block, kernel=kernel, advise=advise, explain=explain,
                sensitivity=sensitivity, what_if=what_if)
    return attend(lambda monitor: run_call(one, monitor, threads, measured_us))


def _call(path: Path, gpu: Path, args: Any, options: Dict[str, Any], **named: Any) -> Call:
    """`from` is a word of Python's, so it is from_."""
    others = {name.rstrip("_"): value for name, value in options.items()}
    return Call(path, gpu, args, {**{name: value for name, value in named.items() if value is not None}, **others})


def advise(path: Path, gpu: Path, **options: Any) -> List[Facts]:
    """What each change would give, the best first: the list `advice` of run(..., advise=True)."""
    found: List[Facts] = run(path, gpu, advise=True, **options).advice
    return found


def roofline(
    path: Path,
    gpu: Path,
    *,
    grid: Optional[Shape] = None,
    block: Optional[Shape] = None,
    args: Optional[Args] = None,
    kernel: Optional[str] = None,
    measured_us: float = 0.0,
    **options: Any,
) -> Facts:
    """What the quantitative roofline says of the kernel, without simulation: its document's only kernel."""
    one = _call(path, gpu, args, options, grid=grid, block=block, kernel=kernel)

    def work(monitor: Monitor) -> Facts:
        with one:
            one.load(monitor)
            told = call(lib.ps_question_roofline_json, one.question(monitor), measured_us / 1e6)
            return Facts(json.loads(take(told)))

    return attend(work)


def compare(a: Mapping[str, Any], b: Mapping[str, Any], **both: Any) -> Comparison:
    """Two runs beside each other, and why one takes longer, as `pipesim compare` tells it.

    a and b hold what run() takes ("path", "gpu", "grid", ...), and both what is the same of the two:
    compare({"gpu": "v100"}, {"gpu": "a100"}, path="mm.cu", grid=(64, 64), block=(16, 16), args=[...]).
    """
    for name, own in (("A", a), ("B", b)):
        if not isinstance(own, Mapping):
            raise Error("%s: a dict of what run() takes is needed, such as {'gpu': 'v100'}, not %r" % (name, own))
    calls = [_side(name, {**both, **own}) for name, own in (("A", a), ("B", b))]
    owns = [[_option(name, value) for name, value in own.items() if name not in ("path", "gpu", "what_if", "args")]
            for own in (a, b)]

    def work(monitor: Monitor) -> Comparison:
        with calls[0], calls[1]:
            questions = []
            for one in calls:
                one.load(monitor)
                questions.append(one.question(monitor, one.what_if, ("explain",)))
            return Comparison(json.loads(take(call(lib.ps_compare_json, *questions, texts(owns[0]), texts(owns[1])))))

    return attend(work)


def _side(name: str, options: Dict[str, Any]) -> Call:
    for needed in ("path", "gpu"):
        if needed not in options:
            raise Error("%s: %s is missing" % (name, needed))
    path, gpu, args = options.pop("path"), options.pop("gpu"), options.pop("args", None)
    return _call(path, gpu, args, options)


def _option(name: str, value: Any) -> str:
    shown = "x".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    option = "--" + name.rstrip("_").replace("_", "-")
    return option if value is True else "%s %s" % (option, shown)


def gpus() -> List[Facts]:
    """All GPUs that there are descriptions of, as `pipesim list --gpus` tells them: name, compute_units, ..."""
    told = json.loads(take(lib.ps_gpus_json(texts(search_path("gpus")[1:]))))
    return [Facts(each) for each in told["gpus"]]


__all__: Tuple[str, ...] = ("run", "advise", "roofline", "compare", "gpus")
