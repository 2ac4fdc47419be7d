# SPDX-License-Identifier: BSD-3-Clause
# pipesim list: what it finds where names are looked up, how it says so in each format, and that a
# file which is broken does not end it.
use strict;
use warnings;
use Cwd 'abs_path';
use File::Copy;
use File::Temp;
use JSON::PP;
use List::Util 'sum';
use Test::More;
use lib 'tests';
use files;
use schema;

my $program = abs_path( $ENV{PIPESIM} // './pipesim' );
my $input   = 'tests/golden/input';
my $own     = File::Temp->newdir;
my $said    = "$own/said";
$ENV{PIPESIM_PATH} = "/nonexistent:$own";
delete $ENV{COLUMNS};

# Standard output; the status is $?, and $said has the messages.
sub output {
    return scalar qx($program @_ 2>$said);
}

sub put {
    my ( $name, $text ) = @_;
    open my $file, '>', "$own/$name" or die "$name: $!";
    print $file $text;
    close $file or die "$name: $!";
    return;
}

my $schema = JSON::PP->new->utf8->decode( slurp(($ENV{BUILD} // 'build') . '/tell/pipesim.schema.json') );

sub listed {
    my $text  = output( 'list', @_, '--format json' );
    my $value = JSON::PP->new->utf8->decode($text);
    is( join( "\n", schema::validate( $schema, $value, 'list' ) ), '', "list @_: as its schema says" );
    return $value;
}

sub named {
    my ( $rows, $name ) = @_;
    my @rows = grep { $_->{name} eq $name } @$rows;
    is( scalar @rows, 1, "$name is there once" );
    return $rows[0];
}

# ---- what comes with pipesim
my $all = listed();
is( $said && slurp($said), '', '... without a message' );
is_deeply(
    [ map { $_->{name} } @{ $all->{gpus} } ],
    [ sort map { m{([^/]+)\.xml$} } glob 'gpus/*.xml' ],
    'all GPUs, by name'
);
is_deeply(
    [ map { $_->{name} } @{ $all->{graphs} } ],
    [ sort map { m{([^/]+)\.idg$} } glob 'graphs/*.idg' ],
    'all graphs, by name'
);
my $pascal = named( $all->{gpus}, 'pascal' );
is( $pascal->{gpu},           'GeForce GTX 1060 6GB', 'what it is called' );
is( $pascal->{compute_units}, 10,                     'compute units' );
is( $pascal->{clock_mhz},     1506,                   'clock' );
is( $pascal->{clock},         'base',                 'which one' );
is( $pascal->{bandwidth},     160.64,                 'bandwidth' );
is( $pascal->{gflops},        3855.36,                'operations' );
is_deeply( $pascal->{levels}, [], 'no levels' );
my $v100 = named( $all->{gpus}, 'v100' );
is( $v100->{base_clock_mhz},  1245,   'base clock' );
is( $v100->{boost_clock_mhz}, 1380,   'boost clock' );
is( $v100->{clock_mhz},       1380,   'which is that of answers' );
is( $v100->{device_memory_mib}, 16384, 'memory' );
is( $v100->{peaks}{T_DP},     7065.6, '... and of peaks' );
is_deeply( [ map { $_->{level} } @{ $v100->{levels} } ], [qw(l1 l2 device)], 'levels' );
is_deeply(
    $v100->{levels}[1],
    {
        level => 'l2', bytes => 6291456, bytes_per_cycle => 64, bandwidth => 2155, latency_cycles => 212,
        latency_mhz => 1380, source => 'published'
    },
    '... as the file has them'
);

# Sources, counted in the file's text.
my $text = slurp('gpus/pascal.xml');
$text =~ s/<!--.*?-->//gs;
my %kind = $text =~ /<source id="([^"]*)" kind="([^"]*)"/g;
my %count = map { $_ => 0 } qw(measured published vendor derived assumed none);
$count{ $kind{$_} }++ for $text =~ /<(?!source)[a-z-]+[^>]* source="([^"]*)"/g;
$count{ $kind{$_} }++ for $text =~ / (?:load|memory)-source="([^"]*)"/g;
is_deeply( $pascal->{sources}, \%count, 'elements by the kinds of their sources' );
ok( exists named( $all->{graphs}, 'mmul08' )->{title}, 'graphs have titles' );

# ---- one of them
ok( !exists listed('--gpus')->{graphs}, 'GPUs alone' );
ok( !exists listed('--graphs')->{gpus}, 'graphs alone' );

# ---- own files, and such as are broken
copy( "$input/toy.xml",   "$own/my-toy.xml" ) or die;
copy( "$input/toy.xml",   "$own/pascal.xml" ) or die;
copy( "$input/chain.idg", "$own/chain.idg" )  or die;
put( 'cut.idg',   "<idg xmlns='urn:pipesim:idg:1'\n" );
put( 'empty.xml', '' );
put( 'wrong.xml', "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='x'>\n</gpu>\n" );
put( 'other.xml', "<project/>\n" );
put( 'bare.xml',
    "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Bare'><chip compute-units='1' clock='1000' "
      . "warp-size='32'/></gpu>\n" );
mkdir "$own/folder.xml" or die;
system( 'mkfifo', "$own/pipe.idg" ) == 0 or die;
my $mine = listed();
is( $?, 0, 'broken files do not end the list' );
is( named( $mine->{gpus},   'my-toy' )->{gpu},  'Toy',                'own GPUs join' );
is( named( $mine->{gpus},   'pascal' )->{file}, "$own/pascal.xml",    'the file that is found by its name' );
my ($title) = slurp("$input/chain.idg") =~ /title="([^"]*)"/;
is( named( $mine->{graphs}, 'chain' )->{title}, $title, 'own graphs, too' );
is( named( $mine->{gpus}, 'v100' )->{gpu}, 'Tesla V100 PCIe 16GB', 'beside those of pipesim' );
is( scalar( grep { $_->{name} =~ /^(cut|empty|wrong|other|folder|pipe)$/ } @{ $mine->{gpus} },
        @{ $mine->{graphs} } ), 0, 'what is no graph and no GPU is left out' );
is( scalar @{ $mine->{warnings} }, 3, 'three are broken' );
my $messages = slurp($said);
like( $messages, qr/^pipesim: warning: left out: \Q$own\E\/$_:?/m, "$_ is told" )
  for qw(cut.idg empty.xml wrong.xml);
unlike( $messages, qr/other\.xml|folder|pipe\.idg/, 'what is something else is not' );
my $bare = named( $mine->{gpus}, 'bare' );
is( $bare->{bandwidth}, undef, 'what is not known is null' );
is( $bare->{gflops},    undef, '... of both' );

# ---- for people
my $list = output('list');
is( $?, 0, 'the list' );
like( $list, qr/^ +chip +CUs +MHz +GB\/s +TFLOP\/s +published +vendor +derived +assumed +no source$/m, '... a table of GPUs' );
my %v100 = %{ named( $mine->{gpus}, 'v100' )->{sources} };
my $sum = sum( values %v100 );
my $shares = join ' +', map { sprintf '%.0f %%', 100 * $v100{$_} / $sum } qw(published vendor derived assumed);
like( $list, qr/^  v100 +Tesla V100 PCIe 16GB +80 +1 380 +867\.0 +14\.13 +$shares +-$/m, '... has the V100' );
like( $list, qr/^  bare +Bare +1 +1 000 +- +- +- +- +- +- +100 %$/m, '... and what knows nothing' );
like( $list, qr/^  mi250 +Instinct MI250 \(\.\.\.\) +104 /m, '... and a chip with a long name' );
like( $list, qr/^  mmul08 +Tiled matrix multiplication, 8 x 8/m, '... titles' );
unlink map { "$own/$_" } qw(bare.xml my-toy.xml pascal.xml cut.idg empty.xml wrong.xml);
my $shipped = output('list --gpus');
unlike( $shipped, qr/no source|Graphs/, 'a column that is empty is left out' );
unlike( $shipped, qr/measured  /, '... of measured ones, too' );
is( join( "\n", grep { length > 100 } split /\n/, $shipped ), '', '... and the rest fits 100 columns' );
is( output('list --gpus --graphs'), output('list'), 'both kinds, or none of them named, are all' );
put( "e\x1b[1msc.idg", slurp("$input/chain.idg") );
unlike( output('list --graphs'), qr/\x1b/, 'names of files reach no terminal as commands' );

# ---- CSV, and a file
my @rows = split /\n/, output('list --gpus --format csv');
like( $rows[0], qr/^name,gpu,vendor,.*,source_none,file$/, 'CSV has a head' );
is( scalar @rows, 1 + @{ $all->{gpus} }, '... and a row for each' );
like( ( grep { /^v100,/ } @rows )[0], qr/^v100,Tesla V100 PCIe 16GB,NVIDIA,Volta,80,1380,867\.0,14131\.2,/,
    '... with the same figures' );
like( output('list --graphs --format csv'), qr/^saxpy,saxpy,"y = alpha\*x \+ y, one/m, '... of graphs, too' );
output("list --output $own/out");
like( slurp("$own/out"), qr/^GPUs\n/, 'it goes to a file' );
done_testing();
