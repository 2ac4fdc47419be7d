#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# The record of answers for kernels of strangers, of what questions.pl prints: for docs/evidence/questions.md the rows, what
# is not settled, or a summary; or the rows of the table of answer/strangers.c. A question counts once in each kind of
# kernels, by the worst of its sizes, and so does its place in How sure's bar.
#
#     tests/validate/strangers.pl rows|unsettled|summary|code SAID.tsv
use strict;
use warnings;
use File::Basename;
use List::Util qw(all max min);
use lib dirname(__FILE__);
use fidelity;

my %words = ( device => 'limited by device memory', latency => 'waiting for results', scattered => 'limited by memory, out of order', lines => 'lanes with lines of their own', 'stand-in' => 'code of AMD, not limited by device memory', turns => 'atomics that take turns at one place', unit => 'limited by a pipeline or a cache' );

my ( $what, $file ) = @ARGV;
die "usage: $0 rows|unsettled|summary|code SAID.tsv\n" unless $file;
my @rows = fidelity::table( $file, "\t" );

# What counts together; as ps_strangers_kind of answer/strangers.c.
sub kind {
    my ($limit) = @_;
    return 'scattered' if $limit eq 'partial';
    return $limit =~ /^(?:device|scattered|lines|stand-in|turns)$/ ? $limit : $limit =~ /^(?:latency|dispatch|issue)$/ ? 'latency' : 'unit';
}

# The measured time as a multiple of what was said.
sub ratio {
    my ($row) = @_;
    return $row->{measured_ms} / $row->{said_ms};
}

# How far off a time is, as a share of the measured one.
sub off {
    my ($row) = @_;
    return abs( $row->{said_ms} / $row->{measured_ms} - 1 );
}

sub has_bar { return $_[0]{most_ms} ne '-' }

sub is_inside {
    my ($row) = @_;
    return has_bar($row) && $row->{measured_ms} >= $row->{least_ms} && $row->{measured_ms} <= $row->{most_ms};
}

sub is_refused { return $_[0]{said_ms} eq '-' }

# 0.0123 -> "12.3 us"
sub time_of {
    my ($ms) = @_;
    return '-' if $ms eq '-';
    my ( $value, $unit ) = $ms < 1 ? ( 1e3 * $ms, 'us' ) : $ms < 1000 ? ( $ms, 'ms' ) : ( $ms / 1e3, 's' );
    return sprintf( $value < 10 ? '%.2f %s' : $value < 100 ? '%.1f %s' : '%.0f %s', $value, $unit );
}

sub verdict {
    my ($row) = @_;
    return 'refused: not known' if is_refused($row);
    my $bar = is_inside($row) ? '' : has_bar($row) ? ', beyond the bar' : ', which has no bar';
    return sprintf '%.0f %% too %s%s', 100 * off($row), $row->{said_ms} > $row->{measured_ms} ? 'slow' : 'fast', $bar;
}

sub print_rows {
    my ($settled) = @_;
    print '| asked | GPU | row | measured | said | verdict |', $settled ? '' : ' not settled, since |', "\n";
    print '|:--|:--|:--|--:|--:|:--|', $settled ? '' : ':--|', "\n";
    my $last = '';
    for my $row ( grep { ( $_->{unsettled} eq '-' ) == $settled } @rows ) {
        my $asked = "$row->{asked} ([where]($row->{link}))";
        print '| ', join( ' | ',
            $asked eq $last ? '' : $asked,
            "`$row->{gpu}`", "`$row->{id}`", time_of( $row->{measured_ms} ),
            time_of( $row->{said_ms} ), verdict($row), $settled ? () : $row->{unsettled} ), " |\n";
        $last = $asked;
    }
    return;
}

# By kind, and of all: the rows of each question.
sub kinds {
    my %of;
    for my $row ( grep { $_->{unsettled} eq '-' && !is_refused($_) } @rows ) {
        push @{ $of{$_}{ $row->{question} } }, $row for kind( $row->{limit} ), 'all';
    }
    return \%of;
}

my $of = kinds();
# questions.pl finds some kinds by the words of How sure, which may have changed.
for my $kind ( sort keys %words ) {
    die "no question is of the kind '$kind': do the words that tests/validate/questions.pl seeks still stand in How sure?\n"
      unless $of->{$kind};
}
if ( $what eq 'rows' || $what eq 'unsettled' ) {
    print_rows( $what eq 'rows' ? 1 : 0 );
} elsif ( $what eq 'summary' ) {
    print "| kernels | questions | within 10 % | 25 % | 50 % | beyond | inside the bar | measured / said |\n";
    print "|:--|--:|--:|--:|--:|--:|--:|:--|\n";
    for my $kind ( sort keys %$of ) {
        my @asked = values %{ $of->{$kind} };
        my @worst = map { max( map { off($_) } @$_ ) } @asked;
        my @within = map { my $most = $_; scalar grep { $_ <= $most } @worst } 0.1, 0.25, 0.5;
        my @ratios = map { ratio($_) } map { @$_ } @asked;
        my $inside = grep { all { is_inside($_) } @$_ } @asked;
        printf "| %s | %d | %d | %d | %d | %d | %d | %.2f to %.2f |\n", $words{$kind} // '**all**', scalar @asked, @within,
          @asked - $within[2], $inside, min(@ratios), max(@ratios);
    }
} else {
    for my $kind ( grep { $_ ne 'all' } sort keys %$of ) {
        my @asked  = values %{ $of->{$kind} };
        my @ratios = map { ratio($_) } map { @$_ } @asked;
        my $near   = grep { max( map { off($_) } @$_ ) <= 0.25 } @asked;
        printf "    {\"%s\", {%d, %d, %.2f, %.2f}},\n", $kind, scalar @asked, $near, min( 1, @ratios ), max( 1, @ratios );
    }
}
