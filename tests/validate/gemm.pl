#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# The corpus' product of tensor cores, 4096 x 4096 x 4096, against what NVIDIA's library was measured to reach on the same
# GPU (the sources are in docs/evidence/fidelity.md): prints a table with tabs. "path" is what the critical path goes to, by
# pipeline, as --explain has it.
#
#     tests/validate/gemm.pl
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use fidelity;

my $size    = 4096;
my $ptx     = dirname(__FILE__) . '/../corpus/gemm-tensor.ptx';
my @library = ( [ 'a100-80', 200.7 ], [ 'rtx3090', 65.5 ], [ 'rtx4090', 179.2 ] );
my @launch  = (
    '--grid', join( 'x', $size / 256, $size / 128 ), '--block', 256, '--shared', 73728, '--registers', 227, map { ( '--arg', $_ ) } 'a=zero:32M',
    'b=zero:32M', 'c=zero:64M', "n=$size", "k=$size"
);

my @answers = fidelity::answers( map { [ $ptx, '--gpu', $_->[0], @launch, '--explain' ] } @library );
my @rows    = map {
    my ( $gpu, $reached ) = @{ shift @library };
    my $rate = 2 * $size**3 / $_->{result}{seconds} / 1e12;
    my @path = map { [ $_->{pipeline} // 'no pipeline', 100 * $_->{share} ] } @{ $_->{critical_path}{by_pipeline} };
    {
        gpu     => $gpu,
        time    => sprintf( '%.1f',     1e6 * $_->{result}{seconds} ),
        peak    => sprintf( '%.1f',     2 * $size**3 / $_->{roofline}{ceiling_seconds} / 1e12 ),
        rate    => sprintf( '%.1f',     $rate ),
        library => sprintf( '%.1f',     $reached ),
        share   => sprintf( '%.1f',     100 * $rate / $reached ),
        path    => join( ', ', map { sprintf '%s %.0f %%', @$_ } @path[ 0 .. 3 ] ),
    }
} @answers;
fidelity::write_table( [qw(gpu time peak rate library share path)], @rows );
