# SPDX-License-Identifier: BSD-3-Clause
# The JSON output is valid, has the keys that scripts rely on in their order, and exact cycles.
use strict;
use warnings;
use File::Temp;
use JSON::PP;
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my $input   = 'tests/golden/input';
my $json    = JSON::PP->new->utf8->allow_bignum;

sub output {
    my $text = qx($program @_ 2>/dev/null);
    is( $?, 0, "pipesim @_" );
    return $text;
}

sub decoded {
    my $text  = output(@_);
    my $value = eval { $json->decode($text) };
    ok( $value, '... is JSON' ) or diag($@);
    return $value;
}

# Keys in the order in which they stand in the text, of the object that starts there.
sub top_keys {
    my ($text) = @_;
    return [ $text =~ /^  "(\w+)":/mg ];
}

my @keys = qw(pipesim kernel gpu launch simulated roofline result pipelines classes lines warnings
  parameters clock_mhz operations model);

my $text = output("$input/chain.idg --gpu $input/toy.xml --format json");
is_deeply( top_keys($text), \@keys, 'the keys of a run stand in their order' );

my $run = decoded('mmul08.idg --gpu pascal.xml --format json');
is( $run->{kernel},            'mmul08',               'kernel' );
is( $run->{gpu},               'GeForce GTX 1060 6GB', 'gpu' );
is( $run->{simulated}{cycles}, '7608491.75',           'cycles are exact' );
is_deeply(
    $run->{launch}{limited_by},
    [ 'groups', 'warps' ],
    'every resource that limits occupancy is there'
);
is( $run->{launch}{occupancy} + 0,   1,          'occupancy' );
is( $run->{simulated}{instructions}, '13010382', 'instructions of the simulated CU' );
is( $run->{operations}{fp32},        2147483648, 'operations of the launch' );
cmp_ok( abs( $run->{simulated}{seconds} - 0.005052119 ), '<', 1e-9, 'seconds' );
cmp_ok( abs( $run->{simulated}{gflops} - 425.1 ),        '<', 0.05, 'GFLOP/s' );
is( $run->{roofline}, undef, 'the roofline is null' );
is( $run->{result},   undef, 'and so is the result' );

my $both = decoded("$input/chain.idg --gpu $input/toy.xml --what-if alu.issue=2 --format json");
is( $both->{simulated}{cycles},          17, 'without the what-if' );
is( $both->{what_if}{simulated}{cycles}, 18, 'with it' );
is_deeply(
    [ sort grep { $_ ne 'latencies' } keys %{ $both->{what_if} } ],
    [ sort @keys ],
    'the what-if is an object of the same form'
);

# The refinements in play: those of the description, and what replaces them.
is_deeply(
    $run->{model},
    {
        schedulers => undef,
        issue_width => undef,
        order      => 'dataflow',
        policy     => 'fifo',
        contention => JSON::PP::false,
        overheads  => JSON::PP::false,
        cus        => 'fullest'
    },
    'the published model'
);
my $refined = decoded("$input/chain.idg --gpu $input/refined.xml --policy gto --contention off "
      . '--overheads off --format json');
is_deeply(
    $refined->{model},
    {
        schedulers => 2,
        issue_width => 0.5,
        order      => 'program',
        policy     => 'gto',
        contention => JSON::PP::false,
        overheads  => JSON::PP::false,
        cus        => 'all'
    },
    'refinements of the description and of options'
);
is( $refined->{simulated}{cus}, 2, 'all CUs are simulated' );
is( $refined->{simulated}{launch_seconds} + 0, 0, 'the launch costs nothing' );
is( $refined->{classes}[0]{per_scheduler}, JSON::PP::true, 'each scheduler has that pipeline' );
my $launched =
  decoded("$input/chain.idg --gpu $input/refined.xml --published --format json");
is( $launched->{model}{schedulers}, undef, '--published turns all of them off' );
$launched = decoded("$input/chain.idg --gpu $input/refined.xml --format json");
cmp_ok( abs( $launched->{simulated}{launch_seconds} - 2.5e-6 ), '<', 1e-15, 'the launch' );
cmp_ok(
    abs( $launched->{simulated}{seconds} - $launched->{simulated}{cycles} * 1e-9 - 2.5e-6 ),
    '<', 1e-15, 'counts in the seconds'
);

my $sweep = decoded("sweep $input/chain.idg --gpu $input/toy.xml --vary n=1..4 --format json");
is_deeply( [ map { $_->{varied}{n} } @$sweep ], [ 1 .. 4 ], 'a sweep is an array in order' );

# Names that need escapes, in a file of the test's own.
my $file = File::Temp->new( SUFFIX => '.idg' );
open my $chain, '<', "$input/chain.idg" or die "chain.idg: $!";
while ( my $line = <$chain> ) {
    $line =~ s/name="chain"/name="a&quot;b\\c&#9;\xc3\xa9"/;
    print {$file} $line;
}
close $chain;
close $file;
my $odd = decoded( $file->filename . " --gpu $input/toy.xml --format json" );
is( $odd->{kernel}, qq(a"b\\c \x{e9}), 'quotes, backslashes, UTF-8 survive; a tab is a blank' );

# A double holds no more than 16 digits: 1 + 3 * 999999999.123456789 needs 19.
my $long = output( "$input/chain.idg --gpu $input/toy.xml --param n=3 --format json "
      . '--what-if alu.completion=999999999.123456789' );
like( $long, qr/"cycles": 2999999998\.370370367,/, 'cycles never go through a double' );

done_testing;
