# SPDX-License-Identifier: BSD-3-Clause
"""Answers as objects: every key of the JSON that the library tells is an attribute."""

import json
from typing import Any, Dict, Iterator, List, Optional, cast


class Facts:
    """A group of facts. pipesim.schema() says what each key means, and in which unit."""

    def __init__(self, tree: Dict[str, Any]) -> None:
        self._tree = tree

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_") or key not in self._tree:
            raise AttributeError("this %s has no '%s'; it has %s" % (self._word(), key, ", ".join(self._tree)))
        return _wrap(self._tree[key])

    def __getitem__(self, key: str) -> Any:
        return _wrap(self._tree[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._tree)

    def __contains__(self, key: object) -> bool:
        return key in self._tree

    def __dir__(self) -> List[str]:
        return sorted(set(super().__dir__()) | set(self._tree))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Facts) and self._tree == other._tree

    def __hash__(self) -> int:
        return hash(json.dumps(self._tree, sort_keys=True))

    def __repr__(self) -> str:
        facts = ", ".join("%s=%s" % (key, _brief(value)) for key, value in self._tree.items())
        return "<pipesim.%s: %s>" % (type(self).__name__, facts)

    def __getstate__(self) -> Dict[str, Any]:
        return self.__dict__

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)

    def _word(self) -> str:
        return type(self).__name__.lower()

    def to_dict(self) -> Dict[str, Any]:
        """The facts as the library told them, under the schema (pipesim.schema_path())."""
        return cast(Dict[str, Any], json.loads(json.dumps(self._tree)))


def _wrap(value: Any) -> Any:
    if isinstance(value, dict):
        return Facts(value)
    if isinstance(value, list):
        return [_wrap(each) for each in value]
    return value


def _brief(value: Any) -> str:
    """A value in a line with others: what has facts of its own is left out."""
    if isinstance(value, dict):
        return "{...}"
    if isinstance(value, list) and any(isinstance(each, (dict, list)) for each in value):
        return "[... %d]" % len(value)
    return repr(value)


class Comparison(Facts):
    """Two runs beside each other: a, b, and their difference, whose `words` it prints."""

    def __str__(self) -> str:
        return cast(str, self._tree["difference"]["words"])

    def __repr__(self) -> str:
        return "<pipesim.Comparison: %s>" % self


class Timed:
    """What has a time in seconds has it in milliseconds and microseconds, too."""

    @property
    def time_s(self) -> float:
        raise NotImplementedError

    @property
    def time_ms(self) -> float:
        return self.time_s * 1e3

    @property
    def time_us(self) -> float:
        return self.time_s * 1e6


class Result(Facts, Timed):
    """The answer of one run. Its attributes are the keys of the JSON document; these are beside:

    time_s, time_ms, time_us: the kernel's time in seconds, milliseconds, microseconds
    cycles: what was simulated, in cycles of the clock
    what_if: the Result with other latencies, where these were asked for
    told: what a person should know of how the kernel was compiled and launched
    """

    def __init__(self, tree: Dict[str, Any], text: str, html: str, told: List[str]) -> None:
        super().__init__(tree)
        self._text = text
        self._html = html
        self.told = told
        self.what_if: Optional["Result"] = None

    @property
    def time_s(self) -> float:
        return cast(float, self._tree["result"]["seconds"])

    @property
    def cycles(self) -> float:
        return cast(float, self._tree["simulated"]["cycles"])

    @property
    def limited_by(self) -> Optional[str]:
        return cast(Optional[str], self._tree["words"].get("limited_by"))

    @property
    def how_sure_words(self) -> Optional[str]:
        return cast(Optional[str], self._tree["words"].get("how_sure"))

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        return "<pipesim.Result: %s on %s, %.6g us>" % (self.kernel, self.gpu, self.time_us)

    def _repr_html_(self) -> str:
        return self._html
