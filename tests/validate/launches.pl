#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# The launches of data/v100-ncu.csv (hotspot, gaussian and cfd of Rodinia on a Tesla V100), simulated:
# prints a table with tabs, a row for each launch.
#
#     tests/validate/launches.pl [OPTION...]    options for pipesim, such as --order dataflow
#
# PIPESIM is the program, ./pipesim unless set, GRAPHS the folder of the graphs (rodinia.sh makes them),
# ROWS=N takes each Nth row only. Times are cycles from launch to end.
#
# The clock is 1312 MHz, at which the profiler locks a V100: durations are elapsed cycles at that clock and 0.8 us
# (in all 332 rows, +-0.2 us for most). The column sm_hz, cycles over duration, counts these 0.8 us as
# if the clock were slower: 0.95 GHz in launches of 3 000 cycles, 1.312 in those of 3 000 000.
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use fidelity;

my $here   = dirname(__FILE__);
my $graphs = $ENV{GRAPHS} // "$here/graphs/rodinia";
my $every  = $ENV{ROWS} // 1;
my @rows   = fidelity::table( "$here/data/v100-ncu.csv", ',' );
@rows = @rows[ grep { $_ % $every == 0 } 0 .. $#rows ];

# "matrix208" is another input of the same size.
sub graph {
    my ($row) = @_;
    my $input = $row->{input} =~ s/^matrix//r;
    return "$graphs/$row->{benchmark}-$row->{kernel}-$input.idg";
}

my $mhz = 1312;

# Of the bytes that arrive at a level, the percentage that needs no deeper one. In L2 the counters count
# every store as a hit.
sub hits {
    my ( $at, $beyond ) = @_;
    return $at ? sprintf( '%.2f', 100 * ( 1 - $beyond / $at ) ) : undef;
}

my @answers = fidelity::answers(
    map { [ graph($_), '--gpu', 'v100.xml', '--clock', $mhz, @ARGV ] } @rows );

for my $row (@rows) {
    my $answer  = shift @answers;
    my $metrics = $answer->{roofline}{metrics};
    my $bytes   = $metrics->{'M_tran-r'} + $metrics->{'M_tran-w'};
    my $seconds = $answer->{result}{seconds};
    die graph($row), " has $answer->{launch}{groups} groups, the launch $row->{grid}\n"
      if $answer->{launch}{groups} != $row->{grid};
    %$row = (
        %$row,
        measured  => $row->{elapsed_cycles},
        simulated => sprintf( '%.0f', $seconds * $mhz * 1e6 ),
        roofline  => sprintf( '%.0f', $answer->{roofline}{seconds} * $mhz * 1e6 ),
        limit     => fidelity::limit($answer),
        # instructions of the simulated, fullest CU stand for those of all
        ipc       => sprintf( '%.2f', $answer->{simulated}{instructions} / $answer->{simulated}{cycles} ),
        dram      => sprintf( '%.4g', $bytes / $seconds ),
        l1        => hits( $metrics->{M_l1}, $metrics->{M_l2} ),
        l2        => hits( $metrics->{M_l2}, $metrics->{'M_tran-r'} ),
        instructions => sprintf( '%.0f', $answer->{simulated}{instructions} / $answer->{launch}{groups_per_cu} * $row->{grid} ),
        occupancy => sprintf( '%.2f', 100 * $answer->{launch}{occupancy} ),
    );
    $row->{error} = sprintf '%.1f', 100 * ( $row->{simulated} / $row->{measured} - 1 );
}
fidelity::write_table(
    [
        qw(benchmark kernel input machine grid measured simulated roofline error limit
          executed_warp_instructions instructions ipc_active ipc dram_bytes_per_s dram
          l1_hit_percent l1 l2_hit_percent l2 theoretical_occupancy_percent occupancy sm_active_cycles)
    ],
    @rows
);
