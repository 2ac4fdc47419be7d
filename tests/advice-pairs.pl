# SPDX-License-Identifier: BSD-3-Clause
# advice-pairs.pl [NAME...]: kernels before and after what advice names, all of tests/pairs/*.pair or these; the README there
# says how one is written. Of each cause: advice has the kind at that line, at that rank or before it; the gain that it
# predicts is that of the change made by hand; compare charges the line most of it.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP;
use POSIX ();
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my $pairs   = 'tests/pairs';
my $folder  = tempdir( CLEANUP => 1 );

# Gains agree within five points of the time before, or a third of the larger of both.
my $points = 0.05;
my $part   = 1 / 3;

sub slurp {
    my ($path) = @_;
    open my $in, '<', $path or die "$path: $!";
    local $/ = undef;
    my $text = <$in>;
    close $in;
    return $text;
}

# A pair, for each of its launches: name, launch and causes; each cause has kind, rank, and, unless it is the launch's, the
# text of its line.
sub read_pair {
    my ($name) = @_;
    my %pair = ( name => $name, causes => [] );
    my @launches;
    for my $text ( grep { !/^#/ } split /\n/, slurp("$pairs/$name.pair") ) {
        my ( $key, $value ) = $text =~ /^([a-z-]+): +(.*\S)\s*$/ or die "$name.pair: $text\n";
        push @{ $pair{causes} }, { rank => 1 } if $key eq 'kind';
        if ( $key eq 'launch' ) {
            push @launches, $value;
            next;
        }
        my $into = $pair{causes}[-1] // die "$name.pair: $key before kind\n";
        die "$name.pair: $key twice\n" if defined $into->{$key} && $key ne 'rank';
        $into->{$key} = $value;
    }
    return map { { %pair, launch => $_ } } @launches;
}

# ---- what the program says

# What is asked of a pair: advice, and what each change gives.
sub commands_of {
    my ($pair) = @_;
    my $before = "$pairs/$pair->{name}.ptx $pair->{launch}";
    my @afters = grep { defined $_->{after} || defined $_->{'after-launch'} } @{ $pair->{causes} };
    my @compares = map {
        join ' ', 'compare', $before, '--versus', $_->{after} ? "$pairs/$_->{after}" : (), $_->{'after-launch'} // ()
    } @afters;
    return ( "run $before --advise", @compares );
}

# Every other pair is asked of by a process of its own.
sub ask_all {
    my (@all) = @_;
    my @workers;
    for my $worker ( 0, 1 ) {
        my $pid = fork // die "fork: $!";
        if ( $pid == 0 ) {
            for my $i ( grep { $_ % 2 == $worker } 0 .. $#all ) {
                my $at = 0;
                for my $command ( commands_of( $all[$i] ) ) {
                    my $to = "$folder/$i." . $at++;
                    system "$program $command --format json >$to 2>$to.err";
                }
            }
            POSIX::_exit(0);
        }
        push @workers, $pid;
    }
    waitpid $_, 0 for @workers;
    return;
}

# The N-th answer on a pair; undef, and why, where there is none.
sub answer {
    my ( $pair, $n ) = @_;
    my $path = "$folder/$pair->{at}.$n";
    my $said = eval { decode_json( slurp($path) ) };
    diag( "$pair->{name}: ", ( commands_of($pair) )[$n], "\n", slurp("$path.err") ) if !$said;
    return $said;
}

# ---- one cause

# FILE:LINE of the cause in the kernel before; undef: it is the launch.
sub place_of {
    my ( $pair, $cause ) = @_;
    return if !defined $cause->{line};
    my $source = slurp("$pairs/$pair->{name}.cu");
    my $at     = index $source, $cause->{line};
    die "$pair->{name}.cu: there is no $cause->{line}\n" if $at < 0;
    return "$pair->{name}.cu:" . ( 1 + substr( $source, 0, $at ) =~ tr/\n// );
}

sub is_close {
    my ( $x, $y ) = @_;
    my $larger = abs $x > abs $y ? abs $x : abs $y;
    return abs( $x - $y ) <= ( $points > $larger * $part ? $points : $larger * $part );
}

# Whether a row's lines, such as k.cu:3-5,9, are that one or have it among them.
sub has_line {
    my ( $row, $place ) = @_;
    my ( $file,   $line )  = $place =~ /^(.*):(\d+)$/;
    my ( $others, $lines ) = ( $row->{a_line} // '' ) =~ /^(.*):([\d,-]+)$/ or return 0;
    return $others eq $file && grep { /^(\d+)(?:-(\d+))?$/ && $1 <= $line && $line <= ( $2 // $1 ) } split /,/, $lines;
}

# The line that compare charges most of the difference, or as good as most where lines do the same: the two divisions of
# exact-directions beside each other differ by 1.4 %, as the first waits for what both need. Of another launch with the same
# lines it is the launch.
sub check_charge {
    my ( $pair, $cause, $compared, $place ) = @_;
    my $what = "$pair->{name}: compare charges " . ( $place // 'the launch' );
    return ok( @{ $compared->{options}{b} } > 0, $what ) if !defined $place;
    my ( $most, @others ) = sort { $a->{difference_seconds} <=> $b->{difference_seconds} } @{ $compared->{difference}{by_line} // [] };
    my @as_good = grep { $_->{difference_seconds} <= 0.98 * $most->{difference_seconds} } @others;
    ok( ( grep { has_line( $_, $place ) } $most // (), @as_good ), "$what most" )
      or diag( $most ? "it is $most->{line}" : $compared->{difference}{problem} );
    return;
}

my @table;

sub check_cause {
    my ( $pair, $cause, $advice, $compared ) = @_;
    my $place = place_of( $pair, $cause );
    my $where = defined $place ? " at $place" : '';
    my ($at)  = grep {
        $advice->[$_]{kind} eq $cause->{kind} && ( $advice->[$_]{line} // '' ) eq ( $place // '' )
    } 0 .. $#{$advice};
    my $found = defined $at ? $advice->[$at] : undef;
    ok( $found && $at < $cause->{rank}, "$pair->{name}: $cause->{kind}$where, rank $cause->{rank}" )
      or diag( join "\n", map { "$_->{kind} at " . ( $_->{line} // '-' ) . ": $_->{sentence}" } @{$advice} );
    push @table, [ $pair->{name}, $cause->{kind}, $place // '-', $found ? $found->{gain} : undef, undef, $found ? $at + 1 : undef ];
    return if $cause->{kind} eq 'nothing';
    my $achieved = $compared ? 1 - $compared->{b}{result}{seconds} / $compared->{a}{result}{seconds} : undef;
    $table[-1][4] = $achieved;
    ok( $found && defined $achieved && is_close( $found->{gain}, $achieved ), "$pair->{name}: predicted as it came" )
      or diag( sprintf 'predicted %s, achieved %s', $found ? $found->{gain} : '-', $achieved // '-' );
    # More groups at once change the whole path, and what no line has most: groups begin earlier.
    check_charge( $pair, $cause, $compared, $place ) if $compared && $cause->{kind} ne 'occupancy';
    return;
}

# Advice takes as long as a few runs, or about a second, by what it simulates: some begin together, twice.
sub check_effort {
    my ( $pair, $run ) = @_;
    my $own  = $run->{simulated}{simulated_instructions};
    my $most = 5 * $own > 8e6 ? 5 * $own : 8e6;
    cmp_ok( $run->{simulations_instructions}, '<=', 2 * ( $most + 8 * $own ), "$pair->{name}: advice takes no longer than it may" );
    return;
}

# Of several causes the larger is named first, as the pair's file has them.
sub check_order {
    my ( $pair, @rows ) = @_;
    my @gains = map { $_->[4] // 0 } @rows;
    my @ranks = map { $_->[5] // 99 } @rows;
    is_deeply( \@gains, [ sort { $b <=> $a } @gains ], "$pair->{name}: the larger cause stands first" );
    is_deeply( \@ranks, [ sort { $a <=> $b } @ranks ], '... and is named first' );
    return;
}

sub check_pair {
    my ($pair) = @_;
    my $run = answer( $pair, 0 );
    my $next = 1;
    check_effort( $pair, $run ) if $run;
    for my $cause ( @{ $pair->{causes} } ) {
        cmp_ok( $cause->{rank}, '<=', 3, "$pair->{name}: $cause->{kind} is among the first three" );
        check_cause( $pair, $cause, $run ? $run->{advice} : [], $cause->{kind} eq 'nothing' ? undef : answer( $pair, $next++ ) );
    }
    my $n = @{ $pair->{causes} };
    check_order( $pair, @table[ -$n .. -1 ] ) if $n > 1;
    return;
}

# ---- all of them

my @names = @ARGV ? @ARGV : map { m{([^/]+)\.pair$} } sort glob "$pairs/*.pair";
my @all   = map { read_pair($_) } @names;
$all[$_]{at} = $_ for 0 .. $#all;
ask_all(@all);
check_pair($_) for @all;

sub percent {
    my ($share) = @_;
    return defined $share ? sprintf '%.1f %%', 100 * $share : '-';
}
my $form = '%-20s %-16s %-24s %9s %9s %4s';
note( sprintf $form, qw(pair kind place predicted achieved rank) );
for my $row (@table) {
    my ( $name, $kind, $place, $predicted, $achieved, $rank ) = @{$row};
    note( sprintf $form, $name, $kind, $place, percent($predicted), percent($achieved), $rank // '-' );
}

# Every kind of advice that there is has two pairs, but a what-if, which is none of a kernel's, and shapes of launches, whose
# pairs are launches of the same code (shape.pl).
if ( !@ARGV ) {
    my $schema = decode_json( slurp(($ENV{BUILD} // 'build') . '/tell/pipesim.schema.json') );
    my %pairs_of;
    $pairs_of{ $_->[1] }++ for @table;
    my @without = grep { !/^(?:what-if|launch-shape)$/ && ( $pairs_of{$_} // 0 ) < 2 } @{ $schema->{'$defs'}{advice}{items}{properties}{kind}{enum} };
    is_deeply( \@without, [], 'every kind of advice has two pairs' );
}

done_testing();
