# SPDX-License-Identifier: BSD-3-Clause
"""Kernel Tuner's files: T1 is read, and cache and T4 are written as it reads them."""

import contextlib
import copy
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from typing import Any

import common
import pipesim
import pipesim.kernel_tuner as tuner

try:
    import kernel_tuner
except ImportError:
    kernel_tuner = None

try:
    import jsonschema
except ImportError:
    jsonschema = None

T1: Any = {
    "ConfigurationSpace": {
        "TuningParameters": [
            {"Name": "block_size_x", "Type": "int", "Values": "[32, 64, 96, 128, 1024, 2048]"},
            {"Name": "elements", "Type": "int", "Values": "range(1, 3)"},
        ],
        "Conditions": [{"Parameters": ["block_size_x"], "Expression": "block_size_x % 64 == 0 or block_size_x < 64"}],
    },
    "KernelSpecification": {
        "Language": "CUDA",
        "KernelName": "saxpy",
        "KernelFile": "saxpy.ptx",
        "ProblemSize": [65536],
        "GlobalSize": {"X": "65536"},
        "LocalSize": {"X": "block_size_x"},
        "GridDivX": ["block_size_x", "elements"],
        "Arguments": [
            {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 65536},
            {"Name": "a", "Type": "float", "MemoryType": "Scalar", "FillValue": 2.5},
            {"Name": "x", "Type": "float", "MemoryType": "Vector", "Size": "ProblemSize[0]", "FillType": "Random"},
            {"Name": "y", "Type": "float", "MemoryType": "Vector", "Size": 65536, "FillType": "Constant",
             "FillValue": 0},
        ],
    },
}
OPTIONS = {"registers": 20, "from_": "ptx"}


class KernelTuner(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "saxpy.ptx").write_bytes((common.CORPUS / "saxpy.ptx").read_bytes())

    def write(self, document: Any) -> str:
        path = self.folder / "saxpy.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return str(path)

    def predict(self, document: Any = T1) -> tuner.Predicted:
        return tuner.predict(self.write(document), "v100", **OPTIONS)

    def test_space(self) -> None:
        space = tuner.read(self.write(T1))
        found = space.configurations()
        self.assertEqual([(one["block_size_x"], one["elements"]) for one in found],
                         [(x, e) for x in (32, 64, 128, 1024, 2048) for e in (1, 2)])
        launch = space.launch(found[3])
        self.assertEqual((launch["grid"], launch["block"]), ([512, 1, 1], [64, 1, 1]))
        self.assertEqual(launch["args"], [65536, 2.5, "random:262144:1", "zero:262144"])

    def test_files(self) -> None:
        found = self.predict()
        cache, results = self.folder / "cache.json", self.folder / "t4.json"
        found.write_cache(cache)
        found.write_results(results)
        self.assertEqual(cache.read_text()[-3:], "}\n}")
        told = json.loads(cache.read_text())
        self.assertEqual(told["device_name"], "Tesla V100 PCIe 16GB")
        self.assertEqual(told["tune_params_keys"], ["block_size_x", "elements"])
        self.assertEqual(len(told["cache"]), 10)
        one = pipesim.run(str(self.folder / "saxpy.ptx"), "v100", grid=512, block=64,
                          args=[65536, 2.5, "random:256K:1", "zero:256K"], **OPTIONS)
        self.assertEqual(told["cache"]["64,2"]["time"], one.time_ms)
        self.assertEqual(told["cache"]["2048,1"]["time"], "RuntimeFailedConfig")
        listed = json.loads(results.read_text())["results"]
        self.assertEqual([each["invalidity"] for each in listed], ["correct"] * 8 + ["runtime"] * 2)
        best = found.best()
        self.assertEqual(found.fastest(1), [best])
        times = [each.result.time_ms for each in found.fastest(20)]
        self.assertEqual((len(times), times), (8, sorted(times)))
        self.assertEqual(best.result.time_ms, min(each["time"] for each in told["cache"].values()
                                                  if each["block_size_x"] < 2048))

    @unittest.skipUnless(kernel_tuner, "kernel_tuner is not installed")
    def test_simulation(self) -> None:
        """Kernel Tuner's strategies run on the cache, and find what is within 5 % of our best."""
        document = copy.deepcopy(T1)
        document["ConfigurationSpace"]["TuningParameters"][0]["Values"] = "range(32, 1025, 32)"
        document["ConfigurationSpace"]["TuningParameters"][1]["Values"] = "[1, 2, 4, 8]"
        found = self.predict(document)
        most = 1.05 * found.best().result.time_ms
        cache = self.folder / "cache.json"
        found.write_cache(cache)
        for strategy in ("brute_force", "random_sample", "genetic_algorithm", "simulated_annealing"):
            options = {} if strategy == "brute_force" else {"max_fevals": 30}
            results, _ = kernel_tuner.tune_kernel_T1(
                self.folder / "saxpy.json", cache, simulation_mode=True, output_T4=False, device="v100",
                strategy=strategy, strategy_options=options)
            self.assertLessEqual(min(each["time"] for each in results), most, strategy)

    @unittest.skipUnless(kernel_tuner, "kernel_tuner is not installed")
    def test_strategy(self) -> None:
        """The device, whose part a cache of another GPU's times plays, measures what is predicted to be fastest."""
        likely = self.predict()
        path = self.folder / "saxpy.json"
        measured = tuner.predict(path, "a100", **OPTIONS)
        measured.write_cache(self.folder / "cache.json")
        wanted = [one.configuration for one in likely.fastest(3)]
        with contextlib.redirect_stdout(io.StringIO()):
            results, _ = kernel_tuner.tune_kernel_T1(path, self.folder / "cache.json", simulation_mode=True,
                                                     output_T4=False, device="a100", strategy=likely.strategy(3))
        self.assertEqual([{name: one[name] for name in wanted[0]} for one in results], wanted)
        times = measured.cache()["cache"]
        for one in results:
            self.assertEqual(one["time"], times["%d,%d" % (one["block_size_x"], one["elements"])]["time"])

    @unittest.skipUnless(kernel_tuner and jsonschema, "kernel_tuner or jsonschema is not installed")
    def test_schemas(self) -> None:
        """Our files are what Kernel Tuner's own schemas say."""
        from kernel_tuner.file_utils import schema_dir

        for name, document in (("T1", T1), ("T4", self.predict().results())):
            path = next(pathlib.Path(str(schema_dir)).glob("%s/**/*.json" % name))
            jsonschema.validate(document, json.loads(path.read_text(encoding="utf-8")))

    def test_shell(self) -> None:
        """`pipesim sweep T1.json` of the package writes the files, and prints the fastest."""
        path, cache, results = self.write(T1), self.folder / "c.json", self.folder / "t4.json"
        words = [sys.executable, "-m", "pipesim", "sweep", path, "--gpu", "v100", "--registers", "20", "--from=ptx"]
        done = subprocess.run([*words, "--cache", str(cache), "--results", str(results), "--best", "3"],
                              capture_output=True, text=True)
        found = self.predict()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(cache.read_text())["cache"].keys(), found.cache()["cache"].keys())
        self.assertEqual(len(json.loads(results.read_text())["results"]), 10)
        first = found.best()
        self.assertEqual(done.stdout.splitlines()[0], "%10.4g us  block_size_x=%d, elements=%d" % (
            first.result.time_us, first.configuration["block_size_x"], first.configuration["elements"]))
        self.assertEqual(len(done.stdout.splitlines()), 3)
        self.assertIn("pipesim: 2 of 10 configurations have no answer; the first: ", done.stderr)
        for more, like in ((["--registers"], "--registers: an option of pipesim run and its value are needed"),
                           (["--gird", "4"], "no configuration has an answer; the first error: .*gird")):
            done = subprocess.run([*words, *more], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, like)

    def test_program(self) -> None:
        """The program alone does not read it, and says what does, whatever options follow."""
        path = self.write(T1)
        program = common.alone()
        for words in (["sweep", path], ["sweep", path, "--cache", "c.json"], ["run", path, "--gpu", "v100"],
                      ["sweep", "mmul08.idg", path, "--gpu", "v100", "--vary", "active=1"]):
            done = subprocess.run([program, *words], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("%s is a space of Kernel Tuner's, in its format T1" % path, done.stderr)
            self.assertIn("reads it: python3 -m pipesim sweep %s --gpu GPU\n" % path, done.stderr)

    def check_refused(self, like: str, change: Any) -> None:
        document = copy.deepcopy(T1)
        change(document["ConfigurationSpace"], document["KernelSpecification"])
        with self.assertRaisesRegex(pipesim.Error, like):
            self.predict(document)

    def test_refused(self) -> None:
        def values(text: str) -> Any:
            return lambda space, kernel: space["TuningParameters"][0].update(Values=text)

        for text in ("__import__('os').system('true')", "[32", "2**9999999", "range(10**9)", "[0]*10**9",
                     "().__class__", "[]", "[[1]]", "x", "lambda: 1"):
            self.check_refused("block_size_x: ", values(text))
        self.check_refused("Conditions: 'gone > 1'",
                           lambda space, kernel: space["Conditions"][0].update(Expression="gone > 1"))
        self.check_refused("KernelFile: there is no file", lambda space, kernel: kernel.update(KernelFile="gone.cu"))
        self.check_refused("lacks 'KernelName'", lambda space, kernel: kernel.pop("KernelName"))
        self.check_refused("FillType Script", lambda space, kernel: kernel["Arguments"][3].update(FillType="Script"))
        self.check_refused("a Vector of half", lambda space, kernel: kernel["Arguments"][3].update(Type="half"))
        self.check_refused("GridDivX: ", lambda space, kernel: kernel.update(GridDivX=["block_size_x - 32"]))
        for text in ("[]", "{", "7"):
            (self.folder / "bad.json").write_text(text)
            with self.assertRaises(pipesim.Error):
                tuner.predict(os.path.join(str(self.folder), "bad.json"), "v100")
        with self.assertRaisesRegex(pipesim.Error, "names no device"):
            tuner.predict(self.write(T1))


if __name__ == "__main__":
    unittest.main()
