#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Tiles that groups of a wave share are fetched once, whatever loads them, and however much a group does before its
# first load: a product in bands of eight rows, where each group reads 512 KiB of A and of B.
. tests/tap.sh

# COPIES TURNS: the kernel; copies: 0, or 1 for cp.async. turns: of a loop before the loads.
kernel() {
    awk -v copies="$1" -v turns="$2" 'BEGIN {
        print ".version 8.0\n.target sm_80\n.address_size 64"
        print ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)\n{"
        print ".reg .pred %p; .reg .b32 %r<16>; .reg .b64 %d<8>; .shared .align 16 .b8 s[1024];"
        print "ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; ld.param.u64 %d3, [c];"
        print "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mov.u32 %r3, 0; mov.u32 %r4, 0;"
        # row: band * 8 + g % 8; column: g % 256 / 8
        print "shr.u32 %r5, %r1, 8; shl.b32 %r5, %r5, 3; and.b32 %r6, %r1, 7; add.u32 %r5, %r5, %r6;"
        print "shr.u32 %r6, %r1, 3; and.b32 %r6, %r6, 31; shl.b32 %r9, %r2, 4; mov.u32 %r10, s;"
        print "add.u32 %r10, %r10, %r9;"
        print "mad.lo.u32 %r7, %r5, 524288, %r9; mad.lo.u32 %r8, %r6, 524288, %r9;"
        print "cvt.u64.u32 %d4, %r7; add.u64 %d4, %d4, %d1; cvt.u64.u32 %d5, %r8; add.u64 %d5, %d5, %d2;"
        if (turns > 0) {
            print "BEFORE: add.u32 %r4, %r4, %r3; xor.b32 %r4, %r4, %r2; add.u32 %r3, %r3, 1;"
            print "setp.lt.u32 %p, %r3, " turns "; @%p bra BEFORE; mov.u32 %r3, 0;"
        }
        print "LOOP:"
        if (copies) {
            print "cp.async.cg.shared.global [%r10], [%d4], 16; cp.async.cg.shared.global [%r10+512], [%d5], 16;"
            print "cp.async.wait_all;"
        } else {
            print "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%d4]; st.shared.v4.u32 [%r10], {%r5, %r6, %r7, %r8};"
            print "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%d5]; st.shared.v4.u32 [%r10+512], {%r5, %r6, %r7, %r8};"
        }
        print "ld.shared.u32 %r11, [%r10]; ld.shared.u32 %r12, [%r10+512]; add.u32 %r4, %r4, %r11;"
        print "add.u32 %r4, %r4, %r12; add.u64 %d4, %d4, 512; add.u64 %d5, %d5, 512; add.u32 %r3, %r3, 1;"
        print "setp.lt.u32 %p, %r3, 1024; @%p bra LOOP;"
        print "mad.lo.u32 %r1, %r1, 32, %r2; mul.wide.u32 %d6, %r1, 4; add.u64 %d6, %d6, %d3;"
        print "st.global.u32 [%d6], %r4; ret;\n}"
    }'
}

# COPIES TURNS: the device's shares of A and B.
shares() {
    kernel "$1" "$2" >"$TAP_TMP/k.ptx"
    "$PIPESIM" build "$TAP_TMP/k.ptx" --gpu h100 --grid 4096 --block 32 --shared 160000 --registers 64 \
        --arg a=zero:$((128 * 524288)) --arg b=zero:$((32 * 524288)) --arg c=zero:$((4096 * 128)) --no-cache \
        2>"$TAP_ERR" | sed -n 's/.*class="global.load.*device="\([0-9.]*\)".*/\1/p' | sort -ru | tr '\n' ' '
}

# 132 groups have 16 or 17 columns of 8 rows: 8 tiles of A at least, two bands' at most, and 17 of B.
near() {
    echo "$1" | awk -v "a=$2" -v "b=$3" '{ exit !(NF == 2 && $1 <= a && $1 > 0 && $2 <= b && $2 > 0) }'
}

for copies in 0 1; do
    for turns in 0 1500 4000 12000; do
        got=$(shares "$copies" "$turns")
        tap_ok "copies $copies, $turns turns before: $got" near "$got" 0.125 0.16
    done
done

# More than that takes long, so that fewer groups begin, which is told.
shares 0 60000 >"$TAP_OUT"
tap_like 'groups that begin late are told of' 'of the 132 groups that run at once, only [0-9]+ were' "$(cat "$TAP_ERR")"

# Groups of a kernel without loops share what others read that lie some groups away: 256 rows column by column. What
# the launch reads does not depend on the block.
cat >"$TAP_TMP/turn.ptx" <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry turn(.param .u64 out, .param .u64 in)
{
    .reg .b32 %r<8>;
    .reg .b64 %d<8>;
    ld.param.u64 %d1, [out];
    ld.param.u64 %d2, [in];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r1, %r1, %r2, %r3;
    and.b32 %r4, %r1, 255;
    shr.u32 %r5, %r1, 8;
    mad.lo.u32 %r6, %r4, 98304, %r5;
    mad.wide.u32 %d3, %r6, 4, %d2;
    ld.global.u32 %r7, [%d3];
    mad.wide.u32 %d4, %r1, 4, %d1;
    st.global.u32 [%d4], %r7;
    ret;
}
END
turned() {
    "$PIPESIM" build "$TAP_TMP/turn.ptx" --gpu rtx4090 --grid $((98304 * 256 / $1)) --block "$1" --registers 16 \
        --no-cache --arg out=zero:96M --arg in=zero:96M 2>"$TAP_ERR" | sed -n 's/.*class="global.load.*device="\([0-9.]*\)".*/\1/p'
}
wide=$(turned 256)
narrow=$(turned 64)
tap_ok "columns of 256 rows are read once: $narrow with blocks of 64, $wide with 256" awk "BEGIN {
    exit !($narrow < 2 && $wide < 2 && $narrow > 0.9 && $wide > 0.9) }"
# A window that moves along: each group reads 16 384 words from 128 words behind where the one before it began. What groups
# begin with is new to each of them by far more than what they come to later. The launch reads 2047 * 512 + 65536 bytes.
cat >"$TAP_TMP/window.ptx" <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry window(.param .u64 out, .param .u64 in)
{
    .reg .pred %p;
    .reg .b32 %r<8>;
    .reg .b64 %d<8>;
    .reg .f32 %f<3>;
    ld.param.u64 %d1, [out];
    ld.param.u64 %d2, [in];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, 128, %r3;
    mad.wide.u32 %d3, %r4, 4, %d2;
    mov.f32 %f1, 0f00000000;
    mov.u32 %r5, 0;
NEXT:
    ld.global.f32 %f2, [%d3];
    add.f32 %f1, %f1, %f2;
    add.u64 %d3, %d3, 1024;
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p, %r5, 64;
    @%p bra NEXT;
    mad.lo.u32 %r6, %r1, 256, %r3;
    mad.wide.u32 %d4, %r6, 4, %d1;
    st.global.f32 [%d4], %f1;
    ret;
}
END
window=$("$PIPESIM" build "$TAP_TMP/window.ptx" --from ptx --gpu a100 --grid 2048 --block 256 --registers 16 --no-cache \
    --arg out=zero:2M --arg in=zero:2M 2>"$TAP_ERR" | sed -n 's/.*class="global.load.*device="\([0-9.]*\)".*/\1/p' | sort -u)
tap_ok "a window that moves along is read once: $window" awk "BEGIN {
    right = (2047 * 512 + 65536) / (2048 * 65536); exit !($window > 0.9 * right && $window < 1.1 * right) }"

# The same without a loop, as assemblers write it out: 64 loads at as many places of the code.
straight() {
    awk '/^NEXT:/ { next } /ld.global.f32/ { for (i = 0; i < 64; i++) {
        print "ld.global.f32 %f2, [%d3+" 1024 * i "]; add.f32 %f1, %f1, %f2;" } next }
        /add.f32|add.u64 %d3|add.u32 %r5|setp|bra/ { next } { print }' "$1"
}
# FILE WORDS ...: the mean of the loads' shares.
mean_share() {
    file=$1
    shift
    "$PIPESIM" build "$file" --from ptx --gpu a100 --block 256 --registers 80 --no-cache "$@" 2>"$TAP_ERR" |
        sed -n 's/.*class="global.load.*device="\([0-9.]*\)".*/\1/p' | awk '{ all += $1; n++ } END { print all / n }'
}
straight "$TAP_TMP/window.ptx" >"$TAP_TMP/straight.ptx"
window=$(mean_share "$TAP_TMP/straight.ptx" --grid 2048 --arg out=zero:2M --arg in=zero:2M)
tap_ok "... written out, too: $window" awk "BEGIN {
    right = (2047 * 512 + 65536) / (2048 * 65536); exit !($window > 0.9 * right && $window < 1.1 * right) }"

# A hundred groups beside each other read the same 16 384 words, others read others: no two of them do by chance.
sed 's/mad.lo.u32 %r4, %r1, 128, %r3;/div.u32 %r7, %r1, 100; mad.lo.u32 %r4, %r7, 16384, %r3;/' "$TAP_TMP/window.ptx" >"$TAP_TMP/hundreds.ptx"
hundreds=$("$PIPESIM" build "$TAP_TMP/hundreds.ptx" --from ptx --gpu a100 --grid 4096 --block 256 --registers 16 --no-cache \
    --arg out=zero:4M --arg in=zero:2686976 2>"$TAP_ERR" | sed -n 's/.*class="global.load.*device="\([0-9.]*\)".*/\1/p' |
    sort -u)
tap_ok "what a hundred groups share is read once: $hundreds" awk "BEGIN {
    right = 41 / 4096; exit !($hundreds > 0.9 * right && $hundreds < 1.1 * right) }"
straight "$TAP_TMP/hundreds.ptx" >"$TAP_TMP/straight.ptx"
hundreds=$(mean_share "$TAP_TMP/straight.ptx" --grid 4096 --arg out=zero:4M --arg in=zero:2686976)
tap_ok "... written out, too: $hundreds" awk "BEGIN {
    right = 41 / 4096; exit !($hundreds > 0.9 * right && $hundreds < 1.1 * right) }"
tap_done
