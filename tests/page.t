#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# The page to share (--report): well-formed, nothing from elsewhere, no script, whatever names and
# sources hold. How a browser shows it, tests/browser.t looks at.
. tests/tap.sh

input=tests/golden/input
toy="--gpu $input/toy.xml"
case $PIPESIM in
/*) program=$PIPESIM ;;
*) program=$PWD/$PIPESIM ;;
esac
folder=$PWD
unset PIPESIM_PATH

# lacks NAME PATTERN FILE: no line of the file matches.
lacks() {
    found=$(grep -Ei -e "$2" "$3" | head -n 3)
    tap_is "$1" "$found" ''
}

# has NAME TEXT FILE: it is in the file as it stands here.
has() {
    if grep -qF -e "$2" "$3"; then tap_pass "$1"; else tap_fail "$1"; fi
}

# harmless NAME FILE: what every page must be.
harmless() {
    tap_ok "$1: well-formed" xmllint --noout --nonet "$2"
    lacks '... refers to nothing elsewhere' '<[^<>]*( (src|href|action|data|poster|srcset)=|url\(|https?:)' "$2"
    sed -n '/<style>/,/<\/style>/p' "$2" >"$TAP_TMP/style"
    lacks '... nor does its style' 'url|@import|:/|//' "$TAP_TMP/style"
    lacks '... has no script and nothing that holds one' '<(script|iframe|object|embed|link|base|form|img|foreignobject|animate|set|use|a)[ >/]' "$2"
    lacks '... no attribute that is one' "<[^>]* on[a-z]+=['\"]" "$2"
    has '... forbids scripts' "default-src 'none'; style-src 'unsafe-inline'" "$2"
}

# shellcheck disable=SC2086 # $toy is several words
{
# ---- a plain page
page=$TAP_TMP/page.html
tap_ok 'a page is written' "$PIPESIM" mmul08.idg --gpu pascal.xml --groups 320 \
    --what-if local.issue=7 --measured 0.2 --report "$page"
tap_like '... beside the answer' '^Time  ' "$(cat "$TAP_OUT")"
tap_is '... without a word' "$(cat "$TAP_ERR")" ''
harmless 'the page' "$page"
for what in '<title>mmul08 on GeForce GTX 1060 6GB</title>' '<h2>What would help</h2>' \
    'the critical path</h2>' '<h2>Where warps are</h2>' "aria-labelledby='roofline-t roofline-d'" \
    "aria-labelledby='sweep-t sweep-d'" '<h2>Sensitivity</h2>' '<h3>mmul.cl</h3>' \
    'barrier(CLK_LOCAL_MEM_FENCE); /* both tiles are there */' '<th scope='"'row'"'>What if</th>' \
    'measured: '; do
    has "... has: $what" "$what" "$page"
done
tap_is '... opens with the three lines, the roofline and where warps were' \
    "$(grep -oE "<th scope='row'>[^<]*|<svg|<h2>[^<]*|<table" "$page" | head -n 8 | sed 's/.*>//' | tr '\n' ',')" \
    '<table,Limited by,... what if,Would help,How sure,Roofline,<svg,Warps over time,'
tap_is '... and has tables folded up' "$(sed 's/<details>/\n&\n/g; s/<\/details>/\n&\n/g' "$page" |
    awk '/<details>/ { n++ } /<\/details>/ { n-- } /<table/ && !n { print $2 }')" "class='facts'><tbody>"
tap_is '... a point for each number of groups that fits' \
    "$(grep "sweep-d'>1 group" "$page" | grep -o '[0-9]* groups\{0,1\}:' | tr -dc '0-9\n' | tr '\n' ' ')" "$(seq -s ' ' 32) "
tap_is 'bars and charts have texts' "$(grep -c "role='img' aria-label" "$page")" \
    "$(grep -c "class='bar'\|<svg " "$page")"
for jobs in 1 2 3; do
    tap_ok "the same with --jobs $jobs" "$PIPESIM" mmul08.idg --gpu pascal.xml --groups 320 \
        --what-if local.issue=7 --measured 0.2 --report "$TAP_TMP/again.html" --jobs $jobs
    tap_ok '... is the same page' cmp "$page" "$TAP_TMP/again.html"
done

tap_ok 'a latency that matters next to nothing' "$PIPESIM" mmul08.idg --gpu pascal.xml --active 8 --report "$TAP_TMP/none.html"
lacks '... is not told as -0.00' '>-0\.00<' "$TAP_TMP/none.html"

# ---- levels of memory
tap_ok 'a page of a kernel with levels' "$PIPESIM" saxpy.idg --gpu gpus/v100.xml --groups 400 --report "$TAP_TMP/levels.html"
for what in '>L1 7.066 TB/s<' '>L2 2.155 TB/s<' '>device memory 805.0 GB/s<' '>L1, L2, device memory<'; do
    has "... has $what in its roofline" "$what" "$TAP_TMP/levels.html"
done

# ---- a kernel of additions may be faster than T_int
cat >"$TAP_TMP/additions.idg" <<'END'
<idg xmlns="urn:pipesim:idg:1" version="1" name="additions">
  <launch groups="400" group-size="256"/>
  <code>
    <node name="load" class="global.load" bytes="4" device="1"/>
    <loop times="400"><node name="add" class="iadd" ops="1" type="int"/></loop>
  </code>
</idg>
END
tap_ok 'a page of additions' "$PIPESIM" "$TAP_TMP/additions.idg" --gpu pascal.xml --report "$TAP_TMP/additions.html"
has '... has the roof of additions' '>1.928 Top/s<' "$TAP_TMP/additions.html"

# ---- hostile names and sources
mkdir "$TAP_TMP/hostile"
cat >"$TAP_TMP/hostile/evil.idg" <<'END'
<idg xmlns="urn:pipesim:idg:1" version="1" file="&lt;b>'&quot;.cl"
     name="&lt;/title>&lt;script>alert(1)&lt;/script>&quot;' onload='x" title="&amp;amp; &#x202E;gpj.exe &#x85; --> ]]>">
  <launch groups="40" group-size="32"/>
  <code>
    <loop times="9">
      <node name="a" class="alu" after="a" ops="1" type="fp32" line="2"/>
      <node name="b" class="alu.&lt;i>" after="a" line="3"/>
    </loop>
  </code>
</idg>
END
sed -i 's/alu\.&lt;i>/alu/' "$TAP_TMP/hostile/evil.idg"
printf 'one &lt; "two"\n\t</code></td></table><script>alert(2)</script><img src=x onerror=alert(3)>\n\001\033[31m \377\376 \355\240\200 \302\233 \342\200\256 \357\277\277\r\nlast' \
    >"$TAP_TMP/hostile/<b>'\".cl"
evil=$TAP_TMP/evil.html
tap_ok 'hostile names and sources' "$PIPESIM" "$TAP_TMP/hostile/evil.idg" $toy --explain --report "$evil"
cp "$TAP_OUT" "$TAP_TMP/evil"
harmless 'their page' "$evil"
has '... shows the name' '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;' "$evil"
has '... shows the source' '&lt;script&gt;alert(2)&lt;/script&gt;&lt;img src=x onerror=alert(3)&gt;' "$evil"
has '... entities of the source are its text' 'one &amp;lt; &quot;two&quot;' "$evil"
has '... control characters by their pictures' '␁␛[31m' "$evil"
has '... what turns directions by its number' '[U+202E] ' "$evil"
has '... and not at all in names' '<p>&amp;amp;  gpj.exe ' "$evil"
tap_ok '... nor on the terminal' sh -c "grep -q gpj.exe '$TAP_TMP/evil' && ! grep -q '$(printf '\342\200\256')' '$TAP_TMP/evil'"
tap_ok '... all of it is UTF-8' iconv -f UTF-8 -t UTF-8 -o /dev/null "$evil"
tap_is '... without control characters' "$(LC_ALL=C tr -d '\11\12\40-\176\200-\377' <"$evil" | wc -c | tr -d ' ')" 0

# ---- sources that are not there, or not for sharing
# source_page NAME FILE: a page of a graph that says so; in the folder "sources".
mkdir "$TAP_TMP/sources"
source_page() {
    sed "s|file=\"lines.cl\"|file=\"$2\"|" $input/lines-a.idg >"$TAP_TMP/sources/graph.idg"
    tap_ok "$1" sh -c "cd '$TAP_TMP/sources' && '$program' graph.idg --gpu '$folder/$input/toy.xml' --report ../source.html"
    tap_like '... and the rest is there' '^Time ' "$(cat "$TAP_OUT")"
    said=$(cat "$TAP_ERR")
    harmless '... the page' "$TAP_TMP/source.html"
}
echo TOP-SECRET >"$TAP_TMP/secret.cl"
echo TOP-SECRET >"$TAP_TMP/sources/.secret.cl"
printf 'TOP-SECRET\0\n' >"$TAP_TMP/sources/binary.cl"
mkdir "$TAP_TMP/sources/folder.cl"
head -c 5000000 /dev/zero | tr '\0' x >"$TAP_TMP/sources/long.cl"
source_page 'a source that is not there' gone.cl
tap_like '... is said' 'gone.cl is neither beside the graph nor in the current folder' "$said"
has '... in the page, too' 'gone.cl is neither beside the graph' "$TAP_TMP/source.html"
has '... which has its lines without text' "50.0 %</td><td class='n'>12.5 %" "$TAP_TMP/source.html"
head -c 104857600 /dev/zero | tr '\0' x >"$TAP_TMP/sources/huge.cl"
ln -s ../secret.cl "$TAP_TMP/sources/link.cl"
ln -s .secret.cl "$TAP_TMP/sources/hidden.cl"
ln -s . "$TAP_TMP/sources/same"
ln -s .. "$TAP_TMP/sources/up"
ln -s loop.cl "$TAP_TMP/sources/loop.cl"
ln -s /dev/zero "$TAP_TMP/sources/zeros.cl"
mkfifo "$TAP_TMP/sources/fifo.cl"
for name in ../secret.cl "$TAP_TMP/secret.cl" .secret.cl ./../secret.cl folder.cl binary.cl long.cl \
    huge.cl link.cl hidden.cl up/secret.cl loop.cl zeros.cl fifo.cl; do
    source_page "a source called $name" "$name"
    lacks '... shows nothing of it' 'TOP-SECRET|xxxx' "$TAP_TMP/source.html"
    tap_like '... is said' 'its lines are shown without text' "$said"
    tap_is '... once' "$(echo "$said" | wc -l)" 1
done
rm "$TAP_TMP/sources/huge.cl"
echo 'line one' >"$TAP_TMP/sources/there.cl"
ln -s there.cl "$TAP_TMP/sources/beside.cl"
for name in there.cl beside.cl same/there.cl ./there.cl; do
    source_page "a source called $name" "$name"
    has '... is shown' 'line one' "$TAP_TMP/source.html"
    tap_is '... and nothing is said' "$said" ''
done
printf '\357\273\277line one\n' >"$TAP_TMP/sources/kernel.cl"
source_page 'an absolute name' /home/nobody/kernel.cl
has '... counts by its last part' 'line one' "$TAP_TMP/source.html"
lacks '... a byte order mark is no part of the text' 'FEFF' "$TAP_TMP/source.html"
tap_ok 'a graph without lines' "$PIPESIM" saxpy.idg --gpu pascal.xml --groups 40 --report "$TAP_TMP/saxpy.html"
tap_is '... which is said' "$(cat "$TAP_ERR")" \
    'pipesim: warning: --report: the graph states no source lines: the page shows none'
has '... in the page, too' 'None is shown: the graph states no source lines.' "$TAP_TMP/saxpy.html"
lacks '... has no source' "class='source'|By source line" "$TAP_TMP/saxpy.html"
harmless '... its page' "$TAP_TMP/saxpy.html"

# ---- the source that code names
mkdir "$TAP_TMP/code" "$TAP_TMP/else where"
code_page() { # NAME FILE OPTION...: the page of PTX whose .file says so, in the folder "code"
    code_name=$1 code_file=$2
    shift 2
    sed "s|\.file\([^\"]*\)\"mmul.cu\"|.file\1\"$code_file\"|" tests/corpus/mmul16.ptx >"$TAP_TMP/code/mmul16.ptx"
    # shellcheck disable=SC2016 # the inner shell shall see them
    tap_ok "$code_name" sh -c 'cd "$1" && shift && exec "$@"' sh "$TAP_TMP/code" "$program" mmul16.ptx --gpu pascal.xml \
        --grid 4x4 --block 16x16 --arg 3=64 --arg ramp:16K --arg ramp:16K --arg zero:16K --registers none \
        --report ../code.html "$@"
    said=$(grep -- '--report' "$TAP_ERR")
    harmless '... the page' "$TAP_TMP/code.html"
}
for ending in cu cuh h hpp cpp c cl py; do
    cp tests/corpus/mmul.cu "$TAP_TMP/else where/mmul.$ending"
    code_page "a source that code names, .$ending" "$TAP_TMP/else where/mmul.$ending"
    has '... is shown' '<code>    const int row = blockIdx.y' "$TAP_TMP/code.html"
    has '... with its path' "The file $TAP_TMP/else where/mmul.$ending." "$TAP_TMP/code.html"
    tap_is '... which is said' "$said" \
        "pipesim: --report: the page shows $TAP_TMP/else where/mmul.$ending, which the code names; --no-source leaves it out"
done
code_page '... and with --no-source' "$TAP_TMP/else where/mmul.cu" --no-source
tap_is '... nothing is said' "$said" ''
lacks '... nor shown' 'const int row|else where' "$TAP_TMP/code.html"
has '... but the numbers of lines' 'mmul.cu is left out: only the numbers of its lines are shown.' "$TAP_TMP/code.html"
tap_exit '--no-source without --report' 2 "$PIPESIM" saxpy.idg --gpu pascal.xml --no-source
tap_like '... is an error' 'the page that --report writes; add that' "$(cat "$TAP_ERR")"
sed 's/^/TOP-SECRET /' tests/corpus/mmul.cu >"$TAP_TMP/else where/passwd"
cp "$TAP_TMP/else where/passwd" "$TAP_TMP/else where/.mmul.cu"
ln -s passwd "$TAP_TMP/else where/link.cu"
mkdir "$TAP_TMP/else where/folder.cu"
mkfifo "$TAP_TMP/else where/fifo.cu"
for name in passwd .mmul.cu link.cu folder.cu fifo.cu gone.cu; do
    code_page "code that names $name" "$TAP_TMP/else where/$name"
    lacks '... shows nothing of it' 'TOP-SECRET' "$TAP_TMP/code.html"
    tap_like '... which is said' "warning: --report: $name is .*its lines are shown without text\$" "$said"
done
cp tests/corpus/mmul.cu "$TAP_TMP/code"
code_page 'a source beside the code' "$TAP_TMP/else where/mmul.cu"
has '... is shown' 'The file ./mmul.cu.' "$TAP_TMP/code.html"
tap_is '... of which nothing is said' "$said" ''

sed 's| file="lines.cl"||' $input/lines-a.idg >"$TAP_TMP/nofile.idg"
tap_ok 'a graph with lines, but without a file' "$PIPESIM" "$TAP_TMP/nofile.idg" $toy --report "$TAP_TMP/nofile.html"
tap_like '... is told that' 'states source lines, but no file that they are of: the page shows none$' "$(cat "$TAP_ERR")"
has '... in the page, too' 'but no file that they are of.' "$TAP_TMP/nofile.html"
harmless '... its page' "$TAP_TMP/nofile.html"
tap_ok 'a run without an instruction' "$PIPESIM" $input/chain.idg $toy --param n=0 --report "$TAP_TMP/nothing.html"
harmless '... its page' "$TAP_TMP/nothing.html"

# ---- where it cannot be written
tap_exit 'a folder that is not there' 1 "$PIPESIM" $input/chain.idg $toy --report "$TAP_TMP/none/page.html"
tap_is '... is said' "$(cat "$TAP_ERR")" \
    "pipesim: --report: $TAP_TMP/none/page.html: cannot be written: No such file or directory"
tap_is '... before anything is simulated' "$(cat "$TAP_OUT")" ''
if [ -c /dev/full ]; then
    tap_exit 'a full disk' 1 "$PIPESIM" $input/chain.idg $toy --report /dev/full
    tap_like '... is said' 'cannot be written: No space' "$(cat "$TAP_ERR")"
    tap_like '... after the answer' '^Time ' "$(cat "$TAP_OUT")"
    tap_exit 'a full disk for all' 1 "$PIPESIM" mmul08.idg --gpu pascal.xml --groups 64 --log /dev/full \
        --output /dev/full --trace /dev/full --report /dev/full
    tap_is '... is said for each' \
        "$(sed -n 's|^pipesim: \(--[a-z]*\): /dev/full: cannot be written: No space.*|\1|p' "$TAP_ERR" | tr '\n' ' ')" \
        '--log --output --trace --report '
    tap_exit 'an answer that cannot be written' 1 sh -c "'$PIPESIM' $input/chain.idg $toy --report '$TAP_TMP/still.html' >/dev/full"
    has '... leaves the page' '</html>' "$TAP_TMP/still.html"
fi
# The trace is longer than that, the page and the log are not.
tap_exit 'a limit on the size of files' 1 sh -c "ulimit -f 100 && '$PIPESIM' mmul08.idg --gpu pascal.xml \
    --groups 64 --trace '$TAP_TMP/limited.json' --report '$TAP_TMP/limited.html' --log /dev/null"
tap_is '... is said once' "$(grep -v warning "$TAP_ERR")" "pipesim: --trace: $TAP_TMP/limited.json: cannot be written: File too large"
tap_like '... after the answer' '^Time ' "$(cat "$TAP_OUT")"
has '... and leaves the page' '</html>' "$TAP_TMP/limited.html"
tap_is '... and no other file' "$(cd "$TAP_TMP" && echo limited* .limited*)" 'limited.html .limited*'
tap_exit 'nowhere to write' 1 "$PIPESIM" $input/chain.idg $toy --log "$TAP_TMP" \
    --report "$TAP_TMP" --trace "$TAP_TMP" --timeline=99..
tap_is '... says a line for each, and whose it is' \
    "$(sed -n '/warning/d; s/^pipesim: \(--[a-z]*\): .*/\1/p' "$TAP_ERR" | tr '\n' ' ')" '--log --timeline --trace --report '
tap_like '... after the answer' '^Time ' "$(cat "$TAP_OUT")"
tap_exit 'a run that fails' 1 "$PIPESIM" $input/chain.idg $toy --group-size 512 --report "$TAP_TMP/never.html"
tap_exit '... leaves no page' 1 test -e "$TAP_TMP/never.html"
tap_ok 'code with a value that nobody wrote' "$PIPESIM" tests/cases/uninit.ptx --from ptx --gpu v100 --registers 16 --grid 64 \
    --block 256 --arg a=ramp:1M --arg b=zero:1M --arg n=4096 --no-cache --report "$TAP_TMP/unwritten.html"
tap_is '... which the page says once' "$(grep -o 'depends on %f7, which nothing wrote' "$TAP_TMP/unwritten.html" | wc -l | tr -d ' ')" 1
tap_exit 'both on standard output' 2 "$PIPESIM" $input/chain.idg $toy --report -
tap_like '... is wrong usage' 'standard output has the answer already' "$(cat "$TAP_ERR")"
tap_exit 'a name that is empty' 2 "$PIPESIM" $input/chain.idg $toy --report ''
}
tap_done
