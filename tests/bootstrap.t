#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What ./bootstrap says where it cannot help. The system is a stage: dpkg-query, apt-get and id in a
# folder of their own before all others, so that nothing is installed and nobody need be root.
. tests/tap.sh

stage=$TAP_TMP/stage
mkdir "$stage"

# put NAME LINE...: a program for the stage.
put() {
    name=$1
    shift
    printf '%s\n' '#!/bin/sh' "$@" >"$stage/$name"
    chmod +x "$stage/$name"
}

staged() {
    PATH=$stage:$PATH ./bootstrap "$@"
}

# shellcheck disable=SC2016 # it is the programs of the stage that expand these
{
put dpkg-query 'for last; do :; done' '[ "$last" != flex ] && echo installed'
put id 'echo 0'
put apt-get 'echo "apt-get $*" >>"$APT_LOG"' 'echo "E: many lines" >&2' 'exit 100'
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

put id 'echo 1000'
put sudo 'exit 1'
rm "$APT_LOG"
tap_exit 'sudo that refuses' 1 staged --only build
tap_like 'leads to the same last line' '^bootstrap: .*apt-get install .* flex$' \
    "$(tail -n 1 "$TAP_ERR")"

put dpkg-query 'echo installed'
tap_ok 'nothing is missing' staged --only build run
tap_is 'nothing is said' "$(cat "$TAP_ERR" "$TAP_OUT")" ''
tap_ok 'and apt-get is not asked' test ! -e "$APT_LOG"
tap_done
