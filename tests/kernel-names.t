#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# Kernels by the names that people write, and how they are listed.
. tests/tap.sh

# kernel NAME: a kernel of PTX that writes its second argument where its first one points to.
kernel() {
    cat <<END
.visible .entry $1(.param .u64 $1_param_0, .param .u32 $1_param_1)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [$1_param_0];
    ld.param.u32 %r1, [$1_param_1];
    st.global.u32 [%rd1], %r1;
    ret;
}
END
}
ptx=$TAP_TMP/names.ptx
long=_Z4sortI6OptionI4TreeIi9AscendingE5ArrayI4TreeIj10DescendingELi1024EEEEvPT_j
{
    printf '.version 8.0\n.target sm_80\n.address_size 64\n'
    for name in _Z7reduce6IfLj256ELb1EEvPT_j _Z7reduce6IfLj128ELb1EEvPT_j _ZN5audio5mixer5scaleIfEEvPT_j $long plain; do
        kernel "$name"
    done
} >"$ptx"

list="build --list $ptx"
# shellcheck disable=SC2086 # several words
tap_ok 'kernels are listed' "$PIPESIM" $list
if ! grep -q '^reduce6<' "$TAP_OUT"; then
    tap_skip 'names of C++' 'libstdc++.so.6 is not installed'
    tap_done
fi
tap_is '... as their source calls them' "$(grep -v '^ ' "$TAP_OUT")" 'reduce6<float, 256u, true>
reduce6<float, 128u, true>
scale<float>
sort<Option<Tree<int, Ascending>, Array<Tree<unsigned int, Descending>, 1024> > >
plain'
tap_is '... on lines of their own, however long' "$(grep -c '^sort<.*> > >$' "$TAP_OUT")" 1
tap_is '... with arguments that are not called by what C++ makes of names' \
    "$(sed -n 's/^  //p' "$TAP_OUT" | tr -s ' ' | tr '\n' ';')" \
    'reduce6_param_0 0 .u64;reduce6_param_1 1 .u32;reduce6_param_0 0 .u64;reduce6_param_1 1 .u32;scale_param_0 0 .u64;scale_param_1 1 .u32;sort_param_0 0 .u64;sort_param_1 1 .u32;plain_param_0 0 .u64;plain_param_1 1 .u32;'
cp "$TAP_OUT" "$TAP_TMP/whole"
tap_ok 'as PTX has them' "$PIPESIM" build --list=mangled "$ptx"
tap_like '... kernels' "^$long\$" "$(cat "$TAP_OUT")"
tap_like '... and arguments, each on one line' "^  ${long}_param_0  0  \.u64\$" "$(cat "$TAP_OUT")"
tap_exit 'no other way' 2 "$PIPESIM" build --list=short "$ptx"
tap_like '... is known' '--list=short: write --list, or --list=mangled' "$(cat "$TAP_ERR")"

# ---- as profilers write them
for name in 'void reduce6<float, (unsigned int)256, (bool)1>(T1 *, unsigned int)' 'audio::mixer::scale<float>(T1 *, unsigned int)'; do
    tap_ok "'$name' of a profiler" "$PIPESIM" build "$ptx" --kernel "$name" --grid 1 --block 32 --registers none --arg 0=zero:4K --arg 1=1 -o /dev/null
done
{
    echo '"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
    for n in 8 4; do
        echo "\"$n\",\"1\",\"void interp<float, (int)$n>(T1 *)\",\"dram__bytes_read.sum\",\"byte\",\"$n\""
    done | sort
} >"$TAP_TMP/interp.csv"
for name in 'void interp<float, (int)8>(T1 *)' 'interp<float, 8>' '*8*' '_Z6interpIfLi8EEvPT_'; do
    tap_ok "'$name' of a profile" "$PIPESIM" roofline "$TAP_TMP/interp.csv" --gpu a100 --kernel "$name" --format csv
    tap_is '... is that kernel alone' "$(grep -c interp "$TAP_OUT") $(grep -c '(int)8' "$TAP_OUT")" '1 1'
done

# ---- a terminal
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    # on_terminal COLUMNS
    on_terminal() {
        script -qec "stty cols $1; $PIPESIM $list" /dev/null </dev/null | tr -d '\r'
    }
    tap_is 'a wide terminal shows what a file gets' "$(on_terminal 200)" "$(cat "$TAP_TMP/whole")"
    on_terminal 40 >"$TAP_TMP/narrow"
    tap_is 'on a narrow one no line is broken' "$(awk 'length > 40' "$TAP_TMP/narrow")" ''
    tap_like '... long names lose their middle' '^sort<Option<Tree<.*\.\.\..*1024> > >$' "$(cat "$TAP_TMP/narrow")"
    tap_is '... and no line is lost' "$(wc -l <"$TAP_TMP/narrow")" "$(wc -l <"$TAP_TMP/whole")"
    on_terminal 20 >"$TAP_TMP/narrow"
    tap_is '... nor on a very narrow one' "$(awk 'length > 20' "$TAP_TMP/narrow")" ''
    # Letters that are more than one byte are cut off whole.
    printf 'extern "C" __global__ void k(float *%s, int zahl) {}\n' überüberüberüberüber >"$TAP_TMP/k.cu"
    printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)\n{ .loc 1 1 0\nret; }\n.file 1 "k.cu"\n' >"$TAP_TMP/k.ptx"
    list="build --list $TAP_TMP/k.ptx"
    tap_is 'letters of other scripts' "$(on_terminal 80 | sed -n 2p)" '  überüberüberüberüber  0  .u64  k_param_0; never read'
    tap_is '... are no half letters' "$(on_terminal 20 | sed -n 2p)" '  überüberüberüberüb'
    tap_exit '... and name the argument' 2 "$PIPESIM" build "$TAP_TMP/k.ptx" --grid 1 --block 1 --arg überüberüberüberüber=zero:4 --arg überüberüberüberüber=1
    tap_like '... which has a value then' 'über has a value already' "$(cat "$TAP_ERR")"
else
    tap_skip 'a terminal' 'script cannot make one here'
fi

# ---- one of them
launch="--grid 1 --block 32 --registers none --arg zero:4K"
# is_kernel WRITTEN FOUND: the kernel that was executed says which arguments are its own.
is_kernel() {
    # shellcheck disable=SC2086 # several words
    tap_exit "'$1'" 2 "$PIPESIM" build "$ptx" --kernel "$1" $launch
    tap_like "... is $2" "kernel $2 lacks values for" "$(cat "$TAP_ERR")"
}
is_kernel 'reduce6<float,256u,true>' 'reduce6<float, 256u, true>'
is_kernel 'reduce6<float, 128, true>' 'reduce6<float, 128u, true>'
is_kernel '128u' 'reduce6<float, 128u, true>'
is_kernel 'audio::mixer::scale<float>' 'scale<float>'
is_kernel 'mixer::scale' 'scale<float>'
is_kernel 'scale(float *, unsigned)' 'scale<float>'
is_kernel sort 'sort<Option<.*'
is_kernel plain plain
is_kernel "$long" 'sort<Option<.*'
refused() { # WRITTEN MESSAGE
    # shellcheck disable=SC2086 # several words
    tap_exit "'$1' is refused" 1 "$PIPESIM" build "$ptx" --kernel "$1" $launch
    tap_like '... and told' "$2" "$(cat "$TAP_ERR")"
}
refused reduce6 'has several kernels "reduce6"; give more of the name of one of reduce6<float, 256u, true>, reduce6<float, 128u, true>$'
refused redcue6 'has no kernel "redcue6"; there are: .*; did you mean reduce6\?$'
refused transpose 'has no kernel "transpose"; there are: [^;]*, plain$'

# shellcheck disable=SC2086 # several words
{
tap_ok 'arguments by their short names' "$PIPESIM" build "$ptx" --kernel 256 --grid 1 --block 32 --registers none \
    --arg reduce6_param_0=zero:4K --arg reduce6_param_1=5 --output "$TAP_TMP/short.idg"
tap_ok '... are those of PTX' "$PIPESIM" build "$ptx" --kernel 256 --grid 1 --block 32 --registers none \
    --arg _Z7reduce6IfLj256ELb1EEvPT_j_param_0=zero:4K --arg 1=5 --output "$TAP_TMP/whole.idg"
tap_ok '... and give the same' cmp "$TAP_TMP/short.idg" "$TAP_TMP/whole.idg"
}
tap_done
