#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# A mesh for cfd, in the place of Rodinia's own, which are not ours to ship: N tetrahedra and, for each,
# the numbers of the four that share a face with it, as int32, face by face (all first faces, all
# second ones, ...), as the kernel reads them. -2 is a face at the border.
#
#     tests/validate/mesh.pl ELEMENTS PADDED >neighbours.bin
#
# PADDED is the number of elements with those that fill the last group, which repeat the last element.
#
# A box of cubes, each cut into six tetrahedra around its diagonal (Kuhn's subdivision), is numbered
# as an advancing front meets it: breadth first from a corner. Which face comes first is drawn for
# each element, as unstructured meshes have no directions. Nothing here is fitted to a measurement.
use strict;
use warnings;

my ($elements, $padded) = @ARGV;
die "usage: $0 ELEMENTS PADDED\n" unless @ARGV == 2 && $padded >= $elements && $elements > 0;

my $side = 1;
$side++ while 6 * $side**3 < $elements;

# The six tetrahedra of a cube are the orders in which a path from corner 000 to 111 takes the axes.
my @paths = ([0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]);
my %path;
$path{join '', @{ $paths[$_] }} = $_ for 0 .. 5;
my @step = (1, $side, $side * $side);

# Neighbours by place: two within the cube (exchange the first or the last two axes), one through the
# face at the path's last axis, one through that at its first.
sub neighbours {
    my ($place) = @_;
    my ($cube, $turn) = (int($place / 6), $place % 6);
    my ($a, $b, $c) = @{ $paths[$turn] };
    my @at = ($cube % $side, int($cube / $side) % $side, int($cube / $side / $side));
    my @found = (6 * $cube + $path{"$b$a$c"}, 6 * $cube + $path{"$a$c$b"});
    push @found, $at[$a] + 1 < $side ? 6 * ($cube + $step[$a]) + $path{"$b$c$a"} : -1;
    push @found, $at[$c] > 0 ? 6 * ($cube - $step[$c]) + $path{"$c$a$b"} : -1;
    return @found;
}

my (@number, @order);
@order = (0);
$number[0] = 0;
for (my $i = 0; $i < @order && @order < $elements; $i++) {
    for my $next (neighbours($order[$i])) {
        next if $next < 0 || defined $number[$next] || @order == $elements;
        $number[$next] = @order;
        push @order, $next;
    }
}

# A small generator of its own, so that the mesh is the same everywhere.
my $state = 1;
my @faces = ('') x 4;
for my $place (@order) {
    my @mine = map { $_ >= 0 && defined $number[$_] ? $number[$_] : -2 } neighbours($place);
    for my $i (reverse 1 .. 3) {
        $state = ($state * 1103515245 + 12345) % 2**31;
        my $j = ($state >> 16) % ($i + 1);
        @mine[$i, $j] = @mine[$j, $i];
    }
    $faces[$_] .= pack 'l<', $mine[$_] for 0 .. 3;
}
$faces[$_] .= substr($faces[$_], -4) x ($padded - $elements) for 0 .. 3;
binmode STDOUT;
print @faces;
