#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# The linker's version script of the library: what its headers declare as visible is exported, nothing
# else.
#
#     make/exports.pl --private=VERSION PUBLIC.h... -- PRIVATE.h...   a version script
#     make/exports.pl --list HEADER...                                the functions' names
#     make/exports.pl --signatures HEADER...                          their declarations, one a line, with the release
#
# A function has the symbol version of the release that brought it, which its own comment says, or
# else its header's ("Since: 0.1.0"). Private headers are for the program alone, and not installed:
# what they declare has a version that only a program of the same release asks for.
use strict;
use warnings;

# The functions that a header declares, each with the release that brought it.
sub functions {
    my ($file) = @_;
    open my $in, '<', $file or die "$0: $file: $!\n";
    my $text = do { local $/; <$in> };
    my ($head) = $text =~ m{\A/\*.*?\*/\s*(/\*.*?\*/)}s or die "$0: $file has no comment that says what it is for\n";
    my ($default) = $head =~ /\bSince: ([0-9.]+)/;
    $text =~ s/(?:\A|\n#pragma GCC visibility pop).*?(?:\n#pragma GCC visibility push\(default\)|\z)//gs;
    my %since;
    while ($text =~ m{(?<about>/\*.*?\*/)|^[a-zA-Z][^;{}/()]*?\b(?<name>ps_\w+)\(|(?<gap>\n\n)}gsm) {
        our $own;
        if (defined $+{about}) { $own = $+{about} =~ /\bSince: ([0-9.]+)/ ? $1 : undef }
        elsif (defined $+{gap}) { $own = undef }
        else { $since{$+{name}} = $own // $default }
    }
    return %since;
}

# The declarations of the functions that a header exports, each on a line behind the release that brought it,
# with blanks in one manner.
sub signatures {
    my ($file) = @_;
    my %since = functions($file);
    open my $in, '<', $file or die "$0: $file: $!\n";
    my $text = do { local $/; <$in> };
    $text =~ s{/\*.*?\*/}{}gs;
    $text =~ s/(?:\A|\n#pragma GCC visibility pop).*?(?:\n#pragma GCC visibility push\(default\)|\z)//gs;
    my @found;
    while ($text =~ m{^([a-zA-Z][^;{}/()]*?\b(ps_\w+)\([^;{}]*);}gm) {
        my ($declaration, $name) = ($1, $2);
        $declaration =~ s/\s+/ /g;
        push @found, ($since{$name} // 'never:') . " $declaration";
    }
    return @found;
}

# "0.9.0" comes before "0.10.0".
sub by_release {
    my ($one, $other) = map { sprintf '%04d' x 3, (split(/\./), 0, 0, 0)[0 .. 2] } $a, $b;
    return $one cmp $other;
}

if (@ARGV && $ARGV[0] eq '--signatures') {
    print "$_\n" for map { signatures($_) } @ARGV[1 .. $#ARGV];
    exit;
}

my ($private) = @ARGV && $ARGV[0] =~ /^--private=(.+)$/;
my $list = @ARGV && $ARGV[0] eq '--list';
die "usage: $0 --private=VERSION HEADER... -- HEADER..., or --list or --signatures HEADER...\n" if !$private && !$list;
shift @ARGV;

my ($is_private, %names) = (0);
for my $argument (@ARGV) {
    if ($argument eq '--') { $is_private = 1; next }
    my %since = functions($argument);
    for my $name (keys %since) {
        die "$0: $argument: $name does not say since which release it is there\n"
            if !$list && !$is_private && !$since{$name};
        push @{$names{$is_private || $list ? '' : $since{$name}}}, $name;
    }
}
if ($list) {
    print "$_\n" for sort @{$names{''} // []};
    exit;
}
my $before = '';
for my $version (sort by_release grep { $_ } keys %names) {
    printf "PIPESIM_%s {\n  global:\n%s%s}%s;\n", $version, join('', map { "    $_;\n" } sort @{$names{$version}}),
        $before ? '' : "  local: *;\n", $before;
    $before = " PIPESIM_$version";
}
printf "PIPESIM_PRIVATE_%s {\n  global:\n%s}%s;\n", $private, join('', map { "    $_;\n" } sort @{$names{''}}), $before
    if $names{''};
