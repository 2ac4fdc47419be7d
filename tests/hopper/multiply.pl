#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Prints multiply(): the instruction that multiplies 64 rows by so many columns, 32 bytes deep, as CUDA.
#
#     tests/hopper/multiply.pl bf16|e4m3 COLUMNS
use strict;
use warnings;

my ( $type, $columns ) = @ARGV;
die "usage: multiply.pl bf16|e4m3 COLUMNS\n" if @ARGV != 2;
my $n     = $columns / 2;
my $list  = join ', ', map { "%$_" } 0 .. $n - 1;
my $in    = join ', ', map { "\"+f\"(d[$_])" } 0 .. $n - 1;
my $of    = join ', ', map { '%' . ( $n + $_ ) } 0 .. 1;
my $deep  = $type eq 'bf16' ? 16            : 32;
my $ends  = $type eq 'bf16' ? '1, 1, 0, 0' : '1, 1';
print <<"END";
__device__ void multiply(float (&d)[$n], uint64_t a, uint64_t b, int keeps)
{
    asm volatile("{\\n.reg .pred p;\\nsetp.ne.b32 p, %@{[ $n + 2 ]}, 0;\\n"
        "wgmma.mma_async.sync.aligned.m64n${columns}k$deep.f32.$type.$type {$list}, $of, p, $ends;\\n}"
        : $in : "l"(a), "l"(b), "r"(keeps));
}
END
