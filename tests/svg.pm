# SPDX-License-Identifier: BSD-3-Clause
# What is where in an SVG file of gnuplot: texts as boxes, lines as segments, marks as points; and what
# lies on what. Letters are taken to be as wide as those of DejaVu Sans are in the mean.
package svg;
use strict;
use warnings;
use utf8;
use List::Util qw(max min);

# Shares of a text's size: its letters' width, and how far they reach above and below the line.
my ( $letter, $above, $below ) = ( 0.58, 0.75, 0.02 );

# Half of a mark for each unit of its scale.
my $mark = 0.9;

# Of strokes: the frame with its tics, the grid, what has no colour of its own.
my $frame = qr/^black$/;
my $grid  = qr/^rgb\((?:221, *221, *221|204, *204, *204|228, *228, *228|255, *255, *255)\)$/;

# Lines that lead from a text to its mark.
my $leader = qr/^rgb\(136, *136, *136\)$/;

sub plain {
    my ($text) = @_;
    $text =~ s/<[^>]*>//g;
    my %entity = ( lt => '<', gt => '>', amp => '&', quot => '"', apos => q{'} );
    $text =~ s/&(\w+);/$entity{$1} \/\/ q{?}/ge;
    $text =~ s/&#(\d+);/chr $1/ge;
    return $text =~ s/^\s+|\s+$//gr;
}

sub add_path {
    my ( $self, $width, $tag ) = @_;
    my ($stroke) = $tag =~ /stroke='([^']*)'/;
    my ($dash)   = $tag =~ /stroke-dasharray='([^']*)'/;
    my ($data)   = $tag =~ /\sd='([^']*)'/;
    return if !defined $data;
    my @at;
    while ( $data =~ /([ML])(-?[\d.]+),(-?[\d.]+)/g ) {
        push @{ $self->{lines} },
          { look => join( ' ', $stroke // '', $width, $dash // 'solid' ), stroke => $stroke // '', from => [@at], to => [ $2, $3 ] }
          if $1 eq 'L';
        @at = ( $2, $3 );
    }
    $self->{frames}{$data} = 1 if $stroke && $stroke =~ $frame && $data =~ /^M(\S+),\S+ L\1,(\S+) L\S+,\2 M/;
    return;
}

sub add_text {
    my ( $self, $tag, $content ) = @_;
    my $text = plain($content);
    return if $text eq '';
    my ( $x, $y, $turn ) = $tag =~ /translate\(([-\d.]+),([-\d.]+)\)(?: rotate\(([-\d.]+)\))?/;
    my ($size)   = $tag =~ /font-size="([\d.]+)"/;
    my ($anchor) = $tag =~ /text-anchor="(\w+)"/;
    my $width = $letter * $size * length $text;
    my $left  = $anchor eq 'start' ? 0 : $anchor eq 'end' ? -$width : -$width / 2;
    push @{ $self->{texts} }, {
        is => $text, anchor => $anchor, size => $size, turn => $turn // 0, x => $x, y => $y,

        # In the text's own frame: its line's direction is the first axis.
        box => [ $left, -$above * $size, $left + $width, $below * $size ]
    };
    return;
}

sub read {
    my ($file) = @_;
    open my $in, '<:encoding(UTF-8)', $file or die "$file: $!";
    my $all = do { local $/ = undef; <$in> };
    my $self = bless { frames => {}, lines => [], texts => [], marks => [] };
    ( $self->{width}, $self->{height} ) = $all =~ /viewBox="0 0 ([\d.]+) ([\d.]+)"/ or die "$file: no viewBox";
    my $width = 1;
    $all =~ s{<defs>.*?</defs>}{}s;
    while ( $all =~ m{<g transform="([^>]*)>\s*(<text[^>]*>.*?</text>)|<g [^>]*stroke-width="([\d.]+)"|(<path[^>]*>)|<use xlink:href='#(\w+)' transform='translate\(([-\d.]+),([-\d.]+)\) scale\(([-\d.]+)\)' color='([^']*)'}gs ) {
        if    ( defined $1 ) { $self->add_text( $1, $2 ) }
        elsif ( defined $3 ) { $width = $3 }
        elsif ( defined $4 ) { $self->add_path( $width, $4 ) }
        else                 { push @{ $self->{marks} }, { look => "$5 $9", x => $6, y => $7, half => $8 * $mark } }
    }
    return $self;
}

# A point in the frame of a text.
sub within {
    my ( $text, $x, $y ) = @_;
    my ( $dx, $dy ) = ( $x - $text->{x}, $y - $text->{y} );
    return ( $dx, $dy ) if !$text->{turn};
    my $angle = -$text->{turn} * atan2( 0, -1 ) / 180;
    return ( $dx * cos($angle) - $dy * sin $angle, $dx * sin($angle) + $dy * cos $angle );
}

sub corners {
    my ($text) = @_;
    my ( $left, $top, $right, $bottom ) = @{ $text->{box} };
    my $angle = $text->{turn} * atan2( 0, -1 ) / 180;
    return map { [ $text->{x} + $_->[0] * cos($angle) - $_->[1] * sin $angle, $text->{y} + $_->[0] * sin($angle) + $_->[1] * cos $angle ] }
      ( [ $left, $top ], [ $right, $top ], [ $right, $bottom ], [ $left, $bottom ] );
}

# Whether a segment has a part inside the text's box.
sub crosses {
    my ( $text, $line ) = @_;
    my @from = within( $text, @{ $line->{from} } );
    my @to   = within( $text, @{ $line->{to} } );
    my ( $enter, $leave ) = ( 0, 1 );
    for my $axis ( 0, 1 ) {
        my ( $low, $high ) = @{ $text->{box} }[ $axis, $axis + 2 ];
        my $step = $to[$axis] - $from[$axis];
        if ( abs $step < 1e-9 ) {
            return 0 if $from[$axis] <= $low || $from[$axis] >= $high;
            next;
        }
        my ( $one, $two ) = ( ( $low - $from[$axis] ) / $step, ( $high - $from[$axis] ) / $step );
        $enter = max( $enter, min( $one, $two ) );
        $leave = min( $leave, max( $one, $two ) );
    }
    return $enter < $leave;
}

# Whether two texts overlap: no axis of either parts them.
sub overlap {
    my ( $one, $two ) = @_;
    for my $pair ( [ $one, $two ], [ $two, $one ] ) {
        my @in = map { [ within( $pair->[0], @{$_} ) ] } corners( $pair->[1] );
        for my $axis ( 0, 1 ) {
            my ( $low, $high ) = @{ $pair->[0]{box} }[ $axis, $axis + 2 ];
            return 0 if max( map { $_->[$axis] } @in ) <= $low || min( map { $_->[$axis] } @in ) >= $high;
        }
    }
    return 1;
}

# Lists of what is wrong, in words.
sub outside {
    my ($self) = @_;
    return map { $_->{is} }
      grep { grep { $_->[0] < 0 || $_->[1] < 0 || $_->[0] > $_[0]{width} || $_->[1] > $_[0]{height} } corners($_) } @{ $self->{texts} };
}

sub on_texts {
    my ($self) = @_;
    my @texts = @{ $self->{texts} };
    my @out;
    for my $i ( 0 .. $#texts ) {
        push @out, map { "$texts[$i]{is} on $_->{is}" } grep { overlap( $texts[$i], $_ ) } @texts[ $i + 1 .. $#texts ];
    }
    return @out;
}

sub on_lines {
    my ($self) = @_;
    my @lines = grep { $_->{stroke} !~ $frame && $_->{stroke} !~ $grid && $_->{stroke} !~ $leader } @{ $self->{lines} };
    my @out;
    for my $text ( @{ $self->{texts} } ) {
        my ($line) = grep { crosses( $text, $_ ) } @lines;
        push @out, "$text->{is} struck through by a line ($line->{look})" if $line;
    }
    return @out;
}

sub on_marks {
    my ($self) = @_;
    my @out;
    for my $text ( @{ $self->{texts} } ) {
        for my $mark ( @{ $self->{marks} } ) {
            my ( $x, $y ) = within( $text, $mark->{x}, $mark->{y} );
            my ( $left, $top, $right, $bottom ) = @{ $text->{box} };
            next if $x + $mark->{half} * 0.7 <= $left || $x - $mark->{half} * 0.7 >= $right || $y + $mark->{half} * 0.7 <= $top || $y - $mark->{half} * 0.7 >= $bottom;
            push @out, "$text->{is} on a mark";
            last;
        }
    }
    return @out;
}

# Entries of the key below a chart: their texts with the looks of the samples before them.
sub key {
    my ($self) = @_;
    my $bottom = max( map { $_->{to}[1] } grep { $_->{stroke} =~ $frame } @{ $self->{lines} } );
    my @key;
    for my $text ( grep { $_->{anchor} eq 'start' && $_->{y} > $bottom } @{ $self->{texts} } ) {
        my $middle = $text->{y} - 0.3 * $text->{size};
        my $is_before = sub { abs( $_[1] - $middle ) < 4 && $_[0] < $text->{x} + 1 && $_[0] > $text->{x} - 4 * $text->{size} };
        my @looks     = map { $_->{look} } grep { $is_before->( $_->{x}, $_->{y} ) } @{ $self->{marks} };
        push @looks, map { $_->{look} } grep { $is_before->( @{ $_->{from} } ) } @{ $self->{lines} };
        push @key, { is => $text->{is}, look => join ', ', sort @looks };
    }
    return @key;
}

1;
