#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Groups that execute the same, of which some gather at random: of too many groups to execute all, so many are known to do
# so that the time is that of all executed groups.
. tests/tap.sh

# kernel PLACE: each thread has its number in %r4, its group's in %r1; the place it loads is %r5; %d2 is a table's address.
kernel() {
    cat <<END
.version 8.0
.target sm_61
.address_size 64
.visible .entry k(.param .u64 table, .param .u64 in, .param .u64 out)
{
    .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<8>; .reg .f32 %f<3>;
    ld.param.u64 %d1, [in]; ld.param.u64 %d2, [table]; ld.param.u64 %d3, [out];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %d4, %r4, 4;
    $1
    mul.wide.u32 %d5, %r5, 4; add.u64 %d5, %d5, %d1; ld.global.f32 %f1, [%d5];
    add.u64 %d4, %d4, %d3; st.global.f32 [%d4], %f1; ret;
}
END
}

# microseconds PLACE OPTION...: the time of 8 192 groups of 128 threads, of which few meet at random among 64 MB.
microseconds() {
    kernel "$1" >"$TAP_TMP/k.ptx"
    shift
    "$PIPESIM" run "$TAP_TMP/k.ptx" --from ptx --registers 16 --gpu gtx1060 --grid 8192 --block 128 \
        --arg "table=@$TAP_TMP/table" --arg in=zero:64M --arg out=zero:4M --format json "$@" 2>"$TAP_ERR" |
        perl -0777 -ne 'printf "%.2f\n", 1e6 * $1 if /"seconds":\s*([0-9.e-]+)/'
}

# table EVERY: where the threads of one group in so many load at random, others in order.
table() {
    perl -e 'my ($every) = @ARGV; my $x = 1;
        for my $i (0 .. 2**20 - 1) {
            $x = ($x * 1103515245 + 12345) & 0x7fffffff;
            print pack("V", ($i >> 7) % $every == 1 ? ($x >> 7) & 0xffffff : $i);
        }' "$1" >"$TAP_TMP/table"
}

# same WHAT PLACE: within 3 % of the time of which all groups were executed, without a warning; leaves it in $exact.
same() {
    told=$(microseconds "$2")
    cp "$TAP_ERR" "$TAP_TMP/said"
    exact=$(microseconds "$2" --sample all)
    # shellcheck disable=SC2016 # they are Perl's
    tap_ok "$1: $told us, of all $exact" perl -e 'exit !(abs($ARGV[0] - $ARGV[1]) <= 0.03 * $ARGV[1])' "$told" "$exact"
    tap_is "$1: no warning" "$(grep -c 'do not' "$TAP_TMP/said")" 0
}

number='mov.u32 %r6, %r4; mul.lo.u32 %r6, %r6, 2654435769; shr.u32 %r6, %r6, 8;'
data='add.u64 %d6, %d4, %d2; ld.global.u32 %r5, [%d6];'
table 1000000000
same 'all in order' "$data"
ordered=$exact
for every in 16 4 2; do
    table "$every"
    same "one group in $every by data" "$data"
    # shellcheck disable=SC2016 # they are Perl's
    tap_ok "that is more than all in order" perl -e 'exit !($ARGV[0] > (1 + 1 / $ARGV[2]) * $ARGV[1])' "$exact" \
        "$ordered" "$every"
    same "one group in $every by its number" \
        "$number rem.u32 %r7, %r1, $every; setp.eq.u32 %p1, %r7, 1; selp.b32 %r5, %r6, %r4, %p1;"
done
tap_done
