# SPDX-License-Identifier: BSD-3-Clause
"""Every example of the pages runs, in order, as a reader would type them."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from typing import Any

import common


def examples(page: pathlib.Path) -> str:
    return "\n".join(re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S))


def needs(module: str) -> Any:
    missing = importlib.util.find_spec(module) is None
    return unittest.skipIf(missing, "%s is not installed" % module)


class Pages(unittest.TestCase):
    def check(self, page: str, shown: str, begins: str = "") -> None:
        """begins: of the example that needs another package, and runs after the others."""
        script = examples(common.ROOT / page)
        if begins:
            text = (common.ROOT / page).read_text(encoding="utf-8")
            script += re.findall(r"^```\n(%s.*?)^```" % re.escape(begins), text, re.M | re.S)[0]
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(common.PTX, folder)
            shutil.copy(common.CORPUS / "saxpy.ptx", folder)
            path = os.path.join(folder, "example.py")
            pathlib.Path(path).write_text(script, encoding="utf-8")
            done = subprocess.run([sys.executable, path], cwd=folder, capture_output=True, text=True)
        warned = {
            "kernel_tuner": r".*: UserWarning: Argument at position 0 of dtype: int32 does not match(.*\n)*?"
                            r"  warnings.warn.*\n",
            # Where many programs are at work its processes end late.
            "dask": r".*distributed.* - WARNING - Worker process still alive after .*\n",
        }
        told = done.stderr
        for name, like in warned.items():
            told = re.sub(like, "", told) if name in begins else told
        self.assertEqual(told, "")
        self.assertEqual(done.returncode, 0)
        self.assertIn(shown, done.stdout)

    def test_readme(self) -> None:
        self.check("python/README.md", "did you mean pascal?")

    def test_guide(self) -> None:
        self.check("docs/tools/python.md", "4 of 4")

    @needs("distributed")
    def test_dask(self) -> None:
        self.check("docs/tools/python.md", "{'active': 8}\n", "from dask.distributed")

    @needs("kernel_tuner")
    def test_kernel_tuner(self) -> None:
        self.check("docs/tools/python.md", "4 were tried", "import pathlib\nimport kernel_tuner")


if __name__ == "__main__":
    unittest.main()
