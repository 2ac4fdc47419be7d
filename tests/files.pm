# SPDX-License-Identifier: BSD-3-Clause
# Files as a whole, byte by byte.
package files;
use strict;
use warnings;
use Exporter 'import';
use File::Temp;

# Nothing that a test builds is kept among what the user's programs keep.
my $kept = File::Temp->newdir;
$ENV{PIPESIM_CACHE} = "$kept";

our @EXPORT = qw(slurp spew);

sub slurp {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/ = undef;
    return scalar( <$file> ) // '';
}

# Returns the path.
sub spew {
    my ( $path, $text ) = @_;
    open my $file, '>:raw', $path or die "$path: $!\n";
    print {$file} $text;
    close $file or die "$path: $!\n";
    return $path;
}

1;
