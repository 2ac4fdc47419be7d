# SPDX-License-Identifier: BSD-3-Clause
# Every way in which the program writes files, for tests of what becomes of them when a disk is full
# (full.pl) or a signal comes (kill.pl).
package writers;
use strict;
use warnings;
use Cwd;
use File::Basename;
use File::Temp;
use files;

my $root = getcwd;
( our $program = $ENV{PIPESIM} || './pipesim' ) =~ s{^(?!/)}{$root/};

my $gpu   = "$root/gpus/pascal.xml";
my $mmul  = "$root/graphs/mmul08.idg --gpu $gpu --param size=128";
my $chain = "$root/tests/golden/input/chain.idg --gpu $root/tests/golden/input/toy.xml";
my $code  = '--grid 4,4 --block 16,16 --arg c=zero:1M --arg a=ramp:1M --arg b=ramp:1M --arg size=64 --registers none';
my $plain = '--grid 4,4 --block 16,16 --arg ramp:1M --arg ramp:1M --arg zero:1M --arg 64 --registers none';
my $fast  = "--backend model:$gpu --quick";

# What a run is called; its arguments, where <NAME> is the path of a file that it writes. A name with
# + is that of a file that grows row by row, which keeps what is there. `gnuplot`: it needs it;
# `compiler`: it runs our own nvcc.
our @all = (
    { name => 'a table',     args => "sweep $mmul --vary active=1..8 --output <table.txt>" },
    { name => 'rows of CSV', args => "sweep $mmul --vary active=1..8 --format csv --output <rows.csv>" },
    { name => 'rows that go on', args => "sweep $mmul --vary active=1..8 --resume <+rows.csv>" },
    { name => 'an SVG', args => "sweep $mmul --vary active=1..4 --output <table.txt> --chart <sweep.svg>", gnuplot => 1 },
    { name => 'a PNG',  args => "sweep $mmul --vary active=1..4 --chart <sweep.png>", gnuplot => 1 },
    { name => 'a PDF',  args => "sweep $mmul --vary active=1..4 --chart <sweep.pdf>", gnuplot => 1 },
    { name => 'JSON',   args => "run $mmul --format json --output <run.json>" },
    { name => 'a page', args => "run $mmul --jobs 2 --report <page.html>" },
    { name => 'a trace and a log', args => "run $chain --trace <trace.json> --log <log.csv> --output <run.txt>" },
    { name => 'a graph', args => "build $root/tests/corpus/mmul16.ptx $code --output <graph.idg>" },
    { name => 'a graph of source', args => "build <=source.cu> $plain --output <graph.idg>", compiler => 1 },
    { name => 'a comparison', args => "compare $mmul --versus --active 1 --output <compare.txt>" },
    { name => 'a graph drawn', args => "show $root/graphs/mmul08.idg --dot --output <graph.dot>" },
    {   name    => 'measurements and a description',
        args    => "bench $fast --classes f* --force --output <gpu.xml> --raw <+gpu.raw.csv> --chart <bench.svg>",
        gnuplot => 1
    },
    {   name    => 'a validation',
        args    => "validate $gpu $fast --classes volkov-4 --force --output <report.md> --raw <+validate.raw.csv> "
          . '--points <points.csv> --chart <validate.svg>',
        gnuplot => 1
    },
    {   name    => 'a roofline',
        args    => "roofline $root/tests/profiles/ncu-raw.csv --gpu $root/gpus/v100.xml --output <roofline.txt> "
          . '--chart <roofline.svg>',
        gnuplot => 1
    },
);

# A folder with an nvcc of ours, which takes its time, and the source that it compiles.
our $tools = File::Temp->newdir;
mkdir "$tools/bin";
spew( "$tools/source.cu", '' );
spew( "$tools/bin/nvcc",  <<"SHELL" );
#!/bin/sh
for word; do [ "\$before" = -o ] && out=\$word; before=\$word; done
[ "\$out" ] || exit 0
head -n 20 $root/tests/corpus/mmul16.ptx >"\$out"
sleep 0.1
exec cp $root/tests/corpus/mmul16.ptx "\$out"
SHELL
chmod 0755, "$tools/bin/nvcc";
$ENV{PATH} = "$tools/bin:$ENV{PATH}";
delete @ENV{qw(PIPESIM_PATH NO_COLOR)};

# The file's bytes, without the times at which it was made; undef where there is none.
sub read_file {
    my ($path) = @_;
    return if !-r $path;
    my $text = slurp($path);
    $text =~ s/\b20\d\d-\d\d-\d\d(T[\d:]+Z)?/DATE/g;
    $text =~ s/(CreationDate \().*?\)/$1)/;
    return $text;
}

sub has_gnuplot {
    return scalar grep { -x "$_/gnuplot" } split /:/, $ENV{PATH};
}

# The names of the files that it writes.
sub files {
    my ($writer) = @_;
    return $writer->{args} =~ /<\+?([^>=]+)>/g;
}

sub grows {
    my ( $writer, $name ) = @_;
    return index( $writer->{args}, "<+$name>" ) >= 0;
}

# The command, as a list of words, where files are in that folder but one, which is that path.
sub command {
    my ( $writer, $folder, $name, $path ) = @_;
    my @words = split / /, $writer->{args};
    for (@words) {
        s/<=(.+)>/$tools\/$1/;
        s/<\+?(.+)>/$name && $1 eq $name ? $path : "$folder\/$1"/e;
    }
    return ( $program, @words );
}

1;
