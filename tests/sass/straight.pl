#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# A random kernel in PTX whose operations on floats compilers leave as they are, but for what is named in
# tests/unit/operations-random.c:
#
#     tests/sass/straight.pl SEED NAME [fused]
#
# With `fused` there are products whose sum compilers make one instruction of, and angles that they multiply, so that
# results are rounded otherwise.
# Each result is of values that only the memory tells, is needed, and is no other's, so nothing is folded, left out or
# shared. Kernel NAME for sm_75 of out and in, as random.pl has them.
use strict;
use warnings;

my ($seed, $kernel, $fused) = @ARGV;
defined $kernel or die "usage: $0 SEED NAME [fused]\n";
srand($seed);
sub pick { return $_[rand @_] }
sub below { return int rand shift }

my (@text, %last, %values, %inverse, %bound);
my %prefixes = (f => '%f', d => '%d', h => '%h', p => '%x');
sub say_line { push @text, "    $_[0];" }
sub new { my ($kind) = @_; my $name = $prefixes{$kind} . ++$last{$kind}; return $name }
# A value that is taken once and is no longer there, and one that stays.
sub take { my ($kind) = @_; return splice @{$values{$kind}}, below(scalar @{$values{$kind}}), 1 }
sub see { my ($kind) = @_; return pick(@{$values{$kind}}) }
sub keep { my ($kind, $name) = @_; push @{$values{$kind}}, $name }

# Results by the kind of register: f32, f64, f16 and pairs of halves. Two operands of one operation are two values.
my %types = (f => 'f32', d => 'f64', h => 'f16', p => 'f16x2');
sub two { my ($kind) = @_; my $a = take($kind); my $b = see($kind); return ($a, $b) }

sub operation {
    my ($kind) = @_;
    my $type = $types{$kind};
    my $to = new($kind);
    my ($a, $b) = two($kind);
    my $how = pick(qw(add sub mul fma fma), $kind =~ /[hp]/ || !$fused ? () : qw(two));
    if ($how eq 'fma') { say_line("fma.rn.$type $to, $a, $b, " . see($kind)) }
    # The product is needed by nothing else, so that one instruction may do both.
    elsif ($how eq 'two') {
        my $product = new($kind);
        say_line("mul.$type $product, $a, $b");
        say_line("add.$type $to, $product, " . see($kind));
    } else { say_line("$how.rn.$type $to, $a, $b") }
    keep($kind, $to);
}

# A number from 1 to 2, of which divisions and roots go the ordinary way.
sub ordinary {
    my ($from) = @_;
    my ($bits, $to) = ('%b' . ++$last{b}, new('f'));
    say_line("mov.b32 $bits, $from");
    say_line("and.b32 $bits, $bits, 0x007fffff");
    say_line("or.b32 $bits, $bits, 0x3f800000");
    say_line("mov.b32 $to, $bits");
    return $to;
}

sub ordinary64 {
    my ($from) = @_;
    my ($bits, $to) = ('%q' . ++$last{q}, new('d'));
    say_line("mov.b64 $bits, $from");
    say_line("and.b64 $bits, $bits, 0x000fffffffffffff");
    say_line("or.b64 $bits, $bits, 0x3ff0000000000000");
    say_line("mov.b64 $to, $bits");
    return $to;
}

sub result {
    my ($kind, $how, @from) = @_;
    my $to = new($kind);
    say_line(join ', ', "$how $to", @from);
    keep($kind, $to);
    return $to;
}

my @special = (
    sub {
        my ($a, $b) = two('f');
        result('f', 'div.rn.f32', ordinary($a), ordinary($b));
    },
    sub { result('f', pick(qw(rcp.rn.f32 sqrt.rn.f32)), ordinary(take('f'))) },
    # ptxas takes an approximate reciprocal of an approximate reciprocal for the number itself.
    sub {
        my $a = take('f');
        my $how = pick(qw(ex2 lg2 rsqrt), $inverse{$a} ? () : 'rcp', $fused ? qw(sin cos) : ());
        $inverse{result('f', "$how.approx.ftz.f32", $a)} = $how eq 'rcp';
    },
    # From sm_100 on one instruction takes the least of three, beside one that takes that of two.
    sub {
        my ($a, $b) = two('f');
        my $how = pick(qw(min.f32 max.f32));
        my $again = grep { $bound{$_} } $a, $b;
        $bound{result('f', $again ? 'add.rn.f32' : $how, $a, $b)} = !$again;
    },
    sub {
        my ($a, $b) = two('d');
        result('d', 'div.rn.f64', ordinary64($a), ordinary64($b));
    },
    sub { result('d', 'sqrt.rn.f64', ordinary64(take('d'))) },
);

# As often as each lane says: the sums need all that was there before.
my $label = 0;
sub loop {
    my $name = 'L' . $label++;
    my $counter = "%i$label";
    say_line(pick("and.b32 $counter, %thread, 3", "mov.u32 $counter, " . (1 + below(5))));
    push @text, "${name}_again:";
    for (1 .. 1 + below(4)) {
        my $kind = pick(qw(f d h p));
        my ($a, $b) = (see($kind), see($kind));
        say_line("fma.rn.$types{$kind} $a, $a, $b, " . see($kind));
    }
    say_line("sub.s32 $counter, $counter, 1");
    say_line("setp.gt.s32 %again, $counter, 0");
    say_line("\@%again bra ${name}_again");
}

# What only some lanes do: it is stored there, so that nobody else needs it.
sub branch {
    my $name = 'L' . $label++;
    say_line("and.b32 %other, %thread, " . (1 + below(7)));
    say_line('setp.eq.u32 %again, %other, 0');
    say_line("\@%again bra ${name}_end");
    my $to = new('f');
    say_line("ld.volatile.global.f32 $to, [%slot+184]");
    say_line("fma.rn.f32 $to, $to, " . see('f') . ', ' . see('f')) for 1 .. 1 + below(3);
    say_line("st.volatile.global.f32 [%slot+184], $to");
    push @text, "${name}_end:";
}

my $n = 0;
my %bytes = (f => 4, d => 8, h => 2, p => 4);
for my $kind (qw(f f f f d d d h h h p p p)) {
    my $name = new($kind);
    my $half = $kind eq 'h' ? '.b16' : $kind eq 'd' ? '.b64' : '.b32';
    say_line("ld.global$half $name, [%place+" . 8 * $n++ . ']');
    keep($kind, $name);
}
for (1 .. 15 + below(25)) {
    my $what = rand;
    if ($what < 0.08) { loop() }
    elsif ($what < 0.16) { branch() }
    elsif ($what < 0.3) { pick(@special)->() }
    else { operation(pick(qw(f f f d d h p))) }
}
my $i = 0;
for my $kind (qw(d f p h)) {
    for my $name (@{$values{$kind}}) {
        # PTX leaves open the sign of a double that is no number.
        if ($kind eq 'd') {
            say_line("setp.num.f64 %again, $name, $name");
            say_line("selp.f64 $name, $name, 0d7FF8000000000000, %again");
        }
        say_line(sprintf 'st.global.b%d [%%slot+%d], %s', 8 * $bytes{$kind}, $i, $name);
        $i += 8;
    }
}
my $body = join "\n", @text;
my $b = $last{b} // 0;
my $q = $last{q} // 0;
print <<"END";
.version 8.0
.target sm_75
.address_size 64

.visible .entry $kernel(.param .u64 out, .param .u64 in)
{
    .reg .b32 %i<$label>, %i$label, %other, %thread, %group, %x<@{[$last{p} + 1]}>, %b<@{[$b + 1]}>;
    .reg .b16 %h<@{[$last{h} + 1]}>;
    .reg .f32 %f<@{[$last{f} + 1]}>;
    .reg .f64 %d<@{[$last{d} + 1]}>;
    .reg .b64 %q<@{[$q + 1]}>, %place, %input, %output, %slot;
    .reg .pred %again;
    ld.param.u64 %output, [out];
    ld.param.u64 %input, [in];
    mov.u32 %thread, %tid.x;
    mov.u32 %group, %ctaid.x;
    mov.u32 %other, %ntid.x;
    mad.lo.s32 %other, %group, %other, %thread;
    mul.wide.u32 %slot, %other, 192;
    add.s64 %slot, %slot, %output;
    mul.wide.u32 %place, %group, 512;
    add.s64 %input, %input, %place;
    mul.wide.u32 %place, %thread, 8;
    add.s64 %place, %place, %input;
$body
    ret;
}
END
