# SPDX-License-Identifier: BSD-3-Clause
# Sets of kernels whose times others measured, and what pipesim is asked of each: ours are the kernels (kernels/), theirs the
# configurations and the times (data/, whose README names each source).
package sets;
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename;
use File::Path qw(make_path);
use POSIX qw(ceil);
use lib dirname(__FILE__);
use fidelity;

my $here = dirname( abs_path(__FILE__) );

# What launches need as files (a graph's nodes and edges, delays): made where they are missing, always the same.
my $work = ( $ENV{BUILD} // 'build' ) . '/validate';

# Each set: its file, the GPU, the clock in MHz where it is known, and its rows as runs. "choice": its rows are ways to do one
# thing, of which a tuner chooses.
my %sets = (
    simple       => { data => 'rtx2080ti.csv', gpu => 'rtx2080ti', mhz => 1350, run => \&simple },
    convolution  => { data => 'convolution-a4000.csv',  gpu => 'a4000',   run => \&convolution,  choice => 1, sample => 40 },
    gemm         => { data => 'gemm-rtx3090.csv',       gpu => 'rtx3090', run => \&gemm,         choice => 1 },
    dedispersion => { data => 'dedispersion-a4000.csv', gpu => 'a4000',   mhz => 1360, run => \&dedispersion, choice => 1 },
    bfs          => { data => 'v100-ncu-bfs.csv',       gpu => 'v100',    mhz => 1312, run => \&bfs },
);

sub names { return sort keys %sets }

# What compilers made is kept, since it takes most of the time; graphs are, too, until pipesim or a description changes.
$ENV{PIPESIM_CACHE} = "$work/kept";
$ENV{PIPESIM_CACHE_SIZE} //= '4G';

# All of this ran before there was CUDA 13, whose code for GeForce cards and workstations converts bytes in the integer pipeline
# where that of CUDA 12 and before does so in the one of special functions. So ptxas of CUDA 12 goes first where it is at hand.
my $older = ( $ENV{XDG_DATA_HOME} // "$ENV{HOME}/.local/share" ) . '/pipesim/sass/older';
if   ( -x "$older/ptxas" ) { $ENV{PATH} = "$older:$ENV{PATH}" }
else                       { warn "sets: ptxas of CUDA 12 is not there (./bootstrap --only sass), so code is not what was measured\n" }

# Rows of a set: "name", "measured" in seconds, "run" (words for pipesim, without the GPU), "gpu", "choice". All are
# thousands in one case, so of that set some are drawn, always the same, unless ALL says otherwise. What is not ours to ship
# lies in the folder that KERNELS names; where that is not set, such a set has no rows.
sub rows {
    my ( $name, $all ) = @_;
    my $set  = $sets{$name} // die "there is no set $name, only ", join( ', ', names() ), "\n";
    my $path = "$here/data/$set->{data}";
    $path = "$ENV{KERNELS}/$set->{data}" if !-e $path && $ENV{KERNELS};
    return unless -e $path;
    my @rows = fidelity::table( $path, ',' );
    @rows = drawn( $set->{sample}, @rows ) if $set->{sample} && !$all;
    my @clock = $set->{mhz} ? ( '--clock', $set->{mhz} ) : ();
    return map {
        my %run = $set->{run}->($_);
        !%run ? () : { set => $name, gpu => $set->{gpu}, choice => $set->{choice} // 0, %run, run => [ @{ $run{run} }, @clock ] }
    } @rows;
}

# As many rows by a generator of our own, so that they are the same everywhere; in the order of the file.
sub drawn {
    my ( $count, @rows ) = @_;
    my ( $state, @left ) = ( 1, 0 .. $#rows );
    my @taken;
    while ( @left && @taken < $count ) {
        $state = ( $state * 1103515245 + 12345 ) % 2**31;
        push @taken, splice @left, int( $state / 2**16 ) % @left, 1;
    }
    return @rows[ sort { $a <=> $b } @taken ];
}

# Words for a launch of a kernel of ours: macros as a hash, which may have options of the compiler, too; arguments as a list of pairs.
sub launch {
    my ( $file, $kernel, $grid, $block, $macros, @arguments ) = @_;
    my @macros = %$macros ? ( '--compiler-options', join ' ', map { ( /^-/ ? '' : '-D' ) . "$_=$macros->{$_}" } sort keys %$macros ) : ();
    return [
        "$here/kernels/$file.cu", '--kernel', $kernel, '--grid', $grid, '--block', $block, @macros, '--memory', '1G',
        map { ( '--arg', $_ ) } @arguments
    ];
}

# A file in the work folder, made by MAKE where it is missing.
sub file {
    my ( $name, $make ) = @_;
    my $path = "$work/$name";
    return $path if -e $path;
    make_path($work);
    open my $file, '>:raw', "$path.new" or die "$path.new: $!\n";
    print {$file} $make->();
    close $file or die "$path.new: $!\n";
    rename "$path.new", $path or die "$path: $!\n";
    return $path;
}

# ---- the sets ------------------------------------------------------------------------------------

# Kernels of the plainest kind, launched one after the other, so that caches are warm where the data fit. A row that needs more
# registers than there are has the time of a launch that failed: it is left out.
sub simple {
    my ($row) = @_;
    return if $row->{registers} * $row->{group_size} > 65536;
    my ( $kernel, $n, $rows, $cols ) = @$row{qw(kernel n rows cols)};
    my @two_dimensions = $cols ? ( rows => $rows, cols => $cols ) : ();
    my $side = $row->{group_size} == 1024 ? 32 : 16;
    my ( $grid, $block, %values ) =
        $cols ? ( ceil( $cols / $side ) . 'x' . ceil( $rows / $side ), "${side}x$side", rows => $rows, cols => $cols, n => $cols )
      :         ( $n / ( { strided_copy_8 => 2048, reduce_sum => 512, dot_product => 512 }->{$kernel} // 256 ), $row->{group_size}, n => $n );
    my %arguments = (
        ( map { $_ => [qw(a b c n)] } qw(vector_add vector_add_divergent matmul_naive matmul_tiled) ),
        ( map { $_ => [qw(a b rows cols)] } qw(naive_transpose shared_transpose) ),
        ( map { $_ => [qw(image filter out rows cols)] } qw(conv2d_3x3 conv2d_7x7) ),
        saxpy                => [qw(a b c alpha n)],
        strided_copy_8       => [qw(a c n)],
        random_access        => [qw(a index b n)],
        reduce_sum           => [qw(a out n)],
        dot_product          => [qw(a b out n)],
        histogram            => [qw(values bins n)],
        atomic_hotspot       => [qw(counter iterations)],
    );
    my $bytes = 4 * ( $cols ? $rows * $cols : $n );
    %values = ( %values, alpha => 2, iterations => $row->{iterations} );
    return (
        name     => join( ' ', grep { $_ } $kernel, $cols || $n, $row->{iterations} ),
        measured => $row->{mean_ms} / 1e3,
        run      => [
            @{ launch( 'simple', $kernel, $grid, $block, {}, map { "$_=" . ( $values{$_} // "zero:$bytes" ) } @{ $arguments{$kernel} } ) },
            '--registers', $row->{registers}, '--cache', 'warm'
        ],
    );
}

sub convolution {
    my ($row) = @_;
    my ( $bx, $by, $tx, $ty ) = @$row{qw(block_size_x block_size_y tile_size_x tile_size_y)};
    my %macros = (
        FILTER => 15, WIDTH => 4096, BX => $bx, BY => $by, TX => $tx, TY => $ty,
        SHARED => $row->{use_shmem}, PAD => $row->{use_padding}, READ_ONLY => $row->{read_only}
    );

    # No bound is told (kernels/convolution.cu), but of loads by __ldg from global memory our code would need more registers than
    # there are where theirs was launched.
    my $most = int( 65536 / ( 128 * ceil( $bx * $by / 128 ) ) / 8 ) * 8;
    $macros{'-maxrregcount'} = $most if $row->{read_only} && !$row->{use_shmem} && $most < 255;
    my $grid = ceil( 4096 / $bx / $tx ) . 'x' . ceil( 4096 / $by / $ty );
    return (
        name     => "${bx}x$by threads, ${tx}x$ty outputs" . join( '', map { $row->{$_} ? " $_" : () } qw(use_shmem use_padding read_only) ),
        measured => $row->{median_ms} / 1e3,
        run      => launch( 'convolution', 'convolution', $grid, "${bx}x$by", \%macros, 'in=zero:70M', 'out=zero:70M', 'filter=zero:900' ),
    );
}

sub gemm {
    my ($row) = @_;
    my %macros = map { $_ => $row->{$_} } grep { /^[A-Z]+$/ } keys %$row;
    my $size = 4096;
    return (
        name     => join( ' ', map { $macros{$_} } qw(MWG NWG KWG MDIMC NDIMC MDIMA NDIMB KWI VWM VWN STRM STRN SA SB) ),
        measured => $row->{ms_median} / 1e3,
        run      => launch(
            'gemm', 'gemm', $size / $macros{MWG} . 'x' . $size / $macros{NWG}, "$macros{MDIMC}x$macros{NDIMC}", \%macros,
            'a=zero:64M', 'b=zero:64M', 'c=zero:64M', "m=$size", "n=$size", "depth=$size", 'here=0'
        ),
    );
}

# Channels from 1425 MHz on, by their delay behind the last: in samples of 40.96 us, for a trial value of 1.
sub delays {
    my ($channels) = @_;
    my @mhz = map { 1425 + 0.1953125 * $_ } 0 .. $channels - 1;
    return map { 4148.808 * ( 1 / $_**2 - 1 / $mhz[-1]**2 ) / 40.96e-6 } @mhz;
}

sub dedispersion {
    my ($row) = @_;
    my ( $bx, $by, $tx, $ty ) = @$row{qw(block_size_x block_size_y tile_size_x tile_size_y)};
    my ( $channels, $samples, $trials, $step ) = ( 1536, 25000, 2048, 0.02 );
    my @delays      = delays($channels);
    my $per_channel = $samples + ceil( $delays[0] * $step * $trials ) + 4;
    my %macros      = (
        CHANNELS => $channels, BX => $bx, BY => $by, TX => $tx, TY => $ty,
        STRIDE_X => $row->{tile_stride_x}, STRIDE_Y => $row->{tile_stride_y}
    );
    return (
        name     => "${bx}x$by threads, ${tx}x$ty sums, strides $row->{tile_stride_x} $row->{tile_stride_y}",
        measured => $row->{ms_median} / 1e3,
        run      => launch(
            'dedispersion', 'dedispersion', ceil( $samples / $bx / $tx ) . 'x' . ceil( $trials / $by / $ty ), "${bx}x$by", \%macros,
            'in=zero:' . $channels * $per_channel, 'out=zero:' . 4 * $samples * $trials, "samples=$samples", "trials=$trials",
            "per_channel=$per_channel", "step=$step", 'shifts=@' . file( 'delays', sub { pack 'f<*', @delays } )
        ),
    );
}

# ---- breadth-first search ------------------------------------------------------------------------

# A graph of N nodes of the kind that was measured: of each, 2, 3 or 4 edges to others at random, and back. Nodes (where
# edges begin, and how many) and edges become files; what a node's level is (1: the source, 0: not reached) is returned.
sub graph {
    my ($n) = @_;
    srand 13;
    my ( @from, @to, @degree );
    for my $node ( 0 .. $n - 1 ) {
        for ( 1 .. 2 + int rand 3 ) {
            push @from, $node;
            push @to,   int rand $n;
        }
    }
    $degree[$_]++ for @from, @to;
    my ( $at, @first ) = (0);
    for my $node ( 0 .. $n - 1 ) {
        $first[$node] = $at;
        $at += $degree[$node];
    }
    file( "bfs-$n-nodes", sub { pack 'l<*', map { ( $first[$_], $degree[$_] ) } 0 .. $n - 1 } );
    my @next = @first;
    my @edges;
    for ( 0 .. $#from ) {
        $edges[ $next[ $from[$_] ]++ ] = $to[$_];
        $edges[ $next[ $to[$_] ]++ ]   = $from[$_];
    }
    file( "bfs-$n-edges", sub { pack 'l<*', @edges } );
    my @levels = search( source( $n, \@edges, \@first, \@degree ), 99, \@edges, \@first, \@degree );
    my @level  = (0) x $n;
    for my $depth ( 0 .. $#levels ) {
        @level[ @{ $levels[$depth] } ] = ( $depth + 1 ) x @{ $levels[$depth] };
    }
    return @level;
}

# Nodes by level from that source on, at most so many levels.
sub search {
    my ( $source, $most, $edges, $first, $degree ) = @_;
    my @levels = ( [$source] );
    my %seen   = ( $source => 1 );
    while ( @{ $levels[-1] } && @levels < $most ) {
        push @levels, [ grep { !$seen{$_}++ } map { @$edges[ $first->[$_] .. $first->[$_] + $degree->[$_] - 1 ] } @{ $levels[-1] } ];
    }
    return @levels;
}

# Nodes on one level of the measured graphs, by a counter: a warp of Kernel2 in which nodes were found executes 28 instructions,
# another one 13, so on level 5 of 65 536 nodes 1 194 warps of 2 048 have nodes, which random places of 1 791 nodes give. That of
# 10^6 nodes grows a little faster than ours, and ours has the measured 124 900 nodes on level 8 and 15 900 on level 11 where
# level 6 has 4 450 (measured: 3 960).
my %counted = ( 1000000 => [ 6, 4450 ], 65536 => [ 5, 1791 ], 4096 => [ 4, 391 ] );

# Of the first nodes that from which a search has most nearly so many nodes on that level.
sub source {
    my ( $n, @graph ) = @_;
    my ( $level, $wanted ) = @{ $counted{$n} };
    my ( $best, $least ) = ( 0, $n );
    for my $source ( 0 .. 999 ) {
        my @levels = search( $source, $level, @graph );
        my $off    = abs @{ $levels[ $level - 1 ] // [] } - $wanted;
        ( $best, $least ) = ( $source, $off ) if $off < $least;
    }
    return $best;
}

# The levels of the nodes, a byte each.
my %levels;
sub levels {
    my ($n) = @_;
    return $levels{$n} //= fidelity::slurp( file( "bfs-$n-levels", sub { pack 'C*', graph($n) } ) );
}

# A mask of the nodes whose level is from LEAST to MOST.
sub mask {
    my ( $n, $least, $most ) = @_;
    return 'zero:' . $n if $most < $least;
    my $range = sprintf '\\x%02x-\\x%02x', $least, $most;
    return '@' . file( "bfs-$n-$least-$most", sub { levels($n) =~ s/([$range])|./defined $1 ? "\1" : "\0"/gers } );
}

sub bfs {
    my ($row) = @_;
    my $level = $row->{level};
    my $n = $row->{input} eq 'graph1MW.6' ? 1000000 : $row->{input} =~ s/\D//gr;
    levels($n);
    my %arguments =
      $row->{kernel} eq 'Kernel'
      ? ( nodes => "\@$work/bfs-$n-nodes", edges => "\@$work/bfs-$n-edges", front => mask( $n, $level, $level ), found => "zero:$n", visited => mask( $n, 1, $level ), cost => 'zero:' . 4 * $n )
      : ( front => "zero:$n", found => mask( $n, $level + 1, $level + 1 ), visited => mask( $n, 1, $level ), again => 'zero:1' );
    return (
        name     => "$row->{kernel} $row->{input} $row->{level} $row->{machine}",
        measured => $row->{elapsed_cycles} / 1312e6,
        run      => [
            @{ launch( 'bfs', $row->{kernel} eq 'Kernel' ? 'expand' : 'advance', $row->{grid}, $row->{block}, {}, ( map { "$_=$arguments{$_}" } sort keys %arguments ), "n=$n" ) },
            '--registers', $row->{registers}
        ],
    );
}

1;
