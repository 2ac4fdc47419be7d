# SPDX-License-Identifier: BSD-3-Clause
"""Where the program and the kernels are, and the launch that most tests ask about."""

import array
import json
import os
import pathlib
import subprocess
from typing import Any, List

from pipesim import _library

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus"
PTX = str(CORPUS / "mmul16.ptx")
PROGRAM = os.path.abspath(os.environ.get("PIPESIM", str(ROOT / "pipesim")))

SIZE = 64
LAUNCH = {"gpu": "v100", "grid": (4, 4), "block": (16, 16), "registers": 38, "from_": "ptx"}
WORDS = ["--gpu", "v100", "--grid", "4x4", "--block", "16x16", "--registers", "38", "--from", "ptx"]
TEXTS = ["ramp:16K", "ramp:16K", "zero:16K", str(SIZE)]


def alone() -> str:
    """The program without Python: what a wheel installs by that name is the package, which starts the program."""
    with open(PROGRAM, "rb") as file:
        return _library.program_path() if file.read(2) == b"#!" else PROGRAM


def program(*words: str) -> str:
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True, cwd=ROOT).stdout


def program_json(*words: str) -> Any:
    return json.loads(program(*words, "--format", "json"))


def by_texts(*more: str) -> List[str]:
    """The program's words for that launch, its arguments as texts."""
    arguments = [word for number, text in enumerate(TEXTS) for word in ("--arg", "%d=%s" % (number, text))]
    return [PTX, *WORDS, *arguments, *more]


def ramp() -> Any:
    return array.array("f", range(SIZE * SIZE))


def zeros() -> Any:
    return array.array("f", bytes(4 * SIZE * SIZE))


def arguments() -> List[Any]:
    return [ramp(), ramp(), zeros(), SIZE]
