# SPDX-License-Identifier: BSD-3-Clause
# Runs as if a GPU's description lacked one of its rules: what a rule adds to a time is the difference.
#
# A rule is an attribute of a description, "ELEMENT ATTRIBUTE" (of a level or a pipeline with its name: "level l1 port"). Which ones
# there are is read from descriptions themselves: each attribute of what is not a source, the chip (but for what reading registers
# takes), its limits, pipelines (but for queues in front of them), defaults and peaks, if a description without it is still one. So a rule that joins comes in by itself. What refers
# to an attribute goes with it: the lookup of lines with wavefronts, which are also what makes local and global memory share a unit.
package without;
use strict;
use warnings;
use Digest::MD5 qw(md5_hex);
use File::Path qw(make_path);
use File::Temp;
use lib '.';
use files;

my $folder = File::Temp->newdir;

# What a rule cannot be: names, sources, figures that others refer to, sizes, and what is no part of a run.
my $figure = qr/^(?:name|source|.*-source|at|pipeline|bytes|latency|completion|issue|wide-issue|timer)$/;
my %size   = map { $_ => 1 } 'memory line', 'memory sector', 'memory fetch';

# What stands where a rule is none: what was there before it.
my %before = ( 'model policy' => 'lrr' );

# What an element is about, as a graph says it. Without that, its rules change no time.
my %about = (
    'chip'         => qr/ banks="/,
    'atomics'      => qr/ class="(?:atomic(?!\.local)|[a-z]+\.store)| spot="/,
    'local-memory' => qr/ class="(?:atomic\.)?local/,
    'memory'       => qr/ class="(?:global|memory|atomic)/,
);
my $apart = qr/^(?:gpu|source|chip|limits|pipeline|default|peak)$/;

# What rules of elements apart are.
my %alone = ( chip => 'read-window', pipeline => 'queue' );

sub program { return $ENV{PIPESIM} // './pipesim' }

# A description with all that it inherits.
my %text;
sub description {
    my ($gpu) = @_;
    my $program = program();
    return $text{$gpu} //= qx($program show $gpu --xml) || die "$gpu: no description\n";
}

# Elements of a description that may have rules, as lists of a name and a reference to their text.
sub elements {
    my ($text) = @_;
    my @found;
    while ( $text =~ /<([a-z-]+)((?:\s+[a-z-]+="[^"]*")*)\s*\/?>/g ) {
        my ( $element, $attributes, $start ) = ( $1, $2, $-[2] );
        next if $element =~ $apart && !( $alone{$element} && $attributes =~ /\s$alone{$element}=/ );
        my ($name) = $element =~ /^(?:level|pipeline)$/ ? $attributes =~ /\sname="([^"]*)"/ : ();
        push @found, [ defined $name ? "$element $name" : $element, $attributes, $start ];
    }
    return @found;
}

# The description's text without a rule, or nothing where it has no such rule.
sub lacking {
    my ( $text, $rule ) = @_;
    my ( $of, $attribute ) = $rule =~ /^(.*) ([a-z-]+)$/ or die "$rule is no rule\n";
    my $changed = 0;
    for ( reverse elements($text) ) {
        my ( $name, $attributes, $start ) = @$_;
        next if $name ne $of;
        my $instead = $before{$rule} ? qq( $attribute="$before{$rule}") : '';
        ( my $left = $attributes ) =~ s/\s\Q$attribute\E="[^"]*"/$instead/ or next;
        $left =~ s/\s\Q$attribute\E-source="[^"]*"//;
        next if $left eq $attributes;
        substr( $text, $start, length $attributes ) = $left;
        $changed = 1;
    }
    return $changed ? $text : undef;
}

# The text without some rules.
sub lacking_all {
    my ( $text, @rules ) = @_;
    $text = lacking( $text, $_ ) // $text for @rules;
    return $text;
}

# A file with the description that lacks the rule, and what else of its element cannot be without it; the GPU itself where that has no
# such rule, or cannot do without.
my %path;
sub path {
    my ( $gpu, $rule ) = @_;
    return $path{"$gpu, $rule"} //= do {
        my $path = "$folder/" . md5_hex("$gpu, $rule") . '.xml';
        my $text = lacking( description($gpu), $rule );
        my ($element) = $rule =~ /^(.*) [a-z-]+$/;
        my @with = defined $text ? grep { $_ ne $rule && /^\Q$element\E [a-z-]+$/ } of($text) : ();
        my $fits = sub { is_description( files::spew( $path, lacking_all( $text, @_ ) ) ) };
        if    ( !defined $text )  { $gpu }
        elsif ( $fits->() )       { $path }
        elsif ( !$fits->(@with) ) { $gpu }
        else {
            for my $back ( my @all = @with ) {
                my @less = grep { $_ ne $back } @with;
                @with = @less if $fits->(@less);
            }
            $fits->(@with);
            $path;
        }
    };
}
sub is_description {
    my ($path) = @_;
    return system( program() . " show $path --xml >$folder/shown 2>$folder/messages" ) == 0;
}

# What may be rules in a description's text, each once.
sub of {
    my ($text) = @_;
    my %of;
    for ( elements($text) ) {
        my ( $name, $attributes ) = @$_;
        my ($element) = split ' ', $name;
        my $only = $alone{$element};
        $of{"$name $_"} = 1 for grep { $only ? $_ eq $only : !/$figure/ } $attributes =~ /\s([a-z-]+)="/g;
    }
    return grep { !$size{$_} } sort keys %of;
}

# All rules of some GPUs, those first that most have.
sub rules {
    my (@gpus) = @_;
    my %count;
    for my $gpu (@gpus) {
        $count{$_}++ for grep { path( $gpu, $_ ) ne $gpu } of( description($gpu) );
    }
    return sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
}

# Whether a rule may change what the graph takes.
sub concerns {
    my ( $gpu, $rule, $graph ) = @_;
    my ( $element, $name, $attribute ) = $rule =~ /^(\S+)(?: (.*))? ([a-z-]+)$/;
    my $about = $about{$element};
    if ( $element eq 'class' ) {
        my @names = description($gpu) =~ /<class name="([^"]*)"[^>]*\s\Q$attribute\E="/g;
        $about = join '|', map { qq( class="\Q$_\E) } @names;
    }
    if ( $element eq 'pipeline' ) {
        my @names = description($gpu) =~ /<class name="([^"]*)" pipeline="\Q$name\E"/g;
        $about = join '|', map { qq( class="\Q$_\E) } @names;
    }
    return !defined $about || $graph !~ /\.idg$/ || files::slurp($graph) =~ /$about/;
}

# Makes the descriptions that some runs need, before any of them starts: each once.
sub descriptions {
    my ( $rule, @runs ) = @_;
    return if $rule eq 'nothing';
    for my $run (@runs) {
        my ($at) = grep { $run->[$_] =~ /^(?:--gpu|-g)$/ } 0 .. $#$run;
        path( $run->[ $at + 1 ], $rule );
    }
    return;
}

# Options that a run of code has for the run, not for the graph, and whether they take a value.
my %run = ( map( { $_ => 1 } qw(--clock --cache --overheads --active --precision) ), '--explain' => 0 );

# Words for a run of RULE's absence: its description in place of the GPU's, and a graph in place of code, which is made once, with the GPU as it
# is. So a rule's effect is that on time alone.
sub words {
    my ( $rule, @words ) = @_;
    my ($at) = grep { $words[$_] =~ /^(?:--gpu|-g)$/ } 0 .. $#words;
    my $gpu = $words[ $at + 1 ];
    if ( grep { /\.(?:ptx|cu)$/ } @words ) {
        my ( @build, @rest );
        while ( defined( my $word = shift @words ) ) {
            if   ( exists $run{$word} ) { push @rest, $word, $run{$word} ? shift @words : () }
            else                        { push @build, $word }
        }
        @words = ( graph(@build), '--gpu', $gpu, @rest );
        $at = 1;
    }
    my ($graph) = grep { /\.idg$/ } @words;
    $words[ $at + 1 ] = path( $gpu, $rule ) if $rule ne 'nothing' && concerns( $gpu, $rule, $graph // '' );
    return @words;
}

# The answer to such words, as a file: kept, so that what a rule does not concern is run once.
sub answer {
    my (@words) = @_;
    my $kept = $ENV{KEPT_GRAPHS} // "$folder";
    my $path = "$kept/" . md5_hex( join ' ', @words ) . '.json';
    return $path if -e $path;
    make_path($kept);
    my $pid = fork // die "fork: $!\n";
    if ( !$pid ) {
        open STDOUT, '>', "$path.$$" or die "$path: $!\n";
        exec program(), @words, '--format', 'json' or die program(), ": $!\n";
    }
    waitpid $pid, 0;
    exit 1 if $?;
    rename "$path.$pid", $path or die "$path: $!\n";
    return $path;
}

# The graph that code becomes, as a file: kept for all rules. A run of its own, so that several may look for one.
sub graph {
    my (@build) = @_;
    my $kept = $ENV{KEPT_GRAPHS} // "$folder";
    my $path = "$kept/" . md5_hex( join ' ', @build ) . '.idg';
    return $path if -e $path;
    make_path($kept);
    open my $messages, '>', "$path.messages" or die "$path: $!\n";
    my $pid = fork // die "fork: $!\n";
    if ( !$pid ) {
        open STDERR, '>&', $messages or die "$path: $!\n";
        exec program(), 'build', @build, '--output', "$path.$$" or die program(), ": $!\n";
    }
    waitpid $pid, 0;
    die files::slurp("$path.messages") if $?;
    rename "$path.$pid", $path or die "$path: $!\n";
    return $path;
}

1;
