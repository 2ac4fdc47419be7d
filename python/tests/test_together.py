# SPDX-License-Identifier: BSD-3-Clause
"""A sweep over macros has the machine code of several points listed by one run of the disassembler.

Stand-ins for nvcc, ptxas and nvdisasm give what is stored in tests/corpus and tests/sass.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from typing import Any, List

import common

SASS = common.ROOT / "tests" / "sass"

NVCC = """#!/bin/sh
[ "$1" != --list-gpu-arch ] || { echo compute_80; exit; }
for word; do
    [ "$before" != -o ] || out=$word
    case $word in -DPART=*) part=${word#*=};; -MD,-MF,*) : >"${word#-MD,-MF,}";; esac
    before=$word
done
{ cat '%(ptx)s'; echo "// part $part"; } >"$out"
"""

PTXAS = """#!%(python)s
import pathlib, re, sys
if sys.argv[1] == "--help":
    with open(r'%(asked)s', "a") as asked:
        print("ptxas", file=asked)
if sys.argv[1] in ("--help", "--version"):
    sys.exit()
texts = [pathlib.Path(word).read_text() for word in sys.argv[1:-1] if word.endswith(".ptx")]
cubin = bytearray(pathlib.Path(r'%(cubin)s').read_bytes())
nop = bytes.fromhex("18790000000000000000000000c00f00")
cubin[cubin.rindex(nop) + 13] |= int(re.search("// part ([0-9]+)", texts[0]).group(1)) << 1
pathlib.Path(sys.argv[-1]).write_bytes(cubin)
"""

NVDISASM = """#!%(python)s
import json, pathlib, re, sys
if sys.argv[1] != "-json":
    with open(r'%(asked)s', "a") as asked:
        print("nvdisasm", file=asked)
    sys.exit()
head, (kernel, *_) = json.loads(pathlib.Path(r'%(listing)s').read_text())
cubin = pathlib.Path(sys.argv[-1]).read_bytes()
marks = {mark.decode() for mark in re.findall(rb"\\.text\\.saxpy(\\$pipesim\\$[0-9]+\\$)", cubin)}
with open(r'%(runs)s', "a") as runs:
    print(len(marks), file=runs)
print(json.dumps([head, [{**kernel, "function-name": "saxpy" + mark} for mark in marks or [""]]]))
"""

SWEEP = """
import json, os, sys
os.cpu_count = lambda: 2
import pipesim
points = pipesim.sweep("saxpy.cu", sys.argv[1], vary={"define": [{"PART": part} for part in range(1, 9)]}, grid=5,
                       block=256, args=[1200, 2.5, "ramp:4800", "zero:4800"], no_cache=len(sys.argv) > 2)
print(json.dumps([point.result.to_dict()["result"] for point in points]))
"""


class Together(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "saxpy.cu").write_bytes((common.CORPUS / "saxpy.cu").read_bytes())
        self.runs, self.asked = self.folder / "runs", self.folder / "asked"
        for name, text in (("nvcc", NVCC), ("ptxas", PTXAS), ("nvdisasm", NVDISASM)):
            path = self.folder / name
            path.write_text(text % {"python": sys.executable, "runs": self.runs, "asked": self.asked,
                                    "ptx": common.CORPUS / "saxpy.ptx", "cubin": SASS / "saxpy-80.cubin",
                                    "listing": SASS / "saxpy-80.json"})
            path.chmod(0o755)

    def sweep(self, *words: str) -> Any:
        self.runs.write_text("")
        self.asked.write_text("")
        environment = {**os.environ, "PATH": "%s:%s" % (self.folder, os.environ["PATH"]),
                       "PIPESIM_CACHE": str(self.folder / "kept")}
        done = subprocess.run([sys.executable, "-c", SWEEP, *words], capture_output=True, text=True, cwd=self.folder,
                              env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def listed(self) -> List[int]:
        """How many kernels each run of the disassembler had together, 0 where it had one alone."""
        return [int(line) for line in self.runs.read_text().split()]

    def test_together(self) -> None:
        together = self.sweep("a100")
        self.assertEqual(self.listed(), [4, 4])
        alone = self.sweep("a100", "no cache")
        self.assertEqual(self.listed(), [0] * 8)
        self.assertEqual(together, alone)
        self.assertEqual(len(together), 8)

    def test_chips(self) -> None:
        """Which chips programs know, which is asked for those before CUDA 13, is kept: the second answer runs none."""
        first = self.sweep("v100")
        self.assertEqual(sorted(set(self.asked.read_text().split())), ["nvdisasm", "ptxas"])
        self.assertEqual(self.sweep("v100"), first)
        self.assertEqual(self.asked.read_text() + self.runs.read_text(), "")


if __name__ == "__main__":
    unittest.main()
