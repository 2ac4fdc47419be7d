# SPDX-License-Identifier: BSD-3-Clause
# Golden tests. Each tests/golden/NAME.case is a call of the program and all that it must give:
#
#     pipesim mmul08.idg --gpu v100.xml --chart "$OUT/time.svg"      (a line of shell, with < FILE, too)
#     -- stdout --
#     ...
#     -- stderr --
#     ...
#     -- OUT/time.svg --                    each file that it leaves in $OUT, a folder that is empty before
#     ...
#     -- status 1 --
#
# What is empty, and a status of 0, is left out. "-- stdout, without its last newline --" holds a text that ends in
# none; what is no text at all is for a test of its own. In place of what differs between machines
# and versions stand words: see plain.
#
# tests/golden.t NAME... runs these cases alone. A case is added by writing its first line; UPDATE=1 writes the rest
# anew, of all or of those that are named: read the difference before you keep it. golden-self.t takes cases of
# its own, in the folder GOLDEN.
use strict;
use warnings;
use Cwd 'abs_path';
use File::Basename;
use File::Temp;
use Test::More;
use lib 'tests';
use files;

my $folder  = $ENV{GOLDEN} // 'tests/golden';
my $program = abs_path( $ENV{PIPESIM} // './pipesim' );
my $place   = dirname($program);
my $prefix  = dirname($place);
my ($version) = qx('$program' --version) =~ /^pipesim (\S+)$/ or die "$program does not run\n";
my $work    = File::Temp->newdir;
my $NO_NEWLINE = ', without its last newline';

# What must be the same everywhere.
delete @ENV{qw(PIPESIM_PATH NO_COLOR COLUMNS)};
@ENV{qw(PIPESIM LC_ALL OUT)} = ( $program, 'C', "$work/OUT" );

# The text with words for what may differ: the program's folder and the one above it, the folder OUT, the
# version, the list of what graphs and GPUs there are, what tells a sweep from others in the
# last column of its CSV, the sum over each row, and how much of a run was skipped, which is no part of the answer.
sub plain {
    my ($text) = @_;
    for ($text) {
        s{\Q$ENV{OUT}\E}{OUT}g;
        s{\Q$prefix\E/share/}{PREFIX/share/}g;
        s{\Q$place\E/}{PROGRAM/}g;
        s/"pipesim": "\Q$version\E"/"pipesim": "VERSION"/g;
        s/^pipesim \Q$version\E$/pipesim VERSION/mg;
        s/^(Skipped  *)[0-9.]* %/$1SKIPPED %/mg;
        s/"skipped_cycles": [1-9][0-9.]*/"skipped_cycles": SKIPPED/g;
        s/"(simulated|simulations)_instructions": [1-9][0-9]*/"$1_instructions": SIMULATED/g;
        s/,c[0-9a-f]{8},s[0-9a-f]{16}$/,CHECK,SWEEP/mg;
    }
    return $text;
}

# section(NAME, TEXT): nothing where the text is empty.
sub section {
    my ( $name, $text ) = @_;
    return '' if $text eq '';
    die "$name is no text, or has a line that looks like the head of a section\n" if $text =~ /\0|^-- .* --$/m;
    my $whole = $text =~ /\n\z/;
    return "-- $name" . ( $whole ? '' : $NO_NEWLINE ) . " --\n$text" . ( $whole ? '' : "\n" );
}

# The case as it is now, of its first line.
sub got {
    my ($call) = @_;
    my ($arguments) = $call =~ /^pipesim (.*)$/ or die "the first line is no call of pipesim\n";
    mkdir $ENV{OUT};
    my $status = system '/bin/sh', '-c', "exec </dev/null >'$work/stdout' 2>'$work/stderr'; exec \"\$PIPESIM\" $arguments";
    my $text = "$call\n" . join '', map { section( $_, plain( slurp("$work/$_") ) ) } qw(stdout stderr), files_left();
    unlink glob "$ENV{OUT}/*";
    $status = $status & 127 ? 128 + ( $status & 127 ) : $status >> 8;
    return $text . ( $status ? "-- status $status --\n" : '' );
}

sub files_left {
    return map { 'OUT/' . basename($_) } sort glob "$ENV{OUT}/*";
}

# Both as the difference between them, as far as anybody reads it.
sub explain_difference {
    my ( $file, $got ) = @_;
    my @lines = split /\n/, qx(diff -u --label '$file' --label 'as it is' '$file' '@{[ spew("$work/got", $got) ]}');
    splice @lines, 40, @lines, '...' if @lines > 40;
    diag $_ for @lines;
}

# What a refusal says but for names and numbers; none where the case is no refusal.
sub refusal {
    my ($case) = @_;
    return if $case !~ /^-- status [1-9]/m;
    my ($said) = $case =~ /^-- stderr --\n(.*?)^-- /ms or return;
    for ($said) {
        s/"[^"]*"|'[^']*'//g;
        s/;.*//s;
        s/[-\w.\/]*(\d|\.\w)[-\w.\/]*|--[-a-z]+|\(see pipesim \w+//g;
    }
    return $said;
}

# The gate has one refusal of a sort with sanitizers, and all without.
my ( $few, %seen ) = ( ( $ENV{PIPESIM_CHECKER} // '' ) eq 'sanitizers' && ( $ENV{PIPESIM_SEEDS_TIMES} // 1 ) < 1 );

sub is_more_of_the_same {
    my ($case) = @_;
    my $refusal = $few ? refusal($case) : undef;
    return defined $refusal && $seen{$refusal}++;
}

my @names = @ARGV ? @ARGV : map { basename( $_, '.case' ) } glob "$folder/*.case";
for my $name (@names) {
    my $file   = "$folder/$name.case";
    my $wanted = slurp($file);
    next if !@ARGV && is_more_of_the_same($wanted);
    my $got    = eval { got( $wanted =~ s/\n.*//sr ) } // "$@";
    if ( $got ne $wanted && $ENV{UPDATE} && $got =~ /^pipesim / ) {
        $wanted = slurp( spew( $file, $got ) );
    }
    ok( $got eq $wanted, $name ) or explain_difference( $file, $got );
}
if ( !@ARGV ) {
    my @strange = grep { !/\.case$/ && $_ ne "$folder/input" } glob "$folder/* $folder/.[!.]*";
    is( "@strange", '', 'nothing but cases, and the folder of their input' );
}
done_testing;
