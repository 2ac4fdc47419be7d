# SPDX-License-Identifier: BSD-3-Clause
"""The program pipesim that comes with the package: `pipesim`, or `python3 -m pipesim`."""

import os
import sys

from ._library import HERE


def main() -> None:
    installed = HERE / "bin" / "pipesim"
    program = installed if installed.is_file() else HERE.parent.parent / "pipesim"
    try:
        os.execv(str(program), ["pipesim", *sys.argv[1:]])
    except OSError as error:
        sys.exit("pipesim: %s: %s" % (program, error.strerror))


if __name__ == "__main__":
    main()
