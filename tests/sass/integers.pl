#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# A random kernel in PTX of operations on integers, for tests/unit/operations-random.c:
#
#     tests/sass/integers.pl SEED NAME
#
# Each result goes to memory and comes back, so that compilers neither fold nor merge what is computed of it, and what
# they make of each operation is its own. Kernel NAME for sm_75 of out and in, as random.pl has them.
use strict;
use warnings;

my ($seed, $kernel) = @ARGV;
defined $kernel or die "usage: $0 SEED NAME\n";
srand($seed);
sub pick { return $_[rand @_] }
sub below { return int rand shift }

my (@text, %last, %values);
my %prefixes = (r => '%r', q => '%q');
my %bits = (r => 32, q => 64);
my $slot = 0;
sub say_line { push @text, "    $_[0];" }
sub new { my ($kind) = @_; return $prefixes{$kind} . ++$last{$kind} }
# A value that is taken once and is no longer there, so that no operation is done again, and one that stays.
sub take { my ($kind) = @_; return splice @{$values{$kind}}, below(scalar @{$values{$kind}}), 1 }
sub see { my ($kind) = @_; return pick(@{$values{$kind}}) }
sub two { my ($kind) = @_; my $a = take($kind); return ($a, see($kind)) }

# What an operation gives, as only the memory tells it, and in the place of the operand that was taken.
sub result {
    my ($kind, $how, @from) = @_;
    my $to = new($kind);
    my $place = '[%slot+' . 8 * ($slot++ % 24) . ']';
    say_line(join ', ', "$how $to", @from);
    say_line("st.volatile.global.b$bits{$kind} $place, $to");
    my %parts = map { $_ => 1 } $kind, substr $from[0], 1, 1;
    for my $part (sort keys %parts) {
        my $again = new($part);
        say_line("ld.volatile.global.b$bits{$part} $again, $place");
        push @{$values{$part}}, $again;
    }
}

# What nothing else needs: one instruction may do it and what is made of it.
sub inner {
    my ($how, @from) = @_;
    my $to = new('r');
    say_line(join ', ', "$how $to", @from);
    return $to;
}

# What a division takes depends on its numbers, so none is here.
my @makers = (
    sub { result('r', pick(qw(add.s32 sub.s32 add.u32)), two('r')) },
    sub { result('r', pick(qw(mul.lo.s32 mul.hi.s32 mul.hi.u32 mul24.lo.u32)), two('r')) },
    sub { result('r', pick(qw(mad.lo.s32 mad.hi.s32 mad.hi.u32 mad24.lo.u32)), two('r'), see('r')) },
    sub { result('r', pick(qw(and.b32 or.b32 xor.b32)), two('r')) },
    sub { result('r', 'lop3.b32', two('r'), see('r'), pick(0x96, 0xca, 0x80)) },
    sub { result('r', pick(qw(not.b32 neg.s32 abs.s32 cnot.b32)), take('r')) },
    sub { result('r', pick(qw(popc.b32 brev.b32 clz.b32 bfind.u32 bfind.s32)), take('r')) },
    sub { result('r', pick(qw(min.s32 max.s32 min.u32 max.u32)), two('r')) },
    sub { result('r', pick(qw(shl.b32 shr.u32 shr.s32)), two('r')) },
    sub { result('r', pick(qw(shl.b32 shr.u32 shr.s32)), take('r'), 1 + below(31)) },
    sub { result('r', pick(qw(shf.l.wrap.b32 shf.r.wrap.b32 shf.l.clamp.b32)), two('r'), see('r')) },
    sub { result('r', pick(qw(add.s32 and.b32 xor.b32)), take('r'), 2 + below(100000)) },
    sub { result('r', pick(qw(bfe.u32 bfe.s32)), take('r'), 3, 9) },
    sub { result('r', 'bfi.b32', two('r'), 3, 9) },
    sub { result('r', 'dp4a.s32.s32', two('r'), see('r')) },
    sub { result('r', pick(qw(sad.u32 sad.s32)), two('r'), see('r')) },
    sub { result('q', pick(qw(mul.wide.u32 mul.wide.s32)), two('r')) },
    sub { result('q', pick(qw(mad.wide.u32 mad.wide.s32)), two('r'), see('q')) },
    sub { result('q', pick(qw(add.s64 sub.s64)), two('q')) },
    sub { result('q', pick(qw(and.b64 or.b64 xor.b64)), two('q')) },
    sub { result('q', pick(qw(not.b64 neg.s64 abs.s64 brev.b64)), take('q')) },
    sub { result('q', pick(qw(mul.lo.s64 mul.hi.u64)), two('q')) },
    sub { result('q', 'mad.lo.s64', two('q'), see('q')) },
    sub { result('q', pick(qw(min.s64 max.u64)), two('q')) },
    sub { result('q', pick(qw(shl.b64 shr.u64)), take('q'), 1 + below(31)) },
    sub { result('q', pick(qw(shl.b64 shr.u64 shr.s64)), take('q'), see('r')) },
    sub { result('r', pick(qw(popc.b64 clz.b64)), take('q')) },
    sub { my $c = see('r'); result('r', 'add.s32', take('r'), inner('add.s32', see('r'), $c)) },
    sub { my $c = see('r'); result('r', 'add.s32', take('r'), inner('mul.lo.s32', see('r'), $c)) },
    sub { result('r', 'add.s32', take('r'), inner('shl.b32', see('r'), 1 + below(5))) },
);

for my $n (0 .. 7) {
    my $kind = $n < 5 ? 'r' : 'q';
    my $name = new($kind);
    say_line("ld.global.b$bits{$kind} $name, [%place+" . 8 * $n . ']');
    push @{$values{$kind}}, $name;
}
pick(@makers)->() for 1 .. 15 + below(25);
my $body = join "\n", @text;
print <<"END";
.version 8.0
.target sm_75
.address_size 64

.visible .entry $kernel(.param .u64 out, .param .u64 in)
{
    .reg .b32 %thread, %group, %other, %r<@{[$last{r} + 1]}>;
    .reg .b64 %q<@{[$last{q} + 1]}>, %place, %input, %output, %slot;
    ld.param.u64 %output, [out];
    ld.param.u64 %input, [in];
    mov.u32 %thread, %tid.x;
    mov.u32 %group, %ctaid.x;
    mov.u32 %other, %ntid.x;
    mad.lo.s32 %other, %group, %other, %thread;
    mul.lo.u32 %other, %other, 192;
    cvt.u64.u32 %slot, %other;
    add.s64 %slot, %slot, %output;
    shl.b32 %thread, %thread, 3;
    mad.lo.u32 %other, %group, 512, %thread;
    cvt.u64.u32 %place, %other;
    add.s64 %place, %place, %input;
$body
    ret;
}
END
