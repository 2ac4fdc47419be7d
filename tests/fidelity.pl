# SPDX-License-Identifier: BSD-3-Clause
# What docs/fidelity.md shows is what the program says, and no error is above its bound. Bounds are for
# sets, not for launches, so that a rule that mends many may make some worse.
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
is( scalar @rows, 332, 'every launch of the data' );
is_shown( $_, $_, $launches ) for qw(errors limits hits rows);

my $all  = fidelity::errors(@rows);
my $long = fidelity::errors( grep { $_->{measured} > 20000 } @rows );
below( $all->{mean},          42,   'mean absolute error of all launches in %' );
below( $long->{mean},         35,   'of those above 20 000 cycles' );
below( 1 - $all->{spearman}, 0.094, 'what the rank correlation lacks' );

for my $level (qw(l1 l2)) {
    my %bound = ( l1 => [ 25, 53 ], l2 => [ 10, 56 ] );
    my ( @off, %of );
    for ( grep { $_->{machine} eq 'Lassen' } @rows ) {
        push @off, abs( $_->{$level} - $_->{"${level}_hit_percent"} );
        push @{ $of{ $_->{kernel} } }, $off[-1];
    }
    below( fidelity::mean(@off), $bound{$level}[0], "$level hit rates are off by points, in the mean" );
    below( fidelity::mean( @{ $of{$_} } ), $bound{$level}[1], "... of $_" ) for sort keys %of;
}

my %sweep = ( v100 => [ 1380, 65 ], mi100 => [ 1502, 46 ] );
for my $gpu ( sort keys %sweep ) {
    my ( $clock, $bound ) = @{ $sweep{$gpu} };
    open my $quoted, '>', "$folder/quoted" or die "quoted: $!\n";
    print {$quoted} shown("measured $gpu");
    close $quoted;
    my $streams = made( $gpu, 'tests/validate/streams.pl', "$folder/quoted", "$gpu.xml", $clock );
    is_shown( "sweep $gpu", 'sweep', $streams );
    below( fidelity::errors( fidelity::table( $streams, "\t" ) )->{mean}, $bound, "streams of $gpu, mean absolute error in %" );
}

is_shown( 'copies', 'copies', made( 'copies', 'tests/validate/copies.pl', glob 'gpus/*.xml' ) );
done_testing;
