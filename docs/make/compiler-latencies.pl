#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# docs/make/compiler-latencies.pl: prints docs/evidence/compiler-latencies.md with its tables made anew: latencies that ptxas, which must be
# installed, schedules by, beside those of the descriptions. The families with these latencies stay in the folder FAMILIES
# (build/families unless set). Between "<!-- NAME -->" and "<!-- end -->" stands a table; the rest of the page stays.
# PIPESIM is the program, ./pipesim unless set.
use strict;
use warnings;
use JSON::PP;

my $page = 'docs/evidence/compiler-latencies.md';

# Of each architecture a card whose tensor cores are whole, where there is one.
my @cards = (
    [ sm_75 => 't4' ],
    [ sm_80 => 'a100' ],
    [ sm_86 => 'a40' ],
    [ sm_89 => 'l40' ],
    [ sm_90 => 'h100' ],
    [ sm_100 => 'b200' ],
    [ sm_120 => 'rtx5090' ]
);

# Descriptions of the user's own have no place here.
delete $ENV{PIPESIM_PATH};
my $program  = $ENV{PIPESIM}  // './pipesim';
my $families = $ENV{FAMILIES} // 'build/families';

sub output_of {
    open my $pipe, '-|', @_ or die "$_[0]: $!\n";
    local $/ = undef;
    my $text = <$pipe>;
    close $pipe or die "@_ failed\n";
    return $text;
}

sub asked {
    my ($architecture) = @_;
    my @command = ( 'bench', '--backend', "compiler:$architecture", '--output', "$families/ptxas-$architecture.xml" );
    return decode_json( output_of( $program, @command, '--force', '--format', 'json' ) );
}

# What a card's description and its families state: classes and sources.
sub described {
    my ($card) = @_;
    my $text = output_of( $program, 'show', "gpus/$card.xml", '--xml' );
    my ( %class, %kind );
    while ( $text =~ /<class ([^>]*)/g ) {
        my %state = $1 =~ /([\w-]+)="([^"]*)"/g;
        $class{ $state{name} } = \%state;
    }
    $kind{$1} = $2 while $text =~ /<source id="([^"]*)" kind="([^"]*)"/g;
    return { class => \%class, kind => \%kind };
}

# The class that serves one: itself, or without its last parts.
sub serving {
    my ( $described, $class ) = @_;
    for ( my $name = $class ; ; $name =~ s/\.[^.]*$// ) {
        return $described->{class}{$name} if $described->{class}{$name};
        return undef unless $name =~ /\./;
    }
}

mkdir $families;
my ( %schedule, %described );
for (@cards) {
    my ( $architecture, $card ) = @$_;
    $schedule{$architecture}  = asked($architecture);
    $described{$architecture} = described($card);
}
my @architectures = map { $_->[0] } @cards;
my %card          = map { @$_ } @cards;

# All that any of them has.
my @classes = map { $_->{class} } @{ $schedule{sm_120}{classes} };

sub scheduled {
    my ( $architecture, $class ) = @_;
    my ($found) = grep { $_->{class} eq $class && $_->{by} } @{ $schedule{$architecture}{classes} };
    return $found;
}

sub row { return '| ' . join( ' | ', @_ ) . " |\n" }

sub table {
    my ( $head, @rows ) = @_;
    return join '', row(@$head), '|' . '---|' x @$head . "\n", map { row(@$_) } @rows;
}

# "2, 4"; in parentheses what is not the class's; S where hardware decides.
sub cell {
    my ($scheduled) = @_;
    return '' unless $scheduled;
    my ( $issue, $completion ) = @$scheduled{qw(issue completion)};
    return "$issue, $completion" if $scheduled->{by} eq 'assembler';
    return "($issue), S"         if $scheduled->{by} eq 'scoreboard';
    return $completion ? "($issue, $completion)" : "($issue), S";
}

sub classes {
    return table( [ 'class', @architectures ],
        map { my $class = $_; [ "`$class`", map { cell( scheduled( $_, $class ) ) } @architectures ] } @classes );
}

sub forwards {
    my ( @whats, %cycles );
    for my $architecture (@architectures) {
        for ( @{ $schedule{$architecture}{forwards} } ) {
            push @whats, $_->{what} unless $cycles{ $_->{what} };
            $cycles{ $_->{what} }{$architecture} = $_->{cycles};
        }
    }
    my @rows = map { my $what = $_; [ $what, map { $cycles{$what}{$_} // '' } @architectures ] } @whats;
    return table( [ 'from, to', @architectures ], @rows );
}

# What the assembler decides and what a description states of the same: pairs of both.
sub decided {
    my @pairs;
    for my $class (@classes) {
        for my $architecture (@architectures) {
            my $scheduled = scheduled( $architecture, $class ) // next;
            next unless $scheduled->{by} eq 'assembler';
            push @pairs, [ $architecture, $scheduled, serving( $described{$architecture}, $class ) ];
        }
    }
    return @pairs;
}

sub agree {
    my ( undef, $scheduled, $state ) = @{ $_[0] };
    return $state && !grep { $state->{$_} != $scheduled->{$_} } qw(issue completion);
}

sub differences {
    my @rows;
    for my $pair ( grep { !agree($_) } decided() ) {
        my ( $architecture, $scheduled, $state ) = @$pair;
        my $kind = $described{$architecture}{kind}{ $state->{source} };
        push @rows,
            [
            "`$scheduled->{class}`", $architecture, cell($scheduled),
            "$state->{issue}, $state->{completion}",
            "`$state->{name}`, $kind (`$state->{source}`)"
            ];
    }
    return table( [ 'class', 'architecture', 'ptxas', 'description', 'its class and source' ], @rows );
}

sub counted {
    my @pairs = decided();
    my $cards = join ', ', map { "$_ `$card{$_}`" } @architectures;
    return sprintf "Assembler: %s. Descriptions: %s. Of %d pairs of latencies that the assembler decides %d stand in them.\n",
        $schedule{sm_90}{compiler}, $cards, scalar @pairs, scalar grep { agree($_) } @pairs;
}

my %tables = ( counted => \&counted, classes => \&classes, forwards => \&forwards, differences => \&differences );
open my $file, '<', $page or die "$page: $!\n";
my $text = do { local $/ = undef; <$file> };
$text =~ s/(<!-- ([a-z]+) -->\n).*?(<!-- end -->)/$1 . $tables{$2}->() . $3/gse;
print $text;
