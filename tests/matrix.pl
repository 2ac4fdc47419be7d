# SPDX-License-Identifier: BSD-3-Clause
# Matrix units by type: kernels of independent products reach the vendors' peaks, which did not make the descriptions'
# cycles where assemblers tell those; the roofline takes the peak of their type; and no class is faster than its peak.
# (Chains of each class are cards.pl's.)
use strict;
use warnings;
use lib 'tests/validate';
use fidelity;
use File::Temp;
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my $folder  = File::Temp->newdir;

# The vendors' TFLOP/s or TOP/s, dense unless the class says otherwise, at the clock in MHz that they are stated for. mma
# of Hopper and of the B200 does not reach them: wgmma and tcgen05 do.
my %peaks   = (
    'a100-80' => {
        1410 => {
            'f16.f32' => 312, 'f16.f16' => 312, bf16 => 312, tf32 => 156, f64 => 19.5, s8 => 624, s4 => 1248, b1 => 4992,
            'f16.f32.sparse' => 624, 'bf16.sparse' => 624, 'tf32.sparse' => 312, 's8.sparse' => 1248,
        }
    },
    'h100' => {
        1830 => {
            'wgmma.f16.f32' => 989.4, 'wgmma.bf16' => 989.4, 'wgmma.tf32' => 494.7, 'wgmma.f8.f32' => 1978.9, 'wgmma.s8' => 1978.9,
            'wgmma.f16.f32.sparse' => 1978.9, 'wgmma.f8.f32.sparse' => 3957.8,
        },
        1980 => { f64 => 66.9 }
    },
    'h100-pcie' => {
        1620 => { 'wgmma.f16.f32' => 756.45, 'wgmma.tf32' => 378.2, 'wgmma.f8.f32' => 1513, 'wgmma.s8' => 1513 },
        1755 => { f64 => 51.2 }
    },
    'h200' => { 1830 => { 'wgmma.f16.f32' => 989.4, 'wgmma.f8.f32' => 1978.9 }, 1980 => { f64 => 66.9 } },
    'b200' => { 1965 => { f64 => 37 } },
    'a40'  => { 1740 => { 'f16.f32' => 149.7, bf16 => 149.7, tf32 => 74.8, s8 => 299.3, s4 => 598.7, 's8.sparse' => 598.7 } },
    'a6000'   => { 1800 => { 'f16.f32' => 154.8, s8 => 309.7 } },
    'rtx3090' => {
        1695 => {
            'f16.f16' => 142, 'f16.f32' => 71, bf16 => 71, tf32 => 35.6, s8 => 284, s4 => 568,
            'f16.f16.sparse' => 285, 'f16.f32.sparse' => 142, 'tf32.sparse' => 71, 's8.sparse' => 568,
        }
    },
    'l40'     => { 2490 => { 'f16.f32' => 181.05, bf16 => 181.05, tf32 => 90.5, 'f8.f32' => 362, s8 => 362, s4 => 724, 's8.sparse' => 724 } },
    'l40s'    => { 2520 => { 'f16.f32' => 362.05, bf16 => 362.05, tf32 => 183, 'f8.f32' => 733, s8 => 733, 'f8.f32.sparse' => 1466 } },
    'rtx4090' => {
        2520 => {
            'f16.f16' => 330.3, 'f16.f32' => 165.2, bf16 => 165.2, tf32 => 82.6, 'f8.f16' => 660.6, 'f8.f32' => 330.3, s8 => 660.6,
            s4 => 1321.2, 'f8.f16.sparse' => 1321.2, 'f16.f32.sparse' => 330.3,
        }
    },
    'rtx5090' => {
        2407 => {
            'f16.f16' => 419, 'f16.f32' => 209.5, bf16 => 209.5, tf32 => 104.8, 'f8.f16' => 838, 'f8.f32' => 419, 'f4.f32' => 1676,
            s8 => 838, 'f4.f32.sparse' => 3352, 'f16.f32.sparse' => 419,
        }
    },
    't4'        => { 1590 => { 'f16.f32' => 65, s8 => 130, s4 => 260 } },
    'rtx2080ti' => { 1545 => { 'f16.f16' => 107.6, 'f16.f32' => 53.8, s8 => 215.2, s4 => 430.3 } },
    'mi100'     => { 1502 => { 'f16.f32' => 184.6, bf16 => 92.3, f32 => 46.1, s8 => 184.6, 'f16.f32.m32n32k8' => 184.6 } },
    'mi210'     => { 1700 => { bf16 => 181, s8 => 181, f32 => 45.3, f64 => 45.3, 'f64.m16n16k4' => 45.3 } },
    'mi250x'    => { 1700 => { 'f16.f32' => 191.5, bf16 => 191.5, s8 => 191.5, f32 => 47.9, f64 => 47.9, 'f16.f32.m32n32k8' => 191.5 } },
    'mi300x'    => {
        2100 => {
            'f16.f32' => 1307.4, bf16 => 1307.4, tf32 => 653.7, 'f8.f32' => 2614.9, s8 => 2614.9, f32 => 163.4, f64 => 163.4,
            'f16.f32.sparse' => 2614.9, 's8.sparse' => 5229.8, 'f8.f32.m32n32k16' => 2614.9, 'f16.f32.sparse.m16n16k32' => 2614.9,
        }
    },
    'rx7900xtx' => { 2500 => { 'f16.f32' => 122.8, bf16 => 122.8, s8 => 122.8, s4 => 245.7, 'f16.f32.m16n16k16' => 122.8 } },
);

my %bits = ( f64 => 64, f32 => 32, tf32 => 32, bf16 => 16, f16 => 16, f8 => 8, f6 => 8, f4 => 4, s8 => 8, s4 => 4, b1 => 1 );

# Operations of one product of a class without "tensor.", by all of its threads, and of how many threads that is. Without a
# shape it is a warp's of 32, of 16 x 8 elements with factors of 256 bits, sparse ones of twice that.
sub work_of {
    my ( $class, $warp ) = @_;
    return ( 2 * $1 * $2 * $3, $warp ) if $class =~ /m(\d+)n(\d+)k(\d+)/ && $1 > 8 && $2 > 8;
    return ( 2 * $1 * $2 * $3, 32 ) if $class =~ /m(\d+)n(\d+)k(\d+)/;
    # A product of Volta's, 8 x 8 x 4 for each quarter of a warp, comes in two steps, in four where sums are singles.
    return ( 2 * 8 * 8 * 4 * 4 / ( $1 eq 'f16' ? 2 : 4 ), 32 ) if $class =~ /^f16\.(f16|f32)\.step$/;
    # One of Blackwell's with tensor memory has the rows of all lanes of that, by one warp for a group.
    return ( 2 * 128 * 16 * 256 / $bits{ $1 // 'f16' }, 32 ) if $class =~ /^tcgen05(?:\.pair)?(?:\.(\w+))?$/;
    my ($type) = $class =~ /^(?:wgmma\.)?(\w+)/;
    return ( 2 * 16 * 8 * 256 / $bits{$type} * ( $class =~ /sparse/ ? 2 : 1 ), 32 );
}

sub xml_of {
    my ($gpu) = @_;
    return scalar qx($program show $gpu --xml);
}

# A kernel of independent products of a class: the file's path, and the operations of a thread.
sub kernel {
    my ( $name, $class, $warp ) = @_;
    my ( $work, $threads ) = work_of( $class, $warp );
    my ( $ops, $path ) = ( $work / $threads, "$folder/$name-$class.idg" );
    open my $file, '>', $path or die "$path: $!\n";
    print {$file} qq{<idg xmlns="urn:pipesim:idg:1" version="1" name="$class">\n<param name="n" value="1000"/>},
      qq{<launch groups="1" group-size="256"/>\n<code><loop times="n">},
      qq{<node name="x" class="tensor.$class" ops="$ops" type="tensor"/></loop></code></idg>\n};
    close $file or die "$path: $!\n";
    return ( $path, $ops * 1000 * 256 );
}

sub near {
    my ( $got, $wanted, $percent, $what ) = @_;
    my $off = 100 * ( $got / $wanted - 1 );
    ok( abs $off <= $percent, $what ) or diag sprintf '%.6g, expected %.6g within %g %%: %+.2f %%', $got, $wanted, $percent, $off;
    return;
}

# ---- kernels
for my $name ( sort keys %peaks ) {
    my ( $units, $warp ) = map { xml_of($name) =~ / $_="(\d+)"/ } qw(compute-units warp-size);
    my ( @runs, @wanted );
    for my $mhz ( sort keys %{ $peaks{$name} } ) {
        for my $class ( sort keys %{ $peaks{$name}{$mhz} } ) {
            my ( $path, $ops ) = kernel( $name, $class, $warp );
            push @runs, [ $path, '--gpu', $name, '--clock', $mhz, '--groups', 24 * $units, '--overheads', 'off' ];
            push @wanted, [ $class, $mhz, $ops * 24 * $units, $peaks{$name}{$mhz}{$class} ];
        }
    }
    for my $answer ( fidelity::answers(@runs) ) {
        my ( $class, $mhz, $ops, $peak ) = @{ shift @wanted };
        near( $ops / $answer->{simulated}{seconds} / 1e12, $peak, 3, "$name: $class at $mhz MHz reaches the vendor's peak" );
        near( $answer->{roofline}{peaks}{T_tensor}{value} / 1e12, $peak, 3, '... which is the roofline\'s for it' );
    }
}

# ---- classes and peaks of all GPUs with matrix units fit each other
for my $path ( glob 'gpus/*.xml' ) {
    my $xml = xml_of($path);
    my ( $units, $warp, $schedulers, $clock ) = map { $xml =~ / $_="([0-9.]+)"/ ? $1 : 1 } qw(compute-units warp-size schedulers clock);
    my %peak  = $xml =~ /<peak name="(T_tensor[^"]*)" (?:value|datasheet)="([0-9.]+)"/g;
    my %alone = map { $_ => 1 } $xml =~ /<pipeline name="(\w+)"(?! per=)/g;
    my @faster;
    while ( $xml =~ /<class name="tensor\.([^"]*)" pipeline="(\w+)" issue="([0-9.]+)"/g ) {
        my ( $class, $pipeline, $issue ) = ( $1, $2, $3 );
        next if $class =~ /^wgmma$/;
        my ( $work, $threads ) = work_of( $class, $warp );
        my $rate = $work * $warp / $threads * ( $alone{$pipeline} ? 1 : $schedulers ) * $units * $clock / 1000 / $issue;
        my ($key) = $class =~ /^(?:wgmma\.|tcgen05\.(?:pair\.)?)?(\w+(?:\.f\d+)?)/;
        my $most = $peak{"T_tensor.$key"} // $peak{ 'T_tensor.' . $key =~ s/\..*//r } // $peak{T_tensor} // 0;
        push @faster, "$class: $rate, and its peak is $most" if $rate > 1.005 * $most * ( $class =~ /sparse/ ? 2 : 1 );
    }
    is_deeply( \@faster, [], "$path: no class of matrix products is faster than its peak" );
}

# ---- shapes that there are not
sub refused {
    my ( $what, $place, @command ) = @_;
    my $said = qx($program @command 2>&1 >/dev/null);
    is( $? >> 8, 1, "$what is refused" );
    like( $said, qr/^pipesim: \Q$place\E: the class '[^']*' has the shape m16n8k17, which no GPU's matrix instructions have; [^\n]*\n\z/, '... by one clear error' );
    return;
}
my ($odd) = kernel( 'odd', 'f16.f32.m16n8k17', 32 );
refused( 'a graph with an unknown shape', "$odd:3", $odd, '--gpu', 'a100-80' );
my ($even) = kernel( 'even', 'f16.f32.m16n8k16', 32 );
( my $text = xml_of('a100-80') ) =~ s/name="tensor\.f16\.f16\.m16n8k8"/name="tensor.f16.m16n8k17"/;
my $line = 1 + ( substr( $text, 0, index $text, 'm16n8k17' ) =~ tr/\n// );
open my $bad, '>', "$folder/bad.xml" or die "$folder: $!\n";
print {$bad} $text;
close $bad or die "$folder: $!\n";
refused( 'a description with one', "$folder/bad.xml:$line", $even, '--gpu', "$folder/bad.xml" );

# ---- products that a GPU has no units for
for (
    [ 'f8.f32.m16n8k32',   'rtx3090', 8.6, 'they came with 8.9' ],
    [ 'bf16.m16n8k16',     't4',      7.5, 'they came with 8.0' ],
    [ 'f16.f32.m32n32k8',  'h100',    9.0, 'GPUs of AMD have them' ],
    [ 'f32.m16n16k4',      'b200',    '10.0', 'GPUs of AMD have them' ]
    )
{
    my ( $class, $gpu, $capability, $where ) = @{$_};
    my ($graph) = kernel( 'lacking', $class, 32 );
    my $said = qx($program $graph --gpu $gpu 2>&1 >/dev/null);
    is( $? >> 8, 1, "$class on $gpu is refused" );
    $capability = sprintf '%.1f', $capability;
    like( $said, qr/^pipesim: \Q$graph\E:3: node '[^']*' multiplies matrices \(tensor.\Q$class\E\), for which .*, of compute capability \Q$capability\E, has no units; $where\n\z/, '... and why is told' );
}
done_testing;
