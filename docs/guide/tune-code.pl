#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# docs/guide/tune-code.pl KIND=KNOB... -- RUN...: does what advice says, the most helpful first, as long as that makes the run faster.
# RUN is the words of a pipesim run. A KNOB is what to do about advice of that kind, words that stand in for those of the run:
# another file, options, -DMACRO=VALUE of a source; several of one kind are tried in turn. A launch shape needs none. See
# docs/guide/tuning.md.
use strict;
use warnings;
use JSON::PP;

my $pipesim = $ENV{PIPESIM} // './pipesim';
my ( %knobs, @run );
while ( @ARGV && $ARGV[0] ne '--' ) {
    my ( $kind, $knob ) = split /=/, shift @ARGV, 2;
    push @{ $knobs{$kind} }, $knob;
}
( undef, @run ) = @ARGV;

sub stop {
    print {*STDERR} @_, "\n";
    exit 1;
}
stop('usage: docs/guide/tune-code.pl KIND=KNOB... -- RUN...') if !@run;

# One run with advice, as the JSON schema has it; undef where it fails, and pipesim says why.
sub ask {
    my (@words) = @_;
    my @macros = grep { /^-D/ } @words;
    @words = grep { !/^-D/ } @words;
    push @words, "--compiler-options=@macros" if @macros;
    open my $out, '-|', $pipesim, 'run', @words, '--advise', '--format', 'json' or stop("$pipesim: $!");
    my $text = do { local $/; <$out> };
    return close $out ? decode_json($text) : undef;
}

# What the words of a run are about: its file, an option, one of its parameters or arguments, or a macro.
sub subjects {
    my (@words) = @_;
    my @list;
    while (@words) {
        my $word  = shift @words;
        my @value = $word =~ /^--/ && @words && $words[0] !~ /^-/ ? shift @words : ();
        my ($name) = $word =~ /^(-D\w+)/ ? $1 : $word =~ /^-/ ? $word : 'the file';
        $name .= " $1" if $word =~ /^--(?:param|arg)$/ && $value[0] =~ /^(\w+)/;
        push @list, [ $name, $word, @value ];
    }
    return @list;
}

# The run with the words of a knob instead of its own, or besides.
sub turned {
    my ( $knob, @words ) = @_;
    my %new = map { $_->[0] => $_ } subjects( split ' ', $knob );
    my @then = map { my $word = delete $new{ $_->[0] } // $_; @{$word}[ 1 .. $#{$word} ] } subjects(@words);
    return ( @then, map { @{$_}[ 1 .. $#{$_} ] } map { $new{$_} } sort keys %new );
}

sub knobs_of {
    my ($advice) = @_;
    my $to = $advice->{shape} ? $advice->{shape}{to} : undef;
    return $to ? join ' ', map { "--$_ " . join 'x', @{ $to->{$_} } } qw(grid block) : @{ $knobs{ $advice->{kind} } // [] };
}

sub time_of {
    my ($seconds) = @_;
    return sprintf '%.1f us', 1e6 * $seconds;
}

# The first knob of what is left that makes the run faster: its words, and the run with them.
my %tried;

sub step {
    my ($now) = @_;
    for my $advice ( @{ $now->{advice} } ) {
        for my $knob ( grep { !$tried{$_}++ } knobs_of($advice) ) {
            my @then = turned( $knob, @run );
            my $run  = ask(@then) or next;
            my $at   = $advice->{line} // 'the launch';
            printf "%s at %s, %s less: %s takes %s\n", $advice->{kind}, $at, sprintf( '%.0f %%', 100 * $advice->{gain} ), $knob,
              time_of( $run->{result}{seconds} );
            next if $run->{result}{seconds} >= $now->{result}{seconds};
            @run = @then;
            return $run;
        }
    }
    return;
}

my $now = ask(@run) or stop('there is nothing to begin with');
print 'it takes ', time_of( $now->{result}{seconds} ), "\n";
while ( my $faster = step($now) ) {
    $now = $faster;
}
print "left:\n";
printf "%-12s %s\n", $_->{kind}, $_->{sentence} for @{ $now->{advice} };
