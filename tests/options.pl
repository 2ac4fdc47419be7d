# SPDX-License-Identifier: BSD-3-Clause
# cli/options.table, and what is made of it: the program takes each option as the table says,
# --help, completion and the man page have the same options, and errors in the table are found.
use strict;
use warnings;
use File::Temp;
use Test::More;
use files;

my $program = $ENV{PIPESIM} // './pipesim';
my $build   = $ENV{BUILD}   // 'build';
my $folder  = File::Temp->newdir;

# ---- the table: verbs in order, and a hash for each option

my ( @verbs, @options );
for ( split /\n/, slurp('cli/options.table') ) {
    my ( $keyword, $rest ) = /^@([a-z]+) ?(.*)/ or next;
    if    ( $keyword eq 'verb' ) { push @verbs, $rest }
    elsif ( $keyword eq 'option' ) {
        push @options, {};
        @{ $options[-1] }{qw(name letter)} = split / /, $rest;
    }
    else                         { $options[-1]{$keyword} = $rest }
}
for my $option (@options) {
    my %own = map { $_ => 1 } map { @{ $_->{all} // [] } } grep { $_->{name} eq $option->{name} } @options;
    $option->{listed} = [ $option->{verbs} eq '*' ? grep { !$own{$_} } @verbs : split / /, $option->{verbs} ];
    $option->{all}    = [ @{ $option->{listed} }, split / /, $option->{code} // '' ];
    $option->{words}  = [ map { s/\*//r } split / /, $1 ] if ( $option->{type} // '' ) =~ /^words (?:[a-z]+: )?(.*)/;
}

sub of_verb {
    my ( $verb, $which ) = @_;
    return grep {
        grep { $_ eq $verb } @{ $_->{$which} }
    } @options;
}

# The exit status and what is said of such a command line.
sub said {
    my @arguments = @_;
    my $pid = open my $pipe, '-|';
    if ( !$pid ) {
        open STDERR, '>&', \*STDOUT;
        exec $program, @arguments;
    }
    my $text = do { local $/; <$pipe> };
    close $pipe;
    return ( $? >> 8, $text // '' );
}

sub is_wrong {
    my ( $name, $like, @arguments ) = @_;
    my ( $status, $text ) = said(@arguments);
    ok( $status == 2 && $text =~ $like && $text =~ /^pipesim: [^\n]+ \(see pipesim $arguments[0] --help\)\n\z/, "@arguments: $name" )
      or diag("$status: $text");
}

# What else a verb is given so that it never gets to work: it takes no such thing, or lacks a file.
my %idle = ( bench => ['nothing'], list => ['nothing'] );

sub is_taken {
    my ( $option, $verb, $value ) = @_;
    my ( $status, $text ) = said( $verb, "--$option->{name}=$value", @{ $idle{$verb} // [] } );
    ok( $status == 2 && $text !~ /--\Q$option->{name}\E: /, "$verb --$option->{name}=$value is taken" ) or diag("$status: $text");
}

# ---- values

for my $option (@options) {
    my ( $name, $verb, $type ) = ( $option->{name}, $option->{listed}[0], $option->{type} // '' );
    if ( !defined $option->{value} ) {
        my ( $status, $text ) = said( $verb, "--$name", '--help' );
        is( $status, 0, "$verb --$name takes no value" );
        is_wrong( 'a value of a switch', qr/--$name takes no value, and here is '=no'/, $verb, "--$name=no" );
        next;
    }
    is_wrong( 'a value is missing', qr/Missing argument for --$name/, $verb, "--$name" ) if $option->{value} !~ /^\[/;
    if ( $type =~ /^number (\d+)\.\.(\d+)/ ) {
        my ( $least, $most ) = ( $1, $2 );
        for my $bad ( 'x', '', '1.5', $least - 1, substr( $most, 0, -1 ) . '99' ) {
            my $like = qr/--$name: '\Q$bad\E' is not a whole number from $least to $most/;
            is_wrong( 'no such number', $like, $verb, "--$name=$bad" );
            is_wrong( 'no such number', $like, $verb, "--$name", $bad ) if $bad !~ /^-/;
        }
        is_taken( $option, $verb, $_ ) for $least, $most;
        is_taken( $option, $verb, '1K' ) if $most >= 1024;
    }
    elsif ( $option->{words} ) {
        my ($noun) = $type =~ /^words ([a-z]+): /;
        my $known = join ', ', @{ $option->{words} };
        $known =~ s/(.*), /$1 or /;
        my $what = $noun ? "$noun " : '';
        for my $bad ( 'x', '', uc $option->{words}[0] ) {
            is_wrong( 'no such word', qr/--$name: there is no $what'$bad'; it is $known/, $verb, "--$name", $bad );
            is_wrong( 'no such word', qr/--$name: there is no $what'$bad'; it is $known/, $verb, "--$name=$bad" );
        }
        is_taken( $option, $verb, $_ ) for @{ $option->{words} };
    }
    elsif ( $type =~ /^path/ ) {
        is_wrong( 'no name', qr/--$name: the name of the file is empty|one --$name is an empty name/, $verb, "--$name", '' );
    }
    if ( $option->{letter} ) {
        is_wrong( 'a value is missing', qr/Missing argument for -$option->{letter}/, $verb, "-$option->{letter}" );
        my @idle = @{ $idle{$verb} // [] };
        is( ( said( $verb, "-$option->{letter}x", @idle ) )[1], ( said( $verb, "--$name", 'x', @idle ) )[1], "$verb -$option->{letter}x is --$name x" );
    }
}
is_wrong( 'the last one counts', qr/--jobs: '0'/, 'run', qw(--jobs 2 --jobs 0) );
unlike( ( said( 'run', qw(--jobs 0 --jobs 2) ) )[1], qr/--jobs/, '... and only that' );
is_wrong( 'once for each side', qr/--groups: it is there twice/, 'compare', qw(a b --gpu pascal --groups 2 --groups 4) );

# ---- whose option it is

for my $verb (@verbs) {
    my %has = map { $_->{name} => 1 } of_verb( $verb, 'all' );
    my %seen;
    for my $option ( grep { !$has{ $_->{name} } && !$seen{ $_->{name} }++ } @options ) {
        my %whose = map { $_ => 1 } map { @{ $_->{all} } } grep { $_->{name} eq $option->{name} } @options;
        my $names = join ', ', grep { $whose{$_} } @verbs;
        $names =~ s/(.*), /$1 and /;
        is_wrong( "another verb's", qr/--$option->{name} belongs to pipesim $names, and this is pipesim $verb/, $verb, "--$option->{name}" );
    }
    is_wrong( 'nobody has it', qr/Unknown option --foretell/, $verb, '--foretell' );
}

# ---- --help: of each verb its options, in the order of the table; where some are first, those are, then all in groups

for my $verb (@verbs) {
    my ( undef, $help ) = said( $verb, '--help' );
    my @first = grep { ( $_->{first} // '' ) =~ /\b$verb\b/ } of_verb( $verb, 'all' );
    my @groups = ( { map { $_->{name} => 1 } @first } );
    my @order  = of_verb( $verb, @first ? 'all' : 'listed' );
    if (@first) {
        my ( %number, @grouped );
        for my $option ( grep { !$groups[0]{ $_->{name} } } @order ) {
            my $at = $number{ $option->{group} } //= 1 + keys %number;
            push @{ $grouped[$at] }, $option;
            like( $help, qr/^\Q$option->{group}\E:$/m, "... $option->{name} in its group" );
        }
        @order = ( @first, map { @{ $_ // [] } } @grouped );
        is( scalar @first, 12, "... and $verb has twelve first" );
    }
    my @wanted = map { ( $_->{letter} ? "-$_->{letter}, " : '' ) . "--$_->{name}" } @order;
    is_deeply( [ $help =~ /^  ((?:-\w, )?--[a-z-]+)/mg ], \@wanted, "$verb --help has its options" );
    unlike( $help, qr/[{}]/, '... with what {} stands for' );
    like( ( said('--help') )[1], qr/^  pipesim $verb /m, "... and pipesim --help has $verb" );
}

# ---- the completion

# What bash would offer for the last of these words, and what it asks of readline.
sub completes {
    my @words = @_;
    my $script = '. "$0"; compopt() { echo "$*"; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pipesim; printf "%s\n" "${COMPREPLY[@]}"';
    open my $pipe, '-|', 'bash', '-c', $script, "$build/completion/pipesim.bash", $program, @words or die;
    my @offered = map { chomp; $_ } <$pipe>;
    close $pipe;
    return sort grep { $_ ne '' } @offered;
}

sub offers {
    my ( $words, @wanted ) = @_;
    is_deeply( [ completes( split / /, $words, -1 ) ], [ sort @wanted ], "completion of '$words'" );
}

SKIP: {
    skip 'bash is not installed', 1 if system 'command -v bash >/dev/null';
    offers( 'va', 'validate' );
    for my $verb (@verbs) {
        offers( "$verb --", map { "--$_->{name}" } of_verb( $verb, 'all' ) );
        for my $option ( of_verb( $verb, 'listed' ) ) {
            my ( $how, @words ) = $option->{words} ? ( 'words', @{ $option->{words} } ) : split / /, $option->{complete} // 'nothing';
            next if !defined $option->{value} || $how eq 'ending';
            my %wanted = ( files => ['-o default'], words => \@words, begin => [ '-o nospace', @words ], value => ['-o nospace'] );
            my $equals = $option->{value} =~ /^\[/ ? '= ' : '';
            offers( "$verb --$option->{name} $equals", @{ $wanted{$how} // [] } );
        }
    }
    offers( 'sweep x.idg --vary act', '-o nospace', 'active=' );
    offers( 'roofline x.csv --format g', 'gnuplot' );
    offers( 'run x.idg --format = js', 'json' );
    offers( 'run x.idg --format g' );
    offers( 'compare x.cu --versus --blo', '--block' );
    offers( 'bench --resume --noi',        '--noise' );
    offers( 'list ', '--gpus', '--graphs' );
    offers( 'show test',    '-o nospace', 'tests/' );
    offers( 'show ./.g' );
    offers( 'show ./buil' );
    offers( 'run x.ptx --arg x = ze', '-o nospace', 'zero:' );
    offers( 'bench --backend model : pasc', 'pascal.xml' );
    offers( 'saxpy.idg --gpu pasc',         'pascal.xml' );
    offers( 'saxpy.idg -g pasc',            'pascal.xml' );
}

# ---- the man page

my $man = slurp("$build/man/pipesim.1");
my ($in_order) = $man =~ /^\.Sh OPTIONS\n(.*?)^\.Sh /ms;
my %entries;
while ( $in_order =~ /^\.Ss (.*)\n((?:(?!\.Ss).*\n)*)/mg ) {
    my ( $title, $text ) = ( $1, $2 );
    $entries{$title}{$_} = 1 for $text =~ /^\.It (?:Fl \w , )?Fl -([a-z-]+)/mg;
}
my %parts = map { $_ => [ "Options of $_", 'All verbs' ] } @verbs;
push @{ $parts{$_} }, 'Options of run, sweep and compare', 'Refinements, for run, sweep and compare' for qw(run sweep compare);
push @{ $parts{validate} }, 'Options of bench';
for my $verb (@verbs) {
    my @lacks = grep {
        my $name = $_->{name};
        !grep { $entries{$_}{$name} } @{ $parts{$verb} }
    } of_verb( $verb, 'listed' );
    is( join( ' ', map { $_->{name} } @lacks ), '', "the man page has the options of $verb" );
    my %has = map { $_->{name} => 1 } of_verb( $verb, 'all' );
    is( join( ' ', grep { !$has{$_} } keys %{ $entries{"Options of $verb"} } ), '', '... and no others' );
    like( $man, qr/^\.Nm\n\.(?:Op )?Cm $verb\n/m, '... and how it is called' );
    like( $man, qr/^\.It Cm $verb\n/m,            '... and what it does' );
}
unlike( $man, qr/^@/m, 'nothing of the template is left' );
for my $lint ( [ 'man', "man --warnings -l $build/man/pipesim.1" ], [ 'mandoc', "mandoc -T lint -W warning $build/man/pipesim.1" ] ) {
    my ( $tool, $command ) = @$lint;
  SKIP: {
        skip "$tool is not installed", 1 if system "command -v $tool >/dev/null";
        is( qx($command 2>&1 >/dev/null), '', "$tool has nothing against the man page" );
    }
}

# ---- errors in the table

sub is_refused {
    my ( $like, @lines ) = @_;
    open my $file, '>', "$folder/options.table" or die;
    print $file map { "$_\n" } '@verb run', @lines;
    close $file;
    my $text = qx(awk -v template=man/pipesim.1.in -f make/options/read.awk -f make/options/man.awk $folder/options.table cli/run/help.txt 2>&1 >/dev/null);
    ok( $? >> 8 == 1 && $text =~ /options\.table(?::\d+)?: $like\n\z/, "a table where $like" ) or diag("$?: $text");
}
is_refused( 'there is no verb walk', '@option x', '@verbs run walk' );
is_refused( 'run has --x twice', '@option x', '@verbs run', '@option x', '@verbs run' );
is_refused( "there is no type 'color'", '@option x', '@verbs run', '@value N', '@type color' );
is_refused( 'there is no @hepl', '@option x', '@hepl text' );
is_refused( '@verbs stands before the first @option', '@verbs run' );
is_refused( "nothing is completed by 'magic'", '@option x', '@verbs run', '@complete magic' );
is_refused( '--x lacks @man', '@option x', '@verbs run', '@help Text' );
is_refused( "the man page has no part 'walk'", '@option x', '@verbs run', '@help Text', '@man walk' );

done_testing();
