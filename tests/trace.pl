# SPDX-License-Identifier: BSD-3-Clause
# Traces are valid JSON, their slices do not overlap within a track, their arrows go from slice to
# slice, and what they hold is what the run does.
use strict;
use warnings;
use File::Temp;
use JSON::PP;
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my $folder  = File::Temp->newdir;
my $file    = "$folder/trace.json";
my $input   = 'tests/golden/input';
my $small   = "$input/chain.idg --gpu $input/toy.xml";

# What the program says on standard error, and its exit status.
sub run {
    my $said = qx($program @_ 2>&1 >$folder/out);
    return ( $said, $? >> 8 );
}

sub trace {
    my ($arguments) = @_;
    unlink $file;
    my ( $said, $status ) = run("$arguments --trace $file");
    is( $status, 0, "pipesim $arguments" ) or diag($said);
    open( my $in, '<:raw', $file ) or die "$file: $!";
    my $text   = do { local $/; <$in> };
    my $events = eval { JSON::PP->new->utf8->decode($text) };
    ok( ref $events eq 'ARRAY', '... is a JSON array' ) or diag($@);
    return ( $events // [], $said );
}

# A time in whole picoseconds.
sub ps { return int( $_[0] * 1e6 + 0.5 ) }

sub tracks {
    my %tracks;
    for my $event ( grep { $_->{ph} eq 'X' } @{ $_[0] } ) {
        push @{ $tracks{"$event->{pid}/$event->{tid}"} },
          [ ps( $event->{ts} ), ps( $event->{ts} ) + ps( $event->{dur} ), $event ];
    }
    return \%tracks;
}

# The slice of the track at that time.
sub slice_at {
    my ( $track, $time ) = @_;
    my ( $low, $high ) = ( 0, scalar @{ $track // [] } );
    while ( $low < $high ) {
        my $middle = int( ( $low + $high ) / 2 );
        if ( $track->[$middle][1] <= $time ) { $low = $middle + 1 }
        else                                 { $high = $middle }
    }
    my $slice = $track->[$low];
    return $slice && $slice->[0] <= $time ? $slice->[2] : undef;
}

sub check_structure {
    my ($events) = @_;
    my $tracks = tracks($events);
    my %known  = map { $_ => 1 } qw(X C M s f);
    is( scalar( grep { !$known{ $_->{ph} } || !defined $_->{pid} || !defined $_->{name} } @$events ),
        0, '... of known events' );
    my $overlaps = 0;
    for my $track ( values %$tracks ) {
        $overlaps += grep { $track->[ $_ - 1 ][1] > $track->[$_][0] } 1 .. $#$track;
    }
    is( $overlaps, 0, '... whose slices do not overlap' );
    my ( %starts, %ends );
    $starts{ $_->{id} }++ for grep { $_->{ph} eq 's' } @$events;
    $ends{ $_->{id} }++   for grep { $_->{ph} eq 'f' } @$events;
    is_deeply( \%starts, \%ends, '... whose arrows have a start and an end' );
    is( scalar( grep { $_ > 1 } values %starts ), 0, '... one of each' );
    my @loose = grep { !slice_at( $tracks->{"$_->{pid}/$_->{tid}"}, ps( $_->{ts} ) ) }
      grep { $_->{ph} =~ /^[sf]$/ } @$events;
    is( scalar @loose, 0, '... and both in slices' );
    my %named = map { ("$_->{pid}/$_->{tid}" => 1) } grep { $_->{name} eq 'thread_name' } @$events;
    my @nameless = grep { !$named{$_} && !/^3/ } keys %$tracks;
    is( "@nameless", '', '... and whose tracks have names' );
    return $tracks;
}

# ---- a run of some cycles, 5 ns each: two warps that issue four times
my ($events) = trace($small);
my $tracks = check_structure($events);
my @first = map { $_->[2] } @{ $tracks->{'1/0'} };
is( join( ' ', map { $_->{cat} } @first ), 'issue wait issue wait issue wait issue drain',
    'a warp has its slices in their order' );
is( $first[0]{args}{node},  'a',         '... with the node' );
is( $first[0]{args}{class}, 'alu',       '... its class' );
is( $first[1]{name},        'data: alu', '... and what it waits for' );
is( scalar @{ $tracks->{'2/0'} }, 8, 'the pipeline has all that issues' );
my @warps = grep { $_->{name} eq 'resident warps' } @$events;
is_deeply( [ map { $_->{args}{warps} } @warps ], [ 2, 0 ], 'a counter of warps' );
my $ratio = ps( $warps[1]{ts} ) / ( $first[-1]{dur} * 1e6 );
cmp_ok( abs( $ratio - 17 / 4 ), '<', 1e-6, '... and the end of the run, at cycle 17' );
is( scalar( grep { $_->{ph} eq 's' } @$events ), 4, 'arrows along the critical path' );

# ---- windows
($events) = trace("$small --param n=100000 --trace-window 200000..200040");
$tracks = check_structure($events);
is( scalar( grep { $_->{pid} == 3 && $_->{ph} eq 'X' } @$events ),
    0, 'a window that would be skipped is simulated' );
is( scalar @{ $tracks->{'2/0'} }, 20, '... and whole' );
($events) = trace("$small --param n=100000");
check_structure($events);
my @skips = grep { $_->{pid} == 3 && $_->{ph} eq 'X' } @$events;
is( scalar @skips, 1, 'what is skipped is one slice' );
like( $skips[0]{name}, qr/^skipped: [0-9 ]+ times the [0-9 ]+ cycles before$/, '... that says so' );
cmp_ok( scalar @$events, '<', 2000, '... and the trace is short' );
my $said;
( $events, $said ) = trace('mmul08.idg --gpu pascal.xml');
check_structure($events);
like( $said, qr/warning: --trace: after 100 000 slices the trace ends, at cycle/, 'a long one is cut' );
my @kinds = sort keys %{ { map { $_->{cat} => 1 } grep { $_->{cat} } @$events } };
is( "@kinds", 'barrier critical issue queue wait', '... and has all kinds' );
my @lines = grep { ( $_->{args}{line} // '' ) eq 'mmul.cl:31' } @$events;
cmp_ok( scalar @lines, '>', 100, '... and source lines' );
my @queue = grep { $_->{name} eq 'queue: local' && $_->{ph} eq 'C' } @$events;
cmp_ok( scalar @queue, '>', 200, '... and the length of queues' );
for my $other ( 'mmul08.idg --gpu v100.xml --active 2', 'saxpy.idg --gpu pascal.xml',
    'mmul08.idg --gpu fermi.xml --param size=64 --cus all',
    'mmul08.idg --gpu v100.xml --trace-window 100000..100400' )
{
    ($events) = trace($other);
    check_structure($events);
}

# ---- names that are markup
my $graph = do { local ( @ARGV, $/ ) = ("$input/chain.idg"); <> };
$graph =~ s/name="chain"/name="chain" file="&lt;b>&quot;\\&#xe9;.cl"/;
$graph =~ s/class="alu"/class="alu" line="7"/;
open( my $out, '>', "$folder/markup.idg" ) or die;
print {$out} $graph;
close($out);
($events) = trace("$folder/markup.idg --gpu $input/toy.xml");
my ($marked) = grep { $_->{args}{line} } @$events;
like( $marked->{args}{line}, qr/^<b>"\\\x{e9}\.cl:7$/, 'names are what they are' );

# ---- what cannot be
open( $out, '>', $file ) or die;
print {$out} "old\n";
close($out);
( $said, my $status ) = run("$small --trace $file --trace-window 90..100");
is( $status, 1, 'a window outside the run' );
like( $said, qr/the window begins at cycle 90, and the run ends at 17/, '... is said' );
is( do { local ( @ARGV, $/ ) = ($file); <> }, "old\n", '... leaves the old file' );
like( do { local ( @ARGV, $/ ) = ("$folder/out"); <> }, qr/^chain on Toy/, '... and the report' );
( $said, $status ) = run("$small --trace $folder/none/trace.json");
is( $status, 1, 'a folder that is not there' );
like( $said, qr/cannot be written/, '... is said' );
SKIP: {
    skip 'no /dev/full', 3 if !-c '/dev/full';
    for my $window ( '', '--param n=1000 --no-fast-forward --trace-window 0..3000' ) {
        ( $said, $status ) = run("$small $window --trace /dev/full");
        is( $status, 1, "a full disk" );
        like( $said, qr{^pipesim: /dev/full: cannot be written: [^\n]*\n\z}, '... is said once' );
    }
    like( do { local ( @ARGV, $/ ) = ("$folder/out"); <> }, qr/^chain on Toy/, '... after the report' );
}
( $said, $status ) = run("$small --timeline=50..60 --trace $folder/none/x");
is( $status, 1, 'neither timeline nor trace' );
like( $said, qr/--timeline: the window.*\n.*cannot be written/, '... and both reasons' );
opendir( my $dir, $folder ) or die;
is_deeply( [ sort grep { !/^\.\.?$/ } readdir $dir ], [ 'markup.idg', 'out', 'trace.json' ],
    'no other file is left' );
done_testing();
