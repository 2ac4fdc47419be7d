#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# docs/make/json.pl SCHEMA: prints the page about the JSON, made of its schema. Each
# definition with a title is a document, and a section of the page; the definitions that it needs
# follow, where they are more than a value.
use strict;
use warnings;
use JSON::PP;
use Text::Wrap qw(wrap);

$Text::Wrap::columns = 121;

my ($source) = @ARGV;

# JSON::PP forgets the order of keys, so each is given its number in the file, and loses it again.
sub read_ordered {
    open my $file, '<', $source or die "$source: $!\n";
    my $text = do { local $/ = undef; <$file> };
    my $n = 0;
    $text =~ s{"((?:[^"\\]|\\.)*)"(\s*:)?}{defined $2 ? sprintf( '"%06d %s":', $n++, $1 ) : "\"$1\""}ge;
    return ordered( JSON::PP->new->utf8->decode($text) );
}

# Objects become { key => value, ..., ' order' => [keys] }.
sub ordered {
    my ($value) = @_;
    return [ map { ordered($_) } @$value ] if ref $value eq 'ARRAY';
    return $value if ref $value ne 'HASH';
    my %object = ( ' order' => [] );
    for my $numbered ( sort keys %$value ) {
        my $key = substr $numbered, 7;
        push @{ $object{' order'} }, $key;
        $object{$key} = ordered( $value->{$numbered} );
    }
    return \%object;
}

my $schema = read_ordered();
my $defs   = $schema->{'$defs'};

sub name_of { return $_[0]{'$ref'} ? $_[0]{'$ref'} =~ s{.*/}{}r : undef }

# What a schema is of, where it may be null as well.
sub core {
    my ($one) = @_;
    return $one->{anyOf} ? ( grep { ( $_->{type} // '' ) ne 'null' } @{ $one->{anyOf} } )[0] : $one;
}

# The object with properties that a schema is, or is a list of; undef where it is a plain value.
sub object_of {
    my ($one) = @_;
    my $core = core($one);
    return object_of( $core->{items} ) if $core->{items};
    return object_of( $core->{additionalProperties} ) if ref $core->{additionalProperties} eq 'HASH';
    return $core->{properties} ? $core : undef;
}

sub may_be_null {
    my ($one) = @_;
    return ref $one->{type} && grep { $_ eq 'null' } @{ $one->{type} };
}

sub is_list { return !!core( $_[0] )->{items} }

# Definitions that get a section of their own, in the order in which they were asked for.
my ( @wanted, %asked );

sub link_to {
    my ($name) = @_;
    push @wanted, $name if !$asked{$name}++;
    my $title = $defs->{$name}{title} // $name;
    my $anchor = lc $title =~ s/[^\w -]//gr =~ tr/ /-/r;
    return "[$name](#$anchor)";
}

sub items_of {
    my ($items) = @_;
    return type_of($items) if !object_of($items);
    my $name = name_of($items);
    return 'objects' . ( $name ? ' with the keys of ' . link_to($name) . ', and' : q() );
}

my %words = ( string => 'text', boolean => 'true or false' );

sub value_of {
    my ($value) = @_;
    return defined $value ? "`$value`" : 'null';
}

# The type of a value in words; what a definition of a plain value says stands for its name.
sub type_of {
    my ($one) = @_;
    if ( my $name = name_of($one) ) {
        return 'object with the keys of ' . link_to($name) . ', and these' if %{ $one->{properties} // {} };
        return object_of( $defs->{$name} ) ? link_to($name) : type_of( $defs->{$name} );
    }
    return join ', ', map { value_of($_) } @{ $one->{enum} } if $one->{enum};
    if ( $one->{anyOf} ) {
        return type_of( core($one) ) . ' or null';
    }
    my $type = $one->{type};
    my @types = map { $words{$_} // $_ } ref $type ? @$type : ( $type // 'object' );
    if ( $one->{items} ) {
        $_ eq 'array' and $_ = 'list of ' . items_of( $one->{items} ) for @types;
    }
    elsif ( ref $one->{additionalProperties} eq 'HASH' ) {
        $_ eq 'object' and $_ = 'object; by name: ' . type_of( $one->{additionalProperties} ) for @types;
    }
    return join( ' or ', @types ) . ( $one->{unit} ? ", $one->{unit}" : q() );
}

sub description_of {
    my ($one) = @_;
    my $name = name_of($one);
    return $one->{description} // ( $name ? description_of( $defs->{$name} ) : q() );
}

# A row for each key, those of objects within it after it.
sub rows {
    my ( $object, $prefix ) = @_;
    my %required = map { $_ => 1 } @{ $object->{required} // [] };
    my $properties = $object->{properties};
    for my $key ( @{ $properties->{' order'} } ) {
        my $one  = $properties->{$key};
        my $type = type_of($one) . ( $required{$key} ? q() : '; not always there' );
        my $text = description_of($one);
        print '| `', "$prefix$key", '` | ', $type, ' | ', $text, " |\n";
        next if name_of($one) && !$one->{properties};
        my $within = object_of($one) // next;
        rows( $within, "$prefix$key" . ( is_list($one) ? '[].' : '.' ) );
    }
    return;
}

sub section {
    my ( $name, $level ) = @_;
    my $one  = $defs->{$name};
    my $core = core($one);
    print "\n$level ", $one->{title} // $name, "\n";
    print "\n", wrap( '', '', $one->{description} ), "\n" if $one->{description};
    my @notes;
    push @notes, 'Or null.' if may_be_null($one);
    if ( is_list($one) ) {
        my $of = name_of( $core->{items} );
        push @notes, $of ? 'A list of ' . link_to($of) . q(.) : 'A list of objects with these keys:';
    }
    elsif ( !$core->{properties} && ref $core->{additionalProperties} eq 'HASH' ) {
        push @notes, 'For each name an object with these keys:';
    }
    my $object = object_of($one);
    if ( $object && name_of($object) ) {
        push @notes, 'It has the keys of ' . link_to( name_of($object) ) . ', and these:';
    }
    print "\n", wrap( '', '', "@notes" ), "\n" if @notes;
    return if !$object;
    print "\n| key | value | |\n|:--|:--|:--|\n";
    rows( $object, q() );
    return;
}

binmode STDOUT, ':encoding(UTF-8)';
print "<!-- Made of tell/facts.table by `make json`. -->\n";
print "# $schema->{title}\n\n", wrap( '', '', $schema->{description} ), "\n\n";
print "An installation has the same as a JSON Schema, `share/pipesim/pipesim.schema.json`, and a build as\n",
  "`build/tell/pipesim.schema.json`. The tests hold every one of these documents against it.\n",
  "[tuning.md](../guide/tuning.md) shows a program that uses them.\n";
for my $document ( map { name_of($_) } @{ $schema->{anyOf} } ) {
    $asked{$document} = 1;
    section( $document, '##' );
    section( shift @wanted, '###' ) while @wanted;
}
