# SPDX-License-Identifier: BSD-3-Clause
# Whatever is compared, the cycles of each table of charges are those of each side exactly, and with
# the launch and the clamp the seconds are those of the results.
use strict;
use warnings;
use lib 'tests';
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use JSON::PP;
use Math::BigFloat;
use Test::More;
use schema;

my $program = $ENV{PIPESIM} // './pipesim';
my $input   = 'tests/golden/input';
my $json    = JSON::PP->new->utf8->allow_bignum;

my $schema = do {
    local ( @ARGV, $/ ) = ($ENV{BUILD} // 'build') . '/tell/pipesim.schema.json';
    JSON::PP->new->utf8->decode(<>);
};

# The comparison, which the schema must allow.
sub compare {
    my $text = qx($program compare @_ --format json 2>/dev/null);
    is( $?, 0, "compare @_" );
    my $value = eval { $json->decode($text) };
    ok( $value, '... is JSON' ) or diag($@);
    my $plain = JSON::PP->new->utf8->decode($text);
    is( join( "\n", schema::validate( $schema, $plain ) ), '', '... is as the schema says' );
    return $value;
}

sub sum {
    my ( $rows, $key ) = @_;
    my $sum = Math::BigFloat->new(0);
    $sum += Math::BigFloat->new("$_") for grep { defined } map { $_->{$key} } @$rows;
    return $sum;
}

sub near {
    my ( $got, $wanted, $digits, $name ) = @_;
    my $far = abs( $got - $wanted ) > 10**-$digits * abs($wanted) + 1e-18;
    ok( !$far, $name ) or diag("$got, expected $wanted");
    return;
}

sub adds_up {
    my ($both) = @_;
    my $difference = $both->{difference};
    for my $table (qw(by_class by_line by_pipeline)) {
        my $rows = $difference->{$table};
        my @all  = ( @$rows, $difference->{launch}, $difference->{clamp} );
        for my $side (qw(a b)) {
            my $cycles = Math::BigFloat->new("$both->{$side}{simulated}{cycles}");
            is( sum( $rows, "${side}_cycles" )->bcmp($cycles), 0, "... $table: cycles of $side" );
            near(
                sum( \@all, "${side}_seconds" )->numify,
                0 + "$both->{$side}{result}{seconds}",
                9, "... $table: seconds of $side"
            );
        }
        near( sum( \@all, 'difference_seconds' )->numify,
            0 + "$difference->{seconds}", 12, "... $table: the difference" );
    }
    return;
}

my @pairs = (
    'mmul08.idg mmul16.idg --gpu pascal.xml',
    'mmul08.idg --gpu fermi.xml --gpu pascal.xml --groups 200',
    'saxpy.idg mmul08-conflict.idg --gpu v100.xml --groups 300 --overheads on',
    'saxpy.idg --gpu pascal.xml --versus --clock 1001.5 --active 3',
    'mmul08.idg --gpu pascal.xml --groups 70 --versus --cus all --order program',
    'memory.idg --gpu pascal.xml --what-if global.issue=0.125',
    "$input/lines-a.idg $input/lines-b.idg --gpu $input/toy.xml",
    "$input/chain.idg --gpu $input/toy.xml --param n=0 --versus --param n=4",
);
adds_up( compare($_) ) for @pairs;

my $both = compare("$input/lines-a.idg $input/lines-b.idg --gpu $input/toy.xml");
is_deeply( [ sort keys %$both ], [qw(a b difference file options pipesim what_if)], 'the keys' );
my %line = map { ( $_->{line} => $_ ) } @{ $both->{difference}{by_line} };
is( $line{'lines.cl:1'}{b_cycles}, undef, 'a line that A alone has is no line of B' );
is( $line{'lines.cl:3'}{a_cycles}, undef, 'nor the other way round' );
is( $line{'lines.cl:1'}{b_seconds}, undef, '... and takes no time of it' );
is( $line{'lines.cl:3'}{a_seconds}, undef, '... nor there' );
cmp_ok( $line{'lines.cl:3'}{difference_seconds}, '==', $line{'lines.cl:3'}{b_seconds}, '... but makes a difference' );
is( $both->{difference}{launch}{b_seconds}, 0, 'a launch that costs nothing takes no time' );
ok( $line{'lines.cl:2'}{a_cycles} && $line{'lines.cl:2'}{b_cycles}, 'both have the third' );

$both = compare('saxpy.idg --gpu pascal.xml --what-if global.issue=1,fmadd.completion=3');
is_deeply(
    $both->{what_if},
    { a => undef, b => 'global.issue=1,fmadd.completion=3' },
    'which of them has the what-if'
);
$both = compare('saxpy.idg --gpu pascal.xml --versus saxpy.idg');
is( $both->{difference}{seconds}, 0, 'nothing differs from itself' );

for my $table (qw(by_class by_line by_pipeline)) {
    is( scalar( grep { $_->{difference_seconds} != 0 } @{ $both->{difference}{$table} } ),
        0, "... in no row of $table" );
}

# ---- code, and what each side is ---------------------------------------------------------------

# Each side is what run says of it alone, and the comparison adds up.
sub is_both {
    my ( $name, $arguments, @sides ) = @_;
    my $both = compare($arguments);
    adds_up($both);
    for my $side (qw(a b)) {
        my $alone = $json->decode( scalar qx($program run @{[ shift @sides ]} --format json 2>/dev/null) );
        is( "$both->{$side}{$_->[0]}{$_->[1]}", "$alone->{$_->[0]}{$_->[1]}", "$name: $_->[1] of $side" )
          for [qw(simulated cycles)], [qw(simulated instructions)], [qw(launch group_size)], [qw(launch occupancy)];
    }
    return $both;
}

my $corpus = 'tests/corpus';
my $on     = '--gpu pascal.xml --registers 32';
my $square = '--arg a=ramp:16K --arg b=ramp:16K --arg c=zero:16K';
my $turn   = '--arg width=128 --arg height=128 --arg in=ramp:64K --arg out=zero:64K';
my $tiles  = "$on --grid 4x4 --block 32x8 $turn";

my $told = is_both(
    'two kernels of a file',
    "$corpus/transpose.ptx $tiles --kernel transpose_naive --versus --kernel transpose_padded",
    "$corpus/transpose.ptx $tiles --kernel transpose_naive",
    "$corpus/transpose.ptx $tiles --kernel transpose_padded"
);
is( "$told->{a}{kernel} $told->{b}{kernel}", 'transpose_naive transpose_padded', 'the kernels are named' );
is_deeply(
    $told->{options},
    { a => ['--kernel transpose_naive'], b => ['--kernel transpose_padded'] },
    '... and what tells them apart'
);
$told = is_both(
    'one kernel with another block and number',
    "$corpus/mmul16.ptx $on --grid 4x4 --block 16x16 $square --arg size=64 --versus --block=8x8 --arg size=32",
    "$corpus/mmul16.ptx $on --grid 4x4 --block 16x16 $square --arg size=64",
    "$corpus/mmul16.ptx $on --grid 4x4 --block 8x8 $square --arg size=32"
);
is_deeply(
    $told->{options},
    { a => [ '--block 16x16', '--arg size=64' ], b => [ '--block 8x8', '--arg size=32' ] },
    '... which are what tells them apart'
);
$told = is_both(
    'two files, of which the second has a block of its own',
    "$corpus/mmul16.ptx $corpus/mmul08.ptx $on --grid 4x4 --block 16x16 $square --arg size=64 --versus --block 8x8",
    "$corpus/mmul16.ptx $on --grid 4x4 --block 16x16 $square --arg size=64",
    "$corpus/mmul08.ptx $on --grid 4x4 --block 8x8 $square --arg size=64"
);
is_deeply( $told->{file}, { a => "$corpus/mmul16.ptx", b => "$corpus/mmul08.ptx" }, '... are named' );
is_both(
    'two kernels with arguments of other names',
    "$corpus/transpose.ptx $corpus/mmul16.ptx $tiles --kernel transpose_tiled $square "
      . '--versus --kernel mmul --block 16x16 --arg size=64',
    "$corpus/transpose.ptx $tiles --kernel transpose_tiled",
    "$corpus/mmul16.ptx $on --grid 4x4 --block 16x16 $square --arg size=64"
);

# Of this size, the caches that it is built for change the time.
my $large = "$corpus/mmul16.ptx --registers 32 --grid 16x16 --block 16x16 --arg size=256 "
  . '--arg a=ramp:256K --arg b=ramp:256K --arg c=zero:256K';
is_both(
    'code on two GPUs, for each of which it is built',
    "$large --gpu pascal.xml --gpu v100.xml",
    "$large --gpu pascal.xml",
    "$large --gpu v100.xml"
);
is_both(
    'a graph and code',
    "mmul16.idg $corpus/mmul16.ptx $on --grid 4x4 --block 16x16 $square --arg size=64 --groups 16",
    'mmul16.idg --gpu pascal.xml --groups 16',
    "$corpus/mmul16.ptx $on --grid 4x4 --block 16x16 $square --arg size=64"
);

# Where no source tells their names, arguments have numbers, or come in order.
my $folder = tempdir( CLEANUP => 1 );
copy( "$corpus/mmul16.ptx", "$folder/alone.ptx" ) or die $!;
my $alone  = "$folder/alone.ptx $on --grid 4x4 --block 16x16";
my @places = ( '--arg 0=ramp:16K --arg 1=ramp:16K --arg 2=zero:16K', '--arg ramp:16K --arg ramp:16K --arg zero:16K' );
is_both(
    'arguments by numbers',
    "$alone $places[0] --arg 3=64 --versus --arg 3=32 --arg 1=ramp:8K",
    "$alone $places[0] --arg 3=64", "$alone $places[0] --arg 3=32"
);
is_both(
    'arguments without names',
    "$alone $places[1] --arg 64 --versus $places[1] --arg 32",
    "$alone $places[1] --arg 64",
    "$alone $places[1] --arg 32"
);

# ---- less work ---------------------------------------------------------------------------------

# The text of a comparison, in one line.
sub text {
    return join ' ', split ' ', scalar qx($program compare @_ 2>&1);
}

like(
    text('mmul08.idg --gpu pascal.xml --groups 100 --versus --groups 50'),
    qr/instead of \S+ us; B has 0[.]5000 times as many operations/,
    'half of the operations are not said to be faster alone'
);
like(
    text("$corpus/transpose.ptx $tiles --kernel transpose_tiled --versus --grid 8x4 --arg width=256 --arg in=ramp:128K "
          . '--arg out=zero:128K' ),
    qr/; B moves 2[.]000 times as many bytes/,
    '... nor as many bytes, where there are no operations'
);
unlike( text('mmul08.idg --gpu pascal.xml --groups 100 --versus --clock 1000'), qr/times as many/, 'work that is equal' );
like( text('mmul08.idg --gpu pascal.xml --groups 100 --versus --cus all'), qr/ Instructions [0-9]/, 'instructions of all CUs' );

# ---- the other way round -----------------------------------------------------------------------

# The rows of a comparison, told apart by what they are charged to.
sub by_name {
    my ( $both, $table ) = @_;
    return { map { ( join( '/', map { $_ // '-' } @$_{qw(kind class line pipeline)} ) => $_ ) }
          @{ $both->{difference}{$table} } };
}

my $there = compare('saxpy.idg --gpu pascal.xml --gpu v100.xml --groups 400');
my $back  = compare('saxpy.idg --gpu v100.xml --gpu pascal.xml --groups 400');
cmp_ok( $there->{difference}{seconds}, '==', -$back->{difference}{seconds}, 'the other way round' );
for my $table (qw(by_class by_line by_pipeline)) {
    my ( $x, $y ) = ( by_name( $there, $table ), by_name( $back, $table ) );
    is_deeply(
        { map { ( $_ => 0 + "$x->{$_}{difference_seconds}" ) } keys %$x },
        { map { ( $_ => -"$y->{$_}{difference_seconds}" ) } keys %$y },
        "... each row of $table, too"
    );
    is_deeply(
        { map { ( $_ => $x->{$_}{a_cycles} && "$x->{$_}{a_cycles}" ) } keys %$x },
        { map { ( $_ => $y->{$_}{b_cycles} && "$y->{$_}{b_cycles}" ) } keys %$y },
        '... with the same cycles'
    );
}

my $csv = qx($program compare mmul08.idg mmul16.idg --gpu pascal.xml --groups 50 --format csv);
my @rows = split /\n/, $csv;
is( $rows[0], 'section,name,kind,a,b,difference,a_cycles,b_cycles', 'the header of CSV' );
is( scalar( grep { tr/,// != 7 } @rows ), 0, 'all rows of CSV have as many fields' );
my %sum;
$sum{ $_->[0] } += $_->[5] for map { [ split /,/, $_, -1 ] } grep { /^(?:line|pipeline|launch|clamp),/ } @rows;
my ($seconds) = map { ( split /,/ )[5] } grep { /^run,seconds,/ } @rows;
near( $sum{$_} + $sum{launch} + $sum{clamp}, $seconds, 9, "rows of $_ in CSV add up" ) for qw(line pipeline);
done_testing();
