# SPDX-License-Identifier: BSD-3-Clause
# A formatter for prove: as usual, and before the summary, which stays last, the tests for which processors worked
# longest. What else the machine does makes no difference to that.
package slowest;
use strict;
use warnings;
use TAP::Formatter::Console;
use TAP::Formatter::File;

our @ISA = ( -t STDOUT ? 'TAP::Formatter::Console' : 'TAP::Formatter::File' );

my $SHOWN = $ENV{SLOWEST} // 10;
my %seconds;

# tests/alone.pl says it behind the test's last line.
sub open_test {
    my ( $self, $test, $parser ) = @_;
    $parser->callback( comment => sub { $seconds{$test} = $1 if $_[0]->as_string =~ /^# processors: ([0-9.]+) s/ } );
    return $self->SUPER::open_test( $test, $parser );
}

sub summary {
    my ( $self, @rest ) = @_;
    my @longest = sort { $seconds{$b} <=> $seconds{$a} } keys %seconds;
    if ( @longest > 1 ) {
        my $all = 0;
        $all += $_ for values %seconds;
        splice @longest, $SHOWN if @longest > $SHOWN;
        $self->_output( sprintf "\nProcessors worked %.0f s, longest for:\n", $all );
        $self->_output( sprintf "  %6.1f s  %s\n", $seconds{$_}, $_ ) for @longest;
        $self->_output("\n");
    }
    return $self->SUPER::summary(@rest);
}

1;
