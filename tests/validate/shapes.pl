#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Our own products for Hopper (tests/hopper/gemm-shapes.cu; with fp8 gemm-scaled.cu) in the shapes and the kind of tiles of
# DeepGEMM's tests, against the times that these had on an H100, where L2 was written over before each launch: prints a
# table with tabs, and the mean error and the rank correlation as messages. Needs nvcc.
#
#     tests/validate/shapes.pl [bf16|fp8]
use strict;
use warnings;
use File::Basename;
use File::Temp;
use List::Util qw(sum min max);
use POSIX qw(ceil);
use lib dirname(__FILE__);
use fidelity;

my $units  = 132;
my $shared = 232448 - 1024;
my $here   = dirname(__FILE__);
my $folder = File::Temp->newdir;
my $type   = shift // 'bf16';
my $scaled = $type eq 'fp8';
my $deep   = $scaled ? 128 : 64;
my @rows   = fidelity::each_of( grep { $_->{type} eq $type } fidelity::table( "$here/data/deepgemm-h100.csv", ',' ) );

# Whether a tile is better than the best so far: fewer waves; then a fuller last wave; then fewer columns of as many rows, or
# more columns of other rows.
sub is_better {
    my ( $x, $best ) = @_;
    return 1 if !$best;
    return $x->{waves} < $best->{waves} if $x->{waves} != $best->{waves};
    return $x->{last} > $best->{last}   if $x->{last} != $best->{last};
    return $x->{rows} == $best->{rows} ? $x->{columns} < $best->{columns} : $x->{columns} > $best->{columns};
}

# How wide tiles may be. Two scales of B in a tile: its columns beyond 128 divide 128, and more than 192 do not fit registers.
sub may_be_wide {
    my ($columns) = @_;
    return !$scaled || $columns <= 128 || $columns <= 192 && 128 % ( $columns - 128 ) == 0;
}

# Bytes of shared memory: of a stage, and of results with the scales that stay.
sub bytes_of {
    my ( $row, $tile ) = @_;
    my ( $rows, $columns ) = @$tile{qw(rows columns)};
    my $scales = $scaled ? 4 * ceil( $row->{k} / 128 ) * ( 128 % $columns == 0 ? 1 : 2 ) : 0;
    return ( ( $rows + $columns ) * 128 + ( $scaled ? 4 * $rows : 0 ), $rows * $columns * 2 + $scales );
}

sub tile_of {
    my ($row) = @_;
    my $best;
    for my $rows ( $row->{m} <= 64 ? 64 : ( 64, 128 ) ) {
        for my $columns ( grep { may_be_wide($_) } map { 16 * $_ } 1 .. 16 ) {
            my $tiles = ceil( $row->{m} / $rows ) * ceil( $row->{n} / $columns );
            my $tile  = { rows => $rows, columns => $columns, waves => ceil( $tiles / $units ), last => ( $tiles - 1 ) % $units };
            $best = $tile if is_better( $tile, $best );
        }
    }
    my $pair = $row->{m} >= 512 && ceil( $row->{m} / $best->{rows} ) % 2 == 0 ? 2 : 1;
    my ( $stage, $rest ) = bytes_of( $row, $best );
    my $stages = min( int( ( $shared - $rest ) / $stage ), ceil( $row->{k} / $deep ), 12 );
    return { rows => $best->{rows}, columns => $best->{columns}, pair => $pair, stages => $stages, bytes => $stages * $stage + $rest };
}

my %made;

sub code_of {
    my ($tile) = @_;
    my $name = join '-', map { $tile->{$_} } qw(rows columns stages pair);
    return $made{$name} if $made{$name};
    mkdir "$folder/$name";
    my ( $source, $of ) = $scaled ? qw(gemm-scaled e4m3) : qw(gemm-shapes bf16);
    system("perl $here/../hopper/multiply.pl $of $tile->{columns} >$folder/$name/multiply.cuh") == 0 or die "multiply.pl failed\n";
    my @sizes = map { '-D' . uc($_) . "=$tile->{$_}" } qw(rows columns stages pair);
    system( 'nvcc', '-arch=sm_90a', '-ptx', '-lineinfo', "-I$folder/$name", @sizes, '-o', "$folder/$name.ptx", "$here/../hopper/$source.cu" ) == 0
        or die "nvcc failed for $name\n";
    return $made{$name} = "$folder/$name.ptx";
}

# A map of ROWS x COLUMNS elements whose boxes are HIGH x WIDE.
sub map_of {
    my ( $of, $rows, $columns, $high, $wide ) = @_;
    my $size    = { fp8 => 1, bf16 => 2, fp32 => 4 }->{$of};
    my $bytes   = max( $size * $rows * $columns, 16 );
    my $swizzle = $of eq 'fp32' ? '' : ':swizzle=' . $size * $wide;
    return "tensor:$of:${columns}x$rows:box=${wide}x$high$swizzle:zero:$bytes";
}

sub arguments_of {
    my ( $row, $tile ) = @_;
    my ( $m, $n, $k ) = @$row{qw(m n k)};
    my $wide  = ( grep { $tile->{columns} % $_ == 0 } 64, 32, 16 )[0];
    my $steps = ceil( $k / 128 );
    my @scales =
        $scaled
        ? ( 'scales_a=' . map_of( 'fp32', $steps, 4 * ceil( $m / 4 ), 1, $tile->{rows} ), 'scales_b=zero:' . 4 * $steps * ceil( $n / 128 ) )
        : ();
    return (
        'a=' . map_of( $type,  $m, $k, $tile->{rows},                    $deep ),
        'b=' . map_of( $type,  $n, $k, $tile->{columns} / $tile->{pair}, $deep ),
        'c=' . map_of( 'bf16', $m, $n, 64,                               $wide ),
        @scales, "m=$m", "n=$n", "k=$k"
    );
}

sub run_of {
    my ($row) = @_;
    my $tile  = $row->{tile} = tile_of($row);
    my $tiles = ceil( $row->{m} / $tile->{rows} ) * ceil( $row->{n} / $tile->{columns} );
    return [
        code_of($tile), '--gpu', 'h100', '--cache', 'dirty', '--grid', min( $units, ceil( $tiles / $tile->{pair} ) * $tile->{pair} ),
        '--block', 128 + 2 * $tile->{rows}, '--shared', $tile->{bytes}, '--registers', $tile->{rows} > 64 ? 168 : 255,
        ( map { ( '--arg', $_ ) } arguments_of( $row, $tile ) )
    ];
}

sub ranks {
    my @order = sort { $_[$a] <=> $_[$b] } 0 .. $#_;
    my @rank;
    @rank[@order] = 0 .. $#order;
    return @rank;
}

my @told;
my @runs = map { run_of($_) } @rows;
$| = 1;
print join( "\t", qw(m n k tile stages pair measured predicted error mhz limit) ), "\n";
fidelity::each_answer(
    sub {
        my ( $i, $answer ) = @_;
        my ( $row, $tile, $us ) = ( $rows[$i], $rows[$i]{tile}, 1e6 * $answer->{result}{seconds} );
        push @told, [ $us, $row->{us} ];
        print join( "\t",
            $row->{m}, $row->{n}, $row->{k}, "$tile->{rows}x$tile->{columns}", @$tile{qw(stages pair)}, $row->{us},
            sprintf( '%.1f', $us ), sprintf( '%+.1f', 100 * ( $us / $row->{us} - 1 ) ), $answer->{clock_mhz}, $answer->{how_sure}{limit} ),
            "\n";
    },
    @runs
);
my @errors = map { abs( $_->[0] / $_->[1] - 1 ) } @told;
my ( @x, @y ) = ();
@x = ranks( map { $_->[0] } @told );
@y = ranks( map { $_->[1] } @told );
my $n = @told;
printf STDERR "%d rows: mean error %.1f %%, Spearman %.3f\n", $n, 100 * sum(@errors) / $n,
    1 - 6 * sum( map { ( $x[$_] - $y[$_] )**2 } 0 .. $n - 1 ) / ( $n * ( $n * $n - 1 ) );
