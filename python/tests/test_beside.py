# SPDX-License-Identifier: BSD-3-Clause
"""Predicted times beside measured ones, of do_bench and of Proton's files."""

import json
import pathlib
import tempfile
import unittest
from typing import Any

import pipesim
from pipesim._beside import beside


def node(name: str, *children: Any, **metrics: Any) -> Any:
    return {"frame": {"name": name, "type": "function"}, "metrics": metrics, "children": list(children)}


def kernel(name: str, nanoseconds: Any, count: int) -> Any:
    return {**node(name), "metrics": {"time (ns)": nanoseconds, "count": count}}


class Beside(unittest.TestCase):
    def setUp(self) -> None:
        self.answer = pipesim.run("mmul08.idg", "v100")

    def proton(self, document: Any) -> str:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "measured.hatchet"
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return str(path)

    def test_do_bench(self) -> None:
        """What events take beside a kernel is on both sides."""
        ours = self.answer.result.timed_seconds * 1e6
        table = beside({"a": self.answer, "b": self.answer}, {"a": ours / 1e3 / 2, "c": [1.0, 0.9, 1.2]})
        self.assertEqual([row.kernel for row in table], ["a"])
        self.assertAlmostEqual(table.rows[0].predicted_us, ours)
        self.assertAlmostEqual(table.rows[0].error, 1.0)
        self.assertEqual((table.unmeasured, table.unpredicted), (["b"], ["c"]))
        self.assertIn("+100.0 %", str(table))
        self.assertIn("<td>a</td>", table._repr_html_())
        quantiles = beside({"a": self.answer}, {"a": [ours / 1e3, 1.0, 2.0]})
        self.assertAlmostEqual(quantiles.rows[0].error, 0.0)
        self.assertEqual(quantiles.to_dict()[0]["kernel"], "a")

    def test_proton(self) -> None:
        """Launches of a kernel at two places are one row: its mean time without what events add."""
        tree = node("ROOT", node("first", kernel("a", 8000, 2)), kernel("a", 4000, 1), kernel("b", 1000, 1))
        for document in (tree, [tree, {"CUDA": {"0": {"arch": "80"}}}]):
            table = beside({"a": self.answer}, self.proton(document))
            self.assertEqual(table.rows[0].measured_us, 4.0)
            self.assertEqual(table.rows[0].predicted_us, self.answer.time_us)
            self.assertEqual(table.unpredicted, ["b"])

    def test_refused(self) -> None:
        for document, words in ((["text"], "something else than a tree"), ("{", "measured.hatchet: "),
                                ([], "no kernel"), ([kernel("a", "long", 1)], "'long' is no time"),
                                ([kernel("a", 5, 0)], "0 is no time")):
            with self.assertRaisesRegex(pipesim.Error, words):
                beside({"a": self.answer}, self.proton(document))
        with self.assertRaisesRegex(pipesim.Error, r"measured\['a'\]: 'fast' is no time"):
            beside({"a": self.answer}, {"a": "fast"})
        with self.assertRaises(pipesim.Error):
            beside({"a": self.answer}, "/nowhere/a.hatchet")


if __name__ == "__main__":
    unittest.main()
