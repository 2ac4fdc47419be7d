#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Streaming kernels whose data a cache may hold, simulated beside measured: prints a table with tabs.
#
#     tests/validate/caches.pl TABLE.tsv [OPTION...]    options for pipesim
#
# A row of TABLE is one figure, in GB/s: data/gpu-l2-stream.tsv or data/gpu-small-kernels.tsv. Its kernel is one of
# streams.cu, its elements are threads, and groups, where they are stated, are those that fit a compute unit. Launches
# follow each other, so caches are warm; those of the second table are in a graph. PIPESIM is the program, ./pipesim
# unless set.
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use fidelity;

my ( $path, @options ) = @ARGV;
die "usage: $0 TABLE.tsv [OPTION...]\n" unless defined $path;
my $ptx = dirname(__FILE__) . '/streams.ptx';

# Bytes that a thread moves, and elements of an array where they are not as many as threads.
my %bytes = ( scale => 16, held_init => 8, held_read => 8, held_scale => 16, held_triad => 32 );
my $held  = 155000;

my @rows = fidelity::each_of( fidelity::table( $path, "\t" ) );
my @runs = map {
    my $row      = $_;
    my $elements = $row->{kernel} =~ /^held/ ? $held : $row->{elements};
    [
        $ptx, '--kernel', $row->{kernel}, '--gpu', $row->{gpu}, '--clock', $row->{mhz}, '--block', $row->{threads},
        '--grid', int( $row->{elements} / $row->{threads} ) + 1, '--registers', 16, '--cache', 'warm',
        ( $row->{groups} ? ( '--active', $row->{groups} ) : () ),
        ( map { ( '--arg', "$_=zero:" . 8 * $elements ) } 0 .. 3 ), '--arg', "4=$row->{elements}", '--arg', '5=0', @options
    ]
} @rows;
my @answers = fidelity::answers(@runs);
for my $row (@rows) {
    my $answer = shift @answers;
    my $seconds = $answer->{result}{seconds};
    $seconds          = $answer->{result}{in_graph_seconds} // $seconds if $row->{kernel} eq 'scale';
    $row->{block}     = $row->{threads};
    $row->{simulated} = sprintf '%.1f', $row->{elements} * $bytes{ $row->{kernel} } / $seconds / 1e9;
    $row->{error}     = sprintf '%.1f', 100 * ( $row->{simulated} / $row->{measured} - 1 );
    $row->{limit}     = fidelity::limit($answer);
}
fidelity::write_table( [qw(gpu kernel elements block groups measured simulated error limit)], @rows );
