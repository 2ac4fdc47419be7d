#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Asks pipesim what strangers measured: the rows of tests/questions/list.tsv, with what is said of each. For
# docs/evidence/questions.md; strangers.pl makes tables of it.
#
#     tests/validate/questions.pl [ID...] >SAID.tsv
use strict;
use warnings;
use File::Basename;
use JSON::PP qw(decode_json);
use List::Util qw(sum);

my $here    = dirname(__FILE__) . '/../questions';
my $program = $ENV{PIPESIM} // './pipesim';
my %unit    = ( ns => 1e-6, us => 1e-3, ms => 1, s => 1e3 );

# The longest and the shortest time, in ms, that the bar of How sure allows: by the worst that is known of such kernels,
# and by what the sentence says that a time may be; "-" where it has none.
sub bar {
    my ( $answer, $said ) = @_;
    my $error = $answer->{how_sure}{error};
    my $worst = $error ? $error->{worst_of_all} // $error->{worst} : 0;
    my ( $least, $most ) = ( $said / ( 1 + $worst ), $worst < 1 ? $said / ( 1 - $worst ) : 9**99 );
    my $words = $answer->{words}{how_sure} =~ s/\x{a0}|(?<=\d) (?=\d)//gr;
    while ( $words =~ /it may take up to ([\d.]+) (\w+)\b(?! less)/g ) {
        $most = $1 * $unit{$2} if $1 * $unit{$2} > $most;
    }
    while ( $words =~ /it may take up to ([\d.]+) (\w+) less/g ) {
        $least = $said - $1 * $unit{$2} if $said - $1 * $unit{$2} < $least;
    }
    $most = $1 * $unit{$2} if $words =~ /base clock of [\d.]+ MHz it takes about ([\d.]+) (\w+)/ && $1 * $unit{$2} > $most;
    $least = $1 * $unit{$2} if $words =~ /makes it ([\d.]+) (\w+) to/ && $1 * $unit{$2} < $least;
    $least = $1 * $unit{$2} / ( 1 + $worst )
      if $words =~ /another compiler may do four at once, which makes it about ([\d.]+) (\w+)/ && $1 * $unit{$2} / ( 1 + $worst ) < $least;
    $most = $1 * $unit{$2} / ( 1 - $worst )
      if $words =~ /one at a time it takes about ([\d.]+) (\w+)/ && $worst < 1 && $1 * $unit{$2} / ( 1 - $worst ) > $most;
    return $error || $least < $said || $most > $said ? ( $least, $most ) : ( '-', '-' );
}

sub ask_launch {
    my ( $row, $options ) = @_;
    open my $pipe, '-|', "$program run $here/$row->{file} --gpu $row->{gpu} $options --format json 2>/dev/null" or die;
    my $text = do { local $/; <$pipe> };
    return ( '-', '-', '-', '-' ) unless close $pipe;
    my $answer = decode_json($text);
    my $said   = $answer->{result}{seconds} * 1e3;
    my $words  = $answer->{words}{how_sure};
    my $limit  = $answer->{how_sure}{limit};
    $limit = 'scattered' if $limit eq 'device' && $words =~ /access memory in order, unlike/;
    $limit = 'stand-in' if $limit !~ /^(?:device|scattered)$/ && $row->{gpu} =~ /^(?:mi|rx)\d/;
    $limit = 'turns' if $words =~ /at one address,? (?:takes )?is not known/;
    $limit = 'lines' if $words =~ /how long caches keep the lines of/;
    return ( $said, $limit, bar( $answer, $said ) );
}

# A row of several launches has "++" between their options: their times, and what the bars allow, are added, and the
# longest launch says what limits them.
sub ask {
    my ($row) = @_;
    my @answers = map { [ ask_launch( $row, $_ ) ] } split /\s\+\+\s/, $row->{options};
    my @sum = @{ ( sort { $b->[0] <=> $a->[0] } grep { $_->[0] ne '-' } @answers )[0] // [ ('-') x 4 ] };
    for my $part ( 0, 2, 3 ) {
        my @parts = map { $_->[$part] } @answers;
        $sum[$part] = ( grep { $_ eq '-' } @parts ) ? '-' : sum(@parts);
    }
    return @sum;
}

open my $list, '<', "$here/list.tsv" or die "$here/list.tsv: $!\n";
chomp( my @lines = <$list> );
my @names = split /\t/, shift @lines;
print join( "\t", @names, qw(said_ms limit least_ms most_ms) ), "\n";
for (@lines) {
    my %row;
    @row{@names} = split /\t/;
    next if @ARGV && !grep { $row{id} eq $_ } @ARGV;
    print join( "\t", @row{@names}, ask( \%row ) ), "\n";
}
