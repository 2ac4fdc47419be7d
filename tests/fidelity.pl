# SPDX-License-Identifier: BSD-3-Clause
# What docs/fidelity.md shows is what the program says, and no error is above its bound. Bounds are for
# sets, not for launches, so that a rule that mends many may make some worse. Of Rodinia's launches, the
# tree has some graphs; the page shows them all.
use strict;
use warnings;
use lib 'tests/validate';
use fidelity;
use File::Temp;
use Test::More;

my $folder = File::Temp->newdir;
my $page   = fidelity::slurp('docs/fidelity.md');

# What the page has under that name.
sub shown {
    my ($name) = @_;
    return $page =~ /<!-- \Q$name\E -->\n(.*?)\n<!-- end -->/s ? $1 =~ s/^\n+//r : undef;
}

# A script's table, as a file.
sub made {
    my ( $name, @command ) = @_;
    is( system("@command >$folder/$name"), 0, "@command" );
    return "$folder/$name";
}

# The measured figures that the page quotes, as a file.
sub quoted {
    my ($name) = @_;
    open my $file, '>', "$folder/quoted" or die "quoted: $!\n";
    print {$file} shown("measured $name");
    close $file or die "quoted: $!\n";
    return "$folder/quoted";
}

sub is_shown {
    my ( $name, $part, $file ) = @_;
    is( scalar qx(tests/validate/tables.pl $part $file), shown($name), "docs/fidelity.md shows $name; if not: make fidelity" );
}

sub below {
    my ( $value, $bound, $what ) = @_;
    cmp_ok( $value, '<=', $bound, sprintf '%s: %.2f, at most %s', $what, $value, $bound );
}

my $launches = made( 'launches', 'tests/validate/launches.pl' );
my @rows     = fidelity::table( $launches, "\t" );
my @graphs   = glob 'tests/validate/graphs/rodinia/*.idg';
my %held     = map { join( '-', @$_{qw(benchmark kernel)}, $_->{input} =~ s/^matrix//r ) => 1 } @rows;
is( scalar keys %held, scalar @graphs, 'every graph is of a launch that was measured' );

my %shown = map { $_ => 1 } split /\n/, shown('rows');
my @lost  = grep { !$shown{$_} } split /\n/, scalar qx(tests/validate/tables.pl rows $launches);
is( "@lost", '', 'docs/fidelity.md shows these launches; if not: RODINIA=FOLDER make fidelity' );

# With the description's one launch constant, and with each machine's own (see docs/fidelity.md).
for ( [ 'simulated', 23, 12, 0.91 ], [ 'own', 14, 10, 0.98 ] ) {
    my ( $column, $all, $long, $rank ) = @$_;
    my @of     = map { { %$_, simulated => $_->{$column} } } @rows;
    my $errors = fidelity::errors(@of);
    below( $errors->{mean}, $all, "$column: mean absolute error of all launches in %" );
    below( fidelity::errors( grep { $_->{measured} > 20000 } @of )->{mean}, $long, '... of those above 20 000 cycles' );
    below( -$errors->{spearman}, -$rank, '... and less the rank correlation' );
}

# Hit rates; those of cuda_compute_flux are of another mesh than the one that was measured.
my @counted = grep { $_->{machine} eq 'Lassen' && $_->{kernel} ne 'cuda_compute_flux' } @rows;
my %hits = ( l1 => 3, l2 => 4 );
for my $level ( sort keys %hits ) {
    below( fidelity::mean( fidelity::off( $level, @counted ) ), $hits{$level}, "$level hit rates are off by points, in the mean" );
    my %of;
    push @{ $of{ $_->{kernel} } }, $_ for @counted;
    below( fidelity::mean( fidelity::off( $level, @{ $of{$_} } ) ), 6, "... of $_" ) for sort keys %of;
}

my %sweep = ( v100 => [ 1380, 9 ], mi100 => [ 1502, 19 ] );
for my $gpu ( sort keys %sweep ) {
    my ( $clock, $bound ) = @{ $sweep{$gpu} };
    my $streams = made( $gpu, 'tests/validate/streams.pl', quoted($gpu), "$gpu.xml", $clock );
    is_shown( "sweep $gpu", 'sweep', $streams );
    below( fidelity::errors( fidelity::table( $streams, "\t" ) )->{mean}, $bound, "streams of $gpu, mean absolute error in %" );
}

my $mixes = made( 'mixes', 'tests/validate/mixes.pl', quoted('rtx2070'), 'rtx2070.xml', 1829 );
is_shown( 'mixes', 'mixes', $mixes );
below( fidelity::errors( fidelity::table( $mixes, "\t" ) )->{mean}, 9, 'mixbench, mean absolute error in %' );
is_shown( 'copies', 'copies', made( 'copies', 'tests/validate/copies.pl', glob 'gpus/*.xml' ) );
done_testing;
