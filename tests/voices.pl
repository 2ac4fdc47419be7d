# SPDX-License-Identifier: BSD-3-Clause
# For tests/voices.t. One answer, many voices: each sentence of the text is in the JSON and on the page, word by word, and the other way
# round. A page is made of an answer that is explained, so the JSON is, too.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

my $program = $ENV{PIPESIM} // './pipesim';
my $folder  = tempdir(CLEANUP => 1);

my $code = 'tests/corpus/mmul16.ptx --grid 4x4 --block 16x16 --arg size=64 --arg a=ramp:16K --arg b=ramp:16K '
    . '--arg c=zero:16K --registers 32 --from ptx';
my @runs = (
    'mmul08.idg --gpu pascal.xml',
    'mmul08.idg --gpu pascal.xml --measured 5.1',
    'saxpy.idg --gpu gpus/v100.xml',
    'saxpy.idg --gpu gpus/v100.xml --cache warm',
    "$code --gpu a100",
    "$code --gpu rtx4090 --clamp roofline",
    'mmul08.idg --gpu pascal.xml --active 1',
);

# What a sentence of the table of facts is called.
sub read_headings {
    my %heading;
    open my $table, '<', 'tell/facts.table' or die "tell/facts.table: $!\n";
    my $in_words = 0;
    while (<$table>) {
        $in_words = /^words / if /^\S/;
        $heading{$1} = $2 if $in_words && /^  (\S+) +sentence +(.*)/;
    }
    return \%heading;
}

# The labelled lines of the text, unwrapped, under their label.
sub read_text {
    my ($text) = @_;
    my (%said, $label);
    for (split /\n/, $text) {
        if (/^(\S.{0,12}?)  +(\S.*)/) { $label = $1; $said{$label} = $2 }
        elsif (/^ {14}(\S.*)/ && $label) { $said{$label} .= " $1" }
        else                             { undef $label }
    }
    return \%said;
}

# The rows of the page's table of the run, under their label.
sub read_page {
    my ($page) = @_;
    open my $file, '<', $page or die "$page: $!\n";
    my $html = do { local $/; <$file> };
    my %said = $html =~ m{<tr><th scope='row'>([^<]*)</th><td>([^<]*)</td></tr>}g;
    for (values %said) { s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#39;|&apos;/'/g; s/&amp;/&/g }
    return \%said;
}

my $headings = read_headings();
cmp_ok(scalar keys %$headings, '>', 10, 'the table has sentences');
for my $run (@runs) {
    my $page = "$folder/page.html";
    my $text = read_text(scalar `$program $run --report $page 2>/dev/null`);
    my $told = decode_json(scalar `$program $run --explain --format json 2>/dev/null`)->{words};
    my $html = read_page($page);
    $told->{time} = join '; ', grep { defined } $told->{time}, delete $told->{performance};
    my %joined = map { $headings->{$_} => $told->{$_} } keys %$told;
    $html->{Time} = join '; ', grep { defined } $html->{Time}, delete $html->{Performance};
    my %known = map { $_ => 1 } values %$headings;
    is_deeply({ map { $_ => $text->{$_} } grep { $known{$_} } keys %$text }, \%joined, "$run: text and JSON");
    is_deeply({ map { $_ => $html->{$_} } grep { $known{$_} } keys %$html }, \%joined, '... and the page');
    my @others = grep { $_ ne 'Limited by' } keys %joined;
    unlike(join("\n", grep { defined } @joined{@others}),
        qr/\bbound\b|what limits/, '... which have one verdict, "Limited by"');
}

# Of a what-if, what the text says below "... what if" is on the page, too, in the same order.
{
    my $run  = 'mmul08.idg --gpu pascal.xml --groups 64 --what-if local.issue=7';
    my $page = "$folder/page.html";
    my $text = `$program $run --report $page 2>/dev/null`;
    my @said = map { s/\n {14}/ /gr } $text =~ /^\.\.\. what if   ((?:.*\n {14})*.*)$/mg;
    open my $file, '<', $page or die "$page: $!\n";
    my $html = do { local $/; <$file> };
    my @shown = $html =~ m{<th scope='row'>\.\.\. what if</th><td>([^<]*)</td>}g;
    cmp_ok(scalar @said, '>', 2, "$run: the text tells what would be if");
    is_deeply([ grep { my $one = $_; grep { $one eq $_ } @said } @shown ], \@said, '... and so does the page');
}

# The rows of a table of the text, below its title or head: their cells, one blank apart.
sub read_rows {
    my ($text, $title) = @_;
    my ($block) = $text =~ /^ *\Q$title\E.*\n((?:  \S.*\n|   .*\n)+)/m or return [];
    $block =~ s/^  - .*\n(?: {4}\S.*\n)*//mg;    # what is said of the table
    $block =~ s/\n {12,}/  /g;    # figures below a name that is too long for its column
    return [ map { s/^ +//r =~ s/ {2,}/ /gr } grep { !/^  (?:and \d+ more|- )/ } split /\n/, $block ];
}

# The same of the page.
sub read_html_rows {
    my ($html, $title) = @_;
    my ($table) = $html =~ m{<h3>\Q$title\E</h3>(.*?)</table>}si or return [];
    my @rows;
    for ($table =~ m{<tr[^>]*>(.*?)</tr>}gs) {
        s{<td[^>]* data-of='time'>.*?</td>|<th[^>]*>time</th>|<span[^>]*></span>}{}g;    # the page alone has that
        my @cells = m{<t[hd][^>]*>([^<]*)</t[hd]>}g;
        push @rows, join ' ', grep { length } map { s/&lt;/</gr =~ s/&gt;/>/gr =~ s/&amp;/&/gr } @cells;
    }
    return \@rows;
}

# Tables are on the page as the text has them, with what would be if.
for my $run ('mmul08.idg --gpu pascal.xml', 'saxpy.idg --gpu gpus/v100.xml', "$code --gpu a100",
    'mmul08.idg --gpu pascal.xml --groups 64 --what-if local.issue=7')
{
    my $page = "$folder/page.html";
    my $text = `$program $run --tables --sensitivity --report $page 2>/dev/null`;
    open my $file, '<', $page or die "$page: $!\n";
    my $html = do { local $/; <$file> };
    my @shown;
    for my $title (
        'Pipelines', 'Memory (bytes of the launch; hits: those that need no level behind)',
        'Instruction classes (lambda: issue, Lambda: completion latency, in cycles)', 'Source lines',
        'Sensitivity: the time, if one thing changes')
    {
        my $rows = read_rows($text, $title);
        push @shown, $title if @$rows > 1;
        is_deeply(read_html_rows($html, $title), $rows, "$run: the page's table: $title") if @$rows > 1;
    }
    cmp_ok(scalar @shown, '>', 2, '... and there are tables');
}

# What the text says below the table of sensitivities is on the page, too, and chance in the JSON.
for my $run (
    'mmul08.idg --gpu pascal.xml --active 1',
    'tests/corpus/mmul16.ptx --grid 16x16 --block 16x16 --arg size=256 --arg a=ramp:256K --arg b=ramp:256K '
    . '--arg c=zero:256K --registers 38 --from ptx --gpu v100'
) {
    my $page = "$folder/page.html";
    my ($below) = `$program $run --sensitivity --report $page 2>/dev/null` =~ /^Sensitivity:.*\n((?:  .*\n)+)/m;
    my @said = map { s/\n +/ /gr } $below =~ /^  - (.*(?:\n    .*)*)$/mg;
    my $told = decode_json(scalar `$program $run --sensitivity --format json 2>/dev/null`);
    open my $file, '<', $page or die "$page: $!\n";
    my $html = do { local $/; <$file> };
    cmp_ok(scalar @said, '>', 0, "$run: something is said of sensitivities");
    is_deeply([ grep { index($html, "<li>$_</li>") < 0 } @said ], [], '... which is on the page');
    my ($chance) = map { /^Changes up to ([\d.]+) % may be chance/ ? $1 : () } @said;
    is(sprintf('%.1f', 100 * $told->{sensitivity_chance}), $chance // '0.0', '... and in the JSON');
}

# Sentences between the tables of the critical path are on the page, too.
{
    my %seen;
    for my $run ('saxpy.idg --gpu gpus/v100.xml', "$code --gpu a100 --groups 999") {
        my $page = "$folder/page.html";
        my ($path) = `$program $run --explain --report $page 2>/dev/null` =~ /^Critical path:.*\n((?:\n?  .*\n)+)/m;
        my @said = map { s/\n +/ /gr } $path =~ /^  ([A-Z](?:(?!  ).)*(?:\n  \S(?:(?!  ).)*)*\.)$/mg;
        open my $file, '<', $page or die "$page: $!\n";
        my $html = do { local $/; <$file> };
        $html =~ s/&quot;/"/g;
        $seen{ substr $_, 0, 12 } = 1 for @said;
        is_deeply([ grep { index($html, ">$_</p>") < 0 } @said ], [], "$run: what is said of the path is on the page");
    }
    is_deeply([ sort keys %seen ], [ 'A group wait', 'An instructi', 'The graph st' ], '... all that there is to say');
}

# A softmax waits for results, and equation 19 takes its time for its instructions: no voice, of no verb, says the
# second as if it were a verdict.
my $softmax = 'tests/corpus/softmax.ptx --kernel softmax --grid 400 --block 96 --arg columns=150 --arg in=ramp:240000 '
    . '--arg out=zero:240000 --from ptx';
for my $asked (
    "$softmax --gpu a100", "$softmax --gpu a100 --tables --explain",
    "$softmax --gpu a100 --format markdown",
    "sweep $softmax --gpu a100 --vary active=1..2",
    "compare $softmax --gpu a100 --gpu v100",
    "roofline $softmax --gpu a100",
    "roofline $softmax --gpu a100 --gpu v100",
    "roofline $softmax --gpu a100 --format markdown",
    "$softmax --gpu a100 --report $folder/page.html --output /dev/null"
) {
    my $said = `$program $asked 2>/dev/null`;
    if ($asked =~ /--report (\S+)/) {
        open my $file, '<', $1 or die "$1: $!\n";
        local $/ = undef;
        $said = <$file>;
    }
    cmp_ok(length $said, '>', 100, $asked);
    unlike($said, qr/(?:memory|compute)[- ]bound|bound by|\bbound\b\s*\|?\s*at least/, '... has no second verdict');
}
# No verb's text has a figure that its JSON lacks.
require './tests/figures-in-json.pl';
for my $run (
    'mmul08.idg --gpu pascal.xml --explain --sensitivity',
    'compare mmul08.idg --gpu pascal.xml --gpu v100',
    'roofline saxpy.idg --gpu v100',
    'roofline mmul08.idg --gpu pascal.xml --gpu a100',
    'show mmul08.idg --gpu pascal.xml',
    'show gtx1060 v100',
    'gate tests/gate/before.cubin tests/gate/spilled.cubin',
) {
    my ($text, $json) = map { scalar `$program $run --format $_ 2>/dev/null` } 'text', 'json';
    cmp_ok(length $text, '>', 100, $run);
    is_deeply([ figures_missing($text, $json) ], [], '... every figure of the text is in the JSON');
}
is_deeply([ figures_missing("7.5 us, 3 of 50\n", '{"a": 7.5e-6, "b": 3}') ], [ '50: 7.5 us, 3 of 50' ],
    'a figure that is not there would be found');
done_testing();
