# SPDX-License-Identifier: BSD-3-Clause
# Holds JSON against a JSON Schema (draft 2020-12), as far as docs/pipesim.schema.json uses it: a
# keyword that is not known here ends the test, so that none is taken for checked.
package schema;
use strict;
use warnings;
use JSON::PP;

my %check;
my %no_check = map { $_ => 1 } qw($schema $id $defs $comment title description examples);
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
        return map { within( $want->{$_}, $value->{$_}, "$at.$_", $root ) }
          grep { exists $value->{$_} } sort keys %$want;
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
        my ($name) = $want =~ m{^#/\$defs/(\w+)$} or die "\$ref $want";
        my $one = $root->{'$defs'}{$name} or die "\$ref $want: there is none";
        return within( $one, $value, $at, $root );
    },
);

# What is wrong with the value, a line each; nothing where it is as the schema says.
sub within {
    my ( $schema, $value, $at, $root ) = @_;
    if ( JSON::PP::is_bool($schema) ) {
        return $schema ? () : ("$at: is not in the schema");
    }
    my @wrong;
    for my $keyword ( sort keys %$schema ) {
        next if $no_check{$keyword};
        if ( $keyword eq 'additionalProperties' ) {
            next if ref $value ne 'HASH';
            for my $key ( grep { !exists $schema->{properties}{$_} } sort keys %$value ) {
                push @wrong, within( $schema->{$keyword}, $value->{$key}, "$at.$key", $root );
            }
            next;
        }
        my $sub = $check{$keyword} or die "the schema has an unknown keyword: $keyword";
        push @wrong, map { /^\$/ ? $_ : "$at: $_" } $sub->( $schema->{$keyword}, $value, $at, $root );
    }
    return @wrong;
}

sub validate {
    my ( $schema, $value ) = @_;
    return within( $schema, $value, '$', $schema );
}

1;
