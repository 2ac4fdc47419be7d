#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Streaming kernels over occupancy, simulated beside measured: prints a table with tabs, GB/s for each
# kernel and each size and number of groups.
#
#     tests/validate/streams.pl SWEEP GPU MHZ [OPTION...]    options for pipesim
#
# SWEEP is what gpu-stream of gpu-benches (RRZE-HPC, GPL-3.0: figures are quoted, files are not ours to ship)
# prints, such as its v100.txt, or a table in Markdown: the threads of a group first; the last eight numbers of a line
# are groups per CU, their share of what fits in percent, GB/s of six kernels. The benchmark gives each element of
# 2^28 + 2 a thread, which computes with double precision, limits groups by local memory, and takes the median of 31
# launches. streams.cu does the same.
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use fidelity;

die "usage: $0 SWEEP GPU MHZ [OPTION...]\n" if @ARGV < 3;
my ( $sweep, $gpu, $mhz, @options ) = @ARGV;
my $ptx   = dirname(__FILE__) . '/streams.ptx';
my $n     = 2**28 + 2;

# In the order of the columns: kernels and how many arrays they move.
my @kernels = ( [ init => 1 ], [ read => 1 ], [ scale => 2 ], [ triad => 4 ], [ stencil3 => 2 ], [ stencil5 => 2 ] );
my $buffer  = 'zero:' . 8 * $n;
my @arrays  = map { ( '--arg', "$_=$buffer" ) } 0 .. 3;

my ( @rows, @runs );
for my $line ( grep { m{^[|\s]*\d} } split /\n/, fidelity::slurp($sweep) ) {
    my @numbers = $line =~ /[\d.]+/g;
    my $block = $numbers[0];
    my ( $groups, $occupancy, @measured ) = splice @numbers, -8;
    for (@kernels) {
        my ( $kernel, $streams ) = @$_;
        push @rows,
          {
            kernel   => $kernel,
            block    => $block,
            groups   => $groups,
            occupancy => $occupancy,
            measured => shift @measured,
            bytes    => 8 * $n * $streams,
          };
        push @runs,
          [
            $ptx,      '--kernel',   $kernel,       '--gpu',
            $gpu,      '--clock',    $mhz,          '--grid',
            int( $n / $block ) + 1, '--block',      $block, '--active',
            $groups,   '--registers', 16,           @arrays,
            '--arg',   "4=$n",       '--arg', '5=0', @options
          ];
    }
}
my @answers = fidelity::answers(@runs);
for my $row (@rows) {
    my $answer = shift @answers;
    $row->{simulated} = sprintf '%.1f', $row->{bytes} / $answer->{result}{seconds} / 1e9;
    $row->{roofline}  = sprintf '%.1f', $row->{bytes} / $answer->{roofline}{seconds} / 1e9;
    $row->{error}     = sprintf '%.1f', 100 * ( $row->{simulated} / $row->{measured} - 1 );
    $row->{limit}     = fidelity::limit($answer);
}
fidelity::write_table( [qw(kernel block groups occupancy measured simulated roofline error limit)], @rows );
