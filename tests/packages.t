#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# The recipes of packaging/: each names what building needs, and their steps give a program that runs where they put it.
. tests/tap.sh

# ---- what building needs, by the recipes' names of it
while read -r package spack conda; do
    tap_like "packages.txt needs $package" "^build +$package " "$(cat packages.txt)"
    tap_ok "... Spack's $spack" grep -q "depends_on(\"$spack\"" packaging/spack/package.py
    tap_ok "... conda's $conda" grep -q "^    - $conda\$" packaging/conda/recipe.yaml
done <<END_OF_NAMES
make gmake make
pkgconf pkgconfig pkg-config
flex flex flex
bison bison bison
libglib2.0-dev glib glib
libxml2-dev libxml2 libxml2-devel
libelf-dev elfutils elfutils
libsqlite3-dev sqlite libsqlite
zlib1g-dev zlib-api zlib
END_OF_NAMES
tap_is 'packages.txt has no more of them' "$(grep -c '^build ' packages.txt)" 11
version=$("$PIPESIM" --version | cut -d ' ' -f 2)
tap_like "Spack's version" "version\\(\"$version\"\\)" "$(cat packaging/spack/package.py)"
tap_like "conda's version" "version: \"$version\"" "$(cat packaging/conda/recipe.yaml)"
if command -v python3 >/dev/null; then
    tap_ok "Spack's recipe is Python" python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' \
        packaging/spack/package.py
fi

# ---- the steps: with a prefix, and with a folder in front of it
unset MAKEFLAGS MFLAGS MAKELEVEL
tap_ok 'make install with a prefix' make BUILD="$BUILD" CC="$CC" CFLAGS="$CFLAGS" PREFIX="$TAP_TMP/prefix" install
# shellcheck disable=SC2016 # it is the inner shell's
tap_ok 'the program runs there' env -u PIPESIM_PATH sh -c 'cd / && "$0" mmul08.idg --gpu pascal.xml' "$TAP_TMP/prefix/bin/pipesim"
tap_is '... and answers as ever' "$(cat "$TAP_OUT")" "$("$PIPESIM" mmul08.idg --gpu pascal.xml)"
tap_ok 'make install below a folder' make BUILD="$BUILD" CC="$CC" CFLAGS="$CFLAGS" PREFIX=/usr/local DESTDIR="$TAP_TMP/out" install
tap_is '... has the program' "$(find "$TAP_TMP/out" -name pipesim -type f -perm -100)" "$TAP_TMP/out/usr/local/bin/pipesim"
needed=$(LC_ALL=C readelf -d "$TAP_TMP/prefix/bin/pipesim" "$TAP_TMP"/prefix/lib/libpipesim.so.0 2>/dev/null |
    sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v -e '^libc\.' -e '^libm\.' -e '^ld-linux' -e '^libpipesim' | LC_ALL=C sort -u | tr '\n' ' ')
tap_is 'the container gets the libraries that are needed' "$needed" \
    'libelf.so.1 libglib-2.0.so.0 libsqlite3.so.0 libxml2.so.2 libz.so.1 '
tap_like '... by these packages' 'recommends libglib2\.0-0 libxml2 libelf1 libsqlite3-0 zlib1g &&' "$(cat packaging/Containerfile)"
tap_done
