#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# The Python package against the library that was built: python/tests has what is tested.
. tests/tap.sh

python=$(command -v python3) || {
    echo '1..0 # SKIP python3 is not installed'
    exit 0
}
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))'; then
    echo '1..0 # SKIP python3 is older than 3.9'
    exit 0
fi
if [ -n "$PIPESIM_CHECKER" ]; then
    echo "1..0 # SKIP Python does not run under the checker"
    exit 0
fi
PIPESIM_LIBRARY=$(cd "$(dirname "$PIPESIM")" && pwd)/libpipesim.so.0
PYTHONPATH=$PWD/python
PYTHONDONTWRITEBYTECODE=1
export PIPESIM_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE PIPESIM

# The tests' own lines come first, and then what this script looks at.
"$python" python/tests/run.py >"$TAP_TMP/tests" || :
sed '/^1\.\./d' "$TAP_TMP/tests"
tap_count=$(sed -n 's/^1\.\.//p' "$TAP_TMP/tests")
tap_count=${tap_count:-0}
# shellcheck disable=SC2034 # tap_done looks at it
tap_failed=$(grep -c '^not ok' "$TAP_TMP/tests")
tap_ok 'some were run' [ "$tap_count" -gt 20 ]

# ---- what a wheel does with libraries
cat >"$TAP_TMP/older.py" <<'END'
import ctypes
import pathlib
import sys
sys.path.insert(0, "python")
import old_glibc
path = pathlib.Path(sys.argv[1])
elf = old_glibc.Elf(path.read_bytes())
elf.age()
path.write_bytes(elf.data)
print(elf.newest() <= old_glibc.OLDEST)
ctypes.CDLL(str(path))
END
cp "$PIPESIM_LIBRARY" "$TAP_TMP/older.so"
tap_ok 'a library that asks for an older glibc is loaded' "$python" "$TAP_TMP/older.py" "$TAP_TMP/older.so"
tap_is '... and asks for no newer one' "$(cat "$TAP_OUT")" True

# ---- the sources
find python -name '*.py' | LC_ALL=C sort >"$TAP_TMP/sources"
while read -r file; do
    tap_ok "$file compiles" "$python" -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 9))' "$file"
    tap_is '... in lines of at most 120 columns' "$(awk 'length > 120 { print FILENAME ":" FNR }' "$file")" ''
done <"$TAP_TMP/sources"
tap_is 'every file says its licence' "$(xargs grep -L 'SPDX-License-Identifier: BSD-3-Clause' <"$TAP_TMP/sources")" ''
tap_done
