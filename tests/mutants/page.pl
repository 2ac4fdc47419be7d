# SPDX-License-Identifier: BSD-3-Clause
# docs/mutants.md of the results of run.pl (RESULTS, of the sources in build-mutants/tree): perl page.pl RESULTS SEED WITHOUT
# TEST... WITHOUT are the folders that were left out, in one word; the tests are those of `make quick`. tests/mutants/equivalent.tsv says which survivors change nothing, and why: the
# file, the line as it stands there, the change, and the reason, with tabs between.
use strict;
use warnings;
use lib 'tests';
use files;
use File::Basename;

my ( $results, $seed, $without, @quick ) = @ARGV;
my @without = split ' ', $without;
my %is_quick = map { $_ =~ m{/unit/} ? ( 'unit/' . basename( $_, '.t' ) => 1 ) : ( 'script/' . basename( $_, '.t' ) => 1 ) } @quick;

my %reason;
for ( split /\n/, slurp('tests/mutants/equivalent.tsv') ) {
    my ( $file, $line, $change, $why ) = split /\t/;
    $reason{"$file\t$line\t$change"} = $why if defined $why;
}

# The last word about each mutant counts.
my %mutants;
for ( split /\n/, slurp($results) ) {
    my %mutant;
    @mutant{qw(file line column old new what outcome by seconds)} = split /\t/;
    next if $mutant{outcome} =~ /^(?:same|invalid)$/ || grep { $mutant{file} =~ m{^\Q$_\E/} } @without;
    my $text = ( split /\n/, slurp("build-mutants/tree/$mutant{file}") )[ $mutant{line} - 1 ] =~ s/^\s+|\s+$//gr;
    $mutant{why} = $reason{"$mutant{file}\t$text\t$mutant{old} -> $mutant{new}"};
    $mutants{ join "\t", @mutant{qw(file line column old new)} } = \%mutant;
}
my @all = map { $mutants{$_} } sort by_place keys %mutants;

sub by_place {
    my ( $x, $y ) = map { $mutants{$_} } $a, $b;
    return $x->{file} cmp $y->{file} || $x->{line} <=> $y->{line} || $x->{column} <=> $y->{column} || $a cmp $b;
}

# What became of a mutant: killed, equivalent, survived, or uncovered.
sub fate {
    my ($mutant) = @_;
    return $mutant->{outcome} eq 'killed' ? 'killed' : $mutant->{why} ? 'equivalent' : $mutant->{outcome};
}

sub count { my ( $fate, @of ) = @_; return scalar grep { fate($_) eq $fate } @of }

sub share {
    my (@of) = @_;
    my $all = @of - count( 'equivalent', @of );
    return $all ? sprintf '%.1f %%', 100 * count( 'killed', @of ) / $all : '';
}

sub row {
    my ( $name, @of ) = @_;
    return "| $name | " . join( ' | ', scalar @of, map( { count( $_, @of ) } qw(killed survived uncovered equivalent) ), share(@of) ) . " |\n";
}

sub change {
    my ($mutant) = @_;
    my ( $old, $new ) = map { length > 60 ? substr( $_, 0, 57 ) . '...' : $_ } @$mutant{qw(old new)};
    return "`$old` " . ( $mutant->{what} eq 'statement left out' ? 'left out' : $new eq '' ? 'left out' : "becomes `$new`" );
}

my %rooms;
push @{ $rooms{ $_->{file} =~ s{/.*}{}r } }, $_ for @all;
my @killed = grep { $_->{outcome} eq 'killed' } @all;
my $by     = sub { my ($kind) = @_; return scalar grep { $_->{by} =~ m{^$kind/} } @killed };
my $quick  = grep { $_->{by} =~ m{^golden/} || $is_quick{ $_->{by} } } @killed;

print <<"END";
# Small faults, and which of them tests find

`make mutants` puts faults into the code, one at a time: a comparison that is off by one, a sign, a constant, a condition that is negated, a
statement that is left out, a minimum for a maximum, another value returned. It builds each, runs the tests that run its line, the cheapest
first, and says which faults no test finds. `tests/mutants/run.pl` says how, `make mutants MUTANTS=N SEED=N` draws others; it takes hours, and
is in no gate. This page has the last run (SEED=$seed); faults of which the compiler makes the same, or nothing, are not counted.

| folder | faults | found | lived | no test runs the line | change nothing | found of those that change something |
|---|---:|---:|---:|---:|---:|---:|
END
print row( "`$_`", @{ $rooms{$_} } ) for sort keys %rooms;
print row( 'all', @all );
print "\nNot tried: ", join( ', ', map { "`$_`" } @without ), ".\n" if @without;
printf "\nUnit tests found %d, goldens %d, scripts %d (the cheapest that finds a fault has it). `make quick` finds %d of the %d, %.1f %%.\n",
    $by->('unit'), $by->('golden'), $by->('script'), $quick, scalar @killed, @killed ? 100 * $quick / @killed : 0;

print "\n## What lived\n\n";
printf "- `%s:%d` %s%s\n", $_->{file}, $_->{line}, change($_), $_->{outcome} eq 'uncovered' ? '; no test runs the line' : $_->{by} ? "; $_->{by}" : ''
    for grep { fate($_) =~ /^(?:survived|uncovered)$/ } @all;
print "\n## What changes nothing\n\n";
printf "- `%s:%d` %s: %s\n", $_->{file}, $_->{line}, change($_), $_->{why} for grep { fate($_) eq 'equivalent' } @all;
