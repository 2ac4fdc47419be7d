#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What README.md shows is what the program prints, and its graph of a newcomer's kernel runs.
. tests/tap.sh

program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")

# The N-th fenced block of README.md.
block() {
    awk -v n="$1" '/^```/ { open = !open; count += open; next } open && count == n' README.md
}

# The first fenced block of README.md that has this text.
block_with() {
    awk -v text="$1" '/^```/ { if (open && index(all, text)) { printf "%s", all; exit }
            open = !open; all = ""; next } open { all = all $0 "\n" }' README.md
}

# The fenced block of README.md behind the one that has this text.
block_behind() {
    awk -v text="$1" '/^```/ { if (open && found) exit; if (open && index(all, text)) found = 1
            open = !open; all = ""; next } open { all = all $0 "\n"; if (found) print }' README.md
}

# How much of a run is skipped is no part of the answer.
any_share() {
    sed 's/^\(Skipped  *\)[0-9.]* %/\1... %/'
}

tap_ok 'the second command runs' "$PIPESIM" mmul08.idg --gpu pascal.xml
block 2 | any_share >"$TAP_TMP/shown"
head -n "$(wc -l <"$TAP_TMP/shown")" "$TAP_OUT" | any_share >"$TAP_TMP/printed"
tap_is 'and prints what README.md shows' "$(cat "$TAP_TMP/printed")" "$(cat "$TAP_TMP/shown")"

block 4 >"$TAP_TMP/own.idg"
tap_ok "the newcomer's own graph runs" "$PIPESIM" "$TAP_TMP/own.idg" --gpu pascal.xml --param n=8
tap_like 'as the kernel that it names' '^dot on GeForce' "$(cat "$TAP_OUT")"

# shellcheck disable=SC2046 # the options are words
tap_ok 'the example of refinements runs' "$PIPESIM" $(block_with "--policy gto" | sed 's|^\./pipesim||')
grep -E '^(Model|Launch)' "$TAP_OUT" >"$TAP_TMP/printed"
tap_is 'and prints what README.md shows' "$(cat "$TAP_TMP/printed")" "$(block_behind "--policy gto")"

# ---- the roofline of many kernels
# shellcheck disable=SC2046 # the options are words
tap_ok 'the example of the roofline runs' "$PIPESIM" $(block_with 'roofline mmul08.idg' | sed 's|^\./pipesim||')
tap_is 'and prints what README.md shows' "$(cat "$TAP_OUT")" "$(block_behind 'roofline mmul08.idg')"

# ---- a GPU's description, measured on a model
block_with 'bench --backend model' | sed "s|\./pipesim|$program|" >"$TAP_TMP/bench"
tap_ok 'the example of bench runs' sh -c "cd '$TAP_TMP' && . ./bench"
tap_is 'and prints what README.md shows' "$(cat "$TAP_OUT")" "$(block_behind 'bench --backend model')"

# The commands for one's own GPU, in the order of README.md; a model stands in for the GPU.
mkdir "$TAP_TMP/own"
{
    block_with 'bench -o mygpu.xml'
    block_with 'validate mygpu.xml'
} | sed "s,^\./pipesim \(bench\|validate\) ,& --backend model:pascal.xml --grid reduced ,; s|\./pipesim|$program|" \
    >"$TAP_TMP/own/script"
tap_ok "the commands for one's own GPU run one after the other" sh -ec "cd '$TAP_TMP/own' && . ./script"
tap_is '... and keep what both have measured' "$(cd "$TAP_TMP/own" && echo mygpu.*)" \
    'mygpu.md mygpu.raw.csv mygpu.svg mygpu.validate.raw.csv mygpu.xml'

# ---- from CUDA source to an answer
block_with 'nvcc -ptx' | sed -e '/^nvcc/d' -e "s|\./pipesim|$program|" >"$TAP_TMP/cuda"
tap_ok 'the example of CUDA runs' sh -c "cd tests/corpus && . '$TAP_TMP/cuda'"
block_behind 'nvcc -ptx' | any_share >"$TAP_TMP/shown"
head -n "$(wc -l <"$TAP_TMP/shown")" "$TAP_OUT" | any_share >"$TAP_TMP/printed"
tap_is 'and prints what README.md shows' "$(cat "$TAP_TMP/printed")" "$(cat "$TAP_TMP/shown")"
block_with 'sweep mine.idg' | sed "s|\./pipesim|$program|; s|mine\.idg|$TAP_TMP/mine.idg|" >"$TAP_TMP/mine"
tap_ok 'and so does the one of its graph' sh -c "cd tests/corpus && . '$TAP_TMP/mine'"

# ---- large sweeps, on one machine after the other
options='--vary size=64..256*2 --vary active=1..max'
# shellcheck disable=SC2086 # they are several words
tap_ok 'a sweep in one' "$PIPESIM" sweep mmul08.idg --gpu pascal.xml $options --format csv \
    --output "$TAP_TMP/whole.csv"
mkdir "$TAP_TMP/parallel" "$TAP_TMP/slurm"
block_with ::: | sed "s|\./pipesim|$program|" >"$TAP_TMP/parallel/script"
block_with SBATCH | sed "s|\./pipesim|$program|" >"$TAP_TMP/slurm/script"
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
