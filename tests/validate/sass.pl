#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
#
# Graphs of compiled code held against what ptxas makes of the same PTX: how many instructions warps execute, by
# class, and how far from a load the first instruction stands that uses it.
#
#     tests/validate/sass.pl [--classes] [--loads] [LAUNCH...]         default: every launch of tests/corpus
#     tests/validate/sass.pl --opcodes              single instructions: their sequences beside ptxas's
#
# A launch is a file with words of a command line for `pipesim build`, read from within its folder. Needs ptxas and
# nvdisasm (PATH, or CUDA's folder, /usr/local/cuda); without them it says so and ends well. PIPESIM is the program,
# ./pipesim unless set. Volta's code cannot be made by today's ptxas; sm_75's, which is the same in all that counts
# here, stands for it.
#
# Both sides know which line of PTX an instruction comes from: the PTX is given a line table that names its own lines.
# How often a block of SASS is executed follows from how often the PTX lines in it are (the median). Blocks that call a
# subroutine for unusual operands (slow paths) count as never executed; graphs have them where the operands are such
# (fft, whose angles begin at 0).
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename;
use File::Temp qw(tempdir);
use lib dirname(__FILE__) . '/..';
use files;

my (%option, @launches);
for (@ARGV) {
    if (/^--(classes|loads|opcodes)$/) { $option{$1} = 1 }
    elsif (/^-/) { die "usage: $0 [--classes] [--loads] [LAUNCH...] | --opcodes\n" }
    else { push @launches, $_ }
}
@launches = glob "tests/corpus/*.launch" unless @launches;
$ENV{PATH} .= ":" . ($ENV{CUDA} // "/usr/local/cuda") . "/bin";
for my $tool (qw(ptxas nvdisasm)) {
    next if grep { -x "$_/$tool" } split /:/, $ENV{PATH};
    print "sass.pl: skipped, since there is no $tool\n";
    exit 0;
}
my $pipesim = abs_path($ENV{PIPESIM} // "./pipesim");
my $tmp = tempdir(CLEANUP => 1);

# ---- graphs -------------------------------------------------------------------------------------

# The value of a trip count or a number: parameters have their defaults.
sub value {
    my ($text, $params) = @_;
    $text =~ s{&[a-z]+;}{}g;
    $text =~ s{\b([A-Za-z_]\w*)\b(?!\s*\()}{$params->{$1} // die "no parameter $1\n"}ge;
    my %function = (
        ceil => sub { my $n = int $_[0]; $n < $_[0] ? $n + 1 : $n },
        floor => sub { my $n = int $_[0]; $n > $_[0] ? $n - 1 : $n },
        min => sub { $_[0] < $_[1] ? $_[0] : $_[1] },
        max => sub { $_[0] > $_[1] ? $_[0] : $_[1] },
        log2 => sub { log($_[0]) / log 2 });
    $text =~ s/\b(ceil|floor|min|max|log2)\s*\(/\$function{$1}->(/g;
    my $value = eval $text;
    die "cannot evaluate $text\n" unless defined $value;
    return $value;
}

# Nodes in order: {line, class, count (of all warps), after, block}. Nodes of one block follow each other.
sub graph {
    my ($text) = @_;
    my (%params, @nodes, @times, $threads);
    my ($warps, $block) = (1, 0);
    $text =~ s{<!--.*?-->}{}gs;
    while ($text =~ /<(\/?)(\w+)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>/g) {
        my ($close, $element, $attributes) = ($1, $2, $3);
        my %at = $attributes =~ /([\w-]+)="([^"]*)"/g;
        if ($element eq 'param' && !$close) { $params{$at{name}} = value($at{value}, \%params) }
        elsif ($element eq 'launch') { $threads = value($at{'group-size'}, \%params) }
        elsif ($element eq 'code' && !$close) {
            $warps = 0;
            for (split /[ ,]+/, $at{warps} // "0.." . (int(($threads + 31) / 32) - 1)) {
                my ($first, $last) = split /\.\./;
                $warps += ($last // $first) - $first + 1;
            }
            $block++;
        } elsif ($element eq 'loop') {
            if ($close) { pop @times } else { push @times, value($at{times}, \%params) }
            $block++;
        } elsif ($element eq 'node') {
            my $count = $warps;
            $count *= $_ for @times;
            push @nodes, { line => ($at{line} // 0) =~ /(\d+)$/ ? $1 : 0, name => $at{name}, class => $at{class},
                count => $count, after => [map { s/[@(].*//r } split ' ', $at{after} // ''], part => $block };
            $block++ if $at{class} =~ /^(branch|loop|barrier)/;
        }
    }
    return @nodes;
}

sub build {
    my ($folder, @words) = @_;
    my $graph = "$tmp/graph.idg";
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        chdir $folder or die "$folder: $!\n";
        open STDERR, '>', "$tmp/messages";
        exec $pipesim, 'build', @words, "-o", $graph
            or die "$pipesim: $!\n";
    }
    waitpid $pid, 0;
    die "pipesim build @words: " . slurp("$tmp/messages") if $?;
    return graph(slurp($graph));
}

# ---- SASS ---------------------------------------------------------------------------------------

my %class_of = (
    FADD => 'fadd', FSETP => 'fadd', FMNMX => 'fadd', FSET => 'fadd', FSEL => 'logic', FMUL => 'fmul', FFMA => 'fmadd',
    FCHK => 'mufu', MUFU => 'mufu', RRO => 'mufu',
    DADD => 'dadd', DSETP => 'dadd', DMUL => 'dmul', DFMA => 'dfma',
    HADD2 => 'hadd', HSETP2 => 'hadd', HMUL2 => 'hmul', HFMA2 => 'hfma', HMNMX2 => 'hadd', HSET2 => 'hadd',
    IADD3 => 'iadd', IADD => 'iadd', ISETP => 'iadd', IMNMX => 'iadd', IABS => 'iadd', VIADD => 'iadd', UIADD3 => 'uniform',
    IMAD => 'imad', IDP => 'imad', XMAD => 'imad',
    LOP3 => 'logic', SEL => 'logic', PRMT => 'logic', PLOP3 => 'logic', SGXT => 'shift', LEA => 'lea', P2R => 'logic',
    R2P => 'logic', SHF => 'shift', BMSK => 'shift', MOV => 'mov', CS2R => 'mov', S2R => 'special',
    I2F => 'conversion', F2I => 'conversion', F2F => 'conversion', I2I => 'conversion', FRND => 'conversion',
    POPC => 'conversion', FLO => 'conversion', BREV => 'conversion', F2FP => 'conversion',
    LDS => 'local', STS => 'local', LDSM => 'local', LDG => 'global', STG => 'global', LD => 'global', ST => 'global',
    LDL => 'global', STL => 'global', LDGSTS => 'global', LDC => 'constant', ATOM => 'atomic', ATOMG => 'atomic',
    ATOMS => 'atomic', RED => 'atomic', SHFL => 'shuffle', VOTE => 'shuffle', MATCH => 'shuffle', MOVM => 'shuffle',
    BAR => 'barrier', BRA => 'branch', EXIT => 'branch', BRX => 'branch', RET => 'branch', CALL => 'branch',
    BSSY => 'sync', BSYNC => 'sync', BMOV => 'sync', BREAK => 'sync', WARPSYNC => 'sync', NOP => 'sync', YIELD => 'sync',
    DEPBAR => 'sync', LDGDEPBAR => 'sync', MEMBAR => 'fence', ERRBAR => 'fence', CCTL => 'fence',
    HMMA => 'tensor', IMMA => 'tensor', DMMA => 'tensor', BMMA => 'tensor');

sub sass_class {
    my ($opcode, $text) = @_;
    return 'mov' if $opcode =~ /^IMAD\.MOV/;
    my ($first) = split /\./, $opcode;
    return 'uniform' if $first =~ /^U[A-Z]/;
    return $class_of{$first} // "other ($first)";
}

# Registers that an instruction writes and reads, as numbers; P0 is "P0".
sub sass_registers {
    my ($opcode, $text) = @_;
    my ($first) = $opcode =~ /^([A-Z0-9]+)/;
    my $wide = $opcode =~ /\.128/ ? 4 : $opcode =~ /\.64(?!\.)|\.WIDE/ || $first =~ /^D(ADD|MUL|FMA)$/ ? 2 : 1;
    my @operands = split /\s*,\s*/, $text =~ s/^\S+\s*//r =~ s/\.reuse//gr;
    my $stores = $first =~ /^(ST|STG|STS|STL|RED|BRA|EXIT|BAR|CALL|RET)$/;
    my (@to, @from);
    for my $i (0 .. $#operands) {
        for my $register ($operands[$i] =~ /\b(R\d+|U?P[0-6]|UR\d+)\b/g) {
            my $target = !$stores && ($i == 0 || ($i == 1 && $register =~ /P/ && $first =~ /SETP|CHK|LOP3|IADD3|VOTE|SHFL/));
            push @{ $target ? \@to : \@from }, $register;
            if ($register =~ /^R(\d+)/) {
                my $base = $1;
                my $n = $target || $first =~ /^ST/ && $i == $#operands ? $wide
                    : $operands[$i] =~ /\[/ && $first =~ /^(LDG|STG|LD|ST|ATOMG|RED|ATOM)$/ || $first =~ /^D(ADD|MUL|FMA|SETP)$/ ? 2 : 1;
                push @{ $target ? \@to : \@from }, map { "R" . ($base + $_) } 1 .. $n - 1;
            }
        }
    }
    return (\@to, \@from);
}

# Instructions in order: {line, opcode, class, block, to, from}; slow paths' blocks are marked.
sub sass {
    my ($ptx, $architecture, $kernel) = @_;
    system('ptxas', '-lineinfo', "-arch=$architecture", $ptx, '-o', "$tmp/code.cubin") == 0 or return;
    my ($line, $block, $part, $in, $skip, @code) = (0, 0, 0, 0, 0);
    my (%slow, @order);
    open my $text, '-|', 'nvdisasm', '-c', '-g', "$tmp/code.cubin" or die "nvdisasm: $!\n";
    while (<$text>) {
        if (/^\/\/-+ \.text\.(\S+)/ || /^\s*\.section\s+\.text\.([^,\s]+)/) { ($in, $skip) = ($1 eq $kernel, 0) }
        next unless $in;
        $line = $1 if /\/\/## File .*, line (\d+)/;
        $skip = 1 if /^\s*\$[^:]*\$__cuda\S*:/;
        $block++, $part++ if /^\.L\S*:/;
        next if $skip || !/^\s+\/\*[0-9a-f]+\*\/\s+(?:\@(!?)(U?P[0-6T])\s+)?(\S+)\s*(.*?)\s*;/;
        my ($not, $guard, $opcode, $rest) = ($1, $2, $3, $4);
        last if $opcode eq 'BRA' && @code && $code[-1]{opcode} =~ /^(EXIT|RET|BRA)$/ && !$code[-1]{guard} && !$guard;
        next if $opcode eq 'NOP';
        my ($to, $from) = sass_registers($opcode, "$opcode $rest");
        push @$from, $guard if $guard;
        push @code, { line => $line, opcode => $opcode, class => sass_class($opcode, $rest), block => $block, part => $part,
            to => $to, from => $from, guard => $guard, text => "$opcode $rest" };
        $slow{$block} = 1 if $opcode =~ /^CALL/ && $rest =~ /__cuda/;
        $block++ if $opcode =~ /^(BRA|EXIT|CALL|RET|BRX)\b/;
        $slow{$block} = 1 if $opcode =~ /^CALL/ && $rest =~ /slowpath/; # what follows the call, up to a label
        $part++ if $opcode =~ /^(BRA|EXIT|CALL|RET|BRX|BAR)\b/;
    }
    close $text;
    return \@code, \%slow;
}

# Executions of each block: the median of its lines'. Where lines that access memory have several copies, each is
# executed as often as the others: they are iterations of a loop that was unrolled, or what is left of it.
sub frequencies {
    my ($code, $slow, $count) = @_;
    my (%blocks, %copies, %frequency);
    my $is_access = sub { $_[0]{class} =~ /^(global|local|atomic|shuffle|barrier|conversion)$/ };
    for (@$code) {
        push @{ $blocks{$_->{block}} }, $_;
        $copies{"$_->{line} $_->{opcode}"}++ if $is_access->($_);
    }
    for my $block (keys %blocks) {
        my @known = sort { $a <=> $b } map { $count->{$_->{line}} // () } @{ $blocks{$block} };
        my @times = sort { $a <=> $b } map { $copies{"$_->{line} $_->{opcode}"} // () } @{ $blocks{$block} };
        $frequency{$block} = $slow->{$block} || !@known ? 0 : $known[$#known / 2] / (@times ? $times[$#times / 2] : 1);
    }
    return \%frequency;
}

# ---- comparison ---------------------------------------------------------------------------------

# Instructions from a load to the first one of its block that reads the result, or to the block's end.
sub distances {
    my ($code, $is_load, $uses) = @_;
    my @found;
    for my $i (0 .. $#$code) {
        next unless $is_load->($code->[$i]);
        my $j = $i + 1;
        $j++ while $j <= $#$code && $code->[$j]{part} == $code->[$i]{part} && !$uses->($code->[$j], $code->[$i]);
        push @found, { line => $code->[$i]{line}, distance => $j - $i };
    }
    return @found;
}

sub mean { my $sum = 0; $sum += $_ for @_; return @_ ? $sum / @_ : 0 }

# ---- single instructions ------------------------------------------------------------------------

# Destination and sources by the letters of registers: f, d floats, r, l integers of 32 and 64 bits.
my @opcodes = map { [split ' '] } (
    (map { ("div.$_.f32 fff") } qw(rn full full.ftz approx approx.ftz)), (map { ("rcp.$_.f32 ff", "sqrt.$_.f32 ff") }
    qw(rn approx approx.ftz)), (map { ("$_.f32 ff", "$_.ftz.f32 ff") } qw(rsqrt.approx sin.approx cos.approx ex2.approx
    lg2.approx)), "div.rn.f64 ddd", "rcp.rn.f64 dd", "sqrt.rn.f64 dd", "rsqrt.approx.f64 dd", "max.f64 ddd",
    (map { ("div.$_ rrr", "rem.$_ rrr") } qw(u32 s32)), (map { ("$_ lll") } qw(mul.lo.s64 mul.hi.s64 mul.hi.u64 add.s64
    sub.s64 min.s64 and.b64)), "mad.lo.s64 llll", "neg.s64 ll", "abs.s64 ll", "shl.b64 llr", "popc.b64 rl", "clz.b32 rr",
    "clz.b64 rl", "cvt.rn.f32.s32 fr", "cvt.rzi.s32.f32 rf", "cvt.f64.f32 df", "cvt.rn.f32.f64 fd");

# What one instruction becomes: moves and BMOV, of which it depends on the surroundings how many there are, left out.
sub compare_opcode {
    my ($opcode, $registers) = @_;
    my %memory = (f => 'f32', d => 'f64', r => 'u32', l => 'u64');
    my ($to, @from) = split //, $registers;
    my ($text, $n) = ('', 0);
    $text .= "ld.global.$memory{$_} %$_" . ++$n . ", [%rd0+" . 8 * $n . "];\n" for @from;
    $n = 0;
    my $sources = join ', ', map { "%$_" . ++$n } @from;
    my @lines = ('.version 8.0', '.target sm_75', '.address_size 64', '.file 1 "opcode"', '.visible .entry k(.param .u64 p)', '{',
        '.reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b32 %r<9>; .reg .b64 %l<9>; .reg .b64 %rd<3>; .reg .b32 %t;',
        '.loc 1 1 0', 'ld.param.u64 %rd0, [p];', 'mov.u32 %t, %tid.x;', 'mul.wide.u32 %rd1, %t, 128;',
        'add.s64 %rd0, %rd0, %rd1;', $text, '.loc 1 999 0', "$opcode %${to}8, $sources;", '.loc 1 2 0',
        "st.global.$memory{$to} [%rd0+64], %${to}8;", 'ret;', '}');
    open my $out, '>', "$tmp/opcode.ptx" or die "$tmp: $!\n";
    print $out join("\n", @lines), "\n";
    close $out;
    my ($code, $slow) = sass("$tmp/opcode.ptx", 'sm_75', 'k');
    my @sass = map { $_->{class} } grep { $_->{line} == 999 && !$slow->{$_->{block}} && $_->{class} ne 'mov' &&
        $_->{opcode} !~ /^BMOV/ } @$code;
    my @graph = map { $_->{class} } grep { $_->{line} == 999 && $_->{class} ne 'logic.mov' } build($tmp,
        "$tmp/opcode.ptx", qw(--grid 1 --block 32 --arg p=random:4096 --no-schedule));
    printf "%-22s graph %2d  sass %2d%s  %s\n", $opcode, scalar @graph, scalar @sass, @graph == @sass ? '' : ' differs',
        join ' ', @graph;
}

if ($option{opcodes}) {
    compare_opcode(@$_) for @opcodes;
    exit 0;
}

my (@ratios, %all, @pairs);
for my $launch (@launches) {
    my $folder = dirname(abs_path($launch));
    my @words = split ' ', slurp($launch) =~ s/^#.*$//mgr;
    my ($ptx) = grep { /\.ptx$/ } @words;
    my $text = slurp("$folder/$ptx");
    my ($kernel) = join(' ', @words) =~ /--kernel[ =](\S+)/;
    ($kernel) = $text =~ /\.entry\s+(\w+)/ unless defined $kernel;
    my $name = basename($launch, '.launch');

    my @lines = split /\n/, $text, -1;
    my $n = 0;
    my $body = 0;
    # sources stay known, since arguments have their names from them
    my $sources = join '', map { /^\s*\.file\s+(\d+)\s+"([^"]+)"/ ? sprintf("\n.file %d \"%s\"", $1 + 1, "$folder/$2") : () } @lines;
    for (@lines) {
        $n++;
        $body++ if /^\{/;
        s/^\s*\.(loc|file)\b.*//;
        s/^(\s*)(\@?!?[%a-z][^:{]*;)/$1.loc 1 $n 0\n$2/ if $body;
    }
    my $numbered = join "\n", @lines;
    $numbered =~ s/(\.address_size \d+|\.target.*)(?![\s\S]*\.address_size)/$1\n.file 1 "$ptx"$sources/;
    open my $out, '>', "$tmp/numbered.ptx" or die "$tmp: $!\n";
    print $out $numbered;
    close $out;
    my ($architecture) = $text =~ /\.target\s+(sm_\d+a?)/;
    $architecture = 'sm_75' if $architecture =~ /^sm_([1-6]\d|70|72)$/;
    my @there = map { $_ eq $ptx ? "$tmp/numbered.ptx" : $_ } @words;
    my ($code, $slow) = sass("$tmp/numbered.ptx", $architecture, $kernel);
    if (!$code || !@$code) { print "$name: ptxas made nothing of it\n"; next }

    my @rules = map { "--no-$_" } qw(moves addresses merge-loads loops parameters specials dead);
    push @rules, '--no-schedule' if `$pipesim build --help` =~ /--no-schedule/;
    my @ptx = build($folder, @there, @rules);
    my @graph = build($folder, @there);
    my %count;
    { my %seen; for (@ptx) { next if $_->{name} =~ /__\d+$/; $count{$_->{line}} += $_->{count} } }
    my $frequency = frequencies($code, $slow, \%count);

    my (%graph, %sass, $graph, $sass);
    for (@graph) {
        my $class = $_->{class} =~ /^iadd|^isetp/ ? 'iadd' : (split /\./, $_->{class})[0];
        $class = 'mufu' if $class =~ /^(rcp|rsqrt|sqrt|sin|cos|exp2|log2)$/;
        $class = 'special' if $_->{class} eq 'logic.special';
        $class = 'mov' if $_->{class} eq 'logic.mov';
        $class = 'lea' if $_->{class} eq 'iadd.lea';
        $class = 'sync' if $_->{class} eq 'branch.sync';
        $graph{$class} += $_->{count};
        $graph += $_->{count};
    }
    for (@$code) {
        my $times = $frequency->{$_->{block}};
        $sass{$_->{class}} += $times;
        $sass += $times;
    }
    my @a = distances(\@graph, sub { $_[0]{class} =~ /^(global|local)\.load/ && $_[0]{class} !~ /async/ },
        sub { my ($n, $l) = @_; grep { $_ eq $l->{name} } @{ $n->{after} } });
    my @b = distances($code, sub { $_[0]{opcode} =~ /^(LDG|LDS|LD)\b/ },
        sub { my ($n, $l) = @_; my %to = map { $_ => 1 } @{ $l->{to} }; grep { $to{$_} } @{ $n->{from} } });
    my (%near, %far);
    push @{ $near{$_->{line}} }, $_->{distance} for @a;
    push @{ $far{$_->{line}} }, $_->{distance} for @b;
    my @common = grep { $far{$_} } sort { $a <=> $b } keys %near;
    my ($ours, $theirs) = (mean(map { mean(@{ $near{$_} }) } @common), mean(map { mean(@{ $far{$_} }) } @common));
    printf "%-18s graph %8d  sass %8d  ratio %.2f   loads %3d: first use after %5.1f, sass %5.1f\n", $name, $graph, $sass,
        $graph / ($sass || 1), scalar @common, $ours, $theirs;
    push @ratios, $graph / $sass if $sass;
    for my $line (@common) {
        my ($x, $y) = (mean(@{ $near{$line} }), mean(@{ $far{$line} }));
        push @pairs, [$x, $y];
        printf "    line %4d  graph %5.1f  sass %5.1f  %s\n", $line, $x, $y, $lines[$line - 1] =~ s/.*\n//r if $option{loads};
    }
    my %both = (%graph, %sass);
    for (sort keys %both) {
        my ($x, $y) = ($graph{$_} // 0, $sass{$_} // 0);
        $all{$_}[0] += $x / ($sass || 1);
        $all{$_}[1] += $y / ($sass || 1);
        printf "    %-14s %8d %8d\n", $_, $x, $y if $option{classes} && ($x || $y);
    }
}
my $log = 0;
$log += log $_ for @ratios;
printf "%d kernels: graph / SASS %.3f (geometric mean), %.2f to %.2f\n", scalar @ratios, exp($log / @ratios),
    (sort { $a <=> $b } @ratios)[0, -1] if @ratios;
printf "share of SASS, mean over kernels:\n" if $option{classes};
printf "    %-14s graph %.3f  sass %.3f\n", $_, map { $_ / @ratios } @{ $all{$_} } for $option{classes} ? sort keys %all : ();
if (@pairs) {
    my $off = mean(map { abs log($_->[0] / $_->[1]) } @pairs);
    printf "%d loads: distance to first use graph %.1f, SASS %.1f (means); mean factor between them %.2f\n", scalar @pairs,
        mean(map { $_->[0] } @pairs), mean(map { $_->[1] } @pairs), exp $off;
}
