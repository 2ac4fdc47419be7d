#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# Two GPUs side by side: what is the same, what differs and by which factor, what only one has, and where each figure
# is from.
. tests/tap.sh

# A: warps of 32, a pipeline for each of four schedulers. B: warps of 64, one for the compute unit.
cat >"$TAP_TMP/a.xml" <<'END_A'
<gpu xmlns="urn:pipesim:gpu:1" version="1" name="Alpha" vendor="One" architecture="First">
  <source id="s" kind="vendor">Of Alpha.</source>
  <source id="t" kind="assumed">A guess.</source>
  <chip compute-units="10" warp-size="32" schedulers="4" clock="1000" source="s"/>
  <limits warps="48" groups="16" register-unit="256" source="s"/>
  <pipeline name="alu" per="scheduler" source="s"/>
  <pipeline name="global" source="s"/>
  <memory pipeline="global" request="2" source="s">
    <level name="l1" bytes="32768" port="64" latency="30" source="s"/>
    <level name="l2" bytes="1048576" port="64" bandwidth="1000" latency="200" at="1000" source="s"/>
    <level name="device" bandwidth="500" latency="500" at="1000" source="s"/>
  </memory>
  <class name="fadd" pipeline="alu" issue="1" completion="4" source="s"/>
  <class name="fmadd" pipeline="alu" issue="2" completion="4" source="s"/>
  <overheads kernel-launch="0" source="t"/>
</gpu>
END_A
cat >"$TAP_TMP/b.xml" <<'END_B'
<gpu xmlns="urn:pipesim:gpu:1" version="1" name="Beta">
  <source id="u" kind="measured">Of Beta.</source>
  <chip compute-units="25" warp-size="64" clock="2000" boost-clock="2100" source="u"/>
  <limits warps="48" source="u"/>
  <pipeline name="alu" source="u"/>
  <pipeline name="global" source="u"/>
  <memory pipeline="global" request="2" source="u">
    <level name="l1" bytes="32768" port="64" latency="30" source="u"/>
    <level name="l2" bytes="1048576" port="64" bandwidth="1000" latency="200" at="2000" source="u"/>
    <level name="l3" bytes="4194304" bandwidth="800" latency="600" at="2000" source="u"/>
    <level name="device" bandwidth="600" latency="800" source="u"/>
  </memory>
  <class name="fadd" pipeline="alu" issue="0.5" completion="4" source="u"/>
  <class name="tensor" pipeline="alu" issue="16" completion="40" source="u"/>
  <class name="fmadd" pipeline="alu" issue="2" completion="6" source="u"/>
  <overheads kernel-launch="1.5" source="u"/>
</gpu>
END_B

tap_ok 'two GPUs side by side' "$PIPESIM" show "$TAP_TMP/a.xml" "$TAP_TMP/b.xml"
shown=$(cat "$TAP_OUT")
# row PATTERN: a line has these columns, from the name on.
row() {
    tap_like "$1" "^  $(echo "$1" | sed 's/|/ +/g; s/^ *//')\$" "$shown"
}
tap_like 'A is the first' "^A  Alpha, First, One; .*a\\.xml\$" "$shown"
tap_like '... B the second' "^B  Beta; .*b\\.xml\$" "$shown"
row 'compute units|10|25|2\.500'
row 'base clock|1000|2000|2\.000|MHz'
row 'boost clock|-|2100|-|MHz'
row 'schedulers per CU|4|-|-'
row 'warps|48|48|=|per CU'
row 'registers in units of|256|-|-|per warp'
row 'l1, latency|30|30|=|cycles'
row 'l2, latency|200 at 1000 MHz|200 at 2000 MHz|0\.5000|cycles'
row 'device, latency|500 at 1000 MHz|800|differs|cycles'
row 'alu|each scheduler|the CU|differs'
row 'B_mem|500\.0|600\.0|1\.200|GB/s'
row 'launch of a kernel|0|1\.5|differs|microseconds'
tap_is 'rates of classes are those of a compute unit, and none of a class is lost' \
    "$(echo "$shown" | sed -n '/per cycle and CU/,/^$/p' | sed 's/  */ /g')" \
    "$(printf '%s\n' 'Instruction classes: instructions of threads per cycle and CU' ' A B B / A' ' fadd 128.0 128.0 =' \
        ' tensor - 4.000 -' ' fmadd 64.00 32.00 0.5000' ' memory 12.50 3.000 0.2400' ' global 12.50 3.000 0.2400' ' atomic 12.50 3.000 0.2400')"
row 'fmadd|4\.000|6\.000|1\.500'
tap_is 'a level that only B has stands where it belongs' \
    "$(echo "$shown" | sed -n 's/^  \(l[0-9]\|device\), latency.*/\1/p' | tr '\n' ' ')" 'l1 l2 l3 device '
tap_is 'sources are not shown' "$(echo "$shown" | grep -c 'ource\|ASSUMED')" 0
tap_ok 'but on demand' "$PIPESIM" show "$TAP_TMP/a.xml" "$TAP_TMP/b.xml" --sources
shown=$(cat "$TAP_OUT")
row 'compute units|10|25|2\.500|vendor \(s\)|measured \(u\)'
row 'launch of a kernel|0|1\.5|differs|microseconds|ASSUMED \(t\)|measured \(u\)'
tap_like '... with their texts' '^  - t, assumed: A guess\.$' "$shown"
tap_like '... of both' '^  - u, measured: Of Beta\.$' "$shown"
tap_ok 'a GPU beside itself' "$PIPESIM" show "$TAP_TMP/a.xml" "$TAP_TMP/a.xml"
tap_is '... differs in nothing' "$(grep -c 'differs\|  -  ' "$TAP_OUT")" 0
tap_ok 'one that states next to nothing' "$PIPESIM" show tests/golden/input/bare.xml "$TAP_TMP/a.xml"

# ---- the occupancy of a graph, which is that of a run, and the step to more
graph() {
    sed "s/<launch .*/<launch groups=\"4000\" group-size=\"$1\" registers=\"$2\" local-memory=\"$3\"\/>/" \
        graphs/mmul08.idg >"$TAP_TMP/g.idg"
}
# occupancy GPU GROUPS WARPS LIMIT STEP
occupancy() {
    tap_ok "occupancy on $1" "$PIPESIM" show "$TAP_TMP/g.idg" --gpu "$1"
    shown=$(sed -n '/^Occupancy on /,$p' "$TAP_OUT" | tr '\n' ' ' | sed 's/  */ /g')
    tap_like "... has $2" "groups at once $2 warps $3 limited by $4 next step $5 \$" "$shown"
    tap_ok '... and a run' "$PIPESIM" run "$TAP_TMP/g.idg" --gpu "$1" --param size=64
    tap_like '... has them, too' "^Occupancy .*: $2 groups? at once" "$(cat "$TAP_OUT")"
}
graph 256 50 0
occupancy a100 4 '32 of 64, 50\.0 %' registers '48 registers of a thread at most: 5 groups at once, 62\.5 % of the warps'
graph 128 32 30000
occupancy a100 5 '20 of 64, 31\.2 %' 'local memory' '26 880 bytes of local memory at most: 6 groups at once, 37\.5 % of the warps'
graph 32 32 0
occupancy a100 32 '32 of 64, 50\.0 %' groups 'groups of 64 threads: 32 groups at once, 100\.0 % of the warps'
graph 256 100 0
occupancy mi250 4 '16 of 32, 50\.0 %' registers '.* registers of a thread at most: 5 groups at once, 62\.5 % of the warps'
graph 256 8 20000
occupancy rx7900xtx 3 '24 of 32, 75\.0 %' 'local memory' '.* bytes of local memory at most: 4 groups at once, 100\.0 % of the warps'
graph 256 8 70000
tap_ok 'groups that do not fit' "$PIPESIM" show "$TAP_TMP/g.idg" --gpu gtx960
tap_like '... are said' '^  no group fits: ' "$(cat "$TAP_OUT")"
for gpu in gpus/*.xml; do
    tap_ok "v100 beside $gpu" "$PIPESIM" show v100 "$gpu" --sources
done

# Five names that begin so are all named, and of six one is not.
program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
begin_so() {
    cp "$TAP_TMP/a.xml" "$TAP_TMP/zz$1.xml"
    (cd "$TAP_TMP" && "$program" show zz 2>&1)
}
for i in 1 2 3 4; do begin_so $i >"$TAP_OUT"; done
tap_like 'five names that begin so' 'begin so: zz1, zz2, zz3, zz4, zz5; pipesim list' "$(begin_so 5)"
tap_like '... and six' 'begin so: zz1, zz2, zz3, zz4, zz5 and 1 more; pipesim list' "$(begin_so 6)"
tap_done
