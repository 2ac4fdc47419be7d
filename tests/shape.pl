# SPDX-License-Identifier: BSD-3-Clause
# Advice on the launch's shape: each pair is a kernel as it is launched and as advice has it, which takes what advice says; and
# what code does not allow is not advised.
use strict;
use warnings;
use JSON::PP;
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my $code    = 'tests/pairs/shape.ptx --gpu v100.xml --from ptx --registers 32';
my $matrix  = '--arg out=zero:4M --arg in=ramp:4M --arg width=1000 --arg height=1000';
my $million = '--arg x=ramp:4M --arg factor=2 --arg n=1000000';

sub run {
    my ($words) = @_;
    my $text = qx($program run $words --format json 2>/dev/null);
    is( $?, 0, "run $words" );
    return decode_json($text);
}

# The advice on the shape, as the program says that it is launched then, and its place among all.
sub advised {
    my ($answer) = @_;
    my @all = @{ $answer->{advice} };
    for my $i ( 0 .. $#all ) {
        return { %{ $all[$i] }, place => $i + 1 } if $all[$i]{kind} eq 'launch-shape';
    }
    return;
}

sub words_of {
    my ($shape) = @_;
    return join ' ', map { "--$_ " . join 'x', @{ $shape->{$_} } } qw(grid block);
}

# Name, launch, numbers of threads that advice may choose, least gain.
my @pairs = (
    [ 'groups of half a warp',       "--kernel scale $million",  '62500',    '16',   qr/^(128|256|512),1,1$/,        0.8 ],
    [ 'a warp and a half',           "--kernel scale $million",  '20834',    '48',   qr/^(128|256|512),1,1$/,        0.5 ],
    [ 'rows of one lane',            "--kernel rows $matrix",    '1000x125', '1x8',  qr/^(16|32|64|128|256),\d+,1$/, 0.8 ],
    [ 'squares of half a warp',      "--kernel rows $matrix",    '250x250',  '4x4',  qr/^(16|32|64|128|256),\d+,1$/, 0.7 ],
    [ 'rows across those of memory', "--kernel columns $matrix", '63x63',    '16x16', qr/^1,\d+,1$/,                 0.29 ],
    [ 'a quarter of the CUs',   '--kernel iterate --arg x=ramp:4M --arg steps=1000 --arg n=20480', '20', '1024', qr/^(32|64|128|256),1,1$/, 0.5 ],
    [ 'four groups that are late', '--kernel iterate --arg x=ramp:4M --arg steps=1000 --arg n=86016', '84', '1024', qr/^(32|64|128|256),1,1$/, 0.3 ],
    [ 'a loop on half of the CUs', "--kernel stride $million", '40', '256', qr/^256,1,1$/, 0.5 ],
);

for my $pair (@pairs) {
    my ( $name, $launch, $grid, $block, $threads, $gain ) = @$pair;
    my $before = run("$code $launch --grid $grid --block $block --advise");
    my $advice = advised($before);
    ok( $advice, "$name: another shape is advised" ) or next;
    cmp_ok( $advice->{place}, '<=', 3, '... among the first three' );
    is( words_of( $advice->{shape}{from} ), join( ' ', map { $_ . 'x1' x ( 2 - tr/x// ) } "--grid $grid", "--block $block" ), '... of this launch' );
    like( join( ',', @{ $advice->{shape}{to}{block} } ), $threads, '... whose groups fill warps' );
    like( $advice->{sentence}, qr/threads in .* groups instead of .*, which the code allows, would give/, '... which a sentence says' );
    cmp_ok( $advice->{gain}, '>=', $gain, '... which gains most of the time' );
    my $after = run( "$code $launch " . words_of( $advice->{shape}{to} ) );
    is( $after->{result}{seconds}, $advice->{seconds}, '... and takes what advice says' );
    is( grep( { $_->{kind} eq 'launch-shape' } @{ $before->{advice} } ), 1, '... and is told once' );
    is( grep( { $_->{kind} eq 'tail' || $_->{kind} eq 'launch' } @{ $before->{advice} } ), 0, '... in place of what launches or idle CUs cost' );
}

# What code does not allow, or nothing can be gained of.
my @others = (
    [ 'sums of each thread',        '--kernel sums --arg out=zero:4M --arg in=ramp:4M --arg n=1000000 --grid 40 --block 250' ],
    [ 'numbers from the end',       '--kernel mirrored --arg x=ramp:4M --arg n=100000 --grid 12801 --block 15' ],
    [ 'threads that never ask',     '--kernel unguarded --arg x=ramp:4M --grid 12801 --block 15' ],
    [ 'a full GPU',                 "--kernel scale $million --grid 3907 --block 256" ],
    [ 'groups that the run is told', "--kernel scale $million --grid 62500 --block 16 --active 4" ],
);
for my $other (@others) {
    my ( $name, $launch ) = @$other;
    ok( !advised( run("$code $launch --advise") ), "$name: no other shape" );
}
ok( advised( run("$code --kernel unguarded --arg x=ramp:4M --grid 12800 --block 16 --advise") ),
    'threads that never ask, in other groups of as many' );

# Of several kinds of groups, which a compute unit has mixed.
ok( advised( run("$code --kernel stride --arg x=ramp:16M --arg factor=2 --arg n=4000000 --grid 40000 --block 256 --advise") ),
    'groups that mostly have no work' );

# Why CUs stay idle, where that is the code's.
my @sentences = (
    [ 'shared',     'there are 40 groups; .* threads of a group wait for each other|threads of a group use the same shared memory' ],
    [ 'first_only', 'there are 40 groups; .* numbers are more than parts of one in the grid .*shape\.cu:\d+' ],
);
for my $sentence (@sentences) {
    my ( $kernel, $says ) = @$sentence;
    my $answer = run("$code --kernel $kernel --arg x=ramp:4M --grid 40 --block 256 --advise");
    ok( !advised($answer), "$kernel: no other shape" );
    like( join( ' ', @{ $answer->{warnings} } ), qr/40 of 80 CUs have no work, since $says/, '... which is said' );
}

# Machine code, with what nvdisasm would print.
my $nvdisasm = '--nvdisasm tests/stand-in/nvdisasm --gpu a100.xml';
for my $architecture ( 75, 90, 120 ) {
    my $saxpy  = "tests/sass/saxpy-$architecture.cubin $nvdisasm --arg 64000 --arg 2 --arg ramp:256K --arg ramp:256K";
    my $advice = advised( run("$saxpy --grid 4000 --block 16 --advise") );
    ok( $advice, "machine code for sm_$architecture: another shape" ) or next;
    is( run( "$saxpy " . words_of( $advice->{shape}{to} ) )->{result}{seconds}, $advice->{seconds}, '... takes what advice says' );
    my $mmul = run("tests/sass/mmul16-$architecture.cubin $nvdisasm --grid 2x2 --block 16x16 --arg ramp:4K --arg ramp:4K --arg zero:4K "
          . '--arg 32 --advise' );
    like( join( ' ', @{ $mmul->{warnings} } ), qr/CUs have no work, since there are 4 groups; .* use the same shared memory \(.* at 0x/, '... and why there is none' );
}

# Taking what is advised comes to an end.
my $shape = '--grid 250x250 --block 4x4';
my $rounds = 0;
while ( $rounds < 4 ) {
    my $advice = advised( run("$code --kernel rows $matrix $shape --advise") ) or last;
    $shape = words_of( $advice->{shape}{to} );
    $rounds++;
}
cmp_ok( $rounds, '<', 3, 'what is advised has no better shape, or that has none' );

done_testing();
