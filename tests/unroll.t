#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: quick check sanitize
# Short loops that count do four iterations at once, as ptxas makes them, then two and one of those that remain: loads of
# all four come before the first sum, and whatever the number of iterations is, as much is computed and loaded.
. tests/tap.sh

# BODY ...: a kernel whose loop counts rows from 0 to n. What the body adds is %f1; the array is at %d1.
loop() {
    cat <<'HEAD'
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)
{
    .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .f32 %f<4>;
    .shared .align 4 .f32 tile[1024];
    ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x; mul.wide.u32 %d3, %r2, 4; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3;
    mov.f32 %f1, 0f00000000; mov.u32 %r3, 0;
ROW:
HEAD
    printf '%s\n' "$@"
    cat <<'TAIL'
    add.u64 %d1, %d1, 128; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1;
    @%p1 bra ROW;
OUT:
    st.global.f32 [%d2], %f1;
    ret;
}
TAIL
}

load='ld.global.f32 %f2, [%d1]; add.f32 %f1, %f1, %f2;'

# N OPTION ...: the graph of $TAP_TMP/k.ptx.
graph() {
    n=$1
    shift
    "$PIPESIM" build "$TAP_TMP/k.ptx" --grid 1 --block 32 --registers 32 --arg in=ramp:16K --arg out=zero:128 \
        --arg n="$n" "$@" 2>"$TAP_ERR"
}

# CLASSES: those of the nodes of the first loop, in their order, without steps of 64-bit additions.
first_loop() {
    sed -n '/<loop/,/<.loop>/p' | sed '/<.loop>/q' | sed -n 's/.*<node.* class="\([a-z.]*\)".*/\1/p' | grep -v '^iadd' |
        tr '\n' ' '
}

# What a body becomes: the loop's times, and its classes.
is_unrolled() {
    loop "$2" >"$TAP_TMP/k.ptx"
    tap_is "$1: four at once" "$(graph 22 | sed -n 's/.*<loop.* times="\([^"]*\)".*/\1/p' | tr '\n' ' ')" \
        'floor(n/4) floor(n%4/2) n%2 '
}

is_rolled() {
    loop "$2" >"$TAP_TMP/k.ptx"
    tap_is "$1: one after the other" "$(graph 22 | sed -n 's/.*<loop.* times="\([^"]*\)".*/\1/p' | tr '\n' ' ')" 'n '
}

is_unrolled 'a sum' "$load"
tap_is 'four loads, then their sums' "$(graph 22 | first_loop)" \
    'global.load global.load global.load global.load fadd fadd fadd fadd loop '
tap_is 'a load each without the rule' "$(graph 22 --no-unroll | first_loop)" 'global.load fadd loop '

# As much is computed and accessed, whatever the number of iterations is; a graph of one number is that of others, too.
amounts() {
    "$PIPESIM" run "$@" --gpu a100 --format json 2>"$TAP_ERR" |
        grep -Eo '"(W_comp|W_traf|M_fp32|M_ldst|M_tran-r|M_local)": [0-9.]+' | tr '\n' ' '
}
loop "$load" >"$TAP_TMP/k.ptx"
graph 22 >"$TAP_TMP/22.idg"
for n in 1 2 3 4 5 6 7 8 9 22 23; do
    graph "$n" >"$TAP_TMP/k.idg"
    graph "$n" --no-unroll >"$TAP_TMP/rolled.idg"
    rolled=$(amounts "$TAP_TMP/rolled.idg")
    tap_like "n = $n" "\"W_comp\": $((32 * n))," "$(echo "$rolled" | sed 's/ "W_traf/, &/')"
    tap_is '... as much as one after the other' "$(amounts "$TAP_TMP/k.idg")" "$rolled"
    tap_is '... also by the graph of n = 22' "$(amounts "$TAP_TMP/22.idg" --param n="$n")" "$rolled"
done

# It is faster, and by no more than what four loads at once give.
seconds() {
    "$PIPESIM" run "$@" --gpu a100 --format json 2>"$TAP_ERR" | sed -n 's/.*"cycles": \([0-9.]*\), "seconds.*/\1/p'
}
graph 120 >"$TAP_TMP/k.idg"
graph 120 --no-unroll >"$TAP_TMP/rolled.idg"
now=$(seconds "$TAP_TMP/k.idg") rolled=$(seconds "$TAP_TMP/rolled.idg")
tap_ok "$rolled cycles one after the other, $now four at once" awk "BEGIN { exit !($now < $rolled / 2 && $now > $rolled / 4) }"

# EVEN ODD: lanes with even and with odd numbers loop so often; loads of each trip.
lanes() {
    loop "$load" | sed "s/mov.u32 %r2, %tid.x;/& and.b32 %r5, %r2, 1; setp.eq.u32 %p3, %r5, 0; selp.b32 %r1, $1, $2, %p3;/" \
        >"$TAP_TMP/k.ptx"
    graph 1 >"$TAP_TMP/k.idg"
    graph 1 --no-unroll >"$TAP_TMP/rolled.idg"
    sed -n 's/.*<loop.* times="\([0-9]*\)".*/\1 x/p; s/.*<node.* class="\(global.load\|loop\)[.s0-9]*".*/\1/p' "$TAP_TMP/k.idg" |
        awk '$1 == "loop" { printf "%s%d ", times, n; n = 0; times = "" } /load/ { n++ } / x/ { times = $1 "x" }'
}
# Lanes that leave earlier do what remains of theirs in trips of their own, and as much is done as one after the other.
while read -r even odd trips; do
    tap_is "lanes loop $even and $odd times" "$(lanes "$even" "$odd")" "$trips "
    tap_is '... as much as one after the other' "$(amounts "$TAP_TMP/k.idg")" "$(amounts "$TAP_TMP/rolled.idg")"
done <<'END'
8 8 2x4
8 4 4 4
7 4 4 2 1
8 3 4 2 1 1
8 5 4 2 2
22 17 4x4 2 2 2
3 3 2 1
2 1 1 1
END

# Lanes that part keep no more registers: several ways may have written a sum, in one register. So the longest lane's
# loads that need what others brought still come before its first sum.
gathers() {
    loop 'ld.global.u32 %r6, [%d1]; and.b32 %r7, %r6, 31; mul.wide.u32 %d3, %r7, 4; add.u64 %d0, %d2, %d3;' \
        'ld.global.f32 %f2, [%d0]; add.f32 %f1, %f1, %f2;' | sed "s/mov.u32 %r2, %tid.x;/& $2/" >"$TAP_TMP/k.ptx"
    graph 1 --registers 20 | sed -n "/<loop.*times=\"$1\"/,/<.loop>/p" |
        sed -n 's/.*<node.* class="\(global.load\|fadd\)[".].*/\1/p' | tr '\n' ' '
}
eight='and.b32 %r1, %r2, 7; shl.b32 %r1, %r1, 2; add.u32 %r1, %r1, 4; setp.eq.u32 %p3, %r2, 31; @%p3 mov.u32 %r1, 120;'
loads='global.load global.load global.load global.load global.load global.load global.load global.load '
tap_is 'lanes that loop 64 times: eight loads before sums' "$(gathers 16 'mov.u32 %r1, 64;')" "${loads}fadd fadd fadd fadd "
tap_is '... and 4, 8, 12 ... 32 times, the last one 120' "$(gathers 22 "$eight")" "${loads}fadd fadd fadd fadd "

# What brings a sector to L1 is as with the four loads written out: each thread reads 64 words that follow each other.
rows() {
    cat <<'HEAD'
.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
    .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .f32 %f<8>;
    ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %d3, %r4, 256; add.u64 %d1, %d1, %d3; mul.wide.u32 %d3, %r4, 4; add.u64 %d2, %d2, %d3;
    mov.f32 %f1, 0f00000000; mov.u32 %r5, 0;
ROW:
HEAD
    printf '%s\n' "$@"
    printf '%s\n' 'setp.lt.u32 %p1, %r5, 64; @%p1 bra ROW; st.global.f32 [%d2], %f1; ret; }'
}
fetched() {
    rows "$@" >"$TAP_TMP/rows.ptx"
    "$PIPESIM" build "$TAP_TMP/rows.ptx" --from ptx --gpu gtx1650 --grid 224 --block 256 --registers 32 --arg in=ramp:14M \
        --arg out=zero:1M 2>"$TAP_ERR" | awk '
            /<loop/ && match($0, /times="[0-9]+"/) { times = substr($0, RSTART + 7, RLENGTH - 8) }
            /class="global.load/ && match($0, /l2="[0-9.]+"/) { sum += times * substr($0, RSTART + 4, RLENGTH - 5) }
            END { printf "%.3f", sum }'
}
one='ld.global.f32 %f2, [%d1]; add.f32 %f1, %f1, %f2; add.u64 %d1, %d1, 4; add.u32 %r5, %r5, 1;'
four='.pragma "nounroll"; ld.global.f32 %f2, [%d1]; ld.global.f32 %f3, [%d1+4]; ld.global.f32 %f4, [%d1+8];
    ld.global.f32 %f5, [%d1+12]; add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3; add.f32 %f1, %f1, %f4;
    add.f32 %f1, %f1, %f5; add.u64 %d1, %d1, 16; add.u32 %r5, %r5, 4;'
sectors=$(fetched "$one")
tap_is 'as many sectors reach L2 as with four loads written out' "$sectors" "$(fetched "$four")"
rolled=$(fetched ".pragma \"nounroll\"; $one")
tap_ok "$sectors, and $rolled one after the other" awk "BEGIN { exit !($sectors > 0 && $rolled > 3 * $sectors) }"

# What ptxas leaves as it is.
is_rolled '.pragma "nounroll"' ".pragma \"nounroll\"; $load"
loop "$load" | sed 's/^\.address_size 64/&\n.pragma "nounroll";/' >"$TAP_TMP/k.ptx"
tap_is '... of a module: one after the other' "$(graph 22 | grep -c '<loop')" 1
loop "$load" | sed 's/^{/.pragma "nounroll";\n{/' >"$TAP_TMP/k.ptx"
tap_is '... of a kernel: one after the other' "$(graph 22 | grep -c '<loop')" 1
is_rolled 'another way out' "$load setp.gt.f32 %p2, %f1, 0f7F000000; @%p2 bra OUT;"
is_rolled 'lanes that meet' "$load shfl.sync.bfly.b32 %r5, %r3, 1, 31, -1;"
is_rolled 'a fence' "$load membar.gl;"
is_rolled 'a division, which may call' "$load div.rn.f32 %f1, %f1, %f2;"
step='s/add.u32 %r3, %r3, 1;/add.u32 %r3, %r3, %r4;/; s/mov.u32 %r3, 0;/mov.u32 %r3, 0; mov.u32 %r4, %nctaid.x;/'
loop "$load" | sed "$step" >"$TAP_TMP/k.ptx"
tap_is 'a step that is no constant: one after the other' "$(graph 22 | grep -c '<loop')" 1
many() {
    i=0
    while [ $i -lt "$1" ]; do
        printf 'fma.rn.f32 %%f1, %%f1, %%f1, 0f3F800000; '
        i=$((i + 1))
    done
}
# Besides, an iteration has an addition, a pointer's two, and the three of the loop; with memory, a load.
is_unrolled '49 instructions' "$load $(many 42)"
is_rolled '50 instructions' "$load $(many 43)"
is_unrolled '26 with a load of shared memory alone' "ld.shared.f32 %f2, [tile]; add.f32 %f1, %f1, %f2; $(many 19)"
is_rolled '27' "ld.shared.f32 %f2, [tile]; add.f32 %f1, %f1, %f2; $(many 20)"
is_unrolled '21 without a load' "$(many 16)"
is_rolled '22' "$(many 17)"

# A store keeps loads behind it, but where it is known to be elsewhere: at other offsets of the same register.
loop "$load st.global.f32 [%d1], %f1;" >"$TAP_TMP/k.ptx"
tap_is 'what is written in place' "$(graph 22 | first_loop)" \
    'global.load global.load global.load global.load fadd fadd global.store fadd global.store fadd global.store global.store loop '
loop "$load st.global.f32 [%d2], %f1;" >"$TAP_TMP/k.ptx"
tap_is 'what may be the same' "$(graph 22 | first_loop)" \
    'global.load fadd global.store global.load fadd global.store global.load fadd global.store global.load fadd global.store loop '

# Short conditional code is guarded: loads of all four come before what depends on the first.
loop 'ld.global.f32 %f2, [%d1]; setp.lt.f32 %p2, %f2, 0f42C80000; @%p2 bra SKIP; add.f32 %f1, %f1, %f2;' 'SKIP:' >"$TAP_TMP/k.ptx"
tap_is 'loads come before conditions' "$(graph 22 | first_loop | cut -d' ' -f1-4)" \
    'global.load global.load global.load global.load'
# AMD's compilers unroll no loop whose trips they do not know, and a wave waits for what it needs.
loop "$load" >"$TAP_TMP/k.ptx"
tap_is 'no assembler of NVIDIA lays iterations out for a GPU of AMD' \
    "$(graph 22 --gpu mi100 | sed -n 's/.*<loop.* times="\([^"]*\)".*/\1/p' | tr '\n' ' ')" 'n '
waits() {
    "$PIPESIM" run "$TAP_TMP/k.ptx" --grid 1 --block 64 --registers 32 --arg in=ramp:16M --arg out=zero:256 \
        --arg n="$1" --gpu mi100 --format json 2>"$TAP_ERR" | sed -n 's/.*"cycles": \([0-9]*\).*/\1/p' | head -1
}
few=$(waits 100)
many=$(waits 1100)
tap_ok "on an MI100 each of 1000 iterations waits for its load: $(((many - few) / 1000)) cycles of 636, or somewhat more" \
    [ $(((many - few) / 1000)) -ge 636 ]
tap_ok 'and no more than a tenth' [ $(((many - few) / 1000)) -le 700 ]
tap_done
