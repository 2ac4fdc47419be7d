#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Multiply-adds for each pair of elements, simulated beside measured: prints a table with tabs, 10^9 operations per second.
#
#     tests/validate/rooflines.pl TABLE.tsv
#
# TABLE.tsv has what gpu-roofline of gpu-benches prints (data/gpu-roofline.tsv): the clock that the GPU held, groups (all that
# fit at once), multiply-adds per element, 10^9 operations per second. A run is shorter than the benchmark's, whose
# launches follow each other: the bare simulation is taken, without what launches cost. AMD's compiler packs two multiply-adds
# into one instruction.
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use fidelity;

die "usage: $0 TABLE.tsv\n" unless @ARGV == 1;
my $graph = dirname(__FILE__) . '/graphs/gpu-roofline';
my $pairs = 200;

my @rows = fidelity::each_of( fidelity::table( $ARGV[0], "\t" ) );
my @runs = map {
    [
        $graph . ( $_->{gpu} =~ /^mi/ ? '-packed' : '' ) . '.idg', '--gpu', $_->{gpu}, '--clock', $_->{mhz}, '--groups',
        $_->{groups}, '--overheads', 'off', '--param', "pairs=$pairs", '--param', "iters=$_->{iters}"
    ]
} @rows;
my @answers = fidelity::answers(@runs);
for my $row (@rows) {
    my $answer = shift @answers;
    my $ops    = ( 2 + 2 * $row->{iters} ) * 2 * $pairs * 256 * $row->{groups};
    $row->{simulated} = sprintf '%.0f', $ops / $answer->{result}{seconds} / 1e9;
    $row->{most}      = sprintf '%.0f', $ops / $answer->{roofline}{ceiling_seconds} / 1e9;
    $row->{error}     = sprintf '%.1f', 100 * ( $row->{simulated} / $row->{measured} - 1 );
    $row->{limit}     = fidelity::limit($answer);
    $row->{by}        = $answer->{how_sure}{limit};
}
fidelity::write_table( [qw(gpu mhz iters measured simulated most error limit by)], @rows );
