# SPDX-License-Identifier: BSD-3-Clause
# What the scripts that hold predictions against measurements share: many runs of the program at once,
# what a run's answer says, tables of results as files, and the errors of a set.
package fidelity;
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Temp;
use IO::Handle;
use JSON::PP;
use lib dirname(__FILE__) . '/..';
use files;
use without;

# Answers of the program to lists of arguments, in their order, two runs at a time (JOBS). Code is executed as PTX where a list
# does not say; WITHOUT is a rule that descriptions shall lack (without.pm). A run that fails ends everything with what it said.
sub answers {
    my (@runs) = @_;
    my @answers;
    each_answer( sub { push @answers, $_[1] }, @runs );
    return @answers;
}

# The same, each told as TOLD(number of the list, answer) as soon as it and those before it are there.
sub each_answer {
    my ( $told, @runs ) = @_;
    my $program = $ENV{PIPESIM} // './pipesim';
    my $jobs = $ENV{JOBS} // 2;
    without::descriptions( $ENV{WITHOUT}, @runs ) if $ENV{WITHOUT};
    my ( $folder, @answers, %number ) = ( File::Temp->newdir );
    my ( $next, $first, $failed ) = ( 0, 0, undef );
    while ( %number || $next < @runs && !defined $failed ) {
        if ( $next < @runs && keys %number < $jobs && !defined $failed ) {
            my $child = fork // die "fork: $!\n";
            if ( !$child ) {
                open STDOUT, '>', "$folder/$next" or die "$folder: $!\n";
                open STDERR, '>', "$folder/$next.messages" or die "$folder: $!\n";
                my @words = @{ $runs[$next] };
                push @words, qw(--from ptx) if grep( {/\.(?:ptx|cu)$/} @words ) && !grep { $_ eq '--from' } @words;
                @words = without::words( $ENV{WITHOUT}, @words ) if $ENV{WITHOUT};
                exec 'cat', without::answer(@words) if $ENV{WITHOUT};
                exec $program, @words, '--format', 'json' or die "$program: $!\n";
            }
            $number{$child} = $next++;
            next;
        }
        my $child = wait;
        my $done  = delete $number{$child};
        if ($?) { $failed //= $done; next }
        $answers[$done] = decode_json( slurp("$folder/$done") );
        unlink "$folder/$done", "$folder/$done.messages";
        for ( ; $answers[$first] ; $first++ ) {
            $told->( $first, $answers[$first] );
            $answers[$first] = 1;
        }
    }
    die "$program @{ $runs[$failed] }:\n", slurp("$folder/$failed.messages") if defined $failed;
}

# Rows of a table with a header, as hashes; SEPARATOR is a comma or a tab.
sub table {
    my ( $path, $separator ) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    return table_of( $file, $separator );
}

# With EACH=N, of N rows that follow each other the first.
sub each_of {
    my (@rows) = @_;
    my $each = $ENV{EACH} // 1;
    return @rows[ grep { $_ % $each == 0 } 0 .. $#rows ];
}

sub table_of {
    my ( $file, $separator ) = @_;
    my ( $head, @lines ) = <$file> or return;
    chomp( $head, @lines );
    my @names = split /$separator/, $head;
    return map {
        my %row;
        @row{@names} = split /$separator/, $_, -1;
        \%row
    } @lines;
}

# A row of a table with tabs; without a row the table's head.
sub line {
    my ( $names, $row ) = @_;
    return join( "\t", $row ? map { $_ // '' } @$row{@$names} : @$names ) . "\n";
}

# Prints rows as a table with tabs.
sub write_table {
    my ( $names, @rows ) = @_;
    print line($names), map { line( $names, $_ ) } @rows;
}

# A table that grows: the rows that the file at PATH has, and a handle to add lines to it, each at once. What is not there is
# begun with a head. A last line that was cut off is taken away.
sub grown_table {
    my ( $path, $names ) = @_;
    my $text = -e $path ? slurp($path) : '';
    my $whole = $text =~ s/[^\n]+\z//r;
    die "$path: has other columns than ", join( ', ', @$names ), "; name another file\n" if $whole ne '' && $whole !~ /^\Q${ \line($names) }\E/;
    open my $file, '+>>', $path or die "$path: $!\n";
    $file->autoflush;
    truncate $file, length $whole or die "$path: $!\n";
    print {$file} line($names) if $whole eq '';
    open my $rows, '<', \$whole or die "$path: $!\n";
    return ( $file, table_of( $rows, "\t" ) );
}

# What the tool says of a run's limit: the pipeline, the level of memory or the dispatch of groups that is busy nearly
# always, or what is busiest of them where warps wait for results.
sub limit {
    my ($answer) = @_;
    my $memory = $answer->{memory};
    my @of = ( @{ $answer->{pipelines} }, map { @{ $memory->{$_} // [] } } qw(levels servers) );
    push @of, { name => 'dispatch', busy => $answer->{launch}{dispatch_busy} // 0 };
    my ($most) = sort { $b->{busy} <=> $a->{busy} } @of;
    return 'nothing' unless $most;
    my $busy = sprintf '%s %.0f %%', $most->{name}, 100 * $most->{busy};
    return $most->{busy} >= 0.9 ? $busy : "latency ($busy)";
}

# ---- errors --------------------------------------------------------------------------------------

sub mean {
    my $sum = 0;
    $sum += $_ for @_;
    return @_ ? $sum / @_ : 0;
}

sub median {
    my @sorted = sort { $a <=> $b } @_;
    return 0 unless @sorted;
    return ( $sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ] ) / 2;
}

# Ranks from 1; equal values share the mean of theirs.
sub ranks {
    my @by = sort { $_[$a] <=> $_[$b] } 0 .. $#_;
    my @rank;
    for ( my $i = 0 ; $i < @by ; ) {
        my $end = $i;
        $end++ while $end + 1 < @by && $_[ $by[ $end + 1 ] ] == $_[ $by[$i] ];
        $rank[$_] = ( $i + $end ) / 2 + 1 for @by[ $i .. $end ];
        $i = $end + 1;
    }
    return @rank;
}

# Spearman's rank correlation of two lists.
sub spearman {
    my ( $x, $y ) = @_;
    my @x    = ranks(@$x);
    my @y    = ranks(@$y);
    my $mean = ( @x + 1 ) / 2;
    my ( $xy, $xx, $yy ) = ( 0, 0, 0 );
    for ( 0 .. $#x ) {
        $xy += ( $x[$_] - $mean ) * ( $y[$_] - $mean );
        $xx += ( $x[$_] - $mean )**2;
        $yy += ( $y[$_] - $mean )**2;
    }
    return $xx && $yy ? $xy / sqrt( $xx * $yy ) : 0;
}

# Of rows with "measured" and "simulated": how many, mean absolute error, median, bias and worst in
# percent of the measured value, share within 30 %, rank correlation.
sub errors {
    my (@rows) = @_;
    my @error = map { 100 * ( $_->{simulated} / $_->{measured} - 1 ) } @rows;
    my @size = map { abs } @error;
    my ($worst) = sort { abs $b <=> abs $a } @error;
    return {
        n        => scalar @rows,
        mean     => mean(@size),
        median   => median(@size),
        bias     => mean(@error),
        worst    => $worst // 0,
        within   => @rows ? 100 * ( grep { $_ <= 30 } @size ) / @rows : 0,
        spearman => spearman( [ map { $_->{measured} } @rows ], [ map { $_->{simulated} } @rows ] ),
    };
}

# By how many points hit rates of a level differ from those that were counted.
sub off {
    my ( $level, @rows ) = @_;
    return map { abs( $_->{$level} - $_->{"${level}_hit_percent"} ) } @rows;
}

1;
