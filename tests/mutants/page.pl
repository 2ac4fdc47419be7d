# SPDX-License-Identifier: BSD-3-Clause
# docs/evidence/mutants.md of what run.pl found (build-mutants/results-SEED.tsv, of the sources in build-mutants/tree):
#
#     perl page.pl --seed N --longest SECONDS --scripts N [--near] --folder FOLDER... [--without FOLDER...] TEST...
#
# The tests are those of `make quick`, the rest is what run.pl was given. tests/mutants/equivalent.tsv says which survivors
# change nothing, and why: the file, the line as it stands there, the change, and the reason, with tabs between.
# tests/mutants/earlier.md has the account of an earlier run, of other folders.
use strict;
use warnings;
use lib 'tests';
use files;
use File::Basename;
use Getopt::Long;
use POSIX 'strftime';

my ( $seed, $longest, $scripts, $near, @folders, @without );
GetOptions(
    'seed=i'    => \$seed,
    'longest=f' => \$longest,
    'scripts=i' => \$scripts,
    'near'      => \$near,
    'folder=s'  => \@folders,
    'without=s' => \@without
) or exit 2;
s/=\d+$// for @folders;
my @quick    = @ARGV;
my $results  = "build-mutants/results-$seed.tsv";
my %is_quick = map { $_ =~ m{/unit/} ? ( 'unit/' . basename( $_, '.t' ) => 1 ) : ( 'script/' . basename( $_, '.t' ) => 1 ) } @quick;

my %reason;
for ( split /\n/, slurp('tests/mutants/equivalent.tsv') ) {
    my ( $file, $line, $change, $why ) = split /\t/;
    $reason{"$file\t$line\t$change"} = $why if defined $why;
}

# The last word about each mutant counts; what lived at first was found by tests that were written for it.
my ( %mutants, %lived );
for ( split /\n/, slurp($results) ) {
    my %mutant;
    @mutant{qw(file line column old new what outcome by seconds)} = split /\t/;
    next if $mutant{outcome} =~ /^(?:same|invalid)$/ || grep { $mutant{file} =~ m{^\Q$_\E/} } @without;
    my $text = ( split /\n/, slurp("build-mutants/tree/$mutant{file}") )[ $mutant{line} - 1 ] =~ s/^\s+|\s+$//gr;
    $mutant{why} = $reason{"$mutant{file}\t$text\t$mutant{old} -> $mutant{new}"};
    my $key = join "\t", @mutant{qw(file line column old new)};
    $mutants{$key} = \%mutant;
    $lived{$key}   = 1 if $mutant{outcome} ne 'killed';
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
my $since  = grep { $lived{$_} && $mutants{$_}{outcome} eq 'killed' } keys %mutants;
my $day    = strftime '%Y-%m-%d', gmtime( ( stat $results )[9] );
my $drawn  = join ', ', map { "`$_`" } @folders;
my $met    = $near ? 'Each met tests that are near it' : "They met the goldens, unit tests and $scripts scripts that take at most $longest s each";
my $quick  = grep { $_->{by} =~ m{^golden/} || $is_quick{ $_->{by} } } @killed;

print <<"END";
# Small faults, and which of them tests find

`make mutants` puts faults into the code, one at a time: a comparison that is off by one, a sign, a constant, a
condition that is negated, a statement that is left out, a minimum for a maximum, another value returned. It builds
each, runs the tests that run its line, the cheapest first, and says which faults no test finds. `tests/mutants/run.pl`
says how, `make mutants MUTANTS=N SEED=N` draws others; it takes hours, and is in no gate. `MUTANTS_NEAR=1` takes
seconds for each fault: tests are chosen by their names and by the headers that they include, and one that lives may be
found by others. Faults of which the compiler makes the same, or nothing, are not counted.

## The last run

Faults in $drawn (SEED=$seed), in the tree of $day. $met.

| folder | faults | found | lived | no test runs the line | change nothing | found of those that change something |
|---|---:|---:|---:|---:|---:|---:|
END
print row( "`$_`", @{ $rooms{$_} } ) for sort keys %rooms;
print row( 'all', @all );
print "\nNot tried: ", join( ', ', map { "`$_`" } @without ), ".\n" if @without;
printf "\n%d of the faults that were found lived when they were first tried: unit tests written since find them.\n", $since if $since;
printf "\nUnit tests found %d, goldens %d, scripts %d (the cheapest that finds a fault has it). `make quick` finds %d of the %d, %.1f %%.\n",
    $by->('unit'), $by->('golden'), $by->('script'), $quick, scalar @killed, @killed ? 100 * $quick / @killed : 0;

print "\nWhat lived:\n\n";
printf "- `%s:%d` %s%s\n", $_->{file}, $_->{line}, change($_), $_->{outcome} eq 'uncovered' ? '; no test runs the line' : $_->{by} ? "; $_->{by}" : ''
    for grep { fate($_) =~ /^(?:survived|uncovered)$/ } @all;
print "\nWhat changes nothing:\n\n";
printf "- `%s:%d` %s: %s\n", $_->{file}, $_->{line}, change($_), $_->{why} for grep { fate($_) eq 'equivalent' } @all;
print "\n", slurp('tests/mutants/earlier.md');
