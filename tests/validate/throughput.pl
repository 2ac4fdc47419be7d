#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# tests/validate/throughput.pl TABLE: prints a table of docs/evidence/throughput.md: "CUDA 13", "CUDA 11" or "papers", each with a
# row for a row of that source, or "differences". PIPESIM is the program, ./pipesim unless set.
use strict;
use warnings;
use lib 'tests/validate';
use throughput;

my %unit_of = ( several => 'several', '-' => '' );

# What the descriptions of a compute capability have for a row, in the order of its classes: each figure once.
sub here_of {
    my %seen;
    return join ', ', grep { !$seen{$_}++ } map { defined $_->{here} ? sprintf( '%.4g', $_->{here} ) : 'none' } @_;
}

sub cell_of {
    my ( $row, $capability, @of ) = @_;
    my $said = $unit_of{ $row->{$capability} } // $row->{$capability} =~ s/\|/ or /r;
    return $said if !@of || !grep { !throughput::agrees($_) } @of;
    return "**$said; here " . here_of(@of) . '**';
}

sub print_source {
    my ($table) = @_;
    my %of;
    push @{ $of{"$_->{row}\t$_->{capability}"} }, $_ for grep { $_->{table} eq $table } throughput::compared();
    my @rows = grep { $_->{table} eq $table } throughput::read_tsv('tests/validate/data/throughput.tsv');
    my @columns;
    for my $capability ( throughput::capabilities() ) {
        push @columns, $capability if grep { $_->{$capability} ne '-' } @rows;
    }
    print '| row | classes | ', join( ' | ', @columns ), " |\n", '|:--|:--|', '--:|' x @columns, "\n";
    for my $row (@rows) {
        my $classes = $row->{classes} eq '-' ? 'none' : join ' ', map { "`$_`" } split / /, $row->{classes};
        my @cells   = map { cell_of( $row, $_, @{ $of{"$row->{row}\t$_"} // [] } ) } @columns;
        print "| $row->{row} | $classes | ", join( ' | ', @cells ), " |\n";
    }
    return;
}

sub print_differences {
    print "| table | row | compute capability | why |\n|:--|:--|:--|:--|\n";
    for my $one ( throughput::read_tsv('tests/validate/data/throughput-differences.tsv') ) {
        my $of = join ', ', split( / /, $one->{capabilities} ), map { "`$_`" } split( / /, $one->{cards} );
        print "| $one->{table} | $one->{row} | $of | $one->{reason} |\n";
    }
    return;
}

my $table = shift @ARGV;
die "usage: throughput.pl TABLE\n" if !defined $table || @ARGV;
if   ( $table eq 'differences' ) { print_differences() }
else                             { print_source($table) }
