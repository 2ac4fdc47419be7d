# SPDX-License-Identifier: BSD-3-Clause
# What is compiled and built is kept in a folder that many processes share. Some are killed at any time, entries are
# damaged, the disk is full or can only be read: whoever is left alone gives the answer of a program that keeps nothing,
# and each entry under its own name is whole. KILLS=1000 tries more often, SEED=N repeats a run's choices. With the
# argument mount there may be file systems of our own.
use strict;
use warnings;
use lib 'tests';
use files;
use Cwd;
use Digest::SHA 'sha256';
use File::Temp;
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);

my $may_mount = @ARGV && $ARGV[0] eq 'mount';
my $kills     = $ENV{KILLS} // 15;
my $seed      = $ENV{SEED}  // time % 1000000;
my $sharing   = 3;
my $root      = getcwd;
my $work      = File::Temp->newdir;
my $kept      = "$work/kept";
( my $program = $ENV{PIPESIM} || './pipesim' ) =~ s{^(?!/)}{$root/};
srand $seed;
diag "SEED=$seed";

# A compiler that gives the same PTX whatever it is told, and says what it read.
mkdir "$work/bin";
spew( "$work/source.cu", slurp("$root/tests/corpus/mmul.cu") );
spew( "$work/bin/nvcc",  <<"SHELL" );
#!/bin/sh
for word; do
    [ "\$before" = -o ] && out=\$word
    case \$word in -MD,-MF,*) rule=\${word#-MD,-MF,};; esac
    before=\$word
done
[ "\$out" ] || { echo compute_75; exit; }
cp $root/tests/corpus/mmul08.ptx "\$out"
[ -z "\$rule" ] || echo "\$out : $work/source.cu" >"\$rule"
SHELL
chmod 0755, "$work/bin/nvcc";
@ENV{qw(PATH PIPESIM_CACHE)} = ( "$work/bin:$ENV{PATH}", $kept );

my @launch = qw(--gpu pascal.xml --registers none --grid 8x8 --block 8x8 --arg size=64 --arg a=zero:16K --arg b=zero:16K
  --arg c=zero:16K --format csv);

# Starts one, which writes to "$work/NUMBER"; macros make keys of their own.
sub start {
    my ( $number, @more ) = @_;
    my $child = fork // die "fork: $!";
    return $child if $child;
    open STDIN,  '<', '/dev/null';
    open STDOUT, '>', "$work/$number";
    open STDERR, '>', "$work/$number.said";
    exec $program, "$work/source.cu", @launch, @more or POSIX::_exit(127);
}

sub answer_of {
    my ($number) = @_;
    return slurp("$work/$number");
}

# Its status and answer, and what it says.
sub run {
    my (@more) = @_;
    waitpid start( 'alone', @more ), 0;
    my $status = $?;
    return ( $status, answer_of('alone'), slurp("$work/alone.said") );
}

my ( $status, $answer, $told ) = run('--no-cache');
is( $status, 0, 'without a cache' ) or diag $told;

# ---- who is killed, and what is damaged

sub entries {
    return grep { -f && m{/[0-9a-f]{64}\z} } glob "$kept/?/*";
}

# Entries whose digest does not fit them: none, since each is renamed when it is whole.
sub broken {
    return grep { my $text = slurp($_); substr( $text, 0, 32 ) ne sha256( substr $text, 32 ) } entries();
}

my @damages = (
    sub { truncate $_[0], rand -s $_[0] },
    sub { spew( $_[0], slurp( $_[0] ) . 'x' ) },
    sub { my $text = slurp( $_[0] ); substr( $text, rand length $text, 1 ) ^= "\1"; spew( $_[0], $text ) },
    sub { unlink $_[0] },
    sub { unlink $_[0]; mkdir $_[0] },
    sub { unlink $_[0]; POSIX::mkfifo( $_[0], 0600 ) },
);

# One round: some share the folder, one or all of them are killed. What is wrong with the others, and with what is left.
sub try_once {
    my ($seconds) = @_;
    local $ENV{PIPESIM_CACHE_SIZE} = rand() < 0.5 ? '20K' : '1G';
    my @children = map { start( $_, '--compiler-options', '-DX=' . int rand 6 ) } 1 .. $sharing;
    sleep rand $seconds;
    my $signal = rand() < 0.8 ? 'KILL' : 'TERM';
    kill $signal, rand() < 0.3 ? @children : $children[0];
    my @faults;
    for my $number ( 1 .. $sharing ) {
        waitpid $children[ $number - 1 ], 0;
        push @faults, "status $?: " . slurp("$work/$number.said") if $? >> 8;
        push @faults, "another answer: " . answer_of($number)     if $? == 0 && answer_of($number) ne $answer;
    }
    return @faults, map { "$_ is not whole" } broken();
}

# Damages some entries; the answer stays.
sub try_damaged {
    my @all = entries() or return;
    for ( 1 .. 1 + rand 3 ) {
        my $entry = $all[ rand @all ];
        $damages[ rand @damages ]->($entry) if -f $entry;
    }
    my @faults = map { my ( $status, $said ) = run( '--compiler-options', "-DX=$_" ); $status || $said ne $answer ? "damaged: $status $said" : () } 0 .. 5;
    system 'rm', '-rf', $kept;
    return @faults;
}

my $begun = time;
run();
my $seconds = 2 * ( time - $begun );
my @faults;
for my $i ( 1 .. $kills ) {
    push @faults, try_once($seconds);
    push @faults, try_damaged() if $i % 15 == 0;
}
is( "@faults", '', "$kills rounds" ) or diag map { "$_\n" } @faults;

# ---- disks

# In a file system of our own, prepared by that command line with $kept in it.
sub try_disk {
    my ( $name, $why, $prepare ) = @_;
    system 'rm', '-rf', $kept;
    mkdir $kept;
    system( 'sh', '-c', $prepare, 'sh', $kept ) == 0 or die "$prepare failed";
    for my $time ( 'first', 'second' ) {
        my ( $status, $said, $warned ) = run();
        is( $status, 0,       "$name, the $time time" );
        is( $said,   $answer, '... the answer is the same' );
        my @lines = grep { /cannot be written/ } split /\n/, $warned;
        is( scalar @lines, 1, '... one line' ) or diag $warned;
        like( $lines[0] // '', qr/^pipesim: warning: \Q$kept\E: cannot be written: $why, so what is compiled/, '... says so' );
        is( join( ' ', glob "$kept/?/*" ), '', '... and nothing is left' );
    }
    system( 'umount', $kept ) == 0 or die 'umount failed';
    return;
}

SKIP: {
    skip 'disks: no file system can be mounted here (unshare -rm)', 20 if !$may_mount;
    my $mount = 'mount -t tmpfs -o size=64k none "$1"';
    try_disk( 'a disk that is full', 'No space left on device', "$mount; cat /dev/zero 2>/dev/null >\"\$1/filler\"; true" );
    try_disk( 'a disk that can only be read', 'Read-only file system', "$mount && mount -o remount,ro \"\$1\"" );
}
done_testing;
