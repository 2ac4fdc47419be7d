# SPDX-License-Identifier: BSD-3-Clause
# NVIDIA's tables of throughputs (data/throughput.tsv) beside what descriptions that ship state: results per cycle and
# compute unit. The program is PIPESIM, ./pipesim unless set.
package throughput;
use strict;
use warnings;
use lib 'tests/validate';
use fidelity;

my $program = $ENV{PIPESIM} // './pipesim';

sub read_tsv {
    my ($path) = @_;
    open my $in, '<', $path or die "$path: $!\n";
    my @rows = fidelity::table_of( $in, "\t" );
    close $in;
    return @rows;
}

# The compute capabilities that the data have a column for.
sub capabilities {
    open my $in, '<', 'tests/validate/data/throughput.tsv' or die "throughput.tsv: $!\n";
    chomp( my $head = <$in> );
    close $in;
    return grep { /^\d+\.\d+$/ } split /\t/, $head;
}

# A description and its families as one: compute capability, schedulers, lanes of a warp, pipelines and classes.
sub described {
    my ($name) = @_;
    delete local $ENV{PIPESIM_PATH};
    open my $pipe, '-|', $program, 'show', "gpus/$name.xml", '--xml' or die "$program: $!\n";
    local $/ = undef;
    my $text = <$pipe>;
    close $pipe or die "$program show $name failed\n";
    my ($capability) = $text =~ /compute-capability="([\d.]+)"/;
    my ($schedulers) = $text =~ / schedulers="(\d+)"/;
    my %gpu          = ( name => $name, capability => $capability, schedulers => $schedulers );
    for ( $text =~ /<(?:class|pipeline) ([^>]*)/g ) {
        my %state = /([\w-]+)="([^"]*)"/g;
        $gpu{ exists $state{pipeline} ? 'class' : 'pipe' }{ $state{name} } = \%state;
    }
    return \%gpu;
}

# Results per cycle of a class that graphs ask for, which the class with the longest of its first parts serves; undef if
# none does. `results` is what each of the 32 lanes yields.
sub rate {
    my ( $gpu, $class, $results ) = @_;
    for ( my $name = $class ; ; $name =~ s/\.[^.]*$// ) {
        if ( my $serves = $gpu->{class}{$name} ) {
            my $pipe = $gpu->{pipe}{ $serves->{pipeline} };
            return 32 * $results * ( ( $pipe->{per} // '' ) eq 'scheduler' ? $gpu->{schedulers} : 1 ) / $serves->{issue};
        }
        return undef if $name !~ /\./;
    }
}

# All figures of NVIDIA's that a description can be held against: row, class, card, what the table has ("a|b": one of
# two, since merged cells are not told apart), what the card has.
sub compared {
    my %of;
    for my $path ( sort glob 'gpus/*.xml' ) {
        my ($name) = $path =~ m{([^/]+)\.xml};
        my $gpu = described($name);
        push @{ $of{ $gpu->{capability} } }, $gpu if $gpu->{capability};
    }
    my @all;
    for my $row ( read_tsv('tests/validate/data/throughput.tsv') ) {
        next if $row->{classes} eq '-';
        for my $capability ( grep { $row->{$_} =~ /\d/ } capabilities() ) {
            for my $gpu ( @{ $of{$capability} // [] } ) {
                for my $class ( split / /, $row->{classes} ) {
                    my $here = rate( $gpu, $class, $row->{results} );
                    push @all, { %$row, class => $class, gpu => $gpu->{name}, capability => $capability, said => $row->{$capability}, here => $here };
                }
            }
        }
    }
    return @all;
}

# Whether a card has what the table says, or one of the two that it may say. Issue latencies are written with few
# digits, so half a per cent is left to rounding.
sub agrees {
    my ($one) = @_;
    return 0 if !defined $one->{here};
    return scalar grep { abs( $one->{here} / $_ - 1 ) < 0.005 } split /\|/, $one->{said};
}

# The difference that is allowed for one figure, or undef: by table and row, compute capability, and, where they are
# named, class and card.
sub allowed {
    my ( $one, @differences ) = @_;
    for my $difference (@differences) {
        next if $difference->{table} ne $one->{table} || $difference->{row} ne $one->{row};
        my %has  = map { $_ => [ split / /, $difference->{$_} ] } qw(capabilities classes cards);
        my %asks = ( capabilities => $one->{capability}, classes => $one->{class}, cards => $one->{gpu} );
        my $other = grep {
            my $column = $_;
            @{ $has{$column} } && !grep { $_ eq $asks{$column} } @{ $has{$column} }
        } keys %has;
        return $difference if !$other;
    }
    return undef;
}

1;
