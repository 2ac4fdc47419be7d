#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Tables of docs/evidence/fidelity.md, in Markdown, of what the other scripts here printed. With --tabs the cells are
# parted by tabs: docs/evidence/rows/ has those tables that have a line for each row.
#
#     tests/validate/tables.pl errors LAUNCHES.tsv    errors by kernel, of all, and of the long ones
#     tests/validate/tables.pl code PTX.tsv SASS.tsv  launches by graphs of PTX and of machine code
#     tests/validate/tables.pl hits LAUNCHES.tsv      hit rates beside the counters'
#     tests/validate/tables.pl limits LAUNCHES.tsv    what limits each kernel, largest input
#     tests/validate/tables.pl rows LAUNCHES.tsv      every launch
#     tests/validate/tables.pl sweep STREAMS.tsv      GB/s and errors in percent by occupancy
#     tests/validate/tables.pl streams STREAMS.tsv    errors by kernel
#     tests/validate/tables.pl mixes MIXES.tsv        rates and errors in percent by type
#     tests/validate/tables.pl copies COPIES.tsv      copies by width
#     tests/validate/tables.pl gemm GEMM.tsv          products of tensor cores
#     tests/validate/tables.pl sets KERNELS.tsv       kernels by set, beside equation 19, and what a tuner would choose
#     tests/validate/tables.pl set-rows KERNELS.tsv   all of them
#     tests/validate/tables.pl summary STREAMS.tsv ROOFLINES.tsv FIGURES.tsv    mean errors by GPU and what was measured
#     tests/validate/tables.pl occupancy STREAMS.tsv  errors by GPU, below the most that memory gives and near it
#     tests/validate/tables.pl sweeps STREAMS.tsv     GB/s and errors in percent by GPU and occupancy
#     tests/validate/tables.pl held|small CACHES.tsv  errors by GPU and kernel, or by threads of a group
#     tests/validate/tables.pl rooflines ROOFLINES.tsv    rates and errors in percent by GPU
#     tests/validate/tables.pl rates|products|chases|cycles FIGURES.tsv    single figures of a kind
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use fidelity;

my %part = (
    errors  => \&errors,
    code    => \&code,
    hits    => \&hits,
    limits  => \&limits,
    rows    => \&rows,
    sweep   => \&sweep,
    streams => \&streams,
    mixes   => \&mixes,
    copies  => \&copies,
    gemm    => \&gemm,
    sets       => \&sets,
    'set-rows' => \&set_rows,
    summary => \&summary,
    occupancy => \&occupancy,
    sweeps    => \&sweeps,
    held      => sub { held('kernel') },
    small     => sub { held('block') },
    rooflines => \&rooflines,
    rates     => sub { figures('rate') },
    products  => sub { figures('product') },
    chases    => sub { figures('chase') },
    cycles    => sub { figures( 'chain', 'issue' ) },
);
my $tabs = @ARGV && $ARGV[0] eq '--tabs' && shift;
die "usage: $0 [--tabs] ", join( '|', sort keys %part ), " TABLE.tsv...\n" unless @ARGV > 1 && $part{ $ARGV[0] };
my @table = map { fidelity::table( $_, "\t" ) } @ARGV[ 1 .. $#ARGV ];

# The values that a column has, each once, in their order.
sub distinct {
    my ( $column, @of ) = @_;
    my %seen;
    return grep { !$seen{$_}++ } map { $_->{$column} } @of;
}

sub with {
    my ( $column, $value, @of ) = @_;
    return grep { $_->{$column} eq $value } @of;
}

sub line {
    print $tabs ? join( "\t", map { tr/`//dr } @_ ) : '| ' . join( ' | ', @_ ) . ' |', "\n";
}

# A table's head; names that begin with < are of texts, which stand at the left.
sub head {
    line( map { s/^<//r } @_ );
    print '|', join( '|', map { /^</ ? ':--' : '--:' } @_ ), "|\n" unless $tabs;
}

sub percent {
    my ( $value, $form ) = @_;
    return sprintf( ( $form // '%.1f' ) . ' %%', $value );
}

# 1234567.8 as 1 234 568.
sub grouped {
    my $text = sprintf '%.0f', shift;
    1 while $text =~ s/^(\d+)(\d{3})/$1 $2/;
    return $text;
}

# ---- launches ------------------------------------------------------------------------------------

sub error_line {
    my ( $name, @of ) = @_;
    my $e = fidelity::errors(@of);
    line( $name, $e->{n}, percent( $e->{mean} ), percent( $e->{median} ), percent( $e->{bias}, '%+.1f' ),
        percent( $e->{worst}, '%+.0f' ), percent( $e->{within}, '%.0f' ), sprintf '%.3f', $e->{spearman} );
}

sub errors {
    head( '<launches', 'rows', 'mean absolute error', 'median', 'mean error', 'worst', 'within 30 %', 'Spearman' );
    error_line( $_, with( 'kernel', $_, @table ) ) for distinct( 'kernel', @table );
    my @own = map { { %$_, simulated => $_->{own} } } @table;
    for ( [ '', @table ], [ ', machine\'s own launch', @own ] ) {
        my ( $how, @of ) = @$_;
        error_line( "all$how", @of );
        error_line( "above 20 000 cycles$how", grep { $_->{measured} > 20000 } @of );
    }
}

# Errors of both, and how many of the instructions that were counted at the largest input each has.
sub code {
    head( '<kernel', 'rows', map { ( "$_: mean absolute error", 'mean error', 'instructions, of those counted' ) } 'PTX', 'machine code' );
    for my $kernel ( distinct( 'kernel', @table ), 'all', 'above 20 000 cycles' ) {
        my @of = $kernel eq 'all' ? @table : $kernel =~ /^above/ ? grep { $_->{measured} > 20000 } @table : with( 'kernel', $kernel, @table );
        my @cells;
        for my $from (qw(ptx sass)) {
            my $e = fidelity::errors( with( 'from', $from, @of ) );
            my ($row) = sort { $b->{measured} <=> $a->{measured} } grep { $_->{executed_warp_instructions} } with( 'from', $from, with( 'kernel', $kernel, @of ) );
            push @cells, percent( $e->{mean} ), percent( $e->{bias}, '%+.1f' ),
              $row ? percent( 100 * $row->{instructions} / $row->{executed_warp_instructions}, '%.0f' ) : '';
        }
        line( $kernel, @of / 2, @cells );
    }
}

# Hit rates in percent, and by how many points they are off: in the mean and at worst.
sub hits {
    head( '<kernel', 'rows', map { ( "$_ counted", 'here', 'off by', 'at worst' ) } qw(L1 L2) );
    my @counted = with( 'machine', 'Lassen', @table );
    for my $kernel ( distinct( 'kernel', @counted ), 'all' ) {
        my @of    = $kernel eq 'all' ? @counted : with( 'kernel', $kernel, @counted );
        my @cells = ( $kernel, scalar @of );
        for my $level (qw(l1 l2)) {
            my @off = fidelity::off( $level, @of );
            my ($worst) = sort { $b <=> $a } @off;
            push @cells, map { sprintf '%.1f', $_ } fidelity::mean( map { $_->{"${level}_hit_percent"} } @of ),
              fidelity::mean( map { $_->{$level} } @of ), fidelity::mean(@off), $worst;
        }
        line(@cells);
    }
}

# What the counters say, as profilers read them: of the instructions that the schedulers could issue, and of
# what device memory carries (867 GB/s), the larger share, if it is at least 60 %; else latencies.
sub counters {
    my ($row) = @_;
    return '' if $row->{dram_bytes_per_s} eq '';
    my $issue  = 100 * $row->{ipc_active} / 4;
    my $memory = 100 * $row->{dram_bytes_per_s} / 867e9;
    my $text   = sprintf 'issue %.0f %%, DRAM %.0f %%', $issue, $memory;
    return $issue < 60 && $memory < 60 ? "latency ($text)" : $issue > $memory ? "issue ($text)" : "DRAM ($text)";
}

sub limits {
    head( '<kernel', 'input', '<limited by, here', '<by the counters', 'ipc counted', 'here',
        'DRAM GB/s counted', 'here', 'warp instructions counted', 'here' );
    my @counted = with( 'machine', 'Lassen', @table );
    for my $kernel ( distinct( 'kernel', @counted ) ) {
        my ($row) = sort { $b->{measured} <=> $a->{measured} } with( 'kernel', $kernel, @counted );
        line(
            $kernel, $row->{input}, $row->{limit}, counters($row), $row->{ipc_active}, $row->{ipc},
            map { grouped($_) } $row->{dram_bytes_per_s} / 1e9, $row->{dram} / 1e9,
            $row->{executed_warp_instructions}, $row->{instructions}
        );
    }
}

sub rows {
    head( '<kernel', 'input', '<machine', 'groups', 'measured', 'simulated', 'roofline', 'error', '<limited by, here',
        '<by the counters' );
    line( @$_{qw(kernel input machine)}, ( map { grouped($_) } @$_{qw(grid measured simulated roofline)} ),
        percent( $_->{error}, '%+.1f' ), $_->{limit}, counters($_) )
      for @table;
}

# ---- bandwidth -----------------------------------------------------------------------------------

sub sweep {
    my @kernels = distinct( 'kernel', @table );
    head( 'threads', 'groups', 'occupancy', @kernels );
    my @of = @table;
    while ( my @line = splice @of, 0, scalar @kernels ) {
        line( @{ $line[0] }{qw(block groups)}, percent( $line[0]{occupancy} ),
            map { sprintf '%.0f (%+.1f)', @$_{qw(simulated error)} } @line );
    }
}

sub streams {
    head( '<kernel', 'figures', 'mean absolute error', 'mean error', 'worst' );
    for my $kernel ( distinct( 'kernel', @table ), 'all' ) {
        my @of = $kernel eq 'all' ? @table : with( 'kernel', $kernel, @table );
        my $e  = fidelity::errors(@of);
        line( $kernel, $e->{n}, percent( $e->{mean} ), percent( $e->{bias}, '%+.1f' ), percent( $e->{worst}, '%+.1f' ) );
    }
}

sub mixes {
    my @types = distinct( 'type', @table );
    head( 'multiply-adds', @types );
    for my $iters ( distinct( 'iters', @table ) ) {
        line( $iters, map { sprintf '%.0f (%+.1f)', @$_{qw(simulated error)} } with( 'iters', $iters, @table ) );
    }
}

sub copies {
    my @widths = distinct( 'bytes', @table );
    head( '<GPU', 'bytes / B_mem', map { ( $_ == 1 ? '1 byte' : "$_ bytes", '<limited by' ) } @widths );
    for my $gpu ( distinct( 'gpu', @table ) ) {
        my @of = with( 'gpu', $gpu, @table );
        line( $gpu, "$of[0]{least} us", map { ( percent( $_->{excess}, '%+.1f' ), $_->{limit} ) } @of );
    }
}

sub gemm {
    head( '<GPU', 'predicted', 'TFLOP/s', 'of its peak', 'library', 'of that', '<critical path' );
    line( $_->{gpu}, "$_->{time} us", $_->{rate}, percent( 100 * $_->{rate} / $_->{peak}, '%.0f' ), $_->{library}, percent( $_->{share}, '%.0f' ), $_->{path} )
      for @table;
}

# ---- kernels of sets -----------------------------------------------------------------------------

# Of the COUNT rows that a column says are fastest, the fastest one's measured time over the fastest of all; nothing where rows are
# no choice.
sub chosen {
    my ( $count, $column, @of ) = @_;
    return '' unless $of[0]{choice};
    my @by     = sort { $a->{$column} <=> $b->{$column} } @of;
    my ($best) = sort { $a <=> $b } map { $_->{measured} } @of;
    my ($pick) = sort { $a <=> $b } map { $_->{measured} } @by[ 0 .. $count - 1 ];
    return sprintf '%.2f', $pick / $best;
}

sub set_line {
    my ( $name, @of ) = @_;
    my @cells;
    for my $column (qw(simulated roofline)) {
        my $e = fidelity::errors( map { { measured => $_->{measured}, simulated => $_->{$column} } } @of );
        push @cells, percent( $e->{mean} ), percent( $e->{bias}, '%+.1f' ), sprintf( '%.3f', $e->{spearman} ), map { chosen( $_, $column, @of ) } 1, 10;
    }
    line( $name, scalar @of, @cells );
}

sub sets {
    head( '<set', 'rows', map { ( "$_: mean absolute error", 'mean error', 'Spearman', 'first pick', 'best of ten' ) } 'here', 'equation 19' );
    for my $set ( distinct( 'set', @table ) ) {
        my @of = with( 'set', $set, @table );
        set_line( "$set, `$of[0]{gpu}`", @of );
        set_line( "$set, above 20 000 cycles", grep { $_->{measured} > 20000 / 1312 } @of ) if $set eq 'bfs';
    }
}

sub set_rows {
    head( '<set', '<row', 'measured', 'simulated', 'equation 19', 'error', '<limited by' );
    line( @$_{qw(set name)}, ( map { sprintf '%.4g us', $_ } @$_{qw(measured simulated roofline)} ), percent( $_->{error}, '%+.1f' ), $_->{limit} ) for @table;
}

# ---- other GPUs ----------------------------------------------------------------------------------

# Rows of streams that device memory did not limit when they were measured: below 90 % of the most that is quoted of that
# kernel and GPU.
sub below_ceiling {
    my (@of) = @_;
    my %most;
    for (@of) {
        my $kernel = "$_->{gpu} $_->{kernel}";
        $most{$kernel} = $_->{measured} if $_->{measured} > ( $most{$kernel} // 0 );
    }
    return grep { $_->{measured} < 0.9 * $most{"$_->{gpu} $_->{kernel}"} } @of;
}

# Mean absolute error and number of a set's figures, or nothing.
sub mean_of {
    my (@of) = @_;
    return @of ? sprintf '%.1f %% of %d', fidelity::errors(@of)->{mean}, scalar @of : '';
}

# By GPU, in whatever way it ran kernels.
sub summary {
    $_->{gpu} =~ s/:.*// for @table;
    my %of = (
        'bandwidth over occupancy' => [ below_ceiling( grep { defined $_->{occupancy} } @table ) ],
        'roofline: memory'         => [ grep { defined $_->{iters} && $_->{limit} =~ /^device/ } @table ],
        'roofline: computing'      => [ grep { defined $_->{iters} && $_->{limit} !~ /^device/ } @table ],
        'peaks'                    => [ with( 'kind', 'rate', grep { defined $_->{kind} } @table ) ],
        'pointer chases'           => [ with( 'kind', 'chase', grep { defined $_->{kind} } @table ) ],
        'instructions'             => [ grep { ( $_->{kind} // '' ) =~ /^(?:chain|issue)$/ } @table ],
    );
    my @names = ( 'bandwidth over occupancy', 'roofline: memory', 'roofline: computing', 'peaks', 'pointer chases', 'instructions' );
    head( '<GPU', @names );
    for my $gpu ( sort( distinct( 'gpu', grep { ( $_->{kind} // '' ) ne 'product' } @table ) ) ) {
        line( "`$gpu`", map { mean_of( with( 'gpu', $gpu, @{ $of{$_} } ) ) } @names );
    }
}

sub occupancy {
    my %low = map { $_ => 1 } below_ceiling(@table);
    head( '<GPU', 'figures below', 'mean absolute error', 'mean error', 'worst', 'figures near', 'mean absolute error' );
    for my $gpu ( distinct( 'gpu', @table ) ) {
        my @of  = with( 'gpu', $gpu, @table );
        my $low = fidelity::errors( grep { $low{$_} } @of );
        my $top = fidelity::errors( grep { !$low{$_} } @of );
        line( "`$gpu`", $low->{n}, percent( $low->{mean} ), percent( $low->{bias}, '%+.1f' ), percent( $low->{worst}, '%+.1f' ),
            $top->{n}, percent( $top->{mean} ) );
    }
}

# Mean absolute errors, and in brackets mean errors.
sub held {
    my ($by) = @_;
    my @of = distinct( $by, @table );
    head( '<GPU', 'figures', @of, 'all' );
    for my $gpu ( distinct( 'gpu', @table ) ) {
        my @rows = with( 'gpu', $gpu, @table );
        line( "`$gpu`", scalar @rows, map { my $e = fidelity::errors(@$_); sprintf '%.1f %% (%+.1f)', $e->{mean}, $e->{bias} } ( map { [ with( $by, $_, @rows ) ] } @of ), \@rows );
    }
}

sub sweeps {
    my @kernels = distinct( 'kernel', @table );
    head( '<GPU', 'threads', 'groups', @kernels );
    my %cell;
    for (@table) {
        my $at = "$_->{gpu} $_->{block} $_->{groups}";
        $cell{$at}{ $_->{kernel} } = sprintf '%.0f (%+.1f)', @$_{qw(measured error)};
        $_->{at} = $at;
    }
    for my $at ( distinct( 'at', @table ) ) {
        my ( $gpu, @launch ) = split / /, $at;
        line( "`$gpu`", @launch, map { $cell{$at}{$_} // '' } @kernels );
    }
}

sub rooflines {
    my @gpus = distinct( 'gpu', @table );
    head( 'multiply-adds', map { "`$_`" } @gpus );
    for my $iters ( sort { $a <=> $b } distinct( 'iters', @table ) ) {
        my %row = map { $_->{gpu} => sprintf '%.0f (%+.1f)', @$_{qw(measured error)} } with( 'iters', $iters, @table );
        line( $iters, map { $row{$_} // '' } @gpus );
    }
}

# Of clocks that were found by single precision the brackets show that.
sub figures {
    my @kinds = @_;
    my %what = ( chain => ', each needs the one before', issue => ', independent' );
    head( '<GPU', '<what', ( $kinds[0] eq 'chain' ? () : 'MHz' ), 'measured', 'here', 'error', '<source' );
    for my $row ( grep { my $kind = $_->{kind}; grep { $_ eq $kind } @kinds } @table ) {
        line( "`$row->{gpu}`", $row->{what} . ( $what{ $row->{kind} } // '' ),
            ( $kinds[0] eq 'chain' ? () : $row->{mhz} ), @$row{qw(measured simulated)}, percent( $row->{error}, '%+.1f' ), $row->{source} );
    }
}

$part{ $ARGV[0] }->();
