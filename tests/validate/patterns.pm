# SPDX-License-Identifier: BSD-3-Clause
# Everyday access patterns as kernels in PTX, and what the model says that one request of each costs.
#
# A pattern is a line of words: an operation, then what differs from a dense access of a warp in which no two lanes share:
#     load|store|atomic|reduce SPACE WIDTH   an access of so many bytes a lane; atomic returns what was there, reduce does not
#     pair                                   a load of 4 bytes of global memory, then one of shared memory
#     matrices                               ldmatrix.x4, of which lanes state the addresses of rows
#     vote, shuffle, redux                   within a warp, without memory
#     mix floats=N integers=N logic=N        so many multiply-adds in single precision, of integers, logical operations in turns
#     lanes=N stride=BYTES                   N lanes lie so far from each other, the next N at the same addresses
#     share=N                                N neighbouring lanes share an address
#     warps=N apart=BYTES                    warps take turns at N places that lie so far from each other
#     random=N                               lanes go to one of N words at random, to others each time
#     copy global 4 words=N stride=BYTES     a whole launch: each of N threads copies a word, between arrays of N words, and begins anew
#                                            where the array ends; its time is what a timer round it sees
# Shared memory and L1 are those of a compute unit, so what is asked for is its cycles for a request of a warp.
package patterns;
use strict;
use warnings;
use File::Temp;

my $folder  = File::Temp->newdir;
my $threads = 1024;

# How often the pattern stands in the loop, and how often that goes round: arithmetic is so quick that the loop's own instructions
# and the launch would count.
sub unroll  { return $_[0]{operation} eq 'mix' ? 256 : 64 }
sub repeats { return $_[0]{operation} eq 'mix' ? 32  : 8 }

# A pattern's words: operation, space, width, and what is stated, with defaults.
sub parts {
    my ($pattern) = @_;
    my ( $operation, @words ) = split ' ', $pattern;
    my %of = ( operation => $operation, space => 'none', width => 4, lanes => 32, share => 1, warps => 1, apart => 128 );
    for (@words) {
        if    (/^(\w+)=(\d+)$/) { $of{$1}     = $2 }
        elsif (/^\d+$/)         { $of{width} = $_ }
        else                    { $of{space} = $_ }
    }
    $of{stride} //= $operation eq 'matrices' ? 16 : $of{width};
    $of{space} = 'shared' if $operation eq 'matrices';
    return \%of;
}

# Arithmetic of several sorts: after each step each is as far as its share of all. What waits for each other has a register.
sub mix {
    my ($of) = @_;
    my @sorts = (
        [ $of->{floats}   // 0, 'fma.rn.f32 %%f%d, %%f%1$d, %%f7, %%f7;' ],
        [ $of->{integers} // 0, 'mad.lo.u32 %%m%d, %%m%1$d, %%m7, %%m7;' ],
        [ $of->{logic}    // 0, 'lop3.b32 %%l%d, %%l%1$d, %%l7, %%l6, 0x96;' ],
    );
    my $all = 0;
    $all += $_->[0] for @sorts;
    my $text = '';
    for my $step ( 0 .. $all - 1 ) {
        for my $sort (@sorts) {
            my ( $count, $format ) = @$sort;
            my @now = int( $count * $step / $all ) .. int( $count * ( $step + 1 ) / $all ) - 1;
            $text .= '  ' . sprintf( $format, $_ % 4 ) . "\n" for @now;
        }
    }
    return $text;
}

# The instruction, number I of those in the loop, as PTX.
sub instruction {
    my ( $of, $i ) = @_;
    my ( $operation, $space, $width ) = @$of{qw(operation space width)};
    return mix($of) if $operation eq 'mix';
    my $type   = $width < 4 ? 'u' . 8 * $width : $width > 4 ? 'v' . $width / 4 . '.u32' : 'u32';
    my @name   = map { "%v$_" } $width > 4 ? 0 .. $width / 4 - 1 : $width == 4 ? 0 : ('s');
    my $value  = @name > 1 ? '{' . join( ', ', @name ) . '}' : $name[0];
    my $global = '[%address]';
    my %text = (
        load     => "ld.$space.$type $value, $global;",
        store    => "st.$space.$type $global, $value;",
        atomic   => "atom.$space.add.u32 %v0, $global, %v1;",
        reduce   => "red.$space.add.u32 $global, %v1;",
        pair     => 'ld.global.u32 %v0, [%address]; ld.shared.u32 %v1, [%local];',
        matrices => 'ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%v0, %v1, %v2, %v3}, [%address];',
        vote     => 'vote.sync.ballot.b32 %v0, %p, 0xffffffff;',
        shuffle  => 'shfl.sync.bfly.b32 %v0, %v1, 1, 0x1f, 0xffffffff;',
        redux    => 'redux.sync.add.s32 %v0, %v1, 0xffffffff;',
    );
    my $next = $of->{random} ? sprintf 'mad.lo.u32 %%seed, %%seed, 1664525, 1013904223; shr.u32 %%t, %%seed, 16; and.b32 %%t, %%t, %d; '
      . 'shl.b32 %%t, %%t, 2; cvt.u64.u32 %%wide, %%t; add.u64 %%address, %%base, %%wide; ', $of->{random} - 1 : '';
    return "  $next$text{$operation}\n";
}

# Neighbours' seeds become independent of each other.
my $scramble = join ' ', map { "shr.u32 %n, %seed, $_->[0]; xor.b32 %seed, %seed, %n; mul.lo.u32 %seed, %seed, $_->[1];" }
  [ 15, 739982445 ], [ 12, 695872825 ];

# The whole kernel: where lanes go is computed from arguments, so nothing about it is known to a compiler.
sub kernel {
    my ($of) = @_;
    my $body = join '', map { instruction( $of, $_ ) } 1 .. unroll($of);
    my $base =
        $of->{space} eq 'shared'   ? 'mov.u64 %base, tile;'
      : $of->{space} eq 'constant' ? 'mov.u64 %base, table;'
      :                              'ld.param.u64 %base, [data]; cvta.to.global.u64 %base, %base;';
    my $wide = $of->{width} == 1 ? '.reg .u16 %vs;' : $of->{width} == 2 ? '.reg .u16 %vs;' : '';
    $body =~ s/\.constant\./.const./g;
    return <<"END";
.version 7.8
.target sm_80
.address_size 64
.const .align 16 .b8 table[16384];
.visible .entry pattern(.param .u64 data, .param .u32 shift, .param .u32 mask, .param .u32 stride, .param .u32 warps,
    .param .u32 apart, .param .u32 times)
{
  .shared .align 16 .b8 tile[16384];
  .reg .u32 %v<4>; $wide .reg .u32 %lane, %warp, %t, %n, %i, %seed; .reg .u64 %base, %address, %local, %wide; .reg .pred %p;
  .reg .f32 %f<8>; .reg .b32 %m<8>, %l<8>;
  mov.u32 %lane, %tid.x;
  shr.u32 %warp, %lane, 5;
  mov.u32 %t, %ctaid.x;
  mad.lo.u32 %seed, %t, 1024, %lane;
  mad.lo.u32 %warp, %t, 32, %warp;
  mul.lo.u32 %seed, %seed, 747796405;
  @{[ $of->{random} ? $scramble : '' ]}
  and.b32 %lane, %lane, 31;
  mov.u32 %v0, %lane; mov.u32 %v1, %lane; mov.u32 %v2, %lane; mov.u32 %v3, %lane;
  @{[ $wide ? 'cvt.u16.u32 %vs, %lane;' : '' ]}
  @{[ join ' ', map { "cvt.rn.f32.u32 %f$_, %lane; add.u32 %m$_, %lane, $_; add.u32 %l$_, %lane, $_;" } $of->{operation} eq 'mix' ? 0 .. 7 : () ]}
  setp.ne.u32 %p, %seed, 0;
  ld.param.u32 %t, [shift];
  shr.u32 %lane, %lane, %t;
  ld.param.u32 %t, [mask];
  and.b32 %lane, %lane, %t;
  ld.param.u32 %t, [stride];
  mul.lo.u32 %lane, %lane, %t;
  ld.param.u32 %t, [warps];
  and.b32 %warp, %warp, %t;
  ld.param.u32 %t, [apart];
  mad.lo.u32 %lane, %warp, %t, %lane;
  $base
  cvt.u64.u32 %wide, %lane;
  add.u64 %address, %base, %wide;
  mov.u64 %local, tile;
  add.u64 %local, %local, %wide;
  ld.param.u32 %n, [times];
  mov.u32 %i, 0;
again:
$body  add.u32 %i, %i, 1;
  setp.lt.u32 %p, %i, %n;
  \@%p bra again;
  ret;
}
END
}

# Both arrays have a power of two words, so that `mask` brings back what is beyond them.
sub copy {
    return <<"END";
.version 7.8
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 from, .param .u64 to, .param .u32 stride, .param .u32 mask)
{
  .reg .u32 %at, %t, %v; .reg .u64 %from, %to, %wide; .reg .f32 %f;
  mov.u32 %at, %ctaid.x;
  mov.u32 %t, %tid.x;
  mad.lo.u32 %at, %at, 256, %t;
  ld.param.u32 %t, [stride];
  mul.lo.u32 %at, %at, %t;
  ld.param.u32 %t, [mask];
  and.b32 %at, %at, %t;
  cvt.u64.u32 %wide, %at;
  ld.param.u64 %from, [from]; cvta.to.global.u64 %from, %from; add.u64 %from, %from, %wide;
  ld.param.u64 %to, [to]; cvta.to.global.u64 %to, %to; add.u64 %to, %to, %wide;
  ld.global.f32 %f, [%from];
  add.f32 %f, %f, %f;
  st.global.f32 [%to], %f;
  ret;
}
END
}

# The path of a file that has the pattern's kernel.
sub file_of {
    my ( $pattern, $of ) = @_;
    my $path = "$folder/" . ( $pattern =~ s/[^a-z0-9]+/-/gr ) . '.ptx';
    return $path if -e $path;
    open my $file, '>', $path or die "$path: $!\n";
    print {$file} $of->{operation} eq 'copy' ? copy() : kernel($of);
    close $file or die "$path: $!\n";
    return $path;
}

# Words for pipesim: a copy, by groups of 256 threads.
sub copy_of {
    my ( $path, $gpu, $of ) = @_;
    my $bytes = 4 * $of->{words};
    my %argument = ( from => "zero:$bytes", to => "zero:$bytes", stride => $of->{stride}, mask => $bytes - 1 );
    return [
        $path, '--from', 'ptx', '--gpu', $gpu, '--grid', $of->{words} / 256, '--block', 256, '--registers', 16,
        map { ( '--arg', "$_=$argument{$_}" ) } qw(from to stride mask)
    ];
}

# Words for pipesim: the pattern by all compute units, of which each has one group of 32 warps.
sub run_of {
    my ( $pattern, $gpu, $units, $mhz ) = @_;
    my $of   = parts($pattern);
    my $path = file_of( $pattern, $of );
    return copy_of( $path, $gpu, $of ) if $of->{operation} eq 'copy';
    my $reach = ( 32 / $of->{share} ) * $of->{stride} + 32 * $units * ( $of->{warps} > 1 ? $of->{apart} : 0 ) + 4096;
    my %argument = (
        data => "zero:$reach", shift => log( $of->{share} ) / log 2, mask => $of->{lanes} - 1, stride => $of->{stride},
        warps => $of->{warps} - 1, apart => $of->{apart}, times => repeats($of)
    );
    return [
        $path, '--from', 'ptx', '--gpu', $gpu, '--grid', $units, '--block', $threads, '--registers', 32, '--overheads', 'off', '--no-dead',
        '--no-merge-loads', '--arg', 'table=zero:16384', ( $mhz ? ( '--clock', $mhz ) : () ),
        map { ( '--arg', "$_=$argument{$_}" ) } qw(data shift mask stride warps apart times)
    ];
}

# What an answer says of the pattern, in the unit: cycles of a compute unit for a request of a warp, or 10^9 per second of
# requests, of lanes, or of sectors (one for each lane), of the whole GPU; microseconds of a launch.
sub figure {
    my ( $pattern, $unit, $answer, $units ) = @_;
    return 1e6 * ( $answer->{result}{timed_seconds} // $answer->{result}{seconds} ) if $unit eq 'us';
    my $of       = parts($pattern);
    my $requests = repeats($of) * unroll($of) * $threads / 32;
    my $seconds  = $answer->{simulated}{seconds};
    return $answer->{simulated}{cycles} / $requests if $unit eq 'cycles';
    my %each = ( requests => 1, lanes => 32, sectors => 32 );
    return $each{$unit} * $requests * $units / $seconds / 1e9;
}

1;
