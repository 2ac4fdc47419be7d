# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tests of this folder, or those that are named, and prints TAP."""

import pathlib
import sys
import unittest


class Tap(unittest.TestResult):
    def _say(self, ok: bool, test: unittest.TestCase, more: str = "") -> None:
        print("%s %d - %s%s" % ("ok" if ok else "not ok", self.testsRun, test.id(), more), flush=True)

    def addSuccess(self, test: unittest.TestCase) -> None:
        self._say(True, test)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self._say(True, test, " # SKIP " + reason)

    def addFailure(self, test: unittest.TestCase, err: object) -> None:
        super().addFailure(test, err)  # type: ignore[arg-type]
        self._say(False, test)
        print("".join("#   %s\n" % line for line in self.failures[-1][1].splitlines()), end="")

    def addError(self, test: unittest.TestCase, err: object) -> None:
        super().addError(test, err)  # type: ignore[arg-type]
        self._say(False, test)
        print("".join("#   %s\n" % line for line in self.errors[-1][1].splitlines()), end="")


def main() -> None:
    folder = str(pathlib.Path(__file__).resolve().parent)
    sys.path.insert(0, folder)
    names = sys.argv[1:]
    loader = unittest.TestLoader()
    suite = loader.loadTestsFromNames(names) if names else loader.discover(folder)
    result = Tap()
    suite.run(result)
    print("1..%d" % result.testsRun)
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
