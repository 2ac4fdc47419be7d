#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Figures of GPUs that others measured, beside what is simulated: prints a table with tabs.
#
#     tests/validate/figures.pl TABLE.tsv
#
# TABLE.tsv (data/cards.tsv) has a GPU, a kind, what was measured, the clock, the figure and its source. Kinds are
#     rate     10^12 operations per second of a class's multiply-adds, with all warps; where no clock is stated, the card's
#              moves, and the one is taken at which the same source's rate in single precision is met; "dual": two of them in
#              one packed instruction, where more was measured than plain ones could give
#     chase    cycles of dependent loads that a level answers
#     chain    cycles from one to the next of dependent operations of a class
#     issue    cycles from one to the next of independent ones, of one warp
#     product  10^12 operations per second of a whole product of matrices, beside the peak of that class in the roofline
use strict;
use warnings;
use File::Basename;
use File::Temp;
use lib dirname(__FILE__);
use fidelity;

die "usage: $0 TABLE.tsv\n" unless @ARGV == 1;
my $folder = File::Temp->newdir;
my $times  = 1000;
my %ops    = ( fmadd => [ 2, 'fp32' ], dual => [ 4, 'fp32' ], dfma => [ 2, 'fp64' ], hfma => [ 4, 'fp16' ], imad => [ 2, 'int' ] );

# A graph with one operation in a loop: the file's path.
sub graph {
    my ( $class, $attributes ) = @_;
    my $path = "$folder/" . ( "$class $attributes" =~ s/[^a-z0-9.]+/-/gr ) . '.idg';
    open my $file, '>', $path or die "$path: $!\n";
    print {$file} qq{<idg xmlns="urn:pipesim:idg:1" version="1" name="one">\n<param name="n" value="$times"/>},
      qq{<launch groups="1" group-size="32"/>\n<code><loop times="n"><node name="x" class="$class" $attributes/></loop></code></idg>\n};
    close $file or die "$path: $!\n";
    return $path;
}

# What descriptions say, with all that they inherit.
my %described;
sub described {
    my ($gpu) = @_;
    my $program = $ENV{PIPESIM} // './pipesim';
    return $described{$gpu} //= scalar qx($program show $gpu --xml);
}

# The shares of requests that reach each level, for all to end at LEVEL.
sub shares {
    my ( $gpu, $level ) = @_;
    my @levels = grep { described($gpu) =~ /<level name="$_"/ } qw(l0 l1 l2 l3 device);
    my $reached = 1;
    return join ' ', map { my $share = qq{$_="$reached"}; $reached = 0 if $_ eq $level; $share } @levels;
}

# Arguments of a run, at 1000 MHz where the clock does not matter or is still to be found.
sub run_of {
    my ($row) = @_;
    my ( $kind, $what, $gpu ) = @$row{qw(kind what gpu)};
    my @with = ( '--gpu', $gpu, '--clock', $row->{mhz} || 1000, '--overheads', 'off' );
    return [ graph( $what, 'after="x"' ), @with ] if $kind eq 'chain';
    return [ graph( $what, '' ), @with ] if $kind eq 'issue';
    return [ graph( $what, 'ops="1" type="tensor"' ), @with ] if $kind eq 'product';
    return [ graph( 'global.load', qq{bytes="4" after="x" } . shares( $gpu, $what ) ), @with ] if $kind eq 'chase';
    my ( $ops, $type ) = @{ $ops{$what} };
    return [ graph( $what, qq{ops="$ops" type="$type"} ), @with, '--groups', groups($gpu), '--group-size', 256 ];
}

# 24 groups for each compute unit: 4, 6 or 8 at once keep all alike busy to the end.
sub groups {
    my ($gpu) = @_;
    return described($gpu) =~ / compute-units="(\d+)"/ ? 24 * $1 : die "$gpu: no compute units\n";
}

my @rows    = fidelity::table( $ARGV[0], "\t" );
my @answers = fidelity::answers( map { run_of($_) } @rows );
my %single;
for my $row (@rows) {
    my $answer = shift @answers;
    my $simulated = $answer->{simulated};
    $row->{simulated} = $answer->{roofline}{peaks}{T_tensor}{value} / 1e12 if $row->{kind} eq 'product';
    next if $row->{kind} eq 'product';
    $row->{simulated} = $simulated->{cycles} / $times;
    next if $row->{kind} ne 'rate';
    my $all = $ops{ $row->{what} }[0] * $times * 256 * groups( $row->{gpu} );
    $row->{simulated} = $all / $simulated->{seconds} / 1e12;
    $row->{most}      = $all / $answer->{roofline}{ceiling_seconds} / 1e12;
    next if $row->{mhz};
    my $by = "$row->{gpu} $row->{source}";
    $single{$by} = $row->{measured} / $row->{simulated} if $row->{what} eq 'fmadd';
    $row->{mhz} = sprintf '(%.0f)', 1000 * $single{$by};
    $row->{$_} *= $single{$by} for qw(simulated most);
}
for my $row (@rows) {
    $row->{error}     = sprintf '%.1f', 100 * ( $row->{simulated} / $row->{measured} - 1 );
    $row->{$_} = sprintf '%.4g', $row->{$_} for grep { defined $row->{$_} } qw(simulated most);
}

# Single precision that gave the clock says nothing.
@rows = grep { !( $_->{what} eq 'fmadd' && $_->{mhz} =~ /^\(/ ) } @rows;
fidelity::write_table( [qw(gpu kind what mhz measured simulated most error source)], @rows );
