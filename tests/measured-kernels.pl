# SPDX-License-Identifier: BSD-3-Clause
# tests/validate/kernels.pl prints each row as soon as it is known, and --resume goes on with a table that was cut off. A
# program in pipesim's place writes down what it is asked, and fails when FAIL_AT runs were before.
use strict;
use warnings;
use File::Temp;
use Test::More;
use files;

my $folder = File::Temp->newdir;
spew( "$folder/program", <<'END' );
#!/usr/bin/env perl
use strict;
use warnings;
open my $log, '+>>', "$ENV{FOLDER}/log" or die;
seek $log, 0, 0;
my $before = () = <$log>;
exit 1 if defined $ENV{FAIL_AT} && $before == $ENV{FAIL_AT};
print {$log} "@ARGV\n";
my $seconds = 1e-3 * ( 1 + unpack( '%16C*', "@ARGV" ) );
print qq({"result": {"seconds": $seconds}, "roofline": {"seconds": 1, "ceiling_seconds": 1}, "pipelines": [{"name": "alu", "busy": 0.5}], "memory": {}, "launch": {}, "how_sure": {"limit": "measured"}});
END
chmod 0755, "$folder/program";
@ENV{qw(PIPESIM FOLDER BUILD JOBS EACH)} = ( "$folder/program", "$folder", "$folder/build", 1, 10 );

# Output, status and messages of the script; how often the program was asked is then in asked().
sub kernels {
    my ( $fail_at, @words ) = @_;
    local $ENV{FAIL_AT} = $fail_at if defined $fail_at;
    unlink "$folder/log";
    my $status = system "tests/validate/kernels.pl @words gemm >$folder/out 2>$folder/messages";
    return ( slurp("$folder/out"), $status, slurp("$folder/messages") );
}
sub asked { return -e "$folder/log" ? slurp("$folder/log") =~ tr/\n// : 0 }

my ( $whole, $status ) = kernels(undef);
my @lines = split /^/, $whole;
is( $status,      0, 'a table without interruption' );
is( asked(),      5, '... of five rows, each asked for once' );
is( scalar @lines, 6, '... with a head' );

my $table = "$folder/table";
my ($part) = kernels( 3, "--resume=$table" );
is( $part,         join( '', @lines[ 0 .. 3 ] ), 'what ends at the fourth row has printed three' );
is( slurp($table), $part,                        '... and the file has them' );

spew( $table, substr $part, 0, -5 );
( my $rest, $status ) = kernels( undef, "--resume=$table" );
is( $status,       0,      'a file whose last row was cut off goes on' );
is( $rest,         $whole, '... to the whole table' );
is( slurp($table), $whole, '... which the file has, too' );
is( asked(),       3,      '... without what was there' );

is( ( kernels( 0, "--resume=$table" ) )[0], $whole, 'a whole file needs no run' );

spew( $table, join '', @lines[ 0, 3 ] );
is( ( kernels( undef, "--resume=$table" ) )[0], $whole, 'rows are printed in the order of the set, whichever were there' );

spew( $table, "set\tname\ngemm\tx\n" );
( my $out, $status, my $messages ) = kernels( undef, "--resume=$table" );
isnt( $status, 0, 'a table of something else is refused' );
like( $messages, qr/^\Q$table\E: has other columns than set, gpu, .*; name another file$/m, '... by name' );
is( slurp($table), "set\tname\ngemm\tx\n", '... and stays' );
done_testing;
