#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# How long an answer takes, whatever the question: every graph of graphs/ and every launch of tests/corpus, on every GPU
# of gpus/ with its refinements, with 1, 64 and 4096 times its groups. A graph says what each group does, and a launch of
# the corpus is executed once to make one; so only the number of groups grows, and what it does is the same.
# Prints tables for docs/evidence/performance.md: processor time of whole calls of `pipesim run`, loading included.
#
#     tests/bench/answers.pl [--advise] [--limit SECONDS] [--resume FILE] [GPU...]   GPU: as in gpus/, without .xml; all, where none is named
#
# With --advise each call is made once more with that, and the table is how many times as long it takes.
# FILE keeps a line of each call (GPU, kernel, scale, groups, seconds, those with --advise), and what is in it is not asked
# again: what was stopped goes on, and calls whose lines are deleted are measured anew.
use strict;
use warnings;
use File::Basename 'basename';
use File::Temp;
use Getopt::Long;
use JSON::PP;
use List::Util 'max';

my $program = $ENV{PIPESIM} // './pipesim';
my $limit   = 60;
my ($resumed, $advises);
GetOptions('advise' => \$advises, 'limit=i' => \$limit, 'resume=s' => \$resumed)
    or die "usage: answers.pl [--advise] [--limit SECONDS] [--resume FILE] [GPU...]\n";
my @gpus   = @ARGV ? @ARGV : map { basename($_, '.xml') } glob 'gpus/*.xml';
my @scales = (1, 64, 4096);
my $folder = File::Temp->newdir;

# What was measured before, by GPU, kernel and scale; and where more of it goes.
my (%known, $keep);
if (defined $resumed) {
    open $keep, '+>>', $resumed or die "$resumed: $!\n";
    $keep->autoflush(1);
    seek $keep, 0, 0;
    while (my $line = <$keep>) {
        my ($gpu, $kernel, $scale, $groups, $seconds, $advice) = split /\t|\n/, $line;
        $known{"$gpu\t$kernel\t$scale"} = { groups => $groups, seconds => $seconds, advice => $advice };
    }
}

# call WORD...: what the program writes, and the processor time of it; no output where it fails, or takes too long.
sub call {
    my (@words) = @_;
    my $before = (times)[2] + (times)[3];
    open my $out, '-|', 'sh', '-c', 'ulimit -t "$0" && exec "$@" 2>/dev/null', $limit, $program, @words or die "sh: $!\n";
    my $text = do { local $/; <$out> };
    close $out;
    return ($text, (times)[2] + (times)[3] - $before, ($? & 127) != 0);
}

# Graphs of graphs/, and those of the corpus, made as its README says.
sub kernels {
    my @kernels = map { { name => basename($_, '.idg'), file => $_ } } glob 'graphs/*.idg';
    my $absolute = $program =~ m{^/} ? $program : "$ENV{PWD}/$program";
    for my $launch (glob 'tests/corpus/*.launch') {
        my $name = basename($launch, '.launch');
        system("cd tests/corpus && '$absolute' build \$(cat $name.launch) --registers none -o $folder/$name.idg 2>/dev/null") == 0
            or die "$launch: no graph\n";
        push @kernels, { name => "$name (corpus)", file => "$folder/$name.idg" };
    }
    return @kernels;
}

# asked KERNEL, GPU, SCALE, GROUPS: groups and seconds of a call, with so many groups where the scale is not 1. No groups:
# the GPU lacks a class of the kernel. As many seconds as the limit: it was ended there.
sub asked {
    my ($kernel, $gpu, $scale, $groups) = @_;
    my $key = "$gpu\t$kernel->{name}\t$scale";
    return $known{$key} if $known{$key};
    my @question = ('run', $kernel->{file}, '--gpu', "gpus/$gpu.xml", '--format', 'json', $scale > 1 ? ('--groups', $groups * $scale) : ());
    my ($text, $seconds, $killed) = call(@question);
    my $run = { groups => $text eq '' ? 0 : decode_json($text)->{launch}{groups}, seconds => $killed ? $limit : $seconds };
    (undef, $run->{advice}) = call(@question, '--advise') if $advises;
    print $keep join("\t", $key, $run->{groups}, map { sprintf '%.3f', $_ } $run->{seconds}, $run->{advice} // ()), "\n" if $keep;
    return $run;
}

# What the kernel takes on the GPU at each scale; nothing where the GPU lacks one of its classes. A call that takes as long
# as the limit does so with yet more groups, which is not tried.
sub answers {
    my ($kernel, $gpu) = @_;
    my @runs;
    for my $scale (@scales) {
        my $late = @runs && $runs[-1]{seconds} >= $limit;
        my $run  = $late ? { groups => 1, seconds => $limit } : asked($kernel, $gpu, $scale, @runs ? $runs[0]{groups} : undef);
        last if !$run->{groups} && $run->{seconds} < $limit;
        push @runs, { %{$run}, scale => $scale, kernel => $kernel->{name}, gpu => $gpu };
    }
    return @runs;
}

sub longest {
    my ($seconds) = @_;
    return $seconds >= $limit ? "above $limit s" : sprintf '%.2f s', $seconds;
}

# A row of a table: NAME, and what the runs took.
sub show {
    my ($name, @runs) = @_;
    my @seconds = sort { $a <=> $b } map { $_->{seconds} } @runs;
    my $share   = sub { my ($most) = @_; return 100 * (grep { $_ < $most } @seconds) / @seconds };
    printf "| %s | %d | %.2f s | %s | %.1f %% | %.1f %% |\n", $name, scalar @seconds, $seconds[ $#seconds / 2 ], longest($seconds[-1]),
        $share->(0.3), $share->(2);
    return;
}

# A call shorter than the clock's tick counts as one.
sub ratio {
    my ($run) = @_;
    return $run->{advice} / max($run->{seconds}, 0.01);
}

# show_advice NAME, RUNS: a row of the table with --advise.
sub show_advice {
    my ($name, @runs) = @_;
    return if !@runs;
    my @ratios  = sort { $a <=> $b } map { ratio($_) } @runs;
    my @seconds = sort { $a <=> $b } map { $_->{advice} } @runs;
    printf "| %s | %d | %.1f | %.1f | %.2f s | %.2f s |\n", $name, scalar @runs, $ratios[ $#ratios / 2 ], $ratios[-1],
        $seconds[ $#seconds / 2 ], $seconds[-1];
    return;
}

# What advice takes, by what the run does: of one that is little but the start of a program the ratio says little.
sub advice {
    my @runs  = @_;
    my $least = 0;
    print "| run | calls | ratio: median | most | seconds: median | most |\n|---|--:|--:|--:|--:|--:|\n";
    for my $most (0.05, 0.3, 1, 'inf') {
        show_advice($most eq 'inf' ? "$least s and more" : "$least to $most s", grep { $_->{seconds} >= $least && $_->{seconds} < $most } @runs);
        $least = $most;
    }
    my $list = sub {
        my ($title, $by) = @_;
        print "\n$title:\n";
        my @worst = sort { $by->($b) <=> $by->($a) } @runs;
        printf "- %s, %d groups, %s: %.2f s for %.2f s, %.1f times\n", $_->{kernel}, $_->{groups}, $_->{gpu}, $_->{advice}, $_->{seconds},
            ratio($_)
            for grep { defined } @worst[ 0 .. 9 ];
    };
    $list->('Largest ratios of runs of 0.05 s and more', sub { $_[0]{seconds} < 0.05 ? 0 : ratio($_[0]) });
    $list->('Longest', sub { $_[0]{advice} });
    return;
}

my @runs;
my @kernels = kernels();
for my $gpu (@gpus) {
    print STDERR "$gpu\n";
    push @runs, answers($_, $gpu) for @kernels;
}
if ($advises) {
    advice(@runs);
    exit;
}
print "| groups, times | calls | median | most | under 0.3 s | under 2 s |\n|--:|--:|--:|--:|--:|--:|\n";
for my $scale (@scales) {
    show($scale, grep { $_->{scale} == $scale } @runs);
}
print "\n| GPU | calls | median | most | under 0.3 s | under 2 s |\n|---|--:|--:|--:|--:|--:|\n";
for my $gpu (@gpus) {
    show($gpu, grep { $_->{gpu} eq $gpu } @runs);
}
print "\nAbove 2 s, by kernel and times of its groups:\n";
my %late;
for my $run (sort { $b->{seconds} <=> $a->{seconds} } grep { $_->{seconds} >= 2 } @runs) {
    push @{ $late{"$run->{kernel}, $run->{scale}"} }, "$run->{gpu} " . longest($run->{seconds});
}
print "- $_: ", join('; ', @{ $late{$_} }), "\n" for sort keys %late;
