# SPDX-License-Identifier: BSD-3-Clause
# The inputs of tests/cases, each of which was once answered wrongly. README.md there says what is right of each, and how that
# is known. Machine code is stored with its listing, so that this says the same without CUDA.
use strict;
use warnings;
use Test::More;
use lib 'tests';
use files;

my $program = $ENV{PIPESIM} // './pipesim';
my $cases   = 'tests/cases';
delete @ENV{qw(PIPESIM_PATH COLUMNS NO_COLOR)};

my $edge   = '--from ptx --gpu v100 --registers 16 --grid 4096 --block 256 --arg n=1048576 --no-cache';
my $whole  = "$edge --arg a=ramp:4M --arg b=zero:4M";
my $rows   = '--gpu a100 --grid 64 --block 256';
my $lookup = '--gpu a100 --grid 4096 --block 256 --arg 0=zero:4M --arg 1=512';
my $tables = "--gpu $cases/a10g.xml --grid 32768 --block 256 --arg 1=zero:32M";
my $square = '--gpu h100 --grid 1024x1024 --block 32x32 --arg 0=zero:4G --arg 1=zero:4G --arg 2=32768';
my $bytes  = '--gpu h100 --grid 1056 --block 512 --arg 0=random:64M:1:u8 --arg 1=67108864 --arg 2=zero:4K';
my $loops  = '--gpu a100 --grid 108 --block 128 --arg zero:1769472 --arg zero:55296 --arg 4096';
my $soft   = '--gpu a100 --grid 4096 --block 256 --arg random:32M --arg zero:32M --arg 2048';
my $group  = '--grid 1 --block 1024 --arg zero:64K --arg 64';
my $times4 = '--grid 4096 --block 256 --arg ramp:4M --arg ramp:4M --arg 2 --arg 1048576';

# Each case: its input and options; "time" in seconds, as it is right, and the part by which the answer may miss it (1 % where
# that is known from the code); patterns that what is said "has" and "lacks", once blanks and line ends are one blank; the
# exit status, where it is not 0. A time that is right because it was simulated, and that nobody measured, was simulated by the
# policy lrr.
my $code = 0.01;
my @wide = map {
    my $gpu = $_;
    map { [ "lds128-$_.cubin", "--gpu $gpu --grid 68 --block 1024 --arg 0=zero:1M --arg 1=512", name => "lds128-$_ $gpu" ] } 0 .. 3
} qw(v100 rtx2080ti);
my @table = (
    # What an instruction counts as.
    [
        'kidiv.cubin', '--policy lrr --gpu rtx4090 --grid 1024 --block 256 --arg random:4M:1:u32:1000 --arg zero:4M --arg 1000000 --arg 256',
        time => 41.38e-6, within => $code, has => [qr/pipeline sfu/], lacks => [ qr/fp64/, qr/clamped/, qr/T_DP/ ]
    ],
    [
        'krsq.cubin', '--policy lrr --gpu rtx4090 --grid 1024 --block 256 --arg random:4M --arg zero:4M --arg 4096',
        time => 203e-6, within => $code, has => [qr{GFLOP/s \(fp32\)}], lacks => [ qr/fp64/, qr/clamped/ ]
    ],
    [
        'im2col.cubin', '--policy lrr --gpu rtx3090 --grid 9216 --block 256 --arg random:4M --arg zero:12M --arg 66 --arg 66 --arg 64 --arg 3',
        time => 31.66e-6, within => $code, lacks => [ qr/fp64/, qr{FLOP/s}, qr/clamped/ ]
    ],
    [
        'h1s.cubin', '--policy lrr --gpu a4000 --grid 288 --block 512 --arg zero:4M --arg 16384',
        rate => 9533, within => $code, has => [qr/fp16/], lacks => [qr/clamped/]
    ],
    [
        'h2s.cubin', '--policy lrr --gpu a4000 --grid 288 --block 512 --arg zero:4M --arg 16384',
        rate => 2 * 9533, within => $code, has => [qr/fp16/], lacks => [qr/clamped/]
    ],

    # Bounds.
    [
        'both.cubin', '--gpu a100 --grid 864 --block 256 --arg zero:4M --arg 2654435769 --arg 12345 --arg 1024',
        time => 99.65e-6, within => $code, has => [qr/pipeline int/], lacks => [qr/clamped/]
    ],
    [
        'ncu-below-ceiling.csv', '--gpu a100', verb => 'roofline',
        has   => [ qr/Predicted 395\.7 us,/, qr/Ceiling 395\.7 us at least/ ],
        lacks => [qr/Predicted 220\.2/]
    ],

    # Profiles and names.
    [ 'ncu-nan.csv', '--gpu a100', verb => 'roofline', has => [qr/Measured 650\.5 us/, qr/Not measured [^;]*single precision/] ],
    [
        'zero-counters.csv', '--gpu rx7900xtx', verb => 'roofline',
        has   => [ qr/Predicted nothing/, qr/counters are 0 of a kernel that ran: .*not counted/ ],
        lacks => [qr/bound by compute/]
    ],
    [
        'names.ptx',
        q(--kernel 'void interp<float, (int)8>(T1 *)' --from ptx --registers 16 --gpu a100 --grid 64 --block 64 --arg 0=zero:1M),
        has => [ qr/^interp on A100/, qr/GFLOP\/s \(fp32\)/ ]
    ],
    [ 'row-sums.cubin', "$rows --arg 0=zero:16M --arg 1=zero:64K --arg 2=16384 --arg 3=256", time => 49.34e-6, within => $code ],
    [
        'row-sums.cubin', "$rows --arg a=zero:16M --arg b=zero:64K --arg cols=256 --arg rows=16384",
        name => 'row-sums.cubin by name', exit => 2,
        has => [qr/nobody knows which argument of kernel k is 'a', .* write --arg 0=VALUE/]
    ],

    # What if, and advice.
    [
        'softmax.cubin', "$soft --what-if global.load.completion=575",
        has => [qr/Time (\S+ us) \1 1\.000 Cycles (\S.*\S) \2 GFLOP/]
    ],
    [ 'three-loops.cubin', $loops, time => 19.68e-6, within => $code ],

    # What another loop loads first is loaded again from the caches: to load it once gives 18.60 us.
    [
        'three-loops.cubin', "$loops --advise --format json", name => 'three-loops.cubin, advice',
        has => [qr/"advice": \[ \{"kind": /], lacks => [qr/"kind": "reuse", [^{}]*"seconds": (?!1\.8[4-9]|1\.9)/]
    ],
    [ 'saxpy.cubin', "--gpu a100 $times4", time => 12.08e-6, within => $code,
        has => [qr/Limited by [^:]*: what is busiest, device memory bandwidth/] ],

    # The edge of the grid, and of buffers.
    [ 'k.ptx', $whole, time => 13.52e-6, within => $code, name => 'k.ptx with whole buffers' ],
    (
        map {
            [
                'k.ptx', "$edge --arg a=$_->[0] --arg b=zero:4M", name => "k.ptx a=$_->[0]", exit => 1,
                has   => [qr/k\.ptx:19: thread .* of group \($_->[1],0,0\) reads 4 bytes .* behind the end of "a"/],
                lacks => [qr/Time /]
            ]
        } [ 'ramp:4194300', 4095 ], [ 'ramp:16K', '\d+' ], [ 'ramp:1M', '\d+' ], [ 'zero:0', '\d+' ]
    ),
    [ 'last-trap.ptx', $whole, exit => 1, has => [qr/last-trap\.ptx:26: thread \(0,0,0\) of group \(4095,0,0\) came to a trap/] ],
    [
        'last-inf.ptx', "$whole --max-instructions 1000000", exit => 1,
        has => [qr/of group \(4095,0,0\) is not done after .* it is in the loop at \S+last-inf\.ptx:26/]
    ],

    # From sm_70 on a barrier is reached when all threads that have not exited are there (CUDA C++ Programming Guide), and
    # this file is for sm_75: code that returns early before one is common, and works, so that an error would be wrong.
    [ 'last-dead.ptx', $whole, has => [qr/warning: \S+last-dead\.ptx:28: .* of group \(4095,0,0\) and others had ended/] ],

    # What nobody wrote.
    [ 'smoob.ptx', $whole, exit => 1, has => [qr/smoob\.ptx:23: .* writes 4 bytes .* behind the end of "sm"/] ],
    [
        'shun.ptx', $whole,
        has => [qr/warning: \S+shun\.ptx:26: .* depends on shared memory that nobody wrote, which is read at \S+shun\.ptx:23/]
    ],
    [
        'most.ptx', '--from ptx --gpu a100 --registers 16 --grid 64 --block 256 --arg word=zero:4',
        exit => 1, has => [qr/most\.ptx:22: threads of many groups try this at one place until it succeeds; .* the time is not known/]
    ],
    [
        'most.ptx', '--from ptx --gpu a100 --registers 16 --grid 64 --block 256 --arg word=zero:4 --partial',
        has => [qr/warning: \S+most\.ptx:22: this loop tries an atomic operation until it succeeds; .* may be too short/]
    ],
    [ 'uninit.ptx', $whole, has => [qr/warning: \S+uninit\.ptx:22: .* depends on %f7, which nothing wrote/] ],
    [ 'uninita.ptx', $whole, exit => 1, has => [qr/uninita\.ptx:19: .* uses an address that depends on %r6, which nothing wrote/] ],

    # Code that no assembler takes, or that the GPU cannot run.
    [ 'badtype.ptx', $whole, exit => 1, has => [qr/badtype\.ptx:20: add\.f32 takes \.f32 where it has %rd1/] ],
    [ 'unkld.ptx', $whole, exit => 1, has => [qr/unkld\.ptx:19: ld\.global\.newcache\.f32 is not known .* --partial/] ],
    (
        map {
            [
                'tens.ptx', $whole =~ s/v100/$_/r, name => "tens.ptx $_", exit => 1,
                has => [qr/tens\.ptx:20: mma\.sync.* needs \.target sm_89 or later/], lacks => [qr{FLOP/s}]
            ]
        } qw(v100 pascal)
    ),
    [
        'share-1000.idg', '--gpu v100', exit => 1,
        has => [qr/share-1000\.idg:2: device is the share of the bytes of node 'x'.* must be from 0 to 64.* is 1000/]
    ],

    # Mechanisms that somebody measured: the parts by which answers miss them are what the model reaches.
    [ 'constant-16.cubin',  "$lookup --arg ct=ramp:64", has => [qr/pipeline adu/] ],
    [ 'constant-256.cubin', "$lookup --arg ct=ramp:1K", has => [qr/pipeline adu/], lacks => [qr/zeros here/] ],
    [ 'constant-256.cubin', $lookup, has => [qr/constants that the host sets are zeros here: ct; /] ],
    [ 'global-16.cubin',    "$lookup --arg gt=ramp:64" ],
    [ 'global-256.cubin',   "$lookup --arg gt=ramp:1K" ],
    [ 'look-ups-16.cubin',  "$tables --arg 0=ramp:64", time => 374.3e-6, within => 0.14 ],
    [ 'look-ups-256.cubin', "$tables --arg 0=ramp:1K", time => 324.1e-6, within => 0.13 ],
    [ 'rd.cubin',    $square, time => 18.06e-3, within => 0.10, has => [qr/Limited by partial sectors/] ],
    [ 'ttile.cubin', $square, time => 8.62e-3, within => 0.21 ],
    [ 'tpad.cubin',  $square, time => 5.07e-3, within => 0.19 ],

    # A sixteenth of the bytes that were measured.
    [ 'hg.cubin', $bytes, time => 276.1e-3 / 16, within => 0.17, has => [qr/Limited by one place of atomics/] ],
    [ 'hs.cubin', $bytes, time => 1.53e-3 / 16,  within => 0.16 ],
    @wide,
    [
        'vote.cubin', "--gpu rtx2080ti $group --format json",
        has => [qr/\{"name": "logic\.vote", [^{]*"served_by": "logic", [^{]*"issue": 2,/]
    ],
    [
        'redux.cubin', "--gpu a100 $group --format json",
        has => [qr/\{"name": "shuffle\.reduce", [^{]*"pipeline": "adu", [^{]*"issue": 2, [^{]*"per_scheduler": false/]
    ],
);

# What the program says, standard error before it, with one blank for all; the exit status is $?.
sub said {
    my ($options) = @_;
    my $text = qx($program $options 2>&1);
    return join ' ', split ' ', $text;
}

# The seconds of "Time 42.50 us", or undef.
sub seconds {
    my ( $number, $unit ) = $_[0] =~ /(?:^| )Time ([\d. ]*\d) ([mun]?s)\b/ or return undef;
    return $number =~ s/ //gr * { s => 1, ms => 1e-3, us => 1e-6, ns => 1e-9 }->{$unit};
}

# Whether a figure is there, and within a part of what is right.
sub near {
    my ( $name, $is, $right, $part ) = @_;
    ok( defined $is && abs( $is - $right ) <= $part * $right, $name )
      or diag sprintf '%s beside %s: more than %g %% off', $is // 'nothing', $right, 100 * $part;
    return;
}

my %cycles;

sub try_case {
    my ( $input, $options, %is ) = @_;
    my $name = $is{name} // $input;
    my @listed = $input =~ /cubin$/ ? '--nvdisasm tests/stand-in/nvdisasm' : ();
    my $text   = said( join ' ', $is{verb} // (), "$cases/$input", $options, @listed );
    is( $?, 256 * ( $is{exit} // 0 ), "$name: exit status" ) or diag $text;
    near( "$name: time", seconds($text), $is{time}, $is{within} ) if $is{time};
    if ( $is{rate} ) {
        my ($rate) = map { s/ //gr } $text =~ m{; ([\d ]+) GFLOP/s};
        near( "$name: rate", $rate, $is{rate}, $is{within} );
    }
    like( $text, $_, "$name: says $_" ) for @{ $is{has} };
    unlike( $text, $_, "$name: does not say $_" ) for @{ $is{lacks} };
    $cycles{$name} = $1 =~ s/ //gr if $text =~ /, ([\d. ]+) cycles/;
    return;
}

# A takes from LEAST to MOST times what B does.
sub ratio {
    my ( $what, $a, $b, $least, $most ) = @_;
    my $is = ( $cycles{$a} // 0 ) / ( $cycles{$b} // 1 );
    ok( $least <= $is && $is <= $most, "$what: $a beside $b" ) or diag "$is, not from $least to $most";
    return;
}

try_case(@$_) for @table;
ratio( 'two halves in the time of one', 'h2s.cubin', 'h1s.cubin', 0.99, 1.01 );
# PTX has the loops that ptxas makes of additions to shared memory, which run as often.
for my $kernel (qw(one own)) {
    my $launch = '--no-cache --registers 16 --gpu a100 --grid 1 --block 256 --arg 0=zero:1K --arg 1=random:1K';
    try_case( "sums-$kernel.cubin", $launch );
    try_case( 'float-sums.ptx', "--from ptx --kernel $kernel $launch", name => "$kernel as PTX" );
    ratio( 'PTX as machine code', "$kernel as PTX", "sums-$kernel.cubin", 0.8, 1.2 );
}
# So it has by addresses that may lead anywhere, also to another group of a cluster.
for my $kernel (qw(double xor half halves far)) {
    my $where  = $kernel eq 'far' ? '--gpu h100 --grid 2' : '--gpu a100 --grid 1';
    my $launch = "--no-cache --registers 24 $where --block 256 --arg 0=zero:4K --arg 1=" . ( $kernel eq 'far' ? 'random:4K' : 'zero:4K' );
    try_case( "any-$kernel.cubin", $launch );
    my $ptx = $kernel eq 'far' ? 'any-sums-90.ptx --kernel far' : "any-sums.ptx --kernel any_$kernel";
    try_case( $ptx, "--from ptx $launch", name => "any-$kernel as PTX" );
    ratio( 'PTX as machine code', "any-$kernel as PTX", "any-$kernel.cubin", 0.9, 1.1 );
}
for my $gpu (qw(v100 rtx2080ti)) {
    ratio( 'lanes that share take half', "lds128-$_ $gpu", "lds128-0 $gpu", 0.48, 0.58 ) for 1 .. 3;
}

# The way from OpenCL source to machine code, where all that it needs is here.
SKIP: {
    my $text = said("$cases/saxpy.cl --gpu a100 --grid 4096 --block 256 --arg x=ramp:4M --arg y=ramp:4M --arg a=2 --arg n=1048576");
    skip 'clang, libclc, ptxas or nvdisasm is missing', 2 if $? || $text !~ /Code machine code/;
    near( 'saxpy.cl: time', seconds($text), 11.8e-6, 0.05 );
    like( $text, qr/Limited by (throughput in part: what is busiest, )?device memory bandwidth/,
        'saxpy.cl: is compiled with optimisation' );
}

# Native functions are the GPU's own instructions, of vectors too, at the line that calls them. libclc has calls for
# them which clang cannot translate.
SKIP: {
    my $folder = File::Temp->newdir;
    spew( "$folder/native.cl", <<'CL' );
__kernel void native(__global float *x, __global float4 *y)
{
    int i = get_global_id(0);
    x[i] = native_sin(x[i]);
    y[i] = native_exp(y[i]) + native_divide(y[i], (float4)(3.0f));
}
CL
    my $text = said("$folder/native.cl --from ptx --gpu a100 --grid 64 --block 256 --arg x=ramp:64K --arg y=ramp:256K --tables");
    skip 'clang or libclc is missing', 4 if $? && $text =~ /needs (clang|libclc|the compiler clang)/;
    is( $?, 0, 'native.cl: exit status' ) or diag $text;
    like( $text, qr/native\.cl:4 /, 'native.cl: the line of the sine' );
    like( $text, qr/native\.cl:5 /, 'native.cl: the line of the exponential' );
    unlike( $text, qr/\.h:/, 'native.cl: no line of another file' );
}

# Products of numbers of 8 bits, for the GPUs that have them.
my $folder = File::Temp->newdir;
my $eight  = slurp("$cases/tens.ptx") =~ s/sm_75/sm_89/r =~ s/version 7.0/version 8.4/r;
spew( "$folder/tens-89.ptx", $eight );
for my $gpu (qw(v100 pascal)) {
    my $text = said( "$folder/tens-89.ptx " . $whole =~ s/v100/$gpu/r );
    is( $?, 256, "tens.ptx for sm_89, on $gpu: exit status" );
    like( $text, qr/multiplies matrices .* has no units/, '... has no units for it' );
}

# A pass of two cycles for each address, some 30 and 14 of a warp, beside what L1 serves in 2 to 4 cycles. (49.5 and 3.5
# times, which were once asked for here, are of tables that threads copy to their own memory: README.md.)
ratio( 'constants by lanes are slower', 'constant-256.cubin', 'global-256.cubin', 15, 35 );
ratio( 'constants by lanes are slower', 'constant-16.cubin',  'global-16.cubin',  10, 16 );
done_testing;
