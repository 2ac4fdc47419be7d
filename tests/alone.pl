# SPDX-License-Identifier: BSD-3-Clause
# Runs a test for prove (--exec): what ends it ends no other test. GLib's programs say "Bail out!" when they abort, on
# which prove would end the whole suite; here it is a test that failed, and the program's status is that of the abort.
# The last line says how long processors worked for it, which slowest.pm reads.
use strict;
use warnings;

$| = 1;
open my $out, '-|', @ARGV or die "$ARGV[0]: $!\n";
while (<$out>) {
    s/^Bail out!/not ok - aborted:/;
    print;
}
close $out or $! == 0 or die "$ARGV[0]: $!\n";
my ( undef, undef, $user, $system ) = times;
printf "# processors: %.2f s\n", $user + $system;
exit( $? & 127 ? 128 + ( $? & 127 ) : $? >> 8 );
