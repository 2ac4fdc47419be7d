#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly nightly-sanitize
# Launches whose groups differ: the graph has each kind with its share, and takes between what the longest and the shortest of
# them alone would, near the mean where there are many.
. tests/tap.sh

# build NAME ARGUMENT...: a graph of a kernel of kinds.ptx, or of what the arguments name.
build() {
    name=$1
    shift
    "$PIPESIM" build "$@" -o "$TAP_TMP/$name.idg"
}

# time_of NAME: seconds.
time_of() {
    "$PIPESIM" run "$TAP_TMP/$1.idg" --gpu v100.xml --format csv 2>/dev/null |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "seconds") column = i; next } { print $column }'
}

# kinds_of NAME: "share share ...".
kinds_of() {
    sed -n 's/.*<kind .*share="\([0-9]*\)".*/\1/p' "$TAP_TMP/$1.idg" | tr '\n' ' '
}

# Half of the groups iterate ten times as often.
halves='tests/corpus/kinds.ptx --kernel halves --grid 16000 --block 64 --arg n=1024000 --arg times=40 --arg a=0.9 --arg b=0.1
    --arg values=zero:4096000'
# shellcheck disable=SC2086 # words
tap_ok 'half of the groups do more' build halves $halves
tap_like '... which the graph says' 'Kinds of groups: 5[0-2]\.[0-9] % as .* warp instructions\), (50\.0|4[89]\.[0-9]) % as' "$(cat "$TAP_TMP/halves.idg")"
tap_like '... with one of each kind' 'of which [0-9]+,0,0 and [0-9]+,0,0 are this graph' "$(cat "$TAP_TMP/halves.idg")"
# shellcheck disable=SC2086
tap_ok 'those alone' build long $halves --sample 0,0
# shellcheck disable=SC2086
tap_ok '... and the others' build short $halves --sample 15999,0
tap_is '... are of one kind' "$(kinds_of long)$(kinds_of short)" ''
tap_ok 'all take the mean of both' awk -v all="$(time_of halves)" -v long="$(time_of long)" -v short="$(time_of short)" '
    BEGIN { mean = (long + short) / 2; print all, long, short; exit !(long > 6 * short && all > 0.93 * mean && all < 1.07 * mean) }'

# The first groups work, all others end at once; --gpu brings groups of the middle's compute unit, which say nothing of shares.
cat >"$TAP_TMP/first.ptx" <<'END'
.version 8.0
.target sm_75
.address_size 64
.visible .entry first(.param .u64 values, .param .u32 groups)
{
    .reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %rd<4>; .reg .f32 %f<3>;
    ld.param.u64 %rd1, [values];
    ld.param.u32 %r1, [groups];
    mov.u32 %r2, %ctaid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra END;
    mov.u32 %r3, %tid.x;
    mul.wide.u32 %rd2, %r3, 4;
    add.s64 %rd3, %rd1, %rd2;
    mov.u32 %r4, 0;
MORE:
    ld.global.f32 %f1, [%rd3];
    add.f32 %f1, %f1, 0f3F800000;
    st.global.f32 [%rd3], %f1;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p2, %r4, 64;
    @%p2 bra MORE;
END:
    ret;
}
END
# share_of GROUPS GPU: the share of those that work, in percent, of 4096 groups of which so many do; they are the longest kind.
share_of() {
    build first "$TAP_TMP/first.ptx" --from ptx --registers 16 --gpu "$2" --grid 4096 --block 256 --arg values=zero:1K \
        --arg groups="$1" --no-cache
    kinds_of first | awk '{ for (i = 1; i <= NF; i++) all += $i; print NF == 2 ? 100 * $1 / all : "" }'
}
for groups in 600 1400 2500 3000 3700; do
    for gpu in a100 t4; do
        tap_ok "... $groups of 4096 groups work, on $gpu" awk -v share="$(share_of $groups $gpu)" -v should=$groups 'BEGIN {
            off = share - should / 40.96; print share; exit !(share != "" && off < 3 && off > -3) }'
    done
done
tap_ok '... 100 of them, which few groups show' awk -v share="$(share_of 100 t4)" 'BEGIN { print share; exit !(share > 2.40 && share < 2.48) }'

build first "$TAP_TMP/first.ptx" --from ptx --registers 16 --gpu t4 --grid 4096 --block 256 --arg values=zero:1K --arg groups=1 \
    --no-cache 2>"$TAP_ERR"
tap_like '... one of them, which all others end before' '<kind name="group_0_0_0" share="1">.*' "$(cat "$TAP_TMP/first.idg")"
build first "$TAP_TMP/first.ptx" --from ptx --registers 16 --gpu t4 --grid 4096000 --block 256 --arg values=zero:1K --arg groups=1 \
    --no-cache 2>"$TAP_ERR"
tap_like '... one of a thousand times as many, which the graph leaves out, and says' 'warning: most groups end without an access to global memory, and the graph is of one of them, 2047999,0,0 \([0-9]+ warp instructions\); what few others do, such as 0,0,0 \([0-9]+\), is not in it; --sample 0,0,0 makes the graph of that one$' \
    "$(cat "$TAP_ERR")"
build first "$TAP_TMP/first.ptx" --from ptx --registers 16 --gpu t4 --grid 4096 --block 256 --arg values=zero:1K --arg groups=0 \
    --no-cache 2>"$TAP_ERR"
tap_like '... none of them' 'of group 2047,0,0, which reads and writes no global memory, as if it had nothing to do, and neither does any other' \
    "$(cat "$TAP_ERR")"

# Each group has a row more than the one before it.
triangle='tests/corpus/kinds.ptx --kernel triangle --grid 3000 --block 32 --arg n=96000 --arg x=zero:384000 --arg y=zero:384000'
# shellcheck disable=SC2086
tap_ok 'a triangle' build triangle $triangle
tap_is '... has four kinds' "$(kinds_of triangle | wc -w | tr -d ' ')" 4
# shellcheck disable=SC2016 # fields are awk's
tap_ok '... which are on the average what groups are' awk -F'"' '
    /<kind /  { share = $4; parts += share }
    /<loop /  { sum += share * $4 }
    END { mean = sum / parts; print mean; exit !(mean > 1500 * 0.95 && mean < 1500 * 1.05) }' "$TAP_TMP/triangle.idg"
for group in 0 1499 2999; do
    # shellcheck disable=SC2086
    tap_ok "... with group $group alone" build "triangle-$group" $triangle --sample "$group,0"
done
tap_ok '... takes about what its middle does' awk -v all="$(time_of triangle)" -v first="$(time_of triangle-0)" \
    -v middle="$(time_of triangle-1499)" -v last="$(time_of triangle-2999)" '
    BEGIN { print first, middle, all, last; exit !(first < all && all < 0.7 * last && all > 0.85 * middle && all < 1.15 * middle) }'

# The last row of groups has 56 of 192 trial values: it is an eighth of the groups, and takes half as long.
dedispersion='tests/ptx/dedispersion.ptx --from ptx --registers 40 --gpu a4000 --grid 2084x8 --block 4x96 --arg channels=64
    --arg samples=25000 --arg trials=1400 --arg per_channel=26000 --arg step=0.02 --arg 0=random:64*per_channel:1:u8
    --arg 1=zero:4*trials*samples --arg 2=random:256:1:f32:10'
# shellcheck disable=SC2086
tap_ok 'a last row of groups that has less to do' build rows $dedispersion
tap_is '... is one of eight' "$(kinds_of rows)" '7 1 '
# shellcheck disable=SC2086
for group in '1041,3' '1041,7'; do
    tap_ok "... with group $group alone" build "row-${group#*,}" $dedispersion --sample "$group"
done
tap_ok '... and all take the mean' awk -v all="$(time_of rows)" -v inside="$(time_of row-3)" -v last="$(time_of row-7)" '
    BEGIN { mean = (7 * inside + last) / 8; print inside, last, all, mean; exit !(last < 0.6 * inside && all > 0.97 * mean && all < 1.03 * mean) }'

# What does alike is as it was, without kinds.
# shellcheck disable=SC2046
tap_ok 'groups that do the same' build saxpy tests/corpus/saxpy.ptx --kernel saxpy --grid 64 --block 256 --arg n=16384 \
    --arg a=2 --arg x=zero:65536 --arg y=zero:65536
tap_is '... are no kinds' "$(kinds_of saxpy)" ''

# A launch that has one group for each compute unit ends with the longest of them.
# shellcheck disable=SC2086
tap_ok 'a group for each compute unit' build few $halves --grid 80 --gpu v100.xml
# shellcheck disable=SC2086
tap_ok '... and the longest of them' build longest $halves --grid 80 --gpu v100.xml --sample 0,0
tap_is '... take the same time' "$(time_of few)" "$(time_of longest)"
tap_is '... but are of two kinds' "$(kinds_of few | wc -w | tr -d ' ')" 2
tap_done
