# SPDX-License-Identifier: BSD-3-Clause
"""The C library: where it is, what its functions take, and its errors as exceptions.

docs/reference/library/main.md says what each function does; this file adds no meaning.
"""

import ctypes
import os
import pathlib
import re
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any, Iterable, List, Optional

HERE = pathlib.Path(__file__).resolve().parent
NAME = "libpipesim.so.0"


# Where a message begins with a place: "mm.cu:14: ", "mm.cu:14 (at 0x1590): ", and those of compilers,
# "nvcc failed: mm.cu(14): " and "clang failed: mm.cl:14:5: ".
_PLACE = re.compile(
    r"(?:[AB]: )?(?:\S+ failed: )?(?P<file>[^:\n]+?)"
    r"(?::(?P<line>\d+)(?::\d+)?(?: \(at [^)]*\))?|\((?P<round>\d+)\)): "
)


class Error(Exception):
    """What pipesim refuses, in one sentence that says what would be right.

    message: the sentence; file and line: where it is wrong, None where that is not known; kind: the
    name of the library's error code in lower case ("usage", "read", "syntax", ...), or "argument"
    for what the library never saw.
    """

    def __init__(self, message: str, kind: str = "argument") -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        place = _PLACE.match(message)
        self.file: Optional[str] = place.group("file") if place else None
        self.line: Optional[int] = int(place.group("line") or place.group("round")) if place else None

    def __reduce__(self) -> Any:
        return (Error, (self.message, self.kind))


# PsErrorCode, in its order (base/error.h).
KINDS = ("read", "syntax", "value", "limit", "usage", "device", "resources", "time", "cancelled")

# PsPhase, in its order (base/progress.h).
PHASES = ("run", "plan", "points", "group", "file", "tool")


class GError(ctypes.Structure):
    _fields_ = [("domain", ctypes.c_uint32), ("code", c_int), ("message", c_char_p)]


class Hearer(ctypes.Structure):
    _fields_ = [("func", c_void_p), ("data", c_void_p)]


class Progress(ctypes.Structure):
    _fields_ = [("phase", c_int), ("done", c_uint64), ("of", c_uint64), ("share", c_double), ("since", c_int64)]


_TEXTS = POINTER(c_char_p)
_ERROR = POINTER(POINTER(GError))

# What each function returns and takes. Texts that the caller frees are pointers (c_void_p).
_FUNCTIONS = {
    "g_free": (None, [c_void_p]),
    "g_strfreev": (None, [c_void_p]),
    "g_error_free": (None, [POINTER(GError)]),
    "ps_gpu_find": (c_void_p, [c_char_p, _TEXTS, _ERROR]),
    "ps_gpu_free": (None, [c_void_p]),
    "ps_gpu_write": (c_void_p, [c_void_p]),
    "ps_gpus_json": (c_void_p, [_TEXTS]),
    "ps_idg_load": (c_void_p, [c_char_p, _ERROR]),
    "ps_idg_free": (None, [c_void_p]),
    "ps_kernel_code_is": (c_int, [c_char_p]),
    "ps_kernel_code_new": (c_void_p, [c_char_p]),
    "ps_kernel_code_free": (None, [c_void_p]),
    "ps_kernel_code_set": (c_int, [c_void_p, c_char_p, c_char_p, _ERROR]),
    "ps_kernel_code_lend_buffer": (None, [c_void_p, c_char_p, c_void_p, c_size_t, c_int]),
    "ps_kernel_code_graph": (c_void_p, [c_void_p, c_void_p, Hearer, _ERROR]),
    "ps_kernel_code_prepare": (None, [POINTER(c_void_p), c_uint, c_void_p, Hearer]),
    "ps_kernel_code_told": (c_void_p, [c_void_p]),
    "ps_question_new": (c_void_p, [c_void_p, c_void_p]),
    "ps_question_free": (None, [c_void_p]),
    "ps_question_has": (c_int, [c_char_p]),
    "ps_question_set": (c_int, [c_void_p, c_char_p, c_char_p, _ERROR]),
    "ps_question_set_code": (None, [c_void_p, c_void_p]),
    "ps_question_set_hearer": (None, [c_void_p, Hearer]),
    "ps_question_ask": (c_void_p, [c_void_p, c_uint, _ERROR]),
    "ps_answer_free": (None, [c_void_p]),
    "ps_answer_json": (c_void_p, [c_void_p, c_double]),
    "ps_answer_text": (c_void_p, [c_void_p, c_double]),
    "ps_answer_html": (c_void_p, [c_void_p, c_double]),
    "ps_compare_json": (c_void_p, [c_void_p, c_void_p, _TEXTS, _TEXTS, _ERROR]),
    "ps_question_roofline_json": (c_void_p, [c_void_p, c_double, _ERROR]),
    "ps_monitor_new": (c_void_p, []),
    "ps_monitor_free": (None, [c_void_p]),
    "ps_monitor_hearer": (Hearer, [c_void_p]),
    "ps_monitor_cancel": (None, [c_void_p]),
    "ps_monitor_progress": (c_int, [c_void_p, POINTER(Progress)]),
}


def _file() -> pathlib.Path:
    """In an installed package it is beside this file, in a checkout beside the program."""
    named = os.environ.get("PIPESIM_LIBRARY")
    places = [pathlib.Path(named)] if named else [HERE / "lib" / NAME, HERE.parent.parent / NAME]
    for place in places:
        if place.is_file():
            return place
    raise ImportError(
        "pipesim: there is no library at %s; install the wheel that `make wheel` makes, or run `make` in the checkout"
        % " or ".join(map(str, places))
    )


def program_path() -> str:
    """The program pipesim, which comes with the package, or stands beside the library in a checkout."""
    installed = HERE / "bin" / "pipesim"
    return str(installed if installed.is_file() else _file().parent / "pipesim")


def _load() -> ctypes.CDLL:
    library = ctypes.CDLL(str(_file()))
    for name, (result, takes) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = takes
    return library


lib: Any = _load()


def texts(words: Iterable[str]) -> Any:
    """A list of texts that NULL ends."""
    encoded: List[Optional[bytes]] = [encode(word) for word in words]
    return (c_char_p * (len(encoded) + 1))(*encoded, None)


def encode(text: str) -> bytes:
    if "\0" in text:
        raise Error("%r: a text for pipesim has no NUL character in it" % text)
    return os.fsencode(text)


def take(text: int) -> str:
    """The text, which is freed."""
    try:
        return (ctypes.string_at(text) or b"").decode("utf-8", "replace")
    finally:
        lib.g_free(text)


def call(function: Any, *arguments: Any) -> Any:
    """Calls it with a place for its error, and raises that."""
    error = POINTER(GError)()
    result = function(*arguments, byref(error))
    if not error:
        return result
    message = (error.contents.message or b"").decode("utf-8", "replace")
    code = error.contents.code
    lib.g_error_free(error)
    raise Error(message, KINDS[code] if 0 <= code < len(KINDS) else "unknown")


def data_folder(name: str) -> pathlib.Path:
    """The folder of GPUs or graphs that comes with pipesim."""
    installed = HERE / "share" / "pipesim" / name
    return installed if installed.is_dir() else HERE.parent.parent / name


def search_path(name: str) -> List[str]:
    """Where `pipesim` looks for files of that kind, in its order (docs/reference)."""
    own = os.environ.get("PIPESIM_PATH", "").split(":")
    return ["."] + [folder for folder in own if folder] + [str(data_folder(name))]
