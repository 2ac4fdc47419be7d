#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Proves what README.md says of a checkout on a bare Debian 12, the Debian packages there, and the bundle
# on a bare Debian 11, which is the oldest that mirrors have:
#
#     tests/chroot/prove.sh [--worktree] FOLDER [MIRROR]
#
# makes a minimal Debian 12 in FOLDER/root, and a Debian 11 in FOLDER/old (kept and used again as
# they are if FOLDER/base.tar and old.tar are there: every run unpacks them afresh), copies the
# committed tree into the first (--worktree: the files as they lie here), and runs in it
#
#   1. ./bootstrap on the bare system without a network: a clear message at the end, exit status 1
#   2. ./bootstrap && ./pipesim mmul08.idg --gpu pascal.xml
#   3. make check, which installs nothing, then ./bootstrap --only test && make check
#   4. both again without a network: they must succeed and leave dpkg's and apt's state as it is
#   5. both again in a fresh copy of the tree, without a network, as a user who has no sudo
#   6. make bundle, whose archive is unpacked on the Debian 11, and runs there, without a network, as
#      a user without rights: with its own libc, which is newer
#   7. dpkg-buildpackage without a network, and lintian, which must find nothing; the packages are
#      installed on the bare system, and pipesim and a C program with the library run
#
# No locale is set there, and /sys is not mounted.
#
# Needs root, debootstrap (./bootstrap --only proof) and git. MIRROR is a Debian mirror; without it
# the one that this machine's apt uses, else debootstrap's own. What this machine's apt needs to
# reach it (proxy, names) is taken along. Not a part of make check.
set -euo pipefail

main_command='./bootstrap && ./pipesim mmul08.idg --gpu pascal.xml'

say() {
    printf '\n==== %s\n' "$*"
}

die() {
    echo "prove.sh: $*" >&2
    exit 1
}

# The mirror that apt fetches bookworm's packages from, if it knows one.
host_mirror() {
    # shellcheck disable=SC2016 # apt's placeholder
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' \
        2>/dev/null | head -n 1
}

# in_root [--offline] [--user] COMMAND: runs it in the user's folder, in a mount namespace of its own
# with /proc, so that nothing stays mounted; --offline in a network namespace without a network.
in_root() {
    local spaces=(--mount) user=root
    while [[ $1 == --* ]]; do
        case $1 in
        --offline) spaces+=(--net) ;;
        --user) user=guest ;;
        esac
        shift
    done
    # shellcheck disable=SC2016 # for the inner shell
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp \
        unshare "${spaces[@]}" sh -c 'mount -t proc proc "$1/proc" && exec chroot --userspec="$2" "$1" sh -c "$3"' \
        - "$root" "$user" "cd /src/$user && $1" </dev/null
}

# make_root NAME SUITE: a bare system in $root, made once as NAME.tar, unpacked every time.
make_root() {
    rm -rf --one-file-system "$root"
    if [[ ! -e $folder/$1.tar ]]; then
        debootstrap --variant=minbase "$2" "$root" ${mirror:+"$mirror"}
        tar -C "$root" -cf "$folder/$1.tar.new" .
        mv "$folder/$1.tar.new" "$folder/$1.tar"
        rm -rf --one-file-system "$root"
    fi
    mkdir -p "$root"
    tar -C "$root" -xf "$folder/$1.tar"
    chroot "$root" useradd --no-create-home guest
    mkdir -p "$root/src/root" "$root/src/guest"
    chroot "$root" chown guest: /src/guest
}

# What apt of this machine is told about how to fetch, and how names are found here.
copy_network() {
    apt-config dump --format '%F "%v";%n' Acquire::http Acquire::https Acquire::Check-Valid-Until \
        Acquire::Check-Date >"$root/etc/apt/apt.conf.d/99network"
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
}

# A copy of the tree for a user of the chroot.
copy_tree() {
    if [[ $worktree ]]; then
        git ls-files -z --cached --others --exclude-standard |
            tar --null --files-from=- --ignore-failed-read -cf - | tar -C "$root/src/$1" -xf -
    else
        git archive HEAD | tar -C "$root/src/$1" -xf -
    fi
    chroot "$root" chown -R "$1:" "/src/$1"
}

# What bootstrap could have changed of the system.
system_state() {
    (cd "$root" && sha256sum var/lib/dpkg/status && find usr etc var/lib/apt var/cache/apt -printf '%p %T@\n' |
        sort | sha256sum)
}

worktree=
if [[ ${1-} == --worktree ]]; then
    worktree=yes
    shift
fi
[[ $# -eq 1 || $# -eq 2 ]] || die "usage: tests/chroot/prove.sh [--worktree] FOLDER [MIRROR]"
[[ $(id -u) -eq 0 ]] || die "debootstrap and chroot need root"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
root=$folder/root
mirror=${2-$(host_mirror)}
cd "$(dirname "$0")/../.."

# Before anything else, since somebody may go on committing.
commit=$(git log -1 --format=%h 2>/dev/null || echo 'no commit')
say "a bare Debian 12 in $root"
make_root base bookworm
copy_network
copy_tree root
copy_tree guest
echo "packages installed: $(chroot "$root" dpkg-query -W | wc -l)"
for tool in make cc pkg-config sudo; do
    chroot "$root" sh -c "command -v $tool" && die "$tool is there: not bare"
done

[[ -z $(ls -A "$root/sys") ]] || die "/sys is mounted"

say "1. no network: a message at the end"
status=0
in_root --offline ./bootstrap || status=$?
[[ $status -eq 1 ]] || die "exit status $status, expected 1"

say "2. $main_command"
in_root "$main_command"

say "3. make check"
before=$(system_state)
in_root 'make check' && die "make check passes without what it needs"
[[ $(system_state) == "$before" ]] || die "make check installs unasked"
in_root './bootstrap --only test && make check'

say "4. both again without a network"
before=$(system_state)
in_root --offline "$main_command && make check"
[[ $(system_state) == "$before" ]] || die "the system is not as it was"

say "5. a fresh tree, without a network, without root"
in_root --offline --user "$main_command && make check"
[[ $(system_state) == "$before" ]] || die "the system is not as it was"

# The answer that a bundle and a package must give, too.
answer='pipesim mmul08.idg --gpu pascal.xml | grep -F "7 608 492 cycles"'

say "6. make bundle, and the bundle on a bare Debian 11"
in_root --offline 'make bundle'
bookworm=$root
root=$folder/old
make_root old bullseye
tar -C "$root/src/guest" --no-same-owner -xzf "$bookworm"/src/root/build/pipesim-*.tar.gz
mv "$root"/src/guest/pipesim-* "$root/src/guest/a folder"
in_root --offline --user '"a folder/bin/pipesim" --version' 2>/dev/null && die "its libc is no older than the bundle's"
in_root --offline --user "./a\\ folder/$answer"
in_root --offline --user '"a folder/pipesim" list >list && grep -q "^  h100 " list'
in_root --offline --user '"a folder/campaign" --backend model:v100 --grid reduced campaign && test -s campaign/report.md'
[[ -z $(find "$root/src/guest" -newer "$root/src/guest/list" -path '*a folder*') ]] || die "it writes into its own folder"

say "7. the Debian packages"
root=$bookworm
in_root './bootstrap --only debian'
in_root --offline 'dpkg-buildpackage -us -uc && lintian -I --pedantic --fail-on error,warning,info,pedantic ../*.changes'
packages=$(mktemp -d)
cp "$root"/src/*.deb "$packages"
make_root base bookworm
copy_network
copy_tree root
rm "$packages"/*-dbgsym_*
cp "$packages"/*.deb "$root/src/"
rm -r "$packages"
in_root 'apt-get update && apt-get install -y --no-install-recommends ../*.deb gcc libc6-dev pkgconf'
in_root --offline --user "$answer"
# shellcheck disable=SC2016 # for the inner shell
in_root --offline 'gcc -o /tmp/example tests/install/example.c $(pkg-config --cflags --libs pipesim) &&
    /tmp/example /usr/share/pipesim/graphs/mmul08.idg /usr/share/pipesim/gpus/pascal.xml | grep -F 7608491.75'

say "proven: $commit${worktree:+ and the files as they lie}"
