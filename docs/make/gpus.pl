#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# docs/make/gpus.pl: prints docs/reference/gpus.md with its tables of GPUs made anew: figures of the descriptions in gpus/, where these
# are from, and the errors that docs/evidence/fidelity.md shows. Between "<!-- NAME -->" and "<!-- end -->" stands a table; the
# rest of the page stays. PIPESIM is the program, ./pipesim unless set.
use strict;
use warnings;
use JSON::PP;

sub slurp {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    local $/ = undef;
    return scalar <$file>;
}

# Descriptions of the user's own have no place here.
delete $ENV{PIPESIM_PATH};
my $program = $ENV{PIPESIM} // './pipesim';
my $listed  = qx($program list --gpus --format json) || die "$program: no list\n";
my @gpus    = @{ JSON::PP->new->utf8->decode($listed)->{gpus} };

# Three digits, but all of those before the point.
sub number {
    my ($x) = @_;
    return '' unless defined $x;
    my $text = $x >= 99.5 ? sprintf '%.0f', $x : sprintf '%.3g', $x;
    1 while $text =~ s/^(\d+)(\d{3})/$1 $2/;
    return $text;
}

sub scaled { my ( $x, $by ) = @_; return number( defined $x ? $x / $by : undef ) }

# A table in Markdown; the first column is text, and so are those whose heading ends in a colon.
sub table {
    my ( $head, @rows ) = @_;
    my @align = map { s/:$// ? ':--' : '--:' } my @names = @$head;
    my ( $first, @rest ) = map { '| ' . join( ' | ', @$_ ) . " |\n" } \@names, @rows;
    return join '', $first, '|' . join( '|', @align ) . "|\n", @rest;
}

# ---- figures -------------------------------------------------------------------------------------

# With the peaks of computing that at least one GPU has: floating-point ones by growing rates, then the others.
sub chips {
    my %known = map { %{ $_->{peaks} } } @gpus;
    my %place = ( T_DP => 1, T_SP => 2, T_HP => 3 );
    my @kinds = sort { ( $place{$a} // 9 ) <=> ( $place{$b} // 9 ) || $a cmp $b } grep { !/^B_|^T_(?:add|ldst)$/ } keys %known;
    return table(
        [ ':', 'chip:', 'architecture:', 'CUs', 'MHz', 'base', 'boost', 'warp', @kinds ],
        map {
            my $gpu = $_;
            [
                "`$gpu->{name}`", $gpu->{gpu}, $gpu->{architecture} // '', $gpu->{compute_units},
                ( map { number($_) } @$gpu{qw(clock_mhz base_clock_mhz boost_clock_mhz warp_size)} ),
                ( map { scaled( $gpu->{peaks}{$_}, 1000 ) } @kinds )
            ]
        } @gpus
    );
}

# What is assumed is in italics.
sub marked {
    my ( $level, $text ) = @_;
    return $text ne '' && ( $level->{source} // 'assumed' ) eq 'assumed' ? "*$text*" : $text;
}

sub capacity {
    my ($level) = @_;
    my $kib = ( $level->{bytes} // return '' ) / 1024;
    return marked( $level, $kib < 1024 ? number($kib) . ' KiB' : number( $kib / 1024 ) . ' MiB' );
}

# A time, where the latency counts a clock of its own.
sub latency {
    my ($level) = @_;
    my ( $cycles, $mhz ) = @$level{qw(latency_cycles latency_mhz)};
    return '' unless defined $cycles;
    return marked( $level, defined $mhz ? sprintf( '%.0f ns', 1000 * $cycles / $mhz ) : number($cycles) . ' cycles' );
}

sub memory {
    my @rows;
    for my $gpu (@gpus) {
        my %level = map { $_->{level} => $_ } @{ $gpu->{levels} };
        my ( $l1, $l2, $l3, $device ) = map { $level{$_} // {} } ( $level{l0} ? 'l0' : 'l1' ), qw(l2 l3 device);
        my @row = ( capacity($l1), marked( $l1, number( $l1->{bytes_per_cycle} ) ), latency($l1) );
        push @row, capacity($_), marked( $_, number( $_->{bandwidth} ) ), latency($_) for $l2, $l3;
        push @row, %level ? marked( $device, number( $device->{bandwidth} ) ) : number( $gpu->{bandwidth} ), latency($device);
        push @row, scaled( $gpu->{device_memory_mib}, 1024 );
        push @rows, [ "`$gpu->{name}`", @row ];
    }
    return table( [ ':', 'L1', 'bytes per cycle', 'answers in', 'L2', 'GB/s', 'in', 'L3', 'GB/s', 'in', 'device GB/s', 'in', 'GiB' ], @rows );
}

# ---- how far to trust them -----------------------------------------------------------------------

my $fidelity = slurp('docs/evidence/fidelity.md');

# What docs/evidence/fidelity.md has under that name.
sub shown {
    my ($name) = @_;
    return $fidelity =~ /<!-- \Q$name\E -->\n(.*?)<!-- end -->/s ? $1 : die "docs/evidence/fidelity.md has no table '$name'\n";
}

# The mean absolute error in the row for all.
sub mean_of_all {
    my ($name) = @_;
    my ($head) = shown($name) =~ /^\|(.*)\|$/m;
    my ($all)  = shown($name) =~ /^\| all \|(.*)\|$/m;
    my @names  = map { s/^ +| +$//gr } split /\|/, $head;
    my @cells  = map { s/^ +| +$//gr } '', split /\|/, $all;
    my ($at) = grep { $names[$_] eq 'mean absolute error' } 0 .. $#names;
    return $cells[$at];
}

# The mean of errors in brackets behind predictions, "263 (+16.7)", without their signs.
sub mean_of_cells {
    my @errors = shown( $_[0] ) =~ /\([+-]([0-9.]+)\)/g;
    my $sum    = 0;
    $sum += $_ for @errors;
    return sprintf '%.1f %%', $sum / @errors;
}

sub mean_in_words {
    return shown( $_[0] ) =~ /Mean absolute error: ([0-9.]+ %)/ ? $1 : die "$_[0] says no mean\n";
}

# What the table of all GPUs there has, with the sections that it sums up.
sub at_a_glance {
    my %section = (
        'bandwidth over occupancy' => 'bandwidth-over-occupancy-of-nine-gpus',
        'roofline: memory'         => 'rooflines',
        'roofline: computing'      => 'rooflines',
        'peaks'                    => 'peaks',
        'pointer chases'           => 'pointer-chases',
        'instructions'             => 'instructions',
    );
    my ( $head, undef, @lines ) = grep { /^\|/ } split /\n/, shown('summary');
    my ( undef, undef, @names ) = split / *\| */, $head;
    my @found;
    for (@lines) {
        my ( undef, $gpu, @cells ) = split / *\| */;
        $gpu =~ tr/`//d;
        push @found, map { [ $gpu, $names[$_], "../evidence/fidelity.md#$section{$names[$_]}", $cells[$_] ] } grep { $cells[$_] } 0 .. $#names;
    }
    return @found;
}

# Which GPU was held against what, and where that stands.
my @validations = (
    [ 'v100', '332 launches of Rodinia', '../evidence/fidelity.md#launches-of-rodinia-on-a-v100', mean_of_all('errors') ],
    [ 'v100', 'bandwidth over occupancy', '../evidence/fidelity.md#bandwidth-over-occupancy', mean_of_all('streams v100') ],
    [ 'v100', 'double precision on one compute unit', '../evidence/v100-dfma.md', mean_in_words('dfma') ],
    [ 'mi100', 'bandwidth over occupancy', '../evidence/fidelity.md#bandwidth-over-occupancy', mean_of_all('streams mi100') ],
    [ 'rtx2070', 'mixbench', '../evidence/fidelity.md#multiply-adds-per-element-on-an-rtx-2070', mean_of_cells('mixes') ],
    at_a_glance(),
);

sub validations {
    my ($name) = @_;
    return join '; ', map { "[$_->[1]]($_->[2]) $_->[3]" } grep { $_->[0] eq $name } @validations;
}

# How much longer a copy with 16 bytes per thread takes than its bytes at the description's bandwidth.
sub copy {
    my ($name) = @_;
    my ($row) = slurp('docs/evidence/rows/copies.tsv') =~ /^\Q$name\E\.xml\t(.*)$/m or return '';
    return ( split /\t/, $row )[9];
}

sub trust {
    my @kinds = qw(measured published vendor derived assumed);
    my @rows;
    for my $gpu (@gpus) {
        my ( $sources, $all ) = ( $gpu->{sources}, 0 );
        $all += $_ for values %$sources;
        push @rows, [
            "`$gpu->{name}`", $all, ( map { $sources->{$_} ? sprintf '%.0f %%', 100 * $sources->{$_} / $all : '' } @kinds ),
            copy( $gpu->{name} ), validations( $gpu->{name} )
        ];
    }
    return table( [ ':', 'figures', @kinds, 'copy', 'mean error where others measured:' ], @rows );
}

# ---- the page ------------------------------------------------------------------------------------

my $page  = slurp('docs/reference/gpus.md');
my %tables = ( chips => \&chips, memory => \&memory, trust => \&trust );
for my $name ( sort keys %tables ) {
    my $table = $tables{$name}->();
    $page =~ s/(<!-- $name -->\n).*?(<!-- end -->)/$1\n$table\n$2/s or die "docs/reference/gpus.md has no place for '$name'\n";
}
print $page;
