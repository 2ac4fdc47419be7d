#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# docs/guide/tune.pl GRAPH GPU NAME VALUE...: looks for the best value of a graph's parameter, and says what
# holds each of them back. See docs/guide/tuning.md.
use strict;
use warnings;
use JSON::PP;

my $pipesim = $ENV{PIPESIM} // './pipesim';
my ( $graph, $gpu, $name, @values ) = @ARGV;

sub stop {
    print {*STDERR} @_, "\n";
    exit 1;
}
stop('usage: docs/guide/tune.pl GRAPH GPU NAME VALUE...') if !@values;

# One run, as the JSON schema has it; undef where it fails, and pipesim says why.
sub ask {
    my (@more) = @_;
    open my $out, '-|', $pipesim, $graph, '--gpu', $gpu, '--format', 'json', @more or stop("$pipesim: $!");
    my $text = do { local $/; <$out> };
    return close $out ? decode_json($text) : undef;
}

my ( $best, $best_run, @failed );
for my $value (@values) {
    my $run = ask( '--param', "$name=$value", '--explain' );
    if ( !$run ) {
        push @failed, $value;
        next;
    }
    my $why = $run->{bottleneck};
    printf "%s=%-4s %8.1f us  %5.2f times the ceiling  %s of %s at %s\n", $name, $value,
      1e6 * $run->{result}{seconds}, $run->{headroom} // 0, $why->{kind}, $why->{class} // '-', $why->{line} // '-';
    ( $best, $best_run ) = ( $value, $run )
      if !$best_run || $run->{result}{seconds} < $best_run->{result}{seconds};
}
stop('nothing could be simulated') if !$best_run;

# Of the best: what else would help, and by how much.
print "\nbest: $name=$best", @failed ? ' of those that could be simulated' : q(), "; then\n";
my $run = ask( '--param', "$name=$best", '--advise' ) or stop('there is no advice');
printf "%-12s %s\n", $_->{kind}, $_->{sentence} for @{ $run->{advice} };
stop( 'not simulated: ', join ', ', map { "$name=$_" } @failed ) if @failed;
