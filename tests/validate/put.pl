#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# A table stands in a page under a name, between "<!-- NAME -->" and "<!-- end -->", in place of what stood there.
#
#     tests/validate/put.pl PAGE NAME FILE
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use fidelity;

die "usage: $0 PAGE NAME FILE\n" unless @ARGV == 3;
my ( $page, $name, $table ) = @ARGV;
my ( $text, $new ) = map { fidelity::slurp($_) } $page, $table;
$text =~ s/(<!-- \Q$name\E -->\n).*?(<!-- end -->)/$1\n$new\n$2/s or die "$page has no $name\n";
files::spew( $page, $text );
