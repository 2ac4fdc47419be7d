#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Kernels whose times others measured (sets.pm), simulated: prints a table with tabs, a row for each. Errors and what a tuner
# would have chosen are in the table that tables.pl makes of it.
#
#     tests/validate/kernels.pl [--all] [--only=PATTERN] [--gpu=FILE] [--resume=TABLE] [SET...]     default: all sets
#
# With --all every row of a set that is only drawn from otherwise; PATTERN chooses rows by their names; FILE is a description
# in place of the set's own (a copy that lacks a rule, say). Code is compiled for the chip where nvcc, ptxas and nvdisasm are
# at hand, JOBS at once (2), and kept in BUILD/validate (build); PIPESIM is the program, ./pipesim unless set. Each row is
# printed as soon as it and those before it are there. TABLE is a file that each new row is added to, too; rows that it has
# are taken from there, so that what was interrupted goes on. It holds for one program and one set of descriptions.
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use fidelity;
use sets;

my ( %option, @sets );
for (@ARGV) {
    if (/^--(all)$/ || /^--(only|gpu|resume)=(.+)$/) { $option{$1} = $2 // 1 }
    elsif (/^-/) { die "usage: $0 [--all] [--only=PATTERN] [--gpu=FILE] [--resume=TABLE] [SET...]\n" }
    else { push @sets, $_ }
}
my @rows = map { fidelity::each_of( sets::rows( $_, $option{all} ) ) } @sets ? @sets : sets::names();
@rows = grep { $_->{name} =~ /$option{only}/ } @rows if defined $option{only};
my @names = qw(set gpu choice name measured simulated roofline least error limit by);
my %there;
my $file;
if ( defined $option{resume} ) {
    ( $file, my @there ) = fidelity::grown_table( $option{resume}, \@names );
    %there = map { key($_) => $_ } @there;
}
my @new = grep { !$there{ key($_) } } @rows;

# What a file's rows are found by.
sub key {
    my ($row) = @_;
    return "$row->{set} $row->{name}";
}

# A row with what the answer says.
sub filled {
    my ( $row, $answer ) = @_;
    my $simulated = sprintf '%.4g', 1e6 * $answer->{result}{seconds};
    my $measured  = sprintf '%.4g', 1e6 * $row->{measured};
    return {
        %$row,
        simulated => $simulated,
        measured  => $measured,
        roofline  => sprintf( '%.4g', 1e6 * $answer->{roofline}{seconds} ),
        least     => sprintf( '%.4g', 1e6 * $answer->{roofline}{ceiling_seconds} ),
        error     => sprintf( '%.1f', 100 * ( $simulated / $measured - 1 ) ),
        limit     => fidelity::limit($answer),
        by        => $answer->{how_sure}{limit},
    };
}

# Prints what is known of the rows that were not printed yet, up to the first that is not.
sub show {
    print fidelity::line( \@names, $there{ key( shift @rows ) } ) while @rows && $there{ key( $rows[0] ) };
}

STDOUT->autoflush;
print fidelity::line( \@names );
show();
fidelity::each_answer(
    sub {
        my ( $number, $answer ) = @_;
        my $row = $new[$number];
        $there{ key($row) } = filled( $row, $answer );
        print {$file} fidelity::line( \@names, $there{ key($row) } ) if $file;
        show();
    },
    map { [ @{ $_->{run} }, '--from', $ENV{FROM} // 'sass', '--gpu', $option{gpu} // $_->{gpu} ] } @new
);
