# SPDX-License-Identifier: BSD-3-Clause
# NVIDIA's tables of throughputs beside all descriptions that ship: a figure agrees, or its difference is named with its
# reason; each difference that is named is there; and docs/evidence/throughput.md shows both.
use strict;
use warnings;
use lib 'tests/validate';
use fidelity;
use throughput;
use Test::More;

my @differences = throughput::read_tsv('tests/validate/data/throughput-differences.tsv');
my @compared    = throughput::compared();
cmp_ok( scalar @compared, '>', 2000, 'every table meets descriptions' );

my %differs;
for my $one (@compared) {
    next if throughput::agrees($one);
    my $allowed = throughput::allowed( $one, @differences );
    $differs{"$allowed->{table}, $allowed->{row}, $_"}++ for $allowed ? ( $one->{capability}, $one->{gpu} ) : ();
    ok( $allowed, "$one->{table}: $one->{row}, $one->{class} on $one->{gpu}: $one->{said}, here " . ( $one->{here} // 'none' ) );
}

# Which families have no card in the tree is no fault of the difference.
my %capability = map { $_->{capability} => 1 } @compared;
for my $difference (@differences) {
    isnt( $difference->{reason}, '', "$difference->{row}: a reason" );
    for my $of ( grep { !/^\d/ || $capability{$_} } split / /, "$difference->{capabilities} $difference->{cards}" ) {
        ok( $differs{"$difference->{table}, $difference->{row}, $of"}, "$difference->{table}: $difference->{row} differs on $of still" );
    }
}

my $page = fidelity::slurp('docs/evidence/throughput.md');
for my $table ( 'CUDA 13', 'CUDA 11', 'papers', 'differences' ) {
    open my $printed, '-|', 'tests/validate/throughput.pl', $table or die "throughput.pl: $!\n";
    my $text = do { local $/ = undef; <$printed> };
    close $printed;
    my ($stands) = $page =~ /<!-- \Q$table\E -->\n\n?(.*?)\n?<!-- end -->/s;
    is( $stands // '', $text, "docs/evidence/throughput.md shows $table; if not: make throughput" );
}
done_testing;
