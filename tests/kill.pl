# SPDX-License-Identifier: BSD-3-Clause
# Whatever signal ends the program, and whenever: each file is the old one or the new one, none stands
# beside it, one that grows has a beginning of what it would have, and no child lives on. KILLS=10000
# tries more often, SEED=N repeats a run's choices.
use strict;
use warnings;
use lib 'tests';
use files;
use writers;
use Config;
use Fcntl;
use File::Temp;
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);

my $kills   = $ENV{KILLS} // 100;
my $seed    = $ENV{SEED}  // time % 1000000;
my @signals = qw(TERM INT HUP QUIT XCPU KILL);
my %number;
@number{ split / /, $Config{sig_name} } = split / /, $Config{sig_num};
my $work    = File::Temp->newdir;
my ( $folder, $passing ) = ( "$work/files", "$work/passing" );
mkdir for $folder, $passing;
srand $seed;
diag "SEED=$seed";

# Children inherit it, and so can be found.
my $mark = "PIPESIM_KILLED=$$.$seed";
( $ENV{TMPDIR}, $ENV{PIPESIM_KILLED} ) = ( $passing, "$$.$seed" );

# Whether there are files without a name here, of which kill -9 leaves nothing.
sub has_nameless {
    my $directory = ( POSIX::uname() )[4] =~ /^(aarch64|arm)/ ? oct 40000 : oct 200000;
    return -e "/proc/$$/fd" && sysopen my $file, $folder, O_RDWR | $directory | oct 20000000;
}
my $nameless = has_nameless();

sub start {
    my ($writer) = @_;
    my $child = fork // die "fork: $!";
    return $child if $child;
    setpgrp;
    open STDIN,  '<', '/dev/null';
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', "$work/said";
    exec writers::command( $writer, $folder ) or POSIX::_exit(127);
}

sub said {
    open my $in, '<', "$work/said" or return '';
    local $/;
    return <$in> // '';
}

sub in_folder {
    my ($path) = @_;
    opendir my $dir, $path or die "$path: $!";
    return sort grep { !/^\.\.?$/ } readdir $dir;
}

sub living {
    my @all;
    for my $file ( glob '/proc/[0-9]*/environ' ) {
        my ($pid) = $file =~ /(\d+)/;
        next if $pid == $$;
        open my $in, '<', $file or next;
        local $/;
        push @all, $pid if index( <$in> // '', $mark ) >= 0;
    }
    return @all;
}

# Those that are still alive after two minutes; the end of a child is no instant.
sub left_alive {
    my $until = time + 120;
    my @all;
    sleep 0.01 while ( @all = living() ) && time < $until;
    kill 'KILL', @all;
    return @all;
}

# What is wrong with a file, if anything. has_old: an old one was there; done: it must be the new one.
sub fault_of {
    my ( $writer, $name, $whole, $has_old, $done ) = @_;
    my $there = writers::read_file("$folder/$name");
    return if defined $there && $there eq $whole;
    return "$name is not whole, and the program ended well" if $done;
    if ( writers::grows( $writer, $name ) ) {
        $there //= '';
        return if $there eq substr $whole, 0, length $there;
        return "$name is not a beginning";
    }
    return if $has_old ? ( $there // '' ) eq "old\n" : !defined $there;
    return "$name is " . ( defined $there ? 'half a file' : 'gone' );
}

# What else is there. Only kill -9 may leave something: where files must have a name, and what compilers
# write; and between the two calls that replace a file, the whole new one.
my $left_whole = 0;

sub left_over {
    my ( $writer, $whole, $killed ) = @_;
    my @left;
    for my $name ( grep { !exists $whole->{$_} } in_folder($folder) ) {
        my ($of) = $name =~ /^\.(.+)\.[^.]+$/;
        if ( $killed && $nameless && $of && ( writers::read_file("$folder/$name") // '' ) eq ( $whole->{$of} // '' ) ) {
            $left_whole++;
            next;
        }
        push @left, $name if !$killed || $nameless;
    }
    push @left, in_folder($passing) if !( $killed && ( $writer->{compiler} || !$nameless ) );
    return map { "$_ is left" } @left;
}

sub empty {
    unlink map { "$_[0]/$_" } in_folder( $_[0] );
    return;
}

# One run and its end; what is wrong afterwards.
sub try_once {
    my ( $writer, $whole, $seconds ) = @_;
    my $signal  = $signals[ rand @signals ];
    my $has_old = rand() < 0.5;
    my $group   = rand() < 0.5;
    my $after   = rand( 1.1 * $seconds );
    empty($_) for $folder, $passing;
    if ($has_old) {
        spew( "$folder/$_", "old\n" ) for grep { !writers::grows( $writer, $_ ) } keys %$whole;
    }
    my $child = start($writer);
    sleep $after;
    kill $signal, $group ? -$child : $child;
    waitpid $child, 0;
    my $status = $?;
    my @faults = map { "process $_ lives on" } left_alive();
    push @faults, map { fault_of( $writer, $_, $whole->{$_}, $has_old, $status == 0 ) } sort keys %$whole;
    push @faults, left_over( $writer, $whole, $signal eq 'KILL' );
    push @faults, "the status is $status: " . said() if $status && ( $status & 127 ) != $number{$signal};
    return map { sprintf '%s, SIG%s%s after %.3f s: %s', $writer->{name}, $signal, $group ? ' to all' : '', $after, $_ } @faults;
}

# What each writes if it is left alone, and how long that takes.
my ( @writers, %whole, %seconds );
for my $writer (@writers::all) {
  SKIP: {
        skip "$writer->{name}: gnuplot is not installed", 1 if $writer->{gnuplot} && !writers::has_gnuplot();
        empty($_) for $folder, $passing;
        my $begun = time;
        waitpid start($writer), 0;
        is( $?, 0, "$writer->{name}, left alone" ) or diag said();
        $seconds{ $writer->{name} } = time - $begun;
        $whole{ $writer->{name} }   = { map { $_ => writers::read_file("$folder/$_") } writers::files($writer) };
        push @writers, $writer;
    }
}

my @faults;
for my $i ( 1 .. $kills ) {
    my $writer = $writers[ rand @writers ];
    push @faults, try_once( $writer, $whole{ $writer->{name} }, $seconds{ $writer->{name} } );
    diag "$i of $kills, " . @faults . ' faults' if $i % 1000 == 0;
}
is( "@faults", '', "$kills ends at random times" ) or diag map { "$_\n" } @faults;
diag "kill -9 came between the two calls $left_whole times" if $left_whole;
done_testing;
