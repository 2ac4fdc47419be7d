#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Advice to do several iterations of a loop at once: what `#pragma unroll` gives, as the compiler that there is makes it,
# or why that is not known.
. tests/tap.sh

pairs=$PWD/tests/pairs
real=$(command -v nvcc || ls "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" 2>/dev/null)
mkdir "$TAP_TMP/bin" "$TAP_TMP/tmp"
cp "$pairs/weigh.cu" "$TAP_TMP"
# The source as it is; with a pragma what the case says: the file with its PTX.
cat >"$TAP_TMP/bin/nvcc" <<END
#!/bin/sh
case \$1 in --list-gpu-arch) echo compute_70; exit;; esac
for word; do
    [ "\$before" = -o ] && out=\$word
    before=\$word
done
echo "a word of the compiler" >&2
times=\$(sed -n 's/.*_Pragma("unroll \([0-9]*\)").*/\1/p' "\$before")
echo "\$times" >>"$TAP_TMP/calls"
cat "$TAP_TMP/makes\$times" >"\$out" || exit 1
END
chmod +x "$TAP_TMP/bin/nvcc"
PATH=$TAP_TMP/bin:$PATH
TMPDIR=$TAP_TMP/tmp
export TMPDIR
cp "$pairs/weigh.ptx" "$TAP_TMP/makes"
launch='--gpu v100.xml --from ptx --registers 32 --grid 8 --block 128 --kernel columns --arg in=ramp:256K --arg scale=ramp:4K
    --arg out=zero:4K --arg width=1024 --arg height=64 --no-cache'

# advised FILE OPTION...: the sentence about unrolling, in "$said".
advised() {
    : >"$TAP_TMP/calls"
    # shellcheck disable=SC2086 # launches are words
    tap_ok "advice on $*" "$PIPESIM" "$@" $launch --advise --format json
    said=$(sed -n 's/.*"sentence": "\(four iterations[^"]*\)".*/\1/p' "$TAP_OUT")
}
# shellcheck disable=SC2086 # as above
seconds=$("$PIPESIM" "$pairs/weigh-unrolled.ptx" $launch --format json 2>/dev/null | sed -n 's/^ *"result": {"seconds": \([0-9.e-]*\).*/\1/p' | awk '{ printf "%.4g", 1e6 * $1 }')

cp "$pairs/weigh-unrolled.ptx" "$TAP_TMP/makes4"
advised "$TAP_TMP/weigh.cu"
# shellcheck disable=SC2016 # the pragma's quotes
tap_like 'it is compiled' '; `#pragma unroll 4` there, compiled, gives [0-9.]+ us$' "$said"
tap_is '... and gives what that code takes' "$(echo "$said" | sed 's/.*gives \([0-9.]*\) us$/\1/' | awk '{ printf "%.4g", $1 }')" "$seconds"
tap_is '... at once' "$(tail -n 1 "$TAP_TMP/calls")" 4
tap_is '... what the compiler says of it nobody hears' "$(grep -c 'a word of the compiler' "$TAP_ERR")" "$(grep -c '^$' "$TAP_TMP/calls")"
tap_is '... and nothing is left' "$(ls "$TAP_TMP/tmp")" ''

cp "$pairs/weigh.ptx" "$TAP_TMP/makes4"
cp "$pairs/weigh.ptx" "$TAP_TMP/makes16"
advised "$TAP_TMP/weigh.cu"
# shellcheck disable=SC2016
tap_like 'the same code' '; `#pragma unroll 16` changes nothing there: the compiler makes the same code of it$' "$said"
tap_is '... of either' "$(grep . "$TAP_TMP/calls" | tr '\n' ' ')" '4 16 '
cp "$pairs/weigh-unrolled.ptx" "$TAP_TMP/makes16"
advised "$TAP_TMP/weigh.cu"
# shellcheck disable=SC2016
tap_like '... of the first alone' '; `#pragma unroll 16` there, compiled, gives [0-9.]+ us$' "$said"

# It goes on in the order that it had.
sed 's/.*add.f32.*/&\n&/' "$pairs/weigh.ptx" >"$TAP_TMP/makes4"
advised "$TAP_TMP/weigh.cu"
# shellcheck disable=SC2016
tap_like 'code that is no faster' '; `#pragma unroll 4` there, compiled, gives [0-9.]+ us, and does not do it: the compiler keeps loads behind stores$' "$said"

# unknown NAME WHY FILE OPTION...
unknown() {
    unknown_name=$1
    unknown_why=$2
    shift 2
    advised "$@"
    # shellcheck disable=SC2016
    tap_is "$unknown_name" "$(echo "$said" | sed 's/.*; what `#pragma unroll` gives is not known: //')" "$unknown_why"
}

rm "$TAP_TMP/makes4"
unknown 'the compiler refuses it' 'it does not compile, or not run, with that' "$TAP_TMP/weigh.cu"
echo 'no PTX' >"$TAP_TMP/makes4"
unknown 'it makes what is none' 'it does not compile, or not run, with that' "$TAP_TMP/weigh.cu"
unknown 'PTX' 'that takes the source (.cu, .cl) in place of weigh.ptx' "$pairs/weigh.ptx"
unknown 'a time' 'a budget was given, and compilers keep to none' "$TAP_TMP/weigh.cu" --budget 600
sed 's/    for (int row/    \n&/' "$pairs/weigh.cu" >"$TAP_TMP/weigh.cu"
unknown 'no loop there' 'no for, while or do begins at line 14' "$TAP_TMP/weigh.cu"
cp "$pairs/weigh.cu" "$TAP_TMP/other.cu"
unknown 'another file' 'the loop is in weigh.cu, and other.cu is what is compiled' "$TAP_TMP/other.cu"
sed 's/^[[:space:]]*\.loc.*//' "$pairs/weigh.ptx" >"$TAP_TMP/makes"
unknown 'no lines' "the loop's line is not known" "$TAP_TMP/other.cu"
tap_is '... and nothing is left' "$(ls "$TAP_TMP/tmp")" ''

# The real compiler, where there is one: what keeps its loads apart, and what does not.
for restrict in '' __restrict__; do
    sed "s/float \\*/&$restrict /g" "$pairs/weigh.cu" >"$TAP_TMP/weigh.cu"
    if [ -z "$real" ]; then
        tap_skip "nvcc ${restrict:-alone}" 'there is no nvcc'
        continue
    fi
    PATH=${real%/*}:$PATH
    advised "$TAP_TMP/weigh.cu"
    # shellcheck disable=SC2016
    tap_like "... nvcc ${restrict:-alone}" "; \`#pragma unroll 4\` there, compiled, gives [0-9.]+ us$([ "$restrict" ] || echo ', and does not do it.*')\$" "$said"
done
tap_done
