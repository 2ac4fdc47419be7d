#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# The launches of data/v100-ncu.csv (hotspot, gaussian and cfd of Rodinia on a Tesla V100), simulated:
# prints a table with tabs, a row for each launch.
#
#     tests/validate/launches.pl [OPTION...]    options for pipesim, such as --order dataflow
#
# PIPESIM is the program, ./pipesim unless set, GRAPHS the folder of the graphs (rodinia.sh makes them; a large one may
# be packed by gzip); launches whose graph it lacks are left out. FROM, what graphs were made from, is a column. Times are cycles from launch to end.
#
# The clock is 1312 MHz, at which the profiler locks a V100: durations are elapsed cycles at that clock and 0.9 us
# (+-0.3 us) from launches of 3 000 cycles to those of 3 000 000. The column sm_hz, cycles over duration, counts these as
# if the clock were slower in short launches.
use strict;
use warnings;
use File::Basename;
use File::Temp;
use IO::Uncompress::Gunzip qw(gunzip $GunzipError);
use lib dirname(__FILE__);
use fidelity;

my $here   = dirname(__FILE__);
my $graphs = $ENV{GRAPHS} // "$here/graphs/rodinia";

# "matrix208" is another input of the same size.
sub graph {
    my ($row) = @_;
    my $input = $row->{input} =~ s/^matrix//r;
    return "$row->{benchmark}-$row->{kernel}-$input";
}

# The file of the graph of that name, which is unpacked where it is packed; nothing where there is none.
my $unpacked = File::Temp->newdir;

sub graph_file {
    my ($name) = @_;
    my $file = "$graphs/$name.idg";
    return $file if -e $file;
    return if !-e "$file.gz";
    gunzip( "$file.gz" => "$unpacked/$name.idg" ) or die "$file.gz: $GunzipError\n" if !-e "$unpacked/$name.idg";
    return "$unpacked/$name.idg";
}

# Hit rates as the counters count them, which `pipesim build --stats` found.
my %rates = map { $_->{graph} => $_ } fidelity::table( "$graphs/rates.tsv", "\t" );
my @rows  = fidelity::table( "$here/data/v100-ncu.csv", ',' );

my $mhz = 1312;

# What a launch costs on each machine, in cycles: the median of elapsed minus active cycles where at most two CUs
# are active (the counter is the mean over all 80). It is the driver's and the host's, so the machines differ, and no
# description can be right for both; the column "own" has it in place of the description's.
my %launch;
push @{ $launch{ $_->{machine} } }, $_->{elapsed_cycles} - $_->{sm_active_cycles} * 80 / $_->{grid}
  for grep { $_->{grid} <= 2 } @rows;
$_ = fidelity::median(@$_) for values %launch;

@rows = fidelity::each_of grep { graph_file( graph($_) ) } @rows;
my @answers =
  fidelity::answers( map { [ graph_file( graph($_) ), '--gpu', 'v100.xml', '--clock', $mhz, @ARGV ] } @rows );

for my $row (@rows) {
    my $answer  = shift @answers;
    my $metrics = $answer->{roofline}{metrics};
    my $bytes   = $metrics->{'M_tran-r'} + $metrics->{'M_tran-w'};
    my $seconds = $answer->{result}{seconds};
    my $rates   = $rates{ graph($row) };
    die graph($row), " has $answer->{launch}{groups} groups, the launch $row->{grid}\n"
      if $answer->{launch}{groups} != $row->{grid};
    %$row = (
        %$row,
        from      => $ENV{FROM} // 'ptx',
        measured  => $row->{elapsed_cycles},
        simulated => sprintf( '%.0f', $seconds * $mhz * 1e6 ),
        roofline  => sprintf( '%.0f', $answer->{roofline}{seconds} * $mhz * 1e6 ),
        least     => sprintf( '%.0f', $answer->{roofline}{ceiling_seconds} * $mhz * 1e6 ),
        limit     => fidelity::limit($answer),
        by        => $answer->{how_sure}{limit},
        # instructions of the simulated, fullest CU stand for those of all
        ipc       => sprintf( '%.2f', $answer->{simulated}{instructions} / $answer->{simulated}{cycles} ),
        dram      => sprintf( '%.4g', $bytes / $seconds ),
        l1        => $rates->{l1},
        l2        => $rates->{l2},
        instructions => sprintf( '%.0f', $answer->{simulated}{instructions} / $answer->{launch}{groups_per_cu} * $row->{grid} ),
        occupancy => sprintf( '%.2f', 100 * $answer->{launch}{occupancy} ),
    );
    $row->{own} = sprintf '%.0f', $row->{simulated} - $answer->{simulated}{launch_seconds} * $mhz * 1e6 + $launch{ $row->{machine} };
    $row->{error} = sprintf '%.1f', 100 * ( $row->{simulated} / $row->{measured} - 1 );
}
fidelity::write_table(
    [
        qw(from benchmark kernel input machine grid measured simulated own roofline least error limit by
          executed_warp_instructions instructions ipc_active ipc dram_bytes_per_s dram
          l1_hit_percent l1 l2_hit_percent l2 theoretical_occupancy_percent occupancy sm_active_cycles)
    ],
    @rows
);
