#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Kernels whose times others measured (sets.pm), simulated: prints a table with tabs, a row for each. Errors and what a tuner
# would have chosen are in the table that tables.pl makes of it.
#
#     tests/validate/kernels.pl [--all] [--only=PATTERN] [--gpu=FILE] [SET...]     default: all sets
#
# With --all every row of a set that is only drawn from otherwise; PATTERN chooses rows by their names; FILE is a description
# in place of the set's own (a copy that lacks a rule, say). Code is compiled for the chip where nvcc, ptxas and nvdisasm are
# at hand, JOBS at once (2), and kept in BUILD/validate (build); PIPESIM is the program, ./pipesim unless set.
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use fidelity;
use sets;

my ( %option, @sets );
for (@ARGV) {
    if (/^--(all)$/ || /^--(only|gpu)=(.+)$/) { $option{$1} = $2 // 1 }
    elsif (/^-/) { die "usage: $0 [--all] [--only=PATTERN] [--gpu=FILE] [SET...]\n" }
    else { push @sets, $_ }
}
my @rows = map { fidelity::each_of( sets::rows( $_, $option{all} ) ) } @sets ? @sets : sets::names();
@rows = grep { $_->{name} =~ /$option{only}/ } @rows if defined $option{only};
my @answers = fidelity::answers( map { [ @{ $_->{run} }, '--from', $ENV{FROM} // 'sass', '--gpu', $option{gpu} // $_->{gpu} ] } @rows );
for my $row (@rows) {
    my $answer = shift @answers;
    $row->{simulated} = sprintf '%.4g', 1e6 * $answer->{result}{seconds};
    $row->{roofline}  = sprintf '%.4g', 1e6 * $answer->{roofline}{seconds};
    $row->{least}     = sprintf '%.4g', 1e6 * $answer->{roofline}{ceiling_seconds};
    $row->{measured}  = sprintf '%.4g', 1e6 * $row->{measured};
    $row->{error}     = sprintf '%.1f', 100 * ( $row->{simulated} / $row->{measured} - 1 );
    $row->{limit}     = fidelity::limit($answer);
    $row->{by}        = $answer->{how_sure}{limit};
}
fidelity::write_table( [qw(set gpu choice name measured simulated roofline least error limit by)], @rows );
