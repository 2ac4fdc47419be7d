# SPDX-License-Identifier: BSD-3-Clause
"""Every example of the pages runs, in order, as a reader would type them."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import common


def examples(page: pathlib.Path) -> str:
    return "\n".join(re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S))


class Pages(unittest.TestCase):
    def check(self, page: str, shown: str) -> None:
        script = examples(common.ROOT / page)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(common.PTX, folder)
            shutil.copy(common.CORPUS / "saxpy.ptx", folder)
            path = os.path.join(folder, "example.py")
            pathlib.Path(path).write_text(script, encoding="utf-8")
            done = subprocess.run([sys.executable, path], cwd=folder, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 0)
        self.assertIn(shown, done.stdout)

    def test_readme(self) -> None:
        self.check("python/README.md", "did you mean pascal?")

    def test_guide(self) -> None:
        self.check("docs/guide/python.md", "4 of 4")


if __name__ == "__main__":
    unittest.main()
