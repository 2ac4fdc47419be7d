#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compile.sh [FOLDER]: the machine code beside this script anew, which ptxas, which must be on PATH, makes of the chains of
# `pipesim bench --backend compiler:ARCH`, and what that says of it. Tests need no ptxas. From the root of the repository.
set -eu
out=${1:-tests/compiler}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ptxas" <<END
#!/bin/sh
'$(command -v ptxas)' "\$@" || exit
for word; do
    [ "\$before" != -o ] || cp "\$word" '$folder/cubin'
    before=\$word
done
END
chmod +x "$folder/ptxas"

for arch in sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120; do
    PATH=$folder:$PATH "${PIPESIM:-./pipesim}" bench --backend "compiler:$arch" -o "$folder/family.xml" --force >"$folder/report"
    gzip -9n <"$folder/cubin" >"$out/$arch.cubin.gz"
    grep -v '^Family' "$folder/report" >"$out/$arch.txt"
    cp "$folder/family.xml" "$out/$arch.xml"
done
