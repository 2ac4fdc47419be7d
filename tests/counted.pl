# SPDX-License-Identifier: BSD-3-Clause
# Threads of a warp go round a loop unlike often, and groups are of many kinds, few of which the graph has: where all
# groups were executed, it computes what they did.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my $folder  = tempdir( CLEANUP => 1 );

# Every thread adds as often as a table has it.
open my $out, '>', "$folder/adds.ptx" or die $!;
print {$out} <<'END';
.version 8.0
.target sm_80
.address_size 64
.visible .entry adds(.param .u64 times, .param .u64 sums)
{
    .reg .pred %p<2>; .reg .b32 %r<9>; .reg .f32 %f<3>; .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [times];
    ld.param.u64 %rd2, [sums];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %rd3, %r4, 4;
    add.u64 %rd4, %rd1, %rd3;
    ld.global.u32 %r5, [%rd4];
    mov.f32 %f1, 0f00000000;
LOOP:
    add.f32 %f1, %f1, 0f3F800000;
    sub.u32 %r5, %r5, 1;
    setp.ne.u32 %p1, %r5, 0;
    @%p1 bra LOOP;
    add.u64 %rd5, %rd2, %rd3;
    st.global.f32 [%rd5], %f1;
    ret;
}
END
close $out or die $!;

# Operations of so many groups of threads: those that are told, as a share of those that there are.
sub told {
    my ( $groups, $threads, $times, $options ) = @_;
    my @times = map { $times->( $_, int( $_ / $threads ) ) } 0 .. $groups * $threads - 1;
    my $truth = 0;
    $truth += $_ for @times;
    open my $table, '>:raw', "$folder/times.bin" or die $!;
    print {$table} pack 'V*', @times;
    close $table or die $!;
    my $buffers = "--arg times=\@$folder/times.bin --arg sums=zero:" . 4 * @times;
    my $launch  = "--from ptx --registers none --gpu a100 --grid $groups --block $threads $buffers $options";
    my $answer  = decode_json( scalar qx($program run $folder/adds.ptx $launch --format json 2>/dev/null) );
    return $answer->{result}{gflops} * 1e9 * $answer->{result}{seconds} / $truth;
}

# Numbers with no pattern in them.
sub mixed { return ( $_[0] * 2654435761 % 2**32 ) >> 16 }

my %launches = (
    'lanes that differ'        => [ 200, 64, sub { 1 + mixed( $_[0] ) % 60 } ],
    'groups that differ'       => [ 300, 32, sub { 1 + mixed( $_[1] ) % 90 } ],
    'both'                     => [ 200, 96, sub { 1 + mixed( $_[0] ) % ( 1 + mixed( $_[1] + 7 ) % 80 ) } ],
    'one lane, or all'         => [ 200, 64, sub { $_[0] % 32 == 0 || mixed( $_[1] ) % 2 ? 99 : 1 } ],
    'a few lanes of one group' => [ 250, 64, sub { $_[1] == 99 && $_[0] % 32 < 3 ? 900 : 8 } ],
);
for my $name ( sort keys %launches ) {
    for my $options ( '', '--sample all' ) {
        my $share = told( @{ $launches{$name} }, $options );
        cmp_ok( abs( $share - 1 ), '<', 0.01, "$name, all executed: $share of its operations $options" );
    }
}
done_testing();
