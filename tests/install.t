#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# What `make install` leaves works from anywhere: the library for a C program that knows only
# pkg-config, the program beside its data; and `make uninstall` takes all of it away again.
. tests/tap.sh

: "${BUILD:=build}" "${CC:=cc}" "${CFLAGS:=-O2 -g}" "${LDFLAGS:=}"
unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that runs this test
unset PIPESIM_PATH LD_LIBRARY_PATH
prefix=$TAP_TMP/usr
library=$prefix/lib/libpipesim.so
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH

make_with() {
    make --no-print-directory BUILD="$BUILD" CC="$CC" CFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS" "$@"
}

# build_example NAME: the C program, told by pkg-config alone where things are.
build_example() {
    # shellcheck disable=SC2046,SC2086 # flags are words
    $CC -std=c11 -Wall -Wextra -Wpedantic -Werror $CFLAGS -o "$TAP_TMP/$1" \
        "tests/install/$1.c" $LDFLAGS $(pkg-config --cflags --libs pipesim) \
        -Wl,-rpath,"$prefix/lib"
}

run_example() {
    "$TAP_TMP/example" "$prefix/share/pipesim/graphs/mmul08.idg" \
        "$prefix/share/pipesim/gpus/pascal.xml"
}

# ask CODE OPTION=VALUE...: a C program that knows public headers alone asks about that code.
ask() {
    code=$1
    shift
    "$TAP_TMP/ask-about-code" "$code" "$prefix/share/pipesim/gpus/a100.xml" "$@"
}

# ask_both CODE OPTION=VALUE...: that program and pipesim print the same, byte for byte.
ask_both() {
    code=$1
    shift
    ask "$code" "$@" >"$TAP_TMP/by-library" || return 1
    for option; do
        shift
        set -- "$@" "--${option%=}"
    done
    "$prefix/bin/pipesim" run "$code" --gpu a100.xml --format json "$@" >"$TAP_TMP/by-program" &&
        cmp "$TAP_TMP/by-library" "$TAP_TMP/by-program"
}

# compare_both [OPTION VALUE]: a C program and pipesim print the same, byte for byte, of two graphs,
# of which the second has that option.
compare_both() {
    "$TAP_TMP/ask-more" "$graphs/mmul08.idg" "$gpus/pascal.xml" "$graphs/mmul16.idg" "$@" \
        >"$TAP_TMP/by-library" || return 1
    [ $# -eq 0 ] || set -- "--$1" "$2"
    "$prefix/bin/pipesim" compare "$graphs/mmul08.idg" --gpu pascal.xml --versus "$graphs/mmul16.idg" "$@" \
        --format json >"$TAP_TMP/by-program" &&
        cmp "$TAP_TMP/by-library" "$TAP_TMP/by-program"
}

# run_installed PREFIX ARGUMENT...: the installed program, started from a folder that holds nothing,
# by a name in PATH.
run_installed() {
    installed=$1
    shift
    (cd "$TAP_TMP/empty" && env "PATH=$installed/bin:$PATH" pipesim "$@")
}

# Every header on its own, as C11 without extensions.
headers_compile() {
    (cd "$prefix/include/pipesim" && find . -name '*.h') | while read -r header; do
        # shellcheck disable=SC2046 # flags are words
        echo "#include <$header>" | $CC -std=c11 -Wall -Wextra -Wpedantic -Werror \
            $(pkg-config --cflags pipesim) -fsyntax-only -x c - || exit 1
    done
}

mkdir "$TAP_TMP/empty"
tap_ok 'make install' make_with install PREFIX="$prefix"
tap_is 'pkg-config knows the version' "$(pkg-config --modversion pipesim)" \
    "$("$prefix/bin/pipesim" --version | awk '{ print $NF }')"
tap_ok 'each public header compiles on its own' headers_compile
tap_ok 'a C program builds against the library' build_example example
tap_ok 'and runs' run_example
cp "$TAP_OUT" "$TAP_TMP/by-library"
tap_ok '... as does the program' run_installed "$prefix" run mmul08.idg --gpu pascal.xml --advise --format json
cp "$TAP_OUT" "$TAP_TMP/by-program"
tap_ok '... which prints the same: what the model says, and what would help' cmp "$TAP_TMP/by-program" "$TAP_TMP/by-library"
tap_like '... with all cycles' '"cycles" *: *7608491\.75' "$(cat "$TAP_TMP/by-library")"
tap_ok 'a C program that asks about code builds' build_example ask-about-code
set -- grid=4x4 block=16x16 arg=0=ramp:16K arg=1=ramp:16K arg=2=zero:16K arg=3=64
tap_ok '... asks about PTX, and prints what the program prints' ask_both tests/corpus/mmul16.ptx from=ptx registers=40 "$@"
tap_ok '... once more, of what is kept' ask_both tests/corpus/mmul16.ptx from=ptx registers=40 "$@"
tap_ok '... about a cubin' ask_both tests/sass/mmul16-lines-80.cubin nvdisasm=tests/stand-in/nvdisasm "$@"
mkdir "$TAP_TMP/bin"
cat >"$TAP_TMP/bin/nvcc" <<'END'
#!/bin/sh
case $1 in --list-gpu-arch) echo compute_75 compute_80; exit ;; esac
for word; do
    [ "$before" = -o ] && out=$word
    case $word in -DWRONG=*) echo 'kernel.cu(3): error: it is wrong' >&2; exit 1 ;; -DSLOW=*) exec sleep 1000 ;; esac
    before=$word
done
cp tests/corpus/mmul16.ptx "$out"
END
chmod +x "$TAP_TMP/bin/nvcc"
echo '// as nvcc has it' >"$TAP_TMP/kernel.cu"
PATH=$TAP_TMP/bin:$PATH
tap_ok '... about CUDA source' ask_both "$TAP_TMP/kernel.cu" from=ptx "$@"
tap_exit '... which may not compile' 1 ask "$TAP_TMP/kernel.cu" from=ptx define=WRONG=1 "$@"
tap_is '... and the compiler says why' "$(cat "$TAP_ERR")" 'nvcc failed: kernel.cu(3): error: it is wrong'
tap_exit 'work that is no longer wanted ends, a compiler too' 1 ask "$TAP_TMP/kernel.cu" stop= define=SLOW=1 "$@"
tap_like '... and that is said' 'cancelled|ended|no longer' "$(cat "$TAP_ERR")"
tap_ok 'what would help' ask_both "$TAP_TMP/kernel.cu" from=ptx advise= "$@"
cat >"$TAP_TMP/bin/nvcc" <<'END'
#!/bin/sh
case $1 in --list-gpu-arch) echo compute_80; exit ;; esac
for word; do
    [ "$before" = -o ] && out=$word
    before=$word
done
cat "tests/pairs/weigh$(sed -n 's/.*_Pragma("unroll 4").*/-unrolled/p' "$before").ptx" >"$out"
END
cp tests/pairs/weigh.cu "$TAP_TMP"
tap_ok '... with a pragma, tried' ask_both "$TAP_TMP/weigh.cu" advise= from=ptx registers=32 grid=8 block=128 kernel=columns \
    arg=in=ramp:256K arg=scale=ramp:4K arg=out=zero:4K arg=width=1024 arg=height=64
# shellcheck disable=SC2016 # the pragma's quotes
tap_like '... which is compiled' '`#pragma unroll 4` there, compiled, gives' "$(cat "$TAP_TMP/by-library")"
head -c 16384 /dev/zero >"$TAP_TMP/zeros"
ask tests/corpus/mmul16.ptx from=ptx "$@" >"$TAP_TMP/by-texts"
tap_ok 'a buffer may be in memory' ask tests/corpus/mmul16.ptx from=ptx "$@" buffer="2=$TAP_TMP/zeros"
tap_is '... and counts as those that a text describes' "$(cat "$TAP_OUT")" "$(cat "$TAP_TMP/by-texts")"
tap_ok 'a graph' ask_both "$prefix/share/pipesim/graphs/mmul08.idg" param=size=512 clock=boost policy=lrr
tap_ok '... with sensitivities' ask_both "$prefix/share/pipesim/graphs/mmul08.idg" param=size=512 sensitivity=
tap_ok 'a C program that sweeps builds' build_example ask-sweep
tap_ok '... sweeps' "$TAP_TMP/ask-sweep" "$prefix/share/pipesim/graphs/mmul08.idg" "$prefix/share/pipesim/gpus/pascal.xml" \
    active=1..max local.load.issue=8,16
cp "$TAP_OUT" "$TAP_TMP/by-library"
tap_ok '... as the program does' run_installed "$prefix" sweep mmul08.idg --gpu pascal.xml --vary active=1..max \
    --vary local.load.issue=8,16 --format json
cp "$TAP_OUT" "$TAP_TMP/by-program"
tap_ok '... with the same rows' cmp "$TAP_TMP/by-program" "$TAP_TMP/by-library"
tap_exit '... and lists that cannot be' 1 "$TAP_TMP/ask-sweep" "$prefix/share/pipesim/graphs/mmul08.idg" \
    "$prefix/share/pipesim/gpus/pascal.xml" active=3..1
tap_like '... are errors' 'active' "$(cat "$TAP_ERR")"
tap_ok 'a C program that compares builds' build_example ask-more
graphs=$prefix/share/pipesim/graphs gpus=$prefix/share/pipesim/gpus
tap_ok '... asks for the roofline' "$TAP_TMP/ask-more" "$graphs/mmul08.idg" "$gpus/pascal.xml"
cp "$TAP_OUT" "$TAP_TMP/by-library"
tap_ok '... as the program does' run_installed "$prefix" roofline "$graphs/mmul08.idg" --gpu pascal.xml --format json
cp "$TAP_OUT" "$TAP_TMP/by-program"
tap_ok '... with the same figures' cmp "$TAP_TMP/by-program" "$TAP_TMP/by-library"
tap_ok '... compares as the program does' compare_both
tap_ok '... a side with an option of its own' compare_both active 8
tap_ok '... a side with other latencies' compare_both what-if local.load.issue=8
tap_exit '... and what two cannot be asked' 1 "$TAP_TMP/ask-more" "$graphs/mmul08.idg" "$gpus/pascal.xml" \
    "$graphs/mmul16.idg" advise
tap_is '... is refused' "$(cat "$TAP_ERR")" 'B: advise is of one question, and a comparison asks two'
tap_exit 'a launch that lacks something' 1 ask tests/corpus/mmul16.ptx grid=4x4
tap_like '... all of which is said' 'lacks' "$(cat "$TAP_ERR")"
tap_exit 'an option that is not there' 1 ask tests/corpus/mmul16.ptx gird=4x4
tap_is '... is named' "$(cat "$TAP_ERR")" "a kernel's code has no option 'gird'"
tap_ok 'the program finds its data from another folder' \
    run_installed "$prefix" mmul08.idg --gpu pascal.xml --format json
tap_like 'and simulates the same' '"cycles" *: *7608491\.75' "$(cat "$TAP_OUT")"

tap_ok 'the schema of its JSON is there' cmp "$BUILD/tell/pipesim.schema.json" "$prefix/share/pipesim/pipesim.schema.json"
tap_ok 'so is the man page' cmp "$BUILD/man/pipesim.1" "$prefix/share/man/man1/pipesim.1"
tap_ok 'and the completion' cmp "$BUILD/completion/pipesim.bash" "$prefix/share/bash-completion/completions/pipesim"

tap_like 'the library has a SONAME' 'SONAME.*\[libpipesim\.so\.0\]' "$(readelf -d "$library")"
tap_like 'the C program needs it by that name' 'NEEDED.*\[libpipesim\.so\.0\]' \
    "$(readelf -d "$TAP_TMP/example")"
# declared_by HEADER FLAG...: the functions of ours that it declares, as the compiler sees them.
declared_by() {
    header=$1
    shift
    printf '#include "%s"\n' "$header" | gcc "$@" -fsyntax-only -aux-info "$TAP_TMP/declared" -x c - &&
        grep -o '\bps_[a-z0-9_]* (' "$TAP_TMP/declared" | tr -d ' (' | sort -u
}

# exported VERSION: the functions that the library exports with a symbol version that begins so.
exported() {
    nm -D --defined-only --with-symbol-versions "$library" | sed -n "s/.* T \\(.*\\)@@$1.*/\\1/p" | sort
}

version=$(pkg-config --modversion pipesim)
# shellcheck disable=SC2046 # flags are words
{
    declared_by pipesim.h $(pkg-config --cflags pipesim) >"$TAP_TMP/public"
    declared_by pipesim-private.h -I. -I"$BUILD" $(pkg-config --cflags glib-2.0) | comm -23 - "$TAP_TMP/public" >"$TAP_TMP/private"
}
tap_like 'the installed headers declare functions' '^ps_question_ask$' "$(cat "$TAP_TMP/public")"
tap_is '... which are what the library exports for all' "$(exported PIPESIM_[0-9])" "$(cat "$TAP_TMP/public")"
tap_is '... for the program of the same release what pipesim-private.h has besides' \
    "$(exported "PIPESIM_PRIVATE_$version")" "$(cat "$TAP_TMP/private")"
tap_is '... and nothing else' "$(nm -D --defined-only "$library" | grep -v -e ' T ps_' -e ' A PIPESIM_')" ''
tap_is 'pipesim-private.h and what it includes stay at home' \
    "$(for header in pipesim-private.h $(sed -n 's/^#include "\(.*\)"/\1/p' pipesim-private.h | grep -v '^pipesim\.h$'); do
        [ ! -e "$prefix/include/pipesim/$header" ] || echo "$header"
    done)" ''
tap_is 'the C program asks for no symbol of the program' "$(objdump -T "$TAP_TMP/example" | grep PRIVATE)" ''
tap_is "the Debian package's version is this one" "$(sed -n '1s/^pipesim (\([^)]*\)).*/\1/p' debian/changelog)" "$version"

tap_ok 'make uninstall' make_with uninstall PREFIX="$prefix"
tap_is 'leaves no file' "$(find "$prefix" ! -type d)" ''
tap_is 'and no folder of its own' "$(find "$prefix" -name '*pipesim*')" ''

stage=$TAP_TMP/stage
tap_ok 'make install with DESTDIR' make_with install DESTDIR="$stage" PREFIX=/usr LIBDIR=/usr/lib64
tap_is 'puts the library where LIBDIR says' \
    "$(cd "$stage" && echo usr/lib64/libpipesim.so.*.*)" usr/lib64/libpipesim.so.0.1.0
tap_is 'and writes no path of the stage into any text' \
    "$(grep -rIl -e "$stage" "$stage")" ''
# shellcheck disable=SC2016 # it is the loader that expands $ORIGIN
tap_like 'the program looks there, seen from its own place' 'R.*PATH.*\[\$ORIGIN/../lib64\]' \
    "$(readelf -d "$stage/usr/bin/pipesim")"
tap_ok 'and starts' run_installed "$stage/usr" mmul08.idg --gpu pascal.xml
mv "$stage" "$stage-moved"
tap_ok 'also where it is moved to' run_installed "$stage-moved/usr" mmul08.idg --gpu pascal.xml
mv "$stage-moved" "$stage"
tap_ok 'make uninstall with DESTDIR' \
    make_with uninstall DESTDIR="$stage" PREFIX=/usr LIBDIR=/usr/lib64
tap_is 'leaves no file there' "$(find "$stage" ! -type d)" ''

tap_ok 'make install with a LIBDIR elsewhere' \
    make_with install PREFIX="$TAP_TMP/opt" LIBDIR="$TAP_TMP/other/lib/deep"
tap_ok 'the program starts' run_installed "$TAP_TMP/opt" mmul08.idg --gpu pascal.xml
tap_ok 'make uninstall from there' \
    make_with uninstall PREFIX="$TAP_TMP/opt" LIBDIR="$TAP_TMP/other/lib/deep"
tap_is 'leaves no file in either' "$(find "$TAP_TMP/opt" "$TAP_TMP/other" ! -type d)" ''
tap_done
