#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# corpus.sh ARCH...: all launches of tests/corpus as PTX, and as the machine code that ptxas makes of them for each
# architecture (75, 120). Machine code must leave in the buffers what the CPU computes, to the last bit or within the
# launch's tolerance (build/tests/unit/corpus.t holds them against each other). Tells a row of the table in sass/README.md: how
# many launches there are, how many leave the same bits as PTX, which do not, how many do with ptxas -fmad=false, and how
# many are as on the CPU. Needs ptxas
# and nvdisasm.
set -u
here=$(cd "$(dirname "$0")" && pwd) wrong=0
: "${PIPESIM:=$here/../../pipesim}" "${BUILD:=build}"
case $PIPESIM in /*) ;; *) PIPESIM=$PWD/$PIPESIM ;; esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# run TO NAME OPTION...: the launch; what it leaves in each buffer goes to TO/NAME.NUMBER, whether its parameters have names or
# not.
run() {
    to=$folder/$1 name=$2 number=0
    shift 2
    mkdir -p "$to"
    words=$(cat "$name.launch")
    for word in $words; do
        case $word in
        *=@* | *=zero:*) set -- "$@" --dump "$number=$to/$name.$number" ;;
        esac
        case $word in
        *=*) number=$((number + 1)) ;;
        esac
    done
    # shellcheck disable=SC2086 # the launch is words
    "$PIPESIM" build $words --sample all --registers none -o /dev/null "$@" 2>"$to/said" && ! grep 'skipped' "$to/said"
}

# launches ARCH: names of all whose PTX is for this architecture or older ones.
launches() {
    for file in *.launch; do
        read -r ptx _ <"$file"
        [ "$(sed -n 's/^\.target sm_\([0-9]*\).*/\1/p' "$ptx")" -gt "$1" ] || echo "${file%.launch}"
    done
}

# all TO ARCH OPTION...: each launch for this architecture.
all() {
    all_to=$1 all_arch=$2
    shift 2
    for launch in $(launches "$all_arch"); do
        run "$all_to" "$launch" "$@" || echo "$launch on $all_to: $(cat "$folder/$all_to/said")"
    done
}

# differ ARCH: the launches that leave other bits as machine code.
differ() {
    for launch in $(launches "$1"); do
        for dump in "$folder/ptx/$launch".*; do
            cmp -s "$dump" "$folder/$1/${dump##*/}" || echo "$launch"
        done
    done | uniq
}

# unfused ARCH NAME...: those that do so, too, where ptxas makes no product and sum one operation, which it may where PTX
# states no rounding. A cubin has no names of parameters, so these are numbered.
unfused() {
    unfused_arch=$1
    shift
    for launch; do
        read -r ptx _ <"$launch.launch"
        ptxas -arch="sm_$unfused_arch" -fmad=false "$ptx" -o "$folder/unfused.cubin"
        words=$(sed '1s/^[^ ]*//; s/--arg [^ =]*=/--arg /' "$launch.launch")
        parameters=$(sed -n 's/^--arg //p' "$launch.launch") number=0
        set --
        for parameter in $parameters; do
            case $parameter in
            *=@* | *=zero:*) set -- "$@" --dump "$number=$folder/unfused.$number" ;;
            esac
            number=$((number + 1))
        done
        # shellcheck disable=SC2086 # the launch is words
        "$PIPESIM" build "$folder/unfused.cubin" $words --sample all -o /dev/null "$@" 2>"$folder/said" || cat "$folder/said"
        for dump in "$folder/ptx/$launch".*; do
            cmp -s "$dump" "$folder/unfused.${dump##*.}" || echo "$launch"
        done
    done | uniq
}

cd "$here/../corpus" || exit
all ptx 999 --from ptx
for arch; do
    all "$arch" "$arch" --from sass --arch "sm_$arch"
    number=$(launches "$arch" | wc -l)
    differ=$(differ "$arch" | tr '\n' ' ')
    good=$(cd "$here/../.." && CORPUS_DUMPS=$folder/$arch "$BUILD/tests/unit/corpus.t" -p /corpus/launch 2>/dev/null | grep -c '^ok')
    # shellcheck disable=SC2086 # names
    unfused=$(unfused "$arch" $differ)
    echo "| sm_$arch | $number | $((number - $(echo "$differ" | wc -w))) | $differ| $((number - $(echo "$unfused" | wc -w))) | $good |"
    [ "$good" -eq "$number" ] && [ -z "$unfused" ] || wrong=1
done
exit "$wrong"
