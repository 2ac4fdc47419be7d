#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Few of 20 000 groups do something else, picked by their number or by a table: which ones is computed for all of them, so that
# one of them is executed, with its faults, and has its share.
. tests/tap.sh

# kernel BODY: each thread has its number in %r4, group and argument in %r1 and %r5, a table's address in %d2; %r6 counts down.
kernel() {
    cat <<END
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 t, .param .u32 n)
{
    .reg .pred %p<9>; .reg .b32 %r<16>; .reg .b64 %d<8>; .reg .f32 %f<3>;
    ld.param.u64 %d1, [a]; ld.param.u64 %d2, [t]; ld.param.u32 %r5, [n];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %d3, %r4, 4; add.u64 %d3, %d3, %d1; ld.global.f32 %f1, [%d3]; mov.u32 %r6, 400;
    $1
    WORK: add.f32 %f1, %f1, 0f3F800000; sub.u32 %r6, %r6, 1; setp.gt.s32 %p8, %r6, 0; @%p8 bra WORK;
    END: st.global.f32 [%d3], %f1; ret;
}
END
}

# build BODY OPTION...: the kernel's graph, of 20 000 groups.
build() {
    kernel "$1" >"$TAP_TMP/k.ptx"
    shift
    "$PIPESIM" build "$TAP_TMP/k.ptx" --from ptx --registers 16 --gpu a100 --grid 20000 --block 128 --arg a=zero:10240000 \
        --arg t=ramp:80000:u32 --arg n=5000 -o "$TAP_TMP/k.idg" "$@" >/dev/null 2>"$TAP_ERR"
}

# shares: "share groups ..." of the kinds, as the graph's comment has them.
shares() {
    sed -n 's/.*Kinds of groups: \(.*\)/\1/p' "$TAP_TMP/k.idg" | grep -o '[0-9.]* % as [0-9,]*' | tr '\n' ' '
}

# faults WHAT BODY MESSAGE
faults() {
    build "$2"
    tap_like "$1" "$3" "$(cat "$TAP_ERR")"
}

faults 'a trap of one group' 'setp.eq.u32 %p1, %r1, 12345; @%p1 trap; bra END;' \
    'of group \(12345,0,0\) came to a trap'
faults 'a trap of one thread' 'setp.eq.u32 %p1, %r4, 777777; @%p1 trap; bra END;' \
    'thread \(49,0,0\) of group \(6076,0,0\) came to a trap'
faults 'an index that one group has' 'setp.eq.u32 %p1, %r1, %r5; selp.b32 %r7, 1000000000, 0, %p1;
    mul.wide.u32 %d4, %r7, 4; add.u64 %d4, %d3, %d4; ld.global.f32 %f1, [%d4]; bra END;' \
    'of group \(5000,0,0\) reads 4 bytes'
faults 'an index that a table has' 'mul.wide.u32 %d4, %r1, 4; add.u64 %d4, %d4, %d2; ld.global.u32 %r7, [%d4];
    setp.gt.u32 %p1, %r7, 19000; @%p1 add.u32 %r7, %r7, 0x70000000; mul.wide.u32 %d5, %r7, 4; add.u64 %d5, %d5, %d1;
    ld.global.f32 %f1, [%d5]; bra END;' \
    'of group \([0-9]+,0,0\) reads 4 bytes'

# share WHAT BODY SHARE: the part of the groups, in thousandths of a per cent, of those that are picked; and none of the others is
# said to be unknown.
share() {
    tap_ok "$1" build "$2"
    tap_is '... and no more may be hidden' "$(grep -c 'by their number' "$TAP_ERR")" 0
    tap_like '... with its share' "$3" "$(shares)"
}
share 'work of every thousandth group' 'rem.u32 %r7, %r1, 1000; setp.eq.u32 %p1, %r7, 7; @%p1 bra WORK; bra END;' \
    '^99\.9 % as [0-9]+,0,0 0\.1 % as [0-9]*7,0,0 $'
share 'work by a table' 'mul.wide.u32 %d4, %r1, 4; add.u64 %d4, %d4, %d2; ld.global.u32 %r7, [%d4];
    and.b32 %r7, %r7, 255; setp.eq.u32 %p1, %r7, 99; @%p1 bra WORK; bra END;' \
    '^99\.6 % as [0-9]+,0,0 0\.4 % as [0-9]+,0,0 $'
share 'a count that groups choose' 'rem.u32 %r7, %r1, 500; setp.eq.u32 %p1, %r7, 3; selp.b32 %r6, 9000, 4, %p1;' \
    '^99\.8 % as [0-9]+,0,0 0\.2 % as ([0-9]*[05]0)?3,0,0 $'
share 'work of four threads in all' 'rem.u32 %r7, %r4, 640000; setp.eq.u32 %p1, %r7, 77; @%p1 bra WORK; bra END;' \
    '^100\.0 % as [0-9]+,0,0 0\.0 % as (0|5000|10000|15000),0,0 $'
share 'a count that threads choose' 'setp.eq.u32 %p1, %r4, 777777; selp.b32 %r6, 9000, 4, %p1;' \
    '^100\.0 % as [0-9]+,0,0 0\.0 % as 6076,0,0 $'

# What a group finds that others have written is not known.
tap_ok 'work that depends on when a group runs' build 'mov.u32 %r7, %clock; xor.b32 %r7, %r7, %r1; setp.eq.u32 %p1, %r7, 7;
    setp.eq.u32 %p2, %r1, %r7; or.pred %p1, %p1, %p2; @%p1 bra WORK; setp.eq.u32 %p3, %r1, 4000; @%p3 bra END;
    xor.b32 %r7, %r7, 1; setp.eq.u32 %p4, %r7, 0; @%p4 bra WORK; bra END;'
tap_is '... is said to be unknown' "$(grep -c 'by their number' "$TAP_ERR")" 1

tap_done
