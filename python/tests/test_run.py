# SPDX-License-Identifier: BSD-3-Clause
"""Answers are the program's, and arguments get to the kernel as they are."""

import array
import ctypes
import mmap
import os
import pickle
import resource
import tempfile
import unittest
from typing import Any

import common
import pipesim

try:
    import numpy
except ImportError:
    numpy = None


def text_of(*words: str) -> str:
    """What the program prints, without its hint at more options."""
    lines = common.program(*words).split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("More "))
    last = first + 1
    while lines[last].startswith(" " * 14):
        last += 1
    return "\n".join(lines[:first] + lines[last:]).rstrip("\n")


class Whole:
    """A number of another package's, such as NumPy's."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __index__(self) -> int:
        return self._number


class OnlyArray:
    """What has a buffer only behind __array__, as a Series of pandas and a tensor of torch."""

    def __init__(self, values: Any) -> None:
        self._values = values

    def __array__(self) -> Any:
        return self._values


class Run(unittest.TestCase):
    def test_shapes(self) -> None:
        launch = {**common.LAUNCH, "args": common.arguments()}
        told = pipesim.run(common.PTX, **launch)
        launch.update(grid=(Whole(4), 4), block=(Whole(16), Whole(16)))
        self.assertEqual(pipesim.run(common.PTX, **launch), told)
        launch.update(grid=Whole(1))
        self.assertEqual(pipesim.run(common.PTX, **launch).launch.groups, 1)

    def test_names(self) -> None:
        """Macros of the source may be named where the launch needs their values."""
        launch = {**common.LAUNCH, "grid": "(SIZE/TILE)x(SIZE/TILE)", "block": "(TILE)x(TILE)"}
        args = [*common.arguments()[:3], "SIZE"]
        found = pipesim.run(common.PTX, args=args, define={"TILE": 16, "SIZE": 64}, **launch)
        self.assertEqual(found, pipesim.run(common.PTX, args=common.arguments(), **common.LAUNCH))

    def test_repr(self) -> None:
        found = pipesim.run("mmul08.idg", "pascal")
        self.assertRegex(repr(found.launch), r"^<pipesim\.Facts: groups=16384, group_size=64, .*limited_by=\['groups',")
        self.assertIn("kernels=[... 1]", repr(pipesim.roofline("mmul08.idg", "pascal")))
        self.assertIn("roofline={...}", repr(pipesim.compare({"active": 1}, {}, path="mmul08.idg", gpu="pascal").a))

    def test_graph(self) -> None:
        result = pipesim.run("mmul08.idg", "pascal")
        self.assertEqual(result.to_dict(), common.program_json("mmul08.idg", "--gpu", "pascal"))
        self.assertEqual(str(result), text_of("mmul08.idg", "--gpu", "pascal"))
        self.assertEqual(result.cycles, 7608491.75)
        self.assertAlmostEqual(result.time_us, 5052.119, 2)
        self.assertEqual(result.time_ms * 1e3, result.time_s * 1e6)
        self.assertEqual(result.launch.occupancy, 1.0)
        self.assertEqual(result.pipelines[0].name, "alu")
        self.assertIn("local", result.limited_by)

    def test_advice(self) -> None:
        result = pipesim.run("mmul08-conflict.idg", "pascal", advise=True)
        words = ("mmul08-conflict.idg", "--gpu", "pascal", "--advise")
        self.assertEqual(result.to_dict(), common.program_json(*words))
        self.assertEqual(str(result), text_of(*words))
        advice = pipesim.advise("mmul08-conflict.idg", "pascal")
        self.assertEqual([each.to_dict() for each in advice], result.to_dict()["advice"])

    def test_what_if(self) -> None:
        result = pipesim.run("mmul08.idg", "pascal", what_if={"local.issue": 7})
        told = common.program_json("mmul08.idg", "--gpu", "pascal", "--what-if", "local.issue=7")
        self.assertEqual(result.to_dict()["result"], told["result"])
        self.assertEqual(result.what_if.to_dict()["result"], told["what_if"]["result"])

    def test_options(self) -> None:
        result = pipesim.run("mmul08.idg", gpu="GTX 1060", active=4, param={"size": 512}, measured_us=900, explain=True)
        told = common.program_json(
            "mmul08.idg", "--gpu", "gtx1060", "--active", "4", "--param", "size=512", "--measured", "0.9", "--explain"
        )
        self.assertEqual(result.to_dict(), told)
        self.assertIn("\nCritical path: ", str(result))

    def test_html(self) -> None:
        html = pipesim.run("mmul08.idg", "pascal")._repr_html_()
        self.assertIn("<tr><th>Limited by</th><td>", html)
        self.assertIn("<h4>Pipelines", html)
        self.assertNotIn("<script", html)

    def test_object(self) -> None:
        result = pipesim.run("mmul08.idg", "pascal")
        again = pickle.loads(pickle.dumps(result))
        self.assertEqual(again, result)
        self.assertEqual(str(again), str(result))
        self.assertIn("launch", dir(result))
        self.assertEqual(repr(result), "<pipesim.Result: mmul08 on GeForce GTX 1060 6GB, 5052.12 us>")
        with self.assertRaises(AttributeError) as caught:
            result.lunch
        self.assertIn("it has pipesim, kernel, title, gpu, launch", str(caught.exception))


# Each group brings a box of 32 x 32 floats from a tensor behind a map to its shared memory.
BOX = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry box(.param .align 64 .b8 map[128], .param .u32 width)
{
.reg .pred %p<2>;
.reg .b32 %r<6>;
.reg .b64 %rd<3>;
.shared .align 1024 .b8 s[4096];
.shared .align 8 .b64 full;
mov.b64 %rd1, map;
cvta.param.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x;
mov.u32 %r2, s;
mov.u32 %r3, full;
mov.u32 %r4, %ctaid.x;
shl.b32 %r4, %r4, 5;
setp.eq.u32 %p1, %r1, 0;
@%p1 mbarrier.init.shared.b64 [%r3], 1;
bar.sync 0;
@!%p1 bra WAIT;
mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 4096;
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], [%rd2, {%r4, %r4}], [%r3];
WAIT:
mbarrier.try_wait.parity.shared.b64 %p1, [%r3], 0;
@!%p1 bra WAIT;
ret;
}
"""


class Maps(unittest.TestCase):
    def test_lent(self) -> None:
        """An array behind a tensor map is lent as others are."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "box.ptx")
            with open(path, "w") as file:
                file.write(BOX)

            def ask(map: object) -> pipesim.Result:
                return pipesim.run(path, "h100", grid=2, block=32, registers=32, from_="ptx", args=[map, 64])

            square = {"box": (32, 32), "swizzle": 128}
            lent = ask(pipesim.TensorMap(bytes(4 * 64 * 64), "fp32", (64, 64), stride=(256,), nan=True, **square))
            told = ask("tensor:fp32:64x64:box=32x32:stride=256:swizzle=128:nan:zero")
            self.assertEqual(lent.to_dict()["result"], told.to_dict()["result"])
            with self.assertRaisesRegex(pipesim.Error, "the tensor takes 16384 bytes, and 16380 were given"):
                ask(pipesim.TensorMap(bytes(16380), "fp32", (64, 64), **square))
            with self.assertRaisesRegex(pipesim.Error, "its box has rows of 256 bytes, more than the 128"):
                ask(pipesim.TensorMap(bytes(16384), "fp32", (64, 64), box=(64, 64), swizzle=128))


class Arguments(unittest.TestCase):
    def test_array_of(self) -> None:
        a, b, c, n = common.arguments()
        found = pipesim.run(common.PTX, args=[OnlyArray(a), b, OnlyArray(c), n], **common.LAUNCH)
        self.assertEqual(found, pipesim.run(common.PTX, args=[a, b, c, n], **common.LAUNCH))

    told = None

    def check(self, args: object) -> None:
        if Arguments.told is None:
            Arguments.told = common.program_json(*common.by_texts())
        result = pipesim.run(common.PTX, args=args, **common.LAUNCH)
        self.assertEqual(result.to_dict()["result"], Arguments.told["result"])
        self.assertEqual(result.to_dict()["classes"], Arguments.told["classes"])

    def test_texts(self) -> None:
        self.check(common.TEXTS)
        self.check(dict(enumerate(common.TEXTS)))

    def test_buffers(self) -> None:
        a, c = common.ramp(), common.zeros()
        self.check([a, memoryview(a), c, common.SIZE])
        self.check([a, bytes(a), bytearray(c), numpy.int32(common.SIZE) if numpy else common.SIZE])
        self.check([a, (ctypes.c_float * len(a))(*a), c, ctypes.c_int(common.SIZE)])
        self.assertEqual(a, common.ramp())
        self.assertEqual(c, common.zeros())

    @unittest.skipUnless(numpy, "NumPy is not installed")
    def test_numpy(self) -> None:
        a = numpy.arange(common.SIZE**2, dtype="float32").reshape(common.SIZE, common.SIZE)
        fixed = a.copy()
        fixed.flags.writeable = False
        c = numpy.zeros_like(a)
        self.check([a, fixed, c, numpy.int64(common.SIZE)])
        self.check({"0": a, "1": a, "2": c, "3": numpy.array(common.SIZE)})
        self.assertFalse(c.any())

    def test_floats(self) -> None:
        common_words = {"gpu": "v100", "grid": 5, "block": 256, "from_": "ptx", "registers": 16}
        x = array.array("f", bytes(4 * 1280))
        path = str(common.CORPUS / "saxpy.ptx")
        for value in (2.5, -1e-3, float("inf"), float("-inf"), float("nan"), True):
            result = pipesim.run(path, kernel="saxpy", args={"n": 1200, "a": value, "x": x, "y": x}, **common_words)
            self.assertGreater(result.cycles, 0)

    def test_no_copy(self) -> None:
        """A copy of these would take 3 GiB."""
        buffers = [mmap.mmap(-1, 1 << 30) for _ in range(3)]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        pipesim.run(common.PTX, args=[*buffers, common.SIZE], **common.LAUNCH)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 256 << 10)
        for buffer in buffers:
            buffer.close()


if __name__ == "__main__":
    unittest.main()
