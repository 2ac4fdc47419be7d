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

my @keys = qw(pipesim kernel title gpu launch simulated roofline result words busiest pipelines classes lines warnings how_sure
  parameters clock_mhz clock compute_units operations model measured);

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

# near NAME GOT EXPECTED: the same but for how it was rounded.
sub near {
    my ( $name, $got, $expected, $share ) = @_;
    ok( defined $got && abs( $got - $expected ) <= ( $share // 1e-9 ) * abs($expected), $name )
      or diag( 'got ', $got // 'null', ", expected $expected" );
}

sub is_number {
    my ($value) = @_;
    return defined $value && $json->encode( [$value] ) =~ /^\[-?[0-9.e+-]+\]$/i;
}

# The roofline: equations 10 to 19 by hand, from what the object itself says.
my $roofline = $run->{roofline};
my $k        = $roofline->{parameters};
is( $roofline->{bound}, 'compute', 'bound' );
is( $roofline->{type},  'fp32',    'type' );
near( 'operational intensity', $roofline->{intensity},       170.7,    1e-3 );
near( 'the ceiling',           $roofline->{ceiling_seconds}, 0.000557, 1e-3 );
near( 'equation 19',           $roofline->{seconds},         0.00634,  1e-3 );
is( $k->{K_type}, 'fp32',     'K_type' );
is( $k->{W_comp}, 2147483648, 'W_comp is a whole number' );
is( $k->{W_traf}, 12582912,   'and so is W_traf' );
is( $k->{beyond_paper}, JSON::PP::false, 'the paper has that type' );
near( 'the densities sum up', $k->{D_ops} + $k->{D_ldst} + $k->{D_other}, 1 );
near( 'O_krn',         $k->{O_krn}, $k->{W_comp} / $k->{W_traf} );
my %peak = map { $_ => $roofline->{peaks}{$_}{value} } keys %{ $roofline->{peaks} };
is( $roofline->{peaks}{$_}{origin}, 'derived', "$_ follows from a latency" )
  for qw(T_SP T_add T_ldst B_mem);
is( $roofline->{peaks}{T_tensor}{$_}, undef, "what is not known has no $_" ) for qw(value origin);
near( 'T_op',      $roofline->{T_op},    $peak{T_SP} );
near( 'W_ldst',    $roofline->{W_ldst},  $peak{T_SP} / $peak{T_ldst} / 2 );
near( 'W_other',   $roofline->{W_other}, $peak{T_SP} / $peak{T_add} / 2 );
near( "C_$_", $roofline->{"C_$_"}, $k->{"D_$_"} * $roofline->{"W_$_"}, 1e-8 ) for qw(ldst other);
near( 'C_op', $roofline->{C_op}, $k->{D_ops} * $roofline->{W_op} );
near( 'E_instr', $roofline->{E_instr},
    $roofline->{C_op} / ( $roofline->{C_op} + $roofline->{C_ldst} + $roofline->{C_other} ), 1e-8 );
near( "T'_op", $roofline->{T_adjusted}, $k->{E_mix} * $roofline->{E_instr} * $roofline->{T_op}, 1e-8 );
near( 'O_dev', $roofline->{O_dev}, $roofline->{T_adjusted} / $peak{B_mem}, 1e-8 );
near( 'T_predicted', $roofline->{T_predicted}, $roofline->{T_adjusted} );
near( 'seconds', $roofline->{seconds}, $k->{W_comp} / $roofline->{T_predicted}, 1e-8 );
ok( is_number( $roofline->{$_} ), "$_ is a number" )
  for qw(compute_seconds memory_seconds ceiling attainable efficiency W_op);
ok( is_number( $roofline->{metrics}{$_} ), "$_ is a number" )
  for qw(M_fp64 M_fp32 M_fma32 M_int M_ldst M_inst M_tran-r M_tran-w);

# The result, and what it says of the two.
is( $run->{result}{clamped}, JSON::PP::false, 'nothing is clamped' );
is( $run->{result}{clamp},   'ceiling',       'the clamp' );
near( 'ratio', $run->{result}{ratio}, 0.797, 1e-3 );
is( $run->{result}{seconds}, $run->{simulated}{seconds}, 'the result is what was simulated' );
near( 'GFLOP/s', $run->{result}{gflops}, 2.147483648 / $run->{result}{seconds}, 1e-8 );
like( $run->{result}{reading}, qr/overlap, local .* global/, 'the reading' );
is( $run->{measured}, undef, 'nothing was measured' );

# Clamps.
my $mix = "$input/mix.idg --gpu $input/slow.xml --groups 64 --format json";
my $free = decoded("$mix --clamp none");
is( $free->{result}{clamped}, JSON::PP::false,               'no clamp' );
is( $free->{result}{seconds}, $free->{simulated}{seconds}, '... leaves the time' );
my $held = decoded($mix);
is( $held->{result}{clamped}, JSON::PP::true,                      'the ceiling clamps' );
is( $held->{result}{seconds}, $held->{roofline}{ceiling_seconds}, '... to its time' );
like( $held->{result}{reading}, qr/B_mem.*lambda of memory/, '... and says what to check' );
near( '... the ratio is of what was simulated',
    $held->{result}{ratio}, $held->{simulated}{seconds} / $held->{roofline}{seconds} );
my $late = decoded("$mix --overheads on");
near( 'the launch comes on top of the bound',
    $late->{result}{seconds}, $late->{roofline}{ceiling_seconds} + $late->{simulated}{launch_seconds} );
near( '... and does not change the ratio', $late->{result}{ratio}, $held->{result}{ratio} );
my $strict = decoded('mmul08.idg --gpu pascal.xml --format json --clamp roofline --measured 5.1');
is( $strict->{result}{clamped}, JSON::PP::true,                'equation 19 clamps' );
is( $strict->{result}{seconds}, $strict->{roofline}{seconds}, '... to its time' );
near( 'the measured time', $strict->{measured}{seconds}, 0.0051 );
near( "error of $_->[0]", $strict->{measured}{"error_$_->[0]"}, $_->[1] / 0.0051 - 1, 1e-6 )
  for [ simulated => $strict->{simulated}{seconds} ],
  [ roofline => $strict->{roofline}{seconds} ],
  [ result   => $strict->{result}{seconds} ];

# What is not known is null, and the rest stands.
my $part = decoded("$input/mix.idg --gpu $input/no-loads.xml --groups 64 --format json");
is( $part->{roofline}{$_}, undef, "without T_ldst, $_ is null" )
  for qw(W_ldst C_ldst E_instr T_adjusted O_dev efficiency compute_seconds);
is( $part->{roofline}{bound}, 'memory (compute unknown)', '... the bound says so' );
is( $part->{result}{ratio},   undef,                      '... there is no ratio' );
is( $part->{result}{clamped}, JSON::PP::true,             '... the ceiling is known' );
like( join( "\n", @{ $part->{warnings} } ), qr/no peak T_ldst/, '... a warning names the peak' );
my $none = decoded("$input/other.idg --gpu $input/toy.xml --format json");
is( $none->{roofline}{$_}, undef, "without traffic, $_ is null" )
  for qw(seconds bound intensity ceiling_seconds);
is( $none->{result}{$_}, undef, "... and so is $_" ) for qw(ratio reading gflops);
like( join( "\n", @{ $none->{warnings} } ), qr/other\.idg:10: .*device="1"/,
    '... a warning says what to add' );

my $both = decoded("$input/chain.idg --gpu $input/toy.xml --what-if alu.issue=2 --format json");
is( $both->{simulated}{cycles},          17, 'without the what-if' );
is( $both->{what_if}{simulated}{cycles}, 18, 'with it' );
is_deeply(
    [ sort grep { !/^(?:latencies|ratio)$/ } keys %{ $both->{what_if} } ],
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
        cus        => 'fullest',
        levels     => JSON::PP::false,
        cache      => 'cold'
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
        cus        => 'all',
        levels     => JSON::PP::false,
        cache      => 'cold'
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

# What a run says of its classes and levels, told as a what-if, changes nothing on any kind of GPU.
sub now_as_what_if {
    my ($run) = @_;
    my $text  = output("$run --format json");
    my ($memory, $classes) = map { $text =~ /^  "$_": (.*?)^  [\]\}]/ms ? $1 : '' } qw(memory classes);
    my @now = map { m{"name": "([^"]+)".*"issue": ([\d.]+), "completion": ([\d.]+)} ? ( "$1.issue=$2", "$1.completion=$3" ) : () }
      split /\n/, $classes;
    push @now, map { m/"name": "(\w+)".*"latency": ([\d.]+)/ ? "$1.latency=$2" : () } split /\n/, $memory;
    my ( $as_is, $then, $ratio ) =
      map { m/"cycles": ([\d.]+).*"cycles": ([\d.]+).*"ratio": ([\d.]+)\n/s }
      output( "$run --format json --what-if " . join ',', @now );
    is( "$then $ratio", "$as_is 1.0", '... and ' . @now . ' figures of it change nothing' );
    return;
}
for my $gpu (qw(v100 rtx4090 mi210 rx7900xtx)) {
    now_as_what_if("$_ --gpu $gpu") for qw(graphs/stencil.idg tests/explain/scatter.idg);
}
now_as_what_if("$input/chain.idg --gpu $input/refined.xml --schedulers none");

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
