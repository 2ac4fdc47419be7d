#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds each recipe of packaging/ with its own tool, from the archive of a release, and asks what came out:
#
#     tests/chroot/packages.sh FOLDER [MIRROR]
#
#   - Containerfile: buildah, and debootstrap for the image that it begins with
#   - conda: rattler-build, of Python's package py-rattler-build; what the recipe needs is an empty package of that
#     name in a channel of its own, since Debian's packages are what the compiler finds
#   - Spack: SPACK is a checkout of it, 0.23 or later (SPACK_PYTHON a Python with clingo). For 1.0 and later
#     SPACK_PACKAGES is one of its recipes, and SPACK_SOURCES a mirror's folder with the archive of its compiler-wrapper
#     where that cannot be downloaded. What the recipe needs is Debian's, too
#
# A tool that is not there is named, and the exit status is 1. Debian's packages are built by prove.sh. Needs root.
# Not a part of make check.
set -euo pipefail

[[ $# -eq 1 || $# -eq 2 ]] || {
    echo 'usage: tests/chroot/packages.sh FOLDER [MIRROR]' >&2
    exit 1
}
mkdir -p "$1"
folder=$(cd "$1" && pwd)
mirror=${2-}
cd "$(dirname "$0")/../.."
here=$PWD
version=$(sed -n 's/^    version("\(.*\)")$/\1/p' packaging/spack/package.py)
release=pipesim-$version
missing=
question=(mmul08.idg --gpu pascal.xml)

say() {
    printf '\n==== %s\n' "$*"
}

# lacks TOOL: it is named, and at the end the exit status is 1.
lacks() {
    echo "packages.sh: there is no $1"
    missing=yes
}

# answers COMMAND...: the program that was built gives the answer that it must.
answers() {
    "$@" "${question[@]}" | grep -F '7 608 492 cycles'
}

# A tree of the release, as somebody unpacks it.
unpack() {
    rm -rf "${folder:?}/$1"
    mkdir "$folder/$1"
    tar -C "$folder/$1" -xzf "$folder/$release.tar.gz"
}

say "the archive"
git archive --prefix="$release/" HEAD | gzip -n >"$folder/$release.tar.gz"
ls -l "$folder/$release.tar.gz"

say "the container"
if command -v buildah >/dev/null && command -v debootstrap >/dev/null; then
    if [[ ! -e $folder/base.tar ]]; then
        debootstrap --variant=minbase bookworm "$folder/base" ${mirror:+"$mirror"}
        tar -C "$folder/base" -cf "$folder/base.tar" .
        rm -rf --one-file-system "$folder/base"
    fi
    base=$(buildah from scratch)
    buildah add --quiet "$base" "$folder/base.tar"
    buildah commit --quiet --rm "$base" localhost/debian:12
    unpack container
    (cd "$folder/container/$release" && buildah build --isolation chroot --pull-never --network host \
        --file packaging/Containerfile --tag localhost/pipesim .)
    made=$(buildah from --pull-never localhost/pipesim)
    answers buildah run --isolation chroot "$made" pipesim
    buildah rm "$made" >/dev/null
else
    lacks 'buildah, or no debootstrap'
fi

say "conda"
if python3 -c 'import rattler_build' 2>/dev/null; then
    unpack conda
    rm -rf "$folder/channel" "$folder/output"
    # shellcheck disable=SC2046 # they are words
    python3 tests/chroot/channel.py "$folder/channel" gcc_linux-64 \
        $(sed -n '/^requirements:/,/^tests:/ s/^    - \([a-z][a-z0-9-]*\)$/\1/p' packaging/conda/recipe.yaml)
    # The package's own test asks the program.
    python3 - "$folder/conda/$release/packaging/conda/recipe.yaml" "file://$folder/channel" "$folder/output" <<'END'
import sys
from rattler_build import Stage0Recipe, ToolConfiguration, VariantConfig
recipe, channel, output = sys.argv[1:]
for built in Stage0Recipe.from_file(recipe).run_build(
        VariantConfig({"c_compiler": ["gcc"]}), ToolConfiguration(test_strategy="native"), output, [channel]):
    print(*built.packages)
END
    ls -l "$folder"/output/linux-64/"$release"-*
else
    lacks 'rattler_build of Python'
fi

say "Spack"
if [[ -x ${SPACK-}/bin/spack ]]; then
    export SPACK_USER_CONFIG_PATH=$folder/spack/config SPACK_USER_CACHE_PATH=$folder/spack/cache
    rm -rf "$folder/spack"
    mkdir -p "$folder/spack/config" "$folder/spack/mirror/pipesim"
    cp "$folder/$release.tar.gz" "$folder/spack/mirror/pipesim"
    [[ ! ${SPACK_SOURCES-} ]] || cp -r "$SPACK_SOURCES/." "$folder/spack/mirror"
    # From 1.0 on a repository is a package of Python, and the recipes that come with Spack are a checkout of their own.
    repository=$folder/spack/repo
    api=
    if [[ $("$SPACK/bin/spack" --version) != 0.* ]]; then
        repository=$folder/spack/repo/spack_repo/release
        api=', api: v2.0'
        echo "repos: {'builtin:': '$(realpath "${SPACK_PACKAGES:?names a checkout of them}")/repos/spack_repo/builtin'}" \
            >"$folder/spack/config/repos.yaml"
    fi
    mkdir -p "$repository/packages/pipesim"
    echo "repo: {namespace: release$api}" >"$repository/repo.yaml"
    cp packaging/spack/package.py "$repository/packages/pipesim"
    {
        echo 'packages:'
        printf '  %s: {buildable: true}\n' pipesim gcc-runtime compiler-wrapper
        echo '  all: {buildable: false}'
        while read -r name package; do
            has=$(dpkg-query -W -f '${Version}' "$package" | sed 's/^[0-9]*://; s/[+-].*//; s/\.dfsg//')
            echo "  $name: {buildable: false, externals: [{spec: '$name@$has', prefix: /usr}]}"
        done <<'END'
gmake make
pkgconf pkgconf
flex flex
bison bison
glib libglib2.0-dev
libxml2 libxml2-dev
elfutils libelf-dev
sqlite libsqlite3-dev
zlib zlib1g-dev
END
    } >"$folder/spack/config/packages.yaml"
    printf 'config: {install_tree: {root: %s}}\n' "$folder/spack/opt" >"$folder/spack/config/config.yaml"
    "$SPACK/bin/spack" compiler find
    "$SPACK/bin/spack" repo add "$repository"
    "$SPACK/bin/spack" mirror add release "file://$folder/spack/mirror"
    "$SPACK/bin/spack" install --no-checksum pipesim
    answers "$("$SPACK/bin/spack" location -i pipesim)/bin/pipesim"
else
    lacks 'checkout of Spack, which SPACK names'
fi

cd "$here"
[[ ! $missing ]] || exit 1
say "built: $release of $(git log -1 --format=%h)"
