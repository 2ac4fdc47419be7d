#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# The verb mcp: tools for agents by the Model Context Protocol; the tests are in mcp.pl.
exec perl -Itests tests/mcp.pl
