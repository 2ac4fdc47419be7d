# SPDX-License-Identifier: BSD-3-Clause
"""compare, sweep, roofline, gpus and schema tell what the program tells."""

import concurrent.futures
import multiprocessing
import os
import shutil
import tempfile
import unittest

import common
import pipesim

try:
    import distributed
except ImportError:
    distributed = None

try:
    import pandas
except ImportError:
    pandas = None


class Verbs(unittest.TestCase):
    def test_compare(self) -> None:
        both = pipesim.compare({"path": "mmul08.idg"}, {"path": "mmul16.idg"}, gpu="pascal")
        self.assertEqual(str(both), both.difference.words)
        self.assertIn(both.difference.words, repr(both))
        found = both.to_dict()
        told = common.program_json("compare", "mmul08.idg", "mmul16.idg", "--gpu", "pascal")
        self.assertEqual((found["a"], found["b"]), (told["a"], told["b"]))
        for difference in (found["difference"], told["difference"]):
            difference["figures"] = [each for each in difference["figures"] if each["name"] != "file"]
        self.assertEqual(found["difference"], told["difference"])

    def test_compare_gpus(self) -> None:
        found = pipesim.compare({"gpu": "v100"}, {"gpu": "a100"}, path=common.PTX, args=common.arguments(),
                                **{name: value for name, value in common.LAUNCH.items() if name != "gpu"})
        self.assertEqual(found.a.gpu, "Tesla V100 PCIe 16GB")
        self.assertEqual(found.b.gpu, "A100 SXM4 40GB")

    def test_roofline(self) -> None:
        found = pipesim.roofline("mmul08.idg", "pascal").to_dict()
        told = common.program_json("roofline", "mmul08.idg", "--gpu", "pascal")
        self.assertEqual(found["gpus"], told["gpus"])
        self.assertEqual(len(found["kernels"]), 1)

    def test_gpus(self) -> None:
        told = common.program_json("list", "--gpus")["gpus"]
        found = [gpu.to_dict() for gpu in pipesim.gpus()]
        for each in told + found:
            del each["file"]
        self.assertEqual(found, told)

    def test_schema(self) -> None:
        keys = set(pipesim.schema()["$defs"]["answer"]["properties"])
        self.assertLess(set(pipesim.run("mmul08.idg", "pascal", advise=True)) - keys, {"unknown"})


class Sweep(unittest.TestCase):
    vary = {"gpu": ["pascal", "v100"], "active": [1, 2, "many"]}

    def check(self, found: pipesim.Sweep) -> None:
        points = list(found)
        self.assertEqual([point.values["active"] for point in points], [1, 2, "many"] * 2)
        for point in points:
            self.assertEqual(point.error is None, point.values["active"] != "many")
        one = pipesim.run("mmul08.idg", "v100", active=2)
        self.assertEqual(points[4].result, one)
        self.assertEqual(found.best().values, {"gpu": "v100", "active": 2})
        self.assertEqual(len(found.to_dict()), 4)
        self.assertEqual(found.to_dict()[0]["varied"], {"gpu": "pascal", "active": 1})

    def test_threads(self) -> None:
        seen = []
        found = pipesim.sweep("mmul08.idg", vary=self.vary, progress=lambda done, of: seen.append((done, of)))
        self.assertEqual(len(found), 6)
        self.assertEqual(seen, [])
        self.check(found)
        self.assertEqual(seen, [(done, 6) for done in range(1, 7)])
        list(found)
        self.assertEqual(len(seen), 6)

    def test_processes(self) -> None:
        anew = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(2, anew) as executor:
            self.check(pipesim.sweep("mmul08.idg", vary=self.vary, executor=executor))

    @unittest.skipUnless(distributed, "Dask's distributed is not installed")
    def test_dask(self) -> None:
        """A cluster of processes here, as of machines elsewhere; arrays and errors travel."""
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            with distributed.Client(cluster) as client:
                executor = client.get_executor()
                self.check(pipesim.sweep("mmul08.idg", vary=self.vary, executor=executor))
                found = pipesim.sweep(common.PTX, vary={"registers": [32, 64]}, args=common.arguments(),
                                      executor=executor,
                                      **{name: value for name, value in common.LAUNCH.items() if name != "registers"})
                self.assertEqual([point.error for point in found], [None, None])

    def test_forked(self) -> None:
        """It says so in place of waiting for threads that are not there."""
        pipesim.run("mmul08.idg", "pascal")
        forked = multiprocessing.get_context("fork")
        with concurrent.futures.ProcessPoolExecutor(1, forked) as executor:
            point = next(iter(pipesim.sweep("mmul08.idg", "pascal", vary={"active": [1]}, executor=executor)))
        self.assertRegex(str(point.error), r"get_context\('spawn'\)")

    def test_repr(self) -> None:
        points = pipesim.sweep("mmul08.idg", "pascal", vary={"active": [1, 2], "param": [{"size": 512}]})
        self.assertEqual(repr(points), "<pipesim.Sweep: 2 points over active, param, of which 0 are known>")
        next(iter(points))
        self.assertIn("of which 1 are known", repr(points))

    def test_left(self) -> None:
        found = pipesim.sweep("mmul08.idg", vary={"gpu": ["pascal"], "active": list(range(1, 33))})
        next(iter(found))
        self.assertEqual(found.done, 1)

    def test_arrays(self) -> None:
        found = pipesim.sweep(common.PTX, vary={"registers": [32, 64]}, args=common.arguments(),
                              **{name: value for name, value in common.LAUNCH.items() if name != "registers"})
        self.assertEqual([point.error for point in found], [None, None])

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_pandas(self) -> None:
        frame = pipesim.sweep("mmul08.idg", vary=self.vary).to_pandas()
        self.assertEqual(list(frame.columns), ["gpu", "active", "time_us", "cycles", "limited_by", "error"])
        self.assertEqual(len(frame), 6)
        frame = pipesim.sweep(common.PTX, vary={"args": [common.arguments()]}, **common.LAUNCH).to_pandas()
        self.assertEqual(frame["args"][0], "(f[4096], f[4096], f[4096], 64)")

    @unittest.skipIf(pandas, "pandas is installed")
    def test_no_pandas(self) -> None:
        with self.assertRaisesRegex(pipesim.Error, "pandas is not installed"):
            pipesim.sweep("mmul08.idg", vary=self.vary).to_pandas()


@unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
class Programs(unittest.TestCase):
    """A program of the driver's interface, which links with what comes with pipesim."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.app = os.path.join(folder.name, "app")
        self.build = "cc -std=c11 -D_POSIX_C_SOURCE=200809L -I. -o %s tests/program/driver-api.c -lcuda" % self.app

    def test_program(self) -> None:
        ran = pipesim.program([self.app, "run"], "a100", build=self.build, capture=True, cwd=common.ROOT)
        self.assertEqual((ran.stdout, ran.status), ("ok 103 timed\n", 0))
        self.assertEqual({each.kernel: each.launches for each in ran.kernels}, {"saxpy": 2, "counted": 1})
        self.assertAlmostEqual(ran.time_s, sum(each.total_seconds for each in ran.kernels))
        self.assertEqual(ran.to_dict()["total"]["unknown"], 0)
        self.assertEqual(repr(ran)[:37], "<pipesim.Program: 3 launches on A100 ")

    def test_refused(self) -> None:
        for words, command, more in (
            ("there is no program './no-such-app'", ["./no-such-app"], {}),
            ("launched no kernel|is no CUDA program", ["true"], {}),
            ("exit 3: it ends with status 3", ["true"], {"build": "exit 3"}),
            ("'much' is no number of bytes", ["true"], {"memory": "much"}),
            ("Unknown option --lunch", ["true"], {"lunch": 1}),
        ):
            with self.assertRaisesRegex(pipesim.Error, words):
                pipesim.program(command, "a100", **more)
        with self.assertRaisesRegex(pipesim.Error, "did you mean gh200"):
            pipesim.program("true", "gth200")


if __name__ == "__main__":
    unittest.main()
