#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# mixbench on a GPU, simulated beside measured: prints a table with tabs, rates in 10^9 operations per second by type
# and number of multiply-adds per element.
#
#     tests/validate/mixes.pl TABLE GPU MHZ
#
# TABLE is in Markdown: multiply-adds per element, then the rates in single, double and half precision and of integers that
# mixbench's README shows (ekondis/mixbench, GPL-2.0: figures are quoted, the file is not ours to ship). It reads
# 2^25 elements, with 2^20 threads in groups of 256.
use strict;
use warnings;
use File::Basename;
use File::Temp;
use lib dirname(__FILE__);
use fidelity;

die "usage: $0 TABLE GPU MHZ\n" unless @ARGV == 3;
my ( $table, $gpu, $mhz ) = @ARGV;
my $graphs = dirname(__FILE__) . '/graphs';
my $folder = File::Temp->newdir;

# What differs from the graphs, which are those of single precision: the class of the multiply-add and
# of the comparison, operations per lane, the type, bytes of an element.
my @types = (
    [ 'single precision', qw(fmadd fadd.setp 2 fp32 4) ],
    [ 'double precision', qw(dfma dadd.setp 2 fp64 8) ],
    [ 'half precision',   qw(hfma hadd.setp 4 fp16 4) ],
    [ 'integers',         qw(imad iadd.setp 2 int 4) ],
);

# A graph in that type, as a file.
sub graph_of {
    my ( $name, $type ) = @_;
    my ( undef, $mad, $compare, $ops, $kind, $bytes ) = @$type;
    my $path = "$folder/$name-$kind.idg";
    my $text = fidelity::slurp("$graphs/mixbench-$name.idg");
    $text =~ s/class="fmadd"(.*?) ops="2" type="fp32"/class="$mad"$1 ops="$ops" type="$kind"/g;
    $text =~ s/fadd\.setp/$compare/g;
    $text =~ s/bytes="4"/bytes="$bytes"/g;
    open my $file, '>', $path or die "$path: $!\n";
    print {$file} $text;
    close $file or die "$path: $!\n";
    return $path;
}

my ( @rows, @runs );
for my $line ( fidelity::each_of( grep { /^\|\s*\d/ } split /\n/, fidelity::slurp($table) ) ) {
    my ( $iters, @rates ) = $line =~ /[\d.]+/g;
    for my $type (@types) {
        my ( $name, undef, undef, $ops, $kind ) = @$type;

        # The benchmark has the compiler unroll loops of integers by four, which leaves loops where that divides
        # the number.
        my $looped = $kind eq 'int' && $iters >= 8 && $iters % 4 == 0;
        push @rows,
          { gpu => $gpu, type => $name, iters => $iters, measured => shift @rates, ops => ( 1 + 2 * $iters ) * 2**25 * $ops / 2 };
        push @runs, [ graph_of( $looped ? 'looped' : 'unrolled', $type ), '--gpu', $gpu, '--clock', $mhz, '--param', "iters=$iters" ];
    }
}
my @answers = fidelity::answers(@runs);
for my $row (@rows) {
    my $answer = shift @answers;
    $row->{simulated} = sprintf '%.1f', $row->{ops} / $answer->{result}{seconds} / 1e9;
    $row->{roofline}  = sprintf '%.1f', $row->{ops} / $answer->{roofline}{seconds} / 1e9;
    $row->{most}      = sprintf '%.1f', $row->{ops} / $answer->{roofline}{ceiling_seconds} / 1e9;
    $row->{error}     = sprintf '%.1f', 100 * ( $row->{simulated} / $row->{measured} - 1 );
    $row->{limit}     = fidelity::limit($answer);
    $row->{by}        = $answer->{how_sure}{limit};
}
fidelity::write_table( [qw(gpu type iters measured simulated roofline most error limit by)], @rows );
