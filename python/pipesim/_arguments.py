# SPDX-License-Identifier: BSD-3-Clause
"""A kernel's arguments: numbers become texts, and whatever has a buffer is lent without a copy."""

import ctypes
import math
import sys
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Tuple

from ._library import Error, encode, lib

_FULL_READ = 0x11C  # PyBUF_FULL_RO


class _PyBuffer(ctypes.Structure):
    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.py_object),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    ]


_get = ctypes.pythonapi.PyObject_GetBuffer
_get.argtypes = [ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int]
_release = ctypes.pythonapi.PyBuffer_Release
_release.argtypes = [ctypes.POINTER(_PyBuffer)]
_release.restype = None
_contiguous = ctypes.pythonapi.PyBuffer_IsContiguous
_contiguous.argtypes = [ctypes.POINTER(_PyBuffer), ctypes.c_char]
_contiguous.restype = ctypes.c_int


def as_integers(value: Any) -> Any:
    """A NumPy array of a type that buffers have no letter for, such as bfloat16 of ml_dtypes, as one of integers."""
    kind = getattr(value, "dtype", None)
    return value.view("u%d" % kind.itemsize) if getattr(kind, "isbuiltin", 0) == 2 else value


def _with_buffer(value: Any) -> Any:
    """What has a buffer only as an array, such as a Series of pandas or a tensor of torch in the host's memory."""
    try:
        memoryview(value)
    except TypeError:
        value = value.__array__() if hasattr(value, "__array__") else value
    except (BufferError, ValueError):
        pass  # it has one, which is of another kind
    return as_integers(value)


class Lent:
    """The bytes of an object, which neither go away nor move before close()."""

    def __init__(self, name: str, value: Any) -> None:
        self._view = _PyBuffer()
        try:
            _get(_with_buffer(value), ctypes.byref(self._view), _FULL_READ)
        except (BufferError, TypeError, ValueError) as error:
            raise Error(
                "argument %s: a %s is neither a number nor has it a buffer (%s); give a number, a NumPy array, an "
                "array.array, bytes, or a text such as 'zero:4M'" % (name, type(value).__name__, error)
            ) from None
        try:
            self._check(name)
        except Error:
            self.close()
            raise

    def _check(self, name: str) -> None:
        kind = (self._view.format or b"B").decode("ascii", "replace")
        foreign = ">!" if sys.byteorder == "little" else "<"
        if any(letter in "OPuwUM" for letter in kind) or kind[:1] in foreign:
            raise Error(
                "argument %s: a buffer with elements of the type '%s' means nothing to a GPU; its elements must be "
                "numbers in this machine's byte order, such as float32" % (name, kind)
            )
        if not _contiguous(ctypes.byref(self._view), b"C"):
            raise Error(
                "argument %s: the array's elements do not follow each other in memory; give a copy that is "
                "contiguous, such as numpy.ascontiguousarray(a)" % name
            )

    @property
    def address(self) -> int:
        return self._view.buf or 0

    @property
    def size(self) -> int:
        return int(self._view.len)

    @property
    def read_only(self) -> bool:
        return bool(self._view.readonly)

    def close(self) -> None:
        _release(ctypes.byref(self._view))


class TensorMap:
    """An array behind a tensor map (CUtensorMap), for kernels that copy boxes of it on Hopper and later.

    array: lent as other arrays are. type: "fp16", "bf16", "fp32", "tf32", "fp64", "u8", ... size, box: elements of
    each dimension, the one first whose elements lie side by side. stride: bytes between neighbours of each further
    dimension. swizzle: 0, 32, 64 or 128 bytes. step: every so many elements. nan: what lies outside is NaN, else 0.
    """

    def __init__(self, array: Any, type: str, size: Sequence[int], *, box: Optional[Sequence[int]] = None,
                 stride: Optional[Sequence[int]] = None, swizzle: int = 0, step: Optional[Sequence[int]] = None,
                 nan: bool = False) -> None:
        parts = ["tensor", type, _by(size)]
        parts += ["%s=%s" % (name, _by(each)) for name, each in (("box", box), ("stride", stride), ("step", step))
                  if each]
        parts += ["swizzle=%d" % swizzle] if swizzle else []
        self.array, self.text = array, ":".join(parts + ["nan"] * nan)


def _by(sizes: Sequence[int]) -> str:
    return "x".join(str(int(each)) for each in sizes)


def _number(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(float(value))


def _plain(value: Any) -> Any:
    """NumPy's and ctypes' numbers as Python's."""
    if isinstance(value, ctypes._SimpleCData):
        return value.value
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        return value.item()
    return value


def _pairs(args: Any) -> Iterator[Tuple[str, Any]]:
    if isinstance(args, Mapping):
        return iter([(str(name), value) for name, value in args.items()])
    if isinstance(args, (str, bytes)) or not hasattr(args, "__iter__"):
        raise Error("args: a list with a value for each of the kernel's arguments, or a dict by their names, is needed")
    return iter([(str(number), value) for number, value in enumerate(args)])


def set_arguments(code: int, args: Any, set_option: Any, held: List[Lent]) -> None:
    """Gives them to the code; what it borrows from then on goes to held."""
    for name, value in _pairs(args):
        value = _plain(value)
        if isinstance(value, (bool, int, float)):
            set_option("arg", "%s=%s" % (name, _number(value)))
        elif isinstance(value, str):
            set_option("arg", "%s=%s" % (name, value))
        elif value is None:
            raise Error("argument %s: it is None; give a number or an array" % name)
        else:
            mapped = isinstance(value, TensorMap)
            lent = Lent(name, value.array if mapped else value)
            held.append(lent)
            target = "%s=%s" % (name, value.text) if mapped else name
            lib.ps_kernel_code_lend_buffer(code, encode(target), lent.address, lent.size, lent.read_only)
