#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# make wheel: pip installs it into a fresh environment without network and compiler, it needs nothing of the machine
# but libc, answers soon, and loses no memory.
. tests/tap.sh
unset MAKEFLAGS MFLAGS MAKELEVEL PYTHONPATH # of the make that runs this test

python=$(command -v python3) || {
    echo '1..0 # SKIP python3 is not installed'
    exit 0
}
for module in venv ensurepip tomllib; do
    "$python" -c "import $module" 2>/dev/null || {
        echo "1..0 # SKIP python3 has no $module"
        exit 0
    }
done
if [ -n "$PIPESIM_CHECKER" ]; then
    echo '1..0 # SKIP Python does not run under the checker'
    exit 0
fi
program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
mkdir "$TAP_TMP/out"
tap_ok 'make wheel' make BUILD="$BUILD" CC="$CC" CFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS" WHEEL_OUT="$TAP_TMP/out" wheel
wheel=$(echo "$TAP_TMP"/out/pipesim-*.whl)
tap_is '... says where it is' "$(tail -n 1 "$TAP_OUT")" "$wheel"
tap_ok '... below 15 MB' [ "$(wc -c <"$wheel")" -lt 15000000 ]
tap_ok 'made twice' make BUILD="$BUILD" CC="$CC" CFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS" WHEEL_OUT="$TAP_TMP" wheel
tap_ok '... it is the same' cmp "$wheel" "$TAP_TMP/$(basename "$wheel")"

"$python" -m venv "$TAP_TMP/fresh"
# fresh COMMAND...: in that environment, with nothing of this one.
fresh() (
    cd "$TAP_TMP" && env -i PATH="$TAP_TMP/fresh/bin:/usr/bin:/bin" PIPESIM_CACHE="$PIPESIM_CACHE" "$@"
)
tap_ok 'pip installs it' fresh python -m pip install --quiet --no-index "$wheel"
package=$(fresh python -c 'import os, pipesim; print(os.path.dirname(pipesim.__file__))')
tap_like '... there' "^$TAP_TMP/fresh/" "$package"

# ---- what it needs
for file in "$package"/bin/pipesim "$package"/lib/libpipesim.so.0; do
    tap_is "$(basename "$file") needs libc alone" "$(LC_ALL=C ldd "$file" | sed -n 's/.* => \(\/.*\) (.*/\1/p' |
        grep -v -e "^$package/" -e '/libc\.so' -e '/libm\.so' -e '/libpthread\.so' -e '/libdl\.so')" ''
    tap_is '... all of which it finds' "$(LC_ALL=C ldd "$file" | grep 'not found')" ''
done
newest=$(readelf -V "$package"/bin/pipesim "$package"/lib/*.so* "$package"/lib/pipesim/*.so |
    sed -n 's/.*Name: GLIBC_\([0-9.]*\) .*/\1/p' | sort -V | tail -n 1)
tap_is '... of 2018 or older' "$newest" 2.28
tap_like '... which the name says' 'manylinux_2_28_x86_64\.whl$' "$wheel"
tap_ok '... and all symbols of all libraries are found' fresh LD_BIND_NOW=1 pipesim list
if command -v auditwheel >/dev/null; then
    tap_like '... as auditwheel sees it, too' 'consistent with the following platform tag: "manylinux_2_28_x86_64"' \
        "$(auditwheel show "$wheel" | tr '\n' ' ')"
else
    tap_skip '... as auditwheel sees it, too' 'auditwheel is not installed'
fi
for file in py.typed share/pipesim/pipesim.schema.json share/pipesim/gpus/a100.xml share/pipesim/graphs/mmul08.idg \
    lib/pipesim/libpipesim-cupti.so licenses/LGPL-2.1; do
    tap_ok "it has $file" [ -e "$package/$file" ]
done
tap_ok '... and the licence' [ -s "$(echo "$package"-*.dist-info)/licenses/LICENSE" ]
tap_like '... of each library with its source' '^Source: glib2.0 ' "$(cat "$package"/licenses/libglib2.0-0*)"

# ---- what people do first
tap_ok "README's first command" fresh pipesim mmul08.idg --gpu pascal.xml
tap_is '... answers as ever' "$(cat "$TAP_OUT")" "$("$program" mmul08.idg --gpu pascal.xml)"
app=$TAP_TMP/app
tap_ok 'a whole program is linked with what came along, and runs' fresh pipesim program --gpu a100 -o launches --build \
    "$CC -std=c11 -D_POSIX_C_SOURCE=200809L -I$PWD -o $app $PWD/tests/program/driver-api.c -lcuda" -- "$app" run
tap_is '... right' "$(cat "$TAP_OUT")" 'ok 103 timed'
tap_like '... and its kernels are told' 'saxpy  *2 ' "$(cat "$TAP_TMP/launches")"
tap_ok 'the program as a module' fresh python -m pipesim --version
cp -r python docs "$TAP_TMP"
cp --parents -r driver tests/corpus tests/install tests/program tests/sass "$TAP_TMP"
ln -s "$PWD/graphs" "$PWD/gpus" "$TAP_TMP"
rm -r "$TAP_TMP/python/pipesim"
# shellcheck disable=SC2086 # they are words
fresh PIPESIM="$program" python python/tests/run.py >"$TAP_TMP/log" || :
sed 's/^/# /; /^# 1\.\./d' "$TAP_TMP/log"
tap_is 'the package passes its tests' "$(grep '^not ok' "$TAP_TMP/log")" ''
tap_like '... up to the last' '^1\.\.[0-9]+$' "$(tail -n 1 "$TAP_TMP/log")"
tap_ok '... of which there are some' [ "$(grep -c '^ok' "$TAP_TMP/log")" -gt 20 ]

# ---- how soon, in processor time, which other programs do not change; half of it is for slower machines
cat >"$TAP_TMP/soon.py" <<'END'
import time
import pipesim
n = 1024
buffer = bytearray(4 * n * n)
pipesim.run("tests/corpus/mmul16.ptx", "v100", grid=(64, 64), block=(16, 16), registers=38, args=[buffer] * 3 + [n],
            from_="ptx")
print(time.process_time())
END
soon=$(fresh python soon.py)
tap_ok "an answer takes $soon s of the processor, below 0.5" awk "BEGIN { exit !($soon > 0 && $soon < 0.5) }"

# ---- 1 000 runs, after those that fill what is kept: bytes in use, since what is resident grows with holes, too. One
# heap and nothing kept beside it make the count exact; 32 bytes are the smallest piece that a run could lose.
cat >"$TAP_TMP/often.py" <<'END'
import array
import ctypes
import gc
import pipesim
class Heap(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks",
                                                     "fsmblks", "uordblks", "fordblks", "keepcost")]
heap = ctypes.CDLL(None).mallinfo2
heap.restype = Heap
def used():
    gc.collect()
    with open("/proc/self/maps") as file:
        maps = len(file.readlines())
    return heap().uordblks + heap().hblkhd, maps
n = 64
a, c = array.array("f", range(n * n)), array.array("f", bytes(4 * n * n))
def run():
    pipesim.run("tests/corpus/mmul16.ptx", "v100", grid=(4, 4), block=(16, 16), registers=38, args=[a, a, c, n],
                from_="ptx", threads=1)
    try:
        pipesim.run("tests/corpus/mmul16.ptx", "v100", grid=(4, 4), block=(16, 16), args=[a], from_="ptx")
    except pipesim.Error:
        pass
for _ in range(100):
    run()
before = used()
for _ in range(1000):
    run()
print(*(after - first for after, first in zip(used(), before)))
END
fresh MALLOC_ARENA_MAX=1 GLIBC_TUNABLES=glibc.malloc.tcache_count=0 PYTHONMALLOC=malloc G_SLICE=always-malloc \
    python often.py >"$TAP_TMP/grown"
read -r grown maps <"$TAP_TMP/grown"
tap_ok "1 000 runs grow by $grown bytes, below 32 a run" [ "$grown" -lt 32000 ]
tap_ok "... and by $maps mappings, below one a run" [ "$maps" -lt 1000 ]
tap_done
