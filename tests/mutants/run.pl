#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# tests/mutants/run.pl [--count N] [--seed N] [--budget SECONDS] [--longest SECONDS] [--near] --folder FOLDER...
#     [--without FOLDER...] SCRIPT...
#
# FOLDER may be NAME=N: no more than N mutants of that folder are drawn.
#
# Puts small faults (mutations.pm) into the C files of the folders, one at a time, and says which of them no test
# finds. Of all that there are, SEED draws COUNT that compile to other code. All happens in build-mutants/:
#
#     tree/              a copy of the checkout; plain/ and coverage/ are builds of it
#     cover/             for each test the seconds that it takes, and the lines that it runs, measured once
#     results-SEED.tsv   a line for each mutant: killed, survived, uncovered (no test runs the line), or
#                        same (the compiler makes the same of it) and invalid (it does not compile)
#
# Mutants of the folders WITHOUT are drawn, but not tried: their code is about to change, say.
# A mutant meets the tests that run its line, the cheapest first, until one fails, does not end (ten times
# its seconds), or BUDGET seconds are over. Tests that take longer than LONGEST are left out. Goldens are a test for
# each dozen or so. A run that is interrupted goes on; one with other tests tries
# again what had survived.
#
# To measure which lines each test runs takes an hour. With --near nothing is measured, and the tests are those that
# are near the mutant's file by their names and by the headers that they include (near_tests), scripts last.
use strict;
use warnings;
use lib 'tests', 'tests/mutants';
use files;
use mutations 'mutations';
use Cwd 'getcwd';
use Digest::MD5 'md5_hex';
use Fcntl ':flock';
use File::Basename;
use File::Copy 'copy';
use File::Path qw(make_path remove_tree);
use Getopt::Long;
use List::Util qw(first min shuffle sum0 uniq);
use POSIX ();

my ($count, $seed, $budget, $longest, $near) = (300, 1, 60, 10, 0);
my (@folders, @without);
GetOptions('count=i' => \$count, 'seed=i' => \$seed, 'budget=f' => \$budget, 'longest=f' => \$longest, 'near' => \$near, 'folder=s' => \@folders,
    'without=s' => \@without) or exit 2;
my @scripts = @ARGV;
my %most = map { /^(.*)=(\d+)$/ ? ($1 => $2) : ($_ => $count) } @folders;
s/=\d+$// for @folders;

my $work = getcwd() . '/build-mutants';
my ($tree, $plain, $coverage, $tmp) = map { "$work/$_" } qw(tree plain coverage tmp);
my $folders = join '|', @folders;
my %is_bad;    # of tests that have failed, whether they do so without a fault, too
# Scripts that ask for a room whose name they do not have.
my %scripts_of = (card => qr/^(?:program|recording)/, driver => qr/^program/, serve => qr/^mcp$/);

$| = 1;
POSIX::nice(19);
$ENV{LC_ALL} = 'C';
make_path($tree, $plain, "$work/cover", $tmp);
open my $lock, '>', "$work/lock" or die "$work/lock: $!\n";
flock $lock, LOCK_EX | LOCK_NB or die "another run is under way in $work\n";
my $child;
$SIG{$_} = sub { kill KILL => -$child if $child; exit 1 } for qw(INT TERM HUP);
rename $_, s/\.kept$//r for split /\n/, `find '$plain' -name '*.kept'`;    # of a run that was interrupted
follow_checkout();
chdir $tree or die "$tree: $!\n";
build($plain, '-O1');
build($coverage, '-O0 --coverage') if !$near;
chomp(my $compiler = `@{[ make($plain, '-O1') ]} -s compiler`);

my @tests = grep { $near || measured($_) } known_tests();
my %covers = $near ? () : read_covers();
my %users  = who_includes();
try_all();

# ---- the copy and its builds ----------------------------------------------------------------------

# The copy has the checkout's files; those that are the same keep their times, so that make builds what it must.
sub follow_checkout {
    chomp(my @now = grep { -f } split /\0/, `git ls-files -z --cached --others --exclude-standard`);
    my %is_there = map { $_ => 1 } @now;
    for my $path (@now) {
        next if -e "$tree/$path" && -s _ == -s $path && slurp("$tree/$path") eq slurp($path);
        make_path(dirname("$tree/$path"));
        copy($path, "$tree/$path") or die "$path: $!\n";
        chmod((stat $path)[2] & 0777, "$tree/$path");
    }
    for my $path (split /\0/, `cd '$tree' && find . -type f -printf '%P\\0'`) {
        unlink "$tree/$path" unless $is_there{$path};
    }
}

# Unit tests take the shared library, which shall show all its functions, not those of its headers alone: it is linked
# anew for each mutant, they are not.
sub make {
    my ($build, $flags) = @_;
    my $exports = "$work/exports.map";
    spew($exports, "{ global: *; };\n") if !-e $exports;
    return "make -j1 -o $exports BOOTSTRAP=true BUILD=$build EXPORTS=$exports UNIT_LIB=$build/libpipesim.so.0"
        . " CFLAGS='$flags -w -fvisibility=default'";
}

sub build {
    my ($build, $flags) = @_;
    system("@{[ make($build, $flags) ]} all unit >$work/output 2>&1") == 0 or die "$build cannot be built: see $work/output\n";
}

# ---- tests ----------------------------------------------------------------------------------------

# A test: its kind, its names, the digest of its files, and once it is measured its seconds.
sub known_tests {
    my @tests;
    my $add = sub { my ($kind, $names, @files) = @_; push @tests, { kind => $kind, names => $names, digest => md5_hex(map { slurp($_) } @files) } };
    my %share;    # by name, so that a new case changes one of them
    push @{ $share{ hex(substr md5_hex($_), 0, 6) % 48 } }, $_ for glob 'tests/golden/*.case';
    $add->('golden', [map { basename($_, '.case') } @$_], @$_) for map { $share{$_} } sort keys %share;
    $add->('unit', [basename($_, '.c')], $_) for glob 'tests/unit/*.c';
    $add->('script', [basename($_, '.t')], $_, grep { -f } s/t$/pl/r) for @scripts;
    return @tests;
}

sub command {
    my ($build, $test) = @_;
    return $test->{kind} eq 'golden' ? ('tests/golden.t', @{ $test->{names} })
        : ($test->{kind} eq 'unit' ? "$build/tests/unit/" : 'tests/') . "$test->{names}[0].t";
}

# Where it is kept what is known of a test.
sub cover_file {
    my ($test) = @_;
    return "$work/cover/$test->{kind}-$test->{names}[0]";
}

# run(BUILD, SECONDS, COMMAND...): whether it succeeds within that much time of a processor, and what it took.
# Ten times as long may pass, for tests sleep, and the machine has more to do.
sub run {
    my ($build, $seconds, @command) = @_;
    my $before = sum0((times)[2, 3]);
    $child = fork // die "fork: $!\n";
    if (!$child) {
        setpgrp;
        @ENV{qw(PIPESIM BUILD CC CFLAGS LD_LIBRARY_PATH TMPDIR)} = ("$build/pipesim", $build, 'cc', '-O1', $build, $tmp);
        open STDIN, '<', '/dev/null' or die;
        open STDOUT, '>', "$work/output" or die;
        open STDERR, '>&', \*STDOUT or die;
        exec '/bin/sh', '-c', 'ulimit -t "$1"; ulimit -v 8000000; shift; exec "$@"', 'sh', POSIX::ceil($seconds), @command;
        die;
    }
    my $status = eval {
        local $SIG{ALRM} = sub { die "late\n" };
        alarm(POSIX::ceil(10 * $seconds));
        waitpid $child, 0;
        my $got = $?;
        alarm 0;
        $got;
    };
    kill KILL => -$child;
    if (!defined $status) { waitpid $child, 0; $status = -1 }
    $child = undef;
    remove_tree($tmp, { keep_root => 1 });
    return ($status == 0, sum0((times)[2, 3]) - $before);
}

# measured(TEST): whether it can be used: what fails without a fault or takes too long cannot.
sub measured {
    my ($test) = @_;
    my $file = cover_file($test);
    my $of = "$test->{digest}-" . sources_digest();
    if (!-e $file || (split / /, slurp($file))[0] ne $of) {
        my ($good, $seconds) = run($plain, $longest, command($plain, $test));
        if ($good) {
            unlink glob "'$coverage'/{" . join(',', map { ($_, "$_/*") } @folders) . '}/*.gcda';
            run($coverage, 20 * $longest, command($coverage, $test));
        }
        spew($file, "$of $seconds " . ($good ? 'good' : 'bad') . "\n" . ($good ? lines_run() : ''));
        print "$test->{kind} $test->{names}[0]: ", ($good ? '' : 'left out, '), sprintf("%.2f s\n", $seconds);
    }
    my ($digest, $seconds, $verdict) = split ' ', slurp($file) =~ s/\n.*//sr;
    $test->{seconds} = $seconds;
    return $verdict eq 'good';
}

# What the library is made of, as a digest.
my $sources_digest;
sub sources_digest {
    return $sources_digest //= md5_hex(map { slurp($_) } source_files());
}

sub source_files {
    return sort grep { /\.[ch]$/ } split /\n/, `find @folders -type f`;
}

# What gcov says of the last run: for each file a line, "FILE: RUN... / NOT...", the numbers of lines.
sub lines_run {
    my @found = split /\n/, `cd '$coverage' && find @folders -name '*.gcda'` or return '';
    my $json = `cd '$coverage' && gcov --json-format --stdout @found 2>/dev/null`;
    my (%run, %seen);
    my @lines;
    while ($json =~ /"count": (\d+), "line_number": (\d+)|"file": "([^"]+)"/g) {
        if (defined $3) {
            my $file = $3;
            if ($file =~ m{^(?:$folders)/}) {
                for (@lines) { $seen{$file}{ $_->[1] } = 1; $run{$file}{ $_->[1] } = 1 if $_->[0] }
            }
            @lines = ();
        } else { push @lines, [$1, $2] }
    }
    return join '', map { my $f = $_; "$f: " . join(' ', sort { $a <=> $b } keys %{ $run{$f} // {} }) . ' / '
        . join(' ', sort { $a <=> $b } grep { !$run{$f}{$_} } keys %{ $seen{$f} }) . "\n" } sort keys %seen;
}

# For each file and line the indices of the tests that run it; an empty list where none does.
sub read_covers {
    my %covers;
    for my $i (0 .. $#tests) {
        open my $in, '<', cover_file($tests[$i]) or die;
        <$in>;
        while (<$in>) {
            my ($file, $run, $not) = m{^(\S+): (.*?) ?/ ?(.*)$} or die;
            push @{ $covers{$file}[$_] }, $i for split ' ', $run;
            $covers{$file}[$_] //= [] for split ' ', $not;
        }
    }
    return %covers;
}

# ---- mutants --------------------------------------------------------------------------------------

# For each source file the objects that are made of it.
sub who_includes {
    my %users;
    for my $path (split /\n/, `find $plain -name '*.d' -not -path '$plain/tests/*'`) {
        my ($object) = $path =~ s/\.d$/.o/r;
        my ($rule) = split /\n\n|\n(?=\S)/, slurp($path) =~ s/\\\n//gr;
        $users{$_}{$object} = 1 for grep { m{^(?:$folders)/} } split ' ', $rule =~ s/^.*?://r;
    }
    return map { $_ => [sort keys %{ $users{$_} }] } keys %users;
}

sub try_all {
    my @all;
    for my $file (source_files()) {
        my $text = slurp($file);
        push @all, map { { %$_, file => $file, key => join("\t", $file, $_->{line}, $_->{column}, one_line($_->{old}), one_line($_->{new})) } } mutations($text);
    }
    srand $seed;
    my %known = results();
    my (%sum, %of);
    open my $out, '>>', "$work/results-$seed.tsv" or die;
    $out->autoflush(1);
    for my $mutant (shuffle @all) {
        last if ($sum{killed} // 0) + ($sum{survived} // 0) + ($sum{uncovered} // 0) >= $count;
        next if grep { $mutant->{file} =~ m{^\Q$_\E/} } @without;
        my $folder = first { $mutant->{file} =~ m{^\Q$_\E/} } @folders;
        next if ($of{$folder} // 0) >= $most{$folder};
        my $result = $known{ $mutant->{key} };
        if (!$result) {
            $result = try_one($mutant);
            print {$out} join("\t", $mutant->{key}, $mutant->{what}, @$result{qw(outcome by seconds)}, tests_digest()), "\n";
            printf "%s:%d: %s -> %s: %s %s\n", @$mutant{qw(file line)}, one_line($mutant->{old}), one_line($mutant->{new}), @$result{qw(outcome by)};
        }
        $sum{ $result->{outcome} }++;
        $of{$folder}++ if $result->{outcome} =~ /killed|survived|uncovered/;
    }
    print join(', ', map { "$sum{$_} $_" } sort keys %sum), ' of ', scalar @all, "\n";
}

sub one_line {
    my ($text) = @_;
    return $text =~ s/\s+/ /gr;
}

# What has survived is only known as long as the tests are what they were.
sub results {
    my %known;
    open my $in, '<', "$work/results-$seed.tsv" or return;
    while (<$in>) {
        chomp;
        my ($file, $line, $column, $old, $new, $what, $outcome, $by, $seconds, $digest) = split /\t/, $_, -1;
        next if $outcome =~ /survived|uncovered/ && $digest ne tests_digest();
        $known{ join "\t", $file, $line, $column, $old, $new } = { outcome => $outcome, by => $by, seconds => $seconds };
    }
    return %known;
}

my $tests_digest;
sub tests_digest {
    return $tests_digest //= md5_hex(map { $_->{digest} } @tests);
}

sub try_one {
    my ($mutant) = @_;
    my $file = $mutant->{file};
    my @times = (stat $file)[8, 9];
    my $text = slurp($file);
    my @objects = @{ $users{$file} // [] };
    my $mutated = $text;
    substr($mutated, $mutant->{start}, $mutant->{length}) = $mutant->{new};
    spew($file, $mutated);
    my $outcome = compiled(@objects);
    spew($file, $text);
    utime @times, $file;
    my %result = (outcome => $outcome, by => '', seconds => 0);
    if ($outcome eq 'other') {
        rename $_, "$_.kept" or die for @objects;
        rename "$_.mutant", $_ or die for @objects;
        my $linked = system("@{[ make($plain, '-O1') ]} all >$work/output 2>&1") == 0;
        %result = $linked ? met_tests($mutant) : (%result, outcome => 'invalid');
        for (@objects) { rename "$_.kept", $_ or die; utime undef, undef, $_ }
    }
    unlink map { "$_.mutant" } @objects;
    my $test = delete $result{test};
    return $near && $test && is_bad($test) ? try_one($mutant) : \%result;
}

# compiled(OBJECT...): makes OBJECT.mutant of each: invalid, same as without the fault, or other.
sub compiled {
    my (@objects) = @_;
    my $other = 0;
    for my $object (@objects) {
        my $source = $object =~ s{^\Q$plain\E/(.*)\.o$}{$1.c}r;
        system("$compiler -c -MF /dev/null -o $object.mutant $source >$work/output 2>&1") == 0 or return 'invalid';
        $other ||= slurp("$object.mutant") ne slurp($object);
    }
    return $other ? 'other' : 'same';
}

# The tests that may find it: those that run its line, or that run a line where a constant's name stands.
sub tests_of {
    my ($mutant) = @_;
    my $lines = $covers{ $mutant->{file} };
    if ($mutant->{body}) {
        my $line = $mutant->{line};
        $line-- while $line > 1 && !$lines->[$line];    # a statement's lines are run with its first
        return @{ $lines->[$line] // [] };
    }
    my ($name) = (split /\n/, slurp($mutant->{file}))[$mutant->{line} - 1] =~ /(\w+)(?:\s*=)?\s*\(?\Q$mutant->{old}\E/ or return;
    my @found;
    for my $file (grep { $covers{$_} } source_files()) {
        my $at = 0;
        for (split /\n/, slurp($file)) {
            $at++;
            push @found, @{ $covers{$file}[$at] // [] } if /\b\Q$name\E\b/;
        }
    }
    return uniq(@found ? @found : map { @{ $_ // [] } } @{ $lines // [] });
}

# near_tests(FILE): tests that are near, the nearest first, of those the ones that took least so far: those named like
# the file or a folder that it is in, or, of goldens, whose command says so; unit tests named like the room, or that
# include headers of it; all goldens; scripts named like the file, a folder or the room.
sub near_tests {
    my ($file) = @_;
    my ($room, @words) = split m{/}, $file =~ s/\.[ch]$//r;
    my $named = join '|', map { quotemeta } @words;
    my %distance = map { $_ => distance($tests[$_], $room, qr/\b(?:$named)/) } 0 .. $#tests;
    my @near = map { $tests[$_] } sort { $distance{$a} <=> $distance{$b} || ($tests[$a]{seconds} // 1) <=> ($tests[$b]{seconds} // 1) || $a <=> $b }
        grep { $distance{$_} < 9 } keys %distance;
    return grep { !$is_bad{"$_->{kind}/$_->{names}[0]"} } @near;
}

sub distance {
    my ($test, $room, $named) = @_;
    my @names     = @{ $test->{names} };
    my $is_golden = $test->{kind} eq 'golden';
    my $is_script = $test->{kind} eq 'script';
    my @asked     = $is_golden ? map { (split /\n/, slurp("tests/golden/$_.case"))[0] } @names : @names;
    return $is_script ? 5 : 1 if grep { /$named/ } @asked;
    return 4 if $is_golden;
    return $names[0] =~ ($scripts_of{$room} // qr/^\Q$room\E/) ? 5 : 9 if $is_script;
    return $names[0] =~ /^$room/ ? 2 : slurp("tests/unit/$names[0].c") =~ m{^#include "$room/}m ? 3 : 9;
}

# Seconds after which a test does not end: ten times what it takes, where that is known.
sub limit {
    my ($test) = @_;
    return $near ? 2 * $longest : 2 + 10 * $test->{seconds};
}

# Whether the test fails without a fault, too. It is asked of one that has failed, once.
sub is_bad {
    my ($test) = @_;
    my $name = "$test->{kind}/$test->{names}[0]";
    if (!exists $is_bad{$name}) {
        system("@{[ make($plain, '-O1') ]} all >$work/output 2>&1") == 0 or die "$plain cannot be built: see $work/output\n";
        $is_bad{$name} = !(run($plain, limit($test), command($plain, $test)))[0];
    }
    return $is_bad{$name};
}

# met_tests(MUTANT): what becomes of it.
sub met_tests {
    my ($mutant) = @_;
    my @left = $near ? near_tests($mutant->{file}) : sort { $a->{seconds} <=> $b->{seconds} } map { $tests[$_] } tests_of($mutant);
    return (outcome => 'uncovered', by => '', seconds => 0) if !@left;
    my $spent = 0;
    while (@left && $spent < $budget) {
        my $test = shift @left;
        my ($good, $seconds) = run($plain, limit($test), command($plain, $test));
        $spent += $seconds;
        $test->{seconds} //= $seconds;
        return (outcome => 'killed', by => killer($test), seconds => sprintf('%.2f', $spent), test => $test) if !$good;
    }
    return (outcome => 'survived', by => @left ? @left . ' tests not tried' : '', seconds => sprintf('%.2f', $spent));
}

# The test's name; of a dozen that of the first that failed, if any came so far.
sub killer {
    my ($test) = @_;
    my ($failed) = slurp("$work/output") =~ /^not ok \d+ - (\S+)/m;
    return "$test->{kind}/" . ($test->{kind} eq 'golden' && defined $failed ? $failed : $test->{names}[0]);
}
