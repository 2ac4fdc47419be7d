# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Bash completion for pipesim: verbs, options, their values, and the names of graphs and GPU
# descriptions, those that come with the program included.

# Names of data files (graphs idg, or gpus xml) where pipesim itself looks for them.
_pipesim_data() {
    local folder=$1 ending=$2 program folders path file
    program=$(type -P -- "${COMP_WORDS[0]}")
    program=$(readlink -f -- "${program:-/usr/bin/pipesim}")
    program=${program%/*}
    IFS=: read -r -a folders <<<"${PIPESIM_PATH:-}"
    for path in "${folders[@]}" "$program/../share/pipesim/$folder" "$program/$folder"; do
        [ -d "$path" ] || continue
        for file in "$path"/*."$ending"; do
            [ -f "$file" ] && printf '%s\n' "${file##*/}"
        done
    done
}

# Offers files of these endings (idg, xml): the data files, and what is below the current folder.
_pipesim_files() {
    local word=$1 line ending names=
    shift
    for ending; do
        case $ending in
        idg) names+=" $(_pipesim_data graphs idg)" ;;
        xml) names+=" $(_pipesim_data gpus xml)" ;;
        esac
    done
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <({
        compgen -W "$names" -- "$word"
        for ending; do
            compgen -f -X "!*.$ending" -- "$word"
        done
        # Folders of tools and of builds hold nothing to name.
        compgen -d -S / -- "$word" | grep -Ev '(^|/)(\.git|build[^/]*)/$'
    } | sort -u)
}

_pipesim_words() {
    local word=$1 line
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <(compgen -W "$2" -- "$word")
}

_pipesim() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=run options
    COMPREPLY=()
    # "--format=js" comes in three words: the option, "=", and the value.
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ] && [ "$COMP_CWORD" -ge 2 ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case ${COMP_WORDS[1]} in
    run | sweep | compare | roofline | bench | validate | profile | build | show | list) [ "$COMP_CWORD" -gt 1 ] && verb=${COMP_WORDS[1]} ;;
    esac
    case $before in
    --gpu | -g)
        _pipesim_files "$word" xml
        return
        ;;
    --format | -f)
        if [ "$verb" = roofline ]; then
            _pipesim_words "$word" 'text json csv gnuplot'
        elif [ "$verb" = bench ]; then
            _pipesim_words "$word" 'text json'
        elif [ "$verb" = validate ]; then
            _pipesim_words "$word" 'text csv'
        else
            _pipesim_words "$word" 'text json csv'
        fi
        return
        ;;
    --launches)
        _pipesim_words "$word" 'sum apart'
        return
        ;;
    --chart-kind)
        _pipesim_words "$word" 'roofline hierarchical quadrants'
        return
        ;;
    --policy)
        _pipesim_words "$word" 'fifo lrr gto oldest'
        return
        ;;
    --order)
        _pipesim_words "$word" 'dataflow program'
        return
        ;;
    --schedulers)
        _pipesim_words "$word" 'none 1 2 4'
        return
        ;;
    --contention | --overheads | --levels)
        _pipesim_words "$word" 'on off'
        return
        ;;
    --cache)
        _pipesim_words "$word" 'cold warm'
        return
        ;;
    --cus)
        _pipesim_words "$word" 'fullest all'
        return
        ;;
    --clamp)
        _pipesim_words "$word" 'ceiling roofline none'
        return
        ;;
    --metrics)
        _pipesim_words "$word" 'roofline times'
        return
        ;;
    --counters)
        _pipesim_words "$word" 'cupti ncu'
        return
        ;;
    --backend)
        if [ "$verb" = profile ]; then
            _pipesim_words "$word" 'cuda hip'
            return
        fi
        compopt -o nospace
        # ":" ends a word for readline: what stands behind it is a word of its own.
        _pipesim_words "$word" 'cuda hip opencl model:'
        return
        ;;
    --grid)
        [ "$verb" = bench ] || [ "$verb" = validate ] || return 0
        _pipesim_words "$word" 'full quick reduced'
        return
        ;;
    --resume)
        if [ "$verb" != bench ] && [ "$verb" != validate ]; then
            compopt -o default
            return
        fi
        ;;
    --from)
        _pipesim_files "$word" csv
        return
        ;;
    --registers)
        _pipesim_words "$word" 'ptxas none'
        return
        ;;
    --sample)
        _pipesim_words "$word" 'all'
        return
        ;;
    --code)
        _pipesim_words "$word" 'sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120 gfx90a gfx942 gfx1100'
        return
        ;;
    --arch | --precompile)
        _pipesim_words "$word" 'sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120'
        return
        ;;
    --arg)
        # "NAME=zero:BYTES" comes in pieces: "=" and ":" end a word for readline.
        compopt -o nospace
        [ "${COMP_WORDS[COMP_CWORD - 1]}" = = ] && _pipesim_words "$word" 'zero: ramp: random: @'
        return
        ;;
    --output | -o | --cubins | --log | --trace | --report | --chart | --raw | --points)
        compopt -o default
        return
        ;;
    --vary)
        [ "$verb" = sweep ] || return 0
        compopt -o nospace
        _pipesim_words "$word" 'active= groups= group-size='
        return
        ;;
    --groups | --group-size | --active | --param | -p | --what-if | --clock | --jobs | -j | --shard | \
        --timeline | --timeline-warps | --trace-window | --kernel | --block | --shared | --max-instructions | --compiler-options | --dump | --discounted | --measured | --device | --classes | --seed | --noise)
        return
        ;;
    esac
    options='--output --help'
    case $verb in
    bench | validate | build | list) ;;
    *) options+=' --param' ;;
    esac
    case $verb in
    run | sweep | compare | roofline | build | show)
        options+=' --kernel --grid --block --arg --shared --registers --sample --max-instructions --partial --arch'
        options+=' --compiler-options --no-merge-loads --no-moves --no-addresses --no-loops'
        options+=' --no-parameters --no-specials --no-dead --no-constants --no-frame --no-schedule'
        ;;&
    run | sweep | compare)
        options+=' --gpu --groups --group-size --active --what-if --clock --format'
        options+=' --published --policy --order --schedulers --contention --overheads --levels --cache --cus'
        options+=' --no-fast-forward --clamp'
        [ "$verb" = compare ] || options+=' --measured'
        ;;&
    run) options+=' --tables --log --timeline --timeline-warps --trace --trace-window --explain --sensitivity --advise --report --no-source --jobs' ;;
    compare) options+=' --versus' ;;
    sweep) options+=' --vary --chart --jobs --resume --shard --merge' ;;
    roofline)
        options+=' --gpu --groups --group-size --clock --measured --format --launches'
        options+=' --chart --chart-kind --trajectory --discounted'
        ;;
    bench)
        options+=' --backend --device --cubins --precompile --code --quick --grid --classes --raw --resume --from --force'
        options+=' --seed --noise --format --chart'
        ;;
    validate)
        options+=' --backend --device --cubins --quick --grid --classes --raw --resume --from --force'
        options+=' --seed --noise --format --points --chart --jobs'
        ;;
    profile) options=' --output --metrics --backend --counters --help' ;;
    build) options+=' --gpu --dump --list --stats' ;;
    show) options+=' --gpu --dot --xml --sources' ;;
    list) options+=' --gpus --graphs --format' ;;
    esac
    [ "$COMP_CWORD" -eq 1 ] && options+=' --version'
    case $word in
    -*)
        _pipesim_words "$word" "$options"
        return
        ;;
    esac
    [ "$COMP_CWORD" -eq 1 ] && _pipesim_words "$word" 'run sweep compare roofline bench validate profile build show list help'
    if [ "$verb" = bench ]; then
        # model:GPU comes in three words.
        [ "$before" = : ] || [ "$word" = : ] && _pipesim_files "${word#:}" xml
    elif [ "$verb" = validate ]; then
        _pipesim_files "${word#:}" xml
    elif [ "$verb" = profile ]; then
        # Behind the verb and its options stands a program.
        compopt -o default
        [ "$before" = profile ] || [ "$before" = -- ] && _pipesim_words "$word" "$(compgen -c -- "$word")"
    elif [ "$verb" = list ]; then
        _pipesim_words "$word" '--gpus --graphs'
    elif [ "$verb" = show ]; then
        _pipesim_files "$word" idg xml ptx cu cl
    elif [ "$verb" = build ]; then
        _pipesim_files "$word" ptx cu cl
    elif [ "$verb" = roofline ]; then
        _pipesim_files "$word" idg csv json ptx cu cl
    else
        _pipesim_files "$word" idg ptx cu cl
    fi
    [ "${#COMPREPLY[@]}" -eq 1 ] && [[ ${COMPREPLY[0]} == */ ]] && compopt -o nospace
    return 0
}

complete -F _pipesim pipesim
