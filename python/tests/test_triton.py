# SPDX-License-Identifier: BSD-3-Clause
"""Triton's kernels: answers are those of its machine code, launched as Triton launches it. No GPU is needed."""

import array
import unittest
import warnings
from typing import Any

try:
    import triton
    import triton_kernels as kernels
    import pipesim.triton as asked
    from pipesim import Error
    from pipesim._triton import Tensor
except ImportError as error:
    triton = None
    if error.name != "triton":
        raise

try:
    import numpy
except ImportError:
    numpy = None

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

SIZE = 4096


def ramp(kind: str = "f", size: int = SIZE) -> Any:
    return array.array(kind, range(size))


def zeros(size: int = SIZE) -> Any:
    return array.array("f", bytes(4 * size))


class FakeType(str):
    itemsize = 4


class FakeTensor:
    """As much of a tensor of torch as is looked at."""

    def __init__(self, values: Any, dtype: str, shape: Any, strides: Any, skipped: int = 0) -> None:
        self.values, self.dtype, self.shape, self.strides = values, dtype, shape, strides
        self.skipped = skipped

    def data_ptr(self) -> int:
        return self.values.buffer_info()[0] + self.skipped

    def stride(self) -> Any:
        return self.strides

    def element_size(self) -> int:
        return self.values.itemsize


@unittest.skipUnless(triton, "Triton is not installed")
class Triton(unittest.TestCase):
    def add(self, gpu: str = "a100", *args: Any, **more: Any) -> Any:
        given = args or (ramp(), ramp(), zeros(), SIZE)
        return asked.run(kernels.add, lambda all: (triton.cdiv(all["n"], all["BLOCK"]),), *given, gpu=gpu,
                         **{"BLOCK": 256, **more})

    def test_generations(self) -> None:
        for gpu, chip in (("a100", "sm_80"), ("rtx4090", "sm_89"), ("h100", "sm_90"), ("rtx5090", "sm_120")):
            answer = self.add(gpu)
            self.assertIn(chip, answer.code)
            self.assertGreater(answer.time_us, 0.1)
            self.assertEqual((answer.launch.groups, answer.launch.group_size), (16, 128))

    def test_launch(self) -> None:
        answer = self.add(num_warps=2, advise=True)
        self.assertEqual(answer.launch.group_size, 64)
        self.assertIn("advice", answer)
        self.assertEqual(answer.roofline.parameters.W_traf, 3 * 4 * SIZE)

    def test_shared_memory(self) -> None:
        answer = asked.run(kernels.total, (64,), ramp(), zeros(64), 64, gpu="a100", BLOCK=1024)
        self.assertEqual(answer.launch.group_size, 128)
        self.assertGreater(answer.roofline.metrics.M_local, 0)

    def test_specialised(self) -> None:
        """What is 1 is compiled in, and what is aligned is loaded in wide words."""
        aligned, odd = self.add(), self.add("a100", ramp(), ramp(), zeros(), SIZE - 1)
        self.assertLess(aligned.simulated.instructions, odd.simulated.instructions)
        self.assertGreater(asked.run(kernels.total, (1,), ramp(), zeros(1), 1, gpu="a100", BLOCK=32).time_us, 0)

    def test_tensors(self) -> None:
        """Tensors of torch are lent by address; one that begins within 16 bytes is not taken as aligned."""
        values = ramp(size=SIZE + 4)
        aligned = FakeTensor(values, "torch.float32", (SIZE,), (1,))
        aligned.skipped = -aligned.data_ptr() % 16
        whole = self.add("a100", aligned, aligned, zeros(), SIZE)
        self.assertEqual(whole.time_us, self.add().time_us)
        part = FakeTensor(values, "torch.float32", (SIZE,), (1,), aligned.skipped + 4)
        self.assertGreater(self.add("a100", part, part, zeros(), SIZE).simulated.instructions,
                           whole.simulated.instructions)

    @unittest.skipUnless(numpy, "NumPy is not installed")
    def test_numpy(self) -> None:
        values = numpy.arange(SIZE, dtype="float32")
        self.assertEqual(self.add("a100", values, values, values, numpy.int32(SIZE)).time_us, self.add().time_us)
        square = values.reshape(64, 64).T
        self.assertEqual(self.add("a100", square, square, square, SIZE).time_us, self.add().time_us)
        part = numpy.arange(SIZE + 1, dtype="float32")[1:]
        self.assertGreater(self.add("a100", part, part, part, SIZE).simulated.instructions,
                           self.add().simulated.instructions)
        with self.assertRaisesRegex(Error, "contiguous"):
            self.add("a100", values[::2], values, values, SIZE // 2)

    @unittest.skipUnless(numpy and ml_dtypes, "NumPy or ml_dtypes is not installed")
    def test_types_without_letter(self) -> None:
        """NumPy's arrays of bfloat16 and of 8 bits have no letter that buffers know; Triton knows their names."""
        for kind in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
            values = numpy.zeros(SIZE, dtype=getattr(ml_dtypes, kind))
            self.assertEqual(Tensor("x", values).dtype, kind)
            self.assertEqual(Tensor("x", values[1:]).data_ptr(), values.itemsize)
        values = numpy.zeros(SIZE, dtype=ml_dtypes.bfloat16)
        self.assertEqual(self.add("h100", values, values, values, SIZE).roofline.parameters.W_traf, 3 * 2 * SIZE)
        with self.assertRaisesRegex(Error, "no type for elements of 'int4'"):
            self.add("h100", numpy.zeros(SIZE, dtype=ml_dtypes.int4), values, values, SIZE)

    def test_product(self) -> None:
        a = array.array("H", [15360]) * (64 * 64)
        half = FakeTensor(a, "torch.float16", (64, 64), (64, 1))
        answer = asked.run(kernels.product, (1,), half, half, half, 64, 64, gpu="a100", SIZE=64)
        self.assertGreater(answer.roofline.metrics["M_ops-tensor"], 0)
        answer = asked.run(kernels.product, (1,), half, half, half, 64, 64, gpu="h100", SIZE=64)
        self.assertGreater(answer.roofline.metrics["M_ops-tensor"], 0)

    def test_heuristics(self) -> None:
        self.assertEqual(asked.run(kernels.by_rule, (16,), ramp(), ramp(), zeros(), SIZE, gpu="a100").time_us,
                         self.add().time_us)

    def test_autotuned(self) -> None:
        found = asked.run(kernels.tuned, lambda all: (triton.cdiv(all["n"], all["BLOCK"]),), ramp(), ramp(), zeros(),
                          SIZE, gpu="a100")
        self.assertEqual(len(found), 4)
        times = [one.result.time_us for one in found]
        self.assertEqual(times, sorted(times))
        self.assertEqual(found.time_us, times[0])
        one = self.add(BLOCK=found.best.configuration.kwargs["BLOCK"], num_warps=found.best.configuration.num_warps)
        self.assertEqual(one.time_us, found.time_us)
        self.assertEqual(len(str(found).splitlines()), 4)
        self.assertRegex(repr(found), r"^<pipesim\.triton\.Tuned: 4 configurations; the fastest: [0-9.]+ us with BLOCK")
        self.assertEqual(repr(asked.Tuned([])), "<pipesim.triton.Tuned: 0 configurations, none of which has an answer>")

    def test_model(self) -> None:
        """Triton's own autotuner compiles and keeps what the model finds fastest."""
        grid = lambda all: (triton.cdiv(all["n"], all["BLOCK"]),)  # noqa: E731
        args = (ramp(), ramp(), zeros(), SIZE)
        best = asked.run(kernels.tuned, grid, *args, gpu="a100").best.configuration
        kernels.tuned.nargs = dict(zip(kernels.tuned.arg_names, args))
        kept = kernels.tuned.prune_configs({"grid": grid})
        self.assertEqual([str(one) for one in kept], [str(best)])
        self.assertEqual(kernels.predicted.refused, [])
        with self.assertRaisesRegex(Error, "is for @triton.autotune"):
            kernels.predicted(n=1)

    def test_model_without_answer(self) -> None:
        """No time is made up for what has none."""
        kernels.tuned.nargs = {"x": None, "y": ramp(), "out": zeros(), "n": SIZE}
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            kernels.tuned.prune_configs({"grid": (16,)})
        self.assertIn("pipesim.triton.model: ", str(told[0].message))
        self.assertEqual(len(kernels.predicted.refused), 4)
        kernels.predicted.refused.clear()

    def test_tuner(self) -> None:
        """Triton's autotuner as a whole: the model prunes, predicted times are measured, and the best is launched."""
        grid = lambda all: (triton.cdiv(all["n"], all["BLOCK"]),)  # noqa: E731
        args = (ramp(), ramp(), zeros(), SIZE)
        outcomes = asked.run(kernels.tuned, grid, *args, gpu="a100").outcomes
        for tuner, most in ((kernels.tuned, 1), (kernels.tuned_of_two, 2)):
            with asked.record("a100") as launches:
                tuner[grid](*args)
                tuner[grid](*args)
            self.assertEqual(str(tuner.best_config), str(outcomes[0].configuration))
            self.assertEqual([answer.time_us for _, answer in launches], [outcomes[0].result.time_us] * 2)
            if most > 1:
                self.assertEqual({str(each): times[0] for each, times in tuner.configs_timings.items()},
                                 {str(one.configuration): one.result.time_ms for one in outcomes[:most]})

    def test_tuner_without_model(self) -> None:
        """What is refused is warned of, and infinitely slow."""
        configurations = [triton.Config({"BLOCK": 256}), triton.Config({"BLOCK": 512}, num_warps=64)]
        tuner = triton.autotune(configurations, key=["n"])(kernels.add)
        with warnings.catch_warnings(record=True) as told, asked.record("a100") as launches:
            warnings.simplefilter("always")
            tuner[(16,)](ramp(), ramp(), zeros(), SIZE)
        self.assertTrue([one for one in told if str(one.message).startswith("pipesim.triton.record: ")])
        self.assertEqual(tuner.best_config.kwargs["BLOCK"], 256)
        self.assertEqual(len(launches), 1)

    def test_descriptors(self) -> None:
        """Where the GPU has no descriptors, Triton passes their numbers; elsewhere they are tensor maps."""
        from triton.tools.tensor_descriptor import TensorDescriptor

        source, out = [FakeTensor(ramp(), FakeType("torch.float32"), (64, 64), (64, 1)) for _ in range(2)]
        descriptors = [TensorDescriptor(each, [64, 64], [64, 1], [32, 32]) for each in (source, out)]
        answer = asked.run(kernels.doubled, (2, 2), *descriptors, gpu="a100", SIZE=32)
        self.assertEqual(answer.launch.groups, 4)
        self.assertEqual(answer.roofline.parameters.W_traf, 2 * 4 * SIZE)
        for gpu in ("h100", "b200", "rtx5090"):
            answer = asked.run(kernels.doubled, (2, 2), *descriptors, gpu=gpu, SIZE=32)
            self.assertEqual(answer.launch.groups, 4)
            self.assertGreater(answer.time_us, 1)

    def test_hooks(self) -> None:
        """A configuration's hook runs before its launch: here it sets the boxes of descriptors."""
        try:
            from triton.tools.tensor_descriptor import TensorDescriptor
        except ImportError:
            self.skipTest("Triton has no descriptors of tensors")

        arrays = [FakeTensor(ramp(), FakeType("torch.float32"), (64, 64), (64, 1)) for _ in range(2)]
        source, out = [TensorDescriptor(each, [64, 64], [64, 1], [1, 4]) for each in arrays]
        named = {"source": source, "out": out}
        grid = lambda all: (64 // all["SIZE"], 64 // all["SIZE"])  # noqa: E731
        found = asked.run(kernels.tuned_doubled, grid, *named.values(), gpu="h100")
        self.assertEqual([one.error for one in found], [None, None])
        kernels.tuned_doubled.nargs = named
        for each in named.values():
            each.block_shape = [1, 4]
        kept = kernels.tuned_doubled.prune_configs({"grid": grid})
        self.assertEqual(kernels.predicted_of_doubled.refused, [])
        self.assertEqual([str(one) for one in kept], [str(found.best.configuration)])
        failing = triton.autotune([triton.Config({"SIZE": 16}, pre_hook=lambda nargs: nargs["none"])], key=[])
        with self.assertRaisesRegex(Error, "pre_hook of SIZE: 16.*KeyError: 'none'"):
            asked.run(failing(kernels.doubled), grid, *named.values(), gpu="h100").result

    def test_clusters(self) -> None:
        """Each program is a cluster of groups. What cannot be said of clusters is refused, and never a time of half."""
        try:
            self.assertEqual(self.add("h100", num_ctas=2).launch.groups, 2 * self.add("h100").launch.groups)
        except Error as error:
            self.assertIn("in its cluster of 2", str(error))

    def test_record(self) -> None:
        with asked.record("a100") as launches:
            kernels.add[(16,)](ramp(), ramp(), zeros(), SIZE, BLOCK=256)
            kernels.total[(64,)](ramp(), zeros(64), 64, BLOCK=64)
        self.assertEqual([name for name, _ in launches], ["add", "total"])
        self.assertAlmostEqual(launches.time_us, sum(one.time_us for _, one in launches))
        self.assertEqual(launches.launched[0][1].time_us, self.add().time_us)
        self.assertRegex(repr(launches), r"^<pipesim\.triton\.Launches: 2, [0-9.]+ us: add [0-9.]+ us, total ")

    def test_refused(self) -> None:
        for words, work in (
            (r"triton_kernels\.py:\d+: Triton cannot compile wrong: .*missing",
             lambda: asked.run(kernels.wrong, (1,), zeros(), gpu="a100", BLOCK=32)),
            ("add: Triton does not take these arguments: .*missing .*argument",
             lambda: asked.run(kernels.add, (1,), zeros(), gpu="a100", BLOCK=32)),
            ("argument y: a dict is neither a number nor an array", lambda: self.add("a100", ramp(), {}, zeros(), 1)),
            ("argument x: Triton has no type for elements of 'w'|of 'u'",
             lambda: self.add("a100", array.array("u", "abcd"), ramp(), zeros(), 4)),
            (r"grid: \(\) is none", lambda: asked.run(kernels.add, (), *[zeros()] * 3, 1, gpu="a100", BLOCK=32)),
            ("states no compute capability", lambda: self.add("rx6900xt")),
            ("is no kernel of Triton", lambda: asked.run(len, (1,), gpu="a100")),
        ):
            with self.assertRaisesRegex(Error, words):
                work()


class Without(unittest.TestCase):
    @unittest.skipIf(triton, "Triton is installed")
    def test_word(self) -> None:
        import pipesim.triton as module
        from pipesim import Error as Refused

        with self.assertRaisesRegex(Refused, "pip install triton"):
            module.run(len, (1,), gpu="a100")


if __name__ == "__main__":
    unittest.main()
