#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# A header as Doxygen wants it (make docs): our comments are plain ones before what they are about,
# or behind a field.
#
#     /* ---- the launch ---- */     a heading for all that follows
#     /* About a.                    of a paragraph of declarations the comment is each one's
#        Since: 0.1 */
#     int a(void);
#     int b(void);
#     int field; /* about it */
use strict;
use warnings;

my ($doc, $used, $depth, $in_list, $is_open) = ('', 0, 0, 0, 0);

# A comment's text. Lines that are indented by four are code, and a dash begins an item of a list; all
# else that Doxygen and Markdown would take for a command is text.
sub text {
    my ($text) = @_;
    my ($code, @lines) = (0);
    $text =~ s/^[ \t]*\*(?=[ \n]|\z)//gm;
    for my $line (split /\n/, $text, -1) {
        my $is_code = $line =~ /^ {5}/ || ($code && $line eq '');
        push @lines, '@code{.unparsed}' if $is_code && !$code;
        push @lines, '@endcode' if $code && !$is_code;
        $code = $is_code;
        push @lines, $code ? $line : prose($line);
    }
    push @lines, '@endcode', '' if $code;
    return join "\n", @lines;
}

sub prose {
    my ($line) = @_;
    my $start = $line =~ s/^( *(?:- )?)// ? $1 : '';
    $line =~ s/([\\@<>&#*_`~\[\]|\$%])/\\$1/g;
    $line =~ s/(?<=\w)\\_(?=\w)/_/g;
    $line =~ s/--/\\--/g;
    $line =~ s/^Since: /\@since /;
    return $start . $line;
}

# Text of the file comment, which is the second.
local $/;
my $source = <>;
$source =~ s{\A/\* SPDX.*?\*/\n/\*(.*?)\*/}{'/** @file' . "\n" . text($1) . '*/'}es
    or die "$0: no comment that says what the file is for\n";
my ($head, $rest) = $source =~ m{\A(/\*\*.*?\*/)(.*)\z}s;
print $head;

while ($rest =~ m{\G(?:
      /\*[ ]-{2,}[ ](?<heading>.*?)[ ]-*[ ]?\*/
    | (?<indent>^[ \t]*)?/\*(?<comment>.*?)\*/(?<newline>\n?)
    | (?<line>[^\n/]*(?:/(?!\*)[^\n/]*)*)(?<end>\n?)
    )}gsmx) {
    if (defined $+{heading}) {
        print $is_open ? '/** @} */ ' : '', "/** \@name \u$+{heading} */ /** \@{ */";
        ($is_open, $doc) = (1, '');
        next;
    }
    if (defined $+{comment} && $in_list) {
        print '/*', $+{comment}, '*/';
        next;
    }
    if (defined $+{comment}) {
        my $behind = !defined $+{indent};
        my $text = text($+{comment});
        print $+{indent} // '', $behind ? '/**<' : '/**', $text, '*/', $+{newline};
        ($doc, $used) = ($text, 0) if !$behind && $depth == 0;
        next;
    }
    my ($line, $end) = ($+{line}, $+{end});
    last if $line eq '' && $end eq '';
    if ($is_open && $line =~ /^#pragma GCC visibility pop/) { print '/** @} */ '; $is_open = 0 }
    $doc = '' if $line eq '' && $depth == 0;
    if ($doc && $depth == 0 && $line =~ /^(?:\w|#define)/) {
        print '/**', $line =~ /^void \w+_(free|clear)\(/ ? " Frees it, and what is in it. " : $doc, '*/ '
            if $used;
        $used = 1;
    }
    $depth += ($line =~ tr/{//) - ($line =~ tr/}//);
    $in_list += ($line =~ tr/(//) - ($line =~ tr/)//);
    print $line, $end;
}
