# SPDX-License-Identifier: BSD-3-Clause
# Copies of 1 GiB on every GPU, launch and all: never faster than the bandwidth of device memory allows, and with 4 bytes
# per thread or more at most 5 % slower; or, where 4 bytes per thread are too few for a fast memory, no slower
# than what all warps together can have on the way (Little's law). With 1 and 2 bytes
# something else may be the limit, which docs/evidence/fidelity.md names. A description that states levels of memory gets there by
# itself; without them the time is that of accesses of 4 bytes, and the ceiling of the roofline keeps wide ones from being
# faster than memory. Where somebody measured such a copy, it is met within 5 %.
use strict;
use warnings;
use lib 'tests/validate';
use fidelity;
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my $size = 2**30;
my @gpus = glob 'gpus/*.xml';
open my $table, '-|', 'tests/validate/copies.pl', @gpus or die "copies.pl: $!\n";
my @rows = fidelity::table_of( $table, "\t" );
is( close $table, 1, 'every copy is simulated' );
is( scalar @rows, 5 * @gpus, 'five widths for each GPU' );

# GB/s of copies that were measured, reads and writes together. Most are gpu-stream's of gpu-benches (RRZE-HPC): "scale" of
# doubles at full occupancy; the sources in the descriptions name the others.
my %measured = (
    'a100'   => 1382,
    'a100-80'   => 1737,
    'a40'       => 653,
    'h100-pcie' => 1704,
    'l40'       => 776,
    'mi210'     => 1362,
    'mi300x'    => 3997,
    'rtx3090'   => 863,
    'rtx4090'   => 920,
    'rtx5090'   => 1520,
    'rx6900xt'  => 457,
    'v100'      => 809,
);

# Microseconds that a copy takes at least if its warps have too little on the way (Little's law): each thread has one load
# on the way, and its place is taken for as long as its group runs alone, and until the next one's turn; where loads wait for a
# memory that is busy, for that, too: no load waits longer than where reads and writes are as many (queue-mixed).
sub little {
    my ( $gpu, $bytes ) = @_;
    my $xml = qx($program show gpus/$gpu --xml);
    my %is = map { $_ => $xml =~ / $_="([0-9.]+)"/ ? $1 : 0 } qw(compute-units clock boost-clock load-clock warps warp-size turnaround queue-mixed);
    my $clock = $is{'load-clock'} || $is{'boost-clock'} || $is{clock};
    my ($alone) = fidelity::answers(
        [
            'tests/validate/streams.ptx', '--kernel', "copy$bytes", '--gpu', "gpus/$gpu", '--overheads', 'off',
            '--grid', 1, '--block', 256, '--registers', 16, '--arg', '0=zero:4096', '--arg', '1=zero:4096'
        ]
    );
    my $taken = 1e6 * $alone->{simulated}{seconds} + $is{turnaround} / $clock + $is{'queue-mixed'} / 1000;
    return $size / $bytes * $taken / ( $is{'compute-units'} * $is{warps} * $is{'warp-size'} );
}

for my $row (@rows) {
    my $what = "$row->{gpu}, $row->{bytes} bytes per thread";
    is( $row->{occupancy}, 100, "$what: all warps" );
    cmp_ok( $row->{result}, '>=', 0.999 * $row->{least}, "$what: not faster than memory" );
    if ( $row->{bytes} >= 4 ) {
        my $little = $row->{result} > 1.05 * $row->{least} ? little( $row->{gpu}, $row->{bytes} ) : 0;
        my $limit = $little > $row->{least} ? $little : 1.05 * $row->{least};
        cmp_ok( $row->{result}, '<=', $limit, "$what: no slower than memory" );
    }
    my $copy = $measured{ $row->{gpu} =~ s/\.xml$//r };
    cmp_ok( abs( 2 * $size / ( 1000 * $row->{result} ) / $copy - 1 ), '<=', 0.05, "$what: as fast as measured" ) if $copy && $row->{bytes} == 8;
    next unless $row->{levels};
    is( $row->{simulated}, $row->{result}, "$what: without the roofline's help" );
    is( $row->{moved}, '1.000', "$what: device memory moves every byte once" );
}
done_testing;
