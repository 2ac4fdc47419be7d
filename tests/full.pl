# SPDX-License-Identifier: BSD-3-Clause
# A file that cannot be written whole is said, with status 1; the old one stays as it is, and nothing
# stands beside it. With the argument mount there may be file systems of our own.
use strict;
use warnings;
use lib 'tests';
use files;
use writers;
use File::Basename;
use File::Temp;
use Test::More;

my $may_mount = @ARGV && $ARGV[0] eq 'mount';
my $work      = File::Temp->newdir;
my ( $room, $tight ) = ( "$work/room", "$work/tight" );
mkdir for $room, $tight;

# Runs a command in the shell's surroundings: its status, and what it says.
sub run {
    my ( $before, @command ) = @_;
    pipe my $in, my $out or die "pipe: $!";
    my $child = fork // die "fork: $!";
    if ( !$child ) {
        open STDIN,  '<', '/dev/null';
        open STDOUT, '>', '/dev/null';
        open STDERR, '>&', $out;
        exec 'sh', '-c', "$before exec \"\$@\"", 'sh', @command;
    }
    close $out;
    local $/;
    my $said = <$in> // '';
    waitpid $child, 0;
    return ( $?, $said );
}

# What is in the folder of full things beside those files.
sub beside {
    my %own = map { $_ => 1 } @_;
    opendir my $dir, $tight or die "$tight: $!";
    return join ' ', sort grep { !/^\.\.?$/ && !$own{$_} } readdir $dir;
}

# Puts old files where the writer writes.
sub put_old {
    my ( $writer, @names ) = @_;
    unlink glob "$room/*";
    for (@names) { spew( "$tight/$_", "old\n" ) if !writers::grows( $writer, $_ ) }
    return;
}

# The file is what it was, or whole; one that grows may end early.
sub is_sound {
    my ( $writer, $name, $whole ) = @_;
    my $there = writers::read_file("$tight/$name");
    if ( writers::grows( $writer, $name ) ) {
        $there //= '';
        return is( $there, substr( $whole, 0, length $there ), "$name is what it would begin with" );
    }
    return like( $there, qr/\A(?:old\n|\Q$whole\E)\z/, "$name is the old file, or the new one" );
}

sub try_limit {
    my ( $writer, %whole ) = @_;
    my @names = sort keys %whole;
    put_old( $writer, @names );
    my ( $status, $said ) = run( 'ulimit -f 1;', writers::command( $writer, $tight ) );
    subtest "$writer->{name}: files may not grow" => sub {
        is( $status, 1 << 8, 'status 1' );
        my $why = $writer->{compiler} ? qr{nvcc failed} : qr{(?:--\w+: )?\Q$tight\E/\S+: cannot be written: File too large};
        like( $said, qr{^pipesim: $why}m, 'which is said' );
        is_sound( $writer, $_, $whole{$_} ) for @names;
        is( beside(@names), '', 'nothing stands beside them' );
    };
    unlink glob "$tight/*";
    return;
}

# Fills the file system to the last byte.
sub fill {
    open my $out, '>', "$tight/filler" or die $!;
    $out->autoflush;
    1 while print {$out} 'x' x 4096;
    close $out;
    return;
}

sub try_disk {
    my ( $writer, $name, $whole ) = @_;
    system( 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', $tight ) == 0 or die 'mount failed';
    put_old( $writer, $name );
    fill();
    my ( $status, $said ) = run( q{}, writers::command( $writer, $room, $name, "$tight/$name" ) );
    subtest "$writer->{name}: the disk of $name is full" => sub {
        is( $status, 1 << 8, 'status 1' );
        like( $said, qr{^pipesim: (?:--\w+: )?\Q$tight/$name\E: cannot be written: No space left on device$}m, 'which is said' );
        is_sound( $writer, $name, $whole );
        is( beside($name), 'filler', 'nothing stands beside it' );
    };
    system( 'umount', $tight ) == 0 or die 'umount failed';
    return;
}

sub try_device {
    my ( $writer, $name ) = @_;
    my $path = "$tight/$name";
    unlink glob "$room/*";
    symlink '/dev/full', $path;
    my ( $status, $said ) = run( q{}, writers::command( $writer, $room, $name, $path ) );
    subtest "$writer->{name}: $name is a device that is full" => sub {
        is( $status, 1 << 8, 'status 1' );
        like( $said, qr{^pipesim: (?:--\w+: )?\Q$path\E: cannot be written: No space left on device$}m, 'which is said' );
        ok( -l $path, 'the link to it stays' );
    };
    unlink $path;
    return;
}

# Files whose name comes last need /proc (cli/system/nameless.c); without it they have another name at
# first. The loader finds no library beside the program there, but by its path.
sub try_names {
    my ( $writer, %whole ) = @_;
    my @names = sort keys %whole;
    return if $writer->{gnuplot} || $writer->{compiler} || grep { writers::grows( $writer, $_ ) } @names;
    local $ENV{LD_LIBRARY_PATH} = join ':', dirname($writers::program), $ENV{LD_LIBRARY_PATH} // ();
    put_old( $writer, @names );
    my @bare = ( 'unshare', '-m', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'sh' );
    my ( $status, $said ) = run( q{}, @bare, writers::command( $writer, $tight ) );
    subtest "$writer->{name}: there is no /proc" => sub {
        is( $status, 0, 'status 0' ) or diag $said;
        is( writers::read_file("$tight/$_"), $whole{$_}, "$_ is whole" ) for @names;
        is( beside(@names), '', 'nothing stands beside them' );
    };
    unlink glob "$tight/*";
    return;
}

plan skip_all => 'there is no /dev/full' if !-c '/dev/full';
for my $writer (@writers::all) {
  SKIP: {
        skip "$writer->{name}: gnuplot is not installed", 1 if $writer->{gnuplot} && !writers::has_gnuplot();
        unlink glob "$room/*";
        my ( $status, $said ) = run( q{}, writers::command( $writer, $room ) );
        is( $status, 0, "$writer->{name}, where there is room" ) or diag $said;
        my %whole = map { $_ => writers::read_file("$room/$_") } writers::files($writer);
        try_limit( $writer, %whole );
        try_names( $writer, %whole ) if $may_mount;
        for my $name ( sort keys %whole ) {
            try_disk( $writer, $name, $whole{$name} ) if $may_mount;
            try_device( $writer, $name ) if !writers::grows( $writer, $name );
        }
    }
}
SKIP: {
    skip 'full disks: no file system can be mounted here (unshare -rm)', 1 if !$may_mount;
    pass('disks were full');
}
done_testing;
