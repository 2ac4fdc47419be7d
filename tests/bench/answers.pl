#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# How long an answer takes, whatever the question: every graph of graphs/ and every launch of tests/corpus, on every GPU
# of gpus/ with its refinements, with 1, 64 and 4096 times its groups. A graph says what each group does, and a launch of
# the corpus is executed once to make one; so only the number of groups grows, and what it does is the same.
# Prints a table for docs/performance.md: processor time of whole calls of `pipesim run`, loading included.
#
#     tests/bench/answers.pl [--limit SECONDS] [GPU...]      GPU: as in gpus/, without .xml; all, where none is named
use strict;
use warnings;
use File::Basename 'basename';
use File::Temp;
use Getopt::Long;
use JSON::PP;

my $program = $ENV{PIPESIM} // './pipesim';
my $limit   = 60;
GetOptions('limit=i' => \$limit) or die "usage: answers.pl [--limit SECONDS] [GPU...]\n";
my @gpus   = @ARGV ? @ARGV : map { basename($_, '.xml') } glob 'gpus/*.xml';
my @scales = (1, 64, 4096);
my $folder = File::Temp->newdir;

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

# Adds to @$runs what the kernel takes on the GPU at each scale; nothing where the GPU lacks one of its classes.
sub answer {
    my ($kernel, $gpu, $runs) = @_;
    my @run = ('run', $kernel->{file}, '--gpu', "gpus/$gpu.xml", '--format', 'json');
    my $groups;
    for my $scale (@scales) {
        my ($text, $seconds, $killed) = call(@run, $scale > 1 ? ('--groups', $groups * $scale) : ());
        return if $text eq '' && !$killed;
        push @$runs, { scale => $scale, seconds => $seconds, killed => $killed, kernel => $kernel->{name}, gpu => $gpu };
        last if $killed;
        $groups //= decode_json($text)->{launch}{groups};
    }
    return;
}

# Calls that would take longer than the limit end there; with yet more groups they are not tried, and count as long.
sub show {
    my ($scale, $asked, @runs) = @_;
    my @seconds = sort { $a <=> $b } map { $_->{seconds} } @runs;
    push @seconds, ($limit) x ($asked - @seconds);
    my $share = sub { my ($most) = @_; return 100 * (grep { $_ < $most } @seconds) / @seconds };
    my $late  = (grep { $_->{killed} } @runs) + $asked - @runs;
    printf "| %d | %d | %.2f s | %s | %.1f %% | %.1f %% |\n", $scale, $asked, $seconds[ $#seconds / 2 ],
        $late ? "$late above $limit s" : sprintf('%.2f s', $seconds[-1]), $share->(0.3), $share->(2);
    return;
}

my @runs;
my @kernels = kernels();
for my $gpu (@gpus) {
    print STDERR "$gpu\n";
    answer($_, $gpu, \@runs) for @kernels;
}
my $asked = grep { $_->{scale} == 1 } @runs;
print "| groups, times | calls | median | most | under 0.3 s | under 2 s |\n|--:|--:|--:|--:|--:|--:|\n";
for my $scale (@scales) {
    show($scale, $asked, grep { $_->{scale} == $scale } @runs);
}
print "\nAbove 2 s, by kernel and times of its groups:\n";
my %late;
for my $run (sort { $b->{seconds} <=> $a->{seconds} } grep { $_->{killed} || $_->{seconds} >= 2 } @runs) {
    push @{ $late{"$run->{kernel}, $run->{scale}"} },
        $run->{killed} ? "$run->{gpu} above $limit s" : sprintf('%s %.1f s', $run->{gpu}, $run->{seconds});
}
print "- $_: ", join('; ', @{ $late{$_} }), "\n" for sort keys %late;
