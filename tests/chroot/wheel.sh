#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Proves the wheel on a bare Debian 11, which has glibc 2.31, Python 3.9, and neither compiler nor network:
#
#     tests/chroot/wheel.sh FOLDER WHEEL [MIRROR]
#
# makes a minimal Debian 11 with Python in FOLDER/wheel (kept as wheel.tar, and used again), and there, as a user
# without rights, installs the wheel, runs the first command of README.md, both within a minute, binds every symbol of
# all its libraries, and runs the package's tests.
#
# Needs root and debootstrap (./bootstrap --only proof). Not a part of make check.
set -euo pipefail

die() {
    echo "wheel.sh: $*" >&2
    exit 1
}

[[ $# -eq 2 || $# -eq 3 ]] || die "usage: tests/chroot/wheel.sh FOLDER WHEEL [MIRROR]"
[[ $(id -u) -eq 0 ]] || die "debootstrap and chroot need root"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
wheel=$(realpath "$2")
root=$folder/wheel
cd "$(dirname "$0")/../.."

rm -rf --one-file-system "$root"
if [[ ! -e $folder/wheel.tar ]]; then
    debootstrap --variant=minbase --include=python3,python3-venv bullseye "$root" ${3:+"$3"}
    tar -C "$root" -cf "$folder/wheel.tar.new" .
    mv "$folder/wheel.tar.new" "$folder/wheel.tar"
    rm -rf --one-file-system "$root"
fi
mkdir -p "$root"
tar -C "$root" -xf "$folder/wheel.tar"
for tool in cc gcc make; do
    chroot "$root" sh -c "command -v $tool" && die "$tool is there: not bare"
done
chroot "$root" useradd --create-home guest
cp "$wheel" "$root/home/guest"
git archive HEAD python docs gpus graphs tests | tar -C "$root/home/guest" -xf -
rm -r "$root/home/guest/python/pipesim" # the wheel's is what is tested
chroot "$root" chown -R guest: /home/guest

cat >"$root/home/guest/prove" <<'END'
set -e
ldd --version | head -n 1
python3 --version
python3 -m venv fresh
begun=$(date +%s)
fresh/bin/pip install --quiet --no-index pipesim-*.whl
fresh/bin/pipesim mmul08.idg --gpu pascal.xml | grep -F '7 608 492 cycles'
took=$(($(date +%s) - begun))
echo "installed and answered in $took s"
[ "$took" -lt 60 ]
LD_BIND_NOW=1 fresh/bin/pipesim list >/dev/null
PIPESIM=$PWD/fresh/bin/pipesim fresh/bin/python python/tests/run.py
END
# shellcheck disable=SC2016 # for the inner shell
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin unshare --mount --net sh -c 'mount -t proc proc "$1/proc" &&
    mount -t tmpfs tmpfs "$1/dev/shm" && chroot --userspec=guest "$1" env HOME=/home/guest sh -c "cd && sh prove"' - "$root"
echo "proven: $(basename "$wheel")"
