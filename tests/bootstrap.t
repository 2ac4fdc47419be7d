#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# What ./bootstrap says of what it does, and where it cannot help. The system is a stage: dpkg-query,
# apt-get, make and id in a folder of their own before all others, so that nothing is installed and
# nobody need be root.
. tests/tap.sh

stage=$TAP_TMP/stage
logs=$TAP_TMP/logs
mkdir "$stage" "$logs"

# put NAME LINE...: a program for the stage.
put() {
    name=$1
    shift
    printf '%s\n' '#!/bin/sh' "$@" >"$stage/$name"
    chmod +x "$stage/$name"
}

staged() {
    PATH=$stage:$PATH TMPDIR=$logs ./bootstrap "$@"
}

# shellcheck disable=SC2016 # it is the programs of the stage that expand these
{
put dpkg-query 'for last; do :; done' '[ "$last" != flex ] && echo installed'
put id 'echo 0'
put apt-get 'echo "apt-get $*" >>"$APT_LOG"' 'seq 1000' 'echo "E: no such luck" >&2' 'exit 100'
}
APT_LOG=$TAP_TMP/apt.log
export APT_LOG

tap_exit 'an unknown option' 2 ./bootstrap -j1
tap_is 'is named first' "$(head -n 1 "$TAP_ERR")" 'bootstrap: unknown option -j1'
tap_like 'then the usage is shown' '^Usage: ./bootstrap' "$(cat "$TAP_ERR")"
tap_exit 'an unknown group' 2 ./bootstrap --only nonsense
tap_like 'is named' "no group 'nonsense'" "$(cat "$TAP_ERR")"
tap_ok 'help is no error' ./bootstrap --help

tap_exit 'a package is missing, and apt-get fails' 1 staged --only build
tap_is 'the last line says what to do' "$(tail -n 1 "$TAP_ERR")" \
    'bootstrap: apt-get could not install what is missing (is there a network?). As root, run: apt-get update && apt-get install --no-install-recommends flex'
tap_like 'only what is missing was asked for' ' --no-install-recommends flex$' "$(cat "$APT_LOG")"
tap_like 'the end of what apt-get said is shown' '^    E: no such luck$' "$(cat "$TAP_ERR")"
tap_is '... and little more' "$(grep -c '^    ' "$TAP_ERR")" 30
log=$(sed -n 's/.*all that was said is in //p' "$TAP_ERR" | tail -n 1)
tap_is 'the log that is named has all of it' "$(wc -l <"$log" | tr -d ' ')" 1001

# shellcheck disable=SC2016 # as above
put apt-get 'echo "apt-get $*" >>"$APT_LOG"' 'seq 1000' 'seq 1000 >&2'
rm -r "$logs" && mkdir "$logs"
tap_ok 'apt-get does it' staged --only build
tap_is '... each step is a line' "$(cat "$TAP_ERR" "$TAP_OUT")" 'bootstrap: updating the lists of packages
bootstrap: installing flex'
tap_is '... and no log stays' "$(ls "$logs")" ''
put make 'seq 1000' 'echo "Error 1" >&2' 'exit 2'
tap_exit 'make fails' 1 staged
tap_like '... of which the end is shown' '^    Error 1$' "$(cat "$TAP_ERR")"
tap_like '... and the name of the log' "^bootstrap: that failed; all that was said is in $logs/" "$(tail -n 1 "$TAP_ERR")"
# shellcheck disable=SC2016 # as above
put make 'case $* in *-n*) seq 1000 | sed "s/.*/printf x/"; exit ;; esac' 'seq 400' \
    'looks=$(wc -l <"$LOOKS")' \
    'until [ $(($(wc -l <"$LOOKS") - looks)) -ge 3 ]; do /bin/sleep 0.1; done'
# make ends when its log was looked at after it had said all.
# shellcheck disable=SC2016 # as above
put sleep 'echo >>"$LOOKS"' 'exec /bin/sleep 0.1'
LOOKS=$TAP_TMP/looks
export LOOKS
: >"$LOOKS"
tap_ok 'make does it' staged
tap_like '... building says of how many steps' '^bootstrap: building the library and the program, 1000 steps$' "$(cat "$TAP_ERR")"
tap_like '... and how far it is' '^bootstrap: \.\.\. 400 of 1000 steps after [0-9]+ s$' "$(cat "$TAP_ERR")"
rm "$stage/make" "$stage/sleep"

rm "$APT_LOG"
tap_exit 'what is missing is told' 1 staged --check run build
tap_is '... with the command that installs it' "$(cat "$TAP_ERR" "$TAP_OUT")" \
    'bootstrap: not installed: flex. To install what is missing, run: ./bootstrap --only build'
tap_ok '... and nothing was installed' test ! -e "$APT_LOG"

# shellcheck disable=SC2016 # as above
put dpkg-query 'for last; do :; done' '[ "$last" != perl ] && echo installed'
put prove true
tap_exit 'make check says it of what tests need' 2 \
    env PATH="$stage:$PATH" make -j1 check BUILD="$TAP_TMP/build" BOOTSTRAP=./bootstrap
tap_like '... with the command, too' 'not installed: perl\. .* run: ./bootstrap --only test$' "$(cat "$TAP_ERR")"
tap_ok '... builds nothing' test ! -e "$TAP_TMP/build"
tap_ok '... and installs nothing' test ! -e "$APT_LOG"

# shellcheck disable=SC2016 # as above
put dpkg-query 'for last; do :; done' '[ "$last" != flex ] && echo installed'
put id 'echo 1000'
put sudo 'exit 1'
rm -f "$APT_LOG"
tap_exit 'sudo that refuses' 1 staged --only build
tap_like 'leads to the same last line' '^bootstrap: .*apt-get install .* flex$' \
    "$(tail -n 1 "$TAP_ERR")"

put dpkg-query 'echo installed'
tap_ok 'nothing is missing' staged --only build run
tap_is 'nothing is said' "$(cat "$TAP_ERR" "$TAP_OUT")" ''
tap_ok 'nor when that is asked' staged --check build run
tap_is '... is anything said' "$(cat "$TAP_ERR" "$TAP_OUT")" ''
tap_ok 'and apt-get is not asked' test ! -e "$APT_LOG"

# ---- nvdisasm: python3 makes a folder whose pip is a stand-in
XDG_DATA_HOME=$TAP_TMP/data
export XDG_DATA_HOME
sass=$XDG_DATA_HOME/pipesim/sass
python=$(command -v python3)
export python
# shellcheck disable=SC2016 # as above
put python3 '[ "$1" != - ] || exec "$python" "$@"' 'echo "$*" >>"$APT_LOG"' 'for last; do :; done' 'mkdir -p "$last/bin" "$last/lib"' 'cp "$PIP" "$last/bin/pip"'
PIP=$TAP_TMP/pip
export PIP
printf '%s\n' '#!/bin/sh' 'echo no such luck >&2' 'exit 1' >"$PIP"
chmod +x "$PIP"
tap_exit 'pip fails' 1 staged --only sass
tap_like '... its end is shown' '^    no such luck$' "$(cat "$TAP_ERR")"
tap_like '... the last line says what is lost' '^bootstrap: without nvdisasm PTX is executed' "$(tail -n 1 "$TAP_ERR")"
tap_ok '... and nothing is left' test ! -e "$sass"
printf '%s\n' '#!/bin/sh' ':' >"$PIP"
tap_exit 'pip gets something else' 1 staged --only sass
tap_ok '... of which nothing is left, too' test ! -e "$sass"
# shellcheck disable=SC2016 # as above
printf '%s\n' '#!/bin/sh' 'echo "pip $*" >>"$APT_LOG"' '[ "$1" = install ] || { echo no such luck >&2; exit 1; }' \
    'mkdir -p "${0%/bin/pip}/lib/a b/bin"' 'echo "#!/bin/sh" >"${0%/bin/pip}/lib/a b/bin/nvdisasm"' >"$PIP"
rm -f "$APT_LOG"
tap_exit 'pip does it, but for the older ones' 1 staged --only sass
tap_is '... by pip in a venv' "$(head -n 2 "$APT_LOG")" "-m venv $sass
pip install nvidia-cuda-nvdisasm"
tap_like '... of which is said what is lost' '^bootstrap: without them code for sm_75 stands for .* sm_70 and sm_72 are not read$' "$(tail -n 1 "$TAP_ERR")"
tap_ok '... and nothing of them is left' test ! -e "$sass/older"
tap_ok '... but the latest is' "$sass/bin/nvdisasm"
# shellcheck disable=SC2016 # as above
printf '%s\n' '#!/bin/sh' 'echo "pip $*" >>"$APT_LOG"' '[ "$1" = download ] || exit 1' \
    'mkdir -p "${0%/bin/pip}/older" && cp "$WHEEL" "${0%/bin/pip}/older/"' >"$sass/bin/pip"
WHEEL=$TAP_TMP/triton-3.4.0-any.whl
export WHEEL
mkdir -p "$TAP_TMP/triton/backends/nvidia/bin"
echo '#!/bin/sh' | tee "$TAP_TMP/triton/backends/nvidia/bin/nvdisasm" >"$TAP_TMP/triton/backends/nvidia/bin/ptxas"
(cd "$TAP_TMP" && "$python" -m zipfile -c "$WHEEL" triton)
rm -f "$APT_LOG"
tap_ok 'once more' staged --only sass
tap_is '... only what is missing is got' "$(cat "$TAP_ERR" "$TAP_OUT")" \
    'bootstrap: getting nvdisasm and ptxas of CUDA 12.8 there, for Volta, out of the package triton, 150 MB'
tap_is '... of one version of the package' "$(cat "$APT_LOG")" \
    "pip download --no-deps --only-binary=:all: --python-version 3.11 --dest $sass/older triton==3.4.0"
tap_is '... of which two programs are kept' "$(ls "$sass/older")" "$(printf 'nvdisasm\nptxas')"
tap_ok '... which run' "$sass/older/ptxas"
tap_ok '... and it is where pipesim looks for it' "$sass/bin/nvdisasm"
tap_like '... which its message says' "as $sass/bin/nvdisasm" \
    "$(env PATH=/nonexistent CUDA_HOME=/nonexistent XDG_DATA_HOME="$TAP_TMP/else" "$PIPESIM" build tests/sass/saxpy-80.cubin --grid 1 --block 1 --arg 0 --arg 0 --arg zero:4 --arg zero:4 2>&1 | sed "s|$TAP_TMP/else|$XDG_DATA_HOME|")"
tap_ok 'it is there' staged --only sass
tap_is '... of which nothing is said' "$(cat "$TAP_ERR" "$TAP_OUT")" ''
tap_done
