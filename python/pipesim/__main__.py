# SPDX-License-Identifier: BSD-3-Clause
"""The program pipesim that comes with the package: `pipesim`, or `python3 -m pipesim`."""

import os
import sys

from ._library import program_path


def main() -> None:
    if sys.argv[1:2] == ["sweep"] and sys.argv[2:] and sys.argv[2].endswith(".json"):
        from . import kernel_tuner  # whose files have expressions in Python

        return kernel_tuner.main(sys.argv[2:])
    program = program_path()
    try:
        os.execv(program, ["pipesim", *sys.argv[1:]])
    except OSError as error:
        sys.exit("pipesim: %s: %s" % (program, error.strerror))


if __name__ == "__main__":
    main()
