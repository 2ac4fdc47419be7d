#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# How near predictions of kernels were to measured times, by architecture and limit: rows for the table of
# answer/known-error.c, or with --markdown for docs/evidence/fidelity.md.
#
#     tests/validate/certainty.pl [--markdown] TABLE.tsv...
#
# Tables are what launches.pl, streams.pl, rooflines.pl and mixes.pl print. A figure that made a description, or by which
# a rule was chosen, shows nothing about it, so rows that rest on one are left out: `is_proof` says which, and
# docs/evidence/fidelity.md why (What was taken from these measurements, Other GPUs, and below each table).
use strict;
use warnings;
use File::Basename;
use List::Util qw(max);
use lib dirname(__FILE__);
use fidelity;

my $markdown = @ARGV && $ARGV[0] eq '--markdown' && shift;
die "usage: $0 [--markdown] TABLE.tsv...\n" unless @ARGV;

# What a GPU's description calls its architecture.
my %architecture;
sub architecture {
    my ($gpu) = @_;
    my $program = $ENV{PIPESIM} // './pipesim';
    return $architecture{$gpu} //= qx($program show $gpu --xml) =~ / architecture="([^"]*)"/ ? $1 : die "$gpu has no architecture\n";
}

# The most that is quoted of a kernel and a GPU.
sub most {
    my ($of) = @_;
    my %most;
    $most{"$_->{gpu} $_->{kernel}"} = max( $_->{measured}, $most{"$_->{gpu} $_->{kernel}"} // 0 ) for @$of;
    return \%most;
}

# Launches of Rodinia: shorter ones rest on what a launch costs; Fan1 and Fan2 made rules; the mesh of compute_flux is
# another one.
sub launch_proves {
    my ($row) = @_;
    return $row->{measured} >= 10_000 && $row->{kernel} !~ /^(?:Fan[12]|cuda_compute_flux)$/;
}

# Streams: near the most that is quoted they rest on the bandwidth that this benchmark gave. On the V100 and MI100 groups
# of one warp made the turnaround, and init what a store holds. The A40's sweep made what loads wait for at a busy GDDR6.
sub stream_proves {
    my ( $row, $most ) = @_;
    return $row->{gpu} !~ /^a40/
      && $row->{measured} < 0.9 * $most->{"$row->{gpu} $row->{kernel}"}
      && !( $row->{gpu} =~ /^(?:v100|mi100)/ && ( $row->{kernel} eq 'init' || $row->{block} <= 64 && $row->{groups} == 1 ) );
}

# mixbench: what computing limits gave the clock, or ran at one that nobody stated.
sub mix_proves {
    my ($row) = @_;
    return $row->{by} eq 'device';
}

# Errors of times, by architecture and limit. Launches are in cycles, all else are rates.
my %errors;
for my $table (@ARGV) {
    my @rows = fidelity::table( $table, "\t" );
    my $most = exists $rows[0]{kernel} && exists $rows[0]{block} ? most( \@rows ) : undef;
    for my $row (@rows) {
        my $launch = exists $row->{benchmark};
        next unless $launch ? launch_proves($row) : $most ? stream_proves( $row, $most ) : exists $row->{type} ? mix_proves($row) : 1;
        my $ratio = $launch ? $row->{simulated} / $row->{measured} : $row->{measured} / $row->{simulated};
        push @{ $errors{ architecture( $launch ? 'v100' : $row->{gpu} =~ s/\.xml$//r ) }{ $row->{by} } }, abs( $ratio - 1 );
    }
}
print "| architecture | limited by | kernels | mean error | worst |\n|:--|:--|--:|--:|--:|\n" if $markdown;
for my $architecture ( sort keys %errors ) {
    for my $limit ( sort keys %{ $errors{$architecture} } ) {
        my @of = @{ $errors{$architecture}{$limit} };
        printf $markdown ? "| %s | %s | %d | %.1f %% | %.0f %% |\n" : "    {\"%s\", \"%s\", %d, %.3f, %.2f},\n",
          $architecture, $limit, scalar @of, map { $markdown ? 100 * $_ : $_ } fidelity::mean(@of), max(@of);
    }
}
