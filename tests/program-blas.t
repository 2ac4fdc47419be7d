#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# pipesim program --stand-in blas: a program of cuBLAS's interface finds kernels of ours, whose results are right, and
# whose rows say what they are.
. tests/tap.sh

: "${CC:=cc}" "${CFLAGS:=}" "${LDFLAGS:=}"
app=$TAP_TMP/app
PIPESIM=$(readlink -f "$PIPESIM")
libraries=$(dirname "$PIPESIM")/libpipesim-driver

# compile FOLDER FLAG...: with the libraries of that folder
compile() {
    folder=$1
    shift
    # shellcheck disable=SC2086 # the flags are words
    $CC $CFLAGS $LDFLAGS -std=c11 "$@" -o "$app" tests/program/blas.c -L"$libraries/blas$folder" \
        -L"$libraries$folder" -lcublas -lcudart -lm -Wl,-rpath-link,"$libraries:$(dirname "$libraries")"
}

program() {
    timeout 300 "$PIPESIM" program --stand-in blas "$@"
}

# ---- as NVIDIA's headers declare it, and in programs of both releases
header=$(command -v nvcc) && header=$(dirname "$(readlink -f "$header")")/../include
if [ -f "$header/cublas_v2.h" ]; then
    tap_ok "declared as NVIDIA's headers do" compile '' -DHEADERS -I"$header" -Wall -Werror
else
    tap_skip "declared as NVIDIA's headers do" 'cublas_v2.h is not installed'
fi
tap_ok 'a program of CUDA 12' compile /12
tap_ok 'it runs' program --gpu a100 -o "$TAP_TMP/out" -- "$app" vectors
tap_ok 'a program of CUDA 13' compile ''
tap_ok 'it runs' program --gpu a100 --format json -o "$TAP_TMP/json" -- "$app" vectors
tap_is 'vectors, matrices, scalars on the device and captures are right' "$(cat "$TAP_OUT")" 'vectors: 0 wrong
a matrix and vectors: 0 wrong
captured, with scalars on the device: 300 870, sum 1700
by tf32: 435'

# ---- products, within the bound that each number of bits has
right='single to single: 24 products, 0 wrong
double to double: 24 products, 0 wrong
half to half: 24 products, 0 wrong
half to single: 24 products, 0 wrong'
tap_ok 'products' program --gpu a100 -o "$TAP_TMP/out" --report "$TAP_TMP/page.html" -- "$app" products
tap_is 'are those of a CPU, in all types and ways of loading' "$(cat "$TAP_OUT")" "$right
bfloat to bfloat: 24 products, 0 wrong
single to single by tf32: 24 products, 0 wrong
pointers, of single: 0 wrong
strides, of double: 0 wrong
pointers, of half: 0 wrong"
tap_like 'small ones of halves by multiply-adds' 'stand_in_gemm_f16_nn_32' "$(cat "$TAP_TMP/out")"
tap_ok 'large ones' program --gpu a100 --format csv -o "$TAP_TMP/csv" -- "$app" large
tap_is 'are so, too' "$(cat "$TAP_OUT")" 'large, of single: 0 wrong
large, of half: 0 wrong
large, of single by tf32: 0 wrong
large, of double: 0 wrong'
tap_like 'by squares of 128' '^stand_in_gemm_f16_nt_128,1,' "$(cat "$TAP_TMP/csv")"
tap_ok 'an older GPU' program --gpu p100 -o "$TAP_TMP/none" -- "$app" vectors
tap_like 'sums without what it lacks' 'vectors: 0 wrong' "$(cat "$TAP_OUT")"
for gpu in v100 t4; do
    tap_ok "$gpu, which has older tensor cores" program --gpu $gpu -o "$TAP_TMP/out.$gpu" -- "$app" products old
    tap_is 'has the same results' "$(cat "$TAP_OUT")" "$right"
done
tap_like 'mma of eight rows is the T4 way' 'stand_in_gemm_f16_nn_64_16' "$(cat "$TAP_TMP/out.t4")"
tap_is 'a V100 has none of it' "$(grep -c 'gemm_f16_.*_64' "$TAP_TMP/out.v100")" 0

# ---- each row is named, and has a bound that no time stays below
tap_like 'the table has a bound' 'share  *bound  *limited by' "$(cat "$TAP_TMP/out")"
for file in out page.html; do
    tap_like "$file says whose times these are" 'their times are not those of cuBLAS' \
        "$(tr -s '[:space:]' ' ' <"$TAP_TMP/$file")"
done
tap_like 'the page names the library in each row' 'stands in for.*<td[^>]*>cuBLAS<' "$(tr '\n' ' ' <"$TAP_TMP/page.html")"
rows() {
    perl -MJSON::PP -0777 -ne 'for (@{ decode_json($_)->{kernels} }) {
        die "$_->{kernel} is not named" if $_->{kernel} !~ /^stand_in_/ || $_->{stand_in} ne "cuBLAS";
        die "$_->{kernel} is faster than its bound" if !($_->{bound_seconds} > 0 && $_->{bound_seconds} < $_->{seconds});
        print "$_->{bound_seconds}\n" if $_->{kernel} eq "stand_in_swap_f64" }' "$TAP_TMP/json"
}
tap_ok 'each is named in JSON, and slower than its bound' rows
# two vectors of 5000 doubles are read; what is written may stay in the cache: 80 kB at 1555 GB/s
tap_is 'which is that of the work' "$(rows | cut -c1-5)" 5.144

# ---- what is wrong is what cuBLAS says
program --gpu a100 -o "$TAP_TMP/none" -- "$app" errors >"$TAP_TMP/errors" 2>"$TAP_TMP/said"
tap_is 'wrong arguments have the numbers of cuBLAS' "$(cat "$TAP_TMP/errors")" 'no handle: CUBLAS_STATUS_NOT_INITIALIZED
no operation: CUBLAS_STATUS_INVALID_VALUE
rows below 0: CUBLAS_STATUS_INVALID_VALUE
columns that overlap: CUBLAS_STATUS_INVALID_VALUE
no scalar: CUBLAS_STATUS_INVALID_VALUE
no result: CUBLAS_STATUS_INVALID_VALUE
no rows: CUBLAS_STATUS_SUCCESS
integers: CUBLAS_STATUS_NOT_SUPPORTED
no increment: CUBLAS_STATUS_INVALID_VALUE
no place: CUBLAS_STATUS_INVALID_VALUE
no increment of a sum: CUBLAS_STATUS_SUCCESS
no element: CUBLAS_STATUS_INVALID_VALUE
no such mode: CUBLAS_STATUS_INVALID_VALUE
what is not there: CUBLAS_STATUS_NOT_SUPPORTED
again: CUBLAS_STATUS_NOT_SUPPORTED
no pointer to a handle: CUBLAS_STATUS_INVALID_VALUE
destroyed: CUBLAS_STATUS_SUCCESS
destroyed twice: CUBLAS_STATUS_NOT_INITIALIZED'
tap_is 'what is not there is named once' "$(grep -c cublasSsymv "$TAP_TMP/said")" 1

# ---- cuBLASLt
lt() {
    # shellcheck disable=SC2086 # the flags are words
    $CC $CFLAGS $LDFLAGS -std=c11 "$@" -o "$TAP_TMP/lt" tests/program/blas-lt.c -L"$libraries/blas" -L"$libraries" \
        -lcublasLt -lcudart -lm -Wl,-rpath-link,"$libraries:$(dirname "$libraries")"
}
if [ -f "$header/cublasLt.h" ]; then
    tap_ok "cuBLASLt, declared as NVIDIA's headers do" lt -DHEADERS -I"$header" -Wall -Werror
fi
tap_ok 'a program of cuBLASLt' lt
tap_ok 'it runs' program --gpu a100 --format csv -o "$TAP_TMP/csv" -- "$TAP_TMP/lt"
tap_is 'products with bias and activation, by columns and rows, are right' "$(cat "$TAP_OUT")" \
    'singles: 8 products, 0 wrong
doubles: 6 products, 0 wrong
halves: 8 products, 0 wrong
halves to singles: 8 products, 0 wrong
bfloats: 8 products, 0 wrong
integers: CUBLAS_STATUS_NOT_SUPPORTED, found 0
what the next layer needs: CUBLAS_STATUS_NOT_SUPPORTED, found 0
a bias of columns: CUBLAS_STATUS_NOT_SUPPORTED, found 0
wrong size: CUBLAS_STATUS_INVALID_VALUE
is 2 of 4 bytes
scales: CUBLAS_STATUS_SUCCESS
a product with scales: CUBLAS_STATUS_NOT_SUPPORTED
no handle: CUBLAS_STATUS_NOT_INITIALIZED'
tap_like 'each says what it does' '^stand_in_gemm_bf16_tt_64_any_bias_relu,1,[0-9.]+e-06' "$(cat "$TAP_TMP/csv")"

# ---- places, rotations, sums of matrices
more() {
    # shellcheck disable=SC2086 # the flags are words
    $CC $CFLAGS $LDFLAGS -std=c11 "$@" -o "$TAP_TMP/more" tests/program/blas-more.c -L"$libraries/blas" \
        -L"$libraries" -lcublas -lcudart -lm -Wl,-rpath-link,"$libraries:$(dirname "$libraries")"
}
if [ -f "$header/cublas_v2.h" ]; then
    tap_ok "places and others, declared as NVIDIA's headers do" more -DHEADERS -I"$header" -Wall -Werror
fi
tap_ok 'a program of them' more
for gpu in a100 p100; do
    tap_ok "it runs, $gpu" program --gpu $gpu --format csv -o "$TAP_TMP/csv" -- "$TAP_TMP/more"
    tap_is '... with the results of a CPU' "$(cat "$TAP_OUT")" 'places: 778 4322 6001, one 1, none 0, every second 2501, on the device 778
no number: 0, among numbers 778
rotation: 0 wrong
sums of matrices: 0 wrong
transposition: 0 wrong
errors: 7 7 7
a matrix by itself: 0 wrong
calls that failed: 0'
done
tap_like 'each is a row' '^stand_in_geam_tn_f32,1,[0-9.]+e-0' "$(cat "$TAP_TMP/csv")"

# ---- triangular systems
solve() {
    # shellcheck disable=SC2086 # the flags are words
    $CC $CFLAGS $LDFLAGS -std=c11 "$@" -o "$TAP_TMP/solve" tests/program/blas-solve.c -L"$libraries/blas" \
        -L"$libraries" -lcublas -lcudart -lm -Wl,-rpath-link,"$libraries:$(dirname "$libraries")"
}
if [ -f "$header/cublas_v2.h" ]; then
    tap_ok "triangular systems, declared as NVIDIA's headers do" solve -DHEADERS -I"$header" -Wall -Werror
fi
tap_ok 'a program of triangular systems' solve
tap_ok 'it runs' program --gpu a100 --format csv -o "$TAP_TMP/csv" -- "$TAP_TMP/solve"
tap_is 'both sides, both triangles, transposed, with and without a diagonal' "$(cat "$TAP_OUT")" 'doubles: 0 wrong, 0 failed
singles: 0 wrong, 0 failed
errors: 7 15'
tap_like 'each solves 32 unknowns at a time' '^stand_in_trsm_f64,40,' "$(cat "$TAP_TMP/csv")"

# ---- without it: a library that asks for NVIDIA's driver, as NVIDIA's does
cat >"$TAP_TMP/cublas.c" <<'END'
int cuInit(unsigned int flags);
int cuGetExportTable(const void **table, const void *id);
int cublasCreate_v2(void **handle)
{
    const void *table;
    cuInit(0);
    return cuGetExportTable(&table, "\x6b\xd5\xfb\x6c\x5b\xf4\xe7\x4a\x89\x87\xd9\x39\x12\xfd\x9d\xf9") ? 1 : !handle;
}
END
mkdir "$TAP_TMP/nvidia"
# shellcheck disable=SC2086 # the flags are words
echo 'int cublasCreate_v2(void **); int main(void) { void *handle; return cublasCreate_v2(&handle); }' >"$TAP_TMP/main.c"
# shellcheck disable=SC2086 # the flags are words
tap_ok 'a program of it' $CC $CFLAGS $LDFLAGS -o "$TAP_TMP/main" "$TAP_TMP/main.c" -L"$libraries/blas" -lcublas \
    -Wl,-rpath-link,"$libraries:$(dirname "$libraries")"
echo 'libcublas.so.13 { global: *; };' >"$TAP_TMP/map"
# shellcheck disable=SC2086 # the flags are words
tap_ok 'a library with NVIDIA runtime inside' $CC $CFLAGS $LDFLAGS -shared -fPIC -Wl,-soname,libcublas.so.13 \
    -Wl,--version-script,"$TAP_TMP/map" \
    -o "$TAP_TMP/nvidia/libcublas.so.13" "$TAP_TMP/cublas.c" -L"$libraries" -lcuda
LD_LIBRARY_PATH=$TAP_TMP/nvidia tap_exit 'has no handle' 1 "$PIPESIM" program --gpu a100 -- "$TAP_TMP/main"
tap_like 'and the message says why, and what stands in' "libcublas.so.13 has NVIDIA's own runtime inside.*--stand-in blas has kernels" \
    "$(cat "$TAP_ERR")"
tap_like 'also where nothing says so' 'launched no kernel; it is linked with cuBLAS.*--stand-in blas' "$(cat "$TAP_ERR")"
tap_exit 'another library' 2 "$PIPESIM" program --gpu a100 --stand-in fft -- "$app"
tap_like 'is refused' '--stand-in.*blas' "$(cat "$TAP_ERR")"
tap_done
