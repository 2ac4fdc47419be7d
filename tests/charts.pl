# SPDX-License-Identifier: BSD-3-Clause
# Charts as somebody sees them: no text lies on another, on a mark or under a line, nothing leaves
# the page, the key names each thing once with a sample of its own, every axis has a name. Kernels
# and GPUs of many numbers, at one place and far apart; and all charts of docs/, drawn anew.
use strict;
use warnings;
use utf8;
use lib 'tests';
use files;
use File::Temp;
use List::Util qw(uniq);
use Test::More;
use svg;

my $program = $ENV{PIPESIM} // './pipesim';
my $folder  = File::Temp->newdir;
binmode $_, ':encoding(UTF-8)' for Test::More->builder->output, Test::More->builder->failure_output;
plan skip_all => 'gnuplot is not installed' if !grep { -x "$_/gnuplot" } split /:/, $ENV{PATH};
local $SIG{$_} = sub { exit 1 } for qw(INT TERM HUP);

sub draw {
    my ( $what, $command ) = @_;
    my $file = "$folder/chart.svg";
    unlink $file;
    my $said = qx($program $command --chart $file 2>&1 >$folder/answer);
    is( $?, 0, $what ) or diag($said);
    return -s $file ? svg::read($file) : undef;
}

# At most five of what is wrong, so that a bad chart does not fill the screen.
sub none {
    my ( $what, @found ) = @_;
    is( join( "\n", @found[ 0 .. ( $#found > 4 ? 4 : $#found ) ] ), q{}, $what );
    return;
}

# Texts that stand on their own; where there are too many for the page, lines may pass under them.
sub is_tidy {
    my ($chart) = @_;
    none( '... nothing leaves the page', $chart->outside );
    none( '... no text lies on another', $chart->on_texts );
    return;
}

sub is_clear {
    my ($chart) = @_;
    is_tidy($chart);
    none( '... no line goes through a text', $chart->on_lines );
    none( '... no text lies on a mark',     $chart->on_marks );
    return;
}

# Of a chart alone, whose key is beside it.
sub has_key {
    my ($chart) = @_;
    my @key   = $chart->key;
    my @texts = map { $_->{is} } @key;
    my @looks = grep { $_ ne q{} } map { $_->{look} } @key;
    is( scalar uniq(@texts), scalar @texts, '... the key names each thing once' ) or diag( join "\n", @texts );
    is( scalar uniq(@looks), scalar @looks, '... each with a sample of its own' ) or diag( join "\n", map { "$_->{is}: $_->{look}" } @key );
    return;
}

sub has_axes {
    my ( $chart, $x ) = @_;
    my $panels = keys %{ $chart->{frames} };
    is( scalar( grep { $_->{is} =~ $x } @{ $chart->{texts} } ), $panels, '... every horizontal axis has a name' );
    is( scalar( grep { $_->{turn} == 270 } @{ $chart->{texts} } ), $panels, '... and every vertical one' );
    return;
}

# ---- rooflines -----------------------------------------------------------------------------------

# Numbers in place of chance, the same each time: from 0 to 1.
my $state = 1;

sub chance {
    $state = ( $state * 1_103_515_245 + 12_345 ) % 2**31;
    return $state / 2**31;
}

# A profile of kernels, each [name, operations per byte, seconds or undef].
sub profile {
    my @kernels = map {
        my ( $name, $intensity, $seconds ) = @{$_};
        my $bytes    = 1e9 / $intensity;
        my $measured = defined $seconds ? qq{"measured_seconds": $seconds, } : q{};
        qq({"name": "$name", $measured"parameters": {"K_type": "fp32", "W_comp": 1e9, "W_traf": $bytes, "E_mix": 0.6, )
          . qq("D_ops": 0.5, "D_ldst": 0.3, "D_other": 0.2, "traffic": {"L1": @{[3 * $bytes]}, "L2": @{[2 * $bytes]}}}})
    } @_;
    my $file = "$folder/profile.json";
    open my $out, '>:encoding(UTF-8)', $file or die "$file: $!";
    print {$out} '{"kernels": [', join( ",\n", @kernels ), ']}';
    close $out or die "$file: $!";
    return $file;
}

sub kernels {
    my ( $n, $name, $measured ) = @_;
    return map { [ "$name$_", 10**( 4 * chance() - 1.5 ), $measured ? 10**( -2 - 2 * chance() ) : undef ] } 1 .. $n;
}

my $long   = 'void cutlass::Kernel<cutlass::gemm::threadblock::Mma<float, 128, 128> >(Params const&)';
my @inputs = (
    [ 'one kernel',                   kernels( 1,  'k',              1 ) ],
    [ 'one that is predicted',        kernels( 1,  'k',              0 ) ],
    [ 'three kernels',                kernels( 3,  'kernel',         1 ) ],
    [ 'six kernels',                  kernels( 6,  'kernel',         1 ) ],
    [ 'six that are predicted',       kernels( 6,  'kernel',         0 ) ],
    [ 'twelve kernels',               kernels( 12, 'kernel number ', 1 ) ],
    [ 'fifty kernels',                kernels( 50, 'kernel number ', 1 ) ],
    [ 'twenty kernels at one place',  map { [ "kernel number $_", 4, 1e-3 ] } 1 .. 20 ],
    [ 'five kernels at one place',    map { [ "k$_", 4, 1e-3 ] } 1 .. 5 ],
    [ 'five of nearly one rate',      map { [ "k$_", 4, 1e-3 * 1.08**$_ ] } 1 .. 5 ],
    [ 'five of nearly one intensity', map { [ "k$_", 4 * 1.15**$_, 1e-3 ] } 1 .. 5 ],
    [ 'kernels far apart', [ tiny => 1e-12, 1e6 ], [ usual => 3, 1e-3 ], [ huge => 1e12, 1e-6 ] ],
    [ 'kernels of long names',               map { [ "$long, the ${_}th", 2**$_, 1e-3 ] } 1 .. 4 ],
    [ 'names that are not of Latin letters', map { [ "核心$_", 2**$_, 1e-3 ] } 1 .. 4 ],
);
my @gpus = (
    '--clock base --gpu v100.xml',
    '--clock base --gpu pascal.xml --gpu v100.xml --gpu rtx2070.xml',
    join ' ', "--clock base", map { "--gpu $_.xml" } qw(pascal v100 rtx2070 fermi gtx660 gtx960 mi210),
);

# Where so much is at one place that lines go through some texts.
sub is_crowded {
    my ( $input, $n_gpus ) = @_;
    return 1 if $input =~ /fifty/ || $n_gpus > 3;
    return $n_gpus > 1 && $input =~ /nearly one intensity|far apart/;
}

my %x_of = ( roofline => qr/^operational intensity/, hierarchical => qr/^operational intensity/, quadrants => qr/^memory bandwidth/ );
for my $kind ( sort keys %x_of ) {
    for my $gpus (@gpus) {
        my $n_gpus = () = $gpus =~ /--gpu/g;
        for my $input ( $n_gpus > 3 ? @inputs[ 3, 6 ] : @inputs ) {
            my ( $what, @kernels ) = @{$input};
            my $profile = profile(@kernels);
            my $chart   = draw( "$kind: $what on $n_gpus", "roofline $profile $gpus --chart-kind $kind" ) or next;
            is_crowded( $what, $n_gpus ) ? is_tidy($chart) : is_clear($chart);
            has_key($chart);
            has_axes( $chart, $x_of{$kind} );
        }
    }
}

# ---- sweeps --------------------------------------------------------------------------------------

for my $sweep (
    [ 'one curve'        => 'fadd.idg --gpu pascal.xml --vary active=1..8' ],
    [ 'logarithmic axis' => 'fadd.idg --gpu pascal.xml --vary n=1000..100000000*10' ],
    [ 'curves of sizes'  => 'mmul08.idg --gpu pascal.xml --vary size=64..512*2 --vary active=2..8*2' ],
    [ 'sixteen curves'   => 'fadd.idg --gpu pascal.xml --vary n=1..16 --vary active=1,2' ],
    [ 'nine curves'      => 'mmul08.idg mmul16.idg saxpy.idg --gpu pascal.xml --gpu fermi.xml --gpu v100.xml --vary active=1..4*2' ],
  )
{
    my $chart = draw( "sweep: $sweep->[0]", "sweep $sweep->[1]" ) or next;
    is_clear($chart);
    has_key($chart);
    has_axes( $chart, $sweep->[1] =~ /vary n=1000/ ? qr/^(?:n|length of the chain)/ : qr/^active warps/ );
}

# ---- bench ---------------------------------------------------------------------------------------

for my $gpu (qw(pascal v100)) {
    my $chart = draw( "bench: $gpu", "bench --quick --noise 0.02 --backend model:$gpu.xml -o $folder/$gpu.xml --force" ) or next;
    is_clear($chart);
    has_axes( $chart, qr{^(?:instructions in flight|FLOP/byte)$} );
    my @titles = grep { $_->{anchor} eq 'middle' && abs( $_->{size} - 9 ) < 0.1 } @{ $chart->{texts} };
    is( scalar @titles, scalar keys %{ $chart->{frames} }, '... every panel has a title' );
    cmp_ok( scalar @{ $chart->{marks} }, '>', 20 * @titles, '... and points' );
}

# One panel has the whole page, and its key beside it does not leave it.
{
    my $chart = draw( 'bench: one class', "bench --quick --backend model:pascal.xml --classes 'fmadd*' -o $folder/one.xml --force" );
    is_clear($chart);
    my ($width) = map { /^M([\d.]+),.* L([\d.]+),\S+ M/ ? $2 - $1 : 0 } keys %{ $chart->{frames} };
    cmp_ok( $width, '>', 0.7 * $chart->{width}, '... one panel is as wide as the page' );
}

# ---- docs ----------------------------------------------------------------------------------------

# What stands in a chart, but for the numbers at axes, which another gnuplot may choose otherwise.
sub words {
    my ($chart) = @_;
    return join "\n", sort grep { /[[:alpha:]]{2}/ } map { $_->{is} } @{ $chart->{texts} };
}

mkdir "$folder/drawn" or die $!;
{
    local $ENV{OUT}     = "$folder/drawn";
    local $ENV{PIPESIM} = $program;
    my $said = qx(docs/make/draw.sh 2>&1);
    is( $?, 0, 'docs/make/draw.sh draws' ) or diag($said);
}
my %shown;
for my $page ( glob 'docs/*/*.md' ) {
    $shown{"docs/pictures/$_"} = 1 for slurp($page) =~ m{^!\[.+\]\(\.\./pictures/(.+)\)$}gm;
}
is_deeply( [ sort keys %shown ], [ sort glob 'docs/pictures/*' ], 'all pictures of docs/ are shown by a page' );
for my $file ( sort grep { /\.svg$/ } keys %shown ) {
    is_clear( my $chart = svg::read($file) );
    my ($name) = $file =~ m{([^/]+)$};
    next if $name =~ /^(?:attribution|fidelity|roofline-mixbench)\.svg$/;    # of figures that the tree has not
    is( words($chart), words( svg::read("$folder/drawn/$name") ), "$file is up to date (docs/make/draw.sh)" );
}
my $page = slurp('docs/evidence/charts.md');
my ($timeline) = $page =~ /^```\n(.*?)^```/ms;
my ($command)  = $page =~ m{^    \./pipesim (.* --timeline=.*)$}m;
my $said       = qx($program $command);
ok( index( $said, $timeline ) >= 0, 'docs/evidence/charts.md shows the timeline that is printed' ) or diag($said);

done_testing;
