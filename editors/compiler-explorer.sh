#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compiler-explorer.sh OPTION... FILE: pipesim's answer for a file of assembly, its instructions annotated.
set -eu

# The device's code. FILE is a copy without lines of the source. What it was copied from lies beside it. nvcc's assembly
# is the host's, and its PTX lies there, too, in a file for each architecture, of which the oldest runs everywhere.
device_code() {
    for code in "${1%.mca}" "$1" $(find "$(dirname "$1")" -maxdepth 1 -name '*.ptx' | sort -V); do
        if [ -f "$code" ] && grep -q '^[[:space:]]*\.version' "$code"; then
            echo "$code"
            return
        fi
    done
    echo "$1"
}

[ $# -gt 0 ] || {
    echo 'usage: compiler-explorer.sh OPTION... FILE' >&2
    exit 2
}
left=$#
gpu=
while [ "$left" -gt 1 ]; do
    case $1 in
    -mtriple=* | -mcpu=* | -march=*) ;; # for llvm-mca
    --gpu)
        gpu=$2 # the last one counts, so that a person's replaces the configuration's
        shift
        left=$((left - 1))
        ;;
    --gpu=*) gpu=${1#--gpu=} ;;
    *) set -- "$@" "$1" ;;
    esac
    shift
    left=$((left - 1))
done
file=$1
shift
# In place of assembly Compiler Explorer has a word of its own there, such as "<Compilation failed>".
case $(head -c 1 "$file" 2>/dev/null) in
'<')
    echo "pipesim: the compiler made no assembly: $(head -n 1 "$file")" >&2
    exit 1
    ;;
esac
# A listing is of machine code, which takes both of them.
shown=--tables
if command -v ptxas >/dev/null && command -v nvdisasm >/dev/null; then
    shown=--listing
fi
exec "${PIPESIM:-pipesim}" - --gpu "${gpu:-a100}" --guess "$shown" "$@" <"$(device_code "$file")"
