#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# make bundle: on a machine with next to nothing, in another folder than it was made in, with the
# machine's libc and with its own; with stand-ins for CUDA's driver and NVRTC. tests/campaign.t has
# what campaigns do, tests/chroot/prove.sh runs it under an older libc.
. tests/tap.sh
unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that runs this test

stand_in=$(cd "$BUILD" && pwd)/tests/stand-in/cuda.so
program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
made=$TAP_TMP/made
# A name with a blank, as folders have that people unpack things in.
bundle="$TAP_TMP/a folder/moved here"
work=$TAP_TMP/work
corpus=$PWD/tests/corpus
mkdir "$TAP_TMP/a folder" "$work" "$TAP_TMP/few" "$TAP_TMP/driver" "$TAP_TMP/compiler"
ln -s "$stand_in" "$TAP_TMP/driver/libcuda.so.1"
ln -s "$stand_in" "$TAP_TMP/compiler/libnvrtc.so.13"

tap_ok 'make bundle' make BUILD="$BUILD" CC="$CC" CFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS" BUNDLE="$made/bundle" BUNDLE_ARCHITECTURES= bundle
tap_is '... without cubins says what is needed then' "$(cat "$TAP_ERR")" \
    'make bundle: without cubins, NVRTC is needed where a GPU is measured'
tar -C "$TAP_TMP/a folder" -xf "$made/bundle.tar.gz"
mv "$TAP_TMP/a folder/bundle" "$bundle"
tap_is '... the archive holds the folder' "$(cd "$bundle" && find . | sort)" "$(cd "$made/bundle" && find . | sort)"
rm -r "$made"
for file in share/man/man1/pipesim.1 share/bash-completion/completions/pipesim share/pipesim/pipesim.schema.json README.md LICENSE; do
    tap_ok "... with $file" [ -s "$bundle/$file" ]
done
tap_is '... and no link that leads out of it' "$(find "$bundle" -type l -lname '*/*')" ''

# What the campaign calls, and no compiler, no gnuplot, no git.
for tool in sh cat date dirname grep head ls mkdir readlink rm rmdir sed tail uname; do
    ln -s "$(command -v "$tool")" "$TAP_TMP/few/$tool"
done

# bare VARIABLE=VALUE... COMMAND...: on such a machine.
bare() (
    cd "$work" && env -i PATH="$TAP_TMP/few" "$@"
)

# foreign FILE: the libraries that it loads from elsewhere, but for those of libc and of C++.
foreign() {
    LC_ALL=C ldd "$1" | sed -n 's/.* => \(\/.*\) (.*/\1/p' | grep -v -F "$bundle/" |
        grep -v -e '/libc\.so' -e '/libm\.so' -e '/libdl\.so' -e '/libpthread\.so' -e '/libstdc++\.so' -e '/libgcc_s\.so'
}

# runs_bare WITH: what people do with a bundle, with that libc.
runs_bare() {
    tap_ok "$1: it runs" bare "$bundle/pipesim" mmul08.idg --gpu pascal.xml
    tap_like '... as ever' '7 608 492' "$(cat "$TAP_OUT")"
    tap_ok '... knows the GPUs' bare "$bundle/pipesim" list
    tap_like '... that come with it' '^  pascal  *GeForce GTX 1060 6GB ' "$(cat "$TAP_OUT")"
    tap_ok '... builds a graph of PTX' bare "$bundle/pipesim" build "$corpus/saxpy.ptx" --kernel saxpy --grid 5 --block 256 \
        --arg n=1200 --arg a=2.3 --arg "x=@$corpus/data/saxpy-x.bin" --arg "y=@$corpus/data/saxpy-y.bin" -o built.idg
    tap_ok '... and simulates it' bare "$bundle/pipesim" built.idg --gpu pascal
    tap_exit '... draws no chart without gnuplot' 1 bare "$bundle/pipesim" sweep saxpy --gpu pascal --vary active=1..2 --chart x.svg
    tap_is '... and says so' "$(cat "$TAP_ERR")" \
        'pipesim: a chart needs the program gnuplot, which is not installed (Debian'"'"'s package gnuplot-nox has it)'
}
runs_bare "the machine's libc"
tap_is 'the program brings its libraries' "$(foreign "$bundle/bin/pipesim")" ''
app=$TAP_TMP/app
tap_ok 'a whole program is linked with what came along, and runs' "$bundle/pipesim" program --gpu a100 -o "$TAP_TMP/launches" \
    --build "$CC -std=c11 -D_POSIX_C_SOURCE=200809L -I. -o '$app' tests/program/driver-api.c -lcuda" -- "$app" run
tap_is '... right' "$(cat "$TAP_OUT")" 'ok 103 timed'
ln -s "$bundle/pipesim" "$TAP_TMP/few/pipesim"
tap_ok '... and is found through a link in PATH' bare pipesim list

# Of an older libc the program would not start: here, because it may not.
chmod a-x "$bundle/bin/pipesim"
runs_bare 'its own libc'
tap_is '... loads nothing of the machine' \
    "$("$bundle/bin/ld-linux-x86-64.so.2" --library-path "$bundle/lib/libc" --list "$bundle/bin/pipesim" |
        grep -v -F "$bundle/" | grep -v 'linux-vdso')" ''
tap_ok '... nor does what the campaign calls' bare "$bundle/campaign" --backend model:v100.xml --grid reduced own
tap_like '... whose report tells the errors' '^\| saxpy \|' "$(cat "$TAP_OUT")"
chmod a+x "$bundle/bin/pipesim"

# What goes into other people's programs takes their libc, of 2018 (2.28) or newer.
newest=$(readelf -V "$bundle/lib/pipesim/libpipesim-cupti.so" | sed -n 's/.*Name: GLIBC_\([0-9.]*\) .*/\1/p' | sort -V | tail -n 1)
tap_is "what profiles needs libc alone" "$(foreign "$bundle/lib/pipesim/libpipesim-cupti.so")" ''
tap_is "... of 2.28 or older: $newest" "$(printf '%s\n' "$newest" 2.28 | sort -V | tail -n 1)" 2.28
tap_is '... and loads with all that it asks for' "$(LC_ALL=C ldd -r "$bundle/lib/pipesim/libpipesim-cupti.so" 2>&1 | grep -i -e undefined -e 'not found')" ''

# ---- on a model
tap_ok 'a campaign' bare "$bundle/campaign" --backend model:v100.xml --grid reduced whole
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
bare "$bundle/campaign" --backend model:v100.xml --grid reduced part >"$TAP_OUT" 2>"$TAP_ERR"
if [ -e "$work/part/report.md" ]; then
    tap_skip 'a signal stops it' 'it was faster than the signal'
    rm "$work/part/report.md"
else
    tap_ok 'a signal stops it, and what was measured stays' [ -s "$work/part/gpu.raw.csv" ]
fi
rm "$TAP_TMP/few/timeout"
tap_ok '... goes on' bare "$bundle/campaign" --backend model:v100.xml --grid reduced part
for file in gpu.raw.csv validation.raw.csv; do
    tap_is "... to the same $file" "$(grep '^run' "$work/part/$file")" "$(grep '^run' "$work/whole/$file")"
done

# ---- on a GPU
tap_exit 'without a driver' 1 bare "$bundle/campaign" none
tap_like '... that is said' '^campaign: no GPU here: CUDA \(libcuda\.so\.1' "$(cat "$TAP_ERR")"
PIPESIM_DRIVERS=$TAP_TMP/compiler "$program" bench --precompile sm_75,sm_90 -o "$bundle/cubins" >/dev/null
driver="PIPESIM_DRIVERS=$TAP_TMP/driver PIPESIM_STAND_IN=cycles=1024"
# shellcheck disable=SC2086 # they are words
{
    tap_ok 'with a driver and no NVRTC' bare $driver "$bundle/campaign" --grid reduced gpu
    tap_like '... there is a report' '^\| saxpy \|' "$(cat "$TAP_OUT")"
    tap_like '... of the cubins that came with it' '^device,driver,.*cubins of NVRTC 13.0 for sm_90' "$(cat "$work/gpu/gpu.raw.csv")"
    rm "$bundle/cubins/sm_90.cubins"
    tap_exit 'with cubins of another chip' 1 bare $driver "$bundle/campaign" --backend cuda --grid reduced none
    tap_is '... and no NVRTC, both are said in one line' "$(cat "$TAP_ERR")" \
        "campaign: no GPU here: CUDA: the cubins in $bundle/cubins are for sm_75; this GPU is sm_90, and CUDA: kernels cannot be compiled, for libnvrtc.so.13, libnvrtc.so.12, libnvrtc.so.11.2, libnvrtc.so was looked for and not found; NVRTC comes with the CUDA toolkit, and PIPESIM_DRIVERS can name its folder"
    tap_is '... and nothing is left behind' "$(find "$work" -name 'none*')" ''
    bare PIPESIM_DRIVERS="$TAP_TMP/driver:$TAP_TMP/compiler" "$bundle/campaign" --grid reduced none >"$TAP_OUT" 2>"$TAP_ERR"
    tap_like '... with NVRTC, that compiles' "^== NVRTC compiles: CUDA: the cubins in .* are for sm_75; this GPU is sm_90" "$(cat "$TAP_OUT")"
}

# ---- a program that starts with neither libc
printf '#!/bin/sh\necho "version GLIBC_9.99 not found" >&2\nexit 1\n' >"$bundle/bin/pipesim"
printf '#!/bin/sh\necho "FATAL: kernel too old" >&2\nexit 1\n' >"$bundle/bin/ld-linux-x86-64.so.2"
tap_exit 'a program that does not start' 1 bare "$bundle/campaign" never
tap_is '... says why' "$(cat "$TAP_ERR")" 'campaign: pipesim does not start here: FATAL: kernel too old'
tap_done
