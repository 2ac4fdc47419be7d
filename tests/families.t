#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Descriptions that extend a family: what they inherit, what they replace, where a family is found, and every way in
# which that can be wrong, with the place in the right file.
. tests/tap.sh

mkdir -p "$TAP_TMP/families"
ns='xmlns="urn:pipesim:gpu:1" version="1"'

# put FILE: standard input, with the namespace for NS.
put() {
    sed "s/NS/$ns/" >"$TAP_TMP/$1"
}

put families/base.xml <<'END'
<family NS vendor="Base">
  <source id="b" kind="published">Of the base.</source>
  <chip warp-size="32" schedulers="4" issue-width="1" source="b"/>
  <limits warps="48" group-size="1024" source="b"/>
  <pipeline name="alu" source="b"/>
  <pipeline name="global" source="b"/>
  <memory pipeline="global" request="2" source="b">
    <level name="l1" bytes="131072" port="64" latency="28" source="b"/>
    <level name="device" bandwidth="100" latency="500" at="1000" source="b"/>
  </memory>
  <class name="fadd" pipeline="alu" issue="1" completion="9" source="b"/>
  <class name="iadd" pipeline="alu" issue="1" completion="9" source="b"/>
</family>
END
put families/middle.xml <<'END'
<family NS extends="base" architecture="Middle">
  <source id="m" kind="vendor">Of the middle.</source>
  <limits groups="16" source="m"/>
  <class name="fadd" pipeline="alu" issue="2" completion="4" source="m"/>
</family>
END
put card.xml <<'END'
<gpu NS extends="middle" name="Card">
  <source id="c" kind="assumed">Of the card.</source>
  <chip compute-units="10" clock="1500" source="c"/>
  <memory>
    <level name="device" bandwidth="900" latency="600" at="1000" source="c"/>
  </memory>
  <peak name="T_tensor" per-cu="2048" source="c"/>
</gpu>
END
put whole.xml <<'END'
<gpu NS name="Card" vendor="Base" architecture="Middle">
  <source id="b" kind="published">Of the base.</source>
  <source id="m" kind="vendor">Of the middle.</source>
  <source id="c" kind="assumed">Of the card.</source>
  <chip compute-units="10" warp-size="32" schedulers="4" issue-width="1" clock="1500" source="c"/>
  <limits warps="48" groups="16" group-size="1024" source="m"/>
  <pipeline name="alu" source="b"/>
  <pipeline name="global" source="b"/>
  <memory pipeline="global" request="2" source="b">
    <level name="l1" bytes="131072" port="64" latency="28" source="b"/>
    <level name="device" bandwidth="900" latency="600" at="1000" source="c"/>
  </memory>
  <class name="fadd" pipeline="alu" issue="2" completion="4" source="m"/>
  <class name="iadd" pipeline="alu" issue="1" completion="9" source="b"/>
  <peak name="T_tensor" datasheet="30720" source="c"/>
</gpu>
END

# ---- what is inherited
tap_ok 'a card of a family of a family' "$PIPESIM" show "$TAP_TMP/card.xml" --xml
cp "$TAP_OUT" "$TAP_TMP/card.out"
tap_ok '... and the same in one file' "$PIPESIM" show "$TAP_TMP/whole.xml" --xml
cp "$TAP_OUT" "$TAP_TMP/whole.out"
tap_ok '... are one description' cmp "$TAP_TMP/whole.out" "$TAP_TMP/card.out"
tap_ok 'it is shown' "$PIPESIM" show "$TAP_TMP/card.xml"
tap_like '... with the family that a figure is from' '^ *fadd .* vendor \(m of middle\)$' "$(cat "$TAP_OUT")"
tap_like '... or the base' '^ *l1, .* published \(b of base\)$' "$(cat "$TAP_OUT")"
tap_like '... or the card itself' '^ *device, .* ASSUMED \(c\)$' "$(cat "$TAP_OUT")"
tap_like '... also of limits that the card or a family changes in part' '^ *groups +16 .* vendor \(m of middle\)$' "$(cat "$TAP_OUT")"
tap_like '... of those that it leaves alone' '^ *warps +48 .* published \(b of base\)$' "$(cat "$TAP_OUT")"
tap_like '... of the chip' '^ *base clock +1500 .* ASSUMED \(c\)$' "$(cat "$TAP_OUT")"
tap_like '... which is half a family'\''s' '^ *warp +32 .* published \(b of base\)$' "$(cat "$TAP_OUT")"
tap_like '... and where each source stands' '^  - b, published, of the family base: Of the base\.$' "$(cat "$TAP_OUT")"
tap_like 'a peak per compute unit follows its number and the clock' '^ *T_tensor +30 720 ' "$(cat "$TAP_OUT")"

provenance=$(PIPESIM_PATH=$TAP_TMP "$PIPESIM" list --gpus --format csv | sed -n 's/^card,\(.*\),[^,]*$/\1/p')
# Chip, limits: two kinds each, the memory's settings, two levels, two pipelines, two classes, a peak.
tap_like 'of settings from two files the list counts both sources' ',0,7,2,0,3,0$' "$provenance"
cat >"$TAP_TMP/load.idg" <<'END'
<idg xmlns="urn:pipesim:idg:1" version="1" name="load">
  <launch groups="10" group-size="32"/>
  <code><node name="x" class="global.load" bytes="4" l1="1" device="1"/></code>
</idg>
END
sed 's/<memory>/<memory request="3" source="m"><!---->/; s/<\/gpu>/<model levels="on"\/>&/' "$TAP_TMP/card.xml" >"$TAP_TMP/partly.xml"
sed -i 's/"published">Of the base/"assumed">Of the base/' "$TAP_TMP/families/base.xml"
tap_ok 'a card that states a part of what loads cost' "$PIPESIM" "$TAP_TMP/load.idg" --gpu "$TAP_TMP/partly.xml" --format json
tap_like '... and assumes the rest' '"figure": "L1"' "$(cat "$TAP_OUT")"
sed -i 's/"assumed">Of the base/"published">Of the base/' "$TAP_TMP/families/base.xml"

# ---- where families are
mkdir "$TAP_TMP/own"
sed 's/extends="middle"/extends="ampere"/; /<memory>/,/<\/memory>/d; /<peak/d' "$TAP_TMP/card.xml" >"$TAP_TMP/own/mine.xml"
tap_exit 'families of pipesim are found from anywhere' 1 "$PIPESIM" show "$TAP_TMP/own/mine.xml"
tap_like '... and what they leave open is told' 'families/nvidia\.xml:[0-9]*: <memory> needs' "$(cat "$TAP_ERR")"
cp "$TAP_TMP/families/base.xml" "$TAP_TMP/own/base.xml"
sed 's/"middle"/"base"/' "$TAP_TMP/card.xml" >"$TAP_TMP/own/beside.xml"
tap_ok 'a family may stand beside its card' "$PIPESIM" show "$TAP_TMP/own/beside.xml"
tap_is 'nor is a family listed as a GPU' "$("$PIPESIM" list --gpus --format csv | grep -c families)" 0

# ---- what is wrong, and where
# bad WHAT FILE MESSAGE: showing the card is an error of that file and line.
bad() {
    tap_exit "$1" 1 "$PIPESIM" show "$TAP_TMP/bad.xml"
    tap_like '... is one clear error' "^pipesim: $TAP_TMP/$2: $3" "$(cat "$TAP_ERR")"
    tap_is '... and one line' "$(wc -l <"$TAP_ERR")" 1
}

# change SCRIPT: the card, changed by sed.
change() {
    sed "$1" "$TAP_TMP/card.xml" >"$TAP_TMP/bad.xml"
}

change 's/"middle"/"nowhere"/'
bad 'a family that is not there' bad.xml:1 "there is no family 'nowhere': a file nowhere.xml was looked for in "
change 's/"middle"/"..\/card"/'
bad 'a path' bad.xml:1 'extends="\.\./card" must be the name of a family'
cp "$TAP_TMP/whole.xml" "$TAP_TMP/families/gpu.xml"
change 's/"middle"/"gpu"/'
bad 'a GPU' bad.xml:1 "$TAP_TMP/families/gpu.xml is no family"
echo '<family' >"$TAP_TMP/families/cut.xml"
change 's/"middle"/"cut"/'
bad 'a family that is no XML' families/cut.xml:2 ''
echo "<family $ns extends=\"two\"/>" >"$TAP_TMP/families/one.xml"
echo "<family $ns extends=\"one\"/>" >"$TAP_TMP/families/two.xml"
change 's/"middle"/"one"/'
bad 'families that include each other' families/two.xml:1 "families include each other: this file extends $TAP_TMP/families/one.xml, which extends $TAP_TMP/families/two.xml;"
echo "<family $ns extends=\"self\"/>" >"$TAP_TMP/families/self.xml"
change 's/"middle"/"self"/'
bad 'one that includes itself' families/self.xml:1 "families include each other: this file extends $TAP_TMP/families/self.xml, itself;"
cp "$TAP_TMP/families/middle.xml" "$TAP_TMP/bad.xml"
bad 'a family in place of a GPU' bad.xml:1 'this is a family and no GPU: GPUs inherit figures from it'
tap_exit '... by its name' 1 "$PIPESIM" saxpy.idg --gpu ampere
tap_like '... as well' 'families/ampere\.xml:[0-9]*: this is a family' "$(cat "$TAP_ERR")"

change 's/<chip .*/<chip source="c"\/>/'
bad 'a card without compute units and clock' bad.xml:3 "<chip> needs the attribute 'compute-units'"
change 's/ clock="1500"//'
bad 'a card without a clock' bad.xml:3 "<chip> needs the attribute 'clock'"
change '/<chip/d'
bad 'a card without a chip' bad.xml:1 'the families of this card state no clock: add <chip>'
change 's/<chip .*/&<limits\/>/'
bad 'limits overridden by nothing' bad.xml:3 '<limits> overrides nothing'
change 's/<chip .*/&<limits warps="" source="c"\/>/'
bad 'a figure overridden by nothing' bad.xml:3 '<limits> has warps=""'
change 's/<chip .*/&<class name="fadd"\/>/'
bad 'a class overridden by nothing' bad.xml:3 "<class> needs the attribute 'pipeline'"
change 's/<chip .*/&<level name="l1"\/>/'
bad 'a level out of its place' bad.xml:3 'unknown element <level> in <gpu>'
change 's/<memory>/&<level name="l1" source="c"\/>/'
bad 'a level overridden by nothing' bad.xml:4 "the level 'l1' needs"
change 's/<chip .*/&<limits warps="64"\/>/'
bad 'a change without a source' bad.xml:3 "<limits> changes figures of a family, but does not say where they are from: add 'source'"
change 's/<chip .*/&<source id="b" kind="vendor">Again.<\/source>/'
bad 'a source of the family again' bad.xml:3 "there are two sources with the id 'b'"
sed -i 's/<limits warps="48" group-size="1024" source="b"/<limits warps="48" group-size="1024" source="nothing"/' "$TAP_TMP/families/base.xml"
change ''
bad 'a source that is not there, of figures that a file leaves alone' families/middle.xml:3 "there is no source with the id 'nothing'; the file has: b, m, c"
sed -i 's/"nothing"/"b"/' "$TAP_TMP/families/base.xml"
change 's/<chip .*/&<class name="iadd" pipeline="alu" issue="1" completion="1"\/><class name="iadd" pipeline="alu" issue="1" completion="1"\/>/'
bad 'a class replaced twice' bad.xml:3 "there are two classes with the name 'iadd'"
change 's/<chip .*/&<chip compute-units="1" clock="1" warp-size="32" source="c"\/>/'
bad 'a chip twice' bad.xml:3 '<gpu> may have only one <chip>'

# Comparing each class with each would take a quarter of an hour.
mkdir "$TAP_TMP/many"
awk -v ns="$ns" -v folder="$TAP_TMP/many" 'BEGIN {
    split("family gpu", root)
    for (f = 1; f <= 2; f++) {
        file = folder "/" root[f] ".xml"
        print "<" root[f], ns, f == 2 ? "extends=\"family\" name=\"Many\">" : "><pipeline name=\"alu\"/>" >file
        for (i = 0; i < 100000; i++) print "<class name=\"c" i "\" pipeline=\"alu\" issue=\"1\" completion=\"1\"/>" >file
        print (f == 2 ? "<chip compute-units=\"1\" clock=\"1\" warp-size=\"32\"/>" : "") "</" root[f] ">" >file
    }
}'
tap_exit 'a hundred thousand classes, all replaced' 1 timeout 600 "$PIPESIM" show "$TAP_TMP/many/gpu.xml"
tap_like '... are too many, which is told at once' 'gpu\.xml:10002: <gpu> may have only 10000 <class>' "$(cat "$TAP_ERR")"

# ---- units
change 's/<memory>/&<level name="l1" bytes="131072" port="9600" latency="28" source="c"\/>/'
bad 'GB/s where bytes per cycle belong' bad.xml:4 "the level 'l1' has a port of more than 4096: it counts bytes per cycle of one compute unit"
change 's/bandwidth="900"/bandwidth="900 GB\/s"/'
bad 'a unit in a number' bad.xml:5 '<level> has bandwidth="900 GB/s"'
change 's/<memory>/&<level name="l1" bytes="131072" bandwidth="9600" latency="28" source="c"\/>/'
bad 'a bandwidth of L1' bad.xml:4 "the level 'l1' belongs to one compute unit: state 'port'"
change 's/latency="600" at="1000"/latency="600" latency-ns="600"/'
bad 'a latency in two units' bad.xml:5 "the level 'device' needs either 'latency', in cycles"
change 's/per-cu="2048"/& datasheet="1"/'
bad 'a peak in two units' bad.xml:7 "the peak 'T_tensor' states a data sheet's figure and one per compute unit"

# ---- the clock
tap_exit 'a boost clock that is not stated' 1 "$PIPESIM" fadd.idg --gpu "$TAP_TMP/card.xml" --clock boost
tap_like '... is told' "card.xml does not state a boost clock; say --clock MHZ" "$(cat "$TAP_ERR")"
for clock in base boost 1300; do
    tap_ok "at --clock $clock" "$PIPESIM" fadd.idg --gpu rtx3090 --clock $clock
    case $clock in base) mhz='1395 MHz base' ;; boost) mhz='1695 MHz boost' ;; *) mhz='1300 MHz' ;; esac
    tap_like '... the answer says which' "\\(82 CUs, $mhz\\)" "$(cat "$TAP_OUT")"
done

# clock ATTRIBUTES: what an answer for a card with these in <chip> says of its clock.
clock() {
    sed "s/<chip /&$1 /" "$TAP_TMP/card.xml" >"$TAP_TMP/clocked.xml"
    "$PIPESIM" fadd.idg --gpu "$TAP_TMP/clocked.xml" | sed -n '1s/.*CUs, \(.*\))$/\1/p'
}
base=$(sed -n 's/.*<chip[^>]* clock="\([0-9]*\)".*/\1/p' "$TAP_TMP/card.xml")
tap_is 'a card with one clock' "$(clock '')" "$base MHz base"
tap_is '... with a boost clock' "$(clock 'boost-clock="1900"')" '1900 MHz boost'
tap_is '... whose clock under load is known' \
    "$(clock 'boost-clock="1900" load-clock="1777.5" load-source="c"')" '1777.5 MHz under load'
tap_ok '... which JSON has, too' \
    "$PIPESIM" fadd.idg --gpu "$TAP_TMP/clocked.xml" --format json
tap_like '... under its name' '"clock": "under load"' "$(cat "$TAP_OUT")"
tap_ok '... is shown' "$PIPESIM" show "$TAP_TMP/clocked.xml"
tap_like '... as that' 'clock under load +1777\.5  MHz' "$(cat "$TAP_OUT")"
clock 'load-clock="1777"' >/dev/null 2>"$TAP_ERR"
tap_like 'a clock under load that nobody saw' "'load-clock' and 'load-source', who saw that clock, need each other" "$(cat "$TAP_ERR")"
clock 'load-clock="1777" load-source="nobody"' >/dev/null 2>"$TAP_ERR"
tap_like '... whose source is none' "there is no source with the id 'nobody'" "$(cat "$TAP_ERR")"

# memory ATTRIBUTES: what a card with these in <chip> is shown to have, or what is wrong.
memory() {
    sed "s/<chip /&$1 /" "$TAP_TMP/card.xml" >"$TAP_TMP/memory.xml"
    "$PIPESIM" show "$TAP_TMP/memory.xml" 2>&1 | sed -n '/device memory  /p; /^pipesim: /p'
}
tap_like 'device memory is shown' 'device memory +8 192 +MiB +ASSUMED \(c\)' "$(memory 'memory="8192" memory-source="c"')"
tap_is '... and not, where nobody says' "$(memory '')" ''
tap_like '... but who says so' "'memory' and 'memory-source', who says how much, need each other" "$(memory 'memory="8192"')"
tap_like '... with a source that is there' "there is no source with the id 'nobody'" "$(memory 'memory="8192" memory-source="nobody"')"
for size in 0 -8192 24 511 8192.5 16777217 25769803776 much; do
    tap_like "... in MiB: $size" "<chip> has memory=\"$size\", which is not right for memory: .* from 512 to 16777216" \
        "$(memory "memory=\"$size\" memory-source=\"c\"")"
done

# ---- queues in front of pipelines
# queue VALUE: what is wrong with a card whose special functions have such a queue.
queue() {
    sed "/<chip /a <pipeline name=\"sfu\" queue=\"$1\" ${2-queue-source=\"c\"}/>" "$TAP_TMP/card.xml" >"$TAP_TMP/queue.xml"
    "$PIPESIM" show "$TAP_TMP/queue.xml" 2>&1 | sed -n '/^pipesim: /p'
}
tap_is 'a pipeline may have a queue in front of it' "$(queue 1)$(queue 64)" ''
tap_like '... if it says who says so' "'queue' and 'queue-source', who says how many, need each other" "$(queue 4 '')"
tap_like '... who is known' "there is no source with the id 'nobody'" "$(queue 4 'queue-source="nobody"')"
for value in 0 -1 65 1.5 much; do
    tap_like "... but not of $value" "<pipeline> has queue=\"$value\", which is not right for queue: .* from 1 to 64" \
        "$(queue "$value")"
done

# ---- waves of 32 and of 64
for gpu in rx7900xtx rx7900xtx:wave32 "$PWD/gpus/rx7900xtx.xml:wave32"; do
    tap_ok "waves of 32: ${gpu##*/}" "$PIPESIM" saxpy.idg --gpu "$gpu"
    tap_like '... 8 in a group of 256' ' groups of 256 threads \(8 warps\)' "$(cat "$TAP_OUT")"
done
tap_ok 'waves of 64' "$PIPESIM" saxpy.idg --gpu rx7900xtx:wave64
tap_like '... 4 in a group of 256' ' groups of 256 threads \(4 warps\)' "$(cat "$TAP_OUT")"
tap_like '... and the answer says so' '^saxpy on Radeon RX 7900 XTX, wave64 ' "$(cat "$TAP_OUT")"
tap_ok '... are shown' "$PIPESIM" show rx6900xt:wave64
tap_like '... as they are' 'warp +64  threads' "$(cat "$TAP_OUT")"
tap_exit 'neither of 32 nor of 64' 1 "$PIPESIM" saxpy.idg --gpu rx7900xtx:wave16
tap_like '... is told' '^pipesim: rx7900xtx:wave16: what may stand behind rx7900xtx is :wave32, :wave64, :cu or :wgp$' "$(cat "$TAP_ERR")"
tap_exit 'of 32 on CDNA' 1 "$PIPESIM" saxpy.idg --gpu mi300x:wave32
tap_like '... is told' '^pipesim: mi300x:wave32: what may stand behind mi300x is :wave64$' "$(cat "$TAP_ERR")"
tap_ok 'of 64 there' "$PIPESIM" saxpy.idg --gpu mi300x:wave64
tap_ok 'groups of two compute units' "$PIPESIM" saxpy.idg --gpu rx7900xtx:wave64:wgp
tap_like '... and the answer says so' '^saxpy on Radeon RX 7900 XTX, wave64, wgp ' "$(cat "$TAP_OUT")"
# Nobody said which: the answer says what it takes, and by which name it would be otherwise.
tap_ok 'groups of one, for lack of a word' "$PIPESIM" saxpy.idg --gpu rx7900xtx:wave64
tap_like '... which the answer says' 'taken to run on one CU, but .*:wgp behind the GPU.s name' "$(tr -s ' \n' ' ' <"$TAP_OUT")"
tap_ok '... as JSON, too' "$PIPESIM" saxpy.idg --gpu rx7900xtx --format json
tap_like '... by its key' '"one_unit": true' "$(cat "$TAP_OUT")"
for gpu in rx7900xtx:cu rx7900xtx:wgp mi300x; do
    tap_ok "groups of $gpu" "$PIPESIM" saxpy.idg --gpu "$gpu" --format json
    tap_is '... are as was said' "$(grep -c one_unit "$TAP_OUT")" 0
done
printf '<idg xmlns="urn:pipesim:idg:1" version="1" name="d"><launch groups="1" group-size="32"/><code><node name="x" class="dual"/></code></idg>' \
    >"$TAP_TMP/dual.idg"
tap_ok 'dual issue on RDNA 3' "$PIPESIM" "$TAP_TMP/dual.idg" --gpu rx7900xtx
tap_ok '... and packed operations on CDNA 3' "$PIPESIM" "$TAP_TMP/dual.idg" --gpu mi300x
tap_exit '... not before' 1 "$PIPESIM" "$TAP_TMP/dual.idg" --gpu rx6900xt
tap_like '... which is told' "asks for class 'dual', which GPU 'Radeon RX 6900 XT' lacks" "$(cat "$TAP_ERR")"
tap_done
