# SPDX-License-Identifier: BSD-3-Clause
# Holds JSON against a JSON Schema (draft 2020-12), as far as build/tell/pipesim.schema.json uses it: a
# keyword that is not known here ends the test, so that none is taken for checked. It remembers which
# properties it met, so that those can be told that nothing has.
package schema;
use strict;
use warnings;
use JSON::PP;
use Scalar::Util qw(refaddr);

my %check;
my %no_check = map { $_ => 1 } qw($schema $id $defs $comment title description examples unit);
my %met;    # addresses of properties' schemas
my $plain = JSON::PP->new->allow_nonref->canonical;

sub type_of {
    my ($value) = @_;
    return 'null' if !defined $value;
    return 'boolean' if JSON::PP::is_bool($value);
    return 'object'  if ref $value eq 'HASH';
    return 'array'   if ref $value eq 'ARRAY';
    return 'string'  if !ref $value && $plain->encode($value) =~ /^"/;
    return $value == int $value ? 'integer' : 'number';
}

sub is_of {
    my ( $value, $type ) = @_;
    my $is = type_of($value);
    return $is eq $type || ( $type eq 'number' && $is eq 'integer' );
}

sub is_number { return is_of( $_[0], 'number' ) }

%check = (
    type => sub {
        my ( $want, $value ) = @_;
        my @types = ref $want ? @$want : ($want);
        return if grep { is_of( $value, $_ ) } @types;
        return 'is ' . type_of($value) . ", not @types";
    },
    enum => sub {
        my ( $want, $value ) = @_;
        my $text = $plain->encode($value);
        return if grep { $plain->encode($_) eq $text } @$want;
        return "$text is none of " . $plain->encode($want);
    },
    minimum => sub {
        my ( $want, $value ) = @_;
        return is_number($value) && $value < $want ? "$value is below $want" : ();
    },
    maximum => sub {
        my ( $want, $value ) = @_;
        return is_number($value) && $value > $want ? "$value is above $want" : ();
    },
    exclusiveMinimum => sub {
        my ( $want, $value ) = @_;
        return is_number($value) && $value <= $want ? "$value is not above $want" : ();
    },
    minItems => sub {
        my ( $want, $value ) = @_;
        return ref $value eq 'ARRAY' && @$value < $want ? 'too few items' : ();
    },
    required => sub {
        my ( $want, $value ) = @_;
        return if ref $value ne 'HASH';
        return map { "has no '$_'" } grep { !exists $value->{$_} } @$want;
    },
    items => sub {
        my ( $want, $value, $at, $root ) = @_;
        return if ref $value ne 'ARRAY';
        return map { within( $want, $value->[$_], "$at\[$_]", $root ) } 0 .. $#$value;
    },
    properties => sub {
        my ( $want, $value, $at, $root ) = @_;
        return if ref $value ne 'HASH';
        my @there = grep { exists $value->{$_} } sort keys %$want;
        $met{ refaddr $want->{$_} } = 1 for @there;
        return map { within( $want->{$_}, $value->{$_}, "$at.$_", $root ) } @there;
    },
    anyOf => sub {
        my ( $want, $value, $at, $root ) = @_;
        my @all;
        for my $one (@$want) {
            my @wrong = within( $one, $value, $at, $root );
            return if !@wrong;
            push @all, @wrong;
        }
        return @all;
    },
    '$ref' => sub {
        my ( $want, $value, $at, $root ) = @_;
        return within( target( $want, $root ), $value, $at, $root );
    },
);

sub target {
    my ( $ref, $root ) = @_;
    my ($name) = $ref =~ m{^#/\$defs/([\w.]+)$} or die "\$ref $ref";
    return $root->{'$defs'}{$name} // die "\$ref $ref: there is none";
}

# The keys that a schema and those that it refers to have properties for.
sub known_keys {
    my ( $schema, $root ) = @_;
    my @keys = keys %{ $schema->{properties} // {} };
    push @keys, known_keys( target( $schema->{'$ref'}, $root ), $root ) if $schema->{'$ref'};
    return @keys;
}

# What goes for keys without a property; unevaluatedProperties looks at those of $ref, too.
sub others {
    my ( $keyword, $schema, $value, $at, $root ) = @_;
    return if ref $value ne 'HASH';
    my %known = map { $_ => 1 }
      $keyword eq 'additionalProperties' ? keys %{ $schema->{properties} // {} } : known_keys( $schema, $root );
    return map { within( $schema->{$keyword}, $value->{$_}, "$at.$_", $root ) }
      grep { !$known{$_} } sort keys %$value;
}

# What is wrong with the value, a line each; nothing where it is as the schema says.
sub within {
    my ( $schema, $value, $at, $root ) = @_;
    if ( JSON::PP::is_bool($schema) ) {
        return $schema ? () : ("$at: is not in the schema");
    }
    my @wrong;
    for my $keyword ( sort keys %$schema ) {
        next if $no_check{$keyword};
        if ( $keyword =~ /^(?:additional|unevaluated)Properties$/ ) {
            push @wrong, others( $keyword, $schema, $value, $at, $root );
            next;
        }
        my $sub = $check{$keyword} or die "the schema has an unknown keyword: $keyword";
        push @wrong, map { /^\$/ ? $_ : "$at: $_" } $sub->( $schema->{$keyword}, $value, $at, $root );
    }
    return @wrong;
}

# By the whole schema, or by the definition of that name.
sub validate {
    my ( $schema, $value, $name ) = @_;
    return within( $name ? target( "#/\$defs/$name", $schema ) : $schema, $value, '$', $schema );
}

# The properties that no value so far had, of the definitions of these names and of what they refer
# to: "answer.launch.groups".
sub unmet {
    my ( $root, @names ) = @_;
    my ( %done, @unmet );
    my $look;
    $look = sub {
        my ( $schema, $at ) = @_;
        return map { $look->( $_, $at ) } @$schema if ref $schema eq 'ARRAY';
        return if ref $schema ne 'HASH' || $done{ refaddr $schema }++;
        my $properties = $schema->{properties} // {};
        for my $key ( sort keys %$properties ) {
            push @unmet, "$at.$key" if !$met{ refaddr $properties->{$key} };
            $look->( $properties->{$key}, "$at.$key" );
        }
        $look->( $schema->{$_}, $at ) for qw(items anyOf additionalProperties);
        $look->( target( $schema->{'$ref'}, $root ), $schema->{'$ref'} =~ s{.*/}{}r ) if $schema->{'$ref'};
    };
    $look->( target( "#/\$defs/$_", $root ), $_ ) for @names;
    return @unmet;
}

1;
