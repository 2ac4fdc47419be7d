# SPDX-License-Identifier: BSD-3-Clause
"""The server of `pipesim mcp`, as the protocol's own package speaks with it. tests/mcp.pl has all else of it."""

import asyncio
import json
import os
import unittest
from typing import Any, Dict, List, Tuple

import common

try:
    import mcp
    from mcp.client.stdio import stdio_client
except ImportError:
    mcp = None

GRAPH = {"path": "mmul08", "gpu": "v100"}
CODE = {"path": "tests/corpus/mmul16.ptx", "from": "ptx", "registers": 38, "gpu": "v100", "grid": [4, 4],
        "block": [16, 16], "args": ["zero:16K", "zero:16K", "zero:16K", 64]}
# A call of each tool, and a key of its answer.
CALLS: Dict[str, Tuple[Dict[str, Any], str]] = {
    "run": (CODE, "seconds"),
    "advise": (CODE, "changes"),
    "explain": (CODE, "by_line"),
    "compare": ({**CODE, "a": {"gpu": "v100"}, "b": {"gpu": "a100"}}, "ratio"),
    "sweep": ({**GRAPH, "vary": {"active": [1, 2]}}, "best"),
    "gate": ({"before": "tests/gate/before.cubin", "after": "tests/gate/spilled.cubin"}, "verdict"),
    "roofline": (GRAPH, "bound_seconds"),
    "gpus": ({"find": "hopper"}, "gpus"),
}


def _failed(result: Any) -> bool:
    return bool(getattr(result, "is_error", getattr(result, "isError", False)))


async def _session(work: Any) -> None:
    server = mcp.StdioServerParameters(command=common.PROGRAM, args=["mcp"], cwd=str(common.ROOT), env=dict(os.environ))
    async with stdio_client(server) as (hears, says), mcp.ClientSession(hears, says) as session:
        await session.initialize()
        await work(session)


@unittest.skipUnless(mcp, "mcp is not installed")
class Client(unittest.TestCase):
    def test_tools(self) -> None:
        """Every tool is listed, called, and answers in less than a kilobyte."""
        listed: List[str] = []
        answers: Dict[str, Any] = {}

        async def work(session: Any) -> None:
            listed.extend(tool.name for tool in (await session.list_tools()).tools)
            for name, (arguments, _) in CALLS.items():
                answers[name] = await session.call_tool(name, arguments)

        asyncio.run(_session(work))
        self.assertEqual(sorted(listed), sorted(CALLS))
        for name, answer in answers.items():
            text = answer.content[0].text
            self.assertFalse(_failed(answer), text)
            self.assertLess(len(text.encode()), 1000)
            self.assertIn(CALLS[name][1], json.loads(text))

    def test_refused(self) -> None:
        """A call that cannot be answered is an error of that call, and the session goes on."""
        seen: List[Any] = []

        async def work(session: Any) -> None:
            seen.append(await session.call_tool("run", {"path": "../mmul08", "gpu": "v100"}))
            seen.append(await session.call_tool("gpus", {"find": "v100"}))

        asyncio.run(_session(work))
        self.assertTrue(_failed(seen[0]))
        self.assertFalse(_failed(seen[1]))


if __name__ == "__main__":
    unittest.main()
