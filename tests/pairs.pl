# SPDX-License-Identifier: BSD-3-Clause
# Kernels before and after a change: what compare charges to source lines. A line is known by its text, wherever it stands
# and whatever its file is called; what did not change is charged nothing.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my $pairs   = 'tests/pairs';
my $folder  = tempdir( CLEANUP => 1 );
my $launch  = '--gpu v100.xml --from ptx --registers 32 --grid 8 --block 128 --kernel columns --arg in=ramp:256K '
  . '--arg scale=ramp:4K --arg out=zero:4K --arg width=1024 --arg height=64';

sub compared {
    my ($words) = @_;
    my $text = qx($program compare $words --format json 2>/dev/null);
    is( $?, 0, "compare $words" );
    return decode_json($text)->{difference};
}

sub difference {
    my ( $a, $b ) = @_;
    return compared("$a $b $launch");
}

sub text_of_line {
    my ($words) = @_;
    my $text = qx($program compare $words 2>/dev/null);
    $text =~ s/\s+/ /g;
    return $text;
}

sub text_of {
    my ( $a, $b ) = @_;
    return text_of_line("$a $b $launch");
}

# The row of a line of A, by a part of its text in weigh.cu.
sub row_of {
    my ( $difference, $part ) = @_;
    my $line = 1 + ( slurp("$pairs/weigh.cu") =~ /^(.*?)\Q$part\E/s ? $1 =~ tr/\n// : -1 );
    my ($row)  = grep { ( $_->{a_line} // '' ) =~ /:$line$/ } @{ $difference->{by_line} };
    ok( $row, "... has a row for $part" );
    return $row // {};
}

sub spit {
    my ( $path, $text ) = @_;
    open my $out, '>', $path or die $!;
    print $out $text;
    close $out or die $!;
    return;
}

sub slurp {
    my ($path) = @_;
    local ( @ARGV, $/ ) = $path;
    return scalar <>;
}

# Two kernels that do the same: each line is found, and charged nothing.
sub charges_nothing {
    my ( $difference, %changes ) = @_;
    my @rows = grep { defined $_->{line} } @{ $difference->{by_line} };
    is_deeply( [ grep { $_->{difference_seconds} != 0 } @rows ], [], '... no line is charged' );
    is( $difference->{line_problem}, undef, '... without a problem' );
    is( $difference->{line_note},    undef, '... by their text' );
    $changes{ $_->{change} }-- for @rows;
    is_deeply( [ grep { $_ ne 'same' && $changes{$_} != 0 } keys %changes ], [], '... and became what they are' );
    return;
}

# An inserted comment, a moved function, another name.
charges_nothing( difference( "$pairs/weigh.ptx", "$pairs/weigh-comment.ptx" ), same  => 0 );
charges_nothing( difference( "$pairs/weigh.ptx", "$pairs/weigh-moved.ptx" ),   moved => 2 );
spit( "$folder/other.cu", slurp("$pairs/weigh.cu") );
spit( "$folder/other.ptx", slurp("$pairs/weigh.ptx") =~ s/"weigh\.cu"/"other.cu"/r );
my $renamed = difference( "$pairs/weigh.ptx", "$folder/other.ptx" );
charges_nothing($renamed);
is_deeply( [ @{ row_of( $renamed, 'float x = in' ) }{qw(a_line b_line)} ], [ 'weigh.cu:16', 'other.cu:16' ], '... by their own names' );

# Unrolled by hand: one line is four, in one row; what the loop is made of otherwise stays what it is.
my $unrolled = difference( "$pairs/weigh.ptx", "$pairs/weigh-unrolled.ptx" );
my $load     = row_of( $unrolled, 'float x = in' );
is( $load->{change}, 'changed', '... which has changed' );
is( $load->{b_line}, 'weigh-unrolled.cu:16-19', '... to four lines' );
is( $unrolled->{by_line}[0]{line}, $load->{line}, '... and is charged most' );
is( row_of( $unrolled, 'out[column] +=' )->{b_line}, 'weigh-unrolled.cu:20', '... as is what adds them up' );
is( row_of( $unrolled, 'y * y - x' )->{change}, 'same', '... and what they are given to is the same' );
ok( !( grep { ( $_->{change} // '' ) =~ /^only/ } @{ $unrolled->{by_line} } ), '... nothing is on one side alone' );

# A load before the loop instead of in it is the load still.
my $hoisted = difference( "$pairs/weigh.ptx", "$pairs/weigh-hoisted.ptx" );
my $scale   = row_of( $hoisted, 'scale[column]' );
is( $scale->{b_line}, 'weigh-hoisted.cu:13', '... at its new place' );
like( $scale->{change}, qr/^(same|moved)$/, '... as it was' );
like( text_of( "$pairs/weigh.ptx", "$pairs/weigh-hoisted.ptx" ), qr/weigh\.cu:15 -> weigh-hoisted\.cu:13 /, '... in text, too' );

# A load through an intrinsic is of the line that calls it, with the header's beside it; what has no line of its own is near
# that of what is before it.
my $cached = row_of( difference( "$pairs/weigh.ptx", "$pairs/weigh-cached.ptx" ), 'float x = in' );
is( $cached->{b_line}, 'weigh-cached.cu:16', '... where the intrinsic is called' );
my $run = decode_json( scalar qx($program run $pairs/weigh-cached.ptx $launch --advise --format json 2>/dev/null) );
my ($own) = grep { ( $_->{line} // '' ) eq 'weigh-cached.cu:16' } @{ $run->{critical_path}{by_line} };
like( $own->{via}, qr/^sm_32_intrinsics\.hpp:\d+$/, '... and the header says which' );
for my $told ( $run->{bottleneck}, ( grep { $_->{kind} ne 'launch' && $_->{kind} ne 'tail' } @{ $run->{advice} } ),
    grep { defined $_->{class} } @{ $run->{critical_path}{by_class} } )
{
    my $what = join ' ', grep { defined } @{$told}{qw(kind class)};
    like( $told->{line}, qr/^weigh-cached\.cu:\d+$/, "... $what has a line" );
    ok( defined $told->{node}, '... and a node' );
}
my $near = decode_json( scalar qx($program run tests/corpus/mmul08.ptx --gpu v100.xml --from ptx --registers 32 --grid 2x2 --block 8x8 --arg size=16 --arg a=ramp:1K --arg b=ramp:1K --arg c=zero:1K --explain --format json 2>/dev/null) );
my ($loop) = grep { ( $_->{line} // '' ) eq 'mmul.cu:22' } @{ $near->{critical_path}{by_line} };
ok( $loop->{near_cycles} > 0 && $loop->{near_cycles} < $loop->{cycles}, 'what has no line is near the line before it' );
ok( !( grep { !defined $_->{line} && defined $_->{node} } @{ $near->{critical_path}{by_line} } ), '... so that each node has one' );

# Two kernels of one file are told apart by what they say; of one kernel a line is its number.
my $tiles = 'tests/corpus/transpose.ptx --gpu v100.xml --from ptx --registers 32 --grid 8x8 --block 32x8 --arg width=256 '
  . '--arg height=256 --arg in=ramp:256K --arg out=zero:256K';
my $two = compared("$tiles --kernel transpose_naive --versus --kernel transpose_padded");
my ($copy) = grep { ( $_->{a_line} // '' ) eq 'transpose.cu:18' } @{ $two->{by_line} };
is( $copy->{b_line}, 'transpose.cu:30,35-36', 'what copied at once now does through a tile' );
my $same = compared("$tiles --kernel transpose_naive --versus --active 1");
is_deeply( [ grep { ( $_->{change} // 'same' ) ne 'same' || ( $_->{a_line} // '' ) ne ( $_->{b_line} // '' ) } @{ $same->{by_line} } ],
    [], 'one kernel with two launches has the same lines' );

# A source that is not there: lines of one name and number are the same, and that is said.
spit( "$folder/gone.ptx", slurp("$pairs/weigh.ptx") =~ s/"weigh\.cu"/"gone.cu"/r );
spit( "$folder/again.ptx", slurp("$pairs/weigh-comment.ptx") =~ s/"weigh-comment\.cu"/"gone.cu"/r );
my %number = ( in => 0, scale => 1, out => 2, width => 3, height => 4 );
my $gone_launch = "$folder/gone.ptx $folder/again.ptx " . ( $launch =~ s/--arg \K(\w+)=/$number{$1}=/gr );
my $gone = compared($gone_launch);
like( $gone->{line_note}, qr/^lines go by their numbers, not by their text: gone\.cu is neither beside the code /, '... by numbers, since the text is gone' );
ok( ( grep { $_->{difference_seconds} != 0 && defined $_->{line} } @{ $gone->{by_line} } ), '... which are others' );
like( text_of_line($gone_launch), qr/Lines go by their numbers, not by their text: gone\.cu /, '... in text, too' );

# A source that has changed since its graph was made is not read; its digest tells.
spit( "$folder/weigh.cu",  slurp("$pairs/weigh.cu") );
spit( "$folder/weigh.ptx", slurp("$pairs/weigh.ptx") );
is( system("$program build $folder/weigh.ptx $launch --output $folder/weigh.idg 2>/dev/null"), 0, 'a graph of it' );
like( slurp("$folder/weigh.idg"), qr/ file="weigh\.cu" digest="[0-9a-f]{64}"/, '... has a digest' );
sub beside { return text_of_line("$folder/weigh.idg $pairs/weigh-comment.ptx $launch") }
unlike( beside(), qr/has changed/, '... which is that of the source' );
spit( "$folder/weigh.cu", "// new\n" . slurp("$pairs/weigh.cu") );
like( beside(), qr/by their numbers, not by their text: weigh\.cu has changed since the graph was made of it\./, '... and no longer is' );

sub told {
    my $text = qx($program run $folder/weigh.idg --gpu v100.xml @_ 2>/dev/null);
    return $text =~ s/\s+/ /gr;
}
like( told('--advise'), qr/Warnings - weigh\.cu has changed since the graph was made of it: lines are those of then/, '... as a run says that names lines' );
unlike( told(), qr/has changed/, '... and no other' );
spit( "$folder/weigh.cu", slurp("$pairs/weigh.cu") );
unlike( told('--advise'), qr/has changed/, '... nor one that is as it was' );

# Nothing in common, and no lines at all: said, and no table of lines.
spit( "$folder/none.ptx", slurp("$pairs/weigh.ptx") =~ s/^\s*\.loc.*$//mgr );
my $none = text_of( "$pairs/weigh.ptx", "$folder/none.ptx" );
like( $none, qr/B's graph states no source lines, so nothing is charged to them\./, 'without lines: said' );
unlike( $none, qr/by source line/, '... and not charged' );
my $saxpy = '--versus tests/corpus/saxpy.ptx --kernel saxpy --grid 5 --block 256 --arg n=1200 --arg a=2.3 --arg x=ramp:4800 '
  . '--arg y=zero:4800';
my $apart = qx($program compare $tiles --kernel transpose_naive $saxpy 2>/dev/null);
like( $apart, qr/No source line of A is one of B's, so nothing is charged to them\./, 'nothing in common: said' );
unlike( $apart, qr/by source line/, '... and not charged' );

done_testing();
