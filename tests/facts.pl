# SPDX-License-Identifier: BSD-3-Clause
# For tests/facts.t: facts.pl TABLE SCHEMA PART... says where a document of the schema and the part of that name of the
# table differ: a key that one of both lacks, or a value of another type.
use strict;
use warnings;
use JSON::PP;

my ($table, $file, @parts) = @ARGV;
my %types = (name => 'string', sentence => 'string', flag => 'boolean', count => 'integer', exact => 'number',
    number => 'number', figure => 'number', precise => 'number', object => 'object', row => 'object', list => 'array',
    objects => 'array', entries => 'object', names => 'array', texts => 'array', numbers => 'array');

sub slurp {
    my ($name) = @_;
    open my $in, '<', $name or die "$name: $!\n";
    local $/ = undef;
    return scalar <$in>;
}

# Every part as {within => [facts]}, each fact with its key, its type and what is within it. What stands in none is
# the part `run`.
sub read_parts {
    my %found = (run => { within => [] });
    my @open;
    for (split /\n/, slurp($table)) {
        next if /^ *[|=] / || !/^( *)([^#\s]\S*) +(\S+)/;
        my $fact = { key => $2, type => $3, within => [] };
        my $depth = length($1) / 2;
        push @{ $open[ $depth - 1 ]{within} }, $fact if $depth;
        $found{ $fact->{key} } = $fact if $fact->{type} eq 'part';
        push @{ $found{run}{within} }, $fact if !$depth && $fact->{type} ne 'part';
        $open[$depth] = $fact;
    }
    return \%found;
}

my $found = read_parts();
my $defs = decode_json(slurp($file))->{'$defs'};

# What is behind references, with what stands beside them, and is not null.
sub resolved {
    my ($one) = @_;
    my ($other) = grep { ($_->{type} // '') ne 'null' } @{ $one->{anyOf} // [] };
    return resolved($other) if $other;
    return $one if !$one->{'$ref'};
    my $behind = resolved($defs->{ $one->{'$ref'} =~ s{.*/}{}r });
    return { %$behind, %$one, properties => { %{ $behind->{properties} // {} }, %{ $one->{properties} // {} } } };
}

sub type_of {
    my ($one) = @_;
    return 'string' if $one->{enum};
    my $type = $one->{type} // '';
    ($type) = grep { $_ ne 'null' } @$type if ref $type;
    return $type;
}

# The facts within, with those of parts that stand there, too.
sub facts_of {
    my ($fact) = @_;
    return map { $_->{type} eq 'with' ? facts_of($found->{ $_->{key} }) : $_ } @{ $fact->{within} };
}

sub compare {
    my ($fact, $one, $path) = @_;
    my $properties = resolved($one->{items} // $one)->{properties};
    my %left = %{ $properties // {} };
    for my $of (facts_of($fact)) {
        my $at = "$path.$of->{key}";
        my $other = delete $left{ $of->{key} } or print("$at: not in the schema\n"), next;
        $other = resolved($other);
        my $type = type_of($other);
        print "$at: '$of->{type}' in the table, '$type' in the schema\n"
            if $type ne $types{ $of->{type} } && "$of->{type} $type" !~ /^(?:count number|exact integer)$/;
        compare($of, $other, $at) if @{ $of->{within} } && $of->{type} =~ /^(?:object|row|list|objects)$/;
    }
    delete @left{ map { $_->{key} } facts_of($found->{run}) } if $path eq 'run.what_if'; # an answer, once more
    print "$path.$_: not in the table\n" for sort keys %left;
    return;
}

compare($found->{$_} // { within => [] }, resolved($defs->{$_}), $_) for @parts;
