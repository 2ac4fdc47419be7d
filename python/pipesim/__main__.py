# SPDX-License-Identifier: BSD-3-Clause
"""The program pipesim that comes with the package: `pipesim`, or `python3 -m pipesim`."""

import os
import sys

from ._library import HERE


def main() -> None:
    if sys.argv[1:2] == ["sweep"] and sys.argv[2:] and sys.argv[2].endswith(".json"):
        from . import kernel_tuner  # whose files have expressions in Python

        return kernel_tuner.main(sys.argv[2:])
    installed = HERE / "bin" / "pipesim"
    program = installed if installed.is_file() else HERE.parent.parent / "pipesim"
    try:
        os.execv(str(program), ["pipesim", *sys.argv[1:]])
    except OSError as error:
        sys.exit("pipesim: %s: %s" % (program, error.strerror))


if __name__ == "__main__":
    main()
