# SPDX-License-Identifier: BSD-3-Clause
# Files that are continued, changed at random before that: --resume says in one line that it does
# not take the file, and leaves it as it is, or ends with what an uninterrupted run writes. The same
# mutations each time; MUTATIONS says how many for each kind of measurements (of sweeps, which take no
# time, three times as many), and SEED which.
use strict;
use warnings;
use File::Temp;
use Test::More;
use files;

my $program = $ENV{PIPESIM} // './pipesim';
my $many    = $ENV{MUTATIONS} // ( $ENV{PIPESIM_CHECKER} ? 10 : 30 );
my $folder  = File::Temp->newdir;
my $file    = "$folder/kept.csv";
my $input   = 'tests/golden/input';
srand( $ENV{SEED} // 1 );

# ---- mutations

sub one_of {
    return $_[ rand @_ ];
}

# Changes one line: the function gets it without its end.
sub in_line {
    my ( $text, $change ) = @_;
    my @lines = split /\n/, $text, -1;
    my $at    = int rand $#lines;
    $lines[$at] = $change->( $lines[$at], \@lines, $at );
    return join "\n", grep { defined } @lines;
}

sub in_cell {
    my ( $text, $change ) = @_;
    return in_line(
        $text,
        sub {
            my @cells = split /,/, $_[0], -1;
            my $at    = int rand @cells;
            $cells[$at] = $change->( $cells[$at] );
            return join ',', grep { defined } @cells;
        }
    );
}

sub at_byte {
    my ( $text, $length, $put ) = @_;
    substr $text, rand length $text, $length, $put;
    return $text;
}

my @mutations = (
    sub { return at_byte( $_[0], 1, chr int rand 256 ) },
    sub { return at_byte( $_[0], 1, int rand 10 ) },
    sub { return at_byte( $_[0], one_of( 1, 1, 7, 50 ), '' ) },
    sub { return at_byte( $_[0], 0, one_of( split( //, "09.,-+e\"\n\r\0 x" ), "\xef\xbb\xbf", '""' ) ) },
    sub { my $n = one_of( 1, 100 ); return at_byte( $_[0], $n, "\0" x $n ) },
    sub { return substr $_[0], 0, rand length $_[0] },
    sub { return substr( $_[0], 0, rand length $_[0] ) . "\0" x one_of( 1, 10, 200_000 ) },
    sub { return $_[0] . "\0" x one_of( 1, 10, 200_000 ) },
    sub { return $_[0] . one_of( 'x', "\n", 'run,', "run,x\n", ",\n", "\r\n", '# notes' ) },
    sub { return in_line( $_[0], sub { return undef } ) },
    sub { return in_line( $_[0], sub { return "$_[0]\n$_[0]" } ) },
    sub { return in_line( $_[0], sub { my ( $line, $lines ) = @_; return one_of(@$lines) } ) },
    sub { return in_line( $_[0], sub { return $_[0] . one_of( ' ', ',', 'x', "\r", '""' ) } ) },
    sub { return in_cell( $_[0], sub { return undef } ) },
    sub { return in_cell( $_[0], sub { return one_of( 'oops', '', '-1', '0', '1e999', 'nan', '0x10', '1,1' ) } ) },
    sub {
        return in_cell( $_[0],
            sub { my $c = $_[0]; return one_of( "${c}0", "0$c", "$c.0", "+$c", " $c", "$c ", "\"$c\"", uc $c, "${c}e0" ) } );
    },
);

# Often what is changed is incomplete, too.
sub mutate {
    my ($text) = @_;
    my $changed = one_of(@mutations)->($text);
    return rand() < 0.7 ? $changed : substr $changed, 0, rand length $changed;
}

# ---- what comes out

# What a file of measurements says beside its samples and the time: which runs there are, in whatever order. A
# sample that is well written is as good as any other.
sub runs {
    my ($text) = @_;
    my $number = '(?:[0-9][0-9.e+-]*)?';
    $text =~ s/^(run(?:,[^,\n]*){14}),$number,$number,$number,/$1,,,,/gm;
    $text =~ s/^(device,when),[-0-9]+T[0-9:]+Z$/$1/gm;
    return join "\n", sort split /\n/, $text;
}

sub resume {
    my ($command) = @_;
    my $said = qx($program $command 2>&1 >$folder/out);
    return join '', grep { !/ warning: | is reduced|points that were there had failed/ } split /^/, $said;
}

# same: what must be equal of two files.
sub check {
    my ( $name, $command, $same, $many ) = @_;
    unlink $file;
    resume($command);
    my $whole = slurp($file);
    my ( @wrong, $taken, $refused );
    for ( 1 .. $many ) {
        my $changed = mutate($whole);
        spew( $file, $changed );
        my $said = resume($command);
        my $now  = slurp($file);
        if ( $same->($now) eq $same->($whole) ) {
            $taken++;
        }
        elsif ( $now eq $changed && $said =~ /\Apipesim: [^\n]*\Q$file\E[:,][^\n]*\n\z/ ) {
            $refused++;
        }
        else {
            push @wrong, $said;
            spew( "$folder/wrong", $changed );
            system 'diff', '-a', "$folder/wrong", $file if @wrong == 1;
        }
    }
    is( "@wrong", '', "$name: each is refused and left, or becomes what it was" );
    ok( $taken && $refused, '... some the one, some the other' );
    return;
}

sub whole {
    return $_[0];
}

my $toy = "sweep $input/chain.idg --gpu $input/toy.xml --resume $file";
check( 'a sweep', "$toy --vary group-size=32,512,64 --vary active=1..max --groups 8", \&whole, 3 * $many );
check( 'a part of one', "$toy --vary alu.completion=1..9 --what-if alu.issue=2 --measured 2 --shard 2/3", \&whole, 3 * $many );
check( 'micro-benchmarks', "bench --backend model:pascal.xml --noise 0.02 --classes 'fadd*' --grid reduced "
        . "--resume --force --raw $file --output $folder/gpu.xml", \&runs, $many );
check( 'whole kernels', "validate pascal.xml --backend model:pascal.xml --grid reduced --classes saxpy --resume "
        . "--raw $file --output $folder/report.md", \&runs, $many );
done_testing();
