#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# listing.pl FILE: whether the listing in a run's JSON adds up to the tables by source line, by class and by what warps
# wait for. Prints what does not.
use strict;
use warnings;
use JSON::PP;

local $/;
open my $in, '<', $ARGV[0] or die "$ARGV[0]: $!\n";
my $run = JSON::PP->new->decode(<$in>);

# Sums of a figure by a key.
sub sums {
    my ($rows, $key, $figure) = @_;
    my %sums;
    $sums{ $key->($_) } += $figure->($_) for @$rows;
    return \%sums;
}

sub compare {
    my ($what, $is, $should) = @_;
    for my $key (sort keys %{ { %$is, %$should } }) {
        my ($x, $y) = ($is->{$key} // 0, $should->{$key} // 0);
        print "$what of $key: the listing has $x, the table $y\n" if abs($x - $y) > 1e-9 * (abs($y) + 1);
    }
}

my $rows = $run->{listing}{instructions};
my $line = sub { $_[0]{line} // 'no line' };
my %no_node = map { $_ => 1 } qw(launch place drain);

my $issued = sums($rows, $line, sub { $_[0]{instructions} });
delete $issued->{'no line'};
compare('instructions', $issued, sums($run->{lines}, $line, sub { $_[0]{instructions} }));
compare('all instructions', sums($rows, sub { 'the run' }, sub { $_[0]{instructions} }),
    { 'the run' => $run->{simulated}{instructions} });

# What is on no instruction has no line either.
my $path = $run->{critical_path};
my $cycles = sums($rows, $line, sub { $_[0]{cycles} });
$cycles->{'no line'} += $_->{cycles} for grep { $no_node{ $_->{kind} } } @{ $path->{by_class} };
compare('cycles', $cycles, sums($path->{by_line}, $line, sub { $_[0]{cycles} }));

my $wait = sub { join ' ', map { $_ // '-' } @{ $_[0] }{qw(kind class pipeline)} };
my @waits = map { @{ $_->{waits} } } @$rows;
my @of_nodes = grep { $_->{kind} !~ /^(drain|not-started|done)$/ } @{ $run->{waits} };
compare('waits', sums(\@waits, $wait, sub { $_[0]{share} }), sums(\@of_nodes, $wait, sub { $_[0]{share} }));
