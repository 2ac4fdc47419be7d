# SPDX-License-Identifier: BSD-3-Clause
"""One call of a Triton kernel: bound and specialised as Triton does, and compiled for a described GPU without one."""

import ctypes
import pathlib
import re
import sys
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ._arguments import TensorMap, as_integers
from ._call import find_gpu
from ._library import Error, call, lib, take

_WARP = 32
# Triton's names of the types of buffers, by the letters of Python's module struct.
_LETTERS = {"?": "int1", "b": "int8", "B": "uint8", "h": "int16", "H": "uint16", "i": "int32", "I": "uint32",
            "l": "int64", "L": "uint64", "q": "int64", "Q": "uint64", "e": "float16", "f": "float32", "d": "float64"}
# Its names of what NumPy has of other packages (ml_dtypes), by their names there.
_FOREIGN = ("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
# Triton aligns pointers to so many bytes, or does not rely on it.
_ALIGNED = 16
# The types of tensor maps, as Triton's metadata numbers them, which is as machine code does.
_MAPPED = ("u8", "u16", "u32", "s32", "u64", "s64", "fp16", "fp32", "fp32", "fp64", "bf16", "tf32", "tf32")


class Tensor:
    """An array as Triton looks at one: its type, and how its address is aligned."""

    def __init__(self, name: str, value: Any) -> None:
        self.value = value
        self.shape = tuple(getattr(value, "shape", ()))
        if hasattr(value, "data_ptr"):
            self.dtype, self.lent = str(value.dtype).replace("torch.", ""), _torch_bytes(name, value)
            self._address = int(value.data_ptr())
            return
        self.lent = value.T if _only_transposed(value) else value
        try:
            view = memoryview(as_integers(self.lent))
        except (TypeError, ValueError):
            raise Error("argument %s: a %s is neither a number nor an array; give a NumPy array, a tensor of torch, an "
                        "array.array or a number" % (name, type(value).__name__)) from None
        foreign = as_integers(self.lent) is not self.lent
        letter = str(self.lent.dtype) if foreign else view.format
        if letter not in (_FOREIGN if foreign else _LETTERS):
            raise Error("argument %s: Triton has no type for elements of '%s'" % (name, letter))
        self.dtype = letter if foreign else _LETTERS[letter]
        self._address = _behind_owner(value)

    def data_ptr(self) -> int:
        """Where it begins. On a device tensors begin aligned, and only views of them may not."""
        return self._address % _ALIGNED

    def ptr_range(self) -> int:
        return int(memoryview(as_integers(self.lent)).nbytes)


def _only_transposed(value: Any) -> bool:
    flags = getattr(value, "flags", None)
    return bool(getattr(flags, "f_contiguous", False) and not getattr(flags, "c_contiguous", True))


def _behind_owner(value: Any) -> int:
    """The bytes from the beginning of the array that owns the memory."""
    owner = value
    while hasattr(getattr(owner, "base", None), "__array_interface__"):
        owner = owner.base
    if owner is value:
        return 0
    return int(value.__array_interface__["data"][0] - owner.__array_interface__["data"][0])


def _torch_bytes(name: str, tensor: Any) -> Any:
    """What it holds, from its first element to its last. On a GPU that is copied."""
    if str(getattr(tensor, "device", "cpu")) != "cpu":
        tensor = tensor.cpu()
    strides = tensor.stride()
    if any(stride < 0 for stride in strides):
        raise Error("argument %s: a tensor with negative strides cannot be lent" % name)
    last = sum((size - 1) * stride for size, stride in zip(tensor.shape, strides))
    count = 0 if 0 in tuple(tensor.shape) else last + 1
    lent = (ctypes.c_ubyte * (count * tensor.element_size())).from_address(tensor.data_ptr())
    lent.owner = tensor  # type: ignore[attr-defined]
    return lent


class Compiled(NamedTuple):
    """A kernel's machine code, and what its launch has: options of pipesim.run beside the path."""

    name: str
    cubin: bytes
    options: Dict[str, Any]


def import_triton() -> Any:
    try:
        import triton
        import triton.compiler
        import triton.runtime.jit
    except ImportError as error:
        raise Error("pipesim.triton needs Triton (pip install triton): %s" % error) from None
    if not hasattr(triton.runtime.jit, "create_function_from_signature"):
        raise Error("Triton %s is too old; pipesim.triton needs 3.4 or later" % triton.__version__)
    return triton


def target_of(gpu: Any) -> Any:
    """What Triton compiles for, by the GPU's description."""
    import_triton()
    from triton.backends.compiler import GPUTarget

    described = find_gpu(gpu)
    try:
        text = take(lib.ps_gpu_write(described))
    finally:
        lib.ps_gpu_free(described)
    found = re.search(r'compute-capability="(\d+)\.(\d)"', text)
    if not found:
        raise Error("%s: its description states no compute capability, which Triton compiles for" % gpu)
    return GPUTarget("cuda", int(found.group(1) + found.group(2)), _WARP)


def nvdisasm() -> Optional[str]:
    """The disassembler that comes with Triton."""
    triton = import_triton()
    path = pathlib.Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "nvdisasm"
    return str(path) if path.is_file() else None


def options_of(target: Any) -> List[str]:
    """The names of Triton's own options: num_warps, num_stages, ..."""
    from triton.compiler import make_backend

    return list(make_backend(target).parse_options({}).__dict__)


def _grid(grid: Any, bound: Dict[str, Any]) -> Tuple[int, ...]:
    if callable(grid):
        grid = grid(bound)
    sizes = grid if isinstance(grid, (tuple, list)) else (grid,)
    if not 1 <= len(sizes) <= 3 or not all(isinstance(size, int) and size > 0 for size in sizes):
        raise Error("grid: %r is none; give one to three numbers of programs, or a function of the arguments that "
                    "returns them" % (grid,))
    return tuple(sizes)


def _seen(name: str, value: Any) -> Any:
    """A value as Triton's binder shall see it: arrays as tensors, NumPy's numbers as Python's."""
    if value is None or isinstance(value, (bool, int, float, str)) or hasattr(value, "cache_key"):
        return value
    if isinstance(value, (tuple, list)):
        return tuple(_seen("%s[%d]" % (name, number), each) for number, each in enumerate(value))
    if type(value).__module__.split(".")[0] == "triton":
        return value
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item") and not hasattr(value, "data_ptr"):
        return value.item()
    return Tensor(name, value)


def _passed(name: str, kind: Any, value: Any, maps: Iterator[Any]) -> Iterator[Any]:
    """What a launch passes for an argument: nothing for what was compiled in. maps: the metadata of each descriptor
    for which the GPU has a tensor map; it has none where these end."""
    if isinstance(kind, (tuple, list)):
        for each, one in zip(kind, value):
            yield from _passed(name, each, one, maps)
    elif kind == "constexpr":
        return
    elif isinstance(value, Tensor):
        yield value.lent
    elif isinstance(kind, str) and kind.startswith("tensordesc"):
        yield from _described(name, value, next(maps, None))
    elif isinstance(value, (bool, int, float)):
        yield value
    else:
        raise Error("argument %s: a %s (%s) cannot be launched here" % (name, type(value).__name__, kind))


def _described(name: str, value: Any, of_map: Any) -> Iterator[Any]:
    """A tensor's descriptor: a tensor map, its shape and its strides, or where the GPU has no maps the base and its
    numbers, as Triton takes it apart."""
    if of_map:
        yield _map(name, value, of_map)
        yield from (*value.shape, *value.strides)
        return
    try:
        from triton.backends.driver import decompose_descriptor
    except ImportError:
        raise Error("argument %s: this version of Triton does not say how it passes a descriptor" % name) from None
    base, *numbers = decompose_descriptor(value)
    yield Tensor(name, base).lent
    yield from numbers


def _map(name: str, value: Any, of_map: Mapping[str, Any]) -> TensorMap:
    """As Triton has the driver encode it. Triton counts dimensions from the outermost one."""
    for unknown in ("fp4_padded", "is_im2col"):
        if of_map.get(unknown):
            raise Error("argument %s: descriptors that are %s are not known here" % (name, unknown))
    kind = "tf32" if getattr(value, "round_f32_to_tf32", False) else _MAPPED[of_map["elem_type"]]
    return TensorMap(Tensor(name, value.base).lent, kind, value.shape[::-1], box=of_map["block_size"][::-1],
                     stride=[of_map["elem_size"] * stride for stride in value.strides[-2::-1]],
                     swizzle=(0, 32, 64, 128)[of_map["swizzle"]], nan=value.padding == "nan")


def _refusal(kernel: Any, error: Exception) -> Error:
    """Triton's own reason, with the line of the source where it names one."""
    reason = getattr(error, "error_message", None) or str(error) or type(error).__name__
    if not getattr(error, "error_message", None) and error.__cause__:
        reason = str(error.__cause__)
    lines = [line.strip() for line in str(reason).splitlines() if line.strip(" ^")]
    words = "Triton cannot compile %s: %s" % (kernel.__name__, (lines or [type(error).__name__])[-1])
    node = getattr(error, "node", None)
    if not hasattr(node, "lineno"):
        return Error(words, "syntax")
    return Error("%s:%d: %s" % (kernel.file_name, kernel.def_file_line_number + node.lineno - 1, words), "syntax")


def _source(kernel: Any) -> Any:
    if kernel.is_gluon():
        from triton.experimental.gluon._runtime import GluonASTSource

        return GluonASTSource
    from triton.compiler import ASTSource

    return ASTSource


def _bind(kernel: Any, target: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Arguments by name, their types, Triton's source and options."""
    from triton.compiler import make_backend
    from triton.runtime.jit import create_function_from_signature

    names = [parameter.name for parameter in kernel.params]
    seen = [_seen(names[number] if number < len(names) else str(number), each) for number, each in enumerate(args)]
    words = {name: _seen(name, value) for name, value in named.items()}
    words["debug"] = words.get("debug", kernel.debug)
    backend = make_backend(target)
    try:
        bound, specialised, _ = create_function_from_signature(kernel.signature, kernel.params, backend)(*seen, **words)
        options, signature, constants, attributes = kernel._pack_args(backend, words, bound, specialised, {})
    except Error:
        raise
    except Exception as error:
        raise _wrong_call(kernel, error) from None
    return bound, signature, _source(kernel)(kernel, signature, constants, attributes), options


def _wrong_call(kernel: Any, error: Exception) -> Error:
    reason = str(error.args[0] if error.args else error).replace("dynamic_func()", kernel.__name__ + "()")
    return Error("%s: Triton does not take these arguments: %s" % (kernel.__name__, reason))


def _scratch(code: Any, grid: Sequence[int], passed: int) -> List[Any]:
    """Triton's own arguments behind those of the source: zeros, as many bytes as its metadata says."""
    head = re.search(r"\.entry[^(]*\(([^)]*)\)", code.asm["ptx"])
    missing = (len(re.findall(r"\.param\b", head.group(1))) if head else passed) - passed
    sizes = [getattr(code.metadata, name, 0) for name in ("global_scratch_size", "profile_scratch_size")]
    if not 0 <= missing <= len(sizes):
        raise Error("%s: Triton's code has %d arguments, and %d were bound"
                    % (code.metadata.name, passed + missing, passed))
    programs = 1
    for size in grid:
        programs *= size
    return ["zero:%d" % (size * programs) if size else 0 for size in sizes[:missing]]


def compiled(kernel: Any, grid: Any, target: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Compiled:
    """The machine code of one call, and its launch."""
    triton = import_triton()
    bound, signature, source, options = _bind(kernel, target, args, named)
    plain = {name: value.value if isinstance(value, Tensor) else value for name, value in bound.items()}
    sizes = _grid(grid, plain)
    try:
        code = triton.compile(source, target=target, options=options.__dict__)
    except Exception as error:
        raise _refusal(kernel, error) from None
    maps = iter(getattr(code.metadata, "tensordesc_meta", None) or ())
    passed = [each for name, kind in signature.items() for each in _passed(name, kind, bound[name], maps)]
    groups = (sizes[0] * getattr(code.metadata, "num_ctas", 1), *sizes[1:])
    launch = {"grid": groups, "block": (_WARP * code.metadata.num_warps,), "kernel": code.metadata.name,
              "args": passed + _scratch(code, groups, len(passed))}
    if code.metadata.shared:
        launch["shared"] = code.metadata.shared
    if nvdisasm():
        launch["nvdisasm"] = nvdisasm()
    return Compiled(code.metadata.name, code.asm["cubin"], launch)


def caller_of(model: Any) -> Any:
    """The autotuner that asks this model: Triton passes a model no kernel, but is a frame above it."""
    frame = sys._getframe(2)
    while frame:
        tuner = frame.f_locals.get("self")
        if getattr(tuner, "perf_model", None) is model:
            return tuner
        frame = frame.f_back  # type: ignore[assignment]
    raise Error("pipesim.triton.model is for @triton.autotune(..., prune_configs_by={'perf_model': ...})")
