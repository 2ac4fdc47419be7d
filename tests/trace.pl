# SPDX-License-Identifier: BSD-3-Clause
# Traces are what the trace event format asks for, and what they hold is what the run does. Perfetto
# itself is not at hand; what it does with such events is done here in its way (see `import`).
use strict;
use warnings;
use lib 'tests';
use File::Temp;
use JSON::PP;
use List::Util qw(max);
use Test::More;
use files;

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

# A long text of JSON, of which each line is an event. JSON::PP would take ten times as long.
my $string = qr/"(?:[^"\\\x00-\x1f]|\\(?:["\\\/bfnrt]|u[0-9a-f]{4}))*"/;
my $number = qr/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?/;
my $member = qr/$string: (?:$string|$number)/;
my $members = qr/(?:$member(?:, $member)*)?/;

sub members {
    my ($text) = @_;
    my %members;
    while ( $text =~ /\G"([^"]*)": (?:"((?:[^"\\]|\\.)*)"|([^,]*))(?:, )?/g ) {
        $members{$1} = $2 // $3;
    }
    return \%members;
}

sub by_line {
    my ($text) = @_;
    my ( $begin, @lines ) = split /\n/, $text;
    die 'no array' if $begin ne '[' || pop @lines ne ']' || chop( my $last = $lines[-1] ) ne '}';
    my @events;
    for (@lines) {
        /^\{($members), "args": \{($members)\}\},?$/ or die "no event: $_";
        push @events, { %{ members($1) }, args => members($2) };
    }
    return \@events;
}

sub trace {
    my ($arguments) = @_;
    unlink $file;
    my ( $said, $status ) = run("$arguments --trace $file");
    is( $status, 0, "pipesim $arguments" ) or diag($said);
    my $text   = slurp($file);
    my $events = eval { length $text < 4e6 ? JSON::PP->new->utf8->decode($text) : by_line($text) };
    ok( ref $events eq 'ARRAY', '... is a JSON array' ) or diag($@);
    is( scalar( () = $text =~ /"(?:ts|dur|pid|tid|id|warps)": "/g ), 0, '... with numbers as such' );
    unlike( $text, qr/[^\x20-\x7e\n\x80-\xff]/, '... and no control characters' );
    return ( $events // [], $said );
}

# What the format asks of each kind of event: its members besides ph, pid, tid, name and args, and
# whether its args may be empty.
my %format = (
    X => { needs => [qw(ts dur cat)], empty => 1 },
    C => { needs => [qw(ts)] },
    s => { needs => [qw(ts cat id)] },
    f => { needs => [qw(ts cat id bp)], empty => 1 },
    M => { needs => [] },
);
my $time  = qr/^(?:0|[1-9][0-9]*)(?:\.(?:0+|125|250?|375|50*|625|750?|875))?$/;
my $whole = qr/^(?:0|[1-9][0-9]*)$/;
my %must  = ( ts => $time, dur => $time, id => qr/^[1-9][0-9]*$/, cat => qr/./, bp => qr/^e$/ );
my $plain = JSON::PP->new->allow_nonref;

sub track_of  { return "$_[0]{pid}/$_[0]{tid}" }

# What is wrong with an event by itself.
sub wrong {
    my ($event) = @_;
    my $kind = $format{ $event->{ph} } or return 'is of no known kind';
    my @needs = ( qw(ph pid tid name args), @{ $kind->{needs} } );
    return 'has other members' if join( ' ', sort @needs ) ne join( ' ', sort keys %$event );
    return 'pid or tid' if grep { $_ !~ $whole || $_ < 1 || $_ > 2**31 } @$event{qw(pid tid)};
    for my $key ( @{ $kind->{needs} } ) {
        return "$key is $event->{$key}" if $event->{$key} !~ $must{$key};
    }
    return 'name' if ref $event->{name} || $event->{name} eq '';
    return 'args' if ref $event->{args} ne 'HASH' || !( %{ $event->{args} } || $kind->{empty} );
    return 'counts no number' if $event->{ph} eq 'C' && grep { !/^[0-9.]+(?:e-[0-9]+)?$/ } values %{ $event->{args} };
    return;
}

# Reads events in Perfetto's way: times become whole nanoseconds, each by itself; then events go by
# time, and by the file's order where that is equal. A slice is on its track's stack until a later
# one begins at its end or behind it; one that ends behind what it is in is lost. An arrow binds to
# what is on top. Returns what is lost, and the slices that each arrow binds to.
sub import {
    my ($events) = @_;
    my ( %stack, %bound, @lost );
    my @all = map { { event => $_, at => int( $_->{ts} * 1000 ) } } grep { exists $_->{ts} } @$events;
    for my $one ( sort { $a->{at} <=> $b->{at} } @all ) {
        my ( $event, $stack ) = ( $one->{event}, $stack{ track_of( $one->{event} ) } //= [] );
        if ( $event->{ph} eq 'X' ) {
            $one->{end} = $one->{at} + int( $event->{dur} * 1000 );
            pop @$stack while @$stack && $stack->[-1]{end} <= $one->{at};
            push @lost, $event if @$stack;
            push @$stack, $one;
        }
        elsif ( $event->{ph} =~ /^[sf]$/ ) {
            my $top = @$stack && $stack->[-1]{at} == $one->{at} ? $stack->[-1]{event} : undef;
            push @{ $bound{ $event->{id} } }, [ $event, $top ];
        }
    }
    return ( \@lost, \%bound );
}

# The slices of each track, in the file's order.
sub tracks {
    my %tracks;
    push @{ $tracks{ track_of($_) } }, $_ for grep { $_->{ph} eq 'X' } @{ $_[0] };
    return \%tracks;
}

# Whether each arrow goes from the begin of a slice to that of another, which is later.
sub check_arrows {
    my ($bound) = @_;
    my ( @broken, %end );
    for my $id ( keys %$bound ) {
        my ( $start, $end ) = @{ $bound->{$id} };
        push @broken, $id
          if @{ $bound->{$id} } != 2
          || $start->[0]{ph} ne 's'
          || $end->[0]{ph} ne 'f'
          || $start->[0]{ts} >= $end->[0]{ts}
          || grep { !$_->[1] || $_->[1]{cat} ne 'issue' } $start, $end;
        $end{$id} = $end->[0]{ts} if $end;
    }
    is( "@broken", '', '... whose arrows go from slice to later slice' );
    my @ids = sort { $a <=> $b } keys %$bound;
    is( scalar( grep { $end{ $ids[ $_ - 1 ] } > $bound->{ $ids[$_] }[0][0]{ts} } 1 .. $#ids ),
        0, '... and follow each other' );
    return;
}

sub check_names {
    my ($events) = @_;
    my ( %named, %process, %pids, @twice );
    for my $event ( grep { $_->{ph} eq 'M' } @$events ) {
        my $names = $event->{name} eq 'process_name' ? \%process : \%named;
        push @twice, $event->{args}{name} if $names->{ track_of($event) }++;
    }
    $pids{ $_->{tid} }{ $_->{pid} } = 1 for grep { $_->{ph} =~ /^[Xsf]$/ } @$events;
    is( "@twice", '', '... whose names are told once' );
    my @nameless = grep { $_->{ph} eq 'X' && !$named{ track_of($_) } } @$events;
    push @nameless, grep { !$process{"$_->{pid}/$_->{pid}"} } @$events;
    is( scalar @nameless, 0, '... of each process and each track' );
    is( join( ' ', grep { keys %{ $pids{$_} } > 1 || $process{"$_/$_"} } keys %pids ),
        '', '... and no two tracks have one number' );
    return;
}

sub check_counters {
    my ($events) = @_;
    my ( %last, @back );
    for my $event ( grep { $_->{ph} eq 'C' } @$events ) {
        my $last = $last{"$event->{pid} $event->{name}"};
        push @back, $event->{name}
          if $last && ( $last->{ts} >= $event->{ts} || join( ' ', %{ $last->{args} } ) eq join( ' ', %{ $event->{args} } ) );
        $last{"$event->{pid} $event->{name}"} = $event;
    }
    is( "@back", '', '... whose counters go forward, and change each time' );
    return;
}

# Where the unit is larger than a cycle (coarse), short slices have no length.
sub check_structure {
    my ( $events, $coarse ) = @_;
    my %wrong;
    for my $event (@$events) {
        my $what = wrong($event) // next;
        $wrong{ $plain->encode($event) } = $what if keys %wrong < 3;
    }
    is_deeply( \%wrong, {}, '... of events as the format has them' );
    my ( $lost, $bound ) = import($events);
    is( scalar @$lost, 0, '... whose slices do not overlap' ) or diag( $plain->encode( $lost->[0] ) );
    my @slices = grep { $_->{ph} eq 'X' } @$events;
    is( scalar( grep { $_->{dur} <= 0 } @slices ), 0, '... and last' ) if !$coarse;
    check_arrows($bound);
    check_names($events);
    check_counters($events);
    return tracks($events);
}

# Where a process has its tracks.
my ( $warp, $pipeline ) = ( '1/1000', '2/100' );

# ---- a run of some cycles: two warps that issue four times
my ($events) = trace($small);
my $tracks = check_structure($events);
my @first = @{ $tracks->{$warp} };
is( join( ' ', map { $_->{cat} } @first ), 'issue wait issue wait issue wait issue drain',
    'a warp has its slices in their order' );
is( $first[0]{args}{node},  'a',         '... with the node' );
is( $first[0]{args}{class}, 'alu',       '... its class' );
is( $first[1]{name},        'data: alu', '... and what it waits for' );
is( scalar @{ $tracks->{$pipeline} }, 8, 'the pipeline has all that issues' );
my @warps = grep { $_->{name} eq 'resident warps' } @$events;
is_deeply( [ map { $_->{args}{warps} } @warps ], [ 2, 0 ], 'a counter of warps' );
is( $warps[1]{ts}, 17, '... and the end of the run, at cycle 17' );
is( $first[-1]{ts} + $first[-1]{dur}, 17, '... when the warps are done' );
my %process = map { ( $_->{pid} => $_->{args}{name} ) } grep { $_->{name} eq 'process_name' } @$events;
is( $process{1}, 'warps of CU 0 (1 us is 1 cycle)', 'a process says what its times are' );
is( scalar( grep { $_->{ph} eq 's' } @$events ), 4, 'arrows along the critical path' );

# ---- windows
($events) = trace("$small --param n=100000 --trace-window 200000..200040");
$tracks = check_structure($events);
is( scalar( grep { $_->{pid} == 3 && $_->{ph} eq 'X' } @$events ),
    0, 'a window that would be skipped is simulated' );
is( scalar @{ $tracks->{$pipeline} }, 20, '... and whole' );
($events) = trace("$small --param n=100000");
check_structure($events);
my @skips = grep { $_->{pid} == 3 && $_->{ph} eq 'X' } @$events;
is( scalar @skips, 1, 'what is skipped is one slice' );
like( $skips[0]{name}, qr/^skipped: [0-9 ]+ times the [0-9 ]+ cycles before$/, '... that says so' );
cmp_ok( scalar @$events, '<', 2000, '... and the trace is short' );

# ---- several stretches of skipped time, none of which has an end of an arrow
my $many = slurp("$input/chain.idg");
$many =~ s/groups="2"/groups="2000"/;
spew( "$folder/many.idg", $many );
($events) = trace("$folder/many.idg --gpu $input/toy.xml --param n=1000");
check_structure($events);
@skips = grep { $_->{pid} == 3 && $_->{ph} eq 'X' } @$events;
cmp_ok( scalar @skips, '>', 2, 'what is skipped at several times is a slice each' );

# ---- long ones
my $said;
( $events, $said ) = trace('mmul08.idg --gpu pascal.xml');
check_structure($events);
like( $said, qr/warning: --trace: after 100 000 slices the trace ends, at cycle/, 'a long one is cut' );
my @kinds = sort keys %{ { map { $_->{cat} => 1 } grep { $_->{cat} } @$events } };
is( "@kinds", 'barrier critical issue queue wait', '... and has all kinds' );
my @ends = map { $_->{ts} } grep { $_->{ph} =~ /^[Xf]$/ && $_->{pid} == 2 } @$events;
my @arrows = map { $_->{ts} } grep { $_->{ph} eq 'f' } @$events;
cmp_ok( max(@arrows), '>', 0.99 * max(@ends), '... and arrows up to its end' );
my @lines = grep { ( $_->{args}{line} // '' ) eq 'mmul.cl:31' } @$events;
cmp_ok( scalar @lines, '>', 100, '... and source lines' );
my @queue = grep { $_->{name} eq 'queue: local' && $_->{ph} eq 'C' } @$events;
cmp_ok( scalar @queue, '>', 200, '... and the length of queues' );
for my $other ( 'mmul08.idg --gpu v100.xml --active 2 --trace-window 0..20000',
    'saxpy.idg --gpu pascal.xml --trace-window 0..3000',
    'mmul08.idg --gpu fermi.xml --param size=64 --cus all --trace-window 0..3000',
    'mmul08.idg --gpu v100.xml --trace-window 100000..100400' )
{
    ($events) = trace($other);
    check_structure($events);
}

# ---- times that would be too large for 64 bits of nanoseconds
($events) = trace("$small --param n=3000000000000000");
check_structure( $events, 1 );
like( ( grep { $_->{ph} eq 'M' } @$events )[0]{args}{name}, qr/\(1 us is 16 cycles\)$/, 'a long run has a larger unit' );
($events) = trace("$small --param n=3000000000000000 --trace-window 11000000000000000..11000000000000100");
$tracks = check_structure($events);
like( ( grep { $_->{ph} eq 'M' } @$events )[0]{args}{name},
    qr/\(1 us is 1 cycle, from cycle 11 000 000 000 000 000\)$/, '... and a late window begins at 0' );
cmp_ok( scalar @{ $tracks->{$pipeline} }, '>=', 49, '... with all that issues' );

# ---- names that are markup
my $graph = slurp("$input/chain.idg");
$graph =~ s/name="chain"/name="chain" file="&lt;b>&quot;\\&#xe9;.cl"/;
$graph =~ s/class="alu"/class="alu" line="7"/;
spew( "$folder/markup.idg", $graph );
($events) = trace("$folder/markup.idg --gpu $input/toy.xml");
my ($marked) = grep { $_->{args}{line} } @$events;
like( $marked->{args}{line}, qr/^<b>"\\\x{e9}\.cl:7$/, 'names are what they are' );

# ---- what cannot be
spew( $file, "old\n" );
( $said, my $status ) = run("$small --trace $file --trace-window 90..100");
is( $status, 1, 'a window outside the run' );
like( $said, qr/the window begins at cycle 90, and the run ends at 17/, '... is said' );
is( slurp($file), "old\n", '... leaves the old file' );
like( slurp("$folder/out"), qr/^chain on Toy/, '... and the report' );
( $said, $status ) = run("$small --trace $folder/none/trace.json");
is( $status, 1, 'a folder that is not there' );
like( $said, qr/cannot be written/, '... is said' );
SKIP: {
    skip 'no /dev/full', 3 if !-c '/dev/full';
    for my $window ( '', '--param n=1000 --no-fast-forward --trace-window 0..3000' ) {
        ( $said, $status ) = run("$small $window --trace /dev/full");
        is( $status, 1, "a full disk" );
        like( $said, qr{^pipesim: --trace: /dev/full: cannot be written: [^\n]*\n\z}, '... is said once' );
    }
    like( slurp("$folder/out"), qr/^chain on Toy/, '... after the report' );
}
( $said, $status ) = run("$small --param n=0 --trace $file --timeline");
is( $status, 1, 'a run without a cycle' );
is( $said, "pipesim: --timeline: the run has no cycle to show\npipesim: --trace: the run has no cycle to show\n", '... is said' );
SKIP: {
    skip 'no /dev/full', 2 if !-c '/dev/full';
    ( $said, $status ) = run("$small --timeline=50..60 --trace /dev/full");
    is( $status, 1, 'neither timeline nor trace' );
    like( $said, qr/--timeline: the window.*\n.*cannot be written/, '... and both reasons' );
}
opendir( my $dir, $folder ) or die;
is_deeply( [ sort grep { !/^\.\.?$/ } readdir $dir ], [ 'many.idg', 'markup.idg', 'out', 'trace.json' ],
    'no other file is left' );
done_testing();
