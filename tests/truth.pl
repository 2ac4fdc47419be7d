# SPDX-License-Identifier: BSD-3-Clause
# Each measured access pattern that the table bounds ("within", in percent) is met within that, and docs/evidence/truth.md has
# every measured figure. What it shows of the model is as `make truth` left it.
use strict;
use warnings;
use lib 'tests/validate';
use fidelity;
use Test::More;

open my $printed, '-|', 'tests/validate/truth.pl', 'measured' or die "truth.pl: $!\n";
my @rows = fidelity::table_of( $printed, "\t" );
close $printed;
is( $?, 0, 'every measured pattern is simulated' );
my @bound = grep { $_->{within} ne '' } @rows;
cmp_ok( scalar @bound, '>', @rows / 3, 'more than a third of them have a bound' );
for my $row (@bound) {
    my $off = 100 * abs( $row->{simulated} / $row->{measured} - 1 );
    cmp_ok( $off, '<=', $row->{within}, "$row->{pattern} on $row->{gpu}: $row->{simulated} beside $row->{measured} $row->{unit}" );
}

my $page = fidelity::slurp('docs/evidence/truth.md');
for my $row (@rows) {
    like( $page, qr/^\| `\Q$row->{pattern}\E` \| `$row->{gpu}` \|[^|]*\| \Q$row->{measured}\E \|/m, "docs/evidence/truth.md has $row->{pattern} on $row->{gpu}; if not: make truth" );
}
my ($sources) = $page =~ /\| source \| what it is \|\n(.*?)\n\n/s;
my %known = map { $_ => 1 } map { split /, / } $sources =~ /^\| ([^|]+?) \|/mg;
is( join( ', ', grep { !$known{$_} } map { $_->{source} } @rows ), '', 'every source is explained' );
done_testing;
