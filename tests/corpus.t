#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly nightly-sanitize
# The PTX of the corpus is what compile.sh makes of its sources, whichever folder it is in; without
# compilers it leaves things alone and says so.
. tests/tap.sh

folder=$TAP_TMP/elsewhere/tests/corpus
mkdir -p "$folder" "$TAP_TMP/elsewhere/graphs"
cp graphs/mmul.cl "$TAP_TMP/elsewhere/graphs"
cp tests/corpus/*.cu tests/corpus/*.cl tests/corpus/compile.sh "$folder"

# Tools that the script needs, and no compiler; its own search for nvcc in /usr/local/cuda finds none
# if that is not in the copy.
tools=$TAP_TMP/tools
mkdir "$tools"
for tool in dirname perl rm; do
    ln -s "$(command -v "$tool")" "$tools/$tool"
done
tap_ok 'no compiler is no error' env PATH="$tools" CUDA="$TAP_TMP" "$folder/compile.sh"
tap_like 'it says that nvcc is missing' 'nvcc is missing' "$(cat "$TAP_OUT")"
tap_like 'and clang' 'clang or libclc is missing' "$(cat "$TAP_OUT")"
tap_is 'and makes nothing' "$(find "$folder" -name '*.ptx')" ''

# Another release of a compiler makes other PTX: then only that it makes some is checked.
tap_ok 'the script runs' "$folder/compile.sh"
release=$(PATH=$PATH:/usr/local/cuda/bin nvcc --version 2>/dev/null | sed -n 's/.*, V//p')
wanted=$(sed -n 's/.*, V//p' tests/corpus/saxpy.ptx)
for new in "$folder"/*.ptx; do
    [ -e "$new" ] || continue
    name=${new##*/}
    case $name in
    *-opencl.ptx) same=$(clang --version 2>/dev/null | grep -c 'version 14\.') ;;
    *) same=$([ "$release" = "$wanted" ] && echo 1) ;;
    esac
    if [ "${same:-0}" = 1 ]; then
        tap_ok "$name is what the compiler makes" cmp "$new" "tests/corpus/$name"
    else
        tap_ok "$name can be compiled" grep -q '\.entry' "$new"
    fi
done
tap_done
