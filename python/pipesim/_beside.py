# SPDX-License-Identifier: BSD-3-Clause
"""Predicted times beside measured ones."""

import html
import json
import os
import pathlib
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Sequence, Tuple

from ._library import Error

_UNITS = {"time (ns)": 1e-3, "time (us)": 1.0, "time (ms)": 1e3, "time (s)": 1e6}


class Row(NamedTuple):
    """A kernel, its predicted and its measured time, and by what the prediction is off: 0.1 is 10 % too long."""

    kernel: str
    predicted_us: float
    measured_us: float
    error: float


class Table:
    """Rows in the order of the predictions. Names that only one side has are in `unmeasured` and `unpredicted`."""

    def __init__(self, rows: List[Row], unmeasured: List[str], unpredicted: List[str]) -> None:
        self.rows = rows
        self.unmeasured = unmeasured
        self.unpredicted = unpredicted

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def _cells(self) -> List[Tuple[str, ...]]:
        head = ("kernel", "predicted, us", "measured, us", "off by")
        rows = [(*row[:1], "%.4g" % row.predicted_us, "%.4g" % row.measured_us, "%+.1f %%" % (100 * row.error))
                for row in self.rows]
        return [head, *rows]

    def __str__(self) -> str:
        cells = self._cells()
        widths = [max(len(row[column]) for row in cells) for column in range(4)]
        return "\n".join("  ".join([row[0].ljust(widths[0])] + [row[at].rjust(widths[at]) for at in (1, 2, 3)])
                         for row in cells)

    def _repr_html_(self) -> str:
        lines = ["<tr>%s</tr>" % "".join("<td>%s</td>" % html.escape(cell) for cell in row) for row in self._cells()]
        return "<table>%s</table>" % "".join(lines)

    def to_dict(self) -> List[Dict[str, Any]]:
        return [row._asdict() for row in self.rows]


def _of_proton(tree: Any, found: Dict[str, List[float]], file: str) -> None:
    """Adds up the leaves of a Proton file: microseconds and launches of each kernel."""
    for node in tree if isinstance(tree, list) else [tree]:
        if not isinstance(node, dict) or not isinstance(node.get("metrics", {}), dict):
            raise Error("%s: there is something else than a tree of Proton's in it" % file, "syntax")
        metrics, children = node.get("metrics", {}), node.get("children", [])
        unit = next((name for name in _UNITS if name in metrics), None)
        if unit and not children:
            total = found.setdefault(str(node.get("frame", {}).get("name")), [0.0, 0.0])
            total[0] += _number(file, metrics[unit]) * _UNITS[unit]
            total[1] += _number(file, metrics.get("count", 1))
        if "frame" in node:
            _of_proton(children, found, file)


def _number(place: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
        raise Error("%s: %r is no time or count above 0" % (place, value))
    return float(value)


def _proton(path: Any) -> Dict[str, float]:
    try:
        tree = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Error("%s: %s" % (os.fspath(path), error), "read") from None
    found: Dict[str, List[float]] = {}
    _of_proton(tree, found, os.fspath(path))
    if not found:
        raise Error("%s: no kernel of it has a time" % os.fspath(path), "syntax")
    return {name: time / count for name, (time, count) in found.items()}


def _benched(name: str, value: Any) -> float:
    """Milliseconds of do_bench, or its quantiles, the median first, as microseconds."""
    first = value[0] if isinstance(value, Sequence) and not isinstance(value, str) and value else value
    return _number("measured['%s']" % name, first) * 1e3


def beside(predicted: Mapping[str, Any], measured: Any) -> Table:
    """Predicted times beside measured ones, so that people see when to trust them.

    predicted: answers by the kernels' names. measured: for each name what triton.testing.do_bench returned
    (milliseconds, or quantiles with the median first), or the path of a Proton file (.hatchet). do_bench
    takes time by events round a launch, so there the answer's time by a timer is what stands beside it.
    """
    from_proton = not isinstance(measured, Mapping)
    times = _proton(measured) if from_proton else {name: _benched(name, each) for name, each in measured.items()}
    rows = []
    for name, answer in predicted.items():
        if name in times:
            ours = _own_us(answer, from_proton)
            rows.append(Row(name, ours, times[name], ours / times[name] - 1))
    unmeasured = [name for name in predicted if name not in times]
    return Table(rows, unmeasured, [name for name in times if name not in predicted])


def _own_us(answer: Any, kernel_alone: bool) -> float:
    if kernel_alone:
        return float(answer.time_us)
    result = getattr(answer, "best", None)
    told = (result.result if result else answer).result
    timed = told.timed_seconds if "timed_seconds" in told else None
    return float(timed * 1e6 if timed is not None else answer.time_us)
