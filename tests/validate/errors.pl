#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# The errors of what launches.pl printed: for each kernel, for all, for launches above 20 000 cycles, as
# a table of Markdown; and the difference of hit rates, where they were counted (Lassen).
#
#     tests/validate/errors.pl LAUNCHES.tsv
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use fidelity;

die "usage: $0 LAUNCHES.tsv\n" unless @ARGV == 1;
my @rows = fidelity::table( $ARGV[0], "\t" );
my ( @kernels, %of );
for my $row (@rows) {
    push @kernels, $row->{kernel} unless $of{ $row->{kernel} };
    push @{ $of{ $row->{kernel} } }, $row;
}

sub line {
    my ( $name, @of ) = @_;
    my $e = fidelity::errors(@of);
    printf "| %s | %d | %.1f %% | %.1f %% | %+.1f %% | %+.0f %% | %.0f %% | %.3f |\n", $name,
      @$e{qw(n mean median bias worst within spearman)};
}

print "| launches | rows | mean absolute error | median | mean error | worst | within 30 % | Spearman |\n";
print "|:--|--:|--:|--:|--:|--:|--:|--:|\n";
line( $_, @{ $of{$_} } ) for @kernels;
line( 'all', @rows );
line( 'above 20 000 cycles', grep { $_->{measured} > 20000 } @rows );

sub difference {
    my ( $level, @of ) = @_;
    my @signed = map { $_->{$level} - $_->{"${level}_hit_percent"} } @of;
    return ( fidelity::mean( map { $_->{"${level}_hit_percent"} } @of ),
        fidelity::mean( map { $_->{$level} } @of ), fidelity::mean( map { abs } @signed ) );
}

sub hit_line {
    my ( $name, @of ) = @_;
    printf "| %s | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", $name, scalar @of,
      difference( 'l1', @of ), difference( 'l2', @of );
}

print "\n| hit rates in % | rows | L1 counted | L1 here | off by | L2 counted | L2 here | off by |\n";
print "|:--|--:|--:|--:|--:|--:|--:|--:|\n";
my @counted = grep { $_->{machine} eq 'Lassen' } @rows;
for my $kernel (@kernels) {
    my @of = grep { $_->{kernel} eq $kernel } @counted;
    hit_line( $kernel, @of ) if @of;
}
hit_line( 'all', @counted );
