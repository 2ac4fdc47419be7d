# SPDX-License-Identifier: BSD-3-Clause
# Files that comments name (tests/house.pl): a header that was renamed must not live on in what is said of it.
package named;
use strict;
use warnings;
use File::Basename;

# A file of ours by its ending. What a user has (.cu, .ptx, .xml, .csv) is no file of the tree.
my $FILE = qr{(?<![\w./<*\$\{-])(?:[a-z][a-z0-9_-]*/)*[a-z][a-z0-9_-]*\.(?:c|h|pl|pm|t|mk|awk|gp|rng|md)\b(?![\w*/.-]*[\w*/])};

# The comments of a text, each as [line, text]; is_c tells /* */ from #.
sub comments {
    my ( $text, $is_c ) = @_;
    my @found;
    my $pattern = $is_c ? qr{"(?:[^"\\\n]|\\.)*"|(/\*.*?\*/)}s : qr{^\s*(\#.*)$}m;
    while ( $text =~ /$pattern/g ) {
        my $comment = $1;
        next if !defined $comment;
        push @found, [ 1 + ( substr( $text, 0, $-[1] ) =~ tr/\n// ), $comment ];
    }
    return @found;
}

# Names that stand for any file in an example, and headers of CUDA.
my %OTHERS = map { $_ => 1 } qw(header.h helper.h own.h b.h cuda_occupancy.h cupti_profiler_host.h);

# The files that comments name and that are not there, each as FILE:LINE: NAME. A comment may name a file by its path, by the end of
# its path, or by its path from the folder of the comment; what is made in build/ is not looked for.
sub strange {
    my ( $file, $text, $is_there ) = @_;
    my @strange;
    for my $comment ( comments( $text, $file =~ /\.[chly]$/ ) ) {
        my ( $line, $is ) = @$comment;
        push @strange, "$file:$line: $_"
            for grep { !$is_there->{$_} && !$is_there->{ dirname($file) . "/$_" } && !$OTHERS{$_} && !m{^build/} } $is =~ /$FILE/g;
    }
    return @strange;
}

# What is there, by path and by each end of it.
sub all {
    my %there;
    for my $path (@_) {
        my $end = $path;
        do { $there{$end} = 1 } while $end =~ s{^[^/]+/}{};
    }
    return \%there;
}

1;
