# SPDX-License-Identifier: BSD-3-Clause
# A headless browser for tests: chromium, started once, told what to do over its DevTools protocol
# through a pipe (no port, no other library). It has a home of its own that vanishes, finds no host,
# and is killed with all its processes at the end or when an answer takes too long.
package chromium;
use strict;
use warnings;
use File::Temp;
use JSON::PP;
use POSIX ();
use Time::HiRes qw(time);

# Seconds for an answer, the start's among them: a machine may have much else to do.
my $patience = 600;

my @calm = qw(--headless=new --disable-gpu --disable-dev-shm-usage --no-first-run
  --no-default-browser-check --disable-background-networking --disable-component-update
  --disable-sync --disable-extensions --disable-default-apps --disable-crash-reporter
  --disable-breakpad --metrics-recording-only --mute-audio --hide-scrollbars
  --remote-debugging-pipe);

# Where a browser is; undef where there is none.
sub find {
    for my $name (qw(chromium chromium-browser google-chrome)) {
        for my $folder ( split /:/, $ENV{PATH} ) {
            return "$folder/$name" if -x "$folder/$name";
        }
    }
    return;
}

# Makes the ends of two pipes its 3 and 4, as the protocol wants them, and becomes the browser.
sub become {
    my ( $self, $from, $to ) = @_;
    my $home = $self->{home};
    setpgrp;
    $^F = 9;
    POSIX::dup2( fileno $from, 8 );
    POSIX::dup2( fileno $to,   9 );
    POSIX::dup2( 8, 3 );
    POSIX::dup2( 9, 4 );
    open STDIN,  '<', '/dev/null';
    open STDOUT, '>', "$home/said";
    open STDERR, '>&', \*STDOUT;
    @ENV{qw(HOME XDG_CONFIG_HOME XDG_CACHE_HOME TMPDIR)} = ("$home") x 4;
    my @own = ( '--host-resolver-rules=MAP * ~NOTFOUND', "--user-data-dir=$home/profile" );
    push @own, '--no-sandbox' if $> == 0;
    exec( $self->{path}, @calm, @own, 'about:blank' ) or POSIX::_exit(127);
}

# A browser with one empty page; dies where it does not start.
sub new {
    my ( $class, $path ) = @_;
    my $self = bless { path => $path, home => File::Temp->newdir, calls => 0, events => [], read => '' }, $class;
    pipe my $theirs, my $out or die "pipe: $!";
    pipe my $in, my $their_out or die "pipe: $!";
    $self->{pid} = fork // die "fork: $!";
    $self->become( $theirs, $their_out ) if !$self->{pid};
    ( $self->{in}, $self->{out} ) = ( $in, $out );
    $out->autoflush(1);
    my ($page) = grep { $_->{type} eq 'page' } @{ $self->call('Target.getTargets')->{targetInfos} };
    $page //= $self->call( 'Target.createTarget', url => 'about:blank' );
    $self->{session} =
      $self->call( 'Target.attachToTarget', targetId => $page->{targetId}, flatten => JSON::PP::true )->{sessionId};
    $self->call("$_.enable") for qw(Page Network Runtime Log);
    return $self;
}

# The next message; dies where none comes.
sub message {
    my ( $self, $until ) = @_;
    while ( index( $self->{read}, "\0" ) < 0 ) {
        my $bits = '';
        vec( $bits, fileno $self->{in}, 1 ) = 1;
        my $left = $until - time;
        die "no answer within $patience s" if $left <= 0 || !select $bits, undef, undef, $left;
        sysread $self->{in}, $self->{read}, 65536, length $self->{read} or die 'the browser has gone';
    }
    my $text = substr $self->{read}, 0, index( $self->{read}, "\0" ) + 1, q{};
    return decode_json( substr $text, 0, -1 );
}

# Calls a method of the protocol; its result. What happens meanwhile is kept for `events`.
sub call {
    my ( $self, $method, %parameters ) = @_;
    my $id   = ++$self->{calls};
    my $call = { id => $id, method => $method, params => \%parameters };
    $call->{sessionId} = $self->{session} if $self->{session};
    local $SIG{PIPE} = 'IGNORE';
    print { $self->{out} } encode_json($call), "\0" or die 'the browser has gone';
    my $until = time + $patience;
    while ( my $message = $self->message($until) ) {
        if ( !defined $message->{id} ) { push @{ $self->{events} }, $message }
        elsif ( $message->{id} == $id ) {
            die "$method: $message->{error}{message}" if $message->{error};
            return $message->{result};
        }
    }
    return;
}

# Waits for an event of that name, of those kept or to come.
sub wait_for {
    my ( $self, $name ) = @_;
    my $until = time + $patience;
    while ( !grep { $_->{method} eq $name } @{ $self->{events} } ) {
        push @{ $self->{events} }, $self->message($until);
    }
    return;
}

# Shows a file in a viewport of that width; options: dark, print, mobile. What happened before is
# forgotten.
sub show {
    my ( $self, $file, $width, %as ) = @_;
    my $scheme = { name => 'prefers-color-scheme', value => $as{dark} ? 'dark' : 'light' };
    $self->call( 'Emulation.setEmulatedMedia', media => $as{print} ? 'print' : '', features => [$scheme] );
    $self->call(
        'Emulation.setDeviceMetricsOverride',
        width             => 0 + $width,
        height            => 800,
        deviceScaleFactor => 1,
        mobile            => $as{mobile} ? JSON::PP::true : JSON::PP::false
    );
    $self->{events} = [];
    $self->call( 'Page.navigate', url => "file://$file" );
    $self->wait_for('Page.loadEventFired');
    return;
}

# The value of an expression in the page, whatever the page forbids to itself.
sub ask {
    my ( $self, $expression ) = @_;
    my $answer = $self->call(
        'Runtime.evaluate',
        expression    => $expression,
        returnByValue => JSON::PP::true,
        awaitPromise  => JSON::PP::true
    );
    die $answer->{exceptionDetails}{exception}{description} if $answer->{exceptionDetails};
    return $answer->{result}{value};
}

# What happened since the page was shown: events of those names.
sub events {
    my ( $self, $names ) = @_;
    return grep { $_->{method} =~ $names } @{ $self->{events} };
}

sub DESTROY {
    my ($self) = @_;
    local ( $?, $!, $@ );
    kill 'KILL', -$self->{pid} if $self->{pid};
    waitpid $self->{pid}, 0 if $self->{pid};
    return;
}

1;
