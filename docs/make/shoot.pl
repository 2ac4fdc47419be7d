#!/usr/bin/env perl
# SPDX-License-Identifier: BSD-3-Clause
# A picture of the beginning of a page as a browser shows it: docs/make/shoot.pl PAGE PICTURE WIDTH HEIGHT [phone]
# (a phone's is dark). Exits with 3 where there is no chromium.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename;
use lib dirname(__FILE__) . '/../../tests';
use JSON::PP;
use MIME::Base64;
use chromium;

my ( $page, $picture, $width, $height, $phone ) = @ARGV;
die "usage: docs/make/shoot.pl PAGE PICTURE WIDTH HEIGHT [phone]\n" if !$height;
my $path    = chromium::find() // exit 3;
my $browser = chromium->new($path);
$browser->show( abs_path($page), $width, $phone ? ( mobile => 1, dark => 1 ) : () );
my $shot = $browser->call(
    'Page.captureScreenshot',
    format => 'png',
    captureBeyondViewport => JSON::PP::true,
    clip   => { x => 0, y => 0, width => 0 + $width, height => 0 + $height, scale => 1 },
);
open my $out, '>:raw', $picture or die "$picture: $!\n";
print {$out} decode_base64( $shot->{data} );
close $out or die "$picture: $!\n";
