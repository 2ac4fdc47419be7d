# SPDX-License-Identifier: BSD-3-Clause
# What GPUs whose file extends a family do in simulation: a chain of each class, a pointer chase through each level, the
# peaks of multiply-adds, occupancy. Latencies and bandwidths made the descriptions, so that this checks what the
# simulator makes of them, and that inheritance lost none; it says nothing of the truth. The vendors' peaks and
# occupancy did not make them: lanes, compute units and clocks did. (Copies are copy.t's.)
use strict;
use warnings;
use lib 'tests/validate';
use fidelity;
use File::Temp;
use List::Util 'max';
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my $folder  = File::Temp->newdir;

# By card: compute capability; the clock in MHz of a published pointer chase and its cycles by level, where there is one
# of that very card or of one with the same chip (the RX 7900 XTX's is in ns; of the RX 6900 XT's device memory, 283.9 ns);
# the vendor's TFLOP/s in single precision at the boost clock (of AMD's Instinct at the only one); and of dense matrices
# in half precision, where mma reaches that (hp: of other instructions in half precision, two operations at once).
# Of the MI210 and the MI250 sp is the data sheet's of plain multiply-adds (packed ones, which bound answers, twice as many:
# T_SP); tensor is what ROCm's profiler measured, of which the class was made.
# RDNA 3 reaches its own in waves of 32 with pairs of operations (dual), half of it without, and in waves of 64.
my %cards = (
    'a100'   => { cc => '8.0', mhz => 1410, l1 => 33, l2 => 206, device => 575, sp => 19.5, hp => 78, tensor => 312 },
    'a100-80'   => { cc => '8.0', mhz => 1410, l1 => 33, l2 => 206, device => 552, sp => 19.5, hp => 78, tensor => 312 },
    'h100-pcie' => { cc => '9.0', mhz => 1755, l1 => 34, l2 => 266, device => 658, sp => 51.2, hp => 102.4 },
    'h100'  => { cc => '9.0', mhz => 1980, l2 => 291, device => 700, sp => 66.9 },
    'gh200'     => { cc => '9.0', mhz => 1980, l2 => 281, device => 689, sp => 66.9 },
    'h200'      => { cc => '9.0', mhz => 1980, l2 => 281, device => 689, sp => 66.9 },
    'b200'      => { cc => '10.0', mhz => 1965, l1 => 40, l2 => 295, device => 860 },
    'a40'       => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 37.4, tensor => 149.7 },
    'a6000'     => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 38.7, tensor => 154.8 },
    'a4000'     => { cc => '8.6', sp => 19.2, tensor => 76.7 },
    'rtx3090'   => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 35.6, tensor => 142 },
    'l40'       => { cc => '8.9', mhz => 2490, l1 => 34, l2 => 274, device => 625, sp => 90.5, tensor => 181.05 },
    'l40s'      => { cc => '8.9', mhz => 2490, l1 => 34, l2 => 274, device => 625, sp => 91.6, tensor => 362.05 },
    'rtx4090'   => { cc => '8.9', mhz => 2235, l1 => 36, l2 => 285, device => 572, sp => 82.6, tensor => 330.3 },
    'rtx5090'   => { cc => '12.0', mhz => 2770, l1 => 44, l2 => 360, device => 936, sp => 104.8, tensor => 419 },
    't4'        => { cc => '7.5', mhz => 1590, l1 => 32, l2 => 188, sp => 8.1, tensor => 65 },
    'p100'      => { cc => '6.0', mhz => 1328, l1 => 82, l2 => 234, sp => 10.6, hp => 21.2 },
    'gtx1080ti' => { cc => '6.1', mhz => 1645, l1 => 82, l2 => 227, device => 415, sp => 11.34 },
    'mi100'     => { mhz => 1502, l1 => 134, l2 => 262, device => 636, sp => 23.1, tensor => 184.6 },
    'mi210'     => { mhz => 1700, l1 => 128, l2 => 250, device => 696, sp => 22.6, tensor => 165.2 },
    'mi250'     => { mhz => 1700, l1 => 128, l2 => 250, device => 696, sp => 22.6, tensor => 165.2 },
    'mi250x'    => { mhz => 1700, l1 => 128, l2 => 250, device => 696, sp => 23.95, tensor => 191.5 },
    'mi300x'    => { mhz => 2092, l1 => 120, l2 => 213, l3 => 455, device => 907, sp => 81.7, tensor => 1307.4 },
    'rx6900xt'  => { mhz => 2560, l0 => 73, l1 => 123, l2 => 221, l3 => 423, device => 726.8, sp => 23.04 },
    'rx7900xtx' => { mhz => 1000, l3 => 150.3, device => 234.6, sp => 30.7, dual => 61.4 },
    'rtx2070'   => { cc => '7.5', mhz => 1620, l1 => 32, l2 => 236, device => 472, sp => 7.5, hp => 14.9, tensor => 59.7 },
    'rtx2080ti' => { cc => '7.5', mhz => 1545, l1 => 32, l2 => 176, device => 496, sp => 13.4, tensor => 107.6 },
    'gtx1650'   => { cc => '7.5', mhz => 1545, l1 => 32, l2 => 176, device => 496, sp => 2.98 },
    'rtx2060'   => { cc => '7.5', mhz => 1545, l1 => 32, l2 => 176, device => 496, sp => 6.45, tensor => 51.6 },
    'gtx1060'   => { cc => '6.1', mhz => 1645, l1 => 82, l2 => 227, sp => 4.37 },
    'gtx1070'   => { cc => '6.1', mhz => 1645, l1 => 82, l2 => 227, device => 415, sp => 6.46 },
    'gtx1080'   => { cc => '6.1', mhz => 1645, l1 => 82, l2 => 227, device => 415, sp => 8.87 },
    'rtx2070s'  => { cc => '7.5', mhz => 1590, l1 => 32, l2 => 188, sp => 9.06, tensor => 72.5 },
    'rtx2080'       => { cc => '7.5', mhz => 1590, l1 => 32, l2 => 188, sp => 10.07, tensor => 80.5 },
    'qrtx4000' => { cc => '7.5', mhz => 1590, l1 => 32, l2 => 188, sp => 7.1, tensor => 57 },
    'rtx3060'   => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 12.7, tensor => 51 },
    'rtx3060ti' => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 16.2, tensor => 64.8 },
    'rtx3070'   => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 20.3, tensor => 81.3 },
    'rtx3070ti' => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 21.7, tensor => 87 },
    'rtx3080'   => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 29.8, tensor => 119 },
    'rtx3080ti' => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 34.1, tensor => 136 },
    'rtx3090ti' => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 40, tensor => 160 },
    'rtx3070m' => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 16.6 },
    'rtx3060m'  => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 13.1 },
    'a2'        => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 4.5, tensor => 18 },
    'a2000'     => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 8, tensor => 31.9 },
    'a10'       => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 31.2, tensor => 125 },
    'a5000'     => { cc => '8.6', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 27.8, tensor => 111.1 },
    'a30'       => { cc => '8.0', mhz => 1410, l1 => 33, l2 => 206, device => 575, sp => 10.3, tensor => 165 },
    'orin'      => { cc => '8.7', mhz => 1740, l1 => 33, l2 => 250, device => 557, sp => 5.3, tensor => 42.5 },
    'rtx4060'   => { cc => '8.9', mhz => 2235, l1 => 34, l2 => 285, device => 572, sp => 15.1 },
    'rtx4070'   => { cc => '8.9', mhz => 2235, l1 => 34, l2 => 285, device => 572, sp => 29.1 },
    'rtx4080'   => { cc => '8.9', mhz => 2235, l1 => 34, l2 => 285, device => 572, sp => 48.7, tensor => 194.9 },
    'rtx4080s'  => { cc => '8.9', mhz => 2235, l1 => 34, l2 => 285, device => 572, sp => 52.2, tensor => 208.9 },
    'rtx4060ti'      => { cc => '8.9', mhz => 2235, l1 => 34, l2 => 285, device => 572, sp => 22.1 },
    'rtx4070ti'      => { cc => '8.9', mhz => 2235, l1 => 34, l2 => 285, device => 572, sp => 40.1 },
    'rtx4070s'   => { cc => '8.9', mhz => 2235, l1 => 34, l2 => 285, device => 572, sp => 35.5 },
    'rtx4060m' => { cc => '8.9', mhz => 2235, l1 => 34, l2 => 285, device => 572, sp => 14.6 },
    'rtx4070m'  => { cc => '8.9', mhz => 2235, l1 => 34, l2 => 285, device => 572, sp => 20 },
    'l4'        => { cc => '8.9', mhz => 2490, l1 => 34, l2 => 274, device => 625, sp => 30.3, tensor => 121 },
    '6000ada' => { cc => '8.9', mhz => 2490, l1 => 34, l2 => 274, device => 625, sp => 91.1, tensor => 364.2 },
    'rtx5060ti' => { cc => '12.0', mhz => 2770, l1 => 44, l2 => 360, device => 936, sp => 23.7 },
    'rtx5070ti' => { cc => '12.0', mhz => 2770, l1 => 44, l2 => 360, device => 936, sp => 43.9, tensor => 176 },
    'rtx5080'   => { cc => '12.0', mhz => 2770, l1 => 44, l2 => 360, device => 936, sp => 56.3, tensor => 225.1 },
    'pro6000'   => { cc => '12.0', mhz => 2770, l1 => 44, l2 => 360, device => 936, sp => 125, tensor => 503.8 },
    'pro6000mq' => { cc => '12.0', mhz => 2770, l1 => 44, l2 => 360, device => 936, sp => 110, tensor => 438.9 },
    'h100-nvl'  => { cc => '9.0', mhz => 1755, l1 => 34, l2 => 266, sp => 60 },
    'h20'       => { cc => '9.0', mhz => 1980, l2 => 291, device => 700 },
    'gb200'     => { cc => '10.0', mhz => 1965, l1 => 40, l2 => 295, device => 860, sp => 80 },
    'b300'      => { cc => '10.3', mhz => 1965, l1 => 40, l2 => 295, device => 860, sp => 77 },
    'mi300a'    => { mhz => 2092, l1 => 120, l2 => 213, l3 => 455, device => 907, sp => 61.3, tensor => 980.6 },
    'mi325x'    => { mhz => 2092, l1 => 120, l2 => 213, l3 => 455, device => 907, sp => 81.7, tensor => 1307.4 },
    'mi355x'    => { mhz => 2092, l1 => 120, l2 => 213, l3 => 455, device => 907, sp => 78.6, tensor => 2516.6 },
    'rx7800xt'  => { mhz => 1000, l3 => 150.3, device => 234.6, sp => 18.7, dual => 37.3 },
    'rx9070xt'  => { mhz => 1000, l3 => 150.3, device => 234.6, sp => 24.35, dual => 48.7 },
);

# What data sheets state: TFLOP/s in single precision at the boost clock, GB/s of device memory, and gigabytes of it. Of the H20
# NVIDIA states 44 TFLOP/s, which its compute units reach at no clock that it has (gpus/h20.xml), of the B300 75, at less than its
# driver's clock, and 288 GB, of which that has less (gpus/b300.xml). AMD's Instinct cards have twice
# as many by packed operations, which the data sheets count.
my %sheets = (
    'gtx1060'    => [ 4.4,   192,   6 ],   'gtx1070'   => [ 6.5,  256,  8 ],   'gtx1080'  => [ 8.9,  320,  8 ],   'rtx2070s' => [ 9.1, 448, 8 ],
    'rtx2080'    => [ 10.1,  448,   8 ],   'qrtx4000' => [ 7.1, 416, 8 ], 'rtx3080ti' => [ 34.1, 912, 12 ],  'rtx3090ti' => [ 40,  1008, 24 ],
    'a2000'      => [ 8,     288,   6 ],   'a2'        => [ 4.5,  200,  16 ],  'rtx4060ti' => [ 22.1, 288, 8 ],   'rtx4070ti' => [ 40.1, 504, 12 ],
    'rtx4070s' => [ 35.5, 504,  12 ],  'rtx5070ti' => [ 43.9, 896,  16 ],
    'rtx3060m'   => [ 13.1,  336,   6 ],   'rtx3070m'  => [ 16.6, 448,  8 ],   'rtx4060m' => [ 14.6, 256,  8 ],  'rtx4070m'  => [ 20,   256,  8 ],
    'gtx1650'    => [ 2.98,  128,   4 ],   'rtx2060'   => [ 6.45, 336,  6 ],   'rtx3060'  => [ 12.7, 360,  12 ],  'rtx3060ti' => [ 16.2, 448,  8 ],
    'rtx3070'    => [ 20.3,  448,   8 ],   'rtx3070ti' => [ 21.7, 608,  8 ],   'rtx3080'  => [ 29.8, 760,  10 ],  'rtx4060'   => [ 15.1, 272,  8 ],
    'rtx4070'    => [ 29.1,  504,   12 ],  'rtx4080'   => [ 48.7, 716.8, 16 ], 'rtx4080s' => [ 52.2, 736.3, 16 ], 'rtx5060ti' => [ 23.7, 448, 16 ],  'rtx5080'   => [ 56.3, 960,  16 ],
    'a10'        => [ 31.2,  600,   24 ],  'a30'       => [ 10.3, 933,  24 ],  'a5000'    => [ 27.8, 768,  24 ],  'l4'        => [ 30.3, 300,  24 ],
    '6000ada' => [ 91.1,  960,   48 ],  'pro6000'   => [ 125,  1792, 96 ],  'pro6000mq' => [ 110, 1792, 96 ], 'h100-nvl' => [ 60,   3938, 94 ],  'h20'       => [ undef, 4000, 96 ],
    'gb200'      => [ 80,    8000,  186 ], 'b300'      => [ undef, 8000, 274113 / 1024 ], 'orin'     => [ 5.3,  204.8, 64 ], 'mi300a'    => [ 122.6, 5300, 128 ],
    'mi325x'     => [ 163.4, 6000,  256 ], 'mi355x'    => [ 157.3, 8000, 288 ], 'rx7800xt' => [ 37.3, 624, 16 ],  'rx9070xt'  => [ 48.7, 640,  16 ],
    'v100'       => [ 14,    900,   16 ],  'a100'      => [ 19.5, 1555, 40 ],  'rtx3090'  => [ 35.6, 936,  24 ],  'rtx4090'   => [ 82.6, 1008, 24 ],
    'gh200'      => [ 67,    4000,  95 ],  'h100'       => [ 67,    3350,  80 ],  'rtx5090'   => [ 104.8, 1792, 32 ], 't4'       => [ 8.1,  320,  16 ],  'mi300x'    => [ 163.4, 5300, 192 ],
);
my @older = ( [ 'gpus/v100.xml', '7.0' ], [ 'gpus/rtx5070.xml', '12.0' ], [ 'gpus/pascal.xml', '6.1' ] );
my %variants = ( 'rx6900xt:wave64' => { sp => 23.04 }, 'rx7900xtx:wave64' => { sp => 61.4 } );
is_deeply(
    [ sort keys %cards ],
    [ sort map { m{/([^/]+)\.xml$} } grep { fidelity::slurp($_) =~ /\sextends="/ } glob 'gpus/*.xml' ],
    'every card of a family is in the table'
);

# A graph with one node of that class and these attributes, in a loop: the file's path. Of a chain each instance needs
# the one before.
sub graph {
    my ( $name, $class, $attributes ) = @_;
    my $path = "$folder/$name.idg";
    open my $file, '>', $path or die "$path: $!\n";
    print {$file} qq{<idg xmlns="urn:pipesim:idg:1" version="1" name="$name">\n<param name="n" value="1000"/>},
      qq{<launch groups="1" group-size="32"/>\n<code><loop times="n"><node name="x" class="$class" $attributes/></loop></code></idg>\n};
    close $file or die "$path: $!\n";
    return $path;
}

# What the description says, with all that it inherits.
sub xml_of {
    my ($gpu) = @_;
    return scalar qx($program show $gpu --xml);
}

# Its classes: name, cycles of issue and of completion.
sub classes_of {
    my ($gpu) = @_;
    my $xml = xml_of($gpu);
    return map { m{name="([^"]+)".* issue="([0-9.]+)" completion="([0-9.]+)"} ? [ $1, $2, $3 ] : () } $xml =~ /(<class [^>]*)/g;
}

sub near {
    my ( $got, $wanted, $what, $percent ) = @_;
    my $off = 100 * ( $got / $wanted - 1 );
    ok( abs $off <= $percent, $what ) or diag sprintf '%.6g, expected %.6g within %g %%: %+.2f %%', $got, $wanted, $percent, $off;
    return;
}

# Rows of one sweep over graphs, with these options: thousands of starts of the program would take longer than the answers.
sub swept {
    my ( $graphs, @options ) = @_;
    return if !@$graphs;
    system("$program sweep @$graphs --vary n=1000 --overheads off --format csv @options >$folder/swept 2>$folder/said") == 0
      or die fidelity::slurp("$folder/said");
    my $unquoted = fidelity::slurp("$folder/swept") =~ s/"[^"]*"//gr;    # a GPU's name may have a comma
    open my $rows, '<', \$unquoted or die;
    return fidelity::table_of( $rows, ',' );
}

# NVIDIA's first cards with units for products of matrices. Older ones have the class of their family, and no answer.
my $first_products = 7.0;

sub no_units {
    my ( $name, $class ) = @_;
    my $graph = graph( $class, $class, 'after="x"' );
    like( scalar qx($program run $graph --gpu $name 2>&1), qr/has no units; they came with 7\.0/, "$name: $class is refused, no chain of it" );
    return;
}

for my $name ( sort keys %cards, keys %variants ) {
    my ( $card, $xml, @chains, @wanted ) = ( $cards{$name} // $variants{$name}, xml_of($name) );

    # Cycles of an instance in a chain of one warp.
    for my $class ( classes_of($name) ) {
        my ( $asked, $issue, $completion ) = @$class;
        if ( $asked =~ /^tensor\b/ && ( $card->{cc} // 0 ) && $card->{cc} < $first_products ) {
            no_units( $name, $asked );
            next;
        }
        # A copy of many bytes that moves nothing has its latency, behind which its last byte comes.
        my $copies = $asked =~ /^copy\b/;
        push @chains, graph( $asked, $asked, $copies ? 'after="x" bytes="4" l2="0" device="0"' : 'after="x"' );
        push @wanted, [ $copies ? $issue + $completion : max( $issue, $completion ), "$name: a chain of $asked" ];
    }
    my @rows   = swept( \@chains, '--gpu', $name );
    my @levels = grep { $xml =~ /<level name="$_"/ } qw(l0 l1 l2 l3 device);
    my @chases;
    for my $level ( grep { $card->{$_} } @levels ) {
        my $reached = 1;
        my $shares = join ' ', map { my $share = qq{$_="$reached"}; $reached = 0 if $_ eq $level; $share } @levels;
        push @chases, graph( $level, 'global.load', qq{bytes="4" after="x" $shares} );
        push @wanted, [ $card->{$level}, "$name: a pointer chase through $level" ];
    }
    push @rows, swept( \@chases, '--gpu', $name, '--clock', $card->{mhz} ) if @chases;
    is( scalar @rows, scalar @wanted, "$name: as many answers as questions" );
    near( $_->{cycles} / 1000, @{ shift @wanted }, 2 ) for @rows;

    # Multiply-adds without dependences, of as many warps as there is room for: 4, 6 or 8 groups at once on each
    # compute unit, so 24 of each keep all alike busy to the end.
    my ( $units, $warp ) = map { $xml =~ / $_="(\d+)"/ } qw(compute-units warp-size);
    my $clock = $xml =~ / boost-clock=/ ? 'boost' : 'base';
    my %ops  = ( sp => 2, dual => 4, hp => 4, tensor => 128 );    # a warp of 32 does 16 x 8 x 16, a wave of 64 two of them
    my @full = ( '--gpu', $name, '--clock', $clock, '--groups', 24 * $units, '--group-size', 256 );
    my @peaks = grep { $card->{ $_->[0] } } (
        [ 'sp',     graph( 'ffma',  'fmadd',  'ops="2" type="fp32"' ) ],
        [ 'hp',     graph( 'hfma',  'hfma',   'ops="4" type="fp16"' ) ],
        [ 'dual',   graph( 'vopd',  'dual',   'ops="4" type="fp32"' ) ],
        [ 'tensor', graph( 'mma',   'tensor', qq{ops="$ops{tensor}" type="tensor"} ) ]
    );
    for my $row ( swept( [ map { $_->[1] } @peaks ], @full ) ) {
        my ($peak) = @{ shift @peaks };
        my $ops = $ops{$peak} * 1000 * 24 * $units * 256;
        near( $ops / $row->{result_seconds} / 1e12, $card->{$peak}, "$name: the peak $peak that is published, at the $clock clock", 3 );
    }
    is( scalar @peaks, 0, '... each of them has an answer' );
}

# ---- data sheets
use JSON::PP;
my %listed = map { $_->{file} =~ m{/([^/]+)\.xml$} ? ( $1 => $_ ) : () } @{ decode_json(scalar qx($program list --gpus --format json))->{gpus} };
for my $name ( sort keys %sheets ) {
    my ( $tflops, $bandwidth, $gigabytes ) = @{ $sheets{$name} };
    my $card  = $listed{$name};
    my $boost = $card->{boost_clock_mhz} // $card->{base_clock_mhz};
    my ($stated) = xml_of($name) =~ /<peak name="B_mem" [^>]*datasheet="([0-9.]+)"/;
    near( $card->{peaks}{T_SP} / 1000 * $boost / $card->{clock_mhz}, $tflops, "$name: single precision is what the data sheet states", 2 ) if $tflops;
    near( $stated // $card->{bandwidth}, $bandwidth, "$name: bandwidth is what the data sheet states", $stated ? 2 : 15 );
    cmp_ok( $card->{bandwidth}, '<', $bandwidth, "$name: ... and more than is reached" );
    is( $card->{device_memory_mib} / 1024, $gigabytes, "$name: so is memory" );
}

# AMD's data sheets of the Instincts (of the MI250 and the MI250X halved, for one of two devices), TFLOP/s: vectors in single
# precision, which are packed, and in double; matrices in half precision, bf16, 8 bits, single and double precision.
my %instincts = (
    mi210  => { T_SP => 45.3,  T_DP => 22.6,  tensor => 181,    bf16 => 181,    s8 => 181,    f32 => 45.3,  f64 => 45.3 },
    mi250  => { T_SP => 45.3,  T_DP => 22.6,  tensor => 181.05, bf16 => 181.05, s8 => 181.05, f32 => 45.25, f64 => 45.25 },
    mi250x => { T_SP => 47.85, T_DP => 23.95, tensor => 191.5,  bf16 => 191.5,  s8 => 191.5,  f32 => 47.85, f64 => 47.85 },
    mi300a => { T_SP => 122.6, T_DP => 61.3,  tensor => 980.6,  bf16 => 980.6,  s8 => 1961.2, f32 => 122.6, f64 => 122.6, tf32 => 490.3, f8 => 1961.2 },
    mi300x => { T_SP => 163.4, T_DP => 81.7,  tensor => 1307.4, bf16 => 1307.4, s8 => 2614.9, f32 => 163.4, f64 => 163.4, tf32 => 653.7, f8 => 2614.9 },
    mi325x => { T_SP => 163.4, T_DP => 81.7,  tensor => 1307.4, bf16 => 1307.4, s8 => 2614.9, f32 => 163.4, f64 => 163.4, tf32 => 653.7, f8 => 2614.9 },
    mi355x => { T_SP => 157.3, T_DP => 78.6,  tensor => 2516.6, bf16 => 2516.6, s8 => 5033.2, f32 => 157.3, f64 => 78.6,  f8   => 5033.2 },
);
for my $name ( sort keys %instincts ) {
    my ($peaks) = grep { $_->{part} eq 'peaks' } @{ decode_json(scalar qx($program show $name --format json))->{gpus}[0]{parts} };
    my %stated = map { $_->{name} => $_->{datasheet} // $_->{value} } @{ $peaks->{figures} };
    for my $peak ( sort keys %{ $instincts{$name} } ) {
        my $own = $peak =~ /^T_/ ? $peak : $peak eq 'tensor' ? 'T_tensor' : "T_tensor.$peak";
        near( ( $stated{$own} // $stated{T_tensor} // 0 ) / 1000, $instincts{$name}{$peak}, "$name: $own is what the data sheet states", 0.15 );
    }
}

# ---- occupancy
SKIP: {
    my ( $build, $cc ) = ( $ENV{BUILD} // 'build', $ENV{CC} // 'cc' );
    my $flags = $ENV{CFLAGS} // '-O2 -g';
    my $made  = system "$cc -std=c11 $flags -I. -I$build -I/usr/local/cuda/include -o $folder/occupancy tests/cuda/occupancy.c $build/libpipesim.a "
      . ( $ENV{LDFLAGS} // '' ) . ' $(pkg-config --cflags --libs glib-2.0 libxml-2.0) -lm -ldl -pthread 2>' . "$folder/said";
    is( $made, 0, 'the program that compares occupancies is built' ) or diag fidelity::slurp("$folder/said");
    my $said = qx($folder/occupancy @{[ map { "gpus/$_.xml $cards{$_}{cc}" } grep { $cards{$_}{cc} } sort keys %cards ]} @{[ map { "@$_" } @older ]});
    skip $said, 1 if $? >> 8 == 77;
    is( "$?$said", '0', 'occupancy is that of cuda_occupancy.h' );
}
done_testing;
