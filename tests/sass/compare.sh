#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compare.sh ARCH FROM TO: random kernels (random.pl SEED) as PTX, and as the machine code that ptxas makes of them for
# sm_ARCH; tells seeds whose buffers differ, and ends with their number. Needs ptxas and nvdisasm.
set -u
here=$(dirname "$0") arch=$1 seed=$2 last=$3 bad=0
: "${PIPESIM:=$here/../../pipesim}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# run DUMP OPTION...: the kernel; what it wrote goes to DUMP.
run() {
    dump=$1
    shift
    "$PIPESIM" build "$folder/r.ptx" --grid 3 --block 64 --arg out=zero:36864 --arg in=random:1536 --sample all --registers none \
        --dump "out=$folder/$dump" -o /dev/null "$@" 2>"$folder/$dump.said"
}

while [ "$seed" -le "$last" ]; do
    "$here/random.pl" "$seed" >"$folder/r.ptx"
    if ! run ptx || ! run sass --from sass --arch "sm_$arch" || grep 'not known' "$folder/sass.said" || ! cmp -s "$folder/ptx" "$folder/sass"; then
        echo "seed $seed: $(tail -n 1 "$folder/sass.said" 2>/dev/null || echo 'PTX fails')"
        bad=$((bad + 1))
    fi
    seed=$((seed + 1))
done
echo "sm_$arch: $bad bad"
[ "$bad" -eq 0 ]
