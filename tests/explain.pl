# SPDX-License-Identifier: BSD-3-Clause
# The critical path adds up; each kind of cause is named where it is the cause, and the gain that is
# predicted is that of a run in which the cause is gone; the JSON is as its schema says.
use strict;
use warnings;
use File::Temp;
use JSON::PP;
use Math::BigFloat;
use Test::More;
use files;
use schema;

my $program = $ENV{PIPESIM} // './pipesim';
my $cases   = 'tests/explain';
my $gpu     = "$cases/gpu.xml";
my $levels  = 'tests/levels';
my $folder  = File::Temp->newdir;
my $errors  = "$folder/errors";

my $schema = JSON::PP->new->utf8->decode( slurp(($ENV{BUILD} // 'build') . '/tell/pipesim.schema.json') );

sub output {
    my ( $arguments, $status ) = @_;
    my $text = qx($program $arguments 2>$errors);
    is( $? >> 8, $status // 0, "pipesim $arguments" ) or diag( slurp($errors) );
    return $text;
}

# A run's object, which the schema must allow.
sub run {
    my ($arguments) = @_;
    my $text  = output("$arguments --format json");
    my $value = eval { JSON::PP->new->utf8->decode($text) } or diag($@);
    my @wrong = schema::validate( $schema, $value );
    is( "@wrong[0 .. ($#wrong < 4 ? $#wrong : 4)]", '', '... is as the schema says' );
    return $value;
}

# ---- the schema, and who holds things against it

my $good = run("$cases/chain.idg --gpu $gpu --advise");
my $bad  = JSON::PP->new->utf8->decode( JSON::PP->new->utf8->encode($good) );
for my $case (
    [ 'a key that is not there',  sub { delete $_[0]{kernel} } ],
    [ 'a key too many',           sub { $_[0]{launch}{colour} = 'red' } ],
    [ 'a text for a number',      sub { $_[0]{simulated}{seconds} = 'long' } ],
    [ 'a number below its least', sub { $_[0]{headroom} = -1 } ],
    [ 'a share above 1',          sub { $_[0]{waits}[0]{share} = 1.5 } ],
    [ 'no advice',                sub { $_[0]{advice} = [] } ],
    [ 'advice of no kind',        sub { $_[0]{advice}[0]{kind} = 'luck' } ],
    [ 'half a group',             sub { $_[0]{launch}{groups} = 0.5 } ],
  )
{
    my $copy = JSON::PP->new->utf8->decode( JSON::PP->new->utf8->encode($good) );
    $case->[1]->($copy);
    isnt( scalar( schema::validate( $schema, $copy ) ), 0, "the schema does not allow $case->[0]" );
}
run("$cases/chain.idg --gpu $gpu");
run('mmul08.idg --gpu pascal.xml --param size=64 --measured 1 --what-if local.issue=7 --advise');
run("sweep $cases/chain.idg --gpu $gpu --vary active=1..2");
run("tests/golden/input/chain.idg --gpu tests/golden/input/refined.xml --advise");
run("tests/golden/input/other.idg --gpu tests/golden/input/toy.xml --explain --sensitivity");
run("$levels/table.idg --gpu $levels/gpu.xml --advise --sensitivity --cache warm");
run("$levels/stream.idg --gpu $levels/gpu.xml --overheads on --explain --what-if l2.latency=100");

# ---- sums

# The cycles of each table add up to the run's, exactly.
sub adds_up {
    my ($arguments) = @_;
    my $text = output("$arguments --explain --format json");
    my $run  = JSON::PP->new->utf8->allow_bignum->decode($text);
    my $path = $run->{critical_path};
    for my $table (qw(by_class by_line by_pipeline)) {
        my ( $cycles, $share ) = ( Math::BigFloat->new(0), 0 );
        for my $row ( @{ $path->{$table} } ) {
            $cycles += Math::BigFloat->new("$row->{cycles}");
            $share  += $row->{share};
        }
        is( "$cycles", Math::BigFloat->new("$run->{simulated}{cycles}")->bstr, "... $table adds up" );
        cmp_ok( abs( $share - 1 ), '<', 1e-6, '... to all of the time' );
    }
    my $waits = 0;
    $waits += $_->{share} for @{ $run->{waits} };
    cmp_ok( abs( $waits - 1 ), '<', 1e-6, '... and so do waits' );
    ( my $slow = output("$arguments --explain --format json --no-fast-forward") ) =~
      s/"(skipped_cycles|simulated_instructions)": [0-9.]+//g;
    $text =~ s/"(skipped_cycles|simulated_instructions)": [0-9.]+//g;
    is( $text, $slow, '... with and without fast-forward' );
    return;
}

adds_up('mmul08.idg --gpu pascal.xml --param size=256 --active 4');
adds_up('mmul16.idg --gpu fermi.xml --param size=256');
adds_up("$cases/imbalance.idg --gpu $gpu --groups 64");
adds_up("$cases/uneven.idg --gpu $gpu --overheads on --cus all --schedulers 2 --groups 99");
adds_up("$levels/stream.idg --gpu $levels/gpu.xml --overheads on --groups 99");
adds_up("$levels/table.idg --gpu $levels/gpu.xml --overheads on --cus all --groups 33");
adds_up("$levels/table.idg --gpu $levels/gpu.xml --cache warm --order program --groups 99");

# ---- advice: what is named first, and what it would give

sub near {
    my ( $name, $got, $expected ) = @_;
    ok( defined $got && abs( $got - $expected ) <= 1e-9 * abs $expected, $name )
      or diag( 'got ', $got // 'null', ", expected $expected" );
}

# The advice of that kind, and its prediction beside the run in which the cause is gone.
sub helps {
    my ( $arguments, $kind, $place, $without, $pattern ) = @_;
    my $run  = run("$arguments --advise");
    my @list = @{ $run->{advice} };
    my ($at) = grep { $list[$_]{kind} eq $kind } 0 .. $#list;
    $at //= -1;
    is( $at, $place, "... $kind is named as number $place" )
      or diag( map { "$_->{kind}: $_->{sentence}\n" } @list );
    my $advice = $list[$at];
    like( $advice->{sentence}, $pattern, '... in words' );
    my $then = run($without);
    $then = $then->{what_if} // $then;
    near( '... and what it predicts is what is simulated then',
        $advice->{seconds}, $then->{result}{seconds} );
    my $now = $run->{result}{seconds};
    my $work = $kind eq 'tail' ? $run->{launch}{groups} / $then->{launch}{groups} : 1;
    near( '... and its gain', $advice->{gain},
        $work < 1 ? 0 : 1 - $then->{result}{seconds} * $work / $now );
    return $run;
}

# A copy of a case with something replaced.
sub changed {
    my ( $case, $what, $by ) = @_;
    my $text = slurp("$cases/$case.idg");
    $text =~ s/$what/$by/g or die "$case: there is no $what";
    return spew( "$folder/$case-changed.idg", $text );
}

my $run = helps(
    "$cases/conflict.idg --gpu $gpu", 'bank-conflict', 0,
    changed( 'conflict', '\.conflict\.c4', '' ) . " --gpu $gpu",
    qr/^local\.load\.conflict\.c4 issue latency 8 -> 2 .* degree 4$/
);
is( $run->{bottleneck}{kind}, 'bank-conflict',          'the bottleneck: its kind' );
is( $run->{bottleneck}{class}, 'local.load.conflict.c4', '... its class' );
is( $run->{bottleneck}{line}, 'conflict.cl:3',          '... its line' );
is( $run->{reliefs}[0]{degree}, 4,                      'the degree' );

# What cannot be simulated without the conflict is null, with a reason.
my $endless = slurp($gpu);
$endless =~ s/(<class name="local" pipeline="local") .*/$1 issue="0.000000001" completion="1000000000"\/>/ or die;
$endless = spew( "$folder/endless.xml", $endless );
$run     = run( spew( "$folder/loads.idg", slurp("$cases/conflict.idg") =~ s/^.*local\.store.*\n//mgr ) . " --gpu $endless --groups 256 --advise" );
is( $run->{reliefs}[0]{seconds}, undef, 'a relief that takes too long' );
is_deeply( $run->{reliefs}[0]{to}, { issue => undef, completion => undef }, '... to nobody knows what' );
like( $run->{reliefs}[0]{problem}, qr/ticks/, '... and why' );

# A GPU that does not tell conflicting loads apart knows of no conflict, unless it is told.
$run = run('mmul16-conflict.idg --gpu v100.xml --param size=256 --advise '
      . '--what-if local.load.conflict.issue=16');
isnt( $run->{bottleneck}{kind}, 'bank-conflict', 'a conflict that costs nothing' );
is( $run->{what_if}{bottleneck}{kind}, 'bank-conflict', '... and one that does' );

# Graphs made of code name the degree alone. The test's GPU has no such class, so it gets one.
my $banked = slurp($gpu);
$banked =~ s/local\.load\.conflict\.c4/local.load.c4/g or die 'the class has another name';
$banked = spew( "$folder/banked.xml", $banked );
my $code = spew( "$folder/code.idg", slurp( changed( 'conflict', '\.conflict\.c4', '.c4' ) ) );
$run    = helps(
    "$code --gpu $banked", 'bank-conflict', 0,
    changed( 'conflict', '\.conflict\.c4', '' ) . " --gpu $banked",
    qr/^local\.load\.c4 issue latency 8 -> 2 .* degree 4$/
);
is( $run->{bottleneck}{kind}, 'bank-conflict', 'the bottleneck of code: its kind' );

# Accesses that are not coalesced: with them goes what they move too much, where it is too much.
my $scattered = 'global.store.s32 touches 32 sectors per request, where 4 would do: coalesced, it would give';
for my $case (
    [ 8,        1,       qr/; 655\.4 k bytes of device memory instead of 2\.949 M$/ ],
    [ 1,        1,       qr/; the bytes of device memory stay$/ ],
    [ 1.00001,  1,       qr/; the bytes of device memory stay$/ ],
    [ '0.5*16', '0.5*2', qr/; 655\.4 k bytes of device memory instead of 2\.949 M$/ ]
  )
{
    my ( $from, $to, $traffic ) = @$case;
    my $scatter = spew( "$folder/scatter.idg", slurp("$cases/scatter.idg") =~ s/device="8"/device="$from"/r );
    my $dense   = spew( "$folder/dense.idg",
        slurp("$cases/scatter.idg") =~ s/device="8"/device="$to"/r =~ s/store\.s32/store/r );
    $run = helps( "$scatter --gpu $gpu", 'uncoalesced', 0, "$dense --gpu $gpu",
        qr/^\Q$scattered\E .*, with issue latency 64 -> 8 and completion latency 256 -> 200/ );
    like( $run->{advice}[0]{sentence}, $traffic, '... and its traffic' );
    is( $run->{bottleneck}{kind}, 'uncoalesced', 'the bottleneck' );
    is_deeply( [ @{ $run->{reliefs}[0] }{qw(sectors least_sectors degree plain)} ],
        [ 32, 4, undef, 'global.store' ], 'the sectors' );
}
like( output("$cases/scatter.idg --gpu $gpu --sensitivity"), qr/^  global\.store\.s32 coalesced: -7/m,
    '... in the table for people' );

# 32 bytes of each lane need 32 sectors, so 32 are not too many; nor are they where nobody knows
# what they cost.
for my $case ( [ 'bytes="4"', 'bytes="32"' ], [ 'store.s32', 'load.s32' ] ) {
    my $text = slurp("$cases/scatter.idg") =~ s/$case->[0]/$case->[1]/gr;
    $run = run( spew( "$folder/wide.idg", $text ) . " --gpu $gpu --advise --clamp none" );
    is( scalar( grep { $_->{kind} eq 'uncoalesced' } @{ $run->{advice} } ), 0, "no advice of $case->[1]" );
    isnt( $run->{bottleneck}{kind}, 'uncoalesced', '... nor a bottleneck' );
}

# How wide an access is stands behind, and stays.
my $wide = spew( "$folder/wide.idg", slurp( changed( 'conflict', '\.conflict\.c4', '.c4.v4' ) ) );
$run = helps(
    "$wide --gpu $banked", 'bank-conflict', 0,
    changed( 'conflict', '\.conflict\.c4', '.v4' ) . " --gpu $banked",
    qr/^local\.load\.c4\.v4 issue latency 8 -> 2 .* degree 4$/
);
is( $run->{bottleneck}{kind}, 'bank-conflict', 'the bottleneck of wide accesses: its kind' );

# 64 registers of 32 threads are 2048 of 8192; 48 make room for a fifth warp. So does local memory.
$run = helps(
    "$cases/registers.idg --gpu $gpu", 'occupancy', 1,
    changed( 'registers', 'registers="64" local-memory="2048"', 'registers="48" local-memory="1638"' )
      . " --gpu $gpu",
    qr/^one more group per CU needs 410 bytes of local memory per group less \(1 638 instead of 2 048\) and 16 registers per thread less \(48 instead of 64\)/
);
is( run( changed( 'registers', 'registers="64" local-memory="2048"', "registers=\"$_->[0]\" local-memory=\"$_->[1]\"" )
      . " --gpu $gpu" )->{launch}{active_groups}, 4, "... and no less does: $_->[0], $_->[1]" )
  for [ 49, 1638 ], [ 48, 1639 ];

$run = helps( "$cases/chain.idg --gpu $gpu --active 1", 'latency', 0,
    "$cases/chain.idg --gpu $gpu --active 1 --what-if global.completion=100",
    qr/^global\.load completion latency 200 -> 100 would give/ );
is( $run->{bottleneck}{kind}, 'latency', 'the bottleneck' );
like( join( "\n", map { $_->{sentence} } @{ $run->{advice} } ),
    qr/^the completion latency of global\.load \(200 cycles\) takes .* 2 groups at once instead of 1, which fit/m,
    '... is hidden by more groups' );

# Two loads side by side: to be quicker alone helps none of them, so they are told of together.
my $beside = changed( 'chain', '<node name="x" class="global.load" after="x"', '<node name="a" class="global.load.a" after="a b"/><node name="b" class="global.load.b" after="a@1 b"' );
$run = helps( "$beside --gpu $gpu --active 1", 'latency', 0, "$beside --gpu $gpu --active 1 --what-if global.completion=100", qr/^half the completion latency of global\.load\.a, global\.load\.b together would give/ );

# Of many three are named.
my @loads = map { my $name = $_; qq(<node name="$_" class="global.load.$_" after=") . join( ' ', map { $_ lt $name ? "$_\@1" : $_ } 'a' .. 'e' ) . '"' } 'a' .. 'e';
my $many = changed( 'chain', '<node name="x" class="global.load" after="x"', join '/>', @loads );
$run = helps( "$many --gpu $gpu --active 1", 'latency', 0, "$many --gpu $gpu --active 1 --what-if global.completion=100",
    qr/^half the completion latency of global\.load\.\w, global\.load\.\w, global\.load\.\w and 2 others of the kind together/ );

$run = helps( "$cases/stream.idg --gpu $gpu", 'bandwidth', 0,
    "$cases/stream.idg --gpu $gpu --what-if global.issue=4", qr/memory bandwidth: at 98\.2 %/ );
is( $run->{bottleneck}{kind}, 'bandwidth', 'the bottleneck' );

# Half of the bytes take as long as all of them at twice the bandwidth, where they pass a level that the roofline does not
# know; else there is nothing to gain but by less work.
my $slack = spew( "$folder/slack.xml", slurp("$levels/gpu.xml") =~ s/<peak/<peak name="B_mem" value="64"\/>$&/r );
my $pass = '<node name="x" class="global.load" bytes="4" device="1" line="3"/>';
my $twice = spew( "$folder/twice.idg",
    slurp("$levels/stream.idg") =~ s{\Q$pass}{<loop name="p" times="2">$pass</loop><loop name="q" times="2">@{[ $pass =~ s/"x"/"y"/r ]}</loop>}r );
$run = helps( "$twice --gpu $slack", 'bandwidth', 0,
    "$twice --gpu $slack --what-if device.bandwidth=64",
    qr/^device memory bandwidth is busy 9[89]\.\d % of the time: less traffic there helps \(global\.load above all\)/ );
is_deeply( [ @{ $run->{bottleneck} }{qw(kind level share_of line)} ],
    [ 'bandwidth', 'device', 'busy', 'stream.cl:3' ], 'the bottleneck is a level' );
$run = run("$levels/stream.idg --gpu $slack --advise");
like( $run->{advice}[0]{sentence}, qr/^nothing is left: at 9[89]\.\d % of device memory bandwidth, the run moves what its threads ask for, once$/,
    'one pass moves what it must' );
$run = run("$levels/stream.idg --gpu $levels/gpu.xml --advise");
is_deeply( [ map { $_->{kind} } @{ $run->{advice} } ], ['nothing'], 'at the ceiling there is nothing' );
like( $run->{advice}[0]{sentence}, qr/^nothing is left: at 99\.3 % of device memory bandwidth, the run moves what its threads ask for, once$/,
    '... which is said' );
is_deeply( [ @{ $run->{bottleneck} }{qw(kind level)} ], [ 'bandwidth', 'device' ], '... but the bottleneck is the same' );
my $reads = spew( "$folder/reads.idg", slurp("$levels/stream.idg") =~ s/groups="256"/groups="2048"/r =~ s/^.*global\.store.*\n//mr );
$run = run("$reads --gpu $levels/gpu.xml --advise");
like( $run->{advice}[0]{sentence}, qr/^nothing gives more than 2 %: at 98\.8 % of device memory bandwidth, the run takes 1\.012 times what the roofline allows/,
    '... and what only reads has its ceiling' );

# With levels it is the sectors that cost, and they stay the same class.
my $dense = spew( "$folder/narrow.idg", slurp("$levels/table.idg") =~ s/l1="8" l2="7.5"/l1="1" l2="1"/r =~ s/\.s32//r );
$run = helps( "$levels/table.idg --gpu $levels/gpu.xml", 'uncoalesced', 0, "$dense --gpu $levels/gpu.xml",
    qr/^global\.load\.s32 touches 32 sectors per request, where 4 would do: coalesced, it would give [^;]* less\); the bytes of device memory stay$/ );
is_deeply( [ @{ $run->{bottleneck} }{qw(kind class line)} ],
    [ 'uncoalesced', 'global.load.s32', 'table.cl:5' ], 'the bottleneck' );
my $tags  = spew( "$folder/tags.xml", slurp("$levels/gpu.xml") =~ s/request="1"/request="1" tag="2"/r );
my $lines = spew( "$folder/lines.idg", slurp("$levels/table.idg") =~ s/l1="8"/l1="8" lines="32"/r );
helps( "$lines --gpu $tags", 'uncoalesced', 0, "$dense --gpu $tags", qr/^global\.load\.s32 touches 32 sectors/ );

# Without levels' advice, what is saturated is the bottleneck: here those that turns keep waiting.
my $spot = spew( "$folder/spot.idg", slurp("$levels/table.idg") =~ s/times="8"/times="1"/r =~ s/l1="8" l2="7.5"/l2="0.1"/r );
my $slow = spew( "$folder/slow.xml", slurp("$levels/gpu.xml") =~ s/address="1" line="0.5"/address="0.02"/r );
$run = run("$spot --gpu $slow --explain");
is_deeply( [ @{ $run->{bottleneck} }{qw(kind class level)} ],
    [ 'throughput', 'atomic.add', 'spot count' ], 'the bottleneck is a place' );
like( output("$spot --gpu $slow"), qr/^Limited by    one place of atomics \(count\), which is busy 9\d/m, '... in words' );

# ---- what a warm cache keeps

$run = run("$levels/stream.idg --gpu $levels/gpu.xml --cache warm");
is( $run->{memory}{kept},              1, 'a warm cache keeps what fits' );
is( $run->{memory}{levels}[2]{bytes},  0, '... and device memory moves nothing' );
is( $run->{memory}{levels}[1]{hit_rate}, 1, '... all of it needs nothing behind L2' );
is( $run->{roofline}{predicted}{bound} // $run->{roofline}{bound}, 'compute', '... nor does the roofline count its bytes' );
$run = run("$levels/stream.idg --gpu $levels/gpu.xml --cache warm --groups 2000");
is( $run->{memory}{kept}, 0, 'of more than it holds it keeps nothing' );
like( output("$levels/stream.idg --gpu $levels/gpu.xml --cache warm --groups 2000"),
    qr/^Cache +cold after all: the launch moves more at device memory than the\s+last cache\s+holds/m, '... which is said' );

$run = helps( "$cases/busy.idg --gpu $gpu", 'throughput', 0,
    "$cases/busy.idg --gpu $gpu --what-if alu.issue=0.5",
    qr/^at 99\.5 % of the alu pipeline, only fewer .*; nothing else gives more than 2 %$/ );
is( $run->{bottleneck}{kind}, 'throughput', 'the bottleneck' );

# A class that covers another one leaves that at its half. What hits in a cache is no bandwidth of
# device memory, though it takes as long: of a point's eight accesses two go there.
$run = helps( 'stencil.idg --gpu pascal.xml', 'throughput', 0,
    'stencil.idg --gpu pascal.xml --what-if global.issue=6',
    qr/^at 100\.0 % of the global pipeline, of which device memory needs 25\.0 %, only fewer instructions on it help \(global\.load\.l1 above all\)/ );
is( $run->{bottleneck}{kind}, 'throughput', 'the bottleneck: no bandwidth' );

# Bytes that nobody told of are those of device memory, as far as is known; so are some that are.
sub streaming {
    my ($bytes) = @_;
    my $case = changed( 'stream', 'class="global\.load"', "class=\"global.load\" $bytes" );
    my $told = run("$case --gpu $gpu --advise");
    return "$told->{bottleneck}{kind} $told->{advice}[0]{kind}";
}
is( streaming('bytes="4" device="1"'),    'bandwidth nothing',     'a warp of 128 bytes, at the ceiling' );
is( streaming('bytes="4"'),               'bandwidth bandwidth',   '... that may be from anywhere' );
is( streaming('bytes="4" device="0.8"'),  'bandwidth bandwidth',   '... of which most is' );
is( streaming('bytes="4" device="0.5"'),  'throughput throughput', '... of which half is' );
is( streaming('bytes="4" device="0.25"'), 'throughput throughput', '... of which little is' );
is( streaming('bytes="4" device="0"'),    'throughput throughput', '... from caches' );

# Warp 3's twenty instructions become the two of the others.
$run = helps( "$cases/imbalance.idg --gpu $gpu", 'barrier', 0,
    changed( 'imbalance', 'times="20">\s+<node name="x" class="alu" after="x" line="8"',
        'times="2"><node name="x" class="alu" after="x" line="8"' ) . " --gpu $gpu",
    qr/^warps spend [0-9.]+ % of their time at the barrier, where warp 3 comes last: no more work/ );
is( $run->{bottleneck}{kind}, 'barrier', 'the bottleneck' );

# Where several warps run the late one's code, all of them are changed, and the sentence says so.
my $two = spew( "$folder/two.idg", slurp( changed( 'imbalance', 'warps="0\.\.2">', 'warps="0,2">' ) ) );
helps(
    "$two --gpu $gpu", 'barrier', 0,
    changed( 'imbalance', 'times="20">\s+<node name="x" class="alu" after="x" line="8"',
        'times="2"><node name="x" class="alu" after="x" line="8"' ) . " --gpu $gpu",
    qr/where warp \d comes last: no more work for warps 1 and 3, which all run its code, than for warp 0 would give/
);

# With a third kind of warp there are two to hold the late one against, and one thing to say.
my $third = changed( 'imbalance', 'warps="0\.\.2">', 'warps="0..1">' );
$third = slurp($third);
$third =~ s{(<code>.*?</code>)(\s*</idg>)}{my ($code, $end) = ($1, $2); (my $two = $code) =~ s/<code>/<code warps="2">/; $two =~ s/<loop times="20">\s+<node name="x"/<loop times="3"><node name="x"/; "$two$code$end"}es;
$third = run( spew( "$folder/third.idg", $third ) . " --gpu $gpu --advise" );
is_deeply( [ grep { $_->{kind} eq 'barrier' } @{ $third->{advice} } ],
    [ $third->{advice}[0] ], 'a late warp is told once' );

# Four independent additions on two pipelines, each with room for twice as many: one scheduler issues one
# instruction per cycle, and nothing else is in the way.
my $ports = slurp($gpu);
$ports =~ s{<chip }{<chip schedulers="1" issue-width="1" };
$ports =~ s{<pipeline name="local"/>}{<pipeline name="beta"/>$&};
$ports =~ s{<class name="alu".*}{<class name="alu" pipeline="alu" issue="0.5" completion="8"/><class name="beta" pipeline="beta" issue="0.5" completion="8"/>};
my $narrow = spew( "$folder/narrow.xml", $ports );
my $double = spew( "$folder/double.xml", $ports =~ s/issue-width="1"/issue-width="2"/r );
$run = helps( "$cases/ports.idg --gpu $narrow --schedulers 1", 'issue-port', 0,
    "$cases/ports.idg --gpu $double --schedulers 1 --clamp none",
    qr/^schedulers issue 1 per cycle at most: [0-9.]+ % of the critical path waits for their ports \((alu|beta) above all\), so fewer instructions of any class help; twice as many per cycle would give/ );
is( $run->{bottleneck}{kind}, 'issue-port', 'the bottleneck' );
cmp_ok( $run->{advice}[0]{gain}, '>', 0.4, '... is all of it' );
$run = run("$cases/ports.idg --gpu $narrow --advise");
is( scalar( grep { $_->{kind} eq 'issue-port' } @{ $run->{advice} } ), 0, 'no schedulers, no ports' );

helps( "$cases/uneven.idg --gpu $gpu", 'tail', 0, "$cases/uneven.idg --gpu $gpu --groups 16",
    qr/^17 groups do not fill 2 CUs with 8 at once evenly: 16 groups would take .* instead of .*, and all of the work at that rate .* less$/ );

# Room for more work makes a launch no faster, so it comes last, however much of it there is.
helps( "$cases/chain.idg --gpu $gpu --groups 1", 'tail', 1, "$cases/chain.idg --gpu $gpu --groups 2",
    qr/^1 group leaves 1 of 2 CUs without work: 2 groups would take no longer \([^()]+\), so there is room for 2 times the work in each launch$/ );
$run = helps( 'mmul08.idg --gpu v100.xml --groups 6', 'tail', 4, 'mmul08.idg --gpu v100.xml --groups 80',
    qr/^6 groups leave 74 of 80 CUs without work: 80 groups .* room for 13\.33 times/ );
is( $run->{advice}[0]{kind}, 'unroll', '... after what makes it faster' );

# A grid of one group, and fewer groups than CUs, whether on purpose or not: which CUs have nothing to do is said last, and
# promises this launch nothing.
my $turn = 'tests/pairs/turn.ptx --gpu a100.xml --from ptx --registers 32 --kernel turn --block 32x8 --arg in=ramp:1M --arg out=zero:1M '
  . '--arg width=288 --grid';
for my $case (
    [ "$turn 1x1", qr/^1 group leaves 107 of 108 CUs without work: 108 groups would take \S+ us instead of \S+ us for 108 times the work$/ ],
    [ "$turn 9x6", qr/^54 groups leave 54 of 108 CUs without work: 108 groups would take \S+ us instead of \S+ us for 2 times the work$/ ],
    [ 'volkov.idg --gpu v100.xml --groups 40',
        qr/^40 groups leave 40 of 80 CUs without work: 80 groups would take hardly longer \(\S+ us\), so there is room for 2 times/ ] )
{
    my $told = run("$case->[0] --advise");
    like( $told->{advice}[-1]{sentence}, $case->[1], '... what has no work' );
    is( $told->{advice}[-1]{gain}, 0, '... gains nothing' );
    is( $told->{advice}[-1]{line}, undef, '... and is the launch' );
}

# A CU with one group more than others takes longer only where it is busy.
$run = run("$cases/uneven.idg --gpu $gpu --groups 3 --advise");
like( $run->{advice}[-1]{sentence}, qr/^of 2 CUs 1 runs 2 groups and the others 1: 4 groups would take no longer/,
    'of groups that wait for themselves there may be more' );
is( scalar( grep { $_->{kind} eq 'tail' } @{ $run->{advice} } ), 1, '... and fewer would be no faster' );
helps( "$cases/busy.idg --gpu $gpu --groups 3", 'tail', 1, "$cases/busy.idg --gpu $gpu --groups 2",
    qr/^3 groups do not fill 2 CUs with 2 at once evenly: 2 groups would take/ );

helps( "$cases/short.idg --gpu $gpu --overheads on", 'launch', 0, "$cases/short.idg --gpu $gpu",
    qr/^launches that cost nothing \(the kernel's takes 2\.000 us/ );

# ---- the same on real GPUs

for my $case (
    [ 'mmul08', 'pascal', 7 ],
    [ 'mmul16', 'pascal', 7 ],
    [ 'mmul08', 'fermi',  8 ],
    [ 'mmul16', 'fermi',  8 ]
  )
{
    my ( $kernel, $name, $degree ) = @$case;
    my $size = $kernel eq 'mmul08' ? 128 : 256;
    my $why  = helps(
        "$kernel-conflict.idg --gpu $name.xml --param size=$size", 'bank-conflict', 0,
        "$kernel.idg --gpu $name.xml --param size=$size",
        qr/^local\.load\.conflict issue latency .* bank conflict of degree $degree$/
    );
    is( $why->{bottleneck}{kind}, 'bank-conflict', 'the bottleneck' );
}
$run = helps( 'mmul08.idg --gpu pascal.xml --param size=512 --active 2',
    'latency', 0, 'mmul08.idg --gpu pascal.xml --param size=512',
    qr/^the completion latency of global\.load\.B\.8x8 .* 32 groups at once instead of 2, which fit/ );
is( $run->{bottleneck}{class}, 'global.load.B.8x8', 'the bottleneck: its class' );
is( $run->{bottleneck}{line},  'mmul.cl:27',        '... its line' );
$run = run('saxpy.idg --gpu pascal.xml --advise');
is( $run->{bottleneck}{kind}, 'bandwidth', 'the bottleneck' );
cmp_ok( abs( $run->{headroom} - 1 ), '<', 0.01, 'there is no headroom' );
is( $run->{advice}[0]{kind}, 'nothing', '... so there is no advice' );

# A what-if that makes loads and stores conflict is seen through.
my $both = run('mmul08.idg --gpu pascal.xml --param size=128 --advise '
      . '--what-if local.issue=7,local.completion=100');
is( $both->{what_if}{advice}[0]{kind}, 'bank-conflict', 'a what-if that is a conflict' );
near( '... goes', $both->{what_if}{advice}[0]{seconds}, $both->{result}{seconds} );

# A pipeline that is busy all the time, and half of whose instructions would wait as long.
$run = run("$cases/uneven.idg --gpu $gpu --groups 16 --advise");
is( $run->{advice}[0]{kind}, 'nothing', 'two limits at once' );
like( $run->{advice}[0]{sentence}, qr/^nothing alone gives more than 2 %: at 9.* of the alu pipeline, but with half of its issue latencies/,
    '... and the advice says so' );

# ---- one story

# Bottleneck, first advice and "Limited by" of README.md's example: two pipelines are near their
# limits, and the critical path goes along the less busy one. Device memory needs
# less than half of the time for which its pipeline is busy.
my $corpus = 'tests/corpus/mmul16.ptx --gpu pascal.xml --grid 64x64 --block 16x16 --registers 38 '
  . '--arg size=1024 --arg a=ramp:4M --arg b=ramp:4M --arg c=zero:4M';
SKIP: {
    skip 'checkers would take minutes', 1 if $ENV{PIPESIM_CHECKER};
    my $told = run("$corpus --advise");
    is( "$told->{advice}[0]{kind} $told->{advice}[0]{class}", 'throughput global.load', 'the first advice' );
    is( "$told->{bottleneck}{kind} $told->{bottleneck}{class}", 'throughput global.load', '... is the bottleneck' );
    is( $told->{bottleneck}{share_of}, 'busy', '... for its pipeline is busy' );
    my ($busy) = grep { $_->{name} eq 'global' } @{ $told->{pipelines} };
    cmp_ok( abs( $told->{bottleneck}{share} - $busy->{busy} ), '<', 1e-6, '... that long' );
    like( $told->{advice}[0]{sentence},
        qr/^2 pipelines are near their limits, global at 95\.6 % and shared at 86\.9 %: .* on both help \(global\.load and shared\.load above all\)/,
        '... with both pipelines' );
    my ($alone) = grep { $_->{sentence} =~ /^at 95\.6 % of the global/ } @{ $told->{advice} };
    like( $alone->{sentence}, qr/^at 95\.6 % of the global pipeline, of which device memory needs 34\.9 %, fewer/, '... of one of which half is bandwidth' );
    my $text = output("$corpus --explain") =~ s/\n +/ /gr;
    like( $text, qr/^Limited by +throughput of the pipeline global, which is busy 95\.6 % of the time; shared is near that, with 86\.9 %$/m,
        '... and the text says so' );
    my $path = run("$corpus --explain");
    is( "$path->{bottleneck}{kind} $path->{bottleneck}{class}", 'throughput global.load', '... without advice, too' );
}

# Below 90 % a pipeline may still be what is worth most, and nothing says that it is not.
SKIP: {
    skip 'checkers would take minutes', 1 if $ENV{PIPESIM_CHECKER};
    my $told = run('volkov.idg --gpu pascal.xml --param n=128 --advise');
    is( "$told->{bottleneck}{kind} $told->{advice}[0]{kind}", 'bandwidth bandwidth', 'a pipeline that is busy 81.7 %' );
    my $text = output("volkov.idg --gpu pascal.xml --param n=128 --report $folder/volkov.html") . slurp("$folder/volkov.html");
    $text =~ s/\n +/ /g;
    like( $text, qr/^Limited by +throughput in part: the busiest pipeline, global, is busy 81\.7 % of the time; for the rest warps wait/m, '... in text' );
    like( $text, qr/>Limited by<.*?>throughput in part: the busiest pipeline, global, is busy 81\.7 % of the time; for the rest warps wait/s, '... and the page' );
    unlike( $text, qr/latency: warps wait|latency-bound/, '... and nothing else' );
}

# What the first advice names is the bottleneck, whatever it is.
my %is_cause = map { $_ => 1 } qw(bank-conflict uncoalesced bandwidth throughput latency barrier issue-port);
for my $arguments ( 'mmul08.idg --gpu pascal.xml --param size=256 --active 8', 'docs/guide/tiled.idg --gpu fermi.xml --param size=256',
    'docs/guide/tiled.idg --gpu v100.xml --param size=256', 'mmul16.idg --gpu fermi.xml --param size=256', 'reduction.idg --gpu v100.xml', 'volkov.idg --gpu v100.xml' ) {
    my $told = run("$arguments --advise");
    my ($first) = grep { $_->{kind} !~ /^(?:tail|occupancy)$/ } @{ $told->{advice} };
    next if !$is_cause{ $first->{kind} };
    is( $told->{bottleneck}{kind}, $first->{kind}, "... $arguments: the kind" );
}

# Each latency that a kernel may wait for less, and whose half gains more than 2 %, is told, the most helpful first, and none
# twice. What half gains beyond half of its share of the critical path comes by chance.
sub may_help {
    my ( $told, $class ) = @_;
    my $share = 0;
    $share += $_->{share}
      for grep { ( $_->{class} // '' ) eq $class && $_->{kind} =~ /^(?:completion|barrier|hold)$/ } @{ $told->{critical_path}{by_class} };
    return $class =~ /^(?:global|local|barrier)\b/ && $share >= 0.04;
}
for my $arguments ( 'mmul08.idg --gpu pascal.xml --active 2', 'mmul08.idg --gpu pascal.xml --active 4 --param size=256' ) {
    my $told = run("$arguments --advise --sensitivity");
    my $now  = $told->{result}{seconds};
    my @best = sort { $b->[0] <=> $a->[0] }
      grep { $_->[0] >= 0.02 }
      map { [ 1 - $_->{half}{seconds} / $now, "$_->{class} $_->{varies} latency", 1 - $_->{double}{seconds} / $now ] }
      grep { $_->{varies} eq 'completion' && defined $_->{half}{seconds} && may_help( $told, $_->{class} ) } @{ $told->{sensitivity} };
    splice @best, 5;
    my $chance = ( sort { $b <=> $a } 0, map { $_->[2] } @best )[0];
    @best = grep { $_->[0] >= 0.02 + $chance } @best;
    my @told = map { $_->{sentence} =~ /^(\S+ completion latency) [0-9.]+ -> / ? $1 : () } @{ $told->{advice} };
    is_deeply( \@told, [ map { $_->[1] } @best ], "$arguments: all latencies that matter" );
    cmp_ok( scalar @told, '>', 2, '... are several' );
    my @gains = map { $_->{gain} } @{ $told->{advice} };
    is_deeply( \@gains, [ sort { $b <=> $a } @gains ], '... in order' );
    my %seen;
    is( scalar( grep { $seen{ $_->{sentence} }++ } @{ $told->{advice} } ), 0, '... once' );
}

# How long additions take is the GPU's: no advice, but in the table, and what holds the run up all the same.
{
    my $told = run( changed( 'chain', 'global\.load', 'alu' ) . " --gpu $gpu --groups 2 --advise --sensitivity" );
    is_deeply( [ map { "$_->{kind} $_->{class}" } @{ $told->{advice} } ], ['nothing alu'], 'the latency of an addition is no advice' );
    like( $told->{advice}[0]{sentence}, qr/; \d\d\S* % of the critical path is the completion latency of alu, which is the GPU's$/, '... which it says' );
    is_deeply( [ @{ $told->{bottleneck} }{qw(kind class)} ], [qw(latency alu)], '... but the bottleneck' );
    my ($row) = grep { $_->{varies} eq 'completion' && $_->{class} eq 'alu' } @{ $told->{sensitivity} };
    cmp_ok( $row->{half}{seconds}, '<', 0.6 * $told->{result}{seconds}, '... and in the table' );
}

# Where a latency that is twice as long gains, too, both are chance, and what is no more than that is no advice.
{
    my $told = run('mmul16.idg --gpu pascal.xml --param size=512 --sensitivity --advise');
    my ($row) = grep { $_->{varies} eq 'issue' && $_->{class} eq 'global.load.B.16x16' } @{ $told->{sensitivity} };
    my $now = $told->{result}{seconds};
    cmp_ok( 1 - $row->{half}{seconds} / $now, '>=', 0.02, 'half of a latency gains 2 %' );
    cmp_ok( 1 - $row->{double}{seconds} / $now, '>', 0.01, '... and twice as much gains as well' );
    is( scalar( grep { $_->{sentence} =~ / latency .* -> / } @{ $told->{advice} } ), 0, '... so neither is advice' );
}

# With --advise alone, JSON has of the table what advice tried: half of latencies that a kernel may wait for less.
{
    my @rows = @{ run('mmul08.idg --gpu pascal.xml --active 2 --param size=128 --advise')->{sensitivity} };
    cmp_ok( scalar @rows, '>', 0, 'advice alone has rows of the table' );
    is( scalar( grep { $_->{varies} ne 'completion' || !defined $_->{half}{seconds} || defined $_->{double}{seconds} } @rows ), 0, '... of half of a latency' );
}

# Latencies at another clock are no quotients for people.
my $latencies = output('mmul08.idg --gpu v100.xml --clock base --param size=64 --sensitivity');
like( $latencies, qr/^  device latency +391\.5 /m, 'a latency of memory is a decimal' );
unlike( $latencies, qr{\d/\d}, '... like all' );

# Advice in text spares what the table needs alone, and what no busy pipeline lets matter; it is the same.
for my $arguments ( 'mmul08-conflict.idg --gpu pascal.xml --param size=256', 'mmul08.idg --gpu pascal.xml --param size=256 --active 8',
    "$cases/registers.idg --gpu $gpu", "$cases/scatter.idg --gpu $gpu", "$cases/busy.idg --gpu $gpu", "$cases/uneven.idg --gpu $gpu --groups 16 --schedulers 2",
    'docs/guide/tiled.idg --gpu pascal.xml --param size=256', 'volkov.idg --gpu v100.xml' ) {
    my $spared = output("$arguments --advise");
    my ($whole) = output("$arguments --advise --sensitivity") =~ /(^Advice\n.*?\n)\nSensitivity/ms;
    like( $spared, qr/\Q$whole\E/, '... and the same' );
}

# The page's sweep knows the number that advice speaks of, and has no "-0.00".
{
    my $arguments = 'mmul08.idg --gpu pascal.xml --param size=256 --active 8';
    output("$arguments --report $folder/sweep.html");
    my $page = slurp("$folder/sweep.html");
    my ( $fit, $time ) = $page =~ /: (\d+) groups at once instead of 8, which fit, would give (\S+ us)/;
    like( $page, qr/ groups at once would be fastest and take \S+ us, the $fit that fit $time; 8 groups take /, 'the sweep and the advice' );
    unlike( $page, qr/-0\.00</, '... and no -0.00' );
    like( $page, qr{groups</th><td class='n' data-of='now'>1 024<}, '... and numbers with spaces' );
}

# Numbers of more than three digits have spaces.
like( output('mmul08.idg --gpu pascal.xml --param size=256 --sensitivity'), qr/^  groups +1 024 /m, 'a sensitivity of many groups' );

# ---- sensitivity

# Every row beside the run that it is of.
my %option = (
    issue      => sub { "--what-if $_[0]{class}.issue=$_[1]" },
    completion => sub { "--what-if $_[0]{class}.completion=$_[1]" },
    active     => sub { "--active $_[1]" },
    groups     => sub { "--groups $_[1]" },
    clock      => sub { "--clock $_[1]" },
);
my %file = (
    registers    => sub { changed( 'registers', 'registers="64"',      "registers=\"$_[0]\"" ) },
    local_memory => sub { changed( 'registers', 'local-memory="2048"', "local-memory=\"$_[0]\"" ) },
);
my $tried = 0;

sub every_row {
    my ( $case, $options ) = @_;
    my $all = run("$case $options --sensitivity");
    $tried = 0;
    for my $row ( @{ $all->{sensitivity} } ) {
        for my $factor (qw(half tenth_more double)) {
            my $try = $row->{$factor};
            next if !defined $try->{seconds};
            my $from = $file{ $row->{varies} };
            my $with = $option{ $row->{varies} };
            my $file = $from ? $from->( $try->{value} ) : $case;
            my $then = run( "$file $options" . ( $with ? ' ' . $with->( $row, $try->{value} ) : '' ) );
            $then = $then->{what_if} // $then;
            near( "$row->{varies}, $factor", $try->{seconds}, $then->{result}{seconds} );
            $tried++;
        }
    }
    return $all;
}
my $more = every_row( "$cases/registers.idg", "--gpu $gpu" );

# What is the same machine is simulated once: other clocks, more groups at once than there are, the
# completion of a store that nobody waits for. None of that may change what comes out.
for my $options ( '--clamp none', '--clamp none --cus all --overheads on --groups 65', '--clamp none --schedulers 2 --order program --active 3' ) {
    my $all = every_row( "$cases/scatter.idg", "--gpu $gpu $options" );
    cmp_ok( $all->{simulations}, '<=', $tried + @{ $all->{reliefs} } - 6, "... $options: some are the same" );
    cmp_ok( $all->{simulations}, '>', 8,           '... and some are not' );
}
my %row  = map { $_->{varies} => $_ } @{ $more->{sensitivity} };
my $half = $row{registers}{half};
is( $half->{value}, 32, 'half of the registers' );
is( $row{active}{tenth_more}{value}, 5, '10 % more of 4 groups is one more' );
like( $row{local_memory}{double}{problem} // '', qr/^$/, 'twice the local memory fits' );
my @effects = map { $_->{effect} } @{ $more->{sensitivity} };
is_deeply( \@effects, [ sort { $b <=> $a } @effects ], 'the largest effect comes first' );
cmp_ok( $row{groups}{effect}, '>', 0.99, 'twice the groups take twice as long' );

# What cannot be is null, with a reason.
$more = run("$cases/chain.idg --gpu $gpu --active 1 --groups 1 --sensitivity");
%row = map { $_->{varies} => $_ } @{ $more->{sensitivity} };
is( $row{$_}{half}{seconds}, undef, "half of one: $_" ) for qw(active groups);
is( $row{active}{half}{problem}, '1 cannot be halved', '... and why' );
$more = run( changed( 'registers', 'registers="64"', 'registers="200"' ) . " --gpu $gpu --sensitivity" );
%row = map { $_->{varies} => $_ } @{ $more->{sensitivity} };
is( $row{registers}{double}{seconds}, undef, 'more registers than there are' );
like( $row{registers}{double}{problem}, qr/not even one group .* fits/, '... and why' );

# ---- input that is odd

# Names and lines that look like something else; a graph without lines; one without instructions.
my $text = slurp("$cases/conflict.idg");
$text =~ s/file="conflict\.cl"/file="&lt;b&gt;&quot;&#9;\\'%n.cl"/;
my $path = spew( "$folder/odd.idg", $text );
$run = run("$path --gpu $gpu --advise");
is( $run->{bottleneck}{line}, q{<b>" \\'%n.cl:3}, 'a hostile name of a file is shown as it is' );
like( output("$path --gpu $gpu --explain"), qr/<b>" \\'%n\.cl:3 /, '... in the text, too' );
$text =~ s/ line="\d+"//g;
$run = run( spew( "$folder/bare.idg", $text ) . " --gpu $gpu --advise" );
is( $run->{bottleneck}{line}, undef, 'a graph without lines' );
is_deeply( [ map { $_->{line} } @{ $run->{critical_path}{by_line} } ],
    [undef], '... has one share without a line' );
$run = run( changed( 'chain', 'times="50"', 'times="0"' ) . " --gpu $gpu --advise" );
is( $run->{advice}[0]{kind}, 'nothing', 'a graph that runs nothing' );
like( $run->{advice}[0]{sentence}, qr/no instruction/, '... and the advice says so' );
is( $run->{bottleneck}, undef, '... has no bottleneck' );

# Runs that are clamped are no ground for advice.
$run = run("tests/golden/input/mix.idg --gpu tests/golden/input/slow.xml --groups 64 --advise");
is( $run->{result}{clamped}, JSON::PP::true, 'a run that is clamped' );
is( $run->{advice}[0]{kind}, 'nothing',      '... gets no advice' );
like( $run->{advice}[0]{sentence}, qr/an input is wrong/, '... but for that' );

# A run that is too long to keep its path has the rest, and a warning.
SKIP: {
    skip 'checkers would take minutes', 1 if $ENV{PIPESIM_CHECKER};
    my $long = run("$cases/busy.idg --gpu $gpu --groups 1800000 --explain --no-fast-forward");
    is( $long->{critical_path}, undef, '... has no path' );
    is( $long->{bottleneck},    undef, '... and no bottleneck' );
    cmp_ok( scalar @{ $long->{waits} }, '>', 0, '... but waits' );
    like( join( ' ', @{ $long->{warnings} } ), qr/critical path is kept for runs .* at most/,
        '... and a warning' );
    my ($fewer) = join( ' ', @{ $long->{warnings} } ) =~ /simulates more, ([0-9]+) groups would not/;
    $long = run("$cases/busy.idg --gpu $gpu --groups $fewer --explain --no-fast-forward");
    is( ref $long->{critical_path}, 'HASH', '... that says how many groups fit' );
    cmp_ok( $fewer, '>', 1_500_000, '... and not far fewer than these' );
    like( output("$cases/busy.idg --gpu $gpu --groups 1800000 --explain --no-fast-forward"),
        qr/^Critical path.*\n +the critical path is kept for.*^Where warps are/ms, '... in text, too' );
}

# A group that waits for a place waits for what the group before it does.
$run = run("$cases/registers.idg --gpu $gpu --active 1 --groups 10 --explain");
is( $run->{critical_path}{places}, 4, "four of a CU's five groups, which come one by one, wait for a place" );
like( output("$cases/registers.idg --gpu $gpu --active 1 --groups 10 --explain"),
    qr/^  A group waited for a place on the CU 4 times: /m, '... in text, too' );

# ---- CSV

# Each has a table of its own, as JSON has it; there is one at a time.
sub rows {
    my ($arguments) = @_;
    my ( $head, @lines ) = split /\n/, output("$arguments --format csv");
    my @names = split /,/, $head;
    my @rows;
    for my $line (@lines) {
        my @fields;
        push @fields, defined $1 ? $1 =~ s/""/"/gr : $2 while $line =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g && @fields < @names;
        my %row;
        @row{@names} = @fields;
        push @rows, \%row;
    }
    return \@rows;
}
{
    my $what = "$cases/registers.idg --gpu $gpu --what-if global.completion=100";
    my $json = run("$what --explain --advise --sensitivity");
    my @both = ( $json, $json->{what_if} );
    for my $side ( 0, 1 ) {
        my $is = $side ? 'true' : 'false';
        my @of = ( grep { $_->{what_if} eq $is } @{ rows("$what --sensitivity") } );
        is( scalar @of, scalar @{ $both[$side]{sensitivity} }, "CSV, what if $is: sensitivity" );
        for my $i ( 0 .. $#of ) {
            my $row = $both[$side]{sensitivity}[$i];
            is( "$of[$i]{varies} $of[$i]{class} $of[$i]{value}", join( ' ', $row->{varies}, $row->{class} // '', $row->{value} ), '... what' );
            near( '... at half', $of[$i]{half_seconds}, $row->{half}{seconds} ) if $row->{half}{seconds};
        }
        @of = ( grep { $_->{what_if} eq $is } @{ rows("$what --advise") } );
        is_deeply( [ map { "$_->{kind}: $_->{sentence}" } @of ],
            [ map { "$_->{kind}: $_->{sentence}" } @{ $both[$side]{advice} } ], '... advice' );
        @of = ( grep { $_->{what_if} eq $is } @{ rows("$what --explain") } );
        my %sum;
        $sum{ $_->{table} } += $_->{share} for @of;
        for my $table (qw(class line pipeline wait)) {
            cmp_ok( abs( $sum{$table} - 1 ), '<', 1e-6, "... $table adds up" );
        }
        is( scalar( grep { $_->{table} eq 'wait' } @of ), scalar @{ $both[$side]{waits} }, '... waits' );
    }
}
for my $pair ( '--explain --sensitivity', '--sensitivity --advise', '--explain --advise' ) {
    output( "$cases/chain.idg --gpu $gpu --format csv $pair", 2 );
    like( slurp($errors), qr/--format csv writes one table: .* --format json has all of them/, '... one at a time' );
}
like( output("$cases/chain.idg --gpu $gpu --format csv --report $folder/page.html"), qr/^kernel,gpu,active_groups,.*\n.+\n\z/,
    'the page takes nothing from it' );

# ---- the page for people

for my $arguments ( "$cases/conflict.idg --gpu $gpu", 'mmul08.idg --gpu pascal.xml --param size=128',
    "$cases/imbalance.idg --gpu $gpu --what-if alu.completion=4" )
{
    my $page = output("$arguments --explain --sensitivity --advise");
    is( scalar( grep { length > 80 } split /\n/, $page ), 0, '... fits 80 columns' );
    like( $page, qr/^Advice/m,                                '... has advice' );
    like( $page, qr/^Critical path/m,                         '... the critical path' );
    like( $page, qr/^  in all +100\.0 %/m,                    '... which adds up' );
    like( $page, qr/^Sensitivity/m,                           '... what would change the time' );
    like( $page, qr/^Where warps are/m,                       '... waits' );
    like( $page, qr/^Warps on the first CU over time.*#/ms,   '... occupancy' );
    like( $page, qr/^  Tail: fewer than/m,                    '... and the tail' );
}

# What the kernel's launch costs is no part of the path, and of the time: with it, parts sum up to that.
{
    my $launched = "mmul08.idg --gpu v100.xml --clock base --param size=64 --report $folder/launched.html";
    my $text     = output("$launched --explain");
    my ($cycles) = $text =~ /^  with the launch +([0-9. ]+)$/m or diag($text);
    my $seconds  = run('mmul08.idg --gpu v100.xml --clock base --param size=64')->{result}{seconds};
    is( $cycles =~ s/ //gr, int( $seconds * 1245e6 + 0.5 ), 'the path and the launch are the time, to the cycle' );
    like( $text, qr/^  the kernel's launch +2 197$/m, '... which has a row' );
    like( slurp("$folder/launched.html"), qr{with the launch</th><td class='n'[^>]*></td><td class='n'[^>]*>6\.274 us<}, '... on the page, too' );
    unlike( output("$cases/conflict.idg --gpu $gpu --explain"), qr/the kernel's launch/, 'a launch that costs nothing has none' );
}
unlike( output("$cases/conflict.idg --gpu $gpu"), qr/Critical path|Advice|Sensitivity/,
    'a run that was not asked says nothing of it' );
output( "sweep $cases/conflict.idg --gpu $gpu --vary active=1,2 --explain", 2 );
like( slurp($errors), qr/--explain belongs to pipesim run/, 'a sweep explains nothing' );

done_testing;
