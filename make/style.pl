#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# Where clang-format has no opinion, one way of writing (make lint-style):
#
#     make/style.pl FILE...         names each line that is written otherwise; status 1 if there is one
#     make/style.pl --fix FILE...   writes them anew
#
#   - no blank line between a block's declarations and its statements
#   - `!p` for `p == NULL`; `p` for `p != NULL` where it is a condition
use strict;
use warnings;

my $fix = @ARGV && $ARGV[0] eq '--fix' ? shift : 0;
my $found = 0;

# A line that begins a declaration: a type and a name, at the indentation given.
my $TYPE = qr/(?:(?:static|const|volatile|unsigned|signed|struct|enum|union|g_autofree)\s+)*[A-Za-z_]\w*(?:\([^()]*\))?(?:\s+const)?/;
my $NAME = qr/\*{0,3}(?:const\s+)?[A-Za-z_]\w*|\(\*(?:const\s+)?\w+(?:\[[^\]]*\])?\)\(/;

sub is_declaration {
    my ($line, $indent) = @_;
    return $line =~ /^$indent(?!(?:return|goto|else|case|do|break|continue|if|for|while|switch)\b)$TYPE\s+(?:$NAME)\s*(?:[;=,\[(]|$)/
        && $line !~ /^$indent(?!g_auto)\w+\s*\(/;
}

# Removes the blank line behind declarations that begin a block; tells where one was.
sub join_blocks {
    my ($lines) = @_;
    my @gone;
    for (my $i = 0; $i < @$lines; $i++) {
        next if $lines->[$i] !~ /^(\s*)(?:.*\))?\s*\{$|^(\s*)(?:\} )?(?:else|do)\b.*\{$/;
        my ($own) = $lines->[$i] =~ /^(\s*)/;
        my ($indent, $at, $seen) = ("$own    ", $i + 1, 0);
        while ($at < @$lines) {
            if ($lines->[$at] =~ /^$indent(?:\/\*|#)|^#/ && $seen) { last }
            last if !is_declaration($lines->[$at], $indent);
            $seen = 1;
            my $depth = 0;
            while ($at < @$lines) {
                (my $code = $lines->[$at]) =~ s{/\*.*?\*/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'}{}g;
                $depth += ($code =~ tr/{//) - ($code =~ tr/}//);
                last if $depth == 0 && $code =~ /;\s*(?:\/\*.*)?$/;
                $at++;
            }
            $at++ while $at < @$lines && $lines->[$at] =~ m{/\*} && $lines->[$at] !~ m{\*/};
            $at++;
        }
        next if !$seen || $at >= @$lines || $lines->[$at] ne '';
        # Declarations in paragraphs stay so.
        my $next = $at + 1;
        next if $next < @$lines && (is_declaration($lines->[$next], $indent) || $lines->[$next] =~ m{^\s*/\*});
        push @gone, $at;
    }
    return @gone;
}

# An operand that a comparison with NULL has on its left: a name, what it has and what it is called with.
my $OPERAND = qr/\*?[A-Za-z_]\w*(?:(?:->|\.)\w+|\[[^\]]*\]|(?<ARGS>\((?:[^()]|(?&ARGS))*\)))*/;

sub without_null {
    my ($line) = @_;
    return $line if $line =~ m{^\s*(?:\*|/\*)};
    $line =~ s/(?<![\w.>)\]])(?<!== )(?<!== \()(?<!_true\(\()($OPERAND) == NULL\b/!$1/g;
    # A value stays `p != NULL`: of a gboolean, and where what is compared is an assignment.
    $line =~ s/(?<![\w.>)\]])($OPERAND) != NULL(?= \?)/$1/g;
    if ($line =~ /\b(?:if|while|for) \(/) {
        $line =~ s/(\b(?:if|while) \(|&& |\|\| |; )($OPERAND) != NULL\b(?=\)? ?(?:&&|\|\||\)))/$1$2/g;
        $line =~ s/\(($OPERAND) != NULL (?=&&|\|\|)/($1 /g;
    }
    return $line;
}

for my $file (@ARGV) {
    open my $in, '<', $file or die "$0: $file: $!\n";
    chomp(my @lines = <$in>);
    close $in;
    my @new = map { without_null($_) } @lines;
    my %said = map { $_ => 1 } grep { $new[$_] ne $lines[$_] } 0 .. $#lines;
    my %gone = map { $_ => 1 } join_blocks(\@new);
    next if !%said && !%gone;
    $found = 1;
    if ($fix) {
        open my $out, '>', $file or die "$0: $file: $!\n";
        print $out map { $gone{$_} ? () : "$new[$_]\n" } 0 .. $#new;
        next;
    }
    print "$file:", $_ + 1, ": ", $gone{$_} ? 'a blank line behind declarations' : "write $new[$_]", "\n"
        for sort { $a <=> $b } keys %{{%said, %gone}};
}
exit($found && !$fix);
