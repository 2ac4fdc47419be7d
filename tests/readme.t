#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# What README.md and the pages in docs/ that grew out of it show is what the program prints, and every command of README.md runs.
. tests/tap.sh

program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")

# fenced PAGE BEHIND TEXT: the first fenced block of the page that has this text, or the one behind it.
fenced() {
    awk -v behind="$2" -v text="$3" '
        /^```/ {
            if (open && found) { printf "%s", all; exit }
            if (open && index(all, text)) { if (!behind) { printf "%s", all; exit } found = 1 }
            open = !open; all = ""; next
        }
        open { all = all $0 "\n" }' "$1"
}

block_with() {
    fenced "$1" 0 "$2"
}

block_behind() {
    fenced "$1" 1 "$2"
}

# ---- README.md: each command as it stands, in what looks like a checkout, and what it shows
mkdir "$TAP_TMP/checkout"
for file in "$PWD"/*; do
    ln -s "$file" "$TAP_TMP/checkout/"
done
ln -sf "$program" "$TAP_TMP/checkout/pipesim"
# With long lines joined. Without nvcc, what it makes is in the tree; without a GPU, a model stands in for one.
awk '/^```/ { open = !open; next } open { if (sub(/\\$/, "")) printf "%s", $0; else print }' README.md |
    grep -E '^((\./)?pipesim|nvcc) ' | sed -e 's/^pipesim /.\/&/' -e '/ bench /s/$/ --quick --backend model:pascal.xml/' \
    -e '/ validate /s/$/ --quick --backend model:pascal.xml/' >"$TAP_TMP/commands"
tap_is 'README.md has first how it is installed, and one command' "$(block_with README.md 'pip install')" \
    "$(printf '%s\n' 'pip install build/pipesim-*.whl' 'pipesim mmul08.idg --gpu pascal.xml')"
tap_ok 'README.md has commands' test "$(wc -l <"$TAP_TMP/commands")" -gt 10
while read -r command; do
    case $command in
    nvcc* | *.cu\ *)
        if ! command -v nvcc >/dev/null; then
            tap_skip "$command" 'no nvcc'
            continue
        fi
        ;;
    *' mmul16.ptx'*)
        if ! command -v nvcc >/dev/null; then
            command=$(echo "$command" | sed 's|mmul16.ptx|tests/corpus/&|')
        fi
        ;;
    esac
    tap_ok "README.md: $command" sh -c "cd '$TAP_TMP/checkout' && $command" </dev/null
    case $command in
    './pipesim mmul08.idg --gpu pascal.xml') shown='mmul08 on GeForce' ;;
    *) continue ;;
    esac
    tap_is '... and prints what README.md shows' "$(cat "$TAP_OUT")" "$(block_with README.md "$shown")"
done <"$TAP_TMP/commands"
for file in mmul.svg mmul08.html mygpu.xml mygpu.raw.csv mygpu.md mygpu.svg mygpu.validate.raw.csv; do
    tap_ok "... which made $file" test -s "$TAP_TMP/checkout/$file"
done

# ---- the guide: each command that stands in a line of its own runs
for page in first-kernel answer what-if advice roofline; do
    sed -n 's/^ \{4\}\(\.\/pipesim .*\)/\1/p' "docs/guide/$page.md" >"$TAP_TMP/commands"
    tap_ok "docs/guide/$page.md has commands" test "$(wc -l <"$TAP_TMP/commands")" -gt 1
    while read -r command; do
        tap_ok "docs/guide/$page.md: $command" sh -c "cd '$TAP_TMP/checkout' && $command" </dev/null
        # What the page shows of it; each line of that is among those that are printed.
        case $page$command in
        first-kernel*' --grid '*) shown='mmul on Tesla' ;;
        advice*unroll-columns*) shown='unroll-columns.cu:9' ;;
        what-if*' --sensitivity') shown='if one thing changes' ;;
        roofline*' --gpu pascal.xml') shown='kernel  type' ;;
        *) continue ;;
        esac
        tap_is '... and prints what it shows' "$(block_with "docs/guide/$page.md" "$shown" | grep -Fxvf "$TAP_OUT")" ''
        tap_ok '... which is something' test -n "$(block_with "docs/guide/$page.md" "$shown")"
    done <"$TAP_TMP/commands"
done

# The kernel is in the tree, and so is what nvdisasm prints of it; each line that is shown is among those that are printed.
block_with docs/guide/answer.md '--listing' >"$TAP_TMP/listing"
# shellcheck disable=SC2046 # the options are words
tap_ok 'the example of a listing runs' "$PIPESIM" --nvdisasm tests/stand-in/nvdisasm \
    $(sed -n 's|^pipesim mmul16.cubin|tests/sass/mmul16-lines-80.cubin|p' "$TAP_TMP/listing")
tap_is '... and prints what docs/guide/answer.md shows' "$(sed 1d "$TAP_TMP/listing" | grep -Fxvf "$TAP_OUT")" ''

# ---- docs/guide/graphs.md
block_with docs/guide/graphs.md '<idg' >"$TAP_TMP/own.idg"
tap_ok "the newcomer's own graph runs" "$PIPESIM" "$TAP_TMP/own.idg" --gpu pascal.xml --param n=8
tap_like 'as the kernel that it names' '^dot on GeForce' "$(cat "$TAP_OUT")"

# ---- docs/guide/gpus.md
# shellcheck disable=SC2046 # the options are words
tap_ok 'the example of refinements runs' "$PIPESIM" $(block_with docs/guide/gpus.md "--policy gto" | sed 's|^\./pipesim||')
grep -E '^(Model|Launch)' "$TAP_OUT" >"$TAP_TMP/printed"
tap_is 'and prints what docs/guide/gpus.md shows' "$(cat "$TAP_TMP/printed")" "$(block_behind docs/guide/gpus.md "--policy gto")"
block_with docs/guide/gpus.md 'bench --backend model' | sed "s|\./pipesim|$program|" >"$TAP_TMP/bench"
tap_ok 'the example of bench runs' sh -c "cd '$TAP_TMP' && . ./bench"
tap_is 'and prints what docs/guide/gpus.md shows' "$(cat "$TAP_OUT")" "$(block_behind docs/guide/gpus.md 'bench --backend model')"

# ---- docs/guide/profiles.md
# shellcheck disable=SC2046 # the options are words
tap_ok 'the example of the roofline runs' "$PIPESIM" $(block_with docs/guide/profiles.md 'roofline mmul08.idg' | sed 's|^\./pipesim||')
tap_is 'and prints what docs/guide/profiles.md shows' "$(cat "$TAP_OUT")" "$(block_behind docs/guide/profiles.md 'roofline mmul08.idg')"

# ---- docs/guide/sweeps.md: on one machine after the other
options='--vary size=64..256*2 --vary active=1..max'
# shellcheck disable=SC2086 # they are several words
tap_ok 'a sweep in one' "$PIPESIM" sweep mmul08.idg --gpu pascal.xml $options --format csv \
    --output "$TAP_TMP/whole.csv"
mkdir "$TAP_TMP/parallel" "$TAP_TMP/slurm"
block_with docs/guide/sweeps.md ::: | sed "s|\./pipesim|$program|" >"$TAP_TMP/parallel/script"
block_with docs/guide/sweeps.md SBATCH | sed "s|\./pipesim|$program|" >"$TAP_TMP/slurm/script"
tap_like 'the scripts make that sweep' "$(printf '%s' "$options" | sed 's/[.*]/\\&/g')" \
    "$(cat "$TAP_TMP/parallel/script")"
tap_like '... both' "$(printf '%s' "$options" | sed 's/[.*]/\\&/g')" "$(cat "$TAP_TMP/slurm/script")"
# GNU parallel, or what stands in for it: the words before ::: for each one behind it.
if ! command -v parallel >/dev/null; then
    cat >"$TAP_TMP/parallel/parallel" <<'END'
#!/bin/sh
words=
while [ "$1" != ::: ]; do
    words="$words $1"
    shift
done
shift
for each; do
    eval "$(echo "$words" | sed -e "s/{}/$each/g" -e 's/[*]/\\&/g')" || exit
done
END
    chmod +x "$TAP_TMP/parallel/parallel"
fi
tap_ok 'with GNU parallel' sh -c "cd '$TAP_TMP/parallel' && PATH=$TAP_TMP/parallel:\$PATH sh -e script"
tap_ok '... it becomes the same' cmp "$TAP_TMP/parallel/all.csv" "$TAP_TMP/whole.csv"
for task in 1 2 3 4; do
    tap_ok "task $task of a job array" env SLURM_CPUS_PER_TASK=2 SLURM_ARRAY_TASK_COUNT=4 \
        SLURM_ARRAY_TASK_ID=$task sh -ec "cd '$TAP_TMP/slurm' && . ./script"
done
tap_ok '... is a part' sh -c "cd '$TAP_TMP/slurm' && '$program' sweep --merge part*.csv --output all.csv"
tap_ok '... of the same' cmp "$TAP_TMP/slurm/all.csv" "$TAP_TMP/whole.csv"
tap_done
