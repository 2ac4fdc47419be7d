# SPDX-License-Identifier: BSD-3-Clause
"""One question to the library, from its file to its answer."""

import contextlib
import ctypes
import operator
import os
import pathlib
from typing import Any, Dict, List, Optional, Tuple

from ._arguments import Lent, set_arguments
from ._library import Error, call, data_folder, encode, lib, search_path, take, texts
from ._monitor import Monitor

_SHAPES = ("grid", "block", "threads")
_SEVERAL = ("param", "what-if", "define", "include", "arg")


def _shape(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        sizes = [value] if hasattr(value, "__index__") and not isinstance(value, bool) else value
        return "x".join(str(operator.index(each)) for each in sizes)
    except TypeError:
        raise Error(
            "%r is no shape; give a number, a tuple such as (64, 64), or a text such as 'n/16xn/16'" % (value,)
        ) from None


def _values(option: str, value: Any) -> List[str]:
    """The texts that an option gets, none where it is not set."""
    if value is None or value is False:
        return []
    if value is True:
        return [""]
    if option in _SHAPES:
        return [_shape(value)]
    if option in _SEVERAL and isinstance(value, dict):
        return ["%s=%s" % (name, each) for name, each in value.items()]
    if option in _SEVERAL and isinstance(value, (list, tuple)):
        return [str(each) for each in value]
    return [str(value)]


def find_graph(name: str) -> str:
    """The path of a graph, which may be the name of one that comes with pipesim."""
    if "/" in name:
        return name
    for folder in [pathlib.Path(each) for each in ["."] + search_path("graphs")[1:]]:
        for path in (folder / name, folder / (name + ".idg")):
            if path.is_file():
                return str(path)
    raise Error(
        "there is no graph or kernel's code %r; looked in the current folder and %s" % (name, data_folder("graphs")),
        "read",
    )


def find_gpu(gpu: Any) -> int:
    if not isinstance(gpu, (str, os.PathLike)):
        raise Error("gpu: %r is no name of a GPU, such as 'a100', and no path of a description" % (gpu,))
    name = os.fspath(gpu)
    if isinstance(gpu, os.PathLike) and "/" not in name:
        name = "./" + name
    found: int = call(lib.ps_gpu_find, encode(name), texts(search_path("gpus")))
    return found


class Call:
    """A kernel on a GPU with its options. The library's objects live from open() to close()."""

    def __init__(self, path: Any, gpu: Any, args: Any, options: Dict[str, Any]) -> None:
        if gpu is None:
            raise Error("gpu is missing; pipesim.gpus() lists what there is")
        self.path = os.fspath(path)
        self.gpu_name = gpu
        self.args = args
        self.options = {name.replace("_", "-"): value for name, value in options.items()}
        self.what_if = self.options.pop("what-if", None)
        self.told: List[str] = []
        self._held: List[Lent] = []
        self._frees: List[Tuple[Any, int]] = []
        self.code: Optional[int] = None
        self.gpu = self.idg = 0

    def __enter__(self) -> "Call":
        return self

    def __exit__(self, *_: Any) -> None:
        for free, what in reversed(self._frees):
            free(what)
        for lent in self._held:
            lent.close()
        self._frees, self._held = [], []

    def _own(self, free: Any, what: int) -> int:
        self._frees.append((free, what))
        return what

    def load(self, monitor: Monitor) -> None:
        """The GPU, and the graph, which may be compiled and executed for it."""
        self.gpu = self._own(lib.ps_gpu_free, find_gpu(self.gpu_name))
        if lib.ps_kernel_code_is(encode(self.path)):
            self.idg = self._own(lib.ps_idg_free, self._build(monitor))
            return
        for option in self.options:
            if not lib.ps_question_has(encode(option)):
                name = option.replace("-", "_")
                raise Error("%s: a graph has no option %r; it is for a kernel's code" % (self.path, name))
        if self.args is not None:
            raise Error("%s: a graph has no arguments; param={'size': 1024} sets its parameters" % self.path)
        self.idg = self._own(lib.ps_idg_free, call(lib.ps_idg_load, encode(find_graph(self.path))))

    def new_code(self) -> int:
        """The kernel's code with all of its options, and as yet without arguments."""
        code = self._own(lib.ps_kernel_code_free, lib.ps_kernel_code_new(encode(self.path)))
        for option, value in self.options.items():
            if not lib.ps_question_has(encode(option)):
                for text in _values(option, value):
                    call(lib.ps_kernel_code_set, code, encode(option), encode(text))
        return code

    def _build(self, monitor: Monitor) -> int:
        if not os.path.exists(self.path):
            raise Error("%s: there is no such file" % self.path, "read")
        code = self.code = self.new_code()

        def set_option(option: str, value: str) -> None:
            call(lib.ps_kernel_code_set, code, encode(option), encode(value))

        if self.args is not None:
            set_arguments(code, self.args, set_option, self._held)
        idg: int = call(lib.ps_kernel_code_graph, code, self.gpu, monitor.hearer)
        told = lib.ps_kernel_code_told(code)
        self.told = _strings(told)
        return idg

    def question(self, monitor: Monitor, what_if: Any = None, leave: Tuple[str, ...] = ()) -> int:
        question = self._own(lib.ps_question_free, lib.ps_question_new(self.idg, self.gpu))
        for option, value in list(self.options.items()) + [("what-if", what_if)]:
            if option in leave or not lib.ps_question_has(encode(option)):
                continue
            for text in _values(option, value):
                call(lib.ps_question_set, question, encode(option), encode(text))
        if self.code:
            lib.ps_question_set_code(question, self.code)
        lib.ps_question_set_hearer(question, monitor.hearer)
        return question


def prepare(calls: List[Call], monitor: Monitor) -> None:
    """Has the sources of calls for one GPU compiled, and their machine code listed in one run. What is wrong with a
    call is told when it is asked."""
    with contextlib.ExitStack() as stack:
        codes = []
        for one in calls:
            with contextlib.suppress(Error):
                codes.append(stack.enter_context(one).new_code())
        try:
            gpu = find_gpu(calls[0].gpu_name)
        except Error:
            return
        stack.callback(lib.ps_gpu_free, gpu)
        lib.ps_kernel_code_prepare((ctypes.c_void_p * len(codes))(*codes), len(codes), gpu, monitor.hearer)


def _strings(list_of: int) -> List[str]:
    found = ctypes.cast(list_of, ctypes.POINTER(ctypes.c_char_p))
    strings = []
    while found[len(strings)] is not None:
        strings.append((found[len(strings)] or b"").decode("utf-8", "replace"))
    lib.g_strfreev(list_of)
    return strings


def ask(question: int, threads: int, measured_us: float) -> Tuple[str, str, str]:
    """JSON, text and HTML of the answer."""
    answer = call(lib.ps_question_ask, question, threads)
    try:
        measured = measured_us / 1e6
        json, text, html = (
            take(tell(answer, measured)) for tell in (lib.ps_answer_json, lib.ps_answer_text, lib.ps_answer_html)
        )
        return json, text, html
    finally:
        lib.ps_answer_free(answer)
