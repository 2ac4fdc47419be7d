# SPDX-License-Identifier: BSD-3-Clause
# For tests/house.t: what HACKING.md says must stay so, as far as files tell by what they include.
use strict;
use warnings;
use Test::More;
use files;
use named;

# What each floor may include beside itself.
my %below = (
    base            => '',
    gpu             => 'base',
    idg             => 'base',
    ptx             => 'base',
    draw            => 'base',
    sass            => 'base ptx',
    lift            => 'base idg ptx sass',
    launch          => 'base gpu idg lift ptx',
    code            => 'base gpu idg launch lift ptx sass',
    sim             => 'base gpu idg',
    roofline        => 'base draw gpu idg',
    'latency-bench' => 'base gpu idg lift ptx roofline sass sim',
    answer          => 'base gpu idg latency-bench launch lift ptx roofline sass sim',
    tell            => 'answer base draw gpu idg latency-bench roofline sass sim',
    sweep           => 'answer base code gpu idg launch tell',
    advice          => 'answer base code gpu idg launch lift ptx roofline sim tell',
    card            => 'advice answer base code draw gpu idg latency-bench launch lift ptx roofline sass tell',
    check           => 'advice answer base code gate gpu idg tell',
    gate            => 'base code gpu sass tell',
    serve           => 'advice answer base code gate gpu idg tell roofline',
    profile         => 'base card roofline tell',
    driver          => 'base card gpu ptx',
    cli             => '',
);

my @tracked = grep { -f } split /\n/, `git ls-files 2>/dev/null || find . -type f`;
s{^\./}{} for @tracked;
my %is_there = map { $_ => 1 } @tracked;

# ---- includes point down
my %includes;
for my $file (grep { /\.[chly]$/ && !m{^tests/} } @tracked) {
    $includes{$file} = [slurp($file) =~ /^#include "([^"]+)"/gm];
}
for my $floor (sort keys %below) {
    my %may = map { $_ => 1 } $floor, split ' ', $below{$floor};
    my @wrong;
    for my $file (grep { m{^\Q$floor\E/} } sort keys %includes) {
        for my $included (@{ $includes{$file} }) {
            my ($folder) = $included =~ m{^([^/]+)/};
            push @wrong, "$file: $included" if defined $folder ? !$may{$folder} : $included =~ /^pipesim/ && $floor ne 'cli';
        }
    }
    is_deeply(\@wrong, [], "$floor/ includes what stands below it");
}

# Within these folders a room needs those before it alone. What stands outside of rooms may be the floor of all.
my %rooms = (lift => [qr{lift/build\.h}, qw(memory loops groups values rules emit)],
             ptx => [qr{ptx/[^/]+}, qw(code step alu native run)]);

# What files of rooms need above them. needs: FILE => {FILE => 1}
sub upward {
    my ($floor, $needs) = @_;
    my ($common, @order) = @{ $rooms{$floor} };
    my @upward;
    for my $i (0 .. $#order) {
        for my $file (grep { m{^$floor/$order[$i]/} } sort keys %$needs) {
            for my $needed (grep { m{^$floor/} && !m{^$common$} } sort keys %{ $needs->{$file} }) {
                push @upward, "$file: $needed" unless grep { $needed =~ m{^$floor/$_/} } @order[0 .. $i];
            }
        }
    }
    return \@upward;
}

my %needs;
for my $file (keys %includes) {
    $needs{$file}{$_} = 1 for @{ $includes{$file} };
}
for my $floor (sort keys %rooms) {
    is_deeply(upward($floor, \%needs), [], "rooms of $floor/ include those below them");
    my ($common, @order) = @{ $rooms{$floor} };
    cmp_ok(scalar(grep { m{^$floor/(?:@{[ join '|', @order ]})/} } keys %includes), '>', 60, '... where most of its files are');
}

# ---- no circle of files: neither do they include each other in one, nor call
# The circles of a graph, FILE => {FILE => 1}, each as a text.
sub circles {
    my ($needs) = @_;
    my (%state, @circles, $visit);
    $visit = sub {
        my ($file, @path) = @_;
        return if ($state{$file} // '') eq 'done';
        if (($state{$file} // '') eq 'open') {
            shift @path while @path && $path[0] ne $file;
            push @circles, join ' -> ', @path, $file;
            return;
        }
        $state{$file} = 'open';
        $visit->($_, @path, $file) for sort keys %{ $needs->{$file} };
        $state{$file} = 'done';
    };
    $visit->($_) for sort keys %$needs;
    return \@circles;
}

is_deeply(circles(\%needs), [], 'files include each other in no circle');

# Object files tell of calls: what one leaves undefined, another defines. A table of functions counts, too.
my $build = $ENV{BUILD} || 'build';
my %source_of;
for my $file (grep { m{^([^/]+)/.*\.[cly]$} && exists $below{$1} } keys %includes) {
    my $object = $file =~ s/\.c$/.o/r =~ s/\.l$/.lex.o/r =~ s/\.y$/.tab.o/r;
    $source_of{"$build/$object"} = $file;
}
SKIP: {
    my @objects = grep { -f } sort keys %source_of;
    skip "nothing is built in $build", 4 if !@objects;
    is_deeply([grep { !-f } sort keys %source_of], [], 'each source has its object');
    my (%defined_in, %calls, @undefined);
    for my $line (split /\n/, `nm -A -g -P @objects`) {
        my ($object, $name, $type) = $line =~ /^(.*?): (\S+) (\S)/;
        if ($type =~ /[Uwv]/) { push @undefined, [$object, $name] }
        else                  { $defined_in{$name} = $source_of{$object} }
    }
    for (@undefined) {
        my ($object, $name) = @$_;
        $calls{ $source_of{$object} }{ $defined_in{$name} } = 1 if $defined_in{$name};
    }
    cmp_ok(scalar(keys %calls), '>', @objects / 2, 'most of them call others') or last SKIP;
    is_deeply(circles(\%calls), [], 'files call each other in no circle');
    is_deeply(upward('ptx', \%calls), [], 'rooms of ptx/ call those below them');
}

# ---- links lead somewhere (those of the reference are Doxygen's)
my @broken;
for my $page (grep { /\.md$/ && !m{^docs/reference/library/} } @tracked) {
    my $folder = $page =~ m{^(.*/)} ? $1 : '';
    for my $link (slurp($page) =~ /\]\((?!https?:)([^)#\s]+)[^)]*\)/g) {
        push @broken, "$page: $link" unless -e "$folder$link";
    }
}
is_deeply(\@broken, [], 'every link in a page leads to a file');

# ---- tables stand alone: a line of one that a paragraph took in shows as dashes
my @swallowed = grep { slurp($_) =~ /^\h*+[^|\s].*\|:?--+:?\|/m } grep { /\.md$/ } @tracked;
is_deeply(\@swallowed, [], 'no paragraph has a table in it');

# ---- comments name files that are there
my $named = named::all(@tracked);
my @texts = grep { /\.(?:[chly]|pl|pm|t|mk|awk|sh|table)$/ && $_ ne 'tests/house.pl' } @tracked;
is_deeply([map { named::strange($_, slurp($_), $named) } @texts], [], 'every file that a comment names is there');
is_deeply([named::strange('sim/x.c', "/* See gone.h. */\n", $named)], ['sim/x.c:1: gone.h'], '... one that is not is found');
is_deeply([named::strange('sim/x.c', "int x;\n/*\n * See sim/engine/gone.c.\n */\n", $named)], ['sim/x.c:2: sim/engine/gone.c'], '... by its path, too');
is_deeply([named::strange('make/x.mk', "# See gone.mk\n", $named)], ['make/x.mk:1: gone.mk'], '... and in comments of scripts');
is_deeply([named::strange('sim/x.c', '/* See sim.h and base/error.h, or profile.xml. */ x = "gone.h";', $named)], [], '... and nothing else is');

# ---- comments of C begin with their subject
sub backwards {
    my ($file, $text) = @_;
    my @found;
    while ($text =~ m{/\*[\s*]*(Of|That|So|Who|Whose|Whoever|Likewise|And|Nor)\b}g) {
        my $line = 1 + (substr($text, 0, $-[0]) =~ tr/\n//);
        push @found, "$file:$line: $1";
    }
    return @found;
}
is_deeply([map { backwards($_, slurp($_)) } grep { /\.[chly]$/ } @tracked], [], 'no comment begins with Of, That, Who, Likewise, And, ...');
is_deeply([backwards('x.c', "int x; /* Office. */\n/*\n * Of x. */\n")], ['x.c:2: Of'], '... one that does is found');

# ---- types and macros of public headers say what they are, so that `make docs` passes where there is no Doxygen
sub silent {
    my ($file, $filtered) = @_;
    $filtered =~ s{/\*\*<.*?\*/}{\x02}gs;
    $filtered =~ s{/\*\*.*?\*/}{\x01}gs;
    $filtered =~ s{/\*.*?\*/}{}gs;
    my ($before, @silent) = ('');
    for my $line (split /\n/, $filtered) {
        my ($name) = $line =~ /^(?:typedef struct \w+ |#define )(\w+)/;
        push @silent, "$file: $name" if defined $name && $name !~ /_H\z/ && "$before$line" !~ /[\x01\x02]/;
        $before = $line =~ /\x01\s*\z/ ? $line : '';
    }
    return @silent;
}
my @outward = grep { m{/} || /\.md$/ } slurp('docs/reference/library/main.md') =~ /\]\((?!https?:)([^)]+)\)/g;
is_deeply(\@outward, [], "the reference's first page links to no page outside of the reference");
my $filter = 'docs/reference/library/filter.pl';
my @public = slurp('pipesim.h') =~ /^#include "([^"]+)"/gm;
is_deeply([map { silent($_, scalar `$filter $_`) } @public], [], 'every type and macro of a public header has a comment');
is_deeply([silent('x.h', "/** About X. */\n#define X 1\ntypedef struct Y Y; /**< about Y */\n#define PIPESIM_X_H\n")], [], '... above it or behind it');
is_deeply([silent('x.h', "#define X 1\n/* No. */\ntypedef struct Y Y;\n")], ['x.h: X', 'x.h: Y'], '... one that has none is found');

# ---- the schema of JSON has the causes that advice can have
my ($kinds) = grep { /what-if/ } slurp('tell/facts.table') =~ /^ +kind +name\n((?: += .*\n)+)/gm;
my @causes = slurp('answer/causes.h') =~ /^ +X\(\w+, "([^"]+)"\)/gm;
is_deeply([sort map { split /, / } $kinds =~ /one of ([^;\n]+)/g], [sort @causes],
    'advice.kind of tell/facts.table has the causes of answer/causes.h');

# ---- every folder that HACKING.md's map names tells what it is
ok(-f "$_/README.md", "$_/ has an account of itself") for grep { -d } sort keys %below;
my $map = slurp('HACKING.md');
like($map, qr{^\Q$_\E/|\s\Q$_\E/}m, "HACKING.md's map has $_/") for sort keys %below;
cmp_ok(scalar(() = $map =~ /\n/g), '<=', 100, 'HACKING.md is two screens');

# ---- each script says in its head where it runs (make/check.mk)
is_deeply([grep { slurp($_) !~ /^# Runs: (?:(?:quick )?check|nightly)(?: (?:nightly-)?sanitize)?$/m } glob 'tests/*.t'], [], 'each script says which stages run it');

# ---- what is made goes to BUILD, and never to the root of the file system
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};    # of the make that runs this test
for my $empty ('', ' ') {
    my $said = `make -n 'BUILD=$empty' all 2>&1`;
    isnt($?, 0, "make BUILD='$empty' is refused");
    like($said, qr/\A[^\n]*BUILD is empty: name the folder [^\n]*\n\z/, '... in one line, with what to do');
}

done_testing();
