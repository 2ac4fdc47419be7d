# SPDX-License-Identifier: BSD-3-Clause
# Where groups differ at random, answers say how far the time may be off since not all of them were executed: a matrix
# whose rows are of random length (CSR), a group each. Rows of one length show no error, but that others may be among
# those that were not executed.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(first);
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my $folder  = tempdir( CLEANUP => 1 );
my $rows    = 8000;
my $random  = 'how much groups do that were not executed';

# An own generator: that of Perl may be another one elsewhere.
my $state = 7;

sub drawn {
    my ($below) = @_;
    $state = ( $state * 1103515245 + 12345 ) % 2**31;
    return ( $state >> 8 ) % $below;
}

# The graph of a matrix with rows of such lengths. Of rows all lengths are computed; of rows-shared they are known only
# where rows are executed.
sub graph {
    my ( $name, $code, $arguments, @lengths ) = @_;
    my @first = (0);
    push @first, $first[-1] + $_ for @lengths;
    open my $out, '>:raw', "$folder/$name.bin" or die $!;
    print {$out} pack 'V*', @first;
    close $out or die $!;
    my $launch = "--kernel rows --from ptx --registers 16 --grid $rows --block 32 --arg first=\@$folder/$name.bin";
    my $buffers = "--arg values=zero:$first[-1]*4 --arg sums=zero:$rows*4";
    qx($program build tests/ptx/$code.ptx $launch $buffers $arguments -o $folder/$name.idg);
    is( $?, 0, "rows $name: a graph" );
    return "$folder/$name.idg";
}

# What the program says, in one line.
sub said {
    my ($arguments) = @_;
    my $text = qx($program $arguments 2>&1);
    is( $?, 0, "... $arguments" );
    $text =~ s/\s+/ /g;
    return $text;
}

sub answer_of {
    my ($graph) = @_;
    return decode_json( scalar qx($program run $graph --gpu v100 --format json 2>/dev/null) );
}

my @lengths = map { 1 + drawn(2000) } 1 .. $rows;
my $uneven  = graph( 'uneven', 'rows-shared', '', @lengths );
my $all     = graph( 'all', 'rows-shared', '--sample all', @lengths );
my $even    = graph( 'even', 'rows-shared', '', (1000) x $rows );

my $answer = answer_of($uneven);
my $sure   = $answer->{how_sure}{groups};
my ( $least, $most ) = @$sure{qw(least_seconds most_seconds)};
my $seconds = $answer->{result}{seconds};
cmp_ok( $sure->{work_error}, '>', 0.03, 'random rows: a few groups do not show the mean' );
cmp_ok( $sure->{work_error}, '<', 0.3,  '... but nearly' );
is( $sure->{unseen} + 0, 0, '... no place is unseen' );
my $off = $sure->{work_error} * ( $seconds - $answer->{simulated}{launch_seconds} );
cmp_ok( abs( $seconds - $least - $off ), '<', 1e-6 * $seconds, '... the least time is less by that error' );
cmp_ok( abs( $most - $seconds - $off ),  '<', 1e-6 * $seconds, '... the most is more by it' );
my $figure = first { $_->{figure} eq $random } @{ $answer->{how_sure}{assumed} };
ok( $figure, '... it is among what is assumed' );
cmp_ok( abs( $figure->{share} * $seconds - $off ), '<', 1e-6 * $seconds, '... with its share of the time' );

# Two standard errors hold the time of all groups for 95 % of matrices: nine or ten of ten, and eight by bad luck.
my $truth  = answer_of($all);
my $within = $truth->{result}{seconds} > $least && $truth->{result}{seconds} < $most ? 1 : 0;
for my $seed ( 1 .. 6, 8 .. 10 ) {
    $state = $seed;
    my @drawn = map { 1 + drawn(2000) } 1 .. $rows;
    my $told  = answer_of( graph( 'told', 'rows-shared', '', @drawn ) )->{how_sure}{groups};
    my $exact = answer_of( graph( 'exact', 'rows-shared', '--sample all', @drawn ) )->{result}{seconds};
    $within++ if $exact > $told->{least_seconds} && $exact < $told->{most_seconds};
}
cmp_ok( $within, '>=', 8, "all groups executed: the time is within two standard errors for $within of 10 matrices" );

# Where all lengths are computed, rows of each part of them show the mean.
my $parts = answer_of( graph( 'parts', 'rows', '', @lengths ) );
my $every = answer_of( graph( 'every', 'rows', '--sample all', @lengths ) )->{result}{seconds};
my $known = $parts->{how_sure}{groups};
cmp_ok( $known->{work_error}, '<', 0.06, 'lengths are computed: what groups do is nearly known' );
is( $known->{hidden} // 0, 0, '... and none are hidden' );
cmp_ok( $every, '>', $known->{least_seconds}, '... all groups executed: the time is above the least' );
cmp_ok( $every, '<', $known->{most_seconds},  '... and below the most' );

my $words = qr/assumed: $random, which decides about \d+ % of the time;/;
my $spans = qr/; groups differ in their work: within two standard errors it takes [\d.]+ us to [\d.]+ us;/;
for my $voice (qw(text markdown)) {
    my $text = said("run $uneven --gpu v100 --format $voice");
    like( $text, $words, "random rows: $voice names it" );
    like( $text, $spans, '... and what it spans' );
    unlike( $text, qr/nothing is assumed/, '... and no longer says that nothing is assumed' );
}

for my $graph ( $even, $all ) {
    my $text = said("run $graph --gpu v100");
    unlike( $text, qr/$random|standard errors/, 'one length, or all executed: nothing is said of errors' );
    like( $text, qr/nothing is assumed/, '... nothing is assumed' );
}
ok( !exists $truth->{how_sure}{groups}, 'all executed: nothing is in JSON' );

# Where a row's length decides, those that were executed do not show that all are as long.
my $hidden = qr/; (\d+) of 8 000 groups were executed: with a likelihood of 95 %, at most ([\d.]+) % are of a/;
my $some   = answer_of($even)->{how_sure}{groups};
cmp_ok( $some->{hidden},     '>', 0, 'rows of one length: some that were not executed may be others' );
cmp_ok( $some->{hidden},     '<', 1, '... but not all' );
cmp_ok( $some->{executed},   '>', 0, '... some were executed' );
cmp_ok( $some->{work_error}, '==', 0, '... and none of these differ' );
for my $voice (qw(text markdown)) {
    my $text = said("run $even --gpu v100 --format $voice");
    my ( $executed, $most ) = $text =~ $hidden;
    ok( $executed && abs( $executed / $rows - $some->{executed} ) < 1e-6, "... $voice has how many were" );
    ok( $most && abs( $most / 100 - $some->{hidden} ) < 0.001, '... and the share that may be hidden' );
}
unlike( said("run $all --gpu v100"), $hidden, 'all executed: none are hidden' );

my $both = said("compare $uneven $even --gpu v100");
like( $both, $words, 'compare names it' );
like( $both, $spans, '... and what it spans' );
my $compared = decode_json( scalar qx($program compare $uneven $even --gpu v100 --format json 2>/dev/null) );
is_deeply( $compared->{a}{how_sure}{groups}, $sure, '... in JSON of the side that has it' );
cmp_ok( $compared->{b}{how_sure}{groups}{work_error}, '==', 0, '... and none of the other' );

# Where one group is far longer than all others, its place in the launch decides, which shares do not say. The launch with
# that group first takes as long as the answer, and one with it last no longer than all others and that group one after the
# other.
sub late {
    my ( $which, $groups, $more ) = @_;
    my $launch = "--from ptx --gpu a100 --block 256 --arg values=zero:@{[ $groups * 1024 ]} --arg which=$which $more";
    return "run tests/ptx/late.ptx --grid $groups $launch";
}

sub seconds_of {
    my ($arguments) = @_;
    return decode_json( scalar qx($program $arguments --format json 2>/dev/null) )->{result}{seconds};
}

for my $which ( 777, 89_990 ) {
    my $text = said( late( $which, 90_000, '' ) );
    my ( $kind, $time ) = $text =~ /(group_\S+), of which 1 of 90 000 groups is, is taken to start first: where one starts last, all take about ([\d.]+) us;/;
    is( $kind, "group_${which}_0_0", "a long group $which: its place is said to decide" );
    my ( $first, $rest, $alone ) =
      ( seconds_of( late( $which, 90_000, '' ) ), seconds_of( late( 90_001, 90_000, '' ) ), seconds_of( late( 0, 1, '' ) ) );
    cmp_ok( $first, '>', 0.97 * $alone, '... the answer is no less than that group alone takes' );
    cmp_ok( $time * 1e-6, '>', 1.02 * $first, '... if it starts last all take longer' );
    cmp_ok( abs( $time * 1e-6 - $rest - $alone ), '<', 0.03 * ( $rest + $alone ), '... as long as the others and then that group' );
}
unlike( said( late( 100, 200, '' ) ), qr/starts last/, '... where all start at once nothing is said' );
unlike( said( late( 90_001, 90_000, '' ) ), qr/starts last/, '... nor where none is long' );

done_testing;
