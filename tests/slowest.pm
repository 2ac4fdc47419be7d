# SPDX-License-Identifier: BSD-3-Clause
# A formatter for prove: as usual, and before the summary, which stays last, the tests that took longest.
package slowest;
use strict;
use warnings;
use TAP::Formatter::Console;
use TAP::Formatter::File;

our @ISA = ( -t STDOUT ? 'TAP::Formatter::Console' : 'TAP::Formatter::File' );

my $SHOWN = 10;

sub summary {
    my ( $self, $aggregate, @rest ) = @_;
    my %seconds = map { $_->[0] => $_->[1]->end_time - $_->[1]->start_time }
        map { [ $_, $aggregate->parsers($_) ] } $aggregate->descriptions;
    my @longest = sort { $seconds{$b} <=> $seconds{$a} } keys %seconds;
    if ( @longest > $SHOWN ) {
        $self->_output("\nThe longest:\n");
        $self->_output( sprintf "  %6.1f s  %s\n", $seconds{$_}, $_ ) for @longest[ 0 .. $SHOWN - 1 ];
        $self->_output("\n");
    }
    return $self->SUPER::summary( $aggregate, @rest );
}

1;
