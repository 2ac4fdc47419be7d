#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Streaming kernels over occupancy, simulated beside measured: prints a table with tabs, GB/s for each
# kernel and each size and number of groups.
#
#     tests/validate/streams.pl SWEEP GPU MHZ [OPTION...]    options for pipesim
#     tests/validate/streams.pl TABLE.tsv                    all GPUs of a table such as data/gpu-stream.tsv
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

die "usage: $0 TABLE.tsv | SWEEP GPU MHZ [OPTION...]\n" if @ARGV == 0 || @ARGV == 2;
my ( $sweep, $gpu, $mhz, @options ) = @ARGV;
my $ptx   = dirname(__FILE__) . '/streams.ptx';
my $n     = 2**28 + 2;

# In the order of the columns: kernels and how many arrays they move.
my @kernels = ( [ init => 1 ], [ read => 1 ], [ scale => 2 ], [ triad => 4 ], [ stencil3 => 2 ], [ stencil5 => 2 ] );
my $buffer  = 'zero:' . 8 * $n;
my @arrays  = map { ( '--arg', "$_=$buffer" ) } 0 .. 3;

# What SWEEP has, with names as in a table.
sub read_sweep {
    my @lines;
    for my $line ( grep { m{^[|\s]*\d} } split /\n/, fidelity::slurp($sweep) ) {
        my @numbers = $line =~ /[\d.]+/g;
        my %row = ( gpu => $gpu, mhz => $mhz, threads => $numbers[0] );
        @row{ qw(groups occupancy), map { $_->[0] } @kernels } = splice @numbers, -8;
        push @lines, \%row;
    }
    return @lines;
}

my ( @rows, @runs );
for my $line ( fidelity::each_of( defined $gpu ? read_sweep() : fidelity::table( $sweep, "\t" ) ) ) {
    my ( $block, $groups ) = @$line{qw(threads groups)};
    for ( grep { $line->{ $_->[0] } ne '' } @kernels ) {
        my ( $kernel, $streams ) = @$_;
        push @rows,
          {
            gpu      => $line->{gpu},
            kernel   => $kernel,
            block    => $block,
            groups   => $groups,
            occupancy => $line->{occupancy},
            measured => $line->{$kernel},
            bytes    => 8 * $n * $streams,
          };
        push @runs,
          [
            $ptx,      '--kernel',   $kernel,       '--gpu',
            $line->{gpu}, '--clock', $line->{mhz},  '--grid',
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
    $row->{most}      = sprintf '%.1f', $row->{bytes} / $answer->{roofline}{ceiling_seconds} / 1e9;
    $row->{error}     = sprintf '%.1f', 100 * ( $row->{simulated} / $row->{measured} - 1 );
    $row->{limit}     = fidelity::limit($answer);
    $row->{by}        = $answer->{how_sure}{limit};
}
fidelity::write_table( [qw(gpu kernel block groups occupancy measured simulated roofline most error limit by)], @rows );
