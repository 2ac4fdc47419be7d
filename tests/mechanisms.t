#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly nightly-sanitize
# What hardware does with access patterns that everyday kernels have, as others measured or vendors document it: the
# kernels of tests/mechanisms, whose README says what each shows.
. tests/tap.sh

# cycles NAME FILE OPTION...: the kernel's cycles, by its PTX, whatever is installed.
cycles() {
    file=tests/mechanisms/$1.ptx
    shift
    "$PIPESIM" "$file" --from ptx --format json "$@" 2>"$TAP_ERR" |
        sed -n 's/.*"simulated": {"cycles": \([0-9]*\).*/\1/p'
}

# ratio NAME A B LEAST MOST: A cycles are from LEAST to MOST times B cycles.
ratio() {
    if awk -v a="$2" -v b="$3" -v least="$4" -v most="$5" 'BEGIN { exit !(b > 0 && a >= least * b && a <= most * b) }'; then
        tap_pass "$1"
    else
        tap_fail "$1"
        echo "$2 cycles beside $3: from $4 to $5 times as many" | tap_diag
    fi
}

# ---- constant memory by lanes ------------------------------------------------------------------

# lookups KERNEL ENTRIES GPU: look-ups at random in a table that lies in constant (c) or global memory (g).
lookups() {
    cycles "constant-lanes-$2" --registers 16 --kernel "klut_$1" --gpu "$3" --grid 864 --block 256 --arg 0=zero:4M \
        --arg 1=128 --arg "$1t=ramp:$(($2 * 4))"
}
for gpu in v100 rtx2080ti a100 h100 rtx4090 b200; do
    global=$(lookups g 256 $gpu)
    ratio "look-ups of 256 constants are slower than of global memory on $gpu" "$(lookups c 256 $gpu)" "$global" 2.5 50
    global=$(lookups g 16 $gpu)
    ratio "so are look-ups of 16 on $gpu" "$(lookups c 16 $gpu)" "$global" 3 50
done
ratio 'a request for each address: 30.1 different ones of 256 take as much longer than 14.0 of 16' \
    "$(lookups c 256 a100)" "$(lookups c 16 a100)" 2.0 2.3

# ---- wide loads of local memory that lanes share -----------------------------------------------

# wide MODE GPU: loads of 16 bytes by each lane, which ask for their own (0), for the same as T ^ 1 (1), as T ^ 2 (2), all
# for the same (3). In turns, since the last of greedy warps have the pipeline for themselves and do not fill it.
wide() {
    cycles "lds128-$1" --registers 32 --policy lrr --gpu "$2" --grid 68 --block 1024 --arg 0=zero:1M --arg 1=512
}
for gpu in v100 rtx2080ti rtx3090; do
    own=$(wide 0 $gpu)
    for mode in 1 2 3; do
        ratio "loads that lanes share by mode $mode take half as long on $gpu" "$(wide $mode $gpu)" "$own" 0.48 0.58
    done
done

# ---- loads that L1 serves ----------------------------------------------------------------------

# l1 KERNEL GPU MEASURED: cycles of a compute unit for each of 131 072 loads, less 2000 for the launch: as measured, but
# for what is below 15 %, or 0.52 of a cycle (which those that measured had beside all).
l1() {
    got=$(cycles l1 --registers 32 --kernel "$1" --gpu "$2" --grid 68 --block 1024 --arg 0=zero:64K --arg 1=zero:1M \
        --arg 2=1024)
    if awk -v got="$((got - 2000))" -v known="$3" \
        'BEGIN { each = got / 131072; off = each - known; if (off < 0) off = -off; exit !(off < 0.15 * known || off <= 0.52) }'; then
        tap_pass "loads of $1 take $3 cycles on $2"
    else
        tap_fail "loads of $1 take $3 cycles on $2"
        echo "$got cycles of 131072 loads" | tap_diag
    fi
}
while read -r kernel turing ampere; do
    l1 "$kernel" rtx2080ti "$turing"
    l1 "$kernel" rtx3090 "$ampere"
done <<'END'
w4_8_32 4.5 2.5
w4_16_32 8.3 4.3
w4_8_64 8.2 4.2
w8_8_64 16.3 8.2
w16_8_32 17.4 8.7
w16_8_64 32.6 16.3
w16_dense 8.5 3.5
END
for kernel in w4_dense w8_dense; do
    l1 $kernel rtx3090 2
done
l1 both rtx3090 4.2

# strided GPU STRIDE MEASURED: the same of 4 bytes at a stride in words, as gpu-strides of gpu-benches has it.
strided() {
    got=$(cycles l1 --registers 32 --kernel strided --gpu "$1" --grid 1 --block 1024 --arg 0=zero:1M --arg 1=zero:1M --arg 2=1024 \
        --arg 3="$2")
    ratio "loads of 4 bytes $2 words apart take $3 cycles on $1" "$((got - 2000))" "$(awk -v known="$3" \
        'BEGIN { print int(131072 * known) }')" 0.85 1.15
}
while read -r stride a40 a100; do
    strided a40 "$stride" "$a40"
    strided a100 "$stride" "$a100"
done <<'END'
1 2.00 1.02
2 2.00 2.00
4 4.00 4.00
8 8.0 8.0
12 4.00 4.00
16 16.0 16.0
24 8.0 8.0
32 32.0 32.0
33 8.8 8.8
48 16.0 16.0
END
strided h200 8 8.0

# ---- votes and reductions within a warp --------------------------------------------------------

# class KERNEL GPU NAME: what the class of that name says of itself.
class() {
    "$PIPESIM" tests/mechanisms/vote.ptx --from ptx --registers 32 --kernel "$1" --gpu "$2" --grid 1 --block 1024 \
        --arg zero:64K --arg 16 --format json 2>/dev/null | sed -n "s/.*{\"name\": \"$3\", //p"
}
for gpu in v100 rtx2080ti a100 rtx3090 h100; do
    tap_like "votes are logic on $gpu, 64 a cycle" '^"words": "[a-z.]+", "served_by": "logic", .*"pipeline": "int", .*"issue": 2, .*"per_scheduler": true' \
        "$(class kvote $gpu logic.vote)"
done
for gpu in a100 rtx3090 h100 b200; do
    tap_like "reductions are 16 a cycle on $gpu" '^"words": "[a-z.]+", "served_by": "shuffle.reduce", .*"pipeline": "adu", .*"issue": 2, .*"per_scheduler": false' \
        "$(class kredux $gpu shuffle.reduce)"
done

# ---- atomics at one address, and in lines beside each other ------------------------------------

# Of a histogram's 2^30 bytes by global atomics an H100 took 276.1 ms, with bins in shared memory 1.53 ms; here are 2^24.
histogram() {
    cycles histogram --registers 16 --kernel "$1" --gpu h100 --grid 1056 --block 512 --arg 0=random:16M:1:u8 --arg 1=16777216 \
        --arg 2=zero:4K
}
ratio 'a histogram by global atomics takes what it does on an H100, but for 20 %' "$(histogram hg)" 8541844 0.8 1.2

# hot KERNEL GPU: ten additions of each thread to one counter (hot), one of different integers (hotv), or of floats (hotf).
hot() {
    cycles hotspot --registers 16 --kernel "$1" --gpu "$2" --grid 1080 --block 256 --arg 0=zero:4K --arg 1=10
}
for gpu in a100 rtx3090; do
    ratio "compilers add up a warp's integers on $gpu: ten times ..." "$(hot hot $gpu)" "$(hot hotv $gpu)" 7 11
    ratio "... and no floats: 32 operations for one on $gpu" "$(hot hotf $gpu)" "$(hot hotv $gpu)" 20 34
done

# places KERNEL GPU MHZ WORDS-OR-NUMBER [NUMBER]: 2^24 additions of threads, or one store of each, at places that all groups share.
places() {
    cycles places --registers 16 --kernel "$1" --gpu "$2" --clock "$3" --grid 1024 --block 512 --arg 0=zero:4K \
        ${4:+--arg "1=$4"} ${5:+--arg "2=$5"}
}
# 10^9 additions of threads per second on an Ada GPU, whose one place does one a cycle at 1930 MHz: cycles for 2^24.
ratio 'additions at one address that no compiler knows: 1.93 a nanosecond' "$(places words rtx4090 1930 1 32)" 16777216 0.95 1.05
ratio 'to the 32 words of one line: 12.08' "$(places words rtx4090 1930 32 32)" 2680450 0.95 1.05
ratio 'to 256 words, which have two places: 23.35' "$(places words rtx4090 1930 256 32)" 1386706 0.9 1.1
ratio 'to 32 sectors by each warp: 3.13' "$(places sectors rtx4090 1930 32)" 10345120 0.9 1.1
ratio 'requests to 16 lines: 1.45 on GeForce cards of Turing and Ampere' "$(places words rtx2080ti 1860 512 32)" 672534 0.9 1.1
ratio 'rates at one place go with the clock' "$(places words rtx2080ti 1350 32 32)" "$(places words rtx2080ti 1860 32 32)" 0.98 1.02
ratio 'a flag that all warps set: 2.27 cycles each on a V100' "$(places flag v100 1380)" 37192 0.9 1.15

# counts KERNEL GPU MASK: 256 additions of each thread to the words of shared memory that the mask leaves.
counts() {
    cycles places --registers 16 --kernel "$1" --gpu "$2" --grid 64 --block 1024 --arg 0=zero:4K --arg "1=$3" --arg 2=256
}
own=$(counts count a100 1023)
ratio 'lanes at one word are counted in one pass' "$(counts count a100 0)" "$own" 0.99 1.01
# 32 lanes take 32 cycles, for 256 additions of 32 warps: what is more is the way of the first and the last.
ratio 'other numbers take turns: a cycle for each lane' "$(counts sum a100 0)" 262144 1.00 1.02
# 16 lanes of each of 32 warps add to one of two words. In each round one lane at each word succeeds, so warps go round
# 8 * 32 * 33 times; a compare-and-swap of 16 lanes at one word takes 32 cycles.
floats="$("$PIPESIM" tests/mechanisms/places.ptx --from ptx --registers 16 --kernel floats --gpu a100 --grid 1 --block 1024 --arg 0=zero:4K 2>&1)"
tap_like 'sums of floating-point numbers are the loops of machine code' '^Would help +fewer or cheaper instructions of atomic\.shared\.cas' "$floats"
ratio '... which run as often as threads meet' \
    "$(cycles places --registers 16 --kernel floats --gpu a100 --grid 1 --block 1024 --arg 0=zero:4K)" $((8 * 32 * 33 * 32)) 1.00 1.05

# ---- sectors that are written in part ----------------------------------------------------------

# An H100 80GB HBM3 transposes 32768 x 32768 floats in 18.06 ms; cycles at 1980 MHz.
ratio 'a plain transposition takes what it does on an H100, but for 20 %' \
    "$(cycles transpose --registers 16 --kernel rd --gpu h100 --grid 1024x1024 --block 32x32 --arg 0=zero:4G --arg 1=zero:4G \
        --arg 2=32768)" 35758800 0.8 1.2

# ---- what groups share in L2 that run at the same time -------------------------------------------

# level NAME KERNEL OPTION...: what JSON says of that level of an A100's memory.
level() {
    level_name=$1
    level_kernel=$2
    shift 2
    "$PIPESIM" tests/mechanisms/tiles.ptx --from ptx --registers 32 --kernel "$level_kernel" --gpu a100 --block 256 --format json "$@" \
        2>"$TAP_ERR" | grep -o "\"name\": \"$level_name\".*"
}

# 8 groups of 108 compute units at once have 14 rows of tiles and 64 columns, whatever their order: 78 of 1 728 tiles are new.
for rows in 1 6 8 16; do
    tap_like "groups that run at once share tiles, in blocks of $rows rows, too" '"hit_rate": 0\.9[4-6]' \
        "$(level l2 product --grid 4096 --arg 0=zero:64M --arg 1=zero:64M --arg 2=zero:64M --arg 3=4096 --arg "4=$rows")"
done

# Where a group takes long until its loop begins, too: 78 of 1 728 rows and columns are new.
for rows in 1 8; do
    tap_like "... a while after they began, in blocks of $rows rows" '"hit_rate": 0\.9[5-7]' \
        "$(level l2 late --grid 4096 --arg 0=zero:64M --arg 1=zero:64M --arg 2=zero:64M --arg 3=262144 --arg "4=$rows" --arg 5=100)"
done

# again COLUMNS: bytes of device memory for 2048 rows of so many columns.
again() {
    level device again --grid 2048 --arg 0=zero:256M --arg 1=zero:256M --arg "2=$1" | sed -n 's/.*"bytes": \([0-9]*\).*/\1/p'
}
tap_is 'what all rows that run at once read again fits in L2' "$(again 4096)" $((2 * 2048 * 4096 * 4))
tap_is '... or comes from device memory each time' "$(again 32768)" $((4 * 2048 * 32768 * 4))

tap_done
