#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes graphs of the kernels of hotspot, gaussian and cfd, with the arguments and the grid of every launch in
# data/v100-ncu.csv, and a table of their hit rates, rates.tsv.
#
#     tests/validate/rodinia.sh FOLDER GRAPHS
#
# FOLDER is a checkout of Rodinia 3.1 (github.com/yuhc/gpu-rodinia, say), GRAPHS the folder to write to.
# PIPESIM is the program, ./pipesim unless set, NVCC the compiler, FROM what graphs are made from: ptx (the default) or
# sass, which takes ptxas and nvdisasm: machine code for compute capability 7.0, that of the card that was measured, where those of
# CUDA 12 are found (./bootstrap --only sass), else for 7.5. Needs nvcc of any CUDA from 10 on; it compiles for 7.5, the oldest
# that CUDA 13 still knows, and what it makes is taken as for 7.0.
#
# What a launch is:
# - hotspot: 2 iterations in one launch, groups of 16 x 16 that advance by 12, as the grids of the rows say.
# - gaussian: the profiler left out the first 3 launches and took at most 100 then, Fan1 and Fan2 in turn
#   (that is what gives 13, 29, 45 and 50 rows of Fan1 for 16, 32, 48 and more): steps 2 to 51 of
#   Fan1, 1 to 50 of Fan2. A row is their median, so the launch that stands for it is step 26, or n / 2
#   where there are less steps.
# - cfd: the row's mesh from FOLDER/data/cfd where it is there (Rodinia's data come apart from its sources), else a
#   stand-in with as many elements (mesh.pl), in the free stream of its first steps.
# Registers are the measured ones. Values matter to no branch and no address but for neighbours.
set -eu
LC_ALL=C
export LC_ALL
if [ $# -ne 2 ]; then
    echo "usage: $0 FOLDER GRAPHS" >&2
    exit 2
fi
cuda=$1/cuda
data=$1/data/cfd
here=$(dirname "$0")
graphs=$2
mkdir -p "$graphs"
printf 'graph\tl1\tl2\n' >"$graphs/rates.tsv"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

PATH=$PATH:/usr/local/cuda/bin

# What the hosts' halves need of CUDA's samples, and what CUDA 13 no longer has.
cat >"$tmp/helper_cuda.h" <<'END'
#define checkCudaErrors(call) (call)
#define getLastCudaError(text)
END
cat >"$tmp/helper_timer.h" <<'END'
struct StopWatchInterface;
static inline void sdkCreateTimer(StopWatchInterface **) {}
static inline void sdkStartTimer(StopWatchInterface **) {}
static inline void sdkStopTimer(StopWatchInterface **) {}
static inline float sdkGetAverageTimerValue(StopWatchInterface **) { return 0; }
END

# compile BENCHMARK SOURCE: to BENCHMARK.ptx.
compile() {
    sed '/deviceProp\./d' "$cuda/$1/$2" >"$tmp/$1.cu"
    (cd "$tmp" && "${NVCC:-nvcc}" -ptx -arch=compute_75 -w -I. -DcudaThreadSynchronize=cudaDeviceSynchronize "$1.cu" -o "$1.ptx" &&
        sed -i 's/^\.target sm_75/.target sm_70/' "$1.ptx")
}

# build NAME BENCHMARK KERNEL REGISTERS GRID BLOCK VALUE...: values are those of the kernel's arguments, in order, or
# NAME=VALUE, of constants.
build() {
    name=$1 ptx=$tmp/$2.ptx kernel=$3 registers=$4 grid=$5 block=$6
    shift 6
    i=0
    for value in "$@"; do
        case $value in
        *=*) set -- "$@" --arg "$value" ;;
        *) set -- "$@" --arg "$i=$value" ;;
        esac
        shift
        i=$((i + 1))
    done
    "${PIPESIM:-./pipesim}" build "$ptx" --from "${FROM:-ptx}" --gpu v100.xml --kernel "$kernel" --registers "$registers" \
        --grid "$grid" --block "$block" "$@" --stats --output "$graphs/$name.idg" >"$tmp/stats"
    sed -n "s/.*sectors found: \([0-9.]*\) % .*L1, \([0-9.]*\) % .*/$name\t\1\t\2/p" "$tmp/stats" >>"$graphs/rates.tsv"
}

hotspot() { # NAME KERNEL N REGISTERS
    side=$((($3 + 11) / 12))
    build "$1" hotspot "$2" "$4" "${side}x$side" 16x16 2 "random:4*$3*$3" "random:4*$3*$3" "zero:4*$3*$3" \
        "$3" "$3" 2 2 0.5 1.0 1.0 1.0 0.1 0.001
}

gaussian() { # NAME KERNEL N REGISTERS
    step=$(($3 / 2 < 26 ? $3 / 2 : 26))
    if [ "$2" = Fan1 ]; then
        build "$1" gaussian "$2" "$4" $((($3 + 511) / 512)) 512 "zero:4*$3*$3" "random:4*$3*$3" "$3" $step
    else
        side=$((($3 + 3) / 4))
        build "$1" gaussian "$2" "$4" "${side}x$side" 4x4 "random:4*$3*$3" "random:4*$3*$3" "random:4*$3" "$3" $(($3 - step)) $step
    fi
}

# The first steps, which were measured: nearly all of the fluid still is the free stream. Divisions of its zeros take
# another way than others do. Of Mach 1.2 and pressure 1: density, momentum, energy.
stream="1.4 1.68 0 0 3.508"

# floats FILE TIMES "VALUE...": each so many times.
floats() {
    [ -f "$1" ] || perl -e 'binmode STDOUT; print pack("f<", $_) x $ARGV[0] for split " ", $ARGV[1]' "$2" "$3" >"$1"
}

# Constants of the free stream, which the host computes: the variables, and what they add to a flux.
ff=ff_flux_contribution
floats "$tmp/ff_variable" 1 "$stream"
floats "$tmp/${ff}_momentum_x" 1 "3.016 0 0"
floats "$tmp/${ff}_momentum_y" 1 "0 1 0"
floats "$tmp/${ff}_momentum_z" 1 "0 0 1"
floats "$tmp/${ff}_density_energy" 1 "5.4096 0 0"

cfd() { # NAME KERNEL MESH REGISTERS
    case $3 in
    097K) elements=97046 mesh=$data/fvcorr.domn.097K ;;
    193K) elements=193474 mesh=$data/fvcorr.domn.193K ;;
    missile0.2M) elements=232536 mesh=$data/missile.domn.0.2M ;;
    esac
    groups=$(((elements + 191) / 192))
    nelr=$((192 * groups))
    variables=@$tmp/$3.variables
    floats "$tmp/$3.variables" "$nelr" "$stream"
    case $2 in
    cuda_compute_flux)
        [ -f "$mesh" ] && set -- "$@" "$mesh"
        [ -f "$tmp/$3" ] || "$here/mesh.pl" "$elements" "$nelr" ${5+"$5"} >"$tmp/$3"
        set -- "$1" "$2" "$4" "$nelr" "@$tmp/$3" "random:48*$nelr" "$variables" "zero:20*$nelr"
        for constant in ff_variable ${ff}_momentum_x ${ff}_momentum_y ${ff}_momentum_z ${ff}_density_energy; do
            set -- "$@" "$constant=@$tmp/$constant"
        done
        ;;
    cuda_compute_step_factor) set -- "$1" "$2" "$4" "$nelr" "$variables" "random:4*$nelr" "zero:4*$nelr" ;;
    cuda_time_step) set -- "$1" "$2" "$4" 1 "$nelr" "$variables" "zero:20*$nelr" "random:4*$nelr" "random:20*$nelr" ;;
    esac
    name=$1 kernel=$2 registers=$3
    shift 3
    build "$name" cfd "$kernel" "$registers" "$groups" 192 "$@"
}

# One graph for each kernel and input; "matrix208" is another file of the size 208. Registers of the
# two machines' binaries differ at most within what is allocated at once: the first row's count.
compile hotspot hotspot.cu
compile gaussian gaussian.cu
compile cfd euler3d.cu
awk -F, 'NR > 1 { sub("matrix", "", $3); if (!seen[$1, $2, $3]++) print $1, $2, $3, $8 }' \
    "$here/data/v100-ncu.csv" >"$tmp/launches"
while read -r benchmark kernel input registers; do
    $benchmark "$benchmark-$kernel-$input" "$kernel" "$input" "$registers"
done <"$tmp/launches"
