#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compare.sh FROM TO ARCH...: random kernels (random.pl with the seeds FROM to TO) as PTX, and as the machine code that
# ptxas makes of them for each architecture (75, 120); tells seeds whose buffers differ, and ends with how many do.
# Needs ptxas and nvdisasm.
set -u
here=$(dirname "$0") seed=$1 last=$2 bad=0 compared=0
shift 2
: "${PIPESIM:=$here/../../pipesim}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# run DUMP OPTION...: the kernel; what it wrote goes to DUMP.
run() {
    dump=$1
    shift
    "$PIPESIM" build "$folder/r.ptx" --grid 3 --block 64 --arg out=zero:36864 --arg in=random:1536 --sample all --registers none \
        --dump "out=$folder/$dump" -o /dev/null "$@" 2>"$folder/said"
}

# bad ARCH: what is wrong with this seed.
bad() {
    echo "seed $seed on sm_$1: $(grep 'not known' "$folder/said" || tail -n 1 "$folder/said"), $(cmp "$folder/ptx" "$folder/sass" 2>&1)"
    bad=$((bad + 1))
}

# The kernels are for the oldest of the architectures, if that is older than sm_75.
target=75
for arch; do
    [ "$arch" -ge "$target" ] || target=$arch
done

while [ "$seed" -le "$last" ]; do
    "$here/random.pl" "$seed" '' random "$target" >"$folder/r.ptx"
    run ptx --from ptx || bad 'none'
    for arch; do
        compared=$((compared + 1))
        if ! run sass --from sass --arch "sm_$arch" || grep -q 'not known' "$folder/said" || ! cmp -s "$folder/ptx" "$folder/sass"; then
            bad "$arch"
        fi
    done
    seed=$((seed + 1))
done
echo "$compared compared, $bad bad"
[ "$bad" -eq 0 ]
