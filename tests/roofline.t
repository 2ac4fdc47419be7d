#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly nightly-sanitize
# The verb roofline beyond what golden tests see: what it prints can be read back, what it reads may
# come through a pipe, and however many launches are kept apart, they need no memory. Its charts are
# drawn.
. tests/tap.sh

input=tests/golden/input
peaks=$input/peaks.xml

# json FILTER FILE: what Perl makes of $j, the decoded file.
json() {
    perl -MJSON::PP -e '
        local $/; open my $file, "<", $ARGV[1] or die $!;
        my $j = decode_json(<$file>); print eval($ARGV[0]) // die $@;' "$1" "$2"
}

# ---- the published example: parameters measured elsewhere, with a name and parameters alone
cat >"$TAP_TMP/example.json" <<'END'
{"kernels": [{"name": "matrixMul(float*, float*, float*, int, int)",
  "parameters": {"K_type": "fp32", "W_comp": 1048576000, "W_traf": 72716160, "E_mix": 1.0,
                 "D_ops": 0.3473, "D_ldst": 0.478, "D_other": 0.1747}}]}
END
tap_ok 'the published example' "$PIPESIM" roofline "$TAP_TMP/example.json" --gpu gtx660.xml \
    --format json
cp "$TAP_OUT" "$TAP_TMP/answer.json"
# shellcheck disable=SC2016 # $j is Perl's
{
tap_is '... takes 5.213 ms' \
    "$(json 'sprintf "%.3f", 1e3 * $j->{kernels}[0]{predictions}[0]{seconds}' "$TAP_TMP/answer.json")" 5.213
tap_is '... and is bound by compute' \
    "$(json '$j->{kernels}[0]{predictions}[0]{bound}' "$TAP_TMP/answer.json")" compute
tap_is '... what is not known is null' \
    "$(json 'join ",", map { defined $_ ? "some" : "null" } @{$j->{kernels}[0]}{qw(launches measured_seconds)}' \
        "$TAP_TMP/answer.json")" null,null
tap_ok 'the keys that scripts rely on are there' json '
    my $k = $j->{kernels}[0];
    (grep { !exists $k->{$_} } qw(name launches measured_seconds parameters predictions)) ||
    (grep { !exists $k->{parameters}{$_} } qw(K_type W_comp W_traf E_mix D_ops D_ldst D_other O_krn)) ||
    (grep { !exists $k->{predictions}[0]{$_} }
        qw(gpu seconds bound T_op E_instr T_adjusted O_dev error)) || ref $j->{warnings} ne "ARRAY"
        ? die "a key is missing" : 1' "$TAP_TMP/answer.json"
}

# ---- what is printed can be read
for files in $input/kernels.json 'mmul08.idg saxpy.idg' $input/nvprof.csv \
    "$input/nvprof.csv $input/nvprof-trace.csv"; do
    # shellcheck disable=SC2086 # they are words
    "$PIPESIM" roofline $files --gpu $input/peaks-9000.xml --gpu $peaks --format json >"$TAP_TMP/first.json" 2>/dev/null
    tap_ok "the JSON of $files is read" "$PIPESIM" roofline "$TAP_TMP/first.json" \
        --gpu $input/peaks-9000.xml --gpu $peaks --format json
    for file in first.json second.json; do
        [ $file = first.json ] || cp "$TAP_OUT" "$TAP_TMP/second.json"
        sed -e '/"file":/d' "$TAP_TMP/$file" | sed '/^  "warnings"/,$d' >"$TAP_TMP/$file.kernels"
    done
    tap_ok '... and gives the same predictions' cmp "$TAP_TMP/first.json.kernels" "$TAP_TMP/second.json.kernels"
done

# ---- standard input
"$PIPESIM" roofline $input/nvprof.csv --gpu $peaks --format csv >"$TAP_TMP/file.csv" 2>/dev/null
sh -c "cat $input/nvprof.csv | '$PIPESIM' roofline - --gpu $peaks --format csv" >"$TAP_TMP/pipe.csv" 2>/dev/null
tap_ok 'a profile comes through a pipe' cmp "$TAP_TMP/file.csv" "$TAP_TMP/pipe.csv"
"$PIPESIM" roofline - --gpu $peaks --format csv <$input/nvprof.csv >"$TAP_TMP/pipe.csv" 2>/dev/null
tap_ok '... or by redirection' cmp "$TAP_TMP/file.csv" "$TAP_TMP/pipe.csv"
"$PIPESIM" roofline saxpy.idg --gpu pascal.xml >"$TAP_TMP/file.txt"
sh -c "cat graphs/saxpy.idg | '$PIPESIM' roofline - --gpu pascal.xml" >"$TAP_TMP/pipe.txt"
tap_ok 'so does a graph' cmp "$TAP_TMP/file.txt" "$TAP_TMP/pipe.txt"
sh -c "{ printf '\357\273\277'; cat graphs/saxpy.idg; } | '$PIPESIM' roofline - --gpu pascal.xml" >"$TAP_TMP/pipe.txt"
tap_ok '... behind a byte order mark, too' cmp "$TAP_TMP/file.txt" "$TAP_TMP/pipe.txt"

# ---- input without a table, which may never end
tap_exit 'text without end' 1 sh -c "yes | timeout 600 '$PIPESIM' roofline - --gpu $peaks"
tap_like '... is given up' '-:[0-9]*: up to here, 16 MiB, there is no table of a profiler' "$(cat "$TAP_ERR")"
tap_ok 'a table behind much text is read' sh -c "{ yes 'step 1, residual 0.5' | head -c 16000000; echo; \
    cat $input/nvprof.csv; } | '$PIPESIM' roofline - --gpu $peaks"

# ---- output files, whole or not at all
echo before >"$TAP_TMP/out.csv"
tap_exit 'a file that is wrong' 1 "$PIPESIM" roofline $input/nvprof.csv $input/json-cut.json \
    --gpu $peaks --format csv --output "$TAP_TMP/out.csv"
tap_is '... leaves the output as it was' "$(cat "$TAP_TMP/out.csv")" before
tap_is '... and no other file' "$(find "$TAP_TMP" -name '.out*')" ''

# ---- reordered columns say the same
awk -F'","' 'NR < 3 { print; next } { sub(/^"/, "", $1); sub(/"$/, "", $15)
    for (i = 15; i > 0; i--) printf "\"%s\"%s", $i, (i > 1 ? "," : "\n") }' $input/ncu.csv >"$TAP_TMP/reordered.csv"
tap_like 'columns in another order' '^"Metric Value","Metric Unit"' "$(sed -n 3p "$TAP_TMP/reordered.csv")"
for file in $input/ncu.csv "$TAP_TMP/reordered.csv"; do
    "$PIPESIM" roofline "$file" --gpu $peaks --format csv >"$TAP_TMP/$(basename "$file").out"
done
tap_ok '... give the same' cmp "$TAP_TMP/ncu.csv.out" "$TAP_TMP/reordered.csv.out"

# ---- launches apart
# launches N NAME: a table of so many launches; in NAME, %d is the number of the launch.
launches() {
    perl -e '
        my ($n, $name) = @ARGV;
        print qq("ID","Kernel Name","Device","gpu__time_duration.sum","dram__bytes_read.sum","dram__bytes_write.sum"\n);
        print qq("","","","usecond","Mbyte","Mbyte"\n);
        printf qq("%d","$name","0","25.5","1.5","0.5"\n), $_, ($_) x ($name =~ /%d/) for 0 .. $n - 1;' "$1" "$2"
}

# within KB N NAME OPTION...: predicts them in so much memory for data; prints how many rows come out.
within() (
    kb=$1 n=$2 name=$3
    shift 3
    # shellcheck disable=SC3045 # dash, bash and busybox know -d and -c
    {
        launches "$n" "$name" | (ulimit -c 0 && ulimit -d "$kb" && "$PIPESIM" roofline - --gpu $peaks "$@") |
            grep -c 'copy'
    } 2>/dev/null
)

if [ -n "$PIPESIM_CHECKER" ]; then
    tap_skip 'launches apart need no memory' "$PIPESIM_CHECKER needs memory of its own"
else
    limit_kb=24576
    for format in csv json text; do
        tap_is "as $format, 50 000 launches apart need no more than $limit_kb kB" \
            "$(within $limit_kb 50000 'copy(float*)' --launches apart --format $format)" 50000
    done
    tap_is '... nor do their sums' "$(within $limit_kb 50000 'copy(float*)' --format csv)" 1
    tap_is '... which so many kernels would exceed' "$(within $limit_kb 50000 'copy%d' --format csv)" 0
    for format in csv json text; do
        tap_is "as $format, 10 000 kernels need no more" "$(within $limit_kb 10000 'copy%d' --format $format)" 10000
    done
fi

# ---- charts
for kind in roofline hierarchical quadrants; do
    for ending in svg png pdf; do
        tap_ok "a chart: $kind as $ending" "$PIPESIM" roofline $input/kernels.json saxpy.idg \
            --gpu $peaks --chart-kind $kind --chart "$TAP_TMP/$kind.$ending"
        tap_ok '... is there' [ -s "$TAP_TMP/$kind.$ending" ]
    done
done
tap_ok 'the script of a chart' "$PIPESIM" roofline $input/kernels.json --gpu $peaks --kernel 'blur*' \
    --format gnuplot
tap_like '... says of which GPU' "^set title 'Roofline of Toy 7000'" "$(cat "$TAP_OUT")"
tap_like '... has its ridge' '^10 1000$' "$(cat "$TAP_OUT")"
tap_like '... and what the kernel achieved' '^4 200$' "$(cat "$TAP_OUT")"
tap_is '... and leaves to others where it goes' "$(grep -cE '^set (terminal|output)' "$TAP_OUT")" 0
tap_ok 'a chart of a trajectory and a discounted roofline' "$PIPESIM" roofline $input/ncu.csv --gpu $peaks \
    --launches apart --trajectory --discounted 2 --format gnuplot --chart "$TAP_TMP/trajectory.svg"
cp "$TAP_OUT" "$TAP_TMP/script.gp"
tap_ok '... is what the script draws' sh -c "cd '$TAP_TMP' && { echo 'set terminal svg'; \
    echo 'set output \"script.svg\"'; cat script.gp; } | gnuplot -d"
tap_ok '... too' [ -s "$TAP_TMP/script.svg" ]
launches 1000 'copy(float*)' >"$TAP_TMP/many.csv"
tap_exit 'a chart of a thousand launches' 1 "$PIPESIM" roofline "$TAP_TMP/many.csv" --gpu $peaks \
    --launches apart --chart "$TAP_TMP/many.svg"
tap_like '... is refused' 'a chart has at most 200 kernels or launches; choose some with --kernel' "$(cat "$TAP_ERR")"
tap_is '... and not there' "$(find "$TAP_TMP" -name '*many.svg*')" ''
# Special functions have units of their own: what they count takes no time of the pipeline that the ceiling is made of.
{
    echo '<idg xmlns="urn:pipesim:idg:1" version="1" name="special"><launch groups="800" group-size="256"/><code>'
    echo '<loop times="1000">'
    for node in a b c d; do
        echo "<node name=\"$node\" class=\"fmadd\" after=\"$node\" ops=\"2\" type=\"fp32\"/>"
    done
    echo '<node name="r" class="rsqrt" ops="1" type="fp32"/></loop></code></idg>'
} >"$TAP_TMP/special.idg"
tap_ok 'multiply-adds beside special functions' "$PIPESIM" "$TAP_TMP/special.idg" --gpu v100.xml --overheads off
tap_like '... are not clamped, since both pipelines are busy' '^Time +[0-9.]+ us, [0-9 ]+ cycles' "$(cat "$TAP_OUT")"
# One kernel has one ceiling, whichever verb tells it: a copy's bytes are read and written.
# shellcheck disable=SC2016 # $j is Perl's
{
tap_ok 'a kernel that reads and writes' "$PIPESIM" roofline transpose.idg --gpu v100.xml --format json
apart=$(json '$j->{kernels}[0]{predictions}[0]{ceilings}{device}{seconds}' "$TAP_OUT")
tap_ok '... simulated' "$PIPESIM" transpose.idg --gpu v100.xml --format json
tap_is '... has the same ceiling' "$(json '$j->{roofline}{ceiling_seconds}' "$TAP_OUT")" "$apart"
}

# ---- the longest, and names that several have
kernels() {
    i=1 sep=
    printf '{"kernels": ['
    while [ $i -le "$1" ]; do
        printf '%s{"name": "k%d", "measured_seconds": %d.5, "parameters": {"K_type": "fp32", "W_comp": 1e9, "W_traf": 1e8}}' \
            "$sep" $i $((i * 7 % 1000))
        i=$((i + 1)) sep=,
    done
    printf ']}\n'
}
kernels 999 >"$TAP_TMP/all.json"
tap_ok 'the three kernels that take longest' "$PIPESIM" roofline "$TAP_TMP/all.json" --gpu v100.xml --top 3
# k857 takes 999.5 s of 499 999.5 s (0 to 999 and 1 to 999 halves), k714 998.5, k571 997.5.
tap_is '... in that order, with their shares' \
    "$(sed -n 's/^\(k[0-9]*\) .* \([0-9.]*%\) .*/\1 \2/p' "$TAP_OUT" | tr '\n' ' ')" 'k857 0.2% k714 0.2% k571 0.2% '
tap_like '... and how many others there are' '^and 996 that take less time$' "$(cat "$TAP_OUT")"
tap_ok '... as CSV' "$PIPESIM" roofline "$TAP_TMP/all.json" --gpu v100.xml --top 2 --format csv
tap_is '... likewise' "$(cut -d, -f1 "$TAP_OUT" | tr '\n' ' ')" 'kernel k857 k714 '
cp "$TAP_TMP/all.json" "$TAP_TMP/again.json"
tap_ok 'kernels of the same names in two files' "$PIPESIM" roofline "$TAP_TMP/all.json" "$TAP_TMP/again.json" \
    --gpu v100.xml --kernel k8
tap_like '... are told apart' '^k8 \(.*/all.json\)' "$(cat "$TAP_OUT")"
tap_like '... both of them' '^k8 \(.*/again.json\)' "$(cat "$TAP_OUT")"
tap_ok 'what was not measured' "$PIPESIM" roofline saxpy.idg mmul08.idg --gpu v100.xml
tap_is '... has no efficiency' "$(grep -c '%' "$TAP_OUT")" 0
tap_exit 'a discounted roofline through two kernels of one name' 2 "$PIPESIM" roofline "$TAP_TMP/all.json" \
    "$TAP_TMP/again.json" --gpu v100.xml --kernel k8 --format gnuplot --discounted k8
tap_like '... is none' 'k8: 2 kernels are called so; give the number of one in the chart, from 1 to 2' "$(cat "$TAP_ERR")"

# ---- a profile of another architecture than the GPU's
tap_ok 'a profile of compute capability 8.0 on a V100' "$PIPESIM" roofline tests/profiles/ncu-raw.csv --gpu v100.xml
tap_like '... is told of' 'of compute capability 8.0, and Tesla V100 PCIe 16GB has +7.0' "$(tr '\n' ' ' <"$TAP_OUT")"
tap_ok '... on an A100' "$PIPESIM" roofline tests/profiles/ncu-raw.csv --gpu a100.xml
tap_is '... is not' "$(grep -c 'compute capability' "$TAP_OUT")" 0

# ---- the clock at which a profile says that it was measured: 1200 cycles in a microsecond
{
    echo '"ID","Kernel Name","CC","Metric Name","Metric Unit","Metric Value"'
    echo '"0","f","8.0","smsp__cycles_elapsed.avg","cycle","1,200"'
    echo '"0","f","8.0","gpu__time_duration.sum","usecond","1.00"'
    echo '"0","f","8.0","smsp__sass_thread_inst_executed_op_fp64_pred_on.sum","inst","1,000"'
    echo '"0","f","8.0","smsp__sass_thread_inst_executed_op_dfma_pred_on.sum","inst","1,000"'
} >"$TAP_TMP/clocked.csv"
# shellcheck disable=SC2016 # $j is Perl's
{
tap_ok 'a profile that states its clock' "$PIPESIM" roofline "$TAP_TMP/clocked.csv" --gpu a100.xml --format json
tap_is '... has peaks and ceilings at that' \
    "$(json 'my $p = $j->{kernels}[0]{predictions}[0]; join "/", map { sprintf "%.1f", $_ } $p->{clock_mhz}, $p->{T_op} / 1e9, $p->{ceilings}{fp64}{peak} / 1e9' "$TAP_OUT")" \
    1200.0/8294.4/8294.4
tap_ok '... unless another is asked for' "$PIPESIM" roofline "$TAP_TMP/clocked.csv" --gpu a100.xml --clock 1000 --format json
tap_is '... has them at that one' \
    "$(json 'my $p = $j->{kernels}[0]{predictions}[0]; join "/", map { sprintf "%.1f", $_ } $p->{clock_mhz}, $p->{T_op} / 1e9, $p->{ceilings}{fp64}{peak} / 1e9' "$TAP_OUT")" \
    1000.0/6912.0/6912.0
}

# ---- durations are lent by files that have nothing else
{
    echo '"ID","Kernel Name","gpu__time_duration.sum","smsp__sass_thread_inst_executed_op_fp64_pred_on.sum"'
    echo '"","","usecond","inst"'
    echo '"0","copy","25.5","1000000"'
} >"$TAP_TMP/counted.csv"
{
    echo '"ID","Kernel Name","dram__bytes_read.sum","dram__bytes_write.sum"'
    echo '"","","Mbyte","Mbyte"'
    echo '"0","copy","1.5","0.5"'
} >"$TAP_TMP/bytes.csv"
tap_ok 'a file with durations and one count beside a file without' "$PIPESIM" roofline "$TAP_TMP/counted.csv" \
    "$TAP_TMP/bytes.csv" --gpu v100.xml --format csv
tap_is '... shows both' "$(grep -c '^copy,' "$TAP_OUT")" 2
cut -d, -f1-3 "$TAP_TMP/counted.csv" >"$TAP_TMP/durations.csv"
tap_ok '... and with durations alone' "$PIPESIM" roofline "$TAP_TMP/durations.csv" "$TAP_TMP/bytes.csv" --gpu v100.xml --format csv
tap_is '... lends them' "$(grep -c '^copy,.*,2.55e-05,' "$TAP_OUT")" 1

# ---- peaks that other benchmarks measured
peak() { sed -n "s/^  $1 *\\([0-9. ]*[0-9]\\)  .*/\\1/p" "$TAP_OUT"; }
tap_ok "rocprof-compute's peaks" "$PIPESIM" roofline tests/profiles/mi200-veccopy-pmc_perf.csv --gpu mi210.xml \
    --peaks tests/profiles/mi200-peaks.csv
tap_is '... are those of its first device' "$(peak T_SP)/$(peak T_DP)/$(peak B_mem)/$(peak B_L2)/$(peak B_local)" \
    '20 938/20 269/1 389/5 017/17 710'
tap_ok "mixbench's peaks" "$PIPESIM" roofline "$TAP_TMP/example.json" --gpu rtx2070.xml --peaks tests/profiles/mixbench.csv
tap_is '... are the highest of each type' "$(peak T_SP)/$(peak T_DP)/$(peak B_mem)" '8 400/262.5/422.7'
# ERT has a file for programs, and text; its L1 of a V100 is what lies before device memory.
for form in roofline.json sum.txt; do
    tap_ok "ERT's peaks, $form" "$PIPESIM" roofline "$TAP_TMP/example.json" --gpu v100.xml --peaks tests/profiles/ert-$form
    tap_is '... are the highest, counted from device memory' \
        "$(peak T_SP)/$(peak T_DP)/$(peak B_mem)/$(peak B_L2)/$(peak B_L1)" '14 100/7 069/828.8/2 997/7 066'
done
echo '10 GFLOPs' >"$TAP_TMP/old.txt"
tap_ok 'ERT without a precision' "$PIPESIM" roofline "$TAP_TMP/example.json" --gpu v100.xml --peaks "$TAP_TMP/old.txt"
tap_is '... is of double' "$(peak T_DP)" 10.00
{ cat tests/profiles/ert-sum.txt; printf '%s\n' '1 L2' '1 L3' '1 L4'; } >"$TAP_TMP/deep.txt"
tap_ok 'more plateaus than the GPU has caches' "$PIPESIM" roofline "$TAP_TMP/example.json" --gpu v100.xml --peaks "$TAP_TMP/deep.txt"
tap_is '... tell nothing of caches' "$(peak B_L2)/$(peak B_mem)" '2 155/828.8'
printf '%s\n' '10 GFLOPs' '40 L1' '30 L2' '20 L3' '9 DRAM' >"$TAP_TMP/rdna.txt"
tap_ok 'ERT on a GPU with an L3' "$PIPESIM" roofline "$TAP_TMP/example.json" --gpu rx7900xtx.xml --peaks "$TAP_TMP/rdna.txt"
tap_is '... has its bandwidth' "$(peak B_L3)/$(peak B_L2)/$(peak B_mem)" '20.00/30.00/9.000'
# What bench measured is a description, at the clock that it states.
"$PIPESIM" show v100.xml --xml | sed -e 's/<peak name="T_SP".*/<peak name="T_SP" value="12000"\/>/' \
    -e 's/<peak name="T_tensor".*/<peak name="T_tensor" value="90000"\/>/' >"$TAP_TMP/measured.xml"
tap_ok "bench's peaks" "$PIPESIM" roofline "$TAP_TMP/example.json" --gpu v100.xml --clock base --peaks "$TAP_TMP/measured.xml"
tap_is '... are what it measured' "$(peak T_SP)/$(peak T_tensor)/$(peak B_mem)" '12 000/90 000/867.0'
echo 'record,kernel,class' >"$TAP_TMP/raw.csv"
# bad TEXT FILE: peaks that are none.
bad() {
    tap_exit "peaks: ${2##*/}" 1 "$PIPESIM" roofline "$TAP_TMP/example.json" --gpu v100.xml --peaks "$2"
    tap_like '... are refused' "$1" "$(cat "$TAP_ERR")"
}
bad 'raw.csv:1: these are samples of pipesim bench; make a description of them' "$TAP_TMP/raw.csv"
for value in 0 -828.8 1e30 '"828.8"' NaN; do
    sed "s/828.8/$value/" tests/profiles/ert-roofline.json >"$TAP_TMP/bad$value.json"
    bad "/bad$value.json:6:22: " "$TAP_TMP/bad$value.json"
done
sed 's/, 828.8//' tests/profiles/ert-roofline.json >"$TAP_TMP/short.json"
bad 'short.json:6:14: a peak is a pair, its name and a number' "$TAP_TMP/short.json"
echo '{"empirical": {"gflops": {"data": []}}}' >"$TAP_TMP/none.json"
bad 'none.json: there are no peaks here; ERT.s roofline.json has them in "empirical"' "$TAP_TMP/none.json"
for value in 0.00 -1 nan inf; do
    sed "s/828.80/$value/" tests/profiles/ert-sum.txt >"$TAP_TMP/bad$value.txt"
    bad "bad$value.txt:7: this is no peak of DRAM: it must be a number above 0" "$TAP_TMP/bad$value.txt"
    sed "s/ 102.5,/ $value,/" tests/profiles/mixbench.csv >"$TAP_TMP/mix$value.txt"
    bad "mix$value.txt:4:[0-9]*: .*$value' is no peak: it must be a number above 0" "$TAP_TMP/mix$value.txt"
done
echo '<gpu/>' >"$TAP_TMP/empty.xml"
bad 'empty.xml:1: ' "$TAP_TMP/empty.xml"
echo 'device,HBMBw,FP32Flops' >"$TAP_TMP/zero.csv"
echo '0,1388.7,0' >>"$TAP_TMP/zero.csv"
tap_exit 'a peak of zero' 1 "$PIPESIM" roofline "$TAP_TMP/example.json" --gpu mi210.xml --peaks "$TAP_TMP/zero.csv"
tap_like '... is none' "zero.csv:2:10: '0' is no peak: it must be a number above 0" "$(cat "$TAP_ERR")"
tap_exit 'a file of other things' 1 "$PIPESIM" roofline "$TAP_TMP/example.json" --gpu mi210.xml --peaks NEWS
tap_like '... has no peaks' 'NEWS: there are no peaks here' "$(cat "$TAP_ERR")"
tap_exit 'counts of a precision of which the GPU has no peak' 1 "$PIPESIM" roofline tests/profiles/nvprof-metrics.csv --gpu $input/peaks.xml
tap_like '... are named, with file and line' 'no peak T_DP, .*\(kernel void reduce<double>.*, tests/profiles/nvprof-metrics.csv:25\)$' "$(cat "$TAP_ERR")"
# What differs in the line alone is one note, with three names at most.
{
    echo 'Index,KernelName,gpu-id,queue-id,grd,wgr,lds,wave_size,sig,obj,SQ_INSTS,FETCH_SIZE,WRITE_SIZE,DispatchNs,BeginNs,EndNs,CompleteNs'
    for kernel in a b c d e f g h i j; do
        case $kernel in [g-j]) value=n/a ;; *) value=10 ;; esac
        echo "0,\"$kernel(int)\",3,0,64,64,0,64,0x0,0x7f,$value,1,1,90,100,200,300"
    done
} >"$TAP_TMP/blanks.csv"
tap_ok 'a counter that lacks in lines 8 to 11' "$PIPESIM" roofline "$TAP_TMP/blanks.csv" --gpu mi250x
tap_like '... is one note of three names and one more' \
    'blanks.csv: kernels g\(int\), h\(int\), i\(int\) and 1 more: M_inst \(SQ_INSTS has no value in line 8\)' \
    "$(cat "$TAP_OUT" "$TAP_ERR" | tr -s ' \n' ' ')"
tap_exit 'peaks for two GPUs' 2 "$PIPESIM" roofline "$TAP_TMP/example.json" --gpu mi210.xml --gpu v100.xml --peaks NEWS
tap_like '... are of one' 'peaks were measured on one GPU, and there are several' "$(cat "$TAP_ERR")"

tap_done
