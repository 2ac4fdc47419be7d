#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check sanitize
# pipesim check: kernels of a list against a baseline; what is slower, in which line; what is wrong with list or baseline.
. tests/tap.sh

program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
root=$(pwd)
mkdir "$TAP_TMP/project"

# in_work ARGUMENT...: pipesim check there.
in_work() (
    cd "$TAP_TMP/project" && "$program" check "$@"
)

# graph N LINE: a kernel whose line does N multiplications, each waiting for the one before.
graph() {
    sed "s/COUNT/$1/; s/LINE\"/$2\"/" "$root/tests/gate/chain.idg.in" >"$TAP_TMP/project/chain.idg"
}

cat >"$TAP_TMP/project/kernels.toml" <<'END'
# Kernels that must not become slower.
gpus = ["v100"]
slower = "3%"

[[kernel]]
file = "chain.idg"

[[kernel]]
name = "other"
file = "other.idg"
gpus = ["a100", "v100"]
slower = "0%"
END
printf 'first line\nsecond line\n  product of all\n' >"$TAP_TMP/project/chain.cu"
graph 10000 3
cp "$TAP_TMP/project/chain.idg" "$TAP_TMP/project/other.idg"

tap_exit 'no baseline' 1 in_work kernels.toml
tap_is '... is said' "$(cat "$TAP_ERR")" 'pipesim: kernels.baseline.json: cannot be read: No such file or directory'
tap_ok 'a baseline' in_work kernels.toml --update
cp "$TAP_TMP/project/kernels.baseline.json" "$TAP_TMP/first.json"
tap_ok 'nothing changed' in_work kernels.toml
tap_is '... is said' "$(head -n 1 "$TAP_OUT")" 'No kernel of 3 is slower than is allowed'
tap_ok 'once more' in_work kernels.toml --update
tap_ok '... is the same, byte by byte' cmp "$TAP_TMP/first.json" "$TAP_TMP/project/kernels.baseline.json"

# A kernel that takes 20 % more; lines came before its own.
graph 16000 4
printf 'first line\nnew\nsecond line\n  product of all\n' >"$TAP_TMP/project/chain.cu"
tap_exit 'a slower kernel fails' 1 in_work kernels.toml
tap_like '... it alone' '^1 of 3 kernels is slower than is allowed$' "$(cat "$TAP_OUT")"
tap_like '... as the table says' '^  chain\.idg +v100 +FAILS .* \+(19|20)\.[0-9] %$' "$(cat "$TAP_OUT")"
tap_like '... with the right line' '^- chain\.cu:4: chain\.idg: ' "$(cat "$TAP_OUT")"
tap_exit 'notes' 1 in_work kernels.toml --format notes
tap_like '... have that line' '^chain\.cu:4: error: chain\.idg: .* slower; at most 3\.0 % is allowed; this line has .* of the critical path$' "$(cat "$TAP_OUT")"
tap_exit 'a test report' 1 in_work kernels.toml --format junit
tap_like '... counts' '<testsuite name="pipesim check" tests="3" failures="1">' "$(cat "$TAP_OUT")"
sed -i 's/^slower = "3%"/slower = "25%"/' "$TAP_TMP/project/kernels.toml"
tap_ok 'a wider limit lets it pass' in_work kernels.toml
graph 10000 3
tap_ok 'faster is never wrong' in_work kernels.toml --format csv
sed -i '$d' "$TAP_TMP/project/kernels.toml"
sed -i 's/"a100", "v100"/"a100"/' "$TAP_TMP/project/kernels.toml"
tap_ok 'what the baseline alone has' in_work kernels.toml
tap_like '... is gone' '^  other +v100 +gone ' "$(cat "$TAP_OUT")"

# refuses NAME MESSAGE LINE...: a list of these lines is refused in one line.
refuses() {
    name=$1 message=$2
    shift 2
    printf '%s\n' "$@" >"$TAP_TMP/project/bad.toml"
    tap_exit "$name" 1 in_work bad.toml --update
    tap_is '... it is said in one line' "$(cat "$TAP_ERR")" "pipesim: bad.toml:$message"
    tap_ok '... and nothing is written' test ! -e "$TAP_TMP/project/bad.baseline.json"
}
kernel='[[kernel]]'
file='file = "chain.idg"'
refuses 'a key that is not known' '3: there is no key "gird" of a kernel; did you mean grid?' "$kernel" "$file" 'gird = 4'
refuses '... at the head' '1: there is no key "gpu" before the first [[kernel]]; did you mean gpus?' 'gpu = "v100"'
refuses '... another table' '1: there is no such table; [[kernel]] begins a kernel' '[limits]'
refuses 'no kernel' ' there is no [[kernel]] in it' 'gpus = ["v100"]'
refuses 'no file' '1: this kernel has no file' "$kernel" 'gpus = "v100"'
refuses 'no GPU' '1: this kernel has no GPU; gpus = ["a100"] says it, here or for all' "$kernel" "$file"
refuses 'a name twice' '4: two kernels are named "chain.idg"; name = "..." tells them apart' 'gpus = "v100"' "$kernel" "$file" \
    "$kernel" "$file"
refuses 'a limit without unit' '1: how much slower a kernel may become is a share, as "3%"' 'slower = 3'
refuses 'TOML that is not read' '1: a key is expected here: letters, digits, '"'_' and '-'"', without dots and quotes' 'a.b = 1'

sed -i 's/"baseline": "[^"]*"/"baseline": "0.0.9"/' "$TAP_TMP/project/kernels.baseline.json"
tap_exit 'a baseline of another version' 1 in_work kernels.toml
tap_like '... is told' '^pipesim: kernels\.baseline\.json:2:[0-9]+: pipesim 0\.0\.9 wrote this baseline, and this is pipesim .* --update writes it anew$' "$(cat "$TAP_ERR")"
tap_is '... in one line' "$(wc -l <"$TAP_ERR")" 1
printf '{"results": []}\n' >"$TAP_TMP/project/kernels.baseline.json"
tap_exit 'another file' 1 in_work kernels.toml
tap_is '... is told' "$(cat "$TAP_ERR")" 'pipesim: kernels.baseline.json: this is no baseline of pipesim check'
tap_exit 'no list' 2 in_work

printf '%s\n' 'gpus = ["a100"]' "$kernel" "file = \"$root/tests/corpus/mmul16.ptx\"" 'from = "ptx"' 'registers = 38' 'guess = true' \
    >"$TAP_TMP/project/guessed.toml"
tap_ok 'a kernel whose arguments are guessed' in_work guessed.toml --update
tap_ok '... is the same again' in_work guessed.toml
refuses 'a guess that is neither' '4: whether arguments are guessed is true or false' "$kernel" "$file" 'gpus = "v100"' 'guess = 1'

# ---- against the kernels as they were, in another folder
mkdir "$TAP_TMP/was"
graph 10000 3
mv "$TAP_TMP/project/chain.idg" "$TAP_TMP/was"
cp "$TAP_TMP/project/chain.cu" "$TAP_TMP/was"
graph 16000 4
printf '%s\n' 'gpus = ["v100"]' 'slower = "3%"' "$kernel" "$file" "$kernel" 'file = "other.idg"' >"$TAP_TMP/project/two.toml"
tap_exit 'a kernel that is slower than in another folder' 1 in_work two.toml --before "$TAP_TMP/was"
tap_like '... by as much' '^  chain\.idg +v100 +FAILS .* \+(19|20)\.[0-9] %$' "$(cat "$TAP_OUT")"
tap_like '... and one that was not there is new' '^  other\.idg +v100 +new ' "$(cat "$TAP_OUT")"
sed -i 's/class="fmadd"/class="local.load"/; s/class="fmadd"/class="local.load.c4"/' "$TAP_TMP/was/chain.idg"
sed 's/class="local.load"/class="local.load.c8"/' "$TAP_TMP/was/chain.idg" >"$TAP_TMP/project/chain.idg"
tap_exit 'a kernel with bank conflicts' 1 in_work two.toml --before "$TAP_TMP/was" --format csv
tap_like '... whose further passes are counted, 64 groups of 2 warps' '^chain.idg,v100,failed,.*,0,26880000$' \
    "$(cat "$TAP_OUT")"
tap_exit 'no such folder' 1 in_work two.toml --before "$TAP_TMP/none"
tap_like '... is said' '^pipesim: --before .*none: there is no such folder$' "$(cat "$TAP_ERR")"
tap_exit 'a baseline that is written and done without' 2 in_work two.toml --before "$TAP_TMP/was" --update
tap_done
