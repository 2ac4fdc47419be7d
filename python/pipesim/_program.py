# SPDX-License-Identifier: BSD-3-Clause
"""A whole CUDA program without a GPU, run by the program pipesim that comes with the package."""

import json
import os
import signal
import sys
from typing import IO, TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Union, cast

from ._facts import Facts, Timed
from ._library import Error, program_path

if TYPE_CHECKING:
    import subprocess

_OURS = "pipesim: "


class Program(Facts, Timed):
    """What a program did with its device: `kernels`, `total`, `copies` and `notes`, as the JSON document has them.
    Beside these are:

    time_s, time_ms, time_us: of all launches whose time is known, 0 where there are none
    status: the program's exit status
    stdout: what it printed, where that was kept
    """

    def __init__(self, tree: Dict[str, Any], status: int, stdout: Optional[str]) -> None:
        super().__init__(tree)
        self.status = status
        self.stdout = stdout

    @property
    def time_s(self) -> float:
        return cast(float, self._tree["total"]["total_seconds"] or 0.0)

    def __repr__(self) -> str:
        return "<pipesim.Program: %d launches on %s, %.6g us>" % (self.total.launches, self.gpu, self.time_us)


def _words(gpu: Any, out: str, options: Mapping[str, Any]) -> List[str]:
    words = [program_path(), "program", "--gpu", os.fspath(gpu), "--format", "json", "--output", out]
    for name, value in options.items():
        if value is not None and value is not False:
            words += ["--" + name.rstrip("_").replace("_", "-")] + ([] if value is True else [str(value)])
    return words + ["--"]


def _hear(stream: IO[bytes]) -> List[str]:
    """Hands on what program and pipesim say, and returns what pipesim said."""
    said = []
    for line in stream:
        text = line.decode("utf-8", "replace")
        sys.stderr.write(text)
        if text.startswith(_OURS):
            said.append(text[len(_OURS):].rstrip("\n"))
    return said


def _attend(process: "subprocess.Popen[bytes]") -> List[str]:
    """Until it ends. Ctrl-C is the program's to answer, too."""
    try:
        said = _hear(cast(IO[bytes], process.stderr))
        process.wait()
        return said
    except BaseException:
        process.send_signal(signal.SIGINT)
        process.wait()
        raise


def program(
    command: Union[str, Sequence[Any]],
    gpu: Any,
    *,
    build: Optional[str] = None,
    capture: bool = False,
    cwd: Any = None,
    env: Optional[Mapping[str, str]] = None,
    **options: Any,
) -> Program:
    """Runs a CUDA program on a GPU that is described: its results are right, and its launches have times.

    command: the program's path, or a list of it and its arguments. build: a command that builds the program before, as
    NVIDIA's runtime inside it would ask for NVIDIA's driver ("make -B"). capture: keeps what it prints as `stdout`.
    cwd, env: where and with what it runs. Other options have the names that `pipesim program --help` lists, with low
    lines: memory="4G", max_instructions="10G".

    Raises Error where the program cannot be run, or launches nothing.
    """
    import subprocess  # here, since nothing else needs them
    import tempfile

    words = [command] if isinstance(command, (str, os.PathLike)) else list(command)
    with tempfile.TemporaryDirectory(prefix="pipesim-") as folder:
        out, printed = os.path.join(folder, "facts"), os.path.join(folder, "printed")
        asked = _words(gpu, out, {"build": build, **options}) + [os.fspath(each) if isinstance(each, os.PathLike)
                                                                 else str(each) for each in words]
        with open(printed, "wb") as file:
            with subprocess.Popen(asked, stdout=file if capture else None, stderr=subprocess.PIPE, cwd=cwd,
                                  env=env) as process:
                said = _attend(process)
        if not os.path.exists(out):
            raise Error(said[-1] if said else "%s ended with status %d" % (words[0], process.returncode), "read")
        with open(out, encoding="utf-8") as facts, open(printed, encoding="utf-8", errors="replace") as told:
            return Program(json.load(facts), process.returncode, told.read() if capture else None)


__all__ = ("Program", "program")
