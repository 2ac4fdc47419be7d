#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# The verb bench from end to end: on a model, whose latencies are known, and on the processor itself
# where an OpenCL driver for it is there.
. tests/tap.sh

program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
work=$TAP_TMP/work
mkdir "$work"

# bench ARGUMENT...: in a folder of its own, since files are made there.
bench() (
    cd "$work" && "$program" bench "$@"
)

# far GPU DESCRIPTION: of what was measured there, "CLASS LATENCY SHARE" for each figure that is more
# than 3 % from that of the GPU's own description, and then "N figures". Latencies of a pipeline per
# scheduler count as the compute unit's.
far() {
    "$PIPESIM" show "$1" --xml >"$TAP_TMP/true.xml" && perl -e '
        sub classes {
            my ($file) = @_;
            local $/; open my $in, "<", $file or die $!;
            my $text = <$in>;
            my ($schedulers) = $text =~ /schedulers="(\d+)"/;
            my %per = map { /name="([^"]+)"/ => /per="scheduler"/ ? $schedulers : 1 } $text =~ /<pipeline ([^>]*)>/g;
            my %assumed = map { $_ => 1 } $text =~ /<source id="([^"]+)" kind="assumed"/g;
            my %classes;
            for ($text =~ /<class ([^>]*)>/g) {
                my %a = /([a-z]+)="([^"]*)"/g;
                $classes{$a{name}} = {issue => $a{issue} / $per{$a{pipeline}}, completion => $a{completion}}
                    unless $assumed{$a{source} // ""} && $ARGV[1] eq $file;
            }
            return \%classes;
        }
        my ($true, $got) = map { classes($_) } @ARGV;
        my $n = 0;
        for my $name (sort keys %$got) {
            my $like = $name;
            $like =~ s/\.?[^.]*$// while length $like && !$true->{$like};
            for my $what (qw(issue completion)) {
                my $want = ($true->{$like} or next)->{$what};
                my $off = $got->{$name}{$what} / $want - 1;
                $n++;
                printf "%s %s %+.1f %%\n", $name, $what, 100 * $off if abs $off > 0.03;
            }
        }
        print "$n figures\n";' "$TAP_TMP/true.xml" "$2"
}

# holds NAME GPU DESCRIPTION LEAST: at least so many figures were measured, nine of ten within 3 %.
holds() {
    far "$2" "$3" >"$TAP_TMP/far"
    tap_figures=$(sed -n 's/ figures$//p' "$TAP_TMP/far")
    tap_far=$(($(wc -l <"$TAP_TMP/far") - 1))
    if [ "${tap_figures:-0}" -ge "$4" ] && [ $((tap_far * 10)) -le "$tap_figures" ]; then
        tap_pass "$1"
    else
        tap_fail "$1"
        tap_diag <"$TAP_TMP/far"
    fi
}

# ---- models
tap_ok 'a model of the V100 is measured' bench --backend model:v100.xml --noise 0.02 --seed 1 -o volta.xml
tap_like '... the report has its classes' '^  fmadd  .*sched\.' "$(cat "$TAP_OUT")"
tap_like '... and the levels of memory' '^  device +- +6[0-9.]+ +8[0-9.]+ +[78][0-9.]+ +39[0-9.]+ +1 245$' "$(cat "$TAP_OUT")"
tap_like '... and, of those with one chain per warp alone, no scope' '^  loop  .* -  ' "$(cat "$TAP_OUT")"
tap_like '... which the description says, too' 'loop [0-9]+ points.* scope not told' "$(tr -s '\n ' '  ' <"$work/volta.xml")"
tap_like '... and says how to go on' '^Use it +pipesim saxpy\.idg --gpu volta\.xml$' "$(cat "$TAP_OUT")"
holds '... its latencies are found' v100.xml "$work/volta.xml" 30
# levels GPU: what its description says of levels, atomics, local memory and launches, a figure on each
# line; latencies in microseconds, those of other clocks, too, and rates of atomics in operations per 1 000
# cycles of the clock that they state.
levels() {
    "$PIPESIM" show "$1" --xml | perl -e '
        local $/;
        my $text = <STDIN>;
        my ($clock) = $text =~ /<chip [^>]* clock="([^"]+)"/;
        for my $element ($text =~ /<((?:memory|level|atomics|local-memory|overheads) [^>]*)>/g) {
            my ($what) = $element =~ /^(\S+)/;
            my %a = $element =~ /([a-z0-9-]+)="([^"]*)"/g;
            $a{latency} /= $a{at} // $clock if $a{latency};
            for my $rate (grep { $a{"rates-at"} && $a{$_} } qw(address line sectors partial write)) {
                $a{$rate} /= $a{"rates-at"} / 1000;
            }
            my $name = $a{name} // "";
            print "$what $name $_ $a{$_}\n"
                for grep { !/^(name|at|rates-at|pipeline|source)$/ } sort keys %a;
        }'
}
levels v100.xml >"$TAP_TMP/true.levels"
levels "$work/volta.xml" >"$TAP_TMP/found.levels"
# All but the port of device memory, which does not state it, since it is that of L1, and the window of a busy device memory,
# which nothing measures. How loads wait there is a line through few trips.
tap_is '... its levels, atomics and launches are found, within 3 %' "$(perl -e '
    my %found = map { /^(.*) (\S+)$/ } do { open my $in, "<", $ARGV[1] or die; <$in> };
    open my $in, "<", $ARGV[0] or die;
    my $n = 0;
    for (<$in>) {
        my ($what, $want) = /^(.*) (\S+)$/;
        next if $what =~ /^memory  window$/;
        my $got = $found{$what} // 0;
        $n++;
        # A store is measured beside a turnaround of 300 cycles, a launch beside a timer of 2.7 microseconds.
        my $off = abs($got - $want) / ($want + ($what =~ / store$/ ? 300 : $what =~ / kernel-launch$/ ? 2.7 : 0));
        print "$what $got for $want\n" if $off > ($what =~ / queue/ ? 0.15 : 0.03);
    }
    print $n >= 20 ? "none missing" : "only $n";' "$TAP_TMP/true.levels" "$TAP_TMP/found.levels")" 'none missing'
tap_like '... with pipelines per scheduler' '<pipeline name="fp64" per="scheduler"' "$(cat "$work/volta.xml")"
tap_like '... and the refinements that go with them' '<model schedulers="on" order="program"' "$(cat "$work/volta.xml")"
# misjudged GPU REPORT: the classes whose scope the report tells, and tells wrongly; those that it does not tell, though they
# were measured with two numbers of chains (30 points are of one), and are no loads and stores of global memory, which device
# memory holds up; then how many it tells.
misjudged() {
    "$PIPESIM" show "$1" --xml >"$TAP_TMP/true.xml" && perl -MJSON::PP -e '
        local $/;
        my ($true, $report) = map { open my $in, "<", $_ or die $!; <$in> } @ARGV;
        my %per = map { /name="([^"]+)"/ => /per="scheduler"/ ? "scheduler" : "cu" } $true =~ /<pipeline ([^>]*)>/g;
        my %of = map { my %a = /([a-z]+)="([^"]*)"/g; ($a{name} => $per{$a{pipeline}}) } $true =~ /<class ([^>]*)>/g;
        # What has levels has no rows for these.
        my %rules = (memory => [qw(memory global)], atomics => ["atomic"], "local-memory" => [qw(local atomic.local)]);
        for my $rule (keys %rules) {
            $of{$_} //= $per{$1} for $true =~ /<$rule pipeline="([^"]+)"/ ? @{$rules{$rule}} : ();
        }
        my $told = 0;
        for my $got (@{decode_json($report)->{classes}}) {
            if (!$got->{per}) {
                print "$got->{class} left open\n" if $got->{points} > 45 && $got->{class} !~ /^(global|barrier$|loop$)/;
                next;
            }
            my $like = $got->{class};
            $like =~ s/\.?[^.]*$// while length $like && !$of{$like};
            next unless length $like;
            $told++;
            print "$got->{class} $got->{per}\n" if $got->{per} ne $of{$like};
        }
        print "$told told\n";' "$TAP_TMP/true.xml" "$2"
}
case $PIPESIM_CHECKER in
'') grids='full quick' ;;
*) grids=quick ;;
esac
for grid in $grids; do
    bench --backend model:v100.xml --noise 0.02 --seed 2 --grid "$grid" -o scopes.xml --force --format json \
        >"$TAP_TMP/scopes.json" 2>"$TAP_ERR"
    told=$(misjudged v100.xml "$TAP_TMP/scopes.json")
    tap_is "scopes are told by the $grid grid, and none wrongly" "$(echo "$told" | grep -cv ' told$')" 0
    # The quick grid has 24 classes with two numbers of chains, and this noise hides one of them (global.load). The full one
    # has 80 classes: device memory holds up eight, and fdiv, barrier and loop have no pipeline of their own.
    [ "$grid" = full ] && many='^(6[89]|[78][0-9]) told$' || many='^(2[3-9]|[3-9][0-9]) told$'
    tap_like '... and many are told' "$many" "$told"
done
tap_like 'JSON has the levels of memory' '"level": "device", .*"bandwidth": 8[0-9.]*, "mixed": [78][0-9.]*, ' \
    "$(cat "$TAP_TMP/scopes.json")"
tap_ok 'the reduced grid is enough' bench --backend model:v100.xml --grid reduced -o reduced.xml
tap_ok '... for a kernel with barriers' "$PIPESIM" mmul08.idg --gpu "$work/reduced.xml"
tap_ok '... a kernel is simulated' "$PIPESIM" saxpy.idg --gpu "$work/volta.xml"
tap_ok '... and another' "$PIPESIM" fadd.idg --gpu "$work/volta.xml"
tap_ok 'a model of Pascal is measured' bench --backend model:pascal.xml --noise 0.02 --seed 1 -o gtx.xml \
    --format json
cp "$TAP_OUT" "$TAP_TMP/report.json"
# shellcheck disable=SC2016 # $j is Perl's
tap_ok '... its report is JSON' perl -MJSON::PP -e 'local $/; open my $in, "<", shift; my $j = decode_json(<$in>);
    my ($fadd) = grep { $_->{class} eq "fadd" } @{$j->{classes}};
    abs($fadd->{issue}{value} - 0.25) < 0.01 && $fadd->{per} eq "cu" && ref $j->{warnings} or die' "$TAP_TMP/report.json"
holds '... its latencies are found' pascal.xml "$work/gtx.xml" 12
tap_like '... those of mmul by name' '<class name="global\.load\.B\.16x16" .*issue="10[0-9.]*" completion="44[0-9]' "$(cat "$work/gtx.xml")"
tap_ok '... with which mmul is simulated' "$PIPESIM" mmul08.idg --gpu "$work/gtx.xml" --format json
# The same on the GPU's own description takes 7 608 491.75 cycles.
cp "$TAP_OUT" "$TAP_TMP/mmul.json"
# shellcheck disable=SC2016 # $2 is awk's
tap_ok '... as on the GPU itself' awk -F '"cycles": ' '
    NF > 1 { split($2, cycles, /[,}]/); found = cycles[1]; exit }
    END { exit !(found > 0.97 * 7608491.75 && found < 1.03 * 7608491.75) }' "$TAP_TMP/mmul.json"
tap_is '... no pipeline is per scheduler' "$(grep -c 'per="scheduler"' "$work/gtx.xml")" 0
for description in volta gtx; do
    "$PIPESIM" show "$work/$description.xml" --xml >"$TAP_TMP/again.xml"
    tap_ok "the description of $description is read as it was written" cmp "$TAP_TMP/again.xml" "$work/$description.xml"
done

# ---- latencies drawn at random
# draw WHERE SEED: a GPU of 32, 48 or 64 warps and one, two or four schedulers, with a pipeline for each of
# twelve classes, of the CU or of each scheduler: lambda from 0.25 to 50. Inside, Lambda / lambda is from 2 to
# half of the warps times four chains, Lambda up to 800. Outside, one of the two latencies shows hardly or
# never: the ratio is from 0.2 to below 2, or from that half to four times the most instructions in flight.
draw() {
    perl -e '
        my ($where, $state) = @ARGV;
        sub draw { $state = ($state * 1103515245 + 12345) % 2**31; return $state / 2**31 }
        sub between { my ($low, $high) = @_; return $low * ($high / $low)**draw() }
        draw() for 1 .. 20;
        my ($warps, $schedulers) = ((32, 48, 64)[3 * draw()], (1, 2, 4)[3 * draw()]);
        my ($pipelines, $classes);
        for my $name (qw(fadd fmul fmadd iadd imad logic shift dadd dfma hfma sin rsqrt)) {
            my ($per, $issue, $completion) = draw() < 0.5;
            my $half = ($per ? $warps / $schedulers : $warps) * 4 / 2;
            do {
                $issue = between(0.25, 50);
                $completion = $issue * ($where eq "inside" ? between(2, $half)
                                        : draw() < 0.5 ? between(0.2, 2) : between($half, 8 * $half));
            } while $completion > ($where eq "inside" ? 800 : 5000);
            $pipelines .= sprintf qq{<pipeline name="p-$name"%s/>}, $per ? q{ per="scheduler"} : "";
            $classes .= sprintf qq{<class name="$name" pipeline="p-$name" issue="%.4f" completion="%.3f"/>},
                $issue, $completion;
        }
        print qq{<gpu xmlns="urn:pipesim:gpu:1" version="1" name="Drawn"><source kind="assumed">Drawn.</source>},
            qq{<chip compute-units="2" clock="1000" warp-size="32" schedulers="$schedulers" issue-width="16"/>},
            qq{<limits warps="$warps" groups="32" group-size="1024" local-memory="98304" local-memory-unit="256"/>},
            q{<model schedulers="on" order="program" policy="lrr"/>}, $pipelines, $classes, "</gpu>\n";' "$@"
}
# judge WHERE DRAWN REPORT: a line for each of its classes, "well" or what is wrong with it. Inside, both
# latencies are within 3 %, and the scope is right. Outside, one that never shows is not told, but bounded, and
# truly; the other is within 3 %, and the bound is no worse than what any of the launches says by itself. Of the
# CU alone is known what a pipeline whose scope is not told does.
judge() {
    perl -MJSON::PP -e '
        local $/;
        my $where = shift;
        my ($drawn, $report) = map { open my $in, "<", $_ or die $!; <$in> } @ARGV;
        my ($schedulers) = $drawn =~ /schedulers="(\d+)"/;
        my ($warps) = $drawn =~ /limits warps="(\d+)"/;
        my %got = map { $_->{class} => $_ } @{decode_json($report)->{classes}};
        my %per = map { /name="([^"]+)"/ => /per="scheduler"/ ? "scheduler" : "cu" } $drawn =~ /<pipeline ([^>]*)>/g;
        sub ceiling { my ($x) = @_; return int($x) + ($x > int $x) }
        sub near { my ($x, $y) = @_; return abs($x / $y - 1) <= 0.03 }
        for ($drawn =~ /<class ([^>]*)>/g) {
            my %true = /([a-z]+)="([^"]*)"/g;
            my ($got, $per) = ($got{$true{name}}, $per{$true{pipeline}});
            my $share = $per eq "scheduler" ? $schedulers : 1;
            my @launches = ([$warps, 4], grep { $_->[0] <= $warps } [17, 8], [33, 8]);
            my ($most) = sort { $b <=> $a } map { ceiling($_->[0] / $share) * $_->[1] } @launches;
            my ($of_all) = sort { $b <=> $a } map { $_->[0] * $_->[1] } @launches;
            my %shows = (completion => $true{completion} > $true{issue},
                         issue => $most * $true{issue} > $true{completion});
            # Hardly: less than what noise may hide.
            my %clearly = (completion => $where eq "inside" || $true{completion} > 1.5 * $true{issue},
                           issue => $where eq "inside" || $most * $true{issue} > 1.5 * $true{completion});
            my $scope = $got->{per} // "";
            my %best = (completion => $true{issue}, issue => $true{completion} / ($scope ? $most : $of_all));
            my @bad;
            push @bad, "scope" if $where eq "inside" && $schedulers > 1 && $scope ne $per;
            push @bad, "wrong scope" if $scope && $schedulers > 1 && $scope ne $per;
            my $of = $scope eq "scheduler" ? 1 : $share;
            $true{issue} /= $of;
            for (qw(issue completion)) {
                my ($value, $low, $high) = @{$got->{$_}}{qw(value low high)};
                push @bad, "$_ not told" if $clearly{$_} && !defined $value;
                push @bad, "$_ told" if !$shows{$_} && defined $value;
                push @bad, "$_ far" if defined $value && !near($value, $true{$_})
                    && !($low <= $true{$_} && $true{$_} <= $high);
                push @bad, "$_ far" if $clearly{$_} && defined $value && !near($value, $true{$_});
                push @bad, "$_ no bound" if !defined $value && !defined $high;
                push @bad, "$_ wrong bound" if !defined $value && ($low > $true{$_} || $high < $true{$_});
                push @bad, "$_ loose bound" if !defined $value && !$shows{$_} && $high > 1.1 * $best{$_};
            }
            print @bad ? "$warps/$schedulers $_: @bad\n" : "well\n";
        }' "$@"
}
# drawn NAME WHERE: of all draws 95 of 100 come out well.
drawn() {
    for seed in $draws; do
        draw "$2" "$seed" >"$work/drawn.xml"
        bench --backend model:drawn.xml --noise 0.02 --seed "$seed" -o found.xml --force --format json \
            >"$TAP_TMP/found.json" 2>"$TAP_TMP/found.err"
        judge "$2" "$work/drawn.xml" "$TAP_TMP/found.json"
    done >"$TAP_TMP/judged"
    well=$(grep -c '^well$' "$TAP_TMP/judged")
    all=$(wc -l <"$TAP_TMP/judged")
    tap_ok "$1" test $((all >= 12 && 100 * well >= 95 * all)) -eq 1
    grep -v '^well$' "$TAP_TMP/judged" | tap_diag
}
draws='1 2 3 4 5 6 7 8 9'
if [ -n "$PIPESIM_CHECKER" ]; then
    tap_skip 'latencies drawn at random' "$PIPESIM_CHECKER would take minutes"
else
    drawn 'latencies drawn at random are found, and their scopes' inside
    drawn 'outside the range the fit says which latency does not show, and bounds it truly' outside
    tap_like '... in words, too' 'not every latency shows, and the description takes the bound for it: (lambda|Lambda) of [a-z]+ is at most ' \
        "$(cat "$TAP_TMP/found.json")"
fi

# ---- the fit without a device
cp "$work/volta.xml" "$TAP_TMP/first.xml"
tap_ok '--from repeats the fit' bench --from volta.raw.csv -o again.xml
tap_ok '... with the same result' cmp "$work/again.xml" "$TAP_TMP/first.xml"
tap_exit 'a description that exists' 1 bench --from volta.raw.csv
tap_is '... stays' "$(cat "$TAP_ERR")" \
    'pipesim: volta.xml exists already; --force replaces it, --output FILE writes another one'
echo before >"$work/volta.xml"
tap_ok '... but for --force' bench --from volta.raw.csv --force
tap_ok '... which replaces it' cmp "$work/volta.xml" "$TAP_TMP/first.xml"
tap_ok 'standard output' bench --from volta.raw.csv -o -
cp "$TAP_OUT" "$TAP_TMP/output.xml"
tap_ok '... gets the description and nothing else' cmp "$TAP_TMP/output.xml" "$TAP_TMP/first.xml"
tap_exit 'measurements that exist' 1 bench --backend model:v100.xml --raw volta.raw.csv -o other.xml
tap_like '... are not overwritten' '^pipesim: volta\.raw\.csv: exists already' "$(cat "$TAP_ERR")"
tap_is '... and no description is made' "$(find "$work" -name '*other*')" ''

# ---- measurements that were stopped
small="--backend model:v100.xml --noise 0.02 --classes f* --quick"
# shellcheck disable=SC2086 # they are words
{
    tap_ok 'some classes alone' bench $small -o small.xml
    tap_is '... no others are there' "$(grep -c 'class name="dadd"' "$work/small.xml")" 0
    lines=$(wc -l <"$work/small.raw.csv")
    # In the midst of a row.
    head -n $((lines / 2)) "$work/small.raw.csv" >"$work/part.raw.csv"
    printf 'run,fadd' >>"$work/part.raw.csv"
    tap_ok 'a run that was cut off goes on' bench $small --resume -o part.xml
    tap_ok '... to the same measurements' cmp "$work/part.raw.csv" "$work/small.raw.csv"
    tap_ok '... and the same description' cmp "$work/part.xml" "$work/small.xml"
    tap_ok 'one that is complete' bench $small --resume --force -o part.xml
    tap_ok '... gets no further rows' cmp "$work/part.raw.csv" "$work/small.raw.csv"
}
tap_exit 'measurements of another GPU' 1 bench --backend model:pascal.xml --resume --raw small.raw.csv -o other.xml
tap_like '... do not go on' 'holds measurements of another device' "$(cat "$TAP_ERR")"

# A signal, as soon as something was measured.
(cd "$work" && exec "$program" bench --backend model:v100.xml --noise 0.02 -o stopped.xml) >"$TAP_OUT" 2>"$TAP_ERR" &
child=$!
while kill -0 "$child" 2>/dev/null && ! grep -q '^run' "$work/stopped.raw.csv" 2>/dev/null; do :; done
kill -TERM "$child" 2>/dev/null
wait "$child" 2>/dev/null
status=$?
if [ "$status" -eq 0 ]; then
    tap_skip 'a signal stops it' 'it was faster than the signal'
else
    tap_is 'a signal stops it' "$status" 143
    tap_is '... it says how to go on' "$(cat "$TAP_ERR")" \
        'pipesim: what was measured is kept in stopped.raw.csv; the same command with --resume goes on from there'
    tap_is '... there is no description' "$(find "$work" -name '*stopped.xml*')" ''
    tap_ok '... and it goes on' bench --backend model:v100.xml --noise 0.02 --resume -o stopped.xml
    grep '^run' "$work/stopped.raw.csv" >"$TAP_TMP/stopped.rows"
    bench --backend model:v100.xml --noise 0.02 -o whole.xml >/dev/null 2>&1
    grep '^run' "$work/whole.raw.csv" >"$TAP_TMP/whole.rows"
    tap_ok '... to what it would have measured' cmp "$TAP_TMP/stopped.rows" "$TAP_TMP/whole.rows"
fi

# ---- measurements that somebody edited
# edited NAME SED MESSAGE: the changed file is an error that says so, and leaves nothing behind.
edited() {
    sed "$2" "$work/small.raw.csv" >"$work/edited.raw.csv"
    tap_exit "$1" 1 bench --from edited.raw.csv
    tap_like '... is an error' "$3" "$(cat "$TAP_ERR")"
    tap_is '... in one line' "$(wc -l <"$TAP_ERR")" 1
    tap_is '... and no description' "$(find "$work" -name '*edited.xml*')" ''
}
edited 'a word for a number' '40s/,[0-9][^,]*,/,many,/' '^pipesim: edited\.raw\.csv:40:.*many'
edited 'a negative figure' '40s/,\([0-9][^,]*\),/,-\1,/' '^pipesim: edited\.raw\.csv:40:'
edited 'a row that lacks fields' '40s/,[^,]*,[^,]*$//' '^pipesim: edited\.raw\.csv:40:'
edited 'a row that is there twice' '40p' '^pipesim: edited\.raw\.csv:41:.*twice'
edited 'a file without runs' '/^run/d' '^pipesim: '
edited 'another file' 's/.*/nonsense/' '^pipesim: edited\.raw\.csv:1:'
edited 'an empty file' d '^pipesim: edited\.raw\.csv'
head -c "$(($(wc -c <"$work/small.raw.csv") - 5))" "$work/small.raw.csv" >"$work/edited.raw.csv"
tap_ok 'a row that is cut off' bench --from edited.raw.csv
tap_like '... is left out' 'the last row is cut off' "$(cat "$TAP_ERR")"

# ---- charts
for ending in svg png pdf; do
    tap_ok "a chart as $ending" bench --from volta.raw.csv -o - --chart "chart.$ending"
    tap_ok '... is there' [ -s "$work/chart.$ending" ]
    tap_is '... and gnuplot had nothing to say' "$(grep -c gnuplot "$TAP_ERR")" 0
done
tap_exit 'a chart of nothing' 1 bench --from nothing.csv -o - --chart nothing.svg
tap_is '... is not there' "$(find "$work" -name '*nothing*')" ''

# ---- names
tap_exit 'benchmarks that are misspelt' 1 bench --backend model:v100.xml --classes fdad -o none.xml
tap_like '... are what may have been meant, all of the series' '; did you mean fadd\*\?$' "$(cat "$TAP_ERR")"

# ---- drivers
if "$PIPESIM" bench --backend cuda --classes none -o - --raw "$work/none.csv" 2>&1 | grep -q 'no benchmark has such a name'; then
    tap_skip 'without a driver' 'CUDA is here'
else
    tap_exit 'without a driver' 1 bench --backend cuda -o cuda.xml
    tap_like '... the libraries are named' 'libcuda\.so' "$(cat "$TAP_ERR")"
    tap_is '... in one line' "$(wc -l <"$TAP_ERR")" 1
    tap_is '... and nothing is left behind' "$(find "$work" -name '*cuda*')" ''
fi

# The processor as an OpenCL device. What its driver and the compiler behind it never free is theirs,
# and the leak sanitizer falls over its threads now and then.
if [ "$PIPESIM_CHECKER" = sanitizers ]; then
    ASAN_OPTIONS=detect_leaks=0
    export ASAN_OPTIONS
fi
why_not=$(tap_no_opencl)
if [ -z "$why_not" ]; then
    started=$(date +%s)
    tap_ok 'the processor is measured' bench --backend opencl -o cpu.xml
    tap_like '... which is said, and why few points do' \
        '^pipesim: the device is .*, a processor and no GPU: the grid is reduced' "$(cat "$TAP_ERR")"
    tap_is '... and nobody asks for its barriers' "$(grep -c '^run,barrier' "$work/cpu.raw.csv")" 0
    tap_like '... the report says what cycles are there' '^Cycles ' "$(cat "$TAP_OUT")"
    tap_like '... and what its figures mean' '^Meaning ' "$(cat "$TAP_OUT")"
    said=$(grep -c 'not every latency shows' "$TAP_ERR")
    tap_ok '... latencies that do not show are told in one line' [ "$said" -le 1 ]
    tap_ok '... in less than three minutes' [ $(($(date +%s) - started)) -lt 180 ]
    tap_ok '... the description is read' "$PIPESIM" show "$work/cpu.xml"
    tap_ok '... and a kernel is simulated' "$PIPESIM" saxpy.idg --gpu "$work/cpu.xml"
    tap_ok '--from repeats that fit, too' bench --from cpu.raw.csv -o cpu-again.xml
    tap_ok '... with the same result' cmp "$work/cpu.xml" "$work/cpu-again.xml"
else
    tap_skip 'the processor is measured' "$why_not"
fi
tap_done
