#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# Which clang compiles OpenCL for NVIDIA's GPUs where there are several: the first that compiles with libclc. The clangs
# are stand-ins; an empty file stands in for libclc, in a file system of our own.
. tests/tap.sh

if ! unshare -rm mount -t tmpfs none /usr/local/share 2>/dev/null; then
    tap_skip 'clangs' 'no file system can be mounted here (unshare -rm)'
    tap_done
    exit
fi
program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
clangs=$TAP_TMP/clangs
mkdir "$clangs" "$TAP_TMP/tools"
ln -s "$(command -v cp)" "$TAP_TMP/tools"

# A clang that is whole compiles what it is given, and says its name where that is for us; another says why not.
stand_in() {
    cat >"$clangs/${1%:*}" <<END
#!/bin/sh
case "\$*" in *nvidiacl.bc*) ;; *) exit 9 ;; esac
[ ${1#*:} = whole ] || { echo 'no opaque pointers' >&2; exit 1; }
while [ "\$1" != -o ]; do shift; done
[ "\$2" = - ] || { echo "${1%:*} compiles" >&2; cp $PWD/tests/corpus/saxpy.ptx "\$2"; }
END
    chmod +x "$clangs/${1%:*}"
}

# takes LINE LIBCLC CLANG:whole|broken...: what is said first where these are on PATH; LIBCLC: whether it is there.
takes() {
    takes_line=$1
    takes_libclc=$2
    shift 2
    rm -f "$clangs"/*
    for clang in "$@"; do
        stand_in "$clang"
    done
    # shellcheck disable=SC2016 # the inner shell shall see them
    unshare -rm sh -c 'mount -t tmpfs none /usr/local/share && mkdir /usr/local/share/clc || exit
        for folder in /usr/lib/clc /usr/share/clc /usr/local/lib/clc; do
            [ ! -d "$folder" ] || mount -t tmpfs none "$folder" || exit
        done
        [ "$1" = no ] || : >/usr/local/share/clc/nvptx64--nvidiacl.bc
        PATH=$2 && shift 2 && exec "$@"' sh "$takes_libclc" "$clangs:$TAP_TMP/tools" "$program" build --no-cache tests/corpus/saxpy.cl \
        --grid 4 --block 256 --arg n=1024 --arg a=2.5 --arg x=ramp:4K --arg y=ramp:4K --registers none -o "$TAP_TMP/out.idg" >"$TAP_OUT" 2>&1
    tap_like "of $* ($takes_libclc libclc): $takes_line" "$takes_line" "$(cat "$TAP_OUT")"
    tap_is '... in one word' "$(grep -c 'compiles$' "$TAP_OUT")" "$(case $takes_line in *compiles\$) echo 1 ;; *) echo 0 ;; esac)"
}
takes '^clang compiles$' a clang:whole
takes '^clang compiles$' a clang:whole clang-19:whole clang-14:whole
takes '^clang-19 compiles$' a clang-19:whole
takes '^clang-19 compiles$' a clang-14:whole clang-19:whole
takes '^clang-19 compiles$' a clang:broken clang-14:broken clang-19:whole
takes '^clang-14 compiles$' a clang-14:whole clang-19:broken
takes 'needs a clang that compiles with .*nvidiacl\.bc, which .*/clang does not: no opaque pointers$' a clang:broken clang-19:broken
takes '^no opaque pointers$' a clang:broken
takes 'needs libclc, whose nvptx64--nvidiacl.bc was looked for' no clang:whole clang-19:whole
takes 'needs the compiler clang, which was looked for on PATH$' a
takes 'needs the compiler clang, which was looked for on PATH$' no
tap_done
