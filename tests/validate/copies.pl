#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# A copy of 1 GiB with 1 to 16 bytes per thread on GPUs, full of groups of 256 threads: prints a table with
# tabs. "least" is what the bytes take at the peak B_mem that the description states, in microseconds, "moved" what
# device memory moves of them.
#
#     tests/validate/copies.pl GPU.xml...
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use fidelity;

die "usage: $0 GPU.xml...\n" unless @ARGV;
my $ptx  = dirname(__FILE__) . '/streams.ptx';
my $size = 2**30;

my ( @rows, @runs );
for my $gpu (@ARGV) {
    my $levels = fidelity::slurp($gpu) =~ /<memory[\s>]/ ? 1 : 0;
    for my $bytes ( 1, 2, 4, 8, 16 ) {
        push @rows, { gpu => basename($gpu), bytes => $bytes, levels => $levels };
        push @runs,
          [
            $ptx, '--kernel', "copy$bytes", '--gpu', $gpu, '--grid', $size / $bytes / 256, '--block', 256,
            '--registers', 16, '--arg', "0=zero:$size", '--arg', "1=zero:$size"
          ];
    }
}
my @answers = fidelity::answers(@runs);
for my $row (@rows) {
    my $answer = shift @answers;
    $row->{occupancy} = 100 * $answer->{launch}{occupancy};
    $row->{least}     = sprintf '%.2f', 1e6 * 2 * $size / $answer->{roofline}{peaks}{B_mem}{value};
    $row->{simulated} = sprintf '%.2f', 1e6 * $answer->{simulated}{seconds};
    $row->{result}    = sprintf '%.2f', 1e6 * $answer->{result}{seconds};
    $row->{excess}    = sprintf '%.1f', 100 * ( $row->{result} / $row->{least} - 1 );
    $row->{moved}     = sprintf '%.3f', ( $answer->{roofline}{metrics}{'M_tran-r'} + $answer->{roofline}{metrics}{'M_tran-w'} ) / 2 / $size;
    $row->{limit}     = fidelity::limit($answer);
}
fidelity::write_table( [qw(gpu levels bytes occupancy least simulated result excess moved limit)], @rows );
