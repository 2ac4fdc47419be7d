# SPDX-License-Identifier: BSD-3-Clause
"""How long a GPU kernel takes, what limits it, and what would help, without a GPU.

    import pipesim
    result = pipesim.run("mm.cu", gpu="a100", grid=(64, 64), block=(16, 16), args=[a, b, c, 1024])
    print(result.time_us, result.limited_by)
"""

import json as _json
from typing import Any as _Any
from typing import Dict as _Dict
from typing import cast as _cast

from ._arguments import TensorMap
from ._facts import Comparison, Facts, Result
from ._library import Error, HERE as _HERE
from ._program import Program, program
from ._sweep import Point, Sweep, sweep
from ._verbs import advise, compare, gpus, roofline, run

__version__ = "@VERSION@"

__all__ = [
    "Comparison",
    "Error",
    "Facts",
    "Point",
    "Program",
    "Result",
    "Sweep",
    "TensorMap",
    "advise",
    "compare",
    "gpus",
    "program",
    "roofline",
    "run",
    "schema",
    "sweep",
]


def schema() -> _Dict[str, _Any]:
    """The JSON Schema of all documents: run's answers are its definition `run`, compare's `comparison`."""
    places = (_HERE / "share" / "pipesim", _HERE.parent.parent / "build" / "tell")
    for place in places:
        path = place / "pipesim.schema.json"
        if path.is_file():
            return _cast(_Dict[str, _Any], _json.loads(path.read_text(encoding="utf-8")))
    raise Error("pipesim.schema.json is in neither of %s" % " and ".join(map(str, places)), "read")
