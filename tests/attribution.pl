# SPDX-License-Identifier: BSD-3-Clause
# Rules are found in descriptions, taken from them, and what that does is told right (tests/validate/attribution.pl).
use strict;
use warnings;
use lib 'tests/validate';
use fidelity;
use File::Temp;
use Test::More;

my $folder = File::Temp->newdir;

# ---- rules ---------------------------------------------------------------------------------------

my %is = map { $_ => 1 } without::rules('v100');
ok( $is{$_}, "'$_' is a rule of a V100" ) for 'memory tag', 'overheads turnaround', 'level device mixed', 'atomics partial', 'memory wavefront', 'class pass', 'memory window',
  'pipeline sfu queue';
ok( !$is{$_}, "'$_' is none" ) for 'memory source', 'memory line', 'overheads timer', 'model policy', 'level l1 latency', 'level l1 bytes', 'chip clock', 'pipeline per', 'pipeline sfu per';

my $text = '<gpu name="x"><level name="l1" port="32" tag="1"/><level name="l2" port="64"/></gpu>';
is( without::lacking( $text, 'level l1 tag' ), $text =~ s/ tag="1"//r, 'a rule of one level is taken from it' );
is( without::lacking( $text, 'level l2 port' ), $text =~ s/ port="64"//r, '... of the next one, from that' );
is( without::lacking( $text, 'level l3 port' ), undef, 'what is not there is not taken' );
my $queue = '<gpu name="x"><pipeline name="a" queue="4" queue-source="s"/><pipeline name="b" queue="2" queue-source="t"/></gpu>';
is( without::lacking( $queue, 'pipeline a queue' ), $queue =~ s/ queue="4" queue-source="s"//r, 'a queue goes with its source, and no other does' );
my $policy = '<gpu name="x"><model policy="gty" order="program"/></gpu>';
is( without::lacking( $policy, 'model policy' ), $policy =~ s/gty/lrr/r, 'what was there before stands in' );
my $without = files::slurp( without::path( 'v100', 'memory wavefront' ) );
unlike( $without, qr/ (?:wavefront|lookup)="[^>]* store=/, 'what needs the rule goes with it' );
like( $without, qr/ tag="2" store="50"/, '... and nothing else does' );
ok( without::concerns( 'v100', @$_ ), "'$_->[0]' concerns $_->[1]" ) for [ 'memory tag', 'graphs/saxpy.idg' ], [ 'atomics partial', 'graphs/saxpy.idg' ],
  [ 'pipeline sfu queue', files::spew( "$folder/root.idg", '<node class="rsqrt"/>' ) ];
ok( !without::concerns( 'v100', @$_ ), "'$_->[0]' does not concern $_->[1]" )
  for [ 'local-memory swap', 'graphs/saxpy.idg' ], [ 'class pass', 'graphs/mmul08.idg' ], [ 'atomics line', 'graphs/fadd.idg' ],
  [ 'pipeline sfu queue', 'graphs/saxpy.idg' ];
is( without::path( 'v100', 'memory nothing' ), 'v100', 'a GPU without the rule stays what it is' );

# A launch whose time is that of groups that follow each other is shorter by their turnaround. It computes, since
# device memory would get ahead meanwhile.
sub cycles {
    my ($rule) = @_;
    local $ENV{WITHOUT} = $rule;
    my ($answer) = fidelity::answers( [ 'fadd.idg', '--gpu', 'v100', '--groups', 80 * 40, '--active', 1 ] );
    return $answer->{simulated}{cycles};
}
my $with = cycles('nothing');
is( cycles('level l2 nothing'), $with, 'a rule that no description has changes nothing' );
cmp_ok( $with - cycles('overheads turnaround'), '>=', 39 * 300, '39 turnarounds of 300 cycles are what that rule adds' );

# ---- tables --------------------------------------------------------------------------------------

my $run = files::spew( "$folder/run.tsv", <<'END' );
set	row	rule	measured	with	without
one	a	memory tag	100	110	100
one	b	memory tag	100	120	100
one	a	memory store	100	110	110
one	b	memory store	100	120	120
two	c	memory tag	100	100	80
two	c	memory store	100	100	100
END
is( scalar qx(tests/validate/attribution.pl sets $run), <<'END', 'errors by set, with and without; what changes nothing is left out' );
| without | one | two |
|:--|--:|--:|
| nothing | 15.0 % | 0.0 % |
| `memory tag` | **0.0 %** (+15.0) | 20.0 % (+25.0) |
END
is( scalar qx(tests/validate/attribution.pl rows $run), <<'END', 'rows, and what each rule adds' );
set	row	error	rules, and what each adds in percent
one	a	+10.0 %	memory tag +10.0
one	b	+20.0 %	memory tag +20.0
two	c	+0.0 %	memory tag +25.0
END
is( scalar qx(tests/validate/attribution.pl chart $run), "0\t0\tone\tmemory tag\t-15.0\n1\t0\ttwo\tmemory tag\t20.0\n\n", 'points that a rule mends or harms' );

# ---- kernels of sets -----------------------------------------------------------------------------

my $kernels = files::spew( "$folder/kernels.tsv", join '', "set\tgpu\tchoice\tname\tmeasured\tsimulated\troofline\n",
    map { "x\tg\t1\tr$_\t" . ( 10 + $_ ) . "\t" . ( 21 - $_ ) . "\t" . ( 10 + $_ ) . "\n" } 1 .. 20 );
my ( undef, undef, $line ) = split /\n/, scalar qx(tests/validate/tables.pl sets $kernels);
like( $line, qr/^\| x, `g` \| 20 \| .* \| -1\.000 \| 2\.73 \| 1\.91 \| 0\.0 % \| \+0\.0 % \| 1\.000 \| 1\.00 \| 1\.00 \|$/,
    'what a tuner would choose, by what is predicted and by equation 19' );
done_testing;
