# SPDX-License-Identifier: BSD-3-Clause
"""Predicted times for Kernel Tuner: its T1 files are read, and its cache and T4 files written.

    import pipesim.kernel_tuner
    predicted = pipesim.kernel_tuner.predict("mm.json", gpu="a100")
    predicted.write_cache("mm-cache.json")         # for tune_kernel(..., simulation_mode=True)
    predicted.write_results("mm-t4.json")
    print(predicted.best())

    tune_kernel(..., strategy=predicted.strategy(20))    # the device measures the twenty that are predicted to be best

`python3 -m pipesim.kernel_tuner mm.json --gpu a100 --cache mm-cache.json` does it from a shell; so does the package's
program, as `pipesim sweep mm.json ...`.
"""

import argparse
import array
import datetime
import itertools
import json
import math
import pathlib
import sys
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ._expression import evaluate
from ._facts import Result
from ._library import Error
from ._sweep import Sweep

_CODES = {"float": "f", "double": "d", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i",
          "uint32": "I", "int64": "q", "uint64": "Q", "bool": "B"}
_SOURCES = (".cu", ".cl", ".cpp", ".c")
_BLOCK = ("block_size_x", "block_size_y", "block_size_z")


class Outcome(NamedTuple):
    """A configuration, and its Result, or the Error in its place."""

    configuration: Dict[str, Any]
    result: Optional[Result]
    error: Optional[Error]


class Space:
    """What a T1 file states: a kernel, its launch, and values of parameters with the conditions on them."""

    def __init__(self, document: Dict[str, Any], folder: pathlib.Path) -> None:
        try:
            self._kernel = document["KernelSpecification"]
            space = document["ConfigurationSpace"]
            self.kernel = str(self._kernel["KernelName"])
            self.path = _find(str(self._kernel["KernelFile"]), folder)
            self.problem_size = self._kernel["ProblemSize"]
            self.parameters = {one["Name"]: _values(one) for one in space["TuningParameters"]}
            self._conditions = [one["Expression"] for one in space.get("Conditions", [])]
        except (KeyError, TypeError, AttributeError) as error:
            raise Error("the T1 file lacks %s, or has something else there" % error) from None
        if not isinstance(self.problem_size, list):
            self.problem_size = [self.problem_size]

    @property
    def gpu(self) -> Optional[str]:
        """The device that the file names; None: it names none."""
        name: Optional[str] = self._kernel.get("Device", {}).get("Name")
        return name

    def configurations(self) -> List[Dict[str, Any]]:
        """All that the conditions allow, the last parameter fastest."""
        found = (dict(zip(self.parameters, each)) for each in itertools.product(*self.parameters.values()))
        return [one for one in found if all(evaluate("Conditions", text, one) for text in self._conditions)]

    def launch(self, configuration: Dict[str, Any]) -> Dict[str, Any]:
        """What pipesim.run takes for that configuration, without the GPU."""
        block = [int(configuration.get(name, 1)) for name in _BLOCK]
        grid = [self._groups(number, name, configuration) for number, name in enumerate("XYZ")]
        options = {"path": self.path, "kernel": self.kernel, "grid": grid, "block": block, "args": self._arguments()}
        if self.path.endswith(_SOURCES):
            sizes = {"grid_size_%s" % name: size for name, size in zip("xyz", grid)}
            options["define"] = {**sizes, **configuration, "kernel_tuner": 1}
        shared = self._kernel.get("SharedMemory")
        return {**options, "shared": shared} if shared else options

    def _groups(self, number: int, axis: str, configuration: Dict[str, Any]) -> int:
        size = self.problem_size[number] if number < len(self.problem_size) else 1
        if isinstance(size, str):
            size = evaluate("ProblemSize", size, configuration)
        divisors = self._kernel.get("GridDiv" + axis) or [_BLOCK[number]] * (_BLOCK[number] in configuration)
        divisor = math.prod(int(evaluate("GridDiv" + axis, str(one), configuration)) for one in _list(divisors))
        if divisor < 1:
            raise Error("GridDiv%s: %d is no divisor" % (axis, divisor))
        return math.ceil(size / divisor)

    def _arguments(self) -> List[Any]:
        names = {**self.parameters, "ProblemSize": self.problem_size}
        return [_argument(one, names) for one in self._kernel.get("Arguments", [])]


def read(path: Any) -> Space:
    """The T1 file of that path. Raises Error where it is none."""
    file = pathlib.Path(path)
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Error("%s: %s" % (file, error), "read") from None
    if not isinstance(document, dict):
        raise Error("%s: a T1 file holds an object" % file)
    return Space(document, file.parent)


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _find(name: str, folder: pathlib.Path) -> str:
    for path in (pathlib.Path(name), folder / name, folder.parent / name):
        if path.is_file():
            return str(path)
    raise Error("KernelFile: there is no file '%s', here or beside the T1 file" % name, "read")


def _values(parameter: Dict[str, Any]) -> List[Any]:
    found = evaluate(str(parameter["Name"]), parameter["Values"], {})
    if not isinstance(found, list):
        found = [found]
    if not found or not all(isinstance(each, (int, float, str)) for each in found):
        raise Error("%s: '%s' is no list of values" % (parameter["Name"], parameter["Values"]))
    return found


def _argument(argument: Dict[str, Any], names: Dict[str, Any]) -> Any:
    name, kind, value = argument.get("Name", "an argument"), argument.get("Type"), argument.get("FillValue", 0)
    if argument.get("MemoryType") == "Scalar":
        return value
    if argument.get("MemoryType") != "Vector" or kind not in _CODES:
        raise Error("%s: a %s of %s cannot be filled here" % (name, argument.get("MemoryType"), kind))
    size = argument.get("Size", 0)
    size = int(evaluate(str(name), size, names)) if isinstance(size, str) else size
    if argument.get("FillType") == "Random":
        return "random:%d:%d" % (size * array.array(_CODES[kind]).itemsize, argument.get("RandomSeed", 1))
    if argument.get("FillType") != "Constant":
        raise Error("%s: FillType %s is not known here" % (name, argument.get("FillType")))
    items = array.array(_CODES[kind], [float(value) if kind in ("float", "double") else int(value)])
    return "zero:%d" % (size * items.itemsize) if not value else items * size


class Predicted:
    """The configurations of a space with their predicted times. Iterating asks them in order."""

    def __init__(self, space: Space, gpu: str, asked: Sweep, configurations: List[Dict[str, Any]]) -> None:
        self.space = space
        self.gpu = gpu
        self._asked = asked
        self._configurations = configurations

    def __len__(self) -> int:
        return len(self._configurations)

    def __iter__(self) -> Iterator[Outcome]:
        for configuration, point in zip(self._configurations, self._asked):
            yield Outcome(configuration, point.result, point.error)

    def best(self) -> Outcome:
        """The configuration that takes the least time. Raises Error where none has an answer."""
        first = self.fastest(1)
        if not first:
            raise Error("no configuration has an answer; the first error: %s" % next(iter(self)).error)
        return first[0]

    def fastest(self, most: int) -> List[Outcome]:
        """The configurations that take least, so many at most, the fastest first: what to measure first."""
        answered = [(one.result.time_s, number, one) for number, one in enumerate(self) if one.result]
        return [one for _, _, one in sorted(answered)[:most]]

    def strategy(self, most: int) -> "Likely":
        """For Kernel Tuner's `strategy`: it measures the configurations that are predicted to be fastest, so many."""
        return Likely(self, most)

    def _cached(self, outcome: Outcome) -> Tuple[str, Dict[str, Any]]:
        key = ",".join(str(each) for each in outcome.configuration.values())
        time = outcome.result.time_ms if outcome.result else "RuntimeFailedConfig"
        times = [outcome.result.time_ms] if outcome.result else []
        framework = {"compile_time": 0, "verification_time": 0, "benchmark_time": 0, "strategy_time": 0,
                     "framework_time": 0}
        return key, {**outcome.configuration, "time": time, "times": times, **framework, "timestamp": _now()}

    def cache(self) -> Dict[str, Any]:
        """The cache for Kernel Tuner's simulation mode: a time in milliseconds for each configuration."""
        return {
            "device_name": next((one.result.gpu for one in self if one.result), self.gpu),
            "kernel_name": self.space.kernel,
            "problem_size": self.space.problem_size,
            "tune_params_keys": list(self.space.parameters),
            "tune_params": self.space.parameters,
            "objective": "time",
            "cache": dict(self._cached(one) for one in self),
        }

    def results(self) -> Dict[str, Any]:
        """The T4 document."""
        return {"schema_version": "1.0.0", "results": [_result(one) for one in self]}

    def write_cache(self, path: Any) -> None:
        _write(path, self.cache())

    def write_results(self, path: Any) -> None:
        _write(path, self.results())


class Likely:
    """A strategy for Kernel Tuner, which asks tune() what to measure."""

    def __init__(self, predicted: Predicted, most: int) -> None:
        self._predicted = predicted
        self._most = most

    def tune(self, searchspace: Any, runner: Any, tuning_options: Any) -> List[Dict[str, Any]]:
        """Measures them in the order of their predictions, without those that Kernel Tuner's restrictions exclude."""
        names = list(searchspace.tune_params)
        try:
            likely = [tuple(one.configuration[name] for name in names)
                      for one in self._predicted.fastest(len(self._predicted))]
        except KeyError as error:
            raise Error("the T1 file has no parameter %s, which is tuned" % error) from None
        allowed = [one for one in likely if searchspace.is_param_config_valid(one)][:self._most]
        return [one for one in runner.run(allowed, tuning_options) if one]


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).isoformat()


def _result(outcome: Outcome) -> Dict[str, Any]:
    times = [outcome.result.time_ms] if outcome.result else []
    return {
        "timestamp": _now(),
        "configuration": outcome.configuration,
        "times": {"compilation_time": 0, "runtimes": times, "framework": 0, "search_algorithm": 0, "validation": 0},
        "invalidity": "correct" if outcome.result else "runtime",
        "correctness": 1 if outcome.result else 0,
        "measurements": [{"name": "time", "value": time, "unit": "ms"} for time in times],
        "objectives": ["time"],
    }


def _write(path: Any, document: Dict[str, Any]) -> None:
    """A cache that does not end in a brace, a line's end and a brace is one that was cut off, for Kernel Tuner."""
    pathlib.Path(path).write_text(json.dumps(document, indent=0), encoding="utf-8")


def predict(
    path: Any,
    gpu: Optional[str] = None,
    *,
    executor: Any = None,
    progress: Optional[Callable[[int, int], Any]] = None,
    **options: Any,
) -> Predicted:
    """The times of all configurations of a T1 file that its conditions allow, on a GPU (else the device that it names).

    executor and progress are those of pipesim.sweep; other options those of pipesim.run: registers=40, from_="ptx".
    """
    space = path if isinstance(path, Space) else read(path)
    card = gpu or space.gpu
    if not card:
        raise Error("gpu is missing, and the T1 file names no device")
    configurations = space.configurations()
    points = [{**space.launch(one), "gpu": card} for one in configurations]
    return Predicted(space, card, Sweep(points, options, executor, progress), configurations)


def _words() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pipesim sweep", description="Predicts the times of a space of Kernel Tuner's.",
        epilog="Other options are those of pipesim run, such as --registers 40.", allow_abbrev=False)
    parser.add_argument("space", metavar="T1.json", help="the space, in Kernel Tuner's format T1")
    parser.add_argument("--gpu", help="the GPU (else the device that the file names)")
    parser.add_argument("--cache", metavar="FILE", help="writes the cache for Kernel Tuner's simulation mode")
    parser.add_argument("--results", metavar="FILE", help="writes the times in Kernel Tuner's format T4")
    parser.add_argument("--best", metavar="N", type=int, default=10, help="prints the N fastest (10)")
    return parser


def _options(words: List[str]) -> Dict[str, str]:
    """Options with their values, as --name VALUE or --name=VALUE."""
    found, left = {}, list(words)
    while left:
        name, equals, value = left.pop(0).partition("=")
        if not name.startswith("--") or not (equals or left):
            raise Error("%s: an option of pipesim run and its value are needed, such as --registers 40" % name, "usage")
        found[name[2:]] = value if equals else left.pop(0)
    return found


def main(words: Optional[Sequence[str]] = None) -> None:
    """Predicts, writes the files that are asked for, and prints the fastest. What is refused ends with status 1."""
    given, more = _words().parse_known_args(words)
    try:
        predicted = predict(given.space, given.gpu, **_options(more))
        if given.cache:
            predicted.write_cache(given.cache)
        if given.results:
            predicted.write_results(given.results)
        failed = [one for one in predicted if one.error]
        for one in predicted.fastest(given.best) or [predicted.best()]:
            print("%10.4g us  %s" % (one.result.time_us,
                                     ", ".join("%s=%s" % each for each in one.configuration.items())))
    except (Error, OSError) as error:
        sys.exit("pipesim: %s" % error)
    if failed:
        print("pipesim: %d of %d configurations have no answer; the first: %s"
              % (len(failed), len(predicted), failed[0].error), file=sys.stderr)


__all__ = ("Likely", "Outcome", "Predicted", "Space", "predict", "read")

if __name__ == "__main__":
    main()
