#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make kit: on a machine with next to nothing, where it is copied to; with stand-ins for CUDA's
# driver and NVRTC. tests/campaign.t has what campaigns do.
. tests/tap.sh
unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that runs this test

stand_in=$(cd "$BUILD" && pwd)/tests/stand-in/cuda.so
program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
made=$TAP_TMP/made
# A name with a blank, as folders have that people unpack things in.
kit="$TAP_TMP/a folder/kit"
work=$TAP_TMP/work
mkdir "$TAP_TMP/a folder" "$work" "$TAP_TMP/few" "$TAP_TMP/driver" "$TAP_TMP/compiler"
ln -s "$stand_in" "$TAP_TMP/driver/libcuda.so.1"
ln -s "$stand_in" "$TAP_TMP/compiler/libnvrtc.so.13"

tap_ok 'make kit' make BUILD="$BUILD" CC="$CC" CFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS" KIT="$made/kit" KIT_FILE="$made/kit.tar.gz" KIT_ARCHITECTURES= kit
tap_is '... without cubins says what is needed then' "$(cat "$TAP_ERR")" \
    'make kit: without cubins, NVRTC is needed where the kit runs'
tar -C "$TAP_TMP/a folder" -xf "$made/kit.tar.gz"
tap_is '... the archive holds the folder' "$(cd "$kit" && find . | sort)" "$(cd "$made/kit" && find . | sort)"
rm -r "$made"

# What the campaign calls, and no compiler, no gnuplot, no git.
for tool in sh cat date dirname grep head ls mkdir rm rmdir sed tail uname; do
    ln -s "$(command -v "$tool")" "$TAP_TMP/few/$tool"
done

# bare VARIABLE=VALUE... COMMAND...: on such a machine.
bare() (
    cd "$work" && env -i PATH="$TAP_TMP/few" "$@"
)

# foreign FILE: the libraries that it loads from elsewhere, but for those of libc and of C++.
foreign() {
    LC_ALL=C ldd "$1" | sed -n 's/.* => \(\/.*\) (.*/\1/p' | grep -v -F "$kit/" |
        grep -v -e '/libc\.so' -e '/libm\.so' -e '/libstdc++\.so' -e '/libgcc_s\.so'
}
tap_is 'the program brings its libraries' "$(foreign "$kit/bin/pipesim")" ''
tap_is '... and what profiles needs libc alone' "$(foreign "$kit/lib/pipesim/libpipesim-cupti.so")" ''
tap_ok 'it runs' bare "$kit/pipesim" mmul08.idg --gpu pascal.xml
tap_like '... as ever' '7 608 491\.75' "$(cat "$TAP_OUT")"

# ---- on a model
tap_ok 'a campaign' bare "$kit/campaign" --backend model:v100.xml --grid reduced whole
tap_like '... tells the errors' '^\| saxpy \|' "$(cat "$TAP_OUT")"
tap_like '... and what it was made of' '^Commit: .' "$(cat "$work/whole/environment.txt")"

# A signal, as soon as something was measured.
cat >"$TAP_TMP/until" <<'END_OF_SCRIPT'
#!/bin/sh
shift
"$@" &
child=$!
while kill -0 "$child" 2>/dev/null && ! grep -q '^run' part/gpu.raw.csv 2>/dev/null; do :; done
kill -TERM "$child" 2>/dev/null
wait "$child"
END_OF_SCRIPT
chmod +x "$TAP_TMP/until"
ln -s "$TAP_TMP/until" "$TAP_TMP/few/timeout"
bare "$kit/campaign" --backend model:v100.xml --grid reduced part >"$TAP_OUT" 2>"$TAP_ERR"
if [ -e "$work/part/report.md" ]; then
    tap_skip 'a signal stops it' 'it was faster than the signal'
    rm "$work/part/report.md"
else
    tap_ok 'a signal stops it, and what was measured stays' [ -s "$work/part/gpu.raw.csv" ]
fi
rm "$TAP_TMP/few/timeout"
tap_ok '... goes on' bare "$kit/campaign" --backend model:v100.xml --grid reduced part
for file in gpu.raw.csv validation.raw.csv; do
    tap_is "... to the same $file" "$(grep '^run' "$work/part/$file")" "$(grep '^run' "$work/whole/$file")"
done

# ---- on a GPU
tap_exit 'without a driver' 1 bare "$kit/campaign" none
tap_like '... that is said' '^campaign: no GPU here: CUDA \(libcuda\.so\.1' "$(cat "$TAP_ERR")"
PIPESIM_DRIVERS=$TAP_TMP/compiler "$program" bench --precompile sm_75,sm_90 -o "$kit/cubins" >/dev/null
driver="PIPESIM_DRIVERS=$TAP_TMP/driver PIPESIM_STAND_IN=cycles=1024"
# shellcheck disable=SC2086 # they are words
{
    tap_ok 'with a driver and no NVRTC' bare $driver "$kit/campaign" --grid reduced gpu
    tap_like '... there is a report' '^\| saxpy \|' "$(cat "$TAP_OUT")"
    tap_like '... of the cubins that came with it' '^device,driver,.*cubins of NVRTC 13.0 for sm_90' "$(cat "$work/gpu/gpu.raw.csv")"
    rm "$kit/cubins/sm_90.cubins"
    tap_exit 'with cubins of another chip' 1 bare $driver "$kit/campaign" --backend cuda --grid reduced none
    tap_is '... and no NVRTC, both are said in one line' "$(cat "$TAP_ERR")" \
        "campaign: no GPU here: CUDA: the cubins in $kit/cubins are for sm_75; this GPU is sm_90, and CUDA: kernels cannot be compiled, for libnvrtc.so.13, libnvrtc.so.12, libnvrtc.so.11.2, libnvrtc.so was looked for and not found; NVRTC comes with the CUDA toolkit, and PIPESIM_DRIVERS can name its folder"
    tap_is '... and nothing is left behind' "$(find "$work" -name 'none*')" ''
    bare PIPESIM_DRIVERS="$TAP_TMP/driver:$TAP_TMP/compiler" "$kit/campaign" --grid reduced none >"$TAP_OUT" 2>"$TAP_ERR"
    tap_like '... with NVRTC, that compiles' "^== NVRTC compiles: CUDA: the cubins in .* are for sm_75; this GPU is sm_90" "$(cat "$TAP_OUT")"
}

# ---- a machine that is too old
printf '#!/bin/sh\necho "version GLIBC_9.99 not found" >&2\nexit 1\n' >"$kit/bin/pipesim"
tap_exit 'a program that does not start' 1 bare "$kit/campaign" never
tap_is '... says why' "$(cat "$TAP_ERR")" 'campaign: pipesim does not start here: version GLIBC_9.99 not found'
tap_done
