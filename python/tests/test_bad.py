# SPDX-License-Identifier: BSD-3-Clause
"""What is refused, each with one sentence that says what would be right."""

import array
import os
import tempfile
import unittest

import common
import pipesim

try:
    import numpy
except ImportError:
    numpy = None


WIDE = array.array("u", "ab")


class Bad(unittest.TestCase):
    def refused(self, pattern: str, kind: str, *args: object, **options: object) -> pipesim.Error:
        with self.assertRaisesRegex(pipesim.Error, pattern) as caught:
            pipesim.run(*args, **options)
        self.assertEqual(caught.exception.kind, kind)
        self.assertEqual(str(caught.exception), caught.exception.message)
        return caught.exception

    def launch(self, pattern: str, kind: str, *args: object) -> None:
        self.refused(pattern, kind, common.PTX, args=list(args), **common.LAUNCH)

    def test_types(self) -> None:
        a, b, c, n = common.arguments()
        self.launch(r"^argument 0: a list is neither a number nor has it a buffer", "argument", [1, 2], b, c, n)
        self.launch(r"^argument 1: it is None; give a number or an array$", "argument", a, None, c, n)
        self.launch(r"^argument 2: .* elements of the type '[uw]' means nothing", "argument", a, b, WIDE, n)
        self.launch(r"arg size: an argument of the type \.u32 is no address of a buffer", "usage", a, b, c, a)
        self.launch(r"2\.5", "usage", a, b, c, 2.5)
        self.launch(r"has no more arguments|0=VALUE|4", "usage", a, b, c, n, 5)

    def test_not_contiguous(self) -> None:
        a, b, c, n = common.arguments()
        apart = memoryview(a)[::2]
        self.launch(r"^argument 0: the array's elements do not follow each other", "argument", apart, b, c, n)

    def test_read_only(self) -> None:
        a, b, c, n = common.arguments()
        self.launch(r": the kernel writes this buffer, and it was lent for reading alone$", "value", a, b, bytes(c), n)

    @unittest.skipUnless(numpy, "NumPy is not installed")
    def test_numpy(self) -> None:
        a = numpy.zeros((64, 64), "float32")
        fixed = a.copy()
        fixed.flags.writeable = False
        self.launch(r"do not follow each other", "argument", numpy.zeros((64, 128), "float32")[:, ::2], a, a, 64)
        self.launch(r"do not follow each other", "argument", numpy.asfortranarray(numpy.ones((64, 32))), a, a, 64)
        self.launch(r"elements of the type '>f'", "argument", a, a, numpy.zeros(4096, ">f4"), 64)
        self.launch(r"elements of the type 'O'", "argument", a.astype(object), a, a, 64)
        self.launch(r"lent for reading alone", "value", a, a, fixed, 64)

    def test_too_small(self) -> None:
        _, b, c, n = common.arguments()
        error = self.refused(r"reads 4 bytes at .* behind the end of", "value", common.PTX,
                             args=[array.array("f", [1.0]), b, c, n], **common.LAUNCH)
        self.assertRegex(str(error.file), r"mmul\.cu$")
        self.assertGreater(error.line or 0, 0)

    def test_place(self) -> None:
        """Machine code's messages have the place of the instruction behind that of the line."""
        error = pipesim.Error("a/mm.cu:14 (at 0x1590): thread (0,0,0) of group (1,0,0) writes 4 bytes")
        self.assertEqual((error.file, error.line), ("a/mm.cu", 14))
        self.assertIsNone(pipesim.Error("mm.cu: 5 (at 0x1590): nothing").line)
        for text in ("nvcc failed: a (b)/mm.cu(14): error: no y", "clang-19 failed: a (b)/mm.cu:14:12: error: no y",
                     "A: a (b)/mm.cu:14: no y"):
            error = pipesim.Error(text)
            self.assertEqual((error.file, error.line), ("a (b)/mm.cu", 14), text)

    def test_missing(self) -> None:
        a = common.ramp()
        self.launch(r"lacks values for .* or @FILE\): grid 4x4 block 16x16 arg [a-z]+=zero:BYTES", "usage", a)
        self.refused(r"grid", "usage", common.PTX, "v100", block=(16, 16), args=common.arguments(), from_="ptx")

    def test_gpu(self) -> None:
        self.refused(r'^there is no GPU description "pascall"; did you mean pascal\?$', "read", "mmul08.idg", "pascall")
        self.refused(r"several GPU descriptions; give one of these", "read", "mmul08.idg", "a100 sxm")
        self.refused(r"^gpu: 5 is no name of a GPU", "argument", "mmul08.idg", 5)
        self.refused(r"^gpu is missing", "argument", "mmul08.idg", None)

    def test_files(self) -> None:
        self.refused(r"^no\.cu: there is no such file$", "read", "no.cu", "v100")
        self.refused(r"^there is no graph or kernel's code 'no\.idg'", "read", "no.idg", "v100")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.ptx")
            with open(path, "w") as file:
                file.write(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n  bogus.u32;\n}\n")
            error = self.refused(r"bad\.ptx:6: ", "value", path, "v100", grid=1, block=32, from_="ptx")
            self.assertEqual((error.file, error.line), (path, 6))
            path = os.path.join(folder, "bad.xml")
            with open(path, "w") as file:
                file.write("<gpu>\n")
            error = self.refused(r"bad\.xml:\d+: ", "syntax", "mmul08.idg", path)
            self.assertEqual(error.file, path)

    def test_options(self) -> None:
        self.refused(r"^mmul08\.idg: a graph has no option 'grid'", "argument", "mmul08.idg", "pascal", grid=4)
        self.refused(r"^mmul08\.idg: a graph has no arguments", "argument", "mmul08.idg", "pascal", args=[1])
        self.refused(r"active", "usage", "mmul08.idg", "pascal", active=-1)
        self.refused(r"a kernel's code has no option 'gird'", "usage", common.PTX, "v100", gird=4)
        for grid in ((1, "x"), 4096.0, (4, 4.5)):
            self.refused(r"is no shape", "argument", common.PTX, "v100", grid=grid)
        self.refused(r"^args: a list with a value for each", "argument", common.PTX, "v100", args=7)
        self.refused(r"NUL", "argument", "mmul08.idg", "pas\0cal")
        self.refused(r"what-if|nothing\.issue", "usage", "mmul08.idg", "pascal", what_if="nothing.issue")

    def test_others(self) -> None:
        with self.assertRaisesRegex(pipesim.Error, r"^vary: 'gpu' needs a list"):
            pipesim.sweep("mmul08.idg", vary={"gpu": "v100"})
        with self.assertRaisesRegex(pipesim.Error, r"^gpu is missing"):
            pipesim.sweep("mmul08.idg", vary={})
        with self.assertRaisesRegex(pipesim.Error, r"^B: gpu is missing"):
            pipesim.compare({"gpu": "v100"}, {}, path="mmul08.idg")
        with self.assertRaisesRegex(pipesim.Error, r"^A: a dict of what run\(\) takes is needed, .* not <pipesim\.Res"):
            pipesim.compare(pipesim.run("mmul08.idg", "pascal"), {}, path="mmul08.idg", gpu="pascal")
        with self.assertRaisesRegex(pipesim.Error, r"no point of the sweep has an answer; the first error: "):
            pipesim.sweep("mmul08.idg", "pascal", vary={"active": ["x"]}).best()


if __name__ == "__main__":
    unittest.main()
