# SPDX-License-Identifier: BSD-3-Clause
# What docs/evidence/fidelity.md shows is what the program says, and no error is above its bound. Bounds are for
# sets, not for launches, so that a rule that mends many may make some worse. Of Rodinia's launches, the
# tree has some graphs; the page shows them all.
use strict;
use warnings;
use lib 'tests/validate';
use fidelity;
use File::Temp;
use Test::More;

my $folder = File::Temp->newdir;
my $page   = fidelity::slurp('docs/evidence/fidelity.md');

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
    is( scalar qx(tests/validate/tables.pl $part $file), shown($name), "docs/evidence/fidelity.md shows $name; if not: make fidelity" );
}

sub below {
    my ( $value, $bound, $what ) = @_;
    cmp_ok( $value, '<=', $bound, sprintf '%s: %.2f, at most %s', $what, $value, $bound );
}

# The rows of that name are what a script's table gives.
sub are_rows {
    my ( $name, $part, $file ) = @_;
    is( scalar qx(tests/validate/tables.pl --tabs $part $file), fidelity::slurp("docs/evidence/rows/$name.tsv"), "docs/evidence/rows/$name.tsv; if not: make fidelity" );
}

my $launches = made( 'launches', 'tests/validate/launches.pl' );
my @rows     = fidelity::table( $launches, "\t" );
my @graphs   = glob 'tests/validate/graphs/rodinia/*.{idg,idg.gz}';
my %held     = map { join( '-', @$_{qw(benchmark kernel)}, $_->{input} =~ s/^matrix//r ) => 1 } @rows;
is( scalar keys %held, scalar @graphs, 'every graph is of a launch that was measured' );

my %shown = map { $_ => 1 } split /\n/, fidelity::slurp('docs/evidence/rows/rodinia.tsv');
my @lost  = grep { !$shown{$_} } split /\n/, scalar qx(tests/validate/tables.pl --tabs rows $launches);
is( "@lost", '', 'docs/evidence/rows/rodinia.tsv has these launches; if not: RODINIA=FOLDER make fidelity' );

# With the description's one launch constant, and with each machine's own (see docs/evidence/fidelity.md).
for ( [ 'simulated', 18, 15.5, 0.9 ], [ 'own', 12, 15.2, 0.97 ] ) {
    my ( $column, $all, $long, $rank ) = @$_;
    my @of     = map { { %$_, simulated => $_->{$column} } } @rows;
    my $errors = fidelity::errors(@of);
    below( $errors->{mean}, $all, "$column: mean absolute error of all launches in %" );
    below( fidelity::errors( grep { $_->{measured} > 20000 } @of )->{mean}, $long, '... of those above 20 000 cycles' );
    below( -$errors->{spearman}, -$rank, '... and less the rank correlation' );
}

my %kernels = (
    Fan1                     => { own => 13,  l1 => 0.5, l2 => 10.5 },
    Fan2                     => { own => 6.5, l1 => 3,   l2 => 15.5 },
    calculate_temp           => { own => 14,  l1 => 0.5, l2 => 1 },
    cuda_compute_step_factor => { own => 26,  l1 => 0.5, l2 => 0.5 },
    cuda_time_step           => { own => 4.5, l1 => 0.5, l2 => 0.5 },
    cuda_compute_flux        => { own => 41,  l1 => 28,  l2 => 27 },
);
for my $kernel ( sort keys %kernels ) {
    my @of    = grep { $_->{kernel} eq $kernel } @rows;
    my $own   = fidelity::errors( map { { %$_, simulated => $_->{own} } } @of );
    my $bound = $kernels{$kernel};
    below( $own->{mean}, $bound->{own}, "$kernel: mean absolute error in %, with the machine's own launch" );
    for my $level (qw(l1 l2)) {
        my @off = fidelity::off( $level, grep { $_->{machine} eq 'Lassen' } @of );
        below( fidelity::mean(@off), $bound->{$level}, "... hit rates of $level, off by points" );
    }
}

my @proofs = $launches;

# Waits at a busy memory come from the V100's sweep and hold for all chips with HBM. An MI100 is too slow with few warps, and
# these waits add to that: 5.2 % without them. No measurement tells what its own are.
my %sweep = ( v100 => [ 1380, 2.8 ], mi100 => [ 1502, 7.6 ] );
for my $gpu ( sort keys %sweep ) {
    my ( $clock, $bound ) = @{ $sweep{$gpu} };
    my $streams = made( $gpu, 'tests/validate/streams.pl', quoted($gpu), "$gpu.xml", $clock );
    push @proofs, $streams;
    is_shown( "sweep $gpu", 'sweep', $streams );
    below( fidelity::errors( fidelity::table( $streams, "\t" ) )->{mean}, $bound, "streams of $gpu, mean absolute error in %" );
}

my $mixes = made( 'mixes', 'tests/validate/mixes.pl', quoted('rtx2070'), 'rtx2070.xml', 1829 );
is_shown( 'mixes', 'mixes', $mixes );
below( fidelity::errors( fidelity::table( $mixes, "\t" ) )->{mean}, 7.3, 'mixbench, mean absolute error in %' );

# Our own product of tensor cores is slower than the library's, and not by much; tensor cores take more of its time than
# anything else.
my $gemm = made( 'gemm', 'tests/validate/gemm.pl' );
is_shown( 'gemm', 'gemm', $gemm );
for my $row ( fidelity::table( $gemm, "\t" ) ) {
    below( $row->{share},  100, "$row->{gpu}: a product of tensor cores, in % of the library's rate" );
    below( -$row->{share}, -60, '... and not far from it' );
    like( $row->{path}, qr/^tensor \d+ %,/, '... where nothing takes more of the time than tensor cores' );
}

# A mesh in the format of Rodinia's own, some of whose border is wing, is read as what it was made of.
my @made = unpack 'l<*', qx(tests/validate/mesh.pl 600 768);
$_ = -1 for grep { $_ == -2 } @made[ 0 .. 99 ];
my $text = "600\n" . join '', map {
    my $i = $_;
    '0.5 ' . join( ' ', map { ( $_ == -2 ? -4 : $_ + 1 ) . ' 0.1 -0.2 1e-3' } @made[ map { $i + 768 * $_ } 0 .. 3 ] ) . "\n";
} 0 .. 599;
open my $mesh, '>', "$folder/mesh" or die "mesh: $!\n";
print {$mesh} $text;
close $mesh or die "mesh: $!\n";
is_deeply( [ unpack 'l<*', qx(tests/validate/mesh.pl 600 768 $folder/mesh) ], \@made, "a mesh of Rodinia's is read" );

# Other GPUs. What made a description is not among these figures (docs/evidence/fidelity.md says what is), so bounds are what is
# reached, rounded up: they are there to catch what gets worse.
my $data      = 'tests/validate/data';
my $streams   = made( 'streams', 'tests/validate/streams.pl', "$data/gpu-stream.tsv" );
my $rooflines = made( 'rooflines', 'tests/validate/rooflines.pl', "$data/gpu-roofline.tsv" );
my $figures   = made( 'figures', 'tests/validate/figures.pl', "$data/cards.tsv" );
is_shown( 'summary', 'summary', "$streams $rooflines $figures" );
is_shown( 'occupancy', 'occupancy', $streams );
are_rows( 'streams', 'sweeps', $streams );
is_shown( 'rooflines', 'rooflines', $rooflines );
is_shown( 'products', 'products', $figures );
are_rows( $_, $_, $figures ) for qw(rates chases cycles);

# The mean absolute error of rows in percent.
sub error_below {
    my ( $bound, $what, @of ) = @_;
    cmp_ok( scalar @of, '>', 0, "$what: there are figures" );
    below( fidelity::errors(@of)->{mean}, $bound, "$what, mean absolute error in %" );
    return;
}
my @stream = fidelity::table( $streams, "\t" );
my %stream_bound = (
    'a100'         => 3.2,
    'a100-80'      => 3.4,
    'a40'          => 3.4,
    'h100-pcie'    => 3.8,
    'gh200'        => 4.2,
    'l40'          => 2.9,
    'mi210'        => 6.5,
    'mi300x'       => 7.7,
    'rx6900xt:wgp' => 3.7,
);
for my $gpu ( sort keys %stream_bound ) {
    error_below( $stream_bound{$gpu}, "streams of $gpu", grep { $_->{gpu} eq $gpu } @stream );
}
my @roofline = fidelity::table( $rooflines, "\t" );
error_below( 0.3, 'rooflines of the A40 and L40 where memory is the limit', grep { $_->{gpu} =~ /^[al]40$/ && $_->{iters} <= 72 } @roofline );
error_below( 4.6, 'roofline of the A100', grep { $_->{gpu} eq 'a100' } @roofline );
error_below( 20,  'roofline of the MI300X', grep { $_->{gpu} eq 'mi300x' } @roofline );
my @figure = fidelity::table( $figures, "\t" );
my %kind_bound = ( rate => [ qr/^(?:a100|v100)/, 0.9 ], chase => [ qr/./, 7.6 ], chain => [ qr/^rtx2080ti/, 0.5 ], issue => [ qr/./, 6.5 ] );
for my $kind ( sort keys %kind_bound ) {
    my ( $gpus, $bound ) = @{ $kind_bound{$kind} };
    error_below( $bound, "figures of the kind '$kind'", grep { $_->{kind} eq $kind && $_->{gpu} =~ $gpus } @figure );
}
error_below( 5, 'rates of NVIDIA\'s cards', grep { $_->{kind} eq 'rate' && $_->{gpu} !~ /^mi|^rx/ } @figure );

# What answers say of their error is what these rows give.
push @proofs, $mixes, $rooflines, $streams;
is( scalar qx(tests/validate/certainty.pl --markdown @proofs), shown('certainty'), 'docs/evidence/fidelity.md shows certainty; if not: make fidelity' );
my ($known) = fidelity::slurp('answer/known-error.c') =~ m{/\* begin \*/\n(.*?) */\* end \*/}s;
is( scalar qx(tests/validate/certainty.pl @proofs), $known, '... and so does answer/known-error.c' );
my ($said) = fidelity::answers( [ 'graphs/stencil.idg', '--gpu', 'mi100.xml' ] );
my ( $rows, $mean, $worst ) = shown('certainty') =~ /^\| CDNA \| device \| (\d+) \| ([0-9.]+) % \| (\d+) % \|$/m;
is_deeply(
    { %{ $said->{how_sure}{error} }, map { $_ => sprintf '%.3g', $said->{how_sure}{error}{$_} } qw(mean worst) },
    { rows => $rows, mean => $mean / 100, worst => $worst / 100, same_architecture => JSON::PP::true },
    "an answer says so: $said->{how_sure}{limit}"
);

# Nothing that was measured beats its bound: a time in cycles, or a rate of bytes or operations.
sub within_bound {
    my ( $what, @of ) = @_;
    my @passed = grep { defined $_->{least} ? $_->{measured} < $_->{least} : $_->{measured} > $_->{most} } @of;
    cmp_ok( scalar @of, '>', 0, "$what: there are rows" );
    is( join( "\n", map { my $row = $_; join ' ', map { "$_=$row->{$_}" } sort keys %$row } @passed ), '', '... none is faster than its bound' );
    return;
}
within_bound( 'launches of Rodinia', @rows );
within_bound( $_->[0], fidelity::table( $_->[1], "\t" ) ) for [ mixbench => $mixes ], [ 'other GPUs, rooflines' => $rooflines ],
  map { [ "streams, $_", $_ ] } grep { !/launches|mixes|rooflines/ } @proofs;

# What a card says of its clock is true to a step of it, 7.5 MHz; where the clock is a ratio, nothing is known of the bound.
within_bound( 'rates of cards', map { { %$_, most => 1.006 * $_->{most} } } grep { $_->{kind} eq 'rate' && $_->{mhz} !~ /^\(/ } @figure );

# The chart has a point for each launch that there is a row of.
my $on_page  = () = fidelity::slurp('docs/evidence/rows/rodinia.tsv') =~ /^(?:cuda_|Fan|calculate_)/mg;
my $points   = () = fidelity::slurp('docs/pictures/fidelity.svg') =~ /<use [^>]*translate/g;
cmp_ok( $on_page, '>',  0,        'there are launches of Rodinia' );
cmp_ok( $points,   '>=', $on_page, '... and the chart has as many points; if not: make fidelity' );

are_rows( 'copies', 'copies', made( 'copies', 'tests/validate/copies.pl', glob 'gpus/*.xml' ) );
done_testing;
