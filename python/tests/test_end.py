# SPDX-License-Identifier: BSD-3-Clause
"""Runs that end early, and arrays that are touched while a run has them."""

import gc
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
import unittest.mock

import common
import pipesim
from pipesim import _library

# A kernel that never ends by itself.
ENDLESS = """.version 8.0
.target sm_70
.address_size 64
.visible .entry endless(.param .u64 a)
{
.reg .b32 %r<3>;
.reg .b64 %rd<2>;
ld.param.u64 %rd1, [a];
L:
add.u32 %r1, %r1, 1;
bra L;
}
"""


class End(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "endless.ptx")
        with open(self.path, "w") as file:
            file.write(ENDLESS)

    def tearDown(self) -> None:
        self.folder.cleanup()

    def test_interrupt(self) -> None:
        """The script says when it is about to run, and then gets the signal until it has ended."""
        script = """
            import signal, sys, pipesim
            signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
            print("begins", flush=True)
            try:
                pipesim.run(sys.argv[1], "v100", grid=1, block=32, from_="ptx", args=["zero:64"],
                            max_instructions=10**15)
            except KeyboardInterrupt:
                print(pipesim.run("mmul08.idg", "pascal").cycles)
        """
        child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script), self.path], stdout=subprocess.PIPE,
                                 text=True, cwd=common.ROOT)
        self.addCleanup(child.kill)
        self.assertEqual(child.stdout.readline(), "begins\n")
        try:
            child.wait(1)
        except subprocess.TimeoutExpired:
            pass
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.communicate(timeout=300)[0], "7608491.75\n")
        self.assertEqual(child.returncode, 0)

    def test_held(self) -> None:
        """An array cannot be resized as long as a run has it, and can be afterwards."""
        from pipesim._monitor import Monitor, Step
        from pipesim._call import Call

        data = bytearray(64)
        one = Call(self.path, "v100", [data], {"grid": 1, "block": 32, "from": "ptx", "max_instructions": 10**15})
        monitor = Monitor()
        none = Step("", 0, 0)
        errors = []

        def work() -> None:
            with one:
                try:
                    one.load(monitor)
                except pipesim.Error as error:
                    errors.append(error)

        thread = threading.Thread(target=work)
        self.addCleanup(thread.join)
        self.addCleanup(monitor.cancel)  # first, whatever fails
        thread.start()
        while (monitor.step() or none).phase != "group":
            time.sleep(0.001)
        with self.assertRaises(BufferError):
            data.extend(b"more")
        monitor.cancel()
        thread.join()
        self.assertEqual(errors[0].kind, "cancelled")
        data.extend(b"more")

    def test_finalised(self) -> None:
        """Nothing is written to a monitor that was freed, whichever the collector finalises first."""
        from pipesim import _monitor

        monitor = _monitor.Monitor()
        monitor.cancel()
        monitor.__del__()
        with unittest.mock.patch.object(_monitor, "lib") as lib:
            monitor.cancel()
            self.assertIsNone(monitor.step())
        self.assertEqual(lib.mock_calls, [])

    def test_circle(self) -> None:
        """A sweep that nobody ends, in a circle with itself. The collector looks first at what something else held
        when it last came, so it finalises the monitor before the generator."""
        from pipesim import _monitor

        done = []
        free = _monitor.Monitor.__del__

        def freed(monitor: object) -> None:
            done.append("freed")
            free(monitor)

        gc.disable()
        self.addCleanup(gc.enable)
        with unittest.mock.patch.object(_monitor.Monitor, "__del__", freed), \
                unittest.mock.patch.object(_monitor.lib, "ps_monitor_cancel", lambda monitor: done.append("cancelled")):
            circle = [pipesim.sweep("mmul08.idg", "pascal", vary={"active": [1]})]
            circle.append(circle)
            next(iter(circle[0]))
            held = circle[0]._asks.gi_frame.f_locals["monitor"]
            gc.collect()
            del held, circle
            gc.collect()
        self.assertEqual(done[-1:], ["freed"])

    def test_gone(self) -> None:
        """Nobody else need keep the arrays."""
        result = pipesim.run(common.PTX, args=(each for each in common.arguments()), **common.LAUNCH)
        self.assertGreater(result.cycles, 0)

    def test_threads(self) -> None:
        found = [None] * 4

        def work(number: int) -> None:
            found[number] = pipesim.run("mmul08.idg", "pascal", active=number + 1, threads=1).cycles

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found[3], pipesim.run("mmul08.idg", "pascal", active=4).cycles)
        self.assertEqual(len(set(found)), 4)

    def test_functions(self) -> None:
        """All that is called is exported, and exported.txt has it."""
        with open(common.ROOT / "tests" / "install" / "exported.txt") as file:
            listed = file.read()
        for name in _library._FUNCTIONS:
            if name.startswith("ps_"):
                self.assertIn(name + "(", listed)


if __name__ == "__main__":
    unittest.main()
