#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# How the house is built, as HACKING.md says: includes point down, links lead somewhere, folders tell what they are.
exec perl -Itests tests/house.pl
