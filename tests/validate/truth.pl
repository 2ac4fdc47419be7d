#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Everyday access patterns (patterns.pm): what the model says beside what somebody measured (data/truth.tsv).
#
#     tests/validate/truth.pl measured      every measured figure, as a table with tabs
#     tests/validate/truth.pl known         the same as docs/evidence/truth.md has it
#     tests/validate/truth.pl everyday      all patterns on all chips, likewise
#
# PIPESIM is the program, ./pipesim unless set, JOBS how many run at once. Nothing of CUDA is needed.
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use fidelity;
use patterns;

my @chips    = qw(v100 rtx2080ti a100 rtx3090 h100 rtx4090 b200);
my @everyday = (
    'Global memory, found in L1 (cycles)' => [
        'cycles',
        ( map { "load global $_" } 1, 2, 4, 8, 16 ),
        ( map { my $width = $_; map { "load global $width stride=$_" } grep { $_ > $width } 8, 32, 64, 128 } 4, 8, 16 ),
        ( map { my $width = $_; map { "load global $width lanes=8 stride=$_" } 32, 64 } 4, 8, 16 ),
        'load global 4 lanes=16 stride=32', 'load global 4 stride=0', 'load global 16 stride=0', 'pair'
    ],
    'Shared memory (cycles)' => [
        'cycles',
        ( map { "load shared $_" } 1, 2, 4, 8, 16 ), ( map { "store shared $_" } 4, 8, 16 ),
        ( map { "load shared 4 stride=$_" } 8, 16, 128 ), ( map { "load shared $_ stride=0" } 4, 8, 16 ),
        'load shared 8 share=2', 'load shared 16 share=2', 'load shared 16 lanes=8', 'matrices', 'matrices stride=64', 'matrices stride=128',
        'atomic shared 4', 'atomic shared 4 stride=0', 'atomic shared 4 random=256'
    ],
    'Constant memory, and within a warp (cycles)' =>
      [ 'cycles', 'load constant 4 stride=0', 'load constant 4 lanes=8', 'load constant 4', 'vote', 'shuffle', 'redux' ],
    'Multiply-adds in single precision, of integers, and logic (cycles of all)' => [
        'cycles', 'mix floats=1', 'mix integers=1', 'mix floats=1 integers=1', 'mix floats=2 integers=1', 'mix floats=1 integers=2',
        'mix floats=1 logic=1', 'mix integers=1 logic=1'
    ],
    'Atomics of global memory (10^9 lanes per second)' => [
        'lanes', 'reduce global 4 stride=0', 'reduce global 4 stride=0 warps=8', 'reduce global 4', 'reduce global 4 warps=16',
        'reduce global 4 warps=1024', 'atomic global 4 stride=0', 'atomic global 4 warps=1024'
    ],
    'Sectors that are written in part (10^9 per second)' => [
        'sectors', 'store global 1 stride=32 warps=65536 apart=1024', 'store global 4 stride=32 warps=65536 apart=1024',
        'store global 16 stride=32 warps=65536 apart=1024'
    ],
);

# What descriptions say of a chip's compute units; a reduction within a warp needs compute capability 8.0.
my %units;
sub units {
    my ($gpu) = @_;
    my $program = $ENV{PIPESIM} // './pipesim';
    return $units{$gpu} //= scalar(qx($program show $gpu --xml)) =~ / compute-units="(\d+)"/ ? $1 : die "$gpu: no compute units\n";
}
sub exists_on {
    my ( $pattern, $gpu ) = @_;
    return !( $pattern eq 'redux' && $gpu =~ /^(?:v100|rtx2080ti|t4)$/ );
}

# Figures of pairs of a pattern and a chip, by "PATTERN on GPU": each is simulated once.
sub simulated {
    my (@pairs) = @_;
    my %seen;
    @pairs = grep { !$seen{"$_->[0] on $_->[1]"}++ } @pairs;
    my @answers = fidelity::answers( map { patterns::run_of( @$_, units( $_->[1] ) ) } @pairs );
    return map { ( "$_->[0] on $_->[1]" => shift @answers ) } @pairs;
}

sub rows {
    my ( $answers, @rows ) = @_;
    for my $row (@rows) {
        my $figure = patterns::figure( $row->{pattern}, $row->{unit}, $answers->{"$row->{pattern} on $row->{gpu}"}, units( $row->{gpu} ) );
        $row->{simulated} = sprintf $figure < 1000 ? '%.3g' : '%.0f', $figure;
        $row->{error} = sprintf '%+.0f', 100 * ( $figure / $row->{measured} - 1 );
    }
    return @rows;
}

sub line { print '| ', join( ' | ', @_ ), " |\n" }

sub head {
    line( map { s/^<//r } @_ );
    print '|', join( '|', map { /^</ ? ':--' : '--:' } @_ ), "|\n";
}

my %unit = ( cycles => 'cycles', lanes => '10^9 lanes/s', requests => '10^9 requests/s', sectors => '10^9 sectors/s', us => 'us' );

sub known {
    my (@measured) = @_;
    head(qw(<pattern <GPU <unit measured here error <source));
    line( "`$_->{pattern}`", "`$_->{gpu}`", $unit{ $_->{unit} }, $_->{measured}, $_->{simulated}, "$_->{error} %", $_->{source} ) for @measured;
}

# A cell: what the model says, and in brackets what was measured, if anything was.
sub cell {
    my ( $pattern, $gpu, $unit, $answer, $measured ) = @_;
    my $figure = sprintf '%.3g', patterns::figure( $pattern, $unit, $answer, units($gpu) );
    my $known  = $measured->{"$pattern on $gpu $unit"};
    my $requests = $measured->{"$pattern on $gpu requests"};
    $known = 32 * $requests if $unit eq 'lanes' && $requests;
    return defined $known ? sprintf( '**%s** (%.3g)', $figure, $known ) : $figure;
}

sub everyday {
    my ( $answers, @measured ) = @_;
    my %measured = map { ( "$_->{pattern} on $_->{gpu} $_->{unit}" => $_->{measured} ) } @measured;
    my ( $all, $known ) = ( 0, 0 );
    for my $i ( 0 .. @everyday / 2 - 1 ) {
        my ( $title,  $patterns ) = @everyday[ 2 * $i, 2 * $i + 1 ];
        my ( $unit, @patterns ) = @$patterns;
        print "### $title\n\n";
        head( '<pattern', map { "`$_`" } @chips );
        for my $pattern (@patterns) {
            my @cells = map { exists_on( $pattern, $_ ) ? cell( $pattern, $_, $unit, $answers->{"$pattern on $_"}, \%measured ) : '-' } @chips;
            $all   += grep { $_ ne '-' } @cells;
            $known += grep { /\(/ } @cells;
            line( "`$pattern`", @cells );
        }
        print "\n";
    }
    print "Of $all cells somebody measured $known.\n";
}

my ($what) = @ARGV;
die "usage: $0 measured|known|everyday\n" unless @ARGV == 1 && $what =~ /^(?:measured|known|everyday)$/;
my @measured = fidelity::table( dirname(__FILE__) . '/data/truth.tsv', "\t" );
if ( $what eq 'everyday' ) {
    my @patterns = map { @$_[ 1 .. $#$_ ] } grep { ref } @everyday;
    my %answers = simulated( map { my $pattern = $_; map { [ $pattern, $_ ] } grep { exists_on( $pattern, $_ ) } @chips } @patterns );
    everyday( \%answers, @measured );
    exit 0;
}
my %answers = simulated( map { [ @$_{qw(pattern gpu)} ] } @measured );
@measured = rows( \%answers, @measured );
if   ( $what eq 'known' ) { known(@measured) }
else                      { fidelity::write_table( [qw(pattern gpu unit measured simulated error within source)], @measured ) }
