# SPDX-License-Identifier: BSD-3-Clause
# For tests/figures.t. Each figure of a text is in the JSON of the same question: as a number that is rounded so in the
# text's unit, or in a text. What is made of two figures that stand before it in the same line, a ratio or a
# difference, need not be there. Each word of a text is in that JSON, too, or in the tables that all voices share.
use strict;
use warnings;
use Cwd 'abs_path';
use File::Basename 'dirname';
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util 'sum0';
use Test::More;

my $program = abs_path( $ENV{PIPESIM} // './pipesim' );
my $folder  = tempdir( CLEANUP => 1 );

# A figure as people read it: "12 582 912", "9.105 us", "28.6 %", "1.224 T"; not a part of a name.
my $UNIT   = qr/%|[mun]?s\b|[KMGT]i?B\b|[kKMGT](?:(?:op|B)\/s)?\b/;
my $FIGURE = qr/(?<![\w.#])(\d{1,3}(?:\ \d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\ ?($UNIT))?(?!\w)/;

# What a text's unit makes of the JSON's, which has none but seconds, bytes, shares and 1 for operations per second.
my %scales = (
    '%' => [100], 's' => [1], 'ms' => [1e3], 'us' => [1e6], 'ns' => [1e9],
    'k' => [1e-3], 'M' => [1e-6], 'K' => [1e-3], 'G' => [ 1e-9, 1 ], 'T' => [1e-12], 'KB' => [1e-3], 'MB' => [1e-6], 'GB' => [ 1e-9, 1 ],
    'TB' => [ 1e-12, 1e-3 ], 'TiB' => [ 1024**-4 ],
    'KiB' => [ 1024**-1 ], 'MiB' => [ 1, 1024**-2 ], 'GiB' => [ 1024**-3 ], '' => [ 1, 1e-9 ],
);

# What a text may make of numbers that stand together: half of an interval, a share of a peak or of all times.
sub made_of {
    my ($of) = @_;
    my $sheet = $of->{data_sheet} // {};
    my @times = map { $_->{measured_seconds} // () } grep { ref eq 'HASH' } map { ref eq 'ARRAY' ? @$_ : () } values %$of;
    my $all   = sum0(@times);
    return ( defined $of->{high} && defined $of->{low} ? ( $of->{high} - $of->{low} ) / 2 : () ),
        ( map { $of->{peaks}{$_} / $sheet->{$_} } keys %$sheet ), map { $_ / $all } grep { $all } @times;
}

# All that a document says: its numbers, and the figures of its texts with their units.
sub take_in {
    my ( $tree, $numbers, $texts ) = @_;
    if    ( ref $tree eq 'HASH' )  { take_in( $_, $numbers, $texts ) for values %$tree, keys %$tree, made_of($tree) }
    elsif ( ref $tree eq 'ARRAY' ) { take_in( $_, $numbers, $texts ) for @$tree, scalar @$tree }
    elsif ( !defined $tree || JSON::PP::is_bool($tree) ) { }
    elsif ( $tree =~ /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/ ) { push @$numbers, abs $tree }
    else { my $text = "$tree"; $texts->{ "$1 " . ( $2 // '' ) } = 1 while $text =~ /$FIGURE/g }
}

# Half of a figure's last digit.
sub half {
    my ($figure) = @_;
    my ($decimals) = $figure =~ /\.(\d+)/;
    return 0.5001 * 10**-length( $decimals // '' );
}

# TRUE where one of the values is that figure, as the text rounds it.
sub is_one_of {
    my ( $figure, @values ) = @_;
    my $slack = half($figure) + 1e-9 * $figure;
    return grep { abs( $_ - $figure ) <= $slack } @values;
}

# TRUE where it is the ratio or the difference of two figures, all of them rounded.
sub is_derived {
    my ( $figure, $before ) = @_;
    for my $x ( grep { $_ > 0 } @$before ) {
        for my $y (@$before) {
            my $ratio = $y / $x;
            return 1 if abs( $ratio - $figure ) <= half($figure) + half($x) / $x * $ratio + half($y) / $x;
            return 1 if abs( $y - $x - $figure ) <= half($figure) + half($x) + half($y);
        }
    }
    return 0;
}

# Per cent may be of a change, or of the whole time.
sub is_share {
    my ( $figure, $before, $told ) = @_;
    my $time = $told->{time};
    return is_one_of( $figure, map { 100 * abs( $_ - 1 ) } @{ $told->{numbers} } )
        || $time && is_one_of( $figure, map { 100 * abs( $_ / $time - 1 ) } @{ $told->{numbers} } )
        || $told->{cycles} && is_one_of( $figure, map { 100 * $_ / $told->{cycles} } @$before, @{ $told->{numbers} } );
}

# Cells may be one blank apart: "60 -> 235 100.0 %".
sub is_told {
    my ( $shown, $unit, $scales, $told ) = @_;
    my $figure = $shown =~ s/ //gr;
    return 1 if $told->{texts}{"$shown $unit"};
    for my $scale (@$scales) {
        return 1 if is_one_of( $figure, map { $_ * $scale } @{ $told->{numbers} } );
    }
    my ( $first, $rest ) = $shown =~ /^(\d+) (\d.*)$/ or return 0;
    return is_told( $first, '', $scales{''}, $told ) && is_told( $rest, $unit, $scales, $told );
}

# A line without what are no figures: names of equations, scales of charts, sums of what a table leaves out, and what
# cycles of two clocks are to each other, which is a ratio of times.
sub without_names {
    my ($line) = @_;
    return '' if $line =~ /\| ?\.*#|^\s*\d+ others\b/;
    $line =~ s/( at \d+ MHz .* at \d+ MHz) +[\d.]+/$1/;
    return $line =~ s/\(\d+\)|\bTables? \d|equations? \d+(?: to \d+)?|\d{4}-\d\d-\d\dT[\d:]+Z|10\^9|times 32|95 % confidence|[ABC]\d+\b//gr;
}

# The figures of a text that are not told, each with its line. A head that says "(us)" is for what stands below.
sub missing {
    my ( $text, $told, @more ) = @_;
    my ( @missing, $in_us );
    for my $line ( split /\n/, $text =~ s/\n {12,}(?=\S)/ /gr ) {
        $in_us = $line =~ /\(us\)/ if $line !~ /\d/ || $line =~ /\(us\)/;
        my ( $plain, @before ) = without_names($line);
        while ( $plain =~ /$FIGURE/g ) {
            my ( $shown, $unit ) = ( $1, $2 // '' );
            $unit =~ s{(?:op|B)/s$}{};
            my $figure = $shown =~ s/ //gr;
            my @scales = ( @{ $scales{$unit} }, $unit eq '' ? ( $in_us ? 1e6 : (), @more ) : () );
            push @missing, "$shown $unit: $line"
                if !is_told( $shown, $unit, \@scales, $told )
                && !( $unit eq '%' && is_share( $figure, \@before, $told ) )
                && !is_derived( $figure, \@before );
            push @before, $figure;
        }
    }
    return \@missing;
}

# What a page says, a line for each row and sentence, without its pictures and its source.
sub plain_text {
    my ($html) = @_;
    $html =~ s{<(svg|style|script|code)\b.*?</\1>}{}gs;
    $html =~ s{<th scope='row' class='n[^']*'>\d+</th>}{}g;    # the number of a line of source
    $html =~ s{</t[hd]>}{  }g;
    $html =~ s{</(?:tr|p|h\d|li|summary|figcaption|title|caption)>}{\n}g;
    $html =~ s{<[^>]*>}{  }g;
    return $html =~ s/&lt;/</gr =~ s/&gt;/>/gr =~ s/&#?\w+;/ /gr;
}

sub check {
    my ( $name, $text, $json, @more ) = @_;
    my ( @numbers, %texts );
    my $tree = eval { decode_json($json) } or return fail("$name: no JSON: $@");
    take_in( $tree, \@numbers, \%texts );
    my ( $result, $run ) = ref $tree eq 'HASH' ? @$tree{qw(result simulated)} : ();
    my $told = { numbers => \@numbers, texts => \%texts, time => $result->{seconds}, cycles => $run->{cycles} };
    my $figures = () = $text =~ /$FIGURE/g;
    cmp_ok( $figures, '>', 5, "$name says figures" );
    my $missing = missing( $text, $told, @more );
    ok( !@$missing, '... which are all in its JSON' ) or diag join "\n", @$missing;
    my $strange = strange_words( $text, $tree );
    ok( !@$strange, '... and so are its words' ) or diag join "\n", @$strange;
    return;
}

# ---- words

my $WORD = qr/(?<![\w-])[A-Za-z][a-z]{2,}/;

# What headings, units and meanings are made of: the table of facts, and that of views.
sub shared_words {
    my %shared;
    for my $table (qw(tell/facts.table tell/views.table)) {
        open my $file, '<', $table or die "$table: $!\n";
        while (<$file>) { $shared{ lc $_ } = 1 for /$WORD/g }
    }
    return \%shared;
}
my $shared = shared_words();

# All words of a document, with its keys.
sub words_in {
    my ($tree) = @_;
    return map { words_in($_) } %$tree if ref $tree eq 'HASH';
    return map { words_in($_) } @$tree if ref $tree eq 'ARRAY';
    return map { lc } ( $tree // '' ) =~ /$WORD/g;
}

# A text without what tells of the text itself: titles of tables, footnotes, and what else could be asked.
sub without_titles {
    my ($text) = @_;
    my @lines = split /\n/, $text =~ s/\n {14}(?=\S)/ /gr;
    return join "\n", grep { /\S {2,}\S/ && !/^(?:More|Use it) {2,}/ } @lines;
}

# The words of a text that neither the JSON has nor the tables, each once. Units are no words, nor is what is left of a
# name that is too long for its column.
sub strange_words {
    my ( $text, $tree ) = @_;
    my %known = ( %$shared, map { $_ => 1 } words_in($tree) );
    my %strange;
    my $whole = without_titles($text) =~ s/\S*\.\.\.\S+|\bGop\b//gr;
    for ( $whole =~ /$WORD/g ) { $strange{$_} = 1 if !$known{ lc $_ } }
    return [ sort keys %strange ];
}

# How many of a text's long figures are missed when their last digit is another one, as a share: what the test is worth.
sub worth {
    my ( $text, $json ) = @_;
    my ( @numbers, %texts, $n );
    take_in( decode_json($json), \@numbers, \%texts );
    my $wrong = $text =~ s/(\d[ .]\d\d)(\d)(?!\d)/$n++, $1 . ( $2 + 5 ) % 10/ger;
    return @{ missing( $wrong, { numbers => \@numbers, texts => \%texts } ) } / $n;
}

sub said { my ($arguments) = @_; return scalar `$program $arguments 2>/dev/null` }

my $code = 'tests/corpus/mmul16.ptx --grid 4x4 --block 16x16 --arg size=64 --arg a=ramp:16K --arg b=ramp:16K '
    . '--arg c=zero:16K --registers 32 --from ptx';
# A list of one kernel, which has become slower.
sub write_list {
    mkdir "$folder/was";
    for ( [ $folder, 20_000 ], [ "$folder/was", 10_000 ] ) {
        my ( $in, $count ) = @$_;
        system "sed 's/COUNT/$count/; s/LINE/3/' tests/gate/chain.idg.in >$in/chain.idg";
    }
    open my $list, '>', "$folder/kernels.toml" or die "$folder/kernels.toml: $!\n";
    print $list "gpus = [\"v100\"]\n[[kernel]]\nfile = \"chain.idg\"\n";
    return close $list;
}

write_list();
# What is asked, what text alone is asked for, and what JSON is.
my %verb_asked;
for my $run (
    [ 'saxpy.idg --gpu a100', '--tables', '' ],
    [ 'saxpy.idg --gpu a100 ', '--explain', '--explain' ],
    [ 'saxpy.idg --gpu a100 ', '--sensitivity', '--sensitivity' ],
    [ "$code --gpu a100", '--tables', '' ],
    [ "$code --gpu a100", '--advise', '--advise' ],
    [ 'mmul08-conflict.idg --gpu pascal --groups 64', '--advise', '--advise' ],
    [ 'mmul08.idg --gpu pascal --groups 64 --what-if local.issue=7 --explain', '', '' ],
    [ 'mmul08.idg --gpu pascal --measured 5.1 --explain', '', '' ],
    [ 'sweep saxpy.idg --gpu a100 --vary active=1..3', '', '' ],
    [ 'sweep mmul08.idg --gpu pascal --vary size=64,128 --what-if local.issue=7', '', '' ],
    [ 'compare saxpy.idg --gpu a100 --gpu v100', '', '' ],
    [ 'roofline saxpy.idg --gpu a100', '', '' ],
    [ 'roofline saxpy.idg --gpu a100 --gpu v100', '', '' ],
    [ 'gate tests/gate/before.cubin tests/gate/after.cubin --gpu a100 --block 128', '', '' ],
    [ 'roofline tests/profiles/ncu-raw.csv --gpu v100', '', '' ],
    [ "bench --backend model:v100.xml --quick --force --output $folder/v100.xml", '', '' ],
    [ "check $folder/kernels.toml --before $folder/was", '', '' ],
    [ "validate v100 --backend model:v100.xml --grid reduced --force --raw $folder/raw.csv", '', '' ],
    [ 'show a100',       '', '' ],
    [ 'show a100 v100',  '', '' ],
    [ 'show mmul08.idg --gpu a100', '', '' ],
) {
    my ( $asked, $text, $json ) = @$run;
    $verb_asked{ $asked =~ /^([a-z]+) / ? $1 : 'run' } = 1;
    check( "$asked $text", said("$asked $text"), said("$asked $json --format json") );
}

# A program's launches, with what advice says of the kernel that takes most. The program is of the driver's interface,
# so that it takes no compiler of CUDA's.
sub program_said {
    my ($more) = @_;
    my ( $app, $out ) = ( "$folder/app", "$folder/program-out" );
    my $libraries = dirname($program);
    system "$ENV{CC} $ENV{CFLAGS} $ENV{LDFLAGS} -std=c11 -D_POSIX_C_SOURCE=200809L -I. -o $app tests/program/driver-api.c "
        . "-L$libraries/libpipesim-driver -lcuda -Wl,-rpath-link,$libraries" and return '';
    system "$program program --gpu a100 --advise $more -o $out -- $app run >$folder/said 2>&1";
    open my $file, '<', $out or return '';
    local $/;
    return scalar <$file>;
}
$ENV{$_} //= $_ eq 'CC' ? 'cc' : '' for qw(CC CFLAGS LDFLAGS);
check( 'program', program_said(''), program_said('--format json') );
$verb_asked{program} = 1;

my $sweep = 'sweep saxpy.idg --gpu a100 --vary active=1..3';
cmp_ok( worth( said($sweep), said("$sweep --format json") ), '>', 0.6, 'most figures that are wrong are not in JSON' );

# The page of a run, which has all that JSON has when it is asked for all.
for my $run ( 'saxpy.idg --gpu a100', "$code --gpu a100" ) {
    my $page = "$folder/page.html";
    said("$run --report $page");
    open my $file, '<', $page or die "$page: $!\n";
    my $html = do { local $/; <$file> };
    check( "$run: the page", plain_text($html), said("$run --explain --advise --sensitivity --format json") );
}

# A program and its launches, where nvcc is found. What it prints itself goes elsewhere.
SKIP: {
    skip 'no nvcc', 6 if !grep { -x "$_/nvcc" } split /:/, $ENV{PATH};
    my $program_run = 'program --gpu a100';
    system "nvcc -cudart shared -o $folder/heat docs/guide/heat.cu" and die 'nvcc fails';
    for my $format (qw(text json)) {
        system "$program $program_run --format $format --output $folder/heat.$format -- $folder/heat >/dev/null 2>&1";
    }
    my ( $text, $json ) = map { local ( @ARGV, $/ ) = "$folder/heat.$_"; scalar <> } qw(text json);
    check( $program_run, $text, $json );
    system "$program $program_run --report $folder/heat.html -- $folder/heat >/dev/null 2>&1";
    my $page = plain_text( do { local ( @ARGV, $/ ) = "$folder/heat.html"; scalar <> } );
    check( "$program_run, against its page", $text, encode_json( [ split /\n/, $page ] ) );
}

# Of each GPU, how many of its figures are measured, published and so on: the text has shares.
my $list = decode_json( said('list --gpus --format json') );
for my $gpu ( @{ $list->{gpus} } ) {
    my ( $all, $sources ) = ( 0, $gpu->{sources} );
    $all += $_ for values %$sources;
    $gpu->{shares} = [ map { $all ? $_ / $all : 0 } values %$sources ];
}
check( 'list --gpus', said('list --gpus'), encode_json($list), 1e-3 );
$verb_asked{list} = 1;

# Each verb that writes JSON for people's text is among them.
sub verbs_with_json {
    open my $table, '<', 'cli/options.table' or die "options.table: $!\n";
    local ( $/, $_ ) = ('');
    my %verbs;
    while (<$table>) {
        my ($names) = /^\@verbs (.*)$/m or next;
        $verbs{$_} = 1 for /^\@option format\b/m && /^\@type words .*\bjson\b/m ? split( / /, $names ) : ();
    }
    return sort keys %verbs;
}
is_deeply( [ grep { !$verb_asked{$_} } verbs_with_json() ], [], 'every verb that writes JSON is asked' );
done_testing();
