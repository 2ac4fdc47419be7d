# SPDX-License-Identifier: BSD-3-Clause
# Copies of 128 MiB on every GPU: never faster than the bandwidth of device memory allows, and with 4 bytes per
# thread or more at most 5 % slower, beside what the launch costs. With 1 and 2 bytes something else may be the limit,
# which docs/fidelity.md names, and with more where all warps together cannot have as much on the way as device memory
# could bring in the meantime (Little's law). A description that states levels of memory gets there by itself; without them
# the time is that of accesses of 4 bytes, and the ceiling of the roofline keeps wide ones from being
# faster than memory.
use strict;
use warnings;
use lib 'tests/validate';
use fidelity;
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my @gpus = glob 'gpus/*.xml';
open my $table, '-|', 'tests/validate/copies.pl', @gpus or die "copies.pl: $!\n";
my @rows = fidelity::table_of( $table, "\t" );
is( close $table, 1, 'every copy is simulated' );
is( scalar @rows, 5 * @gpus, 'five widths for each GPU' );

# Microseconds of a launch, and bytes per microsecond that a copy can move at most with that many bytes per thread:
# each thread has one load on the way, its place is taken until the next group's, and a store goes with each.
sub facts {
    my ( $gpu, $bytes ) = @_;
    my $xml = qx($program show gpus/$gpu --xml);
    my %is = map { $_ => $xml =~ / $_="([0-9.]+)"/ ? $1 : 0 } qw(compute-units clock boost-clock warps warp-size kernel-launch turnaround);
    my ($device) = $xml =~ /(<level name="device".*)/ or return ( 0, 9e99 );
    my ( $latency, $at ) = map { $device =~ / $_="([0-9.]+)"/ ? $1 : undef } qw(latency at);
    my $clock = fidelity::slurp("gpus/$gpu") =~ /\sextends="/ && $is{'boost-clock'} || $is{clock};
    my $taken = $latency / ( $at // $clock ) + $is{turnaround} / $clock;
    return ( $is{'kernel-launch'}, 2 * $is{'compute-units'} * $is{warps} * $is{'warp-size'} * $bytes / $taken );
}

for my $row (@rows) {
    my ( $launch, $most ) = facts( $row->{gpu}, $row->{bytes} );
    my $what = "$row->{gpu}, $row->{bytes} bytes per thread";
    is( $row->{occupancy}, 100, "$what: all warps" );
    cmp_ok( $row->{result}, '>=', 0.999 * $row->{least}, "$what: not faster than memory" );
    cmp_ok( $row->{result}, '<=', 1.05 * $row->{least} + $launch, "$what: no slower than memory" )
      if $row->{bytes} >= 4 && $most * $row->{least} >= 2 * 2**27;
    next unless $row->{levels};
    is( $row->{simulated}, $row->{result}, "$what: without the roofline's help" );
    is( $row->{moved}, '1.000', "$what: device memory moves every byte once" );
}
done_testing;
