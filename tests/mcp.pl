# SPDX-License-Identifier: BSD-3-Clause
# For tests/mcp.t: the verb mcp as a client sees it, over pipes. All tools are called and held against the
# schema, paths and arguments are refused that may not be, a thousand messages that are none leave the server
# standing, and docs/tools/agents.md says what comes.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp;
use IPC::Open2;
use JSON::PP;
use POSIX qw(mkfifo);
use Test::More;
use files;
use schema;

my $program = abs_path( $ENV{PIPESIM} // './pipesim' );
my $root    = abs_path('.');
my $json    = JSON::PP->new->utf8->canonical->allow_nonref;
my $schema  = $json->decode( slurp( ( $ENV{BUILD} // 'build' ) . '/tell/pipesim.schema.json' ) );
my $folder  = File::Temp->newdir;
$ENV{PIPESIM_CACHE} = "$folder/cache";
$SIG{PIPE} = 'IGNORE';

# ---- a client

my ( $pid, $from, $to, $last, @noted );

sub start {
    my ($where) = @_;
    chdir $where or die "$where: $!\n";
    $pid = open2( $from, $to, $program, 'mcp' );
    chdir $root;
    ( $last, @noted ) = (0);
    return;
}

# The exit status, when the client has said all.
sub stop {
    close $to;
    my @rest = <$from>;
    waitpid $pid, 0;
    return $?;
}

sub say_line {
    my ($message) = @_;
    print {$to} ref $message ? $json->encode($message) : $message, "\n";
    $to->flush;
    return;
}

# The next message that is a response; notifications go to @noted.
sub hear {
    while ( my $line = <$from> ) {
        my $message = $json->decode($line);
        return $message if ref $message eq 'ARRAY' || !exists $message->{method};
        push @noted, $message;
    }
    return;
}

sub ask {
    my ( $method, $params, $id ) = @_;
    $id //= ++$last;
    say_line( { jsonrpc => '2.0', id => $id, method => $method, $params ? ( params => $params ) : () } );
    my $response = hear();
    is( $response->{id}, $id, "$method is answered by its id" ) if $response->{id} ne $id;
    return $response;
}

# The text of a tool, and whether it failed.
sub call {
    my ( $tool, $arguments, $meta ) = @_;
    my $result = ask( 'tools/call', { name => $tool, arguments => $arguments, $meta ? ( _meta => $meta ) : () } )->{result};
    return ( $result->{content}[0]{text}, $result->{isError} );
}

sub is_refused {
    my ( $name, $like, $tool, $arguments ) = @_;
    my ( $text, $failed ) = call( $tool, $arguments );
    ok( $failed && $text =~ $like && $text !~ /\n/, "$name is refused, in one line" ) or diag($text);
    return;
}

# ---- the beginning, and the list

my %hello = ( capabilities => {}, clientInfo => { name => 'test', version => '1' } );
start($root);
for my $version ( '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25' ) {
    my $result = ask( 'initialize', { protocolVersion => $version, %hello } )->{result};
    is( $result->{protocolVersion}, $version, "version $version is spoken" );
}
my $result = ask( 'initialize', { protocolVersion => '1999-01-01', %hello } )->{result};
is( $result->{protocolVersion}, '2025-11-25', '... in place of an unknown one the latest' );
is( $result->{serverInfo}{name}, 'pipesim', 'the server says who it is' );
is_deeply( $result->{capabilities}, { tools => {} }, '... and what it has' );
say_line( { jsonrpc => '2.0', method => 'notifications/initialized' } );
is_deeply( ask('ping')->{result}, {}, 'a ping is answered' );

my $tools = ask('tools/list')->{result}{tools};
is_deeply( [ map { $_->{name} } @$tools ], [qw(run advise explain compare sweep gate roofline gpus)], 'there are these tools' );
my %takes = map { $_->{name} => $_->{inputSchema} } @$tools;
for my $tool (@$tools) {
    my $takes = $tool->{inputSchema};
    is( $takes->{type}, 'object', "$tool->{name} has a schema of its arguments" );
    is_deeply( [ grep { !$takes->{properties}{$_} } @{ $takes->{required} // [] } ], [], '... that has those which it needs' );
    is_deeply( [ grep { !$_->{type} || !$_->{description} } values %{ $takes->{properties} } ], [], '... and says what each is' );
}
is( ask( 'tools/list', { cursor => 'x' } )->{error}{code}, -32602, 'the list has one page' );

# ---- each tool

my %corpus = ( path => 'tests/corpus/mmul16.ptx', from => 'ptx', registers => 38, block => [ 16, 16 ] );
my %mmul   = ( %corpus, gpu => 'v100', grid => [ 8, 8 ], args => [ 'zero:64K', 'zero:64K', 'zero:64K', 128 ] );
my %named  = ( %mmul, args => { 0 => 'zero:64K', 1 => 'zero:64K', 2 => 'zero:64K', 3 => 128 } );
my %short  = (
    run      => [ short_run        => \%mmul, { path => 'mmul08', gpu => 'v100', changes => JSON::PP::false, guess => JSON::PP::false },
        { path => $corpus{path}, from => 'ptx', gpu => 'v100', guess => JSON::PP::true } ],
    advise   => [ short_run        => \%mmul ],
    explain  => [ short_why        => \%mmul ],
    compare  => [ short_comparison => { %mmul, a => { gpu => 'v100' }, b => { gpu => 'a100' } } ],
    sweep    => [ short_sweep      => { %mmul, vary => { block => [ [ 16, 16 ], [ 2048, 1 ] ], active => [ 1, 4 ] } } ],
    gate     => [ short_gate       => { before => 'tests/gate/before.cubin', after => 'tests/gate/after.cubin', gpu => 'a100', block => 128 } ],
    roofline => [ short_roofline   => { path => 'mmul08', gpu => 'v100', measured_us => 900 } ],
    gpus     => [ short_gpus       => {}, { find => 'HOPPER' } ]
);
my ( %answer, %documents );
for my $tool ( sort keys %short ) {
    my ( $document, @arguments ) = @{ $short{$tool} };
    $documents{$document} = 1;
    for my $arguments (@arguments) {
        my ( $text, $failed ) = call( $tool, $arguments );
        ok( !$failed, "$tool answers" ) or diag($text);
        cmp_ok( length $text, '<=', 1000, '... in short' );
        $answer{$tool} = $json->decode( $failed ? '{}' : $text );
        is_deeply( [ schema::validate( $schema, $answer{$tool}, $document ) ], [], '... as the schema says' );
    }
}
is_deeply( [ schema::unmet( $schema, sort keys %documents ) ], [], 'and the schema has no key that no tool tells' );
like( $answer{run}{assumed}, qr/^grid = .*; block = 16x16 .*arg size=NUMBER/, 'a guessed launch is told' );
is( $answer{advise}{assumed}, undef, '... and nothing where nothing was guessed' );
is( $answer{sweep}{points}, 4, 'a sweep has all combinations' );
is( $answer{sweep}{failed}, 2, '... and counts those that cannot be' );
like( $answer{sweep}{problems}[0], qr/2048/, '... and says why' );
my ($wordy) = call( sweep => { path => 'mmul08', gpu => 'v100', vary => { active => [ 1, map { $_ x 900 } 2 .. 4 ] } } );
is( $json->decode($wordy)->{failed}, 3, 'a sweep counts problems that are too long to tell' );
cmp_ok( length $wordy, '<=', 1000, '... and tells what there is room for' );
my ($ranked) = call( sweep => { path => 'mmul08', gpu => 'v100', param => { size => 512 }, vary => { active => [ 1, 4, 2 ] } } );
is_deeply( [ map { $_->{varied}{active} } @{ $json->decode($ranked)->{best} } ], [ 4, 2, 1 ], '... the fastest first' );
is_deeply( [ map { $_->{architecture} } @{ $answer{gpus}{gpus} } ], [ ('Hopper') x @{ $answer{gpus}{gpus} } ], 'gpus finds by architecture' );

# More is what the program prints.
sub printed {
    my @arguments = @_;
    open my $pipe, '-|', $program, @arguments or die "$program: $!\n";
    my $text = do { local $/; <$pipe> };
    close $pipe;
    return $text;
}
my @mmul = qw(tests/corpus/mmul16.ptx --from ptx --registers 38 --block 16x16 --gpu v100 --grid 8x8 --arg zero:64K
  --arg zero:64K --arg zero:64K --arg 128);
my ($whole) = call( run => { %named, detail => 'json' } );
is_deeply( $json->decode($whole), $json->decode( printed( 'run', @mmul, '--advise', '--format', 'json' ) ), 'detail json is what run --advise prints' );
my $facts = $json->decode($whole);
my ($brief) = call( run => \%mmul );
my $said = $json->decode($brief);
is( $said->{seconds}, $facts->{result}{seconds}, 'a short answer has the same time' );
is( $said->{ceiling_seconds}, $facts->{roofline}{ceiling_seconds}, '... and bound' );
is( $said->{headroom}, $facts->{headroom}, '... and how far it is from that' );
is( $said->{limited_by}, $facts->{words}{limited_by}, '... and limit' );
my @clauses = split /; /, $facts->{words}{how_sure};
my @sure = split /; /, $said->{how_sure};
is( "@sure", "@clauses[0 .. $#sure]", '... and how sure it is, the first clauses' );
my @changes = @{ $said->{changes} };
is( @changes + @{ $said->{warnings} } + @sure + $said->{left_out}, @{ $facts->{advice} } + @{ $facts->{warnings} } + @clauses, '... and what does not fit is counted' );
is_deeply( \@changes, [ map { my $one = $_; +{ map { $_ => $one->{$_} } qw(line gain sentence) } } @{ $facts->{advice} }[ 0 .. $#changes ] ],
    '... and changes, the first ones' );
# How sure this is is long, since what caches keep is not known. Its last clauses give way to what was asked.
my ($why) = call( explain => { path => 'tests/agents/transpose-1.ptx', from => 'ptx', registers => 32, gpu => 'a100', grid => [ 128, 128 ], block => [ 32, 8 ], args => [ 'ramp:64M', 'zero:64M', 4096 ] } );
my $path = $json->decode($why);
is( scalar( grep { @{ $path->{$_} } > 0 } qw(by_line by_class waits) ), 3, 'a short explanation has an item in each list' );
ok( $path->{left_out} > 0, '... and clauses that do not fit are counted' );
my ($text) = call( run => { path => 'mmul08', gpu => 'v100', changes => JSON::PP::false, detail => 'text' } );
is( $text, printed(qw(run mmul08 --gpu v100)) =~ s/^More .*\z//msr, 'detail text is what run prints' );
my ($both) = call( compare => { %mmul, a => { gpu => 'v100' }, b => { gpu => 'a100' }, detail => 'json' } );
is_deeply( [ schema::validate( $schema, $json->decode($both), 'comparison' ) ], [], "compare's whole document is that of the program" );
my ($bound) = call( roofline => { path => 'mmul08', gpu => 'v100', detail => 'json' } );
is_deeply( [ schema::validate( $schema, $json->decode($bound), 'roofline_report' ) ], [], "... and roofline's" );
my ($gate) = call( gate => { before => 'tests/gate/before.cubin', after => 'tests/gate/spilled.cubin', detail => 'json' } );
is_deeply( $json->decode($gate), $json->decode( printed(qw(gate tests/gate/before.cubin tests/gate/spilled.cubin --format json)) ), '... and that of gate' );
my ($free) = call( gate => { before => 'tests/gate/before.cubin', after => 'tests/gate/spilled.cubin', limit => { stack => 'none', local => 'none' } } );
is( $json->decode($free)->{verdict}, 'passed', "gate's limits are taken off" );
my ($all) = call( gpus => { detail => 'json' } );
is_deeply( [ schema::validate( $schema, $json->decode($all), 'list' ) ], [], '... and that of gpus' );

# ---- progress, cancelling, batches

my %slow = ( path => 'mmul16', gpu => 'v100', param => { size => 4096 }, vary => { active => [ map { 1 + $_ % 8 } 0 .. 9999 ] } );
@noted = ();
call( run => { path => 'mmul08', gpu => 'v100' } );
is( scalar @noted, 0, 'progress is told to nobody who does not ask' );
say_line( { jsonrpc => '2.0', id => 'slow', method => 'tools/call', params => { name => 'sweep', arguments => \%slow, _meta => { progressToken => 'p' } } } );
my %told;
while ( !%told || keys %told < 3 ) {
    my $message = $json->decode( scalar <$from> );
    $told{ $message->{params}{progress} } = $message;
}
is_deeply( [ map { $_->{method} . $_->{params}{progressToken} } values %told ], [ ('notifications/progressp') x 3 ], 'progress is told by its token' );
my @seen = map { $_->{params}{progress} } values %told;
is( scalar @seen, 3, '... and rises' );
is_deeply( ask('ping')->{result}, {}, 'a ping is answered while a call works' );
is( ask( 'tools/call', { name => 'gpus' }, 'slow' )->{error}{code}, -32000, 'an id is used once at a time' );
my @waiting = map { "w$_" } 1 .. 64;
my %none = ( name => 'run', arguments => { path => 'none', gpu => 'v100' } );
say_line( { jsonrpc => '2.0', id => $_, method => 'tools/call', params => \%none } ) for @waiting;
alarm 60; # one that waits, too, has no answer before the slow call's end
my $refused = ask( 'tools/call', \%none );
alarm 0;
like( $refused->{error}{message}, qr/^too many calls wait/, 'as many as 64 calls wait, and the next is refused' );
say_line( { jsonrpc => '2.0', method => 'notifications/cancelled', params => { requestId => 'gone' } } );
say_line( { jsonrpc => '2.0', method => 'notifications/cancelled', params => { requestId => 'slow' } } );
is_deeply( [ map { hear()->{id} } @waiting ], \@waiting, 'those that wait are answered in order when it is cancelled' );
is( ( call( gpus => { find => 'v100' } ) )[1], JSON::PP::false, 'the next call is answered, and the cancelled one is not' );

ask( 'initialize', { protocolVersion => '2025-03-26', %hello } );
say_line(
    [
        { jsonrpc => '2.0', id     => 1, method => 'ping' },
        { jsonrpc => '2.0', method => 'notifications/initialized' },
        { jsonrpc => '2.0', id     => 2, method => 'tools/call', params => { name => 'gpus', arguments => { find => 'v100' } } },
        17
    ]
);
my $batch = hear();
is_deeply( [ sort map { $_->{id} // 'null' } @$batch ], [ 1, 2, 'null' ], 'a batch has one reply, with all replies' );
say_line('[]');
is( hear()->{error}{code}, -32600, '... an empty one is refused' );
ask( 'initialize', { protocolVersion => '2025-06-18', %hello } );
say_line( [ { jsonrpc => '2.0', id => 1, method => 'ping' } ] );
is( hear()->{error}{code}, -32600, '... and so is one in a version without batches' );

# ---- what is refused

is( ask('resources/list')->{error}{code}, -32601, 'an unknown method is told' );
is( ask( 'tools/call', { name => 'gat' } )->{error}{code}, -32602, '... and an unknown tool' );
is( ask('tools/call')->{error}{code},                       -32602, '... and a call of none' );
my %graph = ( path => 'mmul08', gpu => 'v100', param => { size => 128 } );
is_refused( 'an unknown argument', qr/no argument 'gri' here/, run => { %graph, gri => 1 } );
is_refused( 'what is not guessed', qr/grid/, run => { path => $corpus{path}, from => 'ptx', gpu => 'v100', guess => JSON::PP::false } );
is_refused( 'a missing GPU', qr/'gpu' is missing/, run => { path => 'mmul08' } );
is_refused( 'a missing path', qr/'path' is missing/, run => { gpu => 'v100' } );
is_refused( 'a missing side', qr/'b' is missing/, compare => { a => {}, %graph } );
is_refused( 'a sweep of nothing', qr/'vary' is missing/, sweep => {%graph} );
is_refused( 'an empty list', qr/active: the list has no value/, sweep => { %graph, vary => { active => [] } } );
is_refused( 'a GPU that is not there', qr/no GPU description "v101"/, run => { %graph, gpu => 'v101' } );
is_refused( 'a graph that is not there', qr/did you mean mmul08/, run => { %graph, path => 'mmul80' } );
is_refused( "code's options of a graph", qr/is a graph, which has no 'grid'/, run => { %graph, grid => 4 } );
is_refused( 'a wrong type', qr/gpu takes a number or a text/, run => { %graph, gpu => ['v100'] } );
is_refused( 'a wrong list', qr/a number or a text/, run => { %mmul, args => [ [1] ] } );
is_refused( 'an unknown word', qr/detail: 'all' is none of/, run => { %graph, detail => 'all' } );
is_refused( 'a wrong value', qr/clock/, run => { %graph, clock => 'fast' } );
is_refused( 'an unknown figure', qr/colour/, gate => { before => 'tests/gate/before.cubin', after => 'tests/gate/before.cubin', limit => { colour => 1 } } );
is_refused( 'threads without a GPU', qr/needs 'gpu'/, gate => { before => 'tests/gate/before.cubin', after => 'tests/gate/before.cubin', block => 64 } );
is_refused( 'a gate of one file', qr/'after' is missing/, gate => { before => 'tests/gate/before.cubin' } );
is_refused( 'a folder of kernels', qr/it is a folder/, gate => { before => 'tests/gate', after => 'tests/gate' } );
is_refused( 'no object', qr/an object/, run => [1] );
is_refused( 'a launch without its arguments', qr/--?arg|arg/, run => { %corpus, gpu => 'v100', grid => 4 } );
is( ( call( run => \%mmul ) )[0], $brief, 'an answer after all that is the same' );
is( stop(), 0, 'the server ends with its client' );

# ---- files below the folder alone

my $served = "$folder/served";
mkdir $_ or die "$_: $!\n" for $served, "$served/sub", "$folder/other";
my %files = ( "$served/sub/k.ptx" => slurp('tests/corpus/saxpy.ptx'), "$folder/other/k.ptx" => slurp('tests/corpus/saxpy.ptx'),
    "$folder/other/x.bin" => 'x' x 4096, "$folder/other/card.xml" => slurp('gpus/v100.xml'), "$served/x.bin" => 'x' x 4096 );
for my $file ( keys %files ) {
    open my $out, '>', $file or die "$file: $!\n";
    print {$out} $files{$file};
    close $out;
}
symlink '../other/k.ptx', "$served/link.ptx";
symlink '../other', "$served/away";
symlink '../other/card.xml', "$served/card.xml";
mkfifo "$served/pipe.ptx", 0600;
start($served);
my %saxpy = ( gpu => 'v100', from => 'ptx', registers => 20, grid => 4, block => 256, kernel => 'saxpy',
    args => [ 1, 2, '@x.bin', 'zero:4K' ], changes => JSON::PP::false );
my ( $plain, $failed ) = call( run => { %saxpy, path => 'sub/k.ptx' } );
ok( !$failed, 'a file below the folder is read' ) or diag($plain);
is( ( call( run => { %saxpy, path => abs_path($served) . '/./sub//k.ptx' } ) )[0], $plain, '... also by its whole path' );
is_refused( "'..'",                 qr/'\.\.' is not followed/, run => { %saxpy, path => 'sub/../sub/k.ptx' } );
is_refused( 'a path that leads out', qr/'\.\.' is not followed/, run => { %saxpy, path => '../other/k.ptx' } );
is_refused( 'a whole path outside', qr/not below the folder/, run => { %saxpy, path => "$folder/other/k.ptx" } );
is_refused( 'a name that only begins so', qr/not below the folder/, run => { %saxpy, path => abs_path($served) . 'x/k.ptx' } );
is_refused( 'a link to a file',     qr/symbolic link/, run => { %saxpy, path => 'link.ptx' } );
is_refused( 'a link to a folder',   qr/symbolic link/, run => { %saxpy, path => 'away/k.ptx' } );
is_refused( 'a pipe',               qr/neither a file nor a folder/, run => { %saxpy, path => 'pipe.ptx' } );
is_refused( 'a folder',             qr/it is a folder/, run => { %saxpy, path => 'sub' } );
is_refused( 'standard input',       qr/no file "-"/, run => { %saxpy, path => q(-) } );
is_refused( 'a file that is not there', qr/there is no such file/, run => { %saxpy, path => 'sub/gone.ptx' } );
is_refused( "a buffer's file outside", qr/argument 2: .*'\.\.'/, run => { %saxpy, path => 'sub/k.ptx', args => [ 1, 2, '@../other/x.bin', 'zero:4K' ] } );
is_refused( '... behind a field',   qr/'\@' begins the name of a file/,
    run => { %saxpy, path => 'sub/k.ptx', args => [ 1, 2, 'x+0=@/etc/passwd', 'zero:4K' ] } );
is_refused( '... in a name',        qr/is no name/, run => { %saxpy, path => 'sub/k.ptx', args => { 'x+0=@/etc/passwd' => 1 } } );
is_refused( 'headers outside',      qr/include: .*'\.\.'/, run => { %saxpy, path => 'sub/k.ptx', include => ['../other'] } );
is_refused( 'headers behind a link', qr/include: .*symbolic link/, run => { %saxpy, path => 'sub/k.ptx', include => 'away' } );
is_refused( 'a description behind a link', qr/gpu: .*symbolic link/, run => { %saxpy, path => 'sub/k.ptx', gpu => 'card' } );
is_refused( 'a description outside', qr/gpu: .*'\.\.'/, run => { %saxpy, path => 'sub/k.ptx', gpu => '../other/card.xml' } );
is_refused( 'a value of a sweep that is outside', qr/path: .*'\.\.'/, sweep => { gpu => 'v100', vary => { path => ['../other/k.ptx'] } } );
is_refused( "a side's file outside", qr/path: .*'\.\.'/, compare => { gpu => 'v100', a => { path => '../other/k.ptx' }, b => {} } );
is( ( call( run => { %saxpy, path => 'sub/k.ptx' } ) )[0], $plain, 'an answer after all that is the same' );
is( stop(), 0, 'the server ends with its client' );

# ---- a thousand messages that are none

srand 37;
my $good = $json->encode( { jsonrpc => '2.0', id => 'g', method => 'tools/call', params => { name => 'run', arguments => \%graph } } );
my @values = ( 'null', 'true', '-1', '1e999', '"x"', '[]', '{}', '[[[]]]', '""', '0.5', '{"a": {"a": {}}}', "\"\xff\xfe\"", '"\ud800"' );
sub any { return $_[ int rand @_ ] }
my @makers = (
    sub { return any( '[', '{"a":' ) x ( 10**int( 1 + rand 5 ) ) },                                       # nested deeply
    sub { return '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "run", "arguments": ' . '{"a":' x 100 . '1' . '}' x 100 . '}}' },
    sub { return substr $good, 0, int rand length $good },                                                # cut off
    sub { my $text = $good; substr( $text, int rand length $text, 1 ) = chr int rand 256; return $text =~ s/\n/ /gr },
    sub { return join '', map { chr( 1 + int rand 255 ) } 1 .. 1 + rand 200 },                            # bytes
    sub { return "\0" x ( 1 + rand 50 ) },
    sub { return sprintf '{"jsonrpc": %s, "id": %s, "method": %s, "params": %s}', map { any( '"2.0"', @values ) } 1 .. 4 },
    sub { return sprintf '{"jsonrpc": "2.0", "id": %s, "method": "ping"}', any( 'null', '{}', '[1]', 'true', '"' . 'i' x 400 . '"', '1' x 500 ) },
    sub { return sprintf '{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": %s, "arguments": %s}}', any( '"run"', @values ), any(@values) },
    sub {
        my ($tool) = any( sort keys %takes );
        my @names = sort keys %{ $takes{$tool}{properties} };
        return sprintf '{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": "%s", "arguments": {"%s": %s, "%s": %s}}}', $tool,
          any(@names), any(@values), any(@names), any(@values);
    },
    sub { return sprintf '{"jsonrpc": "2.0", "id": 9, "id": %s, "method": "ping"}', any(@values) },
    sub { return sprintf '{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": %s}}', any(@values) },
    sub { return sprintf '{"jsonrpc": "2.0", "id": 5, "method": "initialize", "params": {"protocolVersion": %s}}', any( grep { !/^"2/ } @values ) },
    sub { return sprintf '{"jsonrpc": "2.0", "id": %s, "result": %s}', any(@values), any(@values) }
);
my @bad = map { $makers[ $_ % @makers ]->() } 0 .. 1009;
s/[\r\n]/ /g for @bad;
push @bad, '"' . 'x' x 5_000_000 . '"', '[' x 4_000_000;                                                  # lines that are too long
open my $in, '>', "$folder/in" or die "$folder/in: $!\n";
print {$in} map { "$_\n" } $good =~ s/"g"/"before"/r, @bad, $good =~ s/"g"/"after"/r, '{"jsonrpc": "2.0", "id": "end", "method": "ping"}';
close $in;
is( system("cd '$root' && '$program' mcp <'$folder/in' >'$folder/out' 2>'$folder/err'"), 0, 'a thousand messages that are none leave the server standing' );
is( slurp("$folder/err"), '', '... and nothing is printed beside replies' );
my @lines = split /\n/, slurp("$folder/out");
my @replies = grep { defined } map { eval { $json->decode($_) } } @lines;
is( scalar @replies, scalar @lines, '... each reply is JSON' );
is( scalar( grep { ( $_->{jsonrpc} // '' ) ne '2.0' || !exists $_->{id} } @replies ), 0, '... of the protocol' );
my %of = map { ( $_->{id} // '' ) => $_ } @replies;
is_deeply( $of{end}{result}, {}, '... a ping after them is answered' );
ok( $of{before}{result}, '... and so is a call before them' );
is( $of{after}{result}{content}[0]{text}, $of{before}{result}{content}[0]{text}, '... and a call as the one before them' );
my %codes;
$codes{ $_->{error} ? $_->{error}{code} : 'result' }++ for @replies;
cmp_ok( $codes{-32700} // 0, '>', 200, '... what is no JSON is told so' );
cmp_ok( $codes{-32600} // 0, '>', 100, '... and what is no request' );
cmp_ok( $codes{-32602} // 0, '>', 50, '... and what no tool takes' );

# ---- the page for agents: what it asks is answered as it says

my @blocks = slurp('docs/tools/agents.md') =~ /^```json\n(.*?)^```$/gms;
start("$root/tests/agents");
my ( $answered, $shown, @gains ) = ( undef, 0 );
for my $block (@blocks) {
    my $document = $json->decode($block);
    if ( $document->{name} ) {
        ($text) = call( $document->{name}, $document->{arguments} );
        $answered = $json->decode($text);
        push @gains, $answered->{changes}[0]{gain} if $answered->{changes};
        next;
    }
    next if $document->{mcpServers};
    $shown++;
    is_deeply( { map { $_ => $document->{$_} } keys %$document }, shaped( $answered, $document ), "agents.md, answer $shown, is what comes" );
}
cmp_ok( $shown, '>=', 5, 'the page has answers' );
ok( $gains[0] > 0.05 && $gains[-1] <= 0.05, '... and its loop ends where nothing is left above 5 %' );
stop();

# As much of an answer as the page shows.
sub shaped {
    my ( $from_all, $like ) = @_;
    return [ map { shaped( $from_all->[$_], $like->[$_] ) } 0 .. $#$like ] if ref $like eq 'ARRAY';
    return { map { $_ => shaped( $from_all->{$_}, $like->{$_} ) } keys %$like } if ref $like eq 'HASH';
    return $from_all;
}

done_testing();
