#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Our own products for sm_120a (tests/blackwell/ladder.cu), in machine code, against the times that kernels of these kinds had
# on an RTX PRO 6000 Max-Q, one launch behind the other: prints a table with tabs, and the mean error and the rank correlation
# of the TFLOP/s as messages. A measured time is the mean of its sessions, an error counts for each of them. Needs nvcc.
#
#     tests/validate/ladder.pl [SIZE...]
use strict;
use warnings;
use File::Basename;
use File::Temp;
use List::Util qw(sum);
use lib dirname(__FILE__);
use fidelity;

my $here   = dirname(__FILE__);
my $folder = File::Temp->newdir;

# Threads of a group, and rows and columns of its tile.
my %shape = ( naive => [ '16x16', 16 ], tiled => [ '32x32', 32 ] );
@shape{ map { "mma_$_" } qw(base swizzle vec pipe) }    = ( [ 512, 128 ] ) x 4;
@shape{ map { "mma_$_" } qw(warptile fp8 fp4 mxfp4) } = ( [ 128, 128 ] ) x 4;

my ( %sessions, @rows );
for my $row ( fidelity::table( "$here/data/products-rtxpro6000.csv", ',' ) ) {
    next if @ARGV && !grep { $_ == $row->{n} } @ARGV;
    my $of = "$row->{kernel} $row->{n}";
    push @rows, { kernel => $row->{kernel}, n => $row->{n}, sessions => $sessions{$of} = [] } if !$sessions{$of};
    push @{ $sessions{$of} }, $row->{ms};
}
@rows = fidelity::each_of(@rows);
system( 'nvcc', '-arch=sm_120a', '-cubin', '-o', "$folder/ladder.cubin", "$here/../blackwell/ladder.cu" ) == 0 or die "nvcc failed\n";

sub run_of {
    my ($row) = @_;
    my ( $threads, $tile ) = @{ $shape{ $row->{kernel} } };
    my ( $groups, $bytes ) = ( $row->{n} / $tile, 4 * $row->{n}**2 );
    return [
        "$folder/ladder.cubin", '--kernel', $row->{kernel}, '--gpu', 'pro6000mq', '--cache', 'warm', '--no-cache',
        '--grid', "${groups}x$groups", '--block', $threads, map { ( '--arg', $_ ) } ( ("zero:$bytes") x 3, $row->{n} )
    ];
}

sub ranks {
    my @order = sort { $_[$a] <=> $_[$b] } 0 .. $#_;
    my @rank;
    @rank[@order] = 0 .. $#order;
    return @rank;
}

my ( @errors, @told );
$| = 1;
print join( "\t", qw(kernel n measured predicted error mhz limit) ), "\n";
fidelity::each_answer(
    sub {
        my ( $i, $answer ) = @_;
        my ( $row, $ms ) = ( $rows[$i], 1e3 * $answer->{result}{seconds} );
        my $measured = sum( @{ $row->{sessions} } ) / @{ $row->{sessions} };
        push @errors, map { abs( $ms / $_ - 1 ) } @{ $row->{sessions} };
        push @told, [ map { $row->{n}**3 / $_ } $ms, $measured ];
        printf "%s\t%d\t%.4f\t%.4f\t%+.1f\t%s\t%s\n", @$row{qw(kernel n)}, $measured, $ms, 100 * ( $ms / $measured - 1 ),
            $answer->{clock_mhz}, $answer->{how_sure}{limit};
    },
    map { run_of($_) } @rows
);
my @x = ranks( map { $_->[0] } @told );
my @y = ranks( map { $_->[1] } @told );
my $n = @told;
printf STDERR "%d times: mean error %.1f %%, Spearman %.3f\n", scalar @errors, 100 * sum(@errors) / @errors,
    1 - 6 * sum( map { ( $x[$_] - $y[$_] )**2 } 0 .. $n - 1 ) / ( $n * ( $n * $n - 1 ) );
