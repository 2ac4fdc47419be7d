# SPDX-License-Identifier: BSD-3-Clause
# The small faults that can be put into a C file: mutations($text) gives a list of them, each a hash of
#
#     line, column   where it is, from 1
#     start, length  the bytes of the text that it replaces
#     old, new       what stands there, and what the mutant has in its place
#     what           its kind, in words
#     body           whether it is in a function's body, so that tests are known to run it
#
# A scanner and not a parser: what is no valid C the compiler finds out.
package mutations;
use strict;
use warnings;
use parent 'Exporter';
our @EXPORT_OK = qw(mutations);

my %RELATION = (
    '<' => ['<=', '>='], '<=' => ['<', '>'], '>' => ['>=', '<='], '>=' => ['>', '<'],
    '==' => ['!='], '!=' => ['=='],
);
my %LOGIC = ('&&' => ['||'], '||' => ['&&']);
my %ARITHMETIC = (
    '+' => ['-'], '-' => ['+'], '*' => ['/'], '/' => ['*'], '%' => ['*'], '&' => ['|'], '|' => ['&'],
    '^' => ['&'], '<<' => ['>>'], '>>' => ['<<'],
);
my %CHANGE = (
    '+=' => ['-='], '-=' => ['+='], '*=' => ['/='], '/=' => ['*='], '|=' => ['&='], '&=' => ['|='],
    '++' => ['--'], '--' => ['++'],
);
my %WORD = (TRUE => 'FALSE', FALSE => 'TRUE', MIN => 'MAX', MAX => 'MIN', fmin => 'fmax', fmax => 'fmin');

# Memory that is not given back is for the sanitizers to find, and what must hold is no behaviour.
my $NOT_DROPPED = qr/free|unref|clear|destroy|^va_|^g_assert|^g_return_|^g_warn/;
my $ASSERTION   = qr/^(?:g_assert\w*|g_return_\w+|G_STATIC_ASSERT|_Static_assert|sizeof)$/;
my $QUALIFIER   = qr/^(?:const|static|struct|enum|union|unsigned|g_auto\w*|volatile|register|extern)$/;

# tokens(TEXT): [kind, text, offset] of each but blanks and comments; kinds are id, number, string,
# directive and op.
sub tokens {
    my ($text) = @_;
    my @tokens;
    for ($text) {
        while (!/\G\z/gc) {
            next if /\G\s+/gc || m{\G//[^\n]*}gc || m{\G/\*.*?\*/}gcs;
            my $at = pos;
            my $kind =
                  /\G#(?:\\\n|[^\n])*/gc                                       ? 'directive'
                : /\G"(?:\\.|[^"\\])*"/gcs || /\G'(?:\\.|[^'\\])*'/gcs         ? 'string'
                : /\G(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[uUlLfF]*/gc ? 'number'
                : /\G[A-Za-z_]\w*/gc                                           ? 'id'
                : /\G(?:<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!]=|&&|\|\||[-+*\/%&|^]=|.)/gcs ? 'op'
                :                                                                'op';
            push @tokens, [$kind, substr($text, $at, pos() - $at), $at];
        }
    }
    return @tokens;
}

# Numbers near TEXT.
sub near {
    my ($text) = @_;
    my ($number, $suffix) = $text =~ /^([\d.]+(?:[eE][-+]?\d+)?)([uUlLfF]*)$/ or return ();    # no hexadecimal ones
    return $number == 0 ? "1$suffix" : map { $number + $_ . $suffix } 1, -1 unless $number =~ /[.eE]/;
    return map { sprintf('%.10g', $number * $_) =~ s/^\d+$/$&.0/r . $suffix } $number == 0 ? () : (0.8, 1.25);
}

# partners(TOKENS): for each bracket the index of the other one.
sub partners {
    my ($tokens) = @_;
    my (@open, @other);
    for my $i (0 .. $#$tokens) {
        my $text = $tokens->[$i][0] eq 'op' ? $tokens->[$i][1] : '';
        if ($text =~ /^[\(\[\{]$/) { push @open, $i }
        elsif ($text =~ /^[\)\]\}]$/ && @open) { my $from = pop @open; @other[$from, $i] = ($i, $from) }
    }
    return \@other;
}

# What a brace at I opens: function, loop, switch, enum, or block.
sub opened {
    my ($tokens, $other, $i, $outside) = @_;
    my $before = $i ? $tokens->[$i - 1][1] : '';
    return $before eq ')' ? 'function' : $i > 1 && "$tokens->[$i - 2][1] $before" =~ /\benum\b/ ? 'enum' : 'data' if $outside;
    return 'loop' if $before eq 'do';
    return 'block' unless $before eq ')' && defined $other->[$i - 1];
    my $word = $tokens->[$other->[$i - 1] - 1][1];
    return $word =~ /^(?:for|while)$/ ? 'loop' : $word eq 'switch' ? 'switch' : 'block';
}

# Whether the statement at I declares something.
sub declares {
    my ($tokens, $i) = @_;
    my ($first, $second, $third) = map { $tokens->[$i + $_] // ['', '', 0] } 0 .. 2;
    return 1 if $first->[1] =~ $QUALIFIER;
    return 0 unless $first->[0] eq 'id';
    return $second->[0] eq 'id' || $second->[1] eq '*' && $third->[0] eq 'id';
}

sub mutations {
    my ($text) = @_;
    my @tokens = tokens($text);
    my $other  = partners(\@tokens);
    my (@found, @inside, $assertion_end);
    my ($statement, $parens, $declaration) = (1, 0, 0);
    my $add = sub {
        my ($what, $from, $to, $new, $body) = @_;
        my $start  = $tokens[$from][2];
        my $length = $tokens[$to][2] + length($tokens[$to][1]) - $start;
        my $before = substr($text, 0, $start);
        push @found, {
            what   => $what, start => $start, length => $length, new => $new, body => $body,
            old    => substr($text, $start, $length),
            line   => 1 + ($before =~ tr/\n//),
            column => 1 + $start - (1 + rindex($before, "\n")),
        };
    };
    for my $i (0 .. $#tokens) {
        my ($kind, $word) = @{ $tokens[$i] };
        my $previous = $i ? $tokens[$i - 1] : ['', '', 0];
        my $next = $tokens[$i + 1] // ['', '', 0];
        if ($kind eq 'directive') {
            if ($word =~ /^#\s*define\s+\w+\s+\(?(-?[\d.]+)\)?\s*(?:\/[*\/].*)?$/) {
                my $number = $1;
                my $at = $-[1];
                for my $near (near($number)) {
                    my $before = substr($text, 0, $tokens[$i][2]);
                    push @found, { what => 'constant', start => $tokens[$i][2] + $at, length => length $number, new => $near, old => $number,
                        body => 0, line => 1 + ($before =~ tr/\n//), column => $at + 1 };
                }
            }
            next;
        }
        my $outside = !@inside;
        if ($word eq '{' && $kind eq 'op') {
            push @inside, opened(\@tokens, $other, $i, $outside);
            ($statement, $parens) = (1, 0);
            next;
        }
        if ($word eq '}' && $kind eq 'op') {
            pop @inside;
            $statement = 1;
            next;
        }
        if ($outside || $inside[0] ne 'function') {
            # Constants with a name are thresholds, limits and the like.
            next unless $kind eq 'number' && $previous->[1] eq '=' && $next->[1] =~ /^[;,}]$/;
            next unless $outside || $inside[-1] eq 'enum';
            $add->('constant', $i, $i, $_, 0) for near($word);
            next;
        }
        next if defined $assertion_end && $i <= $assertion_end;
        $assertion_end = undef;
        if ($kind eq 'id' && $word =~ $ASSERTION && $next->[1] eq '(' && defined $other->[$i + 1]) {
            $assertion_end = $other->[$i + 1];
            $statement = 0;
            next;
        }
        if ($statement) {
            $declaration = declares(\@tokens, $i);
            drop($add, \@tokens, $other, $i) unless $declaration;
        }
        $statement = 0;
        $parens++ if $word eq '(';
        if ($word eq ')' && $kind eq 'op') {
            $parens--;
            my $before = defined $other->[$i] && $other->[$i] ? $tokens[$other->[$i] - 1][1] : '';
            $statement = 1 if $parens == 0 && $before =~ /^(?:if|for|while|switch)$/;
        }
        $statement = 1 if $parens == 0 && ($word eq ';' || $word eq 'else' || $word eq 'do'
            || ($word eq ':' && labelled(\@tokens, $i)));

        if ($kind eq 'number') {
            next if $declaration && $previous->[1] eq '[';    # an array's length
            $add->('constant', $i, $i, $_, 1) for near($word);
        } elsif ($kind eq 'id') {
            if ($word eq 'TRUE' || $word eq 'FALSE') { $add->('constant', $i, $i, $WORD{$word}, 1) }
            elsif ($WORD{$word} && $next->[1] eq '(') { $add->('minimum and maximum', $i, $i, $WORD{$word}, 1) }
            elsif ($word =~ /^(?:if|while)$/ && $next->[1] eq '(') {
                my $end = $other->[$i + 1];
                my $condition = substr($text, $next->[2] + 1, $tokens[$end][2] - $next->[2] - 1);
                $add->('condition negated', $i + 1, $end, "(!($condition))", 1);
            } elsif ($word eq 'continue') { $add->('continue and break', $i, $i, 'break', 1) }
            elsif ($word eq 'break') {
                my ($around) = grep { /loop|switch/ } reverse @inside;
                $add->('continue and break', $i, $i, ($around // 'loop') eq 'switch' ? '' : 'continue', 1);
            } elsif ($word eq 'return' && $next->[1] ne ';') {
                my $end = $i + 1;
                $end++ while $end < $#tokens && $tokens[$end][1] ne ';';
                my $value = join '', map { $_->[1] } @tokens[$i + 1 .. $end - 1];
                $add->('value returned', $i, $end, 'return 0;', 1) unless $value =~ /^(?:0|NULL|TRUE|FALSE|-?\d+)$/;
            }
        } elsif ($kind eq 'op') {
            my $binary = $previous->[0] =~ /^(?:id|number|string)$/ && $previous->[1] !~ /^(?:return|case)$/ || $previous->[1] =~ /^[\)\]]$/;
            my $new = $RELATION{$word} // $LOGIC{$word} // $CHANGE{$word};
            my $what = $RELATION{$word} ? 'comparison' : $LOGIC{$word} ? 'logic' : 'arithmetic';
            # A star before a name may declare a pointer, and one before a bracket is of a cast.
            $new = $ARITHMETIC{$word} if !$new && $binary && !($word eq '*' && $next->[1] =~ /^[\)*,]$/);
            $add->($what, $i, $i, $_, 1) for @{ $new // [] };
            $add->('condition negated', $i, $i, '', 1) if $word eq '!' && $previous->[1] =~ /^(?:&&|\|\||return|=|\?|,)$/;
        }
    }
    return @found;
}

# drop(ADD, TOKENS, OTHER, I): the statement that begins at I left out, if it is a call or an assignment.
sub drop {
    my ($add, $tokens, $other, $i) = @_;
    my ($kind, $word) = @{ $tokens->[$i] };
    return if $kind ne 'id' && $word ne '*' && $word ne '(' && $word !~ /^(?:\+\+|--)$/;
    return if $word =~ /^(?:if|for|while|do|switch|return|break|continue|goto|case|default|else)$/ || $word =~ $NOT_DROPPED;
    return if $tokens->[$i + 1][1] eq ':';
    my $end = $i;
    while ($end < $#$tokens && $tokens->[$end][1] ne ';') {
        $end = $other->[$end] // return if $tokens->[$end][0] eq 'op' && $tokens->[$end][1] =~ /^[\(\[\{]$/;
        return if $tokens->[$end][1] eq '}' && !defined $other->[$end];
        $end++;
    }
    $add->('statement left out', $i, $end, ';', 1);
}

# Whether the colon at I ends a label and is no part of a condition.
sub labelled {
    my ($tokens, $i) = @_;
    for (my $k = $i - 1; $k > 0 && $tokens->[$k][1] !~ /^[;{}?]$/; $k--) {
        return 1 if $tokens->[$k][1] =~ /^(?:case|default)$/;
    }
    return 0;
}

1;
