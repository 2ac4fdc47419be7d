#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Our own product for Hopper (tests/hopper/gemm-shapes.cu) in the shapes and the kind of tiles of DeepGEMM's tests, against the
# times that these had on an H100, where L2 was written over before each launch: prints a table with tabs, and the mean error
# and the rank correlation as messages. Needs nvcc.
#
#     tests/validate/shapes.pl [TYPE]
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

sub tile_of {
    my ($row) = @_;
    my $best;
    for my $rows ( $row->{m} <= 64 ? 64 : ( 64, 128 ) ) {
        for my $columns ( map { 16 * $_ } 1 .. 16 ) {
            my $tiles = ceil( $row->{m} / $rows ) * ceil( $row->{n} / $columns );
            my $tile  = { rows => $rows, columns => $columns, waves => ceil( $tiles / $units ), last => ( $tiles - 1 ) % $units };
            $best = $tile if is_better( $tile, $best );
        }
    }
    my ( $rows, $columns ) = @$best{qw(rows columns)};
    my $pair   = $row->{m} >= 512 && ceil( $row->{m} / $rows ) % 2 == 0 ? 2 : 1;
    my $stages = int( ( $shared - $rows * $columns * 2 ) / ( ( $rows + $columns ) * 128 ) );
    return { rows => $rows, columns => $columns, pair => $pair, stages => min( $stages, ceil( $row->{k} / 64 ), 12 ) };
}

# The instruction that multiplies 64 rows by so many columns, as a function.
sub write_multiply {
    my ( $to, $columns ) = @_;
    my $n    = $columns / 2;
    my $list = join ', ', map { "%$_" } 0 .. $n - 1;
    my $in   = join ', ', map { "\"+f\"(d[$_])" } 0 .. $n - 1;
    my $of   = join ', ', map { '%' . ( $n + $_ ) } 0 .. 1;
    files::spew( "$to/multiply.cuh", <<"END" );
__device__ void multiply(float (&d)[$n], uint64_t a, uint64_t b, int keeps)
{
    asm volatile("{\\n.reg .pred p;\\nsetp.ne.b32 p, %@{[ $n + 2 ]}, 0;\\n"
        "wgmma.mma_async.sync.aligned.m64n${columns}k16.f32.bf16.bf16 {$list}, $of, p, 1, 1, 0, 0;\\n}"
        : $in : "l"(a), "l"(b), "r"(keeps));
}
END
}

my %made;

sub code_of {
    my ($tile) = @_;
    my $name = join '-', map { $tile->{$_} } qw(rows columns stages pair);
    return $made{$name} if $made{$name};
    mkdir "$folder/$name";
    write_multiply( "$folder/$name", $tile->{columns} );
    my @sizes = map { '-D' . uc($_) . "=$tile->{$_}" } qw(rows columns stages pair);
    system( 'nvcc', '-arch=sm_90a', '-ptx', '-lineinfo', "-I$folder/$name", @sizes, '-o', "$folder/$name.ptx", "$here/../hopper/gemm-shapes.cu" ) == 0
        or die "nvcc failed for $name\n";
    return $made{$name} = "$folder/$name.ptx";
}

sub map_of {
    my ( $rows, $columns, $high, $wide ) = @_;
    my $bytes = max( 2 * $rows * $columns, 16 );
    my $swizzle = 2 * $wide;
    return "tensor:bf16:${columns}x$rows:box=${wide}x$high:swizzle=$swizzle:zero:$bytes";
}

sub run_of {
    my ($row) = @_;
    my $tile  = $row->{tile} = tile_of($row);
    my $tiles = ceil( $row->{m} / $tile->{rows} ) * ceil( $row->{n} / $tile->{columns} );
    my $wide  = ( grep { $tile->{columns} % $_ == 0 } 64, 32, 16 )[0];
    my $bytes = $tile->{stages} * ( $tile->{rows} + $tile->{columns} ) * 128 + $tile->{rows} * $tile->{columns} * 2;
    my @maps  = (
        map_of( $row->{m}, $row->{k}, $tile->{rows}, 64 ),
        map_of( $row->{n}, $row->{k}, $tile->{columns} / $tile->{pair}, 64 ),
        map_of( $row->{m}, $row->{n}, 64,           $wide )
    );
    return [
        code_of($tile), '--gpu', 'h100', '--cache', 'dirty', '--grid', min( $units, ceil( $tiles / $tile->{pair} ) * $tile->{pair} ),
        '--block', 128 + 2 * $tile->{rows}, '--shared', $bytes, '--registers', $tile->{rows} > 64 ? 168 : 255,
        ( map { ( '--arg', $_ ) } "a=$maps[0]", "b=$maps[1]", "c=$maps[2]", map { "$_=$row->{$_}" } qw(m n k) )
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
