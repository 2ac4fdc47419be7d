#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# What each rule of the model adds to the time of what was measured: everything that docs/evidence/fidelity.md compares is simulated once
# with each rule taken from the descriptions (without.pm, which finds the rules).
#
#     tests/validate/attribution.pl run >FILE     a table with tabs: a measured row and a rule a line
#     tests/validate/attribution.pl sets FILE     by set: the mean error with all rules, and without each
#     tests/validate/attribution.pl rows FILE     by row, cells parted by tabs: what each rule adds in percent
#     tests/validate/attribution.pl chart FILE    what docs/make/attribution.gp draws
#
# ROWS=all takes every row; else all of sets that are quick, of others some, in equal steps. SETS and RULES are patterns: other sets
# and rules are left out, for whoever changes one rule. PIPESIM is the program, ./pipesim unless set, JOBS how many run at once.
use strict;
use warnings;
use File::Basename;
use File::Temp;
use lib dirname(__FILE__);
use fidelity;

$| = 1;
my $here   = dirname(__FILE__);
my $folder = File::Temp->newdir;

# A set's name, the script that simulates it, what it needs, and of how many rows one is taken. "rate": figures are rates, not times.
my @sets = (
    { name => 'Rodinia, V100',            command => ['launches.pl'], each => 1 },
    { name => 'breadth-first, V100',      command => [ 'kernels.pl', 'bfs' ],    each => 3 },
    { name => 'simple, 2080 Ti',          command => [ 'kernels.pl', 'simple' ], each => 1 },
    { name => 'streams, V100',            command => [ 'streams.pl', quoted('v100'), 'v100.xml', 1380 ], each => 2, rate => 1 },
    { name => 'streams, nine GPUs',       command => [ 'streams.pl', "$here/data/gpu-stream.tsv" ], each => 8, rate => 1 },
    { name => 'multiply-adds, four GPUs', command => [ 'rooflines.pl', "$here/data/gpu-roofline.tsv" ], each => 5, rate => 1 },
    { name => 'mixes, RTX 2070',          command => [ 'mixes.pl', quoted('rtx2070'), 'rtx2070.xml', 1829 ], each => 5, rate => 1 },
    { name => 'product, 3090',            command => [ 'kernels.pl', 'gemm' ],         each => 10 },
    { name => 'convolution, A4000',       command => [ 'kernels.pl', 'convolution' ],  each => 8 },
    { name => 'dedispersion, A4000',      command => [ 'kernels.pl', 'dedispersion' ], each => 24 },
);

# The measured figures that docs/evidence/fidelity.md quotes, as a file.
sub quoted {
    my ($name) = @_;
    my ($table) = fidelity::slurp('docs/evidence/fidelity.md') =~ /<!-- measured \Q$name\E -->\n(.*?)<!-- end -->/s;
    return files::spew( "$folder/$name", $table );
}

# Rows of a set as its script has them without RULE; nothing, and a message, where the model cannot do without.
sub simulated {
    my ( $set, $rule ) = @_;
    my ( $script, @words ) = @{ $set->{command} };
    local $ENV{EACH} = ( $ENV{ROWS} // '' ) eq 'all' ? 1 : $set->{each};
    local $ENV{WITHOUT} = $rule;
    my $path = "$folder/rows";
    if ( system "$here/$script @words >$path 2>$folder/messages" ) {
        warn "$set->{name}, without $rule: ", fidelity::slurp("$folder/messages");
        return;
    }
    return fidelity::table( $path, "\t" );
}

# Whether kernels of ours can be compiled; their sets are left out elsewhere.
sub compiler {
    return scalar grep { -x "$_/nvcc" } split( /:/, $ENV{PATH} ), ( $ENV{CUDA_HOME} // '/usr/local/cuda' ) . '/bin';
}

# What tells a row from others of its set.
sub name_of {
    my ($row) = @_;
    return join ' ', grep { defined && length } @$row{qw(name kernel input level machine gpu type iters block groups)};
}

sub run {
    $ENV{KEPT_GRAPHS} = "$folder/graphs";
    print join( "\t", qw(set row rule measured with without) ), "\n";
    my ( $sets, $rules ) = map { $_ // '' } @ENV{qw(SETS RULES)};
    for my $set ( grep { $_->{name} =~ /$sets/ && ( $_->{command}[0] ne 'kernels.pl' || compiler() ) } @sets ) {
        my @with = simulated( $set, 'nothing' ) or next;
        my %gpu = map { ( $_->{gpu} // 'v100' ) => 1 } @with;
        for my $rule ( grep { /$rules/ } without::rules( keys %gpu ) ) {
            my @without = simulated( $set, $rule ) or next;
            for ( 0 .. $#with ) {
                my ( $measured, $time, $other ) = ( $with[$_]{measured}, $with[$_]{simulated}, $without[$_]{simulated} );
                ( $measured, $time, $other ) = map { 1 / $_ } $measured, $time, $other if $set->{rate};
                print join( "\t", $set->{name}, name_of( $with[$_] ), $rule, $measured, $time, $other ), "\n";
            }
        }
    }
}

# ---- tables --------------------------------------------------------------------------------------

sub distinct {
    my ( $column, @of ) = @_;
    my %seen;
    return grep { !$seen{$_}++ } map { $_->{$column} } @of;
}

# What a rule adds, in percent of the time without it, and errors in percent of the measured time.
sub adds  { my ($row) = @_; return 100 * ( $row->{with} / $row->{without} - 1 ) }
sub error { my ( $row, $column ) = @_; return 100 * ( $row->{$column} / $row->{measured} - 1 ) }

# Rules that change any time by a tenth of a percent or more.
sub at_work {
    my (@rows) = @_;
    return grep { my $rule = $_; grep { $_->{rule} eq $rule && abs( adds($_) ) >= 0.1 } @rows } distinct( 'rule', @rows );
}

sub line { print '| ', join( ' | ', @_ ), " |\n" }

sub head {
    line( map { s/^<//r } @_ );
    print '|', join( '|', map { /^</ ? ':--' : '--:' } @_ ), "|\n";
}

sub mean_error {
    my ( $column, @of ) = @_;
    return fidelity::mean( map { abs error( $_, $column ) } @of );
}

# A cell has the error without the rule, and what the rule adds in the mean; bold where the error is smaller without.
sub sets {
    my (@rows) = @_;
    my @names = distinct( 'set', @rows );
    head( '<without', @names );
    line( 'nothing', map { my $set = $_; sprintf '%.1f %%', mean_error( 'with', grep { $_->{set} eq $set } @rows ) } @names );
    for my $rule ( at_work(@rows) ) {
        my @cells;
        for my $set (@names) {
            my @of = grep { $_->{set} eq $set && $_->{rule} eq $rule } @rows;
            my $adds = fidelity::mean( map { adds($_) } @of );
            my $is   = mean_error( 'without', @of );
            my $mark = $is < mean_error( 'with', @of ) - 0.05 ? '**' : '';
            push @cells, !@of || !grep( { abs( adds($_) ) >= 0.1 } @of ) ? '' : sprintf( '%s%.1f %%%s (%+.1f)', $mark, $is, $mark, $adds );
        }
        line( "`$rule`", @cells );
    }
}

sub rows {
    my (@rows) = @_;
    print join( "\t", 'set', 'row', 'error', 'rules, and what each adds in percent' ), "\n";
    for my $set ( distinct( 'set', @rows ) ) {
        my @of = grep { $_->{set} eq $set } @rows;
        for my $row ( distinct( 'row', @of ) ) {
            my @same = sort { abs adds($b) <=> abs adds($a) } grep { $_->{row} eq $row } @of;
            print join( "\t", $set, $row, sprintf( '%+.1f %%', error( $same[0], 'with' ) ),
                join ', ', map { sprintf '%s %+.1f', $_->{rule}, adds($_) } grep { abs( adds($_) ) >= 0.1 } @same ), "\n";
        }
    }
}

# By how many points of the mean error each rule mends a set (or harms it, if below 0): numbers of both, names, points.
sub chart {
    my (@rows) = @_;
    my @names = distinct( 'set', @rows );
    my @rules = at_work(@rows);
    for my $i ( 0 .. $#rules ) {
        for my $j ( 0 .. $#names ) {
            my @of = grep { $_->{set} eq $names[$j] && $_->{rule} eq $rules[$i] } @rows;
            my $points = @of ? mean_error( 'without', @of ) - mean_error( 'with', @of ) : 0;
            print join( "\t", $j, $i, $names[$j], $rules[$i], sprintf '%.1f', $points ), "\n";
        }
        print "\n";
    }
}

my %part = ( sets => \&sets, rows => \&rows, chart => \&chart );
if ( @ARGV == 1 && $ARGV[0] eq 'run' ) { run() }
elsif ( @ARGV == 2 && $part{ $ARGV[0] } ) { $part{ $ARGV[0] }->( fidelity::table( $ARGV[1], "\t" ) ) }
else                                      { die "usage: $0 run | sets|rows|chart FILE\n" }
