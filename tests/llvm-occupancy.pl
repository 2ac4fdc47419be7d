# SPDX-License-Identifier: BSD-3-Clause
# For tests/llvm-occupancy.t: kernels that take so many registers and so much local memory are compiled by LLVM, whose
# backend tells the waves of a SIMD, by the functions that its llvm-calc-occupancy asks, too. Ours must be as many. The
# descriptions cite LLVM for single figures (units, sizes of files); how these become an occupancy is code of our own.
use strict;
use warnings;
use lib 'tests/validate';
use fidelity;
use File::Temp;
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my $folder  = File::Temp->newdir;

# By card: its chip, and the SIMDs of what a description calls a compute unit. On RDNA that is LLVM's "cumode".
my %cards = (
    mi100     => [ 'gfx908',  4 ],
    mi250x    => [ 'gfx90a',  4 ],
    mi300x    => [ 'gfx942',  4 ],
    mi355x    => [ 'gfx950',  4 ],
    rx6900xt  => [ 'gfx1030', 2 ],
    rx7800xt  => [ 'gfx1101', 2 ],
    rx7900xtx => [ 'gfx1100', 2 ],
    rx9070xt  => [ 'gfx1201', 2 ],
);

# What a kernel takes (no 97 to 100 scalar registers, of which ROCm's runtime and the descriptions say 7 waves, since they
# are allocated in sixteens, and LLVM's table 8): the last vector, scalar and accumulation register, -1: none of these;
# bytes of local memory.
my @vectors      = ( 7, 8, 23, 24, 31, 32, 39, 40, 47, 63, 64, 71, 72, 83, 84, 95, 96, 119, 127, 128, 167, 168, 191, 254 );
my @scalars      = ( 20, 60, 85, 99 );
my @accumulators = ( -1, 7, 100 );
my @bytes        = ( 0, 512, 8192, 16000, 30000, 65536 );

sub write_file {
    my ( $name, $text ) = @_;
    open my $file, '>', "$folder/$name" or die "$folder/$name: $!\n";
    print {$file} $text;
    close $file;
    return "$folder/$name";
}

# A kernel for each combination, of groups with a wave on each SIMD.
sub source {
    my ( $threads, $accumulators ) = @_;
    my $text = "target triple = \"amdgcn-amd-amdhsa\"\n";
    $text .= "\@lds$_ = internal addrspace(3) global [$_ x i8] undef, align 16\n" for grep { $_ } @bytes;
    for my $v (@vectors) {
        for my $s (@scalars) {
            for my $a (@$accumulators) {
                for my $l (@bytes) {
                    my $clobbers = join ',', "~{v$v}", "~{s$s}", $a < 0 ? () : "~{a$a}";
                    $text .= "define amdgpu_kernel void \@k" . join( '_', $v, $s, $a + 1, $l ) . "() #0 {\n";
                    $text .= "  call void asm sideeffect \"; it is used\", \"$clobbers\"()\n";
                    $text .= "  store volatile i8 0, ptr addrspace(3) \@lds$l\n" if $l;
                    $text .= "  ret void\n}\n";
                }
            }
        }
    }
    return $text . "attributes #0 = { \"amdgpu-flat-work-group-size\"=\"$threads,$threads\" }\n";
}

# [vector registers, scalar ones, accumulation registers, bytes, waves of a SIMD] of each, as LLVM reports them; none
# where it does not know the chip.
sub by_llvm {
    my ( $llc, $chip, $threads, $accumulators ) = @_;
    my $source  = write_file( 'k.ll', source( $threads, $accumulators ) );
    my $cumode  = $chip =~ /^gfx1/ ? '-mattr=+cumode' : '';
    my $file    = "$folder/said";
    my @reports = split /^; Kernel info:/m, scalar qx($llc -mcpu=$chip $cumode $source -o - 2>$file);
    shift @reports;
    my $said = fidelity::slurp($file);
    return            if $said =~ /is not a recognized processor/;
    die "$chip: $said" if !@reports;
    return map {
        my %has = /^; (\w+): (\d+)/mg;
        [ $has{NumVgprs}, $has{NumSGPRsForWavesPerEU}, $has{NumAgprs} // 0, $has{LDSByteSize}, $has{Occupancy} ]
    } @reports;
}

# Groups at once by "v,s,a,l", for all combinations of what LLVM reports.
sub by_us {
    my ( $card, $threads, @theirs ) = @_;
    my $graph = write_file( 'k.idg', <<"END" );
<idg xmlns="urn:pipesim:idg:1" version="1" name="k">
  <source kind="assumed">One instruction, since the launch alone matters.</source>
  <param name="v" value="1">vector registers</param>
  <param name="s" value="1">scalar registers</param>
  <param name="a" value="0">accumulation registers</param>
  <param name="l" value="0">bytes</param>
  <launch groups="100000" group-size="$threads" registers="v" scalar-registers="s" accumulators="a" local-memory="l"/>
  <code>
    <node name="one" class="fadd"/>
  </code>
</idg>
END
    my @words;
    for my $number ( 0 .. 3 ) {
        my %seen;
        my @values = grep { !$seen{$_}++ } map { $_->[$number] } @theirs;
        push @words, '--vary ' . (qw(v s a l))[$number] . '=' . join ',', @values;
    }
    my ( $head, @rows ) = split /\n/, scalar qx($program sweep $graph --gpu $card @words --format csv 2>$folder/said);
    my @names = split /,/, $head // '';
    return map {
        my %has;
        @has{@names} = split /,/;
        ( join( ',', @has{qw(v s a l)} ) => $has{active_groups} )
    } @rows;
}

my ($llc) = grep { qx($_ --version 2>/dev/null) =~ /LLVM version (\d+)/ && $1 >= 19 && qx($_ --version) =~ /amdgcn/ } 'llc', map { "llc-$_" } 19 .. 30;
plan skip_all => "llc of LLVM 19 or later, with AMD's GPUs, is not installed" if !$llc;
for my $card ( sort keys %cards ) {
    my ( $chip, $simds ) = @{ $cards{$card} };
    my $cdna    = $chip !~ /^gfx1/;
    my $threads = $simds * ( $cdna ? 64 : 32 );
    my @theirs  = by_llvm( $llc, $chip, $threads, $cdna ? \@accumulators : [-1] );
  SKIP: {
        skip "$llc does not know $chip", 1 if !@theirs;
        my %ours = by_us( $card, $threads, @theirs );
        my ( $same, @differ ) = (0);
        for my $one (@theirs) {
            my $name = join ',', @$one[ 0 .. 3 ];
            # CDNA's dispatcher holds a SIMD to 8 waves, of the 10 that it has room for on gfx908.
            my $waves = $cdna && $one->[4] > 8 ? 8 : $one->[4];
            $same += ( $ours{$name} // -1 ) == $waves;
            push @differ, "$name: " . ( $ours{$name} // 'none' ) . ", by LLVM $waves" if ( $ours{$name} // -1 ) != $waves;
        }
        is( "@differ[0 .. ($#differ < 5 ? $#differ : 5)]", '', "$card: $same of " . @theirs . " kernels have LLVM's occupancy" );
    }
}
done_testing;
