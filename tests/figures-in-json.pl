# SPDX-License-Identifier: BSD-3-Clause
# figures_missing(TEXT, JSON): the figures of a text that its JSON has nowhere, each with its line. A figure of the text
# is rounded, and in the unit that fits it; one that is the ratio of two others of its line, which are there, stands for
# these. Numbers of equations are none. Latencies at two clocks have a ratio of times, and charts have axes. A figure of
# one or two digits is nearly always somewhere, so those of four and more are what this tells.
use strict;
use warnings;
use JSON::PP;

my @scales = ((map { 10**$_ } -12, -9, -6, -3, -2, 0, 2, 3, 6, 9), map { 1024**-$_ } 1 .. 3);

sub numbers_of {
    my ($value) = @_;
    return map { numbers_of($_) } values %$value if ref $value eq 'HASH';
    return (scalar @$value, map { numbers_of($_) } @$value) if ref $value eq 'ARRAY';
    return ref $value || !defined $value ? () : $value =~ /(\d+(?:\.\d+)?(?:e[-+]?\d+)?)/gi;
}

# How far a rounded figure may be from the exact one.
sub slack {
    my ($digits) = $_[0] =~ /\.(\d+)/;
    return 0.50001 * 10**-length($digits // '');
}

sub is_there {
    my ($figure, $numbers) = @_;
    for my $number (@$numbers) {
        for (@scales) { return 1 if abs($number * $_ - $figure) <= slack($figure) }
    }
    return 0;
}

sub is_ratio {
    my ($figure, @others) = @_;
    for my $a (@others) {
        for my $b (grep { $_ > 0 } @others) {
            return 1 if grep { abs($a / $b * $_ - $figure) <= slack($figure) + 0.002 * $figure } 1e-3, 1, 1e3;
        }
    }
    return 0;
}

sub figures_missing {
    my ($text, $json) = @_;
    my @numbers = numbers_of(JSON::PP->new->decode($json));
    my @missing;
    for my $line (grep { !/\d at \d+ MHz.*\d at \d+ MHz|^ *\d* +\|/ } split /\n/, $text) {
        my $plain = $line =~ s/equations? \d+(?: to \d+)?|\(\d+\)//gr =~ s/(?<=\d) (?=\d{3}\b)//gr;
        my @figures = $plain =~ /(?<![\w.:-])(\d+(?:\.\d+)?)/g;
        my @there = grep { is_there($_, \@numbers) } @figures;
        my @absent = grep { !is_there($_, \@numbers) } @figures;
        push @missing, map { "$_: $line" } grep { !is_ratio($_, @there) } @absent;
    }
    return @missing;
}

1;
