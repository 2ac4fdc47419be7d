#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Latencies from an assembler's stall counts: what ptxas made of the chains is stored in tests/compiler, and a stand-in
# for ptxas gives it out; where the real one is installed, it says the same of all architectures, and more.
. tests/tap.sh
unset PIPESIM_PATH

mkdir "$TAP_TMP/bin" "$TAP_TMP/passing" "$TAP_TMP/families"
TMPDIR=$TAP_TMP/passing
export TMPDIR
real_ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2>/dev/null)
real_path=$PATH
PATH=$TAP_TMP/bin:$PATH
out=$TAP_TMP/out.xml

# as LINE...: a script in the place of ptxas.
as() {
    rm -f "$TAP_TMP/bin/ptxas"
    printf '%s\n' '#!/bin/sh' "$@" >"$TAP_TMP/bin/ptxas"
    chmod +x "$TAP_TMP/bin/ptxas"
}
as "exec '$PWD/tests/compiler/ptxas' \"\$@\""

# refused NAME STATUS MESSAGE ARGUMENT...: one line says what is wrong, and nothing is left.
refused() {
    refused_name=$1 refused_status=$2 refused_like=$3
    shift 3
    rm -f "$out"
    tap_exit "$refused_name" "$refused_status" "$PIPESIM" "$@"
    tap_like '... is said' "$refused_like" "$(cat "$TAP_ERR")"
    tap_is '... in one line' "$(wc -l <"$TAP_ERR")" 1
    tap_is '... and nothing is left' "$(cat "$TAP_OUT"; ls "$TMPDIR" "$out" 2>/dev/null)" "$TMPDIR:"
}

# ---- what the stored code says
for arch in sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120; do
    family=$TAP_TMP/families/ptxas-$arch.xml
    tap_ok "$arch" "$PIPESIM" bench --backend "compiler:$arch" -o "$family"
    tap_is '... is reported' "$(cat "$TAP_ERR"; grep -v '^Family' "$TAP_OUT" | diff - "tests/compiler/$arch.txt")" ''
    tap_like '... with the file' "^Family        $family, which extends [a-z0-9]+\$" "$(grep '^Family' "$TAP_OUT")"
    tap_is '... which has the classes' "$(diff "$family" "tests/compiler/$arch.xml")" ''
done
# By hand, of what decides: one that hardware decides, one whose schedule is another architecture's, and one that is right.
tap_is 'a scoreboard leaves a class out' "$(grep -c '<class name="dfma"' tests/compiler/sm_75.xml)" 0
tap_is '... which ptxas schedules for another architecture' "$(grep -c '<class name="dfma"' tests/compiler/sm_90.xml)" 1
tap_is 'the schedule of sm_80 is none of sm_86' "$(grep -c '<class name="tensor' tests/compiler/sm_86.xml)" 0
tap_is '... and sm_120 has its own' "$(grep -c '<class name="tensor" .*issue="16" completion="29"' tests/compiler/sm_120.xml)" 1

# ---- a description that takes it
sed 's/extends="hopper"/extends="ptxas-sm_90"/' gpus/h100.xml >"$TAP_TMP/card.xml"
tap_ok 'a card extends it' "$PIPESIM" show "$TAP_TMP/card.xml"
tap_like '... which extends what is known of the architecture' 'completion  *30  cycles, .* of hopper' "$(cat "$TAP_OUT")"
tap_like '... and has its classes' 'iadd.minmax  *int .each.  *2  *4  derived .sm90-stalls of ptxas-sm_90' "$(cat "$TAP_OUT")"
tap_like '... with their source' '- sm90-stalls, derived, of the family ptxas-sm_90: Stall counts in chains that' "$(cat "$TAP_OUT")"
tap_ok '... and can be simulated' "$PIPESIM" mmul08.idg --gpu "$TAP_TMP/card.xml" --param size=64

# ---- the page
tap_ok 'the page is made' env FAMILIES="$TAP_TMP/made" docs/make/compiler-latencies.pl
tap_is '... as it stands; if not: make compiler-latencies' "$(diff "$TAP_OUT" docs/evidence/compiler-latencies.md)" ''
tap_is '... beside the families' "$(cmp "$TAP_TMP/made/ptxas-sm_80.xml" tests/compiler/sm_80.xml 2>&1)" ''

# ---- where it goes
ln -s "$PWD/tests" "$TAP_TMP/tests" # for the stand-in
program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
in_folder() {
    (cd "$TAP_TMP" && "$program" "$@")
}
tap_ok 'a file is named after the architecture' in_folder bench --backend compiler:sm_90
tap_is '...' "$(cmp "$TAP_TMP/ptxas-sm_90.xml" tests/compiler/sm_90.xml 2>&1)" ''
tap_ok 'standard output has the family alone' "$PIPESIM" bench --backend compiler:sm_90 -o -
tap_is '...' "$(cmp "$TAP_OUT" tests/compiler/sm_90.xml 2>&1)" ''
tap_exit 'nothing is replaced' 1 "$PIPESIM" bench --backend compiler:sm_75 -o "$TAP_TMP/ptxas-sm_90.xml"
tap_like '... unasked' 'exists already; --force replaces it' "$(cat "$TAP_ERR")"
tap_ok '... but if asked' "$PIPESIM" bench --backend compiler:sm_75 -o "$TAP_TMP/ptxas-sm_90.xml" --force
tap_is '...' "$(cmp "$TAP_TMP/ptxas-sm_90.xml" tests/compiler/sm_75.xml 2>&1)" ''

# ---- what is wrong
for arch in sm_70 sm_122 gfx90a sm_ 90; do
    refused "$arch" 2 "^pipesim: '$arch' is no architecture whose machine code can be read; such are sm_75 to sm_121" \
        bench --backend "compiler:$arch" -o "$out"
done
refused 'no architecture' 2 "there is no backend 'compiler:'" bench --backend compiler: -o "$out"
refused 'a grid' 2 'compiler:sm_90 measures nothing; leave out --grid' bench --backend compiler:sm_90 --grid full -o "$out"
refused 'measurements' 2 'leave out --' bench --backend compiler:sm_90 --raw "$TAP_TMP/raw.csv" -o "$out"
refused 'kernels to run' 2 'an assembler runs none' validate v100.xml --backend compiler:sm_90 -o "$out"
# shellcheck disable=SC2016 # it is the script that shall see them
{
    as 'echo "ptxas fatal   : Value '"'sm_95'"' is not defined for option '"'gpu-name'"'" >&2; exit 1'
    refused 'an architecture that ptxas does not know' 1 "ptxas makes no machine code for sm_95: ptxas fatal .* 'sm_95' is not defined" \
        bench --backend compiler:sm_95 -o "$out"
    as 'kill -SEGV $$'
    refused 'a ptxas that crashes' 1 'ptxas: Child process killed by signal 11' bench --backend compiler:sm_90 -o "$out"
    as 'for word; do [ "$before" != -o ] || echo no ELF >"$word"; before=$word; done'
    refused 'one that makes no cubin' 1 'no ELF file, or a damaged one' bench --backend compiler:sm_90 -o "$out"
    as 'for word; do [ "$before" != -o ] || cp tests/sass/saxpy-80.cubin "$word"; before=$word; done'
    refused 'one that makes another' 1 'no section .text.fadd_1 with instructions' bench --backend compiler:sm_90 -o "$out"
    as '[ "$1" = --version ] && exit 1' "exec '$PWD/tests/compiler/ptxas' \"\$@\""
    refused 'one without a version' 1 'ptxas --version does not tell its version' bench --backend compiler:sm_90 -o "$out"
}
for signal in HUP:129 INT:130 TERM:143; do
    rm -f "$out"
    as "kill -${signal%:*} \$PPID; exec sleep 100"
    tap_exit "interrupted by SIG${signal%:*}" "${signal#*:}" \
        tap_default "$PIPESIM" bench --backend compiler:sm_90 -o "$out"
    tap_is '... it leaves nothing' "$(cat "$TAP_OUT"; grep pipesim "$TAP_ERR"; ls "$TMPDIR" "$out" 2>/dev/null)" "$TMPDIR:"
done
rm "$TAP_TMP/bin/ptxas"
if [ -x /usr/local/cuda/bin/ptxas ]; then
    tap_skip 'without ptxas' 'it is installed'
else
    tap_exit 'without ptxas' 1 env PATH="$TAP_TMP/bin" "$PIPESIM" bench --backend compiler:sm_90 -o "$out"
    tap_like '... is said' '^pipesim: there is no ptxas, which was looked for on PATH and in /usr/local/cuda/bin' "$(cat "$TAP_ERR")"
    tap_is '... and nothing is left' "$(cat "$TAP_OUT"; ls "$TMPDIR" "$out" 2>/dev/null)" "$TMPDIR:"
fi
PATH=$real_path

# ---- the real one
# cycles FILE CLASS: "issue completion" of a class of the family.
cycles() {
    sed -n "s/.*<class name=\"$2\" .*issue=\"\([0-9]*\)\" completion=\"\([0-9]*\)\".*/\1 \2/p" "$1"
}

# arch, then the latencies of FFMA, packed half precision, double precision, HMMA; and predicates.
while read -r arch fmadd half double tensor guard; do
    if [ -z "$real_ptxas" ]; then
        tap_skip "ptxas for sm_$arch" 'it is not installed'
        continue
    fi
    tap_ok "ptxas for sm_$arch" env PATH="$(dirname "$real_ptxas"):$real_path" "$PIPESIM" bench --backend "compiler:sm_$arch" -o "$out" --force
    for row in "fmadd $fmadd" "hfma $half" "dfma $double" "tensor $tensor"; do
        want=$(echo "${row#* }" | tr / ' ' | sed 's/^-$//')
        tap_is "... ${row%% *}" "$(cycles "$out" "${row%% *}")" "$want"
    done
    tap_like '... from a comparison to what it guards' "^ *$guard  comparison" "$(grep comparison "$TAP_OUT")"
    tap_like '... from integers to multiply-adds' '^ *5  integer operation to multiply-add .LOP3, IMAD.$' "$(grep 'integer operation to' "$TAP_OUT")"
done <<'END'
75 2/4 2/6 - - 12
80 2/4 1/6 - 8/24 13
86 1/4 2/4 - - 13
89 1/4 2/4 - - 13
90 1/4 1/6 2/8 6/24 13
100 1/4 2/4 2/8 8/20 13
120 1/4 2/4 - 16/29 13
END
tap_done
