#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What an nvprof file of a real run must give, held against what its kernel does: a file of
# `nvprof --csv --events all --metrics all` on a Tesla K40c, of a stencil with 510^3 points, whose
# kernel executes for each point 33 single-precision instructions, 6 of them multiply-adds, and 51
# loads and stores. The file (pssrawat/IEEE2017) has no licence and is not part of this project.
#
#     tests/validate/nvprof-k40c.sh FILE
#
# PIPESIM is the program, ./pipesim unless set.
set -eu
LC_ALL=C
export LC_ALL
if [ $# -ne 1 ]; then
    echo "usage: $0 FILE" >&2
    exit 2
fi
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
"${PIPESIM:-./pipesim}" roofline "$1" --gpu pascal.xml --format json >"$tmp"

# The parameters of the first kernel. W_comp is M_fp32 + M_fma32, E_mix is W_comp / (2 M_fp32), and
# the densities are shares of all instructions.
awk '
    function field(name, text) {
        text = all
        if (!sub(".*\"" name "\": *", "", text))
            return "missing"
        sub("[,} \n].*", "", text)
        gsub("\"", "", text)
        return text
    }
    function check(what, got, expected) {
        good = got > expected - 1e-6 && got < expected + 1e-6
        printf "%s  %-44s %.9g (%s)\n", good ? "ok " : "BAD", what, got, expected
        bad += !good
    }
    { all = all $0 "\n" }
    END {
        sub("\"predictions\".*", "", all)
        points = field("launches") * 510 ^ 3
        fp32 = field("W_comp") / (2 * field("E_mix"))
        check("single-precision instructions per point", fp32 / points, 33)
        check("multiply-adds per point", (field("W_comp") - fp32) / points, 6)
        check("loads and stores per point", field("D_ldst") / field("D_ops") * fp32 / points, 51)
        exit bad > 0
    }' "$tmp"
