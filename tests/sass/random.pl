#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# A random kernel in PTX, for machine code that is executed to be held against: arithmetic on integers and
# floating-point numbers of 16, 32 and 64 bits, what a group has in common, predicates, branches, loops within each
# other, global, shared and own memory, atomic operations, shuffles, votes, matrices.
#
#     tests/sass/random.pl SEED [STATEMENTS [NAME [TARGET]]]
#
# Kernel NAME (random) for sm_TARGET (75) of out and in: groups of 64 threads; in has 64 numbers of 64 bits for each group, out gets 24 for
# each thread, and is zero before. Only what is rounded exactly is in it, or is one instruction of the machine, too, so
# results are the same bits everywhere.
use strict;
use warnings;

my ($seed, $length, $kernel, $target) = @ARGV;
defined $seed or die "usage: $0 SEED [STATEMENTS [NAME [TARGET]]]\n";
$kernel //= 'random';
$target //= 75;
my $has_matrices = $target >= 75; # of those that are used here
srand($seed);
sub pick { return $_[rand @_] }
sub below { return int rand shift }

# ptxas 13.0 takes a predicate that a branch around a loop asks to be the same in all iterations, whatever they write to
# it; so they leave it alone.
my @asked;
our %kept;
sub predicates { return grep { !$kept{$_} } map { "%p$_" } 0 .. 3 }

my %kinds = (r => 8, f => 6, l => 5, d => 3, u => 3);
sub reg { my ($kind) = @_; return $kind eq 'p' ? pick(predicates()) : "%$kind" . below($kinds{$kind}) }
sub pair { my $p = reg('p'); return "$p|" . pick(grep { $_ ne $p } predicates()) }
sub int32 { return rand() < 0.25 ? pick(0, 1, -1, 5, 31, 255, 65535, below(1 << 30), -2147483648) : reg('r') }
sub real32 { return rand() < 0.2 ? pick('0f3F800000', '0f40490FDB', '0fBF000000', '0f00000000', '0f7F800000', '0f3DCCCCCD') : reg('f') }

# What all lanes have in common until one of them computes it alone: uniform registers, where there are any.
sub common { return rand() < 0.3 ? pick(1, 3, 12, -7, 255, below(1 << 16)) : reg('u') }

my ($label, $depth, $own, @text) = (0, 0, 0);
sub say_line { push @text, '    ' . ('  ' x $depth) . "$_[0];" }

# A double: PTX leaves open which of those that are no numbers comes out, and its sign.
sub say_double {
    my ($how, @from) = @_;
    my $to = reg('d');
    say_line(join ', ', "$how $to", @from);
    say_line("setp.num.f64 %number, $to, $to");
    say_line("selp.f64 $to, $to, 0d7FF8000000000000, %number");
}

# ptxas takes an approximate reciprocal of an approximate reciprocal for the number itself.
sub say_function {
    my ($how, $to, $from) = @_;
    say_line("$how.approx.ftz.f32 $to, $from");
    say_line("add.rn.f32 $to, $to, 0f3F800000") if $how eq 'rcp';
}

my @makers = (
    sub { say_line(sprintf 'add.%s %s, %s, %s', pick(qw(s32 u32)), reg('r'), reg('r'), int32()) },
    sub { say_line(sprintf 'sub.s32 %s, %s, %s', reg('r'), reg('r'), int32()) },
    sub { say_line(sprintf 'mul.lo.s32 %s, %s, %s', reg('r'), reg('r'), int32()) },
    sub { say_line(sprintf 'mul.hi.%s %s, %s, %s', pick(qw(s32 u32)), reg('r'), reg('r'), int32()) },
    sub { say_line(sprintf 'mad.lo.s32 %s, %s, %s, %s', reg('r'), reg('r'), int32(), reg('r')) },
    sub { say_line(sprintf 'mad.wide.%s %s, %s, %s, %s', pick(qw(s32 u32)), reg('l'), reg('r'), int32(), reg('l')) },
    sub { say_line(sprintf 'mul.wide.%s %s, %s, %s', pick(qw(s32 u32)), reg('l'), reg('r'), int32()) },
    sub { say_line(sprintf '%s.%s %s, %s, %s', pick(qw(min max)), pick(qw(s32 u32)), reg('r'), reg('r'), int32()) },
    sub { say_line(sprintf '%s.b32 %s, %s, %s', pick(qw(and or xor)), reg('r'), reg('r'), int32()) },
    sub { say_line(sprintf '%s.b64 %s, %s, %s', pick(qw(and or xor)), reg('l'), reg('l'), reg('l')) },
    sub { say_line(sprintf 'lop3.b32 %s, %s, %s, %s, %d', reg('r'), reg('r'), reg('r'), reg('r'), below(256)) },
    sub { say_line(sprintf 'not.b32 %s, %s', reg('r'), reg('r')) },
    sub { say_line(sprintf '%s %s, %s, %s', pick(qw(shl.b32 shr.u32 shr.s32)), reg('r'), reg('r'), pick(below(40), reg('r'))) },
    sub { say_line(sprintf '%s %s, %s, %s', pick(qw(shl.b64 shr.u64 shr.s64)), reg('l'), reg('l'), pick(below(70), reg('r'))) },
    sub { say_line(sprintf 'shf.%s.%s.b32 %s, %s, %s, %s', pick(qw(l r)), pick(qw(wrap clamp)), reg('r'), reg('r'), reg('r'), pick(below(40), reg('r'))) },
    sub { say_line(sprintf '%s %s, %s', pick(qw(popc.b32 clz.b32 brev.b32 bfind.u32 bfind.s32 abs.s32 neg.s32)), reg('r'), reg('r')) },
    sub { say_line(sprintf 'prmt.b32 %s, %s, %s, %s', reg('r'), reg('r'), reg('r'), pick(below(65536), reg('r'))) },
    sub { say_line(sprintf 'bfe.%s %s, %s, %d, %d', pick(qw(u32 s32)), reg('r'), reg('r'), below(32), below(33)) },
    # ptxas makes nothing of 32 bits that are inserted, where it knows that they are as many.
    sub { say_line(sprintf 'bfi.b32 %s, %s, %s, %d, %d', reg('r'), reg('r'), reg('r'), below(32), below(32)) },
    sub { say_line(sprintf 'sad.%s %s, %s, %s, %s', pick(qw(u32 s32)), reg('r'), reg('r'), reg('r'), reg('r')) },
    sub { say_line(sprintf '%s.s64 %s, %s, %s', pick(qw(add sub min max)), reg('l'), reg('l'), reg('l')) },
    sub { say_line(sprintf 'mul.lo.s64 %s, %s, %s', reg('l'), reg('l'), reg('l')) },
    sub { # by no zero, of which nobody says what comes out
        say_line(sprintf 'or.b32 %%other, %s, 1', reg('r'));
        say_line(sprintf '%s.%s %s, %s, %%other', pick(qw(div rem)), pick(qw(u32 s32)), reg('r'), reg('r'));
    },
    sub { say_line(sprintf '%s.f32 %s, %s, %s', pick('add.rn', 'sub.rn', 'mul.rn', 'add.rz', 'mul.rp', 'min', 'max', 'add.rn.ftz', 'mul.rn.sat'), reg('f'), reg('f'), real32()) },
    sub { say_line(sprintf 'fma.%s.f32 %s, %s, %s, %s', pick('rn', 'rz', 'rm', 'rn.ftz', 'rn.sat'), reg('f'), reg('f'), real32(), reg('f')) },
    # Of what is no number they may make any such; the sum makes the usual one.
    sub {
        my $to = reg('f');
        say_line(sprintf '%s.f32 %s, %s', pick(qw(neg abs)), $to, reg('f'));
        say_line("add.f32 $to, $to, 0f80000000");
    },
    sub { say_line(sprintf 'div.rn.f32 %s, %s, %s', reg('f'), reg('f'), real32()) },
    sub { say_line(sprintf '%s.rn.f32 %s, %s', pick(qw(sqrt rcp)), reg('f'), reg('f')) },
    sub { say_double(pick(qw(add.rn.f64 sub.rn.f64 mul.rn.f64 mul.rz.f64 mul.rp.f64 add.rm.f64)), reg('d'), reg('d')) },
    sub { say_double('fma.rn.f64', reg('d'), reg('d'), reg('d')) },
    sub { say_double('div.rn.f64', reg('d'), reg('d')) },
    sub { say_line(sprintf 'cvt.%s %s, %s', pick(map { my $round = $_; map { ["$round.f32.$_", reg('f'), reg('r')] } qw(s32 u32) } qw(rn rz))->@*) },
    sub { say_line(sprintf 'cvt.%s.%s.f32 %s, %s', pick(qw(rzi rni rmi rpi)), pick(qw(s32 u32)), reg('r'), reg('f')) },
    sub { say_double('cvt.f64.f32', reg('f')) },
    sub { say_line(sprintf 'cvt.rn.f32.f64 %s, %s', reg('f'), reg('d')) },
    sub { say_line(sprintf 'cvt.rn.f64.%s %s, %s', pick(['s32', reg('d'), reg('r')], ['s64', reg('d'), reg('l')])->@*) },
    sub { say_line(sprintf 'cvt.%s %s, %s', pick(['s64.s32', reg('l'), reg('r')], ['u64.u32', reg('l'), reg('r')], ['u32.u64', reg('r'), reg('l')])->@*) },
    sub { say_line(sprintf 'cvt.%s %s, %s', pick(['s32.s8', reg('r'), reg('r')], ['u32.u16', reg('r'), reg('r')], ['s32.s16', reg('r'), reg('r')])->@*) },
    sub { say_line(sprintf 'mov.b32 %s, %s', pick([reg('r'), reg('f')], [reg('f'), reg('r')])->@*) },
    sub { say_line(sprintf 'mov.b64 %s, {%s, %s}', reg('l'), reg('r'), reg('r')) },
    sub { say_line(sprintf 'setp.%s.%s %s, %s, %s', pick(qw(eq ne lt le gt ge)), pick(qw(s32 u32)), reg('p'), reg('r'), int32()) },
    sub { say_line(sprintf 'setp.%s.%s %s, %s, %s', pick(qw(eq ne lt le gt ge)), pick(qw(s64 u64)), reg('p'), reg('l'), reg('l')) },
    sub { say_line(sprintf 'setp.%s.f32 %s, %s, %s', pick(qw(eq ne lt le gt ge equ neu ltu geu num nan)), reg('p'), reg('f'), real32()) },
    sub { say_line(sprintf 'setp.%s.f64 %s, %s, %s', pick(qw(eq ne lt le gt ge neu gtu)), reg('p'), reg('d'), reg('d')) },
    sub { say_line(sprintf 'setp.%s.%s.s32 %s, %s, %s, %s', pick(qw(lt ge ne)), pick(qw(and or xor)), pair(), reg('r'), int32(), pick('%p2', '!%p3')) },
    sub { say_line(sprintf '%s.pred %s, %s, %s', pick(qw(and or xor)), reg('p'), reg('p'), reg('p')) },
    sub { say_line(sprintf 'selp.b32 %s, %s, %s, %s', reg('r'), reg('r'), int32(), reg('p')) },
    sub { say_line(sprintf 'selp.f32 %s, %s, %s, %s', reg('f'), reg('f'), reg('f'), reg('p')) },
    sub { say_line(sprintf 'selp.b64 %s, %s, %s, %s', reg('l'), reg('l'), reg('l'), reg('p')) },
    sub { say_line(sprintf '@%s%s add.s32 %s, %s, %s', pick('', '!'), reg('p'), reg('r'), reg('r'), int32()) },
    sub { say_line(sprintf '@%s%s fma.rn.f32 %s, %s, %s, %s', pick('', '!'), reg('p'), reg('f'), reg('f'), reg('f'), reg('f')) },
    sub { say_line(sprintf 'dp4a.%s.%s %s, %s, %s, %s', pick(qw(s32 u32)), pick(qw(s32 u32)), reg('r'), reg('r'), reg('r'), reg('r')) },
    sub { say_line(sprintf 'add.sat.s32 %s, %s, %s', reg('r'), reg('r'), int32()) },
    sub { say_line(sprintf 'mul.hi.%s %s, %s, %s', pick(qw(s64 u64)), reg('l'), reg('l'), reg('l')) },
    sub { say_line(sprintf '%s.b64 %s, %s', pick(qw(popc clz)), reg('r'), reg('l')) },
    sub { say_line(sprintf 'add.cc.u32 %s, %s, %s', reg('r'), reg('r'), reg('r')); say_line(sprintf 'addc.u32 %s, %s, %s', reg('r'), reg('r'), int32()) },
    sub { say_line(sprintf 'cvt.%s.f32.f32 %s, %s', pick(qw(rni rzi rmi rpi)), reg('f'), reg('f')) },
    sub { say_line(sprintf 'cvt.%s.%s.%s', pick(qw(rzi rni)), pick(qw(s64 u64)), pick('f32 ' . reg('l') . ', ' . reg('f'), 'f64 ' . reg('l') . ', ' . reg('d'))) },
    sub { say_line(sprintf 'cvt.%s.%s', pick(qw(rn rz rp)), pick(map { ("f32.$_ " . reg('f') . ', ' . reg('l'), "f64.$_ " . reg('d') . ', ' . reg('l')) } qw(u64 s64))) },
    sub { say_function(pick(qw(ex2 lg2 rsqrt rcp)), reg('f'), reg('f')) },
    # ---- halves
    sub { say_line(sprintf '%s.f16x2 %s, %s, %s', pick(qw(add.rn sub.rn mul.rn add.rn.sat mul.rn.ftz)), reg('r'), reg('r'), reg('r')) },
    sub { say_line(sprintf 'fma.rn%s.f16x2 %s, %s, %s, %s', pick('', '.sat', '.ftz'), reg('r'), reg('r'), reg('r'), reg('r')) },
    sub { say_line(sprintf 'setp.%s.f16x2 %s, %s, %s', pick(qw(eq ne lt le gt ge neu)), pair(), reg('r'), reg('r')) },
    sub { say_line(sprintf 'cvt.%s.f16.f32 %%half, %s', pick(qw(rn rz)), reg('f')); say_line(sprintf 'mov.b32 %s, {%%half, %%half}', reg('r')) },
    sub { say_line(sprintf 'mov.b32 {%%half, %%high}, %s', reg('r')); say_line(sprintf 'cvt.f32.f16 %s, %s', reg('f'), pick('%half', '%high')) },
    # ---- in common
    sub { say_line(sprintf '%s %s, %s, %s', pick(qw(add.s32 sub.s32 mul.lo.s32 and.b32 or.b32 xor.b32 min.s32 max.u32 shl.b32 shr.u32 shr.s32)), reg('u'), reg('u'), common()) },
    sub { say_line(sprintf 'mad.lo.s32 %s, %s, %s, %s', reg('u'), reg('u'), common(), reg('u')) },
    sub { say_line(sprintf 'setp.%s.%s %s, %s, %s', pick(qw(eq ne lt le gt ge)), pick(qw(s32 u32)), reg('p'), reg('u'), common()) },
    sub { say_line(sprintf 'selp.b32 %s, %s, %s, %s', reg('u'), reg('u'), common(), reg('p')) },
    sub { say_line(sprintf '%s %s, %s, %s', pick(qw(add.s32 xor.b32 mul.lo.s32)), reg('r'), reg('r'), reg('u')) },
    sub { say_line(sprintf 'mul.wide.%s %s, %s, %s', pick(qw(s32 u32)), reg('l'), reg('u'), common()) },
    # ---- memory of the thread's own: local, and its part of what it writes at the end
    sub {
        $own = 1;
        say_line(sprintf 'and.b32 %%other, %s, 12', reg('r'));
        say_line('add.u32 %other, %other, %own');
        say_line(sprintf 'st.local.b32 [%%other], %s', reg('r'));
        say_line(pick(sprintf('ld.local.v4.b32 {%%r0, %%r1, %%r2, %%r3}, [%%own]'), sprintf('ld.local.b64 %s, [%%own+8]', reg('l'))));
    },
    sub {
        say_line(sprintf 'st.global.%s [%%slot], %s', pick(qw(b8 b16 b32)), reg('r'));
        say_line(sprintf 'st.global.v4.b32 [%%slot+16], {%s, %s, %s, %s}', reg('r'), reg('f'), reg('r'), reg('f')) if below(2);
        say_line(sprintf 'ld.global.b64 %s, [%%slot+%d]', reg('l'), pick(0, 16, 24));
    },
    sub { say_line(sprintf 'atom.global.%s %s, [%%slot+32], %s', pick(qw(add.u32 min.s32 max.s32 min.u32 max.u32 and.b32 or.b32 xor.b32 exch.b32 inc.u32 dec.u32)), pick(reg('r'), '%dropped'), reg('r')) },
    sub { say_line(sprintf 'atom.global.cas.b32 %s, [%%slot+32], %s, %s', reg('r'), pick(reg('r'), 0), reg('r')) },
    sub { say_line(sprintf 'atom.global.%s %s, [%%slot+40], %s', pick(qw(add.u64 min.s64 max.u64 exch.b64 xor.b64)), reg('l'), reg('l')) },
    sub {
        say_line(sprintf '%s[%%slot+56], %s', pick('red.global.add.f64 ', 'atom.global.add.f64 %dropped64, '), reg('d'));
        say_double('ld.global.f64', '[%slot+56]');
    },
    sub {
        my $to = reg('f');
        say_line(sprintf 'red.global.add.f32 [%%slot+48], %s', reg('f'));
        say_line("ld.global.f32 $to, [%slot+48]");
        say_line("add.f32 $to, $to, 0f80000000");
    },
    sub {
        say_line(sprintf 'and.b32 %%other, %s, 31', reg('r'));
        say_line('mul.wide.u32 %place, %other, 16');
        say_line('add.s64 %place, %place, %input');
        say_line(sprintf 'ld.global%s.v%s', pick('', '.nc'), pick(sprintf('2.b64 {%%l0, %%l1}, [%%place]'), sprintf('4.b32 {%%r0, %%r2, %%r4, %%r6}, [%%place]')));
    },
);

# What all lanes of a warp do together, so only where none is apart.
my @together = (
    sub { say_line(sprintf 'shfl.sync.%s.b32 %s, %s, %d, %s, -1', pick(['bfly', 31], ['down', 31], ['idx', 31], ['up', 0])->@[0], reg('r'), reg('r'), below(32), 31) },
    sub { say_line(sprintf 'vote.sync.ballot.b32 %s, %s, -1', reg('r'), reg('p')) },
    # What is voted is written at once: for sm_90 on ptxas 13.0 moves a vote into a branch that alone asks for it, where
    # not all lanes are.
    sub {
        my $to = reg('p');
        say_line(sprintf 'vote.sync.%s.pred %s, %s, -1', pick(qw(any all uni)), $to, reg('p'));
        say_line("selp.b32 %other, 1, 0, $to");
        say_line('st.global.b32 [%slot+64], %other');
    },
    sub {
        my $from = reg('r');
        say_line("st.shared.b32 [%mine], $from");
        say_line('bar.sync 0');
        say_line(sprintf 'xor.b32 %%other, %%mine, %d', 4 * (1 + below(63)));
        say_line(sprintf 'ld.shared.b32 %s, [%%other]', reg('r'));
        say_line('bar.sync 0');
    },
    sub { # rows of a matrix, or numbers beside each other
        say_line(sprintf 'st.shared.b32 [%%mine], %s', reg('r'));
        say_line('bar.sync 0');
        say_line(sprintf 'and.b32 %%other, %s, 240', reg('r'));
        say_line('add.u32 %other, %other, %shared');
        say_line(sprintf '%s, [%%other]', pick('ld.shared.v2.b32 {%r1, %r5}', 'ld.shared.v4.b32 {%r3, %r4, %r5, %r6}', 'ld.shared.b64 ' . reg('l'),
            !$has_matrices ? () : map { ("ldmatrix.sync.aligned.m8n8.x1$_.shared.b16 {%r2}", "ldmatrix.sync.aligned.m8n8.x2$_.shared.b16 {%r7, %r0}", "ldmatrix.sync.aligned.m8n8.x4$_.shared.b16 {%r1, %r2, %r3, %r4}") } '', '.trans'));
        say_line('bar.sync 0');
    },
    !$has_matrices ? () : (
        sub { say_line(sprintf 'mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%%f0, %%f1, %%f2, %%f3}, {%s, %s}, {%s}, {%%f2, %%f3, %%f4, %%f5}', reg('r'), reg('r'), reg('r')) },
        sub { say_line(sprintf 'mma.sync.aligned.m8n8k16.row.col.s32.%s.%s.s32 {%%r0, %%r1}, {%s}, {%s}, {%%r4, %%r5}', pick(qw(u8 s8)), pick(qw(u8 s8)), reg('r'), reg('r')) },
    ),
    sub { say_line(sprintf 'match.any.sync.b32 %s, %s, -1', reg('r'), reg('r')) },
    sub { say_line(sprintf 'match.all.sync.b32 %s|%s, %s, -1', reg('r'), reg('p'), reg('u')) },
    sub { say_line('bar.warp.sync -1') },
    # The order of lanes is open, so what they do must not ask for it; only the thread's own cell tells what was there.
    sub {
        say_line(sprintf 'and.b32 %%other, %s, 252', reg('r'));
        say_line('add.u32 %other, %other, %shared');
        # Lanes that wrap at different numbers end otherwise in another order.
        my ($how, $from) = (pick(qw(add.u32 add.u32 min.s32 max.u32 and.b32 or.b32 xor.b32 inc.u32)), pick(reg('r'), reg('u'), 1));
        say_line(sprintf 'atom.shared.%s %%dropped, [%%other+256], %s', $how, $how eq 'inc.u32' ? 1 : $from);
        say_line('bar.sync 0');
        say_line(sprintf '%s', pick('atom.shared.exch.b32 ' . reg('r') . ', [%mine+256], ' . reg('r'), 'atom.shared.cas.b32 ' . reg('r') . ', [%mine+256], 0, ' . reg('r')));
        say_line(sprintf 'ld.shared.b32 %s, [%%mine+256]', reg('r'));
        say_line('bar.sync 0');
    },
    sub {
        say_line(sprintf 'and.b32 %%other, %s, 63', reg('r'));
        say_line('mul.wide.u32 %place, %other, 8');
        say_line('add.s64 %place, %place, %input');
        say_line(sprintf '%s, [%%place]', pick('ld.global.u32 ' . reg('r'), 'ld.global.b64 ' . reg('l'), 'ld.global.s8 ' . reg('r'), 'ld.global.u16 ' . reg('r'), 'ld.global.nc.b32 ' . reg('r')));
    },
);

sub block;

sub branch {
    my $name = 'L' . $label++;
    push @asked, reg('p');
    say_line(sprintf '@%s%s bra %s_else', pick('', '!'), $asked[-1], $name);
    $depth++;
    block(3 + below(6), 0);
    say_line("bra ${name}_end");
    push @text, "${name}_else:";
    block(1 + below(5), 0);
    $depth--;
    pop @asked;
    push @text, "${name}_end:";
}

# To one of four places, by a table.
sub table {
    my $name = 'L' . $label++;
    push @text, "${name}_places: .branchtargets " . join(', ', map { "${name}_$_" } 0 .. 3) . ';';
    say_line(sprintf 'and.b32 %%other, %s, 3', reg('r'));
    say_line("brx.idx %other, ${name}_places");
    $depth++;
    for (0 .. 3) {
        push @text, "${name}_$_:";
        block(1 + below(3), 0);
        say_line("bra ${name}_end");
    }
    $depth--;
    push @text, "${name}_end:";
}

# As often in all lanes, or as each lane says.
sub loop {
    my ($alike) = @_;
    my $name = 'L' . $label++;
    my $counter = "%i$depth";
    local %kept = map { $_ => 1 } @asked;
    if ($alike) { say_line(sprintf 'mov.u32 %s, %d', $counter, 1 + below(4)) }
    else { say_line(sprintf 'and.b32 %s, %s, 3', $counter, reg('r')) }
    push @text, "${name}_again:";
    $depth++;
    block(2 + below(6), $alike);
    $depth--;
    say_line("sub.s32 $counter, $counter, 1");
    say_line("setp.gt.s32 %pl$depth, $counter, 0");
    say_line("\@%pl$depth bra ${name}_again");
}

sub block {
    my ($n, $alike) = @_;
    for (1 .. $n) {
        my $what = rand;
        if ($what < 0.08 && $depth < 3) { branch() }
        elsif ($what < 0.13 && $depth < 3) { loop($alike) }
        elsif ($what < 0.14 && $depth < 2) { table() }
        elsif ($what < 0.3 && $alike) { pick(@together)->() }
        else { pick(@makers)->() }
    }
}

block($length || 20 + below(40), 1);
my $body = join "\n", @text;
my $memory = $own ? "    .local .align 16 .b8 own[16];\n" : '';
my $clear = $own ? "    mov.u32 %own, own;\n    st.local.v4.b32 [%own], {%thread, %group, %thread, %extent};\n" : '';
my $i = 0;
my $stores = join '', map { my $kind = $_; map { sprintf "    st.global.b%d [%%slot+%d], %%%s%d;\n", $kind =~ /[ld]/ ? 64 : 32, 8 * $i++, $kind, $_ } 0 .. $kinds{$kind} - 1 } qw(r f l d);
my $predicates = join '', map { "    selp.b32 %other, 1, 0, %p$_;\n    st.global.b32 [%slot+" . 8 * $i++ . "], %other;\n" } 0 .. 1;
my $reads = join '', (map { "    ld.global.b32 %r$_, [%place+" . 4 * $_ . "];\n" } 0 .. 1), (map { "    add.s32 %r$_, %r" . ($_ - 2) . ', ' . (77 * $_) . ";\n" } 2 .. 7),
    (map { "    cvt.rn.f32.s32 %f$_, %r$_;\n    mul.rn.f32 %f$_, %f$_, 0f3" . (5 + $_ % 4) . "800000;\n" } 0 .. 5), (map { "    cvt.s64.s32 %l$_, %r$_;\n" } 0 .. 4),
    (map { "    cvt.rn.f64.s32 %d$_, %r$_;\n" } 0 .. 2), (map { sprintf "    mul.lo.s32 %%u%d, %%group, %d;\n    add.s32 %%u%d, %%u%d, %%extent;\n", $_, 3 + 5 * $_, $_, $_ } 0 .. 2), (map { "    setp.lt.s32 %p$_, %r$_, %r" . ($_ + 1) . ";\n" } 0 .. 3);
print <<"END";
.version 8.0
.target sm_$target
.address_size 64

.visible .entry $kernel(.param .u64 out, .param .u64 in)
{
    .reg .b32 %r<8>, %i<4>, %mine, %other, %dropped, %thread, %group, %extent, %shared, %own, %u<3>;
    .reg .b16 %half, %high;
    .reg .f32 %f<6>;
    .reg .b64 %l<5>, %place, %input, %output, %slot;
    .reg .f64 %d<3>, %dropped64;
    .reg .pred %p<4>, %pl<4>, %number;
    .shared .align 16 .b8 shared[512];
$memory    ld.param.u64 %output, [out];
    ld.param.u64 %input, [in];
    mov.u32 %thread, %tid.x;
    mov.u32 %group, %ctaid.x;
    mov.u32 %extent, %nctaid.x;
    mul.wide.u32 %place, %group, 512;
    add.s64 %input, %input, %place;
    mul.wide.u32 %place, %thread, 8;
    add.s64 %place, %place, %input;
    mov.u32 %shared, shared;
    mad.lo.s32 %mine, %thread, 4, %shared;
    mov.u32 %other, 0;
    st.shared.b32 [%mine+256], %other;
    bar.sync 0;
    mov.u32 %other, %ntid.x;
    mad.lo.s32 %other, %group, %other, %thread;
    mul.wide.u32 %slot, %other, 192;
    add.s64 %slot, %slot, %output;
$reads$clear
$body
$stores$predicates    ret;
}
END
