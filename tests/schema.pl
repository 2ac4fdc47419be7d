# SPDX-License-Identifier: BSD-3-Clause
# perl -Itests tests/schema.pl DOCUMENT=FILE...: holds files against these definitions of
# build/tell/pipesim.schema.json. It says what is wrong with them, and which keys of the definitions are in
# none of them; nothing where there is no such thing.
use strict;
use warnings;
use JSON::PP;
use files;
use schema;

my $json   = JSON::PP->new->utf8;
my $schema = $json->decode( slurp(($ENV{BUILD} // 'build') . '/tell/pipesim.schema.json') );
my %documents;
for (@ARGV) {
    my ( $document, $path ) = /^(\w+)=(.*)$/ or die "$_: not DOCUMENT=FILE\n";
    $documents{$document} = 1;
    my @wrong = schema::validate( $schema, $json->decode( slurp($path) ), $document );
    print map { "$path: $_\n" } @wrong[ 0 .. ( $#wrong < 9 ? $#wrong : 9 ) ];
}
print map { "no output has $_\n" } schema::unmet( $schema, sort keys %documents );
