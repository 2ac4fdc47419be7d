#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# A mesh for cfd: N tetrahedra and, for each, the numbers of the four that share a face with it, as int32, face by face
# (all first faces, all second ones, ...), as the kernel reads them. -1 is a face at the wing, -2 one at the outer border.
#
#     tests/validate/mesh.pl ELEMENTS PADDED [FILE] >neighbours.bin
#
# PADDED is the number of elements with those that fill the last group, which repeat the last element. FILE is one of
# Rodinia's own meshes (data/cfd/fvcorr.domn.097K, say), which are not ours to ship. Without it a stand-in is made:
#
# A box of cubes, each cut into six tetrahedra around its diagonal (Kuhn's subdivision), is numbered
# as an advancing front meets it: breadth first from a corner. Which face comes first is drawn for
# each element, as unstructured meshes have no directions. Nothing here is fitted to a measurement.
use strict;
use warnings;

my ( $elements, $padded, $file ) = @ARGV;
die "usage: $0 ELEMENTS PADDED [FILE]\n"
  unless ( @ARGV == 2 || @ARGV == 3 ) && $padded >= $elements && $elements > 0;

# Writes the neighbours of all elements, each a reference to four numbers.
sub write_neighbours {
    my @faces = ('') x 4;
    for my $four (@_) {
        $faces[$_] .= pack 'l<', $four->[$_] for 0 .. 3;
    }
    $faces[$_] .= substr( $faces[$_], -4 ) x ( $padded - $elements ) for 0 .. 3;
    binmode STDOUT;
    print @faces;
    close STDOUT or die "$0: $!\n";
}

# Rodinia's text: the number of elements; then of each its volume and, for four faces, the neighbour, counted
# from 1 (0: the wing, less: the border), and the three components of the face's normal.
sub read_mesh {
    open my $in, '<', $file or die "$file: $!\n";
    my @numbers = split ' ', do { local $/; <$in> };
    my $found   = shift @numbers // 0;
    die "$file: no mesh of $elements elements\n" if $found != $elements || @numbers < 17 * $elements;
    return map {
        my $at = 17 * $_ + 1;
        [ map { my $number = $numbers[ $at + 4 * $_ ]; $number < 0 ? -2 : $number - 1 } 0 .. 3 ]
    } 0 .. $elements - 1;
}

if ( defined $file ) {
    write_neighbours( read_mesh() );
    exit 0;
}

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
my @fours;
for my $place (@order) {
    my @mine = map { $_ >= 0 && defined $number[$_] ? $number[$_] : -2 } neighbours($place);
    for my $i (reverse 1 .. 3) {
        $state = ($state * 1103515245 + 12345) % 2**31;
        my $j = ($state >> 16) % ($i + 1);
        @mine[$i, $j] = @mine[$j, $i];
    }
    push @fours, \@mine;
}
write_neighbours(@fours);
