# SPDX-License-Identifier: BSD-3-Clause
# Copies of 128 MiB on every GPU: never faster than the bandwidth of device memory allows, and with 4 bytes per
# thread or more at most 5 % slower. With 1 and 2 bytes something else may be the limit, which
# docs/fidelity.md names. A description that states levels of memory gets there by itself; without them
# the time is that of accesses of 4 bytes, and the ceiling of the roofline keeps wide ones from being
# faster than memory.
use strict;
use warnings;
use lib 'tests/validate';
use fidelity;
use Test::More;

my @gpus = glob 'gpus/*.xml';
open my $table, '-|', 'tests/validate/copies.pl', @gpus or die "copies.pl: $!\n";
my @rows = fidelity::table_of( $table, "\t" );
is( close $table, 1, 'every copy is simulated' );
is( scalar @rows, 5 * @gpus, 'five widths for each GPU' );

for my $row (@rows) {
    my $what = "$row->{gpu}, $row->{bytes} bytes per thread";
    is( $row->{occupancy}, 100, "$what: all warps" );
    cmp_ok( $row->{result}, '>=', 0.999 * $row->{least}, "$what: not faster than memory" );
    cmp_ok( $row->{result}, '<=', 1.05 * $row->{least}, "$what: no slower than memory" ) if $row->{bytes} >= 4;
    next unless $row->{levels};
    is( $row->{simulated}, $row->{result}, "$what: without the roofline's help" );
    is( $row->{moved}, '1.000', "$what: device memory moves every byte once" );
}
done_testing;
